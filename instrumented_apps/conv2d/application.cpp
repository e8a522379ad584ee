#include "conv2d/application.h"

#include <algorithm>
#include <optional>
#include <string>

#include "conv2d/convolution.h"
#include "conv2d/filters.h"
#include "errors.h"
#include "image.h"
#include "json_file.h"
#include "launch_check.h"
#include "parse_number.h"
#include "problem_size.h"
#include "summary.h"

namespace hone::apps::conv2d {

namespace {

const Program kProgram{
    .name = "conv2d",
    .summary = "tunes a 2-D convolution of an image of X x Y floats with a filter of FS x FS",
    .problemNames = {"X", "Y", "FS"},
    .defaultProblem = {4096, 2048, 7},
    .ownOptions = {{"image", "FILE",
                    "filter this PNG picture, as grey; its size is the problem, its edge goes on beyond it"},
                   {"filter", "NAME", "of --image: gaussian or sharpen (default: gaussian)", pictureFilters()},
                   {"filter-size", "FS", "of --image: 3, 5, 7, 9 or 11 (default: 7)", {"3", "5", "7", "9", "11"}},
                   {"out", "FILE", "write the filtered picture, a PNG file"}},
    .takesProblemList = true};

Shape shapeOf(const std::vector<std::int64_t>& problem, const std::string& option) {
  const std::int64_t filterSize = problem[2];
  constexpr std::int64_t smallest = 2 * kMinimumHalfSize + 1, largest = 2 * kMaximumHalfSize + 1;
  if (filterSize % 2 == 0 || filterSize < smallest || filterSize > largest) {
    throw InputError(option + " '" + problemText(problem) + "': the filter size FS must be odd, from " +
                     std::to_string(smallest) + " to " + std::to_string(largest));
  }
  return {static_cast<std::size_t>(problem[0]), static_cast<std::size_t>(problem[1]),
          static_cast<std::size_t>(filterSize)};
}

std::vector<Shape> shapesOf(const RunOptions& options) {
  std::vector<Shape> shapes;
  for (const std::vector<std::int64_t>& problem : options.allProblems())
    shapes.push_back(shapeOf(problem, options.problems.empty() ? "--problem" : "--problems"));
  return shapes;
}

/// Each size once, in ascending order.
std::vector<std::size_t> filterSizesOf(const std::vector<Shape>& shapes) {
  std::vector<std::size_t> sizes;
  for (const Shape& shape : shapes) sizes.push_back(shape.filterSize);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

/// An image on the device with its filter.
struct Image {
  Image(const Setup& setup, const Shape& itsShape, const Inputs& inputs)
      : shape(itsShape), buffers(makeBuffers(setup.on, shape, inputs)) {
    if (setup.options.isChecked) check.emplace(setup.on, buffers.output, expectedOutput(shape, inputs));
  }

  Shape shape;
  Buffers buffers;
  std::optional<LaunchCheck> check;
};

class Filtering final : public Workload {
 public:
  /// Images of random numbers.
  Filtering(const Setup& setup, const std::vector<Shape>& shapes) : on_(setup.on), runtime_(setup.runtime) {
    for (const Shape& shape : shapes) images_.push_back(std::make_unique<Image>(setup, shape, makeInputs(shape)));
    filterSizes_ = filterSizesOf(shapes);
  }
  /// A picture; `outFile` is where the filtered one goes, or empty.
  Filtering(const Setup& setup, const Shape& shape, const Inputs& inputs, std::string outFile)
      : on_(setup.on), runtime_(setup.runtime), filterSizes_{shape.filterSize}, outFile_(std::move(outFile)) {
    images_.push_back(std::make_unique<Image>(setup, shape, inputs));
  }

  std::vector<TunedWork> tune(const hone::Options& options, const std::vector<Restriction>& restrictions) override {
    const auto kernel = std::make_shared<opencl::TunedKernel>(runtime_, kernelSource(), "conv2d", options);
    if (filterSizes_.size() == 1) {
      declare(*kernel, filterSizes_.front() / 2);
    } else {
      declareForAll(*kernel, filterSizes_);
    }
    restrictCandidates(restrictions, *kernel);
    kernel->build();
    std::vector<TunedWork> works;
    for (const std::unique_ptr<Image>& image : images_) works.push_back(workOf(*image, kernel));
    return works;
  }

 private:
  TunedWork workOf(Image& image, const std::shared_ptr<opencl::TunedKernel>& kernel) const {
    const Shape& shape = image.shape;
    const bool isOneFilter = filterSizes_.size() == 1;
    TunedWork work;
    work.problem = {static_cast<std::int64_t>(shape.width), static_cast<std::int64_t>(shape.height),
                    static_cast<std::int64_t>(shape.filterSize)};
    work.launch = [this, &image, &shape, kernel, isOneFilter] {
      const auto on = [&](std::initializer_list<opencl::Size> problem) {
        return conv2d::launch(*kernel, on_.queue, problem, shape, image.buffers);
      };
      return isOneFilter ? on({shape.width, shape.height}) : on({shape.width, shape.height, shape.filterSize});
    };
    work.report = [&shape, kernel, isOneFilter] {
      return isOneFilter ? kernel->report({shape.width, shape.height})
                         : kernel->report({shape.width, shape.height, shape.filterSize});
    };
    work.settle = settling(kernel, runtime_);
    if (image.check) {
      work.prepare = [&image] { image.check->clear(); };
      work.check = [&image](std::uint64_t launch) { image.check->verify(launch); };
    }
    work.complete = [this, &image](Summary& summary) {
      summary.flopPerLaunch = image.shape.flop();
      summary.bytesPerLaunch = image.shape.bytes();
      if (!outFile_.empty()) writePng(outFile_, outputOf(image));
    };
    return work;
  }

  GreyImage outputOf(const Image& image) const {
    GreyImage output{image.shape.width, image.shape.height, {}};
    output.pixels.resize(output.width * output.height);
    on_.queue.enqueueReadBuffer(image.buffers.output, CL_TRUE, 0, output.pixels.size() * sizeof(float),
                                output.pixels.data());
    return output;
  }

  const OpenedDevice& on_;
  opencl::Runtime& runtime_;
  std::vector<std::size_t> filterSizes_;
  std::vector<std::unique_ptr<Image>> images_;  // they stay where they are
  std::string outFile_;
};

void validate(const RunOptions& options) {
  shapesOf(options);
  if (options.has("image")) {
    if (!options.isDefaultProblem)
      throw InputError("--image '" + options.own.at("image") + "': its size is the problem, there cannot be another");
    if (options.has("out")) requireWritable(options.own.at("out"), "--out");
  } else {
    for (const char* ofImages : {"filter", "filter-size", "out"}) {
      if (options.has(ofImages))
        throw InputError("--" + std::string(ofImages) + " goes with --image, which is missing");
    }
  }
}

std::unique_ptr<Workload> openImage(const Setup& setup) {
  const RunOptions& options = setup.options;
  GreyImage picture = readPng(options.own.at("image"));
  const auto filterSize = parseNumber<std::size_t>(options.value("filter-size", "7")).value();
  const Shape shape{picture.width, picture.height, filterSize};
  requireMemory(setup.on.device, {shape}, options.isChecked);
  const Inputs inputs{std::move(picture.pixels), pictureFilter(options.value("filter", "gaussian"), filterSize),
                      Border::edge};
  return std::make_unique<Filtering>(setup, shape, inputs, options.value("out", ""));
}

std::unique_ptr<Workload> open(const Setup& setup) {
  if (setup.options.has("image")) return openImage(setup);
  const std::vector<Shape> shapes = shapesOf(setup.options);
  requireMemory(setup.on.device, shapes, setup.options.isChecked);
  return std::make_unique<Filtering>(setup, shapes);
}

}  // namespace

Application application() { return {kProgram, open, validate}; }

}  // namespace hone::apps::conv2d
