// How long a search shall go on that finds nothing better: what it finds, and how many trials it makes, if it ends
// after so many trials in a row in vain.
//
//   const Ending ending = endingOf(course, 40);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "search_quality/report.h"
#include "search_quality/study.h"

namespace hone::bench {

/// The one way of searching that this looks at: eight candidates at a time, as for workers on a machine of 16 cores.
std::vector<Run> runsOfPatience();

struct Ending {
  double bestNs = 0;
  std::size_t trials = 0;
};

/// Where the search would have ended; the course's end where that comes first.
Ending endingOf(const Course& course, std::size_t patience);

/// Of a contestant S and patience N, means over the searches and spaces, of as many searches each:
///   S_patienceN_loss_pct     by how much longer the best found takes than the optimum
///   S_patienceN_missed_pct   searches whose best takes over 3 % longer
///   S_patienceN_trials       until the end
Metrics patienceFigures(const Study& study, const std::vector<test::RecordedSpace>& spaces,
                        const std::vector<Contestant>& contestants);

/// A row a contestant and patience.
std::string patienceTable(const Metrics& metrics, const std::vector<Contestant>& contestants);

}  // namespace hone::bench
