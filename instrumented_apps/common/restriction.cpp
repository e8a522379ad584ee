#include "restriction.h"

#include "errors.h"
#include "parse_number.h"

namespace hone::apps {

std::vector<Restriction> parseRestrictions(const std::string& text) {
  std::vector<Restriction> restrictions;
  for (const std::string_view part : split(text, ',')) {
    const auto fail = [&](const std::string& reason) {
      throw InputError("--restrict '" + std::string(part) + "': " + reason + "; expected PARAMETER=VALUE:VALUE:...");
    };
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) fail("there is no '='");
    if (equals == 0) fail("there is no parameter");
    Restriction restriction{std::string(part.substr(0, equals)), {}};
    for (const std::string_view value : split(part.substr(equals + 1), ':')) {
      const auto number = parseNumber<std::int64_t>(value);
      if (!number) fail("'" + std::string(value) + "' is not a whole number");
      restriction.values.push_back(*number);
    }
    restrictions.push_back(std::move(restriction));
  }
  return restrictions;
}

void restrictCandidates(const std::vector<Restriction>& restrictions, Declarations& declarations) {
  for (const Restriction& restriction : restrictions)
    declarations.restrictTo(restriction.parameter, restriction.values);
}

}  // namespace hone::apps
