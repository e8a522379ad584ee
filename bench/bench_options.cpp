#include "bench_options.h"

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "errors.h"

namespace hone::bench {

namespace {

apps::OptionList listOf(const BenchProgram& program) {
  apps::OptionList list("Options");
  auto add = list.add_options();
  for (const auto& [name, help] : program.ownOptions) add(name.c_str(), apps::textOption("X"), help.c_str());
  add("quick", "a look instead of figures to keep");
  add("json", apps::textOption("FILE"), "write the metrics to FILE");
  add("help", "show this");
  return list;
}

void measureAndWrite(const BenchProgram& program, const std::vector<std::string>& arguments,
                     const std::function<Metrics(const BenchOptions&)>& measure) {
  const apps::OptionList list = listOf(program);
  const apps::CommandLine line(list, arguments, program.unknown);
  if (line.has("help")) {
    std::cout << program.name << ": " << program.summary << "\n\n" << list;
    return;
  }
  std::ofstream json;
  if (line.has("json")) {
    json.open(line.text("json"));
    if (!json) line.fail("json", "cannot write");
  }
  const Metrics metrics = measure({line.has("quick"), line});
  if (!json.is_open()) return;
  json << nlohmann::json{{"metrics", metrics}}.dump(2) << "\n";
  if (!json.flush()) line.fail("json", "cannot write");
}

}  // namespace

int runBench(const BenchProgram& program, int argc, char** argv,
             const std::function<Metrics(const BenchOptions&)>& measure) {
  try {
    measureAndWrite(program, {argv + 1, argv + argc}, measure);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << program.name << ": " << error.what() << "\n";
    return 2;
  }
}

void printMetrics(const Metrics& metrics) {
  for (const auto& [name, value] : metrics) std::printf("%-36s %12.4g\n", name.c_str(), value);
}

}  // namespace hone::bench
