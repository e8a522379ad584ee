// A compile worker whose builder does what the job's source says, so that the pool can be tested without a compiler:
//
//   answer TEXT       the binary is TEXT
//   fail TEXT         there is no binary; the log is TEXT
//   fact NAME         the binary is a fact about the process: pid, parent, folder, priority, descriptors, signals, or
//                     a variable of its environment
//   crash, hang       while building, or, where the job has a warm-up launch, in that
//   flood             a log of 100 MB, and as much on standard output
//   await FILE        answers once there is such a file
//   grandchild        starts a process that does not end, and answers with its id
//
// The device "none" is refused, "exit" ends the process at once, "silent" gets no answer.

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "compile/worker_side.h"

namespace {

using hone::detail::CompileJob;
using hone::detail::CompileResult;

[[noreturn]] void hang() {
  for (;;) pause();
}

std::string openDescriptors() {
  std::string open;
  for (int number = 0; number < 256; ++number) {
    if (fcntl(number, F_GETFD) >= 0) open += (open.empty() ? "" : " ") + std::to_string(number);
  }
  return open;
}

/// Of signals that applications change, those that do not act as in a fresh process. (Sanitizers handle others.)
std::string oddSignals() {
  std::string odd;
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  for (int signal : {SIGCHLD, SIGPIPE, SIGTERM, SIGUSR1}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL || sigismember(&blocked, signal)) odd += " " + std::to_string(signal);
  }
  return odd;
}

std::string fact(const std::string& name) {
  if (name == "pid") return std::to_string(getpid());
  if (name == "parent") return std::to_string(getppid());
  if (name == "folder") return std::filesystem::current_path().string();
  if (name == "priority") return std::to_string(getpriority(PRIO_PROCESS, 0));
  if (name == "descriptors") return openDescriptors();
  if (name == "signals") return oddSignals();
  const char* variable = std::getenv(name.c_str());
  return variable ? variable : "";
}

pid_t startGrandchild() {
  const pid_t child = fork();
  if (child == 0) hang();
  return child;
}

CompileResult resultOf(const std::string& word, const std::string& rest) {
  CompileResult result;
  const auto answer = [&](const std::string& text) { result.binary.assign(text.begin(), text.end()); };
  if (word == "answer") {
    answer(rest);
  } else if (word == "fail") {
    result.log = rest;
  } else if (word == "fact") {
    answer(fact(rest));
  } else if (word == "crash") {
    raise(SIGSEGV);
  } else if (word == "hang") {
    hang();
  } else if (word == "flood") {
    result.log.assign(100'000'000, 'x');
    std::fputs(result.log.c_str(), stdout);
  } else if (word == "await") {
    while (!std::filesystem::exists(rest)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    answer("it is there");
  } else if (word == "grandchild") {
    answer(std::to_string(startGrandchild()));
  } else {
    throw std::runtime_error("the script has no '" + word + "'");
  }
  return result;
}

class ScriptedBuilder final : public hone::detail::JobBuilder {
 public:
  CompileResult build(const CompileJob& job, const std::function<void()>& beforeWarming) override {
    if (job.warmUp) beforeWarming();
    std::istringstream script(job.source);
    std::string word, rest;
    script >> word >> std::ws;
    std::getline(script, rest);
    return resultOf(word, rest);
  }
};

std::unique_ptr<hone::detail::JobBuilder> openScripted(const std::string& device) {
  if (device == "none") throw std::runtime_error("there is no such device");
  if (device == "exit") std::_Exit(0);
  if (device == "silent") hang();
  return std::make_unique<ScriptedBuilder>();
}

}  // namespace

int main() { return hone::detail::serve(openScripted); }
