// Expressions as text, as Expression::toString() writes them: C syntax over the names of what is declared.
//
//   parseExpression("MWG % (MDIMC * VWM) == 0", lookUp)
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "hone/expression.h"

namespace hone::detail {

/// What a name stands for; empty if there is nothing of that name.
using NameLookUp = std::function<std::optional<Expression>(const std::string& name)>;

/// Understands integers, names, ( ), ! -, * / %, + -, < <= > >=, == !=, &&, ||, ? : in C's precedence, and the
/// functions min(a, b), max(a, b) and ceilDiv(a, b). Throws UsageError, naming the text and the column from 1, where it
/// is anything else or longer than 4000 characters.
Expression parseExpression(std::string_view text, const NameLookUp& lookUp);

}  // namespace hone::detail
