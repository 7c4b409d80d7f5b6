// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function that was compiled for several sizes.
#ifndef GAUDI_LIB_COMPILER_SAMPLEDFUNCTION_H
#define GAUDI_LIB_COMPILER_SAMPLEDFUNCTION_H

#include "SizeForms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include <string>

namespace gaudi {

/// What differs between functions of one source, each of static sizes: equal
/// ops in equal order, with other numbers in their types and attributes.
class SampledFunction {
public:
  /// Compares the functions; the first one is the pattern. Fails if they differ
  /// in more than numbers.
  LogicalResult compare(ArrayRef<func::FuncOp> functions, ArrayRef<Box> boxes);

  /// A copy of the pattern for other sizes, in no module; null if a number is
  /// not known there. Several threads may call it; `refused` is set then.
  struct Refusal {
    Operation *op = nullptr; // of the pattern
    std::string text;
  };
  OwningOpRef<func::FuncOp> derive(const Box &to, Refusal &refused) const;

  /// Whether every number is known for the sizes.
  LogicalResult check(const Box &to, Refusal &refused) const;

  /// Why `compare` failed.
  const Refusal &whyNot() const { return refusal; }

private:
  /// An attribute or type (as TypeAttr) in each function.
  using Tuple = SmallVector<Attribute, 3>;
  struct Change {
    enum Place { Attr, Result, Argument } place;
    StringAttr name;         // of Attr
    unsigned region, number; // of Argument; of Result
    unsigned tuple;
  };
  struct Changed {
    unsigned op; // in preorder
    SmallVector<Change, 2> changes;
  };

  /// What each tuple is there; fails if one is not known.
  LogicalResult valuesAt(const Box &to, SmallVectorImpl<Attribute> &values,
                         Refusal &refused) const;
  LogicalResult compareOps(ArrayRef<Operation *> ops);
  LogicalResult compareOperands(ArrayRef<Operation *> ops);
  LogicalResult compareAttributes(ArrayRef<Operation *> ops, Changed &changed);
  LogicalResult compareValues(Operation *op, ArrayRef<ValueRange> values,
                              Change change, Changed &changed);
  LogicalResult compareRegions(ArrayRef<Operation *> ops, Changed &changed);
  unsigned tupleOf(const Tuple &tuple, Operation *op);
  LogicalResult refuse(Operation *op, const Twine &text);

  Refusal refusal;
  SmallVector<Box> boxes;
  func::FuncOp pattern;
  unsigned opCount = 0;
  std::vector<Changed> changes;
  std::vector<std::pair<Tuple, Operation *>> tuples; // with the first op
  llvm::DenseMap<std::pair<Attribute, Attribute>, SmallVector<unsigned, 1>>
      known; // tuples, by the first and the last one
  SmallVector<llvm::DenseMap<Value, Value>> patternOf; // per other function
  /// Of constants of the pattern: what their users read in each function, and
  /// their place in preorder.
  llvm::MapVector<Operation *, Tuple> numbersOf;
  llvm::DenseMap<Operation *, unsigned> placeOf;
};

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_SAMPLEDFUNCTION_H
