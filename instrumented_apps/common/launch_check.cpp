#include "launch_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "buffers.h"
#include "errors.h"

namespace hone::apps {

template <class Number>
LaunchCheckOf<Number>::LaunchCheckOf(const OpenedDevice& on, const cl::Buffer& buffer, ExpectedNumbers<Number> expected)
    : queue_(on.queue), buffer_(buffer), expected_(std::move(expected)), actual_(expected_.numbers.size() + kGuard) {}

template <class Number>
void LaunchCheckOf<Number>::clear() const {
  constexpr Number unwritten = std::numeric_limits<Number>::quiet_NaN();
  queue_.enqueueFillBuffer(buffer_, unwritten, 0, actual_.size() * sizeof(Number));
}

template <class Number>
void LaunchCheckOf<Number>::verify(std::uint64_t launch) {
  queue_.enqueueReadBuffer(buffer_, CL_TRUE, 0, actual_.size() * sizeof(Number), actual_.data());
  const std::span<const Number> output(actual_.data(), expected_.numbers.size());
  const std::span<const Number> expected(expected_.numbers);
  const std::string where = "check failed at launch " + std::to_string(launch) + ": ";
  const Comparison comparison = compare(output, expected, expected_.tolerance);
  if (comparison.wrong > 0) {
    const std::size_t first = comparison.worst % expected_.length, second = comparison.worst / expected_.length;
    throw CheckFailure(where + describe(comparison, expected_.name, output, expected) + " (" + expected_.axes[0] + ' ' +
                       std::to_string(first) + ", " + expected_.axes[1] + ' ' + std::to_string(second) + ")");
  }
  const auto guard = actual_.begin() + static_cast<std::ptrdiff_t>(output.size());
  if (!std::all_of(guard, actual_.end(), [](Number f) { return std::isnan(f); }))
    throw CheckFailure(where + "something was written behind the end of " + expected_.name);
}

template class LaunchCheckOf<float>;
template class LaunchCheckOf<double>;

}  // namespace hone::apps
