// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What autocast does to each op of a function, before it is done: for the pass,
// and for evaluations that round as the pass would.
#ifndef GAUDI_TRANSFORMS_AUTOCASTPLAN_H
#define GAUDI_TRANSFORMS_AUTOCASTPLAN_H

#include "Gaudi/Dialect/MLIR.h"
#include "Gaudi/Support/Autocast.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include <string>
#include <vector>

namespace gaudi {

/// Ops of a function that count as one: they round what they read from others
/// and what others read of them, nothing in between.
struct AutocastUnit {
  std::string name;             ///< as the lists have it: "linear"
  SmallVector<Operation *> ops; ///< in program order
  /// Values of f32 that it reads from others, and that others read of it.
  /// Numbers are not among what is read.
  SmallVector<Value> reads, results;
  /// The largest rank of constants of the model that it reads and that `reads`
  /// may lack, as one element looks like a number; -1: none.
  int64_t constantRank = -1;
  /// It was told to give f32, whatever it computes in.
  bool givesF32 = false;
  /// It only computes what states become.
  bool isUpdate = false;
};

/// The units of a function of one block, in the order of their last ops.
/// Constants belong to none, nor do ops that neither read nor give f32, and ops
/// of other dialects than gaudi.
std::vector<AutocastUnit> autocastUnits(func::FuncOp function);

/// Operands of products in 8 bits: each is multiplied by a power of two that
/// brings its largest magnitude near `largest`, limited to that and rounded,
/// and the product divided by the scales of both.
struct AutocastScaling {
  FloatType type; ///< null: none
  double largest = 0;
  int margin = 0;
  /// What the unit reads for nothing but its products, perhaps moved before.
  SmallVector<Value> values;

  /// The scale of a tensor by its largest magnitude; 1 if that is not finite.
  double scaleFor(double amax) const;
  bool operator==(const AutocastScaling &other) const {
    return type == other.type && largest == other.largest &&
           margin == other.margin && values == other.values;
  }
};

/// Products and convolutions, and their gradients: what may read 8 bits.
bool isScalable(Operation *op);

/// The operand of an op of AutocastUnit that only moves elements, so that they
/// may be rounded before it; null for other ops.
Value movedBy(Operation *op);

/// The types in which a unit works; null: f32.
struct AutocastTypes {
  AutocastRule rule = AutocastRule::Given;
  FloatType reads;   ///< what is read is rounded to it
  FloatType results; ///< what it gives is rounded to it
  AutocastScaling scaling;
  std::string reason; ///< "it is in the list of the lower type"
  /// Only values of so many elements are rounded; 0: all.
  int64_t count = 0;

  FloatType readAs(Value value) const { return typeOf(value, reads); }
  FloatType givenAs(Value value) const { return typeOf(value, results); }
  bool isScaled(Value value) const {
    return llvm::is_contained(scaling.values, value);
  }
  /// The rule and its reason aside.
  bool computesAs(const AutocastTypes &other) const {
    return reads == other.reads && results == other.results &&
           scaling == other.scaling;
  }

private:
  FloatType typeOf(Value value, FloatType type) const {
    return count && cast<RankedTensorType>(value.getType()).getNumElements() !=
                        count
               ? FloatType()
               : type;
  }
};

/// The types of each unit of a function. Scales of E4M3 aim at the largest
/// number that it has on the device.
std::vector<AutocastTypes> autocastTypes(func::FuncOp function,
                                         ArrayRef<AutocastUnit> units,
                                         const AutocastSetting &setting,
                                         StringRef device);

/// The lower type of a setting; null for f32.
FloatType lowerTypeOf(const AutocastSetting &setting, MLIRContext *context);

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_AUTOCASTPLAN_H
