// Positions as linear forms of kernel indices, and their re-indexing.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_LINEAR_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_LINEAR_H

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::gaudi::fusion {

/// offset + sum(coefficients[d] * index[d]); trailing zeros are not kept.
class Linear {
public:
  Linear(int64_t offset = 0) : offset(offset) {}
  static Linear dim(unsigned d, int64_t coefficient = 1) {
    Linear form;
    form.add(d, coefficient);
    return form;
  }

  int64_t getOffset() const { return offset; }
  unsigned size() const { return coefficients.size(); }
  int64_t operator[](unsigned d) const {
    return d < coefficients.size() ? coefficients[d] : 0;
  }
  void addOffset(int64_t value) { offset += value; }
  void add(unsigned d, int64_t coefficient) {
    if (d >= coefficients.size())
      coefficients.resize(d + 1, 0);
    coefficients[d] += coefficient;
    while (!coefficients.empty() && coefficients.back() == 0)
      coefficients.pop_back();
  }
  void add(const Linear &other, int64_t factor = 1) {
    offset += other.offset * factor;
    for (unsigned d = 0; d < other.size(); ++d)
      if (other[d] != 0)
        add(d, other[d] * factor);
  }

  bool isConstant() const { return coefficients.empty(); }
  /// The dimension if the form is nothing but its index.
  std::optional<unsigned> singleDim() const;
  /// The dimensions with a coefficient, as bits.
  uint64_t dims() const;
  /// Every index replaced by a form.
  Linear substitute(ArrayRef<Linear> forms) const;
  AffineExpr toAffine(MLIRContext *context, ArrayRef<unsigned> newDims) const;

  bool operator==(const Linear &other) const {
    return offset == other.offset && coefficients == other.coefficients;
  }
  friend llvm::hash_code hash_value(const Linear &form) {
    return llvm::hash_combine(form.offset,
                              llvm::hash_combine_range(form.coefficients));
  }

private:
  SmallVector<int64_t, 4> coefficients;
  int64_t offset;
};

/// Dimension `dim` must be seen as two, the inner one of size `inner`.
struct Split {
  unsigned dim;
  int64_t inner;
};

/// What a re-indexing gives: success, or the split that may make it possible,
/// or neither.
struct Reindexed {
  bool ok = false;
  std::optional<Split> split;
};

/// Smallest and largest value over the index space.
std::pair<int64_t, int64_t> rangeOf(const Linear &form,
                                    ArrayRef<int64_t> extents);

/// Divides by `stride`: form = quotient * stride + rest with rest in
/// [0, stride) everywhere.
Reindexed divide(const Linear &form, int64_t stride, ArrayRef<int64_t> extents,
                 Linear &quotient, Linear &rest);

/// Position in a tensor of `to` sizes of the element that stands at `position`
/// in a tensor of `from` sizes, in row-major order.
Reindexed reshapePosition(ArrayRef<Linear> position, ArrayRef<int64_t> from,
                          ArrayRef<int64_t> to, ArrayRef<int64_t> extents,
                          SmallVectorImpl<Linear> &result);

/// Solves store(i) = position for the indices i of the storing kernel, whose
/// dimensions have sizes `storeExtents`. Dimensions the store does not use
/// must have size 1.
Reindexed invertStore(ArrayRef<Linear> store, ArrayRef<int64_t> storeExtents,
                      ArrayRef<Linear> position, ArrayRef<int64_t> extents,
                      SmallVectorImpl<Linear> &indices);

} // namespace mlir::gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_LINEAR_H
