// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders the ops of a function for a low peak of the workspace, and lets some
// run again where a budget asks for it.
#include "OrderTimes.h"
#include "Recompute.h"

#include "Gaudi/Transforms/MemoryRecord.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace gaudi {
using memory::OrderOptions;
using memory::OrderResult;

namespace {
/// Buffers that an error names.
constexpr size_t mostNamed = 5;

class Orderer {
public:
  Orderer(func::FuncOp function, const device::DeviceSpec &spec,
          uint64_t budget, const LaunchPlayer &player)
      : function(function), time(spec), budget(budget),
        schedule(scheduleGraphOf(function, spec)),
        times(function, schedule, time, player) {}

  LogicalResult run() {
    OrderOptions options;
    options.isAcceptable = [&](std::vector<uint32_t> &order) {
      const bool isFast =
          times.improve(order, memory::profileOf(schedule.graph, order).peak);
      (isFast ? accepted : refused) = times.lastChange();
      return isFast;
    };
    OrderResult result = memory::orderForMemory(schedule.graph, options);
    if (budget != 0 && result.peak > budget) {
      // Memory decides now. Below the budget, the order nearest to the
      // program's is the best one.
      options.isAcceptable = [&](std::vector<uint32_t> &order) {
        times.improve(
            order,
            std::max(budget, memory::profileOf(schedule.graph, order).peak));
        accepted = times.lastChange();
        return true;
      };
      options.enough = budget;
      result = memory::orderForMemory(schedule.graph, options);
    }
    if (result.peak < result.programPeak)
      apply(result);
    if (explains(function))
      explain(result);
    uint64_t peak = result.peak;
    if (budget != 0 && peak > budget)
      peak = recompute();
    if (result.lowestPeak < result.programPeak || budget != 0)
      keepRecord(result, peak);
    return budget != 0 && peak > budget ? refuse() : success();
  }

private:
  /// Applies the order. Another one may place other operands in slices, so the
  /// bytes are counted again; program order returns if it has fewer.
  void apply(OrderResult &result) {
    applyOrder(schedule.nodes, result.order);
    const uint64_t peak = scheduleGraphOf(function, time.spec).profile().peak;
    if (peak > result.programPeak) {
      std::iota(result.order.begin(), result.order.end(), 0u);
      applyOrder(schedule.nodes, result.order);
      result.peak = result.lowestPeak = result.programPeak;
      return;
    }
    result.peak = peak;
    result.lowestPeak = std::min(result.lowestPeak, peak);
    result.lowerBound = std::min(result.lowerBound, peak);
  }

  void explain(const OrderResult &result) {
    auto name = remark::RemarkOpts::name("memory-order")
                    .category("gaudi-schedule-ops")
                    .function(function.getName());
    if (result.peak < result.programPeak) {
      // Ops whose position differs, not the least number of moves.
      uint32_t moved = 0;
      for (uint32_t p = 0; p < result.order.size(); ++p)
        moved += result.order[p] != p;
      remark::passed(function.getLoc(), name) << remark::add(
          "ordered {0} of {1} ops anew for a peak of {2} bytes instead of {3} "
          "(lower bound {4}), {5}",
          moved, result.order.size(), result.peak, result.programPeak,
          result.lowerBound, time.saving(accepted.before - accepted.after));
    }
    // A lower peak was found and refused.
    if (result.lowestPeak < result.peak)
      remark::missed(function.getLoc(), name)
          << remark::reason("not ordered for a peak of {0} bytes instead of "
                            "{1}: engines would "
                            "overlap less, and a launch would take {2}",
                            result.lowestPeak, result.peak,
                            time.change(refused.before, refused.after))
          << lostBytes(int64_t(result.peak - result.lowestPeak));
    else if (result.peak == result.programPeak && result.peak != 0)
      remark::analysis(function.getLoc(), name) << remark::reason(
          "kept program order: its peak of {0} bytes is {1} (lower bound {2})",
          result.peak,
          result.isProven() ? "the lowest of all orders"
                            : "the lowest that was found",
          result.lowerBound);
  }

  /// Gives the peak.
  uint64_t recompute() {
    auto name = remark::RemarkOpts::name("recompute")
                    .category("gaudi-schedule-ops")
                    .function(function.getName());
    for (const Recomputed &again : recomputeWithin(function, time, budget)) {
      StringRef what = again.op->getName().getStringRef();
      entries.push_back({MemoryKind::Recompute, what.str(), again.op->getLoc(),
                         again.freed, again.cost});
      if (explains(function))
        remark::passed(again.op->getLoc(), name) << remark::add(
            "recomputed '{0}' before a later reader ({1} ops run again), "
            "freeing {2} bytes at the peak and adding {3}",
            what, again.ops, again.freed, time.text(again.cost));
    }
    schedule = scheduleGraphOf(function, time.spec);
    return schedule.profile().peak;
  }

