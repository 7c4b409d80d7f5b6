// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass convert-linalg-to-gaudi.
#include "ExtOps.h"
#include "Gaudi/Conversion/Inlining.h"
#include "Gaudi/Conversion/Passes.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "InsertChains.h"
#include "Prepare.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace gaudi {
#define GEN_PASS_DEF_CONVERTLINALGTOGAUDI
#include "Gaudi/Conversion/Passes.h.inc"
} // namespace gaudi

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

namespace {
/// One run of the pass.
class Converter {
public:
  explicit Converter(ModuleOp module)
      : module(module), rewriter(module.getContext()) {}

  /// Converts what it can; fails with one error for each op that it cannot.
  LogicalResult run(uint64_t maxExpandedOps,
                    llvm::function_ref<LogicalResult()> inlineCalls);

  unsigned numRaised = 0, numKernels = 0;

private:
  void convertFunction(func::FuncOp func);
  void checkSignature(func::FuncOp func);
  void convertBlock(Block &block);
  void convertOp(Operation *op, const TensorPatterns &patterns);
  void convertStructured(linalg::LinalgOp op);
  void finishFunction(func::FuncOp func);

  ModuleOp module;
  ConversionReport report;
  IRRewriter rewriter;
};

class ConvertLinalgToGaudi
    : public gaudi::impl::ConvertLinalgToGaudiBase<ConvertLinalgToGaudi> {
public:
  using ConvertLinalgToGaudiBase::ConvertLinalgToGaudiBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertLinalgToGaudiBase::getDependentDialects(registry);
    func::registerInlinerExtension(registry);
  }
  void runOnOperation() override;
};
} // namespace

/// True if `value` was made after `before`, the op that came before the
/// converted one.
static bool isNew(Value value, Operation *before, Block *block) {
  Operation *made = value.getDefiningOp();
  return made && made->getBlock() == block &&
         (!before || before->isBeforeInBlock(made));
}

void Converter::convertStructured(linalg::LinalgOp op) {
  // An assertion in the body that could not be dropped.
  for (Operation &inner : *op.getBlock())
    if (report.contains(&inner))
      return;
  Nest nest(op);
  Conversion c{rewriter};
  using Raise = LinalgMatch (*)(Nest &, Matcher &);
  // In the order in which a match says most about the op: a convolution of one
  // tap is a contraction, a contraction with one factor a reduction, and so on.
  // The first reason that is given is of the most specific form.
  constexpr Raise raises[] = {raiseConvolution, raisePooling, raiseContraction,
                              raiseReduction,   raiseGather,  raiseElementwise};
  std::string why;
  for (Raise raise : raises) {
    Matcher matcher(op, report);
    LinalgMatch build = raise(nest, matcher);
    if (failed(build)) {
      if (why.empty())
        why = matcher.getReason();
      continue;
    }
    Operation *before = op->getPrevNode();
    SmallVector<Value> values = (*build)(c);
    Value first = values.front();
    if (isNew(first, before, op->getBlock()))
      remarkPassed(op, "raise",
                   "raised to " +
                       first.getDefiningOp()->getName().getStringRef().str());
    else
      remarkPassed(op, "raise", "forwarded: it copies its operand");
    rewriter.replaceOp(op, values);
    ++numRaised;
    return;
  }
  Matcher matcher(op, report);
  LinalgMatch build = convertToKernel(nest, matcher);
  if (failed(build))
    return matcher.reportTo(report);
  SmallVector<Value> values = (*build)(c);
  // Elementwise bodies are kernels in any case.
  if (nest.hasReduction())
    remarkMissed(op, "raise", "generic kernel: " + why);
  else
    remarkAnalysis(op, "raise", "generic kernel: " + why);
  rewriter.replaceOp(op, values);
  ++numKernels;
}

/// Why an op of a dialect that the pass does not know stays.
static std::string noConversion(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return "it calls '@" + call.getCallee().str() +
           "', which cannot be inlined (no body, or recursive)";
  if (std::string why = whyNotExpanded(op); !why.empty())
    return why;
  Dialect *dialect = op->getDialect();
  if (isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect,
                      arith::ArithDialect, math::MathDialect>(dialect))
    return "the device has no form of it";
  StringRef name = op->getName().getDialectNamespace();
  if (name == "tosa")
    return "no conversion from dialect 'tosa' here; run "
           "--convert-tosa-to-gaudi first";
  return "no conversion from dialect '" + name.str() + "'";
}

static bool isEmpty(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::is_contained(tensor.getShape(), 0);
}

