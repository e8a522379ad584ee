#include "problem_size.h"

#include "errors.h"
#include "parse_number.h"

namespace hone::apps {

namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "x") + name;
  return text;
}

}  // namespace

std::vector<std::int64_t> parseProblem(const std::string& text, const std::vector<std::string>& names, bool isOneEnough,
                                       const std::string& option) {
  const std::vector<std::string_view> parts = split(text, 'x');
  std::vector<std::int64_t> sizes;
  for (const std::string_view part : parts) {
    const auto size = parseNumber<std::int64_t>(part);
    if (size && *size >= 1 && *size <= kMaximumSize) sizes.push_back(*size);
  }
  const bool isOne = isOneEnough && parts.size() == 1;
  if (sizes.size() != parts.size() || (parts.size() != names.size() && !isOne)) {
    throw InputError(option + " '" + text + "': expected " + joined(names) + (isOneEnough ? ", or one number," : "") +
                     " with whole numbers from 1 to " + std::to_string(kMaximumSize));
  }
  if (isOne) sizes.assign(names.size(), sizes.front());
  return sizes;
}

std::string problemText(const std::vector<std::int64_t>& sizes) {
  std::string text;
  for (const std::int64_t size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

}  // namespace hone::apps
