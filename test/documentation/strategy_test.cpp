// The strategy that the README shows, at work.
#include <gtest/gtest.h>

#include "README_4.cpp"

namespace {

TEST(Readme, ItsStrategyClimbsToTheTop) {
  hone::Options options = climbing();
  options.hasOwnThread = false;
  hone::Tuner tuner("hill", options);
  const hone::Parameter x = tuner.addParameter("x", hone::range(0, 9), 2);
  const hone::Parameter y = tuner.addParameter("y", hone::range(0, 9), 8);
  for (int i = 0; i < 2000; ++i) {
    hone::Ticket ticket = tuner.measure();
    const auto distance = static_cast<double>(std::abs(ticket[x] - 7) + std::abs(ticket[y] - 3));
    ticket.stop(10 + distance);
    tuner.step();
  }
  const hone::Report report = tuner.report();
  EXPECT_EQ(report.phase, hone::Phase::settled);
  EXPECT_EQ(report.best, (hone::NamedConfiguration{{"x", 7}, {"y", 3}}));
}

}  // namespace
