// What an application notices of its workers - nothing - and what they have of it.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/scoped_variable.h"
#include "support/temporary_file.h"
#include "workers/pool_bench.h"

namespace hone::detail {
namespace {

using test::comesTrue;
using test::hasEnded;
using test::PoolBench;

volatile std::sig_atomic_t childSignals = 0;

/// Sets a signal's action for a scope.
class ScopedAction {
 public:
  ScopedAction(int signal, void (*handler)(int)) : signal_(signal) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigaction(signal, &action, &before_);
  }
  ~ScopedAction() { sigaction(signal_, &before_, nullptr); }
  ScopedAction(const ScopedAction&) = delete;
  ScopedAction& operator=(const ScopedAction&) = delete;

 private:
  const int signal_;
  struct sigaction before_ {};
};

TEST(WorkerProcess, ApplicationHasNoChildAndGetsNoSignal) {
  childSignals = 0;
  const ScopedAction counted(SIGCHLD, [](int) { childSignals = childSignals + 1; });
  PoolBench bench;
  EXPECT_NE(bench.answerTo("fact parent"), std::to_string(getpid()));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  bench.submit("crash");
  EXPECT_EQ(bench.answerTo("answer me"), "me");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG | __WALL), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_EQ(childSignals, 0);
}

TEST(WorkerProcess, ApplicationThatIgnoresItsChildrenHasWorkers) {
  const ScopedAction ignored(SIGCHLD, SIG_IGN);
  PoolBench bench;
  EXPECT_EQ(bench.answerTo("answer me"), "me");
}

TEST(WorkerProcess, ApplicationThatWaitsForAnyChildGetsItsOwn) {
  PoolBench bench;
  const pid_t own = fork();
  if (own == 0) {
    pause();
    _exit(0);
  }
  bench.submit("crash");
  EXPECT_EQ(bench.answerTo("answer me"), "me");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), 0);  // its own is alive
  kill(own, SIGKILL);
  EXPECT_EQ(waitpid(-1, nullptr, 0), own);
}

TEST(WorkerProcess, HasNoneOfTheApplicationsDescriptorsAndSignals) {
  const ScopedAction ignored(SIGPIPE, SIG_IGN);
  const ScopedAction handled(SIGUSR1, [](int) {});
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  ASSERT_EQ(dup2(STDERR_FILENO, 200), 200);  // a program that it executes would inherit this one
  PoolBench bench;
  EXPECT_EQ(bench.answerTo("fact signals"), "");
  const std::string descriptors = bench.answerTo("fact descriptors");
  EXPECT_EQ(descriptors.rfind("0 1 2 3 4", 0), 0u) << descriptors;  // the streams, the slot, the socket
  EXPECT_EQ(descriptors.find("200"), std::string::npos) << descriptors;
  close(200);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(WorkerProcess, LowStandardDescriptorsMayBeClosed) {
  const int input = fcntl(STDIN_FILENO, F_DUPFD, 10), output = fcntl(STDOUT_FILENO, F_DUPFD, 10);
  close(STDIN_FILENO);  // the library's sockets get these numbers
  close(STDOUT_FILENO);
  std::string answer;
  {
    PoolBench bench;
    answer = bench.answerTo("answer me");
  }
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  close(input);
  close(output);
  EXPECT_EQ(answer, "me");
}

TEST(WorkerProcess, RunsAtTheGivenPriorityInTheApplicationsEnvironment) {
  const test::ScopedVariable variable("HONE_TEST_MARK", "seen");
  PoolBench bench;
  const int expected = std::min(19, getpriority(PRIO_PROCESS, 0) + 7);
  EXPECT_EQ(bench.answerTo("fact priority"), std::to_string(expected));
  EXPECT_EQ(bench.answerTo("fact HONE_TEST_MARK"), "seen");
}

TEST(WorkerProcess, WorksInTheJobsFolder) {
  const test::TemporaryFile file;
  const auto before = std::filesystem::current_path();
  PoolBench bench;
  CompileJob job = PoolBench::jobOf("fact folder");
  job.folder = file.folder().string();
  EXPECT_EQ(bench.answerTo(job), job.folder);
  std::filesystem::current_path("/");  // the application goes elsewhere
  EXPECT_EQ(bench.answerTo(job), job.folder);
  std::filesystem::current_path(before);
  job = PoolBench::jobOf("answer nothing");
  job.folder = "/nowhere";
  EXPECT_EQ(bench.answerTo(job), "");
  EXPECT_EQ(bench.results["answer nothing"].log, "the working directory /nowhere cannot be entered");
}

/// The application's end of the only worker's socket.
int socketOf(WorkerPool& pool) {
  std::vector<pollfd> waits;
  pool.addWaits(waits);
  return waits.size() == 1 ? waits[0].fd : -1;
}

TEST(WorkerProcess, ApplicationMayCloseDescriptorsAndReuseThem) {
  PoolBench bench;
  const pid_t process = bench.workerProcess();
  bench.submit("answer me");
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.pool().building() == 1; }));
  const int stolen = socketOf(bench.pool());
  const test::TemporaryFile file("untouched");
  const int own = open(file.path().c_str(), O_RDWR);
  ASSERT_EQ(dup2(own, stolen), stolen);  // closes the library's socket
  ASSERT_TRUE(bench.stepsUntilResults(2));
  EXPECT_EQ(PoolBench::textOf(bench.results["answer me"]), "me");  // by another worker: the candidate is not to blame
  EXPECT_TRUE(comesTrue([&] { return hasEnded(process); }));
  EXPECT_GE(fcntl(stolen, F_GETFD), 0);  // still open
  bench.made.reset();
  EXPECT_GE(fcntl(stolen, F_GETFD), 0);
  EXPECT_EQ(file.lines(), std::vector<std::string>{"untouched"});
  close(stolen);
  close(own);
}

