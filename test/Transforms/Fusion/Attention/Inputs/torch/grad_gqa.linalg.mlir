// gradients of grouped heads by expand and reshape
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
// gradients: 1
#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
module {
  func.func @main(%arg0: tensor<2x4x5x4xf32>, %arg1: tensor<2x2x7x4xf32>, %arg2: tensor<2x2x7x4xf32>, %arg3: tensor<2x4x5x4xf32>) -> (tensor<2x4x5x4xf32>, tensor<2x4x5x4xf32>, tensor<2x2x7x4xf32>, tensor<2x2x7x4xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<2x2x2x7x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x2x7x4xf32>) outs(%0 : tensor<2x2x2x7x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x7x4xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1, 2], [3], [4]] : tensor<2x2x2x7x4xf32> into tensor<2x4x7x4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x2x7x4xf32>) outs(%0 : tensor<2x2x2x7x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x7x4xf32>
    %3 = tensor.empty() : tensor<2x4x4x7xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<2x4x7x4xf32>) outs(%3 : tensor<2x4x4x7xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_2 = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x4x5x4xf32> into tensor<8x5x4xf32>
    %collapsed_3 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x4x4x7xf32> into tensor<8x4x7xf32>
    %4 = tensor.empty() : tensor<8x5x7xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<8x5x7xf32>) -> tensor<8x5x7xf32>
    %6 = linalg.batch_matmul ins(%collapsed_2, %collapsed_3 : tensor<8x5x4xf32>, tensor<8x4x7xf32>) outs(%5 : tensor<8x5x7xf32>) -> tensor<8x5x7xf32>
    %expanded = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [2, 4, 5, 7] : tensor<8x5x7xf32> into tensor<2x4x5x7xf32>
    %7 = tensor.empty() : tensor<2x4x5x7xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x4x5x7xf32>) outs(%7 : tensor<2x4x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.mulf %in, %cst_1 : f32
      linalg.yield %43 : f32
    } -> tensor<2x4x5x7xf32>
    %9 = tensor.empty() : tensor<2x4x5xi64>
    %10 = linalg.fill ins(%c0_i64 : i64) outs(%9 : tensor<2x4x5xi64>) -> tensor<2x4x5xi64>
    %11 = tensor.empty() : tensor<2x4x5xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
    %13:2 = linalg.generic {indexing_maps = [#map2, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%8 : tensor<2x4x5x7xf32>) outs(%12, %10 : tensor<2x4x5xf32>, tensor<2x4x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_22: i64):
      %43 = linalg.index 3 : index
      %44 = arith.index_cast %43 : index to i64
      %45 = arith.maximumf %in, %out : f32
      %46 = arith.cmpf ogt, %in, %out : f32
      %47 = arith.select %46, %44, %out_22 : i64
      linalg.yield %45, %47 : f32, i64
    } -> (tensor<2x4x5xf32>, tensor<2x4x5xi64>)
    %expanded_4 = tensor.expand_shape %13#0 [[0], [1], [2, 3]] output_shape [2, 4, 5, 1] : tensor<2x4x5xf32> into tensor<2x4x5x1xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %expanded_4 : tensor<2x4x5x7xf32>, tensor<2x4x5x1xf32>) outs(%7 : tensor<2x4x5x7xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.subf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<2x4x5x7xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<2x4x5x7xf32>) outs(%7 : tensor<2x4x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.exp %in : f32
      linalg.yield %43 : f32
    } -> tensor<2x4x5x7xf32>
    %16 = tensor.empty() : tensor<2x4x5x1xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<2x4x5x1xf32>) -> tensor<2x4x5x1xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<2x4x5x7xf32>) outs(%17 : tensor<2x4x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<2x4x5x1xf32>
    %19 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %18 : tensor<2x4x5x7xf32>, tensor<2x4x5x1xf32>) outs(%7 : tensor<2x4x5x7xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.divf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<2x4x5x7xf32>
    %collapsed_5 = tensor.collapse_shape %19 [[0, 1], [2], [3]] : tensor<2x4x5x7xf32> into tensor<8x5x7xf32>
    %collapsed_6 = tensor.collapse_shape %2 [[0, 1, 2], [3], [4]] : tensor<2x2x2x7x4xf32> into tensor<8x7x4xf32>
    %20 = tensor.empty() : tensor<8x5x4xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<8x5x4xf32>) -> tensor<8x5x4xf32>
    %22 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<8x5x7xf32>, tensor<8x7x4xf32>) outs(%21 : tensor<8x5x4xf32>) -> tensor<8x5x4xf32>
    %expanded_7 = tensor.expand_shape %22 [[0, 1], [2], [3]] output_shape [2, 4, 5, 4] : tensor<8x5x4xf32> into tensor<2x4x5x4xf32>
    %collapsed_8 = tensor.collapse_shape %arg3 [[0, 1], [2], [3]] : tensor<2x4x5x4xf32> into tensor<8x5x4xf32>
    %23 = tensor.empty() : tensor<8x7x5xf32>
    %transposed_9 = linalg.transpose ins(%collapsed_5 : tensor<8x5x7xf32>) outs(%23 : tensor<8x7x5xf32>) permutation = [0, 2, 1] 
    %24 = tensor.empty() : tensor<8x7x4xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<8x7x4xf32>) -> tensor<8x7x4xf32>
    %26 = linalg.batch_matmul ins(%transposed_9, %collapsed_8 : tensor<8x7x5xf32>, tensor<8x5x4xf32>) outs(%25 : tensor<8x7x4xf32>) -> tensor<8x7x4xf32>
    %27 = tensor.empty() : tensor<8x4x7xf32>
    %transposed_10 = linalg.transpose ins(%collapsed_6 : tensor<8x7x4xf32>) outs(%27 : tensor<8x4x7xf32>) permutation = [0, 2, 1] 
    %28 = linalg.batch_matmul ins(%collapsed_8, %transposed_10 : tensor<8x5x4xf32>, tensor<8x4x7xf32>) outs(%5 : tensor<8x5x7xf32>) -> tensor<8x5x7xf32>
    %expanded_11 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [2, 4, 5, 7] : tensor<8x5x7xf32> into tensor<2x4x5x7xf32>
    %29 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11, %19 : tensor<2x4x5x7xf32>, tensor<2x4x5x7xf32>) outs(%7 : tensor<2x4x5x7xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.mulf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<2x4x5x7xf32>
    %30 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<2x4x5x7xf32>) outs(%17 : tensor<2x4x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<2x4x5x1xf32>
    %31 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %30 : tensor<2x4x5x7xf32>, tensor<2x4x5x1xf32>) outs(%7 : tensor<2x4x5x7xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.mulf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<2x4x5x7xf32>
    %32 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %31 : tensor<2x4x5x7xf32>, tensor<2x4x5x7xf32>) outs(%7 : tensor<2x4x5x7xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %43 = arith.subf %in, %in_22 : f32
      linalg.yield %43 : f32
    } -> tensor<2x4x5x7xf32>
    %33 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x4x5x7xf32>) outs(%7 : tensor<2x4x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.mulf %in, %cst_1 : f32
      linalg.yield %43 : f32
    } -> tensor<2x4x5x7xf32>
    %collapsed_12 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<2x4x5x7xf32> into tensor<8x5x7xf32>
    %34 = tensor.empty() : tensor<8x4x5xf32>
    %transposed_13 = linalg.transpose ins(%collapsed_2 : tensor<8x5x4xf32>) outs(%34 : tensor<8x4x5xf32>) permutation = [0, 2, 1] 
    %35 = linalg.fill ins(%cst : f32) outs(%27 : tensor<8x4x7xf32>) -> tensor<8x4x7xf32>
    %36 = linalg.batch_matmul ins(%transposed_13, %collapsed_12 : tensor<8x4x5xf32>, tensor<8x5x7xf32>) outs(%35 : tensor<8x4x7xf32>) -> tensor<8x4x7xf32>
    %transposed_14 = linalg.transpose ins(%collapsed_3 : tensor<8x4x7xf32>) outs(%24 : tensor<8x7x4xf32>) permutation = [0, 2, 1] 
    %37 = linalg.batch_matmul ins(%collapsed_12, %transposed_14 : tensor<8x5x7xf32>, tensor<8x7x4xf32>) outs(%21 : tensor<8x5x4xf32>) -> tensor<8x5x4xf32>
    %expanded_15 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [2, 4, 4, 7] : tensor<8x4x7xf32> into tensor<2x4x4x7xf32>
    %expanded_16 = tensor.expand_shape %37 [[0, 1], [2], [3]] output_shape [2, 4, 5, 4] : tensor<8x5x4xf32> into tensor<2x4x5x4xf32>
    %38 = tensor.empty() : tensor<2x4x7x4xf32>
    %transposed_17 = linalg.transpose ins(%expanded_15 : tensor<2x4x4x7xf32>) outs(%38 : tensor<2x4x7x4xf32>) permutation = [0, 1, 3, 2] 
    %expanded_18 = tensor.expand_shape %26 [[0, 1, 2], [3], [4]] output_shape [2, 2, 2, 7, 4] : tensor<8x7x4xf32> into tensor<2x2x2x7x4xf32>
    %39 = tensor.empty() : tensor<2x2x1x7x4xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<2x2x1x7x4xf32>) -> tensor<2x2x1x7x4xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel"]} ins(%expanded_18 : tensor<2x2x2x7x4xf32>) outs(%40 : tensor<2x2x1x7x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<2x2x1x7x4xf32>
    %collapsed_19 = tensor.collapse_shape %41 [[0], [1, 2], [3], [4]] : tensor<2x2x1x7x4xf32> into tensor<2x2x7x4xf32>
    %expanded_20 = tensor.expand_shape %transposed_17 [[0], [1, 2], [3], [4]] output_shape [2, 2, 2, 7, 4] : tensor<2x4x7x4xf32> into tensor<2x2x2x7x4xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map5], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel"]} ins(%expanded_20 : tensor<2x2x2x7x4xf32>) outs(%40 : tensor<2x2x1x7x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<2x2x1x7x4xf32>
    %collapsed_21 = tensor.collapse_shape %42 [[0], [1, 2], [3], [4]] : tensor<2x2x1x7x4xf32> into tensor<2x2x7x4xf32>
    return %expanded_7, %expanded_16, %collapsed_21, %collapsed_19 : tensor<2x4x5x4xf32>, tensor<2x4x5x4xf32>, tensor<2x2x7x4xf32>, tensor<2x2x7x4xf32>
  }
}
