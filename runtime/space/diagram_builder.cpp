#include "space/diagram_builder.h"

#include <algorithm>
#include <string>

#include "space/expression_node.h"
#include "space/parameter_order.h"
#include "space/program.h"

namespace hone::detail {

namespace {

using NodeIndex = Diagram::NodeIndex;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;  // 2^64 / golden ratio, odd
  return hash ^ (hash >> 32);
}

/// Finds items by content: open addressing over their indices.
class IndexTable {
 public:
  explicit IndexTable(std::size_t expected) {
    std::size_t size = 16;
    while (size < 2 * expected) size *= 2;
    slots_.assign(size, Slot{});
  }

  /// The index of an equal item, or `candidate`, which is then kept.
  template <class IsEqual>
  std::uint32_t findOrAdd(std::uint64_t hash, std::uint32_t candidate, const IsEqual& isEqual) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    for (std::size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[i];
      if (slot.index == kFree) {
        slot = {hash, candidate};
        ++count_;
        return candidate;
      }
      if (slot.hash == hash && isEqual(slot.index)) return slot.index;
    }
  }

 private:
  static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t index = kFree;
  };

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.index == kFree) continue;
      std::size_t i = slot.hash & (slots_.size() - 1);
      while (slots_[i].index != kFree) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

struct Constraint {
  const ExpressionNode* condition;
  std::vector<std::size_t> reads;  // parameters, ascending
};

/// Splits conjunctions, whose halves must hold each.
void collect(const ExpressionNode& condition, std::vector<Constraint>& constraints) {
  if (condition.operation == Operation::logicalAnd) {
    for (const NodePointer& operand : condition.operands) collect(*operand, constraints);
    return;
  }
  Constraint constraint{&condition, {}};
  forEachRead(condition, [&](const ExpressionNode& read) {
    if (read.operation == Operation::parameter) constraint.reads.push_back(read.index);
  });
  std::sort(constraint.reads.begin(), constraint.reads.end());
  constraint.reads.erase(std::unique(constraint.reads.begin(), constraint.reads.end()), constraint.reads.end());
  constraints.push_back(std::move(constraint));
}

class Builder {
 public:
  Builder(const DeclarationData& declarations, const std::vector<const ConstraintDeclaration*>& constraints,
          const std::int64_t* problem)
      : declarations_(declarations), problem_(problem) {
    for (const ConstraintDeclaration* constraint : constraints) collect(constraint->condition.node(), constraints_);
  }

  BuiltDiagram build() {
    if (!shrinkValues()) return {};
    for (;;) {
      order();
      const Expansion expansion = expand();
      if (expansion == Expansion::empty) return {};
      if (expansion == Expansion::done) return {reduce(), std::move(unchecked_)};
    }
  }

 private:
  enum class Expansion {
    done,
    empty,
    tooMuch  // a constraint less is left
  };

  /// What level by level is known on the way down.
  struct Layer {
    std::size_t parameter = 0;
    std::vector<std::size_t> frontier;  // parameters whose values make the states of this level
    std::vector<Program> checks;        // of constraints whose last parameter this level binds; slots: see slotOf
    std::vector<std::size_t> carried;   // the slots that make the next level's state
    // Transitions: those of state s are firstOf[s] .. firstOf[s + 1].
    std::vector<std::size_t> firstOf;
    std::vector<std::uint32_t> places;
    std::vector<std::uint32_t> nextStates;

    /// The parameter is in no constraint that is left: its values multiply, and make no transitions.
    bool isFree() const { return checks.empty() && carried.empty(); }
  };

  /// False if no configuration is left.
  bool shrinkValues() {
    const std::size_t dimensions = declarations_.parameters.size();
    kept_.resize(dimensions);
    for (std::size_t p = 0; p < dimensions; ++p) {
      kept_[p].resize(declarations_.parameters[p].values.size());
      for (std::size_t i = 0; i < kept_[p].size(); ++i) kept_[p][i] = static_cast<std::uint32_t>(i);
    }
    std::vector<Constraint> coupling;
    for (Constraint& constraint : constraints_) {
      if (constraint.reads.size() > 1) {
        coupling.push_back(std::move(constraint));
        continue;
      }
      const Program program(
          *constraint.condition, [](std::size_t) { return std::size_t{0}; }, problem_);
      stack_.resize(std::max(stack_.size(), program.stackSize()));
      if (constraint.reads.empty()) {
        if (!program.run(nullptr, stack_.data()).isTrue()) return false;
        continue;
      }
      const std::size_t p = constraint.reads[0];
      const std::vector<std::int64_t>& values = declarations_.parameters[p].values;
      const auto isExcluded = [&](std::uint32_t i) { return !program.run(&values[i], stack_.data()).isTrue(); };
      kept_[p].erase(std::remove_if(kept_[p].begin(), kept_[p].end(), isExcluded), kept_[p].end());
      if (kept_[p].empty()) return false;
    }
    constraints_ = std::move(coupling);
    return true;
  }

