#include "space/expression_parser.h"

#include <cctype>
#include <charconv>
#include <cstdint>
#include <utility>

#include "hone/error.h"

namespace hone::detail {

namespace {

// Reading takes stack for each level of nesting, evaluating for each operator of a chain like a + b + c + ...
constexpr int kMaximumNesting = 100;
constexpr std::size_t kMaximumLength = 4000;

using Binary = Expression (*)(const Expression&, const Expression&);

struct Operator {
  std::string_view text;
  int level;  // of precedence; 0 is the weakest
  Binary apply;
};

constexpr int kLevels = 6;
// Within a level, what begins with a shorter one comes first.
constexpr Operator kOperators[] = {
    {"||", 0, [](const Expression& a, const Expression& b) { return a || b; }},
    {"&&", 1, [](const Expression& a, const Expression& b) { return a && b; }},
    {"==", 2, [](const Expression& a, const Expression& b) { return a == b; }},
    {"!=", 2, [](const Expression& a, const Expression& b) { return a != b; }},
    {"<=", 3, [](const Expression& a, const Expression& b) { return a <= b; }},
    {">=", 3, [](const Expression& a, const Expression& b) { return a >= b; }},
    {"<", 3, [](const Expression& a, const Expression& b) { return a < b; }},
    {">", 3, [](const Expression& a, const Expression& b) { return a > b; }},
    {"+", 4, [](const Expression& a, const Expression& b) { return a + b; }},
    {"-", 4, [](const Expression& a, const Expression& b) { return a - b; }},
    {"*", 5, [](const Expression& a, const Expression& b) { return a * b; }},
    {"/", 5, [](const Expression& a, const Expression& b) { return a / b; }},
    {"%", 5, [](const Expression& a, const Expression& b) { return a % b; }},
};

struct Function {
  std::string_view name;
  Binary apply;
};
constexpr Function kFunctions[] = {{"min", min}, {"max", max}, {"ceilDiv", ceilDiv}};

bool isNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

class Parser {
 public:
  Parser(std::string_view text, const NameLookUp& lookUp) : text_(text), lookUp_(lookUp) {}

  Expression parse() {
    if (text_.size() > kMaximumLength) fail("it is too long");
    const Expression expression = choice();
    skipSpace();
    if (at_ < text_.size()) fail("unexpected '" + std::string(1, text_[at_]) + "'");
    return expression;
  }

 private:
  /// a ? b : c
  Expression choice() {
    const Expression condition = level(0);
    if (!take("?")) return condition;
    const Expression whenTrue = choice();
    expect(":");
    return select(condition, whenTrue, choice());
  }

  Expression level(int number) {
    if (number == kLevels) return unary();
    Expression left = level(number + 1);
    for (const Operator* found = operatorOf(number); found; found = operatorOf(number))
      left = found->apply(left, level(number + 1));
    return left;
  }

  const Operator* operatorOf(int level) {
    for (const Operator& candidate : kOperators) {
      if (candidate.level == level && take(candidate.text)) return &candidate;
    }
    return nullptr;
  }

  Expression unary() {
    if (++nesting_ > kMaximumNesting) fail("it is nested too deep");
    const Expression value = take("!") ? !unary() : take("-") ? -unary() : primary();
    --nesting_;
    return value;
  }

  Expression primary() {
    if (take("(")) {
      const Expression inner = choice();
      expect(")");
      return inner;
    }
    skipSpace();
    if (at_ == text_.size()) fail("it ends too early");
    if (isDigit(text_[at_])) return number();
    if (isNameStart(text_[at_])) return named();
    fail("unexpected '" + std::string(1, text_[at_]) + "'");
  }

  Expression number() {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("the number is too large");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && isNameStart(text_[at_])) fail("a name cannot begin with a digit");
    return value;
  }

  Expression named() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (isNameStart(text_[at_]) || isDigit(text_[at_]))) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    if (take("(")) return call(name, begin);
    if (const auto found = lookUp_(name)) return *found;
    at_ = begin;
    fail("there is no parameter '" + name + "'");
  }

  Expression call(const std::string& name, std::size_t begin) {
    if (name == "select") {
      const Expression condition = choice(), whenTrue = (expect(","), choice()), whenFalse = (expect(","), choice());
      expect(")");
      return select(condition, whenTrue, whenFalse);
    }
    for (const Function& function : kFunctions) {
      if (function.name != name) continue;
      const Expression first = choice(), second = (expect(","), choice());
      expect(")");
      return function.apply(first, second);
    }
    at_ = begin;
    fail("there is no function '" + name + "'");
  }

  void skipSpace() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool take(std::string_view wanted) {
    skipSpace();
    if (text_.substr(at_, wanted.size()) != wanted) return false;
    at_ += wanted.size();
    return true;
  }

  void expect(std::string_view wanted) {
    if (!take(wanted)) fail("expected '" + std::string(wanted) + "'");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError("'" + std::string(text_.substr(0, kMaximumLength)) + "', column " + std::to_string(at_ + 1) +
                     ": " + what);
  }

  std::string_view text_;
  const NameLookUp& lookUp_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

}  // namespace

Expression parseExpression(std::string_view text, const NameLookUp& lookUp) { return Parser(text, lookUp).parse(); }

}  // namespace hone::detail
