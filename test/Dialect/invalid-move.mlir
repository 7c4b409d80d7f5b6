// RUN: gaudi-opt %s -split-input-file -verify-diagnostics

// expected-note @+1 {{operand defined here}}
func.func @transpose_type(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.transpose' op operand has element type 'f32' but the result has 'i32'}}
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<4x8xf32> -> tensor<8x4xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @transpose_twice(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.transpose' op permutation [0, 0] is not one of the 2 dimensions of the operand}}
  %0 = gaudi.transpose %x permutation [0, 0] : tensor<4x8xf32> -> tensor<4x4xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @transpose_negative(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.transpose' op permutation [-1, 0] is not one of the 2 dimensions of the operand}}
  %0 = gaudi.transpose %x permutation [-1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @transpose_short(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.transpose' op permutation [] is not one of the 2 dimensions of the operand}}
  %0 = gaudi.transpose %x permutation [] : tensor<4x8xf32> -> tensor<8x4xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @transpose_size(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.transpose' op result dimension 0 has size 4 but operand dimension 1 has size 8}}
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @broadcast_type(%x: tensor<8xf32>) {
  // expected-error @+1 {{'gaudi.broadcast' op operand has element type 'f32' but the result has 'f16'}}
  %0 = gaudi.broadcast %x dims [1] : tensor<8xf32> -> tensor<4x8xf16>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @broadcast_dims(%x: tensor<8xf32>) {
  // expected-error @+1 {{'gaudi.broadcast' op has 0 dims but the operand has rank 1}}
  %0 = gaudi.broadcast %x dims [] : tensor<8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.broadcast' op dims [1, 0] must ascend within [0, 2)}}
  %0 = gaudi.broadcast %x dims [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @broadcast_negative(%x: tensor<8xf32>) {
  // expected-error @+1 {{'gaudi.broadcast' op dims [-1] must ascend within [0, 2)}}
  %0 = gaudi.broadcast %x dims [-1] : tensor<8xf32> -> tensor<4x8xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @broadcast_size(%x: tensor<8xf32>) {
  // expected-error @+1 {{'gaudi.broadcast' op operand dimension 0 has size 8 but result dimension 0 has size 4}}
  %0 = gaudi.broadcast %x dims [0] : tensor<8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @fill_type() {
  // expected-error @+1 {{'gaudi.fill' op value has type 'f32' but the result has element type 'i32'}}
  %0 = gaudi.fill 0.0 : f32 : tensor<4xi32>
  return
}

// -----

func.func @concat_nothing() {
  // expected-error @+1 {{'gaudi.concat' op must have at least one operand}}
  %0 = "gaudi.concat"() <{axis = 0 : i64}> : () -> tensor<0xf32>
  return
}

// -----

func.func @concat_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.concat' op axis 1 is outside [0, 1)}}
  %0 = gaudi.concat %x axis 1 : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @concat_scalar(%x: tensor<f32>) {
  // expected-error @+1 {{'gaudi.concat' op axis 0 is outside [0, 0)}}
  %0 = gaudi.concat %x axis 0 : tensor<f32> -> tensor<f32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @concat_operand(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>) {
  // expected-error @+1 {{'gaudi.concat' op operand 1 has type 'tensor<4x3xf32>' but the result has type 'tensor<8x2xf32>'; only dimension 0 may differ}}
  %0 = gaudi.concat %x, %y axis 0 : tensor<4x2xf32>, tensor<4x3xf32> -> tensor<8x2xf32>
  return
}

// -----

// expected-note @+1 {{the first operand defined here}}
func.func @concat_total(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{'gaudi.concat' op operands have 8 elements along axis 0 but the result has 9}}
  %0 = gaudi.concat %x, %x axis 0 : tensor<4x2xf32>, tensor<4x2xf32> -> tensor<9x2xf32>
  return
}

// -----

// expected-note @+1 {{dest defined here}}
func.func @insert_type(%s: tensor<2xf32>, %d: tensor<4xi32>) {
  // expected-error @+1 {{'gaudi.insert_slice' op source has element type 'f32' but dest has 'i32'}}
  %0 = gaudi.insert_slice %s into %d offsets [0] strides [1] : tensor<2xf32> into tensor<4xi32>
  return
}

// -----

// expected-note @+1 {{dest defined here}}
func.func @insert_entries(%s: tensor<2xf32>, %d: tensor<4x4xf32>) {
  // expected-error @+1 {{'gaudi.insert_slice' op dest has rank 2; expected as many offsets (got 1), strides (got 2) and source dimensions (got 1)}}
  %0 = gaudi.insert_slice %s into %d offsets [0] strides [1, 1] : tensor<2xf32> into tensor<4x4xf32>
  return
}

// -----

func.func @insert_stride(%s: tensor<2xf32>, %d: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.insert_slice' op stride 0 is 0; expected 1 or more}}
  %0 = gaudi.insert_slice %s into %d offsets [0] strides [0] : tensor<2xf32> into tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{dest defined here}}
func.func @insert_window(%s: tensor<2xf32>, %d: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.insert_slice' op window of dimension 0 runs from 2 to 4, outside [0, 4)}}
  %0 = gaudi.insert_slice %s into %d offsets [2] strides [2] : tensor<2xf32> into tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{dest defined here}}
func.func @insert_negative(%s: tensor<2xf32>, %d: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.insert_slice' op window of dimension 0 runs from -1 to 0, outside [0, 4)}}
  %0 = gaudi.insert_slice %s into %d offsets [-1] strides [1] : tensor<2xf32> into tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{dest defined here}}
func.func @insert_huge_stride(%s: tensor<3xf32>, %d: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.insert_slice' op window of dimension 0 runs from 2 to 9223372036854775807, outside [0, 4)}}
  %0 = gaudi.insert_slice %s into %d offsets [2] strides [9223372036854775807] : tensor<3xf32> into tensor<4xf32>
  return
}

// -----

func.func @engine_of_transpose(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.transpose' op has engine nic; expected mme, tpc or dma}}
  %0 = gaudi.transpose %x permutation [1, 0] {engine = #gaudi.engine<nic>} : tensor<4x8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @engine_of_copy(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.copy' op has engine mme; expected tpc or dma}}
  %0 = gaudi.copy %x {engine = #gaudi.engine<mme>} : tensor<4x8xf32>
  return
}

// -----

func.func @engine_type(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{attribute 'engine' failed to satisfy constraint: engine of the device that runs an op}}
  %0 = gaudi.copy %x {engine = 3 : i32} : tensor<4x8xf32>
  return
}
