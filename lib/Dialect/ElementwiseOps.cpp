// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions and registration of the ops of ElementwiseOps.h, and which of
// all elementwise ops a scalar op is.
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Dialect/KernelLanguage.h"
#include "Gaudi/Dialect/ScalarBuilder.h"
#include "Gaudi/Timing/Work.h"

using namespace mlir;
using namespace gaudi;
using gaudi::kernel::Opcode;
using gaudi::kernel::OpFamily;

#define GET_OP_CLASSES
#include "Gaudi/Dialect/ElementwiseOps.cpp.inc"

void GaudiDialect::addElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "Gaudi/Dialect/ElementwiseOps.cpp.inc"
      >();
}

namespace {
/// What a column of Opcodes.def says where a row has no op.
struct NONE;

template <typename Op> std::optional<OperationName> nameIn(MLIRContext *c) {
  if constexpr (std::is_same_v<Op, NONE>)
    return std::nullopt;
  else
    return OperationName(Op::getOperationName(), c);
}
} // namespace

std::optional<OperationName> gaudi::elementwiseOpOf(Operation *scalar) {
  std::optional<Opcode> opcode = opcodeOf(scalar->getName());
  if (!opcode)
    return std::nullopt;
  MLIRContext *context = scalar->getContext();
  const Type type = scalar->getResult(0).getType();
  // Of i1 there is logic only.
  if (type.isInteger(1) && familyOf(*opcode) != OpFamily::Logic2)
    return std::nullopt;
  const bool isFloat = isa<FloatType>(type);
  switch (*opcode) {
#define GAUDI_OPCODE(name, family, cost, mlirOp, hostFunction, floatOp, intOp) \
  case Opcode::name:                                                           \
    return isFloat ? nameIn<floatOp>(context) : nameIn<intOp>(context);
#include "Gaudi/Kernel/Opcodes.def"
  }
  llvm_unreachable("every opcode has a row");
}
