#include "log.h"

#include <gtest/gtest.h>

#include "support/misuse.h"
#include "support/temporary_file.h"

namespace hone::detail {
namespace {

using test::messageOf;
using test::TemporaryFile;
using Lines = std::vector<std::string>;

TEST(Log, AppendsToWhatIsThere) {
  const TemporaryFile file("earlier\n");
  Log log(file.path());
  log.add("one");
  log.add("two");
  EXPECT_TRUE(log.write());
  EXPECT_EQ(file.lines(), (Lines{"earlier", "one", "two"}));
  log.add("three");
  EXPECT_TRUE(log.write());
  EXPECT_EQ(file.lines(), (Lines{"earlier", "one", "two", "three"}));
}

TEST(Log, WritesNothingBeforeItIsAsked) {
  const TemporaryFile file;
  Log log(file.path());
  EXPECT_FALSE(log.write());
  log.add("one");
  EXPECT_EQ(file.lines(), Lines{});
  EXPECT_TRUE(log.write());
  EXPECT_FALSE(log.write());
  EXPECT_EQ(file.lines(), Lines{"one"});
}

TEST(Log, WritesWhatIsLeftAtItsEnd) {
  const TemporaryFile file;
  { Log(file.path()).add("last words"); }
  EXPECT_EQ(file.lines(), Lines{"last words"});
}

TEST(Log, IndentsFurtherLinesOfAText) {
  const TemporaryFile file;
  Log log(file.path());
  log.add("x=4 failed: error 1\n\nerror 2");
  log.write();
  EXPECT_EQ(file.lines(), (Lines{"x=4 failed: error 1", "  ", "  error 2"}));
}

TEST(Log, LeavesOutEmptyLinesAtTheEndOfAText) {
  const TemporaryFile file;
  Log log(file.path());
  log.add("x=4 failed: error 1\n\n");
  log.add("next");
  log.write();
  EXPECT_EQ(file.lines(), (Lines{"x=4 failed: error 1", "next"}));
}

TEST(Log, LogsOfOneFileKeepEachOthersLines) {
  const TemporaryFile file;
  Log first(file.path());
  Log second(file.path());
  first.add("one");
  first.write();
  second.add("two");
  second.write();
  first.add("three");
  first.write();
  EXPECT_EQ(file.lines(), (Lines{"one", "two", "three"}));
}

TEST(Log, DashIsStandardError) {
  testing::internal::CaptureStderr();
  {
    Log log("-");
    log.add("one");
  }
  Log log("-");  // it is still open
  log.add("two");
  log.write();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "one\ntwo\n");
}

TEST(Log, NamesTheFileThatCannotBeOpened) {
  EXPECT_EQ(messageOf([] { Log log("/nowhere/hone.log"); }), "the log cannot be opened: '/nowhere/hone.log'");
}

}  // namespace
}  // namespace hone::detail