/// The results of an op that computes nothing: a tensor without elements has
/// one value, a nest without iterations leaves its initial values (the sum over
/// no elements), a slice without elements the tensor it is inserted into.
static std::optional<SmallVector<Value>> resultsOfNoWork(OpBuilder &b,
                                                         Operation *op) {
  if (op->getNumResults() == 0)
    return std::nullopt;
  if (llvm::all_of(op->getResultTypes(), isEmpty))
    return llvm::map_to_vector(op->getResults(), [&](Value result) -> Value {
      auto type = tensorType(result);
      if (type.getElementType().isIndex())
        type = type.clone(b.getI64Type());
      return gaudi::ConstantOp::create(
          b, op->getLoc(), DenseElementsAttr::getFromRawBuffer(type, {}));
    });
  if (auto nest = dyn_cast<linalg::LinalgOp>(op))
    if (nest.hasPureTensorSemantics() &&
        llvm::is_contained(nest.getStaticLoopRanges(), 0))
      return llvm::to_vector_of<Value>(nest.getDpsInits());
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    if (isEmpty(insert.getSourceType()))
      return SmallVector<Value>{insert.getDest()};
  return std::nullopt;
}

void Converter::convertOp(Operation *op, const TensorPatterns &patterns) {
  // Converted already, or read by those that are converted later.
  if (isa_and_nonnull<GaudiDialect>(op->getDialect()) ||
      isa<func::ReturnOp, tensor::EmptyOp, tensor::ExtractOp>(op) ||
      report.contains(op))
    return;
  // Scalar constants stay for the bodies that read them.
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (!isa<TensorType>(constant.getType()) || constant->use_empty())
      return;
  rewriter.setInsertionPoint(op);
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  const TensorPatterns::Pattern *pattern = patterns.lookup(op);
  if (!structured && !pattern)
    return (void)report.add(op, noConversion(op));
  if (std::string why = whyUnsupported(op); !why.empty())
    return (void)report.add(op, why);
  // Without elements the op may have sizes that no kernel takes.
  if (auto values = resultsOfNoWork(rewriter, op)) {
    remarkPassed(op, "no-work", "replaced: it has no elements to compute");
    return rewriter.replaceOp(op, *values);
  }
  if (structured)
    return convertStructured(structured);
  // The pattern says why not before anything is built.
  Matcher matcher(op, report);
  LinalgMatch build = (*pattern)(op, matcher);
  if (failed(build))
    return matcher.reportTo(report, "it ");
  Conversion c{rewriter};
  SmallVector<Value> values = (*build)(c);
  if (!values.empty())
    rewriter.replaceOp(op, values);
}

void Converter::finishFunction(func::FuncOp func) {
  Block &block = func.getBody().front();
  auto eraseDead = [&] {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op) && !report.contains(&op))
        op.erase();
  };
  eraseDead();
  if (!report.empty())
    return;
  Conversion c{rewriter};
  auto empties = llvm::to_vector(block.getOps<tensor::EmptyOp>());
  for (tensor::EmptyOp empty : empties) {
    rewriter.setInsertionPoint(empty);
    rewriter.replaceOp(empty, definedContents(c, empty, empty));
  }
  if (!empties.empty())
    eraseDead();
  func.setType(FunctionType::get(func.getContext(), block.getArgumentTypes(),
                                 block.getTerminator()->getOperandTypes()));
}

void Converter::checkSignature(func::FuncOp func) {
  std::string why = whyUnsupported(func.getArgumentTypes(), "argument");
  if (why.empty())
    why = whyUnsupported(func.getResultTypes(), "result");
  if (!why.empty())
    (void)report.add(func, why);
}

void Converter::convertBlock(Block &block) {
  InsertChains chains(block);
  TensorPatterns patterns = getTensorPatterns(chains);
  // Conversions insert ops into the block and erase the op itself.
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  for (Operation *op : ops)
    convertOp(op, patterns);
}

void Converter::convertFunction(func::FuncOp func) {
  if (programOf(func) || func->hasAttr(bucketsAttrName))
    return; // its parts are functions of their own
  if (func.isExternal())
    return (void)report.add(func, "it has no body");
  checkSignature(func);
  if (!func.getBody().hasOneBlock())
    return (void)report.add(
        func, "it has " + llvm::Twine(func.getBody().getBlocks().size()) +
                  " blocks; branches have no place in a graph "
                  "(use arith.select)");
  convertBlock(func.getBody().front());
  finishFunction(func);
}

LogicalResult Converter::run(uint64_t maxExpandedOps,
                             llvm::function_ref<LogicalResult()> inlineCalls) {
  if (failed(prepare(module, report, maxExpandedOps, inlineCalls)))
    return failure();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (auto func = dyn_cast<func::FuncOp>(op))
      convertFunction(func);
    else
      (void)report.add(&op, noConversion(&op));
  return report.emit();
}

void ConvertLinalgToGaudi::runOnOperation() {
  ModuleOp module = getOperation();
  if (isConverted(module))
    return markAllAnalysesPreserved();
  auto inlineCalls = [&]() -> LogicalResult {
    if (failed(checkInlinedSize(module, maxExpandedOps)))
      return failure();
    OpPassManager pipeline(ModuleOp::getOperationName());
    pipeline.addPass(createInlinerPass());
    return runPipeline(pipeline, module);
  };
  Converter converter(module);
  if (failed(converter.run(maxExpandedOps, inlineCalls)))
    signalPassFailure();
  numRaised += converter.numRaised;
  numKernels += converter.numKernels;
}
