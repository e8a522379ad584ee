// Temperatures as people see them: a colour for each, and a picture of a plane of them.
#pragma once

#include <cstddef>

#include "heat/field.h"
#include "image.h"

namespace hone::apps::heat {

/// From black over violet, red and orange to a light yellow; what is hotter is brighter, as to an eye without colours.
/// Below 0 (and NaN) it is that of 0, above 1 that of 1.
Colour colourOf(float temperature);

/// At most this many pixels along a side.
inline constexpr std::size_t kLongestSide = 1024;

/// Pixels as the simulation's finest grid has cells, but no more than kLongestSide: so all grids of a simulation have
/// pictures of one size.
struct PictureSize {
  std::size_t width, height;
};
PictureSize pictureSizeOf(const Grid& finest);

/// A plane of temperatures of width * height places, rim included, row by row; each pixel has the temperature of the
/// nearest place.
ColourImage picture(const Field& plane, std::size_t width, std::size_t height, const PictureSize& size);

}  // namespace hone::apps::heat