  void order() {
    std::vector<std::size_t> counts;
    for (const auto& kept : kept_) counts.push_back(kept.size());
    std::vector<std::vector<std::size_t>> reads;
    for (const Constraint& constraint : constraints_) reads.push_back(constraint.reads);
    const std::vector<std::size_t> order = parameterOrder(counts, reads);

    std::vector<std::size_t> levelOf(order.size());
    for (std::size_t l = 0; l < order.size(); ++l) levelOf[order[l]] = l;
    // A parameter stays in the frontier up to the last level at which a constraint that reads it is checked.
    std::vector<std::size_t> lastNeeded(order.size());
    std::vector<std::vector<const Constraint*>> checked(order.size());
    for (const Constraint& constraint : constraints_) {
      std::size_t last = 0;
      for (std::size_t p : constraint.reads) last = std::max(last, levelOf[p]);
      for (std::size_t p : constraint.reads) lastNeeded[p] = std::max(lastNeeded[p], last);
      checked[last].push_back(&constraint);
    }
    layers_.assign(order.size(), Layer{});
    evaluations_ = edges_ = 0;
    std::vector<std::size_t> frontier;
    for (std::size_t l = 0; l < order.size(); ++l) {
      Layer& layer = layers_[l];
      layer.parameter = order[l];
      layer.frontier = frontier;
      frontier.push_back(order[l]);  // now as slots: the state's values, then the new one
      const auto slotOf = [&](std::size_t p) {
        return static_cast<std::size_t>(std::find(frontier.begin(), frontier.end(), p) - frontier.begin());
      };
      for (const Constraint* constraint : checked[l]) {
        layer.checks.emplace_back(*constraint->condition, slotOf, problem_);
        stack_.resize(std::max(stack_.size(), layer.checks.back().stackSize()));
      }
      for (std::size_t slot = 0; slot < frontier.size(); ++slot) {
        if (lastNeeded[frontier[slot]] > l) layer.carried.push_back(slot);
      }
      std::vector<std::size_t> next;
      for (std::size_t slot : layer.carried) next.push_back(frontier[slot]);
      frontier = std::move(next);
    }
  }

  Expansion expand() {
    std::vector<std::int64_t> states;  // one after the other, a value per parameter of the frontier
    std::size_t stateCount = 1;
    for (Layer& layer : layers_) {
      if (layer.isFree()) continue;  // there is one state, before and after
      const std::vector<std::int64_t>& values = declarations_.parameters[layer.parameter].values;
      const std::vector<std::uint32_t>& kept = kept_[layer.parameter];
      const std::size_t width = layer.frontier.size(), nextWidth = layer.carried.size();
      std::vector<std::int64_t> slots(width + 1), nextStates, next(nextWidth);
      std::uint32_t nextCount = 0;
      IndexTable table(stateCount);
      for (std::size_t state = 0; state < stateCount; ++state) {
        if (evaluations_ > kMaximumEvaluations || edges_ > kMaximumEdges) {
          leaveOut(layer);
          return Expansion::tooMuch;
        }
        layer.firstOf.push_back(layer.places.size());
        std::copy_n(states.begin() + static_cast<std::ptrdiff_t>(state * width), width, slots.begin());
        for (std::size_t place = 0; place < kept.size(); ++place) {
          slots[width] = values[kept[place]];
          if (!isValid(layer, slots.data())) continue;
          std::uint64_t hash = 0;
          for (std::size_t i = 0; i < nextWidth; ++i) {
            next[i] = slots[layer.carried[i]];
            hash = mixed(hash, static_cast<std::uint64_t>(next[i]));
          }
          const std::uint32_t found = table.findOrAdd(hash, nextCount, [&](std::uint32_t other) {
            return std::equal(next.begin(), next.end(),
                              nextStates.begin() + static_cast<std::ptrdiff_t>(other * nextWidth));
          });
          if (found == nextCount) {
            nextStates.insert(nextStates.end(), next.begin(), next.end());
            ++nextCount;
          }
          ++edges_;
          layer.places.push_back(static_cast<std::uint32_t>(place));
          layer.nextStates.push_back(found);
        }
      }
      layer.firstOf.push_back(layer.places.size());
      if (nextCount == 0) return Expansion::empty;
      states = std::move(nextStates);
      stateCount = nextCount;
    }
    return Expansion::done;
  }

  bool isValid(const Layer& layer, const std::int64_t* slots) {
    for (const Program& check : layer.checks) {
      ++evaluations_;
      if (!check.run(slots, stack_.data()).isTrue()) return false;
    }
    return true;
  }

  /// Gives up the constraint that reads the most combinations of values, of those that the layer has to do with.
  void leaveOut(const Layer& layer) {
    const auto isOfLayer = [&](std::size_t p) {
      return p == layer.parameter || std::find(layer.frontier.begin(), layer.frontier.end(), p) != layer.frontier.end();
    };
    auto worst = constraints_.end();
    double most = 0;
    for (auto constraint = constraints_.begin(); constraint != constraints_.end(); ++constraint) {
      if (std::none_of(constraint->reads.begin(), constraint->reads.end(), isOfLayer)) continue;
      double combinations = 1;
      for (std::size_t p : constraint->reads) combinations *= static_cast<double>(kept_[p].size());
      if (combinations <= most) continue;
      most = combinations;
      worst = constraint;
    }
    unchecked_.push_back(worst->condition);
    constraints_.erase(worst);
  }

