#include "support/scripted_compile_service.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace hone::test {

ScriptedCompileService::ScriptedCompileService(const detail::Clock& clock, std::size_t workers, Script script)
    : clock_(clock), workers_(workers), script_(std::move(script)) {
  if (workers == 0) throw std::invalid_argument("ScriptedCompileService: there are no workers");
}

void ScriptedCompileService::submit(const void* owner, detail::CompileJob job, Done done) {
  ScriptedBuild build = script_(job);
  if (build.duration.count() < 0) throw std::invalid_argument("ScriptedCompileService: a build takes negative time");
  const std::lock_guard<std::mutex> lock(mutex_);
  catchUp();
  queued_.push_back({owner, std::move(done), std::move(build)});
  beginQueued(clock_.nowNs());
}

void ScriptedCompileService::cancel(const void* owner) {
  std::unique_lock<std::mutex> lock(mutex_);
  catchUp();
  for (std::deque<Job>* jobs : {&queued_, &building_, &finished_})
    std::erase_if(*jobs, [&](const Job& job) { return job.owner == owner; });
  beginQueued(clock_.nowNs());
  stepDone_.wait(lock, [&] { return handingOver_ != owner; });
}

bool ScriptedCompileService::step() {
  std::unique_lock<std::mutex> lock(mutex_);
  catchUp();
  if (finished_.empty()) return false;
  Job job = std::move(finished_.front());
  finished_.pop_front();
  handingOver_ = job.owner;
  lock.unlock();
  job.done(std::move(job.build.result));
  lock.lock();
  handingOver_ = nullptr;
  stepDone_.notify_all();
  return true;
}

std::optional<std::int64_t> ScriptedCompileService::nextDoneNs() {
  const std::lock_guard<std::mutex> lock(mutex_);
  catchUp();
  if (!finished_.empty()) return finished_.front().doneNs;
  const auto first = firstDone();
  if (first == building_.end()) return std::nullopt;
  return first->doneNs;
}

std::size_t ScriptedCompileService::queued() {
  const std::lock_guard<std::mutex> lock(mutex_);
  catchUp();
  return queued_.size();
}

std::size_t ScriptedCompileService::building() {
  const std::lock_guard<std::mutex> lock(mutex_);
  catchUp();
  return building_.size();
}

std::size_t ScriptedCompileService::finished() {
  const std::lock_guard<std::mutex> lock(mutex_);
  catchUp();
  return finished_.size();
}

/// Lets happen what has happened by now, one job's end at a time, since each frees a worker for the next.
void ScriptedCompileService::catchUp() {
  const std::int64_t nowNs = clock_.nowNs();
  for (;;) {
    const auto first = firstDone();
    if (first == building_.end() || first->doneNs > nowNs) return;
    const std::int64_t doneNs = first->doneNs;
    finished_.push_back(std::move(*first));
    building_.erase(first);
    beginQueued(doneNs);
  }
}

void ScriptedCompileService::beginQueued(std::int64_t nowNs) {
  while (building_.size() < workers_ && !queued_.empty()) {
    building_.push_back(std::move(queued_.front()));
    queued_.pop_front();
    building_.back().doneNs = nowNs + building_.back().build.duration.count();
  }
}

/// The job being built that is done first, those that hang left out: the first submitted of equals.
std::deque<ScriptedCompileService::Job>::iterator ScriptedCompileService::firstDone() {
  auto first = building_.end();
  for (auto job = building_.begin(); job != building_.end(); ++job) {
    if (!job->build.hangs && (first == building_.end() || job->doneNs < first->doneNs)) first = job;
  }
  return first;
}

}  // namespace hone::test
