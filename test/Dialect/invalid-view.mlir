// RUN: gaudi-opt %s -split-input-file -verify-diagnostics

func.func @constant_sparse() {
  // expected-error @+1 {{'gaudi.constant' op value must be a dense or dense_resource attribute}}
  %0 = gaudi.constant sparse<0, 1.0> : tensor<2xf32>
  return
}

// -----

func.func @constant_missing() {
  // expected-error @+1 {{'gaudi.constant' op refers to resource 'weights', whose data is not in the file; make it an argument (gaudi-run --lift-elided does)}}
  %0 = gaudi.constant dense_resource<weights> : tensor<2xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @reshape_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.reshape' op operand has element type 'f32' but the result has 'i32'}}
  %0 = gaudi.reshape %x : tensor<4xf32> -> tensor<2x2xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @reshape_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.reshape' op operand 'tensor<4xf32>' has 4 elements but the result 'tensor<2x3xf32>' has 6}}
  %0 = gaudi.reshape %x : tensor<4xf32> -> tensor<2x3xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @bitcast_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.bitcast' op operand has type 'tensor<4xf32>' but the result has type 'tensor<2x2xi32>'; expected equal shapes}}
  %0 = gaudi.bitcast %x : tensor<4xf32> -> tensor<2x2xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @bitcast_width(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.bitcast' op operand elements have 32 bits but the result's have 16}}
  %0 = gaudi.bitcast %x : tensor<4xf32> -> tensor<4xi16>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @slice_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.slice' op result has element type 'i32' but operand has 'f32'}}
  %0 = gaudi.slice %x offsets [0] strides [1] : tensor<4xf32> -> tensor<2xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @slice_entries(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'gaudi.slice' op operand has rank 2; expected as many offsets (got 2), strides (got 1) and result dimensions (got 2)}}
  %0 = gaudi.slice %x offsets [0, 0] strides [1] : tensor<4x4xf32> -> tensor<2x2xf32>
  return
}

// -----

func.func @slice_stride(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.slice' op stride 0 is -1; expected 1 or more}}
  %0 = gaudi.slice %x offsets [3] strides [-1] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @slice_window(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.slice' op window of dimension 0 runs from 1 to 5, outside [0, 4)}}
  %0 = gaudi.slice %x offsets [1] strides [2] : tensor<4xf32> -> tensor<3xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @slice_huge_stride(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.slice' op window of dimension 0 runs from 1 to 9223372036854775807, outside [0, 4)}}
  %0 = gaudi.slice %x offsets [1] strides [9223372036854775807] : tensor<4xf32> -> tensor<3xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @slice_empty_outside(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.slice' op window of dimension 0 runs from 5 to 4, outside [0, 4)}}
  %0 = gaudi.slice %x offsets [5] strides [1] : tensor<4xf32> -> tensor<0xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @split_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.split' op axis 1 is outside [0, 1)}}
  %0 = gaudi.split %x axis 1 : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @split_nothing(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.split' op must have at least one result}}
  "gaudi.split"(%x) <{axis = 0 : i64}> : (tensor<4xf32>) -> ()
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @split_result(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{'gaudi.split' op result 1 has type 'tensor<2x3xf32>' but the operand has type 'tensor<4x2xf32>'; only dimension 0 may differ}}
  %0:2 = gaudi.split %x axis 0 : tensor<4x2xf32> -> tensor<2x2xf32>, tensor<2x3xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @split_total(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{'gaudi.split' op results have 5 elements along axis 0 but the operand has 4}}
  %0:2 = gaudi.split %x axis 0 : tensor<4x2xf32> -> tensor<2x2xf32>, tensor<3x2xf32>
  return
}

// -----

func.func @constant_bytes() {
  // expected-error @+1 {{'gaudi.constant' op resource 'short' has 4 bytes but 'tensor<2xf32>' needs 8}}
  %0 = gaudi.constant dense_resource<short> : tensor<2xf32>
  return
}

{-#
  dialect_resources: { builtin: { short: "0x040000000000803F" } }
#-}

// -----

// expected-error @+1 {{expected persistent, const or workspace but got 'sram'}}
func.func @buffer(%x: tensor<4xf32> {gaudi.buffer = #gaudi.buffer<sram, 0, [1]>})
