// A file of a test's own: in a folder that ends with the object.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace hone::test {

class TemporaryFile {
 public:
  /// There is no such file yet.
  TemporaryFile() {
    std::string folder = (std::filesystem::temp_directory_path() / "hone_test_XXXXXX").string();
    if (!mkdtemp(folder.data())) throw std::runtime_error("no temporary folder: " + folder);
    folder_ = folder;
  }
  explicit TemporaryFile(const std::string& contents) : TemporaryFile() { write(contents); }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  std::string path() const { return (folder_ / "file").string(); }
  void write(const std::string& contents) const { std::ofstream(path()) << contents; }
  bool exists() const { return std::filesystem::exists(path()); }

  std::vector<std::string> lines() const {
    std::ifstream in(path());
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace hone::test
