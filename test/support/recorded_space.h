// Exhaustively measured tuning spaces, read from files: they replay searches and noise without a device. Times are in
// ns.
//
//   const RecordedSpace gemm("data/spaces/gemm.csv.gz");
//   const SearchSpace space = gemm.searchSpace(gemm.typical());
//   const std::vector<std::size_t> rowOf = gemm.rowsByRank(space);
//   const RecordedRow& best = gemm.rows()[rowOf[rank]];
//
// A file is a CSV, gzip'ed or not, whose first line names its columns: one for each parameter, then
//   time_ms     the kernel's time, the median of its samples; empty where the configuration failed
//   error       empty, "compile" or "runtime"
//   compile_ms  empty where it is not known
//   bench_ms    not read
//   samples_ms  the single runs in the order in which they were taken, separated by ';'; may be empty
// and whose every other line is a configuration. Those that are not there do not exist: a constraint forbids them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hone/search_space.h"

namespace hone::test {

struct RecordedRow {
  enum class Failure {
    none,
    compile,
    runtime
  };

  std::vector<std::int64_t> configuration;  // one value per parameter, in the order of the file's columns
  Point point;                              // the same as positions in the parameters' values
  Failure failure = Failure::none;
  std::optional<double> timeNs;  // there unless it failed
  std::optional<double> compileNs;
  std::vector<double> samplesNs;  // in the order in which they were taken

  bool hasFailed() const { return failure != Failure::none; }
};

struct RecordedParameter {
  std::string name;
  std::vector<std::int64_t> values;  // all that occur, ascending
};

/// Thread safety: immutable; copies share the index of their rows.
class RecordedSpace {
 public:
  /// Reads the file. Throws std::runtime_error, naming file and line, where it is not as described above, and if two
  /// lines are of the same configuration or no configuration has a time.
  explicit RecordedSpace(const std::filesystem::path& file);

  /// The file's name up to its first dot.
  const std::string& name() const { return name_; }
  const std::vector<RecordedParameter>& parameters() const { return parameters_; }
  /// In the order of the file.
  const std::vector<RecordedRow>& rows() const { return rows_; }

  /// The row of a configuration; null if there is none. REQUIRES: one value per parameter
  const RecordedRow* find(const std::vector<std::int64_t>& configuration) const;

  /// The fastest row, the first of equals.
  const RecordedRow& best() const { return rows_[best_]; }
  /// The row in the middle of those that did not fail, by time; of two the faster. A default that nobody chose for this
  /// device.
  const RecordedRow& typical() const { return rows_[typical_]; }

  /// The space whose valid configurations are exactly the rows, failed ones included. Its parameters are in the order
  /// of the file's columns. `defaultRow` is one of rows(): its configuration is the space's default.
  SearchSpace searchSpace(const RecordedRow& defaultRow) const;
  /// Adds the parameters, and constraints that only the rows satisfy, to other declarations; returns the parameters.
  std::vector<Parameter> declare(Declarations& declarations, const RecordedRow& defaultRow) const;

  /// For each rank of such a space, the position in rows().
  std::vector<std::size_t> rowsByRank(const SearchSpace& space) const;

 private:
  class Index;

  std::string name_;
  std::vector<RecordedParameter> parameters_;
  std::vector<RecordedRow> rows_;
  std::shared_ptr<const Index> index_;
  std::size_t best_ = 0;
  std::size_t typical_ = 0;
};

}  // namespace hone::test
