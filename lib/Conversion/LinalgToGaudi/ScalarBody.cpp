// Scalar bodies: values, constants, casts and reads of whole tensors.
#include "ScalarBody.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

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

void fromlinalg::collectTensors(Value scalar, Block *body,
                                llvm::SetVector<Value> &tensors) {
  Operation *op = scalar.getDefiningOp();
  if (!op || op->getBlock() == body)
    return;
  auto extract = dyn_cast<tensor::ExtractOp>(op);
  if (!extract)
    return;
  tensors.insert(extract.getTensor());
  for (Value index : extract.getIndices())
    collectTensors(index, body, tensors);
}

void fromlinalg::collectTensors(Block *body, llvm::SetVector<Value> &tensors) {
  for (Operation &op : *body) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      tensors.insert(extract.getTensor());
    for (Value operand : op.getOperands())
      if (!isa<TensorType>(operand.getType()))
        collectTensors(operand, body, tensors);
  }
}

static std::string spelled(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

Value ScalarBody::get(Value source) {
  if (Value known = values.lookup(source))
    return known;
  if (!scalarTypeOf(source.getType()))
    return fail("the body computes in '" + spelled(source.getType()) +
                "', which the device does not have");
  Value result;
  if (auto constant = constantOf(source))
    result = emitConstant(*constant, source.getType());
  else // arguments of the body are declared by map()
    result =
        emit(source.getDefiningOp(), cast<OpResult>(source).getResultNumber());
  if (result)
    values[source] = result;
  return result;
}

Value ScalarBody::emitConstant(Attribute attr, Type type) {
  if (auto number = dyn_cast<FloatAttr>(attr)) {
    APFloat value = number.getValue();
    bool losesInfo = false;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return arith::ConstantOp::create(
        k.getBuilder(), k.getLoc(),
        FloatAttr::get(k.getBuilder().getF32Type(), value));
  }
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

Value ScalarBody::roundTo(Value in, Type narrow) {
  if (narrow.isF32())
    return in;
  OpBuilder &b = k.getBuilder();
  Value rounded = arith::TruncFOp::create(b, k.getLoc(), narrow, in);
  return arith::ExtFOp::create(b, k.getLoc(), b.getF32Type(), rounded);
}

Value ScalarBody::emitCast(Operation *op, Value in) {
  OpBuilder &b = k.getBuilder();
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  Type target = scalarTypeOf(to);
  if (isa<arith::ExtFOp>(op))
    return in;
  if (auto narrow = dyn_cast<arith::TruncFOp>(op)) {
    auto mode = narrow.getRoundingmode();
    if (mode && *mode != arith::RoundingMode::to_nearest_even)
      return fail("'arith.truncf' rounds " +
                  arith::stringifyRoundingMode(*mode) +
                  "; the device rounds to nearest even");
    // The store of a result rounds by itself.
    bool onlyStored = llvm::all_of(op->getUsers(), [](Operation *user) {
      return isa<linalg::YieldOp>(user);
    });
    return onlyStored ? in : roundTo(in, to);
  }
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    return resize(in, target, /*isSigned=*/true);
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    return resize(in, target, /*isSigned=*/false);
  if (isa<arith::TruncIOp>(op))
    return resize(in, target, /*isSigned=*/true);
  if (isa<arith::SIToFPOp>(op))
    return arith::SIToFPOp::create(b, k.getLoc(), b.getF32Type(), in);
  if (isa<arith::UIToFPOp>(op))
    return arith::UIToFPOp::create(b, k.getLoc(), b.getF32Type(), in);
  if (isa<arith::FPToSIOp>(op))
    return arith::FPToSIOp::create(b, k.getLoc(), target, in);
  if (isa<arith::FPToUIOp>(op))
    return arith::FPToUIOp::create(b, k.getLoc(), target, in);
  // Bits.
  Type i32 = b.getI32Type();
  if (from == to || (!isa<FloatType>(from) && !isa<FloatType>(to)))
    return in;
  if (from.isF32() || to.isF32())
    return arith::BitcastOp::create(b, k.getLoc(), target, in);
  Value sixteen = k.intConstant(16, i32);
  if (from.isBF16()) {
    Value wide =
        arith::BitcastOp::create(b, k.getLoc(), i32, roundTo(in, from));
    wide = arith::ShRUIOp::create(b, k.getLoc(), wide, sixteen);
    return resize(wide, target, /*isSigned=*/false);
  }
  if (to.isBF16()) {
    Value wide = resize(in, i32, /*isSigned=*/false);
    wide = arith::ShLIOp::create(b, k.getLoc(), wide, sixteen);
    return arith::BitcastOp::create(b, k.getLoc(), b.getF32Type(), wide);
  }
  return fail("the body reinterprets the bits of '" + spelled(from) + "' as '" +
              spelled(to) + "'; expected f32 or bf16");
}

Value ScalarBody::emitExtract(tensor::ExtractOp op) {
  auto type = cast<RankedTensorType>(op.getTensor().getType());
  SmallVector<AffineExpr> position;
  SmallVector<int64_t> dynamic;
  SmallVector<Value> indices;
  SmallVector<Boundary> rules;
  for (auto [i, index] : llvm::enumerate(op.getIndices())) {
    APInt constant;
    if (matchPattern(index, m_ConstantInt(&constant)) &&
        constant.getSExtValue() >= 0 &&
        constant.getSExtValue() < type.getDimSize(i)) {
      position.push_back(k.cst(constant.getSExtValue()));
      rules.push_back(Boundary::Inside);
      continue;
    }
    Value at = get(index);
    if (!at)
      return {};
    position.push_back(k.cst(0));
    dynamic.push_back(i);
    indices.push_back(at);
    rules.push_back(Boundary::Checked);
  }
  unsigned number = numberOf(op.getTensor());
  return dynamic.empty() ? k.load(number, position)
                         : k.loadAt(number, position, dynamic, indices, rules);
}

Value ScalarBody::emit(Operation *op, unsigned result) {
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return indexOf(index.getDim());
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return emitExtract(extract);
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
          arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp,
          arith::FPToUIOp, arith::IndexCastOp, arith::IndexCastUIOp,
          arith::BitcastOp>(op)) {
    Value in = get(op->getOperand(0));
    return in ? emitCast(op, in) : Value();
  }
  return emitClone(op, result);
}
