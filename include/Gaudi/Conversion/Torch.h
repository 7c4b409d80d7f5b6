// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect of torch-mlir, and what of IREE's `util` its exporters write
// around it: reading them.
#ifndef GAUDI_CONVERSION_TORCH_H
#define GAUDI_CONVERSION_TORCH_H

#include "Gaudi/Dialect/MLIR.h"
#include "Gaudi/Torch/Operators.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"

#include "Gaudi/Conversion/TorchDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "Gaudi/Conversion/TorchTypes.h.inc"

namespace gaudi {

/// Registers `torch`, `torch_c`, `util` and `stream`. Their ops parse in the
/// generic form and in the forms of torch-mlir's and IREE's printers.
void registerTorchDialects(DialectRegistry &registry);

/// True for ops of torch and torch_c.
bool isTorchOp(Operation *op);

/// "aten.add.Tensor": the op of PyTorch that an op is or, as torch.operator,
/// names.
StringRef torchName(Operation *op);

/// The parameter at which an op of PyTorch takes an operand as a Python number;
/// empty if it takes something else.
StringRef torchNumberName(Operation *op, unsigned operand);

/// What a variant does about an op that has dynamic sizes; Marked for lists and
/// for ops that are not known, which the conversion refuses.
torch::DynamicSizes torchDynamicSizes(Operation *op);

/// The name of an op that has a size of a function with dynamic dimensions, as
/// a number or as a tensor without dimensions: `map` says it over the operands,
/// which are of torch.symbolic_int.
inline constexpr llvm::StringLiteral torchSizeName("gaudi.size");

/// True if the module has a function whose types are of the torch dialect, or
/// that has an op of it.
bool hasTorch(ModuleOp module);

/// Gives functions of the torch dialect builtin types, so that all that follows
/// sees tensors: `!torch.vtensor<[4],si64>` becomes `tensor<4xi64>`. Literals
/// and globals of IREE become arith.constant; a global whose value is a named
/// parameter, a constant without data (`dense_resource<name>`). Fails with a
/// diagnostic at an argument whose shape or element type is unknown. The module
/// must have been verified.
LogicalResult lowerTorchTypes(ModuleOp module);

} // namespace gaudi

#endif // GAUDI_CONVERSION_TORCH_H
