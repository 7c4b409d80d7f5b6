// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on the memory of a function: the order of its ops and their buffers.
#ifndef GAUDI_TRANSFORMS_MEMORYPASSES_TD
#define GAUDI_TRANSFORMS_MEMORYPASSES_TD

include "mlir/Pass/PassBase.td"

def ScheduleOps : Pass<"gaudi-schedule-ops", "::mlir::ModuleOp"> {
  let summary = "Fixes the order of ops";
  let description = [{
    A matrix op moves past small kernels (at most 64 KiB of results each) to the
    kernel that reads its product (remark `move-matrix-op`), which can then work
    tile by tile, and an op which makes the next value of a state
    (gaudi-mark-state) moves after the last reader of the old value; where the
    new one is needed before that, the late readers move before the op (remark
    `move-update`): it can then write over the old value.

    Then all ops get an order in which the peak of the workspace is low: program
    order, unless another order has a lower peak, and of those the one nearest
    to it that a search finds. Where the search ends within its steps, as it does
    on small graphs, no order has a lower peak. Ops then move for less time, as
    long as the peak stays. The time of a launch may grow by 0.1 % at most;
    otherwise the order is one with a higher peak that keeps to that (remark
    `memory-order` with both peaks, the lower bound of all orders and the time).
    In `gaudi-compile` the time is that of the recipe, played on the engines;
    the pass by itself, and in functions of more than 1,500 ops, estimates it.
    The work is near-linear in the number of ops.

    With a `memory-budget` the peak comes before time: of the orders that keep to
    it, the one nearest to program order. If none does, ops run again before a
    later reader instead of keeping their results over the peak, cheap ones that
    free much first (remark `recompute`, with bytes and time); operands that are
    gone by then are kept, or computed again with them. If the budget still does
    not hold, an error says by how much and names the largest buffers at the
    peak. Offsets are chosen later: gaps between buffers come on top.
  }];
  let options = [
    Option<"memoryOrder", "memory-order", "bool", "true",
           "choose an order with a low peak of the workspace">,
    Option<"memoryBudget", "memory-budget", "uint64_t", "0",
           "bytes of the workspace that may be alive at once; 0: no limit">];
}

def AliasBuffers : Pass<"gaudi-alias-buffers", "::mlir::ModuleOp"> {
  let summary = "Decides which values share a buffer, and makes copies explicit";
  let description = [{
    Scheduled form to memory form, with nothing packed yet: arguments and
    returned values get disjoint ranges of the persistent section, constants of
    the const section, everything else of the workspace. Then, as far as
    possible, values share bytes:

    - The result of a view is a window on its operand (ViewOpInterface). One
      that strides cannot express is copied (remark `view-copied`).
    - An operand of a concatenation is computed in its slice of the result,
      with the result's strides; one that an insertion or a scatter updates, in
      the result's place (remark `slice`). Operands are followed through
      reshapes and bitcasts. Copied are arguments, constants, windows on larger
      tensors, outputs, what is in another slice already, what is read after an
      update has changed it, and what would raise the peak of the workspace: the
      remark names the reason, the reader and the device time.
    - The next value of a state (gaudi-mark-state) is written to the state's own
      buffer if the old value is not read after that. Otherwise it is computed
      in the workspace and a `gaudi.copy` at the end moves it (remark `state`).
      An update of a state changes its buffer in place.
    - A result of a TPC kernel reuses the buffer of an operand at its last use
      if every element is read only by the point that overwrites it (remark
      `in-place`).

    Inserts a `gaudi.copy` where a returned value has no buffer of its own: an
    argument (except a state that does not change), a constant, a view, or a
    value returned twice (remark `copy-output`). The module attribute
    `gaudi.memory` records aliases and copies.

    Results: `gaudi.buffers` on ops (one `#gaudi.buffer` per result),
    `gaudi.buffer` on arguments, section sizes on the function.

    Before: `%y = gaudi.concat %a, %b axis 0 : ...`

    After, where %a has the offset 4096 too and %b 4352:
    `%y = gaudi.concat %a, %b axis 0 {gaudi.buffers = [#gaudi.buffer<workspace, 4096, [16, 1]>]} : ...`
  }];
}

def AssignBuffers : Pass<"gaudi-assign-buffers", "::mlir::ModuleOp"> {
  let summary = "Packs the buffers of the workspace";
  let description = [{
    Runs after gaudi-alias-buffers. A buffer of the workspace is alive from the
    first op that writes to it to the last one that reads it.
    The operands of a matrix op are kept alive for one more op if that is a
    kernel which reads the product in order, so that it can work tile by tile,
    unless that raises the peak (remark `keep-operands`). So is a product by the
    next matrix ops, which need not wait for the kernel that reads it (remark
    `keep-product`). Where the longer lifetimes do not pack as low as the shorter
    ones, the shorter ones hold (remark `keep-lifetimes`).
    Buffers are packed by lifetime (docs/memory.md); an analysis remark (category
    `gaudi-assign-buffers`) gives the peak, the lower bound (most bytes live at
    once) and the largest buffers at the peak.

    Before: `%y = gaudi.mme.gemm %a, %b {gaudi.buffers = [#gaudi.buffer<workspace, 36864, [16, 1]>]} : ...`

    After: `%y = gaudi.mme.gemm %a, %b {gaudi.buffers = [#gaudi.buffer<workspace, 4096, [16, 1]>]} : ...`
  }];
}

#endif // GAUDI_TRANSFORMS_MEMORYPASSES_TD
