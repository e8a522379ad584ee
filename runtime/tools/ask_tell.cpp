#include "tools/ask_tell.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "hone/error.h"

namespace hone::detail {

namespace {

// More than any batch of measurements; a strategy lists them one by one.
constexpr std::int64_t kMaximumAsked = 10'000;

}  // namespace

AskTell::AskTell(std::string strategy, std::uint64_t seed) : strategyName_(std::move(strategy)), seed_(seed) {
  makeStrategy(strategyName_, seed_);  // throws
}

void AskTell::begin(NamedSpace space) {
  strategy_ = makeStrategy(strategyName_, seed_);
  evidence_ = {};
  unit_.reset();
  space_.emplace(std::move(space));
}

std::string AskTell::answer(const std::string& line) {
  Json reply;
  try {
    const Json request = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!request.is_object()) throw UsageError("not a JSON object");
    reply = answerTo(request);
  } catch (const std::exception& error) {
    reply = {{"error", error.what()}};
  }
  // What a line holds need not be UTF-8, and an error may quote it.
  return reply.dump(-1, ' ', false, Json::error_handler_t::replace);
}

AskTell::Json AskTell::answerTo(const Json& request) {
  if (request.contains("space")) {
    begin(parseSpace(request["space"], seed_));
    return {{"space", {{"configurations", space_->space.size()}, {"parameters", space_->names}}}};
  }
  if (!space_) throw UsageError("there is no space yet");
  if (request.contains("ask")) return ask(request);
  if (request.contains("tell")) return tell(request);
  if (request.contains("best")) return best();
  throw UsageError("expected 'space', 'ask', 'tell' or 'best'");
}

AskTell::Json AskTell::ask(const Json& request) {
  const Json& wanted = request["ask"];
  if (!wanted.is_number_integer() || wanted.get<std::int64_t>() < 1 || wanted.get<std::int64_t>() > kMaximumAsked)
    throw UsageError("'ask': expected a number from 1 to " + std::to_string(kMaximumAsked));
  const Proposal proposal = strategy_->propose(space_->space, evidence_, wanted.get<std::size_t>());
  Json configurations = Json::array();
  for (Rank rank : proposal.candidates) configurations.push_back(named(rank));
  return {{"ask", std::move(configurations)}, {"converged", proposal.isConverged}};
}

AskTell::Json AskTell::tell(const Json& request) {
  const Rank rank = rankFrom(request["tell"]);
  if (!request.contains("cost")) throw UsageError("'cost' is missing");
  const Json& cost = request["cost"];
  const bool isCost = cost.is_number() && std::isfinite(cost.get<double>()) && cost.get<double>() > 0;
  if (!isCost && !cost.is_null()) throw UsageError("'cost': expected a positive number, or null for a failure");
  if (evidence_.find(rank)) throw UsageError("'tell': this configuration was told before");
  if (isCost && !unit_) unit_ = cost.get<double>();
  evidence_.add({rank, isCost ? std::optional(cost.get<double>() / *unit_) : std::nullopt});
  return {{"tell", evidence_.trials().size()}};
}

AskTell::Json AskTell::best() const {
  const Trial* best = evidence_.best();
  if (!best) return {{"best", nullptr}};
  return {{"best", named(best->rank)}, {"cost", *best->relativeCost * *unit_}};
}

Rank AskTell::rankFrom(const Json& configuration) const {
  const SearchSpace& space = space_->space;
  if (!configuration.is_object() || configuration.size() != space_->names.size())
    throw UsageError("expected a value for each parameter");
  Point point;
  for (std::size_t p = 0; p < space_->names.size(); ++p) {
    const auto found = configuration.find(space_->names[p]);
    if (found == configuration.end()) throw UsageError("'" + space_->names[p] + "' is missing");
    const std::vector<std::int64_t>& values = space.values(p);
    const auto value =
        found->is_number_integer() ? std::find(values.begin(), values.end(), found->get<std::int64_t>()) : values.end();
    if (value == values.end()) throw UsageError("'" + space_->names[p] + "' has no value " + found->dump());
    point.push_back(static_cast<std::uint32_t>(value - values.begin()));
  }
  const std::optional<Rank> rank = space.rank(point);
  if (!rank) throw UsageError("the configuration is not valid");
  return *rank;
}

AskTell::Json AskTell::named(Rank rank) const {
  const std::vector<std::int64_t> values = space_->space.configuration(rank);
  Json configuration = Json::object();
  for (std::size_t p = 0; p < values.size(); ++p) configuration[space_->names[p]] = values[p];
  return configuration;
}

}  // namespace hone::detail
