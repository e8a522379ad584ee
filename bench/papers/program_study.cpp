#include "papers/program_study.h"

#include <algorithm>
#include <fstream>

#include "errors.h"
#include "format.h"
#include "papers/markdown.h"
#include "papers/match.h"
#include "papers/parameter_picture.h"
#include "papers/search_run.h"
#include "papers/sweep_processes.h"
#include "papers/trials.h"
#include "problem_size.h"

namespace hone::bench {

namespace {

using test::RecordedRow;
using test::RecordedSpace;
using Configuration = std::vector<std::int64_t>;

constexpr std::size_t kReplays = 101;
constexpr std::size_t kFinalists = 6;  // of a sweep: which of them is the optimum is decided by a match

MatchLength matchOf(Scale scale) {
  return scale == Scale::quick ? MatchLength{.rounds = 101, .seconds = 8} : MatchLength{.rounds = 101, .seconds = 15};
}

Configuration valuesOf(const NamedConfiguration& configuration) {
  Configuration values;
  for (const auto& [name, value] : configuration) values.push_back(value);
  return values;
}

/// Configurations of one workload, each built once.
class Entrants {
 public:
  explicit Entrants(apps::Workload& workload) : workload_(workload) {}

  std::size_t add(const NamedConfiguration& configuration) {
    for (std::size_t i = 0; i < entrants_.size(); ++i) {
      if (entrants_[i]->configuration() == configuration) return i;
    }
    entrants_.push_back(std::make_unique<Pinned>(workload_, configuration));
    entrants_.back()->start();
    return entrants_.size() - 1;
  }
  Pinned& operator[](std::size_t i) { return *entrants_[i]; }

 private:
  apps::Workload& workload_;
  std::vector<std::unique_ptr<Pinned>> entrants_;
};

std::vector<double> meet(Entrants& entrants, std::vector<std::size_t> who, Scale scale) {
  std::vector<std::size_t> once = who;
  std::sort(once.begin(), once.end());
  once.erase(std::unique(once.begin(), once.end()), once.end());
  std::vector<Pinned*> players;
  for (const std::size_t i : once) players.push_back(&entrants[i]);
  const std::vector<double> medians = playMatch(players, matchOf(scale));
  std::vector<double> times;
  for (const std::size_t i : who)
    times.push_back(medians[static_cast<std::size_t>(std::find(once.begin(), once.end(), i) - once.begin())]);
  return times;
}

/// The sweep's fastest rows, the fastest first.
std::vector<const RecordedRow*> fastest(const RecordedSpace& recorded, std::size_t count) {
  std::vector<const RecordedRow*> rows;
  for (const RecordedRow& row : recorded.rows()) {
    if (row.timeNs) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) { return *a->timeNs < *b->timeNs; });
  rows.resize(std::min(rows.size(), count));
  return rows;
}

NamedConfiguration named(const RecordedSpace& recorded, const RecordedRow& row) {
  NamedConfiguration configuration;
  for (std::size_t p = 0; p < row.configuration.size(); ++p)
    configuration.emplace_back(recorded.parameters()[p].name, row.configuration[p]);
  return configuration;
}

class Study {
 public:
  Study(const BenchContext& context, const StudiedProgram& program)
      : context_(context), program_(program), opened_(context, program), entrants_(*opened_) {
    figures_.name = program.name;
    figures_.problem = apps::problemText(program.problem);
  }

  ProgramFigures run() {
    // First the sweep: compiling is most of it, and the searches find everything compiled.
    if (program_.isSwept) sweepInProcesses(context_, program_, *opened_);
    const SearchRun byAuto = search("auto");
    const SearchRun bySimplex = search("nelder-mead");
    figures_.configurations = byAuto.space.size();
    figures_.tuned = figuresOf(byAuto);
    figures_.nelderMead = figuresOf(bySimplex);
    const NamedConfiguration defaults = defaultConfiguration();
    if (program_.isSwept) {
      compareWithSweep(RecordedSpace(context_.sweepFile(program_.name)), byAuto, bySimplex, defaults);
    } else {
      const std::vector<double> ms =
          meet(entrants_,
               {entrants_.add(defaults), entrants_.add(figures_.tuned.best), entrants_.add(figures_.nelderMead.best)},
               context_.scale);
      take(ms);
    }
    publish();
    return figures_;
  }

