// What a user declares about a piece of code to be tuned: parameters, problem sizes, constraints.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hone/api.h"
#include "hone/expression.h"
#include "hone/range.h"

namespace hone {

namespace detail {
struct DeclarationData;
}

/// The declared parameters, problem sizes and constraints; Tuner and opencl::TunedKernel are declared through it.
/// Everything is declared before the first measurement; later declarations throw UsageError.
/// Thread safety: externally synchronised.
class HONE_API Declarations {
 public:
  /// `owner` is the name that error messages use ("blur").
  explicit Declarations(std::string owner);

  Declarations(const Declarations&) = delete;
  Declarations& operator=(const Declarations&) = delete;

  /// Declares a parameter. Throws UsageError if the range is empty or holds a value twice, if the default is not in it,
  /// or if the name is empty or taken.
  Parameter addParameter(const std::string& name, Range range, std::int64_t defaultValue);

  /// Declares what the launches work on: `auto [M, N, K] = kernel.problem("M", "N", "K");`. The order is that in which
  /// launches give the sizes. Throws UsageError if a name is empty or taken, or if a problem was declared before.
  template <class... Names>
  std::array<Expression, sizeof...(Names)> problem(const Names&... names) {
    const std::vector<Expression> sizes = declareProblem({std::string(names)...});
    return takeFirst(sizes, std::index_sequence_for<Names...>{});
  }

  /// Allows only configurations for which the expression is neither 0 nor undefined. Where it reads no problem size it
  /// must hold for the default, or the first measurement throws UsageError; otherwise it restricts candidates only.
  void require(const Expression& constraint);
  void require(const std::string& name, const Expression& constraint);
  /// The same, as a function of what it lists:
  /// `require("tile fits", {M, MWG}, [](auto m, auto mwg) { return m >= mwg; })`
  template <std::size_t N, class Function>
  void require(const std::string& name, const Expression (&reads)[N], Function function) {
    require(name, lambda(name, reads, std::move(function)));
  }

  /// Lets candidates take only these of the parameter's values; the default stays what it is. Throws UsageError if one
  /// of them is not in the parameter's range.
  void restrictTo(const std::string& parameter, const std::vector<std::int64_t>& values);

  /// An expression over the declared parameters and problem sizes, as Expression::toString() writes it, for programs
  /// that read theirs from a file: "MWG % (MDIMC * VWM) == 0". Throws UsageError, naming the column, if it is none.
  Expression expression(const std::string& text) const;

  const detail::DeclarationData& data() const { return *data_; }
  const std::shared_ptr<detail::DeclarationData>& sharedData() const { return data_; }

 protected:
  ~Declarations() = default;

  /// problem(...) for names that are known at run time only.
  std::vector<Expression> declareProblem(std::vector<std::string> names);

 private:
  template <std::size_t... I>
  static std::array<Expression, sizeof...(I)> takeFirst(const std::vector<Expression>& sizes,
                                                        std::index_sequence<I...>) {
    return {sizes[I]...};
  }

  std::shared_ptr<detail::DeclarationData> data_;
};

/// Declarations on their own: to look at a space without tuning anything.
class SpaceDeclarations final : public Declarations {
 public:
  using Declarations::Declarations;
};

}  // namespace hone
