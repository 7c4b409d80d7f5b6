// Buckets lie within the bounds, and each op of a variant has a static form.
// RUN: gaudi-opt %s --split-input-file --verify-diagnostics --gaudi-bucket-shapes

// expected-error @+1 {{has symbols but no buckets; give them with the option 'buckets' or the attribute 'gaudi.boxes'}}
func.func @no_buckets(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    attributes {gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  return
}

// -----

// expected-error @+1 {{'gaudi.boxes' must be an array of arrays of i64}}
func.func @boxes(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    attributes {gaudi.boxes = [8], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  return
}

// -----

// expected-error @+1 {{a bucket has 2 sizes but the function has 1 symbols}}
func.func @two_sizes(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    attributes {gaudi.boxes = [array<i64: 8, 8>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  return
}

// -----

// expected-error @+1 {{a bucket has the size 65 for symbol 'n', which is from 1 to 64}}
func.func @too_large(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    attributes {gaudi.boxes = [array<i64: 65>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  return
}

// -----

// expected-error @+1 {{'gaudi.symbols' must be a list of {name, min, max, multiple}}}
func.func @symbols(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 8 : i64, max = 4 : i64, multiple = 1 : i64}]} {
  return
}

// -----

// expected-error @+1 {{argument 0 of type 'tensor<?xf32>' needs 'gaudi.shape', a map over the symbols with one size per dimension}}
func.func @no_shape(%x: tensor<?xf32>)
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  return
}

// -----

// expected-error @+1 {{a function with dynamic dimensions must be one block}}
func.func @blocks(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  cf.br ^end
^end:
  return
}

// -----

// expected-error @+1 {{dimension 0 of type 'tensor<?xi8>' has the size n * 2000000 = 4000000000 in the bucket; sizes are from 0 to 2147483647}}
func.func @huge(%x: tensor<?xi8> {gaudi.shape = affine_map<()[s0] -> (s0 * 2000000)>})
    attributes {gaudi.boxes = [array<i64: 2000>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 2000 : i64, multiple = 1 : i64}]} {
  return
}

// -----

func.func @contradiction(%x: tensor<?x8xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 8)>}) -> tensor<?x9xf32>
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  // expected-error @+1 {{dimension 1 of its result is 9 by its type but 8 by its operands}}
  %0 = "stablehlo.abs"(%x) : (tensor<?x8xf32>) -> tensor<?x9xf32>
  return %0 : tensor<?x9xf32>
}

// -----

func.func @no_rank(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>})
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  // expected-error @+1 {{its result has no rank; dynamic shapes need one}}
  %0 = "stablehlo.mystery"(%x) : (tensor<?xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @negative(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) -> tensor<?xf32>
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // expected-error @+1 {{dimension 0 of its result is n - 70, which is negative for all sizes}}
  %0 = "stablehlo.pad"(%x, %zero) <{edge_padding_low = array<i64: -70>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>}> : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @stride(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) -> tensor<?xf32>
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %n1 = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-error @+1 {{the stride of dimension 0 is n; strides must be constants}}
  %0 = "stablehlo.real_dynamic_slice"(%x, %zero, %n1, %n1) : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @padding(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) -> tensor<?xf32>
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  %f = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %n1 = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-error @+1 {{its padding of dimension 0 is n; paddings must be constants}}
  %0 = "stablehlo.dynamic_pad"(%x, %f, %n1, %zero, %zero) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
