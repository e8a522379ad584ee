#include "heat/application.h"

#include "heat/diffusion.h"

namespace hone::apps::heat {

namespace {

Program program(int dimensions) {
  Program whole{.name = "heat",
                .summary =
                    "tunes a simulation of heat diffusion on grids from coarse to fine; on a CPU, up to "
                    "4096x4096 or 256x256x256 by default",
                .problemNames = {"X", "Y"},
                .defaultProblem = {16384, 16384},
                .ownOptions = {{"dimensions", "2|3", "of the grid (default: 2)", {"2", "3"}},
                               {"levels", "N",
                                "grids, each with half of the next one's cells; --problem is the finest, --launches "
                                "and --seconds are shared by them (default: 5)"},
                               {"frames", "DIR", "write pictures of the temperatures into DIR (PNG)"},
                               {"checkpoint", "FILE",
                                "save the simulation in FILE twice a minute and at the end, and go on from it"}},
                .isOneSizeEnough = true};
  if (dimensions == 3) {
    whole.problemNames.emplace_back("Z");
    whole.defaultProblem = {640, 640, 640};
  }
  return whole;
}

}  // namespace

Application application(int dimensions) {
  return {.program = program(dimensions), .open = [dimensions](const Setup& setup) -> std::unique_ptr<Workload> {
            return std::make_unique<Diffusion>(setup, levelsFor(setup.options, setup.on.device, dimensions));
          }};
}

int dimensionsIn(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--dimensions=3") return 3;
    if (arguments[i] == "--dimensions" && i + 1 < arguments.size() && arguments[i + 1] == "3") return 3;
  }
  return 2;
}

}  // namespace hone::apps::heat
