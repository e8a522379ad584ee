// Random spaces against brute force: every raw point is looked at, each constraint evaluated on its tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hone/search_space.h"
#include "search/random_engine.h"
#include "space/bounds.h"
#include "space/declaration_data.h"
#include "space/diagram_builder.h"
#include "space/expression_node.h"
#include "space/program.h"

namespace hone {
namespace {

using detail::Evaluation;
using detail::RandomEngine;

constexpr std::uint64_t kRandomSpaces = 400;

/// An integer in [first, last].
std::int64_t between(RandomEngine& engine, std::int64_t first, std::int64_t last) {
  return first + static_cast<std::int64_t>(engine.below(static_cast<std::uint64_t>(last - first + 1)));
}

/// Any expression over these: every operation, small constants, now and then a huge one.
Expression randomExpression(RandomEngine& engine, const std::vector<Expression>& reads, int depth) {
  if (depth == 0 || engine.below(6) == 0) {
    if (engine.below(3) > 0) return reads[engine.below(reads.size())];
    if (engine.below(20) == 0) return std::numeric_limits<std::int64_t>::max() - between(engine, 0, 3);
    return between(engine, -3, 9);
  }
  const auto operand = [&] { return randomExpression(engine, reads, depth - 1); };
  const Expression a = operand(), b = operand();
  switch (engine.below(21)) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a / b;
    case 4:
    case 5: return a % b;
    case 6: return a == b;
    case 7: return a != b;
    case 8: return a < b;
    case 9: return a <= b;
    case 10: return a > b;
    case 11: return a >= b;
    case 12: return a && b;
    case 13: return a || b;
    case 14: return select(a, b, operand());
    case 15: return min(a, b);
    case 16: return max(a, b);
    case 17: return ceilDiv(a, b);
    case 18: return -a;
    case 19: return !a;
    default: return lambda("difference", {a, b}, [](auto x, auto y) { return x / 2 - y / 2; });
  }
}

/// One to five parameters of one to six values, up to three constraints, a problem size.
class RandomSpace {
 public:
  explicit RandomSpace(std::uint64_t seed) : declarations_("random") {
    RandomEngine engine(seed);
    std::vector<Expression> reads;
    const std::int64_t dimensions = between(engine, 1, 5);
    for (std::int64_t p = 0; p < dimensions; ++p) {
      std::vector<std::int64_t> values(static_cast<std::size_t>(between(engine, 1, 6)));
      const std::int64_t first = between(engine, -2, 4), step = between(engine, 1, 3);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + step * static_cast<std::int64_t>(i);
      shuffle(values, engine);
      reads.push_back(declarations_.addParameter("p" + std::to_string(p), Range(values), values[0]));
    }
    const auto [n] = declarations_.problem("n");
    reads.push_back(n);
    problem_ = {between(engine, -1, 12)};
    // Most constraints hold for one of the points, lest most spaces be empty.
    std::vector<std::int64_t> witness;
    for (const auto& parameter : declarations_.data().parameters)
      witness.push_back(parameter.values[engine.below(parameter.values.size())]);
    for (std::int64_t left = between(engine, 0, 3); left > 0;) {
      const Expression a = randomExpression(engine, reads, 2), b = randomExpression(engine, reads, 2);
      const Expression both = a * 3 + b;
      const Expression forms[] = {a % b == 0, a <= b, a != b, both % 5 != 1, both % 3 < 2};
      const Expression& constraint = forms[engine.below(std::size(forms))];
      if (engine.below(20) > 0 && !evaluate(constraint.node(), witness.data(), problem_.data()).isTrue()) continue;
      declarations_.require(constraint);
      --left;
    }
    space.emplace(declarations_, problem_);
    Point point(space->dimensions());
    collect(point, 0);
  }

