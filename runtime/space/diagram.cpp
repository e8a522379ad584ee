#include "space/diagram.h"

#include <algorithm>

namespace hone::detail {

namespace {

// Sums of squares that differ by less than this, relative to 1 + the sum, are the same distance: in which order the
// squares are added must not decide between two equally distant points.
constexpr double kRounding = 1e-12;

// Points of an uncounted space that nearest() looks at in vain before it settles for what it has: some milliseconds.
constexpr int kMaximumRefused = 5000;

}  // namespace

std::size_t Diagram::bytes() const {
  std::size_t sum = sizeof(*this) + levels_.capacity() * sizeof(Level) + nodes_.capacity() * sizeof(Node) +
                    edges_.capacity() * sizeof(Edge);
  for (const Level& level : levels_) sum += level.kept.capacity() * sizeof(level.kept[0]);
  return sum;
}

std::size_t Diagram::edgeWith(NodeIndex node, Rank rank) const {
  const Node& n = nodes_[node];
  if (n.isUniform()) return rank / nodes_[n.first].paths;
  const Edge* const first = &edges_[n.first];
  const Edge* const after =
      std::upper_bound(first, first + n.edges, rank, [](Rank r, const Edge& e) { return r < e.before; });
  return static_cast<std::size_t>(after - first) - 1;
}

std::size_t Diagram::firstEdgeFrom(std::size_t level, NodeIndex node, std::uint32_t place) const {
  const Node& n = nodes_[node];
  if (n.isUniform() || n.edges == levels_[level].kept.size()) return place;
  const Edge* const first = &edges_[n.first];
  const Edge* const found =
      std::lower_bound(first, first + n.edges, place, [](const Edge& e, std::uint32_t p) { return e.place < p; });
  return static_cast<std::size_t>(found - first);
}

std::optional<Diagram::Edge> Diagram::edgeAt(std::size_t level, NodeIndex node, std::uint32_t place) const {
  const std::size_t i = firstEdgeFrom(level, node, place);
  if (i == edgeCount(level, node)) return std::nullopt;
  const Edge found = edge(node, i);
  return found.place == place ? std::optional(found) : std::nullopt;
}

// ---- ranks and points

Point Diagram::point(Rank rank) const {
  Point point(levels_.size());
  NodeIndex node = root_;
  for (const Level& level : levels_) {
    const Edge taken = edge(node, edgeWith(node, rank));
    point[level.parameter] = level.kept[taken.place];
    rank -= taken.before;
    node = taken.child;
  }
  return point;
}

std::optional<Rank> Diagram::rank(const Point& point) const {
  if (root_ == kNone) return std::nullopt;
  Rank rank = 0;
  NodeIndex node = root_;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const std::vector<std::uint32_t>& kept = levels_[l].kept;
    const auto place = std::lower_bound(kept.begin(), kept.end(), point[levels_[l].parameter]);
    if (place == kept.end() || *place != point[levels_[l].parameter]) return std::nullopt;
    const auto taken = edgeAt(l, node, static_cast<std::uint32_t>(place - kept.begin()));
    if (!taken) return std::nullopt;
    rank += taken->before;
    node = taken->child;
  }
  return rank;
}

// ---- neighbours

/// The way from the root to one point.
struct Diagram::Path {
  struct Step {
    NodeIndex node;
    std::uint32_t place;
    Rank rest;  // what the path's edges add to its rank from here on
  };
  std::vector<Step> steps;

  Path(const Diagram& diagram, Rank rank) : steps(diagram.levels_.size()) {
    NodeIndex node = diagram.root_;
    for (std::size_t l = 0; l < steps.size(); ++l) {
      const Edge taken = diagram.edge(node, diagram.edgeWith(node, rank));
      steps[l] = {node, taken.place, rank};
      rank -= taken.before;
      node = taken.child;
    }
  }
};

/// Follows a path and leaves it where that is allowed.
class Diagram::NeighbourSearch {
 public:
  NeighbourSearch(const Diagram& diagram, Rank rank) : diagram_(diagram), path_(diagram, rank), rank_(rank) {}

  /// Finds, in rank order, what differs from the path in up to `changes` of the levels from `level` on.
  void collect(std::size_t level, NodeIndex node, Rank before, std::size_t changes) {
    if (level == path_.steps.size()) {
      if (before != rank_) found.push_back(before);
      return;
    }
    if (changes == 0) {
      if (const auto rest = restOfPath(level, node)) {
        if (before + *rest != rank_) found.push_back(before + *rest);
      }
      return;
    }
    const std::size_t count = diagram_.edgeCount(level, node);
    for (std::size_t i = 0; i < count; ++i) {
      const Edge taken = diagram_.edge(node, i);
      const bool isChange = taken.place != path_.steps[level].place;
      collect(level + 1, taken.child, before + taken.before, changes - (isChange ? 1 : 0));
    }
  }

  /// Finds the next valid point below and above for each level, in no order.
  void collectAdjacent() {
    for (std::size_t level = 0; level < path_.steps.size(); ++level) {
      const Path::Step& step = path_.steps[level];
      const std::size_t count = diagram_.edgeCount(level, step.node);
      const std::size_t own = diagram_.firstEdgeFrom(level, step.node, step.place);
      const auto isFound = [&](std::size_t i) {
        const Edge taken = diagram_.edge(step.node, i);
        const auto rest = restOfPath(level + 1, taken.child);
        if (rest) found.push_back(rank_ - step.rest + taken.before + *rest);
        return rest.has_value();
      };
      for (std::size_t i = own; i-- > 0 && !isFound(i);) {
      }
      for (std::size_t i = own + 1; i < count && !isFound(i); ++i) {
      }
    }
  }

