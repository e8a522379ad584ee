// The tables that CLTune's paper has of its convolution.
#pragma once

#include <string>

#include "papers/bench_context.h"
#include "papers/program_study.h"

namespace hone::bench {

/// What conv2d reaches of the device's measured ceilings, with its default and tuned.
std::string ceilingsTable(const BenchContext& context, const ProgramFigures& convolution);

/// The best parameters for a filter, found by `auto`, used on other filters: 3 x 3, 7 x 7 and 11 x 11.
std::string filtersTable(const BenchContext& context, const StudiedProgram& convolution);

/// How annealing's temperature and the swarm's size change what is found: searches replayed on conv2d's sweep.
std::string sensitivityTable(const BenchContext& context, const StudiedProgram& convolution);

/// A configuration for one filter as it is for another: full unrolling is that of its own filter.
NamedConfiguration forFilter(const NamedConfiguration& configuration, std::int64_t from, std::int64_t to);

}  // namespace hone::bench
