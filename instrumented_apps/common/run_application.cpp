#include "run_application.h"

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

Summary launchAll(const Program& program, RunOptions options, const OpenedDevice& on, const TunedWork& work,
                  Console& console) {
  const RunFigures figures = runLaunches(work, {options.launches, options.seconds, options.endsSettled}, console);
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
  for (const TunedWork& work : workload->tune(options.tuning, options.restrictions)) {
    summaries.push_back(launchAll(application.program, options, on, work, console));
    std::cout << table(summaries.back()) << std::flush;
    if (!options.jsonFile.empty()) writeJson(options.jsonFile, toJson(summaries));
  }
  for (const Summary& summary : summaries) {
    if (!summary.failure.empty()) throw CheckFailure(summary.failure);
  }
}

}  // namespace

int runApplication(const Application& application, int argc, char** argv) {
  return runProgram(application.program.name, std::cerr, [&] { run(application, {argv + 1, argv + argc}); });
}

}  // namespace hone::apps
