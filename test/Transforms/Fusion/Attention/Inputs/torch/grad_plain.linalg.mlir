// gradients of matmul, softmax, matmul
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
// gradients: 1
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x3x5x4xf32>, %arg1: tensor<2x3x7x4xf32>, %arg2: tensor<2x3x7x6xf32>, %arg3: tensor<2x3x5x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) {
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
      %40 = arith.divf %in, %cst_1 : f32
      linalg.yield %40 : f32
    } -> tensor<2x3x5x7xf32>
    %6 = tensor.empty() : tensor<2x3x5xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<2x3x5xi64>) -> tensor<2x3x5xi64>
    %8 = tensor.empty() : tensor<2x3x5xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<2x3x5x7xf32>) outs(%9, %7 : tensor<2x3x5xf32>, tensor<2x3x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_18: i64):
      %40 = linalg.index 3 : index
      %41 = arith.index_cast %40 : index to i64
      %42 = arith.maximumf %in, %out : f32
      %43 = arith.cmpf ogt, %in, %out : f32
      %44 = arith.select %43, %41, %out_18 : i64
      linalg.yield %42, %44 : f32, i64
    } -> (tensor<2x3x5xf32>, tensor<2x3x5xi64>)
    %expanded_3 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_3 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %40 = arith.subf %in, %in_18 : f32
      linalg.yield %40 : f32
    } -> tensor<2x3x5x7xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.exp %in : f32
      linalg.yield %40 : f32
    } -> tensor<2x3x5x7xf32>
    %13 = tensor.empty() : tensor<2x3x5x1xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<2x3x5x7xf32>) outs(%14 : tensor<2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %in, %out : f32
      linalg.yield %40 : f32
    } -> tensor<2x3x5x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %40 = arith.divf %in, %in_18 : f32
      linalg.yield %40 : f32
    } -> tensor<2x3x5x7xf32>
    %collapsed_4 = tensor.collapse_shape %16 [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
    %collapsed_5 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x3x7x6xf32> into tensor<6x7x6xf32>
    %17 = tensor.empty() : tensor<6x5x6xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
    %19 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<6x5x7xf32>, tensor<6x7x6xf32>) outs(%18 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
    %expanded_6 = tensor.expand_shape %19 [[0, 1], [2], [3]] output_shape [2, 3, 5, 6] : tensor<6x5x6xf32> into tensor<2x3x5x6xf32>
    %collapsed_7 = tensor.collapse_shape %arg3 [[0, 1], [2], [3]] : tensor<2x3x5x6xf32> into tensor<6x5x6xf32>
    %20 = tensor.empty() : tensor<6x7x5xf32>
    %transposed_8 = linalg.transpose ins(%collapsed_4 : tensor<6x5x7xf32>) outs(%20 : tensor<6x7x5xf32>) permutation = [0, 2, 1] 
    %21 = tensor.empty() : tensor<6x7x6xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<6x7x6xf32>) -> tensor<6x7x6xf32>
    %23 = linalg.batch_matmul ins(%transposed_8, %collapsed_7 : tensor<6x7x5xf32>, tensor<6x5x6xf32>) outs(%22 : tensor<6x7x6xf32>) -> tensor<6x7x6xf32>
    %24 = tensor.empty() : tensor<6x6x7xf32>
    %transposed_9 = linalg.transpose ins(%collapsed_5 : tensor<6x7x6xf32>) outs(%24 : tensor<6x6x7xf32>) permutation = [0, 2, 1] 
    %25 = linalg.batch_matmul ins(%collapsed_7, %transposed_9 : tensor<6x5x6xf32>, tensor<6x6x7xf32>) outs(%2 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %expanded_10 = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [2, 3, 7, 6] : tensor<6x7x6xf32> into tensor<2x3x7x6xf32>
    %expanded_11 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11, %16 : tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %40 = arith.mulf %in, %in_18 : f32
      linalg.yield %40 : f32
    } -> tensor<2x3x5x7xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<2x3x5x7xf32>) outs(%14 : tensor<2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %in, %out : f32
      linalg.yield %40 : f32
    } -> tensor<2x3x5x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %27 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %40 = arith.mulf %in, %in_18 : f32
      linalg.yield %40 : f32
    } -> tensor<2x3x5x7xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %28 : tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %40 = arith.subf %in, %in_18 : f32
      linalg.yield %40 : f32
    } -> tensor<2x3x5x7xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.divf %in, %cst_1 : f32
      linalg.yield %40 : f32
    } -> tensor<2x3x5x7xf32>
    %collapsed_12 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
    %31 = tensor.empty() : tensor<6x4x5xf32>
    %transposed_13 = linalg.transpose ins(%collapsed : tensor<6x5x4xf32>) outs(%31 : tensor<6x4x5xf32>) permutation = [0, 2, 1] 
    %32 = tensor.empty() : tensor<6x4x7xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<6x4x7xf32>) -> tensor<6x4x7xf32>
    %34 = linalg.batch_matmul ins(%transposed_13, %collapsed_12 : tensor<6x4x5xf32>, tensor<6x5x7xf32>) outs(%33 : tensor<6x4x7xf32>) -> tensor<6x4x7xf32>
    %35 = tensor.empty() : tensor<6x7x4xf32>
    %transposed_14 = linalg.transpose ins(%collapsed_2 : tensor<6x4x7xf32>) outs(%35 : tensor<6x7x4xf32>) permutation = [0, 2, 1] 
    %36 = tensor.empty() : tensor<6x5x4xf32>
    %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %38 = linalg.batch_matmul ins(%collapsed_12, %transposed_14 : tensor<6x5x7xf32>, tensor<6x7x4xf32>) outs(%37 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %expanded_15 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [2, 3, 4, 7] : tensor<6x4x7xf32> into tensor<2x3x4x7xf32>
    %expanded_16 = tensor.expand_shape %38 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
    %39 = tensor.empty() : tensor<2x3x7x4xf32>
    %transposed_17 = linalg.transpose ins(%expanded_15 : tensor<2x3x4x7xf32>) outs(%39 : tensor<2x3x7x4xf32>) permutation = [0, 1, 3, 2] 
    return %expanded_6, %expanded_16, %transposed_17, %expanded_10 : tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>
  }
}
