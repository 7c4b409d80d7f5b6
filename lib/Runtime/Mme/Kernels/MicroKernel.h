// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Micro kernels: a block of a few rows times panels of columns, the sums held
// in registers.
//
// A panel is a run of columns of the right side, packed: for each step of the
// reduction `columns` contiguous values. A step is four bytes of a row: one
// f32, two bf16 or four 8-bit integers (StepFormat).
#ifndef GAUDI_LIB_RUNTIME_MME_KERNELS_MICROKERNEL_H
#define GAUDI_LIB_RUNTIME_MME_KERNELS_MICROKERNEL_H

// Included by files with flags for other instruction sets: no header with
// inline functions, of which the linker might keep such a file's.
#include <cstdint>

// One step of a reduction, of which unrolled loops have many copies.
#ifndef GAUDI_STEP_INLINE
#define GAUDI_STEP_INLINE __attribute__((always_inline))
#endif

namespace gaudi::runtime {

/// What the four bytes of a step hold, and in what their products are added.
enum class StepFormat : uint8_t {
  F32,  // one f32; f32 sums
  Bf16, // two bf16; f32 sums
  Int8, // four 8-bit integers, of rows unsigned, of panels signed; i32 sums,
        // which wrap
};

/// What panels of a kernel of f32 hold per step and column. Constants of 16
/// bits stay as they are and become f32, exactly, when they are multiplied.
enum class PanelValue : uint8_t { Step, Bf16, F16 };

constexpr int64_t bytesOf(PanelValue value) {
  return value == PanelValue::Step ? 4 : 2;
}

/// Steps in a cache line of a row.
constexpr int64_t lineSteps = 16;

/// One call: a block of rows times panels, `panelBytes` from one to the next.
/// The reduction runs over `segments` segments of `steps` steps, each with its
/// own row pointers (the taps of a convolution).
struct BlockCall {
  const uint8_t *const *rows; // [segment][row]
  int count;                  // rows, as many as the called function's
  const int64_t *depths;      // per segment: its first step in the panel
  int64_t segments, steps;
  int64_t offset; // bytes added to every row pointer
  int64_t panels, panelBytes;
  const uint8_t *panel; // the first, of step 0 of the whole reduction
  float *c;        // of StepFormat::Int8: int32_t, read and written as such
  int64_t cStride; // elements between rows
  bool accumulate; // add to what c holds, else overwrite it
  /// With `accumulate`: what all rows start with instead, if not null.
  const float *start = nullptr;
  // Prefetched meanwhile: per `lineSteps` steps `lines` cache lines from
  // `prefetch` on, panel by panel, and by kernels on matrix tiles `nextC`, by
  // others with the first panel the first `nextCount` rows of the next block.
  const uint8_t *prefetch;
  int64_t lines;
  const uint8_t *const *nextRows;
  int64_t nextCount, nextOffset;
  const float *nextC; // the sums of the next call, or null
  // Of WideningFunctions, with one panel: where its values are left as f32, for
  // other blocks, `keptStride` from one step to the next. With a stride of 0
  // and room for one step nothing is left.
  float *kept;
  int64_t keptStride;
  // Of MicroKernel::small: per step of the first panel, whether its products
  // may be added to those of the next step in 16 bits; `panelBytes` from one
  // panel to the next.
  const uint8_t *joins;
};

/// Most that the positive ones of some integers may sum up to, and the negative
/// ones, for the sum of their products with unsigned bytes to fit 16 bits.
constexpr int mostInWord = 128;

/// A few rows times a right side that is not packed: either its columns or its
/// steps are contiguous. All f32; the sums overwrite c.
struct ThinCall {
  const float *const *rows; // [count]
  int count;
  const float *b;
  int64_t depthStride, columnStride; // one of them is 1
  int64_t depth, columns;
  float *const *c; // [count]
};

/// Most neighbouring positions that a depthwise kernel computes at once: with
/// two vectors of channels their 12 sums and 2 weights fit 16 registers.
constexpr int depthPositions = 6;

/// Neighbouring positions of a line of a depthwise convolution, for some
/// channels, f32. With groups of several channels every channel sees all inputs
/// of its group, whose weights follow each other.
struct DepthCall {
  const float *const *x;       // [lines]: what the first tap of position 0 sees
  const float *const *weights; // [lines]: of the first tap, [tap][input]
  int64_t lines, taps;         // taps of each line
  int64_t tapStride;           // of x, between taps
  int64_t weightStride;        // between weights
  int group;                   // 1, 2, 4 or 8 channels, at most a vector
  /// These and all channels before them are at least a vector: the last vector
  /// is shifted back to end with them.
  int64_t channels;
  int count;            // positions, 1 to `depthPositions`
  int64_t xStep, yStep; // between positions
  float *y;             // overwritten
};

using DepthFunction = void (*)(const DepthCall &call);
using ThinFunction = void (*)(const ThinCall &call);
using BlockFunction = void (*)(const BlockCall &call);
/// Rounds `rows` rows of `count` values to bf16; strides are from row to row.
using RoundFunction = void (*)(const float *from, int64_t fromStride,
                               uint16_t *to, int64_t toStride, int64_t rows,
                               int64_t count);

struct AttentionFunctions; // AttentionKernel.h

/// The transforms around the products of a convolution by 3 x 3
/// (WinogradConv.cpp).
struct WinogradFunctions {
  /// From the 4 x 4 inputs at `x`, line by line, 16 factors, `vStride` floats
  /// apart.
  void (*inputs)(const float *const *x, float *v, int64_t vStride,
                 int64_t channels);
  /// From 16 sums of products 2 x 2 outputs; false if one of them is infinite
  /// or NaN.
  bool (*outputs)(const float *m, int64_t mStride, float *const *y,
                  int64_t channels);
};

/// Functions for panels of 16-bit floats.
struct WideningFunctions {
  const BlockFunction *blocks; // like those of the kernel
  /// `count` values, whole vectors.
  void (*widen)(const uint8_t *from, float *to, int64_t count);
};

/// Functions for rows of signed 8-bit integers.
struct SignedRowFunctions {
  const BlockFunction *blocks; // like those of the kernel
  int added; // to each value of a row where it is multiplied: 0, or 128 by
             // flipping its sign bit
};

struct MicroKernel {
  const char *name; // "avx2"
  int rows, columns;
  StepFormat format;
  /// The steps of each tap in a panel are a multiple of this, filled up with
  /// zeros, and ranges of the reduction start at multiples: 1, or the rows of a
  /// matrix tile.
  int stepGrain;
  const BlockFunction *functions; // by number of rows, 1 to `rows`
  RoundFunction roundRows;
  ThinFunction thin;   // or null
  DepthFunction depth; // or null
  int lanes;           // of a vector: fewest channels that `depth` takes
  const AttentionFunctions *attention; // or null
  /// The kernel with half the columns and the same operands, or null.
  const MicroKernel *half;
  /// Bytes of a panel in one range of the reduction, and of the panels of a
  /// strip, which all blocks of rows pass one after the other: with one tap no
  /// more than L1 has, as long as they are several.
  int rangeBytes = 28 << 10, stripBytes = 28 << 10;
  /// Rows of a tile and bytes of them that stay in L2 beside a panel, and
  /// multiply-adds of steps in a tile: few enough that threads get equal
  /// shares.
  int tileRows = 192, tileRowBytes = 384 << 10;
  double tileWork = 4.8e7;
  /// Null, or ends what calls have set up on this thread: once after the last
  /// of a task.
  void (*finish)() = nullptr;
  const WinogradFunctions *winograd = nullptr; // or null
  /// For PanelValue::Bf16 and F16, or null.
  const WideningFunctions *widening = nullptr;
  /// Of StepFormat::Int8 where they are as fast as for unsigned rows, or null.
  const SignedRowFunctions *signedRows = nullptr;
  /// Of StepFormat::Int8: functions for constants so small that both pairs of
  /// each step and column are within `mostInWord`, or null.
  const BlockFunction *small = nullptr;

