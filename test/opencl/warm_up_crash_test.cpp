// Crashes of the launch with unreal data: where the default dies of it as well, the data is to blame.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "opencl/in_process_compiler.h"
#include "opencl/runtime_state.h"
#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

using hone::detail::CompileJob;
using hone::detail::CompileResult;
using test::Workbench;

/// Builds in this process, but for warm-up launches of some values of X, of which it dies.
class DyingService final : public hone::detail::CompileService, public hone::detail::BackgroundTask {
 public:
  DyingService(Workbench& bench, std::set<int> deadly)
      : inner_(bench.context.get(), bench.device, bench.runtime.facts().localMemoryBytes), deadly_(std::move(deadly)) {}

  void submit(const void* owner, CompileJob job, Done done) override {
    const int x = std::stoi(job.options.substr(job.options.find("X=") + 2));
    if (job.warmUp) ++warmUps;
    if (job.warmUp && deadly_.count(x) != 0) {
      dead_.push_back({owner, std::move(done)});
    } else {
      inner_.submit(owner, std::move(job), std::move(done));
    }
  }
  void cancel(const void* owner) override {
    std::erase_if(dead_, [&](const auto& dead) { return dead.first == owner; });
    inner_.cancel(owner);
  }
  bool step() override {
    if (dead_.empty()) return inner_.step();
    const Done done = std::move(dead_.front().second);
    dead_.erase(dead_.begin());
    CompileResult result;
    result.death = CompileResult::Death::warmingUp;
    result.log = "it died";
    done(result);
    return true;
  }

  int warmUps = 0;

 private:
  detail::InProcessCompiler inner_;
  const std::set<int> deadly_;
  std::vector<std::pair<const void*, Done>> dead_;
};

/// A kernel with X from 1 to 4, 1 by default.
struct WarmUpCrash : testing::Test {
  void settle(std::set<int> deadly) {
    service.emplace(bench, std::move(deadly));
    bench.runtime.state().use(*service, hone::detail::steadyClock());
    bench.runtime.state().background().add(*service);
    {
      TunedKernel kernel(bench.runtime, "kernel void k(global int* out) { out[get_global_id(0)] = X; }", "k",
                         bench.options());
      kernel.addParameter("X", {1, 2, 3, 4}, 1);
      kernel.global(16).local(4);
      const auto out = test::makeBytes(bench.context.get(), 16 * sizeof(int));
      EXPECT_TRUE(test::settles(bench, kernel, {}, [&] { return kernel(bench.queue.get(), {}, out.get()); }));
      report = kernel.report({});
    }
    bench.runtime.state().background().remove(*service);
  }
  std::string allMessages() {
    std::string all;
    for (const std::string& message : bench.messages()) all += message + "\n";
    return all;
  }

  Workbench bench;
  std::optional<DyingService> service;
  Report report;
};

TEST_F(WarmUpCrash, CandidateThatCrashesAloneIsSetAside) {
  settle({2, 4});
  EXPECT_EQ(report.trials, 3u);
  EXPECT_EQ(report.failed, 2u);
  EXPECT_EQ(service->warmUps, 4);  // three candidates and, once, the default
  EXPECT_NE(allMessages().find("X=2 failed: it died"), std::string::npos) << allMessages();
  EXPECT_NE(allMessages().find("X=4 failed: it died"), std::string::npos) << allMessages();
}

TEST_F(WarmUpCrash, WhereTheDefaultCrashesLikewiseVariantsAreUsedUnwarmed) {
  settle({1, 2, 3, 4});
  EXPECT_EQ(report.trials, 3u);
  EXPECT_EQ(report.failed, 0u);
  EXPECT_LE(service->warmUps, 3);  // two candidates under way, and the default
  EXPECT_EQ(allMessages(),
            "the default does not survive a launch with unreal data either: variants are not warmed up\n");
}

TEST_F(WarmUpCrash, WhereNoneCrashesTheDefaultIsNotAsked) {
  settle({});
  EXPECT_EQ(report.failed, 0u);
  EXPECT_EQ(service->warmUps, 3);
}

}  // namespace
}  // namespace hone::opencl
