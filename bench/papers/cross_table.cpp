#include "papers/cross_table.h"

#include <algorithm>

#include "papers/markdown.h"

namespace hone::bench {

std::optional<double> CrossTimes::performance(std::size_t i, std::size_t j) const {
  if (!times[i][j] || !times[j][j]) return std::nullopt;
  return *times[j][j] / *times[i][j];
}

std::optional<double> CrossTimes::worst() const {
  std::optional<double> worst;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < places.size(); ++j) {
      const auto part = performance(i, j);
      if (i != j && part) worst = std::min(worst.value_or(*part), *part);
    }
  }
  return worst;
}

std::string crossTable(const CrossTimes& cross) {
  std::vector<std::string> head{"best of"};
  for (const std::string& place : cross.places) head.push_back("used on " + place);
  std::string text = markdownHead(head);
  for (std::size_t i = 0; i < cross.places.size(); ++i) {
    std::vector<std::string> cells{cross.places[i]};
    for (std::size_t j = 0; j < cross.places.size(); ++j) {
      const auto part = cross.performance(i, j);
      cells.push_back(part ? cell(*part * 100, 1) + " %" : "does not run");
    }
    text += markdownRow(cells);
  }
  return text;
}

}  // namespace hone::bench
