// The pass convert-linalg-to-gaudi.
#include "Gaudi/Conversion/Inlining.h"
#include "Gaudi/Conversion/Passes.h"
#include "Nest.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_CONVERTLINALGTOGAUDI
#include "Gaudi/Conversion/Passes.h.inc"
} // namespace mlir::gaudi

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

namespace {
class ConvertLinalgToGaudi
    : public mlir::gaudi::impl::ConvertLinalgToGaudiBase<ConvertLinalgToGaudi> {
public:
  using ConvertLinalgToGaudiBase::ConvertLinalgToGaudiBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertLinalgToGaudiBase::getDependentDialects(registry);
    func::registerInlinerExtension(registry);
  }
  void runOnOperation() override;

private:
  void convertFunction(func::FuncOp func, Conversion &c);
  void convertOp(Operation *op, Conversion &c);
  void convertStructured(linalg::LinalgOp op, Conversion &c);
  void finishFunction(func::FuncOp func, Conversion &c);
};
} // namespace

void ConvertLinalgToGaudi::convertStructured(linalg::LinalgOp op,
                                             Conversion &c) {
  // An assertion in the body that could not be dropped.
  for (Operation &inner : *op.getBlock())
    if (c.report.contains(&inner))
      return;
  Nest nest(op);
  using Raise = Raised (*)(Conversion &, Nest &, std::string &);
  // In the order in which a match says most about the op.
  constexpr Raise raises[] = {raiseConvolution, raisePooling, raiseContraction,
                              raiseReduction,   raiseGather,  raiseElementwise};
  std::string why;
  for (Raise raise : raises) {
    std::string reason;
    Operation *before = op->getPrevNode();
    if (Raised values = raise(c, nest, reason)) {
      Operation *made = values->front().getDefiningOp();
      bool isNew = made && made->getBlock() == op->getBlock() &&
                   (!before || before->isBeforeInBlock(made));
      remarkPassed(op, isNew
                           ? "raised to " + made->getName().getStringRef().str()
                           : "forwarded: it copies its operand");
      c.rewriter.replaceOp(op, *values);
      ++numRaised;
      return;
    }
    // Leaves of an attempt that did not succeed.
    while (op->getPrevNode() != before && isOpTriviallyDead(op->getPrevNode()))
      c.rewriter.eraseOp(op->getPrevNode());
    c.rewriter.setInsertionPoint(op);
    if (why.empty())
      why = reason;
  }
  std::string failure;
  Raised values = convertToKernel(c, nest, failure);
  if (!values) {
    (void)c.report.add(op, failure);
    return;
  }
  remarkMissed(op, "generic kernel: " + why);
  c.rewriter.replaceOp(op, *values);
  ++numKernels;
}

/// Why an op of a dialect that the pass does not know stays.
static std::string noConversion(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return "it calls '@" + call.getCallee().str() +
           "', which cannot be inlined (no body, or recursive)";
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "tosa")
    return "no conversion from dialect 'tosa' here; run "
           "--convert-tosa-to-gaudi first";
  if (dialect == "linalg" || dialect == "tensor" || dialect == "arith" ||
      dialect == "math")
    return "the device has no form of it";
  return "no conversion from dialect '" + dialect.str() + "'";
}

void ConvertLinalgToGaudi::convertOp(Operation *op, Conversion &c) {
  if (isa_and_nonnull<GaudiDialect>(op->getDialect()) ||
      isa<func::ReturnOp, tensor::EmptyOp, tensor::ExtractOp>(op) ||
      c.report.contains(op))
    return;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (!isa<TensorType>(constant.getType()) || constant->use_empty())
      return;
  c.rewriter.setInsertionPoint(op);
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured && !isTensorOp(op)) {
    (void)c.report.add(op, noConversion(op));
    return;
  }
  if (std::string why = whyUnsupported(op); !why.empty()) {
    (void)c.report.add(op, why);
    return;
  }
  if (structured)
    return convertStructured(structured, c);
  std::string why;
  Raised values = convertTensorOp(c, op, why);
  if (!values)
    (void)c.report.add(op, "it " + why);
  else if (!values->empty())
    c.rewriter.replaceOp(op, *values);
}

void ConvertLinalgToGaudi::finishFunction(func::FuncOp func, Conversion &c) {
  Block &block = func.getBody().front();
  auto eraseDead = [&] {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op) && !c.report.contains(&op))
        op.erase();
  };
  eraseDead();
  if (!c.report.empty())
    return;
  auto empties = llvm::to_vector(block.getOps<tensor::EmptyOp>());
  for (tensor::EmptyOp empty : empties) {
    c.rewriter.setInsertionPoint(empty);
    c.rewriter.replaceOp(empty, definedContents(c, empty, empty));
  }
  if (!empties.empty())
    eraseDead();
  func.setType(FunctionType::get(func.getContext(), block.getArgumentTypes(),
                                 block.getTerminator()->getOperandTypes()));
}

void ConvertLinalgToGaudi::convertFunction(func::FuncOp func, Conversion &c) {
  if (func.isExternal()) {
    (void)c.report.add(func, "it has no body");
    return;
  }
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    if (std::string why = whyUnsupported(type); !why.empty()) {
      (void)c.report.add(func, "argument " + llvm::Twine(i) + " " + why);
      break;
    }
  for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
    if (std::string why = whyUnsupported(type); !why.empty()) {
      (void)c.report.add(func, "result " + llvm::Twine(i) + " " + why);
      break;
    }
  if (!func.getBody().hasOneBlock()) {
    (void)c.report.add(
        func, "it has " + llvm::Twine(func.getBody().getBlocks().size()) +
                  " blocks; branches have no place in a graph "
                  "(use arith.select)");
    return;
  }
  SmallVector<Operation *> ops;
  for (Operation &op : func.getBody().front())
    ops.push_back(&op);
  for (Operation *op : ops)
    convertOp(op, c);
  finishFunction(func, c);
}

void ConvertLinalgToGaudi::runOnOperation() {
  ModuleOp module = getOperation();
  if (isConverted(module))
    return markAllAnalysesPreserved();
  ConversionReport report;
  IRRewriter rewriter(&getContext());
  Conversion c{rewriter, report};
  auto inlineCalls = [&]() -> LogicalResult {
    if (failed(checkInlinedSize(module)))
      return failure();
    OpPassManager pipeline(ModuleOp::getOperationName());
    pipeline.addPass(createInlinerPass());
    return runPipeline(pipeline, module);
  };
  if (failed(prepare(module, report, inlineCalls)))
    return signalPassFailure();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (auto func = dyn_cast<func::FuncOp>(op))
      convertFunction(func, c);
    else
      (void)report.add(&op, noConversion(&op));
  if (failed(report.emit()))
    signalPassFailure();
}
