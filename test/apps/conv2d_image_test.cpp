// conv2d --image on PoCL: pictures whose filtered ones are known by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "buffers.h"
#include "conv2d/application.h"
#include "conv2d/filters.h"
#include "device.h"
#include "errors.h"
#include "image.h"
#include "run_application.h"

namespace hone::apps {
namespace {

class Conv2dImage : public testing::Test {
 protected:
  Conv2dImage() { std::filesystem::remove_all(folder_), std::filesystem::create_directories(folder_); }
  ~Conv2dImage() override { std::filesystem::remove_all(folder_); }

  /// The picture that the program makes of this one.
  GreyImage filtered(const GreyImage& picture, std::vector<std::string> options) {
    const std::string in = folder_ / "in.png", out = folder_ / "out.png";
    writePng(in, picture);
    for (const char* option : {"--image", in.c_str(), "--out", out.c_str(), "--device", "Portable", "--launches", "2",
                               "--tuning", "off", "--check"})
      options.push_back(option);
    std::vector<char*> arguments{const_cast<char*>("conv2d")};
    for (std::string& option : options) arguments.push_back(option.data());
    testing::internal::CaptureStdout();
    const int code = runApplication(conv2d::application(), static_cast<int>(arguments.size()), arguments.data());
    const std::string table = testing::internal::GetCapturedStdout();
    EXPECT_EQ(code, 0);
    const std::string size = std::to_string(picture.width) + "x" + std::to_string(picture.height) + "x";
    EXPECT_EQ(table.find("conv2d " + size), 0u) << table;
    return readPng(out);
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

GreyImage plain(std::size_t width, std::size_t height, float grey) {
  return {width, height, std::vector<float>(width * height, grey)};
}

TEST_F(Conv2dImage, AWhitePixelBecomesTheFilter) {
  GreyImage picture = plain(13, 9, 0);
  picture.pixels[4 * 13 + 6] = 1;
  const GreyImage result = filtered(picture, {"--filter", "gaussian", "--filter-size", "3"});
  ASSERT_EQ(result.width, 13u);
  ASSERT_EQ(result.height, 9u);
  const std::vector<float> filter = conv2d::pictureFilter("gaussian", 3);
  for (std::size_t y = 0; y < 9; ++y) {
    for (std::size_t x = 0; x < 13; ++x) {
      const bool isInside = y >= 3 && y <= 5 && x >= 5 && x <= 7;
      const float expected = isInside ? filter[(y - 3) * 3 + x - 5] : 0;
      EXPECT_NEAR(result.pixels[y * 13 + x], expected, 0.5 / 255 + 1e-6) << x << ", " << y;
    }
  }
}

TEST_F(Conv2dImage, APlainPictureStaysAsItIsUpToItsEdge) {
  const float grey = 102.0f / 255;
  for (const char* filter : {"gaussian", "sharpen"}) {
    const GreyImage result = filtered(plain(31, 17, grey), {"--filter", filter, "--filter-size", "11"});
    EXPECT_EQ(result.pixels, plain(31, 17, grey).pixels) << filter;
  }
}

TEST_F(Conv2dImage, SharpenRaisesTheBrightSideOfAnEdge) {
  GreyImage picture = plain(40, 5, 0.2f);
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) picture.pixels[i] = i % 40 < 20 ? 51.0f / 255 : 153.0f / 255;
  const GreyImage result = filtered(picture, {"--filter", "sharpen"});  // of the default size, 7
  const auto at = [&](std::size_t x) { return result.pixels[2 * 40 + x]; };
  EXPECT_LT(at(19), 51.0f / 255);
  EXPECT_GT(at(20), 153.0f / 255);
  EXPECT_FLOAT_EQ(at(5), 51.0f / 255);
  EXPECT_FLOAT_EQ(at(30), 153.0f / 255);
}

TEST(PictureFilter, CoefficientsAddUpToOneAndAreSymmetric) {
  for (const std::string& name : conv2d::pictureFilters()) {
    for (std::size_t size : {3, 5, 7, 9, 11}) {
      const std::vector<float> filter = conv2d::pictureFilter(name, size);
      ASSERT_EQ(filter.size(), size * size);
      double sum = 0;
      for (float coefficient : filter) sum += coefficient;
      EXPECT_NEAR(sum, 1, 1e-6) << name << ' ' << size;
      for (std::size_t i = 0; i < filter.size(); ++i) {
        EXPECT_EQ(filter[i], filter[filter.size() - 1 - i]);
        EXPECT_EQ(filter[i], filter[i % size * size + i / size]);
      }
    }
  }
  // A deviation of 1/2: exp(-2) beside the centre's 1, exp(-4) in the corners.
  const double centre = 1 / (1 + 4 * std::exp(-2.0) + 4 * std::exp(-4.0));
  EXPECT_FLOAT_EQ(conv2d::pictureFilter("gaussian", 3)[4], static_cast<float>(centre));
  EXPECT_FLOAT_EQ(conv2d::pictureFilter("gaussian", 3)[1], static_cast<float>(std::exp(-2.0) * centre));
  EXPECT_FLOAT_EQ(conv2d::pictureFilter("sharpen", 3)[4], static_cast<float>(2 - centre));
}

TEST(Buffers, WhereThereIsNoRoomItIsSaidHowMuchIsNeeded) {
  const OpenedDevice on = openDevice("Portable");
  try {
    makeOutput(on, (std::size_t{1} << 40) - kGuard, 8);
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("out of device memory: there is no room for a buffer of 8388608 MiB; the device has "), 0u)
        << text;
  }
}

}  // namespace
}  // namespace hone::apps
