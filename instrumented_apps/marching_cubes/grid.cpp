#include "marching_cubes/grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>

#include "parallel.h"

namespace hone::apps::marching_cubes {

namespace {

double square(double number) { return number * number; }

// Inside the sphere of this radius around (x, y, z).
double sphere(double x, double y, double z, double radius) {
  return square(radius) - square(x) - square(y) - square(z);
}

double torus(double x, double y, double z) {
  return square(0.25) - square(std::sqrt(square(x) + square(y)) - 0.6) - square(z);
}

// Where three attractions together are strong enough.
double blobs(double x, double y, double z) {
  const auto attraction = [&](double cx, double cy, double cz, double radius) {
    return square(radius) / (square(x - cx) + square(y - cy) + square(z - cz) + 1e-6);
  };
  const double sum =
      attraction(-0.3, -0.2, 0, 0.3) + attraction(0.35, -0.15, 0.1, 0.25) + attraction(0, 0.35, -0.2, 0.28);
  return std::min(sum - 1, sphere(x, y, z, 0.95));
}

// Schoen's minimal surface, as a wall within a sphere: much surface, in all directions.
double gyroid(double x, double y, double z) {
  constexpr double kTurns = 4 * M_PI;
  const double value = std::sin(kTurns * x) * std::cos(kTurns * y) + std::sin(kTurns * y) * std::cos(kTurns * z) +
                       std::sin(kTurns * z) * std::cos(kTurns * x);
  return std::min(0.6 - std::abs(value), sphere(x, y, z, 0.95));
}

using Field = double (*)(double, double, double);

const std::map<std::string, Field>& fields() {
  static const std::map<std::string, Field> all{
      {"blobs", blobs},
      {"gyroid", gyroid},
      {"sphere", [](double x, double y, double z) { return sphere(x, y, z, 0.8); }},
      {"torus", torus}};
  return all;
}

// Layer z of the samples.
void sampleLayer(Field field, const Grid& grid, std::size_t z, float* samples) {
  const auto position = [](std::size_t i, std::size_t cells) {
    return 2 * static_cast<double>(i) / static_cast<double>(cells) - 1;
  };
  for (std::size_t y = 0; y <= grid.y; ++y) {
    for (std::size_t x = 0; x <= grid.x; ++x)
      *samples++ = static_cast<float>(field(position(x, grid.x), position(y, grid.y), position(z, grid.z)));
  }
}

void appendVertex(const Grid& grid, const float* corner0, const std::array<std::size_t, 3>& cell, int edge,
                  std::vector<float>& triangles) {
  const std::array<std::size_t, 3> strides{1, grid.x + 1, (grid.x + 1) * (grid.y + 1)};
  const auto axis = static_cast<std::size_t>(edge / 4);
  std::array<std::size_t, 3> offset{};
  offset[axis == 0 ? 1 : 0] = static_cast<std::size_t>(edge & 1);
  offset[axis == 2 ? 1 : 2] = static_cast<std::size_t>(edge >> 1 & 1);
  for (std::size_t a = 0; a < 3; ++a) corner0 += offset[a] * strides[a];
  const float start = corner0[0], end = corner0[strides[axis]];
  const float along = std::clamp(start / (start - end), 1.0f / 1024, 1023.0f / 1024);
  for (std::size_t a = 0; a < 3; ++a)
    triangles.push_back(static_cast<float>(cell[a] + offset[a]) + (a == axis ? along : 0.0f));
}

// Layer z of the cells.
std::vector<float> trianglesOfLayer(const Grid& grid, const std::vector<float>& samples, const TriangleTable& table,
                                    std::size_t z) {
  std::vector<float> triangles;
  const std::size_t row = grid.x + 1, layer = row * (grid.y + 1);
  for (std::size_t y = 0; y < grid.y; ++y) {
    for (std::size_t x = 0; x < grid.x; ++x) {
      const float* corner0 = &samples[z * layer + y * row + x];
      std::size_t bits = 0;
      for (std::size_t i = 0; i < 8; ++i)
        bits |= static_cast<std::size_t>(corner0[(i & 1) + (i >> 1 & 1) * row + (i >> 2) * layer] > 0) << i;
      for (std::size_t v = 1; v <= 3u * table[bits][0]; ++v)
        appendVertex(grid, corner0, {x, y, z}, table[bits][v], triangles);
    }
  }
  return triangles;
}

}  // namespace

std::vector<std::string> fieldNames() {
  std::vector<std::string> names;
  for (const auto& [name, field] : fields()) names.push_back(name);
  return names;
}

std::vector<float> sampleField(const std::string& name, const Grid& grid) {
  const Field field = fields().at(name);
  std::vector<float> samples(grid.samples());
  const std::size_t layer = (grid.x + 1) * (grid.y + 1);
  inParallel(grid.z + 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t z = first; z < last; ++z) sampleLayer(field, grid, z, &samples[z * layer]);
  });
  return samples;
}

std::vector<float> referenceTriangles(const Grid& grid, const std::vector<float>& samples, const TriangleTable& table) {
  std::vector<std::vector<float>> layers(grid.z);
  inParallel(grid.z, [&](std::size_t first, std::size_t last) {
    for (std::size_t z = first; z < last; ++z) layers[z] = trianglesOfLayer(grid, samples, table, z);
  });
  std::vector<float> triangles;
  for (const std::vector<float>& layer : layers) triangles.insert(triangles.end(), layer.begin(), layer.end());
  return triangles;
}

}  // namespace hone::apps::marching_cubes
