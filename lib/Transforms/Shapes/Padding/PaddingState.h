// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of a value are real, and what its padding holds.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGSTATE_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGSTATE_H

#include "../Symbols/SymbolSizes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace gaudi {

/// A part of a dimension: the index of a dimension that a reshape collapsed is
/// made of several, the outermost first. An element is padding if the index of
/// some factor is at or past its extent.
struct Factor {
  int64_t size = 1;
  AffineExpr extent = {}; ///< null: all of it is real
  bool repeats = false;   ///< elements do not depend on the index
  TypedAttr content = {}; ///< of every padded element of this factor; or null

  bool isPadded() const { return bool(extent); }
  bool operator==(const Factor &other) const {
    return size == other.size && extent == other.extent &&
           repeats == other.repeats && content == other.content;
  }
};

/// The factors of one dimension. Canonical: a factor that is real as a whole is
/// part of the one before it, and factors of size 1 are left out unless there
/// is no other.
using DimPadding = SmallVector<Factor, 1>;

bool isPadded(const DimPadding &dim);
/// Sizes and extents only: neither contents nor repetition.
DimPadding structureOf(const DimPadding &dim);
/// True if the real elements of the dimension come first: no index of them
/// changes when the padding goes.
inline bool isPrefix(const DimPadding &dim) {
  return dim.size() == 1 || !isPadded(dim);
}
int64_t sizeOf(const DimPadding &dim);
DimPadding canonical(ArrayRef<Factor> factors);
/// How many indices of the dimension are real.
AffineExpr extentOf(const DimPadding &dim, const SymbolSizes &sizes);

/// Padding where an index of the dimension is divided by `divisor` and taken
/// modulo `modulus`.
struct Condition {
  int64_t dim, divisor, modulus;
  AffineExpr extent;
  bool operator==(const Condition &other) const {
    return dim == other.dim && divisor == other.divisor &&
           modulus == other.modulus && extent == other.extent;
  }
};

/// The lattice element of the analysis.
struct PaddingState {
  bool isKnown = false;
  SmallVector<DimPadding, 4> dims;
  TypedAttr splat = {}; ///< every element

  static PaddingState real(ArrayRef<int64_t> shape, bool repeats = false);
  bool isPadded() const;
  bool isPadded(int64_t dim) const { return gaudi::isPadded(dims[dim]); }
  /// What all padding of factor `factor` of dimension `dim` holds; or null.
  TypedAttr contentAt(int64_t dim, size_t factor) const;
  bool repeatsAt(int64_t dim) const {
    return splat || llvm::all_of(dims[dim], [](const Factor &factor) {
             return factor.repeats;
           });
  }
  /// The conditions of the factors of `dim` that `select` picks.
  void addConditions(
      int64_t dim, SmallVectorImpl<Condition> &conditions,
      llvm::function_ref<bool(size_t)> select = [](size_t) {
        return true;
      }) const;
  void makeCanonical();
  /// A transfer function is run again with the same operands only: states do
  /// not merge.
  static PaddingState join(const PaddingState &a, const PaddingState &b) {
    return a.isKnown ? a : b;
  }
  bool operator==(const PaddingState &other) const {
    return isKnown == other.isKnown && dims == other.dims &&
           splat == other.splat;
  }
  void print(raw_ostream &os) const;
};

/// The factors of a dimension that both tensors have, without contents; nothing
/// if they disagree, or if positions of the one would count padding of the
/// other.
std::optional<DimPadding> commonFactors(const DimPadding &a,
                                        const DimPadding &b,
                                        const SymbolSizes &sizes);

/// The dimensions of a reshape to `shape`; nothing if a dimension would not be
/// made of factors. A padded dimension is only split where its extent is known
/// to be a multiple of the inner part, or assumed to be.
std::optional<SmallVector<DimPadding, 4>>
reshapeFactors(ArrayRef<DimPadding> dims, ArrayRef<int64_t> shape,
               const SymbolSizes &sizes, bool assumesMultiples);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGSTATE_H
