#include "marching_cubes/mesh.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <utility>

#include "errors.h"

namespace hone::apps::marching_cubes {

namespace {

constexpr int kDigits = 9;  // bring a float back to the last bit

void writeObj(const Mesh& mesh, std::ostream& out) {
  for (const auto& v : mesh.vertices) out << "v " << v[0] << ' ' << v[1] << ' ' << v[2] << '\n';
  for (const auto& t : mesh.triangles) out << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
}

void writePly(const Mesh& mesh, std::ostream& out) {
  out << "ply\nformat ascii 1.0\nelement vertex " << mesh.vertices.size()
      << "\nproperty float x\nproperty float y\nproperty float z\nelement face " << mesh.triangles.size()
      << "\nproperty list uchar int vertex_indices\nend_header\n";
  for (const auto& v : mesh.vertices) out << v[0] << ' ' << v[1] << ' ' << v[2] << '\n';
  for (const auto& t : mesh.triangles) out << "3 " << t[0] << ' ' << t[1] << ' ' << t[2] << '\n';
}

std::string describe(const Mesh& mesh, std::uint32_t from, std::uint32_t to) {
  const auto point = [&](std::uint32_t vertex) {
    const auto& v = mesh.vertices[vertex];
    return "(" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + ")";
  };
  return "the edge from " + point(from) + " to " + point(to);
}

}  // namespace

Mesh weld(const std::vector<float>& triangles) {
  std::vector<std::array<float, 3>> corners(triangles.size() / 3);
  for (std::size_t i = 0; i < corners.size(); ++i)
    corners[i] = {triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]};
  Mesh mesh;
  mesh.vertices = corners;
  std::sort(mesh.vertices.begin(), mesh.vertices.end());
  mesh.vertices.erase(std::unique(mesh.vertices.begin(), mesh.vertices.end()), mesh.vertices.end());
  const auto indexOf = [&](std::size_t corner) {
    const auto found = std::lower_bound(mesh.vertices.begin(), mesh.vertices.end(), corners[corner]);
    return static_cast<std::uint32_t>(found - mesh.vertices.begin());
  };
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
    mesh.triangles.push_back({indexOf(i), indexOf(i + 1), indexOf(i + 2)});
  return mesh;
}

std::optional<std::string> findLeak(const Mesh& mesh) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ways;  // along the edges, as the triangles go
  for (const auto& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) ways.emplace_back(t[i], t[(i + 1) % 3]);
  }
  std::sort(ways.begin(), ways.end());
  const auto twice = std::adjacent_find(ways.begin(), ways.end());
  if (twice != ways.end()) return describe(mesh, twice->first, twice->second) + " is gone along twice";
  for (const auto& [from, to] : ways) {
    if (from == to) return describe(mesh, from, to) + " has no length";
    if (!std::binary_search(ways.begin(), ways.end(), std::pair(to, from)))
      return describe(mesh, from, to) + " has one triangle";
  }
  return std::nullopt;
}

double volume(const Mesh& mesh) {
  double sum = 0;  // of the tetrahedra between the triangles and the origin
  for (const auto& t : mesh.triangles) {
    const auto &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const double x = double{b[1]} * c[2] - double{b[2]} * c[1], y = double{b[2]} * c[0] - double{b[0]} * c[2],
                 z = double{b[0]} * c[1] - double{b[1]} * c[0];
    sum += (a[0] * x + a[1] * y + a[2] * z) / 6;
  }
  return sum;
}

void requireMeshFile(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension();
  if (ending != ".obj" && ending != ".ply")
    throw InputError("--out '" + path + "': expected a name that ends with .obj or .ply");
}

void write(const Mesh& mesh, const std::string& path) {
  std::ofstream out(path);
  out << std::setprecision(kDigits);
  if (std::filesystem::path(path).extension() == ".obj") {
    writeObj(mesh, out);
  } else {
    writePly(mesh, out);
  }
  out.close();
  if (!out) throw InputError("cannot write '" + path + "'");
}

}  // namespace hone::apps::marching_cubes