  /// The same space, with each constraint as a function of what it reads: 0 where it has no value.
  SearchSpace withLambdas() const {
    SpaceDeclarations twins("twins");
    std::vector<Expression> parameters;
    for (const auto& p : declarations_.data().parameters)
      parameters.push_back(twins.addParameter(p.name, Range(p.values), p.values[0]));
    for (const detail::ConstraintDeclaration& constraint : declarations_.data().constraints) {
      std::vector<Expression> reads;
      std::vector<std::size_t> indices;
      forEachRead(constraint.condition.node(), [&](const detail::ExpressionNode& read) {
        if (read.operation != detail::Operation::parameter) return;
        if (std::find(indices.begin(), indices.end(), read.index) != indices.end()) return;
        indices.push_back(read.index);
        reads.push_back(parameters[read.index]);
      });
      const auto twin = [=, condition = constraint.condition, problem = problem_](const std::int64_t* arguments) {
        std::int64_t configuration[5] = {};
        for (std::size_t i = 0; i < indices.size(); ++i) configuration[indices[i]] = arguments[i];
        return std::int64_t{evaluate(condition.node(), configuration, problem.data()).isTrue()};
      };
      twins.require(constraint.name, detail::makeLambda("twin", reads, twin));
    }
    return SearchSpace(twins);
  }

  const SpaceDeclarations& declarations() const { return declarations_; }

  std::optional<SearchSpace> space;
  std::vector<Point> valid, invalid;  // by brute force

 private:
  void collect(Point& point, std::size_t p) {
    if (p == point.size()) {
      std::vector<std::int64_t> configuration;
      for (std::size_t i = 0; i < point.size(); ++i) configuration.push_back(space->values(i)[point[i]]);
      const auto holds = [&](const detail::ConstraintDeclaration& constraint) {
        return evaluate(constraint.condition.node(), configuration.data(), problem_.data()).isTrue();
      };
      const auto& constraints = declarations_.data().constraints;
      (std::all_of(constraints.begin(), constraints.end(), holds) ? valid : invalid).push_back(point);
      return;
    }
    for (point[p] = 0; point[p] < space->values(p).size(); ++point[p]) collect(point, p + 1);
  }

