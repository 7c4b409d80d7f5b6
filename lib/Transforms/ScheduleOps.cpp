// Moves matrix ops next to the kernels that read them, and gives every output a
// buffer of its own.
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::gaudi {
#define GEN_PASS_DEF_SCHEDULEOPS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
struct ScheduleOps : impl::ScheduleOpsBase<ScheduleOps> {
  void runOnOperation() override {
    const ::gaudi::device::DeviceSpec *spec = deviceOf(getOperation());
    if (!spec)
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      for (Block &block : function.getBody()) {
        SmallVector<Operation *> matrixOps;
        for (Operation &op : block)
          if (auto engine = dyn_cast<EngineOpInterface>(op);
              engine && engine.getEngine() == Engine::MME)
            matrixOps.push_back(&op);
        for (Operation *op : matrixOps)
          moveToReader(op);
        if (auto exit = dyn_cast<func::ReturnOp>(block.getTerminator()))
          separateOutputs(exit, *spec);
      }
    }
  }

  /// Bytes of the results; the largest number if one has no static shape.
  static int64_t resultBytes(Operation &op) {
    int64_t bytes = 0;
    for (Type type : op.getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !tensor.hasStaticShape())
        return INT64_MAX;
      bytes += tensor.getNumElements() * elementBytes(tensor.getElementType());
    }
    return bytes;
  }

  /// Moves a matrix op past small kernels (a per-channel scale, say) to the
  /// kernel that reads the product, which can then start on the first tiles of
  /// the product while the matrix engine computes the others. The move is right
  /// because no op between them reads the product or a view of it: those that
  /// do are in `group` and move along. At most `farthest` ops are looked at, so
  /// that the pass is linear in the number of ops.
  static void moveToReader(Operation *matrix) {
    constexpr unsigned farthest = 16; // ops
    // A kernel that writes as much as this is worth a tile schedule of its own.
    constexpr int64_t smallBytes = 64 << 10;
    auto name = remark::RemarkOpts::name("move-matrix-op")
                    .category("gaudi-schedule-ops");
    SmallVector<Operation *> group = {matrix}; // and views of the product
    unsigned crossed = 0, distance = 0;
    for (Operation *next = matrix->getNextNode(); next && distance < farthest;
         next = next->getNextNode(), ++distance) {
      bool reads = llvm::any_of(next->getOperands(), [&](Value operand) {
        return llvm::is_contained(group, operand.getDefiningOp());
      });
      if (reads && isa<ViewOpInterface>(next)) {
        group.push_back(next);
        continue;
      }
      if (reads) {
        // Without a kernel between them the two are adjacent already.
        if (crossed == 0 || !isa<KernelOp>(next))
          return;
        for (Operation *op : group)
          op->moveBefore(next);
        remark::passed(matrix->getLoc(), name)
            << remark::add("moved past {0} small kernels to the kernel that "
                           "reads the product, which can work tile by tile",
                           crossed);
        return;
      }
      bool isSmall = isa<ConstantOp, ViewOpInterface>(next) ||
                     (isa<KernelOp>(next) && resultBytes(*next) <= smallBytes);
      if (!isSmall) {
        remark::missed(matrix->getLoc(), name)
            << remark::reason("not moved: '{0}' before the first reader of the "
                              "product is not a small kernel",
                              next->getName().getStringRef());
        return;
      }
      crossed += isa<KernelOp>(next);
    }
    if (distance == farthest)
      remark::missed(matrix->getLoc(), name)
          << remark::reason("not moved: none of the {0} ops after it reads the "
                            "product",
                            farthest);
  }

  /// Why a returned value has no buffer of its own; empty if it has.
  static StringRef reasonToCopy(Value value,
                                const SmallPtrSetImpl<Value> &returned) {
    if (returned.contains(value))
      return "it is returned twice";
    Operation *def = value.getDefiningOp();
    if (!def)
      return "it is an argument";
    if (isa<ConstantOp>(def))
      return "it is a constant";
    if (isa<ViewOpInterface>(def))
      return "it is a view of another tensor";
    return "";
  }

  void separateOutputs(func::ReturnOp exit,
                       const ::gaudi::device::DeviceSpec &spec) {
    SmallPtrSet<Value, 8> returned;
    OpBuilder builder(exit);
    for (OpOperand &operand : exit->getOpOperands()) {
      Value value = operand.get();
      if (!isa<RankedTensorType>(value.getType()))
        continue; // gaudi-verify-phase reports it
      StringRef reason = reasonToCopy(value, returned);
      if (!reason.empty()) {
        auto copy =
            CopyOp::create(builder, value.getLoc(), value.getType(), value);
        Type element = getElementTypeOrSelf(value);
        cast<PlaceableOpInterface>(copy.getOperation())
            .setEngine(engineFor(spec, Movement::Copy, element));
        operand.set(copy);
        remark::analysis(value.getLoc(), remark::RemarkOpts::name("copy-output")
                                             .category("gaudi-schedule-ops"))
            << remark::reason("copied output {0}: {1}",
                              operand.getOperandNumber(), reason);
      }
      returned.insert(operand.get());
    }
  }
};
} // namespace
} // namespace mlir::gaudi
