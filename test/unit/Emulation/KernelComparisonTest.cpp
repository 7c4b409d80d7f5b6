// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Micro kernels against exact sums, over more shapes than the first-use check
// has time for; those of matrix tiles on any host with AVX-512.
#include "EmulatedHost.h"
#include "GuardedBytes.h"
#include "TileTrap.h"

#include "Mme/Kernels/KernelChoice.h"
#include "Mme/Kernels/MicroKernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

using namespace gaudi::runtime;
using namespace gaudi::testing;

namespace {

float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// Products of the values of one step.
double stepProduct(const MicroKernel &kernel,
                   const SignedRowFunctions *signedRows, uint32_t a,
                   uint32_t b) {
  switch (kernel.format) {
  case StepFormat::F32:
    return double(floatOf(a)) * double(floatOf(b));
  case StepFormat::Bf16:
    return double(floatOf(a << 16)) * double(floatOf(b << 16)) +
           double(floatOf(a & 0xffff0000u)) * double(floatOf(b & 0xffff0000u));
  case StepFormat::Int8:
    break;
  }
  int64_t sum = 0;
  for (int byte = 0; byte < 32; byte += 8) {
    const int64_t left =
        signedRows ? int8_t(a >> byte) + signedRows->added : uint8_t(a >> byte);
    sum += left * int64_t(int8_t(b >> byte));
  }
  return double(sum);
}

/// Words whose values are near 1 as floats and bf16, and anything as integers.
class Words {
public:
  Words(StepFormat format, uint32_t seed) : format(format), seed(seed) {}
  uint32_t operator()() {
    seed = seed * 1664525u + 1013904223u;
    const uint32_t mixed = seed ^ seed >> 15;
    return format == StepFormat::Int8 ? mixed
                                      : (mixed & 0x80ff80ffu) | 0x3f003f00u;
  }

private:
  StepFormat format;
  uint32_t seed;
};

struct Shape {
  int rows;
  int64_t steps, segments, panels;
  bool accumulates, even; // rows are evenly spaced
  bool isSigned = false;  // rows of integers
  bool isSmall = false;   // panels are for MicroKernel::small
};

/// One call of a kernel, with memory that ends where the call may read and
/// write: rows and panels at pages that cannot be read.
class Call {
public:
  Call(const MicroKernel &kernel, const Shape &shape)
      : kernel(kernel),
        signedRows(shape.isSigned ? kernel.signedRows : nullptr), shape(shape),
        padded((shape.steps + kernel.stepGrain - 1) / kernel.stepGrain *
               kernel.stepGrain),
        panelSteps(padded * shape.segments),
        panels(size_t(panelSteps * kernel.columns * shape.panels) * 4),
        stride(kernel.columns * shape.panels + 3),
        c(size_t((shape.rows - 1) * stride + kernel.columns * shape.panels) *
          4) {
    Words words(kernel.format, uint32_t(shape.steps * 31 + shape.rows));
    fillRows(words);
    fillPanels(words);
    for (int64_t i = 0; i < int64_t(c.size() / 4); ++i)
      reinterpret_cast<uint32_t *>(c.data())[i] = words();
    before.assign(c.data(), c.data() + c.size());
  }

  uint32_t &row(int64_t segment, int r, int64_t step) {
    return rowWords[size_t(segment * shape.rows + r)][step];
  }
  uint32_t &right(int64_t panel, int64_t segment, int64_t step, int column) {
    return reinterpret_cast<uint32_t *>(
        panels.data())[((panel * shape.segments + segment) * padded + step) *
                           kernel.columns +
                       column];
  }
  uint32_t result(int r, int64_t column) const {
    return reinterpret_cast<const uint32_t *>(c.data())[r * stride + column];
  }

  void run() {
    std::vector<const uint8_t *> pointers;
    std::vector<int64_t> depths;
    constexpr int64_t offset = 64;
    for (const uint32_t *words : rowWords)
      pointers.push_back(reinterpret_cast<const uint8_t *>(words) - offset);
    for (int64_t s = 0; s < shape.segments; ++s)
      depths.push_back(s * padded);
    BlockCall call{};
    call.rows = pointers.data();
    call.count = shape.rows;
    call.depths = depths.data();
    call.segments = shape.segments;
    call.steps = shape.steps;
    call.offset = offset;
    call.panels = shape.panels;
    call.panelBytes = panelSteps * kernel.columns * 4;
    call.panel = panels.data();
    call.c = reinterpret_cast<float *>(c.data());
    call.cStride = stride;
    call.accumulate = shape.accumulates;
    // Where it prefetches does not matter, nor how much.
    call.prefetch = call.panel;
    call.lines = shape.rows % 3;
    call.nextRows = call.rows;
    call.nextC = call.c;
    call.nextCount = shape.rows % 2 ? int64_t(pointers.size()) : 0;
    const std::vector<uint8_t> joins = joinsOf();
    call.joins = joins.data();
    (shape.isSmall ? kernel.small
     : signedRows  ? signedRows->blocks
                   : kernel.functions)[shape.rows](call);
  }

