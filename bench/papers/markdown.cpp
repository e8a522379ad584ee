#include "papers/markdown.h"

#include "format.h"

namespace hone::bench {

std::string markdownRow(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& each : cells) row += " " + each + " |";
  return row + "\n";
}

std::string markdownHead(const std::vector<std::string>& columns) {
  std::string line = "|";
  for (std::size_t i = 0; i < columns.size(); ++i) line += "---|";
  return markdownRow(columns) + line + "\n";
}

std::string cell(std::optional<double> number, int decimals) { return number ? apps::fixed(*number, decimals) : "-"; }

}  // namespace hone::bench
