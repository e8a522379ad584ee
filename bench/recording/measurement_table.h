// Tables of measured configurations: the format of recorded spaces (test/support/recorded_space.h), written row by row,
// so that a run that was ended early goes on where it was.
//
//   MeasurementTable table("slice.csv", {"TBX", "TBY"});
//   if (!table.has({8, 16})) table.append(row);
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace hone::bench {

struct MeasuredRow {
  std::vector<std::int64_t> configuration;
  std::string error;  // empty, "compile" or "runtime"
  double compileMs = 0;
  double benchMs = 0;
  std::vector<double> samplesMs;  // empty if it failed
};

/// Thread safety: externally synchronised; no two processes may write one file.
class MeasurementTable {
 public:
  /// Opens or begins the file. A last line without an end is cut off: its writer was ended. Throws std::runtime_error,
  /// naming the file, if it cannot be written or is of other parameters.
  MeasurementTable(std::filesystem::path file, const std::vector<std::string>& parameters);

  bool has(const std::vector<std::int64_t>& configuration) const { return measured_.count(configuration) > 0; }
  std::size_t rows() const { return measured_.size(); }

  /// The row is in the file when this returns. Throws std::runtime_error if writing fails.
  void append(const MeasuredRow& row);

 private:
  std::filesystem::path file_;
  std::ofstream out_;
  std::set<std::vector<std::int64_t>> measured_;
};

/// The lines of a table, without their ends.
std::string headerLine(const std::vector<std::string>& parameters);
/// The time is the samples' median. Numbers have 6 significant digits.
std::string rowLine(const MeasuredRow& row);

/// Writes the rows of all tables, in the order of their configurations, to one gzip'ed file. Returns how many there
/// are. Throws std::runtime_error, naming the file, if one cannot be read, if the tables are of different parameters,
/// or if a configuration is in two of them.
std::size_t mergeTables(const std::vector<std::filesystem::path>& tables, const std::filesystem::path& merged);

}  // namespace hone::bench
