// exponentials of log_softmax, causal
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x3x5x4xf32>, %arg1: tensor<2x3x5x4xf32>, %arg2: tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<true> : tensor<5x5xi1>
    %cst_3 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<2x3x4x5xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<2x3x5x4xf32>) outs(%0 : tensor<2x3x4x5xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %collapsed_4 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<2x3x4x5xf32> into tensor<6x4x5xf32>
    %1 = tensor.empty() : tensor<6x5x5xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<6x5x4xf32>, tensor<6x4x5xf32>) outs(%2 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [2, 3, 5, 5] : tensor<6x5x5xf32> into tensor<2x3x5x5xf32>
    %4 = tensor.empty() : tensor<2x3x5x5xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x3x5x5xf32>) outs(%4 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.mulf %in, %cst_3 : f32
      linalg.yield %30 : f32
    } -> tensor<2x3x5x5xf32>
    %6 = tensor.empty() : tensor<5xi64>
    %7 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%6 : tensor<5xi64>) {
    ^bb0(%out: i64):
      %30 = linalg.index 0 : index
      %31 = arith.index_cast %30 : index to i64
      linalg.yield %31 : i64
    } -> tensor<5xi64>
    %expanded_5 = tensor.expand_shape %7 [[0, 1]] output_shape [1, 5] : tensor<5xi64> into tensor<1x5xi64>
    %expanded_6 = tensor.expand_shape %7 [[0, 1]] output_shape [5, 1] : tensor<5xi64> into tensor<5x1xi64>
    %8 = tensor.empty() : tensor<5x5xi64>
    %9 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_5, %expanded_6 : tensor<1x5xi64>, tensor<5x1xi64>) outs(%8 : tensor<5x5xi64>) {
    ^bb0(%in: i64, %in_11: i64, %out: i64):
      %30 = arith.subi %in, %in_11 : i64
      linalg.yield %30 : i64
    } -> tensor<5x5xi64>
    %10 = tensor.empty() : tensor<5x5xi1>
    %11 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<5x5xi64>) outs(%10 : tensor<5x5xi1>) {
    ^bb0(%in: i64, %out: i1):
      %30 = arith.cmpi sge, %in, %c1_i64 : i64
      linalg.yield %30 : i1
    } -> tensor<5x5xi1>
    %12 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%11, %cst_2 : tensor<5x5xi1>, tensor<5x5xi1>) outs(%10 : tensor<5x5xi1>) {
    ^bb0(%in: i1, %in_11: i1, %out: i1):
      %30 = arith.andi %in, %in_11 : i1
      linalg.yield %30 : i1
    } -> tensor<5x5xi1>
    %13 = linalg.generic {indexing_maps = [#map5, #map6, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %cst_1, %5 : tensor<5x5xi1>, tensor<f32>, tensor<2x3x5x5xf32>) outs(%4 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: i1, %in_11: f32, %in_12: f32, %out: f32):
      %30 = arith.select %in, %in_11, %in_12 : f32
      linalg.yield %30 : f32
    } -> tensor<2x3x5x5xf32>
    %14 = tensor.empty() : tensor<2x3x5xi64>
    %15 = linalg.fill ins(%c0_i64 : i64) outs(%14 : tensor<2x3x5xi64>) -> tensor<2x3x5xi64>
    %16 = tensor.empty() : tensor<2x3x5xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %18:2 = linalg.generic {indexing_maps = [#map, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%13 : tensor<2x3x5x5xf32>) outs(%17, %15 : tensor<2x3x5xf32>, tensor<2x3x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_11: i64):
      %30 = linalg.index 3 : index
      %31 = arith.index_cast %30 : index to i64
      %32 = arith.maximumf %in, %out : f32
      %33 = arith.cmpf ogt, %in, %out : f32
      %34 = arith.select %33, %31, %out_11 : i64
      linalg.yield %32, %34 : f32, i64
    } -> (tensor<2x3x5xf32>, tensor<2x3x5xi64>)
    %expanded_7 = tensor.expand_shape %18#0 [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %expanded_7 : tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>) outs(%4 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %30 = arith.subf %in, %in_11 : f32
      linalg.yield %30 : f32
    } -> tensor<2x3x5x5xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x3x5x5xf32>) outs(%4 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.exp %in : f32
      linalg.yield %30 : f32
    } -> tensor<2x3x5x5xf32>
    %21 = tensor.empty() : tensor<2x3x5x1xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<2x3x5x5xf32>) outs(%22 : tensor<2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<2x3x5x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x3x5x1xf32>) outs(%21 : tensor<2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.log %in : f32
      linalg.yield %30 : f32
    } -> tensor<2x3x5x1xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map8, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %24 : tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>) outs(%4 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %30 = arith.subf %in, %in_11 : f32
      linalg.yield %30 : f32
    } -> tensor<2x3x5x5xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x3x5x5xf32>) outs(%4 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.exp %in : f32
      linalg.yield %30 : f32
    } -> tensor<2x3x5x5xf32>
    %collapsed_8 = tensor.collapse_shape %26 [[0, 1], [2], [3]] : tensor<2x3x5x5xf32> into tensor<6x5x5xf32>
    %collapsed_9 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x3x5x6xf32> into tensor<6x5x6xf32>
    %27 = tensor.empty() : tensor<6x5x6xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
    %29 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<6x5x5xf32>, tensor<6x5x6xf32>) outs(%28 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
    %expanded_10 = tensor.expand_shape %29 [[0, 1], [2], [3]] output_shape [2, 3, 5, 6] : tensor<6x5x6xf32> into tensor<2x3x5x6xf32>
    return %expanded_10 : tensor<2x3x5x6xf32>
  }
}
