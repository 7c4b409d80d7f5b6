// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of micro kernels for a vector type. Included by one source file per
// instruction set, which is compiled with its flags: nothing here may be a
// function that another file could share.
#include "MicroKernel.h"

namespace gaudi::runtime {
namespace {

/// Values of panels, as their bits.
struct Bf16 {
  uint16_t bits;
};
struct F16 {
  uint16_t bits;
};

/// Adds steps k and k + 1, of which `panel` has the columns, to all sums.
template <typename V, typename P, int Rows, int Vectors>
GAUDI_STEP_INLINE inline void addTwoSteps(V (&sums)[Rows][Vectors],
                                          const uint8_t *const (&rows)[Rows],
                                          int64_t k, const P *panel) {
  V b[Vectors];
  for (int v = 0; v < Vectors; ++v)
    b[v] = V::load(panel + v * V::lanes);
  for (int r = 0; r < Rows; ++r) {
    V::addTwo(sums[r], rows[r] + k * 4, b, panel + Vectors * V::lanes);
    for (int v = 0; v < Vectors; ++v)
      sums[r][v].fix();
  }
}

/// One block of rows times panels of `P`: Rows x Vectors sums stay in registers
/// while a panel passes. Registers: Rows * Vectors sums, Vectors columns, and
/// one broadcast value, which is all that AVX2 (16) and AVX-512 (32) have; the
/// kernels' files state their budgets.
///
/// `V` is a register with load (of f32, and of each `P`), store, zero,
/// broadcast, add, multiplyAdd, and fix. `fix` is an optimisation barrier on
/// the value: it stops the compiler from hoisting later loads above it or
/// sinking it, either of which would cost a register. If `joinsSteps`, `addTwo`
/// adds the products of two steps to the sums of a row.
template <typename V, typename P, int Rows, int Vectors>
void runBlock(const BlockCall &t) {
  constexpr int columns = Vectors * V::lanes;
  const int64_t steps = t.steps, segments = t.segments, offset = t.offset;
  const int64_t cStride = t.cStride, lines = t.lines;
  for (int64_t p = 0; p < t.panels; ++p) {
    V sums[Rows][Vectors];
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < Vectors; ++v)
        sums[r][v] = V::zero();
    // The lines that the sums go to arrive while they are made.
    float *const c = t.c + p * columns;
    for (int r = 0; r < Rows; ++r)
      for (int64_t line = 0; line < columns; line += 16)
        __builtin_prefetch(c + r * cStride + line, 1);
    const uint8_t *prefetch = t.prefetch + p * t.panelBytes;
    // Rows of the next block are prefetched beside the first panel only.
    const int64_t nextCount = p == 0 ? t.nextCount : 0;
    const bool fetching = lines > 0 || nextCount > 0;
    // Into L2 (locality 2): L1 holds the panels and rows in use.
    auto prefetchNext = [&](int64_t s,
                            int64_t k) __attribute__((always_inline)) {
      for (int64_t line = 0; line < lines; ++line, prefetch += 64)
        __builtin_prefetch(prefetch, 0, 2);
      for (int64_t r = s * Rows; r < s * Rows + Rows && r < nextCount; ++r)
        __builtin_prefetch(t.nextRows[r] + t.nextOffset + k * 4, 0, 2);
    };
    for (int64_t s = 0; s < segments; ++s) {
      const uint8_t *rows[Rows];
      for (int r = 0; r < Rows; ++r)
        rows[r] = t.rows[s * Rows + r] + offset;
      const P *panel = reinterpret_cast<const P *>(t.panel + p * t.panelBytes) +
                       t.depths[s] * columns;
      [[maybe_unused]] const uint8_t *const joins =
          V::joinsSteps ? t.joins + p * t.panelBytes + t.depths[s] : nullptr;
      // Used by panels of narrow values only.
      [[maybe_unused]] const int64_t keptStride = t.keptStride;
      [[maybe_unused]] float *const kept = t.kept + t.depths[s] * keptStride;
      auto step = [&](int64_t k) GAUDI_STEP_INLINE {
        V b[Vectors];
        for (int v = 0; v < Vectors; ++v)
          b[v] = V::load(panel + (k * Vectors + v) * V::lanes);
        // Stores do not wait for each other nor for products.
        if constexpr (sizeof(P) < sizeof(float))
          for (int v = 0; v < Vectors; ++v)
            b[v].store(kept + k * keptStride + v * V::lanes);
        for (int r = 0; r < Rows; ++r) {
          const V a = V::broadcast(rows[r] + k * 4);
          for (int v = 0; v < Vectors; ++v)
            sums[r][v].multiplyAdd(a, b[v]);
          for (int v = 0; v < Vectors; ++v)
            sums[r][v].fix();
        }
      };
      auto two = [&](int64_t k) GAUDI_STEP_INLINE {
        if constexpr (V::joinsSteps)
          if (__builtin_expect(joins[k], 1))
            return addTwoSteps(sums, rows, k, panel + k * columns);
        step(k);
        step(k + 1);
      };
      // Unrolled by eight: the loop's counting would be a tenth of all
      // instructions, which costs time when two threads share a core's decoder.
      // The outer loop stops at every cache line of a row to prefetch.
      int64_t k = 0;
      for (const int64_t whole = steps / 8 * 8; k < whole;) {
        if (fetching)
          prefetchNext(s, k);
        const int64_t end = k + lineSteps < whole ? k + lineSteps : whole;
        do {
          two(k);
          two(k + 2);
          two(k + 4);
          two(k + 6);
          k += 8;
        } while (k < end);
      }
      if (steps & 4) {
        two(k);
        two(k + 2);
        k += 4;
      }
      if (steps & 2) {
        two(k);
        k += 2;
      }
      if (steps & 1)
        step(k);
    }
    // Sums of earlier ranges come last, so that nothing waits for their load.
    if (t.accumulate) {
      const float *const from = t.start ? t.start + p * columns : c;
      const int64_t fromStride = t.start ? 0 : cStride;
      for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < Vectors; ++v)
          sums[r][v].add(V::load(from + r * fromStride + v * V::lanes));
    }
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < Vectors; ++v)
        sums[r][v].store(c + r * cStride + v * V::lanes);
  }
}

