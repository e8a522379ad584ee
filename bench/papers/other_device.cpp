#include "papers/other_device.h"

#include "format.h"
#include "papers/markdown.h"
#include "papers/match.h"

namespace hone::bench {

namespace {

/// The other's performance relative to ours; empty where its configuration does not run here.
std::optional<double> compare(const BenchContext& context, const StudiedProgram& program, const KnownBest& ours,
                              const KnownBest& theirs) {
  OpenedWorkload opened(context, program.on(ours.problem));
  Pinned best(*opened, ours.configuration);
  try {
    Pinned other(*opened, theirs.configuration);
    const std::vector<double> ms = playMatch({&best, &other}, {.rounds = 51, .seconds = 6});
    return ms[0] / ms[1];
  } catch (const DoesNotRun& failure) {
    context.console.note(program.name + ": the other device's best does not run here: " + failure.what());
    return std::nullopt;
  }
}

}  // namespace

std::string otherDeviceTable(const BenchContext& context, const DeviceBest& other,
                             const std::vector<StudiedProgram>& programs) {
  std::string text =
      markdownHead({"program", "best of " + other.device + ", used here", "configuration there", "here"});
  for (const StudiedProgram& program : programs) {
    const auto ours = context.best.programs.find(program.name);
    const auto theirs = other.programs.find(program.name);
    if (ours == context.best.programs.end() || theirs == other.programs.end()) continue;
    const auto part = compare(context, program, ours->second, theirs->second);
    if (part) context.metrics[program.name + "_other_device"] = *part;
    text += markdownRow({program.name, part ? cell(*part * 100, 1) + " %" : "does not run",
                         apps::configurationText(theirs->second.configuration),
                         apps::configurationText(ours->second.configuration)});
  }
  return text;
}

}  // namespace hone::bench
