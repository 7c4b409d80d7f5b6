// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass: converts every TOSA op it can and reports every one it cannot.
#include "../Common/Demote.h"
#include "../Common/Unroll.h"
#include "Converter.h"
#include "Gaudi/Conversion/Passes.h"

namespace gaudi {
#define GEN_PASS_DEF_CONVERTTOSATOGAUDI
#include "Gaudi/Conversion/Passes.h.inc"
} // namespace gaudi

using namespace mlir;
using namespace gaudi;

namespace {

class Converter {
public:
  Converter(MLIRContext *context, const TosaPatterns &patterns)
      : builder(context), patterns(patterns) {}

  /// Converts what it can; fails with one error for each op that it cannot.
  LogicalResult run(ModuleOp module, uint64_t maxExpandedOps);

  unsigned numConverted = 0;
  TosaBuilder builder;

private:
  /// Replaces one op, or has the reason reported.
  void convert(Operation *op);
  void convertConstant(tosa::ConstOp op);
  void eraseShape(Operation *op);
  /// Shapes among the results of `func` become tensors of i64.
  void returnShapes(func::FuncOp func);
  bool isNeeded(Operation *op);
  void replace(Operation *op, ValueRange values) {
    op->replaceAllUsesWith(values);
    op->erase();
    ++numConverted;
  }

  const TosaPatterns &patterns;
  ConversionReport report;
  ShapeValues shapes;
};

struct ConvertTosaToGaudi
    : public gaudi::impl::ConvertTosaToGaudiBase<ConvertTosaToGaudi> {
  using ConvertTosaToGaudiBase::ConvertTosaToGaudiBase;

  void runOnOperation() override {
    static const TosaPatterns patterns;
    Converter converter(&getContext(), patterns);
    if (failed(converter.run(getOperation(), maxExpandedOps)))
      signalPassFailure();
    numConverted += converter.numConverted;
    numKernels += converter.builder.numKernels;
  }
};

bool isTosa(Operation *op) {
  return isa_and_nonnull<tosa::TosaDialect>(op->getDialect());
}

} // namespace

void Converter::convert(Operation *op) {
  const TosaPatterns::Pattern *pattern = patterns.lookup(op);
  if (!pattern)
    return (void)report.add(op, "the op is not supported");
  TosaMatcher matcher(op, report, shapes);
  TosaMatch build = (*pattern)(op, matcher);
  if (failed(build))
    return matcher.reportTo(report);
  builder.moveTo(op);
  SmallVector<Value> values = (*build)(builder);
  assert(values.size() == op->getNumResults() && "one value per result");
  replace(op, values);
}

/// True if some user of `op` was converted or belongs to another dialect.
/// Users that were refused have their own error.
bool Converter::isNeeded(Operation *op) {
  return llvm::any_of(op->getUsers(),
                      [&](Operation *user) { return !report.contains(user); });
}

void Converter::convertConstant(tosa::ConstOp op) {
  if (op->use_empty())
    return op->erase();
  if (!isNeeded(op))
    return;
  TosaMatcher matcher(op, report, shapes);
  if (failed(matcher.checkTypes()))
    return matcher.reportTo(report);
  builder.moveTo(op);
  Value constant = gaudi::ConstantOp::create(builder, op.getValues());
  replace(op, constant);
}

void Converter::returnShapes(func::FuncOp func) {
  Operation *end = func.isExternal() ? nullptr : func.back().getTerminator();
  if (!isa_and_nonnull<func::ReturnOp>(end) || !func.getBody().hasOneBlock())
    return;
  builder.setInsertionPoint(end);
  for (OpOperand &operand : end->getOpOperands()) {
    if (!isa<tosa::shapeType>(operand.get().getType()))
      continue;
    auto numbers = shapes.lookup(operand.get());
    if (!numbers)
      continue; // refused where it is used
    auto type =
        RankedTensorType::get({int64_t(numbers->size())}, builder.getI64Type());
    operand.set(gaudi::ConstantOp::create(
        builder, operand.get().getLoc(),
        DenseElementsAttr::get(type, ArrayRef<int64_t>(*numbers))));
  }
  func.setFunctionType(FunctionType::get(
      func.getContext(), func.getArgumentTypes(), end->getOperandTypes()));
}

void Converter::eraseShape(Operation *op) {
  if (op->use_empty())
    return op->erase();
  for (Operation *user : op->getUsers())
    if (!isTosa(user))
      return (void)report.add(
          op,
          "a shape is used by '" + user->getName().getStringRef() +
              "', which has no static form",
          ConversionReport::Note{user->getLoc(), "used here"});
}

/// True if `op` scales a scalar, as in the body of another op, which the linalg
/// front end converts.
static bool isScalar(Operation *op) {
  return isa<tosa::ApplyScaleOp>(op) &&
         !isa<ShapedType>(op->getResult(0).getType());
}

/// Values of f64 between narrower ones become f32 in functions whose TOSA ops
/// use f64; those of linalg alone are prepared by its own front end.
static void demoteFunctions(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>()) {
    WalkResult found = func.walk([](Operation *op) {
      return isTosa(op) && touchesDouble(op) ? WalkResult::interrupt()
                                             : WalkResult::advance();
    });
    if (found.wasInterrupted())
      demoteDoubles(func, "convert-tosa-to-gaudi");
  }
}

LogicalResult Converter::run(ModuleOp module, uint64_t maxExpandedOps) {
  // Loops and types first, so that the patterns see straight code in types of
  // the device.
  ExpansionBudget budget(module, maxExpandedOps);
  expandControlFlow(module, report, budget, "convert-tosa-to-gaudi",
                    /*onHost=*/true,
                    [](Operation *op) { return isa<tosa::WhileOp>(op); });
  demoteFunctions(module);
  for (auto func : module.getOps<func::FuncOp>())
    widenIntegers(func, report);
  SmallVector<Operation *> ops, shapeOps;
  SmallVector<tosa::ConstOp> constants;
  module.walk([&](Operation *op) {
    if (!isTosa(op) || isa<tosa::YieldOp>(op) || isScalar(op))
      return;
    if (auto constant = dyn_cast<tosa::ConstOp>(op)) {
      constants.push_back(constant);
    } else if (op->hasTrait<OpTrait::tosa::TosaShapeOperator>() ||
               isa<tosa::ConstShapeOp>(op)) {
      shapes.evaluate(op);
      shapeOps.push_back(op);
    } else {
      ops.push_back(op);
    }
  });
  // Program order: an op finds its operands converted, or refused. Shapes and
  // constants wait until it is known who still reads them.
  for (Operation *op : ops)
    if (!report.contains(op))
      convert(op);
  for (auto func : module.getOps<func::FuncOp>())
    returnShapes(func);
  // Users before what they use.
  for (Operation *op : llvm::reverse(shapeOps))
    eraseShape(op);
  for (tosa::ConstOp op : constants)
    convertConstant(op);
  return report.emit();
}