  /// The first wrong result, or nothing.
  std::string problem() {
    for (int r = 0; r < shape.rows; ++r)
      for (int64_t n = 0; n < stride; ++n) {
        const bool beside = n >= kernel.columns * shape.panels;
        if (beside && r + 1 == shape.rows)
          break;
        uint32_t old;
        std::memcpy(&old, before.data() + (r * stride + n) * 4, 4);
        const bool right =
            beside ? result(r, n) == old : isRight(result(r, n), old, r, n);
        if (!right)
          return fmt::format("row {} of {}, column {}, {} steps, {} segments, "
                             "{} panels{}{}{}",
                             r, shape.rows, n, shape.steps, shape.segments,
                             shape.panels, shape.accumulates ? ", adds" : "",
                             shape.even ? ", even" : "",
                             shape.isSigned  ? ", signed rows"
                             : shape.isSmall ? ", small"
                                             : "");
      }
    return {};
  }

private:
  void fillRows(Words &words) {
    const size_t bytes = size_t(shape.steps) * 4;
    // Evenly spaced rows are of one piece, of which the last ends it.
    const int64_t pitch = shape.steps + 5;
    if (shape.even && shape.segments)
      rowBytes.emplace_back(
          size_t((shape.segments * shape.rows - 1) * pitch + shape.steps) * 4);
    for (int64_t i = 0; i < shape.segments * shape.rows; ++i) {
      if (!shape.even)
        rowBytes.emplace_back(bytes);
      rowWords.push_back(reinterpret_cast<uint32_t *>(rowBytes.back().data()) +
                         (shape.even ? i * pitch : 0));
    }
    // What lies between rows spoils every sum that it gets into.
    for (GuardedBytes &bytesOf : rowBytes)
      std::memset(bytesOf.data(), 0xff, bytesOf.size());
    for (uint32_t *row : rowWords)
      for (int64_t k = 0; k < shape.steps; ++k)
        row[k] = words();
  }

  void fillPanels(Words &words) {
    std::memset(panels.data(), 0, panels.size());
    for (int64_t p = 0; p < shape.panels; ++p)
      for (int64_t s = 0; s < shape.segments; ++s)
        for (int64_t k = 0; k < shape.steps; ++k)
          for (int n = 0; n < kernel.columns; ++n)
            right(p, s, k, n) = shape.isSmall ? smallWord(words(), k) : words();
    if (!shape.isSmall || shape.steps == 0 || shape.segments == 0)
      return;
    // The most that fits, in products of the largest value of a row.
    row(0, 0, 0) = ~0u;
    right(0, 0, 0, 0) = 0xc0c04040;
    right(0, 0, 0, 1) = 0x80407f01;
  }

  /// Of 7 bits, and of 5 where steps may be joined.
  static uint32_t smallWord(uint32_t word, int64_t step) {
    const int drop = step % 5 < 3 ? 2 : 1;
    uint32_t result = 0;
    for (int byte = 0; byte < 32; byte += 8)
      result |= uint32_t(uint8_t(int8_t(word >> byte) >> drop)) << byte;
    return result;
  }

  /// By definition: each pair of this step and the next together.
  std::vector<uint8_t> joinsOf() {
    std::vector<uint8_t> joins(panels.size() + size_t(panelSteps));
    // Of values of one sign.
    const auto size = [](uint32_t word, int pair, int sign) {
      return std::max(sign * int8_t(word >> pair), 0) +
             std::max(sign * int8_t(word >> (pair + 8)), 0);
    };
    for (int64_t p = 0; shape.isSmall && p < shape.panels; ++p)
      for (int64_t s = 0; s < shape.segments; ++s)
        for (int64_t k = 0; k + 1 < shape.steps; ++k) {
          int most = 0;
          for (int n = 0; n < kernel.columns; ++n)
            for (int pair : {0, 16})
              for (int sign : {-1, 1})
                most =
                    std::max(most, size(right(p, s, k, n), pair, sign) +
                                       size(right(p, s, k + 1, n), pair, sign));
          joins[size_t(p * panelSteps * kernel.columns * 4 + s * padded + k)] =
              most <= mostInWord;
        }
    return joins;
  }