/// The functions for 1 to `Most` rows, by number of rows. A constant table, so
/// that the library has no initialiser that runs another instruction set.
template <typename V, typename P, int Most, int Vectors> struct Functions {
  template <int... Rows> struct Table {
    static constexpr BlockFunction all[] = {nullptr,
                                            runBlock<V, P, Rows, Vectors>...};
  };
  template <int Left, int... Rows>
  struct Count : Count<Left - 1, Left, Rows...> {};
  template <int... Rows> struct Count<0, Rows...> : Table<Rows...> {};
  static constexpr const BlockFunction *all = Count<Most>::all;
};

template <typename V, typename P>
void widen(const uint8_t *from, float *to, int64_t count) {
  const P *values = reinterpret_cast<const P *>(from);
  for (int64_t i = 0; i < count; i += V::lanes)
    V::load(values + i).store(to + i);
}

template <typename V, int Rows, int Vectors>
constexpr WideningFunctions wideningOf[] = {
    {Functions<V, Bf16, Rows, Vectors>::all, widen<V, Bf16>},
    {Functions<V, F16, Rows, Vectors>::all, widen<V, F16>}};

/// Round to nearest even: half a unit less one, plus the lowest bit kept.
/// Adding could carry a NaN's payload into the sign or leave an infinity, so
/// NaN is made quiet instead.
void roundToBf16(const float *from, uint16_t *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits;
    __builtin_memcpy(&bits, from + i, sizeof(bits));
    const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const uint32_t nan = (bits >> 16 & 0x8000u) | 0x7fc0u;
    to[i] = uint16_t((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
  }
}

void roundRows(const float *from, int64_t fromStride, uint16_t *to,
               int64_t toStride, int64_t rows, int64_t count) {
  for (int64_t r = 0; r < rows; ++r)
    roundToBf16(from + r * fromStride, to + r * toStride, count);
}

/// Steps of a range. A panel then comes from L2 for each block, a line or two
/// per 12 or 28 multiply-adds, which hides behind them. In L1 fits a third of
/// it, for which the sums would go to memory and back three times as often.
constexpr int rangeSteps = 768;

/// The kernel of `Rows` rows by `Vectors` vectors. `widening` if it is one of
/// f32.
template <typename V, int Rows, int Vectors>
constexpr MicroKernel
tiles(const char *name, StepFormat format, const MicroKernel *half,
      ThinFunction thin = nullptr, DepthFunction depth = nullptr,
      const AttentionFunctions *attention = nullptr,
      const WinogradFunctions *winograd = nullptr,
      const WideningFunctions *widening = nullptr) {
  MicroKernel kernel = {
      name,      Rows,      Vectors * V::lanes,
      format,    1,         Functions<V, float, Rows, Vectors>::all,
      roundRows, thin,      depth,
      V::lanes,  attention, half};
  kernel.winograd = winograd;
  kernel.widening = widening;
  kernel.rangeBytes = rangeSteps * kernel.columns * 4;
  return kernel;
}

} // namespace
} // namespace gaudi::runtime
