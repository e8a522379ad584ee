#include "summary.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "format.h"
#include "problem_size.h"

namespace hone::apps {

namespace {

std::optional<double> ratio(std::optional<double> numerator, std::optional<double> denominator) {
  if (!numerator || !denominator || *denominator <= 0) return std::nullopt;
  return *numerator / *denominator;
}

std::optional<double> toMs(std::optional<double> ns) {
  if (ns) *ns /= 1e6;
  return ns;
}

nlohmann::ordered_json orNull(std::optional<double> number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
}

nlohmann::ordered_json finiteOrNull(double number) {
  return std::isfinite(number) ? nlohmann::ordered_json(number) : nlohmann::ordered_json();
}

class Rows {
 public:
  void add(const std::string& name, const std::string& value) {
    text_ << "  " << name << std::string(name.size() < kWidth ? kWidth - name.size() : 1, ' ') << value << '\n';
  }
  std::string text() const { return text_.str(); }

 private:
  static constexpr std::size_t kWidth = 22;
  std::ostringstream text_;
};

/// Columns of text, as wide as their longest one; the last is not filled up.
class Columns {
 public:
  explicit Columns(std::vector<std::string> heads) { add(std::move(heads)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const {
    std::string text;
    for (const std::vector<std::string>& row : rows_) {
      for (std::size_t c = 0; c < row.size(); ++c)
        text += "  " + row[c] + (c + 1 < row.size() ? std::string(width(c) - row[c].size(), ' ') : "\n");
    }
    return text;
  }

 private:
  std::size_t width(std::size_t column) const {
    std::size_t widest = 0;
    for (const std::vector<std::string>& row : rows_) widest = std::max(widest, row[column].size());
    return widest;
  }

  std::vector<std::vector<std::string>> rows_;
};

// In 1e9 a second.
std::optional<double> rate(double perLaunch, std::optional<double> ms) {
  if (perLaunch <= 0) return std::nullopt;
  return ratio(perLaunch / 1e6, ms);
}

std::string timeText(std::optional<double> ms, std::optional<double> gflops, std::optional<double> gigabytes) {
  if (!ms) return "unknown";
  return milliseconds(*ms) + (gflops ? ", " + fixed(*gflops, 1) + " GFLOP/s" : "") +
         (gigabytes ? ", " + fixed(*gigabytes, 1) + " GB/s" : "");
}

std::string totalText(const Summary& summary) {
  std::string text = fixed(summary.totalSeconds, 2) + " s" + (summary.isChecked ? " with checking" : "") + ", " +
                     fixed(summary.deviceSeconds, 2) + " s of it on the device";
  if (summary.account.byDefault > 0) text += ", the default alone " + fixed(summary.account.byDefault / 1e3, 2) + " s";
  return text;
}

std::string accountText(const Summary& summary) {
  std::string text = "trials have cost " + milliseconds(summary.account.spent) + ", better ones saved " +
                     milliseconds(summary.account.saved);
  if (!std::isfinite(summary.budget)) return text + "; no limit";
  return text + "; budget " + fixed(100 * summary.budget, 0) + " %, left " + milliseconds(summary.account.balance);
}

std::string openblasText(const Summary& summary) {
  const auto relative = summary.versusOpenblas();
  return fixed(*summary.openblasGflops, 1) + " GFLOP/s" + (relative ? ", best / OpenBLAS " + fixed(*relative, 2) : "");
}

std::string stallText(const Summary& summary) {
  if (!summary.stallMaxMs || !summary.stallMeanMs) return "unknown";
  return milliseconds(*summary.stallMaxMs) + ", mean " + milliseconds(*summary.stallMeanMs);
}

std::string launchesText(const Summary& summary) {
  const std::string count = std::to_string(summary.launches);
  if (!summary.isTuned) return count + ", not tuned";
  return count +
         (summary.settledAt ? ", settled at " + std::to_string(*summary.settledAt) : ", not settled before the end");
}

std::string settledText(const Summary& summary) {
  if (!summary.isTuned) return "not tuned";
  return summary.settledAt ? std::to_string(*summary.settledAt) + " of " + std::to_string(summary.launches)
                           : "not in " + std::to_string(summary.launches);
}

}  // namespace

std::optional<double> Summary::speedup() const { return ratio(defaultMs, bestMs); }

std::optional<double> Summary::gflops() const { return rate(flopPerLaunch, bestMs); }
std::optional<double> Summary::defaultGflops() const { return rate(flopPerLaunch, defaultMs); }
std::optional<double> Summary::gigabytesPerSecond() const { return rate(bytesPerLaunch, bestMs); }
std::optional<double> Summary::defaultGigabytesPerSecond() const { return rate(bytesPerLaunch, defaultMs); }

std::optional<double> Summary::versusOpenblas() const { return ratio(gflops(), openblasGflops); }

Summary summarise(const Program& program, const RunOptions& options, const OpenedDevice& device,
                  const RunFigures& figures) {
  Summary summary;
  summary.program = program.name;
  summary.device = device.name;
  summary.driver = device.driver;
  summary.problem = problemText(options.problem);
  summary.strategy = options.tuning.strategy;
  summary.seed = options.tuning.seed;
  // A session that is settled from the start tries nothing: tuning is off, or its configuration is pinned.
  summary.isTuned = figures.report.phase != Phase::settled || figures.report.settledAt.has_value();
  summary.isChecked = options.isChecked;
  const bool isDefaultAlone = options.tuning.mode == Mode::off;
  summary.defaultMs = isDefaultAlone ? figures.launchMedianMs : toMs(figures.report.defaultCost);
  summary.bestMs = summary.isTuned ? toMs(figures.report.bestCost) : figures.launchMedianMs;
  summary.trials = figures.report.trials;
  summary.failed = figures.report.failed;
  summary.launches = figures.launches;
  summary.settledAt = summary.isTuned ? figures.settledAt : std::nullopt;
  summary.totalSeconds = figures.totalSeconds;
  summary.deviceSeconds = figures.deviceSeconds;
  summary.stallMaxMs = figures.stallMaxMs;
  summary.stallMeanMs = figures.stallMeanMs;
  summary.best = figures.report.best;
  summary.budget = options.tuning.slowdownBudget;
  const AccountReport& account = figures.report.account;
  summary.account = {account.balance / 1e6, account.spent / 1e6, account.saved / 1e6, account.byDefault / 1e6};
  return summary;
}

std::string table(const Summary& summary) {
  Rows rows;
  rows.add("default", timeText(summary.defaultMs, summary.defaultGflops(), summary.defaultGigabytesPerSecond()));
  rows.add("best", timeText(summary.bestMs, summary.gflops(), summary.gigabytesPerSecond()));
  rows.add("speed-up", summary.speedup() ? fixed(*summary.speedup(), 2) : "unknown");
  if (summary.openblasGflops) rows.add("OpenBLAS on the host", openblasText(summary));
  rows.add("trials", std::to_string(summary.trials) + ", " + std::to_string(summary.failed) + " failed");
  rows.add("launches", launchesText(summary));
  if (summary.isTuned) rows.add("account", accountText(summary));
  rows.add("total time", totalText(summary));
  rows.add("longest launch call", stallText(summary));
  for (const OwnFigure& figure : summary.own) rows.add(figure.name, figure.text);
  rows.add("best configuration", configurationText(summary.best));
  return summary.program + ' ' + summary.problem + " on " + summary.device + " (" + summary.driver + ")\n" +
         rows.text();
}

std::string table(const std::vector<Summary>& summaries) {
  if (summaries.size() == 1) return table(summaries.front());
  Columns columns({"problem", "default", "best", "speed-up", "GFLOP/s", "trials", "settled at", "best configuration"});
  for (const Summary& summary : summaries) {
    const auto time = [](std::optional<double> ms) { return ms ? milliseconds(*ms) : "unknown"; };
    columns.add({summary.problem, time(summary.defaultMs), time(summary.bestMs),
                 summary.speedup() ? fixed(*summary.speedup(), 2) : "unknown",
                 summary.gflops() ? fixed(*summary.gflops(), 1) : "unknown", std::to_string(summary.trials),
                 settledText(summary), configurationText(summary.best)});
  }
  const Summary& first = summaries.front();
  return first.program + ", " + std::to_string(summaries.size()) + " problems on " + first.device + " (" +
         first.driver + ")\n" + columns.text();
}

nlohmann::ordered_json toJson(const Summary& summary) {
  nlohmann::ordered_json json;
  json["default_ms"] = orNull(summary.defaultMs);
  json["best_ms"] = orNull(summary.bestMs);
  json["speedup"] = orNull(summary.speedup());
  json["trials"] = summary.trials;
  json["failed"] = summary.failed;
  json["launches"] = summary.launches;
  json["settled_at"] = summary.settledAt ? nlohmann::ordered_json(*summary.settledAt) : nlohmann::ordered_json();
  json["total_s"] = summary.totalSeconds;
  json["stall_ms_max"] = orNull(summary.stallMaxMs);
  json["best"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : summary.best) json["best"][name] = value;
  json["device"] = summary.device;
  json["driver"] = summary.driver;
  json["problem"] = summary.problem;
  json["strategy"] = summary.strategy;
  json["seed"] = summary.seed;
  json["gflops"] = orNull(summary.gflops());
  json["default_gflops"] = orNull(summary.defaultGflops());
  json["budget"] = finiteOrNull(summary.budget);
  json["spent_ms"] = summary.account.spent;
  json["saved_ms"] = summary.account.saved;
  json["default_alone_ms"] = summary.account.byDefault;
  json["balance_ms"] = finiteOrNull(summary.account.balance);
  if (summary.bytesPerLaunch > 0) {
    json["gb_per_s"] = orNull(summary.gigabytesPerSecond());
    json["default_gb_per_s"] = orNull(summary.defaultGigabytesPerSecond());
  }
  if (summary.openblasGflops) {
    json["openblas_gflops"] = *summary.openblasGflops;
    json["vs_openblas"] = orNull(summary.versusOpenblas());
  }
  for (const OwnFigure& figure : summary.own) {
    std::string key = figure.name;
    std::replace(key.begin(), key.end(), ' ', '_');
    json[key] = finiteOrNull(figure.value);
  }
  return json;
}

nlohmann::ordered_json toJson(const std::vector<Summary>& summaries) {
  if (summaries.size() == 1) return toJson(summaries.front());
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Summary& summary : summaries) all.push_back(toJson(summary));
  return {{"problems", std::move(all)}};
}

}  // namespace hone::apps
