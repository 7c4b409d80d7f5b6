// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the models of attention and of its gradient share: whole rows of scores
// in float64.
#ifndef GAUDI_LIB_REFERENCE_ATTENTION_H
#define GAUDI_LIB_REFERENCE_ATTENTION_H

#include "Gaudi/Dialect/AttentionOps.h"
#include "Models.h"
#include "Scalars.h"
#include <array>
#include <limits>
#include <vector>

namespace gaudi::reference {

/// Rows of scores that a job holds at once.
constexpr int64_t attentionRows = 32;

/// Multiplications of the forward computation.
inline double productWork(const AttentionSizes &s) {
  return double(s.batch) * s.heads * s.queries * s.keys *
         (s.depth + s.valueDepth);
}

/// The tensor in the order of `letters`; a letter that the layout lacks counts
/// as a dimension of size 1.
ReferenceTensor inOrder(const ReferenceTensor &tensor, StringRef layout,
                        StringRef letters);

/// Rounds canonical values [N, H, L, D] and gives them the layout of `result`.
ReferenceTensor inLayout(const ReferenceTensor &values, StringRef layout,
                         ReferenceTensor result);

/// c[m, n] += sum_k a[m, k] * b[k, n], where a weight of 0 in `a` leaves out
/// its row of b, which may hold infinities and NaN.
void addWeighted(int64_t m, int64_t n, int64_t k, const double *a,
                 const double *b, double *c, const Noise *noise);

/// A tensor that repeats over the scores [N, H, L, S] where its size is 1.
struct RepeatedTensor {
  ReferenceTensor tensor;
  std::array<int64_t, 4> strides{};

  RepeatedTensor() = default;
  explicit RepeatedTensor(const ReferenceTensor &given);
  explicit operator bool() const { return bool(tensor); }
  double at(int64_t n, int64_t h, int64_t i, int64_t j) const {
    return tensor.at(n * strides[0] + h * strides[1] + i * strides[2] +
                     j * strides[3]);
  }
};

/// A head of an image, and the head of key and value that it reads.
struct AttentionHead {
  int64_t image, head, keyHead;
};

/// The forward computation up to the softmax.
class AttentionScores {
public:
  template <typename Op>
  AttentionScores(Op op, Operands operands)
      : sizes(attentionSizes(op)), operation(op), operands(operands),
        query(inOrder(*find(op.getQuery()), queryLayoutOf(op), "NHLD")),
        keyColumns(inOrder(*find(op.getKey()), keyLayoutOf(op), "NHDL")),
        scale(op.getScale().convertToFloat()),
        maskValue(op.getMaskValue().convertToFloat()), causal(op.getCausal()),
        window(op.getWindow().value_or(0)),
        isPaddedLeft(op.getPadding() == PaddingSide::Left),
        dropout(op.getDropout().convertToFloat()),
        lengths(find(op.getValidLengths())),
        roundOperand(query.getElementType(), operands.noise) {
    if (const ReferenceTensor *given = find(op.getMask()))
      mask = RepeatedTensor(*given);
    if (const ReferenceTensor *given = find(op.getDropoutMask()))
      dropoutMask = RepeatedTensor(*given);
    if (const ReferenceTensor *given = find(op.getSeed()))
      seed = static_cast<uint32_t>(given->ints()[0]);
  }

  const AttentionSizes &getSizes() const { return sizes; }
  const ReferenceTensor &getQuery() const { return query; }
  double getScale() const { return scale; }
  const Noise *getNoise() const { return operands.noise; }
  /// A probability or a gradient of a score as a device hands it to the next
  /// product: with an error, and rounded to the type of the query. Without
  /// noise as it is.
  double handedOn(double value) const {
    return getNoise() ? roundOperand(value) : value;
  }

  /// The tensor of an operand; null if there is none.
  const ReferenceTensor *find(Value operand) const;
  /// The value of an operand of one element, 1 if there is none.
  double factor(Value operand) const {
    const ReferenceTensor *given = find(operand);
    return given ? given->at(0) : 1;
  }

  /// Head `number` of all heads of all images.
  AttentionHead headOf(int64_t number) const;
  /// The number of a row of a head in [N, H, L].
  int64_t rowOf(const AttentionHead &at, int64_t row) const {
    return (at.image * sizes.heads + at.head) * sizes.queries + row;
  }
  /// Where the matrix that a head reads begins in a tensor
  /// [N or 1, Hk, rows, columns].
  static int64_t matrixOf(const ReferenceTensor &tensor,
                          const AttentionHead &at);

  /// False where causal, window and lengths leave out the key.
  bool isVisible(const AttentionHead &at, int64_t i, int64_t j) const;
  /// True if an i1 mask replaces the score.
  bool isReplaced(const AttentionHead &at, int64_t i, int64_t j) const {
    return mask && !mask.tensor.isFloat() &&
           mask.at(at.image, at.head, i, j) == 0;
  }
  /// Rows [first, first + count) of scores; -infinity for those that do not
  /// exist. `factor` multiplies the products beside the scale.
  void compute(const AttentionHead &at, int64_t first, int64_t count,
               double factor, std::vector<double> &scores) const;
  /// What dropout multiplies the probability by.
  double keepFactor(const AttentionHead &at, int64_t i, int64_t j) const;

private:
  AttentionSizes sizes;
  Operation *operation;
  Operands operands;
  ReferenceTensor query, keyColumns; // [N, H, L, D], [N, H, D, S]
  double scale, maskValue;
  bool causal;
  int64_t window; // 0: none
  bool isPaddedLeft;
  double dropout;
  RepeatedTensor mask, dropoutMask;
  const ReferenceTensor *lengths;
  uint32_t seed = 0;
  FloatRounder roundOperand;
};

LogicalResult evaluateAttention(SdpaOp op, Operands operands, Results &results);
LogicalResult evaluateAttentionGrad(SdpaGradOp op, Operands operands,
                                    Results &results);

} // namespace gaudi::reference

#endif // GAUDI_LIB_REFERENCE_ATTENTION_H
