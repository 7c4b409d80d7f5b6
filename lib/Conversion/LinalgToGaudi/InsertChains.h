// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of tensor.insert_slice that together are a concatenation.
#ifndef GAUDI_LIB_CONVERSION_LINALGTOGAUDI_INSERTCHAINS_H
#define GAUDI_LIB_CONVERSION_LINALGTOGAUDI_INSERTCHAINS_H

#include "Nest.h"

namespace gaudi::fromlinalg {

/// Insertions that write a whole undefined tensor, contiguous along one axis.
struct Concat {
  int64_t axis = 0;
  SmallVector<tensor::InsertSliceOp> parts; ///< In the order of the sources.
};

/// The concatenations of a block, found once and in linear time: every
/// insertion extends what is known of the one before.
class InsertChains {
public:
  explicit InsertChains(Block &block);

  /// The concatenation whose last insertion is `op`, or null.
  const Concat *endingAt(tensor::InsertSliceOp op) const {
    auto it = concats.find(op);
    return it == concats.end() ? nullptr : &it->second;
  }
  /// True if a later insertion stands for `op` too.
  bool isInnerPart(tensor::InsertSliceOp op) const {
    return innerParts.contains(op);
  }

private:
  /// The insertions up to one: of disjoint windows, as far as their sizes say.
  struct Chain {
    bool isCandidate = false;
    std::optional<int64_t> axis;
    int64_t total = 0; ///< Size of the parts along the axis.
  };
  Chain extend(tensor::InsertSliceOp op) const;
  void finish(tensor::InsertSliceOp last, const Chain &chain);

  llvm::DenseMap<Operation *, Chain> chains;
  llvm::DenseMap<Operation *, Concat> concats;
  llvm::DenseSet<Operation *> innerParts;
};

} // namespace gaudi::fromlinalg

#endif // GAUDI_LIB_CONVERSION_LINALGTOGAUDI_INSERTCHAINS_H
