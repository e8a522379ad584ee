#include "heat/field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "parallel.h"

namespace hone::apps::heat {

namespace {

constexpr double kPi = std::numbers::pi;

using Point = std::array<double, 3>;  // in cells

/// The temperature of all places of the grid within `radius` of the centre.
void setBall(const Grid& grid, const Point& centre, double radius, float temperature, Field& field) {
  std::array<std::int64_t, 3> first{}, last{};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis) {
    first[axis] = std::max<std::int64_t>(1, std::llround(std::ceil(centre[axis] - radius)));
    last[axis] = std::min<std::int64_t>(grid.cells[axis], std::llround(std::floor(centre[axis] + radius)));
  }
  for (std::int64_t z = first[2]; z <= last[2]; ++z) {
    for (std::int64_t y = first[1]; y <= last[1]; ++y) {
      for (std::int64_t x = first[0]; x <= last[0]; ++x) {
        const double dx = static_cast<double>(x) - centre[0], dy = static_cast<double>(y) - centre[1];
        const double dz = grid.dimensions == 3 ? static_cast<double>(z) - centre[2] : 0;
        if (dx * dx + dy * dy + dz * dz <= radius * radius)
          field[grid.at(static_cast<std::size_t>(x), static_cast<std::size_t>(y), static_cast<std::size_t>(z))] =
              temperature;
      }
    }
  }
}

/// Half a sine over the cells, 0 on both rims; 1 where there is no such dimension.
std::vector<double> halfSine(const Grid& grid, std::size_t axis) {
  if (axis == 2 && grid.dimensions == 2) return {1};
  std::vector<double> sine(grid.stored()[axis]);
  const double last = static_cast<double>(sine.size()) - 1;
  for (std::size_t i = 1; i + 1 < sine.size(); ++i) sine[i] = std::sin(kPi * static_cast<double>(i) / last);
  return sine;
}

}  // namespace

float rateOf(int dimensions) { return dimensions == 2 ? 0.2f : 0.125f; }

Field equilibrium(const Grid& grid) {
  const auto [width, height, depth] = grid.stored();
  Field field(grid.size());
  constexpr double kWarm = 0.5;
  for (std::size_t z = 0; z < depth; ++z) {
    for (std::size_t y = 0; y < height; ++y) {
      const double warmth = kWarm * static_cast<double>(y) / (static_cast<double>(height) - 1);
      std::fill_n(field.begin() + static_cast<std::ptrdiff_t>(grid.at(0, y, z)), width, static_cast<float>(warmth));
    }
  }

  return field;
}

void setSeeds(const Grid& grid, std::size_t level, Field& field) {
  constexpr int kSeeds = 144;
  const double goldenAngle = kPi * (3 - std::sqrt(5.0));
  const double size = std::pow(0.5, static_cast<double>(level) / 4), turn = 0.6 * static_cast<double>(level);
  const auto extents = grid.stored();
  const double head =
      0.46 * static_cast<double>(*std::min_element(grid.cells.begin(), grid.cells.begin() + grid.dimensions));
  const auto middle = [&](std::size_t axis) { return (static_cast<double>(extents[axis]) - 1) / 2; };
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const double part = std::sqrt((seed - 0.5) / kSeeds), angle = goldenAngle * seed + turn;
    const Point centre{middle(0) + head * part * std::cos(angle), middle(1) + head * part * std::sin(angle), middle(2)};
    setBall(grid, centre, head * size * (0.022 + 0.026 * part), seed % 3 == 0 ? 0.0f : 1.0f, field);
  }
}

Extremes extremesOf(const Field& field) {
  const auto [least, most] = std::minmax_element(field.begin(), field.end());
  return {*least, *most};
}

void referenceStep(const Grid& grid, const Field& now, Field& later) {
  const auto [width, height, depth] = grid.stored();
  const bool is3d = grid.dimensions == 3;
  const float rate = rateOf(grid.dimensions), own = static_cast<float>(2 * grid.dimensions);
  const std::size_t row = width, plane = width * height;
  const std::size_t rows = (height - 2) * (is3d ? depth - 2 : 1);
  inParallel(rows, [&, w = width, h = height](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
      const std::size_t begin = grid.at(0, 1 + r % (h - 2), is3d ? 1 + r / (h - 2) : 0);
      for (std::size_t i = begin + 1; i < begin + w - 1; ++i) {
        float around = now[i - 1] + now[i + 1] + (now[i - row] + now[i + row]);
        if (is3d) around += now[i - plane] + now[i + plane];
        later[i] = now[i] + rate * (around - own * now[i]);
      }
    }
  });
}

FirstMode::FirstMode(const Grid& grid, const Field& field) {
  const std::array<std::vector<double>, 3> sines{halfSine(grid, 0), halfSine(grid, 1), halfSine(grid, 2)};
  const auto stored = grid.stored();
  const double rate = rateOf(grid.dimensions);

  // Along each row with its plain weights, then the rows with theirs; a rim's weight is 0.
  double sum = 0;
  for (std::size_t z = 0; z < stored[2]; ++z) {
    for (std::size_t y = 0; y < stored[1]; ++y) {
      const float* row = field.data() + grid.at(0, y, z);
      double ofRow = 0;
      for (std::size_t x = 0; x < stored[0]; ++x) ofRow += sines[0][x] * row[x];
      sum += sines[1][y] * sines[2][z] * ofRow;
    }
  }

  // A rim's temperatures go to the cells beside it.
  double rim = 0, eigenvalue = 0, even = 1;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis) {
    const std::size_t second = axis == 0 ? 1 : 0, third = axis == 2 ? 1 : 2;
    const double beside = sines[axis][1];
    for (std::size_t b = 0; b < stored[third]; ++b) {
      for (std::size_t a = 0; a < stored[second]; ++a) {
        std::array<std::size_t, 3> place{};
        place[second] = a;
        place[third] = b;
        const double weight = beside * sines[second][a] * sines[third][b];
        rim += weight * field[grid.at(place[0], place[1], place[2])];
        place[axis] = stored[axis] - 1;
        rim += weight * field[grid.at(place[0], place[1], place[2])];
      }
    }
    const double n = static_cast<double>(grid.cells[axis]);
    eigenvalue += 4 * std::pow(std::sin(kPi / (2 * (n + 1))), 2);
    double ofAxis = 0;
    for (const double sine : sines[axis]) ofAxis += sine;
    even *= ofAxis;
  }
  temperature_ = sum / even;
  factor_ = 1 - rate * eigenvalue;
  inflow_ = rate * rim / even;
}

double FirstMode::temperatureAfter(std::uint64_t steps) const {
  const double limit = inflow_ / (1 - factor_);
  return limit + (temperature_ - limit) * std::pow(factor_, static_cast<double>(steps));
}

}  // namespace hone::apps::heat
