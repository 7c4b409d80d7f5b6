// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --allow-unregistered-dialect -split-input-file -verify-diagnostics

func.func @reshape(%x: tensor<2x3xf32>) -> tensor<5xf32> {
  // expected-error @below {{cannot convert stablehlo.reshape: a tensor of 6 elements cannot become one of 5}}
  %r = "stablehlo.reshape"(%x) : (tensor<2x3xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

func.func @reshape_element(%x: tensor<2x3xf32>) -> tensor<6xi32> {
  // expected-error @below {{cannot convert stablehlo.reshape: result 0 has type 'tensor<6xi32>' but the operands make it 'tensor<6xf32>'}}
  %r = "stablehlo.reshape"(%x) : (tensor<2x3xf32>) -> tensor<6xi32>
  return %r : tensor<6xi32>
}

// -----

func.func @permutation_short(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @below {{cannot convert stablehlo.transpose: attribute 'permutation' must name all 2 dimensions}}
  %r = "stablehlo.transpose"(%x) <{permutation = array<i64: 1>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// -----

func.func @transposed_shape(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{cannot convert stablehlo.transpose: result 0 has type 'tensor<2x3xf32>' but the operands make it 'tensor<3x2xf32>'}}
  %r = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @broadcast_rank(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{cannot convert stablehlo.broadcast_in_dim: attribute 'broadcast_dimensions' has 2 entries for an operand of rank 1}}
  %r = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @broadcast_size(%x: tensor<2xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{cannot convert stablehlo.broadcast_in_dim: operand dimension 0 of size 2 cannot become dimension 1 of size 3}}
  %r = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 1>}> : (tensor<2xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @broadcast_leading(%x: tensor<2xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{cannot convert stablehlo.broadcast: the result's last dimensions must be the operand's}}
  %r = "stablehlo.broadcast"(%x) : (tensor<2xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @concatenate_nothing() -> tensor<0xf32> {
  // expected-error @below {{cannot convert stablehlo.concatenate: expected at least one operand and one result}}
  %r = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<0xf32>
  return %r : tensor<0xf32>
}

// -----

// expected-note @below {{the first operand defined here}}
func.func @concatenate_size(%x: tensor<2xf32>) -> tensor<5xf32> {
  // expected-error @below {{'gaudi.concat' op operands have 4 elements along axis 0 but the result has 5}}
  %r = "stablehlo.concatenate"(%x, %x) <{dimension = 0 : i64}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

// expected-note @below {{operand defined here}}
func.func @concatenate_rank(%x: tensor<2xf32>, %y: tensor<2x1xf32>) -> tensor<4xf32> {
  // expected-error @below {{'gaudi.concat' op operand 1 has type 'tensor<2x1xf32>' but the result has type 'tensor<4xf32>'; only dimension 0 may differ}}
  %r = "stablehlo.concatenate"(%x, %y) <{dimension = 0 : i64}> : (tensor<2xf32>, tensor<2x1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @iota_scalar() -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.iota: attribute 'iota_dimension' names a dimension of a scalar}}
  %r = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @iota_bool() -> tensor<2xi1> {
  // expected-error @below {{cannot convert stablehlo.iota: it is not defined for element type 'i1'}}
  %r = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

func.func @dimension_size(%x: tensor<2xf32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.get_dimension_size: expected an integer scalar as result}}
  %r = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @slice_limit(%x: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @below {{cannot convert stablehlo.slice: dimension 0 of size 4 has no slice from 0 to 5 by 1}}
  %r = "stablehlo.slice"(%x) <{start_indices = array<i64: 0>, limit_indices = array<i64: 5>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

func.func @slice_start(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.slice: dimension 0 of size 4 has no slice from -1 to 1 by 1}}
  %r = "stablehlo.slice"(%x) <{start_indices = array<i64: -1>, limit_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @slice_step(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.slice: dimension 0 of size 4 has no slice from 0 to 4 by 0}}
  %r = "stablehlo.slice"(%x) <{start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64: 0>}> : (tensor<4xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @slice_result(%x: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error @below {{cannot convert stablehlo.slice: result 0 has type 'tensor<3xf32>' but the operands make it 'tensor<2xf32>'}}
  %r = "stablehlo.slice"(%x) <{start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64: 2>}> : (tensor<4xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

func.func @pad_value(%x: tensor<2xf32>, %z: tensor<1xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.pad: operand 1, the padding, must be a scalar of type 'f32'}}
  %r = "stablehlo.pad"(%x, %z) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>}> : (tensor<2xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @pad_value_element(%x: tensor<2xf32>, %z: tensor<i32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.pad: operand 1, the padding, must be a scalar of type 'f32'}}
  %r = "stablehlo.pad"(%x, %z) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>}> : (tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @pad_rank(%x: tensor<2xf32>, %z: tensor<f32>) -> tensor<4x1xf32> {
  // expected-error @below {{cannot convert stablehlo.pad: operand and result must have one rank}}
  %r = "stablehlo.pad"(%x, %z) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>}> : (tensor<2xf32>, tensor<f32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// -----

func.func @pad_interior(%x: tensor<2xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.pad: dimension 0 cannot be padded by 1, 1 and -1 between elements}}
  %r = "stablehlo.pad"(%x, %z) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: -1>}> : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @pad_huge(%x: tensor<2xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.pad: dimension 0 cannot be padded by 9223372036854775807, 1 and 0 between elements}}
  %r = "stablehlo.pad"(%x, %z) <{edge_padding_low = array<i64: 9223372036854775807>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>}> : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @pad_lowest(%x: tensor<2xf32>, %z: tensor<f32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.pad: dimension 0 cannot be padded by -9223372036854775808, 1 and 0 between elements}}
  %r = "stablehlo.pad"(%x, %z) <{edge_padding_low = array<i64: -9223372036854775808>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>}> : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @pad_result(%x: tensor<2xf32>, %z: tensor<f32>) -> tensor<5xf32> {
  // expected-error @below {{cannot convert stablehlo.pad: result dimension 0 has size 5; expected 4}}
  %r = "stablehlo.pad"(%x, %z) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>}> : (tensor<2xf32>, tensor<f32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

func.func @dynamic_slice_starts(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.dynamic_slice: expected one start index per dimension}}
  %r = "stablehlo.dynamic_slice"(%x) <{slice_sizes = array<i64: 2>}> : (tensor<4xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// expected-note @below {{the index}}
func.func @dynamic_slice_start_type(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.dynamic_slice: a start index must be an integer scalar}}
  %r = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 2>}> : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// expected-note @below {{the index}}
func.func @dynamic_slice_start_rank(%x: tensor<4xf32>, %i: tensor<1xi32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.dynamic_slice: a start index must be an integer scalar}}
  %r = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 2>}> : (tensor<4xf32>, tensor<1xi32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @dynamic_slice_nothing() -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.dynamic_slice: expected an operand and one result}}
  %r = "stablehlo.dynamic_slice"() <{slice_sizes = array<i64: 2>}> : () -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @dynamic_slice_size(%x: tensor<4xf32>, %i: tensor<i32>) -> tensor<5xf32> {
  // expected-error @below {{cannot convert stablehlo.dynamic_slice: slice size 5 of dimension 0 is not within 4}}
  %r = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 5>}> : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----

func.func @dynamic_slice_result(%x: tensor<4xf32>, %i: tensor<i32>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert stablehlo.dynamic_slice: the result must have type 'tensor<3xf32>'}}
  %r = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 3>}> : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @dynamic_slice_element(%x: tensor<4xf32>, %i: tensor<i32>) -> tensor<2xi32> {
  // expected-error @below {{cannot convert stablehlo.dynamic_slice: the result must have type 'tensor<2xf32>'}}
  %r = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 2>}> : (tensor<4xf32>, tensor<i32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

func.func @update_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.dynamic_update_slice: expected an operand, an update and one result}}
  %r = "stablehlo.dynamic_update_slice"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @update_element(%x: tensor<4xf32>, %u: tensor<2xi32>, %i: tensor<i32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.dynamic_update_slice: operand, update and result must have one rank and element type}}
  %r = "stablehlo.dynamic_update_slice"(%x, %u, %i) : (tensor<4xf32>, tensor<2xi32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @update_size(%x: tensor<4xf32>, %u: tensor<5xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.dynamic_update_slice: the update is larger than the operand in dimension 0}}
  %r = "stablehlo.dynamic_update_slice"(%x, %u, %i) : (tensor<4xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
