#include "compile/worker_process.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>

extern char** environ;  // POSIX asks programs to declare it

namespace hone::detail {

namespace {

constexpr std::size_t kStackBytes = std::size_t{64} << 10;  // of each of the two processes, until it execs or ends
constexpr int kFirstFree = kWorkerKept + 1;
// Where the kernel has no close_range (before 5.9): descriptors beyond are rare, and closing 2^20 of them is slow.
constexpr int kMostDescriptors = 65536;

/// What the two short-lived processes below are told, and tell: they run in the application's memory.
struct Start {
  const char* program;
  char* const* arguments;
  int socket;
  int kept;
  char* secondStack;
  int error = 0;
};

/// A stack for a process that runs in this one's memory.
class Stack {
 public:
  Stack() : memory_(mmap(nullptr, 2 * kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED)
      throw std::system_error(errno, std::generic_category(), "no memory for a worker's start");
  }
  ~Stack() { munmap(memory_, 2 * kStackBytes); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  /// Stacks grow downwards on every machine that has OpenCL.
  char* firstTop() const { return static_cast<char*>(memory_) + 2 * kStackBytes; }
  char* secondTop() const { return static_cast<char*>(memory_) + kStackBytes; }

 private:
  void* const memory_;
};

/// While it lives, no handler of the application runs in this thread, nor in a process that is started from it.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

// ---- in the new processes: system calls only, since another thread may hold any lock of the C library

void forgetSignals() {
  struct sigaction byDefault {};
  byDefault.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, &byDefault, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// 0 becomes the socket, 1 and 2 nothing, 3 what is kept; all others are closed.
bool arrangeDescriptors(int socket, int kept) {
  // Out of the way first: both may be among the four numbers.
  const int highSocket = fcntl(socket, F_DUPFD, kFirstFree);
  const int highKept = fcntl(kept, F_DUPFD, kFirstFree);
  const int nowhere = open("/dev/null", O_RDWR);
  if (highSocket < 0 || highKept < 0 || nowhere < 0) return false;
  if (dup2(nowhere, 1) < 0 || dup2(nowhere, 2) < 0) return false;
  if (dup2(highSocket, kWorkerSocket) < 0 || dup2(highKept, kWorkerKept) < 0) return false;
#ifdef SYS_close_range
  if (syscall(SYS_close_range, static_cast<unsigned>(kFirstFree), ~0u, 0u) == 0) return true;
#endif
  for (int number = kFirstFree; number < kMostDescriptors; ++number) close(number);
  return true;
}

/// The worker to be. (At the end of such a process, the address sanitizer would clear marks of the application's
/// stack.)
[[gnu::no_sanitize_address]] int becomeProgram(void* argument) {
  Start& start = *static_cast<Start*>(argument);
  if (arrangeDescriptors(start.socket, start.kept)) {
    forgetSignals();
    execve(start.program, start.arguments, environ);
  }
  start.error = errno;
  _exit(127);
}

/// A process between the application and the worker, so that the worker is not the application's child. It has no
/// termination signal, so that it is none that wait() finds either. Only a process that does not exec can be so:
/// execve() makes the termination signal SIGCHLD again.
[[gnu::no_sanitize_address]] int startSecond(void* argument) {
  Start& start = *static_cast<Start*>(argument);
  if (clone(becomeProgram, start.secondStack, CLONE_VM | CLONE_VFORK, argument) < 0) start.error = errno;
  _exit(0);
}

}  // namespace

Descriptor startProcess(const std::string& program, const Descriptor& kept) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "no socket for a worker");
  Descriptor ours(ends[0]);
  const Descriptor theirs(ends[1]);
  fcntl(ours.number(), F_SETFL, O_NONBLOCK);

  char* const arguments[] = {const_cast<char*>(program.c_str()), nullptr};
  const Stack stack;
  Start start{program.c_str(), arguments, theirs.number(), kept.number(), stack.secondTop()};
  {
    const BlockedSignals blocked;
    const int first = clone(startSecond, stack.firstTop(), CLONE_VM | CLONE_VFORK, &start);
    if (first < 0) {
      start.error = errno;
    } else {
      while (waitpid(first, nullptr, __WCLONE) < 0 && errno == EINTR) {
      }
    }
  }
  if (start.error != 0) throw std::system_error(start.error, std::generic_category(), program);
  return ours;
}

}  // namespace hone::detail
