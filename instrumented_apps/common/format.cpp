#include "format.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace hone::apps {

std::string fixed(double number, int decimals) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(decimals) << number;
  return text.str();
}

std::string scientific(double number) {
  std::ostringstream text;
  text << std::scientific << std::setprecision(2) << number;
  return text.str();
}

std::string milliseconds(double ms) {
  const int magnitude = ms > 0 ? static_cast<int>(std::floor(std::log10(ms))) : 0;
  return fixed(ms, std::clamp(3 - magnitude, 0, 9)) + " ms";
}

std::string mebibytes(double bytes) { return fixed(std::ceil(bytes / (1 << 20)), 0) + " MiB"; }

std::string configurationText(const NamedConfiguration& configuration) {
  std::string text;
  for (const auto& [name, value] : configuration)
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

}  // namespace hone::apps
