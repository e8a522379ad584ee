#include "support/virtual_device/driver/integer_expression.h"

#include <cstdlib>
#include <limits>

#include "support/virtual_device/driver/tokens.h"

namespace hone::test::driver {

namespace {

struct NoValue {};

/// Precedence climbing, with the precedences of C.
class Parser {
 public:
  explicit Parser(const std::vector<std::string>& tokens) : tokens_(tokens) {}

  std::int64_t all() {
    const std::int64_t value = choice();
    if (next_ != tokens_.size()) throw NoValue{};
    return value;
  }

 private:
  const std::string& peek() const {
    static const std::string end;
    return next_ < tokens_.size() ? tokens_[next_] : end;
  }
  bool take(const char* token) {
    if (peek() != token) return false;
    ++next_;
    return true;
  }
  void expect(const char* token) {
    if (!take(token)) throw NoValue{};
  }

  static int precedence(const std::string& op) {
    if (op == "||") return 1;
    if (op == "&&") return 2;
    if (op == "|") return 3;
    if (op == "^") return 4;
    if (op == "&") return 5;
    if (op == "==" || op == "!=") return 6;
    if (op == "<" || op == ">" || op == "<=" || op == ">=") return 7;
    if (op == "<<" || op == ">>") return 8;
    if (op == "+" || op == "-") return 9;
    if (op == "*" || op == "/" || op == "%") return 10;
    return 0;
  }

  std::int64_t choice() {
    const std::int64_t condition = binary(1);
    if (!take("?")) return condition;
    // The side that is not taken may divide by zero.
    isSkipped_ += condition == 0;
    const std::int64_t yes = choice();
    isSkipped_ -= condition == 0;
    expect(":");
    isSkipped_ += condition != 0;
    const std::int64_t no = choice();
    isSkipped_ -= condition != 0;
    return condition != 0 ? yes : no;
  }

  std::int64_t binary(int atLeast) {
    std::int64_t left = unary();
    for (;;) {
      const std::string op = peek();
      const int level = precedence(op);
      if (level < atLeast || level == 0) return left;
      ++next_;
      const bool isDecided = (op == "&&" && left == 0) || (op == "||" && left != 0);
      isSkipped_ += isDecided;
      const std::int64_t right = binary(level + 1);
      isSkipped_ -= isDecided;
      left = apply(op, left, right);
    }
  }

  std::int64_t apply(const std::string& op, std::int64_t a, std::int64_t b) const {
    if (op == "||") return a || b;
    if (op == "&&") return a && b;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    if (op == "&") return a & b;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    if (op == "<<" || op == ">>") {
      if (b < 0 || b > 62) return fail();
      return op == "<<" ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b) : a >> b;
    }
    if (op == "/" || op == "%") {
      if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) return fail();
      return op == "/" ? a / b : a % b;
    }
    std::int64_t result = 0;
    const bool overflows = op == "+"   ? __builtin_add_overflow(a, b, &result)
                           : op == "-" ? __builtin_sub_overflow(a, b, &result)
                                       : __builtin_mul_overflow(a, b, &result);
    return overflows ? fail() : result;
  }

  std::int64_t fail() const {
    if (isSkipped_ == 0) throw NoValue{};
    return 0;
  }

  std::int64_t unary() {
    if (take("!")) return !unary();
    if (take("-")) return apply("-", 0, unary());
    if (take("+")) return unary();
    if (take("~")) return ~unary();
    if (take("(")) {
      const std::int64_t value = choice();
      expect(")");
      return value;
    }
    const std::string token = peek();
    if (token.empty() || !isNamePart(token[0])) throw NoValue{};
    ++next_;
    if (isNameStart(token[0])) return 0;
    char* end = nullptr;
    const std::int64_t value = std::strtoll(token.c_str(), &end, 0);
    while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L') ++end;
    if (*end != '\0') throw NoValue{};
    return value;
  }

  const std::vector<std::string>& tokens_;
  std::size_t next_ = 0;
  int isSkipped_ = 0;
};

}  // namespace

std::optional<std::int64_t> evaluate(const std::vector<std::string>& tokens) {
  try {
    return Parser(tokens).all();
  } catch (const NoValue&) {
    return std::nullopt;
  }
}

}  // namespace hone::test::driver