  std::vector<Rank> found;

 private:
  /// What the path's own places add to the rank from here on; empty if they lead nowhere from this node.
  std::optional<Rank> restOfPath(std::size_t level, NodeIndex node) const {
    Rank rest = 0;
    for (; level < path_.steps.size(); ++level) {
      if (node == path_.steps[level].node) return rest + path_.steps[level].rest;  // back on the path
      const auto taken = diagram_.edgeAt(level, node, path_.steps[level].place);
      if (!taken) return std::nullopt;
      rest += taken->before;
      node = taken->child;
    }
    return rest;
  }

  const Diagram& diagram_;
  const Path path_;
  const Rank rank_;
};

std::vector<Rank> Diagram::neighbours(Rank rank, std::size_t atMostChanged) const {
  NeighbourSearch search(*this, rank);
  search.found.reserve(32);
  search.collect(0, root_, 0, atMostChanged);
  return std::move(search.found);
}

std::vector<Rank> Diagram::adjacent(Rank rank) const {
  NeighbourSearch search(*this, rank);
  search.collectAdjacent();
  std::sort(search.found.begin(), search.found.end());
  return std::move(search.found);
}

// ---- nearest

/// Goes down nearest value first, and leaves out what is farther away than the best point so far even if all that
/// follows were as near as any value of its level is.
class Diagram::NearestSearch {
 public:
  NearestSearch(const Diagram& diagram, const std::vector<double>& position, const std::function<bool(Rank)>& accept)
      : diagram_(diagram), accept_(accept), aims_(diagram.levels_.size() + 1) {
    for (std::size_t l = diagram.levels_.size(); l-- > 0;) {
      const Level& level = diagram.levels_[l];
      Aim& aim = aims_[l];
      aim.position = position[level.parameter];
      const auto above = std::lower_bound(level.kept.begin(), level.kept.end(), aim.position);
      aim.above = static_cast<std::uint32_t>(above - level.kept.begin());
      double least = std::numeric_limits<double>::infinity();
      if (aim.above < level.kept.size()) least = distance(l, aim.above);
      if (aim.above > 0) least = std::min(least, distance(l, aim.above - 1));
      aim.leastFromHere = least + aims_[l + 1].leastFromHere;
    }
  }

  std::optional<Rank> run() {
    descend(0, diagram_.root_, 0, 0);
    return best_ == kNoRank ? std::nullopt : std::optional(best_);
  }

 private:
  struct Aim {
    double position = 0;
    std::uint32_t above = 0;   // the first place that is not below the position
    double leastFromHere = 0;  // the distance from this level to the end, were there no constraint between them
  };

  double distance(std::size_t level, std::uint32_t place) const {
    const Level& l = diagram_.levels_[level];
    const double difference = (l.kept[place] - aims_[level].position) * l.unit;
    return difference * difference;
  }

  void descend(std::size_t level, NodeIndex node, Rank before, double soFar) {
    if (level == diagram_.levels_.size()) {
      if (accept_ && !accept_(before)) {
        ++refused_;
        return;
      }
      best_ = before;  // only what is nearer, or as near with a lower rank, gets here
      bestDistance_ = soFar;
      slack_ = kRounding * (1 + soFar);
      return;
    }
    const bool isUniform = diagram_.nodes_[node].isUniform();
    const std::size_t count = diagram_.edgeCount(level, node);
    std::size_t above = diagram_.firstEdgeFrom(level, node, aims_[level].above), below = above;  // below: one too far
    const auto away = [&](std::size_t i) { return distance(level, diagram_.edge(node, i).place); };
    constexpr double kNowhere = std::numeric_limits<double>::infinity();
    double awayAbove = above < count ? away(above) : kNowhere, awayBelow = below > 0 ? away(below - 1) : kNowhere;
    while ((above < count || below > 0) && refused_ < kMaximumRefused) {
      const bool goesDown = awayBelow <= awayAbove + kRounding;
      const Edge taken = diagram_.edge(node, goesDown ? below - 1 : above);
      const double sum = soFar + (goesDown ? awayBelow : awayAbove);
      const double atLeast = sum + aims_[level + 1].leastFromHere;
      if (atLeast > bestDistance_ + slack_) return;  // so are all that follow
      const bool isNearer = atLeast < bestDistance_ - slack_;
      if (isNearer || before + taken.before < best_) descend(level + 1, taken.child, before + taken.before, sum);
      if (isUniform && !accept_) return;  // what follows is the same below any edge: the nearest is best
      if (goesDown) {
        awayBelow = --below > 0 ? away(below - 1) : kNowhere;
      } else {
        awayAbove = ++above < count ? away(above) : kNowhere;
      }
    }
  }

  static constexpr Rank kNoRank = std::numeric_limits<Rank>::max();

  const Diagram& diagram_;
  const std::function<bool(Rank)>& accept_;
  std::vector<Aim> aims_;
  Rank best_ = kNoRank;
  int refused_ = 0;
  double bestDistance_ = std::numeric_limits<double>::infinity();
  double slack_ = 0;
};

std::optional<Rank> Diagram::nearest(const std::vector<double>& position,
                                     const std::function<bool(Rank)>& accept) const {
  return NearestSearch(*this, position, accept).run();
}

}  // namespace hone::detail
