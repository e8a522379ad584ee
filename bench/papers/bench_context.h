// What all tables are measured with.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "console.h"
#include "device.h"
#include "papers/options.h"
#include "papers/result_files.h"
#include "papers/studied_program.h"
#include "workload.h"

namespace hone::bench {

/// Its parts outlive what is measured with it.
struct BenchContext {
  const PapersOptions& options;
  const apps::OpenedDevice& on;
  opencl::Runtime& runtime;
  /// For programs that were not compiled by a sweep before: workers give way to launches without a pause, which on a
  /// CPU leave them nothing, so there this process compiles.
  opencl::Runtime& compilingRuntime;
  apps::Console& console;
  Scale scale;
  std::filesystem::path sweepFolder;
  DeviceBest& best;                        // of this device, program by program
  std::map<std::string, double>& metrics;  // of all tables

  /// Of a program's sweep, the table of all configurations.
  std::filesystem::path sweepFile(const std::string& program) const { return sweepFolder / (program + ".csv.gz"); }
};

/// A program's work with what it was opened with.
class OpenedWorkload {
 public:
  /// Throws InputError where the device does not have the memory.
  OpenedWorkload(const BenchContext& context, const StudiedProgram& program) {
    options_.problem = program.problem;
    options_.isDefaultProblem = false;
    options_.own = program.own;
    opencl::Runtime& runtime = program.isSwept ? context.runtime : context.compilingRuntime;
    workload_ = program.application.open({options_, context.on, runtime});
  }
  OpenedWorkload(const OpenedWorkload&) = delete;
  OpenedWorkload& operator=(const OpenedWorkload&) = delete;

  apps::Workload& operator*() { return *workload_; }

 private:
  apps::RunOptions options_;
  std::unique_ptr<apps::Workload> workload_;
};

}  // namespace hone::bench
