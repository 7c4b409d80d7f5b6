// The code of micro kernels for a vector type. Included by one source file per
// instruction set, which is compiled with its flags: nothing here may be a
// function that another file could share.
#include "MicroKernel.h"

namespace gaudi::runtime {
namespace {

/// Keeps the compiler from moving loads up: each would need a register of its
/// own, and there is none. GCC would put the sums into memory instead.
inline __attribute__((always_inline)) void keepOrder() {
#ifdef __clang__
  asm volatile("" ::: "memory");
#endif
}

/// `V`: a register with load, store, zero, broadcast, add and
/// multiplyAdd.
template <typename V, int Rows, int Vectors> void runTile(const TileCall &t) {
  V sums[Rows][Vectors];
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Vectors; ++v)
      sums[r][v] = V::zero();
  // Where the sums go, so that neither reading nor writing it is waited for.
  for (int r = 0; r < Rows; ++r)
    for (int64_t line = 0; line < Vectors * V::lanes; line += 16)
      __builtin_prefetch(t.c + r * t.cStride + line, 1);
  const uint8_t *prefetch = t.prefetch;
  for (int64_t s = 0; s < t.segments; ++s) {
    const uint8_t *rows[Rows];
    for (int r = 0; r < Rows; ++r)
      rows[r] = t.rows[s * Rows + r] + t.offset;
    const float *panel = reinterpret_cast<const float *>(t.panel) +
                         t.depths[s] * (Vectors * V::lanes);
    auto step = [&](int64_t k) __attribute__((always_inline)) {
      V b[Vectors];
      for (int v = 0; v < Vectors; ++v)
        b[v] = V::load(panel + (k * Vectors + v) * V::lanes);
      for (int r = 0; r < Rows; ++r) {
        const V a = V::broadcast(rows[r] + k * 4);
        for (int v = 0; v < Vectors; ++v)
          sums[r][v].multiplyAdd(a, b[v]);
        keepOrder();
      }
    };
    // A cache line of each row at a time, while lines of what comes next are
    // fetched. Written out eight steps at a time: two threads of a core share
    // its decoder, and counting would be a tenth of all instructions.
    int64_t k = 0;
    for (const int64_t whole = t.steps / lineSteps * lineSteps; k < whole;) {
      for (int64_t line = 0; line < t.lines; ++line, prefetch += 64)
        __builtin_prefetch(prefetch, 0, 2);
      for (int64_t r = s * Rows; r < s * Rows + Rows && r < t.nextCount; ++r)
        __builtin_prefetch(t.nextRows[r] + t.nextOffset + k * 4, 0, 2);
      for (const int64_t end = k + lineSteps; k < end; k += 8) {
        step(k);
        step(k + 1);
        step(k + 2);
        step(k + 3);
        step(k + 4);
        step(k + 5);
        step(k + 6);
        step(k + 7);
      }
    }
    for (; k < t.steps; ++k)
      step(k);
  }
  if (t.accumulate)
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < Vectors; ++v)
        sums[r][v].add(V::load(t.c + r * t.cStride + v * V::lanes));
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Vectors; ++v)
      sums[r][v].store(t.c + r * t.cStride + v * V::lanes);
}

/// The functions for 1 to `Most` rows.
template <typename V, int Most, int Vectors> struct Functions {
  template <int... Rows> struct Table {
    static constexpr TileFunction all[] = {nullptr,
                                           runTile<V, Rows, Vectors>...};
  };
  template <int Left, int... Rows>
  struct Count : Count<Left - 1, Left, Rows...> {};
  template <int... Rows> struct Count<0, Rows...> : Table<Rows...> {};
  static constexpr const TileFunction *all = Count<Most>::all;
};

/// Nearest even; a NaN stays one.
void roundToBf16(const float *from, uint16_t *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits;
    __builtin_memcpy(&bits, from + i, sizeof(bits));
    const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const uint32_t nan = (bits >> 16 & 0x8000u) | 0x7fc0u;
    to[i] = uint16_t((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
  }
}

} // namespace
} // namespace gaudi::runtime
