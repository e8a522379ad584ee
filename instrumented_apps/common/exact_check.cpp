#include "exact_check.h"

#include <algorithm>
#include <utility>

#include "buffers.h"
#include "errors.h"

namespace hone::apps {

namespace {

// Unlikely as a result; where an element is to have just this value, it passes unwritten.
constexpr std::uint32_t kUnwritten = 0xdeadbeef;

}  // namespace

ExactCheck::ExactCheck(const OpenedDevice& on, const cl::Buffer& buffer, ExpectedIntegers expected)
    : queue_(on.queue), buffer_(buffer), expected_(std::move(expected)), actual_(expected_.numbers.size() + kGuard) {}

void ExactCheck::clear() const {
  queue_.enqueueFillBuffer(buffer_, kUnwritten, 0, actual_.size() * sizeof(std::uint32_t));
}

void ExactCheck::verify(std::uint64_t launch) {
  queue_.enqueueReadBuffer(buffer_, CL_TRUE, 0, actual_.size() * sizeof(std::uint32_t), actual_.data());
  const std::string where = "check failed at launch " + std::to_string(launch) + ": ";
  const std::vector<std::uint32_t>& expected = expected_.numbers;
  const auto [right, wrong] = std::mismatch(expected.begin(), expected.end(), actual_.begin());
  if (right != expected.end()) {
    throw CheckFailure(where + expected_.name + "[" + std::to_string(right - expected.begin()) + "] is " +
                       std::to_string(*wrong) + " instead of " + std::to_string(*right));
  }
  const auto guard = actual_.begin() + static_cast<std::ptrdiff_t>(expected.size());
  if (!std::all_of(guard, actual_.end(), [](std::uint32_t element) { return element == kUnwritten; }))
    throw CheckFailure(where + "something was written behind the end of " + expected_.name);
}

}  // namespace hone::apps