 private:
  SearchRun search(const std::string& strategy) {
    const SearchRun run =
        runSearch(*opened_, program_.restrictions, {strategy, context_.options.seed, context_.options.searchSeconds},
                  context_.console);
    writeTrials(run, context_.sweepFolder / (program_.name + "." + strategy + ".csv"));
    return run;
  }

  /// In order, each with its cost relative to the default's; none where it failed.
  static void writeTrials(const SearchRun& run, const std::filesystem::path& file) {
    std::ofstream out(file);
    for (const auto& [name, value] : run.report.best) out << name << ',';
    out << "relative_cost\n";
    for (const Trial& trial : run.tried) {
      for (const std::int64_t value : run.space.configuration(trial.rank)) out << value << ',';
      if (trial.relativeCost) out << *trial.relativeCost;
      out << '\n';
    }
    if (!out.flush()) throw apps::InputError("--sweeps: cannot write '" + file.string() + "'");
  }

  NamedConfiguration defaultConfiguration() {
    Pinned pinned(*opened_, {});
    pinned.start();
    return pinned.configuration();
  }

  // By the search's own evidence.
  static SearchFigures figuresOf(const SearchRun& run) {
    SearchFigures figures;
    figures.best = run.report.best;
    figures.trials = run.report.trials;
    figures.hasSettled = run.hasSettled;
    std::vector<std::optional<double>> times;
    std::optional<double> best;
    for (const Trial& trial : run.tried) {
      times.push_back(trial.relativeCost);
      if (trial.relativeCost) best = std::min(best.value_or(*trial.relativeCost), *trial.relativeCost);
    }
    if (best) figures.trialsUntilGood = trialsUntilGood(times, *best);
    return figures;
  }

  void compareWithSweep(const RecordedSpace& recorded, const SearchRun& byAuto, const SearchRun& bySimplex,
                        const NamedConfiguration& defaults) {
    const RecordedRow* defaultRow = recorded.find(valuesOf(defaults));
    if (!defaultRow) throw apps::InputError(program_.name + ": the default is not among the candidates that are left");

    std::vector<std::size_t> finalists;
    for (const RecordedRow* row : fastest(recorded, kFinalists))
      finalists.push_back(entrants_.add(named(recorded, *row)));
    // What the searches found is among them: the sweep may have had bad luck with it.
    for (const SearchFigures* found : {&figures_.tuned, &figures_.nelderMead})
      finalists.push_back(entrants_.add(found->best));
    const std::vector<double> ms = meet(entrants_, finalists, context_.scale);
    const std::size_t optimum =
        finalists[static_cast<std::size_t>(std::min_element(ms.begin(), ms.end()) - ms.begin())];
    figures_.optimum = entrants_[optimum].configuration();

    const std::vector<double> together = meet(
        entrants_,
        {entrants_.add(defaults), entrants_.add(figures_.tuned.best), entrants_.add(figures_.nelderMead.best), optimum},
        context_.scale);
    take(together);
    figures_.tuned.versusExhaustive = figures_.tuned.ms / together[3];
    figures_.nelderMead.versusExhaustive = figures_.nelderMead.ms / together[3];

    const double optimumNs = recorded.find(valuesOf(figures_.optimum))->timeNs.value();
    const auto count = [&](SearchFigures& figures, const SearchRun& run, const std::string& strategy) {
      std::vector<std::optional<double>> times;
      for (const Trial& trial : run.tried) times.push_back(recorded.find(run.space.configuration(trial.rank))->timeNs);
      figures.trialsUntilGood = trialsUntilGood(times, optimumNs);
      figures.replayed = medianReplayedTrials(recorded, *defaultRow, optimumNs, strategy, kReplays);
    };
    count(figures_.tuned, byAuto, "auto");
    count(figures_.nelderMead, bySimplex, "nelder-mead");
    if (!context_.options.pictureFolder.empty()) draw(recorded, valuesOf(defaults));
  }

