// Work on the host that splits into independent parts: one thread a core.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace hone::apps {

/// Calls work(first, last) for consecutive ranges that together are 0 .. count, at the same time. It must not throw.
template <class Work>
void inParallel(std::size_t count, const Work& work) {
  const std::size_t parts =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, std::max<std::size_t>(count, 1));
  std::vector<std::jthread> threads;
  for (std::size_t p = 0; p < parts; ++p)
    threads.emplace_back([&work, first = count * p / parts, last = count * (p + 1) / parts] { work(first, last); });
}

}  // namespace hone::apps