  /// Floats: within the bound of a sum rounded at each of its additions.
  bool isRight(uint32_t got, uint32_t old, int r, int64_t n) {
    const bool isInt = kernel.format == StepFormat::Int8;
    double sum = 0, size = 0;
    int64_t integers = shape.accumulates ? int64_t(int32_t(old)) : 0;
    if (shape.accumulates && !isInt)
      sum = double(floatOf(old)), size = std::fabs(sum);
    for (int64_t s = 0; s < shape.segments; ++s)
      for (int64_t k = 0; k < shape.steps; ++k) {
        const double product = stepProduct(
            kernel, signedRows, row(s, r, k),
            right(n / kernel.columns, s, k, int(n % kernel.columns)));
        sum += product;
        integers += int64_t(product);
        size += 2;
      }
    if (isInt)
      return got == uint32_t(integers);
    return std::fabs(double(floatOf(got)) - sum) <=
           size * double(2 * shape.segments * shape.steps + 2) * 0x1p-24;
  }

  const MicroKernel &kernel;
  const SignedRowFunctions *const signedRows; // that are called, or null
  const Shape shape;
  const int64_t padded, panelSteps; // of a segment, of a panel
  GuardedBytes panels;
  const int64_t stride;
  GuardedBytes c;
  std::vector<uint8_t> before;
  std::vector<GuardedBytes> rowBytes;
  std::vector<uint32_t *> rowWords;
};

void finish(const MicroKernel &kernel) {
  if (kernel.finish)
    kernel.finish();
}

/// Every number of rows with a few shapes, and the most rows with every number
/// of steps.
void compare(const MicroKernel &kernel) {
  SCOPED_TRACE(kernel.name);
  auto check = [&](const Shape &shape) {
    auto passes = [&](const Shape &shape) {
      Call call(kernel, shape);
      call.run();
      const std::string problem = call.problem();
      EXPECT_EQ(problem, "");
      return problem.empty();
    };
    Shape isSigned = shape, isSmall = shape;
    isSigned.isSigned = isSmall.isSmall = true;
    return passes(shape) && (!kernel.signedRows || passes(isSigned)) &&
           (!kernel.small || passes(isSmall));
  };
  for (int rows = 1; rows <= kernel.rows; ++rows)
    for (int64_t steps : {1, 16, 21, 48})
      for (int64_t segments : {1, 3})
        for (int64_t panels : {1, 2})
          if (!check({rows, steps, segments, panels, (rows + panels) % 2 == 0,
                      (rows / 2 + steps + segments) % 2 == 0}))
            return;
  for (int64_t steps = 1; steps <= 70; ++steps)
    for (bool even : {false, true})
      if (!check({kernel.rows - int(steps % 2), steps, 1 + steps % 2, 1,
                  steps % 3 == 0, even}))
        return;
  // More than a kernel may keep of a call: 130 grains, 140 segments.
  check({kernel.rows, 130 * 16 + 3, 1, 2, true, false});
  check({kernel.rows, 5, 140, 1, false, false});
  check({kernel.rows, 5, 140, 2, true, true});
  // The sum of nothing.
  check({kernel.rows, 4, 0, 1, false, false});
  check({kernel.rows, 4, 0, 2, true, true});
  finish(kernel);
  EXPECT_FALSE(tilesInUse());
  if (kernel.half)
    compare(*kernel.half);
}

class KernelComparison : public ::testing::Test {
protected:
  void SetUp() override {
    trapTiles();
    setPermission(true);
    if (!canRunTileKernels())
      GTEST_SKIP() << "this host has no AVX-512, which tile kernels use";
  }
};

TEST(KernelComparisonVectors, EveryKernelOfThisHost) {
  for (const MicroKernel *kernel :
       {portableKernel(false), portableKernel(true), avx2Kernel(),
        avx512Kernel(), avx512Bf16Kernel(), portableAmxBf16Kernel(),
        portableInt8Kernel(), avx2Int8Kernel(), avxVnniInt8Kernel(),
        avx512VnniInt8Kernel(), avx512VnniSignedInt8Kernel(),
        portableAmxInt8Kernel(), neonKernel(), neonBf16Kernel(),
        neonDotInt8Kernel(), neonI8mmInt8Kernel()})
    if (kernel)
      compare(*kernel);
}

TEST_F(KernelComparison, Tiles) {
  for (const MicroKernel *kernel : {amxBf16Kernel(), amxInt8Kernel()}) {
    ASSERT_TRUE(kernel);
    compare(*kernel);
    EXPECT_TRUE(agrees(*kernel)) << kernel->name;
    finish(*kernel);
  }
}

/// The same bits as the same tiles in plain C++.
TEST_F(KernelComparison, TilesHaveTheBitsOfThePortableOnes) {
  const std::pair<const MicroKernel *, const MicroKernel *> kernels[] = {
      {amxBf16Kernel(), portableAmxBf16Kernel()},
      {amxInt8Kernel(), portableAmxInt8Kernel()}};
  for (const auto &[tiles, portable] : kernels) {
    for (const Shape &shape :
         {Shape{32, 70, 2, 2, true, true}, Shape{17, 33, 1, 1, false, false},
          Shape{5, 130, 3, 1, true, false},
          Shape{32, 70, 2, 2, true, true, true}}) {
      Call got(*tiles, shape), wanted(*portable, shape);
      got.run();
      wanted.run();
      for (int r = 0; r < shape.rows; ++r)
        for (int64_t n = 0; n < tiles->columns * shape.panels; ++n)
          ASSERT_EQ(got.result(r, n), wanted.result(r, n))
              << tiles->name << ' ' << r << ' ' << n;
    }
    finish(*tiles);
  }
}

/// Infinities and NaN reach exactly the results that they belong to; denormal
/// operands count as zero.
TEST_F(KernelComparison, SpecialValues) {
  constexpr uint32_t infinity = 0x7f80, nan = 0x7fc0, denormal = 0x0040;
  const MicroKernel &kernel = *amxBf16Kernel();
  Call call(kernel, {19, 21, 1, 1, false, true});
  call.row(0, 3, 20) = infinity;
  call.row(0, 4, 7) = nan;
  for (int64_t k = 0; k < 21; ++k)
    call.row(0, 18, k) = denormal | denormal << 16;
  call.right(0, 0, 20, 9) = 0; // times infinity
  call.right(0, 0, 2, 30) = infinity;
  call.run();
  for (int n = 0; n < kernel.columns; ++n) {
    const float inf = floatOf(call.result(3, n)),
                rest = floatOf(call.result(5, n));
    if (n != 30) { // there the sum of two infinities
      EXPECT_TRUE(n == 9 ? std::isnan(inf) : std::isinf(inf)) << n;
    }
    EXPECT_TRUE(std::isnan(floatOf(call.result(4, n)))) << n;
    EXPECT_TRUE(n == 30 ? std::isinf(rest) : std::isfinite(rest)) << n;
    const float zeros = floatOf(call.result(18, n));
    if (n == 30) {
      EXPECT_TRUE(std::isnan(zeros)); // zero times infinity
    } else {
      EXPECT_EQ(zeros, 0.0f) << n;
    }
  }
  finish(kernel);
}

using KernelChoiceDeathTest = KernelComparison;

/// Prints the kernels for bf16 and integers and whether products run on them,
/// and exits: the choice is made once in a process.
void printChoice(bool permitted) {
  trapTiles();
  setPermission(permitted);
  const auto kernel = microKernel(true), integers = integerKernel();
  const auto again = microKernel(true);
  ASSERT_TRUE(kernel && *kernel && integers && *integers && again);
  const bool runs = hasTiles() ? permitted : tileCounts().products > 0;
  fprintf(stderr, "%s and %s, asked %d times, %s%s\n", (*kernel)->name,
          (*integers)->name, timesAsked(), runs ? "tiles run" : "no tiles run",
          *kernel == *again ? "" : ", not the same");
  std::exit(0);
}

TEST_F(KernelChoiceDeathTest, TilesAreTakenWherePermitted) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(printChoice(true), ::testing::ExitedWithCode(0),
              "^amxbf16 and amxint8, asked 1 times, tiles run\n");
}

TEST_F(KernelChoiceDeathTest, TheNextKernelIsTakenWhereRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // On a processor by Intel with tiles.
  EXPECT_EXIT(
      printChoice(false), ::testing::ExitedWithCode(0),
      "^avx512 and avx(512vnni(signed)?|2), asked 1 times, no tiles run\n");
}

} // namespace
