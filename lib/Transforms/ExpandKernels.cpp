// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces vector-core ops by their TPC kernels.
#include "Gaudi/Dialect/KernelCopies.h"
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Gaudi/Dialect/TrainingOps.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringMap.h"

namespace gaudi {
#define GEN_PASS_DEF_EXPANDKERNELS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category("gaudi-expand-kernels");
}

struct ExpandKernels : impl::ExpandKernelsBase<ExpandKernels> {
  void runOnOperation() override {
    time.reset();
    // Without a device remarks have no times.
    if (getOperation()->hasAttr(deviceAttrName)) {
      const device::DeviceSpec *spec = deviceOf(getOperation());
      if (!spec)
        return signalPassFailure();
      time.emplace(*spec);
    }
    kernels.clear();
    sums.clear();
    bool failed = false;
    for (Operation *op : collect()) {
      if (hasNothingToCompute(op)) {
        replaceEmpty(op);
        continue;
      }
      if (Value same = unchangedOperand(op)) {
        if (explains(op))
          remark::passed(op->getLoc(), named("replace-empty"))
              << remark::add("replaced '{0}', which updates no elements, by "
                             "its operand",
                             op->getName().getStringRef());
        ++numReplaced;
        op->replaceAllUsesWith(ValueRange(same));
        op->erase();
        continue;
      }
      if (auto lists = dyn_cast<MultiTensorOpInterface>(op)) {
        expand(lists);
        continue;
      }
      auto body = dyn_cast<KernelBodyOpInterface>(op);
      // No kernel form: the op stays what it is, a library kernel.
      if (!body) {
        auto library = cast<LibraryKernelOpInterface>(op);
        if (explains(op))
          remark::analysis(op->getLoc(), named("keep-library-kernel"))
              << remark::reason("not expanded: '{0}' runs as library kernel "
                                "'{1}'{2}, because the kernel form cannot "
                                "express it",
                                op->getName().getStringRef(),
                                library.getLibraryName(), timeOf(op));
        continue;
      }
      OpBuilder builder(op);
      FailureOr<Operation *> kernel = makeKernel(body, builder);
      if (mlir::failed(kernel)) {
        failed = true;
        continue;
      }
      reportKernel(op, *kernel);
      op->replaceAllUsesWith(*kernel);
      op->erase();
      ++numExpanded;
    }
    // Not before all are expanded: the kernels just made may read nothing, too.
    for (KernelOp kernel : kernelsOnNothing())
      failed |= mlir::failed(dropEmptyInputs(kernel));
    if (failed)
      signalPassFailure();
  }

