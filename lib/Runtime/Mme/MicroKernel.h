// The innermost part of matrix products: a few rows times one panel of columns,
// the sums held in registers.
//
// A panel is a run of columns of the right side, packed: for each step of the
// reduction `columns` values side by side. A step is four bytes of a row: one
// f32, or two bf16 whose products are added in f32.
#ifndef GAUDI_LIB_RUNTIME_MME_MICROKERNEL_H
#define GAUDI_LIB_RUNTIME_MME_MICROKERNEL_H

#include <cstdint>

namespace gaudi::runtime {

/// One call. The reduction runs over `segments` pieces of `steps` steps, each
/// with row pointers of its own (the taps of a convolution).
struct TileCall {
  const uint8_t *const *rows; // [segment][row]
  const int64_t *depths;      // per segment: its first step in the panel
  int64_t segments, steps;
  int64_t offset;       // bytes added to every row pointer
  const uint8_t *panel; // of step 0 of the whole reduction
  float *c;
  int64_t cStride; // elements between rows
  bool accumulate; // add to what c holds, else overwrite it
  // Cache lines to fetch on the way: `lines` after every `every` steps.
  const uint8_t *prefetch;
  int64_t lines, every;
};

using TileFunction = void (*)(const TileCall &call);

struct MicroKernel {
  const char *name; // "avx2"
  int rows, columns;
  bool pairs;                    // bf16 pairs, else f32
  const TileFunction *functions; // by number of rows, 1 to `rows`
};

/// Largest of any kernel.
constexpr int maxTileRows = 14, maxTileColumns = 32;

/// The kernel for this host. Null: it has none that is fast.
const MicroKernel *tileKernel(bool bf16);

/// By name, for tests; null when the host cannot run it.
const MicroKernel *avx2Kernel();

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_MICROKERNEL_H
