// gradients with a causal mask of -inf, the scale on q, heads merged by reshape
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
// gradients: 1
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x5x12xf32>, %arg1: tensor<2x5x12xf32>, %arg2: tensor<2x5x12xf32>, %arg3: tensor<2x5x12xf32>) -> (tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>) {
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<5x5xf32>
    %cst_3 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<2x5x12xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5x12xf32>) outs(%0 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.mulf %in, %cst_3 : f32
      linalg.yield %43 : f32
    } -> tensor<2x5x12xf32>
    %expanded = tensor.expand_shape %1 [[0], [1], [2, 3]] output_shape [2, 5, 3, 4] : tensor<2x5x12xf32> into tensor<2x5x3x4xf32>
    %2 = tensor.empty() : tensor<2x3x5x4xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<2x5x3x4xf32>) outs(%2 : tensor<2x3x5x4xf32>) permutation = [0, 2, 1, 3] 
    %expanded_4 = tensor.expand_shape %arg1 [[0], [1], [2, 3]] output_shape [2, 5, 3, 4] : tensor<2x5x12xf32> into tensor<2x5x3x4xf32>
    %expanded_5 = tensor.expand_shape %arg2 [[0], [1], [2, 3]] output_shape [2, 5, 3, 4] : tensor<2x5x12xf32> into tensor<2x5x3x4xf32>
    %transposed_6 = linalg.transpose ins(%expanded_5 : tensor<2x5x3x4xf32>) outs(%2 : tensor<2x3x5x4xf32>) permutation = [0, 2, 1, 3] 
    %3 = tensor.empty() : tensor<2x3x4x5xf32>
    %transposed_7 = linalg.transpose ins(%expanded_4 : tensor<2x5x3x4xf32>) outs(%3 : tensor<2x3x4x5xf32>) permutation = [0, 2, 3, 1] 
    %collapsed = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %collapsed_8 = tensor.collapse_shape %transposed_7 [[0, 1], [2], [3]] : tensor<2x3x4x5xf32> into tensor<6x4x5xf32>
    %4 = tensor.empty() : tensor<6x5x5xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_8 : tensor<6x5x4xf32>, tensor<6x4x5xf32>) outs(%5 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %expanded_9 = tensor.expand_shape %6 [[0, 1], [2], [3]] output_shape [2, 3, 5, 5] : tensor<6x5x5xf32> into tensor<2x3x5x5xf32>
    %7 = tensor.empty() : tensor<5xi64>
    %8 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%7 : tensor<5xi64>) {
    ^bb0(%out: i64):
      %43 = linalg.index 0 : index
      %44 = arith.index_cast %43 : index to i64
      linalg.yield %44 : i64
    } -> tensor<5xi64>
    %expanded_10 = tensor.expand_shape %8 [[0, 1]] output_shape [1, 5] : tensor<5xi64> into tensor<1x5xi64>
    %expanded_11 = tensor.expand_shape %8 [[0, 1]] output_shape [5, 1] : tensor<5xi64> into tensor<5x1xi64>
    %9 = tensor.empty() : tensor<5x5xi64>
    %10 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_10, %expanded_11 : tensor<1x5xi64>, tensor<5x1xi64>) outs(%9 : tensor<5x5xi64>) {
    ^bb0(%in: i64, %in_36: i64, %out: i64):
      %43 = arith.subi %in, %in_36 : i64
      linalg.yield %43 : i64
    } -> tensor<5x5xi64>
    %11 = tensor.empty() : tensor<5x5xi1>
    %12 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<5x5xi64>) outs(%11 : tensor<5x5xi1>) {
    ^bb0(%in: i64, %out: i1):
      %43 = arith.cmpi sge, %in, %c1_i64 : i64
      linalg.yield %43 : i1
    } -> tensor<5x5xi1>
    %13 = tensor.empty() : tensor<5x5xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%12, %cst_2, %cst_1 : tensor<5x5xi1>, tensor<5x5xf32>, tensor<f32>) outs(%13 : tensor<5x5xf32>) {
    ^bb0(%in: i1, %in_36: f32, %in_37: f32, %out: f32):
      %43 = arith.select %in, %in_36, %in_37 : f32
      linalg.yield %43 : f32
    } -> tensor<5x5xf32>
    %15 = tensor.empty() : tensor<2x3x5x5xf32>
    %16 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9, %14 : tensor<2x3x5x5xf32>, tensor<5x5xf32>) outs(%15 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %43 = arith.addf %in, %in_36 : f32
      linalg.yield %43 : f32
    } -> tensor<2x3x5x5xf32>
    %17 = tensor.empty() : tensor<2x3x5xi64>
    %18 = linalg.fill ins(%c0_i64 : i64) outs(%17 : tensor<2x3x5xi64>) -> tensor<2x3x5xi64>
    %19 = tensor.empty() : tensor<2x3x5xf32>
    %20 = linalg.fill ins(%cst_0 : f32) outs(%19 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %21:2 = linalg.generic {indexing_maps = [#map6, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<2x3x5x5xf32>) outs(%20, %18 : tensor<2x3x5xf32>, tensor<2x3x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_36: i64):
      %43 = linalg.index 3 : index
      %44 = arith.index_cast %43 : index to i64
      %45 = arith.maximumf %in, %out : f32
      %46 = arith.cmpf ogt, %in, %out : f32
      %47 = arith.select %46, %44, %out_36 : i64
      linalg.yield %45, %47 : f32, i64
    } -> (tensor<2x3x5xf32>, tensor<2x3x5xi64>)
    %expanded_12 = tensor.expand_shape %21#0 [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
    %22 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %expanded_12 : tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>) outs(%15 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %43 = arith.subf %in, %in_36 : f32
      linalg.yield %43 : f32
    } -> tensor<2x3x5x5xf32>
    %23 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x3x5x5xf32>) outs(%15 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.exp %in : f32
      linalg.yield %43 : f32
    } -> tensor<2x3x5x5xf32>
    %24 = tensor.empty() : tensor<2x3x5x1xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %26 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<2x3x5x5xf32>) outs(%25 : tensor<2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<2x3x5x1xf32>
    %27 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %26 : tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>) outs(%15 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %43 = arith.divf %in, %in_36 : f32
      linalg.yield %43 : f32
    } -> tensor<2x3x5x5xf32>
    %collapsed_13 = tensor.collapse_shape %27 [[0, 1], [2], [3]] : tensor<2x3x5x5xf32> into tensor<6x5x5xf32>
    %collapsed_14 = tensor.collapse_shape %transposed_6 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %28 = tensor.empty() : tensor<6x5x4xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %30 = linalg.batch_matmul ins(%collapsed_13, %collapsed_14 : tensor<6x5x5xf32>, tensor<6x5x4xf32>) outs(%29 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %expanded_15 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
    %31 = tensor.empty() : tensor<2x5x3x4xf32>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<2x3x5x4xf32>) outs(%31 : tensor<2x5x3x4xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_17 = tensor.collapse_shape %transposed_16 [[0], [1], [2, 3]] : tensor<2x5x3x4xf32> into tensor<2x5x12xf32>
    %expanded_18 = tensor.expand_shape %arg3 [[0], [1], [2, 3]] output_shape [2, 5, 3, 4] : tensor<2x5x12xf32> into tensor<2x5x3x4xf32>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<2x5x3x4xf32>) outs(%2 : tensor<2x3x5x4xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_20 = tensor.collapse_shape %transposed_19 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %transposed_21 = linalg.transpose ins(%collapsed_13 : tensor<6x5x5xf32>) outs(%4 : tensor<6x5x5xf32>) permutation = [0, 2, 1] 
    %32 = linalg.batch_matmul ins(%transposed_21, %collapsed_20 : tensor<6x5x5xf32>, tensor<6x5x4xf32>) outs(%29 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %33 = tensor.empty() : tensor<6x4x5xf32>
    %transposed_22 = linalg.transpose ins(%collapsed_14 : tensor<6x5x4xf32>) outs(%33 : tensor<6x4x5xf32>) permutation = [0, 2, 1] 
    %34 = linalg.batch_matmul ins(%collapsed_20, %transposed_22 : tensor<6x5x4xf32>, tensor<6x4x5xf32>) outs(%5 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %expanded_23 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
    %expanded_24 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [2, 3, 5, 5] : tensor<6x5x5xf32> into tensor<2x3x5x5xf32>
    %35 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24, %27 : tensor<2x3x5x5xf32>, tensor<2x3x5x5xf32>) outs(%15 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %43 = arith.mulf %in, %in_36 : f32
      linalg.yield %43 : f32
    } -> tensor<2x3x5x5xf32>
    %36 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<2x3x5x5xf32>) outs(%25 : tensor<2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<2x3x5x1xf32>
    %37 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %36 : tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>) outs(%15 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %43 = arith.mulf %in, %in_36 : f32
      linalg.yield %43 : f32
    } -> tensor<2x3x5x5xf32>
    %38 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %37 : tensor<2x3x5x5xf32>, tensor<2x3x5x5xf32>) outs(%15 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %43 = arith.subf %in, %in_36 : f32
      linalg.yield %43 : f32
    } -> tensor<2x3x5x5xf32>
    %collapsed_25 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<2x3x5x5xf32> into tensor<6x5x5xf32>
    %transposed_26 = linalg.transpose ins(%collapsed : tensor<6x5x4xf32>) outs(%33 : tensor<6x4x5xf32>) permutation = [0, 2, 1] 
    %39 = linalg.fill ins(%cst : f32) outs(%33 : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
    %40 = linalg.batch_matmul ins(%transposed_26, %collapsed_25 : tensor<6x4x5xf32>, tensor<6x5x5xf32>) outs(%39 : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
    %transposed_27 = linalg.transpose ins(%collapsed_8 : tensor<6x4x5xf32>) outs(%28 : tensor<6x5x4xf32>) permutation = [0, 2, 1] 
    %41 = linalg.batch_matmul ins(%collapsed_25, %transposed_27 : tensor<6x5x5xf32>, tensor<6x5x4xf32>) outs(%29 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %expanded_28 = tensor.expand_shape %40 [[0, 1], [2], [3]] output_shape [2, 3, 4, 5] : tensor<6x4x5xf32> into tensor<2x3x4x5xf32>
    %expanded_29 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
    %transposed_30 = linalg.transpose ins(%expanded_23 : tensor<2x3x5x4xf32>) outs(%31 : tensor<2x5x3x4xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_31 = tensor.collapse_shape %transposed_30 [[0], [1], [2, 3]] : tensor<2x5x3x4xf32> into tensor<2x5x12xf32>
    %transposed_32 = linalg.transpose ins(%expanded_28 : tensor<2x3x4x5xf32>) outs(%31 : tensor<2x5x3x4xf32>) permutation = [0, 3, 1, 2] 
    %collapsed_33 = tensor.collapse_shape %transposed_32 [[0], [1], [2, 3]] : tensor<2x5x3x4xf32> into tensor<2x5x12xf32>
    %transposed_34 = linalg.transpose ins(%expanded_29 : tensor<2x3x5x4xf32>) outs(%31 : tensor<2x5x3x4xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_35 = tensor.collapse_shape %transposed_34 [[0], [1], [2, 3]] : tensor<2x5x3x4xf32> into tensor<2x5x12xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_35 : tensor<2x5x12xf32>) outs(%0 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.mulf %in, %cst_3 : f32
      linalg.yield %43 : f32
    } -> tensor<2x5x12xf32>
    return %collapsed_17, %42, %collapsed_33, %collapsed_31 : tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>
  }
}
