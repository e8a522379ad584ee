#include "launch_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "buffers.h"
#include "errors.h"

namespace hone::apps {

namespace {

constexpr float kUnwritten = std::numeric_limits<float>::quiet_NaN();

}  // namespace

LaunchCheck::LaunchCheck(const OpenedDevice& on, const cl::Buffer& buffer, ExpectedOutput expected)
    : queue_(on.queue), buffer_(buffer), expected_(std::move(expected)), actual_(expected_.numbers.size() + kGuard) {}

void LaunchCheck::clear() const { queue_.enqueueFillBuffer(buffer_, kUnwritten, 0, actual_.size() * sizeof(float)); }

void LaunchCheck::verify(std::uint64_t launch) {
  queue_.enqueueReadBuffer(buffer_, CL_TRUE, 0, actual_.size() * sizeof(float), actual_.data());
  const std::span<const float> output(actual_.data(), expected_.numbers.size());
  const std::string where = "check failed at launch " + std::to_string(launch) + ": ";
  const Comparison comparison = compare(output, expected_.numbers, expected_.tolerance);
  if (comparison.wrong > 0) {
    const std::size_t first = comparison.worst % expected_.length, second = comparison.worst / expected_.length;
    throw CheckFailure(where + describe(comparison, expected_.name, output, expected_.numbers) + " (" +
                       expected_.axes[0] + ' ' + std::to_string(first) + ", " + expected_.axes[1] + ' ' +
                       std::to_string(second) + ")");
  }
  const auto guard = actual_.begin() + static_cast<std::ptrdiff_t>(output.size());
  if (!std::all_of(guard, actual_.end(), [](float f) { return std::isnan(f); }))
    throw CheckFailure(where + "something was written behind the end of " + expected_.name);
}

}  // namespace hone::apps
