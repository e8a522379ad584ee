// A search space as a decision diagram: all valid points in memory proportional to how the constraints tangle the
// parameters, not to how many points there are.
//
//        x                 level 0: the root has an edge for each value of x that some valid point has
//     1 / \ 2
//      y   y'              level 1: what may follow depends on x only through the constraints; prefixes with
//      ...                          the same continuations share one node
//      end                 below the last level: one node, the end of every valid point
//
// A level binds one parameter. Each path from the root to the end is a valid point and each valid point is one path.
// Every node knows how many paths lead from it to the end, and every edge how many the edges before it lead to: so
// ranks are sums along a path, and the r-th path is found by going down. Ranks order the points by their values'
// places, the first level's parameter first.
//
// A node from which all values of its level lead to the same child has no edges of its own (isUniform): a parameter in
// no constraint takes one node, however many values it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "hone/search_space.h"

namespace hone::detail {

/// Costs: rank and point a step a level, with a binary search among a node's edges; neighbours a path for each value;
/// nearest goes down best first, and turns back where it cannot get closer.
/// Thread safety: immutable.
class Diagram {
 public:
  using NodeIndex = std::uint32_t;
  static constexpr NodeIndex kEnd = 0;
  static constexpr NodeIndex kNone = std::numeric_limits<NodeIndex>::max();

  struct Level {
    std::size_t parameter;
    std::vector<std::uint32_t> kept;  // the positions in the parameter's range that have edges at all, ascending
    double unit;                      // of distances: 1 / steps of the parameter's whole range
  };
  struct Edge {
    Rank before;          // paths to the end over the edges before this one
    std::uint32_t place;  // in the level's kept positions
    NodeIndex child;
  };
  struct Node {
    Rank paths = 0;           // to the end
    NodeIndex first = kNone;  // its first edge or, if uniform, its child
    std::uint32_t edges = 0;  // 0: uniform

    bool isUniform() const { return edges == 0; }
  };

  /// An empty space: no path at all.
  Diagram() = default;
  /// REQUIRES: nodes[kEnd] is the end, edges of a node are in the order of their places, every edge leads to the end
  Diagram(std::vector<Level> levels, std::vector<Node> nodes, std::vector<Edge> edges, NodeIndex root)
      : levels_(std::move(levels)), nodes_(std::move(nodes)), edges_(std::move(edges)), root_(root) {}

  Rank size() const { return root_ == kNone ? 0 : nodes_[root_].paths; }
  std::size_t bytes() const;

  // Its structure, for those who build another from it. REQUIRES: size() > 0, but for levels()
  const std::vector<Level>& levels() const { return levels_; }
  NodeIndex root() const { return root_; }
  bool isUniform(NodeIndex node) const { return nodes_[node].isUniform(); }
  std::size_t edgeCount(std::size_t level, NodeIndex node) const {
    return nodes_[node].isUniform() ? levels_[level].kept.size() : nodes_[node].edges;
  }
  Edge edge(NodeIndex node, std::size_t i) const {
    const Node& n = nodes_[node];
    if (!n.isUniform()) return edges_[n.first + i];
    return {i * nodes_[n.first].paths, static_cast<std::uint32_t>(i), n.first};
  }

  // What SearchSpace offers, with the same requirements.
  Point point(Rank rank) const;
  std::optional<Rank> rank(const Point& point) const;
  std::vector<Rank> neighbours(Rank rank, std::size_t atMostChanged) const;
  std::vector<Rank> adjacent(Rank rank) const;
  /// Of the points that `accept` takes; null: of all. Empty if it takes none of the first few thousand that were closer
  /// than any before.
  std::optional<Rank> nearest(const std::vector<double>& position,
                              const std::function<bool(Rank)>& accept = nullptr) const;

 private:
  struct Path;
  class NeighbourSearch;
  class NearestSearch;

  /// The number of the edge over which the node's path of this rank leads.
  std::size_t edgeWith(NodeIndex node, Rank rank) const;
  /// The number of the node's first edge whose place is not below this one.
  std::size_t firstEdgeFrom(std::size_t level, NodeIndex node, std::uint32_t place) const;
  std::optional<Edge> edgeAt(std::size_t level, NodeIndex node, std::uint32_t place) const;

  std::vector<Level> levels_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  NodeIndex root_ = kNone;
};

}  // namespace hone::detail
