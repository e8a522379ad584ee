// How long does it take to count a search space, how much memory does it keep, and what does a question to it cost?
//
//   space_construction [--quick] [--json FILE]
//
// *_ms and *_mib are one space's, from declarations that exist already. *_us are questions to the space of 241,600
// about random ranks, points and positions, at the median; neighbour_us is all neighbours of one configuration.
// gemm_241600_vs_loop compares with nested loops written for this space, which prune as early as they can and keep 4
// bytes for each configuration. gemm_problem_ms is that space with one more parameter, whose constraint reads a problem
// size; gemm_next_problem_ms is what it takes for another problem, once there is one.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "conv2d/space.h"
#include "hone/hone.h"
#include "metrics.h"
#include "search/random_engine.h"
#include "support/reference_spaces.h"

namespace {

using hone::Rank;
using hone::SearchSpace;
using hone::SpaceDeclarations;
using hone::detail::RandomEngine;

/// What a program would write that has this one space and no library: a code for each valid configuration.
std::vector<std::uint32_t> loopOverGemm() {
  const int tiles[] = {16, 32, 64, 128}, threads[] = {8, 16, 32}, widths[] = {1, 2, 4, 8};
  std::vector<std::uint32_t> codes;
  std::uint32_t code = 0;
  for (int mwg : tiles) {
    for (int vwm : widths) {
      for (int mdimc : threads) {
        if (mwg % (mdimc * vwm) != 0) continue;
        for (int mdima : threads) {
          if (mwg % (mdima * vwm) != 0) continue;
          for (int kwg : {16, 32}) {
            for (int ndimc : threads) {
              if (mdimc * ndimc < mdima || kwg % (mdimc * ndimc / mdima) != 0 || mdimc * ndimc > 1024) continue;
              for (int ndimb : threads) {
                if (mdimc * ndimc < ndimb || kwg % (mdimc * ndimc / ndimb) != 0) continue;
                for (int nwg : tiles) {
                  for (int vwn : widths) {
                    if (nwg % (ndimc * vwn) != 0 || nwg % (ndimb * vwn) != 0) continue;
                    ++code;
                    for (int kwi : {2, 8}) {
                      if (kwg % kwi != 0) continue;
                      for (std::uint32_t flags = 0; flags < 16; ++flags)
                        codes.push_back(code * 32 + (kwi == 8 ? 16 : 0) + flags);
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return codes;
}

struct Case {
  const char* name;
  std::function<void(SpaceDeclarations&)> declare;
  std::vector<std::int64_t> problem;
  double targetMs, targetMiB;  // 0: none
};

void declareConvolution(SpaceDeclarations& declarations) {
  const hone::apps::conv2d::Space space = hone::apps::conv2d::declareSpace(declarations, 3);
  declarations.require(space.threadsX * space.threadsY <= 1024);
  declarations.require(space.localBytes <= 48 * 1024);
}

void declareGemmWithProblem(SpaceDeclarations& declarations) {
  hone::test::declareGemm(declarations);
  const hone::Parameter split = declarations.addParameter("SPLIT", hone::powersOfTwo(1, 16), 1);
  const auto [K] = declarations.problem("K");
  declarations.require(K % (32 * split) == 0);
}

const std::vector<Case>& cases() {
  using namespace hone::test;
  static const std::vector<Case> all{
      {"gemm_241600", [](auto& d) { declareGemm(d); }, {}, 1, 1},
      {"gemm_problem", declareGemmWithProblem, {2048}, 0, 0},
      {"conv2d_3424", declareConvolution, {}, 0.3, 0},
      {"tiled_2p34", [](auto& d) { declareTiledProduct(d, kTiledOnGpu); }, {}, 20, 0},
      {"tiled_2p47", [](auto& d) { declareTiledProduct(d, kTiledOnCpu); }, {}, 20, 0},
      {"valid_22m", [](auto& d) { declareLargeGemm(d); }, {}, 5, 8},
      {"valid_22m_limited", [](auto& d) { declareLargeGemm(d, 1024, 48 * 1024); }, {}, 0, 0},
  };
  return all;
}

void registerConstruction(const Case& c) {
  benchmark::RegisterBenchmark(
      c.name,
      [&c](benchmark::State& state) {
        for (auto _ : state) {
          SpaceDeclarations declarations(c.name);  // anew each time: they keep what their spaces have in common
          c.declare(declarations);
          const auto start = std::chrono::steady_clock::now();
          const SearchSpace space(declarations, c.problem);
          benchmark::DoNotOptimize(space.size());
          state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
          state.counters["valid"] = static_cast<double>(space.size());
          state.counters["MiB"] = static_cast<double>(space.bytes()) / (1 << 20);
        }
      })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime();
}

void registerNextProblem() {
  benchmark::RegisterBenchmark("gemm_next_problem", [](benchmark::State& state) {
    SpaceDeclarations declarations("gemm_next_problem");
    declareGemmWithProblem(declarations);
    const SearchSpace first(declarations, {2048});
    for (auto _ : state) benchmark::DoNotOptimize(SearchSpace(declarations, {1024}).size());
  })->Unit(benchmark::kMillisecond);
}

/// Questions about random inputs, which are made beforehand.
template <class Input>
void registerQuestion(const char* name, const std::function<Input(const SearchSpace&, RandomEngine&)>& draw,
                      const std::function<void(const SearchSpace&, const Input&)>& ask) {
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) {
    SpaceDeclarations declarations(name);
    hone::test::declareGemm(declarations);
    const SearchSpace space(declarations);
    RandomEngine engine(1);
    std::vector<Input> inputs;
    while (inputs.size() < 4096) inputs.push_back(draw(space, engine));
    std::size_t i = 0;
    for (auto _ : state) ask(space, inputs[i++ % inputs.size()]);
    std::vector<double> alone;  // durations of single questions, reading the clock included
    for (const Input& input : inputs) {
      const auto start = std::chrono::steady_clock::now();
      ask(space, input);
      alone.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    std::nth_element(alone.begin(), alone.begin() + 2048, alone.end());
    state.counters["median"] = alone[2048];
  })->Unit(benchmark::kMicrosecond);
}

Rank anyRank(const SearchSpace& space, RandomEngine& engine) { return engine.below(space.size()); }

hone::Point anyPoint(const SearchSpace& space, RandomEngine& engine) { return space.point(anyRank(space, engine)); }

std::vector<double> anyPosition(const SearchSpace& space, RandomEngine& engine) {
  std::vector<double> position;
  for (std::size_t p = 0; p < space.dimensions(); ++p)
    position.push_back(engine.unit() * static_cast<double>(space.values(p).size() - 1));
  return position;
}

void registerAll() {
  for (const Case& c : cases()) registerConstruction(c);
  registerNextProblem();
  benchmark::RegisterBenchmark("loop", [](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(loopOverGemm().data());
    state.counters["valid"] = static_cast<double>(loopOverGemm().size());
  })->Unit(benchmark::kMillisecond);
  registerQuestion<Rank>("sample", anyRank, [](const SearchSpace& space, const Rank& rank) {
    benchmark::DoNotOptimize(space.point(rank).data());
  });
  registerQuestion<Rank>("neighbour", anyRank, [](const SearchSpace& space, const Rank& rank) {
    benchmark::DoNotOptimize(space.neighbours(rank).data());
  });
  registerQuestion<hone::Point>("rank", anyPoint, [](const SearchSpace& space, const hone::Point& point) {
    benchmark::DoNotOptimize(space.rank(point));
  });
  registerQuestion<std::vector<double>>("nearest", anyPosition,
                                        [](const SearchSpace& space, const std::vector<double>& position) {
                                          benchmark::DoNotOptimize(space.nearest(position));
                                        });
}

void printRow(const std::string& name, double figure, const char* unit, double target) {
  std::printf("%-24s %10.4f %-4s", name.c_str(), figure, unit);
  if (target > 0) std::printf(" target %5.1f  %s", target, figure <= target ? "reached" : "MISSED");
  std::printf("\n");
}

hone::bench::Metrics toMetrics(const hone::bench::Medians& medians) {
  hone::bench::Metrics metrics;
  const auto of = [&](const std::string& name) {
    const auto found = medians.find(name);
    return found == medians.end() ? 0 : found->second;  // left out by a filter
  };
  for (const Case& c : cases()) {
    const std::string name = c.name;
    metrics[name + "_ms"] = of(name) / 1e6;
    metrics[name + "_mib"] = of(name + "/MiB");
    metrics[name + "_valid"] = of(name + "/valid");
    printRow(name + ", time", of(name) / 1e6, "ms", c.targetMs);
    printRow(name + ", memory", of(name + "/MiB"), "MiB", c.targetMiB);
  }
  metrics["gemm_next_problem_ms"] = of("gemm_next_problem") / 1e6;
  printRow("gemm_next_problem, time", metrics["gemm_next_problem_ms"], "ms", 0);
  metrics["valid_22m_count"] = metrics["valid_22m_valid"];
  metrics["loop_ms"] = of("loop") / 1e6;
  metrics["loop_valid"] = of("loop/valid");
  metrics["gemm_241600_vs_loop"] = of("loop") > 0 ? of("gemm_241600") / of("loop") : 0;
  printRow("the loop, time", of("loop") / 1e6, "ms", 0);
  for (const std::string name : {"sample", "neighbour", "nearest", "rank"}) {
    metrics[name + "_us"] = of(name + "/median");
    metrics[name + "_mean_us"] = of(name) / 1e3;
    printRow(name + ", median", of(name + "/median"), "us", 2);
    printRow(name + ", mean", of(name) / 1e3, "us", 0);
  }
  return metrics;
}

}  // namespace

int main(int argc, char** argv) {
  const hone::bench::BenchProgram program{"space_construction",
                                          "times the counting of search spaces, and questions to one",
                                          {},
                                          hone::apps::CommandLine::Unknown::kept};
  return hone::bench::runBench(program, argc, argv, [](const hone::bench::BenchOptions& options) {
    registerAll();
    return toMetrics(hone::bench::runBenchmarks(options));
  });
}
