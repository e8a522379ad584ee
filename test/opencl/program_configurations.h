// What the tests of the programs' sections share: configurations drawn from a program's space, and pinned one by one.
//
//   for (const NamedConfiguration& configuration : drawConfigurations(declared, settings)) {
//     SCOPED_TRACE(configurationText(configuration));
//     opencl::TunedProgram program(runtime, source, "scan", pinned(configuration));
//     ...
//   }
//   int main(int argc, char** argv) { return runConfigurationTests(argc, argv, settings); }
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hone/options.h"
#include "restriction.h"

namespace hone::apps {

/// Read from the command line: --count N --seed N --device NAME --restrict P=V:V,... --longest N
struct ConfigurationSettings {
  std::uint64_t count = 6;
  std::uint64_t seed = 1;
  std::string device = "Portable";
  std::vector<Restriction> restrictions;
  std::uint64_t longest = ~std::uint64_t{0};  // an emulator is slow: problems beyond it are left out
};

/// `settings.count` different configurations of the space, drawn by the seed; all of them where there are no more.
/// Applies the restrictions to what is declared. `problem`: one size for each that is declared.
std::vector<NamedConfiguration> drawConfigurations(Declarations& declared, const ConfigurationSettings& settings,
                                                   const std::vector<std::int64_t>& problem = {});

/// Options with which a program runs this configuration and no other.
Options pinned(const NamedConfiguration& configuration);

/// Runs the test program; prints the seed.
int runConfigurationTests(int argc, char** argv, ConfigurationSettings& settings);

}  // namespace hone::apps
