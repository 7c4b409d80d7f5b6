// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --split-input-file --verify-diagnostics

func.func @groups(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.all_to_all: it exchanges data with other cards: a group has 2 members; one card is emulated}}
  %r = "stablehlo.all_to_all"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @pairs(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.collective_permute: it exchanges data with other cards: its pairs name other devices than 0; one card is emulated}}
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
  func.func @replicas() -> tensor<ui32> {
    // expected-error @below {{cannot convert stablehlo.replica_id: it exchanges data with other cards: the module has 'mhlo.num_replicas' = 4 : i32; one is emulated}}
    %r = "stablehlo.replica_id"() : () -> tensor<ui32>
    return %r : tensor<ui32>
  }
}

// -----

func.func @gathered(%x: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.all_gather: among one device, the results must have the types of the operands}}
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64}> : (tensor<2xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @number() -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.partition_id: expected an integer scalar as result}}
  %r = "stablehlo.partition_id"() : () -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @axes(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert sdy.all_gather: it exchanges data with other cards; one is emulated}}
  %r = "sdy.all_gather"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
