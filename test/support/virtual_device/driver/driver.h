// The driver's one state: the platform, its virtual clock, the commands under way, what is counted and what goes wrong.
// There is one, as the loader loads the driver once.
#pragma once

#include <condition_variable>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "support/virtual_device/driver/fault_rules.h"
#include "support/virtual_device/driver/objects.h"

namespace hone::test::driver {

/// What a command waits for besides its wait list and, in order, the command before it.
enum class Order {
  plain,
  marker,  // without a wait list: for all commands before it
  barrier  // likewise, and all commands behind it wait for it
};

/// Thread safety: externally synchronised by `mutex`, which each API call takes.
class Driver {
 public:
  static Driver& instance();

  std::mutex mutex;
  std::condition_variable changed;  // the clock has moved, an event has ended, builds were released
  Platform platform;
  std::vector<Device*> devices;  // those that there are
  Counts counts;
  HostTimes hostTimes;
  FaultRules faults;
  std::vector<std::string> violations;

  // ---- sessions: from the first device to the last

  std::uint64_t session() const { return session_; }
  Device* addDevice(std::shared_ptr<LaunchModel> model, DeviceDescription description);
  void removeDevice(Device* device);

  // ---- objects

  template <class T, class... Arguments>
  T* make(Arguments&&... arguments) {
    T* object = new T(std::forward<Arguments>(arguments)...);
    object->session = session_;
    if (int* live = liveCount(T::kKind)) ++*live;
    return object;
  }
  /// The object behind a handle; null if it is none of that kind. The use of a released one is a violation.
  template <class T, class Handle>
  T* find(Handle handle) {
    return static_cast<T*>(findObject(reinterpret_cast<Object*>(handle), T::kKind));
  }
  template <class T>
  void retain(T* object) {
    ++object->references;
  }
  template <class T>
  void release(T* object) {
    --object->references;
    destroyIfUnused(object);
  }
  template <class T>
  void destroy(T* object);
  void reportViolation(const std::string& text);

  // ---- virtual time

  static constexpr std::int64_t kBeginNs = 1'000'000'000;  // no time of a session is 0, which would read as "no time"
  std::int64_t now() const { return nowNs_; }
  void advanceBy(std::int64_t ns) { advanceTo(nowNs_ + ns); }
  /// Everything happens that happens until then.
  void advanceTo(std::int64_t ns);

  // ---- commands

  /// The command begins as soon as its queue and its wait list let it.
  void enqueue(Event* event, const std::vector<Event*>& waitList, Order order = Order::plain);
  void flush(Queue& queue);
  /// Ends a command that is under way, or a user event; what waits for it goes on.
  void end(Event* event, cl_int status);
  /// All that happens without time passing.
  void settle();
  /// Moves the clock to the event's end. Where nothing in virtual time leads there, waits for other threads.
  void waitFor(Event* event, std::unique_lock<std::mutex>& lock);
  void waitFor(Queue& queue, std::unique_lock<std::mutex>& lock);
  void loseDevice(Device& device);
  /// Passes time until no command is left that can end.
  void drain();

  /// Calls the callbacks that became due, with the lock released meanwhile.
  void deliverCallbacks(std::unique_lock<std::mutex>& lock);
  void noteCallbacks(Event* event, cl_int status);
  void addDueCallback(const Event::Callback& callback, Event* event, cl_int status) {
    callbacks_.push_back({callback, Hold<Event>(event), status});
  }

  std::string currentCall;  // for violations

 private:
  Driver() = default;
  int* liveCount(ObjectKind kind);
  Object* findObject(Object* object, ObjectKind kind);
  void bury(std::unique_ptr<void, void (*)(void*)> object);

  std::optional<std::int64_t> nextCompletion(Engine** engine) const;
  void submit(Event* event);
  double askModel(Device& device, const VirtualLaunch& launch);
  void begin(Event* event);
  void setStatus(Event* event, cl_int status);
  /// Returns how the command ends.
  cl_int perform(Event* event);
  void addDependency(Event* on, Event* event, bool inheritsFailure);

  std::uint64_t session_ = 0;
  std::int64_t nowNs_ = kBeginNs;
  std::deque<Event*> ready_;  // wait for nothing more, and are not submitted yet
  struct DueCallback {
    Event::Callback callback;
    Hold<Event> event;
    cl_int status;
  };
  std::deque<DueCallback> callbacks_;
  std::deque<std::unique_ptr<void, void (*)(void*)>> graveyard_;
};

/// One API call: takes the lock, counts the call, and passes its host time. At its end, callbacks are called.
class Call {
 public:
  enum class HostTime {
    asScripted,
    none
  };
  explicit Call(const char* name, HostTime hostTime = HostTime::asScripted);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Driver* operator->() const { return &driver_; }
  Driver& driver() const { return driver_; }
  std::unique_lock<std::mutex>& lock() { return lock_; }
  /// The code that a script has this call fail with, or CL_SUCCESS.
  cl_int fault() const { return fault_; }
  void countBlocking();
  void countBuild();

 private:
  Driver& driver_;
  std::unique_lock<std::mutex> lock_;
  cl_int fault_ = CL_SUCCESS;
};

template <class T>
void Driver::destroy(T* object) {
  if (object->session == session_) {
    if (int* live = liveCount(T::kKind)) --*live;
  }
  object->dispose();
  bury({object, [](void* dead) { delete static_cast<T*>(dead); }});
}

template <class T>
void destroyIfUnused(T* object) {
  if (object->references == 0 && object->holds == 0) Driver::instance().destroy(object);
}

}  // namespace hone::test::driver
