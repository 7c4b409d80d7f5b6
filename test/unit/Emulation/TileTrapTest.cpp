// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tile instructions as the emulation carries them out: its results are
// written out here by hand, from the manual.
#include "TileTrap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <immintrin.h>
#include <limits>
#include <vector>

using namespace gaudi::testing;

#define TILES __attribute__((target("amx-tile,amx-bf16,amx-int8")))

namespace {

struct alignas(64) Configuration {
  uint8_t palette = 1, firstRow = 0, reserved[14] = {};
  uint16_t bytes[16] = {};
  uint8_t rows[16] = {};
};
static_assert(sizeof(Configuration) == 64);

uint16_t bfloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return uint16_t(bits >> 16);
}

/// Tile 0: 3 x 5 sums, tile 1: 3 rows of 2 steps, tile 2: 2 steps of 5.
Configuration small() {
  Configuration result;
  result.bytes[0] = result.bytes[2] = 20;
  result.bytes[1] = 8;
  result.rows[0] = result.rows[1] = 3;
  result.rows[2] = 2;
  return result;
}

TILES void configure(const Configuration &what) {
  // g++ does not know that tile instructions read all of their memory.
  asm volatile("" ::: "memory");
  _tile_loadconfig(&what);
}

/// c += a * b with `small`.
TILES void multiplyBfloats(float *c, const uint16_t *a, const uint16_t *b) {
  configure(small());
  _tile_loadd(0, c, 20);
  _tile_loadd(1, a, 8);
  _tile_loadd(2, b, 20);
  _tile_dpbf16ps(0, 1, 2);
  _tile_stored(0, c, 20);
  _tile_release();
}

class TileTrap : public ::testing::Test {
protected:
  void SetUp() override {
    trapTiles();
    permitTiles(true);
  }
};

using TileTrapDeathTest = TileTrap;

TEST_F(TileTrap, MultipliesBfloats) {
  uint16_t a[3][4], b[2][5][2];
  float c[3][5], wanted[3][5];
  for (int m = 0; m < 3; ++m)
    for (int k = 0; k < 4; ++k)
      a[m][k] = bfloat(float(m + 2 * k) - 1.5f);
  for (int k = 0; k < 4; ++k)
    for (int n = 0; n < 5; ++n)
      b[k / 2][n][k % 2] = bfloat(float(k - n) * 0.25f);
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 5; ++n) {
      c[m][n] = wanted[m][n] = float(10 * m + n);
      for (int k = 0; k < 4; ++k)
        wanted[m][n] += (float(m + 2 * k) - 1.5f) * (float(k - n) * 0.25f);
    }
  const TileCounts before = tileCounts();
  multiplyBfloats(c[0], a[0], b[0][0]);
  const TileCounts after = tileCounts();
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 5; ++n)
      EXPECT_EQ(c[m][n], wanted[m][n]) << m << ' ' << n;
  if (!hasTiles()) {
    EXPECT_EQ(after.loads - before.loads, 3u);
    EXPECT_EQ(after.products - before.products, 1u);
    EXPECT_EQ(after.stores - before.stores, 1u);
  }
  EXPECT_FALSE(tilesInUse());
}

TEST_F(TileTrap, TreatsDenormalsAsZero) {
  const float denormal = 0x1p-130f, tiny = 0x1p-70f;
  uint16_t a[3][4] = {{bfloat(denormal), bfloat(1), 0, 0},
                      {bfloat(tiny), 0, 0, 0},
                      {bfloat(1), 0, 0, 0}};
  uint16_t b[2][5][2] = {{{bfloat(0x1p100f), 0}, {bfloat(tiny), 0}}};
  float c[3][5] = {{}, {}, {denormal}};
  multiplyBfloats(c[0], a[0], b[0][0]);
  EXPECT_EQ(c[0][0], 0.0f); // a denormal operand
  EXPECT_EQ(c[1][1], 0.0f); // a denormal product
  EXPECT_EQ(c[1][0], 0x1p30f);
  EXPECT_EQ(c[2][0], 0x1p100f);
  EXPECT_EQ(c[2][1], tiny);
  // A sum that is denormal already.
  uint16_t none[3][4] = {};
  float sums[3][5] = {{denormal}};
  multiplyBfloats(sums[0], none[0], b[0][0]);
  EXPECT_EQ(sums[0][0], 0.0f);
}

TEST_F(TileTrap, PassesNanAndInfinity) {
  const float inf = std::numeric_limits<float>::infinity();
  uint16_t a[3][4] = {{bfloat(inf), 0, 0, 0},
                      {bfloat(std::nanf("")), 0, 0, 0},
                      {bfloat(1), 0, 0, 0}};
  uint16_t b[2][5][2] = {{{bfloat(2), 0}, {bfloat(0), 0}, {bfloat(-inf), 0}}};
  float c[3][5] = {};
  multiplyBfloats(c[0], a[0], b[0][0]);
  EXPECT_EQ(c[0][0], inf);
  EXPECT_TRUE(std::isnan(c[0][1])); // inf * 0
  EXPECT_EQ(c[0][2], -inf);
  EXPECT_TRUE(std::isnan(c[1][0]));
  EXPECT_EQ(c[2][2], -inf);
  EXPECT_EQ(c[2][3], 0.0f);
}

