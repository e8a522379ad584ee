#include "support/recorded_space.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string_view>

namespace hone::test {

namespace {

constexpr std::array<std::string_view, 5> kMeasuredColumns{"time_ms", "error", "compile_ms", "bench_ms", "samples_ms"};
constexpr double kNsPerMs = 1e6;

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what) {
  throw std::runtime_error(file.string() + ": " + what);
}

/// A place in a file, for messages.
struct Place {
  const std::filesystem::path& file;
  std::size_t line;  // from 1

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(file.string() + ":" + std::to_string(line) + ": " + what);
  }
};

/// The header comes first.
std::size_t lineOfRow(std::size_t row) { return row + 2; }

/// zlib reads files that are not compressed as they are.
std::string contentsOf(const std::filesystem::path& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose_r);
  if (!file) fail(path, "cannot be opened");
  std::string contents;
  std::array<char, 1 << 16> chunk;
  int read = 0;
  while ((read = gzread(file.get(), chunk.data(), chunk.size())) > 0)
    contents.append(chunk.data(), static_cast<std::size_t>(read));
  int code = Z_OK;
  const char* message = gzerror(file.get(), &code);
  if (read < 0 || code != Z_OK) fail(path, std::string("cannot be decompressed: ") + message);  // a file cut short, too
  return contents;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class T>
T numberFrom(std::string_view text, std::string_view column, const Place& place) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    place.fail("'" + std::string(text) + "' is no " + std::string(column));
  return number;
}

double nsFrom(std::string_view text, std::string_view column, bool canBeZero, const Place& place) {
  const double ns = numberFrom<double>(text, column, place) * kNsPerMs;
  const bool isTime = ns > 0 || (canBeZero && ns == 0);
  if (!isTime || ns > std::numeric_limits<double>::max())
    place.fail("'" + std::string(text) + "' is no " + std::string(column));
  return ns;
}

RecordedRow::Failure failureFrom(std::string_view text, const Place& place) {
  if (text.empty()) return RecordedRow::Failure::none;
  if (text == "compile") return RecordedRow::Failure::compile;
  if (text == "runtime") return RecordedRow::Failure::runtime;
  place.fail("'" + std::string(text) + "' is no error; expected 'compile', 'runtime' or nothing");
}

/// The names of the parameters: what stands before the measured columns.
std::vector<RecordedParameter> parametersFrom(std::string_view header, const Place& place) {
  const std::vector<std::string_view> columns = split(header, ',');
  const std::size_t measured = kMeasuredColumns.size();
  if (columns.size() <= measured || !std::equal(columns.end() - measured, columns.end(), kMeasuredColumns.begin()))
    place.fail("the columns are not parameters, time_ms, error, compile_ms, bench_ms, samples_ms");
  std::vector<RecordedParameter> parameters;
  for (std::size_t p = 0; p + measured < columns.size(); ++p) {
    const std::string_view name = columns[p];
    const auto isSame = [&](const RecordedParameter& other) { return other.name == name; };
    if (name.empty()) place.fail("a parameter has no name");
    if (std::any_of(parameters.begin(), parameters.end(), isSame))
      place.fail("there are two columns '" + std::string(name) + "'");
    parameters.push_back({std::string(name), {}});
  }
  return parameters;
}

RecordedRow rowFrom(std::string_view line, const std::vector<RecordedParameter>& parameters, const Place& place) {
  const std::vector<std::string_view> cells = split(line, ',');
  const std::size_t dimensions = parameters.size();
  const std::size_t columns = dimensions + kMeasuredColumns.size();
  if (cells.size() != columns)
    place.fail("there are " + std::to_string(cells.size()) + " cells instead of " + std::to_string(columns));
  RecordedRow row;
  row.configuration.reserve(dimensions);
  for (std::size_t p = 0; p < dimensions; ++p)
    row.configuration.push_back(numberFrom<std::int64_t>(cells[p], "value of " + parameters[p].name, place));
  const std::string_view time = cells[dimensions], error = cells[dimensions + 1], compile = cells[dimensions + 2],
                         samples = cells[dimensions + 4];
  row.failure = failureFrom(error, place);
  if (time.empty() != row.hasFailed()) place.fail("a row has either a time or an error");
  if (!time.empty()) row.timeNs = nsFrom(time, "time", false, place);
  if (!compile.empty()) row.compileNs = nsFrom(compile, "compile time", true, place);
  if (!samples.empty()) {
    for (std::string_view sample : split(samples, ';')) row.samplesNs.push_back(nsFrom(sample, "sample", false, place));
  }
  return row;
}

}  // namespace

/// Finds rows by their beginnings. The rows are sorted by parameter, the one of the fewest values first; those that
/// begin alike then stand together, and each further value narrows them down.
class RecordedSpace::Index {
 public:
  /// Rows first .. last - 1 of the sorted ones.
  struct Span {
    std::int64_t first;
    std::int64_t last;

    bool isEmpty() const { return first >= last; }
    // As one number, with which a constraint passes it on; 0 if it is empty.
    std::int64_t code() const { return isEmpty() ? 0 : first << 32 | last; }
    static Span ofCode(std::int64_t code) { return {code >> 32, code & 0xffffffff}; }
  };

