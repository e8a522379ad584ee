#include "papers/sweep_processes.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "errors.h"
#include "papers/sweep.h"
#include "recording/measurement_table.h"

namespace hone::bench {

namespace {

// Each holds a context on the device, and the program's data.
constexpr std::size_t kMostProcesses = 16;
constexpr std::size_t kLeastConfigurations = 4;  // of a process: it takes a second or two to begin
// Of a configuration: the operating system interrupts what runs on a CPU.
constexpr std::size_t kSamples = 9, kSamplesOfCpu = 25;

std::size_t processesFor(std::size_t configurations) {
  const std::size_t cores = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostProcesses);
  return std::clamp<std::size_t>(configurations / kLeastConfigurations, 1, cores);
}

bool isGpu(const BenchContext& context) {
  return (context.on.device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU) != 0;
}

/// This program again, without what it would print on standard output.
pid_t start(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "papers");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw apps::InputError("a process that compiles cannot be started");
  return pid;
}

bool hasSucceeded(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void compileInProcesses(const BenchContext& context, const std::string& program, std::size_t count) {
  context.console.status("compiling " + program + " with " + std::to_string(count) + " processes");
  std::vector<pid_t> children;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::string> arguments = context.options.arguments;
    arguments.insert(arguments.end(), {"--sweep-job", program + ":" + std::to_string(i) + ":" + std::to_string(count)});
    if (context.options.sweepFolder.empty())
      arguments.insert(arguments.end(), {"--sweeps", context.sweepFolder.string()});
    children.push_back(start(std::move(arguments)));
  }
  const auto failed = std::count_if(children.begin(), children.end(), [](pid_t pid) { return !hasSucceeded(pid); });
  context.console.clearStatus();
  if (failed > 0)
    throw apps::InputError(std::to_string(failed) + " processes that compile " + program + " have failed");
}

}  // namespace

void sweepInProcesses(const BenchContext& context, const StudiedProgram& program, apps::Workload& workload) {
  const NamedSpace space = spaceOf(workload, program.restrictions);
  const std::filesystem::path table = context.sweepFolder / (program.name + ".csv");
  if (MeasurementTable(table, space.names).rows() < space.space.size())
    compileInProcesses(context, program.name, processesFor(space.space.size()));
  sweep(workload, space, table, isGpu(context) ? kSamples : kSamplesOfCpu, context.console);
  mergeTables({table}, context.sweepFile(program.name));
}

void doSweepJob(const BenchContext& context, const StudiedProgram& program, const SweepJob& job) {
  OpenedWorkload opened(context, program);
  compile(*opened, spaceOf(*opened, program.restrictions), job.index, job.count);
}

}  // namespace hone::bench
