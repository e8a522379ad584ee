// Marching cubes in configurations drawn from the wide space, on grids that no work-group divides, against the host's
// triangles; and whether the surfaces are closed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "buffers.h"
#include "device.h"
#include "errors.h"
#include "format.h"
#include "launch_check.h"
#include "marching_cubes/grid.h"
#include "marching_cubes/mesh.h"
#include "marching_cubes/surface.h"
#include "opencl/program_configurations.h"

namespace hone::apps::marching_cubes {
namespace {

ConfigurationSettings settings;  // set by main()

/// One configuration's program, on one device.
struct Bench {
  Bench(const OpenedDevice& device, opencl::Runtime& runtime, Options options)
      : on(device),
        program(runtime, kernelSource(), "marching_cubes", std::move(options)),
        space(program, runtime.facts(), scan::whyNoLookBack(on.device, runtime.facts()), true) {}

  void extract(Surface& surface) {
    const std::vector<NamedSize> problem = surface.problem();
    program.startMeasurement(problem);
    const Launched extracted = surface.extract(program, space.configuration(program));
    program.stopMeasurement(extracted.elapsed());
    extracted.wait();
  }

  void expectSurface(const std::string& field, const Grid& grid) {
    SCOPED_TRACE(field + ' ' + std::to_string(grid.x) + 'x' + std::to_string(grid.y) + 'x' + std::to_string(grid.z));
    const std::vector<float> samples = sampleField(field, grid);
    const std::vector<float> expected = referenceTriangles(grid, samples, makeTriangleTable());
    Surface surface(on, grid, samples);
    extract(surface);
    EXPECT_EQ(surface.triangleCount(), expected.size() / 9);
    surface.makeRoom();
    LaunchCheck check(on, surface.buffer(), {"coordinates", expected, {1e-6, 1}, {"number", "triangle"}, 9});
    check.clear();
    extract(surface);
    check.verify(1);
    EXPECT_EQ(findLeak(weld(surface.triangles())), std::nullopt);
  }