  SpaceDeclarations declarations_;
  std::vector<std::int64_t> problem_;
};

template <class Check>
void forEachRandomSpace(const Check& check) {
  for (std::uint64_t seed = 0; seed < kRandomSpaces; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(RandomSpace(seed), RandomEngine::derived(seed, 1));
    if (testing::Test::HasFatalFailure()) return;
  }
}

std::size_t differences(const Point& a, const Point& b) {
  std::size_t count = 0;
  for (std::size_t p = 0; p < a.size(); ++p) count += a[p] != b[p] ? 1 : 0;
  return count;
}

TEST(SpaceProperty, RandomSpacesAreOfEveryKind) {
  int empty = 0, whole = 0, partly = 0;
  for (std::uint64_t seed = 0; seed < kRandomSpaces; ++seed) {
    const RandomSpace random(seed);
    ++(random.valid.empty() ? empty : random.invalid.empty() ? whole : partly);
  }
  EXPECT_GT(empty, 10);
  EXPECT_GT(whole, 20);
  EXPECT_GT(partly, 100);
}

TEST(SpaceProperty, RanksAreTheValidPoints) {
  forEachRandomSpace([](const RandomSpace& random, RandomEngine) {
    ASSERT_EQ(random.space->size(), random.valid.size());
    std::set<Point> points;
    for (Rank rank = 0; rank < random.space->size(); ++rank) {
      const Point point = random.space->point(rank);
      points.insert(point);
      ASSERT_EQ(random.space->rank(point), rank);
    }
    ASSERT_EQ(points, std::set<Point>(random.valid.begin(), random.valid.end()));
    for (const Point& point : random.invalid) ASSERT_EQ(random.space->rank(point), std::nullopt);
  });
}

TEST(SpaceProperty, NeighboursAreTheValidPointsWithinTheDistance) {
  forEachRandomSpace([](const RandomSpace& random, RandomEngine engine) {
    const SearchSpace& space = *random.space;
    for (int i = 0; i < 10 && space.size() > 0; ++i) {
      const Rank rank = engine.below(space.size());
      const Point point = space.point(rank);
      for (std::size_t most = 0; most <= 3; ++most) {
        std::vector<Rank> expected;
        for (Rank other = 0; other < space.size(); ++other) {
          const std::size_t distance = differences(space.point(other), point);
          if (distance > 0 && distance <= most) expected.push_back(other);
        }
        ASSERT_EQ(space.neighbours(rank, most), expected);
      }
    }
  });
}

TEST(SpaceProperty, AdjacentAreTheNextNeighboursInEitherDirection) {
  forEachRandomSpace([](const RandomSpace& random, RandomEngine engine) {
    const SearchSpace& space = *random.space;
    for (int i = 0; i < 10 && space.size() > 0; ++i) {
      const Rank rank = engine.below(space.size());
      const Point point = space.point(rank);
      std::vector<Rank> expected;
      for (std::size_t p = 0; p < point.size(); ++p) {
        for (const int step : {-1, 1}) {
          Point other = point;
          for (other[p] += static_cast<std::uint32_t>(step); other[p] < space.values(p).size();
               other[p] += static_cast<std::uint32_t>(step)) {
            const auto found = space.rank(other);
            if (!found) continue;
            expected.push_back(*found);
            break;
          }
        }
      }
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ(space.adjacent(rank), expected);
    }
  });
}

TEST(SpaceProperty, NearestIsTheClosestAndOfEqualsTheFirst) {
  forEachRandomSpace([](const RandomSpace& random, RandomEngine engine) {
    const SearchSpace& space = *random.space;
    for (int i = 0; i < 20 && space.size() > 0; ++i) {
      std::vector<double> target;
      for (std::size_t p = 0; p < space.dimensions(); ++p) {  // halves, so that ties occur; also outside the ranges
        const std::uint64_t halves = engine.below(2 * space.values(p).size() + 4);
        target.push_back(0.5 * static_cast<double>(halves) - 1);
      }
      double shortest = std::numeric_limits<double>::infinity();
      Rank expected = 0;
      for (Rank rank = 0; rank < space.size(); ++rank) {
        const Point point = space.point(rank);
        double distance = 0;
        for (std::size_t p = 0; p < space.dimensions(); ++p) {
          const double steps = std::max(1.0, static_cast<double>(space.values(p).size()) - 1);
          const double difference = (point[p] - target[p]) / steps;
          distance += difference * difference;
        }
        // Distances are multiples of 1 / 3600 = 1 / (2 * 3 * 4 * 5)^2 / 4: what is closer than this is equal.
        if (distance < shortest - 1e-9) {
          shortest = distance;
          expected = rank;
        }
      }
      ASSERT_EQ(space.nearest(target), expected);
    }
  });
}

// Pearson's chi-square over all valid points, 50 draws a point expected. The level is 1e-4 a space: the statistic's
// quantile by Wilson and Hilferty (1931), z = 3.719. The seeds are fixed.
TEST(SpaceProperty, RandomRanksAreUniformOverTheValidPoints) {
  int tested = 0;
  forEachRandomSpace([&](const RandomSpace& random, RandomEngine engine) {
    const SearchSpace& space = *random.space;
    if (random.valid.size() < 20 || random.valid.size() > 400 || random.invalid.empty()) return;
    ++tested;
    std::map<Point, double> counts;
    for (const Point& point : random.valid) counts[point] = 0;
    const std::size_t draws = 50 * counts.size();
    for (std::size_t i = 0; i < draws; ++i) ++counts[space.point(engine.below(space.size()))];
    double statistic = 0;
    for (const auto& [point, count] : counts) statistic += (count - 50) * (count - 50) / 50;
    ASSERT_EQ(counts.size(), random.valid.size());
    const double freedom = static_cast<double>(counts.size()) - 1;
    const double term = 2 / (9 * freedom);
    ASSERT_LT(statistic, freedom * std::pow(1 - term + 3.719 * std::sqrt(term), 3));
  });
  EXPECT_GT(tested, 30);
}

TEST(SpaceProperty, ConstraintsAgreeWithTheirLambdaTwins) {
  forEachRandomSpace([](const RandomSpace& random, RandomEngine) {
    const SearchSpace twin = random.withLambdas();
    ASSERT_EQ(twin.size(), random.space->size());  // in another order: bounds tell nothing of lambdas
    for (const Point& point : random.valid) ASSERT_TRUE(twin.rank(point));
  });
}

// The spaces of one set of declarations are built from what they have in common.
TEST(SpaceProperty, SpacesOfManyProblemsAreThoseBuiltFromTheStart) {
  int differing = 0;
  forEachRandomSpace([&](const RandomSpace& random, RandomEngine) {
    const detail::DeclarationData& data = random.declarations().data();
    std::vector<const detail::ConstraintDeclaration*> constraints;
    for (const auto& constraint : data.constraints) constraints.push_back(&constraint);
    std::set<Rank> sizes;
    for (std::int64_t n = -1; n <= 12; ++n) {
      const SearchSpace space(random.declarations(), {n});
      const detail::BuiltDiagram expected = detail::buildDiagram(data, constraints, &n);
      ASSERT_EQ(space.size(), expected.diagram.size()) << n;
      for (Rank rank = 0; rank < space.size(); ++rank) ASSERT_TRUE(expected.diagram.rank(space.point(rank))) << n;
      sizes.insert(space.size());
    }
    differing += sizes.size() > 1 ? 1 : 0;
  });
  EXPECT_GT(differing, 50);
}

TEST(SpaceProperty, ValuesKeepWithinTheirBounds) {
  SpaceDeclarations declarations("bounds");
  const Parameter x = declarations.addParameter("x", {0}, 0), y = declarations.addParameter("y", {0}, 0);
  const auto [n] = declarations.problem("n");
  int narrow = 0, decided = 0, undecided = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEngine engine(seed);
    const Expression expression = randomExpression(engine, {x, y, n}, 4);
    SCOPED_TRACE(expression.toString());
    const std::int64_t problem = between(engine, -3, 9);
    std::vector<detail::Bounds> parameters;
    for (int p = 0; p < 2; ++p) {
      const std::int64_t least = between(engine, -5, 9);
      parameters.push_back({least, least + between(engine, 0, 6)});
    }
    const detail::Bounds bounds = detail::boundsOf(expression.node(), parameters, &problem);
    narrow += bounds.greatest < 1000 && bounds.least > -1000 ? 1 : 0;
    bool canHold = false;
    std::int64_t configuration[2];
    for (configuration[0] = parameters[0].least; configuration[0] <= parameters[0].greatest; ++configuration[0]) {
      for (configuration[1] = parameters[1].least; configuration[1] <= parameters[1].greatest; ++configuration[1]) {
        const Evaluation value = evaluate(expression.node(), configuration, &problem);
        if (value.fault != Evaluation::Fault::none) continue;
        ASSERT_LE(bounds.least, value.value);
        ASSERT_GE(bounds.greatest, value.value);
        canHold = canHold || value.isTrue();
      }
    }
    if (!canHold) ++(detail::canHold(expression.node(), parameters, &problem) ? undecided : decided);
  }
  EXPECT_GT(narrow, 3000);
  EXPECT_GT(decided, 200);
  EXPECT_GT(undecided, 200);  // where nothing holds, bounds do not always say so
}

