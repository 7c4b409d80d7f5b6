// not fused: the heads are mixed between softmax and product
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 0
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x3x5x4xf32>, %arg1: tensor<2x3x7x4xf32>, %arg2: tensor<2x3x7x6xf32>, %arg3: tensor<3x3xf32>) -> tensor<2x3x5x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x3x4x7xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<2x3x7x4xf32>) outs(%0 : tensor<2x3x4x7xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %collapsed_2 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
    %1 = tensor.empty() : tensor<6x5x7xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_2 : tensor<6x5x4xf32>, tensor<6x4x7xf32>) outs(%2 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
    %4 = tensor.empty() : tensor<2x3x5x7xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.divf %in, %cst_1 : f32
      linalg.yield %25 : f32
    } -> tensor<2x3x5x7xf32>
    %6 = tensor.empty() : tensor<2x3x5xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<2x3x5xi64>) -> tensor<2x3x5xi64>
    %8 = tensor.empty() : tensor<2x3x5xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<2x3x5x7xf32>) outs(%9, %7 : tensor<2x3x5xf32>, tensor<2x3x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_15: i64):
      %25 = linalg.index 3 : index
      %26 = arith.index_cast %25 : index to i64
      %27 = arith.maximumf %in, %out : f32
      %28 = arith.cmpf ogt, %in, %out : f32
      %29 = arith.select %28, %26, %out_15 : i64
      linalg.yield %27, %29 : f32, i64
    } -> (tensor<2x3x5xf32>, tensor<2x3x5xi64>)
    %expanded_3 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_3 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %25 = arith.subf %in, %in_15 : f32
      linalg.yield %25 : f32
    } -> tensor<2x3x5x7xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = math.exp %in : f32
      linalg.yield %25 : f32
    } -> tensor<2x3x5x7xf32>
    %13 = tensor.empty() : tensor<2x3x5x1xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<2x3x5x7xf32>) outs(%14 : tensor<2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.addf %in, %out : f32
      linalg.yield %25 : f32
    } -> tensor<2x3x5x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %25 = arith.divf %in, %in_15 : f32
      linalg.yield %25 : f32
    } -> tensor<2x3x5x7xf32>
    %expanded_4 = tensor.expand_shape %16 [[0], [1], [2], [3, 4]] output_shape [2, 3, 5, 7, 1] : tensor<2x3x5x7xf32> into tensor<2x3x5x7x1xf32>
    %expanded_5 = tensor.expand_shape %arg3 [[0, 1], [2]] output_shape [1, 3, 3] : tensor<3x3xf32> into tensor<1x3x3xf32>
    %17 = tensor.empty() : tensor<3x2x5x7x1xf32>
    %transposed_6 = linalg.transpose ins(%expanded_4 : tensor<2x3x5x7x1xf32>) outs(%17 : tensor<3x2x5x7x1xf32>) permutation = [1, 0, 2, 3, 4] 
    %collapsed_7 = tensor.collapse_shape %transposed_6 [[0], [1, 2, 3, 4]] : tensor<3x2x5x7x1xf32> into tensor<3x70xf32>
    %expanded_8 = tensor.expand_shape %collapsed_7 [[0, 1], [2]] output_shape [1, 3, 70] : tensor<3x70xf32> into tensor<1x3x70xf32>
    %18 = tensor.empty() : tensor<1x3x70xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<1x3x70xf32>) -> tensor<1x3x70xf32>
    %20 = linalg.batch_matmul ins(%expanded_5, %expanded_8 : tensor<1x3x3xf32>, tensor<1x3x70xf32>) outs(%19 : tensor<1x3x70xf32>) -> tensor<1x3x70xf32>
    %collapsed_9 = tensor.collapse_shape %20 [[0, 1], [2]] : tensor<1x3x70xf32> into tensor<3x70xf32>
    %expanded_10 = tensor.expand_shape %collapsed_9 [[0], [1, 2, 3, 4]] output_shape [3, 1, 2, 5, 7] : tensor<3x70xf32> into tensor<3x1x2x5x7xf32>
    %21 = tensor.empty() : tensor<2x3x5x7x1xf32>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<3x1x2x5x7xf32>) outs(%21 : tensor<2x3x5x7x1xf32>) permutation = [2, 0, 3, 4, 1] 
    %collapsed_12 = tensor.collapse_shape %transposed_11 [[0, 1], [2], [3, 4]] : tensor<2x3x5x7x1xf32> into tensor<6x5x7xf32>
    %collapsed_13 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x3x7x6xf32> into tensor<6x7x6xf32>
    %22 = tensor.empty() : tensor<6x5x6xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
    %24 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<6x5x7xf32>, tensor<6x7x6xf32>) outs(%23 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
    %expanded_14 = tensor.expand_shape %24 [[0, 1], [2], [3]] output_shape [2, 3, 5, 6] : tensor<6x5x6xf32> into tensor<2x3x5x6xf32>
    return %expanded_14 : tensor<2x3x5x6xf32>
  }
}
