// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder that goes with the test.
#ifndef GAUDI_TEST_UNIT_RUNTIME_TEMPORARYFOLDER_H
#define GAUDI_TEST_UNIT_RUNTIME_TEMPORARYFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace gaudi::test {

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "gaudi-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      ADD_FAILURE() << "cannot make " << name;
    path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path;
};

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_RUNTIME_TEMPORARYFOLDER_H
