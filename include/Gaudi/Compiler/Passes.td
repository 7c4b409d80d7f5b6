// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the pipeline that need more than one room: the planner of buckets,
// predicted times, several phases.
#ifndef GAUDI_COMPILER_PASSES_TD
#define GAUDI_COMPILER_PASSES_TD

include "mlir/Pass/PassBase.td"

def LiftElided : Pass<"gaudi-lift-elided", "::mlir::ModuleOp"> {
  let summary = "Makes arguments of constants whose data is not in the file";
  let description = [{
    Publishers remove the weights of large models and leave
    `dense_resource<__elided__>`. Each function with a body that nothing calls
    gets an argument for each such constant, in their order, with the names
    `elided0`, `elided1`, ... `gaudi-run --lift-elided` does so before the
    pipeline.

    Before:
    ```mlir
    %w = stablehlo.constant dense_resource<__elided__> : tensor<8x8xf32>
    ```
    After:
    ```mlir
    func.func @main(..., %w: tensor<8x8xf32> {gaudi.name = "elided0"})
    ```
  }];
}

def PlanBuckets : Pass<"gaudi-plan-buckets", "::mlir::ModuleOp"> {
  let summary = "Chooses the buckets of functions with symbols";
  let description = [{
    Runs between gaudi-infer-symbols and gaudi-bucket-shapes. A function with
    `gaudi.symbols` gets the attribute `gaudi.boxes`, the sizes of each bucket
    in ascending order. A function that has it already stays as it is.
    docs/buckets.md describes the strategies and the planner.

    With a histogram the buckets are weighed by what launches take. For
    `cost=device-time` a copy of the function is compiled at its largest sizes,
    derived at a grid of others (gaudi-derive-variants), and a launch of each is
    played; between them times are interpolated. Where it cannot be derived, at
    most nine sizes are compiled.

    Remarks (category `gaudi-plan-buckets`) say what the probes took, how many
    buckets there are, with a histogram how much of what launches take is
    padding, and how much would be with the best buckets. A search for several
    symbols that takes longer than `time-limit` ends with the best buckets so
    far, which the remark says, too: they depend on the speed of the host then.

    Before:
    ```mlir
    func.func @main(...) attributes {gaudi.symbols = [{max = 64 : i64, min = 1 : i64, multiple = 1 : i64, name = "batch"} ]}
    ```
    After, with `strategy=exponential:2`:
    ```mlir
    func.func @main(...) attributes {gaudi.symbols = [...], gaudi.boxes = [array<i64: 8>, array<i64: 64>]}
    ```
  }];
  let options = [
    Option<"strategy", "strategy", "std::string", "\"\"",
           "how many buckets, and where: \"exponential:8\", \"batch=linear:4,seq=explicit:128,512\" "
           "(docs/buckets.md); without it optimal:8 if there is a histogram, else exponential:8">,
    Option<"histogram", "histogram", "std::string", "\"\"",
           "CSV file of the sizes that launches had">,
    Option<"cost", "cost", "std::string", "\"device-time\"",
           "what the buckets save with a histogram: device-time, elements, or a CSV file of "
           "costs by the symbols as plan-buckets --cost takes it">,
    Option<"device", "device", "std::string", "\"gaudi2\"",
           "the device of device-time: gaudi, gaudi2 or gaudi3">,
    Option<"timeLimit", "time-limit", "double", "0",
           "seconds that the choice of boxes of several symbols may take, without "
           "the predictions of device-time; 0: as long as it takes">,
    Option<"pattern", "pattern", "bool", "false",
           "leave all but the largest of more than four buckets to gaudi-derive-variants, and choose its samples">];
}

def DropSymbols : Pass<"gaudi-drop-symbols", "::mlir::ModuleOp"> {
  let summary = "Removes unused private symbols, if there are any";
  let description = [{
    Runs symbol-dce, which walks every attribute of the module, only if the
    module has a symbol that it could remove. Symbols are those of MLIR, such as
    functions, not the sizes that gaudi-infer-symbols finds.

    Before: a private function that nothing calls. After: it is gone.
  }];
}

