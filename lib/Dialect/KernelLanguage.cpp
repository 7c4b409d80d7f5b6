// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opcodes, element types and affine forms of MLIR's ops, types and expressions.
#include "Gaudi/Dialect/KernelLanguage.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace gaudi;
using gaudi::kernel::ElementType;
using gaudi::kernel::Opcode;

static_assert(gaudi::kernel::matchesReduceKind<KernelReduce>() &&
                  getMaxEnumValForKernelReduce() + 1 ==
                      gaudi::kernel::reduceKindCount,
              "KernelReduce and ReduceKind differ");

namespace {
/// What a column of Opcodes.def says where a row has no op.
struct NONE;

template <typename Op>
void addRow(llvm::DenseMap<TypeID, Opcode> &table, Opcode opcode) {
  if constexpr (!std::is_same_v<Op, NONE>)
    table.try_emplace(TypeID::get<Op>(), opcode); // the first row of an op
}
} // namespace

std::optional<Opcode> gaudi::opcodeOf(OperationName name) {
  static const llvm::DenseMap<TypeID, Opcode> table = [] {
    llvm::DenseMap<TypeID, Opcode> rows;
#define GAUDI_OPCODE(name, family, cost, mlirOp, ...)                          \
  addRow<mlirOp>(rows, Opcode::name);
#include "Gaudi/Kernel/Opcodes.def"
    return rows;
  }();
  auto row = table.find(name.getTypeID());
  if (row == table.end())
    return std::nullopt;
  return row->second;
}

ElementType gaudi::elementTypeOf(Type type) {
  assert(isDeviceElement(type) && "an element type of the device");
  if (type.isF32())
    return ElementType::F32;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF16())
    return ElementType::F16;
  if (isa<Float8E4M3FNType>(type))
    return ElementType::F8E4M3FN;
  if (isa<Float8E5M2Type>(type))
    return ElementType::F8E5M2;
  const bool isUnsigned = type.isUnsignedInteger();
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return ElementType::I1;
  case 8:
    return isUnsigned ? ElementType::U8 : ElementType::I8;
  case 16:
    return isUnsigned ? ElementType::U16 : ElementType::I16;
  case 32:
    return isUnsigned ? ElementType::U32 : ElementType::I32;
  default:
    return ElementType::I64;
  }
}

/// Adds `factor` times the expression; fails if it is no sum. The form adds up
/// equal dimensions and becomes inexact where a sum does not fit.
static LogicalResult addExpr(AffineExpr expr, int64_t factor, Affine &form) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    form.add(Affine(constant.getValue()), factor);
    return success();
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    if (dim.getPosition() >= Affine::maxDims)
      return failure();
    form.add(dim.getPosition(), factor);
    return success();
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure();
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  if (binary.getKind() == AffineExprKind::Add)
    // As deep as the text nests, which is bounded where text is read.
    return success(succeeded(addExpr(lhs, factor, form)) &&
                   succeeded(addExpr(rhs, factor, form)));
  if (binary.getKind() != AffineExprKind::Mul)
    return failure();
  // Affine expressions keep a constant factor on the right.
  auto constant = dyn_cast<AffineConstantExpr>(rhs);
  int64_t product;
  if (!constant || llvm::MulOverflow(factor, constant.getValue(), product))
    return failure();
  return addExpr(lhs, product, form);
}

FailureOr<Affine> gaudi::affineOf(AffineExpr expr) {
  Affine form;
  if (failed(addExpr(expr, 1, form)) || !form.isExact())
    return failure();
  return form;
}

SmallVector<Affine> gaudi::affineOf(AffineMap map) {
  SmallVector<Affine> forms;
  for (AffineExpr expr : map.getResults()) {
    FailureOr<Affine> form = affineOf(expr);
    assert(succeeded(form) && "the op's verifier takes sums only");
    forms.push_back(std::move(*form));
  }
  return forms;
}

AffineExpr gaudi::exprOf(const Affine &form, ArrayRef<unsigned> newDims,
                         MLIRContext *context) {
  AffineExpr expr = getAffineConstantExpr(0, context);
  for (unsigned d = 0; d < form.size(); ++d)
    if (form[d] != 0)
      expr = expr + getAffineDimExpr(newDims[d], context) * form[d];
  return expr + form.getOffset();
}
