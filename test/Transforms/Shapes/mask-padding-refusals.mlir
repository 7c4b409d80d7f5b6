// What padding cannot be kept away from is refused with the op and the reason.
// RUN: gaudi-opt %s --gaudi-mask-padding --split-input-file --verify-diagnostics
// Sizes of heads are static.
func.func @depth(%q: tensor<2x8x4xf32> {gaudi.shape = affine_map<()[n] -> (2, 8, n)>}) -> tensor<2x8x4xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 4>} {
  // expected-error @+1 {{'gaudi.sdpa' op cannot keep padding away from real elements: dimension D of an operand is padded: sizes of heads must be static}}
  %0 = gaudi.sdpa %q, %q, %q scale 0.5 : (tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

// -----

func.func @grouped_heads(%q: tensor<1x8x8x4xf32> {gaudi.shape = affine_map<()[n] -> (1, n, 8, 4)>}, %k: tensor<1x2x8x4xf32>) -> tensor<1x8x8x4xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.sdpa' op cannot keep padding away from real elements: heads are padded, of which groups share keys}}
  %0 = gaudi.sdpa %q, %k, %k scale 0.5 : (tensor<1x8x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %0 : tensor<1x8x8x4xf32>
}

// -----

func.func @left(%q: tensor<2x8x4xf32>, %k: tensor<2x8x4xf32> {gaudi.shape = affine_map<()[n] -> (2, n, 4)>}, %l: tensor<2xi32>) -> tensor<2x8x4xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.sdpa' op cannot keep padding away from real elements: its valid keys are the last ones, and padding comes after them}}
  %0 = gaudi.sdpa %q, %k, %k lengths %l scale 0.5 padding <left> : (tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2xi32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

// -----

func.func @magnitude(%q: tensor<2x8x4xf8E4M3FN> {gaudi.shape = affine_map<()[n] -> (2, n, 4)>}, %k: tensor<2x8x4xf8E4M3FN>) -> tensor<2x8x4xbf16>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.sdpa' op cannot keep padding away from real elements: the largest magnitude would be that of padding}}
  %0, %1 = gaudi.sdpa %q, %k, %k scale 0.5 amax_o : (tensor<2x8x4xf8E4M3FN>, tensor<2x8x4xf8E4M3FN>, tensor<2x8x4xf8E4M3FN>) -> (tensor<2x8x4xbf16>, tensor<f32>)
  return %0 : tensor<2x8x4xbf16>
}

// -----

func.func @kernel_window(%x: tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n)>}) -> tensor<7xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.tpc.kernel' op cannot keep padding away from real elements: dimension 0 of operand 0 is padded, and windows go over it}}
  %0 = gaudi.tpc.kernel (%x) index_space [7] parallel [true] : (tensor<8xf32>) -> tensor<7xf32> {
  ^bb0(%in0: tensor<8xf32>, %out0: tensor<7xf32>):
    %a = gaudi.kernel.load %in0[d0] : tensor<8xf32>
    %b = gaudi.kernel.load %in0[d0 + 1] : tensor<8xf32>
    %s = arith.addf %a, %b : f32
    gaudi.kernel.store %s, %out0[d0] : tensor<7xf32>
  }
  return %0 : tensor<7xf32>
}

// -----

func.func @kernel_element(%x: tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n)>}) -> tensor<3xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.tpc.kernel' op cannot keep padding away from real elements: dimension 0 of operand 0 may have no real element 1}}
  %0 = gaudi.tpc.kernel (%x) index_space [3] parallel [true] : (tensor<8xf32>) -> tensor<3xf32> {
  ^bb0(%in0: tensor<8xf32>, %out0: tensor<3xf32>):
    %a = gaudi.kernel.load %in0[1] : tensor<8xf32>
    gaudi.kernel.store %a, %out0[d0] : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// -----

func.func @kernel_store(%x: tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n)>}) -> tensor<15xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.tpc.kernel' op cannot keep padding away from real elements: dimension 0 of result 0 is stored at positions that are computed from padded dimension 0 of the index space}}
  %0 = gaudi.tpc.kernel (%x) index_space [8] parallel [true] : (tensor<8xf32>) -> tensor<15xf32> {
  ^bb0(%in0: tensor<8xf32>, %out0: tensor<15xf32>):
    %a = gaudi.kernel.load %in0[d0] : tensor<8xf32>
    gaudi.kernel.store %a, %out0[2 * d0] : tensor<15xf32>
  }
  return %0 : tensor<15xf32>
}