def LiftBranches : Pass<"gaudi-lift-branches", "::mlir::ModuleOp"> {
  let summary = "Writes branches between blocks as loops and choices";
  let description = [{
    A function of several blocks (`cf`) becomes one of one block, with
    `scf.while` and `scf.if`, by upstream's lift-cf-to-scf. Those are then
    unrolled, run by the host, or become choices, as loops of other sources.
    Values that a path does not define become zero. A remark (category
    `gaudi-lift-branches`) names each function.

    Before: blocks that end in `cf.br` and `cf.cond_br`. After: one block.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

def CheckSamples : Pass<"gaudi-check-samples", "::mlir::ModuleOp"> {
  let summary = "Tells whether the numbers of a function are known functions of sizes";
  let description = [{
    Runs after gaudi-bucket-shapes, in the source dialect. A declaration with
    the attributes `gaudi.missing_boxes` and `gaudi.source_samples` has variants
    of several sizes, the last one of the largest bucket. They must have the
    same ops, and each of their numbers a form `c * m + d` or `a * m + b * n`, with
    m and n products of symbols, that has an integer for all missing boxes. Then the first variants,
    as many as the second attribute says, are erased, and the attribute with
    them: they are sizes such as one right below the largest, whose kernels
    would be others.

    What is rounded up or limited has no such form. Then nothing changes, and a
    remark (category `gaudi-derive-variants`) names the op.

    Before: variants of 63, 1, 32, 56 and 64, and `gaudi.source_samples = 2`.
    After: variants of 32, 56 and 64, without the attribute.
  }];
}

def DeriveVariants : Pass<"gaudi-derive-variants", "::mlir::ModuleOp"> {
  let summary = "Makes the missing variants of functions from a few with kernels";
  let description = [{
    Runs after gaudi-schedule-ops. A declaration with the attribute
    `gaudi.missing_boxes` has at least two variants, the last one of its largest
    bucket; the others are samples. If all have the same ops, each number that
    differs (a size, an index space, a bound, a divisor) has a form `c * m + d`
    or `a * m + b * n`, with m and n products of symbols, that more samples
    confirm than it has unknowns.
    Each of the missing variants becomes a clone of the largest with the numbers
    of its sizes, and the samples are erased. What was decided for the largest
    (fused kernels, orders of tensors and ops) holds for all.

    Where variants differ in more than numbers, or a number has no form, nothing
    changes, and a remark (category `gaudi-derive-variants`) names the op: then
    each variant is compiled from the source.

    Before:
    ```mlir
    func.func private @main(tensor<?x8xf32>) attributes {gaudi.buckets = [@main.0, @main.1, @main.2], gaudi.missing_boxes = [array<i64: 8>], ...}
    func.func @main.0(%x: tensor<32x8xf32>) ... attributes {gaudi.bucket = array<i64: 32>, ...}
    func.func @main.1(%x: tensor<56x8xf32>) ... attributes {gaudi.bucket = array<i64: 56>, ...}
    func.func @main.2(%x: tensor<64x8xf32>) ... attributes {gaudi.bucket = array<i64: 64>, ...}
    ```
    After:
    ```mlir
    func.func private @main(tensor<?x8xf32>) attributes {gaudi.buckets = [@main.0, @main.1], ...}
    func.func @main.0(%x: tensor<8x8xf32>) ... attributes {gaudi.bucket = array<i64: 8>, ...}
    func.func @main.1(%x: tensor<64x8xf32>) ... attributes {gaudi.bucket = array<i64: 64>, ...}
    ```
  }];
}

def EmitRecipe : Pass<"gaudi-emit-recipe", "::mlir::ModuleOp"> {
  let summary = "Writes the compiled module as a recipe file";
  let description = [{
    Takes a module after phase memory of `--gaudi-compile` and writes a recipe
    (docs/recipe-format.md). The file appears whole or not at all. Each variant
    gets its predicted time, that of `gaudi-run --predict`. An analysis remark
    (category `gaudi-emit-recipe`) counts commands per engine, kernels before
    and after equal ones were shared, and bytes per section.

    Before and after: the IR does not change.
  }];
  let options = [Option<"output", "output", "std::string", "\"\"", "file to write">];
}

#endif // GAUDI_COMPILER_PASSES_TD
