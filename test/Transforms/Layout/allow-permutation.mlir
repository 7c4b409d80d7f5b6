// RUN: gaudi-opt %s --gaudi-allow-permutation | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: gaudi-opt %s --gaudi-allow-permutation --remarks-filter=gaudi-allow-permutation --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: gaudi-opt %s --gaudi-allow-permutation="names=inputs" | FileCheck %s --check-prefixes=CHECK,INPUTS
// RUN: gaudi-opt %s --gaudi-allow-permutation="names=outputs" | FileCheck %s --check-prefixes=CHECK,OUTPUTS
// RUN: gaudi-opt %s --gaudi-allow-permutation="names=x,inputs.y" | FileCheck %s --check-prefixes=CHECK,NAMES
// RUN: gaudi-opt %s --gaudi-allow-permutation="names=image" | FileCheck %s --check-prefixes=CHECK,LOCATION
// RUN: gaudi-opt %s --gaudi-compile="allow-permutation=w stop-after=import" | FileCheck %s --check-prefix=PIPELINE

// REMARK: allow-permutation{{.*}}allowed any order of 4 of 4 arguments and results
// REMARK: allow-permutation{{.*}}allowed any order of 1 of 3 arguments and results
// REMARK: allow-permutation{{.*}}allowed any order of 1 of 1 arguments and results

// CHECK-LABEL: func.func @main
// ALL-SAME: %arg0: tensor<2x4xf32> {gaudi.allow_permutation, gaudi.name = "x"}
// ALL-SAME: %arg1: tensor<2x4xf32> {gaudi.allow_permutation, gaudi.name = "w", gaudi.state = 1 : i64}
// ALL-SAME: -> (tensor<2x4xf32> {gaudi.allow_permutation, gaudi.name = "inputs.y"}, tensor<2x4xf32> {gaudi.allow_permutation})
// INPUTS-SAME: {gaudi.allow_permutation, gaudi.name = "x"}
// INPUTS-SAME: {gaudi.allow_permutation, gaudi.name = "w"
// INPUTS-SAME: -> (tensor<2x4xf32> {gaudi.name = "inputs.y"}, tensor<2x4xf32>)
// OUTPUTS-SAME: {gaudi.name = "x"}
// OUTPUTS-SAME: {gaudi.name = "w"
// OUTPUTS-SAME: -> (tensor<2x4xf32> {gaudi.allow_permutation, gaudi.name = "inputs.y"}, tensor<2x4xf32> {gaudi.allow_permutation})
// NAMES-SAME: {gaudi.allow_permutation, gaudi.name = "x"}
// NAMES-SAME: {gaudi.name = "w"
// NAMES-SAME: -> (tensor<2x4xf32> {gaudi.allow_permutation, gaudi.name = "inputs.y"}, tensor<2x4xf32>)
// PIPELINE-LABEL: func.func @main
// PIPELINE-SAME: {gaudi.name = "x"}
// PIPELINE-SAME: {gaudi.allow_permutation, gaudi.name = "w", gaudi.state = 1 : i64}
func.func @main(%x: tensor<2x4xf32> {gaudi.name = "x"}, %w: tensor<2x4xf32> {gaudi.name = "w", gaudi.state = 1 : i64})
    -> (tensor<2x4xf32> {gaudi.name = "inputs.y"}, tensor<2x4xf32>) {
  %0 = gaudi.tpc.add %x, %w : tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
  return %0, %w : tensor<2x4xf32>, tensor<2x4xf32>
}

// What several functions share keeps its order; a named location is a name.
// CHECK-LABEL: func.func @prefill
// ALL-SAME: %arg0: tensor<2x4xf32> {gaudi.name = "cache", gaudi.state = 0 : i64}
// ALL-SAME: {gaudi.allow_permutation}
// ALL-SAME: -> tensor<2x4xf32> {
// LOCATION-SAME: {gaudi.allow_permutation}
func.func @prefill(%c: tensor<2x4xf32> {gaudi.name = "cache", gaudi.state = 0 : i64}, %i: tensor<2x4xf32> loc("image")) -> tensor<2x4xf32> {
  return %c : tensor<2x4xf32>
}

// CHECK-LABEL: func.func private @decode
// CHECK-NOT: allow_permutation
func.func private @decode(%c: tensor<2x4xf32> {gaudi.name = "cache", gaudi.state}) -> tensor<2x4xf32> {
  return %c : tensor<2x4xf32>
}

// Variables are no inputs, but have a name; the result that replaces one has
// its order.
// CHECK-LABEL: func.func @variable
// ALL-SAME: {gaudi.allow_permutation, gaudi.state = 0 : i64, gaudi.variable = "v"}) -> tensor<2x4xf32> {
// INPUTS-SAME: {gaudi.state = 0 : i64, gaudi.variable = "v"}) -> tensor<2x4xf32> {
// OUTPUTS-SAME: {gaudi.state = 0 : i64, gaudi.variable = "v"}) -> tensor<2x4xf32> {
func.func @variable(%v: tensor<2x4xf32> {gaudi.variable = "v", gaudi.state = 0 : i64}) -> tensor<2x4xf32> {
  return %v : tensor<2x4xf32>
}
