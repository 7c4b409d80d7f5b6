// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes may ask an op, instead of switching over op kinds.
#ifndef GAUDI_DIALECT_INTERFACES_TD
#define GAUDI_DIALECT_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Gaudi_EngineOpInterface : OpInterface<"EngineOpInterface"> {
  let cppNamespace = "gaudi";
  let description = "Which engine of the device runs the op.";
  let methods = [
    InterfaceMethod<[{
      The engine; `None` for a view, `Unplaced` for a data movement whose engine
      depends on the device and has not been chosen yet.
    }], "gaudi::Engine", "getEngine">,
  ];
}

def Gaudi_PlaceableOpInterface : OpInterface<"PlaceableOpInterface", [Gaudi_EngineOpInterface]> {
  let cppNamespace = "gaudi";
  let description = "A data movement that the device model places on an engine.";
  let methods = [
    InterfaceMethod<"What kind of movement the device model is asked about.",
      "gaudi::Movement", "getMovement">,
    InterfaceMethod<"Records the engine.", "void", "setEngine", (ins "gaudi::Engine":$engine)>,
  ];
  let verify = [{ return gaudi::verifyPlacement($_op); }];
}

def Gaudi_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "gaudi";
  let description = "Work of an op, for reports and the device-time model.";
  let methods = [
    InterfaceMethod<[{
      Floating-point or integer operations; a multiply-add counts 2.
    }], "int64_t", "getArithmeticOps">,
    InterfaceMethod<[{
      Bytes read and written when every operand and result is touched once.
    }], "int64_t", "getBytes", (ins), [{}], [{
      return gaudi::bytesOfOperandsAndResults($_op);
    }]>,
    InterfaceMethod<[{
      The commands that the op becomes, as work of the device-time model; none
      for constants and views. `operandOf` says how a tensor lies in memory.
      By default that of a library kernel, or of the kernel that the op builds.
    }], "gaudi::WorkList", "getWork",
      (ins "gaudi::OperandOf":$operandOf), [{}], [{
      return gaudi::workOfVectorOp($_op, operandOf);
    }]>,
  ];
}

def Gaudi_ReindexOpInterface : OpInterface<"ReindexOpInterface"> {
  let cppNamespace = "gaudi";
  let description = [{
    An op whose results hold the bits of one operand's elements at other
    positions: a reshape, slice, split, broadcast, transpose or bitcast.
  }];
  let methods = [
    InterfaceMethod<"The operand that the elements of the result come from.",
      "::mlir::Value", "getViewSource", (ins "::mlir::OpResult":$result), [{}], [{
      return $_op->getOperand(0);
    }]>,
    InterfaceMethod<[{
      From the position of an element in the result to its position in the
      source, one entry per dimension of the source. Nothing if the elements
      keep their row-major order instead (a reshape).
    }], "gaudi::IndexMap", "getIndexMap", (ins "::mlir::OpResult":$result)>,
  ];
}

def Gaudi_ViewOpInterface : OpInterface<"ViewOpInterface", [Gaudi_ReindexOpInterface]> {
  let cppNamespace = "gaudi";
  let description = [{
    An op whose results may be windows on an operand's bytes. A result for
    which the strides cannot express the view needs a copy.
  }];
  let methods = [
    InterfaceMethod<[{
      The layout of the result when the source has the given one, or nothing
      when no offset and strides describe it.
    }], "std::optional<gaudi::StridedLayout>", "getViewLayout",
      (ins "::mlir::OpResult":$result, "const gaudi::StridedLayout &":$source), [{}], [{
      return gaudi::layoutThrough(*$_op.getIndexMap(result), source,
          ::llvm::cast<::mlir::RankedTensorType>(result.getType()).getRank());
    }]>,
  ];
}

def Gaudi_IndexedOpInterface : OpInterface<"IndexedOpInterface"> {
  let cppNamespace = "gaudi";
  let description = [{
    An op that reads or writes elements at run-time indices. An index outside
    the indexed dimension stops the launch with an error.
  }];
  let methods = [
    InterfaceMethod<"The operand with the indices.",
      "::mlir::OpOperand &", "getIndicesMutable">,
    InterfaceMethod<"Size of the indexed dimension; indices must be in [0, size).",
      "int64_t", "getIndexedSize">,
  ];
}