  /// The kernels with an input without elements, which has no bytes to read.
  SmallVector<KernelOp> kernelsOnNothing() {
    SmallVector<KernelOp> found;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto kernel = dyn_cast<KernelOp>(op);
      if (kernel && llvm::any_of(kernel->getOperandTypes(), isEmpty))
        found.push_back(kernel);
      return kernel ? WalkResult::skip() : WalkResult::advance();
    });
    return found;
  }

  /// Drops such inputs. What a load gives for positions in the padding, which
  /// are all, takes its place.
  static LogicalResult dropEmptyInputs(KernelOp kernel) {
    llvm::BitVector dropped(kernel.getBody().getNumArguments());
    OpBuilder builder(kernel);
    for (auto [i, argument] : llvm::enumerate(kernel.getInputArguments())) {
      if (!isEmpty(argument.getType()))
        continue;
      dropped.set(i);
      for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
        auto load = cast<KernelLoadOp>(user);
        TypedAttr pad = load.getPadAttr();
        if (!pad) {
          InFlightDiagnostic error = load.emitOpError("reads ")
                                     << argument.getType()
                                     << ", which has no elements";
          error.attachNote(kernel->getOperand(i).getLoc())
              << "the tensor is defined here";
          return error;
        }
        builder.setInsertionPoint(load);
        load.replaceAllUsesWith(
            arith::ConstantOp::create(builder, load.getLoc(), pad).getResult());
        load.erase();
      }
    }
    // From the last on, as erasing an operand renumbers those after it.
    for (int i = dropped.find_last(); i >= 0; i = dropped.find_prev(i))
      kernel->eraseOperand(unsigned(i));
    kernel.getBody().front().eraseArguments(dropped);
    return success();
  }

  /// The ops that the pass replaces or reports. One walk for all of them: in a
  /// large graph each op visited is a cache miss.
  SmallVector<Operation *> collect() {
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<KernelBodyOpInterface, LibraryKernelOpInterface,
              MultiTensorOpInterface>(op) ||
          hasNothingToCompute(op))
        ops.push_back(op);
      return isa<KernelOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
    return ops;
  }

  /// Builds the kernel of an op, or clones that of an equal op: most ops of a
  /// network have an equal one.
  FailureOr<Operation *> makeKernel(KernelBodyOpInterface op,
                                    OpBuilder &builder) {
    assert(op->getNumRegions() == 0 && "the encoding covers no regions");
    Encoding code;
    encodeAttributes(op, code);
    code.addTypes(op->getOperandTypes());
    code.addTypes(op->getResultTypes());
    KernelOp &known = kernels[code.bytes()];
    if (known) {
      Operation *copy = builder.clone(*known);
      copy->setOperands(op->getOperands());
      relocate(copy, op->getLoc());
      return copy;
    }
    Operation *before = op->getPrevNode();
    FailureOr<Operation *> made = op.buildKernel(builder);
    // A kernel that needs other ops around it is not cloned.
    if (succeeded(made) && (*made)->getPrevNode() == before &&
        llvm::equal((*made)->getOperands(), op->getOperands()))
      known = dyn_cast<KernelOp>(*made);
    return made;
  }

  /// Replaces an op on lists of tensors by kernels for several of them each.
  void expand(MultiTensorOpInterface op) {
    OpBuilder builder(op);
    Operation *before = op->getPrevNode();
    const SmallVector<Value> results = op.buildKernels(builder);
    if (explains(op))
      reportKernels(op,
                    before ? before->getNextNode() : &op->getBlock()->front());
    op->replaceAllUsesWith(results);
    op->erase();
    ++numExpanded;
  }

  /// The kernels of the op are those from `first` on before it. The remark
  /// compares them with a kernel for each operation on each tensor.
  void reportKernels(MultiTensorOpInterface op, Operation *first) {
    // Bytes saved: those of separate kernels, less those that these move.
    unsigned kernels = 0;
    Picoseconds together = 0, apart = 0;
    int64_t bytes = 0, elements = 0;
    for (; first != op.getOperation(); first = first->getNextNode())
      if (isa<KernelOp>(first)) {
        ++kernels;
        bytes -= bytesOfOperandsAndResults(first);
        if (time)
          together += time->of(first);
      }
    for (Value entry : op.getEntries())
      elements += elementCount(entry);
    const int64_t operations =
        elements == 0
            ? 0
            : cast<CostOpInterface>(op.getOperation()).getArithmeticOps() /
                  elements;
    // Alone, an operation reads two tensors and writes a third.
    for (Value entry : op.getEntries()) {
      bytes += 3 * operations * byteCount(entry);
      if (time)
        apart += operations * timeOfSum(entry);
    }
    const std::string times = time ? ", which take " + time->text(together) +
                                         ", " + time->saving(apart - together)
                                   : ", saving";
    remark::passed(op->getLoc(), named("expand")) << remark::add(
        "expanded '{0}' of {1} tensors to {2} kernels{3}{4} {5} bytes of "
        "memory traffic over a kernel for each operation on each tensor",
        op->getName().getStringRef(), op.getEntries().size(), kernels, times,
        time ? " and" : "", bytes);
  }

  /// The time of the sum of two such tensors.
  Picoseconds timeOfSum(Value tensor) {
    Picoseconds &known = sums[tensor.getType()];
    if (known == 0) {
      OpBuilder builder(tensor.getContext());
      Operation *sum = AddOp::create(builder, tensor.getLoc(), tensor.getType(),
                                     tensor, tensor);
      known = time->of(sum);
      sum->destroy();
    }
    return known;
  }

  /// `last` is the kernel, or a view of its result.
  void reportKernel(Operation *op, Operation *last) {
    if (!explains(op))
      return;
    while (isa<ViewOpInterface>(last))
      last = last->getOperand(0).getDefiningOp();
    auto kernel = cast<KernelOp>(last);
    remark::passed(op->getLoc(), named("expand")) << remark::add(
        "expanded '{0}' to a kernel of {1} parallel and {2} sequential "
        "dimensions{3}",
        op->getName().getStringRef(), llvm::count(kernel.getParallel(), true),
        llvm::count(kernel.getParallel(), false), timeOf(kernel));
  }

  /// The time of the op, for remarks, once the module names its device.
  std::string timeOf(Operation *op) const {
    return time ? ", which takes " + time->text(time->of(op)) : "";
  }

  /// True if all results are without elements, or the op is a matrix product
  /// over an empty dimension, which is zero.
  static bool hasNothingToCompute(Operation *op) {
    if (!isa<EngineOpInterface>(op) || isa<ConstantOp>(op))
      return false;
    bool isEmptyProduct =
        isMatrixProduct(op) && llvm::any_of(op->getOperandTypes(), isEmpty);
    return isEmptyProduct || llvm::all_of(op->getResultTypes(), isEmpty);
  }

  /// What an update of no elements leaves as it was; null for other ops.
  static Value unchangedOperand(Operation *op) {
    if (isa<ScatterOp, ScatterRowsOp, ScatterElementsOp>(op) &&
        llvm::any_of(op->getOperandTypes(), isEmpty))
      return op->getOperand(0);
    return {};
  }

  void replaceEmpty(Operation *op) {
    OpBuilder builder(op);
    for (Value result : op->getResults()) {
      auto type = tensorType(result);
      auto value = isEmpty(type)
                       ? DenseElementsAttr::getFromRawBuffer(type, {})
                       : cast<DenseElementsAttr>(builder.getZeroAttr(type));
      result.replaceAllUsesWith(
          ConstantOp::create(builder, op->getLoc(), value));
    }
    if (explains(op))
      remark::passed(op->getLoc(), named("replace-empty"))
          << remark::add("replaced '{0}', which has no elements to compute, by "
                         "a constant",
                         op->getName().getStringRef());
    op->erase();
    ++numReplaced;
  }

  static bool isEmpty(Type type) {
    return llvm::is_contained(cast<RankedTensorType>(type).getShape(), 0);
  }

  std::optional<DeviceTime> time;
  llvm::StringMap<KernelOp> kernels; // by the encoding of the op
  DenseMap<Type, Picoseconds> sums;  // of two tensors, for remarks
};
} // namespace
} // namespace gaudi
