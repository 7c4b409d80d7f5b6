// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces padding where it would reach real elements: gaudi-mask-padding.
#include "Gaudi/Dialect/PaddingOps.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Shapes/PaddingPasses.h"
#include "PaddingAnalysis.h"
#include "PaddingEditor.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/Remarks.h"
#include <vector>

namespace gaudi {
#define GEN_PASS_DEF_MASKPADDING
#include "Gaudi/Transforms/PaddingPasses.h.inc"

namespace {
constexpr StringLiteral maskPaddingCategory = "gaudi-mask-padding";

/// An op and what padding does at it.
struct Planned {
  Operation *op;
  OpPadding padding;
};

std::string textOf(TypedAttr value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto number = dyn_cast<FloatAttr>(value)) {
    SmallString<16> digits;
    number.getValue().toString(digits);
    stream << digits;
  } else {
    cast<IntegerAttr>(value).getValue().print(stream, /*isSigned=*/true);
  }
  return text;
}

/// True if a symbol is multiplied by a symbol or number.
bool isProduct(AffineExpr expr) {
  bool found = false;
  expr.walk([&](AffineExpr part) {
    auto product = dyn_cast<AffineBinaryOpExpr>(part);
    if (product && part.getKind() == AffineExprKind::Mul) {
      auto number = dyn_cast<AffineConstantExpr>(product.getRHS());
      found |= !number || number.getValue() > 1;
    }
  });
  return found;
}

/// One variant.
class VariantMasker {
public:
  VariantMasker(func::FuncOp function, const SymbolSizes &sizes,
                const DeviceTime &time)
      : function(function), sizes(sizes), time(time) {}

  LogicalResult run() {
    for (BlockArgument argument : function.getArguments())
      if (!stateOfArgument(argument, sizes))
        return failure();
    // Markers are read by the rule of the op before them.
    if (failed(plan()))
      return failure();
    PaddingEditor editor(function, sizes);
    for (Planned &planned : plans)
      apply(planned, editor);
    function.walk([](Operation *op) { op->removeAttr(paddedIndicesAttrName); });
    return success();
  }

  unsigned masked = 0, edited = 0;

private:
  /// The rules of all ops. Every op without an answer is an error.
  LogicalResult plan() {
    DataFlowConfig config;
    config.setInterprocedural(false);
    DataFlowSolver solver(config);
    solver.load<dataflow::DeadCodeAnalysis>();
    solver.load<PaddingAnalysis>(sizes);
    if (failed(solver.initializeAndRun(function)))
      return failure();
    bool isSafe = true;
    for (Operation &op : function.getBody().front()) {
      SmallVector<const PaddingState *> states;
      for (Value operand : op.getOperands())
        states.push_back(
            &solver.lookupState<PaddingLattice>(operand)->getValue());
      if (op.hasTrait<OpTrait::IsTerminator>()) {
        isSafe &= succeeded(checkResults(&op, states));
        continue;
      }
      OpPadding padding = paddingOf(&op, states, sizes);
      if (!padding.problem.empty()) {
        op.emitOpError("cannot keep padding away from real elements: ")
            << padding.problem;
        // Errors of its readers would follow from this one.
        return failure();
      }
      if (padding.changes() || !padding.harmless.empty())
        plans.push_back({&op, std::move(padding)});
    }
    return success(isSafe);
  }

  /// The real elements of results are those that callers expect.
  LogicalResult checkResults(Operation *end,
                             ArrayRef<const PaddingState *> states) {
    OpPadding compacted;
    for (unsigned number = 0; number < states.size(); ++number) {
      const PaddingState *state = states[number];
      auto attr =
          function.getResultAttrOfType<AffineMapAttr>(number, shapeAttrName);
      auto fail = [&](const Twine &what) {
        InFlightDiagnostic error = end->emitOpError("result ");
        error << number << " " << what;
        if (Operation *producer = end->getOperand(number).getDefiningOp())
          error.attachNote(producer->getLoc()) << "it is computed here";
        return error;
      };
      if (attr && attr.getValue().getNumResults() != state->dims.size())
        return fail("has " + Twine(state->dims.size()) + " dimensions but '" +
                    shapeAttrName + "' has " +
                    Twine(attr.getValue().getNumResults()) + " sizes");
      for (auto [dim, padding] : llvm::enumerate(state->dims)) {
        const AffineExpr real = extentOf(padding, sizes);
        // A dimension that is real as a whole has as many elements as callers
        // ask for.
        const AffineExpr expected = attr ? attr.getValue().getResult(dim)
                                         : sizes.constant(sizeOf(padding));
        // Where nothing is known of a dimension, its elements are those of the
        // program if it has not been collapsed.
        if (!isPadded(padding) && !state->repeatsAt(dim) &&
            !isa<AffineConstantExpr>(sizes.simplify(expected)) &&
            sizes.rangeOf(expected).low < sizeOf(padding) &&
            isProduct(sizes.simplify(expected)))
          return fail("has a dimension " + Twine(dim) + " of " +
                      sizes.text(expected) +
                      " elements, of which it is not known where they are; "
                      "gaudi.valid would say which dimensions it is made of");
        if (isPadded(padding) && !sizes.areEqual(real, expected))
          return fail("has " + sizes.text(real) +
                      " real elements in dimension " + Twine(dim) +
                      " but callers expect " + sizes.text(expected));
        if (!isPrefix(padding))
          compacted.compacts.push_back(
              {number, int64_t(dim), padding, "callers have no padding"});
      }
    }
    if (compacted.changes())
      plans.push_back({end, std::move(compacted)});
    return success();
  }

