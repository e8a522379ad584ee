#include "conv2d/application.h"

#include <optional>
#include <string>

#include "conv2d/convolution.h"
#include "errors.h"
#include "launch_check.h"
#include "problem_size.h"
#include "summary.h"

namespace hone::apps::conv2d {

namespace {

const Program kProgram{"conv2d",
                       "tunes a 2-D convolution of an image of X x Y floats with a filter of FS x FS",
                       {"X", "Y", "FS"},
                       {4096, 2048, 7}};

Shape shapeOf(const std::vector<std::int64_t>& problem) {
  const std::int64_t filterSize = problem[2];
  constexpr std::int64_t smallest = 2 * kMinimumHalfSize + 1, largest = 2 * kMaximumHalfSize + 1;
  if (filterSize % 2 == 0 || filterSize < smallest || filterSize > largest) {
    throw InputError("--problem '" + problemText(problem) + "': the filter size FS must be odd, from " +
                     std::to_string(smallest) + " to " + std::to_string(largest));
  }
  return {static_cast<std::size_t>(problem[0]), static_cast<std::size_t>(problem[1]),
          static_cast<std::size_t>(filterSize)};
}

class Filtering final : public Workload {
 public:
  Filtering(const Setup& setup, const Shape& shape) : on_(setup.on), runtime_(setup.runtime), shape_(shape) {
    const Inputs inputs = makeInputs(shape);
    buffers_ = makeBuffers(on_, shape, inputs);
    if (setup.options.isChecked) check_.emplace(on_, buffers_.output, expectedOutput(shape, inputs));
  }

  std::vector<TunedWork> tune(const hone::Options& options, const std::vector<Restriction>& restrictions) override {
    const auto kernel = std::make_shared<opencl::TunedKernel>(runtime_, kernelSource(), "conv2d", options);
    declare(*kernel, shape_.halfSize());
    restrictCandidates(restrictions, *kernel);
    kernel->build();

    TunedWork work;
    work.problem = {static_cast<std::int64_t>(shape_.width), static_cast<std::int64_t>(shape_.height),
                    static_cast<std::int64_t>(shape_.filterSize)};
    work.launch = [this, kernel] { return conv2d::launch(*kernel, on_.queue, shape_, buffers_); };
    work.report = [this, kernel] { return kernel->report({shape_.width, shape_.height}); };
    work.settle = settling(kernel, runtime_);
    if (check_) {
      work.prepare = [this] { check_->clear(); };
      work.check = [this](std::uint64_t launch) { check_->verify(launch); };
    }
    work.complete = [this](Summary& summary) {
      summary.flopPerLaunch = shape_.flop();
      summary.bytesPerLaunch = shape_.bytes();
    };
    return {work};
  }

 private:
  const OpenedDevice& on_;
  opencl::Runtime& runtime_;
  Shape shape_;
  Buffers buffers_;
  std::optional<LaunchCheck> check_;
};

void validate(const RunOptions& options) { shapeOf(options.problem); }

std::unique_ptr<Workload> open(const Setup& setup) {
  const Shape shape = shapeOf(setup.options.problem);
  requireMemory(setup.on.device, shape, setup.options.isChecked);
  return std::make_unique<Filtering>(setup, shape);
}

}  // namespace

Application application() { return {kProgram, open, validate}; }

}  // namespace hone::apps::conv2d
