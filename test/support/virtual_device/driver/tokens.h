// The words of a C text: names, numbers, and everything else character by character, but for operators of two
// characters and for strings.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace hone::test::driver {

inline bool isNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
inline bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

inline std::size_t tokenLength(std::string_view text) {
  std::size_t length = 1;
  if (isNamePart(text[0])) {
    while (length < text.size() && isNamePart(text[length])) ++length;
  } else if (text[0] == '"' || text[0] == '\'') {
    while (length < text.size() && text[length] != text[0]) length += text[length] == '\\' ? 2 : 1;
    length = length < text.size() ? length + 1 : text.size();
  } else if (text.size() > 1) {
    constexpr std::string_view kPairs[] = {"&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "##"};
    for (const std::string_view pair : kPairs) length = text.substr(0, 2) == pair ? 2 : length;
  }
  return length;
}

inline std::vector<std::string> tokensOf(std::string_view text) {
  std::vector<std::string> tokens;
  while (!text.empty()) {
    if (std::isspace(static_cast<unsigned char>(text[0]))) {
      text.remove_prefix(1);
      continue;
    }
    const std::size_t length = tokenLength(text);
    tokens.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return tokens;
}

}  // namespace hone::test::driver
