// What tuning may cost: income, expense, and whether a trial can be paid for (promise P3).
//
// A launch that costs what the default does earns `budget` of that. So as long as the balance is not below zero, a run
// has cost no more than (1 + budget) times what the default would have cost; and since nothing begins on a negative
// balance, a launch that turns out dearer than expected exceeds that by itself at most.
#pragma once

#include <limits>

#include "hone/report.h"

namespace hone::detail {

/// In the unit of the launches' costs. One for all problems of a tuner: what one saves, another may spend.
/// Thread safety: externally synchronised.
class Account {
 public:
  /// budget: the part of the default's cost that tuning may add; 0 for nothing, infinity for no limit.
  explicit Account(double budget = std::numeric_limits<double>::infinity()) : budget_(budget) {}

  double budget() const { return budget_; }
  bool isUnlimited() const { return budget_ == std::numeric_limits<double>::infinity(); }

  /// Whether something can begin that may cost so much more than the default. REQUIRES: excess is not negative
  bool covers(double excess) const { return isUnlimited() || balance_ - reserved_ >= excess; }

  /// A launch, of whatever configuration, where the default would have cost so much.
  void earn(double defaultCost) {
    if (!isUnlimited()) balance_ += budget_ * defaultCost;
  }
  /// What the default would have cost, as far as anybody can tell; for the report alone.
  void countDefault(double cost) { byDefault_ += cost; }
  /// The launch costs so much less than the default; a negative number is an expense.
  void save(double amount) {
    if (!isUnlimited()) balance_ += amount;
    (amount < 0 ? spent_ : saved_) += amount < 0 ? -amount : amount;
  }
  /// What trials, stalls, copies or verification have cost above the default.
  void charge(double excess) { save(-excess); }

  /// Holds an amount back for a launch that has begun; release it when its cost is known, and charge that.
  void reserve(double excess) { reserved_ += excess; }
  void release(double excess) { reserved_ -= excess; }

  AccountReport report() const {
    return {isUnlimited() ? std::numeric_limits<double>::infinity() : balance_ - reserved_, spent_, saved_, byDefault_};
  }

 private:
  double budget_;
  double balance_ = 0;
  double reserved_ = 0;
  double spent_ = 0;
  double saved_ = 0;
  double byDefault_ = 0;
};

}  // namespace hone::detail
