#include "merge_sort/application.h"

#include "buffers.h"
#include "exact_check.h"
#include "merge_sort/merge_sort.h"
#include "section.h"

namespace hone::apps::merge_sort {

namespace {

const Program kProgram{
    "merge_sort",
    "tunes a stable merge sort of n random keys",
    {"n"},
    {1 << 22},
    {{"values", "", "sort keys with a value each (default: keys alone)"},
     {"space", "NAME", "narrow, or wide with more parameters (default: narrow)", {"narrow", "wide"}}}};

void requireMemory(const OpenedDevice& on, std::size_t n, bool hasValues, bool isChecked) {
  const double in = 4.0 * static_cast<double>(n), out = in + 4.0 * kGuard;
  std::vector<double> buffers = scratchBytes(n, hasValues);
  const int parts = hasValues ? 2 : 1;
  for (int i = 0; i < parts; ++i) buffers.insert(buffers.end(), {in, out});
  apps::requireMemory(on.device, buffers, in * parts + (isChecked ? 2 * out * parts : 0));
}

/// What the outputs of a launch are to be: sorted keys, and the values that came with them.
class SortCheck {
 public:
  SortCheck(const OpenedDevice& on, const Elements& out, const std::vector<std::uint32_t>& keys, bool hasValues) {
    // A value is its key's position.
    std::vector<std::uint32_t> values = stableOrder(keys), sorted;
    for (const std::uint32_t position : values) sorted.push_back(keys[position]);
    checks_.emplace_back(on, out.keys, ExpectedIntegers{"keys", std::move(sorted)});
    if (hasValues) checks_.emplace_back(on, out.values, ExpectedIntegers{"values", std::move(values)});
  }

  void clear() const {
    for (const ExactCheck& check : checks_) check.clear();
  }
  void verify(std::uint64_t launch) {
    for (ExactCheck& check : checks_) check.verify(launch);
  }

 private:
  std::vector<ExactCheck> checks_;
};

class Sort final : public Workload {
 public:
  Sort(const Setup& setup, std::size_t n, bool hasValues)
      : runtime_(setup.runtime),
        n_(n),
        hasValues_(hasValues),
        isWide_(setup.options.value("space", "narrow") == "wide"),
        out_{makeOutput(setup.on, n), {}},
        sort_(setup.on, n, hasValues) {
    const std::vector<std::uint32_t> keys = randomKeys(n, 1);
    in_.keys = upload(setup.on, keys);
    if (hasValues) {
      in_.values = upload(setup.on, positions(n));
      out_.values = makeOutput(setup.on, n);
    }
    if (setup.options.isChecked) check_.emplace(setup.on, out_, keys, hasValues);
  }

  std::vector<TunedWork> tune(const hone::Options& options, const std::vector<Restriction>& restrictions) override {
    const auto program = std::make_shared<opencl::TunedProgram>(runtime_, kernelSource(), "merge_sort", options);
    const Space space(*program, runtime_.facts(), hasValues_, isWide_);
    restrictCandidates(restrictions, *program);
    program->build();

    TunedWork work;
    work.problem = {static_cast<std::int64_t>(n_)};
    work.launch = [this, program, space] {
      return measured(*program, {{"n", n_}},
                      [&] { return sort_.enqueue(*program, space.configuration(*program), in_, out_, n_); });
    };
    work.report = [this, program] { return program->report({{"n", n_}}); };
    work.settle = settling(program, runtime_);
    if (check_) {
      work.prepare = [this] { check_->clear(); };
      work.check = [this](std::uint64_t launch) { check_->verify(launch); };
    }
    return {work};
  }

 private:
  opencl::Runtime& runtime_;
  std::size_t n_;
  bool hasValues_, isWide_;
  Elements in_, out_;
  MergeSort sort_;
  std::optional<SortCheck> check_;
};

std::unique_ptr<Workload> open(const Setup& setup) {
  const auto n = static_cast<std::size_t>(setup.options.problem[0]);
  const bool hasValues = setup.options.has("values");
  requireMemory(setup.on, n, hasValues, setup.options.isChecked);
  return std::make_unique<Sort>(setup, n, hasValues);
}

}  // namespace

Application application() { return {kProgram, open}; }

}  // namespace hone::apps::merge_sort
