// The convolution that the program tunes: its kernel, its data, and what its results are compared with.
//
//   declare(kernel, shape.halfSize());
//   const Buffers buffers = makeBuffers(on, shape, inputs);
//   cl::Event done = launch(kernel, on.queue, shape, buffers);
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "buffers.h"
#include "conv2d/space.h"
#include "hone/opencl.hpp"
#include "launch_check.h"

namespace hone::apps::conv2d {

struct Shape {
  std::size_t width, height;  // of the image, in pixels
  std::size_t filterSize;     // odd

  std::size_t halfSize() const { return filterSize / 2; }
  /// Of the image with its border of zeros, as conv2d.cl reads it.
  std::size_t pitch() const;
  std::size_t rows() const;

  /// (1 + 2 * filterSize^2) for each pixel: CLTune's count.
  double flop() const;
  /// Each pixel read once and written once.
  double bytes() const;
};

/// What an image counts as beyond its edge.
enum class Border {
  zeros,
  edge  // the nearest pixel
};

struct Inputs {
  std::vector<float> image;   // rows of width
  std::vector<float> filter;  // rows of filterSize
  Border border = Border::zeros;
};

/// The same numbers on every machine, uniform in [-1, 1).
Inputs makeInputs(const Shape& shape);

/// Throws InputError if the device does not have the memory for all of them, or the host where they share it.
void requireMemory(const cl::Device& device, const std::vector<Shape>& shapes, bool isChecked);

/// The text of conv2d.cl; its kernel is "conv2d".
const char* kernelSource();

/// Declares the sizes X and Y of the image, the space, the macros derived from it, and the geometry.
void declare(opencl::TunedKernel& kernel, std::size_t halfSize, const Configuration& defaults = {});
/// The same for filters of several sizes: after X and Y, FS is declared.
void declareForAll(opencl::TunedKernel& kernel, const std::vector<std::size_t>& filterSizes);
/// The same but for the sizes: they are declared already, or constants, with which build() can compile the default.
void declareFor(opencl::TunedKernel& kernel, const Expression& X, const Expression& Y, std::size_t halfSize,
                const Configuration& defaults = {});

struct Buffers {
  cl::Buffer image;  // with its border
  cl::Buffer filter;
  cl::Buffer output;  // rows of width, and a guard behind them
};

Buffers makeBuffers(const OpenedDevice& on, const Shape& shape, const Inputs& inputs);

/// Of a kernel for one size of filter.
cl::Event launch(opencl::TunedKernel& kernel, const cl::CommandQueue& queue, const Shape& shape,
                 const Buffers& buffers);
/// `problem` is what was declared of the shape.
cl::Event launch(opencl::TunedKernel& kernel, const cl::CommandQueue& queue,
                 std::initializer_list<opencl::Size> problem, const Shape& shape, const Buffers& buffers);

/// By a plain loop on the host, in double.
ExpectedOutput expectedOutput(const Shape& shape, const Inputs& inputs);

}  // namespace hone::apps::conv2d