  void keepRecord(const OrderResult &result, uint64_t peak) {
    MemoryRecord memory{function.getName().str()};
    memory.peaks.programOrder = int64_t(result.programPeak);
    memory.peaks.order = int64_t(peak);
    // A bound of orders is none of graphs in which ops run twice.
    if (entries.empty())
      memory.peaks.orderBound = int64_t(result.lowerBound);
    if (budget != 0)
      memory.peaks.budget = int64_t(budget);
    memory.entries = std::move(entries);
    record(function->getParentOfType<ModuleOp>(), memory);
  }

  /// Names what is alive at the peak. `schedule` is in the order of the block.
  LogicalResult refuse() {
    const auto profile = schedule.profile();
    const uint32_t at = profile.peakPosition;
    InFlightDiagnostic diag =
        function.emitError()
        << "the workspace needs " << profile.peak << " bytes, "
        << profile.peak - budget << " more than memory-budget=" << budget
        << ", also with the order and the recomputing "
           "that were found best; raise the budget to "
        << profile.peak << " bytes, or make the batch smaller";
    Operation *top = schedule.nodes[at];
    diag.attachNote(top->getLoc())
        << "the peak is at '" << top->getName().getStringRef() << "'";
    // The buffers that are alive at the op with the peak, the largest first.
    SmallVector<uint32_t> alive;
    for (auto [b, buffer] : llvm::enumerate(schedule.graph.buffers))
      if (buffer.ops.front() <= at && at <= buffer.ops.back() &&
          buffer.bytes != 0)
        alive.push_back(uint32_t(b));
    llvm::sort(alive, [&](uint32_t a, uint32_t b) {
      const uint64_t x = schedule.graph.buffers[a].bytes,
                     y = schedule.graph.buffers[b].bytes;
      return x != y ? x > y : a < b;
    });
    for (uint32_t b : ArrayRef(alive).take_front(mostNamed)) {
      Operation *def = schedule.buffers[b].getDefiningOp();
      diag.attachNote(def->getLoc())
          << "the result of '" << def->getName().getStringRef() << "' takes "
          << schedule.graph.buffers[b].bytes << " bytes there";
    }
    return diag;
  }

  func::FuncOp function;
  const DeviceTime time;
  const uint64_t budget; // 0: none
  ScheduleGraph schedule;
  OrderTimes times;
  OrderTimes::Change accepted, refused;
  SmallVector<MemoryRecord::Entry, 0> entries;
};
} // namespace

void applyOrder(ArrayRef<Operation *> ops, ArrayRef<uint32_t> order) {
  assert(!order.empty() && order.back() + 1 == ops.size() &&
         "the return is the last");
  Operation *exit = ops.back();
  const llvm::SmallPtrSet<Operation *, 32> nodes(ops.begin(), ops.end());
  SmallVector<Operation *> views; // in program order
  for (Operation &op : *exit->getBlock())
    if (!isa<ConstantOp>(op) && !nodes.contains(&op))
      views.push_back(&op);
  // Constants stay where they are: before all that is moved.
  llvm::SmallPtrSet<Operation *, 32> placed;
  const auto place = [&](Operation *placing) {
    // Views before the op, those that they are views of first.
    SmallVector<Operation *> open = {placing};
    while (!open.empty()) {
      Operation *op = open.back();
      const size_t count = open.size();
      for (Value operand : op->getOperands())
        if (Operation *def = operand.getDefiningOp();
            def && !isa<ConstantOp>(def) && !nodes.contains(def) &&
            !placed.contains(def))
          open.push_back(def);
      if (open.size() > count)
        continue;
      open.pop_back();
      if (placed.insert(op).second)
        op->moveBefore(exit);
    }
  };
  for (uint32_t node : order.drop_back())
    place(ops[node]);
  for (Operation *view : views)
    if (!placed.contains(view))
      place(view);
}

/// False for what other passes report: values that are no static tensors, and
/// such as would overflow sums of bytes.
static bool hasBytes(TypeRange types) {
  constexpr int64_t most = int64_t(1) << 47;
  return llvm::all_of(types, [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() ||
        !isDeviceElement(tensor.getElementType()))
      return false;
    int64_t bytes = elementBytes(tensor.getElementType());
    for (int64_t size : tensor.getShape())
      if (size != 0 && llvm::MulOverflow(bytes, size, bytes))
        return false;
    return bytes <= most;
  });
}

LogicalResult orderForMemory(func::FuncOp function,
                             const device::DeviceSpec &spec, uint64_t budget,
                             const LaunchPlayer &player) {
  Block &block = function.getBody().front();
  if (!function.getBody().hasOneBlock() ||
      !isa<func::ReturnOp>(block.getTerminator()) ||
      !hasBytes(block.getArgumentTypes()) ||
      !llvm::all_of(block.without_terminator(), [](Operation &op) {
        return isa_and_nonnull<GaudiDialect>(op.getDialect()) &&
               hasBytes(op.getResultTypes());
      }))
    return success();
  return Orderer(function, spec, budget, player).run();
}
} // namespace gaudi
