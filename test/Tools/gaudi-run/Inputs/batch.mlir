// Two layers on a batch of 4, whose mean over the features is subtracted.
func.func @main(%x: tensor<4x128xf32> {gaudi.name = "x"}, %w: tensor<128x256xf32> {gaudi.name = "w"},
                %b: tensor<1x256xf32> {gaudi.name = "b"}, %y: tensor<4x256xf32> {gaudi.name = "y"}) -> tensor<4x256xf32> {
  %0 = gaudi.mme.gemm %x, %w : tensor<4x128xf32>, tensor<128x256xf32> -> tensor<4x256xf32>
  %1 = gaudi.tpc.add %0, %b : tensor<4x256xf32>, tensor<1x256xf32> -> tensor<4x256xf32>
  %2 = gaudi.tpc.reduce <sum> %1 dims [1] keep_dims : tensor<4x256xf32> -> tensor<4x1xf32>
  %3 = gaudi.tpc.sub %1, %2 : tensor<4x256xf32>, tensor<4x1xf32> -> tensor<4x256xf32>
  %4 = gaudi.tpc.mul %3, %y : tensor<4x256xf32>, tensor<4x256xf32> -> tensor<4x256xf32>
  return %4 : tensor<4x256xf32>
}

// One image: dimensions of size 1 that are repeated, and one that grows.
func.func @single(%x: tensor<1x8x8x3xf32>, %w: tensor<16x3x3x3xf32>, %b: tensor<1x1x1x16xf32>) -> tensor<1x16xf32> {
  %0 = gaudi.mme.conv %x, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1
      : tensor<1x8x8x3xf32>, tensor<16x3x3x3xf32> -> tensor<1x8x8x16xf32>
  %1 = gaudi.tpc.add %0, %b : tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32> -> tensor<1x8x8x16xf32>
  %2 = gaudi.tpc.reduce <max> %1 dims [1, 2] : tensor<1x8x8x16xf32> -> tensor<1x16xf32>
  return %2 : tensor<1x16xf32>
}

// The batch is the inner one of two dimensions that become one.
func.func @mixed(%x: tensor<4x128xf32>) -> tensor<512xf32> {
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<4x128xf32> -> tensor<128x4xf32>
  %1 = gaudi.reshape %0 : tensor<128x4xf32> -> tensor<512xf32>
  %2 = gaudi.tpc.exp %1 : tensor<512xf32>
  return %2 : tensor<512xf32>
}

// What a kernel of linalg reads at 0 grows where its result does.
func.func @generic(%x: tensor<1x16xf32>, %b: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %init = tensor.empty() : tensor<1x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (0, d1)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<1x16xf32>, tensor<1x16xf32>) outs(%init : tensor<1x16xf32>) {
  ^bb0(%in: f32, %in_b: f32, %out: f32):
    %1 = arith.mulf %in, %in_b : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}

// A state that the batch is part of: a cache of keys.
func.func @cache(%x: tensor<2x1x64xf32> {gaudi.name = "x"}, %k: tensor<2x32x64xf32> {gaudi.name = "k", gaudi.state = 1 : i64})
    -> (tensor<2x1x32xf32>, tensor<2x32x64xf32>) {
  %0 = gaudi.mme.gemm %x, %k transpose_b : tensor<2x1x64xf32>, tensor<2x32x64xf32> -> tensor<2x1x32xf32>
  %1 = gaudi.insert_slice %x into %k offsets [0, 5, 0] strides [1, 1, 1] : tensor<2x1x64xf32> into tensor<2x32x64xf32>
  return %0, %1 : tensor<2x1x32xf32>, tensor<2x32x64xf32>
}

// A dimension that is eight times the batch.
func.func @merged(%x: tensor<2x8xi8>) -> tensor<16xi8> {
  %0 = gaudi.reshape %x : tensor<2x8xi8> -> tensor<16xi8>
  %1 = gaudi.tpc.neg %0 : tensor<16xi8>
  return %1 : tensor<16xi8>
}

// A constant without elements, and an argument without rows, fix no size.
func.func @empty(%x: tensor<2x4xf32> {gaudi.name = "x"}, %none: tensor<0x4xf32>) -> (tensor<2x4xf32>, tensor<2x0xf32>) {
  %0 = gaudi.concat %none, %x axis 0 : tensor<0x4xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
  %1 = gaudi.constant dense<> : tensor<2x0xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<2x0xf32>
}

// Positions along a dimension that does not grow.
func.func @positions(%x: tensor<4x1000xf32>) -> tensor<4x1000xf32> {
  %0 = gaudi.tpc.iota dim 0 : tensor<1000xf32>
  %1 = gaudi.broadcast %0 dims [1] : tensor<1000xf32> -> tensor<4x1000xf32>
  %2 = gaudi.tpc.add %x, %1 : tensor<4x1000xf32>, tensor<4x1000xf32> -> tensor<4x1000xf32>
  return %2 : tensor<4x1000xf32>
}

// A gradient that several kernels compute.
func.func @pooled(%dy: tensor<2x4x4x8xf32>, %x: tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32> {
  %0 = gaudi.tpc.pool_grad <max> %dy of %x layout "NHWC" kernel [3, 3] strides [2, 2] pad [1, 1], [1, 1]
      : tensor<2x4x4x8xf32>, tensor<2x8x8x8xf32> -> tensor<2x8x8x8xf32>
  return %0 : tensor<2x8x8x8xf32>
}

// One row that is repeated for rows that do not grow with it.
func.func @repeated(%x: tensor<1x8xf32> {gaudi.name = "x"}, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = gaudi.tpc.add %x, %y : tensor<1x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
