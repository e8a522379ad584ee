#include "session/account.h"

#include <gtest/gtest.h>

namespace hone::detail {
namespace {

TEST(Account, EarnsABudgetOfWhatTheDefaultCosts) {
  Account account(0.25);
  EXPECT_TRUE(account.covers(0));
  EXPECT_FALSE(account.covers(1));
  account.earn(100);
  EXPECT_TRUE(account.covers(25));
  EXPECT_FALSE(account.covers(25.1));
}

TEST(Account, SavingsAndExpensesChangeTheBalance) {
  Account account(0.25);
  account.save(40);
  account.charge(10);
  account.save(-5);
  EXPECT_TRUE(account.covers(25));
  EXPECT_FALSE(account.covers(25.1));
  EXPECT_EQ(account.report().balance, 25);
  EXPECT_EQ(account.report().saved, 40);
  EXPECT_EQ(account.report().spent, 15);
}

TEST(Account, NothingBeginsOnANegativeBalance) {
  Account account(0.25);
  account.charge(10);
  EXPECT_FALSE(account.covers(0));
  account.earn(40);
  EXPECT_TRUE(account.covers(0));
}

TEST(Account, WhatIsReservedCoversNothingElse) {
  Account account(1);
  account.earn(100);
  account.reserve(70);
  EXPECT_FALSE(account.covers(31));
  EXPECT_EQ(account.report().balance, 30);
  account.release(70);
  account.charge(20);
  EXPECT_TRUE(account.covers(80));
  EXPECT_FALSE(account.covers(81));
}

TEST(Account, UnlimitedCoversEverythingAndKeepsTheBooksAllTheSame) {
  Account account;
  account.charge(1e30);
  EXPECT_TRUE(account.covers(1e30));
  EXPECT_EQ(account.report().spent, 1e30);
  EXPECT_EQ(account.report().balance, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace hone::detail