  void apply(Planned &planned, PaddingEditor &editor) {
    Operation *op = planned.op;
    const OpPadding &padding = planned.padding;
    if (!padding.changes() && explains(op))
      remark::analysis(op->getLoc(),
                       remark::RemarkOpts::name("padding-is-neutral")
                           .category(maskPaddingCategory))
          << remark::reason("not masked: {0}", padding.harmless);
    for (const CompactRequest &request : padding.compacts)
      compact(op, request, editor);
    for (const BoundRequest &request : padding.bounds)
      bound(op, request, editor);
    for (const MaskRequest &request : padding.masks) {
      OpOperand &operand = op->getOpOperand(request.operand);
      OpBuilder builder(op);
      operand.set(
          maskOf(editor, builder, op->getLoc(), operand.get(), request));
      if (explains(op))
        report(op, request, operand.get().getDefiningOp());
      ++masked;
    }
    if (padding.edit) {
      if (explains(op))
        remark::passed(op->getLoc(), remark::RemarkOpts::name("mask-padding")
                                         .category(maskPaddingCategory))
            << remark::add("{0}", padding.editText);
      padding.edit(op, editor);
      ++edited;
    }
  }

  /// One gather serves all that need the real elements of a value first.
  void compact(Operation *op, const CompactRequest &request,
               PaddingEditor &editor) {
    OpOperand &operand = op->getOpOperand(request.operand);
    Value result;
    for (const Compacted &known : compacts[operand.get()])
      if (known.dim == request.dim && known.factors == request.factors)
        result = known.result;
    if (!result) {
      OpBuilder builder(op);
      result = editor.compacted(builder, op->getLoc(), operand.get(),
                                request.dim, request.factors);
      compacts[operand.get()].push_back({request.dim, request.factors, result});
    }
    operand.set(result);
    ++edited;
    if (explains(op))
      remark::passed(op->getLoc(), remark::RemarkOpts::name("compact-padding")
                                       .category(maskPaddingCategory))
          << remark::add(
                 "moved {0} real elements of dimension {1} of operand {2} of "
                 "'{3}' before its padding by a gather, since {4}: {5} bytes, "
                 "{6}",
                 sizes.text(extentOf(request.factors, sizes)), request.dim,
                 request.operand, op->getName().getStringRef(), request.reason,
                 byteCount(result), time.text(time.of(result.getDefiningOp())));
  }

  /// Indices of padding of a table are as wrong as those outside it.
  void bound(Operation *op, const BoundRequest &request,
             PaddingEditor &editor) {
    OpOperand &operand = op->getOpOperand(request.operand);
    OpBuilder builder(op);
    operand.set(editor.bounded(builder, op->getLoc(), operand.get(),
                               request.extent, request.size));
    ++edited;
    if (explains(op))
      remark::passed(op->getLoc(), remark::RemarkOpts::name("bound-indices")
                                       .category(maskPaddingCategory))
          << remark::add("indices of operand {0} of '{1}' from {2} on are "
                         "outside, as in the program",
                         request.operand, op->getName().getStringRef(),
                         sizes.text(request.extent));
  }

  /// A mask of the same value by the same conditions serves all its readers.
  Value maskOf(PaddingEditor &editor, OpBuilder &builder, Location loc,
               Value value, const MaskRequest &request) {
    for (const Mask &mask : masks[value])
      if (mask.request.value == request.value &&
          mask.request.conditions == request.conditions)
        return mask.result;
    const Value result =
        editor.masked(builder, loc, value, request.conditions, request.value);
    masks[value].push_back({request, result});
    return result;
  }

  void report(Operation *op, const MaskRequest &request,
              Operation *mask) const {
    std::string extents;
    for (const Condition &condition : request.conditions)
      extents += (extents.empty() ? "" : ", ") + sizes.text(condition.extent);
    remark::passed(
        op->getLoc(),
        remark::RemarkOpts::name("mask-padding").category(maskPaddingCategory))
        << remark::add("masked operand {0} of '{1}' with {2} past {3}: {4} "
                       "bytes, {5} if it does not fuse",
                       request.operand, op->getName().getStringRef(),
                       textOf(request.value), extents,
                       byteCount(mask->getResult(0)), time.text(time.of(mask)));
  }

  struct Mask {
    MaskRequest request;
    Value result;
  };

  func::FuncOp function;
  const SymbolSizes &sizes;
  const DeviceTime &time;
  std::vector<Planned> plans;
  DenseMap<Value, SmallVector<Mask, 1>> masks;
  struct Compacted {
    int64_t dim;
    DimPadding factors;
    Value result;
  };
  DenseMap<Value, SmallVector<Compacted, 1>> compacts;
};

struct MaskPaddingPass : impl::MaskPaddingBase<MaskPaddingPass> {
  using MaskPaddingBase::MaskPaddingBase;

  void runOnOperation() override {
    bool changed = false;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || !function->hasAttr(bucketAttrName))
        continue;
      const device::DeviceSpec *spec = deviceOf(getOperation(), device);
      FailureOr<SymbolSizes> sizes = SymbolSizes::of(function);
      if (!spec || failed(sizes))
        return signalPassFailure();
      const DeviceTime time(*spec);
      VariantMasker masker(function, *sizes, time);
      if (failed(masker.run()))
        return signalPassFailure();
      masked += masker.masked;
      edited += masker.edited;
      changed = true;
    }
    // No pass after this one knows markers.
    getOperation().walk([&](ValidOp op) {
      op.replaceAllUsesWith(op.getOperand());
      op.erase();
      changed = true;
    });
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace gaudi
