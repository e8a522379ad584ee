// The search algorithm: which configurations are worth a trial next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hone/api.h"
#include "hone/search_space.h"

namespace hone {

/// A candidate that was judged.
struct Trial {
  Rank rank = 0;
  /// Median cost divided by the default's, so that it means the same on every device; empty if the candidate failed.
  std::optional<double> relativeCost;
  /// How many measurements the cost stands for, in the unit of whoever judges: a trial that took twice as many launches
  /// as others may count twice.
  std::size_t measurements = 1;
};

/// What a session has learned so far, as strategies see it.
/// Thread safety: externally synchronised.
class HONE_API Evidence {
 public:
  /// In the order in which the candidates were judged. Where the default is in the space, it is the first.
  const std::vector<Trial>& trials() const { return trials_; }
  /// The trial of a configuration, or null if it was not judged yet.
  const Trial* find(Rank rank) const;
  /// The cheapest successful trial, or null if there is none; the earliest of equals.
  const Trial* best() const;

  /// REQUIRES: the rank was not added before
  void add(Trial trial);
  /// A judged candidate was measured again: this is what is known of it now. It keeps its place in the order.
  /// REQUIRES: the rank was added before
  void revise(const Trial& trial);
  /// How often trials were revised.
  std::size_t revisions() const { return revisions_; }

 private:
  std::vector<Trial> trials_;
  std::unordered_map<Rank, std::size_t> position_;
  std::size_t best_ = std::numeric_limits<std::size_t>::max();
  std::size_t revisions_ = 0;
};

/// A strategy's answer. No candidates and not converged means "not now": it waits for the trials it has asked for.
struct Proposal {
  std::vector<Rank> candidates;  // most wanted first
  bool isConverged = false;      // nothing else will be wanted once these were judged

  /// Judged candidates of which more should be known before anything new is tried, most wanted first: one of them may
  /// be the best, or only have been lucky. Whoever cannot or need not measure again ignores them.
  std::vector<Rank> remeasure{};
};

/// A search algorithm. It sees costs, never clocks, devices or threads. A program can bring its own: Options::strategy.
/// Thread safety: externally synchronised; each session has a strategy of its own.
class HONE_API Strategy {
 public:
  virtual ~Strategy() = default;

  /// Up to `atMost` configurations to try next. Asked several ahead, so that preparing overlaps running; asked again
  /// before those were judged, it gives the same list (a longer list begins with the shorter one): the session leaves
  /// out what is under way. Configurations already judged are a waste, and ignored.
  /// The same seed and the same evidence give the same proposals, however often it was asked in between.
  /// REQUIRES: space.size() > 0; space and evidence are those of the earlier calls, the evidence only longer or revised
  virtual Proposal propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) = 0;

  /// How many trials in a row without a new incumbent end the search, although the strategy would go on.
  virtual std::size_t patience() const { return 40; }
};

/// The strategies that come with the library: "annealing", "auto", "exhaustive", "nelder-mead", "random", "swarm".
/// Throws UsageError for another name, listing these.
HONE_API std::unique_ptr<Strategy> makeStrategy(const std::string& name, std::uint64_t seed);

/// The names that makeStrategy takes, in alphabetical order.
HONE_API std::vector<std::string> strategyNames();

}  // namespace hone
