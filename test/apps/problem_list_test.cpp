// A program with a list of problems, run in this process: how the run is shared out among them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "conv2d/application.h"
#include "nlohmann/json.hpp"
#include "run_application.h"

namespace hone::apps {
namespace {

/// The JSON that conv2d writes with these options.
nlohmann::json figures(std::vector<std::string> options) {
  const std::string file = std::filesystem::path(testing::TempDir()) /
                           (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".json");
  for (const char* option : {"--device", "Portable", "--json", file.c_str()}) options.push_back(option);
  std::vector<char*> arguments{const_cast<char*>("conv2d")};
  for (std::string& option : options) arguments.push_back(option.data());
  testing::internal::CaptureStdout();
  EXPECT_EQ(runApplication(conv2d::application(), static_cast<int>(arguments.size()), arguments.data()), 0);
  testing::internal::GetCapturedStdout();
  nlohmann::json read;
  std::ifstream(file) >> read;
  std::filesystem::remove(file);
  return read;
}

std::vector<int> launchesOf(const nlohmann::json& figures) {
  std::vector<int> launches;
  for (const auto& problem : figures["problems"]) launches.push_back(problem["launches"]);
  return launches;
}

TEST(ProblemList, SharesLaunchesEvenly) {
  const nlohmann::json all =
      figures({"--problems", "8x8x3,9x9x3,10x10x3", "--launches", "10", "--tuning", "off", "--check"});
  // 3, 3 and 4, and the last one, which is checked once more.
  EXPECT_EQ(launchesOf(all), (std::vector{4, 4, 5})) << all;
  EXPECT_EQ(all["problems"][2]["problem"], "10x10x3");
}

TEST(ProblemList, EachProblemHasALaunchHoweverFewThereAre) {
  const nlohmann::json all = figures({"--problems", "8x8x3,9x9x3,10x10x3", "--launches", "1", "--tuning", "off"});
  EXPECT_EQ(launchesOf(all), (std::vector{2, 2, 2})) << all;
}

TEST(ProblemList, OfOneIsWrittenAsOneProblem) {
  const nlohmann::json one = figures({"--problems", "8x8x3", "--launches", "2", "--tuning", "off"});
  EXPECT_EQ(one["problem"], "8x8x3");
  EXPECT_EQ(one["launches"], 3);
}

}  // namespace
}  // namespace hone::apps
