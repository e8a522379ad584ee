#include "space/restriction.h"

#include <algorithm>
#include <limits>
#include <string>

#include "hone/error.h"
#include "space/index_table.h"
#include "space/program.h"

namespace hone::detail {

namespace {

using NodeIndex = Diagram::NodeIndex;

constexpr std::uint32_t kNoPlace = std::numeric_limits<std::uint32_t>::max();

class Restricting {
 public:
  Restricting(const Diagram& base, const KeptValues& kept, const std::vector<Conjunct>& conjuncts,
              const std::int64_t* problem, const BuildingLimits& limits, const std::string& owner)
      : base_(base), kept_(kept), problem_(problem), limits_(limits), owner_(owner) {
    plan(conjuncts);
  }

  Restriction run() {
    std::vector<std::size_t> tangled = expand();
    if (!tangled.empty()) return {{}, std::move(tangled)};
    return {reduce(), {}};
  }

 private:
  /// What level by level is known on the way down.
  struct Layer {
    std::size_t parameter = 0;
    std::vector<std::size_t> frontier;             // parameters whose values are in the states of this level
    std::vector<Program> checks;                   // of conjuncts whose last parameter this level binds
    std::vector<const ExpressionNode*> prospects;  // of conjuncts that it binds one more parameter of, not the last
    std::vector<std::size_t> carried;              // the slots that are in the next level's state
    std::vector<std::uint32_t> placeOf;            // of the base's places: here, or kNoPlace
    bool isFree = false;                           // no check here or later needs to know the value
    // Transitions: those of state s are firstOf[s] .. firstOf[s + 1].
    std::vector<std::size_t> firstOf;
    std::vector<std::uint32_t> places;  // kNoPlace: the state has one transition, which stands for every kept value
    std::vector<std::uint32_t> nextStates;
  };

  /// Prefixes that are not told apart: a node of the base and as many values as the frontier has.
  struct States {
    std::vector<NodeIndex> nodes;
    std::vector<std::int64_t> values;
    std::vector<bool> areDead;  // they cannot lead to the end, and no transition leads to them
  };

  void plan(const std::vector<Conjunct>& conjuncts) {
    const std::vector<Diagram::Level>& levels = base_.levels();
    std::vector<std::size_t> levelOf(levels.size());
    for (std::size_t l = 0; l < levels.size(); ++l) levelOf[levels[l].parameter] = l;
    // A parameter stays in the frontier up to the last level at which a conjunct that reads it is checked.
    std::vector<std::size_t> lastNeeded(levels.size());
    std::vector<std::vector<const Conjunct*>> checked(levels.size());
    layers_.resize(levels.size());
    for (const Conjunct& conjunct : conjuncts) {
      std::size_t last = 0;
      for (std::size_t p : conjunct.reads) last = std::max(last, levelOf[p]);
      for (std::size_t p : conjunct.reads) {
        lastNeeded[p] = std::max(lastNeeded[p], last);
        if (levelOf[p] != last && doBoundsTell(*conjunct.condition))
          layers_[levelOf[p]].prospects.push_back(conjunct.condition);
      }
      checked[last].push_back(&conjunct);
    }
    std::vector<std::size_t> frontier;
    for (std::size_t l = 0; l < levels.size(); ++l) {
      Layer& layer = layers_[l];
      layer.parameter = levels[l].parameter;
      layer.frontier = frontier;
      frontier.push_back(layer.parameter);  // now as slots: the state's values, then the new one
      const auto slotOf = [&](std::size_t p) {
        return static_cast<std::size_t>(std::find(frontier.begin(), frontier.end(), p) - frontier.begin());
      };
      for (const Conjunct* conjunct : checked[l]) {
        layer.checks.emplace_back(*conjunct->condition, slotOf, problem_);
        stack_.resize(std::max(stack_.size(), layer.checks.back().stackSize()));
      }
      for (std::size_t slot = 0; slot < frontier.size(); ++slot) {
        if (lastNeeded[frontier[slot]] > l) layer.carried.push_back(slot);
      }
      layer.isFree = layer.checks.empty() && (layer.carried.empty() || layer.carried.back() != layer.frontier.size());
      layer.placeOf = placesIn(levels[l]);
      std::vector<std::size_t> next;
      for (std::size_t slot : layer.carried) next.push_back(frontier[slot]);
      frontier = std::move(next);
    }
  }

  std::vector<std::uint32_t> placesIn(const Diagram::Level& level) const {
    const std::vector<std::uint32_t>& positions = kept_.positions(level.parameter);
    std::vector<std::uint32_t> places(level.kept.size(), kNoPlace);
    std::uint32_t place = 0;
    for (std::size_t i = 0; i < places.size() && place < positions.size(); ++i) {
      if (level.kept[i] == positions[place]) places[i] = place++;
    }
    return places;
  }

