#include "support/recorded_noise.h"

#include <algorithm>

namespace hone::test {

namespace {

/// REQUIRES: there are some
double medianOf(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  if (numbers.size() % 2 == 1) return *middle;
  return (*std::max_element(numbers.begin(), middle) + *middle) / 2;
}

}  // namespace

std::vector<double> relativeSamples(const RecordedRow& row) {
  if (row.samplesNs.empty()) return {};
  std::vector<double> samples = row.samplesNs;
  const double median = medianOf(samples);
  for (double& sample : samples) sample /= median;
  return samples;
}

std::vector<std::vector<double>> relativeSamples(const RecordedSpace& space) {
  std::vector<std::vector<double>> all;
  for (const RecordedRow& row : space.rows()) {
    if (!row.samplesNs.empty()) all.push_back(relativeSamples(row));
  }
  return all;
}

}  // namespace hone::test
