#include "support/virtual_device/driver/kernel_signature.h"

#include <algorithm>
#include <optional>

#include "support/virtual_device/driver/integer_expression.h"
#include "support/virtual_device/driver/tokens.h"

namespace hone::test::driver {

namespace {

using Tokens = std::vector<std::string>;

bool isOneOf(const std::string& token, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), token) != words.end();
}

/// Bytes of a scalar or vector of a built-in type; 0 for all others.
std::size_t bytesOf(const std::string& type) {
  static const std::map<std::string, std::size_t> kScalars{{"char", 1},     {"uchar", 1}, {"short", 2}, {"ushort", 2},
                                                           {"half", 2},     {"int", 4},   {"uint", 4},  {"float", 4},
                                                           {"unsigned", 4}, {"long", 8},  {"ulong", 8}, {"double", 8}};
  const std::size_t digits = type.find_first_of("0123456789");
  const auto scalar = kScalars.find(type.substr(0, digits));
  if (scalar == kScalars.end()) return 0;
  if (digits == std::string::npos) return scalar->second;
  const std::string width = type.substr(digits);
  if (width == "3") return 4 * scalar->second;
  return isOneOf(width, {"2", "4", "8", "16"}) ? scalar->second * std::stoul(width) : 0;
}

KernelArgument argumentFrom(const Tokens& tokens) {
  KernelArgument argument;
  bool isLocal = false;
  bool isPointer = false;
  bool isUnsigned = false;
  Tokens words;
  for (const std::string& token : tokens) {
    if (isOneOf(token, {"local", "__local"})) {
      isLocal = true;
    } else if (isOneOf(token, {"constant", "__constant"})) {
      argument.isConst = argument.isConstantSpace = true;
    } else if (isOneOf(token, {"*", "["})) {
      isPointer = true;
    } else if (token == "const") {
      argument.isConst |= !isPointer;
    } else if (token == "unsigned") {
      isUnsigned = true;
    } else if (isNameStart(token[0]) &&
               !isOneOf(token, {"global", "__global", "private", "__private", "restrict", "__restrict", "volatile",
                                "read_only", "write_only", "__read_only", "__write_only", "struct", "signed"})) {
      words.push_back(token);
    }
  }
  argument.name = words.size() > 1 || (isUnsigned && !words.empty()) ? words.back() : "";
  if (!argument.name.empty()) words.pop_back();
  const std::string base = words.empty() ? (isUnsigned ? "uint" : "") : (isUnsigned ? "u" : "") + words[0];
  argument.type = base + (isPointer ? "*" : "");
  if (isPointer) {
    argument.kind = isLocal ? ArgumentKind::local : ArgumentKind::buffer;
  } else if (base == "sampler_t") {
    argument.kind = ArgumentKind::sampler;
  } else if (base.rfind("image", 0) == 0) {
    argument.kind = ArgumentKind::buffer;
  } else {
    argument.bytes = bytesOf(base);
  }
  return argument;
}

class Scanner {
 public:
  explicit Scanner(Tokens tokens) : tokens_(std::move(tokens)) {}

  ScannedProgram run() {
    ScannedProgram result;
    Tokens open;  // brackets
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string& token = tokens_[i];
      if (isOneOf(token, {"(", "{", "["})) open.push_back(token);
      if (isOneOf(token, {")", "}", "]"})) {
        const char* opening = token == ")" ? "(" : token == "}" ? "{" : "[";
        if (open.empty() || open.back() != opening) return {{}, "error: unexpected '" + token + "'"};
        open.pop_back();
      }
      if (!open.empty() || !isOneOf(token, {"kernel", "__kernel"})) continue;
      if (auto kernel = kernelFrom(i + 1)) result.kernels.push_back(std::move(*kernel));
    }
    if (!open.empty()) return {{}, "error: '" + open.back() + "' is not closed"};
    return result;
  }

 private:
  /// The index behind the bracket that closes the one at `open`.
  std::size_t behindBracket(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      depth += tokens_[i] == "(" ? 1 : tokens_[i] == ")" ? -1 : 0;
      if (depth == 0) return i + 1;
    }
    return tokens_.size();
  }

  /// The parts of a list in brackets, between its commas.
  std::vector<Tokens> partsOf(std::size_t open, std::size_t behind) const {
    std::vector<Tokens> parts;
    int depth = 0;
    for (std::size_t i = open + 1; i + 1 < behind; ++i) {
      depth += tokens_[i] == "(" ? 1 : tokens_[i] == ")" ? -1 : 0;
      if (parts.empty()) parts.emplace_back();
      if (tokens_[i] == "," && depth == 0) {
        parts.emplace_back();
      } else {
        parts.back().push_back(tokens_[i]);
      }
    }
    return parts;
  }

  /// Of a definition whose tokens follow the word "kernel"; empty for a mere declaration.
  std::optional<KernelSignature> kernelFrom(std::size_t i) const {
    KernelSignature kernel;
    for (; i < tokens_.size() && !isOneOf(tokens_[i], {"{", ";"}); ++i) {
      if (i + 1 >= tokens_.size() || tokens_[i + 1] != "(") continue;
      const std::size_t behind = behindBracket(i + 1);
      if (isOneOf(tokens_[i], {"__attribute__", "attribute"})) {
        requireWorkGroup(i + 1, behind, kernel);
      } else if (isNameStart(tokens_[i][0])) {
        kernel.name = tokens_[i];
        for (const Tokens& part : partsOf(i + 1, behind)) {
          if (part != Tokens{"void"}) kernel.arguments.push_back(argumentFrom(part));
        }
      }
      i = behind - 1;
    }
    if (i >= tokens_.size() || tokens_[i] != "{" || kernel.name.empty()) return std::nullopt;
    return kernel;
  }

  void requireWorkGroup(std::size_t begin, std::size_t end, KernelSignature& kernel) const {
    for (std::size_t i = begin; i + 1 < end; ++i) {
      if (!isOneOf(tokens_[i], {"reqd_work_group_size", "__reqd_work_group_size__"})) continue;
      const std::vector<Tokens> sizes = partsOf(i + 1, behindBracket(i + 1));
      for (std::size_t d = 0; d < sizes.size() && d < 3; ++d)
        kernel.requiredWorkGroup[d] = static_cast<std::size_t>(evaluate(sizes[d]).value_or(0));
    }
  }

  const Tokens tokens_;
};

}  // namespace

ScannedProgram scanKernels(const std::string& preprocessed) { return Scanner(tokensOf(preprocessed)).run(); }

}  // namespace hone::test::driver
