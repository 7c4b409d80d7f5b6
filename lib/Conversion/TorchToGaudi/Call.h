// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call of an op of PyTorch that is being lowered: its arguments as values,
// the types of its results, and what lowerings build with.
//
// Arguments are numbered as in the schema, which they fit. The types of the
// results are what the op's rule makes of the arguments (Gaudi/Torch).
#ifndef GAUDI_LIB_CONVERSION_TORCHTOGAUDI_CALL_H
#define GAUDI_LIB_CONVERSION_TORCHTOGAUDI_CALL_H

#include "../Common/FrontEndBuilder.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Torch/Operators.h"
#include <cmath>

namespace gaudi {

/// The element type of the device for one of PyTorch's; null if it has none.
Type deviceElement(torch::ScalarType type, MLIRContext *context);

/// What a lowering gives: one value per result. A failure has a reason; what
/// was built before it is erased.
using Lowered = FailureOr<SmallVector<Value>>;

class TorchCall {
public:
  TorchCall(FrontEndBuilder &builder, Operation *source,
            const torch::Operator &op, torch::Arguments arguments,
            ArrayRef<SmallVector<Value, 1>> values,
            const torch::Results &results)
      : builder(builder), op(op), source(source), arguments(arguments),
        values(values), results(results) {}

  FrontEndBuilder &builder;
  const torch::Operator &op;

  // --- arguments -------------------------------------------------------------
  size_t size() const { return arguments.size(); }
  bool has(unsigned i) const { return !torch::isNone(arguments[i]); }
  bool isTensor(unsigned i) const {
    return std::holds_alternative<torch::TensorType>(arguments[i]);
  }
  /// A tensor as it is given.
  Value tensor(unsigned i) const { return values[i].front(); }
  /// The tensors of a list; null for None.
  ArrayRef<Value> tensors(unsigned i) const { return values[i]; }
  const torch::TensorType &type(unsigned i) const {
    return std::get<torch::TensorType>(arguments[i]);
  }
  bool isList(unsigned i) const {
    return std::holds_alternative<torch::Ints>(arguments[i]);
  }
  torch::Arguments getArguments() const { return arguments; }
  Operation *getSource() const { return source; }
  int64_t integer(unsigned i) const { return std::get<int64_t>(arguments[i]); }
  bool flag(unsigned i) const { return std::get<bool>(arguments[i]); }
  ArrayRef<int64_t> ints(unsigned i) const {
    const torch::Ints &list = std::get<torch::Ints>(arguments[i]);
    return ArrayRef(list.data(), list.size());
  }
  StringRef string(unsigned i) const {
    return std::get<std::string>(arguments[i]);
  }
  /// A Python number as a float; `absent` if it is None.
  double number(unsigned i, double absent = 0) const;
  /// Dimension `i` names, from 0, of a tensor of `rank` (1 for a scalar).
  int64_t dim(unsigned i, int64_t rank) const;
  /// The dimensions that list `i` names, ascending; all if it is None or empty.
  SmallVector<int64_t> dims(unsigned i, int64_t rank) const;

  // --- results ---------------------------------------------------------------
  const torch::TensorType &resultType(unsigned i = 0) const {
    return results[i];
  }
  /// Also of results whose elements the device lacks, as complex numbers.
  ArrayRef<int64_t> resultShape(unsigned i = 0) const {
    return ArrayRef(results[i].sizes.data(), results[i].sizes.size());
  }
  size_t numResults() const { return results.size(); }
  RankedTensorType result(unsigned i = 0) const;
  Type resultElement(unsigned i = 0) const {
    return result(i).getElementType();
  }

  /// True if something reads result `i`.
  bool isUsed(unsigned i) const { return !source->getResult(i).use_empty(); }

  LogicalResult refuse(const Twine &why) {
    reason = why.str();
    return failure();
  }
  const std::string &getReason() const { return reason; }

  // --- building --------------------------------------------------------------
  // Each returns the value itself where there is nothing to do.
  Value reshape(Value value, ArrayRef<int64_t> shape) {
    return builder.reshape(value, shape);
  }
  /// As PyTorch converts: floats to integers toward zero, numbers to bool by
  /// != 0. Constants of types that the device lacks are converted here.
  Value cast(Value value, Type element);
  /// Trailing dimensions are aligned; sizes of 1 repeat.
  Value expand(Value value, ArrayRef<int64_t> shape);
  /// The same without repeating: leading dimensions of size 1 are added.
  Value withRank(Value value, int64_t rank);
  Value slice(Value value, int64_t dim, int64_t offset, int64_t size,
              int64_t step = 1);
  Value constant(RankedTensorType type, TypedAttr number);
  /// Argument `i`, a Python number, as an attribute of `element`.
  TypedAttr numberAttr(unsigned i, Type element) const;
  /// A scalar tensor of an element type.
  Value scalar(double number, Type element);
  /// Argument `i`, a tensor or a Python number, as a tensor of `element`.
  Value operand(unsigned i, Type element);
  /// The same in the shape of the result.
  Value wholeOperand(unsigned i, Type element);

  /// An elementwise op of operands that broadcast, each of its element type.
  /// The result has `element` and the shape to which they broadcast.
  template <typename Op> Value apply(Type element, ArrayRef<Value> operands) {
    const SmallVector<int64_t> shape = commonShape(operands);
    SmallVector<Value> ranked;
    for (Value operand : operands)
      ranked.push_back(withRank(operand, shape.size()));
    return Op::create(builder, RankedTensorType::get(shape, element),
                      ValueRange(ranked));
  }
  /// The same of operands of one element type, which the result has, too.
  template <typename Op> Value apply(ArrayRef<Value> operands) {
    return apply<Op>(getElementTypeOrSelf(operands.front()), operands);
  }
  /// Each element is its position along `dim`.
  Value positions(ArrayRef<int64_t> shape, int64_t dim, Type element);
  Value compare(ComparePredicate predicate, Value a, Value b);
  Value select(Value condition, Value a, Value b);
  Value reduce(ReduceKind kind, Value value, ArrayRef<int64_t> dims,
               bool keepDims);

  /// f32 for floats that are narrower: what is computed in several ops is
  /// rounded once, at the end.
  Type wideType(Type element) const;

private:
  static SmallVector<int64_t> commonShape(ArrayRef<Value> operands);

  Operation *source;
  torch::Arguments arguments;
  ArrayRef<SmallVector<Value, 1>> values;
  const torch::Results &results;
  std::string reason;
};

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_TORCHTOGAUDI_CALL_H
