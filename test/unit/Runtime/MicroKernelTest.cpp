// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host uses a micro kernel only if it computes what the portable one does.
#include "Mme/Kernels/MicroKernel.h"
#include "Mme/Kernels/AttentionKernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <vector>

using namespace gaudi::runtime;

namespace {

/// What the last element of a result is off by.
constexpr float error = 0.01f;

const MicroKernel &portable() { return *portableKernel(false); }

void wrongThin(const ThinCall &call) {
  portable().thin(call);
  call.c[call.count - 1][call.columns - 1] += error;
}

/// Only where the steps are contiguous.
void wrongDots(const ThinCall &call) {
  portable().thin(call);
  if (call.depthStride == 1)
    call.c[0][call.columns - 1] += error;
}

void wrongDepth(const DepthCall &call) {
  portable().depth(call);
  if (call.count == depthPositions)
    call.y[(call.count - 1) * call.yStep + call.channels - 1] += error;
}

void wrongInputs(const float *const *x, float *v, int64_t vStride,
                 int64_t channels) {
  portable().winograd->inputs(x, v, vStride, channels);
  v[15 * vStride + channels - 1] += error;
}

/// Finite results that are said not to be.
bool wrongOutputs(const float *m, int64_t mStride, float *const *y,
                  int64_t channels) {
  portable().winograd->outputs(m, mStride, y, channels);
  return false;
}

void wrongMaxima(const ScoreBlock &block, float scale, float *most) {
  portable().attention->blockScore(block, scale, most);
  most[block.rows - 1] += error;
}

/// Only where they are rounded.
void wrongExponentials(const ScoreBlock &block, float scale,
                       const float *maxima, float *totals) {
  portable().attention->blockExponential(block, scale, maxima, totals);
  if (block.narrow)
    block.narrow[(block.rows - 1) * block.narrowPitch + block.end - 1] = 0x3f80;
}

template <int Rows> void wrongBlock(const BlockCall &call) {
  portable().half->functions[Rows](call);
  call.c[(Rows - 1) * call.cStride + portable().half->columns - 1] += error;
}

/// Subnormal numbers become zero, as instructions do it.
void flushingRound(const float *from, int64_t fromStride, uint16_t *to,
                   int64_t toStride, int64_t rows, int64_t count) {
  portable().roundRows(from, fromStride, to, toStride, rows, count);
  for (int64_t r = 0; r < rows; ++r)
    for (uint16_t *value = to + r * toStride; value < to + r * toStride + count;
         ++value)
      if ((*value & 0x7f80) == 0)
        *value &= 0x8000;
}

/// The last value of each row is left out.
void shortRound(const float *from, int64_t fromStride, uint16_t *to,
                int64_t toStride, int64_t rows, int64_t count) {
  portable().roundRows(from, fromStride, to, toStride, rows, count - 1);
}

TEST(MicroKernel, RoundingToBf16) {
  if (!roundsToBf16Natively())
    GTEST_SKIP() << "no AVX512-BF16";
  // Each upper half with lower halves below, at and above the tie; lengths
  // that end in each loop.
  constexpr uint32_t lower[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
  std::vector<float> from(151);
  std::vector<uint16_t> got(from.size()), wanted(from.size());
  for (uint32_t bits = 0, length = 0; bits < 0x10000 * std::size(lower);
       bits += length, length = (length + 1) % 150 + 1) {
    for (uint32_t i = 0; i < from.size(); ++i) {
      const uint32_t at = (bits + i) % (0x10000 * std::size(lower));
      const uint32_t value =
          at / std::size(lower) << 16 | lower[at % std::size(lower)];
      std::memcpy(&from[i], &value, sizeof(value));
    }
    std::fill(got.begin(), got.end(), 0x1234);
    wanted = got;
    roundRowsNatively(from.data(), 0, got.data(), 0, 1, length);
    portable().roundToBf16(from.data(), wanted.data(), length);
    ASSERT_EQ(got, wanted) << bits;
  }
}

TEST(MicroKernel, PortableKernelsAgree) {
  EXPECT_TRUE(agrees(*portableKernel(false)));
  EXPECT_TRUE(agrees(*portableKernel(true)));
  EXPECT_TRUE(agrees(*portableAmxBf16Kernel()));
  EXPECT_TRUE(agrees(*vector128Kernel()));
  for (const MicroKernel *kernel : {neonKernel(), neonBf16Kernel()})
    EXPECT_TRUE(!kernel || agrees(*kernel)) << kernel->name;
}

TEST(MicroKernel, EveryFunctionIsCompared) {
  MicroKernel kernel = portable();
  kernel.thin = wrongThin;
  EXPECT_FALSE(agrees(kernel));
  kernel.thin = wrongDots;
  EXPECT_FALSE(agrees(kernel));
  kernel = portable();
  kernel.depth = wrongDepth;
  EXPECT_FALSE(agrees(kernel));
  kernel = portable();
  kernel.roundRows = flushingRound;
  EXPECT_FALSE(agrees(kernel));
  kernel.roundRows = shortRound;
  EXPECT_FALSE(agrees(kernel));

  WinogradFunctions transforms = *portable().winograd;
  kernel = portable();
  kernel.winograd = &transforms;
  EXPECT_TRUE(agrees(kernel));
  transforms.inputs = wrongInputs;
  EXPECT_FALSE(agrees(kernel));
  transforms = *portable().winograd;
  transforms.outputs = wrongOutputs;
  EXPECT_FALSE(agrees(kernel));

  AttentionFunctions rows = *portable().attention;
  kernel = portable();
  kernel.attention = &rows;
  EXPECT_TRUE(agrees(kernel));
  rows.blockScore = wrongMaxima;
  EXPECT_FALSE(agrees(kernel));
  rows = *portable().attention;
  rows.blockExponential = wrongExponentials;
  EXPECT_FALSE(agrees(kernel));

  std::array<BlockFunction, maxBlockRows + 1> functions{};
  MicroKernel half = *portable().half;
  for (int r = 1; r <= half.rows; ++r)
    functions[size_t(r)] = half.functions[r];
  half.functions = functions.data();
  kernel = portable();
  kernel.half = &half;
  EXPECT_TRUE(agrees(kernel));
  functions[11] = wrongBlock<11>;
  EXPECT_FALSE(agrees(kernel));
}

TEST(MicroKernel, FunctionsOfSignedRowsAreCompared) {
  MicroKernel kernel = *portableAmxInt8Kernel();
  EXPECT_TRUE(agrees(kernel));
  // Those of unsigned rows.
  for (const int added : {0, 128}) {
    const SignedRowFunctions wrong = {kernel.functions, added};
    kernel.signedRows = &wrong;
    EXPECT_FALSE(agrees(kernel));
  }
}

/// Keeps a wrong value, adds up a wrong one, or widens one wrongly.
void wrongKept(const BlockCall &call) {
  portable().widens(PanelValue::F16).blocks[5](call);
  call.kept[1] += error;
}
void wrongNarrow(const BlockCall &call) {
  portable().widens(PanelValue::Bf16).blocks[5](call);
  call.c[4 * call.cStride] += error;
}
void wrongWidening(const uint8_t *from, float *to, int64_t count) {
  portable().widens(PanelValue::Bf16).widen(from, to, count);
  to[count - 1] += error;
}

TEST(MicroKernel, EveryFunctionOfNarrowPanelsIsCompared) {
  const MicroKernel *avx512 = avx512Kernel();
  EXPECT_TRUE(!avx512 || agrees(*avx512));
  for (const PanelValue value : {PanelValue::Bf16, PanelValue::F16}) {
    std::array<BlockFunction, maxBlockRows + 1> functions{};
    for (int r = 1; r <= portable().rows; ++r)
      functions[size_t(r)] = portable().widens(value).blocks[r];
    WideningFunctions widening[] = {portable().widening[0],
                                    portable().widening[1]};
    WideningFunctions &changed = widening[int(value) - 1];
    changed.blocks = functions.data();
    MicroKernel kernel = portable();
    kernel.widening = widening;
    EXPECT_TRUE(agrees(kernel));
    functions[5] = value == PanelValue::F16 ? wrongKept : wrongNarrow;
    EXPECT_FALSE(agrees(kernel));
    functions[5] = portable().widens(value).blocks[5];
    if (value == PanelValue::Bf16)
      changed.widen = wrongWidening;
    EXPECT_EQ(agrees(kernel), value != PanelValue::Bf16);
  }
}

/// With the functions of the tiles but one, for 32 rows.
bool tilesAgreeWith(BlockFunction function) {
  MicroKernel kernel = *portableAmxBf16Kernel();
  std::array<BlockFunction, maxBlockRows + 1> functions{};
  for (int r = 1; r <= kernel.rows; ++r)
    functions[size_t(r)] = kernel.functions[r];
  functions[32] = function;
  kernel.functions = functions.data();
  return agrees(kernel);
}

BlockFunction tilesOf32() { return portableAmxBf16Kernel()->functions[32]; }

TEST(MicroKernel, ErrorsOfTilesAreFound) {
  EXPECT_TRUE(tilesAgreeWith(tilesOf32()));
  // Reads what follows the steps of a row.
  EXPECT_FALSE(tilesAgreeWith([](const BlockCall &call) {
    BlockCall longer = call;
    longer.steps = (call.steps + 15) / 16 * 16;
    tilesOf32()(longer);
  }));
  // Reads a row where evenly spaced ones would have the last.
  EXPECT_FALSE(tilesAgreeWith([](const BlockCall &call) {
    BlockCall even = call;
    std::vector<const uint8_t *> rows(call.rows,
                                      call.rows + call.segments * call.count);
    rows.back() = rows[rows.size() - 2];
    even.rows = rows.data();
    tilesOf32()(even);
  }));
  // Leaves out the last tap, the second panel, or the sums so far.
  EXPECT_FALSE(tilesAgreeWith([](const BlockCall &call) {
    BlockCall fewer = call;
    --fewer.segments;
    tilesOf32()(fewer);
  }));
  EXPECT_FALSE(tilesAgreeWith([](const BlockCall &call) {
    BlockCall fewer = call;
    --fewer.panels;
    tilesOf32()(fewer);
  }));
  EXPECT_FALSE(tilesAgreeWith([](const BlockCall &call) {
    BlockCall first = call;
    first.accumulate = false;
    tilesOf32()(first);
  }));
}

/// More pieces than one pass over the panels has tables for, rows apart: equal
/// to the same product cut in two.
TEST(MicroKernel, LongReductionsOfTiles) {
  const MicroKernel &kernel = *portableAmxBf16Kernel();
  constexpr int64_t steps = 150 * 16 + 5, padded = 151 * 16, count = 3;
  std::vector<uint16_t> left(size_t(8 * steps * 2)),
      right(size_t(2 * padded * 32 * 2));
  for (size_t i = 0; i < left.size(); ++i)
    left[i] = uint16_t(0x3f80 + i % 7 * 16);
  for (size_t i = 0; i < right.size(); ++i)
    right[i] = uint16_t((i % 3 ? 0x3f00 : 0xbf00) + i % 5 * 32);
  auto rowAt = [&](int64_t row) {
    return reinterpret_cast<const uint8_t *>(&left[size_t(row * steps * 2)]);
  };
  const uint8_t *rows[count] = {rowAt(0), rowAt(1), rowAt(5)};
  const int64_t depth = 0;
  std::vector<float> whole(count * 64, -1.0f), parts = whole;
  BlockCall call{};
  call.rows = rows;
  call.count = count;
  call.depths = &depth;
  call.segments = 1;
  call.panels = 2;
  call.panelBytes = padded * 32 * 4;
  call.panel = call.prefetch = reinterpret_cast<const uint8_t *>(right.data());
  call.steps = steps;
  call.cStride = 64;
  call.c = whole.data();
  kernel.functions[count](call);
  // 64 tiles of rows are gathered at once: the sums meet memory there.
  call.c = parts.data();
  for (int64_t first = 0; first < steps; first += 63 * 16) {
    call.offset = first * 4;
    call.panel = reinterpret_cast<const uint8_t *>(right.data()) + first * 128;
    call.steps = std::min<int64_t>(steps - first, 63 * 16);
    call.accumulate = first > 0;
    kernel.functions[count](call);
  }
  kernel.finish();
  EXPECT_EQ(whole, parts);
  EXPECT_NE(whole[0], -1.0f);
}

} // namespace
