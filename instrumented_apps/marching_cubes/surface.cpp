#include "marching_cubes/surface.h"

#include <algorithm>

#include "buffers.h"
#include "enqueue.h"
#include "errors.h"
#include "marching_cubes_source.h"
#include "problem_size.h"

namespace hone::apps::marching_cubes {

namespace {

constexpr std::size_t kFloats = 9;  // of a triangle

// A surface crosses about as many cells as six times a side of the grid has, with two triangles each.
std::size_t usualTriangles(const Grid& grid) {
  return 12 * std::max({grid.x * grid.y, grid.y * grid.z, grid.z * grid.x, std::size_t{1}});
}

double asDouble(std::size_t number) { return static_cast<double>(number); }

double bytesOfTriangles(std::size_t count) { return sizeof(float) * (kFloats * asDouble(count) + kGuard); }

cl::Buffer uploadTable(const OpenedDevice& on) {
  const TriangleTable table = makeTriangleTable();
  const cl::Buffer buffer(on.context, CL_MEM_READ_ONLY, sizeof(table));
  on.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, sizeof(table), table.data());
  return buffer;
}

}  // namespace

std::string kernelSource() { return std::string(kMarchingCubesSource) + scan::kernelSource(); }

void requireFits(const cl::Device& device, const Grid& grid, bool isChecked) {
  const auto limit = static_cast<std::size_t>(kMaximumCells);
  if (std::max({grid.x, grid.y, grid.z}) > limit)
    throw InputError("--problem: at most " + std::to_string(limit) + " cells along an axis");
  if (asDouble(grid.x) * asDouble(grid.y) * asDouble(grid.z) >= asDouble(kMaximumSize))
    throw InputError("--problem: at most " + std::to_string(kMaximumSize - 1) + " cells");
  const double samples = sizeof(float) * asDouble(grid.samples()),
               counts = sizeof(cl_uint) * (asDouble(grid.cells()) + 1);
  const double triangles = bytesOfTriangles(usualTriangles(grid));
  const auto scratch = asDouble(scan::scratchBytes(grid.cells() + 1));
  apps::requireMemory(device, {samples, counts, scratch, triangles}, samples + (isChecked ? 3 : 1) * triangles);
}

Surface::Surface(const OpenedDevice& on, const Grid& grid, const std::vector<float>& samples)
    : on_(on),
      grid_(grid),
      room_(usualTriangles(grid)),
      samples_(upload(on, samples)),
      table_(uploadTable(on)),
      counts_(on.context, CL_MEM_READ_WRITE, sizeof(cl_uint) * (grid.cells() + 1)),
      triangles_(makeOutput(on, kFloats * room_)),
      scan_(on, grid.cells() + 1) {}

std::vector<NamedSize> Surface::problem() const { return {{"X", grid_.x}, {"Y", grid_.y}, {"Z", grid_.z}}; }

Launched Surface::extract(const opencl::TunedProgram& program, const Configuration& configuration) {
  const auto block = static_cast<std::size_t>(configuration.block);
  const std::size_t cells = grid_.cells();
  const std::size_t groups = ceilDivide(cells + 1, block * static_cast<std::size_t>(configuration.cells));
  const auto X = static_cast<cl_uint>(grid_.x), Y = static_cast<cl_uint>(grid_.y), all = static_cast<cl_uint>(cells);
  const cl::Event first =
      enqueueGroups(on_.queue, program.kernel("countTriangles"), groups, block, X, Y, all, samples_, table_, counts_);
  scan_.enqueue(program, configuration.ofScan(), counts_, counts_, cells + 1, scan::Kind::exclusive);
  return {first, enqueueGroups(on_.queue, program.kernel("emitTriangles"), groups, block, X, Y, all, samples_, table_,
                               counts_, static_cast<cl_uint>(room_), triangles_)};
}

std::size_t Surface::triangleCount() const {
  cl_uint count = 0;
  on_.queue.enqueueReadBuffer(counts_, CL_TRUE, sizeof(cl_uint) * grid_.cells(), sizeof(count), &count);
  return count;
}

bool Surface::makeRoom() {
  const std::size_t count = triangleCount();
  if (count <= room_) return false;
  apps::requireMemory(on_.device, {bytesOfTriangles(count)}, 0);
  room_ = count;
  triangles_ = makeOutput(on_, kFloats * count);
  return true;
}

std::vector<float> Surface::triangles() const {
  std::vector<float> triangles(kFloats * triangleCount());
  if (!triangles.empty())
    on_.queue.enqueueReadBuffer(triangles_, CL_TRUE, 0, sizeof(float) * triangles.size(), triangles.data());
  return triangles;
}

}  // namespace hone::apps::marching_cubes
