// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How models of ops make maps of dimensions.
#ifndef GAUDI_DIALECT_DIMMAPBUILDER_H
#define GAUDI_DIALECT_DIMMAPBUILDER_H

#include "Gaudi/Dialect/DimMap.h"

namespace gaudi {

/// Names of factors for the dimensions of a tensor.
using Names = SmallVector<unsigned, 6>;
/// A dimension that has none: one element, at 0.
constexpr unsigned noName = ~0u;

/// first, first + 1, ...
Names numbered(int64_t rank, unsigned first = 0);
/// A letter each; '.' is noName.
Names lettered(StringRef letters);

/// Makes a map, tensor by tensor: first all names of dimensions, of which the
/// largest with a name is the factor, then what differs from them.
class DimMapBuilder {
public:
  explicit DimMapBuilder(Operation *op);

  /// Each dimension is the factor with its name. One of size 1 has one element
  /// for all indices of a larger factor; if its name is below `repeating`, also
  /// of a factor of size 1, which it would be broadcast along.
  void name(unsigned tensor, ArrayRef<unsigned> names, unsigned repeating = 0);
  /// The same names for all tensors, which have one shape.
  void nameAll(ArrayRef<unsigned> names);

  // The following come after all names.

  /// A factor that names do not give.
  unsigned factor(unsigned name, int64_t size);
  /// A dimension of the first access.
  DimMap::Dim &dim(unsigned tensor, int64_t dim);
  /// The dimension is at the index of the factor of another one.
  void setSame(unsigned tensor, int64_t dim, unsigned other, int64_t otherDim);
  /// The tensor is also read at the positions of the first access but for
  /// `dims`, all along these.
  void readAlso(unsigned tensor, ArrayRef<int64_t> dims);

  DimMap take();

private:
  struct Named {
    Names names;
    unsigned repeating = 0;
  };
  void resolve();

  Operation *op;
  DimMap map;
  SmallVector<Named, 4> named;
  SmallVector<DimMap::Access, 2> others;
  bool isResolved = false;
};

} // namespace gaudi

#endif // GAUDI_DIALECT_DIMMAPBUILDER_H