// -----

func.func @kernel_checked(%x: tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n)>}, %t: tensor<9xf32>) -> tensor<8xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.tpc.kernel' op cannot keep padding away from real elements: a position that is computed from padded dimension 0 of the index space may stop the launch}}
  %0 = gaudi.tpc.kernel (%x, %t) index_space [8] parallel [true] : (tensor<8xf32>, tensor<9xf32>) -> tensor<8xf32> {
  ^bb0(%in0: tensor<8xf32>, %in1: tensor<9xf32>, %out0: tensor<8xf32>):
    %a = gaudi.kernel.load %in0[d0] : tensor<8xf32>
    %b = gaudi.kernel.load %in1[2 * d0] boundary [#gaudi.boundary<checked>] : tensor<9xf32>
    %s = arith.addf %a, %b : f32
    gaudi.kernel.store %s, %out0[d0] : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

func.func @orders(%x: tensor<8x4xf32> {gaudi.shape = affine_map<()[n] -> (n, 4)>}, %w: tensor<3x4xf32>) -> tensor<8x3xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.mme.gemm' op cannot keep padding away from real elements: operands are stored in other orders already}}
  %0 = gaudi.mme.gemm %x, %w order_b [1, 0] : tensor<8x4xf32>, tensor<3x4xf32> -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// -----

func.func @broadcast_batch(%x: tensor<1x4x4xf32> {gaudi.shape = affine_map<()[n] -> (n, 4, 4)>}, %w: tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
    attributes {gaudi.symbols = [{name = "n", min = 0, max = 64, multiple = 1}], gaudi.bucket = array<i64: 1>} {
  // expected-error @+1 {{'gaudi.mme.gemm' op cannot keep padding away from real elements: dimension 0 of operand 0 is broadcast and may have no real element}}
  %0 = gaudi.mme.gemm %x, %w : tensor<1x4x4xf32>, tensor<3x4x4xf32> -> tensor<3x4x4xf32>
  return %0 : tensor<3x4x4xf32>
}

// -----

func.func @broadcast_op(%x: tensor<1x4xf32> {gaudi.shape = affine_map<()[n] -> (n, 4)>}) -> tensor<3x4xf32>
    attributes {gaudi.symbols = [{name = "n", min = 0, max = 64, multiple = 1}], gaudi.bucket = array<i64: 1>} {
  // expected-error @+1 {{'gaudi.broadcast' op cannot keep padding away from real elements: dimension 0 of operand 0 is broadcast and may have no real element}}
  %0 = gaudi.broadcast %x dims [0, 1] : tensor<1x4xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @broadcast_elementwise(%x: tensor<1x4xf32> {gaudi.shape = affine_map<()[n] -> (n, 4)>}, %y: tensor<3x4xf32>) -> tensor<3x4xf32>
    attributes {gaudi.symbols = [{name = "n", min = 0, max = 64, multiple = 1}], gaudi.bucket = array<i64: 1>} {
  // expected-error @+1 {{'gaudi.tpc.add' op cannot keep padding away from real elements: dimension 0 of operand 0 is broadcast and may have no real element}}
  %0 = gaudi.tpc.add %x, %y : tensor<1x4xf32>, tensor<3x4xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @groups(%x: tensor<1x8x8xf32> {gaudi.shape = affine_map<()[n] -> (1, 8, n)>}, %w: tensor<8x1x1xf32>) -> tensor<1x8x8xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.mme.conv' op cannot keep padding away from real elements: channels of groups are padded}}
  %0 = gaudi.mme.conv %x, %w layout "NWC", "OWI", "NWC" strides [1] dilations [1] pad [0], [0] groups 8 : tensor<1x8x8xf32>, tensor<8x1x1xf32> -> tensor<1x8x8xf32>
  return %0 : tensor<1x8x8xf32>
}

// -----

func.func @groups_input_grad(%x: tensor<1x8x8xf32> {gaudi.shape = affine_map<()[n] -> (1, 8, n)>}, %w: tensor<8x1x1xf32>) -> tensor<1x8x8xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.mme.conv_input_grad' op cannot keep padding away from real elements: channels of groups are padded}}
  %0 = gaudi.mme.conv_input_grad %x, %w layout "NWC", "OWI", "NWC" strides [1] dilations [1] pad [0], [0] groups 8 : tensor<1x8x8xf32>, tensor<8x1x1xf32> -> tensor<1x8x8xf32>
  return %0 : tensor<1x8x8xf32>
}

// -----

func.func @strided_input_grad(%x: tensor<1x8x3xf32> {gaudi.shape = affine_map<()[n] -> (1, n, 3)>}, %w: tensor<3x2x4xf32>) -> tensor<1x16x4xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.mme.conv_input_grad' op cannot keep padding away from real elements: dimension 1 of operand 0 is padded, and with a stride of 2 the valid size of the result is unknown; add gaudi.valid}}
  %0 = gaudi.mme.conv_input_grad %x, %w layout "NWC", "OWI", "NWC" strides [2] dilations [1] pad [0], [0] groups 1 : tensor<1x8x3xf32>, tensor<3x2x4xf32> -> tensor<1x16x4xf32>
  return %0 : tensor<1x16x4xf32>
}

// -----

func.func @groups_weight_grad(%x: tensor<1x8x8xf32> {gaudi.shape = affine_map<()[n] -> (1, 8, n)>}, %y: tensor<1x8x8xf32> {gaudi.shape = affine_map<()[n] -> (1, 8, n)>}) -> tensor<8x1x1xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.mme.conv_weight_grad' op cannot keep padding away from real elements: channels of groups are padded}}
  %0 = gaudi.mme.conv_weight_grad %x, %y layout "NWC", "NWC", "OWI" strides [1] dilations [1] pad [0], [0] groups 8 : tensor<1x8x8xf32>, tensor<1x8x8xf32> -> tensor<8x1x1xf32>
  return %0 : tensor<8x1x1xf32>
}

// -----

// Rows of four, of any number of elements.
func.func @divided(%x: tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n)>}) -> tensor<2x4xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.reshape' op cannot keep padding away from real elements: the real elements of its operand are not in rows of the result; a divisor of the symbol, as in 'NAME=MIN..MAX/MULTIPLE', would help}}
  %0 = gaudi.reshape %x : tensor<8xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @marker(%x: tensor<8xf32>, %n: tensor<i32>) -> tensor<8xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.valid' op cannot keep padding away from real elements: the extent of dimension 0 is no argument with 'gaudi.extent'}}
  %0 = gaudi.valid %x dims [0] extents (%n) : tensor<8xf32>, tensor<i32>
  return %0 : tensor<8xf32>
}

