// What a program can set before it starts: how to search, how long, and where to hear of trouble.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "hone/api.h"
#include "hone/pin.h"
#include "hone/strategy.h"

namespace hone {

/// Something a person would want to know about; nothing that the program has to react to.
struct Diagnostic {
  std::string source;   // the tuner's or kernel's name
  std::string message;  // one line; where a build failed, the compiler's log follows on lines of its own
};

enum class Mode {
  tune,  // candidates are tried
  use,   // nothing new is tried: what is pinned runs, else the default
  off    // the default runs; nothing is measured, no thread is started and no file is touched
};

/// The environment's HONE_MODE, HONE_STRATEGY, HONE_SEED, HONE_BUDGET, HONE_PIN and HONE_LOG stand above these: whoever
/// runs a program has the last word.
struct Options {
  Mode mode = Mode::tune;
  /// One of strategyNames().
  std::string strategy = "auto";
  /// Where set, makes the strategy of each session instead; gets a seed derived from `seed`.
  std::function<std::unique_ptr<Strategy>(std::uint64_t seed)> makeStrategy;
  std::uint64_t seed = 1;
  /// Exploring ends when this many candidates were judged, failed ones included.
  std::size_t maxTrials = std::numeric_limits<std::size_t>::max();
  /// What tuning may cost, as a part of what the default would have cost: at any moment a run has cost at most
  /// (1 + slowdownBudget) times that, plus one launch. What better configurations save is spent on more trials.
  /// Infinity: costs do not count, trials run as soon as they can. 0: nothing new is tried, and a diagnostic says so.
  /// UsageError if it is negative or not a number.
  double slowdownBudget = 0.10;
  /// Whether a plain Tuner has its candidates proposed by a thread of its own. Otherwise the program calls
  /// Tuner::step() where it suits it. (Kernels have their Runtime's thread.)
  bool hasOwnThread = true;
  /// How many compiled variants a kernel keeps at most; the least recently prepared goes first. Those that a problem
  /// still launches (defaults, incumbents, candidates under way) are kept beyond it.
  std::size_t maxVariants = 16;
  /// And how many bytes their binaries may have in all, as far as that is known.
  std::size_t maxVariantBytes = std::size_t{64} << 20;
  /// Configurations that are run instead of being searched for. UsageError at the first launch if one does not exist.
  std::vector<Pin> pins;
  /// Where to log what was found, each time as a pin, and all diagnostics: a file that is appended to, "-" for standard
  /// error. Empty: no log. Written by the thread that prepares candidates, and once more at the end. UsageError if it
  /// cannot be opened.
  std::string logFile;
  /// Called from the thread that noticed, with no lock held that a launch takes; several threads may call it at once.
  /// May be empty. Must not throw.
  std::function<void(const Diagnostic&)> diagnostics;
};

/// The options with what the environment says instead, as tuners use them: HONE_MODE, HONE_STRATEGY, HONE_SEED,
/// HONE_BUDGET, HONE_PIN, HONE_LOG. An empty variable says nothing. With mode off no file is touched. Throws
/// UsageError, naming the variable, if one cannot be understood.
HONE_API Options withEnvironment(Options options);

}  // namespace hone
