// Turns costs into ratios that can be compared: a sample counts once the incumbent's launches before and after it were
// undisturbed.
//
//   sandwich.addOther(entry, cost, isFirst);                  // a candidate's or the default's, between the
//   incumbent's switch (sandwich.addIncumbent(cost, relativeCost)) ...    // then counted() has the ratio
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "session/yardstick.h"
#include "statistics/samples.h"

namespace hone::detail {

struct SandwichThresholds {
  YardstickThresholds yardstick;
  /// So many far samples in a row among near ones are the configuration's own, more are the device's.
  std::size_t outliersInARow = 3;
  /// So many of the default's samples in a row tell that a disturbance is the incumbent's own. Fewer than the far
  /// samples that make a new level, between which they are taken.
  std::size_t witnesses = 3;
};

/// All ratios are to the default's cost at that moment. Allocates nothing after its construction.
/// Thread safety: externally synchronised.
class Sandwich {
 public:
  using EntryIndex = std::size_t;

  struct Sample {
    EntryIndex entry;
    double value;  // the cost, or the ratio
    bool isFirst;  // a candidate's first launch
  };

  explicit Sandwich(const SandwichThresholds& thresholds = {});

  const Yardstick& yardstick() const { return yardstick_; }

  // ---- the incumbent's samples

  /// The incumbent costs `relativeCost` times what the default does. After `near`, counted() and outliers() are those
  /// that this sample decides on; after `far`, counted() is empty.
  Yardstick::Seen addIncumbent(double cost, double relativeCost);
  /// The same with the default's, while the incumbent is away: nobody else knows what the device does meanwhile.
  Yardstick::Seen addDefaultAlone(double cost, double relativeCost);
  /// Samples, now ratios, that were taken between undisturbed launches of the incumbent.
  const std::vector<Sample>& counted() const { return counted_; }
  /// The far samples that turned out to be the configuration's own: its mean has them, its median does not need them.
  const std::vector<double>& outliers() const { return outliers_; }
  /// After `far`: a first launch of that entry that waited, compared with the slowest that the device was around it.
  std::optional<double> disturbedFirst(EntryIndex entry) const;

  // ---- others' samples

  /// Waits for the incumbent's next sample, while the device is calm.
  void addOther(EntryIndex entry, double cost, bool isFirst);
  /// Samples that wait.
  const std::vector<Sample>& waiting() const { return waiting_; }
  void dropWaiting() { waiting_.clear(); }

  // ---- while the device is not calm

  /// The default's sample. Returns whether the default is as ever, so that it is not the device that has changed.
  bool witness(double cost, double relativeCostOfDefault);
  /// Whether enough witnesses say so.
  bool isIncumbentToBlame() const { return witnesses_ >= thresholds_.witnesses; }
  /// Takes the incumbent's far samples for its own, as outliers(), and its latest ones for what it costs now; the
  /// device counts as calm. Returns the incumbent's ratio.
  double blameIncumbent();

  /// The final is over: what waited is not needed any more.
  void endDisturbance() {
    waiting_.clear();
    far_.clear();
  }
  /// Another incumbent is compared with, or another device.
  void forget();

 private:
  Yardstick::Seen addToYardstick(double cost, double relativeCost);

  SandwichThresholds thresholds_;
  Yardstick yardstick_;
  std::vector<Sample> waiting_;
  std::vector<Sample> counted_;
  std::vector<double> far_;  // the incumbent's ratios in the disturbance that lasts
  std::vector<double> outliers_;
  std::vector<Sample> disturbed_;  // those that waited when the latest far sample came
  double disturbedLevel_ = 0;
  std::size_t witnesses_ = 0;
  SampleWindow latest_;  // the incumbent's ratios, near and far
};

}  // namespace hone::detail
