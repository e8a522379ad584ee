// The end of exploring: the few best of all run side by side, and the fastest stays.
//
// Two candidates that both raced the incumbent, at different times, were never compared with each other; and whoever
// won a short race may have been lucky. Here nothing is being prepared beside them, all see the same device, and
// earlier samples do not count.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "statistics/samples.h"

namespace hone::detail {

class Final {
 public:
  using EntryIndex = std::size_t;

  /// The incumbent, with which the others are compared, comes first. REQUIRES: one entrant at least, none twice
  explicit Final(const std::vector<EntryIndex>& entrants);

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

  /// The median of an entrant's ratios; empty while it has none, and for one that is none.
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

  std::vector<Entrant> entrants_;
  std::size_t turn_ = 0;
  std::size_t launches_ = 0;
};

}  // namespace hone::detail