  Index(const std::vector<RecordedParameter>& parameters, const std::vector<RecordedRow>& rows)
      : order_(parameters.size()), rowAt_(rows.size()), columns_(parameters.size()) {
    // Search spaces bind their parameters in the same order where one constraint reads all of them, so that each
    // beginning can be checked as soon as it is there.
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return parameters[a].values.size() < parameters[b].values.size();
    });
    std::iota(rowAt_.begin(), rowAt_.end(), std::size_t{0});
    std::stable_sort(rowAt_.begin(), rowAt_.end(), [&](std::size_t a, std::size_t b) {
      const auto differs = [&](std::size_t p) { return rows[a].point[p] != rows[b].point[p]; };
      const auto p = std::find_if(order_.begin(), order_.end(), differs);
      return p != order_.end() && rows[a].point[*p] < rows[b].point[*p];
    });
    for (std::size_t depth = 0; depth < order_.size(); ++depth) {
      columns_[depth].reserve(rows.size());
      for (std::size_t row : rowAt_) columns_[depth].push_back(rows[row].configuration[order_[depth]]);
    }
  }

  /// The parameters in the order in which values narrow the rows down.
  const std::vector<std::size_t>& order() const { return order_; }
  std::size_t rowAt(std::int64_t place) const { return rowAt_[static_cast<std::size_t>(place)]; }
  Span all() const { return {0, static_cast<std::int64_t>(rowAt_.size())}; }

  /// Of the rows that share their values of the first `depth` parameters, those with this value of the next.
  Span narrowed(Span span, std::size_t depth, std::int64_t value) const {
    const auto begin = columns_[depth].begin();
    const auto [first, last] = std::equal_range(begin + span.first, begin + span.last, value);
    return {first - begin, last - begin};
  }

  Span find(const std::vector<std::int64_t>& configuration) const {
    Span span = all();
    for (std::size_t depth = 0; depth < order_.size() && !span.isEmpty(); ++depth)
      span = narrowed(span, depth, configuration[order_[depth]]);
    return span;
  }

 private:
  std::vector<std::size_t> order_;
  std::vector<std::size_t> rowAt_;                  // the rows' positions in the file's order
  std::vector<std::vector<std::int64_t>> columns_;  // of the sorted rows, in order_
};

RecordedSpace::RecordedSpace(const std::filesystem::path& file) {
  const std::string fileName = file.filename().string();
  name_ = fileName.substr(0, fileName.find('.'));
  const std::string contents = contentsOf(file);
  std::vector<std::string_view> lines = split(contents, '\n');
  if (lines.back().empty()) lines.pop_back();  // behind the last line's end
  if (lines.empty()) fail(file, "the file is empty");
  // Spans of rows are passed on as halves of a number.
  if (lines.size() > std::numeric_limits<std::int32_t>::max()) fail(file, "too long");

  parameters_ = parametersFrom(lines[0], {file, 1});
  for (std::size_t row = 0; row + 1 < lines.size(); ++row)
    rows_.push_back(rowFrom(lines[row + 1], parameters_, {file, lineOfRow(row)}));

  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    std::vector<std::int64_t>& values = parameters_[p].values;
    for (const RecordedRow& row : rows_) values.push_back(row.configuration[p]);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (RecordedRow& row : rows_) {
      const auto position = std::lower_bound(values.begin(), values.end(), row.configuration[p]) - values.begin();
      row.point.push_back(static_cast<std::uint32_t>(position));
    }
  }
  index_ = std::make_shared<const Index>(parameters_, rows_);

  std::vector<std::size_t> timed;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::size_t first = index_->rowAt(index_->find(rows_[i].configuration).first);
    if (first != i)
      Place{file, lineOfRow(i)}.fail("line " + std::to_string(lineOfRow(first)) + " has the same configuration");
    if (!rows_[i].hasFailed()) timed.push_back(i);
  }
  if (timed.empty()) fail(file, "no configuration has a time");
  std::stable_sort(timed.begin(), timed.end(),
                   [&](std::size_t a, std::size_t b) { return *rows_[a].timeNs < *rows_[b].timeNs; });
  best_ = timed.front();
  typical_ = timed[(timed.size() - 1) / 2];
}

const RecordedRow* RecordedSpace::find(const std::vector<std::int64_t>& configuration) const {
  const Index::Span found = index_->find(configuration);
  return found.isEmpty() ? nullptr : &rows_[index_->rowAt(found.first)];
}

std::vector<Parameter> RecordedSpace::declare(Declarations& declarations, const RecordedRow& defaultRow) const {
  std::vector<Parameter> parameters;
  for (std::size_t p = 0; p < parameters_.size(); ++p)
    parameters.push_back(
        declarations.addParameter(parameters_[p].name, Range(parameters_[p].values), defaultRow.configuration[p]));
  // One constraint for each length of beginnings: a single one on all parameters would be evaluated for their whole
  // product, which in other files than today's may be too large.
  Expression beginning(0);
  for (std::size_t depth = 0; depth < parameters.size(); ++depth) {
    const auto narrow = [index = index_, depth](const std::int64_t* reads) {
      const Index::Span span = depth == 0 ? index->all() : Index::Span::ofCode(reads[0]);
      return index->narrowed(span, depth, reads[1]).code();
    };
    beginning = detail::makeLambda("rows that begin so", {beginning, parameters[index_->order()[depth]]}, narrow);
    declarations.require("recorded", beginning != 0);
  }
  return parameters;
}

SearchSpace RecordedSpace::searchSpace(const RecordedRow& defaultRow) const {
  SpaceDeclarations declarations(name_);
  declare(declarations, defaultRow);
  return SearchSpace(declarations);
}

std::vector<std::size_t> RecordedSpace::rowsByRank(const SearchSpace& space) const {
  std::vector<std::size_t> rows(static_cast<std::size_t>(space.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i)
    rows.at(static_cast<std::size_t>(space.rank(rows_[i].point).value())) = i;
  return rows;
}

}  // namespace hone::test
