// Triangles as a mesh: corners that coincide are one vertex; whether it is closed; and as a file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hone::apps::marching_cubes {

struct Mesh {
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  // positions in `vertices`, counter-clockwise seen from outside
};

/// From nine coordinates for each triangle. Corners are one vertex where they are equal to the last bit.
Mesh weld(const std::vector<float>& triangles);

/// Empty if the mesh is closed, and turned the same way everywhere: each edge belongs to exactly two triangles, which
/// go along it in opposite directions. Else what is wrong at one edge.
std::optional<std::string> findLeak(const Mesh& mesh);

/// What the mesh encloses: positive where triangles are counter-clockwise seen from outside.
double volume(const Mesh& mesh);

/// Throws InputError unless the name ends with .obj or .ply.
void requireMeshFile(const std::string& path);

/// As Wavefront OBJ or Stanford PLY (text), by the name's ending. Throws InputError if writing fails.
void write(const Mesh& mesh, const std::string& path);

}  // namespace hone::apps::marching_cubes
