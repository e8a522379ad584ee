// The files of test/data.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "support/recorded_space.h"

namespace hone::test {

/// One of the spaces in test/data/spaces: "coulomb3d_rtx2080ti".
inline std::filesystem::path spaceFile(const std::string& name) {
  return std::filesystem::path(HONE_TEST_DATA) / "spaces" / (name + ".csv.gz");
}
inline std::shared_ptr<const RecordedSpace> recordedSpace(const std::string& name) {
  return std::make_shared<const RecordedSpace>(spaceFile(name));
}

}  // namespace hone::test
