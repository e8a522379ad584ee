#include "heat/simulation.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "buffers.h"
#include "enqueue.h"
#include "errors.h"
#include "format.h"
#include "heat_source.h"
#include "refine_source.h"

namespace hone::apps::heat {

namespace {

cl_int asInt(std::int64_t number) { return static_cast<cl_int>(number); }

double bytesOf(const Grid& grid) {
  double numbers = kGuard;
  double product = 1;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis)
    product *= static_cast<double>(grid.cells[axis]) + 2;
  return sizeof(float) * (numbers + product);
}

cl::Kernel refineKernel(const OpenedDevice& on, int dimensions) {
  const cl::Program program(on.context, kRefineSource);
  program.build(on.device, ("-DDIMENSIONS=" + std::to_string(dimensions)).c_str());
  return cl::Kernel(program, "refine");
}

}  // namespace

const char* kernelSource() { return kHeatSource; }

double flopOfSection(const Grid& grid) {
  return static_cast<double>(kSectionSteps) * grid.cellCount() * (2 * grid.dimensions + 3);
}

void requireMemory(const cl::Device& device, const std::vector<Grid>& levels, bool isChecked) {
  const double finest = bytesOf(levels.back());
  std::vector<double> buffers{finest, finest, finest};
  if (levels.size() > 1) buffers.push_back(bytesOf(levels[levels.size() - 2]));  // while it is refined
  // The host holds a field at a time; with --check those before, after and as they should be.
  apps::requireMemory(device, buffers, finest * (isChecked ? 4 : 1));
}

Simulation::Simulation(const OpenedDevice& on, const Grid& grid, const Field& field)
    : on_(on), queue_(on.queue), refine_(refineKernel(on, grid.dimensions)) {
  reset(grid, field);
}

void Simulation::allocate(const Grid& grid) {
  grid_ = grid;
  const std::vector<float> guard(kGuard);
  for (cl::Buffer* buffer : {&now_, &others_[0], &others_[1]}) {
    *buffer = {};  // first give, then take
    *buffer = makeOutput(on_, grid.size());
    try {  // some drivers look for memory only when it is used
      queue_.enqueueWriteBuffer(*buffer, CL_TRUE, grid.size() * sizeof(float), kGuard * sizeof(float), guard.data());
    } catch (const cl::Error&) {
      const auto memory = static_cast<double>(on_.device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>());
      throw InputError("out of device memory: there is no room for three buffers of " + mebibytes(bytesOf(grid)) +
                       "; the device has " + mebibytes(memory) + " in all");
    }
  }
}

void Simulation::write(const cl::Buffer& buffer, const Field& field) const {
  queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, field.size() * sizeof(float), field.data());
}

void Simulation::reset(const Grid& grid, const Field& field) {
  queue_.finish();
  if (grid != grid_ || !now_()) allocate(grid);
  for (const cl::Buffer& buffer : {now_, others_[0], others_[1]}) write(buffer, field);
}

void Simulation::refine(const Grid& finer) {
  queue_.finish();
  const Grid coarse = grid_;
  const cl::Buffer from = std::exchange(now_, {});
  allocate(finer);
  const auto [width, height, depth] = finer.stored();
  for (const cl::Buffer& to : {now_, others_[0], others_[1]}) {
    cl_uint index = 0;
    for (const Grid& grid : {finer, coarse}) {
      for (const std::int64_t cells : grid.cells) refine_.setArg(index++, asInt(cells));
    }
    refine_.setArg(index++, from);
    refine_.setArg(index++, to);
    queue_.enqueueNDRangeKernel(refine_, cl::NullRange, cl::NDRange(width, height, depth));
  }
  queue_.finish();
}

cl::Event Simulation::launch(cl::Kernel kernel, const LaunchSizes& sizes, const cl::Buffer& from,
                             const cl::Buffer& to) const {
  cl_uint index = 0;
  std::array<std::size_t, 3> global{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    kernel.setArg(index++, asInt(grid_.cells[axis]));
    global[axis] = ceilDivide(static_cast<std::size_t>(grid_.cells[axis]), sizes.inside[axis]) * sizes.local[axis];
  }
  kernel.setArg(index++, cl_float{rateOf(grid_.dimensions)});
  kernel.setArg(index++, from);
  kernel.setArg(index++, to);
  cl::Event event;
  queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(global[0], global[1], global[2]),
                              cl::NDRange(sizes.local[0], sizes.local[1], sizes.local[2]), nullptr, &event);
  return event;
}

Launched Simulation::section(const opencl::TunedProgram& program, const Configuration& configuration) {
  const LaunchSizes sizes = launchSizes(configuration, grid_.dimensions);
  const cl::Kernel kernel = program.kernel("diffuse");
  cl::Event first = launch(kernel, sizes, now_, others_[0]);
  cl::Event last = first;
  std::size_t latest = 0;  // of others_
  for (std::int64_t step = configuration.fuse; step < kSectionSteps; step += configuration.fuse) {
    last = launch(kernel, sizes, others_[latest], others_[1 - latest]);
    latest = 1 - latest;
  }
  std::swap(now_, others_[latest]);
  return {std::move(first), std::move(last)};
}

Field Simulation::field() const {
  Field field(grid_.size());
  queue_.enqueueReadBuffer(now_, CL_TRUE, 0, field.size() * sizeof(float), field.data());
  return field;
}

Field Simulation::middlePlane() const {
  const auto [width, height, depth] = grid_.stored();
  Field plane(width * height);
  queue_.enqueueReadBuffer(now_, CL_TRUE, plane.size() * (depth / 2) * sizeof(float), plane.size() * sizeof(float),
                           plane.data());
  return plane;
}

void Simulation::clearNext(const Field& field) const {
  // Written, not filled: Oclgrind 21.10 takes what was filled for uninitialised even after a kernel has written it.
  Field unset = field;
  const auto [width, height, depth] = grid_.stored();
  const bool is3d = grid_.dimensions == 3;
  for (std::size_t z = is3d ? 1 : 0; z < (is3d ? depth - 1 : 1); ++z) {
    for (std::size_t y = 1; y + 1 < height; ++y)
      std::fill_n(unset.begin() + static_cast<std::ptrdiff_t>(grid_.at(1, y, z)), width - 2,
                  std::numeric_limits<float>::quiet_NaN());
  }
  for (const cl::Buffer& buffer : others_) write(buffer, unset);
}

bool Simulation::isGuardUntouched() const {
  std::vector<float> guard(kGuard);
  queue_.enqueueReadBuffer(now_, CL_TRUE, grid_.size() * sizeof(float), kGuard * sizeof(float), guard.data());
  return std::all_of(guard.begin(), guard.end(), [](float number) { return number == 0; });
}

}  // namespace hone::apps::heat
