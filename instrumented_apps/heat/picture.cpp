#include "heat/picture.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hone::apps::heat {

namespace {

// At equal distances from 0 to 1. They grow brighter evenly to the eye: CIE's L* is 0, 14, 28, 42, 56, 70, 84 and 97.
constexpr std::array<Colour, 8> kColours{{{0, 0, 0},
                                          {46, 20, 84},
                                          {112, 30, 112},
                                          {178, 48, 92},
                                          {226, 88, 58},
                                          {247, 146, 42},
                                          {252, 204, 92},
                                          {255, 248, 208}}};

std::size_t pixelsFor(double part, double longest) {
  return static_cast<std::size_t>(std::max(1.0, std::round(part * std::min(longest, double{kLongestSide}))));
}

}  // namespace

Colour colourOf(float temperature) {
  const float shown = std::isnan(temperature) ? 0 : std::clamp(temperature, 0.0f, 1.0f);
  const float place = shown * static_cast<float>(kColours.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kColours.size() - 2);
  const float part = place - static_cast<float>(below);
  Colour colour{};
  for (std::size_t channel = 0; channel < colour.size(); ++channel) {
    const float from = kColours[below][channel], to = kColours[below + 1][channel];
    colour[channel] = static_cast<std::uint8_t>(std::lround(from + part * (to - from)));
  }
  return colour;
}

PictureSize pictureSizeOf(const Grid& finest) {
  const auto x = static_cast<double>(finest.cells[0]), y = static_cast<double>(finest.cells[1]);
  const double longest = std::max(x, y);
  return {pixelsFor(x / longest, longest), pixelsFor(y / longest, longest)};
}

ColourImage picture(const Field& plane, std::size_t width, std::size_t height, const PictureSize& size) {
  const auto nearest = [](std::size_t pixel, std::size_t pixels, std::size_t places) {
    return (2 * pixel + 1) * places / (2 * pixels);
  };
  ColourImage image{size.width, size.height, {}};
  image.pixels.reserve(size.width * size.height);
  for (std::size_t py = 0; py < size.height; ++py) {
    const std::size_t row = nearest(py, size.height, height) * width;
    for (std::size_t px = 0; px < size.width; ++px)
      image.pixels.push_back(colourOf(plane[row + nearest(px, size.width, width)]));
  }
  return image;
}

}  // namespace hone::apps::heat
