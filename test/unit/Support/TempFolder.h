// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder that disappears with the test.
#ifndef GAUDI_TEST_UNIT_SUPPORT_TEMPFOLDER_H
#define GAUDI_TEST_UNIT_SUPPORT_TEMPFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

class TempFolder {
public:
  TempFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "gaudi-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string file(const std::string &name) const { return path + "/" + name; }
  std::string write(const std::string &name, const std::string &bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }
  std::string read(const std::string &name) const {
    std::ifstream in(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  size_t count() const {
    return size_t(std::distance(std::filesystem::directory_iterator(path), {}));
  }

  std::string path;
};

#endif // GAUDI_TEST_UNIT_SUPPORT_TEMPFOLDER_H
