// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes from source dialects to the gaudi dialect.
#ifndef GAUDI_CONVERSION_PASSES_TD
#define GAUDI_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertVariablesToState : Pass<"convert-variables-to-state", "::mlir::ModuleOp"> {
  let summary = "Converts variables of TOSA and globals of ml_program to state";
  let description = [{
    A `tosa.variable` or `ml_program.global` that a function of the module
    writes keeps its value from launch to launch. Each function that uses it gets
    an argument for its value before the launch, with the attributes
    `gaudi.variable` (its name), `gaudi.state` and `gaudi.initial` (its values
    before the first launch; zeros if it has none); a function that writes it
    gets a result for its value after. Both are no part of the signature that
    callers see. Reads and writes take place in program order, which is an order
    that the tokens of the graph forms allow.

    What no function writes becomes a constant: globals that are not mutable, and
    those of models that use them only for training. The declarations are erased.

    Errors: a type that the device has not; values that are not in the file; a
    write inside a loop or branch. Remarks: `variable` (passed).

    Before:
    ```mlir
    ml_program.global private mutable @count(dense<0> : tensor<i64>) : tensor<i64>
    func.func @main(%x: tensor<i64>) -> tensor<i64> {
      %0 = ml_program.global_load @count : tensor<i64>
      %1 = gaudi.tpc.add %0, %x : tensor<i64>, tensor<i64> -> tensor<i64>
      ml_program.global_store @count = %1 : tensor<i64>
      return %0 : tensor<i64>
    }
    ```
    After:
    ```mlir
    func.func @main(%x: tensor<i64>, %count: tensor<i64> {gaudi.initial = dense<0> : tensor<i64>,
        gaudi.state = 1 : i64, gaudi.variable = "count"}) -> (tensor<i64>, tensor<i64>) {
      %1 = gaudi.tpc.add %count, %x : tensor<i64>, tensor<i64> -> tensor<i64>
      return %count, %1 : tensor<i64>, tensor<i64>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"numStates", "variables-to-state", "variables that became state">,
    Statistic<"numConstants", "variables-to-constants", "variables that became constants">,
  ];
}

def ConvertStablehloToGaudi : Pass<"convert-stablehlo-to-gaudi", "::mlir::ModuleOp"> {
  let summary = "Converts StableHLO, MHLO and CHLO ops to the gaudi dialect";
  let description = [{
    Replaces every `stablehlo`, `mhlo` and `chlo` op of the module, read in the
    generic form, by ops of the device. Function signatures and ops of other
    dialects stay as they are. The ops of the three dialects are known by name
    and equal names mean the same.

    Float products and convolutions go to the matrix engine. A convolution with
    a dilated input, or with a filter reversed along all spatial dimensions, is
    the gradient of one with respect to its input; one that groups batches, or
    whose features are stored before its batch, transposes before it left out,
    is that with respect to its filter. They become the gradients of
    gaudi.mme.conv, without a copy of an operand. Integer products, general gathers, windows and reductions by
    a region that the device has no op for become `gaudi.tpc.kernel`. A
    `broadcast_in_dim` becomes `gaudi.broadcast`, which its readers absorb.

    A `while` whose number of iterations has a constant bound is unrolled (to at
    most half of `max-expanded-ops`); where it may end earlier by a condition on data, the
    results of later iterations are not chosen. Every other `while` at the top of
    a function is run by the host, which launches the parts of the function
    before, in and after it: the function becomes a declaration with the
    attribute `gaudi.program`, the parts are functions whose arguments and results
    are those of the function, or variables. Branches of `if` and `case` are
    all evaluated unless the selector is constant. `composite` becomes a call of
    its decomposition, unless it is an attention whose name and attributes say
    that it is `gaudi.sdpa`; so are custom calls of cuDNN's attention.

    Numerics follow the StableHLO specification: start indices of gathers and
    dynamic slices are clamped, updates outside the operand of a scatter are
    left out. Sums of floats are computed in f32 and rounded once, and may be
    reassociated.

    Precondition: static shapes and element types of the device. Each op that
    cannot be converted stays and gets one error with the reason; the pass fails
    after it has looked at all ops. The source is not registered, so that what
    its verifier would have found is reported here.

    Remarks: `raise` (passed: `raised to <op>`, for gradients of convolutions;
    missed: `generic kernel: <why it is not an op of the device>`), `write-out`
    (missed: zeros between the elements of a dilated operand), `unroll-loop`,
    `host-loop` and
    `select-branches`.

    Before:
    ```mlir
    %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<
           lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
           : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    ```
    After:
    ```mlir
    %0 = gaudi.mme.gemm %a, %b : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
    ```
  }];
  let dependentDialects = ["gaudi::GaudiDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::math::MathDialect"];
  let options = [
    Option<"maxExpandedOps", "max-expanded-ops", "uint64_t", "131072",
           "most ops that unrolling loops and inlining calls may add, each">];
  let statistics = [
    Statistic<"numConverted", "ops-converted", "StableHLO ops replaced">,
    Statistic<"numKernels", "generic-kernels", "gaudi.tpc.kernel ops created directly">,
  ];
}

def ConvertTorchToGaudi : Pass<"convert-torch-to-gaudi", "::mlir::ModuleOp"> {
  let summary = "Converts the torch dialect to the gaudi dialect";
  let description = [{
    Replaces every `torch` op of the module by ops of the device. The ops are
    read in the generic form and in torch-mlir's; they are known by the names of
    PyTorch's overloads (Gaudi/Torch/Operators.def), under which
    `torch.operator` calls them, too. Signatures get builtin tensors:
    `!torch.vtensor<[4],si64>` becomes `tensor<4xi64>`. Literals, and globals of
    IREE's `util` dialect, become constants; a global that is a named parameter
    becomes a constant without data, which a file of weights has.

    Shapes and element types are inferred from the arguments, by PyTorch's rules
    of promotion and broadcasting; types that the source gives for results must
    agree, as far as they are known. Numbers and lists must be constants.

    Numerics: what PyTorch computes by one op is rounded once, at its end: ops
    that become several compute in f32. Integers wrap. An index below 0 counts
    from the end; one outside stops the launch.

    Precondition: static shapes of the arguments, and element types of the
    device. Each op that cannot be converted stays and gets one error with the
    reason; the pass fails after it has looked at all ops.

    Before:
    ```mlir
    func.func @main(%x: !torch.vtensor<[2,3],f32>, %y: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> {
      %one = torch.constant.int 1
      %0 = torch.aten.add.Tensor %x, %y, %one : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
      return %0 : !torch.vtensor<[2,3],f32>
    }
    ```
    After:
    ```mlir
    func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
      %0 = gaudi.reshape %y : tensor<3xf32> -> tensor<1x3xf32>
      %1 = gaudi.tpc.add %x, %0 : tensor<2x3xf32>, tensor<1x3xf32> -> tensor<2x3xf32>
      return %1 : tensor<2x3xf32>
    }
    ```
  }];
  let dependentDialects = ["gaudi::GaudiDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::math::MathDialect"];
  let options = [Option<"markSources", "mark-sources", "bool", "false",
      "give each op the attribute gaudi.source_op, which says the op that it came from">];
  let statistics = [
    Statistic<"numConverted", "torch-ops-converted", "torch ops replaced by gaudi ops">,
  ];
}

def ConvertTosaToGaudi : Pass<"convert-tosa-to-gaudi", "::mlir::ModuleOp"> {
  let summary = "Converts TOSA ops to the gaudi dialect";
  let description = [{
    Replaces every `tosa` op of the module by ops of the device. Function
    signatures and ops of other dialects stay as they are, so a module that
    mixes TOSA with linalg or tensor is finished by `convert-linalg-to-gaudi`.

    Float matrix products and convolutions go to the matrix engine. Integer
    ones (with their zero points) become `gaudi.tpc.kernel`, since the matrix
    engine has no integer mode; so do fft, rescale, table and the other ops for
    which the dialect has no op of its own. Zero points, pads, shapes, shifts
    and multipliers must be constants where the kernel form needs them as such;
    constants that have no user left are erased.

    Precondition: valid TOSA 1.0 with static shapes and element types of the
    device. Numerics follow TOSA 1.0: a product is accumulated in f32 (MME) or
    in the integer result type, rounded once to the result type, and the bias is
    added in that type; a bias of zeros is left out. Values of f64 between
    narrower ones are computed in f32, in its rounding and range, unless the
    function compares them, makes whole numbers of them, or has numbers that f32
    cannot hold. A `tosa.while_loop` whose condition folds to constants is
    unrolled (to at most half of `max-expanded-ops`); the host runs every other one at the top of a
    function (see `convert-stablehlo-to-gaudi`). i48 is stored as i64 and i4 as i8, also in
    signatures, by ops that move numbers, compare or multiply them; an op whose
    result depends on the width is refused.

    Each op that cannot be converted stays and gets one error with the reason;
    the pass fails after it has looked at all ops. Remarks: `place-on-mme`
    (missed: an integer product placed on the TPC), `select-branches` (a
    `tosa.cond_if` whose two branches are both evaluated), `unroll-loop`, `host-loop`,
    `demote-f64` and `widen-integers`.

    Before:
    ```mlir
    %b = "tosa.const"() <{values = dense<0.5> : tensor<64xf32>}> : () -> tensor<64xf32>
    %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>,
           pad = array<i64: 3, 3, 3, 3>, stride = array<i64: 2, 2>}
           : (tensor<1x224x224x3xf32>, tensor<64x7x7x3xf32>, tensor<64xf32>, tensor<1xf32>, tensor<1xf32>)
           -> tensor<1x112x112x64xf32>
    ```
    After:
    ```mlir
    %b = gaudi.constant dense<0.5> : tensor<64xf32>
    %0 = gaudi.mme.conv %x, %w layout "NHWC", "OHWI", "NHWC" strides [2, 2] dilations [1, 1]
           pad [3, 3], [3, 3] groups 1
           : tensor<1x224x224x3xf32>, tensor<64x7x7x3xf32> -> tensor<1x112x112x64xf32>
    %1 = gaudi.reshape %b : tensor<64xf32> -> tensor<1x1x1x64xf32>
    %2 = gaudi.tpc.add %0, %1 : tensor<1x112x112x64xf32>, tensor<1x1x1x64xf32> -> tensor<1x112x112x64xf32>
    ```
  }];
  let dependentDialects = ["gaudi::GaudiDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
  let options = [
    Option<"maxExpandedOps", "max-expanded-ops", "uint64_t", "131072",
           "most ops that unrolling loops and inlining calls may add, each">];
  let statistics = [
    Statistic<"numConverted", "tosa-ops-converted", "TOSA ops replaced by gaudi ops">,
    Statistic<"numKernels", "tosa-ops-as-kernel", "TOSA ops that became a generic TPC kernel">,
  ];
}

def ConvertLinalgToGaudi : Pass<"convert-linalg-to-gaudi", "::mlir::ModuleOp"> {
  let summary = "Converts linalg on tensors, and the ops around it, to the gaudi dialect";
  let description = [{
    Replaces every `linalg`, `tensor`, `arith` and `math` op of the module by
    ops of the device. Ops of the gaudi dialect stay, so a module that mixes
    TOSA with linalg is converted by `convert-tosa-to-gaudi` first.

    Preparation: calls are inlined (to at most `max-expanded-ops` more ops) and unused
    private declarations removed;
    canonicalization of these dialects (so that shapes become static);
    constant operands move into the bodies; softmax, pack, unpack, Winograd
    transforms, tensor.generate and elementwise arith on tensors are written as
    loop nests. Scalar arguments, results and arithmetic become tensors of rank
    0; `index` becomes `i64`. An assertion is dropped when it is constant true,
    when the bounds check of the gather it guards is as strict, or when it keeps
    a divisor from being zero, by which the device divides. Comparisons of values
    widened to f64 become comparisons of the values; other f64 between narrower
    values is computed in f32, in its rounding and range, unless it decides
    something (a comparison, a whole number) or has numbers that f32 cannot
    hold. `scf.for` and `scf.while` with constant bounds are unrolled (to
    at most half of `max-expanded-ops`), and other loops at the top of a function are run by the host (see
    `convert-stablehlo-to-gaudi`); both branches of an `scf.if` on data are evaluated and their
    results selected; reads at indices that may be outside get the index 0 where
    their branch is not taken. Operands of concatenations get back sizes that
    were cast away, and those without elements go. A result of a generic that
    does not vary along a parallel dimension becomes a nest of its own.

    Integers of other widths than those of the device (i4, i24, i48) are stored
    in the next wider type, also in signatures; results that leave their width
    wrap, and reads without a sign are masked.

    An op that has no elements to compute is replaced: by a tensor without
    elements, or by the initial values that it would leave as they are.

    A loop nest (named op or `linalg.generic`) is raised by what it computes,
    not by its name: float contractions to `gaudi.mme.gemm`, float
    convolutions to `gaudi.mme.conv`, sliding windows to `gaudi.tpc.pool`,
    reductions to `gaudi.tpc.reduce` and `gaudi.tpc.arg_reduce`, reads of a
    table at a loaded index to `gaudi.tpc.gather`, bodies of one operation to
    the elementwise op, copies to `gaudi.transpose`, `gaudi.broadcast` and
    views. Everything else, and every integer contraction, becomes
    `gaudi.tpc.kernel`.

    The ops that torch-mlir (`tm_tensor`) and IREE (`iree_linalg_ext`) have
    beside linalg are written as such nests and ops: a sum along a dimension as
    `gaudi.tpc.cumulative_sum`, other scans as a loop; a sort by one key as
    `gaudi.tpc.sort` or `gaudi.tpc.top_k`, by another comparator as a merge
    sort; a
    scatter whose region adds or replaces as `gaudi.tpc.scatter_elements`,
    another by visiting all updates; attention as `gaudi.sdpa`, or as two
    products and a softmax if its types, scale or region have no such form.
    Sorts are stable. An index outside stops the launch (`tm_tensor`, where
    negative ones count from the end) or leaves the update out
    (`iree_linalg_ext`).

    Numerics: bodies compute in f32, whatever the float type of the tensors;
    `arith.truncf` rounds. Contractions accumulate in f32; one that starts from
    a value other than zero adds it in f32 and rounds once. Sums may be
    reassociated. With a NaN among the operands of an arg-max pattern
    (maximum and select), the position is that of the first NaN. The undefined
    contents of `tensor.empty` read as zeros.

    Each op that cannot be converted stays and gets one error with the reason;
    the pass fails after it has looked at all ops. Remarks: `raise` (passed:
    `raised to <op>`; missed: `generic kernel: <why it is not a named op>`),
    `expand`, `no-work`, `separate-result`, `widen-integers`, `drop-assert`,
    `demote-f64`, `unroll-loop`, `host-loop`, `select-branches` and `fill-undefined`.

    Before:
    ```mlir
    %e = tensor.empty() : tensor<4x16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%z : tensor<4x16xf32>) -> tensor<4x16xf32>
    ```
    After:
    ```mlir
    %0 = gaudi.mme.gemm %a, %b : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
    ```
  }];
  let dependentDialects = ["gaudi::GaudiDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [
    Option<"maxExpandedOps", "max-expanded-ops", "uint64_t", "131072",
           "most ops that unrolling loops and inlining calls may add, each">];
  let statistics = [
    Statistic<"numRaised", "nests-raised", "loop nests raised to named gaudi ops">,
    Statistic<"numKernels", "nests-as-kernel", "loop nests that became a generic TPC kernel">,
  ];
}

#endif // GAUDI_CONVERSION_PASSES_TD
