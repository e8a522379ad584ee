#include "support/recorded_noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "support/temporary_file.h"
#include "support/test_data.h"

namespace hone::test {
namespace {

using Samples = std::vector<double>;

Samples relativeTo(Samples samplesNs) {
  RecordedRow row;
  row.samplesNs = std::move(samplesNs);
  return relativeSamples(row);
}

TEST(RelativeSamples, AreInTheirOrderRelativeToTheMedian) {
  EXPECT_EQ(relativeTo({6, 4, 1}), (Samples{1.5, 1, 0.25}));
  EXPECT_EQ(relativeTo({1, 8, 3, 5}), (Samples{0.25, 2, 0.75, 1.25}));  // the median is (3 + 5) / 2
  EXPECT_EQ(relativeTo({7}), Samples{1});
  EXPECT_EQ(relativeTo({}), Samples{});
}

TEST(RelativeSamples, OfASpaceAreThoseOfTheRowsThatHaveSome) {
  const TemporaryFile file(
      "N,time_ms,error,compile_ms,bench_ms,samples_ms\n1,2,,,,3;2;1\n2,1,,,,\n3,,compile,,,\n4,4,,,,2;4\n");
  const std::vector<Samples> expected{{1.5, 1, 0.5}, {2.0 / 3, 4.0 / 3}};
  const std::vector<Samples> all = relativeSamples(RecordedSpace(file.path()));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0], expected[0]);
  EXPECT_DOUBLE_EQ(all[1][0], expected[1][0]);
  EXPECT_DOUBLE_EQ(all[1][1], expected[1][1]);
}

// ---- what is known of the noise of the tests' spaces

double meanOf(const Samples& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

/// sum of d_i d_(i + lag) over i, of the deviations d from the mean.
double productOfDeviations(const Samples& samples, std::size_t lag) {
  const double mean = meanOf(samples);
  double sum = 0;
  for (std::size_t i = 0; i + lag < samples.size(); ++i) sum += (samples[i] - mean) * (samples[i + lag] - mean);
  return sum;
}

double variation(const Samples& samples) {
  return std::sqrt(productOfDeviations(samples, 0) / static_cast<double>(samples.size())) / meanOf(samples);
}

double quantile(Samples numbers, double share) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[static_cast<std::size_t>(share * static_cast<double>(numbers.size()))];
}

/// Computed from the files by another program.
struct KnownNoise {
  const char* space;
  std::size_t rows;
  double firstSample;       // the median row's
  double autocorrelation;   // of neighbouring samples, the median row's
  double variation;         // standard deviation / mean, the median row's
  double highestVariation;  // of 95 % of the rows
};

class NoiseOfTheTestsSpaces : public testing::TestWithParam<KnownNoise> {};

TEST_P(NoiseOfTheTestsSpaces, IsAsItWasRecorded) {
  const KnownNoise& known = GetParam();
  const std::vector<Samples> rows = relativeSamples(*recordedSpace(known.space));
  Samples firsts, autocorrelations, variations;
  for (const Samples& samples : rows) {
    firsts.push_back(samples.front());
    autocorrelations.push_back(productOfDeviations(samples, 1) / productOfDeviations(samples, 0));
    variations.push_back(variation(samples));
  }
  EXPECT_EQ(rows.size(), known.rows);
  EXPECT_NEAR(quantile(firsts, 0.5), known.firstSample, 1e-4);
  EXPECT_NEAR(quantile(autocorrelations, 0.5), known.autocorrelation, 1e-3);
  EXPECT_NEAR(quantile(variations, 0.5), known.variation, 1e-5);
  EXPECT_NEAR(quantile(variations, 0.95), known.highestVariation, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Data, NoiseOfTheTestsSpaces,
                         testing::Values(KnownNoise{"pnpoly_rtx3090", 3774, 0.96982, 0.6141, 0.012280, 0.026484},
                                         KnownNoise{"conv15old_rtx3090", 5220, 1.00536, 0.0441, 0.001958, 0.005870},
                                         KnownNoise{"conv15_w6600", 4362, 1.13503, -0.0017, 0.025601, 0.424842}),
                         [](const auto& instance) { return std::string(instance.param.space); });

}  // namespace
}  // namespace hone::test
