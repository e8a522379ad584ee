// The surface of a field on a device: count, scan, emit, as a section that a TunedProgram measures.
//
//   Surface surface(on, grid, samples);
//   program.startMeasurement(surface.problem());
//   Launched extracted = surface.extract(program, space.configuration(program));
//   program.stopMeasurement(extracted.elapsed());
//   if (surface.makeRoom()) ... once more
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "device.h"
#include "launched.h"
#include "marching_cubes/grid.h"
#include "marching_cubes/space.h"
#include "scan/scan.h"

namespace hone::apps::marching_cubes {

/// The texts of marching_cubes.cl and scan.cl.
std::string kernelSource();

/// Throws InputError if a grid is longer than kMaximumCells along an axis, has more cells than scan.cl can count, or if
/// the device does not have the memory, or the host where they share it.
void requireFits(const cl::Device& device, const Grid& grid, bool isChecked);

/// Thread safety: externally synchronised.
class Surface {
 public:
  /// Has room for as many triangles as a surface of usual size has.
  Surface(const OpenedDevice& on, const Grid& grid, const std::vector<float>& samples);

  std::vector<NamedSize> problem() const;

  /// `program` has a measurement open, which runs `configuration`. Triangles for which there is no room are left out.
  Launched extract(const opencl::TunedProgram& program, const Configuration& configuration);

  /// After extract(): how many triangles there are, whether there was room for them or not. Waits.
  std::size_t triangleCount() const;
  /// Takes memory for all triangles of the last extract() where there was not enough; whether it was so. Throws
  /// InputError if the device does not have it.
  bool makeRoom();

  /// Nine coordinates for each triangle, in cells. Waits.
  std::vector<float> triangles() const;
  /// Of the triangles, with a guard behind it: made by makeOutput().
  const cl::Buffer& buffer() const { return triangles_; }
  std::size_t room() const { return room_; }

 private:
  const OpenedDevice& on_;
  Grid grid_;
  std::size_t room_;
  cl::Buffer samples_, table_, counts_, triangles_;
  scan::Scan scan_;
};

}  // namespace hone::apps::marching_cubes
