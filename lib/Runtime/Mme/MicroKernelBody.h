// The code of micro kernels for a vector type. Included by one source file per
// instruction set, which is compiled with its flags: nothing here may be a
// function that another file could share.
#include "MicroKernel.h"

namespace gaudi::runtime {
namespace {

/// `V`: a register with load, store, zero, broadcast and multiplyAdd.
template <typename V, int Rows, int Vectors> void runTile(const TileCall &t) {
  V sums[Rows][Vectors];
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Vectors; ++v)
      sums[r][v] = t.accumulate ? V::load(t.c + r * t.cStride + v * V::lanes)
                                : V::zero();
  const uint8_t *prefetch = t.prefetch;
  for (int64_t s = 0; s < t.segments; ++s) {
    const uint8_t *rows[Rows];
    for (int r = 0; r < Rows; ++r)
      rows[r] = t.rows[s * Rows + r] + t.offset;
    const float *panel = reinterpret_cast<const float *>(t.panel) +
                         t.depths[s] * (Vectors * V::lanes);
    for (int64_t k = 0; k < t.steps;) {
      const int64_t end = k + t.every < t.steps ? k + t.every : t.steps;
      for (int64_t line = 0; line < t.lines; ++line, prefetch += 64)
        __builtin_prefetch(prefetch, 0, 2);
      for (; k < end; ++k) {
        V b[Vectors];
        for (int v = 0; v < Vectors; ++v)
          b[v] = V::load(panel + v * V::lanes);
        panel += Vectors * V::lanes;
        for (int r = 0; r < Rows; ++r) {
          const V a = V::broadcast(rows[r] + k * 4);
          for (int v = 0; v < Vectors; ++v)
            sums[r][v].multiplyAdd(a, b[v]);
        }
      }
    }
  }
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Vectors; ++v)
      sums[r][v].store(t.c + r * t.cStride + v * V::lanes);
}

} // namespace
} // namespace gaudi::runtime
