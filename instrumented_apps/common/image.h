// Pictures in files: PNG through libpng.
//
//   GreyImage image = readPng("in.png");        // of whatever kind the file is
//   writePng("out.png", image);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hone::apps {

/// Row by row from the top. 0 is black, 1 is white, and in between numbers are as files and screens have them (sRGB).
struct GreyImage {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<float> pixels;
};

/// Red, green and blue as screens take them (sRGB).
using Colour = std::array<std::uint8_t, 3>;

/// Row by row from the top.
struct ColourImage {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<Colour> pixels;
};

/// Grey, colour or palette, of 1 to 16 bits, of which 8 are kept; colours become the grey that is as bright, what is
/// transparent lies on black. Throws InputError if the file cannot be read, is no PNG image or a damaged one.
GreyImage readPng(const std::string& path);

/// Of 8 bits; numbers below 0 (and NaN) are black, above 1 white. Throws InputError if the file cannot be written.
/// REQUIRES of both: width * height pixels, at least one
void writePng(const std::string& path, const GreyImage& image);
void writePng(const std::string& path, const ColourImage& image);

}  // namespace hone::apps
