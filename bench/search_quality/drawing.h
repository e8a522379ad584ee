// The two views of a study of one space.
#pragma once

#include <string>
#include <vector>

namespace hone::bench {

/// A contestant's searches on a space. Results are fractions of the optimum: optimum / best found.
struct DrawnSearches {
  std::string name;
  std::vector<std::vector<double>> fractionAfter;  // by search, then by trial
  std::vector<double> finalFractions;              // of the distributions, by search
};

struct DrawnSpace {
  std::string name;
  std::vector<double> fractions;  // optimum / time of each valid configuration
  std::vector<DrawnSearches> searches;
  std::size_t finalTrials = 0;  // after which the distributions are taken
};

/// Left, the best so far over the trials (logarithmic): median, and the band between the 10th and the 90th percentile.
/// Right, the distribution of final results, as in figures 5 and 7 of CLTune's paper, next to that of the whole space:
/// its outline, a line at the median, and how many searches there are.
std::string drawSpace(const DrawnSpace& space);

}  // namespace hone::bench
