// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 32 rows by 32 columns in matrix tiles (AMX).
#include "HostFeatures.h"
#include "TileKernelBody.h"

#include <immintrin.h>

namespace gaudi::runtime {
namespace {

/// How many rows the tiles of this thread are configured for; 0: none are.
thread_local int configuredFirst = 0, configuredSecond = 0;

/// The instructions. In assembly, since the number of a tile is a constant of
/// the instruction and intrinsics of compilers differ in what they take for it.
struct AmxTiles {
  /// Left and sum tiles of `first` and `second` rows; right tiles of 16. It
  /// takes 200 cycles, so only if it changes.
  static void configure(int first, int second) {
    if (first == configuredFirst && second == configuredSecond)
      return;
    alignas(64) uint8_t config[64] = {1}; // palette
    for (int tile = Sum00; tile <= Right1; ++tile) {
      const int rows = rowsOfTile(tile, first, second);
      if (rows == 0)
        continue; // not configured
      config[16 + 2 * tile] = lineBytes;
      config[48 + tile] = uint8_t(rows);
    }
    asm volatile("ldtilecfg %0" ::"m"(config));
    configuredFirst = first;
    configuredSecond = second;
  }
  /// The system no longer saves tiles when it switches threads.
  static void release() {
    asm volatile("tilerelease");
    configuredFirst = configuredSecond = 0;
  }

  template <int Tile> static void zero() {
    asm volatile("tilezero %%tmm%c0" ::"i"(Tile));
  }
  template <int Tile> static void load(const void *from, int64_t stride) {
    asm volatile("tileloadd (%1,%2,1), %%tmm%c0" ::"i"(Tile), "r"(from),
                 "r"(stride)
                 : "memory");
  }
  template <int Tile> static void store(void *to, int64_t stride) {
    asm volatile("tilestored %%tmm%c0, (%1,%2,1)" ::"i"(Tile), "r"(to),
                 "r"(stride)
                 : "memory");
  }
  template <TileProduct Kind, int Sum, int Left, int Right>
  static void multiply() {
    if constexpr (Kind == TileProduct::Bf16)
      asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(Sum),
                   "i"(Left), "i"(Right));
    else if constexpr (Kind == TileProduct::UnsignedSigned)
      asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(Sum), "i"(Left),
                   "i"(Right));
    else
      asm volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(Sum), "i"(Left),
                   "i"(Right));
  }

  /// `steps` of a row, and zeros up to 16.
  static void copyLine(uint8_t *to, const uint8_t *from, int steps) {
    _mm512_store_si512(
        to, _mm512_maskz_loadu_epi32(__mmask16((1u << steps) - 1), from));
  }
};

constexpr MicroKernel bf16Tiles(RoundFunction round) {
  MicroKernel kernel =
      onTiles<AmxTiles, TileProduct::Bf16>("amxbf16", StepFormat::Bf16);
  kernel.roundRows = round;
  return kernel;
}
constexpr MicroKernel bf16Kernel = bf16Tiles(roundRows);
constexpr MicroKernel nativelyRounding = bf16Tiles(roundRowsNatively);
constexpr MicroKernel int8Kernel = integersOnTiles<AmxTiles>("amxint8");

} // namespace

const MicroKernel *amxInt8Kernel() {
  return tilesPermitted(HasAmxInt8) ? &int8Kernel : nullptr;
}

const MicroKernel *amxBf16Kernel() {
  if (!tilesPermitted(HasAmxBf16))
    return nullptr;
  return roundsToBf16Natively() ? &nativelyRounding : &bf16Kernel;
}

} // namespace gaudi::runtime
