// A study's figures: one table for people, one JSON for machines.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "search_quality/study.h"

namespace hone::bench {

/// The runs of the whole comparison, in the order of a plan's.
enum StudyRun : std::size_t {
  kNoiseFree,
  kNoisy,
  kBatch4,
  kBatch16
};

/// The trials after which a search's result is looked at.
inline constexpr std::size_t kLookedAt[] = {25, 50, 100, 200, 400};

/// Noise-free searches are as long as the normalised score asks, but 400 trials at least.
std::vector<Run> wholeComparison();
/// The first of them alone.
std::vector<Run> noiseFreeOnly();

using Metrics = std::map<std::string, double>;

struct QualityFigures {
  Metrics overall;                        // means over the spaces, by "annealing_f25"
  std::map<std::string, Metrics> spaces;  // the same by space, and what describes the space
};

/// The figures of a contestant S, for as many runs as the study has:
///   S_f25 .. S_f400     optimum / best found after so many trials, mean over the searches
///   S_p10_100           the 10th percentile of the same after 100 trials
///   S_p0                the normalised score; overall, the mean over spaces with a budget of at least 20
///   S_duplicates_pct    trials of configurations that were tried before, of 100
///   S_replay_step_us    median time of a step
///   S_noisy_f25 ..      the same fractions where each trial takes one recorded sample
///   S_batch4_f100, S_batch16_f100   where so many candidates are proposed at a time
/// and random_exact_f25 ..: the expectation for random search without replacement.
QualityFigures figuresOf(const Study& study, const std::vector<test::RecordedSpace>& spaces,
                         const std::vector<Contestant>& contestants, std::size_t runs);

/// One row a contestant; where the figures have no such metric, "-".
std::string qualityTable(const QualityFigures& figures, const std::vector<Contestant>& contestants);

nlohmann::ordered_json toJson(const QualityFigures& figures);

}  // namespace hone::bench
