#include <gtest/gtest.h>

#include <boost/property_tree/xml_parser.hpp>
#include <sstream>

#include "papers/parameter_picture.h"
#include "support/temporary_file.h"

namespace hone::bench {
namespace {

using boost::property_tree::ptree;
using test::RecordedSpace;
using test::TemporaryFile;

constexpr const char* kHead = ",time_ms,error,compile_ms,bench_ms,samples_ms\n";

/// Throws where it is no well-formed XML.
ptree parsed(const std::string& svg) {
  std::istringstream in(svg);
  ptree tree;
  boost::property_tree::read_xml(in, tree);
  return tree.get_child("svg");
}

std::vector<std::string> textsOf(const ptree& svg) {
  std::vector<std::string> texts;
  for (const auto& [tag, node] : svg) {
    if (tag == "text") texts.push_back(node.data());
  }
  return texts;
}

bool has(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// A: 1 and 2, B: 10, 20 and 30; the last one has failed.
std::string twoParameters() {
  return std::string("A,B") + kHead +
         "1,10,8,,1,1,\n1,20,4,,1,1,\n1,30,2,,1,1,\n2,10,6,,1,1,\n2,20,3,,1,1,\n2,30,,compile,1,1,\n";
}

TEST(PapersPicture, AParameterMattersByItsBestTimes) {
  const TemporaryFile file(twoParameters());
  const RecordedSpace space(file.path());
  EXPECT_EQ(importance(space, 0), 1.5);  // 2 ms and 3 ms
  EXPECT_EQ(importance(space, 1), 3);    // 6 ms, 3 ms and 2 ms
}

TEST(PapersPicture, IsWellFormedAndSaysWhatItShows) {
  const TemporaryFile file(twoParameters());
  const ptree svg =
      parsed(drawParameters(RecordedSpace(file.path()), {1, 10}, {1, 30}, {"scan <1>", "device & driver"}));
  const std::vector<std::string> texts = textsOf(svg);
  for (const char* text : {"scan <1>", "device & driver", "default, 8 ms", "tuned, 2 ms", "A", "B", "time, ms", "30"})
    EXPECT_TRUE(has(texts, text)) << text;
  EXPECT_TRUE(has(texts, "-"));  // of the map: the one that has failed
  EXPECT_TRUE(has(texts, "8 ms"));
  EXPECT_TRUE(has(texts, "2 ms"));  // both ends of the scale
}

TEST(PapersPicture, OneParameterHasItsDiagramAlone) {
  const TemporaryFile file(std::string("A,B") + kHead + "32,1,2,,1,1,\n64,1,1,,1,1,\n");
  const std::vector<std::string> texts =
      textsOf(parsed(drawParameters(RecordedSpace(file.path()), {32, 1}, {64, 1}, {"t", "s"})));
  EXPECT_EQ(std::count(texts.begin(), texts.end(), "A"), 1);
  EXPECT_EQ(std::count(texts.begin(), texts.end(), "B"), 0);  // it has one value
}

TEST(PapersPicture, EveryShapeLiesInThePicture) {
  const TemporaryFile file(std::string("A,B,C") + kHead +
                           "1,1,1,0.01,,1,1,\n2,1,1,9,,1,1,\n1,2,2,3,,1,1,\n2,2,1,70,,1,1,\n2,2,2,5,,1,1,\n");
  const ptree svg = parsed(drawParameters(RecordedSpace(file.path()), {2, 2, 1}, {1, 1, 1}, {"t", "s"}));
  const double width = svg.get<double>("<xmlattr>.width"), height = svg.get<double>("<xmlattr>.height");
  std::size_t shapes = 0;
  for (const auto& [tag, node] : svg) {
    const auto points = node.get_optional<std::string>("<xmlattr>.points");
    if (!points) continue;
    std::istringstream in(*points);
    double x = 0, y = 0;
    for (char comma = 0; in >> x >> comma >> y;) {
      EXPECT_TRUE(x >= 0 && x <= width && y >= 0 && y <= height) << *points;
      ++shapes;
    }
  }
  EXPECT_GT(shapes, 100u);
}

}  // namespace
}  // namespace hone::bench
