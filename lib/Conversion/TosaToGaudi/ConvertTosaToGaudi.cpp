// The pass: converts every TOSA op it can and reports every one it cannot.
#include "Converter.h"
#include "Gaudi/Conversion/Passes.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_CONVERTTOSATOGAUDI
#include "Gaudi/Conversion/Passes.h.inc"
} // namespace mlir::gaudi

using namespace mlir;
using namespace mlir::gaudi;

namespace {

/// What is left to the end: constants, once it is known who still reads them.
struct Deferred {
  SmallVector<tosa::ConstOp> constants;
  SmallVector<Operation *> shapes;
};

struct ConvertTosaToGaudi
    : public gaudi::impl::ConvertTosaToGaudiBase<ConvertTosaToGaudi> {
  void runOnOperation() override;

private:
  /// Replaces one op, or has the reason reported.
  void convert(Operation *op, const TosaHandlers &handlers, TosaConverter &c);
  void convertConstant(tosa::ConstOp op, TosaConverter &c);
  void eraseShape(Operation *op, TosaConverter &c);
};

bool isTosa(Operation *op) {
  return isa_and_nonnull<tosa::TosaDialect>(op->getDialect());
}

} // namespace

void ConvertTosaToGaudi::convert(Operation *op, const TosaHandlers &handlers,
                                 TosaConverter &c) {
  const TosaHandler *handler = handlers.lookup(op);
  if (!handler) {
    (void)c.fail(op, "the op is not supported");
    return;
  }
  c.builder.setInsertionPoint(op);
  Replacement values = (*handler)(op, c);
  if (failed(values))
    return;
  op->replaceAllUsesWith(*values);
  op->erase();
  ++numConverted;
}

/// True if some user of `op` was converted or belongs to another dialect.
/// Users that were refused have their own error.
static bool isNeeded(Operation *op, TosaConverter &c) {
  return llvm::any_of(op->getUsers(),
                      [&](Operation *user) { return !c.hasFailed(user); });
}

void ConvertTosaToGaudi::convertConstant(tosa::ConstOp op, TosaConverter &c) {
  if (op->use_empty()) {
    op->erase();
    return;
  }
  if (!isNeeded(op, c) || failed(c.checkTypes(op)))
    return;
  c.builder.setInsertionPoint(op);
  auto constant =
      gaudi::ConstantOp::create(c.builder, op.getLoc(), op.getValues());
  op->replaceAllUsesWith(constant);
  op->erase();
  ++numConverted;
}

void ConvertTosaToGaudi::eraseShape(Operation *op, TosaConverter &c) {
  if (op->use_empty()) {
    op->erase();
    return;
  }
  for (Operation *user : op->getUsers())
    if (!isTosa(user)) {
      (void)c.fail(op, "a shape is used by '" + user->getName().getStringRef() +
                           "', which has no static form");
      return;
    }
}

void ConvertTosaToGaudi::runOnOperation() {
  static const TosaHandlers handlers;
  ConversionReport report;
  TosaConverter c(&getContext(), report);

  SmallVector<Operation *> ops;
  Deferred deferred;
  getOperation().walk([&](Operation *op) {
    if (!isTosa(op) || isa<tosa::YieldOp>(op))
      return;
    if (auto constant = dyn_cast<tosa::ConstOp>(op))
      deferred.constants.push_back(constant);
    else if (op->hasTrait<OpTrait::tosa::TosaShapeOperator>() ||
             isa<tosa::ConstShapeOp>(op))
      deferred.shapes.push_back(op);
    else
      ops.push_back(op);
  });
  for (Operation *op : ops)
    convert(op, handlers, c);
  for (Operation *op : llvm::reverse(deferred.shapes))
    eraseShape(op, c);
  for (tosa::ConstOp op : deferred.constants)
    convertConstant(op, c);
  numKernels += c.numKernels;
  if (failed(report.emit()))
    signalPassFailure();
}
