// gradients of baddbmm and bmm with a mask, as nn.MultiheadAttention had them
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
// gradients: 1
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @main(%arg0: tensor<6x5x4xf32>, %arg1: tensor<6x7x4xf32>, %arg2: tensor<6x7x4xf32>, %arg3: tensor<6x1x7xf32>, %arg4: tensor<6x5x4xf32>) -> (tensor<6x5x4xf32>, tensor<6x5x4xf32>, tensor<6x7x4xf32>, tensor<6x7x4xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<6x5x7xf32>
    %collapsed = tensor.collapse_shape %arg3 [[0, 1], [2]] : tensor<6x1x7xf32> into tensor<6x7xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<6x7xf32>) outs(%0 : tensor<6x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x5x7xf32>
    %2 = tensor.empty() : tensor<6x5x4xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<6x5x4xf32>) outs(%2 : tensor<6x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.divf %in, %cst_1 : f32
      linalg.yield %35 : f32
    } -> tensor<6x5x4xf32>
    %4 = tensor.empty() : tensor<6x4x7xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<6x7x4xf32>) outs(%4 : tensor<6x4x7xf32>) permutation = [0, 2, 1] 
    %5 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %6 = linalg.batch_matmul ins(%3, %transposed : tensor<6x5x4xf32>, tensor<6x4x7xf32>) outs(%5 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %6 : tensor<6x5x7xf32>, tensor<6x5x7xf32>) outs(%0 : tensor<6x5x7xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %35 = arith.addf %in, %in_6 : f32
      linalg.yield %35 : f32
    } -> tensor<6x5x7xf32>
    %8 = tensor.empty() : tensor<6x5xi64>
    %9 = linalg.fill ins(%c0_i64 : i64) outs(%8 : tensor<6x5xi64>) -> tensor<6x5xi64>
    %10 = tensor.empty() : tensor<6x5xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<6x5xf32>) -> tensor<6x5xf32>
    %12:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<6x5x7xf32>) outs(%11, %9 : tensor<6x5xf32>, tensor<6x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_6: i64):
      %35 = linalg.index 2 : index
      %36 = arith.index_cast %35 : index to i64
      %37 = arith.maximumf %in, %out : f32
      %38 = arith.cmpf ogt, %in, %out : f32
      %39 = arith.select %38, %36, %out_6 : i64
      linalg.yield %37, %39 : f32, i64
    } -> (tensor<6x5xf32>, tensor<6x5xi64>)
    %expanded = tensor.expand_shape %12#0 [[0], [1, 2]] output_shape [6, 5, 1] : tensor<6x5xf32> into tensor<6x5x1xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %expanded : tensor<6x5x7xf32>, tensor<6x5x1xf32>) outs(%0 : tensor<6x5x7xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %35 = arith.subf %in, %in_6 : f32
      linalg.yield %35 : f32
    } -> tensor<6x5x7xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<6x5x7xf32>) outs(%0 : tensor<6x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = math.exp %in : f32
      linalg.yield %35 : f32
    } -> tensor<6x5x7xf32>
    %15 = tensor.empty() : tensor<6x5x1xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<6x5x1xf32>) -> tensor<6x5x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<6x5x7xf32>) outs(%16 : tensor<6x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.addf %in, %out : f32
      linalg.yield %35 : f32
    } -> tensor<6x5x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %17 : tensor<6x5x7xf32>, tensor<6x5x1xf32>) outs(%0 : tensor<6x5x7xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %35 = arith.divf %in, %in_6 : f32
      linalg.yield %35 : f32
    } -> tensor<6x5x7xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%2 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %20 = linalg.batch_matmul ins(%18, %arg2 : tensor<6x5x7xf32>, tensor<6x7x4xf32>) outs(%19 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %21 = tensor.empty() : tensor<6x7x5xf32>
    %transposed_2 = linalg.transpose ins(%18 : tensor<6x5x7xf32>) outs(%21 : tensor<6x7x5xf32>) permutation = [0, 2, 1] 
    %22 = tensor.empty() : tensor<6x7x4xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<6x7x4xf32>) -> tensor<6x7x4xf32>
    %24 = linalg.batch_matmul ins(%transposed_2, %arg4 : tensor<6x7x5xf32>, tensor<6x5x4xf32>) outs(%23 : tensor<6x7x4xf32>) -> tensor<6x7x4xf32>
    %transposed_3 = linalg.transpose ins(%arg2 : tensor<6x7x4xf32>) outs(%4 : tensor<6x4x7xf32>) permutation = [0, 2, 1] 
    %25 = linalg.batch_matmul ins(%arg4, %transposed_3 : tensor<6x5x4xf32>, tensor<6x4x7xf32>) outs(%5 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %18 : tensor<6x5x7xf32>, tensor<6x5x7xf32>) outs(%0 : tensor<6x5x7xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %35 = arith.mulf %in, %in_6 : f32
      linalg.yield %35 : f32
    } -> tensor<6x5x7xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%26 : tensor<6x5x7xf32>) outs(%16 : tensor<6x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.addf %in, %out : f32
      linalg.yield %35 : f32
    } -> tensor<6x5x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %27 : tensor<6x5x7xf32>, tensor<6x5x1xf32>) outs(%0 : tensor<6x5x7xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %35 = arith.mulf %in, %in_6 : f32
      linalg.yield %35 : f32
    } -> tensor<6x5x7xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %28 : tensor<6x5x7xf32>, tensor<6x5x7xf32>) outs(%0 : tensor<6x5x7xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %35 = arith.subf %in, %in_6 : f32
      linalg.yield %35 : f32
    } -> tensor<6x5x7xf32>
    %30 = linalg.batch_matmul ins(%29, %arg1 : tensor<6x5x7xf32>, tensor<6x7x4xf32>) outs(%19 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %31 = tensor.empty() : tensor<6x4x5xf32>
    %transposed_4 = linalg.transpose ins(%3 : tensor<6x5x4xf32>) outs(%31 : tensor<6x4x5xf32>) permutation = [0, 2, 1] 
    %32 = linalg.fill ins(%cst : f32) outs(%4 : tensor<6x4x7xf32>) -> tensor<6x4x7xf32>
    %33 = linalg.batch_matmul ins(%transposed_4, %29 : tensor<6x4x5xf32>, tensor<6x5x7xf32>) outs(%32 : tensor<6x4x7xf32>) -> tensor<6x4x7xf32>
    %transposed_5 = linalg.transpose ins(%33 : tensor<6x4x7xf32>) outs(%22 : tensor<6x7x4xf32>) permutation = [0, 2, 1] 
    %34 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<6x5x4xf32>) outs(%2 : tensor<6x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.divf %in, %cst_1 : f32
      linalg.yield %35 : f32
    } -> tensor<6x5x4xf32>
    return %20, %34, %transposed_5, %24 : tensor<6x5x4xf32>, tensor<6x5x4xf32>, tensor<6x7x4xf32>, tensor<6x7x4xf32>
  }
}
