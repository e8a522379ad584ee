#include "hone/search_space.h"

#include <algorithm>
#include <limits>

#include "space/declaration_data.h"
#include "space/enumeration.h"

namespace hone {

namespace {

/// Finds the closest code by descending through the parameters, nearest value first, and leaving out every branch that
/// is already farther away than the best found. The sorted codes serve as the tree: a prefix of values is a run of
/// them.
class NearestSearch {
 public:
  using Codes = std::vector<std::uint64_t>;

  NearestSearch(const Codes& codes, const std::vector<std::uint64_t>& stride,
                const std::vector<std::vector<std::int64_t>>& values, const std::vector<double>& target)
      : codes_(codes), stride_(stride), order_(values.size()) {
    for (std::size_t p = 0; p < values.size(); ++p) {
      const double steps = std::max<double>(1, static_cast<double>(values[p].size() - 1));
      for (std::uint64_t position = 0; position < values[p].size(); ++position) {
        const double difference = (static_cast<double>(position) - target[p]) / steps;
        order_[p].push_back({difference * difference, position});
      }
      std::stable_sort(order_[p].begin(), order_[p].end(),
                       [](const Step& a, const Step& b) { return a.distance < b.distance; });
    }
  }

  Rank run() {
    descend(0, codes_.begin(), codes_.end(), 0, 0);
    return best_;
  }

 private:
  struct Step {
    double distance;
    std::uint64_t position;
  };

  void descend(std::size_t p, Codes::const_iterator first, Codes::const_iterator last, std::uint64_t prefix,
               double distance) {
    if (p == order_.size()) {
      const auto rank = static_cast<Rank>(first - codes_.begin());
      if (distance < bestDistance_ || rank < best_) best_ = rank;
      bestDistance_ = distance;
      return;
    }
    for (const Step& step : order_[p]) {
      if (distance + step.distance > bestDistance_) break;  // equal ones go on: the lowest rank of them counts
      const std::uint64_t code = prefix + step.position * stride_[p];
      const auto from = std::lower_bound(first, last, code);
      const auto to = std::lower_bound(from, last, code + stride_[p]);
      if (from != to) descend(p + 1, from, to, code, distance + step.distance);
    }
  }

  const Codes& codes_;
  const std::vector<std::uint64_t>& stride_;
  std::vector<std::vector<Step>> order_;
  double bestDistance_ = std::numeric_limits<double>::infinity();
  Rank best_ = std::numeric_limits<Rank>::max();
};

}  // namespace

SearchSpace::SearchSpace(const Declarations& declarations, const std::vector<std::int64_t>& problem)
    : SearchSpace(declarations.data(), problem) {}

SearchSpace::SearchSpace(const detail::DeclarationData& declarations, const std::vector<std::int64_t>& problem) {
  if (declarations.parameters.empty()) throw UsageError(declarations.owner + ": no parameter was declared");
  if (problem.size() != declarations.problemNames.size()) {
    throw UsageError(declarations.owner + ": " + std::to_string(problem.size()) + " problem sizes were given, " +
                     std::to_string(declarations.problemNames.size()) + " are declared");
  }

  for (const auto& parameter : declarations.parameters) values_.push_back(parameter.values);
  stride_.resize(values_.size());
  std::uint64_t points = 1;
  for (std::size_t p = values_.size(); p-- > 0;) {
    stride_[p] = points;
    if (__builtin_mul_overflow(points, values_[p].size(), &points) || points >> 63)
      throw UsageError(declarations.owner + ": the unconstrained space has more than 2^63 points");
  }

  std::vector<const detail::ConstraintDeclaration*> constraints;
  for (const auto& constraint : declarations.constraints) constraints.push_back(&constraint);
  detail::enumerate(declarations, constraints, problem.data(), [&](const Point& point) {
    if (codes_.size() == kMaximumSize)
      throw UsageError(declarations.owner + ": more than " + std::to_string(kMaximumSize) +
                       " configurations are valid");
    codes_.push_back(code(point));
    return true;
  });
  codes_.shrink_to_fit();

  if (!codes_.empty()) {
    std::vector<double> position;
    for (const auto& parameter : declarations.parameters)
      position.push_back(static_cast<double>(parameter.defaultPosition));
    start_ = nearest(position);
  }
}

std::uint64_t SearchSpace::code(const Point& point) const {
  std::uint64_t sum = 0;
  for (std::size_t p = 0; p < point.size(); ++p) sum += point[p] * stride_[p];
  return sum;
}

std::optional<Rank> SearchSpace::rankOfCode(std::uint64_t code) const {
  const auto found = std::lower_bound(codes_.begin(), codes_.end(), code);
  if (found == codes_.end() || *found != code) return std::nullopt;
  return static_cast<Rank>(found - codes_.begin());
}

Point SearchSpace::point(Rank rank) const {
  Point point(dimensions());
  std::uint64_t rest = codes_[rank];
  for (std::size_t p = 0; p < point.size(); ++p) {
    point[p] = static_cast<std::uint32_t>(rest / stride_[p]);
    rest %= stride_[p];
  }
  return point;
}

std::vector<std::int64_t> SearchSpace::configuration(Rank rank) const {
  const Point positions = point(rank);
  std::vector<std::int64_t> configuration(dimensions());
  for (std::size_t p = 0; p < positions.size(); ++p) configuration[p] = values_[p][positions[p]];
  return configuration;
}

std::optional<Rank> SearchSpace::rank(const Point& point) const { return rankOfCode(code(point)); }

std::vector<Rank> SearchSpace::neighbours(Rank rank) const {
  std::vector<Rank> found;
  const Point positions = point(rank);
  for (std::size_t p = 0; p < positions.size(); ++p) {
    const std::uint64_t base = codes_[rank] - positions[p] * stride_[p];
    for (std::uint64_t position = 0; position < values_[p].size(); ++position) {
      if (position == positions[p]) continue;
      if (const auto neighbour = rankOfCode(base + position * stride_[p])) found.push_back(*neighbour);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

Rank SearchSpace::nearest(const std::vector<double>& position) const {
  return NearestSearch(codes_, stride_, values_, position).run();
}

}  // namespace hone
