#include "conv2d/filters.h"

#include <cmath>

namespace hone::apps::conv2d {

std::vector<std::string> pictureFilters() { return {"gaussian", "sharpen"}; }

std::vector<float> pictureFilter(const std::string& name, std::size_t size) {
  const double deviation = static_cast<double>(size) / 6, centre = static_cast<double>(size / 2);
  const auto bell = [&](std::size_t i) {
    return std::exp(-std::pow((static_cast<double>(i) - centre) / deviation, 2) / 2);
  };
  double sum = 0;
  for (std::size_t i = 0; i < size * size; ++i) sum += bell(i / size) * bell(i % size);
  std::vector<float> filter;
  for (std::size_t i = 0; i < size * size; ++i) {
    const double blurred = bell(i / size) * bell(i % size) / sum, picture = i == size * size / 2 ? 1 : 0;
    filter.push_back(static_cast<float>(name == "sharpen" ? 2 * picture - blurred : blurred));
  }
  return filter;
}

}  // namespace hone::apps::conv2d