  void roundToBf16(const float *from, uint16_t *to, int64_t count) const {
    roundRows(from, 0, to, 0, 1, count);
  }
  /// True of kernels on matrix tiles.
  bool hasTiles() const { return stepGrain > 1; }
  const WideningFunctions &widens(PanelValue value) const {
    return widening[int(value) - 1];
  }
};

/// Largest of any kernel.
constexpr int maxBlockRows = 32, maxPanelColumns = 32;

/// True if the kernel computes what the portable one does: blocks of every
/// number of rows, its half, products of few rows, depthwise convolutions, rows
/// of attention. Test runs do not cover every instruction set, so AVX-512 hosts
/// check theirs once.
bool agrees(const MicroKernel &kernel);

/// The same bits as others, by the instruction of AVX512-BF16 wherever it gives
/// them.
void roundRowsNatively(const float *from, int64_t fromStride, uint16_t *to,
                       int64_t toStride, int64_t rows, int64_t count);
bool roundsToBf16Natively();

/// Null when the host cannot run them.
const MicroKernel *vector128Kernel(); // on any host
const MicroKernel *avx2Kernel();
const MicroKernel *avx512Kernel();
const MicroKernel *avx512Bf16Kernel();
const MicroKernel *amxBf16Kernel();
const MicroKernel *neonKernel(); // on any aarch64 host
const MicroKernel *neonBf16Kernel();
const MicroKernel *portableKernel(bool narrow);
const MicroKernel *portableAmxBf16Kernel();

// Those of StepFormat::Int8. All multiply unsigned rows with signed panels,
// some signed rows as well; IntegerTerms.h has the other signs.
const MicroKernel *avx2Int8Kernel();
const MicroKernel *avxVnniInt8Kernel();
const MicroKernel *avx512VnniInt8Kernel();
const MicroKernel *avx512VnniSignedInt8Kernel(); // of signed rows, too
const MicroKernel *amxInt8Kernel();
const MicroKernel *neonDotInt8Kernel();  // of signed rows, too
const MicroKernel *neonI8mmInt8Kernel(); // of signed rows, too
const MicroKernel *portableInt8Kernel();
const MicroKernel *portableAmxInt8Kernel(); // the tiles in plain C++

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_KERNELS_MICROKERNEL_H
