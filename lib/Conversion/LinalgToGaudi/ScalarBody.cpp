// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar bodies: values, constants, casts and reads of whole tensors.
//
// A kernel computes every float in f32, so widening emits nothing and a
// rounding to a narrow type is a truncf and an extf. Rounding twice to one type
// is rounding once: what is only stored needs no rounding of its own.
#include "ScalarBody.h"
#include "../Common/Elements.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

Type fromlinalg::scalarTypeOf(Type type) {
  MLIRContext *context = type.getContext();
  if (type.isIndex())
    return IntegerType::get(context, 64);
  if (isa<FloatType>(type) && isDeviceElement(type))
    return Float32Type::get(context);
  if (auto integer = dyn_cast<IntegerType>(type))
    if (llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth()))
      return IntegerType::get(context, integer.getWidth());
  return {};
}

/// The tensors that `root` is read from, through indices that are themselves
/// read. A worklist, since such chains are as long as the program.
static void collectFrom(Value root, Block *body, llvm::DenseSet<Value> &seen,
                        llvm::SetVector<Value> &tensors) {
  SmallVector<Value> pending{root};
  while (!pending.empty()) {
    Value scalar = pending.pop_back_val();
    auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
    if (!extract || extract->getBlock() == body || !seen.insert(scalar).second)
      continue;
    tensors.insert(extract.getTensor());
    llvm::append_range(pending, llvm::reverse(extract.getIndices()));
  }
}

void fromlinalg::collectTensors(Value scalar, Block *body,
                                llvm::SetVector<Value> &tensors) {
  llvm::DenseSet<Value> seen;
  collectFrom(scalar, body, seen, tensors);
}

void fromlinalg::collectTensors(Block *body, llvm::SetVector<Value> &tensors) {
  llvm::DenseSet<Value> seen;
  for (Operation &op : *body) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      tensors.insert(extract.getTensor());
    for (Value operand : op.getOperands())
      if (!isa<TensorType>(operand.getType()))
        collectFrom(operand, body, seen, tensors);
  }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static bool isCast(Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp,
             arith::FPToUIOp, arith::IndexCastOp, arith::IndexCastUIOp,
             arith::BitcastOp>(op);
}

static std::string whyNoCast(Operation *op) {
  if (auto narrow = dyn_cast<arith::TruncFOp>(op)) {
    auto mode = narrow.getRoundingmode();
    if (mode && *mode != arith::RoundingMode::to_nearest_even)
      return "'arith.truncf' rounds " +
             arith::stringifyRoundingMode(*mode).str() +
             "; the device rounds to nearest even";
  }
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  bool isSame = from == to || (!isa<FloatType>(from) && !isa<FloatType>(to));
  auto hasBits = [](Type type) { return type.isF32() || type.isBF16(); };
  if (isa<arith::BitcastOp>(op) && !isSame && !hasBits(from) && !hasBits(to))
    return "the body reinterprets the bits of '" + spelled(from) + "' as '" +
           spelled(to) + "'; expected f32 or bf16";
  return "";
}

static std::string whyNoForm(Operation *op) {
  if (isa<linalg::IndexOp, tensor::ExtractOp>(op))
    return "";
  return isCast(op) ? whyNoCast(op) : whyNoArithmetic(op);
}

/// A known index that is inside its table. One that is outside is left to the
/// bounds check of the load, which stops the launch.
static std::optional<int64_t> constantIndex(tensor::ExtractOp op,
                                            unsigned dim) {
  APInt number;
  if (!matchPattern(op.getIndices()[dim], m_ConstantInt(&number)))
    return std::nullopt;
  int64_t index = number.getSExtValue();
  auto type = tensorType(op.getTensor());
  return index >= 0 && index < type.getDimSize(dim) ? std::optional(index)
                                                    : std::nullopt;
}

/// The scalars that must be emitted before `op`.
static SmallVector<Value> scalarsOf(Operation *op) {
  auto extract = dyn_cast<tensor::ExtractOp>(op);
  if (!extract)
    return llvm::to_vector(op->getOperands());
  SmallVector<Value> indices;
  // Constant indices become part of the load's map.
  for (auto [dim, index] : llvm::enumerate(extract.getIndices()))
    if (!constantIndex(extract, dim))
      indices.push_back(index);
  return indices;
}

