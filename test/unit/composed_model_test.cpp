#include "support/virtual_device/models/composed_model.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace hone::test {
namespace {

using namespace std::chrono_literals;

VirtualLaunch launchWith(std::map<std::string, std::int64_t> macros) {
  VirtualLaunch launch;
  launch.kernel = "scale";
  launch.macros = std::move(macros);
  return launch;
}

/// What the message of the exception is.
template <class Exception, class Function>
std::string messageOf(Function function) {
  try {
    function();
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(ComposedModel, LastingIsTheSameForAll) {
  ComposedModel model = lasting(3us);
  EXPECT_EQ(model.durationNs({}), 3000);
  EXPECT_EQ(model.durationNs(launchWith({{"WG", 8}})), 3000);
}

TEST(ComposedModel, CostReadsConfigurationAndProblem) {
  // n work-items in groups of WG, each group 10 ns, 4 groups at a time.
  ComposedModel model = costing([](const VirtualLaunch& launch) {
    const auto groups = static_cast<double>(launch.global[0]) / static_cast<double>(macroOf(launch, "WG"));
    return 10 * groups / 4;
  });
  VirtualLaunch launch = launchWith({{"WG", 64}});
  launch.global = {1024, 1, 1};
  EXPECT_EQ(model.durationNs(launch), 40);
  launch.global = {2048, 1, 1};
  EXPECT_EQ(model.durationNs(launch), 80);
  launch.macros["WG"] = 128;
  EXPECT_EQ(model.durationNs(launch), 40);
}

TEST(ComposedModel, NoiseLawsMultiply) {
  const ComposedModel plain = lasting(100ns);
  ComposedModel noisy = plain.with([](const VirtualLaunch&) { return 1.5; }).with([](const VirtualLaunch& launch) {
    return launch.number == 3 ? 4.0 : 1.0;
  });
  VirtualLaunch launch;
  EXPECT_EQ(noisy.durationNs(launch), 150);
  launch.number = 3;
  EXPECT_EQ(noisy.durationNs(launch), 600);
  EXPECT_EQ(ComposedModel(plain).durationNs(launch), 100);  // left as it was
}

TEST(ComposedModel, BecomesASharedModel) {
  const std::shared_ptr<LaunchModel> shared = lasting(5ns).with([](const VirtualLaunch&) { return 3.0; });
  EXPECT_EQ(shared->durationNs({}), 15);
}

TEST(ComposedModel, RefusesWhatIsNoTime) {
  const VirtualLaunch launch = launchWith({{"WG", 64}, {"TILE", 8}});
  const auto message = [&](double ns) {
    return messageOf<std::domain_error>([&] { costing([ns](const auto&) { return ns; }).durationNs(launch); });
  };
  EXPECT_EQ(message(0), "a launch cannot take 0.000000 ns: scale<<<TILE=8, WG=64>>>");
  EXPECT_EQ(message(-2.5), "a launch cannot take -2.500000 ns: scale<<<TILE=8, WG=64>>>");
  EXPECT_NE(message(std::numeric_limits<double>::quiet_NaN()), "nothing was thrown");
  EXPECT_NE(message(std::numeric_limits<double>::infinity()), "nothing was thrown");
}

TEST(ComposedModel, NamesAMissingMacro) {
  const std::string message = messageOf<std::out_of_range>([] { macroOf(launchWith({{"WG", 64}}), "UNROLL"); });
  EXPECT_EQ(message, "no macro 'UNROLL': scale<<<WG=64>>>");
}

}  // namespace
}  // namespace hone::test
