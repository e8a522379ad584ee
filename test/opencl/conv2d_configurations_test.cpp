// conv2d.cl in configurations drawn from its whole space, each on images that its tiles divide and on images that they
// do not, against the host's result. The seed and the configuration are printed where one is wrong.
//
//   hone_conv2d_configurations_test [--count N] [--seed N] [--device NAME] [--pixels N]
//
// An emulator is slow: --pixels leaves out images of more than N pixels, but for the first.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "conv2d/convolution.h"
#include "device.h"
#include "hone/search_space.h"

namespace hone::apps::conv2d {
namespace {

struct Settings {
  std::uint64_t count = 12;
  std::uint64_t seed = 3;  // whose first 12 have padded rows that are copied in vectors
  std::string device = "Portable";
  std::uint64_t pixels = ~std::uint64_t{0};
};

Settings settings;  // set by main()

constexpr std::array<std::size_t, 5> kFilterSizes{7, 3, 11, 5, 9};
constexpr std::size_t kLocalStrategies = 3;
constexpr std::size_t kPositionOfLocal = 2;

// The limits of common GPUs, on every device, so that a seed always means the same configurations.
constexpr int kMaxWorkGroup = 1024, kLocalBytes = 48 * 1024;

// No tile divides these: the smallest has 8 pixels.
constexpr std::size_t kWidth = 67, kHeight = 45;

struct Draw {
  std::size_t filterSize;
  std::vector<std::int64_t> values;

  Configuration configuration() const {
    return {values.at(0), values.at(1), values.at(2), values.at(3),
            values.at(4), values.at(5), values.at(6), values.at(7)};
  }
  std::size_t tileX() const { return static_cast<std::size_t>(values.at(0) * values.at(3)); }
  std::size_t tileY() const { return static_cast<std::size_t>(values.at(1) * values.at(4)); }
};

std::string describe(const Draw& draw) {
  constexpr const char* names[] = {"TBX", "TBY", "LOCAL", "WPTX", "WPTY", "VECTOR", "UNROLL_FACTOR", "PADDING"};
  std::string text = "filter " + std::to_string(draw.filterSize) + ',';
  for (std::size_t i = 0; i < draw.values.size(); ++i)
    text += std::string(" ") + names[i] + '=' + std::to_string(draw.values[i]);
  return text;
}

// The n-th draw: LOCAL goes round, then the filter's size; uniform over the configurations that have them.
Draw drawNth(std::uint64_t n, std::mt19937_64& engine) {
  const std::size_t filterSize = kFilterSizes[n / kLocalStrategies % kFilterSizes.size()];
  SpaceDeclarations declarations("conv2d");
  const Space space = declareSpace(declarations, static_cast<std::int64_t>(filterSize / 2));
  declarations.require(space.threadsX * space.threadsY <= kMaxWorkGroup);
  declarations.require(space.localBytes <= kLocalBytes);
  const SearchSpace all(declarations);
  for (;;) {
    std::vector<std::int64_t> values = all.configuration(engine() % all.size());
    if (values[kPositionOfLocal] == static_cast<std::int64_t>(n % kLocalStrategies)) return {filterSize, values};
  }
}

void expectRightResult(const OpenedDevice& on, opencl::TunedKernel& kernel, const Shape& shape) {
  SCOPED_TRACE(std::to_string(shape.width) + " x " + std::to_string(shape.height));
  const Inputs inputs = makeInputs(shape);
  const Buffers buffers = makeBuffers(on, shape, inputs);
  LaunchCheck check(on, buffers.output, expectedOutput(shape, inputs));
  check.clear();
  launch(kernel, on.queue, shape, buffers).wait();
  check.verify(1);
}

TEST(Conv2d, EveryConfigurationIsRight) {
  std::cout << "seed " << settings.seed << '\n';
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  Options options;
  options.mode = Mode::off;
  std::mt19937_64 engine(settings.seed);
  std::uint64_t images = 0;
  for (std::uint64_t n = 0; n < settings.count; ++n) {
    const Draw draw = drawNth(n, engine);
    SCOPED_TRACE("seed " + std::to_string(settings.seed) + ", configuration " + std::to_string(n) + ": " +
                 describe(draw));
    try {
      opencl::TunedKernel kernel(runtime, kernelSource(), "conv2d", options);
      declare(kernel, draw.filterSize / 2, draw.configuration());
      expectRightResult(on, kernel, {kWidth, kHeight, draw.filterSize});
      ++images;
      for (const Shape& shape :
           {Shape{2 * draw.tileX(), draw.tileY(), draw.filterSize}, Shape{draw.tileX(), kHeight, draw.filterSize},
            Shape{kWidth, draw.tileY(), draw.filterSize}}) {
        if (shape.width * shape.height > settings.pixels) continue;
        expectRightResult(on, kernel, shape);
        ++images;
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  std::cout << settings.count << " configurations on " << images << " images\n";
}

void readSettings(int argc, char** argv) {
  const std::map<std::string, std::uint64_t*> numbers{
      {"--count", &settings.count}, {"--seed", &settings.seed}, {"--pixels", &settings.pixels}};
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) throw std::invalid_argument(option + " needs a value");
    if (option == "--device") {
      settings.device = argv[i + 1];
    } else if (const auto number = numbers.find(option); number != numbers.end()) {
      *number->second = std::stoull(argv[i + 1]);
    } else {
      throw std::invalid_argument("unknown option " + option);
    }
  }
}

}  // namespace
}  // namespace hone::apps::conv2d

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  hone::apps::conv2d::readSettings(argc, argv);
  return RUN_ALL_TESTS();
}
