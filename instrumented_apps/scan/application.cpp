#include "scan/application.h"

#include <optional>

#include "buffers.h"
#include "exact_check.h"
#include "random_data.h"
#include "scan/scan.h"
#include "section.h"
#include "summary.h"

namespace hone::apps::scan {

namespace {

const Program kProgram{
    "scan",
    "tunes the prefix sums of n random integers",
    {"n"},
    {1 << 24},
    {{"kind", "NAME", "inclusive or exclusive sums (default: inclusive)", {"inclusive", "exclusive"}},
     {"space", "NAME", "narrow, or wide with more parameters (default: narrow)", {"narrow", "wide"}}}};

void requireMemory(const OpenedDevice& on, std::size_t n, bool isChecked) {
  const double in = 4.0 * static_cast<double>(n), out = in + 4.0 * kGuard;
  apps::requireMemory(on.device, {in, out, static_cast<double>(scratchBytes(n))}, in + (isChecked ? 2 * out : 0));
}

class Sums final : public Workload {
 public:
  Sums(const Setup& setup, std::size_t n)
      : on_(setup.on),
        runtime_(setup.runtime),
        n_(n),
        kind_(setup.options.value("kind", "inclusive") == "exclusive" ? Kind::exclusive : Kind::inclusive),
        isWide_(setup.options.value("space", "narrow") == "wide"),
        out_(makeOutput(on_, n)),
        scan_(on_, n) {
    const std::vector<std::uint32_t> numbers = randomIntegers(n, 1ull << 32, 1);
    in_ = upload(on_, numbers);
    if (setup.options.isChecked) check_.emplace(on_, out_, ExpectedIntegers{"out", referenceSums(numbers, kind_)});
  }

  std::vector<TunedWork> tune(const hone::Options& options, const std::vector<Restriction>& restrictions) override {
    const auto program = std::make_shared<opencl::TunedProgram>(runtime_, kernelSource(), "scan", options);
    const Space space(*program, runtime_.facts(), whyNoLookBack(on_.device, runtime_.facts()), isWide_);
    restrictCandidates(restrictions, *program);
    program->build();

    TunedWork work;
    work.problem = {static_cast<std::int64_t>(n_)};
    work.launch = [this, program, space] {
      return measured(*program, {{"n", n_}},
                      [&] { return scan_.enqueue(*program, space.configuration(*program), in_, out_, n_, kind_); });
    };
    work.report = [this, program] { return program->report({{"n", n_}}); };
    work.settle = settling(program, runtime_);
    if (check_) {
      work.prepare = [this] { check_->clear(); };
      work.check = [this](std::uint64_t launch) { check_->verify(launch); };
    }
    work.complete = [this](Summary& summary) {
      summary.bytesPerLaunch = 8.0 * static_cast<double>(n_);  // each element read once and written once
    };
    return {work};
  }

 private:
  const OpenedDevice& on_;
  opencl::Runtime& runtime_;
  std::size_t n_;
  Kind kind_;
  bool isWide_;
  cl::Buffer in_, out_;
  Scan scan_;
  std::optional<ExactCheck> check_;
};

std::unique_ptr<Workload> open(const Setup& setup) {
  const auto n = static_cast<std::size_t>(setup.options.problem[0]);
  requireMemory(setup.on, n, setup.options.isChecked);
  return std::make_unique<Sums>(setup, n);
}

}  // namespace

Application application() { return {kProgram, open}; }

}  // namespace hone::apps::scan
