#include "support/virtual_device/driver/preprocessor.h"

#include <cstdlib>
#include <set>
#include <sstream>
#include <vector>

#include "support/virtual_device/driver/integer_expression.h"
#include "support/virtual_device/driver/tokens.h"

namespace hone::test::driver {

namespace {

/// Each comment becomes a space, each continued line a longer one.
std::string withoutComments(const std::string& source) {
  std::string text;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    const char next = i + 1 < source.size() ? source[i + 1] : '\0';
    if (c == '\\' && next == '\n') {
      ++i;
    } else if (c == '/' && next == '/') {
      while (i + 1 < source.size() && source[i + 1] != '\n') ++i;
    } else if (c == '/' && next == '*') {
      const std::size_t end = source.find("*/", i + 2);
      if (end == std::string::npos) return text;
      text += ' ';
      i = end + 1;
    } else if (c == '"') {
      const std::size_t length = tokenLength(std::string_view(source).substr(i));
      text += source.substr(i, length);
      i += length - 1;
    } else {
      text += c;
    }
  }
  return text;
}

class Preprocessor {
 public:
  explicit Preprocessor(MacroTexts macros) : macros_(std::move(macros)) {}

  Preprocessed run(const std::string& source) {
    std::istringstream lines(withoutComments(source));
    for (std::string line; error_.empty() && std::getline(lines, line);) {
      const std::size_t first = line.find_first_not_of(" \t");
      if (first != std::string::npos && line[first] == '#') {
        directive(line.substr(first + 1));
      } else if (isActive()) {
        std::set<std::string> open;
        expand(line, open, text_);
        text_ += '\n';
      }
    }
    if (error_.empty() && !conditions_.empty()) error_ = "#if without #endif";
    return {std::move(text_), std::move(error_)};
  }

 private:
  struct ConditionState {
    bool isActive;   // the lines that follow count, if those around them do
    bool wasActive;  // some branch was
    bool isOuterActive;
  };

  bool isActive() const { return conditions_.empty() || conditions_.back().isActive; }

  void directive(const std::string& text) {
    const std::vector<std::string> tokens = tokensOf(text);
    if (tokens.empty()) return;
    const std::string& name = tokens[0];
    const std::string rest = text.substr(text.find(name) + name.size());
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      const bool holds = isActive() && (name == "if" ? isTrue(rest) : isDefined(tokens) == (name == "ifdef"));
      conditions_.push_back({holds, holds, isActive()});
    } else if (name == "elif" || name == "else" || name == "endif") {
      if (conditions_.empty()) return fail("#" + name + " without #if");
      ConditionState& state = conditions_.back();
      if (name == "endif") return conditions_.pop_back();
      state.isActive = state.isOuterActive && !state.wasActive && (name == "else" || isTrue(rest));
      state.wasActive |= state.isActive;
    } else if (!isActive() || name == "pragma" || name == "line") {
      return;
    } else if (name == "define") {
      define(rest);
    } else if (name == "undef") {
      if (tokens.size() > 1) macros_.erase(tokens[1]);
    } else if (name == "error") {
      fail("error:" + rest);
    } else {
      fail("#" + name + " is not understood");
    }
  }

  void fail(const std::string& error) {
    if (error_.empty()) error_ = error;
  }

  bool isDefined(const std::vector<std::string>& tokens) const { return tokens.size() > 1 && isDefined(tokens[1]); }
  bool isDefined(const std::string& name) const { return macros_.count(name) != 0 || calls_.count(name) != 0; }

  void define(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string::npos || !isNameStart(text[begin])) return fail("#define without a name");
    const std::size_t end = begin + tokenLength(std::string_view(text).substr(begin));
    const std::string name = text.substr(begin, end - begin);
    if (end < text.size() && text[end] == '(') {
      calls_.insert(name);
    } else {
      macros_[name] = text.substr(end);
    }
  }

  bool isTrue(const std::string& condition) {
    // "defined" takes its name before macros are expanded.
    std::string answered;
    const std::vector<std::string> tokens = tokensOf(condition);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i] != "defined") {
        answered += tokens[i] + " ";
        continue;
      }
      const bool isBracketed = i + 3 < tokens.size() && tokens[i + 1] == "(";
      const std::size_t at = i + (isBracketed ? 2 : 1);
      answered += at < tokens.size() && isDefined(tokens[at]) ? "1 " : "0 ";
      i = at + (isBracketed ? 1 : 0);
    }
    std::set<std::string> open;
    std::string expanded;
    expand(answered, open, expanded);
    const auto value = evaluate(tokensOf(expanded));
    if (!value) fail("#if" + condition + ": no integer expression");
    return value.value_or(0) != 0;
  }

  /// `open` are the macros that are being expanded: a macro does not expand in its own text.
  void expand(std::string_view text, std::set<std::string>& open, std::string& out) const {
    while (!text.empty()) {
      const std::size_t length = tokenLength(text);
      const std::string token(text.substr(0, length));
      text.remove_prefix(length);
      const auto macro = isNameStart(token[0]) ? macros_.find(token) : macros_.end();
      if (macro == macros_.end() || open.count(token) != 0) {
        out += token;
        continue;
      }
      open.insert(token);
      expand(macro->second, open, out);
      open.erase(token);
    }
  }

  MacroTexts macros_;
  std::set<std::string> calls_;  // macros with parameters
  std::vector<ConditionState> conditions_;
  std::string text_;
  std::string error_;
};

}  // namespace

MacroTexts macrosIn(const std::string& buildOptions) {
  MacroTexts macros;
  std::istringstream words(buildOptions);
  for (std::string word; words >> word;) {
    if (word.rfind("-D", 0) != 0) continue;
    std::string definition = word.substr(2);
    if (definition.empty() && !(words >> definition)) break;
    const std::size_t equals = definition.find('=');
    macros[definition.substr(0, equals)] = equals == std::string::npos ? "1" : definition.substr(equals + 1);
  }
  return macros;
}

Macros integersOf(const MacroTexts& macros) {
  Macros integers;
  for (const auto& [name, text] : macros) {
    char* end = nullptr;
    const long long value = std::strtoll(text.c_str(), &end, 0);
    if (!text.empty() && *end == '\0') integers[name] = value;
  }
  return integers;
}

Preprocessed preprocess(const std::string& source, MacroTexts macros) {
  macros.emplace("__OPENCL_VERSION__", "300");
  macros.emplace("__OPENCL_C_VERSION__", "120");
  return Preprocessor(std::move(macros)).run(source);
}

}  // namespace hone::test::driver
