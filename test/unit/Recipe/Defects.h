// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One recipe per kind of defect, with the message that must reject it.
#ifndef GAUDI_TEST_UNIT_RECIPE_DEFECTS_H
#define GAUDI_TEST_UNIT_RECIPE_DEFECTS_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gaudi::recipe::test {

struct Defect {
  std::string name; // file name without the extension
  std::function<std::vector<uint8_t>()> make;
  std::string expected; // the error without the file's name
};

const std::vector<Defect> &defects();

} // namespace gaudi::recipe::test

#endif // GAUDI_TEST_UNIT_RECIPE_DEFECTS_H
