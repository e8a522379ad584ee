// Tables as Markdown, a line at a time, so that a run that is ended early has printed what it knew.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hone::bench {

/// "| a | b |\n"
std::string markdownRow(const std::vector<std::string>& cells);
/// The columns' names and the line below them.
std::string markdownHead(const std::vector<std::string>& columns);

/// The number with this many decimals; "-" where there is none.
std::string cell(std::optional<double> number, int decimals);

}  // namespace hone::bench
