// Every strategy on every recorded space, many seeds each, at the same time on all cores.
//
//   const Study study = runStudy(spaces, contestants, plan, progress);
//   study.courses(space, contestant, trialMode)[seed].bestNs[99]
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "search_quality/replay.h"

namespace hone::bench {

struct Contestant {
  std::string name;  // as metrics call it: nelder_mead
  std::function<std::unique_ptr<Strategy>(std::uint64_t seed)> make;
};

/// All strategies of the library, by name.
std::vector<Contestant> allStrategies();
/// The published strategies over what CLTune's authors varied. They give temperatures in ms, for kernels whose times
/// are not in the paper; ours are relative. Their middle one, 4, is taken for the default's, so that 2 and 6 are a half
/// and one and a half of it.
std::vector<Contestant> sensitivityContestants();

/// One way in which each contestant searches each space, once for each seed.
struct Run {
  bool isNoisy = false;
  std::size_t batch = 1;
  /// Of a search on a space.
  std::function<std::size_t(const TimesOfSpace&)> trials;
};

struct Plan {
  std::vector<Run> runs;
  std::size_t seeds = 100;  // 1 .. seeds
  std::size_t threads = 1;
};

/// Thread safety: immutable once it is made.
class Study {
 public:
  Study(std::size_t spaces, std::size_t contestants, std::size_t runs)
      : contestants_(contestants), runs_(runs), courses_(spaces * contestants * runs) {}

  /// By seed.
  const std::vector<Course>& courses(std::size_t space, std::size_t contestant, std::size_t run) const {
    return courses_[(space * contestants_ + contestant) * runs_ + run];
  }
  std::vector<Course>& courses(std::size_t space, std::size_t contestant, std::size_t run) {
    return courses_[(space * contestants_ + contestant) * runs_ + run];
  }

 private:
  std::size_t contestants_, runs_;
  std::vector<std::vector<Course>> courses_;
};

/// What a search finds depends on its seed alone, not on the number of threads. `progress` is told how much is done,
/// from 0 to 1, by one thread at a time. What a search throws ends the study and is thrown.
Study runStudy(const std::vector<test::RecordedSpace>& spaces, const std::vector<Contestant>& contestants,
               const Plan& plan, const std::function<void(double)>& progress);

/// The mean over the searches, trial by trial.
std::vector<double> meanBest(const std::vector<Course>& courses);

/// optimum / best after so many trials, of each search. REQUIRES: trials > 0, and no search is shorter
std::vector<double> fractions(const std::vector<Course>& courses, double optimumNs, std::size_t trials);

}  // namespace hone::bench
