// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes as functions of symbols: bounds, values, and which inputs tell them.
#include "Gaudi/Recipe/Sizes.h"
#include "Samples.h"

#include <gtest/gtest.h>
#include <random>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

/// A size outside any recipe.
class Program {
public:
  explicit Program(std::vector<SizeStep> steps) {
    SizeT object;
    object.steps = std::move(steps);
    builder.Finish(Size::Pack(builder, &object));
  }
  const Size &get() const {
    return *flatbuffers::GetRoot<Size>(builder.GetBufferPointer());
  }

private:
  flatbuffers::FlatBufferBuilder builder;
};

TEST(Sizes, DivisionsRoundAsTheirNamesSay) {
  const auto divided = [](int64_t a, int64_t b, SizeOp op) {
    const Program program({{a, SizeOp::Const}, {b, SizeOp::Const}, {0, op}});
    return evaluate(program.get(), nullptr);
  };
  EXPECT_EQ(divided(7, 2, SizeOp::FloorDiv), 3);
  EXPECT_EQ(divided(-7, 2, SizeOp::FloorDiv), -4);
  EXPECT_EQ(divided(7, 2, SizeOp::CeilDiv), 4);
  EXPECT_EQ(divided(-7, 2, SizeOp::CeilDiv), -3);
  EXPECT_EQ(divided(7, 4, SizeOp::Mod), 3);
  EXPECT_EQ(divided(-7, 4, SizeOp::Mod), 1);
  EXPECT_EQ(divided(-7, 4, SizeOp::Min), -7);
  EXPECT_EQ(divided(-7, 4, SizeOp::Max), 4);
}

/// Random programs: each value is in the range that was proven.
TEST(Sizes, RangesHoldEveryValue) {
  std::mt19937_64 random(1);
  const auto below = [&](int64_t count) {
    return int64_t(random() % uint64_t(count));
  };
  unsigned verified = 0;
  for (unsigned trial = 0; trial < 20000; ++trial) {
    std::vector<SizeStep> steps;
    unsigned depth = 0;
    while (steps.size() < 12 || depth != 1) {
      if (depth >= 2 && (below(2) || steps.size() > 12)) {
        steps.emplace_back(0, SizeOp(2 + below(8)));
        --depth;
      } else {
        below(2) ? steps.emplace_back(below(40) - 10, SizeOp::Const)
                 : steps.emplace_back(below(2), SizeOp::Symbol);
        ++depth;
      }
    }
    const Program program(steps);
    const std::vector<SizeRange> symbols = {{1, 9}, {0, 3 + below(60)}};
    const auto range = rangeOf(&program.get(), symbols);
    if (!range)
      continue;
    ++verified;
    for (unsigned sample = 0; sample < 20; ++sample) {
      const int64_t values[] = {1 + below(9), below(symbols[1].high + 1)};
      const int64_t value = evaluate(program.get(), values);
      EXPECT_GE(value, range->low);
      EXPECT_LE(value, range->high);
    }
  }
  EXPECT_GT(verified, 4000u);
}

TEST(Sizes, PrintWithTheNamesOfSymbols) {
  const Program program({{0, SizeOp::Symbol},
                         {1, SizeOp::Symbol},
                         {0, SizeOp::Mul},
                         {-3, SizeOp::Const},
                         {0, SizeOp::CeilDiv}});
  EXPECT_EQ(sizeText(program.get()), "((s0 * s1) ceildiv -3)");
  EXPECT_EQ(sizeText(program.get(), {"batch", "seq"}),
            "((batch * seq) ceildiv -3)");
}

TEST(Sizes, SymbolsAreFoundInSumsAndProducts) {
  const std::string text = R"(recipe 1.6 target "gaudi" producer ""
entry "main" dispatch {
  symbol "batch" 1 to 8
  symbol "heads" 1 to 8
  symbol "seq" 1 to 8
  symbol "lost" 1 to 8
  input "a" f32[((s0 * s2) + 1), (s3 floordiv 2)]
  input "b" f32[((2 * s0) - 1), (s0 * (s1 + s1))]
  input "c" f32[(s0 * (s1 - 3))]
}
)";
  Result<ParsedRecipe> parsed = parseRecipeText(text);
  ASSERT_TRUE(parsed) << parsed.error().message;
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(Recipe::Pack(builder, &parsed->recipe));
  const Dispatch &dispatch =
      *flatbuffers::GetRoot<Recipe>(builder.GetBufferPointer())
           ->entries()
           ->Get(0)
           ->dispatch();
  const std::vector<SymbolSource> sources = symbolSources(dispatch);
  std::vector<std::vector<uint32_t>> found;
  for (const SymbolSource &source : sources)
    found.push_back({source.symbol, source.input, source.dimension});
  EXPECT_EQ(found, (std::vector<std::vector<uint32_t>>{
                       {0, 1, 0}, {1, 2, 0}, {2, 0, 0}}));

  int64_t symbols[] = {5, 0, 0, 0};
  const auto sizeAt = [&](uint32_t input, uint32_t dim) -> const Size & {
    return *dispatch.inputs()->Get(input)->sizes()->Get(dim);
  };
  EXPECT_EQ(solve(sizeAt(1, 0), 0, {1, 8}, 9, symbols), 5);
  EXPECT_EQ(solve(sizeAt(1, 0), 0, {1, 8}, 10, symbols), std::nullopt);
  // Past the range: the caller compares.
  EXPECT_EQ(solve(sizeAt(1, 0), 0, {1, 8}, 199, symbols), 100);
  symbols[0] = 5;
  EXPECT_EQ(solve(sizeAt(2, 0), 1, {1, 8}, -10, symbols), 1);
  EXPECT_EQ(solve(sizeAt(2, 0), 1, {1, 8}, 20, symbols), 7);
  EXPECT_EQ(solve(sizeAt(2, 0), 1, {1, 1}, 20, symbols), std::nullopt);
}

} // namespace
