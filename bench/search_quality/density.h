// The distribution of numbers as a smooth curve: the outline of a violin.
#pragma once

#include <vector>

namespace hone::bench {

/// A Gaussian kernel density estimate at x, (1 / n h) sum phi((x - x_i) / h).
/// REQUIRES: numbers is not empty, bandwidth > 0
double densityAt(double x, const std::vector<double>& numbers, double bandwidth);

/// Silverman's rule of thumb, 0.9 min(s, IQR / 1.349) n^(-1/5), but `atLeast`, so that equal numbers have an outline,
/// too. (B. W. Silverman, Density Estimation, 1986, 3.31.) REQUIRES: numbers is not empty
double bandwidthOf(const std::vector<double>& numbers, double atLeast);

}  // namespace hone::bench
