#include "run_application.h"

#include <algorithm>
#include <iostream>
#include <string>

#include "console.h"
#include "errors.h"
#include "json_file.h"
#include "measuring_loop.h"
#include "run_program.h"
#include "summary.h"

namespace hone::apps {

namespace {

/// The share of the next one of `problems` problems in what is left.
RunLimits shareOf(const RunLimits& left, std::size_t problems) {
  RunLimits share = left;
  if (left.launches) share.launches = std::max<std::uint64_t>(*left.launches / problems, 1);
  if (left.seconds) share.seconds = *left.seconds / static_cast<double>(problems);
  return share;
}

Summary launchAll(const Program& program, RunOptions options, const OpenedDevice& on, const TunedWork& work,
                  const RunLimits& limits, Console& console) {
  const RunFigures figures = runLaunches(work, limits, console);
  options.problem = work.problem;
  Summary summary = summarise(program, options, on, figures);
  if (work.complete) work.complete(summary);
  return summary;
}

void run(const Application& application, const std::vector<std::string>& arguments) {
  RunOptions options = parseOptions(application.program, arguments);
  if (answers(application.program, options, std::cout)) return;
  if (application.validate) application.validate(options);
  if (!options.jsonFile.empty()) requireWritable(options.jsonFile);
  const OpenedDevice on = openDevice(options.device);

  Console console = Console::ofProcess();
  options.tuning.diagnostics = [&](const Diagnostic& d) { console.note(d.source + ": " + oneLine(d.message)); };
  opencl::Runtime runtime(on.context, on.device);
  const std::unique_ptr<Workload> workload = application.open({options, on, runtime});
  std::vector<Summary> summaries;
  const std::vector<TunedWork> works = workload->tune(options.tuning, options.restrictions);
  RunLimits left{options.launches, options.seconds, options.endsSettled};
  for (const TunedWork& work : works) {
    const RunLimits share = shareOf(left, works.size() - summaries.size());
    summaries.push_back(launchAll(application.program, options, on, work, share, console));
    if (left.launches) *left.launches -= std::min(*left.launches, *share.launches);
    if (left.seconds) *left.seconds = std::max(*left.seconds - summaries.back().totalSeconds, 0.0);
    if (!options.jsonFile.empty()) writeJson(options.jsonFile, toJson(summaries));
  }
  std::cout << table(summaries) << std::flush;
  for (const Summary& summary : summaries) {
    if (!summary.failure.empty()) throw CheckFailure(summary.failure);
  }
}

}  // namespace

int runApplication(const Application& application, int argc, char** argv) {
  return runProgram(application.program.name, std::cerr, [&] { run(application, {argv + 1, argv + argc}); });
}

}  // namespace hone::apps
