// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Row operations of attention's softmax, one table per instruction set.
//
// Rows are f32 in scratch memory, padded so that whole vectors of `rowLanes`
// may be read and written after their last element. Every host computes with
// vectors of 16 lanes, so that sums have the same order everywhere.
#ifndef GAUDI_LIB_RUNTIME_MME_KERNELS_ATTENTIONKERNEL_H
#define GAUDI_LIB_RUNTIME_MME_KERNELS_ATTENTIONKERNEL_H

// Included by files with flags for other instruction sets: no header with
// inline functions, of which the linker might keep such a file's.
#include <cstdint>

namespace gaudi::runtime {

/// Lanes of a vector, and elements of padding after a row.
constexpr int64_t rowLanes = 16;

/// Finds the largest score of sums of products. Those with a bias or hidden
/// ones become scores in place; others stay sums, which `exponential` scales.
struct ScoreCall {
  float *scores;
  int64_t count;
  float scale;
  const float *bias; // null, or added; -infinity hides whatever the sum is
  const float *hide; // null, or not 0 where the score is `hidden` instead
  float hidden;
};

/// Sums of products of several rows, of which each has some columns.
struct ScoreBlock {
  struct Span {
    int64_t begin, end;
  };
  float *sums;
  int64_t pitch;
  const Span *spans; // per row
  int64_t rows;
  int64_t begin, end; // of all spans; the columns before and after one become 0
  // Null, or where exponentials go, rounded to bf16, instead of to the sums.
  // Like rows of floats, the last one is followed by `rowLanes` of padding.
  uint16_t *narrow;
  int64_t narrowPitch;
};

/// Which of `count` elements from number `first` on dropout keeps.
struct KeepCall {
  uint32_t seed;
  uint64_t first;
  int64_t count;
  uint32_t threshold; // words from this on are kept
  float kept;         // the factor of a kept element; others get 0
  float *factors;
};

struct AttentionFunctions {
  /// Returns the largest score; -infinity if all are hidden.
  float (*score)(const ScoreCall &call);
  /// row = exp(row * scale - maximum) * factor; returns the sum of the
  /// exponentials before the factor. Results below 2^-126 are 0.
  float (*exponential)(float *row, int64_t count, float scale, float maximum,
                       float factor);
  /// Those of all rows of a block: its largest scores, which are the sums times
  /// `scale`, and its exponentials. A row whose maximum is -infinity gets 0.
  void (*blockScore)(const ScoreBlock &block, float scale, float *most);
  void (*blockExponential)(const ScoreBlock &block, float scale,
                           const float *maxima, float *totals);
  void (*keep)(const KeepCall &call);
  /// row *= factor
  void (*scale)(float *row, int64_t count, float factor);
  /// row *= factors
  void (*multiply)(float *row, const float *factors, int64_t count);
  /// to = to * factor + row
  void (*accumulate)(float *to, float factor, const float *row, int64_t count);
  /// row = p * (row - mean), 0 where p is 0: the gradient of a softmax's
  /// argument.
  void (*softmaxGrad)(float *row, const float *p, float mean, int64_t count);
  float (*dot)(const float *a, const float *b, int64_t count);
  float (*largest)(const float *row, int64_t count); // magnitude
  void (*fromBf16)(const uint16_t *from, float *to, int64_t count);
};

struct MicroKernel;
/// Those for the rows that a kernel multiplies: its own, but where it rounds to
/// bf16 by an instruction, those of the file that may use it.
const AttentionFunctions *rowFunctions(const MicroKernel &kernel);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_KERNELS_ATTENTIONKERNEL_H
