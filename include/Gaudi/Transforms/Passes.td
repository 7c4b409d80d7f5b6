// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on the gaudi dialect, in the order the pipeline runs them.
#ifndef GAUDI_TRANSFORMS_PASSES_TD
#define GAUDI_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

// Of the passes before gaudi-place-ops, which ask the time model already.
defvar Gaudi_DeviceOption = Option<"device", "device", "std::string", "\"gaudi2\"",
    "the device whose time is asked, if the module does not name one: gaudi, gaudi2 or gaudi3">;

// Of the passes that replace many ops by one.
defvar Gaudi_VerifyOption = Option<"verify", "verify", "bool", "false",
    "evaluate what is fused before and after, on random inputs; differences are errors">;

def MarkState : Pass<"gaudi-mark-state", "::mlir::ModuleOp"> {
  let summary = "Marks arguments that keep a value from launch to launch";
  let description = [{
    An argument with the attribute `gaudi.state = i` is state: it has one buffer,
    and result `i`, of the same type, is its value in the next launch. The pass
    checks these attributes and adds them for arguments that JAX donates:
    `tf.aliasing_output = i : i32` names the result; an argument with
    `jax.buffer_donor = true` takes the first result of its type that replaces no
    other argument. So does `mhlo.input_output_alias` of the module, which XLA
    writes, for arguments of `main`: `may_alias` is a donation, and `must_alias`
    one that must be honoured, as `gaudi.donated` is. Where an argument has
    several, `gaudi.state` counts. Donation attributes are removed. `gaudi.donated`, with the number of a result
    or as unit for any of its type, makes the argument state too, and stays as
    unit: gaudi-alias-buffers then accepts no copy. With `gaudi.state` alone, an argument is
    state that the function only reads. Remarks (category `gaudi-mark-state`):
    passed for each argument that is state, missed for a donated one for which
    no result is left, or whose result `gaudi.state` gives to another.

    Before:
    ```mlir
    func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<4xf32>) -> tensor<4xf32>
    ```
    After:
    ```mlir
    func.func @main(%w: tensor<4xf32> {gaudi.state = 0 : i64}, %g: tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
}

def AllowPermutation : Pass<"gaudi-allow-permutation", "::mlir::ModuleOp"> {
  let summary = "Marks arguments and results that may be stored in any order";
  let description = [{
    Sets `gaudi.allow_permutation` on arguments and results of public functions,
    so that `gaudi-place-permutations` chooses the order of their dimensions. A
    name that nothing has is an error, which lists those that there are. So is
    one of what keeps its order: no ranked tensor, a function of which the host
    launches parts or that another one calls, or a state that several functions
    share by its name, since each function chooses orders by itself. The words
    `inputs`, `outputs` and `all` skip these.

    Before: `func.func @main(%x: tensor<1x4x8x8xf32>)`
    After: `func.func @main(%x: tensor<1x4x8x8xf32> {gaudi.allow_permutation})`
  }];
  let options = [Option<"names", "names", "std::string", "\"all\"",
      "names of arguments and results, separated by commas; inputs, outputs or all">];
}

def FuseClipNorm : Pass<"gaudi-fuse-clip-norm", "::mlir::ModuleOp"> {
  let summary = "Finds gradients clipped by their common norm and makes it one op";
  let description = [{
    Tensors that are multiplied by a scale which bounds the root of the sum of
    their squares become the results of one `gaudi.fused_clip_norm`: with a
    minimum, a clamp, a maximum in the divisor or a select of scalars or tensors,
    with eps or without, over squares summed in any order, and norms of norms.
    The norm is a result, too. Runs before `gaudi-fuse-optimizers`.

    Numerics: sums of squares in another order; a norm that is NaN makes all
    clipped gradients NaN, also where a comparison would have chosen a scale of
    1. Remarks (category `gaudi-fuse-clip-norm`): passed with the device time and
    memory traffic saved, missed with what is wrong.

    Before:
    ```mlir
    %q = gaudi.tpc.mul %g, %g : ...
    %s = gaudi.tpc.reduce <sum> %q dims [0, 1] : tensor<4x8xf32> -> tensor<f32>
    %n = gaudi.tpc.sqrt %s : tensor<f32>
    %d = gaudi.tpc.div %max, %n : ...
    %c = gaudi.tpc.min %one, %d : ...
    ... %g times %c
    ```
    After:
    ```mlir
    %c, %norm, %scale = gaudi.fused_clip_norm gradients(%g) max_norm %max {eps = 0.0 : f64} : ...
    ```
  }];
  let options = [Gaudi_DeviceOption];
  let statistics = [Statistic<"numFused", "fused", "clippings that became one op">];
}

def FuseOptimizers : Pass<"gaudi-fuse-optimizers", "::mlir::ModuleOp"> {
  let summary = "Finds the steps of AdamW and SGD and makes each one op";
  let description = [{
    A result that replaces a parameter by a step of AdamW, or of SGD with or
    without momentum, and the results that replace its states become results of
    one `gaudi.fused_adamw` or `gaudi.fused_sgd` for all parameters whose step
    has the same scalars: parameters with and without weight decay give two ops.
    The formula counts, not how it is written: sums and products are compared
    as such, through reshapes, casts, slices, broadcasts and kernels of any front
    end. Scalars (the learning rate and its schedule, the corrections of the
    bias) stay ops on single elements. A gradient that `gaudi.fused_clip_norm`
    clips for the step only is read as it is, with the scale.

    Numerics: the op computes in f32 and rounds once per operation, in its own
    order; roundings of intermediate values to narrower types are left out.
    Results change by a few units in the last place. Remarks (category
    `gaudi-fuse-optimizers`): passed for each op with the device time and the
    memory traffic saved against the ops that it replaces, missed for each kind
    of candidate with what is wrong. docs/fusion.md defines candidates.

    Before:
    ```mlir
    %d = gaudi.tpc.mul %g, %lr : tensor<4x8xf32>, tensor<1x1xf32> -> tensor<4x8xf32>
    %0 = gaudi.tpc.sub %w, %d : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
    ... the same for %v and %h
    ```
    After:
    ```mlir
    %0:2 = gaudi.fused_sgd gradients(%g, %h) parameters(%w, %v) lr %lr : ...
    ```
  }];
  let options = [Gaudi_DeviceOption,
      Option<"adamw", "adamw", "bool", "true", "look for steps of AdamW">,
      Option<"sgd", "sgd", "bool", "true", "look for steps of SGD">];
  let statistics = [Statistic<"numFused", "fused", "steps that became one op">];
}

def FuseSdpa : Pass<"gaudi-fuse-sdpa", "::mlir::ModuleOp"> {
  let summary = "Fuses attention into gaudi.sdpa";
  let description = [{
    Two matrix products with a softmax between them become one `gaudi.sdpa`, which never writes scores
    and probabilities to memory. They are found near their mathematics: what the second product reads
    is computed back, element by element, to the first one, through any order of scales, masks, casts,
    views and reductions (docs/fusion.md). Views around become layouts of the op, repeated keys and
    values are read once, masks that hide later or distant keys become `causal` and `window` where that
    changes no number. With `verify`, all values that a fusion replaces are evaluated before and after it, in several regimes of
    inputs; a difference is an error. Fused only if the time model says that the op takes no longer than both products
    and one kernel between them. Remarks (category `gaudi-fuse-sdpa`): passed with the device time
    saved, missed with the reason; an analysis remark at the op that is the reason.

    Before:
    ```mlir
    %s = gaudi.mme.gemm %q, %k transpose_b : ...
    %e = gaudi.tpc.exp %s : ...
    %l = gaudi.tpc.reduce <sum> %e dims [2] keep_dims : ...
    %p = gaudi.tpc.div %e, %l : ...
    %o = gaudi.mme.gemm %p, %v : ...
    ```
    After: `%o = gaudi.sdpa %q, %k, %v scale 1.0 : ...`
  }];
  let options = [Gaudi_DeviceOption, Gaudi_VerifyOption];
  let statistics = [Statistic<"numFused", "fused", "attentions that became one op">];
}

def AbsorbPadding : Pass<"gaudi-absorb-padding", "::mlir::ModuleOp"> {
  let summary = "Folds explicit padding into ops that pad by themselves";
  let description = [{
    Users of a `gaudi.tpc.pad` that can pad by themselves (PaddingOpInterface: convolutions with zeros,
    max pooling with minus infinity), and kernels, which load any one value where they are outside,
    read its operand instead, if the time model says that they take no
    longer than they and the pad. A pad that stays for another user saves nothing: each user then pads
    only if it takes no longer itself. The result does not change: a constant filter with an infinity or NaN keeps its pad (0 * inf is NaN, but
    padding adds nothing); a filter that is not constant is assumed finite, with a remark. Remarks
    (category `gaudi-absorb-padding`): passed with the device time saved, or missed with the user that
    cannot pad and the time of the pad.

    Before:
    ```mlir
    %p = gaudi.tpc.pad <constant> %x low [0, 1, 1, 0] high [0, 1, 1, 0] value 0.0 : f32
           : tensor<1x8x8x4xf32> -> tensor<1x10x10x4xf32>
    %y = gaudi.mme.conv %p, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1]
           pad [0, 0], [0, 0] groups 1 : tensor<1x10x10x4xf32>, tensor<3x3x4x8xf32> -> tensor<1x8x8x8xf32>
    ```
    After:
    ```mlir
    %y = gaudi.mme.conv %x, %w layout "NHWC", "HWIO", "NHWC" strides [1, 1] dilations [1, 1]
           pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32> -> tensor<1x8x8x8xf32>
    ```
  }];
  let options = [Gaudi_DeviceOption];
  let statistics = [Statistic<"numAbsorbed", "pads-absorbed", "explicit pads folded into their user">];
}

def GroupConvolutions : Pass<"gaudi-group-convolutions", "::mlir::ModuleOp"> {
  let summary = "Makes one convolution in groups of convolutions of slices";
  let description = [{
    Formats without convolutions in groups (TOSA, older exporters) write them as
    slices of the input, a convolution of each, and a concatenation. Neighbouring
    operands of a concatenation along the channels that are convolutions of the
    same form on slices which follow each other become one convolution. Ops
    between the convolutions and the concatenation follow it, if they are the
    same for each part: transposes, and elementwise ops whose other operands are
    one number per channel (bias, batch norm) or shared. Filters that are slices
    of one tensor are read from it and constant ones are joined at compile time;
    others would have to be copied and stay apart. Convolutions of parts may have groups themselves,
    and gradients with respect to the input are treated alike. It is done only if
    the time model says that it takes no longer. Each sum has the same terms in
    the same order. Remarks (category `gaudi-group-convolutions`): passed with
    the device time saved, or missed with the reason.

    Before:
    ```mlir
    %a, %b = gaudi.split %x axis 3 : tensor<1x8x8x64xf32> -> tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>
    %c = gaudi.mme.conv %a, %v ... groups 1 : ... -> tensor<1x8x8x32xf32>
    %d = gaudi.mme.conv %b, %w ... groups 1 : ... -> tensor<1x8x8x32xf32>
    %y = gaudi.concat %c, %d axis 3 : ... -> tensor<1x8x8x64xf32>
    ```
    After: `%y = gaudi.mme.conv %x, %vw ... groups 2 : ... -> tensor<1x8x8x64xf32>`
  }];
  let options = [Gaudi_DeviceOption];
  let statistics = [
    Statistic<"numGrouped", "grouped", "convolutions in groups made">,
    Statistic<"numParts", "parts", "convolutions of slices that they replace">
  ];
}

def FoldGemmBatch : Pass<"gaudi-fold-gemm-batch", "::mlir::ModuleOp"> {
  let summary = "Folds broadcasts of matrices into batched products";
  let description = [{
    A factor of a `gaudi.mme.gemm` that a broadcast repeats along batch
    dimensions is read once: the gemm broadcasts batch dimensions of size 1 at
    no cost. The broadcast may be seen through a reshape, whose dimensions are
    then split in the product (`repeat_kv` of grouped attention), or through a
    transpose, which moves to the small tensor. Where neither factor varies
    along a batch dimension, the product is made once and its result repeated.
    Where one rhs serves the last batch dimensions, they become rows of one
    product (`nn.Linear` on a tensor of rank 4), unless lhs is transposed. Each
    rewrite is made only if the time model says that it takes no longer. Each
    sum has the same terms; their order is that of the larger product. Runs
    before `gaudi-place-permutations`, which lets the gemm read a transposed weight
    that the broadcast kept apart from it. Remarks (category
    `gaudi-fold-gemm-batch`): passed with the device time saved, or missed with
    the reason.

    Before:
    ```mlir
    %w3 = gaudi.broadcast %w dims [1, 2] : tensor<8x16xf32> -> tensor<30x8x16xf32>
    %y = gaudi.mme.gemm %x, %w3 : tensor<30x4x8xf32>, tensor<30x8x16xf32> -> tensor<30x4x16xf32>
    ```
    After:
    ```mlir
    %rows = gaudi.reshape %x : tensor<30x4x8xf32> -> tensor<120x8xf32>
    %p = gaudi.mme.gemm %rows, %w : tensor<120x8xf32>, tensor<8x16xf32> -> tensor<120x16xf32>
    %y = gaudi.reshape %p : tensor<120x16xf32> -> tensor<30x4x16xf32>
    ```
  }];
  let options = [Gaudi_DeviceOption];
  let statistics = [
    Statistic<"numBroadcasts", "broadcasts-folded", "broadcasts read through by a gemm">,
    Statistic<"numFolded", "batches-folded", "gemms whose batch became rows">
  ];
}

def PlacePermutations : Pass<"gaudi-place-permutations", "::mlir::ModuleOp"> {
  let summary = "Stores each tensor in the order of least device time";
  let description = [{
    Chooses for each tensor of a function the order in which its dimensions are
    stored, such that the device time of all ops and of the transposes that
    remain is least. LayoutOpInterface says which orders an op can read and
    write; an op that becomes a kernel takes any order of each tensor, at the
    time that its accesses take. Tensors that transposes connect, and reshapes
    that only move dimensions of size 1, are one tensor in several orders. Where a transpose moves parts of dimensions, reshapes that
    split or merge these move past elementwise ops, kernels and the batch of
    products, as far as the choice uses it.

    The choice is exact where the remark of a region says "optimal for this
    form", which is the function as written: the same model with its transposes
    elsewhere has other candidates. Otherwise the remark names a lower bound
    (docs/permutations.md). Each transpose that the choice needs is made once and
    shared: where the program had it, or before its first reader. One of a
    constant is left for `gaudi-fold-constants`. Arguments and results with the
    attribute `gaudi.allow_permutation` may change their type;
    `gaudi.permutation` then says how they are stored.

    No value changes, except by the order of sums. Remarks: passed for each
    transpose removed, missed for each that remains with the ops that need both
    orders and what would remove it, and an analysis of each region.

    Before:
    ```mlir
    %t = gaudi.transpose %x permutation [0, 2, 3, 1] : tensor<1x4x8x8xf32> -> tensor<1x8x8x4xf32>
    %r = gaudi.tpc.exp %t : tensor<1x8x8x4xf32>
    %y = gaudi.transpose %r permutation [0, 3, 1, 2] : tensor<1x8x8x4xf32> -> tensor<1x4x8x8xf32>
    ```
    After: `%y = gaudi.tpc.exp %x : tensor<1x4x8x8xf32>`
  }];
  let options = [Gaudi_DeviceOption,
      Option<"printProblem", "print-problem", "bool", "false",
          "print what is decided on as text (scripts/placement-judge.py)">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let statistics = [
    Statistic<"numRegions", "regions", "connected parts of functions with transposes">,
    Statistic<"numProven", "proven", "regions for which no placement takes less time">,
    Statistic<"numBefore", "transposes-before", "transposes that move bytes before the pass">,
    Statistic<"numAfter", "transposes-after", "transposes that move bytes after it">,
    Statistic<"numOps", "ops-changed", "ops that read or write another order">,
    Statistic<"numKernels", "kernels", "ops that became kernels to do so">
  ];
}

def FoldConstants : Pass<"gaudi-fold-constants", "::mlir::ModuleOp"> {
  let summary = "Computes small constant subexpressions";
  let description = [{
    Additions, products, quotients, roots, reshapes and broadcasts of float
    constants with at most 65,536 elements become constants, such as the
    per-channel parameters that front ends emit, and so do transposes of
    constants of any type and size, which would move the same bytes in each
    launch. The ops fold themselves; the pass also reads transposes and
    broadcasts, which must not fold before `gaudi-place-permutations` had the
    chance to do without them (`transposes=false`). A broadcast that elementwise
    ops read stays for them, because they need no tensor of its size. Rounding
    is that of the device
    (docs/kernel-semantics.md), so results do not change. A passed remark
    (category `gaudi-fold-constants`) names each op and the device time saved.

    Before:
    ```mlir
    %e = gaudi.tpc.add %variance, %epsilon : tensor<64xf32>, tensor<1xf32> -> tensor<64xf32>
    %r = gaudi.tpc.rsqrt %e : tensor<64xf32>
    ```
    After: `%r = gaudi.constant dense<...> : tensor<64xf32>`
  }];
  let options = [Gaudi_DeviceOption,
      Option<"transposes", "transposes", "bool", "true", "whether transposes of constants are folded">];
  let statistics = [Statistic<"numFolded", "folded", "ops that became constants">];
}

def FoldBatchNorm : Pass<"gaudi-fold-batch-norm", "::mlir::ModuleOp"> {
  let summary = "Folds constant scales per channel into convolution weights";
  let description = [{
    A convolution with constant f32 weights whose result is only scaled and
    shifted per output channel by constants (an inference batch norm in any
    decomposition: sub, mul, div and add, also after a transpose) gets the
    scale folded into its weights; at most one addition per channel remains.
    Numerics: scale and shift are composed in float64, each weight and each
    offset is rounded once to f32; the folded ops no longer round, so results
    change by a few units in the last place of the largest intermediate value.
    Nothing is folded where large offsets cancel or a weight would leave the
    range of f32. Weights of narrow types are not folded, because scaling them
    would round them a second time. Remarks (category `gaudi-fold-batch-norm`):
    passed for each convolution, missed for a scale not folded, with the reason;
    both with the device time.

    Before:
    ```mlir
    %c = gaudi.mme.conv %x, %w ...
    %d = gaudi.tpc.sub %c, %mean : ...
    %s = gaudi.tpc.mul %d, %scale : ...
    %y = gaudi.tpc.add %s, %beta : ...
    ```
    After:
    ```mlir
    %c = gaudi.mme.conv %x, %scaled_w ...
    %y = gaudi.tpc.add %c, %offset : ...
    ```
  }];
  let options = [Gaudi_DeviceOption];
  let statistics = [Statistic<"numFolded", "folded", "scales folded into convolutions">];
}

def PlaceOps : Pass<"gaudi-place-ops", "::mlir::ModuleOp"> {
  let summary = "Places data movement on engines and checks the device's types";
  let description = [{
    Records the device on the module (`gaudi.device`) for the passes after it and
    sets `engine` on every data movement (PlaceableOpInterface) to the engine
    the device's table names: transposes run on the DMA of gaudi and gaudi2 and
    on the MME of gaudi3, for example. An element type that the device, or its
    matrix engine, does not have is an error on the op that uses it, and every
    such op is listed. Analysis remarks (category `gaudi-place-ops`) name the
    engine of each movement and its time there.

    Before: `%t = gaudi.transpose %x permutation [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>`

    After: `%t = gaudi.transpose %x permutation [1, 0] {engine = #gaudi.engine<dma>} : tensor<4x8xf32> -> tensor<8x4xf32>`
  }];
  let options = [Option<"device", "device", "std::string", "\"gaudi2\"",
      "the device: gaudi, gaudi2 or gaudi3">];
}

def ExpandKernels : Pass<"gaudi-expand-kernels", "::mlir::ModuleOp"> {
  let summary = "Replaces vector-core ops by their TPC kernels";
  let description = [{
    Every op that a TPC kernel can compute (KernelBodyOpInterface) becomes a
    `gaudi.tpc.kernel`: index space, accesses and scalar body as data. Rounding
    points do not move: f32 inside, one rounding per store. Library ops (sort,
    scatter, ...) do not change. An op whose results have no elements becomes
    an empty constant, a matrix product over no elements a constant of zeros.
    Remarks (category `gaudi-expand-kernels`): passed for each kernel, missed
    for each library op.

    Before: `%y = gaudi.tpc.exp %x : tensor<4x8xf32>`

    After:
    ```mlir
    %y = gaudi.tpc.kernel label "tpc.exp" (%x) index_space [4, 8] parallel [true, true]
           : (tensor<4x8xf32>) -> tensor<4x8xf32> {
    ^bb0(%in0: tensor<4x8xf32>, %out0: tensor<4x8xf32>):
      %0 = gaudi.kernel.load %in0[d0, d1] : tensor<4x8xf32>
      %1 = math.exp %0 : f32
      gaudi.kernel.store %1, %out0[d0, d1] : tensor<4x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let statistics = [Statistic<"numExpanded", "ops-expanded", "ops replaced by their kernel">,
      Statistic<"numReplaced", "empty-ops", "ops without elements to compute or to write replaced">];
}

def FuseTpc : Pass<"gaudi-fuse-tpc", "::mlir::ModuleOp"> {
  let summary = "Fuses TPC kernels that read each other's results";
  let description = [{
    A kernel that reads what another kernel writes is fused with it where the
    time model says that the fused kernel takes no longer than the two, or that
    it and the one kernel that reads both would take no longer, fused, than the
    three. In the second case the reader may still stay apart, if other fusions
    change it before its turn comes. Loads of a producer's result become the
    producer's computation at the indices that store the element; rounding
    points stay (a store to bf16 that is read again is `arith.truncf` and
    `arith.extf`), so no value changes except by the order of sums. Reshapes
    between kernels are re-indexed. When the values need reductions, the fused
    kernel is a row-wise reduction kernel: the producer's parallel dimensions
    stay parallel, the others become loops inside a point. A live-out result is
    stored by the fused kernel, too, or a copy of its producer is fused where
    that saves time. A concatenation of up to four equal parts that are
    computed from one tensor becomes a kernel that selects a part (a rotary
    position embedding), so that it is fused like others.

    Kernels are named after what they compute, and each candidate for a named
    pattern is recorded, fused or missed (docs/fusion.md defines them).

    Fusion keeps the device's limits (dimensions, tensors per kernel) and closes
    no cycle. Remarks (category `gaudi-fuse-tpc`): passed for each fusion with
    the device time and the bytes saved, missed for each kernel that reads
    another one's result from memory, with the reason.

    Before:
    ```mlir
    %0 = gaudi.tpc.kernel label "tpc.neg" (%x) ... -> tensor<4x8xf32> { load, arith.negf, store }
    %1 = gaudi.tpc.kernel label "tpc.exp" (%0) ... -> tensor<4x8xf32> { load, math.exp, store }
    ```
    After:
    ```mlir
    %1 = gaudi.tpc.kernel label "tpc.neg+exp" (%x) ... -> tensor<4x8xf32> { load, arith.negf, math.exp, store }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let statistics = [Statistic<"numMerges", "merges", "producers fused into a kernel that reads them">,
      Statistic<"numKernels", "kernels-changed", "kernels written anew">,
      Statistic<"numBroadcasts", "broadcasts-absorbed", "kernels that read what was broadcast">,
      Statistic<"numRecognized", "patterns", "named patterns found in kernels">];
}

include "Gaudi/Transforms/MemoryPasses.td"

def ReportFusions : Pass<"gaudi-report-fusions", "::mlir::ModuleOp"> {
  let summary = "Counts the candidates for fusion, and requires numbers of them";
  let description = [{
    Reads the records that fusion passes left (`gaudi.fusions`) and emits one
    analysis remark per kind with candidates, `candidates`, in category
    `gaudi-report-fusions`: "layer norm 24/25: one at model.mlir:3:8: its mean
    is in another kernel". docs/fusion.md defines the candidates of each kind.

    `require=sdpa:12,adamw:1` fails unless exactly that many candidates of each
    named kind are fused. The error names the kind and both numbers; a note at
    each missed candidate has the reason.

    Before and after: the IR does not change.
  }];
  let options = [Option<"require", "require", "std::string", "\"\"",
      "kinds of fusion with the number that must be fused, such as sdpa:12,adamw:1">];
}

def VerifyPhase : Pass<"gaudi-verify-phase", "::mlir::ModuleOp"> {
  let summary = "Checks what a phase of the pipeline promises to the next";
  let description = [{
    `import`: functions of one block, only gaudi ops on static tensors of device
    types; programs (`gaudi.program`) launch parts of their own that come after
    them, and parts take and return what their entry does, or variables.
    `graph`: also, every movement has an engine. `kernels`: also, no op remains
    that a kernel could compute. `schedule`: also, every returned value has a
    buffer of its own. `memory`: also, every value has a buffer within its
    section, and the buffers of values that are alive at once do not overlap
    unless one is a view of the other. Lifetimes are recomputed from uses;
    whether a kernel may overwrite an operand is asked of the same function that
    the planner asks.

    Fails with an error on each op that breaks the promise, naming the phase.

    Before and after: the IR does not change.
  }];
  let options = [Option<"phase", "phase", "std::string", "\"graph\"",
      "the phase that has just run: import, fuse, graph, kernels, schedule or memory">];
}

#endif // GAUDI_TRANSFORMS_PASSES_TD