  const OpenedDevice& on;
  opencl::TunedProgram program;
  Space space;
};

TEST(MarchingCubes, EveryConfigurationIsRight) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  Bench declared(on, runtime, {});
  for (const NamedConfiguration& configuration : drawConfigurations(declared.program, settings)) {
    SCOPED_TRACE(configurationText(configuration));
    try {
      Bench bench(on, runtime, pinned(configuration));
      bench.expectSurface("sphere", {1, 1, 1});                                             // holds none of it
      EXPECT_EQ(bench.program.report({{"X", 1}, {"Y", 1}, {"Z", 1}}).best, configuration);  // this one runs
      bench.expectSurface("gyroid", {7, 5, 11});
      for (const Grid& grid : {Grid{31, 17, 13}, Grid{64, 3, 29}}) {
        if (grid.cells() <= settings.longest) bench.expectSurface("gyroid", grid);
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

// Every case occurs, with ambiguous neighbours, too, and some samples are 0; on the border all are outside.
std::vector<float> randomField(const Grid& grid) {
  std::mt19937 engine(1);
  std::vector<float> samples(grid.samples(), -1);
  for (std::size_t z = 1; z < grid.z; ++z) {
    for (std::size_t y = 1; y < grid.y; ++y) {
      for (std::size_t x = 1; x < grid.x; ++x) {
        const int drawn = static_cast<int>(engine() % 7) - 3;
        samples[(z * (grid.y + 1) + y) * (grid.x + 1) + x] = static_cast<float>(drawn);
      }
    }
  }
  return samples;
}

TEST(MarchingCubes, SurfacesOfRandomFieldsAreClosed) {
  const Grid grid{24, 24, 24};
  const Mesh mesh = weld(referenceTriangles(grid, randomField(grid), makeTriangleTable()));
  EXPECT_GT(mesh.triangles.size(), 10'000u);
  EXPECT_EQ(findLeak(mesh), std::nullopt);
}

TEST(MarchingCubes, TrianglesWithoutRoomAreLeftOut) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  const Grid grid = settings.longest < 1000 ? Grid{12, 12, 12} : Grid{24, 24, 24};
  const std::vector<float> samples = randomField(grid),
                           expected = referenceTriangles(grid, samples, makeTriangleTable());
  Bench bench(on, runtime, pinned({}));
  Surface surface(on, grid, samples);
  ASSERT_LT(surface.room(), expected.size() / 9);
  const std::size_t room = 9 * surface.room();
  std::vector<float> written(room + kGuard, std::numeric_limits<float>::quiet_NaN());
  on.queue.enqueueWriteBuffer(surface.buffer(), CL_TRUE, 0, sizeof(float) * written.size(), written.data());
  bench.extract(surface);
  EXPECT_EQ(surface.triangleCount(), expected.size() / 9);
  on.queue.enqueueReadBuffer(surface.buffer(), CL_TRUE, 0, sizeof(float) * written.size(), written.data());
  const auto isWritten = [](float number) { return !std::isnan(number); };
  const auto end = written.begin() + static_cast<std::ptrdiff_t>(room);
  EXPECT_EQ(std::count_if(end, written.end(), isWritten), 0);
  // The triangles of a cell are left out together, and a cell has five at most.
  EXPECT_GT(std::count_if(written.begin(), end, isWritten), static_cast<std::ptrdiff_t>(room) - 5 * 9);
  EXPECT_TRUE(surface.makeRoom());
  EXPECT_FALSE(surface.makeRoom());
  LaunchCheck all(on, surface.buffer(), {"coordinates", expected, {1e-6, 1}, {"number", "triangle"}, 9});
  all.clear();
  bench.extract(surface);
  all.verify(2);
}

TEST(MarchingCubes, ASphereHasItsVolume) {
  const Grid grid{40, 40, 40};
  const Mesh mesh = weld(referenceTriangles(grid, sampleField("sphere", grid), makeTriangleTable()));
  const double radius = 0.8 * 20;  // in cells
  // Chords lie within the sphere: of a radius of 16 cells about (1/16)^2 / 4 is lost, a thousandth.
  EXPECT_NEAR(volume(mesh) / (4.0 / 3 * M_PI * radius * radius * radius), 1, 3e-3);
}

TEST(MarchingCubes, CasesHaveTheTrianglesOfTheirCorners) {
  const TriangleTable table = makeTriangleTable();
  EXPECT_EQ(table[0][0], 0);
  EXPECT_EQ(table[255][0], 0);
  EXPECT_EQ(table[0b1][0], 1);         // one corner
  EXPECT_EQ(table[0b11][0], 2);        // an edge: a quadrilateral
  EXPECT_EQ(table[0b1111][0], 2);      // a face: likewise
  EXPECT_EQ(table[0b1001][0], 2);      // two corners across a face: cut off separately
  EXPECT_EQ(table[0b11111110][0], 1);  // all but one corner
  EXPECT_EQ(table[0b11110110][0], 4);  // all but two across a face: what is outside is connected, in a hexagon
  EXPECT_EQ(table[0b01101001][0], 4);  // every second corner
  for (int bits = 0; bits < 256; ++bits) {
    for (std::size_t v = 1; v <= 3u * table[static_cast<std::size_t>(bits)][0]; ++v) {
      const int edge = table[static_cast<std::size_t>(bits)][v], axis = edge / 4;
      const int low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;
      const int corner = (edge & 1) << low | (edge >> 1 & 1) << high;
      EXPECT_NE(bits >> corner & 1, bits >> (corner | 1 << axis) & 1) << "case " << bits << ", edge " << edge;
    }
  }
}

TEST(MarchingCubes, LeaksAreFound) {
  Mesh tetrahedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  EXPECT_EQ(findLeak(tetrahedron), std::nullopt);
  EXPECT_NEAR(volume(tetrahedron), 1.0 / 6, 1e-12);
  Mesh open = tetrahedron;
  open.triangles.pop_back();
  EXPECT_NE(findLeak(open).value_or("").find("has one triangle"), std::string::npos);
  Mesh turned = tetrahedron;
  std::swap(turned.triangles[0][0], turned.triangles[0][1]);
  EXPECT_NE(findLeak(turned).value_or("").find("is gone along twice"), std::string::npos);
  Mesh flat = tetrahedron;
  flat.triangles.push_back({3, 3, 3});
  EXPECT_TRUE(findLeak(flat).has_value());
}

TEST(MarchingCubes, EqualCornersBecomeOneVertex) {
  const Mesh mesh = weld({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1});
  EXPECT_EQ(mesh.vertices.size(), 4u);
  ASSERT_EQ(mesh.triangles.size(), 2u);
  EXPECT_EQ(mesh.triangles[0][0], mesh.triangles[1][1]);
  EXPECT_EQ(mesh.triangles[0][1], mesh.triangles[1][0]);
}

TEST(MarchingCubes, LargeGridsAreRefused) {
  const OpenedDevice on = openDevice(settings.device);
  EXPECT_THROW(requireFits(on.device, {4097, 1, 1}, false), InputError);
  EXPECT_THROW(requireFits(on.device, {4096, 4096, 4096}, false), InputError);
  EXPECT_NO_THROW(requireFits(on.device, {4096, 1, 1}, true));
}

}  // namespace
}  // namespace hone::apps::marching_cubes

int main(int argc, char** argv) {
  return hone::apps::runConfigurationTests(argc, argv, hone::apps::marching_cubes::settings);
}
