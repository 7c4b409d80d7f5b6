// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a convolution and its gradients answer alike.
#ifndef GAUDI_DIALECT_CONVOLUTION_H
#define GAUDI_DIALECT_CONVOLUTION_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Kernel/MatrixKinds.h"

namespace gaudi {

/// A tensor of a convolution, and its name in the messages of the op.
struct ConvTensor {
  Value value;
  StringRef name, layout;

  RankedTensorType type() const { return tensorType(value); }
  /// Sizes in the order of `letters`.
  SmallVector<int64_t> sizes(StringRef letters) const;
};

/// Padding before and behind each spatial dimension.
struct ConvPads {
  SmallVector<int64_t> low, high;
};

/// The forward convolution that an op computes or differentiates. The ops
/// relate the same tensors x, w and y; they differ in which is the result: the
/// kind of the op says which.
struct Convolution {
  using Role = kernel::MatrixRole;

  Operation *op;
  kernel::MatrixKind kind;
  ConvTensor x, w, y;
  ArrayRef<int64_t> strides, dilations, padLow, padHigh;
  int64_t groups;

  template <typename Op>
  explicit Convolution(Op op)
      : op(op), kind(kindOf<Op>), x(tensor(Role::X, op.getInputLayout())),
        w(tensor(Role::W, op.getFilterLayout())),
        y(tensor(Role::Y, op.getOutputLayout())), strides(op.getStrides()),
        dilations(op.getDilations()), padLow(op.getPadLow()),
        padHigh(op.getPadHigh()), groups(op.getGroups()) {}

  /// Of an op whose kind is a convolution in MatrixKinds.def; none of others.
  static std::optional<Convolution> of(Operation *op);

  /// Operand 0 or 1 or, 2, the result.
  const ConvTensor &at(unsigned place) const {
    const Role role = kernel::roleOf(kind, place);
    return role == Role::X ? x : role == Role::W ? w : y;
  }

  int64_t arithmeticOps() const;
  WorkList work(OperandOf operandOf) const;
  LogicalResult verify() const;
  /// Pads with which the op does what it does now to an operand that `value`
  /// surrounds, `low` and `high` times; none if no pads do.
  std::optional<ConvPads> padsFor(OpOperand &operand, ArrayRef<int64_t> low,
                                  ArrayRef<int64_t> high,
                                  TypedAttr value) const;
  /// The same for what padsFor accepts.
  ConvPads padsAround(ArrayRef<int64_t> low, ArrayRef<int64_t> high) const;

private:
  template <typename Op>
  static constexpr kernel::MatrixKind kindOf =
      *kernel::matrixKindOf(std::string_view(Op::getOperationName().data(),
                                             Op::getOperationName().size()));

  ConvTensor tensor(Role role, StringRef layout) const;
  int64_t spatialRank() const { return x.type().getRank() - 2; }
  LogicalResult verifyForm() const;
  LogicalResult verifyChannels() const;
  LogicalResult verifySizes() const;
  /// Fails, with a note at the first of `others` that is an operand.
  LogicalResult failAtOperand(InFlightDiagnostic &&error,
                              ArrayRef<const ConvTensor *> others) const;
};

/// Gives all convolutions an interface by its model.
template <typename Model> void attachToConvolutions(MLIRContext &context) {
  for (const kernel::MatrixKindInfo &kind : kernel::matrixKindTable)
    if (kernel::isConvolution(*kernel::matrixKindOf(kind.op)))
      RegisteredOperationName::lookup(StringRef(kind.op), &context)
          ->attachInterface<Model>();
}

} // namespace gaudi

#endif // GAUDI_DIALECT_CONVOLUTION_H
