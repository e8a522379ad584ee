#include "space/parameter_order.h"

#include <algorithm>
#include <limits>

namespace hone::detail {

namespace {

// Comparisons of frontiers for a group, beyond which no further first parameter is tried: some 100 us.
constexpr std::size_t kEffort = 2000;

class Ordering {
 public:
  Ordering(const std::vector<std::size_t>& counts, const std::vector<std::vector<std::size_t>>& constraints)
      : counts_(counts), constraints_(constraints), memberships_(counts.size()) {
    for (std::size_t c = 0; c < constraints.size(); ++c) {
      for (std::size_t p : constraints[c]) memberships_[p].push_back(c);
    }
  }

  std::vector<std::size_t> run() const {
    std::vector<std::size_t> order;
    std::vector<bool> isPlaced(counts_.size());
    for (std::size_t p = 0; p < counts_.size(); ++p) {
      if (isPlaced[p] || memberships_[p].empty()) continue;
      const std::vector<std::size_t> group = groupOf(p);
      for (std::size_t member : group) isPlaced[member] = true;
      const std::vector<std::size_t> best = cheapestOrder(group);
      order.insert(order.end(), best.begin(), best.end());
    }
    for (std::size_t p = 0; p < counts_.size(); ++p) {
      if (!isPlaced[p]) order.push_back(p);
    }
    return order;
  }

 private:
  /// All that constraints connect with the parameter, ascending.
  std::vector<std::size_t> groupOf(std::size_t first) const {
    std::vector<std::size_t> group{first};
    std::vector<bool> isIn(counts_.size());
    isIn[first] = true;
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t c : memberships_[group[i]]) {
        for (std::size_t p : constraints_[c]) {
          if (!isIn[p]) group.push_back(p);
          isIn[p] = true;
        }
      }
    }
    std::sort(group.begin(), group.end());
    return group;
  }

  std::vector<std::size_t> cheapestOrder(const std::vector<std::size_t>& group) const {
    std::vector<std::size_t> best;
    double lowestCost = std::numeric_limits<double>::infinity();
    const std::size_t effort = group.size() * group.size() / 2 + 1;
    const std::size_t attempts = std::min(group.size(), 1 + kEffort / effort);
    for (std::size_t i = 0; i < attempts; ++i) {
      double cost = 0;
      std::vector<std::size_t> order = greedyOrder(group, group[i], cost);
      if (best.empty() || cost < lowestCost) {
        lowestCost = cost;
        best = std::move(order);
      }
    }
    return best;
  }

  std::vector<std::size_t> greedyOrder(const std::vector<std::size_t>& group, std::size_t first, double& cost) const {
    std::vector<std::size_t> order, frontier;
    std::vector<std::size_t> left = group;
    std::vector<std::size_t> unbound(constraints_.size());  // parameters of each constraint
    for (std::size_t c = 0; c < constraints_.size(); ++c) unbound[c] = constraints_[c].size();
    double frontierSize = 1;
    for (std::size_t next = first;;) {
      cost += frontierSize * static_cast<double>(counts_[next]);
      order.push_back(next);
      left.erase(std::find(left.begin(), left.end(), next));
      if (left.empty()) return order;
      for (std::size_t c : memberships_[next]) --unbound[c];
      frontier.push_back(next);
      const auto isDone = [&](std::size_t p) {
        return std::all_of(memberships_[p].begin(), memberships_[p].end(),
                           [&](std::size_t c) { return unbound[c] == 0; });
      };
      frontier.erase(std::remove_if(frontier.begin(), frontier.end(), isDone), frontier.end());
      frontierSize = 1;
      for (std::size_t p : frontier) frontierSize *= static_cast<double>(counts_[p]);

      double smallest = std::numeric_limits<double>::infinity();
      next = left.front();
      for (std::size_t candidate : left) {
        const double size = sizeWith(candidate, frontier, unbound);
        if (size < smallest) {
          smallest = size;
          next = candidate;
        }
      }
    }
  }

  /// How large the frontier is once the candidate is bound as well.
  double sizeWith(std::size_t candidate, const std::vector<std::size_t>& frontier,
                  std::vector<std::size_t>& unbound) const {
    for (std::size_t c : memberships_[candidate]) --unbound[c];
    const auto factor = [&](std::size_t p) {
      const bool isDone =
          std::all_of(memberships_[p].begin(), memberships_[p].end(), [&](std::size_t c) { return unbound[c] == 0; });
      return isDone ? 1.0 : static_cast<double>(counts_[p]);
    };
    double size = factor(candidate);
    for (std::size_t p : frontier) size *= factor(p);
    for (std::size_t c : memberships_[candidate]) ++unbound[c];
    return size;
  }

  const std::vector<std::size_t>& counts_;
  const std::vector<std::vector<std::size_t>>& constraints_;
  std::vector<std::vector<std::size_t>> memberships_;  // the constraints that each parameter is in
};

}  // namespace

std::vector<std::size_t> parameterOrder(const std::vector<std::size_t>& counts,
                                        const std::vector<std::vector<std::size_t>>& constraints) {
  return Ordering(counts, constraints).run();
}

}  // namespace hone::detail
