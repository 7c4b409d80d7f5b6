// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s
// RUN: gaudi-run %s --check "--input=4x2xf32=3 1 2 8 1 5 9 7" | FileCheck %s --check-prefix=VALUES

// An approximate top-k is exact here. A function says which element is better;
// it goes with the call. The expected values are those of JAX.
// CHECK-NOT: @better
// CHECK: func.func @main
// CHECK: gaudi.tpc.top_k %arg0 axis 0 smallest
// VALUES: output 'out0': 2x2xf32 = [1, 1, 2, 5]
// VALUES: output 'out1': 2x2xi32 = [2, 0, 1, 2]
func.func @better(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
  "stablehlo.return"(%0) : (tensor<i1>) -> ()
}

func.func @main(%x: tensor<4x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>) {
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x2xi32>
  %w = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
  %n = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
  %0:2 = "stablehlo.custom_call"(%x, %i, %w, %n) <{call_target_name = "ApproxTopK", called_computations = [@better], api_version = 1 : i32}> {mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<4x2xf32>, tensor<4x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2x2xi32>
}
