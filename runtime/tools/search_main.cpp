// hone-search: a strategy for programs in any language. They ask for configurations and tell what these cost, a JSON
// line each on standard input; each is answered by one on standard output. The messages stand in tools/ask_tell.h.
//
//   hone-search [--space FILE] [--strategy NAME] [--seed N]
//
// FILE is a table of configurations (.csv, .csv.gz) or a declaration (JSON), see tools/space_file.h; without it the
// first line tells the space. Ends with the input.

#include <charconv>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hone/error.h"
#include "hone/options.h"
#include "tools/ask_tell.h"

namespace {

struct Arguments {
  std::string spaceFile;
  std::string strategy = hone::Options{}.strategy;
  std::uint64_t seed = 1;
};

Arguments parse(const std::vector<std::string>& texts) {
  Arguments arguments;
  for (std::size_t i = 0; i < texts.size(); i += 2) {
    const std::string& option = texts[i];
    if (option != "--space" && option != "--strategy" && option != "--seed")
      throw hone::UsageError("unrecognised option '" + option +
                             "'; usage: hone-search [--space FILE] [--strategy NAME] [--seed N]");
    if (i + 1 == texts.size()) throw hone::UsageError("a value is missing after '" + option + "'");
    const std::string& value = texts[i + 1];
    if (option == "--space") {
      arguments.spaceFile = value;
    } else if (option == "--strategy") {
      arguments.strategy = value;
    } else {
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), arguments.seed);
      if (error != std::errc() || end != value.data() + value.size())
        throw hone::UsageError("--seed '" + value + "': expected a whole number");
    }
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Arguments arguments = parse({argv + 1, argv + argc});
    hone::detail::AskTell search(arguments.strategy, arguments.seed);
    if (!arguments.spaceFile.empty()) search.begin(hone::detail::readSpaceFile(arguments.spaceFile, arguments.seed));
    for (std::string line; std::getline(std::cin, line);) std::cout << search.answer(line) << std::endl;
    return 0;
  } catch (const std::exception& error) {
    const nlohmann::json reply{{"error", error.what()}};
    std::cout << reply.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
    return 2;
  }
}
