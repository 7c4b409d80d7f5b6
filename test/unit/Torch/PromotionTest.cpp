// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Promotion against what torch.promote_types of PyTorch 2.13 gives.
#include "Gaudi/Torch/ScalarType.h"
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

using namespace gaudi;
using namespace gaudi::torch;

namespace {

ScalarType byName(std::string_view name) {
  for (int64_t code = 0; code < 64; ++code)
    if (auto type = scalarTypeOf(code); type && nameOf(*type) == name)
      return *type;
  ADD_FAILURE() << name;
  return ScalarType::Bool;
}

// Columns in the order of the rows; "-" where PyTorch raises.
constexpr std::string_view table = R"(
ui8 ui8 si16 si16 si32 si64 f16 f32 f64 ui8 bf16 c64 - - -
si8 si16 si8 si16 si32 si64 f16 f32 f64 si8 bf16 c64 - - -
si16 si16 si16 si16 si32 si64 f16 f32 f64 si16 bf16 c64 - - -
si32 si32 si32 si32 si32 si64 f16 f32 f64 si32 bf16 c64 - - -
si64 si64 si64 si64 si64 si64 f16 f32 f64 si64 bf16 c64 - - -
f16 f16 f16 f16 f16 f16 f16 f32 f64 f16 f32 c64 - f16 f16
f32 f32 f32 f32 f32 f32 f32 f32 f64 f32 f32 c64 - f32 f32
f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 f64 c128 - f64 f64
i1 ui8 si8 si16 si32 si64 f16 f32 f64 i1 bf16 c64 - - -
bf16 bf16 bf16 bf16 bf16 bf16 f32 f32 f64 bf16 bf16 c64 - bf16 bf16
c64 c64 c64 c64 c64 c64 c64 c64 c128 c64 c64 c64 - - -
f8E5M2 - - - - - - - - - - - f8E5M2 - -
ui16 - - - - - f16 f32 f64 - bf16 - - ui16 -
ui32 - - - - - f16 f32 f64 - bf16 - - - ui32
)";

std::string fullName(const std::string &name) {
  if (name == "c64")
    return "complex<f32>";
  return name == "c128" ? "complex<f64>" : name;
}

TEST(Promotion, IsThatOfPyTorch) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> row;
    for (std::string word; words >> word;)
      row.push_back(fullName(word));
    if (!row.empty())
      rows.push_back(row);
  }
  ASSERT_EQ(rows.size(), 14u);
  for (const auto &row : rows)
    for (size_t i = 0; i < rows.size(); ++i) {
      auto promoted = promote(byName(row[0]), byName(rows[i][0]));
      EXPECT_EQ(promoted ? std::string(nameOf(*promoted)) : "-", row[i + 1])
          << row[0] << " with " << rows[i][0];
    }
}

TEST(Promotion, RefusesWithBothNames) {
  auto promoted = promote(ScalarType::Float8E4M3FN, ScalarType::Float32);
  ASSERT_FALSE(promoted);
  EXPECT_EQ(promoted.error().message,
            "PyTorch does not promote f32 with f8E4M3FN");
}

} // namespace
