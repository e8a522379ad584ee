#include "run_program.h"

#include <new>

#include "device.h"
#include "errors.h"

namespace hone::apps {

namespace {

std::string prefixed(const std::string& program, const std::string& message) {
  const std::string prefix = program + ": ";
  return message.starts_with(prefix) ? message : prefix + message;  // the library names the kernel itself
}

}  // namespace

bool answers(const Program& program, const RunOptions& options, std::ostream& out) {
  if (options.wantsHelp) {
    out << helpText(program);
  } else if (options.wantsDeviceList) {
    out << deviceList();
  } else {
    return false;
  }
  return true;
}

int runProgram(const std::string& program, std::ostream& errors, const std::function<void()>& body) {
  const auto report = [&](const std::string& message, ExitCode code) {
    errors << prefixed(program, oneLine(message)) << std::endl;
    return code;
  };
  try {
    body();
    return exitSuccess;
  } catch (const CheckFailure& failure) {
    return report(failure.what(), exitCheckFailed);
  } catch (const cl::Error& error) {
    return report(std::string(error.what()) + " failed with OpenCL error " + std::to_string(error.err()), exitUnusable);
  } catch (const std::bad_alloc&) {
    return report("out of host memory", exitUnusable);
  } catch (const std::exception& error) {
    return report(error.what(), exitUnusable);
  }
}

std::string oneLine(const std::string& text) {
  std::string line;
  bool isBreakPending = false;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      isBreakPending = !line.empty();
      continue;
    }
    if (isBreakPending) line += " | ";
    isBreakPending = false;
    line += c;
  }
  return line;
}

}  // namespace hone::apps