// ---- applications that end

/// Runs an application in a process of its own, with a pipe on which it tells process ids.
class Application {
 public:
  /// `main` gets the pipe's end.
  explicit Application(const std::function<void(int)>& main) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    process_ = fork();
    if (process_ == 0) {
      close(ends[0]);
      main(ends[1]);
      _exit(0);
    }
    close(ends[1]);
    told_ = ends[0];
  }
  ~Application() {
    close(told_);
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  pid_t process() const { return process_; }
  pid_t toldProcess() const {
    pid_t process = 0;
    if (read(told_, &process, sizeof(process)) != sizeof(process)) return 0;
    return process;
  }
  /// Waits for its end and returns its exit status, or -1 if a signal ended it.
  int exitStatus() const {
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOWAIT);
    return info.si_code == CLD_EXITED ? info.si_status : -1;
  }

 private:
  pid_t process_ = 0;
  int told_ = -1;
};

void tell(int pipe, pid_t process) {
  if (write(pipe, &process, sizeof(process)) != sizeof(process)) _exit(3);
}

TEST(WorkerProcess, EndsWithAnApplicationThatIsKilledInTheMiddleOfABuild) {
  const Application application([](int pipe) {
    PoolBench bench;
    const pid_t worker = bench.workerProcess();
    bench.submit("hang");
    bench.stepsUntil([&] { return bench.pool().building() == 1; });
    tell(pipe, worker);
    pause();
  });
  const pid_t worker = application.toldProcess();
  ASSERT_GT(worker, 0);
  EXPECT_FALSE(hasEnded(worker));
  kill(application.process(), SIGKILL);
  EXPECT_TRUE(comesTrue([&] { return hasEnded(worker); }));
}

TEST(WorkerProcess, EndsWithItsApplicationAlthoughAForkedChildLivesOn) {
  const Application application([](int pipe) {
    PoolBench bench;
    const pid_t worker = bench.workerProcess();
    bench.submit("hang");
    bench.stepsUntil([&] { return bench.pool().building() == 1; });
    const pid_t child = fork();  // with a copy of the socket
    if (child == 0) {
      pause();
      _exit(0);
    }
    tell(pipe, worker);
    tell(pipe, child);
    pause();
  });
  const pid_t worker = application.toldProcess();
  const pid_t child = application.toldProcess();
  ASSERT_GT(child, 0);
  kill(application.process(), SIGKILL);
  EXPECT_TRUE(comesTrue([&] { return hasEnded(worker); }));
  EXPECT_FALSE(hasEnded(child));
  kill(child, SIGKILL);
}

TEST(WorkerProcess, ForkedChildLeavesItsParentsWorkersAlone) {
  PoolBench bench;
  const pid_t worker = bench.workerProcess();
  const test::TemporaryFile release;
  const std::string job = "await " + release.path();
  bench.submit(job);
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.pool().building() == 1; }));
  const pid_t child = fork();
  if (child == 0) {
    bench.pool().submit(nullptr, PoolBench::jobOf("answer child"), [](const CompileResult&) { _exit(4); });
    if (bench.pool().step()) _exit(5);
    bench.made.reset();  // as at the end of a program
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  release.write("");
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.results.count(job) != 0; }));
  EXPECT_EQ(bench.workerProcess(), worker);
}

// ---- shortages

TEST(WorkerProcess, WithoutDescriptorsThereIsTheFallback) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself needs descriptors to look at an exception";
#endif
  const Application application([](int) {
    PoolBench bench;
    const rlimit none{3, 3};
    setrlimit(RLIMIT_NOFILE, &none);
    const bool isRight = bench.answerTo("answer me") == "answer me by the fallback" &&
                         bench.results["answer me"].notice.find("Too many open files") != std::string::npos;
    _exit(isRight ? 0 : 1);
  });
  EXPECT_EQ(application.exitStatus(), 0);
}

TEST(WorkerProcess, WithoutRoomForAProcessThereIsTheFallback) {
  const Application application([](int) {
    PoolBench bench;
    // Limits do not hold for the superuser.
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(2);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_NPROC, &none);
    const bool isRight = bench.answerTo("answer me") == "answer me by the fallback" &&
                         bench.results["answer me"].notice.find("temporarily unavailable") != std::string::npos;
    _exit(isRight ? 0 : 1);
  });
  EXPECT_EQ(application.exitStatus(), 0);
}

TEST(WorkerProcess, WithoutMemoryThereIsTheFallback) {
  const Application application([](int) {
    PoolBench bench;
    bench.pool();
    rlimit used{};
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    // What is mapped, and a little for the heap: not the stacks of the start.
    used.rlim_cur = used.rlim_max = pages * static_cast<std::size_t>(getpagesize());
    bench.submit("answer me");
    setrlimit(RLIMIT_AS, &used);
    const bool isDone = bench.stepsUntilResults(1);
    _exit(isDone && PoolBench::textOf(bench.results["answer me"]) == "answer me by the fallback" ? 0 : 1);
  });
  EXPECT_EQ(application.exitStatus(), 0);
}

}  // namespace
}  // namespace hone::detail
