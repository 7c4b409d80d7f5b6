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

// expected-error @+1 {{a function with dynamic dimensions must be one block; write its branches and loops as scf.if, scf.for and scf.while}}
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
  // expected-error @+1 {{its result has no rank; give the model a type with dimensions there, such as tensor<?x4xf32>}}
  %0 = "stablehlo.mystery"(%x) : (tensor<?xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @negative(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) -> tensor<?xf32>
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // expected-error @+1 {{dimension 0 of its result is n - 70, which is negative for all sizes; give its symbols larger bounds}}
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
  // expected-error @+1 {{its interior padding of dimension 0 is n; a padding that varies must not be negative, and has no interior padding beside it: give the model constants there}}
  %0 = "stablehlo.dynamic_pad"(%x, %f, %zero, %zero, %n1) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @window_stride(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) -> tensor<1xf32>
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  %f = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %none = "stablehlo.constant"() <{value = dense<0> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %n1 = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  // expected-error @+1 {{the window stride of dimension 0 is n; give the model a constant there}}
  %0 = "stablehlo.dynamic_reduce_window"(%x, %f, %one, %n1, %one, %one, %none) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

func.func @growing_window(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (2 * s0)>}) -> tensor<?xf32>
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  %f = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
  %none = "stablehlo.constant"() <{value = dense<0> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %half = "stablehlo.divide"(%n, %two) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %n1 = "stablehlo.reshape"(%half) : (tensor<i32>) -> tensor<1xi32>
  // expected-error @+1 {{along dimension 0, of size n * 2, its window has the size n and the padding 0 before and 0 after: a window that grows must reach the begin or the end of the dimension; give the model a constant window}}
  %0 = "stablehlo.dynamic_reduce_window"(%x, %f, %n1, %one, %one, %one, %none) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @window_of_data(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}, %w: tensor<1xi32>) -> tensor<4xf32>
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 3 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  %f = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %none = "stablehlo.constant"() <{value = dense<0> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
  // expected-error @+1 {{windows that depend on data have no variant; give the model constants for them}}
  %0 = "stablehlo.dynamic_reduce_window"(%x, %f, %w, %one, %one, %one, %none) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @stride_and_dilation(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) -> tensor<?xf32>
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 3 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  %f = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %high = "stablehlo.constant"() <{value = dense<0> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %low = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1x1xi32>
  %padding = "stablehlo.concatenate"(%low, %high) <{dimension = 1 : i64}> : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x2xi32>
  // expected-error @+1 {{a padding that varies needs a stride or a base dilation of 1; make sizes multiples (NAME=MIN..MAX/MULTIPLE) or give the model a constant padding}}
  %0 = "stablehlo.dynamic_reduce_window"(%x, %f, %two, %two, %two, %one, %padding) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @low_padding(%x: tensor<?xf32> {gaudi.shape = affine_map<()[s0] -> (s0)>}) -> tensor<?xf32>
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  %f = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %n1 = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %three = "stablehlo.constant"() <{value = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %low = "stablehlo.subtract"(%n1, %three) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  // expected-error @+1 {{its low padding of dimension 0 is n - 3; a padding that varies must not be negative}}
  %0 = "stablehlo.dynamic_pad"(%x, %f, %low, %three, %zero) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @start_of_data(%x: tensor<?x4xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 4)>}, %at: tensor<1xi32> {gaudi.shape = affine_map<()[s0] -> (1)>}) -> tensor<1x2xf32>
    attributes {gaudi.boxes = [array<i64: 8>], gaudi.symbols = [{name = "n", min = 1 : i64, max = 64 : i64, multiple = 1 : i64}]} {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %ends = "stablehlo.constant"() <{value = dense<[1, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<2xi32>}> : () -> tensor<2xi32>
  %start = "stablehlo.concatenate"(%at, %zero) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // expected-error @+1 {{along dimension 0 its start index is data-dependent; its stride must be 1 and its size a constant there}}
  %0 = "stablehlo.real_dynamic_slice"(%x, %start, %ends, %two) : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
