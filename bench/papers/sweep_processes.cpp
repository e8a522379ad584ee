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

bool isGpu(const BenchContext& context) {
  return (context.on.device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU) != 0;
}

std::size_t processesFor(std::size_t configurations) {
  const std::size_t cores = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostProcesses);
  return std::clamp<std::size_t>(configurations / kLeastConfigurations, 1, cores);
}

std::filesystem::path partFile(const BenchContext& context, const SweepJob& job) {
  return context.sweepFolder /
         (job.program + "." + std::to_string(job.index) + "_of_" + std::to_string(job.count) + ".csv");
}

std::size_t samplesOf(const BenchContext& context) { return isGpu(context) ? 9 : 25; }

void measurePart(const BenchContext& context, const StudiedProgram& program, const SweepJob& job) {
  OpenedWorkload opened(context, program);
  FileLock lock((context.sweepFolder / "lock").string());
  lock.lock();
  const NamedSpace space = spaceOf(*opened, program.restrictions);
  lock.unlock();
  sweep(*opened, space, {job.index, job.count}, partFile(context, job), samplesOf(context), lock, context.console);
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
  if (error != 0) throw apps::InputError("a process of the sweep cannot be started");
  return pid;
}

bool hasSucceeded(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void runAll(const BenchContext& context, const std::string& program, std::size_t count) {
  context.console.status("sweeping " + program + " with " + std::to_string(count) + " processes");
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
    throw apps::InputError(std::to_string(failed) + " processes of the sweep of " + program + " have failed");
}

}  // namespace

void sweepInProcesses(const BenchContext& context, const StudiedProgram& program, std::size_t configurations) {
  const std::size_t count = processesFor(configurations);
  std::vector<std::filesystem::path> parts;
  runAll(context, program.name, count);
  if (isGpu(context)) {
    for (std::size_t i = 0; i < count; ++i) parts.push_back(partFile(context, {program.name, i, count}));
  } else {
    measurePart(context, program, {program.name, 0, 1});
    parts.push_back(partFile(context, {program.name, 0, 1}));
  }
  mergeTables(parts, context.sweepFile(program.name));
}

void doSweepJob(const BenchContext& context, const StudiedProgram& program, const SweepJob& job) {
  if (isGpu(context)) return measurePart(context, program, job);
  OpenedWorkload opened(context, program);
  compile(*opened, spaceOf(*opened, program.restrictions), {job.index, job.count});
}

}  // namespace hone::bench
