// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels on matrix tiles in plain C++, on any host: what is around the
// tile instructions is tested everywhere.
#include "TileKernelBody.h"

namespace gaudi::runtime {
namespace {

/// The tiles of a thread, as the manual has them: bytes beyond a tile's rows
/// are zero, and what is not configured must not be used.
struct TileState {
  int rows[8];
  uint8_t bytes[8][tileRows][lineBytes];
};
thread_local TileState state;

struct PortableTiles {
  static void configure(int first, int second) {
    if (state.rows[Sum00] == first && state.rows[Sum10] == second)
      return;
    __builtin_memset(&state, 0, sizeof(state));
    for (int tile = Sum00; tile <= Right1; ++tile)
      state.rows[tile] = rowsOfTile(tile, first, second);
  }
  static void release() { __builtin_memset(&state, 0, sizeof(state)); }

  static int rowsOf(int tile) {
    if (state.rows[tile] == 0)
      __builtin_trap(); // as the instruction
    return state.rows[tile];
  }
  template <int Tile> static void zero() {
    rowsOf(Tile);
    __builtin_memset(state.bytes[Tile], 0, tileBytes);
  }
  template <int Tile> static void load(const void *from, int64_t stride) {
    zero<Tile>();
    for (int r = 0; r < rowsOf(Tile); ++r)
      __builtin_memcpy(state.bytes[Tile][r],
                       static_cast<const uint8_t *>(from) + r * stride,
                       lineBytes);
  }
  template <int Tile> static void store(void *to, int64_t stride) {
    for (int r = 0; r < rowsOf(Tile); ++r)
      __builtin_memcpy(static_cast<uint8_t *>(to) + r * stride,
                       state.bytes[Tile][r], lineBytes);
  }

  template <typename Value> static Value at(int tile, int row, int index) {
    Value value;
    __builtin_memcpy(&value, state.bytes[tile][row] + index * sizeof(Value),
                     sizeof(Value));
    return value;
  }
  template <typename Value>
  static void add(int tile, int row, int index, Value more) {
    more += at<Value>(tile, row, index);
    __builtin_memcpy(state.bytes[tile][row] + index * sizeof(Value), &more,
                     sizeof(Value));
  }

  static float bf16(int tile, int row, int index) {
    const uint32_t bits = uint32_t(at<uint16_t>(tile, row, index)) << 16;
    float value;
    __builtin_memcpy(&value, &bits, sizeof(value));
    return value;
  }
  /// The even and the odd products of all steps have a sum each; both are added
  /// to the tile's.
  static float dotBf16(int left, int r, int right, int c) {
    float even = 0, odd = 0;
    for (int k = 0; k < tileSteps; ++k) {
      even += bf16(left, r, 2 * k) * bf16(right, k, 2 * c);
      odd += bf16(left, r, 2 * k + 1) * bf16(right, k, 2 * c + 1);
    }
    return even + odd;
  }
  /// Wraps, as the instructions do.
  template <typename LeftByte>
  static uint32_t dotInt8(int left, int r, int right, int c) {
    uint32_t sum = 0;
    for (int k = 0; k < tileSteps; ++k)
      for (int i = 0; i < 4; ++i)
        sum += uint32_t(int(at<LeftByte>(left, r, 4 * k + i)) *
                        int(at<int8_t>(right, k, 4 * c + i)));
    return sum;
  }
  template <TileProduct Kind, int Sum, int Left, int Right>
  static void multiply() {
    const int rows = rowsOf(Sum);
    if (rowsOf(Left) != rows || rowsOf(Right) != tileSteps)
      __builtin_trap(); // as the instruction
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < 16; ++c) {
        if constexpr (Kind == TileProduct::Bf16)
          add<float>(Sum, r, c, dotBf16(Left, r, Right, c));
        else if constexpr (Kind == TileProduct::UnsignedSigned)
          add(Sum, r, c, dotInt8<uint8_t>(Left, r, Right, c));
        else
          add(Sum, r, c, dotInt8<int8_t>(Left, r, Right, c));
      }
  }

  static void copyLine(uint8_t *to, const uint8_t *from, int steps) {
    __builtin_memset(to, 0, lineBytes);
    __builtin_memcpy(to, from, unsigned(steps) * 4);
  }
};

constexpr MicroKernel bf16Tiles = onTiles<PortableTiles, TileProduct::Bf16>(
    "portableamxbf16", StepFormat::Bf16);

constexpr MicroKernel int8Tiles =
    integersOnTiles<PortableTiles>("portableamxint8");

} // namespace

const MicroKernel *portableAmxInt8Kernel() { return &int8Tiles; }

const MicroKernel *portableAmxBf16Kernel() { return &bf16Tiles; }

} // namespace gaudi::runtime
