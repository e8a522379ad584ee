#include "opencl/program_configurations.h"

#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

#include "hone/search_space.h"
#include "space/declaration_data.h"

namespace hone::apps {

std::vector<NamedConfiguration> drawConfigurations(Declarations& declared, const ConfigurationSettings& settings,
                                                   const std::vector<std::int64_t>& problem) {
  restrictCandidates(settings.restrictions, declared);
  const SearchSpace space(declared, problem);
  std::set<Rank> seen;
  std::vector<NamedConfiguration> drawn;
  std::mt19937_64 engine(settings.seed);
  while (drawn.size() < settings.count && drawn.size() < space.size()) {
    const Rank rank = settings.count >= space.size() ? drawn.size() : engine() % space.size();
    if (seen.insert(rank).second) drawn.push_back(declared.data().named(space.configuration(rank).data()));
  }
  return drawn;
}

Options pinned(const NamedConfiguration& configuration) {
  Options options;
  options.mode = Mode::use;
  options.pins = {{"", {}, configuration}};
  return options;
}

int runConfigurationTests(int argc, char** argv, ConfigurationSettings& settings) {
  testing::InitGoogleTest(&argc, argv);
  const std::map<std::string, std::uint64_t*> numbers{
      {"--count", &settings.count}, {"--seed", &settings.seed}, {"--longest", &settings.longest}};
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) throw std::invalid_argument(option + " needs a value");
    if (option == "--device") {
      settings.device = argv[i + 1];
    } else if (option == "--restrict") {
      settings.restrictions = parseRestrictions(argv[i + 1]);
    } else if (const auto number = numbers.find(option); number != numbers.end()) {
      *number->second = std::stoull(argv[i + 1]);
    } else {
      throw std::invalid_argument("unknown option " + option);
    }
  }
  std::cout << "seed " << settings.seed << '\n';
  return RUN_ALL_TESTS();
}

}  // namespace hone::apps
