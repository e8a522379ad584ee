#include "conv2d/convolution.h"

#include <algorithm>

#include "conv2d_source.h"
#include "parallel.h"
#include "random_data.h"

namespace hone::apps::conv2d {

namespace {

// How far a thread with an output in the image reaches over its edge: the largest WPTX, WPTY - 1.
constexpr std::size_t kReach = 7;

// Rows start at cache lines, and at a multiple of any vector.
constexpr std::size_t kPitchUnit = 32;

double asDouble(std::size_t a, std::size_t b) { return static_cast<double>(a) * static_cast<double>(b); }

std::vector<float> withBorder(const Shape& shape, const std::vector<float>& image) {
  std::vector<float> padded(shape.pitch() * shape.rows());
  for (std::size_t y = 0; y < shape.height; ++y) {
    std::copy_n(&image[y * shape.width], shape.width,
                &padded[(y + shape.halfSize()) * shape.pitch() + shape.halfSize()]);
  }
  return padded;
}

// Rows first .. last of the output.
void filterRows(const Shape& shape, const Inputs& inputs, std::size_t first, std::size_t last, float* output) {
  const std::size_t half = shape.halfSize();
  std::vector<double> sums(shape.width);
  for (std::size_t y = first; y < last; ++y) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t fy = 0; fy < shape.filterSize; ++fy) {
      if (y + fy < half || y + fy - half >= shape.height) continue;
      const float* row = &inputs.image[(y + fy - half) * shape.width];
      for (std::size_t fx = 0; fx < shape.filterSize; ++fx) {
        const double factor = inputs.filter[fy * shape.filterSize + fx];
        const std::size_t begin = half > fx ? half - fx : 0;
        const std::size_t end = std::min(shape.width, shape.width + half - std::min(fx, shape.width + half));
        for (std::size_t x = begin; x < end; ++x) sums[x] += factor * row[x + fx - half];
      }
    }
    for (std::size_t x = 0; x < shape.width; ++x) output[y * shape.width + x] = static_cast<float>(sums[x]);
  }
}

}  // namespace

std::size_t Shape::pitch() const {
  return (width + 2 * halfSize() + kReach + kPitchUnit - 1) / kPitchUnit * kPitchUnit;
}

std::size_t Shape::rows() const { return height + 2 * halfSize() + kReach; }

double Shape::flop() const { return (1 + 2 * asDouble(filterSize, filterSize)) * asDouble(width, height); }

double Shape::bytes() const { return 2 * sizeof(float) * asDouble(width, height); }

Inputs makeInputs(const Shape& shape) {
  return {randomFloats(shape.width * shape.height, 1), randomFloats(shape.filterSize * shape.filterSize, 2)};
}

void requireMemory(const cl::Device& device, const Shape& shape, bool isChecked) {
  const double image = 4 * asDouble(shape.width, shape.height), padded = 4 * asDouble(shape.pitch(), shape.rows());
  const double output = image + 4.0 * kGuard;
  // While the buffers are filled, the host holds the image with and without its border.
  apps::requireMemory(device, {padded, output}, image + std::max(padded, isChecked ? 2 * output : 0));
}

const char* kernelSource() { return kConv2dSource; }

void declare(opencl::TunedKernel& kernel, std::size_t halfSize, const Configuration& defaults) {
  const auto [X, Y] = kernel.problem("X", "Y");
  declareFor(kernel, X, Y, halfSize, defaults);
}

void declareFor(opencl::TunedKernel& kernel, const Expression& X, const Expression& Y, std::size_t halfSize,
                const Configuration& defaults) {
  const Space space = declareSpace(kernel, static_cast<std::int64_t>(halfSize), defaults);
  kernel.define("HFS", halfSize);
  kernel.define("TBX_XL", space.threadsX).define("TBY_XL", space.threadsY);
  kernel.define("EDGE", X % space.outputsX != 0 || Y % space.outputsY != 0);
  kernel.localMemory(space.localBytes);
  kernel.global(ceilDiv(X, space.outputsX) * space.threadsX, ceilDiv(Y, space.outputsY) * space.threadsY);
  kernel.local(space.threadsX, space.threadsY);
}

Buffers makeBuffers(const OpenedDevice& on, const Shape& shape, const Inputs& inputs) {
  return {upload(on, withBorder(shape, inputs.image)), upload(on, inputs.filter),
          makeOutput(on, shape.width * shape.height)};
}

cl::Event launch(opencl::TunedKernel& kernel, const cl::CommandQueue& queue, const Shape& shape,
                 const Buffers& buffers) {
  const auto width = static_cast<cl_int>(shape.width), height = static_cast<cl_int>(shape.height);
  return kernel(queue, {width, height}, width, height, static_cast<cl_int>(shape.pitch()), buffers.image,
                buffers.filter, buffers.output);
}

ExpectedOutput expectedOutput(const Shape& shape, const Inputs& inputs) {
  std::vector<float> output(shape.width * shape.height);
  inParallel(shape.height,
             [&](std::size_t first, std::size_t last) { filterRows(shape, inputs, first, last, output.data()); });
  return {"out", std::move(output), toleranceOfSums(shape.filterSize * shape.filterSize), {"x", "y"}, shape.width};
}

}  // namespace hone::apps::conv2d
