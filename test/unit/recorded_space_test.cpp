#include "support/recorded_space.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "support/temporary_file.h"

namespace hone::test {
namespace {

using Values = std::vector<std::int64_t>;

const std::string kHeader = "WG,UNROLL,FLAG,time_ms,error,compile_ms,bench_ms,samples_ms\n";
// Of the 3 x 2 x 2 points, 6 are there. By time: 1, 2, 3 and 4 ms.
const std::string kRows =
    "16,1,0,3,,120.5,9,3.5;3;2.75\n"
    "8,1,0,1,,,,\n"
    "8,2,0,,compile,80,,\n"
    "32,2,1,4,,0,,4\n"
    "16,2,1,,runtime,,,\n"
    "32,1,0,2,,,,\n";

/// A file of a space, compressed as the recorded ones are.
class SpaceFile {
 public:
  explicit SpaceFile(const std::string& contents) {
    const gzFile out = gzopen(path().c_str(), "wb");
    gzwrite(out, contents.data(), static_cast<unsigned>(contents.size()));
    gzclose(out);
  }
  std::filesystem::path path() const { return file_.folder() / "tiny.csv.gz"; }

 private:
  TemporaryFile file_;
};

RecordedSpace spaceOf(const std::string& contents) { return RecordedSpace(SpaceFile(contents).path()); }

/// What is wrong with the file, its path left out.
std::string complaintAboutFile(const std::filesystem::path& path) {
  try {
    const RecordedSpace space(path);
  } catch (const std::runtime_error& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.substr(0, path.string().size()), path.string());
    return what.substr(std::min(what.size(), path.string().size()));
  }
  return "";
}

std::string complaintAbout(const std::string& contents) { return complaintAboutFile(SpaceFile(contents).path()); }

TEST(RecordedSpace, ReadsParametersWithTheirValuesAscending) {
  const RecordedSpace space = spaceOf(kHeader + kRows);
  EXPECT_EQ(space.name(), "tiny");
  ASSERT_EQ(space.parameters().size(), 3u);
  EXPECT_EQ(space.parameters()[0].name, "WG");
  EXPECT_EQ(space.parameters()[0].values, (Values{8, 16, 32}));
  EXPECT_EQ(space.parameters()[1].name, "UNROLL");
  EXPECT_EQ(space.parameters()[1].values, (Values{1, 2}));
  EXPECT_EQ(space.parameters()[2].values, (Values{0, 1}));
}

TEST(RecordedSpace, ReadsRowsInTheFilesOrder) {
  const RecordedSpace space = spaceOf(kHeader + kRows);
  ASSERT_EQ(space.rows().size(), 6u);
  const RecordedRow& first = space.rows()[0];
  EXPECT_EQ(first.configuration, (Values{16, 1, 0}));
  EXPECT_EQ(first.point, (Point{1, 0, 0}));
  EXPECT_FALSE(first.hasFailed());
  EXPECT_DOUBLE_EQ(first.timeNs.value(), 3e6);
  EXPECT_DOUBLE_EQ(first.compileNs.value(), 120.5e6);
  EXPECT_EQ(first.samplesNs, (std::vector<double>{3.5e6, 3e6, 2.75e6}));
  EXPECT_FALSE(space.rows()[1].compileNs.has_value());
  EXPECT_TRUE(space.rows()[1].samplesNs.empty());
  EXPECT_EQ(space.rows()[3].compileNs, 0);
}

TEST(RecordedSpace, TellsHowRowsFailed) {
  const RecordedSpace space = spaceOf(kHeader + kRows);
  EXPECT_EQ(space.rows()[2].failure, RecordedRow::Failure::compile);
  EXPECT_FALSE(space.rows()[2].timeNs.has_value());
  EXPECT_DOUBLE_EQ(space.rows()[2].compileNs.value(), 80e6);
  EXPECT_EQ(space.rows()[4].failure, RecordedRow::Failure::runtime);
  EXPECT_TRUE(space.rows()[4].hasFailed());
}

TEST(RecordedSpace, FindsRowsByConfiguration) {
  const RecordedSpace space = spaceOf(kHeader + kRows);
  for (const RecordedRow& row : space.rows()) EXPECT_EQ(space.find(row.configuration), &row);
  EXPECT_EQ(space.find({16, 1, 1}), nullptr);  // values that occur, but not together
  EXPECT_EQ(space.find({8, 2, 1}), nullptr);
  EXPECT_EQ(space.find({64, 1, 0}), nullptr);  // a value that does not occur
}

TEST(RecordedSpace, BestAndTypicalLeaveFailedRowsOut) {
  const RecordedSpace space = spaceOf(kHeader + kRows);
  EXPECT_EQ(space.best().configuration, (Values{8, 1, 0}));
  EXPECT_EQ(space.typical().configuration, (Values{32, 1, 0}));  // the second of four
}

TEST(RecordedSpace, SearchSpaceHasExactlyTheRows) {
  const RecordedSpace recorded = spaceOf(kHeader + kRows);
  const SearchSpace space = recorded.searchSpace(recorded.typical());
  EXPECT_TRUE(space.isCounted());
  ASSERT_EQ(space.size(), 6u);
  std::set<Values> valid, rows;
  for (Rank rank = 0; rank < space.size(); ++rank) valid.insert(space.configuration(rank));
  for (const RecordedRow& row : recorded.rows()) rows.insert(row.configuration);
  EXPECT_EQ(valid, rows);
  EXPECT_EQ(space.configuration(space.start()), (Values{32, 1, 0}));
}

TEST(RecordedSpace, KnowsTheRowOfEachRank) {
  const RecordedSpace recorded = spaceOf(kHeader + kRows);
  const SearchSpace space = recorded.searchSpace(recorded.best());
  const std::vector<std::size_t> rows = recorded.rowsByRank(space);
  ASSERT_EQ(rows.size(), 6u);
  for (Rank rank = 0; rank < space.size(); ++rank)
    EXPECT_EQ(recorded.rows()[rows[rank]].configuration, space.configuration(rank));
}

TEST(RecordedSpace, CountsRowsOfAHugeProduct) {
  // 12 parameters of 31, 30 ... 20 values: 7e16 points, of which 31 are rows.
  std::string contents;
  for (int p = 0; p < 12; ++p) contents += "p" + std::to_string(p) + ",";
  contents += kHeader.substr(kHeader.find("time_ms"));
  for (int row = 0; row < 31; ++row) {
    for (int p = 0; p < 12; ++p) contents += std::to_string(row % (31 - p)) + ",";
    contents += "1,,,,\n";
  }
  const RecordedSpace recorded = spaceOf(contents);
  const SearchSpace space = recorded.searchSpace(recorded.best());
  EXPECT_TRUE(space.isCounted());
  EXPECT_EQ(space.size(), 31u);
}

TEST(RecordedSpace, TakesOneParameterAndOneRow) {
  const RecordedSpace recorded = spaceOf("N,time_ms,error,compile_ms,bench_ms,samples_ms\n-5,0.25,,,,");
  const SearchSpace space = recorded.searchSpace(recorded.best());
  ASSERT_EQ(space.size(), 1u);
  EXPECT_EQ(space.configuration(0), Values{-5});
  EXPECT_DOUBLE_EQ(recorded.best().timeNs.value(), 250'000);
}

TEST(RecordedSpace, ReadsFilesThatAreNotCompressed) {
  const TemporaryFile file(kHeader + kRows);
  EXPECT_EQ(RecordedSpace(file.path()).rows().size(), 6u);
}

TEST(RecordedSpace, NamesTheLineThatIsWrong) {
  const std::string good = kHeader + "16,1,0,3,,,,\n";
  EXPECT_EQ(complaintAbout(good), "");
  EXPECT_EQ(complaintAbout(good + "16,1,3,,,,\n"), ":3: there are 7 cells instead of 8");
  EXPECT_EQ(complaintAbout(good + "\n"), ":3: there are 1 cells instead of 8");
  EXPECT_EQ(complaintAbout(good + "16,1.5,0,3,,,,\n"), ":3: '1.5' is no value of UNROLL");
  EXPECT_EQ(complaintAbout(good + "16,,0,3,,,,\n"), ":3: '' is no value of UNROLL");
  EXPECT_EQ(complaintAbout(good + "8,1,0,fast,,,,\n"), ":3: 'fast' is no time");
  EXPECT_EQ(complaintAbout(good + "8,1,0,0,,,,\n"), ":3: '0' is no time");
  EXPECT_EQ(complaintAbout(good + "8,1,0,-1,,,,\n"), ":3: '-1' is no time");
  EXPECT_EQ(complaintAbout(good + "8,1,0,nan,,,,\n"), ":3: 'nan' is no time");
  EXPECT_EQ(complaintAbout(good + "8,1,0,inf,,,,\n"), ":3: 'inf' is no time");
  EXPECT_EQ(complaintAbout(good + "8,1,0,1,,-2,,\n"), ":3: '-2' is no compile time");
  EXPECT_EQ(complaintAbout(good + "8,1,0,1,,,,1;;2\n"), ":3: '' is no sample");
  EXPECT_EQ(complaintAbout(good + "8,1,0,,,,,\n"), ":3: a row has either a time or an error");
  EXPECT_EQ(complaintAbout(good + "8,1,0,1,compile,,,\n"), ":3: a row has either a time or an error");
  EXPECT_EQ(complaintAbout(good + "8,1,0,,timeout,,,\n"),
            ":3: 'timeout' is no error; expected 'compile', 'runtime' or nothing");
  EXPECT_EQ(complaintAbout(good + "8,1,0,1,,,,\n16,1,0,9,,,,\n"), ":4: line 2 has the same configuration");
}

TEST(RecordedSpace, RefusesOtherColumns) {
  const std::string complaint = ":1: the columns are not parameters, time_ms, error, compile_ms, bench_ms, samples_ms";
  EXPECT_EQ(complaintAbout("WG,time_ms,error\n16,3,\n"), complaint);
  EXPECT_EQ(complaintAbout("time_ms,error,compile_ms,bench_ms,samples_ms\n3,,,,\n"), complaint);  // no parameter
  EXPECT_EQ(complaintAbout("A,A,time_ms,error,compile_ms,bench_ms,samples_ms\n"), ":1: there are two columns 'A'");
  EXPECT_EQ(complaintAbout(",time_ms,error,compile_ms,bench_ms,samples_ms\n"), ":1: a parameter has no name");
}

TEST(RecordedSpace, RefusesFilesThatGiveNothing) {
  EXPECT_EQ(complaintAbout(""), ": the file is empty");
  EXPECT_EQ(complaintAbout(kHeader), ": no configuration has a time");
  EXPECT_EQ(complaintAbout(kHeader + "8,2,0,,compile,80,,\n"), ": no configuration has a time");
  const TemporaryFile absent;
  EXPECT_EQ(complaintAboutFile(absent.path()), ": cannot be opened");
}

TEST(RecordedSpace, RefusesACompressedFileThatIsCutShortOrDamaged) {
  const SpaceFile file(kHeader + kRows);
  const auto size = std::filesystem::file_size(file.path());
  {
    std::fstream damage(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    damage.seekp(static_cast<std::streamoff>(size) - 6);  // in the check sum
    damage.put('x');
  }
  EXPECT_EQ(complaintAboutFile(file.path()).rfind(": cannot be decompressed: ", 0), 0u);
  const SpaceFile shortened(kHeader + kRows);
  std::filesystem::resize_file(shortened.path(), size - 9);
  EXPECT_EQ(complaintAboutFile(shortened.path()).rfind(": cannot be decompressed: ", 0), 0u);
}

}  // namespace
}  // namespace hone::test
