#include "support/virtual_device/models/recorded_model.h"

#include <stdexcept>
#include <utility>
#include <vector>

#include "search/random_engine.h"
#include "support/recorded_noise.h"

namespace hone::test {

ComposedModel recorded(std::shared_ptr<const RecordedSpace> space, Replay replay) {
  return costing([space = std::move(space), replay](const VirtualLaunch& launch) {
    const RecordedRow& row = rowOf(*space, launch.macros);
    if (row.hasFailed()) throw std::out_of_range("failed when it was recorded: " + toString(launch));
    if (replay == Replay::median || row.samplesNs.empty()) return *row.timeNs;
    return row.samplesNs[launch.numberInProgram % row.samplesNs.size()];
  });
}

const RecordedRow& rowOf(const RecordedSpace& space, const std::map<std::string, std::int64_t>& macros) {
  std::vector<std::int64_t> configuration;
  std::string text;
  for (const RecordedParameter& parameter : space.parameters()) {
    const auto found = macros.find(parameter.name);
    if (found == macros.end()) throw std::out_of_range(space.name() + ": no macro '" + parameter.name + "'");
    configuration.push_back(found->second);
    text += " " + parameter.name + "=" + std::to_string(found->second);
  }
  const RecordedRow* row = space.find(configuration);
  if (!row) throw std::out_of_range(space.name() + ": not recorded:" + text);
  return *row;
}

std::function<bool(const std::map<std::string, std::int64_t>& macros, std::uint64_t)> failsIn(
    std::shared_ptr<const RecordedSpace> space, RecordedRow::Failure kind) {
  return [space = std::move(space), kind](const std::map<std::string, std::int64_t>& macros, std::uint64_t) {
    const RecordedRow& row = rowOf(*space, macros);
    return row.hasFailed() && row.failure == kind;
  };
}

Noise recordedNoise(const RecordedSpace& space, std::uint64_t seed) {
  const auto rows = std::make_shared<const std::vector<std::vector<double>>>(relativeSamples(space));
  if (rows->empty()) throw std::invalid_argument(space.name() + ": no row has samples");
  return [rows, seed](const VirtualLaunch& launch) {
    detail::RandomEngine engine(seed);
    for (const auto& [name, value] : launch.macros)
      engine = detail::RandomEngine::derived(engine.next(), static_cast<std::uint64_t>(value));
    const std::vector<double>& samples = (*rows)[engine.below(rows->size())];
    return samples[launch.numberInProgram % samples.size()];
  };
}

}  // namespace hone::test
