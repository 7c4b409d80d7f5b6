// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that depend on the column alone, which calls of many rows compute
// once.
#include "TestRecipe.h"

#include <algorithm>
#include <limits>
#include <ostream>

using namespace gaudi;
using namespace gaudi::test;

namespace {

constexpr ElementType f32 = ElementType::F32;

/// Rows with the same elements follow each other in this distance.
constexpr int64_t period = 16;

struct Case {
  ElementType type;
  int64_t columns;
  const char *implementation; // of many rows
  bool nan = false;           // some elements and a column are none
};

void PrintTo(const Case &each, std::ostream *os) {
  *os << recipe::EnumNameElementType(each.type) << " x " << each.columns;
}

/// out[r, c] = max((x[r, c] + bias[c]) * y[c], -y[c]) + x[r, c] where
/// y[c] = rsqrt(scale[c] + 1.5), rounded to the type after each operation.
struct Rows {
  Rows(const Case &each, int64_t rows)
      : kernel({rows, each.columns}, {true, true}) {
    KernelBuilder &k = kernel;
    k.input(each.type, 2).input(each.type, 1).input(each.type, 1);
    k.output(each.type, 2);
    auto rounded = [&](uint32_t value) {
      return each.type == f32
                 ? value
                 : k.inst(Op::RoundTo, f32, value, 0, 0, uint64_t(each.type));
    };
    auto op = [&](Op name, uint32_t a, uint32_t b) {
      return rounded(k.inst(name, f32, a, b));
    };
    auto column = [&](uint32_t operand) {
      return k.inst(Op::Load, f32, k.access(operand, 0, k.at({{1, 1}})));
    };
    auto element = [&](uint32_t operand) {
      return k.access(operand, 0, k.at({{0, 1}}), k.at({{1, 1}}));
    };
    k.stage();
    const uint32_t x = k.inst(Op::Load, f32, element(0));
    const uint32_t bias = column(1);
    const uint32_t root = rounded(
        k.inst(Op::RsqrtF, f32, op(Op::AddF, column(2), k.constant(1.5f))));
    const uint32_t scaled = op(Op::MulF, op(Op::AddF, x, bias), root);
    const uint32_t least = k.inst(Op::NegF, f32, root);
    k.store(element(3), op(Op::AddF, k.inst(Op::MaxF, f32, scaled, least), x));
    const Dims shape = {rows, each.columns};
    const uint32_t input = recipe.input(each.type, shape),
                   first = recipe.input(each.type, {each.columns}),
                   second = recipe.input(each.type, {each.columns});
    recipe.launch(k, {input, first, second}, {recipe.output(each.type, shape)});
  }

  KernelBuilder kernel;
  TestRecipe recipe;
};

class Columns : public testing::TestWithParam<Case> {};

/// Many rows give what the same few rows give without a buffer, bit by bit.
TEST_P(Columns, EqualRowsOfSmallLaunches) {
  const Case &each = GetParam();
  const auto size = int64_t(recipe::elementSize(each.type));
  // Outputs of 16 MiB or more, and an odd number of rows.
  const int64_t rows = (int64_t(16) << 20) / (each.columns * size) + 3;
  Random random(5);
  std::vector<float> values = random.values(size_t(period * each.columns));
  std::vector<float> bias = random.values(size_t(each.columns));
  if (each.nan) {
    values[5] = std::numeric_limits<float>::infinity();
    values[size_t(each.columns) + 7] = std::numeric_limits<float>::quiet_NaN();
    bias[size_t(each.columns) / 2] = -std::numeric_limits<float>::infinity();
  }
  const Bytes row = encodeAll(each.type, values);
  const std::vector<Bytes> shared = {
      encodeAll(each.type, bias),
      encodeAll(each.type, random.values(size_t(each.columns)))};

  Rows small(each, period), large(each, rows);
  auto few = small.recipe.load(), many = large.recipe.load();
  ASSERT_TRUE(few && many);
  EXPECT_EQ(few->commands(0)[0].implementation.find(":columns"),
            std::string::npos);
  // What follows the number of lanes, which differs between hosts.
  const std::string text = many->commands(0)[0].implementation;
  const size_t lanes = std::strlen("jit:lanes");
  EXPECT_EQ(text.substr(std::min(text.find_first_not_of("0123456789", lanes),
                                 text.size())),
            each.implementation)
      << text;
  const Bytes expected = TestRecipe::run(*few, {row, shared[0], shared[1]})[0];
  Bytes input;
  while (int64_t(input.size()) < rows * each.columns * size)
    input.insert(input.end(), row.begin(), row.end());
  input.resize(size_t(rows * each.columns * size));
  const Bytes got = TestRecipe::run(*many, {input, shared[0], shared[1]})[0];
  ASSERT_EQ(got.size(), input.size());
  for (size_t at = 0; at < got.size(); at += expected.size())
    ASSERT_EQ(std::memcmp(&got[at], expected.data(),
                          std::min(expected.size(), got.size() - at)),
              0)
        << "rows from " << at / size_t(each.columns * size);
}

// A buffer of 4096 columns takes all the room there is, one of 4100 has none.
INSTANTIATE_TEST_SUITE_P(
    Types, Columns,
    testing::Values(Case{ElementType::BF16, 1024, ":columns3"},
                    Case{ElementType::BF16, 1007, ":columns3"},
                    Case{ElementType::BF16, 1007, ":columns3", true},
                    Case{ElementType::BF16, 17, ":columns3"},
                    Case{ElementType::F16, 1001, ":columns3"},
                    Case{ElementType::F16, 1024, ":columns3", true},
                    Case{f32, 515, ":columns2"},
                    Case{f32, 4096, ":columns1", true},
                    Case{ElementType::BF16, 4096, ":columns1"},
                    Case{ElementType::BF16, 4100, ""}),
    [](const auto &info) {
      return std::string(recipe::EnumNameElementType(info.param.type)) + "x" +
             std::to_string(info.param.columns) +
             (info.param.nan ? "WithNaN" : "");
    });

} // namespace
