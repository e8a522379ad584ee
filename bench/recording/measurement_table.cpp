#include "recording/measurement_table.h"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

namespace hone::bench {

namespace {

using Configuration = std::vector<std::int64_t>;

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what) {
  throw std::runtime_error(file.string() + ": " + what);
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// The whole lines of a file, without their ends; what follows the last end is left out.
std::vector<std::string> wholeLines(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(file, "cannot be read");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line) && !in.eof();) lines.push_back(line);
  return lines;
}

Configuration configurationOf(const std::string& line, std::size_t parameters, const std::filesystem::path& file) {
  Configuration configuration;
  const char *at = line.data(), *const end = line.data() + line.size();
  for (std::size_t p = 0; p < parameters; ++p) {
    std::int64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || next == end || *next != ',') fail(file, "'" + line + "' is no row");
    configuration.push_back(value);
    at = next + 1;
  }
  return configuration;
}

/// As many as stand before the measured columns.
std::size_t parametersOf(const std::string& header, const std::filesystem::path& file) {
  const std::string measured = headerLine({});
  if (!header.ends_with("," + measured)) fail(file, "is no table of measurements");
  return static_cast<std::size_t>(
      std::count(header.begin(), header.end() - static_cast<std::ptrdiff_t>(measured.size()), ','));
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  const std::size_t middle = numbers.size() / 2;
  return numbers.size() % 2 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
}

}  // namespace

std::string headerLine(const std::vector<std::string>& parameters) {
  std::string line;
  for (const std::string& name : parameters) line += name + ",";
  return line + "time_ms,error,compile_ms,bench_ms,samples_ms";
}

std::string rowLine(const MeasuredRow& row) {
  std::string line;
  for (std::int64_t value : row.configuration) line += std::to_string(value) + ",";
  line += (row.error.empty() ? number(median(row.samplesMs)) : "") + "," + row.error;
  line += "," + number(row.compileMs) + "," + number(row.benchMs) + ",";
  for (std::size_t i = 0; i < row.samplesMs.size(); ++i) line += (i == 0 ? "" : ";") + number(row.samplesMs[i]);
  return line;
}

MeasurementTable::MeasurementTable(std::filesystem::path file, const std::vector<std::string>& parameters)
    : file_(std::move(file)) {
  const std::string header = headerLine(parameters);
  std::vector<std::string> lines;
  if (std::filesystem::exists(file_)) lines = wholeLines(file_);
  std::uintmax_t bytes = 0;
  for (const std::string& line : lines) {
    bytes += line.size() + 1;
    if (&line == &lines.front()) {
      if (line != header) fail(file_, "is a table of other parameters");
    } else {
      measured_.insert(configurationOf(line, parameters.size(), file_));
    }
  }
  if (std::filesystem::exists(file_)) std::filesystem::resize_file(file_, bytes);
  out_.open(file_, std::ios::app | std::ios::binary);
  if (lines.empty()) out_ << header << "\n";
  if (!out_.flush()) fail(file_, "cannot be written");
}

void MeasurementTable::append(const MeasuredRow& row) {
  out_ << rowLine(row) << "\n";
  if (!out_.flush()) fail(file_, "cannot be written");
  measured_.insert(row.configuration);
}

std::size_t mergeTables(const std::vector<std::filesystem::path>& tables, const std::filesystem::path& merged) {
  std::string header;
  std::map<Configuration, std::string> rows;
  for (const std::filesystem::path& file : tables) {
    const std::vector<std::string> lines = wholeLines(file);
    if (lines.empty()) fail(file, "is empty");
    if (header.empty()) header = lines.front();
    if (lines.front() != header) fail(file, "is a table of other parameters than the first");
    const std::size_t parameters = parametersOf(header, file);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      if (!rows.emplace(configurationOf(lines[i], parameters, file), lines[i]).second)
        fail(file, "'" + lines[i] + "' is in another table, too");
    }
  }
  std::string text = header + "\n";
  for (const auto& [configuration, line] : rows) text += line + "\n";
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> out(gzopen(merged.c_str(), "wb9"), gzclose);
  const bool isWritten =
      out && gzwrite(out.get(), text.data(), static_cast<unsigned>(text.size())) == static_cast<int>(text.size()) &&
      gzflush(out.get(), Z_FINISH) == Z_OK;
  if (!isWritten) fail(merged, "cannot be written");
  return rows.size();
}

}  // namespace hone::bench