def Gaudi_LayoutOpInterface : OpInterface<"LayoutOpInterface"> {
  let cppNamespace = "gaudi";
  let description = [{
    In which orders an op can read its operands and write its results, and what
    changes in the op. Tensors are numbered: the operands, then the results. An
    op without this interface reads and writes tensors as they are written. The
    models are in lib/Dialect/Layouts, one place for all ops.
  }];
  let methods = [
    InterfaceMethod<[{
      True if each tensor of the op takes an order for itself (a matrix product
      reads through strides, a kernel through its accesses). Else one tensor's
      order decides those of all others.
    }], "bool", "hasIndependentOrders", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
      The orders of all tensors if tensor number `tensor` is stored in `order`
      and the op computes the same elements with no more than other attributes;
      nothing if it cannot. With independent orders the others are those that
      go best with it: native ones, and those of tensors tied to this one.
    }], "std::optional<gaudi::Orders>", "getOrdersWith",
      (ins "unsigned":$tensor, "::llvm::ArrayRef<int64_t>":$order)>,
    InterfaceMethod<[{
      True if the op has a form for these orders, one per tensor. By default
      those that follow from the order of one of them.
    }], "bool", "acceptsOrders", (ins "const gaudi::Orders &":$orders), [{}], [{
      return gaudi::followFromOne(::llvm::cast<LayoutOpInterface>($_op.getOperation()), orders);
    }]>,
    InterfaceMethod<[{
      Makes the op one of stored tensors: its operands have been replaced by
      tensors in `orders`, which the op accepts; sets attributes and the types
      of the results.
    }], "void", "applyOrders", (ins "const gaudi::Orders &":$orders)>,
    InterfaceMethod<[{
      An order in which the engine needs the tensor, if there is one that the op
      as it is may not have: candidates for the placement.
    }], "gaudi::Order", "getNativeOrder", (ins "unsigned":$tensor), [{}], [{
      return {};
    }]>,
  ];
}

def Gaudi_PaddingOpInterface : OpInterface<"PaddingOpInterface"> {
  let cppNamespace = "gaudi";
  let description = "How an op absorbs explicit padding of an operand.";
  let methods = [
    InterfaceMethod<[{
      True if the op can pad the operand by `low` and `high` elements per
      dimension, as if they had the value `value`.
    }], "bool", "canAbsorbPadding",
      (ins "::mlir::OpOperand &":$operand, "::llvm::ArrayRef<int64_t>":$low,
           "::llvm::ArrayRef<int64_t>":$high, "::mlir::TypedAttr":$value)>,
    InterfaceMethod<[{
      Adds `low` and `high` to the op's own padding. Only after
      canAbsorbPadding; the caller replaces the operand.
    }], "void", "absorbPadding",
      (ins "::mlir::OpOperand &":$operand, "::llvm::ArrayRef<int64_t>":$low,
           "::llvm::ArrayRef<int64_t>":$high)>,
    InterfaceMethod<[{
      The operand whose elements the op multiplies with the padded ones. An
      infinity or NaN in it turns an explicit zero into NaN; padding adds
      nothing. Null if the op multiplies nothing.
    }], "::mlir::Value", "getPaddingFactor",
      (ins "::mlir::OpOperand &":$operand), [{}], [{ return {}; }]>,
  ];
}

def Gaudi_KernelBodyOpInterface : OpInterface<"KernelBodyOpInterface"> {
  let cppNamespace = "gaudi";
  let description = "An op that a TPC kernel can compute.";
  let methods = [
    InterfaceMethod<[{
      Creates the gaudi.tpc.kernel that computes the op, with the same operands
      and result types. Fails with an error on the op when the kernel form
      cannot express it.
    }], "::mlir::FailureOr<::mlir::Operation *>", "buildKernel",
      (ins "::mlir::OpBuilder &":$builder)>,
  ];
}

def Gaudi_ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "gaudi";
  let description = [{
    An op computed element by element; operands have the rank of the result
    and each dimension is the result's or 1 (broadcast).
  }];
  let methods = [
    InterfaceMethod<[{
      Emits the scalar computation: one value per operand (floats as f32) to
      the value to store.
    }], "::mlir::Value", "buildScalar",
      (ins "gaudi::ScalarBuilder &":$s, "::mlir::ValueRange":$in)>,
  ];
}

def Gaudi_LibraryKernelOpInterface : OpInterface<"LibraryKernelOpInterface"> {
  let cppNamespace = "gaudi";
  let description = "An op that runs as a named library kernel of the TPC.";
  let methods = [
    InterfaceMethod<"Name of the kernel (docs/recipe-format.md lists them).",
      "::llvm::StringRef", "getLibraryName">,
    InterfaceMethod<"Integer parameters, in the kernel's order.",
      "::llvm::SmallVector<int64_t>", "getLibraryInts">,
  ];
}

#endif // GAUDI_DIALECT_INTERFACES_TD
