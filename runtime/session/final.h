// The end of exploring: the few best of all run side by side, and the fastest stays.
//
// Two candidates that both raced the incumbent, at different times, were never compared with each other; and whoever
// won a short race may have been lucky. Here nothing is being prepared beside them, all see the same device, and
// earlier samples do not count.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "statistics/comparison.h"
#include "statistics/samples.h"

namespace hone::detail {

struct FinalThresholds {
  /// As good as the incumbent or nearly so, and kept for the final.
  std::size_t contenders = 4;
  /// Farther from the best one, no final would turn it.
  double contenderMargin = 0.03;
  /// All launches of a final, whoever it is between. With 6 entrants that is 15 rounds.
  std::size_t launches = 90;
  /// Rounds after which one drops out whose ratios all exceed the best one's by the margin above.
  std::size_t clearRounds = 5;
  /// Rounds after which errors tell. Where half of a configuration's samples are faster than the other half, 5 to 7 of
  /// them are of one kind by luck too often.
  std::size_t leastRounds = 10;
  /// Standard errors with which one drops out. More than in a race: each round looks again, and who drops out does not
  /// come back.
  double errors = 3;
  /// What differs by less ends as a tie.
  double worthKnowing = ComparisonThresholds().worthKnowing;
};

class Final {
 public:
  using EntryIndex = std::size_t;

  /// The incumbent, with which the others are compared, comes first. REQUIRES: one entrant at least, none twice
  explicit Final(const std::vector<EntryIndex>& entrants, const FinalThresholds& thresholds = {});

  /// Whose turn it is: one after the other, in rounds that begin with the incumbent; empty once all launches are used
  /// up.
  std::optional<EntryIndex> next() const;
  /// The one whose turn it is was launched.
  void countLaunch();
  bool isEntrant(EntryIndex entry) const;

  /// A ratio to the default's cost at that moment.
  void add(EntryIndex entry, double ratio);
  /// It failed.
  void remove(EntryIndex entry);

  /// Lets those drop out that are slower than the best beyond doubt. Returns whether that decides it: one is left, or
  /// the rest differs by less than is worth knowing.
  bool judge(double noise);

  /// The upper midmean of an entrant's ratios; empty while it has none, and for one that is none.
  std::optional<double> ratio(EntryIndex entry) const;
  /// Those still in that have ratios, the fastest first.
  std::vector<EntryIndex> ranking() const;

 private:
  struct Entrant {
    EntryIndex entry;
    SampleWindow ratios;
    bool isIn = true;
  };
  bool runs(std::size_t position) const { return position == 0 || entrants_[position].isIn; }
  bool haveAll(std::size_t rounds) const;
  void dropOut(Entrant& entrant);

  FinalThresholds thresholds_;
  std::vector<Entrant> entrants_;
  std::size_t turn_ = 0;
  std::size_t launches_ = 0;
};

}  // namespace hone::detail
