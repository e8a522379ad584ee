// nbody.cl in configurations drawn from its wide space, each with numbers of bodies around its blocks and tiles,
// against Newton's law on the host; and what the program's own checks rest on.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "device.h"
#include "errors.h"
#include "format.h"
#include "nbody/bodies.h"
#include "nbody/simulation.h"
#include "nbody/space.h"
#include "nbody/step_check.h"
#include "opencl/program_configurations.h"

namespace hone::apps::nbody {
namespace {

ConfigurationSettings settings;  // set by main()

/// One configuration's kernel, on one device.
struct Bench {
  explicit Bench(opencl::Runtime& runtime, Options options = pinned({{"BLOCK", 32}}))
      : kernel(runtime, kernelSource(), "leapfrog", std::move(options)) {
    declareSpace(kernel, runtime.facts(), true);
  }

  opencl::TunedKernel kernel;
};

void expectRightSteps(const OpenedDevice& on, Bench& bench, std::size_t n) {
  SCOPED_TRACE(std::to_string(n) + " bodies");
  Simulation simulation(on, plummerSphere(n, 1));
  StepCheck check(simulation);
  simulation.begin(bench.kernel);
  for (std::uint64_t step = 1; step <= 2; ++step) {  // to and fro between the buffers
    check.before();
    simulation.step(bench.kernel).wait();
    check.after(step);
  }
}

void expectEveryConfigurationIsRight(const std::vector<std::int64_t>& tiles) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  Bench declared(runtime, {});
  declared.kernel.restrictTo("TILE", tiles);
  for (const NamedConfiguration& configuration : drawConfigurations(declared.kernel, settings, {1})) {
    SCOPED_TRACE(configurationText(configuration));
    try {
      Bench bench(runtime, pinned(configuration));
      expectRightSteps(on, bench, 1);
      EXPECT_EQ(bench.kernel.report({1}).best, configuration);  // this one runs
      for (const std::size_t n : {std::size_t{2}, std::size_t{67}, std::size_t{128}, std::size_t{1031}}) {
        if (n <= settings.longest) expectRightSteps(on, bench, n);
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(Nbody, EveryConfigurationWithATileIsRight) { expectEveryConfigurationIsRight({1, 2, 4}); }
TEST(Nbody, EveryConfigurationWithoutOneIsRight) { expectEveryConfigurationIsRight({0}); }

TEST(Nbody, TwoBodiesOnACircleStayOnIt) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  Bench bench(runtime);
  // Half of the mass each, at a distance of 1. Softened, each is attracted by 0.5 / (1 + s^2)^(3/2), which is v^2 /
  // 0.5.
  const double speed = 0.5 * std::pow(1 + kSoftening * kSoftening, -0.75);
  const auto v = static_cast<float>(speed);
  Simulation simulation(on, {{{0.5f, 0, 0, 0.5f}, {-0.5f, 0, 0, 0.5f}}, {{0, v, 0, 0}, {0, -v, 0, 0}}});
  simulation.begin(bench.kernel);
  const int steps = static_cast<int>(settings.longest < 100 ? 10 : 400);
  for (int step = 0; step < steps; ++step) simulation.step(bench.kernel).wait();
  const double angle = speed / 0.5 * kStep * steps;
  const Bodies now = simulation.state();
  // A leapfrog's error of phase is (2 pi / steps of a period)^2 / 24, a part of the angle: 3e-7 of 1.5.
  EXPECT_NEAR(now.positions[0][0], 0.5 * std::cos(angle), 1e-5);
  EXPECT_NEAR(now.positions[0][1], 0.5 * std::sin(angle), 1e-5);
  EXPECT_NEAR(now.positions[1][0], -now.positions[0][0], 1e-5);
}

TEST(Nbody, EnergyIsThatOfTheBodies) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  Bench bench(runtime);
  // At rest, at distances of 1 along a line: the potential has two pairs at 1 and one at 2, of 1/9 each.
  const float third = 1.0f / 3;
  Simulation simulation(on, {{{-1, 0, 0, third}, {0, 0, 0, third}, {1, 0, 0, third}}, std::vector<Vector4>(3)});
  simulation.begin(bench.kernel);  // the velocities become those half a step ago; energy() advances them again
  const double s2 = kSoftening * kSoftening;
  const Energy energy = simulation.energy();
  EXPECT_NEAR(energy.kinetic, 0, 1e-9);
  EXPECT_NEAR(energy.potential, -(2 / std::sqrt(1 + s2) + 1 / std::sqrt(4 + s2)) / 9, 1e-6);
}

TEST(Nbody, PlummersSphereIsInEquilibrium) {
  const Bodies bodies = plummerSphere(2000, 7);
  double kinetic = 0, potential = 0;
  for (std::size_t i = 0; i < bodies.positions.size(); ++i) {
    const double mass = bodies.positions[i][3];
    for (std::size_t axis = 0; axis < 3; ++axis)
      kinetic += mass * bodies.velocities[i][axis] * bodies.velocities[i][axis] / 2;
    for (std::size_t j = 0; j < i; ++j) {
      double distance2 = 0;
      for (std::size_t axis = 0; axis < 3; ++axis)
        distance2 += std::pow(double{bodies.positions[i][axis]} - bodies.positions[j][axis], 2);
      potential -= mass * bodies.positions[j][3] / std::sqrt(distance2);
    }
  }
  // The model's are 1/4 and -1/2; a sample of 2000 scatters by some 2 %.
  EXPECT_NEAR(kinetic, 0.25, 0.02);
  EXPECT_NEAR(potential, -0.5, 0.03);
}

TEST(Nbody, AStepThatIsNoneIsFound) {
  const OpenedDevice on = openDevice(settings.device);
  Simulation simulation(on, plummerSphere(3, 1));
  StepCheck check(simulation);
  check.before();
  EXPECT_THROW(check.after(1), CheckFailure);
}

// Half a step backwards, of bodies so light that their positions would not tell.
TEST(Nbody, AWrongVelocityIsFound) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  Bench bench(runtime);
  Simulation simulation(on, {{{0.5f, 0, 0, 1e-3f}, {-0.5f, 0, 0, 1e-3f}}, std::vector<Vector4>(2)});
  StepCheck check(simulation);
  check.before();
  simulation.begin(bench.kernel);
  try {
    check.after(1);
    FAIL() << "nothing was found";
  } catch (const CheckFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("body 0 has velocity"), std::string::npos) << failure.what();
  }
}

TEST(Nbody, DriftIsRelativeToWhatGoesToAndFro) {
  EXPECT_DOUBLE_EQ(drift({1, -3}, {1.5, -3}), 0.125);
  EXPECT_DOUBLE_EQ(drift({0, 0}, {0, 0}), 0);
}

}  // namespace
}  // namespace hone::apps::nbody

int main(int argc, char** argv) { return hone::apps::runConfigurationTests(argc, argv, hone::apps::nbody::settings); }
