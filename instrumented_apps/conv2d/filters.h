// Filters for pictures, by name.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hone::apps::conv2d {

/// The names that pictureFilter takes.
std::vector<std::string> pictureFilters();

/// Rows of `size` coefficients whose sum is 1:
/// - "gaussian" blurs: a bell with a standard deviation of size / 6, so that what is cut off is negligible;
/// - "sharpen" adds what gaussian takes away: twice the picture less the blurred one.
/// REQUIRES: an odd size, and one of the names
std::vector<float> pictureFilter(const std::string& name, std::size_t size);

}  // namespace hone::apps::conv2d
