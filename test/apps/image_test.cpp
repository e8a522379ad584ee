// PNG files of every kind, put together here byte by byte, and what becomes of images that are written.
#include "image.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "errors.h"

namespace hone::apps {
namespace {

enum ColourType {
  kGrey = 0,
  kRgb = 2,
  kPalette = 3,
  kGreyAlpha = 4
};

std::string bigEndian(std::size_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xff);
  return bytes;
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return bigEndian(data.size()) + body + bigEndian(checksum);
}

std::string bytesOf(const std::vector<int>& numbers) { return {numbers.begin(), numbers.end()}; }

// As the PNG specification (ISO/IEC 15948) has it; each of the rows begins with its filter, 0: none.
std::string png(int width, int height, int depth, ColourType type, const std::vector<int>& rows,
                const std::string& palette = "") {
  const std::string raw = bytesOf(rows);
  std::string compressed(compressBound(static_cast<uLong>(raw.size())), '\0');
  auto size = static_cast<uLongf>(compressed.size());
  compress(reinterpret_cast<Bytef*>(compressed.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
           static_cast<uLong>(raw.size()));
  compressed.resize(size);
  return "\x89PNG\r\n\x1a\n" +
         chunk("IHDR", bigEndian(static_cast<std::size_t>(width)) + bigEndian(static_cast<std::size_t>(height)) +
                           bytesOf({depth, type, 0, 0, 0})) +
         palette + chunk("IDAT", compressed) + chunk("IEND", "");
}

// The number that a file holds for an amount of light (IEC 61966-2-1).
double stored(double light) { return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055; }

class Png : public testing::Test {
 protected:
  Png() : path_(std::filesystem::path(testing::TempDir()) / ("hone_" + testName() + ".png")) {}
  ~Png() override { std::filesystem::remove(path_); }

  static std::string testName() { return testing::UnitTest::GetInstance()->current_test_info()->name(); }
  std::string path() const { return path_.string(); }

  void save(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  GreyImage read(const std::string& bytes) const {
    save(bytes);
    return readPng(path());
  }
  std::string complaint() const {
    try {
      readPng(path());
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  void expectPixels(const GreyImage& image, const std::vector<double>& expected, double tolerance = 1e-6) const {
    ASSERT_EQ(image.pixels.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(image.pixels[i], expected[i], tolerance) << i;
  }

 private:
  std::filesystem::path path_;
};

TEST_F(Png, GreyOfEightBits) {
  const GreyImage image = read(png(3, 1, 8, kGrey, {0, 0, 128, 255}));
  EXPECT_EQ(image.width, 3u);
  EXPECT_EQ(image.height, 1u);
  expectPixels(image, {0, 128 / 255.0, 1});
}

TEST_F(Png, GreyOfOneBitRowByRow) {
  const GreyImage image = read(png(3, 2, 1, kGrey, {0, 0b10100000, 0, 0b01000000}));
  EXPECT_EQ(image.width, 3u);
  EXPECT_EQ(image.height, 2u);
  expectPixels(image, {1, 0, 1, 0, 1, 0});
}

TEST_F(Png, SixteenBitsAreRoundedToEight) {
  // 0x80bf / 0x101 is 128.2
  expectPixels(read(png(3, 1, 16, kGrey, {0, 0, 0, 0x80, 0xbf, 0xff, 0xff})), {0, 128 / 255.0, 1});
}

// sRGB's luminance: 0.2126 of the red light, 0.7152 of the green, 0.0722 of the blue. libpng's own roundings come to
// two steps of 8 bits.
constexpr double kOfColours = 2.5 / 255;

TEST_F(Png, ColoursAreSeenAsBrightAsTheyAre) {
  expectPixels(read(png(3, 1, 8, kRgb, {0, 255, 0, 0, 0, 255, 0, 0, 0, 255})),
               {stored(0.2126), stored(0.7152), stored(0.0722)}, kOfColours);
}

TEST_F(Png, Palette) {
  const std::string palette = chunk("PLTE", bytesOf({0, 255, 0, 188, 188, 188}));
  expectPixels(read(png(2, 1, 8, kPalette, {0, 1, 0}, palette)), {188 / 255.0, stored(0.7152)}, kOfColours);
}

TEST_F(Png, WhatIsTransparentLiesOnBlack) {
  expectPixels(read(png(2, 1, 8, kGreyAlpha, {0, 255, 255, 255, 0})), {1, 0});
}

TEST_F(Png, GreyIsWrittenInEightBits) {
  GreyImage image{2, 3, {}};
  for (const float step : {0.0f, 1.0f, 77.4f, 127.6f, 254.0f, 255.0f}) image.pixels.push_back(step / 255);
  writePng(path(), image);
  const GreyImage back = readPng(path());
  EXPECT_EQ(back.width, 2u);
  EXPECT_EQ(back.height, 3u);
  expectPixels(back, {0, 1 / 255.0, 77 / 255.0, 128 / 255.0, 254 / 255.0, 1});
}

TEST_F(Png, NumbersBeyondBlackAndWhiteAreThose) {
  writePng(path(), GreyImage{4, 1, {-0.5f, 1.5f, std::nanf(""), INFINITY}});
  expectPixels(readPng(path()), {0, 1, 0, 1});
}

TEST_F(Png, ColoursAreWrittenAsTheyAre) {
  writePng(path(), ColourImage{1, 2, {Colour{0, 0, 255}, Colour{255, 255, 0}}});
  expectPixels(readPng(path()), {stored(0.0722), stored(0.2126 + 0.7152)}, kOfColours);
  std::ifstream file(path(), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(bytes.substr(16, 10), bigEndian(1) + bigEndian(2) + bytesOf({8, kRgb}));
}

TEST_F(Png, WhatIsNoImageIsSaidToBeNone) {
  EXPECT_EQ(complaint(), "cannot read '" + path() + "': No such file or directory");
  save("");
  EXPECT_EQ(complaint(), "'" + path() + "' is no PNG image");
  save("a text that is longer than a signature");
  EXPECT_EQ(complaint(), "'" + path() + "' is no PNG image");
}

TEST_F(Png, EveryDamageIsFound) {
  const std::string whole = png(3, 1, 8, kGrey, {0, 0, 128, 255});
  const std::size_t end = whole.size() - chunk("IEND", "").size();
  for (std::size_t size = 8; size < end; ++size) {  // the image is complete without its last chunk
    save(whole.substr(0, size));
    EXPECT_EQ(complaint().find("'" + path() + "' is a damaged PNG image: "), 0u) << size << ' ' << complaint();
  }
  std::string flipped = whole;
  flipped[end - 6] ^= 1;  // in the data: neither their checksum nor the chunk's is right
  save(flipped);
  EXPECT_EQ(complaint().find("'" + path() + "' is a damaged PNG image: "), 0u) << complaint();
}

TEST_F(Png, WhereNothingCanBeWrittenSaysSo) {
  try {
    writePng("/nowhere/x.png", GreyImage{1, 1, {0}});
    FAIL() << "it was written";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "cannot write '/nowhere/x.png': No such file or directory");
  }
}

}  // namespace
}  // namespace hone::apps
