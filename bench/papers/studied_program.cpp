#include "papers/studied_program.h"

#include <array>

#include "conv2d/application.h"
#include "gemm/application.h"
#include "heat/application.h"
#include "marching_cubes/application.h"
#include "merge_sort/application.h"
#include "nbody/application.h"
#include "scan/application.h"

namespace hone::bench {

namespace {

struct Part {
  std::vector<std::int64_t> problem;
  std::string restrictions = "";  // as --restrict has them
  bool isSwept = true;
};

struct Entry {
  std::string name;
  apps::Application application;
  std::array<Part, 3> parts;  // by scale
  std::map<std::string, std::string> own = {};
};

// The most promising part of the matrix product's 241,600.
constexpr const char* kProducts =
    "MWG=64:128,NWG=64:128,KWG=32,MDIMC=8:16,NDIMC=8:16,MDIMA=8:32,NDIMB=8:32,VWM=1:4,VWN=1:4,STRN=0";
constexpr const char* kFewProducts =
    "MWG=32:64:128,NWG=64:128,KWG=32,MDIMC=8,NDIMC=8,MDIMA=8,NDIMB=8,KWI=2,VWM=1:4:8,VWN=1:4,STRM=0,STRN=0,SA=0,SB=0";

// A line a program.
std::vector<Entry> entries() {
  using namespace apps;
  return {
      {"merge_sort",
       merge_sort::application(),
       {{{{1 << 16}, "SORT_BLOCK=64:256:1024,SPLIT_BLOCK=32:64:256,MERGE_BLOCK=64:128:256:1024"},
         {{1 << 20}, "SORT_BLOCK=64:128:256:512:1024,SPLIT_BLOCK=32:64:128:256:512,MERGE_BLOCK=64:128:256:512:1024"},
         {{1 << 22}}}}},
      {"nbody", nbody::application(), {{{{2048}, "UNROLL=1:2:4:8"}, {{8192}}, {{131072}}}}},
      {"scan",
       scan::application(),
       {{{{1 << 20}, "BLOCK=32:64:128:224:512:1024,ITEMS=1:4:16"}, {{1 << 24}}, {{1 << 24}}}}},
      {"marching_cubes", marching_cubes::application(), {{{{64, 64, 64}}, {{128, 128, 128}}, {{256, 256, 256}}}}},
      {"gemm",
       gemm::application(),
       {{{{256, 256, 256}, kFewProducts}, {{512, 512, 512}, kFewProducts}, {{2048, 2048, 2048}, kProducts}}}},
      {"gemm_all",
       gemm::application(),
       {{{{256, 256, 256}, "", false}, {{512, 512, 512}, "", false}, {{2048, 2048, 2048}, "", false}}}},
      {"conv2d",
       conv2d::application(),
       {{{{512, 512, 7}, "TBX=16,TBY=16,LOCAL=0,WPTY=1:4"},
         {{1024, 1024, 7}, "TBX=16,TBY=8:16,LOCAL=0"},
         {{8192, 4096, 7}}}}},
      {"heat",
       heat::application(),
       {{{{256, 256}, "BLOCK_X=1:16,BLOCK_Y=1:16,TILE_X=16:64:256,TILE_Y=8:16:64,FUSE=1:4"},
         {{2048, 2048}},
         {{8192, 8192}}}},
       {{"levels", "1"}}},
  };
}

}  // namespace

std::vector<StudiedProgram> studiedPrograms(Scale scale) {
  std::vector<StudiedProgram> programs;
  for (const Entry& entry : entries()) {
    const Part& part = entry.parts[static_cast<std::size_t>(scale)];
    StudiedProgram& program =
        programs.emplace_back(StudiedProgram{entry.name, entry.application, part.problem, {}, part.isSwept, entry.own});
    if (!part.restrictions.empty()) program.restrictions = apps::parseRestrictions(part.restrictions);
  }
  return programs;
}

}  // namespace hone::bench
