// RUN: gaudi-opt %s --gaudi-mark-state -o %t.once
// RUN: FileCheck %s < %t.once
// RUN: gaudi-opt %t.once --gaudi-mark-state | diff %t.once -
// RUN: gaudi-opt %s --gaudi-mark-state --remarks-filter=gaudi-mark-state --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// JAX names the result, or leaves the choice; other attributes stay.
// CHECK-LABEL: @donated
// CHECK-SAME: (%arg0: tensor<4xf32> {gaudi.name = "w", gaudi.state = 1 : i64}, %arg1: tensor<4xf32> {gaudi.state = 0 : i64}, %arg2: tensor<4xf32> {gaudi.state = 2 : i64}, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>)
// REMARK-DAG: remark: [Passed] state | Category:gaudi-mark-state | Function=donated | Remark="result 1 replaces argument 0 from launch to launch"
// REMARK-DAG: remark: [Passed] state | Category:gaudi-mark-state | Function=donated | Remark="result 0 replaces argument 1 from launch to launch"
// REMARK-DAG: remark: [Passed] state | Category:gaudi-mark-state | Function=donated | Remark="result 2 replaces argument 2 from launch to launch"
// REMARK-DAG: remark: [Missed] state | Category:gaudi-mark-state | Function=donated | Reason="not state: argument 3 is donated, but no result of its type is left"
func.func @donated(%w: tensor<4xf32> {gaudi.name = "w", tf.aliasing_output = 1 : i32},
                   %m: tensor<4xf32> {jax.buffer_donor = true},
                   %v: tensor<4xf32> {jax.buffer_donor = true},
                   %x: tensor<4xf32> {jax.buffer_donor = true},
                   %y: tensor<4xf32> {jax.buffer_donor = false})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>) {
  %0 = gaudi.constant dense<0.0> : tensor<f32>
  return %w, %m, %x, %0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>
}

// The own attribute counts where there are several.
// CHECK-LABEL: @both
// CHECK-SAME: (%arg0: tensor<4xf32> {gaudi.state = 1 : i64})
func.func @both(%w: tensor<4xf32> {gaudi.state = 1 : i64, tf.aliasing_output = 0 : i32, jax.buffer_donor = true}) -> (tensor<4xf32>, tensor<4xf32>) {
  return %w, %w : tensor<4xf32>, tensor<4xf32>
}

// The exporter's choice yields to the own attribute of another argument.
// CHECK-LABEL: @overruled
// CHECK-SAME: (%arg0: tensor<4xf32>, %arg1: tensor<4xf32> {gaudi.state = 0 : i64})
// REMARK-DAG: remark: [Missed] state | Category:gaudi-mark-state | Function=overruled | Reason="not state: argument 0 is donated, but 'gaudi.state' gives its result to another one"
func.func @overruled(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<4xf32> {gaudi.state = 0 : i64}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}

// Donations that must be honoured: by number, then by type.
// CHECK-LABEL: @required
// CHECK-SAME: %arg0: tensor<4xf32> {gaudi.donated, gaudi.state = 0 : i64}
// CHECK-SAME: %arg1: tensor<4xf32> {gaudi.donated, gaudi.state = 1 : i64}
func.func @required(%w: tensor<4xf32> {gaudi.donated}, %v: tensor<4xf32> {gaudi.donated = 1 : i64}) -> (tensor<4xf32>, tensor<4xf32>) {
  return %v, %w : tensor<4xf32>, tensor<4xf32>
}
