#include "session/final.h"

#include <algorithm>

namespace hone::detail {

Final::Final(const std::vector<EntryIndex>& entrants, const FinalThresholds& thresholds) : thresholds_(thresholds) {
  for (EntryIndex entry : entrants) entrants_.push_back({entry, {}, true});
}

std::optional<Final::EntryIndex> Final::next() const {
  if (launches_ >= thresholds_.launches) return std::nullopt;
  return entrants_[turn_].entry;
}

void Final::countLaunch() {
  ++launches_;
  do {
    turn_ = (turn_ + 1) % entrants_.size();
  } while (!runs(turn_));
}

bool Final::isEntrant(EntryIndex entry) const {
  return std::any_of(entrants_.begin(), entrants_.end(), [&](const Entrant& e) { return e.entry == entry; });
}

void Final::add(EntryIndex entry, double ratio) {
  for (Entrant& entrant : entrants_) {
    if (entrant.entry == entry) entrant.ratios.add(ratio);
  }
}

void Final::remove(EntryIndex entry) {
  for (Entrant& entrant : entrants_) {
    if (entrant.entry == entry) dropOut(entrant);
  }
}

void Final::dropOut(Entrant& entrant) {
  entrant.isIn = false;
  if (!runs(turn_)) turn_ = 0;
}

bool Final::haveAll(std::size_t rounds) const {
  return std::all_of(entrants_.begin(), entrants_.end(),
                     [&](const Entrant& e) { return !e.isIn || e.ratios.size() >= rounds; });
}

bool Final::judge(double noise) {
  if (!haveAll(thresholds_.clearRounds)) return false;
  const std::vector<EntryIndex> order = ranking();
  if (order.size() < 2) return true;
  const auto find = [&](EntryIndex entry) -> Entrant& {
    return *std::find_if(entrants_.begin(), entrants_.end(), [&](const Entrant& e) { return e.entry == entry; });
  };
  const Entrant& best = find(order.front());
  const double bestRatio = best.ratios.upperMidmean();
  const double bestError = medianError(best.ratios, noise * bestRatio);
  const bool doErrorsTell = haveAll(thresholds_.leastRounds);
  double widest = 0;  // relative difference of one still in to the best, at most
  std::size_t left = 1;
  for (std::size_t i = 1; i < order.size(); ++i) {
    Entrant& other = find(order[i]);
    const double difference = other.ratios.upperMidmean() - bestRatio;
    const double error = thresholds_.errors * (medianError(other.ratios, noise * bestRatio) + bestError);
    const bool isClear = other.ratios.smallest() > (1 + thresholds_.contenderMargin) * best.ratios.largest();
    if (isClear || (doErrorsTell && difference > error)) {
      dropOut(other);
    } else {
      ++left;
      widest = std::max(widest, (difference + error) / bestRatio);
    }
  }
  return left == 1 || (doErrorsTell && widest < thresholds_.worthKnowing);
}

std::optional<double> Final::ratio(EntryIndex entry) const {
  for (const Entrant& entrant : entrants_) {
    if (entrant.entry == entry && entrant.ratios.size() > 0) return entrant.ratios.upperMidmean();
  }
  return std::nullopt;
}

std::vector<Final::EntryIndex> Final::ranking() const {
  std::vector<EntryIndex> order;
  for (const Entrant& entrant : entrants_) {
    if (entrant.isIn && entrant.ratios.size() > 0) order.push_back(entrant.entry);
  }
  std::stable_sort(order.begin(), order.end(), [&](EntryIndex a, EntryIndex b) { return *ratio(a) < *ratio(b); });
  return order;
}

}  // namespace hone::detail
