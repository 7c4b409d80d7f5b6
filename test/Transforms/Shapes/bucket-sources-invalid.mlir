// Ops of tensor, linalg and TOSA that have no static form.
// RUN: gaudi-opt %s --split-input-file --verify-diagnostics --gaudi-infer-symbols --gaudi-bucket-shapes="buckets=8"

func.func @reshape(%x: tensor<?xf32> {gaudi.dims = ["n=1..64"]}) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %rows = arith.divui %n, %c3 : index
  %shape = tensor.from_elements %rows, %c3 : tensor<2xindex>
  // expected-error @+1 {{it reshapes [n] into [n floordiv 3, 3], which are 8 and 6 elements in the bucket; a bucket whose sizes are multiples, as with 'NAME=MIN..MAX/MULTIPLE', would have as many}}
  %0 = tensor.reshape %x(%shape) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

func.func @slice_at_data(%x: tensor<?xf32> {gaudi.dims = ["n=4..64"]}, %i: index) -> tensor<2xf32> {
  // expected-error @+1 {{it starts at an offset, or has a stride, that is no expression over the symbols of the function}}
  %0 = tensor.extract_slice %x[%i] [2] [1] : tensor<?xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @stride(%x: tensor<?xf32> {gaudi.dims = ["n=4..64"]}) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  // expected-error @+1 {{the stride of dimension 0 is n; strides must be constants}}
  %0 = tensor.extract_slice %x[0] [2] [%n] : tensor<?xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @insert_at_data(%x: tensor<?xf32> {gaudi.dims = ["n=4..64"]}, %y: tensor<2xf32>, %i: index) -> tensor<?xf32> {
  // expected-error @+1 {{it writes at an offset, or has a size, that is no expression over the symbols of the function}}
  %0 = tensor.insert_slice %y into %x[%i] [2] [1] : tensor<2xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @insert_stride(%x: tensor<?xf32> {gaudi.dims = ["n=4..64"]}, %y: tensor<2xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{it writes into dimension 0 with a stride other than 1, which has no static form}}
  %0 = tensor.insert_slice %y into %x[0] [2] [2] : tensor<2xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @pad(%x: tensor<?xf32> {gaudi.dims = ["n=4..64"]}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  // expected-error @+1 {{its widths depend on symbols and its value on the position; only a value that is the same everywhere has a static form}}
  %0 = tensor.pad %x low[0] high[%n] {
  ^bb0(%i: index):
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @pack(%x: tensor<?xf32> {gaudi.dims = ["n=4..64/4"]}) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %tile = arith.divsi %n, %c4 : index
  %to = tensor.empty(%c4, %tile) : tensor<?x?xf32>
  // expected-error @+1 {{the tile of dimension 0 is not a constant}}
  %0 = linalg.pack %x inner_dims_pos = [0] inner_tiles = [%tile] into %to : tensor<?xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @unpack(%x: tensor<4x?xf32> {gaudi.dims = ["", "n=4..64/4"]}) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c1 : tensor<4x?xf32>
  %all = arith.muli %n, %c4 : index
  %to = tensor.empty(%all) : tensor<?xf32>
  // expected-error @+1 {{one of its tiles is not a constant}}
  %0 = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [%n] into %to : tensor<4x?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @tosa_slice(%x: tensor<?x9xf32> {gaudi.dims = ["n=1..64", ""]}) -> tensor<?x5xf32> {
  %one = tosa.const_shape {values = dense<[0, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %start = tosa.exp2_shape %one : (!tosa.shape<2>) -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[-1, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{dimension 0 of its result of type 'tensor<?x5xf32>' is not known}}
  %0 = tosa.slice %x, %start, %size : (tensor<?x9xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// -----

func.func @tosa_slice_at_unknown(%x: tensor<?x9xf32> {gaudi.dims = ["n=1..64", ""]}) -> tensor<?x5xf32> {
  %zero = tosa.const_shape {values = dense<0> : tensor<1xindex>} : () -> !tosa.shape<1>
  %n = tosa.dim %x {axis = 0 : i32} : (tensor<?x9xf32>) -> !tosa.shape<1>
  %at = tosa.concat_shape %zero, %n : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %one = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %less = tosa.sub_shape %n, %one : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %by = tosa.concat_shape %one, %less : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %start = tosa.div_floor_shape %at, %by : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[-1, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{it starts at an offset that is no expression over the symbols of the function}}
  %0 = tosa.slice %x, %start, %size : (tensor<?x9xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// -----

func.func @tile_by_unknown(%x: tensor<?x4xf32> {gaudi.dims = ["n=1..64", ""]}) -> tensor<?x4xf32> {
  %one = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %n = tosa.dim %x {axis = 0 : i32} : (tensor<?x4xf32>) -> !tosa.shape<1>
  %at = tosa.concat_shape %one, %n : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %less = tosa.sub_shape %n, %one : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<1>
  %by = tosa.concat_shape %one, %less : (!tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<2>
  %times = tosa.div_floor_shape %at, %by : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  // expected-error @+1 {{one of its multiples is no expression over the symbols of the function}}
  %0 = tosa.tile %x, %times : (tensor<?x4xf32>, !tosa.shape<2>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @tile(%x: tensor<?x4xf32> {gaudi.dims = ["n=1..64", ""]}) -> tensor<?x4xf32> {
  %times = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{it repeats dimension 0 of size n; a dimension that is padded has no repeated form}}
  %0 = tosa.tile %x, %times : (tensor<?x4xf32>, !tosa.shape<2>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
