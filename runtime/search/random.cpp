#include "search/random.h"

#include "search/random_engine.h"

namespace hone::detail {

void RandomOrder::fill(CandidateList& list, const SearchSpace& space, const Evidence& evidence, std::size_t atMost) {
  const auto isDone = [&](Rank rank) { return evidence.find(rank) || !space.isValid(rank); };
  while (firstLeft_ < drawn_.size() && isDone(drawn_[firstLeft_])) ++firstLeft_;
  const std::size_t before = list.size();
  std::size_t invalid = 0;
  for (std::size_t i = firstLeft_; i < space.size() && !list.isFull() && list.size() - before < atMost; ++i) {
    if (i == drawn_.size()) draw(space.size());
    list.offer(drawn_[i]);
    if (!space.isValid(drawn_[i]) && ++invalid == kMaximumInvalid) break;
  }
}

// Fisher-Yates from the front, on an array that is never written out: place i swaps with a place j >= i, and only the
// places that hold something else than their own number are kept.
void RandomOrder::draw(Rank size) {
  const Rank i = drawn_.size();
  const Rank j = i + RandomEngine::derived(seed_, i).below(size - i);
  const auto numberAt = [&](Rank place) {
    const auto found = displaced_.find(place);
    return found == displaced_.end() ? place : found->second;
  };
  drawn_.push_back(numberAt(j));
  displaced_[j] = numberAt(i);
  displaced_.erase(i);
}

Proposal RandomSearch::propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) {
  CandidateList list(space, evidence, atMost);
  order_.fill(list, space, evidence);
  return std::move(list).take();
}

}  // namespace hone::detail
