#include "session/final.h"

#include <algorithm>

#include "statistics/comparison.h"

namespace hone::detail {

namespace {

// All launches of a final, whoever it is between. With 6 entrants that is 10 rounds, which tell 1 % apart where the
// noise is below 1 % (bench/decisions).
constexpr std::size_t kFinalLaunches = 60;
constexpr std::size_t kLeastRounds = 5;  // as in a race: a median that withstands two disturbed launches
// Standard errors. More than in a race: each round looks again, and who drops out does not come back.
constexpr double kFinalErrors = 2.5;

}  // namespace

Final::Final(const std::vector<EntryIndex>& entrants) {
  for (EntryIndex entry : entrants) entrants_.push_back({entry, {}, true});
}

std::optional<Final::EntryIndex> Final::next() const {
  if (launches_ >= kFinalLaunches) return std::nullopt;
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
  for (std::size_t i = 0; i < entrants_.size(); ++i) {
    if (entrants_[i].entry != entry) continue;
    entrants_[i].isIn = false;
    if (turn_ == i && !runs(i)) turn_ = 0;
  }
}

bool Final::judge(double noise) {
  const auto isEnough = [](const Entrant& e) { return !e.isIn || e.ratios.size() >= kLeastRounds; };
  if (!std::all_of(entrants_.begin(), entrants_.end(), isEnough)) return false;
  const std::vector<EntryIndex> order = ranking();
  if (order.size() < 2) return true;
  const auto find = [&](EntryIndex entry) -> Entrant& {
    return *std::find_if(entrants_.begin(), entrants_.end(), [&](const Entrant& e) { return e.entry == entry; });
  };
  const Entrant& best = find(order.front());
  const double bestRatio = best.ratios.median();
  const double bestError = medianError(best.ratios, noise * bestRatio);
  double widest = 0;  // relative difference of one still in to the best, at most
  std::size_t left = 1;
  for (std::size_t i = 1; i < order.size(); ++i) {
    Entrant& other = find(order[i]);
    const double difference = other.ratios.median() - bestRatio;
    const double error = kFinalErrors * (medianError(other.ratios, noise * bestRatio) + bestError);
    if (difference > error) {
      other.isIn = false;
      if (entrants_[turn_].entry == other.entry && !runs(turn_)) turn_ = 0;
    } else {
      ++left;
      widest = std::max(widest, (difference + error) / bestRatio);
    }
  }
  return left == 1 || widest < kWorthKnowing;
}

std::optional<double> Final::ratio(EntryIndex entry) const {
  for (const Entrant& entrant : entrants_) {
    if (entrant.entry == entry && entrant.ratios.size() > 0) return entrant.ratios.median();
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
