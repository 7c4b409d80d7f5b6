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

    A remark (category `gaudi-plan-buckets`) says how many buckets there are,
    and with a histogram how much of what launches take is padding, and how much
    would be with the best buckets.

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
    Option<"pattern", "pattern", "bool", "false",
           "leave all but the largest of more than four buckets to gaudi-derive-variants">];
}

def DropSymbols : Pass<"gaudi-drop-symbols", "::mlir::ModuleOp"> {
  let summary = "Removes unused private symbols, if there are any";
  let description = [{
    Runs symbol-dce, which walks every attribute of the module, only if the
    module has a symbol that it could remove.

    Before: a private function that nothing calls. After: it is gone.
  }];
}

def DeriveVariants : Pass<"gaudi-derive-variants", "::mlir::ModuleOp"> {
  let summary = "Makes the missing variants of functions from one that has kernels";
  let description = [{
    Runs after gaudi-schedule-ops. A declaration with the attribute
    `gaudi.missing_boxes` has one variant, that of its largest bucket. Each of
    the missing ones becomes a clone whose dimensions that depend on a symbol
    have the sizes of its bucket. What was decided for the largest (fused
    kernels, orders of tensors and ops) holds for all.

    Where a dimension cannot be followed nothing changes, and a remark (category
    `gaudi-derive-variants`) names the op: then each variant is compiled from
    the source.

    Before:
    ```mlir
    func.func private @main(tensor<?x8xf32>) attributes {gaudi.buckets = [@main.0], gaudi.missing_boxes = [array<i64: 8>], ...}
    func.func @main.0(%x: tensor<64x8xf32>) ... attributes {gaudi.bucket = array<i64: 64>, ...}
    ```
    After:
    ```mlir
    func.func private @main(tensor<?x8xf32>) attributes {gaudi.buckets = [@main.0, @main.1], ...}
    func.func @main.0(%x: tensor<8x8xf32>) ... attributes {gaudi.bucket = array<i64: 8>, ...}
    func.func @main.1(%x: tensor<64x8xf32>) ... attributes {gaudi.bucket = array<i64: 64>, ...}
    ```
  }];
}

#endif // GAUDI_COMPILER_PASSES_TD