  void take(const std::vector<double>& ms) {
    figures_.defaultMs = ms[0];
    figures_.tuned.ms = ms[1];
    figures_.nelderMead.ms = ms[2];
  }

  void draw(const RecordedSpace& recorded, const Configuration& defaults) const {
    const std::filesystem::path file = std::filesystem::path(context_.options.pictureFolder) / (program_.name + ".svg");
    std::ofstream out(file);
    out << drawParameters(
        recorded, defaults, valuesOf(figures_.tuned.best),
        {program_.name + " " + figures_.problem + ": " + std::to_string(recorded.rows().size()) + " configurations",
         context_.on.name + " (" + context_.on.driver + ")"});
    if (!out.flush()) throw apps::InputError("--pictures: cannot write '" + file.string() + "'");
  }

  void publish() const {
    const auto metric = [&](const std::string& name, double value) {
      context_.metrics[program_.name + "_" + name] = value;
    };
    metric("default_ms", figures_.defaultMs);
    metric("tuned_ms", figures_.tuned.ms);
    metric("speedup", figures_.speedup());
    metric("trials_in_all", static_cast<double>(figures_.tuned.trials));
    const auto search = [&](const std::string& prefix, const SearchFigures& figures) {
      if (figures.trialsUntilGood) metric(prefix + "trials", static_cast<double>(*figures.trialsUntilGood));
      if (figures.replayed) metric(prefix + "trials_replayed", static_cast<double>(*figures.replayed));
      if (figures.versusExhaustive) metric(prefix + "vs_exhaustive", *figures.versusExhaustive);
    };
    search("", figures_.tuned);
    search("nelder_mead_", figures_.nelderMead);
    // What the sweep found, where it is clearly better.
    const bool isSweepBetter = figures_.tuned.versusExhaustive && *figures_.tuned.versusExhaustive > 1;
    context_.best.programs[program_.name] = {
        program_.problem, isSweepBetter ? figures_.optimum : figures_.tuned.best,
        isSweepBetter ? figures_.tuned.ms / *figures_.tuned.versusExhaustive : figures_.tuned.ms};
  }

  const BenchContext& context_;
  const StudiedProgram& program_;
  OpenedWorkload opened_;
  Entrants entrants_;
  ProgramFigures figures_;
};

std::string trialsText(const SearchFigures& figures) {
  const auto number = [](std::optional<std::size_t> count) { return count ? std::to_string(*count) : "-"; };
  return number(figures.trialsUntilGood) + " / " + std::to_string(figures.trials) +
         (figures.hasSettled ? "" : ", not settled") +
         (figures.versusExhaustive ? " / " + number(figures.replayed) : "");
}

}  // namespace

ProgramFigures studyProgram(const BenchContext& context, const StudiedProgram& program) {
  return Study(context, program).run();
}

std::string studyHead() {
  return markdownHead({"program", "problem", "space", "default, ms", "tuned, ms", "speed-up", "tuned / optimum",
                       "trials: until 3 % / all / replayed", "Nelder-Mead, ms", "its / optimum", "its trials",
                       "optimum"});
}

std::string studyRow(const ProgramFigures& figures) {
  const auto ms = [](double number) {
    std::string text = apps::milliseconds(number);
    return text.substr(0, text.size() - 3);
  };
  return markdownRow({figures.name, figures.problem, std::to_string(figures.configurations), ms(figures.defaultMs),
                      ms(figures.tuned.ms), apps::fixed(figures.speedup(), 2), cell(figures.tuned.versusExhaustive, 3),
                      trialsText(figures.tuned), ms(figures.nelderMead.ms),
                      cell(figures.nelderMead.versusExhaustive, 3), trialsText(figures.nelderMead),
                      apps::configurationText(figures.optimum.empty() ? figures.tuned.best : figures.optimum)});
}

}  // namespace hone::bench