/// Each product is exact and each addition rounds to the nearest even once.
TEST_F(TileTrap, RoundsEachStepOnce) {
  // The square of 1 + 2^-7 less 1: no bit of the product is lost.
  const float x = 1 + 0x1p-7f;
  uint16_t a[3][4] = {{bfloat(x), 0, bfloat(-1), 0}};
  uint16_t b[2][5][2] = {{{bfloat(x), 0}}, {{bfloat(1), 0}}};
  float c[3][5] = {};
  multiplyBfloats(c[0], a[0], b[0][0]);
  EXPECT_EQ(c[0][0], 0x1p-6f + 0x1p-14f);
  // Both halves meet before the sum: 2^24 + (1 + 1), not (2^24 + 1) + 1.
  uint16_t ones[3][4] = {{bfloat(1), bfloat(1), 0, 0}};
  uint16_t right[2][5][2] = {{{bfloat(1), bfloat(1)}}};
  float sum[3][5] = {{0x1p24f}};
  multiplyBfloats(sum[0], ones[0], right[0][0]);
  EXPECT_EQ(sum[0][0], 0x1p24f + 2);
}

TILES void multiplyBytes(int signs, int32_t *c, const uint8_t *a,
                         const uint8_t *b) {
  configure(small());
  _tile_loadd(0, c, 20);
  _tile_stream_loadd(1, a, 8);
  _tile_loadd(2, b, 20);
  if (signs == 0)
    _tile_dpbuud(0, 1, 2);
  else if (signs == 1)
    _tile_dpbusd(0, 1, 2);
  else if (signs == 2)
    _tile_dpbsud(0, 1, 2);
  else
    _tile_dpbssd(0, 1, 2);
  _tile_stored(0, c, 20);
  _tile_release();
}

TEST_F(TileTrap, MultipliesBytes) {
  uint8_t a[3][8], b[2][5][4];
  for (int i = 0; i < 24; ++i)
    a[i / 8][i % 8] = uint8_t(37 * i + 130);
  for (int i = 0; i < 40; ++i)
    b[i / 20][i / 4 % 5][i % 4] = uint8_t(91 * i + 200);
  auto value = [](uint8_t byte, bool isSigned) {
    return isSigned ? int(int8_t(byte)) : int(byte);
  };
  for (int signs = 0; signs < 4; ++signs) {
    int32_t c[3][5];
    int64_t wanted[3][5];
    for (int m = 0; m < 3; ++m)
      for (int n = 0; n < 5; ++n) {
        c[m][n] = m == 2 ? std::numeric_limits<int32_t>::max() : m - n;
        wanted[m][n] = c[m][n];
        for (int k = 0; k < 8; ++k)
          wanted[m][n] +=
              value(a[m][k], signs & 2) * value(b[k / 4][n][k % 4], signs & 1);
      }
    multiplyBytes(signs, c[0], a[0], b[0][0]);
    for (int m = 0; m < 3; ++m)
      for (int n = 0; n < 5; ++n)
        EXPECT_EQ(c[m][n], int32_t(uint32_t(wanted[m][n])))
            << signs << ' ' << m << ' ' << n;
  }
}

/// Rows apart, forwards and backwards; nothing beside them changes.
TEST_F(TileTrap, LoadsAndStoresRows) {
  std::vector<uint8_t> from(200), to(200, 0xee);
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = uint8_t(i);
  [&]() TILES {
    configure(small());
    _tile_loadd(0, from.data(), 50);
    _tile_stored(0, to.data() + 150, -50);
    _tile_zero(1);
    _tile_stored(1, to.data() + 170, 10);
    _tile_release();
  }();
  for (int i = 0; i < 200; ++i) {
    const int row = (150 - i + 49) / 50; // of the bytes from 50 on
    uint8_t wanted = 0xee;
    if (i >= 50 && i % 50 < 20 && i < 170 && row <= 2)
      wanted = uint8_t(row * 50 + i % 50);
    if (i >= 170 && i < 198 && (i - 170) % 10 < 8)
      wanted = 0;
    EXPECT_EQ(to[size_t(i)], wanted) << i;
  }
}

TEST_F(TileTrap, StoresItsConfiguration) {
  Configuration wanted = small(), got;
  [&]() TILES {
    configure(wanted);
    _tile_storeconfig(&got);
    _tile_release();
  }();
  EXPECT_EQ(std::memcmp(&got, &wanted, sizeof(got)), 0);
}

TEST_F(TileTrapDeathTest, RefusesWhatTheProcessorRefuses) {
  if (hasTiles())
    GTEST_SKIP() << "this host carries out tile instructions itself";
  auto with = [](auto change) TILES {
    Configuration configuration = small();
    change(configuration);
    configure(configuration);
    float c[16][16] = {};
    _tile_loadd(0, c, 64);
    _tile_loadd(1, c, 64);
    _tile_loadd(2, c, 64);
    _tile_dpbf16ps(0, 1, 2);
  };
  EXPECT_DEATH(with([](Configuration &c) { c.palette = 2; }), "palette");
  EXPECT_DEATH(with([](Configuration &c) { c.reserved[13] = 1; }), "reserved");
  EXPECT_DEATH(with([](Configuration &c) { c.bytes[8] = 4; }), "reserved");
  EXPECT_DEATH(with([](Configuration &c) { c.rows[0] = 17; }), "more than 16");
  EXPECT_DEATH(with([](Configuration &c) { c.bytes[3] = 4; }), "without rows");
  EXPECT_DEATH(with([](Configuration &c) { c.bytes[1] = c.rows[1] = 0; }),
               "the tile is not configured");
  EXPECT_DEATH(with([](Configuration &c) { c.palette = 0; }),
               "tiles are not configured");
  EXPECT_DEATH(with([](Configuration &c) { c.rows[2] = 3; }), "do not fit");
  EXPECT_DEATH(with([](Configuration &c) { c.bytes[2] = 24; }), "do not fit");
  EXPECT_DEATH(with([](Configuration &) { permitTiles(false); }),
               "no permission");
  EXPECT_DEATH([]() TILES { _tile_zero(3); }(), "tiles are not configured");
}

} // namespace
