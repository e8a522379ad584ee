#include "heat/from_grid_to_grid.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

namespace hone::apps::heat {

namespace {

/// The trials of each problem, as far as its strategy has been told of them.
/// Thread safety: internally synchronised.
class Experience {
 public:
  /// Returns the problem's number.
  std::size_t addProblem() {
    const std::lock_guard<std::mutex> lock(mutex_);
    trials_.emplace_back();
    return trials_.size() - 1;
  }
  void remember(std::size_t problem, const std::vector<Trial>& trials) {
    const std::lock_guard<std::mutex> lock(mutex_);
    trials_[problem] = trials;
  }
  /// Of the problem, those that beat the default, the best first; the earlier of equals first.
  std::vector<Rank> best(std::size_t problem, std::size_t atMost) const {
    std::vector<Trial> better;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      std::copy_if(trials_[problem].begin(), trials_[problem].end(), std::back_inserter(better),
                   [](const Trial& trial) { return trial.relativeCost && *trial.relativeCost < 1; });
    }
    std::stable_sort(better.begin(), better.end(),
                     [](const Trial& a, const Trial& b) { return *a.relativeCost < *b.relativeCost; });
    std::vector<Rank> ranks;
    for (const Trial& trial : better) {
      if (ranks.size() < atMost) ranks.push_back(trial.rank);
    }
    return ranks;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::vector<Trial>> trials_;
};

class Inheriting final : public Strategy {
 public:
  Inheriting(std::unique_ptr<Strategy> inner, std::shared_ptr<Experience> experience, const FromGridToGrid& rule)
      : inner_(std::move(inner)), experience_(std::move(experience)), problem_(experience_->addProblem()), rule_(rule) {
    if (problem_ > 0) inherited_ = experience_->best(problem_ - 1, rule.inherited);
  }

  Proposal propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) override {
    experience_->remember(problem_, evidence.trials());
    Proposal proposal;
    const auto offer = [&](Rank rank) {
      std::vector<Rank>& list = proposal.candidates;
      if (list.size() < atMost && !evidence.find(rank) && std::find(list.begin(), list.end(), rank) == list.end())
        list.push_back(rank);
    };
    for (const Rank rank : inherited_) offer(rank);
    if (proposal.candidates.size() == atMost) return proposal;
    Proposal more = inner_->propose(space, evidence, atMost);
    for (const Rank rank : more.candidates) offer(rank);
    proposal.isConverged = more.isConverged;
    proposal.remeasure = std::move(more.remeasure);
    return proposal;
  }

  std::size_t patience() const override {
    if (problem_ > 0) return std::min(inner_->patience(), rule_.patienceLater);
    const bool hasLimit = inner_->patience() != std::numeric_limits<std::size_t>::max();
    return hasLimit ? std::min(inner_->patience(), rule_.patienceFirst) : inner_->patience();
  }

 private:
  std::unique_ptr<Strategy> inner_;
  std::shared_ptr<Experience> experience_;
  std::size_t problem_;
  FromGridToGrid rule_;
  std::vector<Rank> inherited_;  // of the problem before
};

}  // namespace

std::function<std::unique_ptr<Strategy>(std::uint64_t)> fromGridToGrid(const std::string& name,
                                                                       const FromGridToGrid& rule) {
  makeStrategy(name, 0);  // throws for an unknown one
  return [name, rule, experience = std::make_shared<Experience>()](std::uint64_t seed) -> std::unique_ptr<Strategy> {
    return std::make_unique<Inheriting>(makeStrategy(name, seed), experience, rule);
  };
}

}  // namespace hone::apps::heat
