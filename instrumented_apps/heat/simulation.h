// The simulation that the program tunes: temperatures on a device, moved on by sections of kSectionSteps steps.
//
//   Simulation simulation(on, grid, equilibrium(grid));
//   program.startMeasurement(...);
//   Launched section = simulation.section(program, space.configuration(program));
//   program.stopMeasurement(section.elapsed());
//   simulation.refine(finer);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device.h"
#include "heat/field.h"
#include "heat/grid.h"
#include "heat/space.h"
#include "launched.h"

namespace hone::apps::heat {

/// The text of heat.cl; its kernel is "diffuse".
const char* kernelSource();

/// Additions and multiplications of a section, each cell's counted once a step.
double flopOfSection(const Grid& grid);

/// Throws InputError if the device does not have the memory for these grids, one after the other, or the host where
/// they share it.
void requireMemory(const cl::Device& device, const std::vector<Grid>& levels, bool isChecked);

/// Thread safety: externally synchronised.
class Simulation {
 public:
  /// This, reset() and refine() throw InputError if the device has no memory left.
  Simulation(const OpenedDevice& on, const Grid& grid, const Field& field);

  /// Goes on with other temperatures on another grid, or the same. Waits.
  void reset(const Grid& grid, const Field& field);
  /// Goes on with another grid of as many dimensions: temperatures are linear between the old cells. Waits.
  void refine(const Grid& finer);

  /// Advances kSectionSteps steps. `program` has a measurement open, which runs `configuration`. Where it throws, all
  /// is as before, so that it can be called again: the section's steps write to buffers that nobody reads.
  Launched section(const opencl::TunedProgram& program, const Configuration& configuration);

  const Grid& grid() const { return grid_; }
  /// Waits.
  Field field() const;
  /// The plane in the middle of the third dimension; all of it where there is none. Waits.
  Field middlePlane() const;

  /// Fills what the next section writes with NaN, so that a cell which is not advanced is found. `field` has the rim.
  void clearNext(const Field& field) const;
  /// Whether anything was written behind the present temperatures. Waits.
  bool isGuardUntouched() const;

 private:
  void allocate(const Grid& grid);
  void write(const cl::Buffer& buffer, const Field& field) const;
  cl::Event launch(cl::Kernel kernel, const LaunchSizes& sizes, const cl::Buffer& from, const cl::Buffer& to) const;

  OpenedDevice on_;
  cl::CommandQueue queue_;
  cl::Kernel refine_;
  Grid grid_;
  cl::Buffer now_;
  std::array<cl::Buffer, 2> others_;  // a section's steps go to and fro between them; all three have the rim
};

}  // namespace hone::apps::heat
