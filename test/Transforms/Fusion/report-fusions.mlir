// Counts of the records on a module, and requirements that they meet or fail.
// RUN: gaudi-opt %s --gaudi-report-fusions="require=adamw:1,layer_norm:1,rope:0" \
// RUN:   --remarks-filter=gaudi-report-fusions --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: not gaudi-opt %s --gaudi-report-fusions="require=layer_norm:3,sdpa:12,adamw:1" 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: not gaudi-opt %s --gaudi-report-fusions="require=layer" 2>&1 | FileCheck %s --check-prefix=BAD

// CHECK: remark: [Analysis] candidates {{.*}} | Remark="adamw 1/1 (148 parameters)"
// CHECK: remark: [Analysis] candidates {{.*}} | Remark="layer norm 1/3: 2, the first at model.mlir:3:8: its mean is read elsewhere"
// CHECK-NOT: remark

// FAIL: report-fusions.mlir:20:1: error: require-fusion asks for 3 fused candidates of 'layer_norm' but 1 of 3 candidates are fused
// FAIL: model.mlir:3:8: note: not fused layer norm: its mean is read elsewhere
// FAIL: model.mlir:5:8: note: not fused layer norm: its mean is read elsewhere
// FAIL: error: require-fusion asks for 12 fused candidates of 'sdpa' but 0 of 0 candidates are fused
// FAIL: note: the model has no candidate, or disable-fusion leaves the pass out that looks for them; docs/fusion.md says what a candidate is
// FAIL-NOT: error

// BAD: error: gaudi-report-fusions: require: unknown kind of fusion 'layer'; did you mean 'layer_norm'? expected one of sdpa,

module attributes {gaudi.fusions = [
    {kind = "adamw", fused = true, text = "fused AdamW of 148 parameters", members = 148 : i64},
    {kind = "layer_norm", fused = true, text = "fused layer norm"},
    {kind = "layer_norm", fused = false, text = "not fused layer norm: its mean is read elsewhere",
     loc = loc("model.mlir":3:8)},
    {kind = "layer_norm", fused = false, text = "not fused layer norm: its mean is read elsewhere",
     loc = loc("model.mlir":5:8)}]} {
}