LogicalResult ScalarBody::check(Value root, Matcher &m,
                                llvm::DenseSet<Value> &checked) {
  SmallVector<Value> pending{root};
  while (!pending.empty()) {
    Value source = pending.pop_back_val();
    // Arguments of the body are declared by map().
    if (isa<BlockArgument>(source) || !checked.insert(source).second)
      continue;
    if (!scalarTypeOf(source.getType()))
      return m.refuse("the body computes in '" + spelled(source.getType()) +
                      "', " + whyNoElement(source.getType()));
    if (constantOf(source))
      continue;
    Operation *op = source.getDefiningOp();
    if (std::string why = whyNoForm(op); !why.empty())
      return m.refuse(why, op->getLoc(), "computed by this op");
    llvm::append_range(pending, scalarsOf(op));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// Post-order without recursion: bodies are as long as programs. Each visit of
/// a value emits it or pushes one operand, so the time is linear in operands.
Value ScalarBody::get(Value root) {
  SmallVector<Value> pending{root};
  while (!pending.empty()) {
    Value source = pending.back();
    if (values.contains(source)) {
      pending.pop_back();
      continue;
    }
    if (auto constant = constantOf(source)) {
      values[source] = emitConstant(*constant, source.getType());
      continue;
    }
    Operation *op = source.getDefiningOp();
    SmallVector<Value> operands = scalarsOf(op);
    auto missing = llvm::find_if(
        operands, [&](Value operand) { return !values.contains(operand); });
    if (missing != operands.end()) {
      pending.push_back(*missing);
      continue;
    }
    Value value = emit(op, cast<OpResult>(source).getResultNumber());
    values[source] = value;
  }
  return known(root);
}

// Floats wider than f32 were refused, so the conversion is exact.
Value ScalarBody::emitConstant(Attribute attr, Type type) {
  if (auto number = dyn_cast<FloatAttr>(attr))
    return arith::ConstantOp::create(
        k.getBuilder(), k.getLoc(),
        roundedTo(number, k.getBuilder().getF32Type()));
  return arith::ConstantOp::create(
      k.getBuilder(), k.getLoc(),
      IntegerAttr::get(scalarTypeOf(type), cast<IntegerAttr>(attr).getValue()));
}

Value ScalarBody::resize(Value in, Type to, bool isSigned) {
  unsigned from = in.getType().getIntOrFloatBitWidth();
  unsigned width = to.getIntOrFloatBitWidth();
  if (from == width)
    return in;
  OpBuilder &b = k.getBuilder();
  if (from > width)
    return arith::TruncIOp::create(b, k.getLoc(), to, in);
  if (isSigned)
    return arith::ExtSIOp::create(b, k.getLoc(), to, in);
  return arith::ExtUIOp::create(b, k.getLoc(), to, in);
}

Value ScalarBody::emitCast(Operation *op, Value in) {
  OpBuilder &b = k.getBuilder();
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  Type target = scalarTypeOf(to);
  auto rounded = [&](Value value) {
    // The store of a result rounds by itself.
    bool onlyStored = llvm::all_of(op->getUsers(), [](Operation *user) {
      return isa<linalg::YieldOp>(user);
    });
    return onlyStored ? value : k.rounded(value, to);
  };
  if (isa<arith::ExtFOp>(op))
    return in;
  if (isa<arith::TruncFOp>(op))
    return rounded(in);
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return resize(in, target, /*isSigned=*/true);
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    return resize(in, target, /*isSigned=*/false);
  if (isa<arith::TruncIOp>(op))
    return resize(in, target, /*isSigned=*/true);
  if (isa<arith::BitcastOp>(op))
    return emitBitcast(from, to, in);
  // Between integers and floats: the same op on the types of the kernel.
  OperationState state(k.getLoc(), op->getName(), in, target, {});
  Value number = b.create(state)->getResult(0);
  if (!isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return number;
  // Of a rounding that MLIR has folded into the conversion, unless the type has
  // all integers of the operand.
  const bool isExact =
      from.getIntOrFloatBitWidth() <=
      APFloat::semanticsPrecision(cast<FloatType>(to).getFloatSemantics());
  return isExact ? number : rounded(number);
}

/// bf16 is the upper half of an f32, which is what values are computed in.
Value ScalarBody::emitBitcast(Type from, Type to, Value in) {
  OpBuilder &b = k.getBuilder();
  Type i32 = b.getI32Type(), target = scalarTypeOf(to);
  if (from == to || (!isa<FloatType>(from) && !isa<FloatType>(to)))
    return in;
  if (from.isF32() || to.isF32())
    return arith::BitcastOp::create(b, k.getLoc(), target, in);
  Value sixteen = k.intConstant(16, i32);
  if (from.isBF16()) {
    Value wide =
        arith::BitcastOp::create(b, k.getLoc(), i32, k.rounded(in, from));
    wide = arith::ShRUIOp::create(b, k.getLoc(), wide, sixteen);
    return resize(wide, target, /*isSigned=*/false);
  }
  assert(to.isBF16() && "refused by check");
  Value wide = resize(in, i32, /*isSigned=*/false);
  wide = arith::ShLIOp::create(b, k.getLoc(), wide, sixteen);
  return arith::BitcastOp::create(b, k.getLoc(), b.getF32Type(), wide);
}

Value ScalarBody::emitExtract(tensor::ExtractOp op) {
  LoadPosition position;
  for (auto [dim, index] : llvm::enumerate(op.getIndices()))
    if (std::optional<int64_t> constant = constantIndex(op, dim))
      position.add(k.cst(*constant));
    else
      position.add(k, known(index));
  return position.load(k, numberOf(op.getTensor()));
}

Value ScalarBody::emit(Operation *op, unsigned result) {
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return indexOf(index.getDim());
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return emitExtract(extract);
  if (isCast(op))
    return emitCast(op, known(op->getOperand(0)));
  return emitArithmetic(op, result);
}
