// scaled_dot_product_attention with is_causal as one op
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<2x3x5x4xf32>, %arg1: tensor<2x3x5x4xf32>, %arg2: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x3x5x5xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
    %2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%1 : tensor<2x3x5x5xf32>) {
    ^bb0(%out: f32):
      %6 = linalg.index 2 : index
      %7 = linalg.index 3 : index
      %8 = arith.cmpi sge, %6, %7 : index
      %9 = arith.select %8, %cst, %cst_0 : f32
      linalg.yield %9 : f32
    } -> tensor<2x3x5x5xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %collapsed_1 = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %collapsed_2 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %collapsed_3 = tensor.collapse_shape %2 [[0, 1], [2], [3]] : tensor<2x3x5x5xf32> into tensor<6x5x5xf32>
    %3 = tensor.empty() : tensor<6x5x4xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %5 = tm_tensor.attention ins(%collapsed, %collapsed_1, %collapsed_2, %collapsed_3 : tensor<6x5x4xf32>, tensor<6x5x4xf32>, tensor<6x5x4xf32>, tensor<6x5x5xf32>) outs(%4 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %expanded = tensor.expand_shape %5 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
    return %expanded : tensor<2x3x5x4xf32>
  }
}