  /// Empty, or the parameters whose values multiply where a limit was exceeded.
  std::vector<std::size_t> expand() {
    States states{{base_.root()}, {}, {false}};
    std::vector<Bounds> bounds = kept_.bounds();
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      Layer& layer = layers_[l];
      const std::size_t width = layer.frontier.size(), nextWidth = layer.carried.size();
      States next;
      std::vector<std::int64_t> slots(width + 1);
      IndexTable table(states.nodes.size());

      const auto addTransition = [&](std::uint32_t place, NodeIndex child) {
        std::uint64_t hash = mixed(0, child);
        for (std::size_t slot : layer.carried) hash = mixed(hash, static_cast<std::uint64_t>(slots[slot]));
        const auto candidate = static_cast<std::uint32_t>(next.nodes.size());
        const std::uint32_t found = table.findOrAdd(hash, candidate, [&](std::uint32_t other) {
          const std::int64_t* const values = next.values.data() + other * nextWidth;
          return next.nodes[other] == child &&
                 std::equal(layer.carried.begin(), layer.carried.end(), values,
                            [&](std::size_t slot, std::int64_t value) { return slots[slot] == value; });
        });
        if (found == candidate) {
          next.nodes.push_back(child);
          for (std::size_t slot : layer.carried) next.values.push_back(slots[slot]);
          next.areDead.push_back(!hasProspects(layer, slots, bounds));
        }
        if (next.areDead[found]) return;
        ++edges_;
        layer.places.push_back(place);
        layer.nextStates.push_back(found);
      };

      for (std::size_t state = 0; state < states.nodes.size(); ++state) {
        if (evaluations_ > limits_.evaluations || edges_ > limits_.edges) {
          std::vector<std::size_t> tangled = layer.frontier;
          tangled.push_back(layer.parameter);
          return tangled;
        }
        layer.firstOf.push_back(layer.places.size());
        if (states.areDead[state]) continue;
        const NodeIndex node = states.nodes[state];
        std::copy_n(states.values.begin() + static_cast<std::ptrdiff_t>(state * width), width, slots.begin());
        if (layer.isFree && base_.isUniform(node)) {
          addTransition(kNoPlace, base_.edge(node, 0).child);
          continue;
        }
        const std::size_t edgeCount = base_.edgeCount(l, node);
        for (std::size_t i = 0; i < edgeCount; ++i) {
          const Diagram::Edge edge = base_.edge(node, i);
          const std::uint32_t place = layer.placeOf[edge.place];
          if (place == kNoPlace) continue;
          slots[width] = kept_.value(layer.parameter, place);
          if (isValid(layer, slots.data())) addTransition(place, edge.child);
        }
      }
      layer.firstOf.push_back(layer.places.size());
      states = std::move(next);
    }
    return {};
  }

  bool isValid(const Layer& layer, const std::int64_t* slots) {
    for (const Program& check : layer.checks) {
      ++evaluations_;
      if (!check.run(slots, stack_.data()).isTrue()) return false;
    }
    return true;
  }

  /// Whether the conjuncts that the layer's parameter has come into can still hold. In `bounds`, those of the
  /// parameters that are unbound here are what they have left; what such a conjunct reads of the others is in the
  /// slots.
  bool hasProspects(const Layer& layer, const std::vector<std::int64_t>& slots, std::vector<Bounds>& bounds) {
    if (layer.prospects.empty()) return true;
    for (std::size_t slot : layer.carried) {
      const std::size_t parameter = slot < layer.frontier.size() ? layer.frontier[slot] : layer.parameter;
      bounds[parameter] = {slots[slot], slots[slot]};
    }
    evaluations_ += layer.prospects.size();
    return std::all_of(layer.prospects.begin(), layer.prospects.end(),
                       [&](const ExpressionNode* condition) { return canHold(*condition, bounds, problem_); });
  }

  [[noreturn]] void throwTooMany() const { throw UsageError(owner_ + ": 2^63 configurations or more are valid"); }

