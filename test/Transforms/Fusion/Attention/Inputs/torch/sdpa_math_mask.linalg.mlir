// scaled_dot_product_attention with a mask of booleans and a scale
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x3x5x4xf32>, %arg1: tensor<2x3x7x4xf32>, %arg2: tensor<2x3x7x6xf32>, %arg3: tensor<2x1x5x7xi1>) -> tensor<2x3x5x6xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<2x3x5x7xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant 0.54772255750516607 : f64
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %0 = tensor.empty() : tensor<7xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<7xi64>) {
    ^bb0(%out: i64):
      %37 = linalg.index 0 : index
      %38 = arith.index_cast %37 : index to i64
      linalg.yield %38 : i64
    } -> tensor<7xi64>
    %2 = tensor.empty() : tensor<7xi1>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<7xi64>) outs(%2 : tensor<7xi1>) {
    ^bb0(%in: i64, %out: i1):
      %37 = arith.cmpi eq, %in, %c1_i64 : i64
      linalg.yield %37 : i1
    } -> tensor<7xi1>
    %4 = tensor.empty() : tensor<2x1x5x7xi1>
    %5 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3, %3 : tensor<2x1x5x7xi1>, tensor<7xi1>) outs(%4 : tensor<2x1x5x7xi1>) {
    ^bb0(%in: i1, %in_11: i1, %out: i1):
      %37 = arith.ori %in, %in_11 : i1
      linalg.yield %37 : i1
    } -> tensor<2x1x5x7xi1>
    %6 = tensor.empty() : tensor<2x1x5x7xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map3, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %cst_2, %cst_3 : tensor<2x1x5x7xi1>, tensor<f32>, tensor<f32>) outs(%6 : tensor<2x1x5x7xf32>) {
    ^bb0(%in: i1, %in_11: f32, %in_12: f32, %out: f32):
      %37 = arith.select %in, %in_11, %in_12 : f32
      linalg.yield %37 : f32
    } -> tensor<2x1x5x7xf32>
    %8 = tensor.empty() : tensor<2x3x5x4xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x3x5x4xf32>) outs(%8 : tensor<2x3x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.truncf %cst_4 : f64 to f32
      %38 = arith.mulf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x3x5x4xf32>
    %10 = tensor.empty() : tensor<2x3x4x7xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<2x3x7x4xf32>) outs(%10 : tensor<2x3x4x7xf32>) permutation = [0, 1, 3, 2] 
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<2x3x4x7xf32>) outs(%10 : tensor<2x3x4x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.truncf %cst_4 : f64 to f32
      %38 = arith.mulf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x3x4x7xf32>
    %collapsed = tensor.collapse_shape %9 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %collapsed_6 = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
    %12 = tensor.empty() : tensor<6x5x7xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %14 = linalg.batch_matmul ins(%collapsed, %collapsed_6 : tensor<6x5x4xf32>, tensor<6x4x7xf32>) outs(%13 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %expanded = tensor.expand_shape %14 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
    %15 = tensor.empty() : tensor<2x3x5x7xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %7 : tensor<2x3x5x7xf32>, tensor<2x1x5x7xf32>) outs(%15 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %37 = arith.addf %in, %in_11 : f32
      linalg.yield %37 : f32
    } -> tensor<2x3x5x7xf32>
    %17 = tensor.empty() : tensor<2x3x5xi64>
    %18 = linalg.fill ins(%c0_i64 : i64) outs(%17 : tensor<2x3x5xi64>) -> tensor<2x3x5xi64>
    %19 = tensor.empty() : tensor<2x3x5xf32>
    %20 = linalg.fill ins(%cst_0 : f32) outs(%19 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %21:2 = linalg.generic {indexing_maps = [#map1, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<2x3x5x7xf32>) outs(%20, %18 : tensor<2x3x5xf32>, tensor<2x3x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_11: i64):
      %37 = linalg.index 3 : index
      %38 = arith.index_cast %37 : index to i64
      %39 = arith.maximumf %in, %out : f32
      %40 = arith.cmpf ogt, %in, %out : f32
      %41 = arith.select %40, %38, %out_11 : i64
      linalg.yield %39, %41 : f32, i64
    } -> (tensor<2x3x5xf32>, tensor<2x3x5xi64>)
    %expanded_7 = tensor.expand_shape %21#0 [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %expanded_7 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%15 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %37 = arith.subf %in, %in_11 : f32
      linalg.yield %37 : f32
    } -> tensor<2x3x5x7xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x3x5x7xf32>) outs(%15 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<2x3x5x7xf32>
    %24 = tensor.empty() : tensor<2x3x5x1xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<2x3x5x7xf32>) outs(%25 : tensor<2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %in, %out : f32
      linalg.yield %37 : f32
    } -> tensor<2x3x5x1xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %26 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%15 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %37 = arith.divf %in, %in_11 : f32
      linalg.yield %37 : f32
    } -> tensor<2x3x5x7xf32>
    %28 = tensor.empty() : tensor<2x3x5x7xi1>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x3x5x7xf32>) outs(%28 : tensor<2x3x5x7xi1>) {
    ^bb0(%in: f32, %out: i1):
      %37 = arith.extf %in : f32 to f64
      %38 = arith.cmpf oeq, %37, %cst_5 : f64
      linalg.yield %38 : i1
    } -> tensor<2x3x5x7xi1>
    %30 = tensor.empty() : tensor<2x3x5x1xi1>
    %31 = linalg.fill ins(%true : i1) outs(%30 : tensor<2x3x5x1xi1>) -> tensor<2x3x5x1xi1>
    %32 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<2x3x5x7xi1>) outs(%31 : tensor<2x3x5x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %37 = arith.andi %in, %out : i1
      linalg.yield %37 : i1
    } -> tensor<2x3x5x1xi1>
    %33 = linalg.generic {indexing_maps = [#map6, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %cst_1, %27 : tensor<2x3x5x1xi1>, tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) outs(%15 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: i1, %in_11: f32, %in_12: f32, %out: f32):
      %37 = arith.select %in, %in_11, %in_12 : f32
      linalg.yield %37 : f32
    } -> tensor<2x3x5x7xf32>
    %collapsed_8 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
    %collapsed_9 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x3x7x6xf32> into tensor<6x7x6xf32>
    %34 = tensor.empty() : tensor<6x5x6xf32>
    %35 = linalg.fill ins(%cst : f32) outs(%34 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
    %36 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<6x5x7xf32>, tensor<6x7x6xf32>) outs(%35 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
    %expanded_10 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [2, 3, 5, 6] : tensor<6x5x6xf32> into tensor<2x3x5x6xf32>
    return %expanded_10 : tensor<2x3x5x6xf32>
  }
}
