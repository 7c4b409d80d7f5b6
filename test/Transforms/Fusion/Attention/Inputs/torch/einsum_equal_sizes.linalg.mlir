// einsum over (N, L, H, D), all sizes equal
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<4x4x4x4xf32>, %arg1: tensor<4x4x4x4xf32>, %arg2: tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [4, 4, 4, 4, 1] : tensor<4x4x4x4xf32> into tensor<4x4x4x4x1xf32>
    %expanded_2 = tensor.expand_shape %arg1 [[0], [1], [2], [3, 4]] output_shape [4, 4, 4, 4, 1] : tensor<4x4x4x4xf32> into tensor<4x4x4x4x1xf32>
    %0 = tensor.empty() : tensor<4x4x4x4x1xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<4x4x4x4x1xf32>) outs(%0 : tensor<4x4x4x4x1xf32>) permutation = [0, 2, 1, 3, 4] 
    %collapsed = tensor.collapse_shape %transposed [[0, 1], [2], [3, 4]] : tensor<4x4x4x4x1xf32> into tensor<16x4x4xf32>
    %transposed_3 = linalg.transpose ins(%expanded_2 : tensor<4x4x4x4x1xf32>) outs(%0 : tensor<4x4x4x4x1xf32>) permutation = [0, 2, 3, 1, 4] 
    %collapsed_4 = tensor.collapse_shape %transposed_3 [[0, 1], [2], [3, 4]] : tensor<4x4x4x4x1xf32> into tensor<16x4x4xf32>
    %1 = tensor.empty() : tensor<16x4x4xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<16x4x4xf32>) -> tensor<16x4x4xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<16x4x4xf32>, tensor<16x4x4xf32>) outs(%2 : tensor<16x4x4xf32>) -> tensor<16x4x4xf32>
    %expanded_5 = tensor.expand_shape %3 [[0, 1], [2], [3, 4]] output_shape [4, 4, 4, 1, 4] : tensor<16x4x4xf32> into tensor<4x4x4x1x4xf32>
    %transposed_6 = linalg.transpose ins(%expanded_5 : tensor<4x4x4x1x4xf32>) outs(%0 : tensor<4x4x4x4x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_7 = tensor.collapse_shape %transposed_6 [[0], [1], [2], [3, 4]] : tensor<4x4x4x4x1xf32> into tensor<4x4x4x4xf32>
    %4 = tensor.empty() : tensor<4x4x4x4xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_7 : tensor<4x4x4x4xf32>) outs(%4 : tensor<4x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = arith.mulf %in, %cst_1 : f32
      linalg.yield %18 : f32
    } -> tensor<4x4x4x4xf32>
    %6 = tensor.empty() : tensor<4x4x4xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<4x4x4xi64>) -> tensor<4x4x4xi64>
    %8 = tensor.empty() : tensor<4x4x4xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<4x4x4x4xf32>) outs(%9, %7 : tensor<4x4x4xf32>, tensor<4x4x4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_16: i64):
      %18 = linalg.index 3 : index
      %19 = arith.index_cast %18 : index to i64
      %20 = arith.maximumf %in, %out : f32
      %21 = arith.cmpf ogt, %in, %out : f32
      %22 = arith.select %21, %19, %out_16 : i64
      linalg.yield %20, %22 : f32, i64
    } -> (tensor<4x4x4xf32>, tensor<4x4x4xi64>)
    %expanded_8 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [4, 4, 4, 1] : tensor<4x4x4xf32> into tensor<4x4x4x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_8 : tensor<4x4x4x4xf32>, tensor<4x4x4x1xf32>) outs(%4 : tensor<4x4x4x4xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %18 = arith.subf %in, %in_16 : f32
      linalg.yield %18 : f32
    } -> tensor<4x4x4x4xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<4x4x4x4xf32>) outs(%4 : tensor<4x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = math.exp %in : f32
      linalg.yield %18 : f32
    } -> tensor<4x4x4x4xf32>
    %13 = tensor.empty() : tensor<4x4x4x1xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<4x4x4x1xf32>) -> tensor<4x4x4x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<4x4x4x4xf32>) outs(%14 : tensor<4x4x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = arith.addf %in, %out : f32
      linalg.yield %18 : f32
    } -> tensor<4x4x4x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<4x4x4x4xf32>, tensor<4x4x4x1xf32>) outs(%4 : tensor<4x4x4x4xf32>) {
    ^bb0(%in: f32, %in_16: f32, %out: f32):
      %18 = arith.divf %in, %in_16 : f32
      linalg.yield %18 : f32
    } -> tensor<4x4x4x4xf32>
    %expanded_9 = tensor.expand_shape %arg2 [[0], [1], [2], [3, 4]] output_shape [4, 4, 4, 4, 1] : tensor<4x4x4x4xf32> into tensor<4x4x4x4x1xf32>
    %collapsed_10 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<4x4x4x4xf32> into tensor<16x4x4xf32>
    %transposed_11 = linalg.transpose ins(%expanded_9 : tensor<4x4x4x4x1xf32>) outs(%0 : tensor<4x4x4x4x1xf32>) permutation = [0, 2, 1, 3, 4] 
    %collapsed_12 = tensor.collapse_shape %transposed_11 [[0, 1], [2], [3, 4]] : tensor<4x4x4x4x1xf32> into tensor<16x4x4xf32>
    %17 = linalg.batch_matmul ins(%collapsed_10, %collapsed_12 : tensor<16x4x4xf32>, tensor<16x4x4xf32>) outs(%2 : tensor<16x4x4xf32>) -> tensor<16x4x4xf32>
    %expanded_13 = tensor.expand_shape %17 [[0, 1], [2], [3, 4]] output_shape [4, 4, 4, 1, 4] : tensor<16x4x4xf32> into tensor<4x4x4x1x4xf32>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<4x4x4x1x4xf32>) outs(%0 : tensor<4x4x4x4x1xf32>) permutation = [0, 2, 1, 4, 3] 
    %collapsed_15 = tensor.collapse_shape %transposed_14 [[0], [1], [2], [3, 4]] : tensor<4x4x4x4x1xf32> into tensor<4x4x4x4xf32>
    return %collapsed_15 : tensor<4x4x4x4xf32>
  }
}
