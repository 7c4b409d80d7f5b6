// RUN: gaudi-opt %s -split-input-file -verify-diagnostics --convert-stablehlo-to-gaudi | FileCheck %s

// What Shardy says of devices has no meaning on one card: meshes go, a
// constraint is its operand.
// CHECK-LABEL: @sharded
// CHECK-NOT: sdy.mesh
"sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=4], device_ids=[0, 1]>, sym_name = "mesh"}> : () -> ()
func.func @sharded(%a: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {}], replicated={"y"}>}) -> tensor<4x2xf32> {
  %0 = "sdy.sharding_constraint"(%a) <{sharding = #sdy.sharding<@mesh, [{"x"}p1, {"y":(1)2}]>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
  // CHECK: gaudi.tpc.tanh %arg0
  %1 = "stablehlo.tanh"(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=2}, custom>} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// -----

// expected-error@+1 {{expected a name, a number or punctuation}}
"sdy.mesh"() <{mesh = #sdy.mesh<|>, sym_name = "mesh"}> : () -> ()

// -----

func.func @by_hand(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{cannot convert sdy.manual_computation: the op is not supported}}
  %0 = "sdy.manual_computation"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