  [[noreturn]] void throwTooMany() const {
    throw UsageError(declarations_.owner + ": 2^63 configurations or more are valid");
  }

  Diagram reduce() {
    std::vector<Diagram::Node> nodes(1);
    nodes[Diagram::kEnd].paths = 1;
    std::vector<Diagram::Edge> edges;
    std::vector<NodeIndex> below{Diagram::kEnd};  // the node of each state of the level below
    for (std::size_t l = layers_.size(); l-- > 0;) {
      Layer& layer = layers_[l];
      if (layer.isFree()) {
        Rank paths = 0;
        if (__builtin_mul_overflow(nodes[below[0]].paths, kept_[layer.parameter].size(), &paths) || paths >> 63)
          throwTooMany();
        nodes.push_back({paths, below[0], 0});
        below[0] = static_cast<NodeIndex>(nodes.size() - 1);
        continue;
      }
      const std::size_t stateCount = layer.firstOf.size() - 1;
      IndexTable table(stateCount);
      std::vector<NodeIndex> nodeOf(stateCount);
      for (std::size_t state = 0; state < stateCount; ++state)
        nodeOf[state] = makeNode(layer, state, below, nodes, edges, table);
      below = std::move(nodeOf);
      layer = {layer.parameter, {}, {}, {}, {}, {}, {}};
    }
    if (below[0] == Diagram::kNone) return {};

    std::vector<Diagram::Level> levels;
    for (const Layer& layer : layers_) {
      const std::size_t range = declarations_.parameters[layer.parameter].values.size();
      levels.push_back(
          {layer.parameter, std::move(kept_[layer.parameter]), 1 / std::max(1.0, static_cast<double>(range) - 1)});
    }
    nodes.shrink_to_fit();
    edges.shrink_to_fit();
    return Diagram(std::move(levels), std::move(nodes), std::move(edges), below[0]);
  }

  NodeIndex makeNode(const Layer& layer, std::size_t state, const std::vector<NodeIndex>& below,
                     std::vector<Diagram::Node>& nodes, std::vector<Diagram::Edge>& edges, IndexTable& table) const {
    const std::size_t first = edges.size();
    Rank paths = 0;
    std::uint64_t hash = 0;
    bool hasOneChild = true;
    for (std::size_t i = layer.firstOf[state]; i < layer.firstOf[state + 1]; ++i) {
      const NodeIndex child = below[layer.nextStates[i]];
      if (child == Diagram::kNone) continue;
      edges.push_back({paths, layer.places[i], child});
      hasOneChild = hasOneChild && child == edges[first].child;
      hash = mixed(hash, std::uint64_t{layer.places[i]} << 32 | child);
      paths += nodes[child].paths;  // both are at most 2^63
      if (paths >> 63) throwTooMany();
    }
    const std::size_t count = edges.size() - first;
    if (count == 0) return Diagram::kNone;

    Diagram::Node node{paths, static_cast<NodeIndex>(first), static_cast<std::uint32_t>(count)};
    if (hasOneChild && count == kept_[layer.parameter].size()) node = {paths, edges[first].child, 0};
    const auto isEqual = [&](NodeIndex other) {
      const Diagram::Node& o = nodes[other];
      if (o.edges != node.edges) return false;
      if (o.isUniform()) return o.first == node.first;
      return std::equal(
          edges.begin() + o.first, edges.begin() + o.first + o.edges,
          edges.begin() + static_cast<std::ptrdiff_t>(first), edges.end(),
          [](const Diagram::Edge& a, const Diagram::Edge& b) { return a.place == b.place && a.child == b.child; });
    };
    const auto candidate = static_cast<NodeIndex>(nodes.size());
    const NodeIndex found = table.findOrAdd(hash, candidate, isEqual);
    if (found == candidate) nodes.push_back(node);
    if (found != candidate || node.isUniform()) edges.resize(first);
    return found;
  }

  const DeclarationData& declarations_;
  const std::int64_t* problem_;
  std::vector<Constraint> constraints_;           // after shrinkValues, those of several parameters
  std::vector<std::vector<std::uint32_t>> kept_;  // positions, for each parameter
  std::vector<Layer> layers_;
  std::vector<std::int64_t> stack_;
  std::vector<const ExpressionNode*> unchecked_;
  std::uint64_t evaluations_ = 0;
  std::size_t edges_ = 0;
};

}  // namespace

BuiltDiagram buildDiagram(const DeclarationData& declarations,
                          const std::vector<const ConstraintDeclaration*>& constraints, const std::int64_t* problem) {
  return Builder(declarations, constraints, problem).build();
}

}  // namespace hone::detail
