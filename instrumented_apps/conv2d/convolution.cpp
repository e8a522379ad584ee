#include "conv2d/convolution.h"

#include <algorithm>
#include <optional>

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

// Where pixel `x` of a row of `width`, counted from -1 downwards before it, is taken from; empty: it counts as 0.
std::optional<std::size_t> source(std::ptrdiff_t x, std::size_t width, Border border) {
  const auto last = static_cast<std::ptrdiff_t>(width) - 1;
  if (border == Border::zeros && (x < 0 || x > last)) return std::nullopt;
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(x, 0, last));
}

std::vector<float> withBorder(const Shape& shape, const Inputs& inputs) {
  const auto half = static_cast<std::ptrdiff_t>(shape.halfSize());
  std::vector<float> padded(shape.pitch() * shape.rows());
  for (std::size_t y = 0; y < shape.height + 2 * shape.halfSize(); ++y) {
    const auto from = source(static_cast<std::ptrdiff_t>(y) - half, shape.height, inputs.border);
    if (!from) continue;
    const float* row = &inputs.image[*from * shape.width];
    float* to = &padded[y * shape.pitch()];
    std::copy_n(row, shape.width, to + half);
    if (inputs.border == Border::zeros) continue;
    std::fill_n(to, half, row[0]);
    std::fill_n(to + half + shape.width, half, row[shape.width - 1]);
  }
  return padded;
}

// Rows first .. last of the output.
void filterRows(const Shape& shape, const Inputs& inputs, std::size_t first, std::size_t last, float* output) {
  const auto half = static_cast<std::ptrdiff_t>(shape.halfSize());
  const auto at = [half](std::size_t i, std::size_t f) { return static_cast<std::ptrdiff_t>(i + f) - half; };
  std::vector<double> sums(shape.width);
  for (std::size_t y = first; y < last; ++y) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t fy = 0; fy < shape.filterSize; ++fy) {
      const auto rowNumber = source(at(y, fy), shape.height, inputs.border);
      if (!rowNumber) continue;
      const float* row = &inputs.image[*rowNumber * shape.width];
      for (std::size_t fx = 0; fx < shape.filterSize; ++fx) {
        const double factor = inputs.filter[fy * shape.filterSize + fx];
        for (std::size_t x = 0; x < shape.width; ++x) {
          const auto column = source(at(x, fx), shape.width, inputs.border);
          if (column) sums[x] += factor * row[*column];
        }
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

void requireMemory(const cl::Device& device, const std::vector<Shape>& shapes, bool isChecked) {
  std::vector<double> buffers;
  double hostBytes = 0, largestPadded = 0;
  for (const Shape& shape : shapes) {
    const double image = 4 * asDouble(shape.width, shape.height), padded = 4 * asDouble(shape.pitch(), shape.rows());
    const double output = image + 4.0 * kGuard;
    buffers.insert(buffers.end(), {padded, output});
    hostBytes += isChecked ? 2 * output : 0;
    // While its buffers are filled, the host holds an image with and without its border.
    largestPadded = std::max(largestPadded, image + padded);
  }
  apps::requireMemory(device, buffers, std::max(hostBytes, largestPadded));
}

const char* kernelSource() { return kConv2dSource; }

namespace {

void declareRest(opencl::TunedKernel& kernel, const Space& space, const Expression& X, const Expression& Y,
                 const Expression& halfSize) {
  kernel.define("HFS", halfSize);
  kernel.define("TBX_XL", space.threadsX).define("TBY_XL", space.threadsY);
  kernel.define("EDGE", X % space.outputsX != 0 || Y % space.outputsY != 0);
  kernel.localMemory(space.localBytes);
  kernel.global(ceilDiv(X, space.outputsX) * space.threadsX, ceilDiv(Y, space.outputsY) * space.threadsY);
  kernel.local(space.threadsX, space.threadsY);
}

}  // namespace

void declare(opencl::TunedKernel& kernel, std::size_t halfSize, const Configuration& defaults) {
  const auto [X, Y] = kernel.problem("X", "Y");
  declareFor(kernel, X, Y, halfSize, defaults);
}

void declareForAll(opencl::TunedKernel& kernel, const std::vector<std::size_t>& filterSizes) {
  const auto [X, Y, FS] = kernel.problem("X", "Y", "FS");
  declareRest(kernel, declareSpace(kernel, FS, {filterSizes.begin(), filterSizes.end()}), X, Y, FS / 2);
}

void declareFor(opencl::TunedKernel& kernel, const Expression& X, const Expression& Y, std::size_t halfSize,
                const Configuration& defaults) {
  declareRest(kernel, declareSpace(kernel, static_cast<std::int64_t>(halfSize), defaults), X, Y, halfSize);
}

Buffers makeBuffers(const OpenedDevice& on, const Shape& shape, const Inputs& inputs) {
  return {upload(on, withBorder(shape, inputs)), upload(on, inputs.filter), makeOutput(on, shape.width * shape.height)};
}

cl::Event launch(opencl::TunedKernel& kernel, const cl::CommandQueue& queue, const Shape& shape,
                 const Buffers& buffers) {
  return launch(kernel, queue, {shape.width, shape.height}, shape, buffers);
}

cl::Event launch(opencl::TunedKernel& kernel, const cl::CommandQueue& queue,
                 std::initializer_list<opencl::Size> problem, const Shape& shape, const Buffers& buffers) {
  return kernel(queue, problem, static_cast<cl_int>(shape.width), static_cast<cl_int>(shape.height),
                static_cast<cl_int>(shape.pitch()), buffers.image, buffers.filter, buffers.output);
}

ExpectedOutput expectedOutput(const Shape& shape, const Inputs& inputs) {
  std::vector<float> output(shape.width * shape.height);
  inParallel(shape.height,
             [&](std::size_t first, std::size_t last) { filterRows(shape, inputs, first, last, output.data()); });
  return {"out", std::move(output), toleranceOfSums(shape.filterSize * shape.filterSize), {"x", "y"}, shape.width};
}

}  // namespace hone::apps::conv2d