TEST(SpaceProperty, FlatProgramsAgreeWithTheTree) {
  SpaceDeclarations declarations("program");
  const Parameter x = declarations.addParameter("x", {0}, 0), y = declarations.addParameter("y", {0}, 0);
  const auto [n] = declarations.problem("n");
  std::map<Evaluation::Fault, int> faults;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEngine engine(seed);
    const Expression expression = randomExpression(engine, {x, y, n}, 4);
    SCOPED_TRACE(expression.toString());
    const std::int64_t problem = between(engine, -3, 9);
    const detail::Program program(
        expression.node(), [](std::size_t p) { return 1 - p; }, &problem);  // y, then x
    std::vector<std::int64_t> stack(program.stackSize());
    for (int i = 0; i < 10; ++i) {
      const std::int64_t xValue = between(engine, -3, 9), yValue = between(engine, -3, 9);
      const std::int64_t configuration[] = {xValue, yValue}, slots[] = {yValue, xValue};
      const Evaluation expected = evaluate(expression.node(), configuration, &problem);
      const Evaluation actual = program.run(slots, stack.data());
      ASSERT_EQ(actual.fault, expected.fault);
      if (expected.fault == Evaluation::Fault::none) {
        ASSERT_EQ(actual.value, expected.value);
      }
      ++faults[expected.fault];
    }
  }
  EXPECT_GT(faults[Evaluation::Fault::none], 1000);
  EXPECT_GT(faults[Evaluation::Fault::divisionByZero], 1000);
  EXPECT_GT(faults[Evaluation::Fault::overflow], 100);
}

}  // namespace
}  // namespace hone
