#include "marching_cubes/triangle_table.h"

#include <cstddef>
#include <map>
#include <stdexcept>
#include <vector>

namespace hone::apps::marching_cubes {

namespace {

using Polygon = std::vector<int>;  // edges, one after the other
using Triangles = std::vector<std::array<int, 3>>;

int coordinate(int corner, int axis) { return corner >> axis & 1; }

// Of two corners that differ in one coordinate.
int edgeBetween(int a, int b) {
  const int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
  const int low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;  // the other two axes
  return 4 * axis + coordinate(a, low) + 2 * coordinate(a, high);
}

// The corners of a face, counter-clockwise seen from outside of the cell.
std::array<int, 4> cornersOfFace(int axis, int side) {
  const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
  if (side == 1) return {base, base + u, base + u + v, base + v};
  return {base, base + v, base + u + v, base + u};
}

bool isOnFace(int edge, int axis, int side) {
  const int along = edge / 4;
  if (along == axis) return false;
  const int low = along == 0 ? 1 : 0;
  return (axis == low ? edge & 1 : edge >> 1 & 1) == side;
}

bool shareFace(int edgeA, int edgeB) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      if (isOnFace(edgeA, axis, side) && isOnFace(edgeB, axis, side)) return true;
    }
  }
  return false;
}

// Around each face, a line leads from the edge by which a run of inside corners is entered to the one by which it is
// left. The neighbouring face goes the other way along an edge, so lines continue there: next[edge] is the end of the
// line that begins at this edge.
std::map<int, int> linesOf(int bits) {
  const auto isInside = [bits](int corner) { return (bits >> corner & 1) == 1; };
  std::map<int, int> next;
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      const std::array<int, 4> corners = cornersOfFace(axis, side);
      for (std::size_t i = 0; i < 4; ++i) {
        if (!isInside(corners[i]) || isInside(corners[(i + 1) % 4])) continue;
        std::size_t first = i;  // of the run that is left behind corner i
        while (isInside(corners[(first + 3) % 4])) first = (first + 3) % 4;
        const int entered = edgeBetween(corners[(first + 3) % 4], corners[first]);
        next[entered] = edgeBetween(corners[i], corners[(i + 1) % 4]);
      }
    }
  }
  return next;
}

std::vector<Polygon> polygonsOf(int bits) {
  std::map<int, int> next = linesOf(bits);
  std::vector<Polygon> polygons;
  while (!next.empty()) {
    Polygon polygon;
    for (auto line = next.begin(); line != next.end(); line = next.find(polygon.back())) {
      if (polygon.empty()) polygon.push_back(line->first);
      polygon.push_back(line->second);
      next.erase(line);
    }
    polygon.pop_back();  // the first again
    polygons.push_back(std::move(polygon));
  }
  return polygons;
}

// Whether the polygon was divided: appends its triangles.
bool divide(const Polygon& polygon, Triangles& triangles) {
  const std::size_t n = polygon.size();
  if (n < 3) return true;
  for (std::size_t apex = 1; apex + 1 < n; ++apex) {  // of the triangle over the side from the last to the first
    if (apex > 1 && shareFace(polygon[0], polygon[apex])) continue;
    if (apex + 2 < n && shareFace(polygon[apex], polygon[n - 1])) continue;
    const std::size_t before = triangles.size();
    triangles.push_back({polygon[0], polygon[apex], polygon[n - 1]});
    const auto middle = polygon.begin() + static_cast<std::ptrdiff_t>(apex);
    if (divide({polygon.begin(), middle + 1}, triangles) && divide({middle, polygon.end()}, triangles)) return true;
    triangles.resize(before);
  }
  return false;
}

}  // namespace

TriangleTable makeTriangleTable() {
  TriangleTable table{};
  for (int bits = 0; bits < 256; ++bits) {
    Triangles triangles;
    for (const Polygon& polygon : polygonsOf(bits)) {
      if (!divide(polygon, triangles)) throw std::logic_error("a polygon has diagonals in faces alone");
    }
    auto& row = table[static_cast<std::size_t>(bits)];
    if (3 * triangles.size() >= row.size()) throw std::logic_error("a case has more than five triangles");
    std::size_t at = 0;
    row[at++] = static_cast<std::uint8_t>(triangles.size());
    for (const auto& triangle : triangles) {
      for (const int edge : triangle) row[at++] = static_cast<std::uint8_t>(edge);
    }
  }
  return table;
}

}  // namespace hone::apps::marching_cubes
