// ViT: qkv as one product, permuted to (3, N, H, L, D), with the token of the class
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x3x8x8xf32>) -> tensor<2x5x12xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant dense_resource<torch_tensor_12_torch.float32_3> : tensor<12xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_12_12_torch.float32> : tensor<12x12xf32>
    %cst_4 = arith.constant 0.40824829046386302 : f64
    %cst_5 = arith.constant dense_resource<torch_tensor_36_torch.float32> : tensor<36xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_36_12_torch.float32> : tensor<36x12xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_12_torch.float32_2> : tensor<12xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_12_torch.float32_1> : tensor<12xf32>
    %cst_9 = arith.constant 1.000000e-05 : f64
    %cst_10 = arith.constant dense_resource<torch_tensor_1_1_12_torch.float32> : tensor<1x1x12xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_12_3_4_4_torch.float32> : tensor<12x3x4x4xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_12_torch.float32> : tensor<12xf32>
    %cst_13 = arith.constant 1.200000e+01 : f64
    %cst_14 = arith.constant 1.200000e+01 : f32
    %0 = tensor.empty() : tensor<2x12x2x2xf32>
    %broadcasted = linalg.broadcast ins(%cst_12 : tensor<12xf32>) outs(%0 : tensor<2x12x2x2xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<4> : vector<2xi64>} ins(%arg0, %cst_11 : tensor<2x3x8x8xf32>, tensor<12x3x4x4xf32>) outs(%broadcasted : tensor<2x12x2x2xf32>) -> tensor<2x12x2x2xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1], [2, 3]] : tensor<2x12x2x2xf32> into tensor<2x12x4xf32>
    %2 = tensor.empty() : tensor<2x4x12xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<2x12x4xf32>) outs(%2 : tensor<2x4x12xf32>) permutation = [0, 2, 1] 
    %3 = tensor.empty() : tensor<2x1x12xf32>
    %collapsed_15 = tensor.collapse_shape %cst_10 [[0, 1], [2]] : tensor<1x1x12xf32> into tensor<1x12xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_15 : tensor<1x12xf32>) outs(%3 : tensor<2x1x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x12xf32>
    %concat = tensor.concat dim(1) %4, %transposed : (tensor<2x1x12xf32>, tensor<2x4x12xf32>) -> tensor<2x5x12xf32>
    %5 = tensor.empty() : tensor<2x5x12xf64>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<2x5x12xf32>) outs(%5 : tensor<2x5x12xf64>) {
    ^bb0(%in: f32, %out: f64):
      %61 = arith.extf %in : f32 to f64
      linalg.yield %61 : f64
    } -> tensor<2x5x12xf64>
    %7 = tensor.empty() : tensor<2x5x1xf64>
    %8 = linalg.fill ins(%cst_0 : f64) outs(%7 : tensor<2x5x1xf64>) -> tensor<2x5x1xf64>
    %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<2x5x12xf64>) outs(%8 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %61 = arith.addf %in, %out : f64
      linalg.yield %61 : f64
    } -> tensor<2x5x1xf64>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x5x1xf64>) outs(%7 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %61 = arith.divf %in, %cst_13 : f64
      linalg.yield %61 : f64
    } -> tensor<2x5x1xf64>
    %11 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %10 : tensor<2x5x12xf64>, tensor<2x5x1xf64>) outs(%5 : tensor<2x5x12xf64>) {
    ^bb0(%in: f64, %in_35: f64, %out: f64):
      %61 = arith.subf %in, %in_35 : f64
      linalg.yield %61 : f64
    } -> tensor<2x5x12xf64>
    %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %11 : tensor<2x5x12xf64>, tensor<2x5x12xf64>) outs(%5 : tensor<2x5x12xf64>) {
    ^bb0(%in: f64, %in_35: f64, %out: f64):
      %61 = arith.mulf %in, %in_35 : f64
      linalg.yield %61 : f64
    } -> tensor<2x5x12xf64>
    %13 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<2x5x12xf64>) outs(%8 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %61 = arith.addf %in, %out : f64
      linalg.yield %61 : f64
    } -> tensor<2x5x1xf64>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x5x1xf64>) outs(%7 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %61 = arith.divf %in, %cst_13 : f64
      linalg.yield %61 : f64
    } -> tensor<2x5x1xf64>
    %15 = tensor.empty() : tensor<2x5x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x5x1xf64>) outs(%15 : tensor<2x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %61 = arith.truncf %in : f64 to f32
      linalg.yield %61 : f32
    } -> tensor<2x5x1xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%15 : tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%concat : tensor<2x5x12xf32>) outs(%17 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.addf %in, %out : f32
      linalg.yield %61 : f32
    } -> tensor<2x5x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x5x1xf32>) outs(%15 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.divf %in, %cst_14 : f32
      linalg.yield %61 : f32
    } -> tensor<2x5x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x5x1xf32>) outs(%15 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.truncf %cst_9 : f64 to f32
      %62 = arith.addf %in, %61 : f32
      linalg.yield %62 : f32
    } -> tensor<2x5x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<2x5x1xf32>) outs(%15 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = math.rsqrt %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x5x1xf32>
    %22 = tensor.empty() : tensor<2x5x12xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat, %19 : tensor<2x5x12xf32>, tensor<2x5x1xf32>) outs(%22 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %61 = arith.subf %in, %in_35 : f32
      linalg.yield %61 : f32
    } -> tensor<2x5x12xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %21 : tensor<2x5x12xf32>, tensor<2x5x1xf32>) outs(%22 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %61 = arith.mulf %in, %in_35 : f32
      linalg.yield %61 : f32
    } -> tensor<2x5x12xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %cst_8 : tensor<2x5x12xf32>, tensor<12xf32>) outs(%22 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %61 = arith.mulf %in, %in_35 : f32
      linalg.yield %61 : f32
    } -> tensor<2x5x12xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %cst_7 : tensor<2x5x12xf32>, tensor<12xf32>) outs(%22 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %61 = arith.addf %in, %in_35 : f32
      linalg.yield %61 : f32
    } -> tensor<2x5x12xf32>
    %collapsed_16 = tensor.collapse_shape %26 [[0, 1], [2]] : tensor<2x5x12xf32> into tensor<10x12xf32>
    %27 = tensor.empty() : tensor<12x36xf32>
    %transposed_17 = linalg.transpose ins(%cst_6 : tensor<36x12xf32>) outs(%27 : tensor<12x36xf32>) permutation = [1, 0] 
    %28 = tensor.empty() : tensor<10x36xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<10x36xf32>) -> tensor<10x36xf32>
    %30 = linalg.matmul ins(%collapsed_16, %transposed_17 : tensor<10x12xf32>, tensor<12x36xf32>) outs(%29 : tensor<10x36xf32>) -> tensor<10x36xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%30, %cst_5 : tensor<10x36xf32>, tensor<36xf32>) outs(%28 : tensor<10x36xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %61 = arith.addf %in, %in_35 : f32
      linalg.yield %61 : f32
    } -> tensor<10x36xf32>
    %expanded = tensor.expand_shape %31 [[0, 1], [2, 3, 4]] output_shape [2, 5, 3, 2, 6] : tensor<10x36xf32> into tensor<2x5x3x2x6xf32>
    %32 = tensor.empty() : tensor<3x2x2x5x6xf32>
    %transposed_18 = linalg.transpose ins(%expanded : tensor<2x5x3x2x6xf32>) outs(%32 : tensor<3x2x2x5x6xf32>) permutation = [2, 0, 3, 1, 4] 
    %extracted_slice = tensor.extract_slice %transposed_18[0, 0, 0, 0, 0] [1, 2, 2, 5, 6] [1, 1, 1, 1, 1] : tensor<3x2x2x5x6xf32> to tensor<1x2x2x5x6xf32>
    %extracted_slice_19 = tensor.extract_slice %transposed_18[1, 0, 0, 0, 0] [1, 2, 2, 5, 6] [1, 1, 1, 1, 1] : tensor<3x2x2x5x6xf32> to tensor<1x2x2x5x6xf32>
    %extracted_slice_20 = tensor.extract_slice %transposed_18[2, 0, 0, 0, 0] [1, 2, 2, 5, 6] [1, 1, 1, 1, 1] : tensor<3x2x2x5x6xf32> to tensor<1x2x2x5x6xf32>
    %collapsed_21 = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3], [4]] : tensor<1x2x2x5x6xf32> into tensor<2x2x5x6xf32>
    %collapsed_22 = tensor.collapse_shape %extracted_slice_19 [[0, 1], [2], [3], [4]] : tensor<1x2x2x5x6xf32> into tensor<2x2x5x6xf32>
    %33 = tensor.empty() : tensor<2x2x5x6xf32>
    %34 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_21 : tensor<2x2x5x6xf32>) outs(%33 : tensor<2x2x5x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.truncf %cst_4 : f64 to f32
      %62 = arith.mulf %in, %61 : f32
      linalg.yield %62 : f32
    } -> tensor<2x2x5x6xf32>
    %35 = tensor.empty() : tensor<2x2x6x5xf32>
    %transposed_23 = linalg.transpose ins(%collapsed_22 : tensor<2x2x5x6xf32>) outs(%35 : tensor<2x2x6x5xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_24 = tensor.collapse_shape %34 [[0, 1], [2], [3]] : tensor<2x2x5x6xf32> into tensor<4x5x6xf32>
    %collapsed_25 = tensor.collapse_shape %transposed_23 [[0, 1], [2], [3]] : tensor<2x2x6x5xf32> into tensor<4x6x5xf32>
    %36 = tensor.empty() : tensor<4x5x5xf32>
    %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %38 = linalg.batch_matmul ins(%collapsed_24, %collapsed_25 : tensor<4x5x6xf32>, tensor<4x6x5xf32>) outs(%37 : tensor<4x5x5xf32>) -> tensor<4x5x5xf32>
    %expanded_26 = tensor.expand_shape %38 [[0, 1], [2], [3]] output_shape [2, 2, 5, 5] : tensor<4x5x5xf32> into tensor<2x2x5x5xf32>
    %39 = tensor.empty() : tensor<2x2x5xi64>
    %40 = linalg.fill ins(%c0_i64 : i64) outs(%39 : tensor<2x2x5xi64>) -> tensor<2x2x5xi64>
    %41 = tensor.empty() : tensor<2x2x5xf32>
    %42 = linalg.fill ins(%cst_1 : f32) outs(%41 : tensor<2x2x5xf32>) -> tensor<2x2x5xf32>
    %43:2 = linalg.generic {indexing_maps = [#map6, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_26 : tensor<2x2x5x5xf32>) outs(%42, %40 : tensor<2x2x5xf32>, tensor<2x2x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_35: i64):
      %61 = linalg.index 3 : index
      %62 = arith.index_cast %61 : index to i64
      %63 = arith.maximumf %in, %out : f32
      %64 = arith.cmpf ogt, %in, %out : f32
      %65 = arith.select %64, %62, %out_35 : i64
      linalg.yield %63, %65 : f32, i64
    } -> (tensor<2x2x5xf32>, tensor<2x2x5xi64>)
    %expanded_27 = tensor.expand_shape %43#0 [[0], [1], [2, 3]] output_shape [2, 2, 5, 1] : tensor<2x2x5xf32> into tensor<2x2x5x1xf32>
    %44 = tensor.empty() : tensor<2x2x5x5xf32>
    %45 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26, %expanded_27 : tensor<2x2x5x5xf32>, tensor<2x2x5x1xf32>) outs(%44 : tensor<2x2x5x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %61 = arith.subf %in, %in_35 : f32
      linalg.yield %61 : f32
    } -> tensor<2x2x5x5xf32>
    %46 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<2x2x5x5xf32>) outs(%44 : tensor<2x2x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = math.exp %in : f32
      linalg.yield %61 : f32
    } -> tensor<2x2x5x5xf32>
    %47 = tensor.empty() : tensor<2x2x5x1xf32>
    %48 = linalg.fill ins(%cst : f32) outs(%47 : tensor<2x2x5x1xf32>) -> tensor<2x2x5x1xf32>
    %49 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<2x2x5x5xf32>) outs(%48 : tensor<2x2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %61 = arith.addf %in, %out : f32
      linalg.yield %61 : f32
    } -> tensor<2x2x5x1xf32>
    %50 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %49 : tensor<2x2x5x5xf32>, tensor<2x2x5x1xf32>) outs(%44 : tensor<2x2x5x5xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %61 = arith.divf %in, %in_35 : f32
      linalg.yield %61 : f32
    } -> tensor<2x2x5x5xf32>
    %collapsed_28 = tensor.collapse_shape %50 [[0, 1], [2], [3]] : tensor<2x2x5x5xf32> into tensor<4x5x5xf32>
    %collapsed_29 = tensor.collapse_shape %extracted_slice_20 [[0, 1, 2], [3], [4]] : tensor<1x2x2x5x6xf32> into tensor<4x5x6xf32>
    %51 = tensor.empty() : tensor<4x5x6xf32>
    %52 = linalg.fill ins(%cst : f32) outs(%51 : tensor<4x5x6xf32>) -> tensor<4x5x6xf32>
    %53 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<4x5x5xf32>, tensor<4x5x6xf32>) outs(%52 : tensor<4x5x6xf32>) -> tensor<4x5x6xf32>
    %expanded_30 = tensor.expand_shape %53 [[0, 1], [2], [3]] output_shape [2, 2, 5, 6] : tensor<4x5x6xf32> into tensor<2x2x5x6xf32>
    %54 = tensor.empty() : tensor<2x5x2x6xf32>
    %transposed_31 = linalg.transpose ins(%expanded_30 : tensor<2x2x5x6xf32>) outs(%54 : tensor<2x5x2x6xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_32 = tensor.collapse_shape %transposed_31 [[0, 1], [2, 3]] : tensor<2x5x2x6xf32> into tensor<10x12xf32>
    %55 = tensor.empty() : tensor<12x12xf32>
    %transposed_33 = linalg.transpose ins(%cst_3 : tensor<12x12xf32>) outs(%55 : tensor<12x12xf32>) permutation = [1, 0] 
    %56 = tensor.empty() : tensor<10x12xf32>
    %57 = linalg.fill ins(%cst : f32) outs(%56 : tensor<10x12xf32>) -> tensor<10x12xf32>
    %58 = linalg.matmul ins(%collapsed_32, %transposed_33 : tensor<10x12xf32>, tensor<12x12xf32>) outs(%57 : tensor<10x12xf32>) -> tensor<10x12xf32>
    %59 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%58, %cst_2 : tensor<10x12xf32>, tensor<12xf32>) outs(%56 : tensor<10x12xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %61 = arith.addf %in, %in_35 : f32
      linalg.yield %61 : f32
    } -> tensor<10x12xf32>
    %expanded_34 = tensor.expand_shape %59 [[0, 1], [2]] output_shape [2, 5, 12] : tensor<10x12xf32> into tensor<2x5x12xf32>
    %60 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat, %expanded_34 : tensor<2x5x12xf32>, tensor<2x5x12xf32>) outs(%22 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_35: f32, %out: f32):
      %61 = arith.addf %in, %in_35 : f32
      linalg.yield %61 : f32
    } -> tensor<2x5x12xf32>
    return %60 : tensor<2x5x12xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_12_torch.float32_3: "0x040000002C93FDBC06D6143ED0B748BEB4E6153EE79B263E3C1933BE0161713E262B913E1512E9BDFB97A5BDC850133EEA9467BE",
      torch_tensor_12_12_torch.float32: "0x04000000E60CE33DE4AD58BECB9AD73D7F2004BD36F8EC3D85C4503E307E003E7A29C9BCD9AB91BC856539BE37D7D5BD2418403E6412EDBDD894373EAD6EEABDFCB089BD9850C93BEBA187BEDCE63CBB4E5DEEBC8A72D4BC915E6CBD050C693EC6265A3EE95848BECF50093EB9DD67BE47A77BBEA1B8B43DBC048B3B9DE609BE268E8EBEA0E0E4BD7676C53D31CE88BE8F958FBE0A04163D31F454BE737C81BEA6C8E3BD9B5E3EBDE34E86BEEE6145BE7D0E9B3C6F5F8BBE853126BD33DF3EBE5BEC4CBED05CE83DD88563BEB00460BEBE93283E4A125D3DD99A863EE1069EBDE7C70EBE39DBDABCA56EBF3AB170613EE73893BE9C60A8BCC2C2023EA3C822BE473516BE06DB0E3E129F8DBEFF168C3D24DA64BEE2EE123EB8C07CBE03BD353EF4E98BBE6E7978BE99668B3B98EE683E45277DBE53DB03BEC7CF813EA54946BD85EDF43D582F8EBE57ECB9BDEC1D16BE3236793ED65FF53DCEB157BE0EA33E3DA67059BBB3E8F2BDE9CF28BE692FC4BD9C00693E68E753BE319252BE0866B6BDA68EA43BFAEEA03D85ED0D3C90518EBD383D33BEDD2954BD01FEEDBD92D36E3E1EDF8FBEA18D3CBEFE7F70BE141858BD165B663ED08D813E66AB80BEC7EB4CBC58822D3E1B4D023E3C21723E303103BC1E9D46BEF58C433EBFBBCABD2F0F193EE4B191BD8851FB3DC9EF843E276F893E568286BE298943BEC071F4BDAD813CBED2D08D3ED5DBD0BCEF1544BE558A03BEE34723BEBF34F13D91EB80BE8CCF89BE78B291BE5A87FE3D9529123ED29737BE499B923DB9355A3E66CE2B3D492D7ABD0CB8AE3C",
      torch_tensor_36_torch.float32: "0x0400000007060E3EEA45303D3BB14C3E97CFF63D18628EBE5DF73A3E30AA5EBDEBA502BE5BB93B3EAC97573E4DE881BEE6D5D5BC5CC0723E6EF7E43D6809793E139BCABD3D1123BE31317E3EB16DF63D13E38D3EECF1F6BD0FCC3DBE16980ABDC62A8BBE03BDE73D99085A3E58EC8D3D3DA9E9BCE08F123E76A23BBE0296903E35F792BEFE958DBEFFB38BBD4276713EB7C7EC3C",
      torch_tensor_36_12_torch.float32: "0x04000000616F763EA56502BEB5B5D13D338E803EDF13153EEA67273D24847B3E87F21E3D49C308BEFFD18B3E56ED8B3D0E3590BEC24FA8BDFA5A49BEE795813E4B4543BD93B986BE32A994BC88A4393E8398993D32F1BA3D0AA1DB3CB469DC3D760C90BDA02EEBBDC7268ABE5CB05EBE801D003EDB072FBEFDA2293D47B5BC3D5C70A73C83A73FBED0588D3EA7E42BBE4822733EA7276BBEC0368EBD8BCC203E3C8EF1BDCA51783EDE6B4BBE403D78BE0F4B05BE3A233F3DD916883E0D1F0DBEA46ED33D3C3894BDE03580BDAF5B593EA31665BE162DFB3C7AFE8A3E5F7A22BD8884653EED10B6BD12F36D3E19F98EBEEC692ABDCAAF4FBDE999BF3D54F2E73D20F8623EBB2930BD098E3BBCB76E4A3EF3F69FBD6391813EF8D044BEC5E5FFBCBC087EBCB1E6033ED1184A3EBF6A3BBDD1E674BE1A78123E43D9B03DC07CED3D1F5936BEBE3F3E3EB8FD8B3E0233CD3CCD0D8ABEB3824F3EEB2C5BBEE4E6873D61D32B3D695A0ABE04DBCD3DDA3284BE26A7863DE4653BBEA7B7FFBCAC17183D6ED67B3ED1090DBEC95F3D3EDD3416BDE6630CBEA5B480BE5A9C87BE3D58903E597293BD953D6C3C8E48A03D5DEE483E304A7C3E48BD6F3EED015BBE47713DBD6CEB2EBEBCE428BE073D8C3DD6BB8A3E1ACF6CBE84E6323EAF4219BEBF4D66BD2EA46A3EA1B685BDC154D73CE8A24EBE30A17B3EB3D918BD933358BE861CAD3DDA2D52BE3C906ABE3210903C015E6A3E524DA7BD76210B3EAA047E3EE90F443EDF0F1BBEB19D01BD360BBABD90B36DBE1223FA381D6C5E3EE80C793ED6A3DC3CD246863D38F2FFBD49225F3E9101F6BD78574DBE7E15363D292E313EB94185BEA09B853EE8ACD43D7D1A4FBE60B37EBDD23A803E11CC62BED6CBACBD75E7C13DA17C81BE9A0C223E28E0193EB755373E08763CBEEA35933EE7382FBE6F8E933E06D88DBED5AF83BEF88E353EAC27F73CDB6C883C5DB123BE26FFF7BD87DCACBD57FB8FBE3DCB753CCE1E513DBB2280B927EBBE3DE43D8C3E42319D3DA96CD8BD254FF3BDEF203DBEF5EA4CBE6F6D3EBDD32051BDBA80033E19B4FCBDF3A76B3E446B4FBEBD14573AA3DC843EC6F8923E5B3B2BBE3F9F523D7BAB0B3D18980ABE4542CCBD7521A03D618D4DBED417433D6AD4FF3D16FAE8BD518A753E5BA19BBC761E063E725E923E92B6B4BD1DA2203E361AA9BDF9B72CBD8B6248BD3811EBBAD556DFBD34928A3D1537323C43613B3EA7536FBD2C25ED3C54ECDBBDDA8D77BEF23DEF3D974C173DC6C4ECBDD1E3C7BDF89C9A3DE0CC55BD6E2B413E81F3853C0952DF3D13CB003EED0F91BD5BCBFF3DB2225A3EA1A6593CD063673DD0DA2B3C87AA4C3ECD9AF9BD42221DBE6ACF003E46A280BEEBA7973B02F207BEAE1B433EF09B89BEE23B333E843A923EEA3F6F3D7E8F9DBC117D913E4EA7FCBD8180BDBC387201BEC93823BD027E803DBCEC1D3D0A545FBD32C793BE752D723C021A0CBCE1E0313D9281623E24AA8F3E53602FBE1C7593BC84E1ECBD843888BE341957BE8CB88A3ED45A2C3E9EC81E3E9047243EC4D96ABE2C5AF83CA98F893ED9F824BEC87B833E51649B3D46F84F3E0044FDBD4447083E3D0683BEE82796BC9B32C53DB34CB13DFF5C773E053D913EAF76863E3D77463ED6D34F3E069118BDEC6665BED378DBBD39BE04BD75BD1FBE931A173E9787CF3DDFC83E3DF3CF8E3D33D6813E0456D73DF59C81BEA19256BE7D49023E6C23213DCC29103ECB9C93BED16688BE9345353ED7143D3EC1B785BED169E03DF5D166BEDADC5F3ED783B93DF524923E33BB91BEFF488EBEA7DB473EC438833E391C353EA386443E6CFA78BE34F6553EE88B8BBE9913843D66A141BE19D3EABD595E513D5D73E8BDBB153BBD0C178CBEB55B8BBEFA02E53DBB3EFABD8DD733BE9847E9BD0DAD71BE2C4E6CBE80E1303EF23C163E69801D3DE67921BEEDB1C43D0E7B543C794253BE7C717E3D7594863EF06091BE0BF992BE257F173D8D985E3E21DF33BE8325823D07CE4F3E5847B63D10E37F3D2F77933ED793403E5C4126BE4968CC3CFD03173E0259823E800D93BE1F12203E68A5ABBD04BB90BE863B833D35EE20BEF88F273D68EB3FBE39735EBE71A8C8BCFD99C6BD52E32C3E12E4CB3C58BC663E78965D3DF51BBEBDD938483EE239813CDDED5D3D3B25BEBD42CA873AA95863BD1E0DC9BCF18866BED8B1E8BA255D75BEA05F7EBDD8502B3E418C4DBE804047BED95B90BDE311A2BDF02A483D914C443D41E6153EA9A24BBE7CE3A6BC0F54253E3FB07F3EDF80ACBCC40A2BBE26F3A93DE256283E9BAD38BE63892BBEFAA7023EA3B1A5BC36998BBEC2702ABEF4C0EF3DDF85C8BDB5084C3EACAF693E6C012C3D80FFBABC41AABBBDAD286FBC5439573D03CC61BEBC4B8DBD15E275BE906D353E3D403CBEF705873ED76698BD065829BE",
      torch_tensor_12_torch.float32_2: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_12_torch.float32_1: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_1_1_12_torch.float32: "0x040000005608D93EA67D6B3F11A4A4BF3238903F7C22DBBF08E0DBBE296708BF0B8A09BFE555B3BDEE2BE13E13DDAD3F1944843E",
      torch_tensor_12_3_4_4_torch.float32: "0x04000000E8A38DBA13939E3D7E4BF3BDC98BD9BDB1B463BD53891E3D406B3BBB7A61EA3D42DD51BCD2701C3D9EAB32BDEA6BE8BCBD330DBED6C5C3BD84B573BD0834AF3B8DB9693D665EB13DD266C8BD69B980BD83BC563D2777F53D4357F3BC1534DD3DDA95BEBC653B7A3CB5D4053E791C09BEF017BABD48AC15BDCC7366BDCA66FF3DA49ABFBD701388BD3C85CEBDDF6C0ABE3E8EACBD9D19FE3D55E7833D54458F3D67BDF83B0B8D97BDD50BC83C6B000ABECE97D5BD736498BDE281BA3D8A51AD3D3F1983BD3DA8AABB680EBD3D3DEF123EAFA36A3D50BC9F3CB032C63D4B0DAEBDEE55DC3CD22EE5BDEAE0CCBD2EB498BDA6C0853D8AC26D3DF419AFBD949B323D2847A23DB83D95BCE195B43B41FC083DA962B73D15EB0D3E84CCE3BDCBA858BD9E59683D06ECF43D3B9E003EEF69023E4451EB3C998600BEDB8B593C58EEB8BD8FBE09BE1752033ECFC3E03DB16F13BE9250DD3C7A30C7BC4D94C2BC805087BD285A633D3F16AFBD33BB583D2F7D953D319DD33D0B0F5D3DD64812BEC8C1BFBD6499933D107BF73C6E98E6BDD336AABD580B0B3ECD2EC73DF7E380BD38CC14BDACCB0CBEDC052ABB529BDEBDFF03E4BD104D02BC9488B13CF61D72BD8667AF3DDDE2B3BD5E1C063EB193CA3DFA46F9BD5F2413BD146AD53BF083AC3C11380C3D9701683D4CA70D3CBE3B90BD52E08B3D51C70DBEC134AFBD26FF13BD09FE8FBDE6D24EBD6C48F2BD6984FBBC9CBFFC3C5193C0BD08B9F2BB9F9BD33DD21A73BC9272833BD1024CBC664CEF3CCEF4BB3D2B010C3E82B9BB3D2D530C3E36072BBCFFC504BE89238CBD2147C93D764775BAB6ED92BD3986E2BD0C520ABEDC7DF9BD3ED6EFBC531CA23DB8D09F3D6D8B0EBE5D64B83DF94FE7BD6EF9F9BCD7B76FBD39C0E3BC8228E8BC3CA104BE313CFFBDFF05B9BCB0A8F43A014986BD03B55E3DB70705BE7B981FBCCBFA013E022671BD2277053E941B563D9E6205BE0707BB3DA87188BC98F583BD5361EC3D2AE0EEBDF0C17D3C738FF7BC1518D33D3808253DFB098E3D39CA503D952B0EBD00ABF8BCE999F3BDC22BA03DDCB3EA3D5742CA3D1E83D0BD28F1D23B8161D0BD97B9A2BDEB3FACBDBC0A4A3D6727B0BD2B604EBBB7F7C63B7F8DBE3DD673DFBD70EFCABD3EA5ABBD14E7CE3DA38454BD8C56F93DE8C8553D6BB9953CA3D48CBAC6BDE9BC645A943CB8FF06BD2EEE84BA22DE963CF238E7BD5CEF9ABD92B2EE3D5AE5EFBD28CF29BC0D36123ED590553D2FE9853B1E1600BE746F923D758DD2BD8CD227BD085C46BDBA19AFBCEDEFCE3ADCD0F33D719C933C8862043E01D3B43D72E2BABD4D94843DF9F5D0BD79917ABD26E32D3D3636433D19C5DD3D9D513EBDE5497239FE2E983D16F00EBE2AB7D53DE770F4BD775F023BB407C9BCB0AF9BBDE2479C3C9F70F43D3ED22CBD7A7FAFBDB4A65ABD4E7E12BEFE6E853DB2F78DBD9C44C5BD294CAABD7CF5A93D338B9C3DCCE1E23DBF71563D6F7045BD2C3625BD00A92E3D07FFF23D96BE203D04DD8BBDDAF48ABDEDBD0BBE4275FF3C2EE3A5BDC2C603BE939A013ED6F7BFBD5F8386BC7C60293DC8AD963BF5E7C6BD4EF1EEBDC79EEB3DEB8AC03C623DF53D4C3246BDA4242E3DE53107BD4655D2BB1609B4BD57F2473D5EEB3A3DCA2143BBB2F604BDFD37B6BD466CCC3DE30DDCBD6C32723D9ACB46BD819E8EBD2B6AD43CA08D99BD8637083D0E34E83C7C7BDBBDBFDEC43CEBCF7B3D96046A3D34D794BCFB54F2BD1946B6BCA3544D3DC0B757BD2F69603D5BDCC43D89599ABD7492BA3A9F76743D9A59393C9B89453C7DA4933C4C63E8BDFBD8393C47B2CC3DA52F053EBBBDAD3D6E729E3C0B0D8A3D15CE8FBD8AF6F4BD0F32FEBDC972133E56A5BB3DBC54CCBD254E673DE53ADF3DA7BE133EAD3C013E1205E53D238A07BDA37A4FBD6CB4F23D6CA6A53D4CE3B1BD51E0043EC3D28E3DD524A13DF546B9BDF99D293D3E414FBDBBF8E63D9FC3D4BC062A663DBE05D23C268A7B3D87E848BDB220903D6878CEBDE886053DB800C8BDD9CF11BECE62EDBDB75EE93D94EE9F3D7BAB0A3E69D0EC3D5DFE03BE9ABAC9BDB20EBFBC6FF9BFBD1344CD3D7A7ADFBDAD3990BD38CA0EBED6D3A7BD8820F33D3807F23DA19AD33D4F3EE43D5A6C033EDA6217BDEB10823D56AE033E0F95433DFBC0133E8951993DE5C2B73DEEEA4EBDAFD68D3DF6DD873CBE300DBD6FA2A6BD31DEA5BD0A76E3BD8E72C63D5427D23DDA9286BCBF0FABBD3379E43DFA08BD3D7EC92F3C95908BBD39D6073EB9C4713DE967E0BD5C750D3E3279E03D4B7D57BDBD2CA63D65F5A7BD154DB9BC45FFFA3DD86CC33B590ED1BDCA9945BDED7A20BD1F1FE4BCBD50623CFDB0083E303AFD3B6F84B6BD3A6AF23BEEBC8D3D93A1923DE61407BE7C95D3BC0EADDBBD65427CBD0302553DB7EAD1BD75C45B3DD2E6FA3DE71A1B3C1704C5BD09D253BD2C19013D0058E1BDD9DB923D442F06BEAD140EBEF19C0FBE4ADEEFBCFEC5C63D24E40BBEA2B3F53D067F6CBDB1272D3D9DAFD73B8D4605BE0527F53D6A2A9F3D0AEA123EA857953D5C1EC3BDABB4F63D4B31FE3B122E8C3DFB05EDBDF50B2ABD861F11BE444566BD5815FF3CAF18E8BD9D743C3D90AE9E3D9EB8A43C84C8C5BDE52FE5BDA76536BDEBC1813D81CA113E02FBA93D942685BC6B494F3DB30011BEA679FCBD4DEE893D296FA7BDA7368E3D07ADD0BD626A92BD377CF3BD02429A3DD8F670BC257FE33DD0F0B63DE691A33D5616983BC0C936BD0B8C00BDB8249D3C8C88923DC218CFBDE517F83D5B9080BC13B3F7BD41F09FBD0CC7023E2C2B073EDAE708BE107DD03DF324943D1BF9AE3DA33CFA3DC5509FBD51B03A3D00F1713D99B22EBD63D9453D1C192ABD97C2B63D740824BD39665CBDF1D5143D7FB2513D646C90BDF70B513C0D50AB3DE14A6BBC9BEC333D63970EBDBC374F3D2322D6BDC2D2ADBDA30B96BDD3D4073E95151FBD859ECEB9EF378FBD878C133E7D5A103EA9F0DEBD00A3EFBDB410E0BD907A36BA6EB316BD637CC1BDA30C54BDF664DF3C33739ABD4600033DB59207BD113D8FBD4972A23CF10FF33DEED9C7BD5E9EDB3B98045ABDE909113E923A0CBE15B10DBE3CA4113E7706BBBD3DB2E23C55194CBC6A15F9BC710B04BD9ED6BB3D2610E23BE0E60FBE2F83AEBDE38A49BDA0C0943D7D4BBFBD775D0B3ED7AD03BD0451D4BC539FE73D9092943D0BB5FA3D76FDAA3D485833BDE91FC4BD48F32FBC05A7F43D",
      torch_tensor_12_torch.float32: "0x04000000B16B46BD1B1109BE395A723D75E10F3E7F4E28BD3BC4F4BD9F1006BEF127143D621033BCA24695BDE000EF3C1684603D"
    }
  }
#-}
