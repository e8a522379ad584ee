#include "recording/measurement_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "support/recorded_space.h"
#include "support/temporary_file.h"

namespace hone::bench {
namespace {

using test::TemporaryFile;

const std::vector<std::string> kNames{"x", "y"};
constexpr const char* kHeader = "x,y,time_ms,error,compile_ms,bench_ms,samples_ms";

MeasuredRow row(std::int64_t x, std::int64_t y, std::vector<double> samples) {
  return {{x, y}, "", 120.5, 3, std::move(samples)};
}

std::string messageOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(MeasurementTable, TimeIsTheMedianOfTheSamples) {
  EXPECT_EQ(rowLine(row(8, 16, {0.5, 0.25, 1.75})), "8,16,0.5,,120.5,3,0.5;0.25;1.75");
  EXPECT_EQ(rowLine(row(8, 16, {1, 4, 2, 3})), "8,16,2.5,,120.5,3,1;4;2;3");
  EXPECT_EQ(rowLine(row(8, -1, {1.23456789})), "8,-1,1.23457,,120.5,3,1.23457");
}

TEST(MeasurementTable, AFailureHasNoTime) {
  EXPECT_EQ(rowLine({{8, 16}, "compile", 90, 0, {}}), "8,16,,compile,90,0,");
}

TEST(MeasurementTable, GoesOnWhereItWas) {
  const TemporaryFile file;
  {
    MeasurementTable table(file.path(), kNames);
    EXPECT_FALSE(table.has({1, 2}));
    table.append(row(1, 2, {5}));
    EXPECT_TRUE(table.has({1, 2}));
  }
  MeasurementTable table(file.path(), kNames);
  EXPECT_TRUE(table.has({1, 2}));
  EXPECT_FALSE(table.has({2, 1}));
  EXPECT_EQ(table.rows(), 1u);
  table.append({{2, 1}, "runtime", 1, 0, {}});
  EXPECT_EQ(file.lines(), (std::vector<std::string>{kHeader, "1,2,5,,120.5,3,5", "2,1,,runtime,1,0,"}));
}

TEST(MeasurementTable, CutsOffALineWhoseWriterWasEnded) {
  const TemporaryFile file(std::string(kHeader) + "\n1,2,5,,1,1,5\n1,3,7,,1,1,7;7");
  MeasurementTable table(file.path(), kNames);
  EXPECT_TRUE(table.has({1, 2}));
  EXPECT_FALSE(table.has({1, 3}));
  table.append(row(1, 3, {8}));
  EXPECT_EQ(file.lines(), (std::vector<std::string>{kHeader, "1,2,5,,1,1,5", "1,3,8,,120.5,3,8"}));
}

TEST(MeasurementTable, BeginsAnewWhereNotEvenTheHeaderWasWritten) {
  const TemporaryFile file("x,y,ti");
  MeasurementTable table(file.path(), kNames);
  EXPECT_EQ(file.lines(), std::vector<std::string>{kHeader});
}

TEST(MeasurementTable, RefusesATableOfOtherParameters) {
  const TemporaryFile file("x,z,time_ms,error,compile_ms,bench_ms,samples_ms\n");
  EXPECT_EQ(messageOf([&] { MeasurementTable(file.path(), kNames); }),
            file.path() + ": is a table of other parameters");
  EXPECT_EQ(messageOf([&] { MeasurementTable("/nowhere/table.csv", kNames); }),
            "/nowhere/table.csv: cannot be written");
}

TEST(MeasurementTable, MergedTablesAreARecordedSpace) {
  const TemporaryFile first, second, merged;
  {
    MeasurementTable one(first.path(), kNames), other(second.path(), kNames);
    one.append(row(10, 1, {4, 2, 3}));
    one.append({{2, 2}, "compile", 50, 0, {}});
    other.append(row(2, 1, {1, 2}));
  }
  EXPECT_EQ(mergeTables({first.path(), second.path()}, merged.path()), 3u);
  EXPECT_EQ(std::ifstream(merged.path(), std::ios::binary).get(), 0x1f);  // gzip's magic number

  const test::RecordedSpace space(merged.path());
  ASSERT_EQ(space.rows().size(), 3u);
  EXPECT_EQ(space.rows()[0].configuration, (std::vector<std::int64_t>{2, 1}));  // in the order of their values
  EXPECT_EQ(space.rows()[1].failure, test::RecordedRow::Failure::compile);
  EXPECT_EQ(space.rows()[2].configuration, (std::vector<std::int64_t>{10, 1}));
  EXPECT_EQ(space.rows()[2].timeNs, 3e6);
  EXPECT_EQ(space.rows()[2].samplesNs, (std::vector<double>{4e6, 2e6, 3e6}));
}

TEST(MeasurementTable, MergesOnlyPartsOfOneTable) {
  const TemporaryFile one(std::string(kHeader) + "\n1,2,5,,1,1,5\n"), same(std::string(kHeader) + "\n1,2,6,,1,1,6\n"),
      other("x,time_ms,error,compile_ms,bench_ms,samples_ms\n1,5,,1,1,5\n"), nothing("a,b\n"), merged;
  EXPECT_EQ(messageOf([&] {
              mergeTables({one.path(), same.path()}, merged.path());
            }),
            same.path() + ": '1,2,6,,1,1,6' is in another table, too");
  EXPECT_EQ(messageOf([&] {
              mergeTables({one.path(), other.path()}, merged.path());
            }),
            other.path() + ": is a table of other parameters than the first");
  EXPECT_EQ(messageOf([&] { mergeTables({nothing.path()}, merged.path()); }),
            nothing.path() + ": is no table of measurements");
  EXPECT_EQ(messageOf([&] { mergeTables({"/nowhere.csv"}, merged.path()); }), "/nowhere.csv: cannot be read");
  EXPECT_EQ(messageOf([&] { mergeTables({one.path()}, "/nowhere/merged"); }), "/nowhere/merged: cannot be written");
}

}  // namespace
}  // namespace hone::bench
