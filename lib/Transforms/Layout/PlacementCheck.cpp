// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of device times of a whole function, apart from those of the placement.
#include "PlacementCheck.h"
#include "LayoutProblem.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

PlacementCheck::PlacementCheck(func::FuncOp function, const DeviceTime &time)
    : function(function), time(time) {
  LayoutProblem asked(function, time);
  for (Objective objective : {Objective::Alone, Objective::Fused}) {
    llvm::raw_string_ostream os(problems[unsigned(objective)]);
    asked.print(os, objective);
  }
  before = timeOf();
}

void PlacementCheck::print(const Placement &placement, raw_ostream &os) {
  Picoseconds claimed = 0;
  for (const Region &region : placement.regions)
    claimed += region.before - region.after;
  os << problems[unsigned(placement.objective)] << "placed " << placement.after
     << ' ' << placement.lowerBound << "\ntime " << before << ' ' << timeOf()
     << ' ' << claimed << '\n';
}

/// What replaces the operands of `op` outside the function.
static IRMapping denseOperands(Operation &op, Block &scratch,
                               OpBuilder &builder) {
  IRMapping dense;
  for (Value operand : op.getOperands()) {
    auto constant = joinedFrom(operand).getDefiningOp<ConstantOp>();
    auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                          : SplatElementsAttr();
    if (splat && !isa<TransposeOp>(op))
      dense.map(operand,
                ConstantOp::create(builder, op.getLoc(),
                                   splat.resizeSplat(tensorType(operand))));
    else if (!dense.contains(operand))
      dense.map(operand, scratch.addArgument(operand.getType(), op.getLoc()));
  }
  return dense;
}

Picoseconds PlacementCheck::timeOf() const {
  Block scratch;
  OpBuilder builder(function->getContext());
  builder.setInsertionPointToEnd(&scratch);
  Picoseconds sum = 0;
  // The function is only read.
  for (Operation &op : func::FuncOp(function).front().without_terminator()) {
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      if (isFreeOrder(tensorType(transpose.getOperand()).getShape(),
                      transpose.getPermutation()) ||
          constantTimeOf(joinedFrom(transpose.getResult())))
        continue; // no bytes move, or at compile time
    }
    IRMapping dense = denseOperands(op, scratch, builder);
    sum += time.of(builder.clone(op, dense));
  }
  return sum;
}