  Diagram reduce() {
    nodes_.resize(1);
    nodes_[Diagram::kEnd].paths = 1;
    std::vector<NodeIndex> below{Diagram::kEnd};  // the node of each state of the level below
    for (std::size_t l = layers_.size(); l-- > 0;) {
      Layer& layer = layers_[l];
      const std::size_t stateCount = layer.firstOf.size() - 1;
      IndexTable table(stateCount);
      std::vector<NodeIndex> nodeOf(stateCount);
      for (std::size_t state = 0; state < stateCount; ++state) nodeOf[state] = makeNode(layer, state, below, table);
      below = std::move(nodeOf);
      layer.firstOf = {};
      layer.places = layer.nextStates = {};
    }
    if (below[0] == Diagram::kNone) return {};

    std::vector<Diagram::Level> levels = base_.levels();
    for (Diagram::Level& level : levels) level.kept = kept_.positions(level.parameter);
    nodes_.shrink_to_fit();
    edgesBuilt_.shrink_to_fit();
    return Diagram(std::move(levels), std::move(nodes_), std::move(edgesBuilt_), below[0]);
  }

  NodeIndex makeNode(const Layer& layer, std::size_t state, const std::vector<NodeIndex>& below, IndexTable& table) {
    const std::size_t first = layer.firstOf[state], end = layer.firstOf[state + 1];
    const std::size_t keptCount = kept_.count(layer.parameter);
    if (end - first == 1 && layer.places[first] == kNoPlace) {
      const NodeIndex child = below[layer.nextStates[first]];
      return child == Diagram::kNone ? child : uniformNode(child, keptCount, table);
    }
    const std::size_t firstEdge = edgesBuilt_.size();
    Rank paths = 0;
    std::uint64_t hash = 0;
    bool hasOneChild = true;
    for (std::size_t i = first; i < end; ++i) {
      const NodeIndex child = below[layer.nextStates[i]];
      if (child == Diagram::kNone) continue;
      edgesBuilt_.push_back({paths, layer.places[i], child});
      hasOneChild = hasOneChild && child == edgesBuilt_[firstEdge].child;
      hash = mixed(hash, std::uint64_t{layer.places[i]} << 32 | child);
      paths += nodes_[child].paths;  // both are below 2^63
      if (paths >> 63) throwTooMany();
    }
    const std::size_t count = edgesBuilt_.size() - firstEdge;
    if (count == 0) return Diagram::kNone;
    if (hasOneChild && count == keptCount) {
      const NodeIndex child = edgesBuilt_[firstEdge].child;
      edgesBuilt_.resize(firstEdge);
      return uniformNode(child, keptCount, table);
    }
    const auto isEqual = [&](NodeIndex other) {
      const Diagram::Node& o = nodes_[other];
      return o.edges == count && std::equal(edgesBuilt_.begin() + o.first, edgesBuilt_.begin() + o.first + o.edges,
                                            edgesBuilt_.begin() + static_cast<std::ptrdiff_t>(firstEdge),
                                            [](const Diagram::Edge& a, const Diagram::Edge& b) {
                                              return a.place == b.place && a.child == b.child;
                                            });
    };
    const std::size_t nodesBefore = nodes_.size();
    const NodeIndex found =
        addOnce({paths, static_cast<NodeIndex>(firstEdge), static_cast<std::uint32_t>(count)}, hash, table, isEqual);
    if (nodes_.size() == nodesBefore) edgesBuilt_.resize(firstEdge);
    return found;
  }

  NodeIndex uniformNode(NodeIndex child, std::size_t edges, IndexTable& table) {
    Rank paths = 0;
    if (__builtin_mul_overflow(nodes_[child].paths, edges, &paths) || paths >> 63) throwTooMany();
    const std::uint64_t hash = mixed(1, child);
    return addOnce({paths, child, 0}, hash, table,
                   [&](NodeIndex other) { return nodes_[other].isUniform() && nodes_[other].first == child; });
  }

  template <class IsEqual>
  NodeIndex addOnce(const Diagram::Node& node, std::uint64_t hash, IndexTable& table, const IsEqual& isEqual) {
    const auto candidate = static_cast<NodeIndex>(nodes_.size());
    const NodeIndex found = table.findOrAdd(hash, candidate, isEqual);
    if (found == candidate) nodes_.push_back(node);
    return found;
  }

  const Diagram& base_;
  const KeptValues& kept_;
  const std::int64_t* problem_;
  const BuildingLimits& limits_;
  const std::string& owner_;
  std::vector<Layer> layers_;
  std::vector<std::int64_t> stack_;
  std::uint64_t evaluations_ = 0;
  std::size_t edges_ = 0;
  std::vector<Diagram::Node> nodes_;  // of the result
  std::vector<Diagram::Edge> edgesBuilt_;
};

}  // namespace

Restriction restrict(const Diagram& base, const KeptValues& kept, const std::vector<Conjunct>& conjuncts,
                     const std::int64_t* problem, const BuildingLimits& limits, const std::string& owner) {
  return Restricting(base, kept, conjuncts, problem, limits, owner).run();
}

}  // namespace hone::detail
