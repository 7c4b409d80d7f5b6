// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function writes to an OutputFile.
#ifndef GAUDI_TEST_PREDICTION_WRITTENFILE_H
#define GAUDI_TEST_PREDICTION_WRITTENFILE_H

#include "Gaudi/Support/OutputFile.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <unistd.h>

namespace gaudi::prediction {

template <typename Write> std::string written(Write write) {
  const std::string path =
      testing::TempDir() + "gaudi-written-" + std::to_string(::getpid());
  auto file = OutputFile::create(path);
  EXPECT_TRUE(file) << file.error().message;
  const Status status = write(*file);
  EXPECT_TRUE(status) << status.error().message;
  EXPECT_TRUE(file->commit());
  std::ifstream input(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(input), {}};
  ::unlink(path.c_str());
  return text;
}

} // namespace gaudi::prediction

#endif // GAUDI_TEST_PREDICTION_WRITTENFILE_H
