// A program's row: default, tuned, and how far that is from the best there is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "papers/bench_context.h"

namespace hone::bench {

/// What a search has come to.
struct SearchFigures {
  NamedConfiguration best;
  double ms = 0;  // from the match in which it met the default
  std::size_t trials = 0;
  /// Until something within 3 % of the optimum was tried; where nothing was swept, of the best that this search saw.
  std::optional<std::size_t> trialsUntilGood;
  /// The median of as many replays on the sweep's times; empty where nothing was swept.
  std::optional<std::size_t> replayed;
  std::optional<double> versusExhaustive;  // its time / the optimum's, from one match; empty where nothing was swept
  bool hasSettled = false;
};

struct ProgramFigures {
  std::string name, problem;
  Rank configurations = 0;
  double defaultMs = 0;
  SearchFigures tuned;         // by auto
  SearchFigures nelderMead;    // as in AtuneRT's paper
  NamedConfiguration optimum;  // empty where nothing was swept
  double speedup() const { return defaultMs / tuned.ms; }
};

/// Searches with auto and with Nelder-Mead and sweeps the space where the study asks for it; then default, the two
/// results and the sweep's optimum meet in one match. Adds to the context's metrics and bests.
ProgramFigures studyProgram(const BenchContext& context, const StudiedProgram& program);

std::string studyHead();
std::string studyRow(const ProgramFigures& figures);

}  // namespace hone::bench