// -----

// Both 15 and 16 elements have 8 windows.
func.func @pool_gradient(%g: tensor<1x8x1xf32> {gaudi.shape = affine_map<()[n] -> (1, n, 1)>}) -> tensor<1x16x1xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.tpc.pool_grad' op cannot keep padding away from real elements: dimension 1 of operand 0 is padded, and with a stride of 2 the valid size of the result is unknown; add gaudi.valid}}
  %0 = gaudi.tpc.pool_grad <sum> %g layout "NWC" kernel [3] strides [2] pad [1], [1] : tensor<1x8x1xf32> -> tensor<1x16x1xf32>
  return %0 : tensor<1x16x1xf32>
}

// -----

// Padding writes again what the last update has written.
func.func @no_update(%x: tensor<4x8xf32>, %i: tensor<4x8xi32> {gaudi.shape = affine_map<()[n] -> (4, n)>}, %u: tensor<4x8xf32> {gaudi.shape = affine_map<()[n] -> (4, n)>}) -> tensor<4x8xf32>
    attributes {gaudi.symbols = [{name = "n", min = 0, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.tpc.scatter_elements' op cannot keep padding away from real elements: it may have no element along dimension 1 that padding could write again; a least size of 1 for n would help}}
  %0 = gaudi.tpc.scatter_elements %x, %i, %u axis 1 : tensor<4x8xf32>, tensor<4x8xi32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Sizes of which nothing says that they are equal.
func.func @unequal(%x: tensor<8xf32> {gaudi.shape = affine_map<()[b, n] -> (n)>}, %y: tensor<8xf32> {gaudi.shape = affine_map<()[b, n] -> (b)>}) -> tensor<8xf32>
    attributes {gaudi.symbols = [{name = "b", min = 1, max = 8, multiple = 1}, {name = "n", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8, 8>} {
  // expected-error @+1 {{'gaudi.tpc.add' op cannot keep padding away from real elements: dimension 0 of operand 1 has b of 8 real elements, at other positions than the n of another operand}}
  %0 = gaudi.tpc.add %x, %y : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func private @other(tensor<8xf32>) -> tensor<8xf32>
func.func @call(%x: tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n)>}) -> tensor<8xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'func.call' op cannot keep padding away from real elements: the op has no rule for padded operands}}
  %0 = func.call @other(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A position after all rows, as an import may compute it.
func.func @counted(%y: tensor<2x8xf32> {gaudi.shape = affine_map<()[b, n] -> (b, n)>}, %e: tensor<1xf32>) -> tensor<17xf32>
    attributes {gaudi.symbols = [{name = "b", min = 1, max = 4, multiple = 1}, {name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 2, 8>} {
  %x = gaudi.reshape %y : tensor<2x8xf32> -> tensor<16xf32>
  // expected-error @+1 {{'gaudi.concat' op cannot keep padding away from real elements: dimension 0 of operand 0 is made of 2 padded dimensions, whose positions are computed, and the next operand follows it}}
  %0 = gaudi.concat %x, %e axis 0 {gaudi.padded_indices} : tensor<16xf32>, tensor<1xf32> -> tensor<17xf32>
  return %0 : tensor<17xf32>
}

// -----

// Windows on n elements beside b of them.
func.func @other_windows(%x: tensor<8xf32> {gaudi.shape = affine_map<()[b, n] -> (n)>}, %y: tensor<8xf32> {gaudi.shape = affine_map<()[b, n] -> (b)>}) -> tensor<8xf32>
    attributes {gaudi.symbols = [{name = "b", min = 1, max = 8, multiple = 1}, {name = "n", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 8, 8>} {
  // expected-error @+1 {{'gaudi.tpc.kernel' op cannot keep padding away from real elements: dimension 0 of the index space has windows on n elements, but b real ones}}
  %0 = gaudi.tpc.kernel (%x, %y) index_space [8] parallel [true] : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%in0: tensor<8xf32>, %in1: tensor<8xf32>, %out0: tensor<8xf32>):
    %a = gaudi.kernel.load %in0[d0 - 1] boundary [#gaudi.boundary<pad>] pad 0.0 : f32 : tensor<8xf32>
    %b = gaudi.kernel.load %in1[d0] : tensor<8xf32>
    %s = arith.addf %a, %b : f32
    gaudi.kernel.store %s, %out0[d0] : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// The program updates a dimension that it has collapsed.
func.func @collapsed_update(%y: tensor<2x8xf32> {gaudi.shape = affine_map<()[b, n] -> (b, n)>}, %d: tensor<1x32x1xf32>, %i: tensor<1x16xi32>) -> tensor<1x32x1xf32>
    attributes {gaudi.symbols = [{name = "b", min = 1, max = 4, multiple = 1}, {name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 2, 8>} {
  %x = gaudi.reshape %y : tensor<2x8xf32> -> tensor<1x16x1xf32>
  // expected-error @+1 {{'gaudi.tpc.scatter' op cannot keep padding away from real elements: positions are computed in a dimension that is made of several padded ones; update the dimensions before they are collapsed}}
  %0 = gaudi.tpc.scatter %d, %i, %x {gaudi.padded_indices = [array<i64: 32>, array<i64: 0>, array<i64: 16>, array<i64: 0>]} : tensor<1x32x1xf32>, tensor<1x16xi32>, tensor<1x16x1xf32> -> tensor<1x32x1xf32>
  return %0 : tensor<1x32x1xf32>
}
