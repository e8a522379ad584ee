#include "papers/options.h"

#include <algorithm>
#include <sstream>

#include "command_line.h"
#include "errors.h"
#include "papers/studied_program.h"
#include "parse_number.h"
#include "problem_size.h"

namespace hone::bench {

namespace {

std::vector<std::string> knownPrograms() {
  std::vector<std::string> names;
  for (const StudiedProgram& program : studiedPrograms(Scale::quick)) names.push_back(program.name);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

apps::OptionList describe() {
  apps::OptionList description("Options");
  auto add = description.add_options();
  add("device", apps::textOption("D"),
      "index or part of the name or of the platform's (default: the first GPU, else the first)");
  add("programs", apps::textOption("P,P,..."), ("only these of " + listed(knownPrograms())).c_str());
  add("quick", "small problems and spaces: minutes on two cores");
  add("problem", apps::textOption("SIZES"), "of the one program that --programs names, instead of the study's");
  add("restrict", apps::textOption("P=V:V,..."), "likewise, its candidates");
  add("sweeps", apps::textOption("DIR"),
      "keep the sweeps' tables there, and what searches tried; what tables lack is measured");
  add("pictures", apps::textOption("DIR"), "draw each swept space to DIR/PROGRAM.svg");
  add("best", apps::textOption("FILE"), "write this device's best configurations, beside those that it holds");
  add("other", apps::textOption("FILE"), "compare with another device's, as --best wrote them there");
  add("only-other", "nothing but that, with what --best holds");
  add("sweep-job", apps::textOption("P:I:N"), "for the processes of a sweep: compile the I-th of N parts of P's");
  add("search-seconds", apps::textOption("S"), "end a search after S seconds (default: 120, with --quick 45)");
  add("seed", apps::textOption("N"), "seed of the searches (default: 1)");
  add("json", apps::textOption("FILE"), "write the metrics to FILE, beside those of other programs that it holds");
  add("help", "show this");
  return description;
}

std::vector<std::string> readPrograms(const apps::CommandLine& line) {
  const std::vector<std::string> known = knownPrograms();
  std::vector<std::string> programs;
  const std::string list = line.text("programs");
  for (const std::string_view name : apps::split(list, ',')) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      line.fail("programs", "there is no '" + std::string(name) + "' among " + listed(known));
    programs.emplace_back(name);
  }
  return programs;
}

// As many sizes as the program has.
std::vector<std::int64_t> readProblem(const apps::CommandLine& line, const std::vector<std::string>& programs) {
  for (const StudiedProgram& program : studiedPrograms(Scale::quick)) {
    if (program.name == programs.front())
      return apps::parseProblem(line.text("problem"), program.application.program.problemNames);
  }
  return {};
}

SweepJob readSweepJob(const apps::CommandLine& line) {
  const std::string text = line.text("sweep-job");
  const std::vector<std::string_view> parts = apps::split(text, ':');
  const auto index = parts.size() == 3 ? apps::parseNumber<std::size_t>(parts[1]) : std::nullopt;
  const auto count = parts.size() == 3 ? apps::parseNumber<std::size_t>(parts[2]) : std::nullopt;
  if (!index || !count || *index >= *count) line.fail("sweep-job", "expected P:I:N with I below N");
  return {std::string(parts[0]), *index, *count};
}

}  // namespace

PapersOptions parsePapersOptions(const std::vector<std::string>& arguments) {
  const apps::OptionList description = describe();
  const apps::CommandLine line(description, arguments);
  PapersOptions options;
  if (line.has("help")) {
    std::ostringstream text;
    text << "papers: the tables of the papers on autotuning, measured on a device\n\n" << description;
    options.help = text.str();
    return options;
  }
  options.isQuick = line.has("quick");
  const auto read = [&](const char* name, std::string& value) {
    if (!line.has(name)) return;
    value = line.text(name);
    if (value.empty()) line.fail(name, "expected a value");
  };
  read("device", options.device);
  read("sweeps", options.sweepFolder);
  read("pictures", options.pictureFolder);
  read("best", options.bestFile);
  read("other", options.otherFile);
  read("json", options.jsonFile);
  if (line.has("programs")) options.programs = readPrograms(line);
  options.isOnlyOther = line.has("only-other");
  if (options.isOnlyOther && (options.bestFile.empty() || options.otherFile.empty()))
    throw apps::InputError("--only-other: expected --best and --other");
  for (const char* ofOne : {"problem", "restrict"}) {
    if (line.has(ofOne) && options.programs.size() != 1) line.fail(ofOne, "expected one program in --programs");
  }
  if (line.has("problem")) options.problem = readProblem(line, options.programs);
  if (line.has("restrict")) options.restrictions = apps::parseRestrictions(line.text("restrict"));
  options.searchSeconds = options.isQuick ? 45 : 120;
  if (line.has("search-seconds")) options.searchSeconds = line.positive("search-seconds");
  if (line.has("sweep-job")) options.sweepJob = readSweepJob(line);
  options.arguments = arguments;
  if (line.has("seed")) options.seed = line.whole("seed", 0);
  return options;
}

}  // namespace hone::bench
