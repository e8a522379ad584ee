#include "heat/space.h"

namespace hone::apps::heat {

LaunchSizes launchSizes(const Configuration& configuration, int dimensions) {
  const Configuration& c = configuration;
  const std::int64_t layers = c.local * c.fuse, layersZ = dimensions == 3 ? layers : 0;
  const auto size = [](std::int64_t number) { return static_cast<std::size_t>(number); };
  return {{size(c.blockX), size(c.blockY), size(c.blockZ)},
          {size(c.tileX - 2 * layers), size(c.tileY - 2 * layers), size(c.tileZ - 2 * layersZ)}};
}

Space::Space(opencl::TunedProgram& program, const opencl::DeviceFacts& facts, int dimensions) : SectionSpace(program) {
  const bool is3d = dimensions == 3;
  const bool isCpu = facts.type == opencl::DeviceType::cpu;
  const bool isNarrow = facts.maxWorkGroupSize < 256;  // some devices allow no more than one work-item
  if (isNarrow) {
    fixed().blockX = fixed().blockY = 1;
    fixed().tileX = 64;
  }
  const Expression blockX = add("BLOCK_X", {1, 16, 32, 64, 128}, &Configuration::blockX);
  const Expression blockY = add("BLOCK_Y", powersOfTwo(1, 16), &Configuration::blockY);
  const Expression blockZ = addOrDefine(is3d, "BLOCK_Z", powersOfTwo(1, 4), &Configuration::blockZ);
  const Expression tileX = add("TILE_X", powersOfTwo(16, 512), &Configuration::tileX);
  const Expression tileY = add("TILE_Y", powersOfTwo(1, 128), &Configuration::tileY);
  const Expression tileZ = addOrDefine(is3d, "TILE_Z", powersOfTwo(1, 32), &Configuration::tileZ);
  const Expression local = add("LOCAL", booleans(), &Configuration::local);
  const Expression fuse = add("FUSE", {1, 2, 3, 4, 6, 12}, &Configuration::fuse);
  program.define("DIMENSIONS", dimensions);

  program.require("a tile is work for all", tileX % blockX == 0 && tileY % blockY == 0 && tileZ % blockZ == 0);
  program.require("steps are fused in local memory", implies(local == 0, fuse == 1));
  // Less than half of the tile along each dimension is done twice.
  program.require("a tile is mostly inside", implies(local == 1, tileX >= 4 * fuse && tileY >= 4 * fuse));
  if (is3d) program.require("a tile is mostly inside in depth", implies(local == 1, tileZ >= 4 * fuse));

  const Expression items = blockX * blockY * blockZ, cells = tileX * tileY * tileZ;
  if (isCpu) {
    // A CPU's core runs the work-items of a group one after the other. Between barriers, and where each has several
    // cells, it goes along columns instead of rows: 10 to 40 times the default's time on PoCL.
    program.require("a CPU has one work-item, or one cell for each", items == 1 || (items == cells && local == 0));
    // Its cache is what local memory is elsewhere, and its vectors are the cells of a row.
    program.require("a CPU copies what it reads more than once", implies(local == 1, fuse > 1));
    program.require("a CPU's work-item has rows of vectors", implies(items == 1, tileX >= 64));
  } else if (!isNarrow) {
    program.require("a GPU has work-items for its width",
                    items >= static_cast<std::int64_t>(facts.preferredWorkGroupMultiple.value_or(1)));
    program.require("a GPU has little work for each", cells <= 32 * items);
  }
  program.workGroup(blockX, blockY, blockZ);
  program.localMemory(select(local == 1, 4 * cells * select(fuse > 1, 2, 1), 0));
}

}  // namespace hone::apps::heat
