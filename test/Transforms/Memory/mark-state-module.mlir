// Aliases that XLA writes at the module.
// RUN: gaudi-opt %s --gaudi-mark-state --split-input-file | FileCheck %s

// CHECK-LABEL: module @may {
module @may attributes {mhlo.input_output_alias = [
    {alias = {kind = "may_alias", parameter_index = array<i64>, parameter_number = 1 : i64}, output_index = array<i64: 0>},
    {alias = {kind = "must_alias", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64: 1>},
    {alias = {kind = "may_alias", parameter_index = array<i64>, parameter_number = 2 : i64}, output_index = array<i64: 2>}]} {
// CHECK: @main
// CHECK-SAME: (%arg0: tensor<4xf32> {gaudi.donated, gaudi.state = 1 : i64}, %arg1: tensor<4xf32> {gaudi.state = 0 : i64}, %arg2: tensor<f32> {gaudi.state = 3 : i64})
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<f32> {gaudi.state = 3 : i64}) -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) {
  return %a, %b, %c, %c : tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>
}
func.func @other(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
}

// -----

// A result that is no tuple has no index; the only public function is called.
module attributes {mhlo.input_output_alias = [
    {alias = {kind = "may_alias", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64>}]} {
// CHECK: @step
// CHECK-SAME: (%arg0: tensor<4xf32> {gaudi.state = 0 : i64})
func.func @step(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func private @part(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
}

// -----

// CHECK-LABEL: module @none {
module @none attributes {mhlo.input_output_alias = []} {
}

// -----

// What must be honoured is, also where the state is known already.
module attributes {mhlo.input_output_alias = [
    {alias = {kind = "must_alias", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64: 0>}]} {
// CHECK: @known
// CHECK-SAME: (%arg0: tensor<4xf32> {gaudi.donated, gaudi.state = 0 : i64})
func.func @known(%a: tensor<4xf32> {gaudi.state = 0 : i64}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
}
