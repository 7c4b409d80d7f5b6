// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the files of this library attach their models to the ops.
#ifndef GAUDI_LIB_REFERENCE_MODELS_H
#define GAUDI_LIB_REFERENCE_MODELS_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Reference/Evaluator.h"
#include <type_traits>

namespace gaudi::reference {

/// What an op computes from: a tensor per operand, and the errors that it makes
/// on the way; null: none.
struct Operands : ArrayRef<ReferenceTensor> {
  Operands(ArrayRef<ReferenceTensor> tensors, const Noise *noise)
      : ArrayRef(tensors), noise(noise) {}
  const Noise *noise;
};
using Results = SmallVectorImpl<ReferenceTensor>;

/// A model that is a function of the op and its operands: it gives the only
/// result, or appends all of them and may fail.
template <typename Op, auto function>
struct FunctionModel
    : ReferenceEvalOpInterface::ExternalModel<FunctionModel<Op, function>, Op> {
  LogicalResult evaluate(Operation *op, ArrayRef<ReferenceTensor> tensors,
                         const Noise *noise, Results &results) const {
    const Operands operands(tensors, noise);
    if constexpr (std::is_invocable_v<decltype(function), Op, Operands>) {
      results.push_back(function(cast<Op>(op), operands));
      return success();
    } else {
      return function(cast<Op>(op), operands, results);
    }
  }
};

template <typename Op, auto function> void attach(MLIRContext *context) {
  Op::template attachInterface<FunctionModel<Op, function>>(*context);
}

/// A zero tensor of the op's result type.
inline ReferenceTensor emptyResult(Operation *op, unsigned number = 0) {
  return ReferenceTensor(
      cast<RankedTensorType>(op->getResult(number).getType()));
}

/// A rank-0 tensor of element type `type` that holds a scalar attribute.
ReferenceTensor scalarTensor(Attribute value, Type type);

void attachElementwiseModels(MLIRContext *context);
void attachReductionModels(MLIRContext *context);
void attachWindowModels(MLIRContext *context);
void attachMmeModels(MLIRContext *context);
void attachAttentionModels(MLIRContext *context);
void attachIndexedModels(MLIRContext *context);
void attachMoveModels(MLIRContext *context);
void attachOptimizerModels(MLIRContext *context);
void attachPaddingModels(MLIRContext *context);
void attachKernelModel(MLIRContext *context);

} // namespace gaudi::reference

#endif // GAUDI_LIB_REFERENCE_MODELS_H
