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

/// Steps in a cache line of a row.
constexpr int64_t lineSteps = 16;

/// One call: a block of rows times panels that lie `panelBytes` apart. The
/// reduction runs over `segments` pieces of `steps` steps, each with row
/// pointers of its own (the taps of a convolution).
struct TileCall {
  const uint8_t *const *rows; // [segment][row]
  const int64_t *depths;      // per segment: its first step in the panel
  int64_t segments, steps;
  int64_t offset; // bytes added to every row pointer
  int64_t panels, panelBytes;
  const uint8_t *panel; // the first, of step 0 of the whole reduction
  float *c;
  int64_t cStride; // elements between rows
  bool accumulate; // add to what c holds, else overwrite it
  // To be fetched on the way: `lines` cache lines from `prefetch` on after each
  // `lineSteps` steps, panel by panel, and with the first panel the first
  // `nextCount` rows of the next block.
  const uint8_t *prefetch;
  int64_t lines;
  const uint8_t *const *nextRows;
  int64_t nextCount, nextOffset;
};

/// A few rows times a right side that is not packed: either its columns or its
/// steps lie side by side. All f32; the sums overwrite c.
struct ThinCall {
  const float *const *rows; // [count]
  int count;
  const float *b;
  int64_t depthStride, columnStride; // one of them is 1
  int64_t depth, columns;
  float *const *c; // [count]
};

/// Most neighbouring positions that a depthwise kernel computes at once.
constexpr int depthPositions = 6;

/// Positions of a line of a depthwise convolution, some channels, f32.
struct DepthCall {
  const float *const *x;       // [lines]: what the first tap of position 0 sees
  const float *const *weights; // [lines]: of the first tap
  int64_t lines, taps;         // taps of each line
  int64_t tapStride, weightStride; // between taps
  /// All that come before or in these are at least a vector.
  int64_t channels;
  int count;            // positions, 1 to `depthPositions`
  int64_t xStep, yStep; // between positions
  float *y;             // overwritten
};

using DepthFunction = void (*)(const DepthCall &call);
using ThinFunction = void (*)(const ThinCall &call);
using TileFunction = void (*)(const TileCall &call);

struct MicroKernel {
  const char *name; // "avx2"
  int rows, columns;
  bool pairs;                    // bf16 pairs, else f32
  const TileFunction *functions; // by number of rows, 1 to `rows`
  void (*roundToBf16)(const float *from, uint16_t *to, int64_t count);
  ThinFunction thin;   // or null
  DepthFunction depth; // or null
  int lanes;           // of a vector: fewest channels that `depth` takes
  /// Of half the columns, more rows and the same operands; or null.
  const MicroKernel *half;
};

/// Largest of any kernel.
constexpr int maxTileRows = 14, maxTileColumns = 32;

/// The kernel or its half, by how much of their panels so many columns fill.
const MicroKernel &fitting(const MicroKernel &kernel, int64_t columns);

/// The kernel for this host; `narrow` if bf16 holds every operand. Null: oneDNN
/// is used. The environment variable GAUDI_MME asks for another, to compare:
/// "onednn", "portable", "avx2" or "avx512".
const MicroKernel *tileKernel(bool narrow);

/// True if the kernel computes what the portable one does, which has tiles of
/// as many columns: its tiles for every number of rows, its half, products of
/// few rows, depthwise convolutions. No host with every instruction set takes
/// part in every test run, so AVX-512 hosts check theirs once.
bool agrees(const MicroKernel &kernel);

/// Null when the host cannot run them.
const MicroKernel *avx2Kernel();
const MicroKernel *avx512Kernel();
const MicroKernel *avx512Bf16Kernel();
const MicroKernel *portableKernel(bool narrow);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_MICROKERNEL_H
