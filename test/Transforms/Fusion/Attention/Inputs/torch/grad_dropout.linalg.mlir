// gradients with dropout by a mask that is an argument
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
// gradients: 1
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x3x5x4xf32>, %arg1: tensor<2x3x7x4xf32>, %arg2: tensor<2x3x7x6xf32>, %arg3: tensor<2x3x5x7xi1>, %arg4: tensor<2x3x5x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.3333333333333333 : f64
    %cst_2 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<2x3x4x7xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<2x3x7x4xf32>) outs(%0 : tensor<2x3x4x7xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %collapsed_3 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
    %1 = tensor.empty() : tensor<6x5x7xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_3 : tensor<6x5x4xf32>, tensor<6x4x7xf32>) outs(%2 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
    %4 = tensor.empty() : tensor<2x3x5x7xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = arith.mulf %in, %cst_2 : f32
      linalg.yield %45 : f32
    } -> tensor<2x3x5x7xf32>
    %6 = tensor.empty() : tensor<2x3x5xi64>
    %7 = linalg.fill ins(%c0_i64 : i64) outs(%6 : tensor<2x3x5xi64>) -> tensor<2x3x5xi64>
    %8 = tensor.empty() : tensor<2x3x5xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %10:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5 : tensor<2x3x5x7xf32>) outs(%9, %7 : tensor<2x3x5xf32>, tensor<2x3x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_19: i64):
      %45 = linalg.index 3 : index
      %46 = arith.index_cast %45 : index to i64
      %47 = arith.maximumf %in, %out : f32
      %48 = arith.cmpf ogt, %in, %out : f32
      %49 = arith.select %48, %46, %out_19 : i64
      linalg.yield %47, %49 : f32, i64
    } -> (tensor<2x3x5xf32>, tensor<2x3x5xi64>)
    %expanded_4 = tensor.expand_shape %10#0 [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_4 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %45 = arith.subf %in, %in_19 : f32
      linalg.yield %45 : f32
    } -> tensor<2x3x5x7xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = math.exp %in : f32
      linalg.yield %45 : f32
    } -> tensor<2x3x5x7xf32>
    %13 = tensor.empty() : tensor<2x3x5x1xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<2x3x5x7xf32>) outs(%14 : tensor<2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = arith.addf %in, %out : f32
      linalg.yield %45 : f32
    } -> tensor<2x3x5x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %45 = arith.divf %in, %in_19 : f32
      linalg.yield %45 : f32
    } -> tensor<2x3x5x7xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2x3x5x7xi1>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: i1, %out: f32):
      %45 = arith.uitofp %in : i1 to f32
      linalg.yield %45 : f32
    } -> tensor<2x3x5x7xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %17 : tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %45 = arith.mulf %in, %in_19 : f32
      linalg.yield %45 : f32
    } -> tensor<2x3x5x7xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = arith.truncf %cst_1 : f64 to f32
      %46 = arith.mulf %in, %45 : f32
      linalg.yield %46 : f32
    } -> tensor<2x3x5x7xf32>
    %collapsed_5 = tensor.collapse_shape %19 [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
    %collapsed_6 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x3x7x6xf32> into tensor<6x7x6xf32>
    %20 = tensor.empty() : tensor<6x5x6xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
    %22 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<6x5x7xf32>, tensor<6x7x6xf32>) outs(%21 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
    %expanded_7 = tensor.expand_shape %22 [[0, 1], [2], [3]] output_shape [2, 3, 5, 6] : tensor<6x5x6xf32> into tensor<2x3x5x6xf32>
    %collapsed_8 = tensor.collapse_shape %arg4 [[0, 1], [2], [3]] : tensor<2x3x5x6xf32> into tensor<6x5x6xf32>
    %23 = tensor.empty() : tensor<6x7x5xf32>
    %transposed_9 = linalg.transpose ins(%collapsed_5 : tensor<6x5x7xf32>) outs(%23 : tensor<6x7x5xf32>) permutation = [0, 2, 1] 
    %24 = tensor.empty() : tensor<6x7x6xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<6x7x6xf32>) -> tensor<6x7x6xf32>
    %26 = linalg.batch_matmul ins(%transposed_9, %collapsed_8 : tensor<6x7x5xf32>, tensor<6x5x6xf32>) outs(%25 : tensor<6x7x6xf32>) -> tensor<6x7x6xf32>
    %27 = tensor.empty() : tensor<6x6x7xf32>
    %transposed_10 = linalg.transpose ins(%collapsed_6 : tensor<6x7x6xf32>) outs(%27 : tensor<6x6x7xf32>) permutation = [0, 2, 1] 
    %28 = linalg.batch_matmul ins(%collapsed_8, %transposed_10 : tensor<6x5x6xf32>, tensor<6x6x7xf32>) outs(%2 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %expanded_11 = tensor.expand_shape %26 [[0, 1], [2], [3]] output_shape [2, 3, 7, 6] : tensor<6x7x6xf32> into tensor<2x3x7x6xf32>
    %expanded_12 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = arith.truncf %cst_1 : f64 to f32
      %46 = arith.mulf %in, %45 : f32
      linalg.yield %46 : f32
    } -> tensor<2x3x5x7xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %17 : tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %45 = arith.mulf %in, %in_19 : f32
      linalg.yield %45 : f32
    } -> tensor<2x3x5x7xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %16 : tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %45 = arith.mulf %in, %in_19 : f32
      linalg.yield %45 : f32
    } -> tensor<2x3x5x7xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<2x3x5x7xf32>) outs(%14 : tensor<2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = arith.addf %in, %out : f32
      linalg.yield %45 : f32
    } -> tensor<2x3x5x1xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %32 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %45 = arith.mulf %in, %in_19 : f32
      linalg.yield %45 : f32
    } -> tensor<2x3x5x7xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %33 : tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %45 = arith.subf %in, %in_19 : f32
      linalg.yield %45 : f32
    } -> tensor<2x3x5x7xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<2x3x5x7xf32>) outs(%4 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = arith.mulf %in, %cst_2 : f32
      linalg.yield %45 : f32
    } -> tensor<2x3x5x7xf32>
    %collapsed_13 = tensor.collapse_shape %35 [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
    %36 = tensor.empty() : tensor<6x4x5xf32>
    %transposed_14 = linalg.transpose ins(%collapsed : tensor<6x5x4xf32>) outs(%36 : tensor<6x4x5xf32>) permutation = [0, 2, 1] 
    %37 = tensor.empty() : tensor<6x4x7xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<6x4x7xf32>) -> tensor<6x4x7xf32>
    %39 = linalg.batch_matmul ins(%transposed_14, %collapsed_13 : tensor<6x4x5xf32>, tensor<6x5x7xf32>) outs(%38 : tensor<6x4x7xf32>) -> tensor<6x4x7xf32>
    %40 = tensor.empty() : tensor<6x7x4xf32>
    %transposed_15 = linalg.transpose ins(%collapsed_3 : tensor<6x4x7xf32>) outs(%40 : tensor<6x7x4xf32>) permutation = [0, 2, 1] 
    %41 = tensor.empty() : tensor<6x5x4xf32>
    %42 = linalg.fill ins(%cst : f32) outs(%41 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %43 = linalg.batch_matmul ins(%collapsed_13, %transposed_15 : tensor<6x5x7xf32>, tensor<6x7x4xf32>) outs(%42 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %expanded_16 = tensor.expand_shape %39 [[0, 1], [2], [3]] output_shape [2, 3, 4, 7] : tensor<6x4x7xf32> into tensor<2x3x4x7xf32>
    %expanded_17 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
    %44 = tensor.empty() : tensor<2x3x7x4xf32>
    %transposed_18 = linalg.transpose ins(%expanded_16 : tensor<2x3x4x7xf32>) outs(%44 : tensor<2x3x7x4xf32>) permutation = [0, 1, 3, 2] 
    return %expanded_7, %expanded_17, %transposed_18, %expanded_11 : tensor<2x3x5x6xf32>, tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>
  }
}
