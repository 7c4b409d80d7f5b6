// a decoder layer: causal self attention, cross attention
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 2
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map13 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<2x5x12xf32>, %arg1: tensor<2x7x12xf32>) -> tensor<2x5x12xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<2x3x5x7xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<2x3x5x5xf32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = arith.constant dense<0xFF800000> : tensor<5x5xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_12_torch.float32_8> : tensor<12xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_12_16_torch.float32> : tensor<12x16xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_16_torch.float32> : tensor<16xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_16_12_torch.float32> : tensor<16x12xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_12_torch.float32_7> : tensor<12xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_12_torch.float32_6> : tensor<12xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_12_torch.float32_5> : tensor<12xf32>
    %cst_13 = arith.constant dense_resource<torch_tensor_12_12_torch.float32_1> : tensor<12x12xf32>
    %cst_14 = arith.constant dense_resource<torch_tensor_36_torch.float32_1> : tensor<36xf32>
    %cst_15 = arith.constant dense_resource<torch_tensor_36_12_torch.float32_1> : tensor<36x12xf32>
    %cst_16 = arith.constant dense_resource<torch_tensor_12_torch.float32_4> : tensor<12xf32>
    %cst_17 = arith.constant dense_resource<torch_tensor_12_torch.float32_3> : tensor<12xf32>
    %cst_18 = arith.constant dense_resource<torch_tensor_12_torch.float32_2> : tensor<12xf32>
    %cst_19 = arith.constant dense_resource<torch_tensor_12_12_torch.float32> : tensor<12x12xf32>
    %cst_20 = arith.constant 0.70710678118654757 : f64
    %cst_21 = arith.constant dense_resource<torch_tensor_36_torch.float32> : tensor<36xf32>
    %cst_22 = arith.constant dense_resource<torch_tensor_36_12_torch.float32> : tensor<36x12xf32>
    %cst_23 = arith.constant dense_resource<torch_tensor_12_torch.float32_1> : tensor<12xf32>
    %cst_24 = arith.constant dense_resource<torch_tensor_12_torch.float32> : tensor<12xf32>
    %cst_25 = arith.constant 1.000000e-05 : f64
    %cst_26 = arith.constant 0xFFF0000000000000 : f64
    %cst_27 = arith.constant 1.200000e+01 : f64
    %cst_28 = arith.constant 1.200000e+01 : f32
    %0 = tensor.empty() : tensor<5xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<5xi64>) {
    ^bb0(%out: i64):
      %153 = linalg.index 0 : index
      %154 = arith.index_cast %153 : index to i64
      linalg.yield %154 : i64
    } -> tensor<5xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [1, 5] : tensor<5xi64> into tensor<1x5xi64>
    %expanded_29 = tensor.expand_shape %1 [[0, 1]] output_shape [5, 1] : tensor<5xi64> into tensor<5x1xi64>
    %2 = tensor.empty() : tensor<5x5xi64>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_29 : tensor<1x5xi64>, tensor<5x1xi64>) outs(%2 : tensor<5x5xi64>) {
    ^bb0(%in: i64, %in_101: i64, %out: i64):
      %153 = arith.subi %in, %in_101 : i64
      linalg.yield %153 : i64
    } -> tensor<5x5xi64>
    %4 = tensor.empty() : tensor<5x5xi1>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<5x5xi64>) outs(%4 : tensor<5x5xi1>) {
    ^bb0(%in: i64, %out: i1):
      %153 = arith.cmpi sge, %in, %c1_i64 : i64
      linalg.yield %153 : i1
    } -> tensor<5x5xi1>
    %6 = tensor.empty() : tensor<5x5xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5, %cst_5, %cst_4 : tensor<5x5xi1>, tensor<5x5xf32>, tensor<f32>) outs(%6 : tensor<5x5xf32>) {
    ^bb0(%in: i1, %in_101: f32, %in_102: f32, %out: f32):
      %153 = arith.select %in, %in_101, %in_102 : f32
      linalg.yield %153 : f32
    } -> tensor<5x5xf32>
    %8 = tensor.empty() : tensor<2x5x12xf64>
    %9 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5x12xf32>) outs(%8 : tensor<2x5x12xf64>) {
    ^bb0(%in: f32, %out: f64):
      %153 = arith.extf %in : f32 to f64
      linalg.yield %153 : f64
    } -> tensor<2x5x12xf64>
    %10 = tensor.empty() : tensor<2x5x1xf64>
    %11 = linalg.fill ins(%cst : f64) outs(%10 : tensor<2x5x1xf64>) -> tensor<2x5x1xf64>
    %12 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<2x5x12xf64>) outs(%11 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %153 = arith.addf %in, %out : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x1xf64>
    %13 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x5x1xf64>) outs(%10 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %153 = arith.divf %in, %cst_27 : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x1xf64>
    %14 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %13 : tensor<2x5x12xf64>, tensor<2x5x1xf64>) outs(%8 : tensor<2x5x12xf64>) {
    ^bb0(%in: f64, %in_101: f64, %out: f64):
      %153 = arith.subf %in, %in_101 : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x12xf64>
    %15 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %14 : tensor<2x5x12xf64>, tensor<2x5x12xf64>) outs(%8 : tensor<2x5x12xf64>) {
    ^bb0(%in: f64, %in_101: f64, %out: f64):
      %153 = arith.mulf %in, %in_101 : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x12xf64>
    %16 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<2x5x12xf64>) outs(%11 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %153 = arith.addf %in, %out : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x1xf64>
    %17 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<2x5x1xf64>) outs(%10 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %153 = arith.divf %in, %cst_27 : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x1xf64>
    %18 = tensor.empty() : tensor<2x5x1xf32>
    %19 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x5x1xf64>) outs(%18 : tensor<2x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %153 = arith.truncf %in : f64 to f32
      linalg.yield %153 : f32
    } -> tensor<2x5x1xf32>
    %20 = linalg.fill ins(%cst_0 : f32) outs(%18 : tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %21 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x5x12xf32>) outs(%20 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.addf %in, %out : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x1xf32>
    %22 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x5x1xf32>) outs(%18 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.divf %in, %cst_28 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x1xf32>
    %23 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<2x5x1xf32>) outs(%18 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.truncf %cst_25 : f64 to f32
      %154 = arith.addf %in, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x5x1xf32>
    %24 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<2x5x1xf32>) outs(%18 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = math.rsqrt %in : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x1xf32>
    %25 = tensor.empty() : tensor<2x5x12xf32>
    %26 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %22 : tensor<2x5x12xf32>, tensor<2x5x1xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.subf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %27 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %24 : tensor<2x5x12xf32>, tensor<2x5x1xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.mulf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %cst_24 : tensor<2x5x12xf32>, tensor<12xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.mulf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %cst_23 : tensor<2x5x12xf32>, tensor<12xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %30 = tensor.empty() : tensor<5x2x12xf32>
    %transposed = linalg.transpose ins(%29 : tensor<2x5x12xf32>) outs(%30 : tensor<5x2x12xf32>) permutation = [1, 0, 2] 
    %31 = tensor.empty() : tensor<12x36xf32>
    %transposed_30 = linalg.transpose ins(%cst_22 : tensor<36x12xf32>) outs(%31 : tensor<12x36xf32>) permutation = [1, 0] 
    %32 = tensor.empty() : tensor<5x12x36xf32>
    %33 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_30 : tensor<12x36xf32>) outs(%32 : tensor<5x12x36xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x12x36xf32>
    %34 = tensor.empty() : tensor<5x2x36xf32>
    %35 = linalg.fill ins(%cst_0 : f32) outs(%34 : tensor<5x2x36xf32>) -> tensor<5x2x36xf32>
    %36 = linalg.batch_matmul ins(%transposed, %33 : tensor<5x2x12xf32>, tensor<5x12x36xf32>) outs(%35 : tensor<5x2x36xf32>) -> tensor<5x2x36xf32>
    %37 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36, %cst_21 : tensor<5x2x36xf32>, tensor<36xf32>) outs(%34 : tensor<5x2x36xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<5x2x36xf32>
    %expanded_31 = tensor.expand_shape %37 [[0, 1], [2], [3, 4]] output_shape [1, 5, 2, 3, 12] : tensor<5x2x36xf32> into tensor<1x5x2x3x12xf32>
    %38 = tensor.empty() : tensor<3x5x2x1x12xf32>
    %transposed_32 = linalg.transpose ins(%expanded_31 : tensor<1x5x2x3x12xf32>) outs(%38 : tensor<3x5x2x1x12xf32>) permutation = [3, 1, 2, 0, 4] 
    %collapsed = tensor.collapse_shape %transposed_32 [[0], [1], [2, 3], [4]] : tensor<3x5x2x1x12xf32> into tensor<3x5x2x12xf32>
    %extracted_slice = tensor.extract_slice %collapsed[0, 0, 0, 0] [1, 5, 2, 12] [1, 1, 1, 1] : tensor<3x5x2x12xf32> to tensor<1x5x2x12xf32>
    %extracted_slice_33 = tensor.extract_slice %collapsed[1, 0, 0, 0] [1, 5, 2, 12] [1, 1, 1, 1] : tensor<3x5x2x12xf32> to tensor<1x5x2x12xf32>
    %extracted_slice_34 = tensor.extract_slice %collapsed[2, 0, 0, 0] [1, 5, 2, 12] [1, 1, 1, 1] : tensor<3x5x2x12xf32> to tensor<1x5x2x12xf32>
    %collapsed_35 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x5x2x12xf32> into tensor<5x24xf32>
    %expanded_36 = tensor.expand_shape %collapsed_35 [[0], [1, 2]] output_shape [5, 6, 4] : tensor<5x24xf32> into tensor<5x6x4xf32>
    %39 = tensor.empty() : tensor<6x5x4xf32>
    %transposed_37 = linalg.transpose ins(%expanded_36 : tensor<5x6x4xf32>) outs(%39 : tensor<6x5x4xf32>) permutation = [1, 0, 2] 
    %collapsed_38 = tensor.collapse_shape %extracted_slice_33 [[0, 1], [2, 3]] : tensor<1x5x2x12xf32> into tensor<5x24xf32>
    %expanded_39 = tensor.expand_shape %collapsed_38 [[0], [1, 2]] output_shape [5, 6, 4] : tensor<5x24xf32> into tensor<5x6x4xf32>
    %transposed_40 = linalg.transpose ins(%expanded_39 : tensor<5x6x4xf32>) outs(%39 : tensor<6x5x4xf32>) permutation = [1, 0, 2] 
    %collapsed_41 = tensor.collapse_shape %extracted_slice_34 [[0, 1], [2, 3]] : tensor<1x5x2x12xf32> into tensor<5x24xf32>
    %expanded_42 = tensor.expand_shape %collapsed_41 [[0], [1, 2]] output_shape [5, 6, 4] : tensor<5x24xf32> into tensor<5x6x4xf32>
    %transposed_43 = linalg.transpose ins(%expanded_42 : tensor<5x6x4xf32>) outs(%39 : tensor<6x5x4xf32>) permutation = [1, 0, 2] 
    %expanded_44 = tensor.expand_shape %7 [[0, 1, 2], [3]] output_shape [1, 1, 5, 5] : tensor<5x5xf32> into tensor<1x1x5x5xf32>
    %expanded_45 = tensor.expand_shape %transposed_37 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
    %expanded_46 = tensor.expand_shape %transposed_40 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
    %40 = tensor.empty() : tensor<2x3x5x4xf32>
    %41 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_45 : tensor<2x3x5x4xf32>) outs(%40 : tensor<2x3x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.truncf %cst_20 : f64 to f32
      %154 = arith.mulf %in, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x3x5x4xf32>
    %42 = tensor.empty() : tensor<2x3x4x5xf32>
    %transposed_47 = linalg.transpose ins(%expanded_46 : tensor<2x3x5x4xf32>) outs(%42 : tensor<2x3x4x5xf32>) permutation = [0, 1, 3, 2] 
    %43 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_47 : tensor<2x3x4x5xf32>) outs(%42 : tensor<2x3x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.truncf %cst_20 : f64 to f32
      %154 = arith.mulf %in, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x3x4x5xf32>
    %collapsed_48 = tensor.collapse_shape %41 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %collapsed_49 = tensor.collapse_shape %43 [[0, 1], [2], [3]] : tensor<2x3x4x5xf32> into tensor<6x4x5xf32>
    %44 = tensor.empty() : tensor<6x5x5xf32>
    %45 = linalg.fill ins(%cst_0 : f32) outs(%44 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %46 = linalg.batch_matmul ins(%collapsed_48, %collapsed_49 : tensor<6x5x4xf32>, tensor<6x4x5xf32>) outs(%45 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
    %expanded_50 = tensor.expand_shape %46 [[0, 1], [2], [3]] output_shape [2, 3, 5, 5] : tensor<6x5x5xf32> into tensor<2x3x5x5xf32>
    %47 = tensor.empty() : tensor<2x3x5x5xf32>
    %48 = linalg.generic {indexing_maps = [#map9, #map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_50, %expanded_44 : tensor<2x3x5x5xf32>, tensor<1x1x5x5xf32>) outs(%47 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x3x5x5xf32>
    %49 = tensor.empty() : tensor<2x3x5xi64>
    %50 = linalg.fill ins(%c0_i64 : i64) outs(%49 : tensor<2x3x5xi64>) -> tensor<2x3x5xi64>
    %51 = tensor.empty() : tensor<2x3x5xf32>
    %52 = linalg.fill ins(%cst_1 : f32) outs(%51 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %53:2 = linalg.generic {indexing_maps = [#map9, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%48 : tensor<2x3x5x5xf32>) outs(%52, %50 : tensor<2x3x5xf32>, tensor<2x3x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_101: i64):
      %153 = linalg.index 3 : index
      %154 = arith.index_cast %153 : index to i64
      %155 = arith.maximumf %in, %out : f32
      %156 = arith.cmpf ogt, %in, %out : f32
      %157 = arith.select %156, %154, %out_101 : i64
      linalg.yield %155, %157 : f32, i64
    } -> (tensor<2x3x5xf32>, tensor<2x3x5xi64>)
    %expanded_51 = tensor.expand_shape %53#0 [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
    %54 = linalg.generic {indexing_maps = [#map9, #map12, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %expanded_51 : tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>) outs(%47 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.subf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x3x5x5xf32>
    %55 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<2x3x5x5xf32>) outs(%47 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = math.exp %in : f32
      linalg.yield %153 : f32
    } -> tensor<2x3x5x5xf32>
    %56 = tensor.empty() : tensor<2x3x5x1xf32>
    %57 = linalg.fill ins(%cst_0 : f32) outs(%56 : tensor<2x3x5x1xf32>) -> tensor<2x3x5x1xf32>
    %58 = linalg.generic {indexing_maps = [#map9, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%55 : tensor<2x3x5x5xf32>) outs(%57 : tensor<2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.addf %in, %out : f32
      linalg.yield %153 : f32
    } -> tensor<2x3x5x1xf32>
    %59 = linalg.generic {indexing_maps = [#map9, #map12, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %58 : tensor<2x3x5x5xf32>, tensor<2x3x5x1xf32>) outs(%47 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.divf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x3x5x5xf32>
    %60 = tensor.empty() : tensor<2x3x5x5xi1>
    %61 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<2x3x5x5xf32>) outs(%60 : tensor<2x3x5x5xi1>) {
    ^bb0(%in: f32, %out: i1):
      %153 = arith.extf %in : f32 to f64
      %154 = arith.cmpf oeq, %153, %cst_26 : f64
      linalg.yield %154 : i1
    } -> tensor<2x3x5x5xi1>
    %62 = tensor.empty() : tensor<2x3x5x1xi1>
    %63 = linalg.fill ins(%true : i1) outs(%62 : tensor<2x3x5x1xi1>) -> tensor<2x3x5x1xi1>
    %64 = linalg.generic {indexing_maps = [#map9, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%61 : tensor<2x3x5x5xi1>) outs(%63 : tensor<2x3x5x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %153 = arith.andi %in, %out : i1
      linalg.yield %153 : i1
    } -> tensor<2x3x5x1xi1>
    %65 = linalg.generic {indexing_maps = [#map12, #map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %cst_3, %59 : tensor<2x3x5x1xi1>, tensor<2x3x5x5xf32>, tensor<2x3x5x5xf32>) outs(%47 : tensor<2x3x5x5xf32>) {
    ^bb0(%in: i1, %in_101: f32, %in_102: f32, %out: f32):
      %153 = arith.select %in, %in_101, %in_102 : f32
      linalg.yield %153 : f32
    } -> tensor<2x3x5x5xf32>
    %collapsed_52 = tensor.collapse_shape %65 [[0, 1], [2], [3]] : tensor<2x3x5x5xf32> into tensor<6x5x5xf32>
    %66 = linalg.fill ins(%cst_0 : f32) outs(%39 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %67 = linalg.batch_matmul ins(%collapsed_52, %transposed_43 : tensor<6x5x5xf32>, tensor<6x5x4xf32>) outs(%66 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %expanded_53 = tensor.expand_shape %67 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
    %68 = tensor.empty() : tensor<5x2x3x4xf32>
    %transposed_54 = linalg.transpose ins(%expanded_53 : tensor<2x3x5x4xf32>) outs(%68 : tensor<5x2x3x4xf32>) permutation = [2, 0, 1, 3] 
    %collapsed_55 = tensor.collapse_shape %transposed_54 [[0, 1], [2, 3]] : tensor<5x2x3x4xf32> into tensor<10x12xf32>
    %69 = tensor.empty() : tensor<12x12xf32>
    %transposed_56 = linalg.transpose ins(%cst_19 : tensor<12x12xf32>) outs(%69 : tensor<12x12xf32>) permutation = [1, 0] 
    %70 = tensor.empty() : tensor<10x12xf32>
    %71 = linalg.fill ins(%cst_0 : f32) outs(%70 : tensor<10x12xf32>) -> tensor<10x12xf32>
    %72 = linalg.matmul ins(%collapsed_55, %transposed_56 : tensor<10x12xf32>, tensor<12x12xf32>) outs(%71 : tensor<10x12xf32>) -> tensor<10x12xf32>
    %73 = linalg.generic {indexing_maps = [#map3, #map13, #map3], iterator_types = ["parallel", "parallel"]} ins(%72, %cst_18 : tensor<10x12xf32>, tensor<12xf32>) outs(%70 : tensor<10x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<10x12xf32>
    %expanded_57 = tensor.expand_shape %73 [[0, 1], [2]] output_shape [5, 2, 12] : tensor<10x12xf32> into tensor<5x2x12xf32>
    %transposed_58 = linalg.transpose ins(%expanded_57 : tensor<5x2x12xf32>) outs(%25 : tensor<2x5x12xf32>) permutation = [1, 0, 2] 
    %74 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %transposed_58 : tensor<2x5x12xf32>, tensor<2x5x12xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %75 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<2x5x12xf32>) outs(%8 : tensor<2x5x12xf64>) {
    ^bb0(%in: f32, %out: f64):
      %153 = arith.extf %in : f32 to f64
      linalg.yield %153 : f64
    } -> tensor<2x5x12xf64>
    %76 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%75 : tensor<2x5x12xf64>) outs(%11 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %153 = arith.addf %in, %out : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x1xf64>
    %77 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<2x5x1xf64>) outs(%10 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %153 = arith.divf %in, %cst_27 : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x1xf64>
    %78 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %77 : tensor<2x5x12xf64>, tensor<2x5x1xf64>) outs(%8 : tensor<2x5x12xf64>) {
    ^bb0(%in: f64, %in_101: f64, %out: f64):
      %153 = arith.subf %in, %in_101 : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x12xf64>
    %79 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %78 : tensor<2x5x12xf64>, tensor<2x5x12xf64>) outs(%8 : tensor<2x5x12xf64>) {
    ^bb0(%in: f64, %in_101: f64, %out: f64):
      %153 = arith.mulf %in, %in_101 : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x12xf64>
    %80 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%79 : tensor<2x5x12xf64>) outs(%11 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %153 = arith.addf %in, %out : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x1xf64>
    %81 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<2x5x1xf64>) outs(%10 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %153 = arith.divf %in, %cst_27 : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x1xf64>
    %82 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<2x5x1xf64>) outs(%18 : tensor<2x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %153 = arith.truncf %in : f64 to f32
      linalg.yield %153 : f32
    } -> tensor<2x5x1xf32>
    %83 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%74 : tensor<2x5x12xf32>) outs(%20 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.addf %in, %out : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x1xf32>
    %84 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<2x5x1xf32>) outs(%18 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.divf %in, %cst_28 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x1xf32>
    %85 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<2x5x1xf32>) outs(%18 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.truncf %cst_25 : f64 to f32
      %154 = arith.addf %in, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x5x1xf32>
    %86 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<2x5x1xf32>) outs(%18 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = math.rsqrt %in : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x1xf32>
    %87 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %84 : tensor<2x5x12xf32>, tensor<2x5x1xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.subf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %88 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %86 : tensor<2x5x12xf32>, tensor<2x5x1xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.mulf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %89 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %cst_17 : tensor<2x5x12xf32>, tensor<12xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.mulf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %90 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %cst_16 : tensor<2x5x12xf32>, tensor<12xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %transposed_59 = linalg.transpose ins(%90 : tensor<2x5x12xf32>) outs(%30 : tensor<5x2x12xf32>) permutation = [1, 0, 2] 
    %91 = tensor.empty() : tensor<7x2x12xf32>
    %transposed_60 = linalg.transpose ins(%arg1 : tensor<2x7x12xf32>) outs(%91 : tensor<7x2x12xf32>) permutation = [1, 0, 2] 
    %extracted_slice_61 = tensor.extract_slice %cst_15[0, 0] [12, 12] [1, 1] : tensor<36x12xf32> to tensor<12x12xf32>
    %extracted_slice_62 = tensor.extract_slice %cst_15[12, 0] [24, 12] [1, 1] : tensor<36x12xf32> to tensor<24x12xf32>
    %extracted_slice_63 = tensor.extract_slice %cst_14[0] [12] [1] : tensor<36xf32> to tensor<12xf32>
    %extracted_slice_64 = tensor.extract_slice %cst_14[12] [24] [1] : tensor<36xf32> to tensor<24xf32>
    %transposed_65 = linalg.transpose ins(%extracted_slice_61 : tensor<12x12xf32>) outs(%69 : tensor<12x12xf32>) permutation = [1, 0] 
    %92 = tensor.empty() : tensor<5x12x12xf32>
    %93 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_65 : tensor<12x12xf32>) outs(%92 : tensor<5x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x12x12xf32>
    %94 = linalg.fill ins(%cst_0 : f32) outs(%30 : tensor<5x2x12xf32>) -> tensor<5x2x12xf32>
    %95 = linalg.batch_matmul ins(%transposed_59, %93 : tensor<5x2x12xf32>, tensor<5x12x12xf32>) outs(%94 : tensor<5x2x12xf32>) -> tensor<5x2x12xf32>
    %96 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %extracted_slice_63 : tensor<5x2x12xf32>, tensor<12xf32>) outs(%30 : tensor<5x2x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<5x2x12xf32>
    %97 = tensor.empty() : tensor<12x24xf32>
    %transposed_66 = linalg.transpose ins(%extracted_slice_62 : tensor<24x12xf32>) outs(%97 : tensor<12x24xf32>) permutation = [1, 0] 
    %98 = tensor.empty() : tensor<7x12x24xf32>
    %99 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_66 : tensor<12x24xf32>) outs(%98 : tensor<7x12x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x12x24xf32>
    %100 = tensor.empty() : tensor<7x2x24xf32>
    %101 = linalg.fill ins(%cst_0 : f32) outs(%100 : tensor<7x2x24xf32>) -> tensor<7x2x24xf32>
    %102 = linalg.batch_matmul ins(%transposed_60, %99 : tensor<7x2x12xf32>, tensor<7x12x24xf32>) outs(%101 : tensor<7x2x24xf32>) -> tensor<7x2x24xf32>
    %103 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %extracted_slice_64 : tensor<7x2x24xf32>, tensor<24xf32>) outs(%100 : tensor<7x2x24xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<7x2x24xf32>
    %expanded_67 = tensor.expand_shape %103 [[0, 1], [2], [3, 4]] output_shape [1, 7, 2, 2, 12] : tensor<7x2x24xf32> into tensor<1x7x2x2x12xf32>
    %104 = tensor.empty() : tensor<2x7x2x1x12xf32>
    %transposed_68 = linalg.transpose ins(%expanded_67 : tensor<1x7x2x2x12xf32>) outs(%104 : tensor<2x7x2x1x12xf32>) permutation = [3, 1, 2, 0, 4] 
    %collapsed_69 = tensor.collapse_shape %transposed_68 [[0], [1], [2, 3], [4]] : tensor<2x7x2x1x12xf32> into tensor<2x7x2x12xf32>
    %extracted_slice_70 = tensor.extract_slice %collapsed_69[0, 0, 0, 0] [1, 7, 2, 12] [1, 1, 1, 1] : tensor<2x7x2x12xf32> to tensor<1x7x2x12xf32>
    %extracted_slice_71 = tensor.extract_slice %collapsed_69[1, 0, 0, 0] [1, 7, 2, 12] [1, 1, 1, 1] : tensor<2x7x2x12xf32> to tensor<1x7x2x12xf32>
    %collapsed_72 = tensor.collapse_shape %96 [[0], [1, 2]] : tensor<5x2x12xf32> into tensor<5x24xf32>
    %expanded_73 = tensor.expand_shape %collapsed_72 [[0], [1, 2]] output_shape [5, 6, 4] : tensor<5x24xf32> into tensor<5x6x4xf32>
    %transposed_74 = linalg.transpose ins(%expanded_73 : tensor<5x6x4xf32>) outs(%39 : tensor<6x5x4xf32>) permutation = [1, 0, 2] 
    %collapsed_75 = tensor.collapse_shape %extracted_slice_70 [[0, 1], [2, 3]] : tensor<1x7x2x12xf32> into tensor<7x24xf32>
    %expanded_76 = tensor.expand_shape %collapsed_75 [[0], [1, 2]] output_shape [7, 6, 4] : tensor<7x24xf32> into tensor<7x6x4xf32>
    %105 = tensor.empty() : tensor<6x7x4xf32>
    %transposed_77 = linalg.transpose ins(%expanded_76 : tensor<7x6x4xf32>) outs(%105 : tensor<6x7x4xf32>) permutation = [1, 0, 2] 
    %collapsed_78 = tensor.collapse_shape %extracted_slice_71 [[0, 1], [2, 3]] : tensor<1x7x2x12xf32> into tensor<7x24xf32>
    %expanded_79 = tensor.expand_shape %collapsed_78 [[0], [1, 2]] output_shape [7, 6, 4] : tensor<7x24xf32> into tensor<7x6x4xf32>
    %transposed_80 = linalg.transpose ins(%expanded_79 : tensor<7x6x4xf32>) outs(%105 : tensor<6x7x4xf32>) permutation = [1, 0, 2] 
    %expanded_81 = tensor.expand_shape %transposed_74 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
    %expanded_82 = tensor.expand_shape %transposed_77 [[0, 1], [2], [3]] output_shape [2, 3, 7, 4] : tensor<6x7x4xf32> into tensor<2x3x7x4xf32>
    %106 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_81 : tensor<2x3x5x4xf32>) outs(%40 : tensor<2x3x5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.truncf %cst_20 : f64 to f32
      %154 = arith.mulf %in, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x3x5x4xf32>
    %107 = tensor.empty() : tensor<2x3x4x7xf32>
    %transposed_83 = linalg.transpose ins(%expanded_82 : tensor<2x3x7x4xf32>) outs(%107 : tensor<2x3x4x7xf32>) permutation = [0, 1, 3, 2] 
    %108 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_83 : tensor<2x3x4x7xf32>) outs(%107 : tensor<2x3x4x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.truncf %cst_20 : f64 to f32
      %154 = arith.mulf %in, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x3x4x7xf32>
    %collapsed_84 = tensor.collapse_shape %106 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
    %collapsed_85 = tensor.collapse_shape %108 [[0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
    %109 = tensor.empty() : tensor<6x5x7xf32>
    %110 = linalg.fill ins(%cst_0 : f32) outs(%109 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %111 = linalg.batch_matmul ins(%collapsed_84, %collapsed_85 : tensor<6x5x4xf32>, tensor<6x4x7xf32>) outs(%110 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
    %expanded_86 = tensor.expand_shape %111 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf32> into tensor<2x3x5x7xf32>
    %112:2 = linalg.generic {indexing_maps = [#map9, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_86 : tensor<2x3x5x7xf32>) outs(%52, %50 : tensor<2x3x5xf32>, tensor<2x3x5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_101: i64):
      %153 = linalg.index 3 : index
      %154 = arith.index_cast %153 : index to i64
      %155 = arith.maximumf %in, %out : f32
      %156 = arith.cmpf ogt, %in, %out : f32
      %157 = arith.select %156, %154, %out_101 : i64
      linalg.yield %155, %157 : f32, i64
    } -> (tensor<2x3x5xf32>, tensor<2x3x5xi64>)
    %expanded_87 = tensor.expand_shape %112#0 [[0], [1], [2, 3]] output_shape [2, 3, 5, 1] : tensor<2x3x5xf32> into tensor<2x3x5x1xf32>
    %113 = tensor.empty() : tensor<2x3x5x7xf32>
    %114 = linalg.generic {indexing_maps = [#map9, #map12, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_86, %expanded_87 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%113 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.subf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x3x5x7xf32>
    %115 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%114 : tensor<2x3x5x7xf32>) outs(%113 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = math.exp %in : f32
      linalg.yield %153 : f32
    } -> tensor<2x3x5x7xf32>
    %116 = linalg.generic {indexing_maps = [#map9, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%115 : tensor<2x3x5x7xf32>) outs(%57 : tensor<2x3x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.addf %in, %out : f32
      linalg.yield %153 : f32
    } -> tensor<2x3x5x1xf32>
    %117 = linalg.generic {indexing_maps = [#map9, #map12, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%115, %116 : tensor<2x3x5x7xf32>, tensor<2x3x5x1xf32>) outs(%113 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.divf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x3x5x7xf32>
    %118 = tensor.empty() : tensor<2x3x5x7xi1>
    %119 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_86 : tensor<2x3x5x7xf32>) outs(%118 : tensor<2x3x5x7xi1>) {
    ^bb0(%in: f32, %out: i1):
      %153 = arith.extf %in : f32 to f64
      %154 = arith.cmpf oeq, %153, %cst_26 : f64
      linalg.yield %154 : i1
    } -> tensor<2x3x5x7xi1>
    %120 = linalg.generic {indexing_maps = [#map9, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%119 : tensor<2x3x5x7xi1>) outs(%63 : tensor<2x3x5x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %153 = arith.andi %in, %out : i1
      linalg.yield %153 : i1
    } -> tensor<2x3x5x1xi1>
    %121 = linalg.generic {indexing_maps = [#map12, #map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%120, %cst_2, %117 : tensor<2x3x5x1xi1>, tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) outs(%113 : tensor<2x3x5x7xf32>) {
    ^bb0(%in: i1, %in_101: f32, %in_102: f32, %out: f32):
      %153 = arith.select %in, %in_101, %in_102 : f32
      linalg.yield %153 : f32
    } -> tensor<2x3x5x7xf32>
    %collapsed_88 = tensor.collapse_shape %121 [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
    %122 = linalg.batch_matmul ins(%collapsed_88, %transposed_80 : tensor<6x5x7xf32>, tensor<6x7x4xf32>) outs(%66 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
    %expanded_89 = tensor.expand_shape %122 [[0, 1], [2], [3]] output_shape [2, 3, 5, 4] : tensor<6x5x4xf32> into tensor<2x3x5x4xf32>
    %transposed_90 = linalg.transpose ins(%expanded_89 : tensor<2x3x5x4xf32>) outs(%68 : tensor<5x2x3x4xf32>) permutation = [2, 0, 1, 3] 
    %collapsed_91 = tensor.collapse_shape %transposed_90 [[0, 1], [2, 3]] : tensor<5x2x3x4xf32> into tensor<10x12xf32>
    %transposed_92 = linalg.transpose ins(%cst_13 : tensor<12x12xf32>) outs(%69 : tensor<12x12xf32>) permutation = [1, 0] 
    %123 = linalg.matmul ins(%collapsed_91, %transposed_92 : tensor<10x12xf32>, tensor<12x12xf32>) outs(%71 : tensor<10x12xf32>) -> tensor<10x12xf32>
    %124 = linalg.generic {indexing_maps = [#map3, #map13, #map3], iterator_types = ["parallel", "parallel"]} ins(%123, %cst_12 : tensor<10x12xf32>, tensor<12xf32>) outs(%70 : tensor<10x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<10x12xf32>
    %expanded_93 = tensor.expand_shape %124 [[0, 1], [2]] output_shape [5, 2, 12] : tensor<10x12xf32> into tensor<5x2x12xf32>
    %transposed_94 = linalg.transpose ins(%expanded_93 : tensor<5x2x12xf32>) outs(%25 : tensor<2x5x12xf32>) permutation = [1, 0, 2] 
    %125 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %transposed_94 : tensor<2x5x12xf32>, tensor<2x5x12xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %126 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<2x5x12xf32>) outs(%8 : tensor<2x5x12xf64>) {
    ^bb0(%in: f32, %out: f64):
      %153 = arith.extf %in : f32 to f64
      linalg.yield %153 : f64
    } -> tensor<2x5x12xf64>
    %127 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%126 : tensor<2x5x12xf64>) outs(%11 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %153 = arith.addf %in, %out : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x1xf64>
    %128 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127 : tensor<2x5x1xf64>) outs(%10 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %153 = arith.divf %in, %cst_27 : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x1xf64>
    %129 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %128 : tensor<2x5x12xf64>, tensor<2x5x1xf64>) outs(%8 : tensor<2x5x12xf64>) {
    ^bb0(%in: f64, %in_101: f64, %out: f64):
      %153 = arith.subf %in, %in_101 : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x12xf64>
    %130 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129, %129 : tensor<2x5x12xf64>, tensor<2x5x12xf64>) outs(%8 : tensor<2x5x12xf64>) {
    ^bb0(%in: f64, %in_101: f64, %out: f64):
      %153 = arith.mulf %in, %in_101 : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x12xf64>
    %131 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%130 : tensor<2x5x12xf64>) outs(%11 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %153 = arith.addf %in, %out : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x1xf64>
    %132 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<2x5x1xf64>) outs(%10 : tensor<2x5x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %153 = arith.divf %in, %cst_27 : f64
      linalg.yield %153 : f64
    } -> tensor<2x5x1xf64>
    %133 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<2x5x1xf64>) outs(%18 : tensor<2x5x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %153 = arith.truncf %in : f64 to f32
      linalg.yield %153 : f32
    } -> tensor<2x5x1xf32>
    %134 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%125 : tensor<2x5x12xf32>) outs(%20 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.addf %in, %out : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x1xf32>
    %135 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<2x5x1xf32>) outs(%18 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.divf %in, %cst_28 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x1xf32>
    %136 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<2x5x1xf32>) outs(%18 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.truncf %cst_25 : f64 to f32
      %154 = arith.addf %in, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x5x1xf32>
    %137 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136 : tensor<2x5x1xf32>) outs(%18 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = math.rsqrt %in : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x1xf32>
    %138 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %135 : tensor<2x5x12xf32>, tensor<2x5x1xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.subf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %139 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %137 : tensor<2x5x12xf32>, tensor<2x5x1xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.mulf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %140 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139, %cst_11 : tensor<2x5x12xf32>, tensor<12xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.mulf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %141 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %cst_10 : tensor<2x5x12xf32>, tensor<12xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    %collapsed_95 = tensor.collapse_shape %141 [[0, 1], [2]] : tensor<2x5x12xf32> into tensor<10x12xf32>
    %142 = tensor.empty() : tensor<12x16xf32>
    %transposed_96 = linalg.transpose ins(%cst_9 : tensor<16x12xf32>) outs(%142 : tensor<12x16xf32>) permutation = [1, 0] 
    %143 = tensor.empty() : tensor<10x16xf32>
    %144 = linalg.fill ins(%cst_0 : f32) outs(%143 : tensor<10x16xf32>) -> tensor<10x16xf32>
    %145 = linalg.matmul ins(%collapsed_95, %transposed_96 : tensor<10x12xf32>, tensor<12x16xf32>) outs(%144 : tensor<10x16xf32>) -> tensor<10x16xf32>
    %146 = linalg.generic {indexing_maps = [#map3, #map13, #map3], iterator_types = ["parallel", "parallel"]} ins(%145, %cst_8 : tensor<10x16xf32>, tensor<16xf32>) outs(%143 : tensor<10x16xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<10x16xf32>
    %expanded_97 = tensor.expand_shape %146 [[0, 1], [2]] output_shape [2, 5, 16] : tensor<10x16xf32> into tensor<2x5x16xf32>
    %147 = tensor.empty() : tensor<2x5x16xf32>
    %148 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_97 : tensor<2x5x16xf32>) outs(%147 : tensor<2x5x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.cmpf ugt, %in, %cst_0 : f32
      %154 = arith.select %153, %in, %cst_0 : f32
      linalg.yield %154 : f32
    } -> tensor<2x5x16xf32>
    %collapsed_98 = tensor.collapse_shape %148 [[0, 1], [2]] : tensor<2x5x16xf32> into tensor<10x16xf32>
    %149 = tensor.empty() : tensor<16x12xf32>
    %transposed_99 = linalg.transpose ins(%cst_7 : tensor<12x16xf32>) outs(%149 : tensor<16x12xf32>) permutation = [1, 0] 
    %150 = linalg.matmul ins(%collapsed_98, %transposed_99 : tensor<10x16xf32>, tensor<16x12xf32>) outs(%71 : tensor<10x12xf32>) -> tensor<10x12xf32>
    %151 = linalg.generic {indexing_maps = [#map3, #map13, #map3], iterator_types = ["parallel", "parallel"]} ins(%150, %cst_6 : tensor<10x12xf32>, tensor<12xf32>) outs(%70 : tensor<10x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<10x12xf32>
    %expanded_100 = tensor.expand_shape %151 [[0, 1], [2]] output_shape [2, 5, 12] : tensor<10x12xf32> into tensor<2x5x12xf32>
    %152 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %expanded_100 : tensor<2x5x12xf32>, tensor<2x5x12xf32>) outs(%25 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_101: f32, %out: f32):
      %153 = arith.addf %in, %in_101 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x12xf32>
    return %152 : tensor<2x5x12xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_12_torch.float32_8: "0x04000000ECDBDA3DA0ED27BEF057CD3C281AD13DC0AB94BC8828393DFA4943BE9479E73D7859BF3D487100BDC6AD53BE98C9CC3D",
      torch_tensor_12_16_torch.float32: "0x040000003A9F603E6E255B3EC063DFBBD479B1BD7A2C1EBE9A2D373E60088DBC6E1A713EB0FC113EF613603EF8794A3E105C26BE10DD953D2C4ED4BDE672003EA022B8BC904BB13C460D31BE34CB64BE2CCEC03D70F66D3D20E5B13CB2DF2D3E50CCD5BD0CC0B53DB6FE0CBE382C543D18C769BD9C48333E16DE5F3E92575E3E6041383C20F6163E88C77FBE0A2B16BE3803373D00BFB63A8AFA48BEFC9DE2BDB821EFBD96A27DBEC051C33C80832E3E54CDCF3DA044F3BD6E136BBEF0884EBE80F4973B161B303E9058CFBD164D0BBE9A9008BEF04AB1BC921C73BEE2E761BE06017C3E582EF4BD40B138BDACFC88BDC8E560BE308634BD54BB9C3DC8E6CFBD20922EBC00BF9CBA68D97EBE160A3A3E32CA4E3ECE8A2E3ED423A8BDB4C6053E26DA6FBEF0527DBDF84350BD08D0B4BD400AD73DFC4BE9BD005FEDBC7CD793BDBE6770BEA01A29BD34F458BE5046153E90D2083E9AD16F3E58EEABBD604A503C9097483D408B7F3E2EA76A3E787D04BEC2D459BED4BA66BE008FF6BDCA3D573E7CF4AB3D9E00773EA6C03D3E80876D3B9AA91EBEF2FB793E185B4D3EB4AADD3DECD70BBEE8AB493E9066BA3CA046293E18B1D53D2AF0073E44A260BE7AF20DBEA08A193E005655BDFEB65EBE64CE683E0028B1BBD6824E3E0A1848BE4847B03DB8DAC0BD1C75D7BD509355BDC483BDBD1E470C3E208F42BD8E1A423ED8A8693D40391EBD8EDD13BE8C696ABEA05C95BD68106DBE98B73DBD80E4853B20FB83BCC880FBBD28AE313E8E2C103E484A7CBD504BCABDD6F1203EEAB95E3E4A676ABEA03E5DBD100FBEBC0C60B9BDAE8C5A3EA84117BD9A0C593E00FEA13A3026DEBC425315BE483EAABD48FBA43D107AE23D80BC11BC82ED733E9E2F31BEC44EC43DAE92663E380E32BDA03D4B3E400A873B4CB43FBE20720CBE0893BE3D4491DDBD8848763D28F87B3E98EAAD3D00ACBFBC30F47F3D287E13BED41A57BE626F40BE6CCF56BE1025523D4075473D6895D9BD14687ABE2AAD0A3EBC4111BE58F42ABDC0A656BEAC6C10BEFC95D53DA8856EBE3AFB11BE52EE3F3E0E4A03BE6412D5BD94C18FBD",
      torch_tensor_16_torch.float32: "0x04000000C3A169BEAE986C3E459028BEBCFC3C3E63CD8CBE708F4CBD3684483BDC954C3D5827BF3CFD4ABA3DC2A703BD03CA903D2043923E4F453FBEA71C81BC5EADE1BD",
      torch_tensor_16_12_torch.float32: "0x04000000FAEEA03D85ED0D3C90518EBD383D33BEDD2954BD01FEEDBD92D36E3E1EDF8FBEA18D3CBEFE7F70BE141858BD165B663ED08D813E66AB80BEC7EB4CBC58822D3E1B4D023E3C21723E303103BC1E9D46BEF58C433EBFBBCABD2F0F193EE4B191BD8851FB3DC9EF843E276F893E568286BE298943BEC071F4BDAD813CBED2D08D3ED5DBD0BCEF1544BE558A03BEE34723BEBF34F13D91EB80BE8CCF89BE78B291BE5A87FE3D9529123ED29737BE499B923DB9355A3E66CE2B3D492D7ABD0CB8AE3C2C93FDBC06D6143ED0B748BEB4E6153EE79B263E3C1933BE0161713E262B913E1512E9BDFB97A5BDC850133EEA9467BE22CCE93D6BEE893DDC533A3EAC6180BE2F9575BE99C3043E82F5D43D9D9189BE94D824BE403C87BEEAC653BE496005BE869F743E465C6BBDB6C7293E4B5D8C3E49B7063E475084BE1AC1143EB481E13DA91C653EEFCB91BE00CD353EACF6713E6C8289BE4E6CF73C3F597C3EA6FE56BE7EFCC13DD49E023E0CF39A3DA4F4923EB308723E419D7D3E4F6213BD1EED773EFEBC89BE28841FBE5AE57CBD399FAFBD0C86883E036D0B3E33503E3E7912493E16D15CBEC4F208BD53A92C3DB7C4993D4602183EC23EEBBDE744B2BDF157773EADAB9EBD9B564DBE4A6E483E5F2B483E0362B9BD5D636CBDAA1E5ABE43DB76BEAF52DE3D218FFCBD17546B3E88B16CBE6E7023BD483ECC3BABEC173EA93D6F3E142F483E981F023E1BAE07BEBC1A53BEAB3984BEE29C6A3C94598F3E2C9760BD861C47BC2CD056BE9581B53D58683B3E53B891BE102450BEA7F45A3E0EFA8B3D0F7093BCBC5D533DC1C633BDCA9D4EBE3C1C8ABEB06B423EDEA10CBD0E91DBBD739998BD973A21BE071BAFBD0BC07DBE7E365D3E306AF13D401415BE63C9C9BD659E043E52EDDABDC0E59B3DA3C8A23D8E143ABE2119943DA1B0903C6C16813E0FE9D5BD0AFB97BD28B17E3EF06371BEE7DAAA3C41688E3E008A04BEE0B18D3E8326833E7981893EBBA8E1BCD1B4853ED3CC00BE845FCABD179DDF3D11C8793D7BF5223E72758C3E620B39BE73E21C3EFBCBC53D6DF31B3EBC2A0C3E1327DDBD",
      torch_tensor_12_torch.float32_7: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_12_torch.float32_6: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_12_torch.float32_5: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_12_12_torch.float32_1: "0x0400000054196B3E4D80653EEFFC30BDA05382BE988E85BE3A008A3E4AAC023E0DDB003E21C37FBEDEDD883ED6048C3EBB71853ED65D79BE7B13DFBD264E4BBE8DF68B3E9907FEBD84F506BED3DE1A3E6DBE08BE589711BEDBDACEBC574EE3BCC54466BE616F763EA56502BEB5B5D13D338E803EDF13153EEA67273D24847B3E87F21E3D49C308BEFFD18B3E56ED8B3D0E3590BEC24FA8BDFA5A49BEE795813E4B4543BD93B986BE32A994BC88A4393E8398993D32F1BA3D0AA1DB3CB469DC3D760C90BDA02EEBBDC7268ABE5CB05EBE801D003EDB072FBEFDA2293D47B5BC3D5C70A73C83A73FBED0588D3EA7E42BBE4822733EA7276BBEC0368EBD8BCC203E3C8EF1BDCA51783EDE6B4BBE403D78BE0F4B05BE3A233F3DD916883E0D1F0DBEA46ED33D3C3894BDE03580BDAF5B593EA31665BE162DFB3C7AFE8A3E5F7A22BD8884653EED10B6BD12F36D3E19F98EBEEC692ABDCAAF4FBDE999BF3D54F2E73D20F8623EBB2930BD098E3BBCB76E4A3EF3F69FBD6391813EF8D044BEC5E5FFBCBC087EBCB1E6033ED1184A3EBF6A3BBDD1E674BE1A78123E43D9B03DC07CED3D1F5936BEBE3F3E3EB8FD8B3E0233CD3CCD0D8ABEB3824F3EEB2C5BBEE4E6873D61D32B3D695A0ABE04DBCD3DDA3284BE26A7863DE4653BBEA7B7FFBCAC17183D6ED67B3ED1090DBEC95F3D3EDD3416BDE6630CBEA5B480BE5A9C87BE3D58903E597293BD953D6C3C8E48A03D5DEE483E304A7C3E48BD6F3EED015BBE47713DBD6CEB2EBEBCE428BE073D8C3DD6BB8A3E1ACF6CBE84E6323EAF4219BEBF4D66BD2EA46A3E",
      torch_tensor_36_torch.float32_1: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_36_12_torch.float32_1: "0x040000004D662A3EC38D9B3E4820703E50E93DBE1BBF1EBD2FDBE3BDD28F91BE502D19398E34883EF982983E251D073D6374A43D00BC1CBE1DA4883EBAA516BEBD7D7BBEA3015F3D2D00593E9C34A3BEB6A2A33E8F3C023E1FA67DBEC0F89BBD7A0C9D3E62E28ABE9DA1D3BDAC7BED3D9D969EBE0D78463E58753C3ED389603E14D166BEA24BB43E439A56BE0CB8B43EF7B8ADBE6548A1BEE15C5E3ED459173D0A16A73C617B48BEC8DD17BE0EB6D3BD4A57B0BE7584963C3D0F803DFAEE9CB998D3E93DA8C2AB3E4785C03D498804BEEEFE14BE65A267BED6F87ABE9F3969BD7A1080BDB30E213EA8BF1ABE2D4F903E0D097EBEAEB5833ACEB8A23EC000B43E20B751BEA9FA803D580F2B3D10BE29BE3D2AFABD861EC43DC4BF7BBE73F06E3DBFA91C3E2BAB0EBEB35C963E7E9BBEBCF442243EBD43B33ED953DDBD19BC443E761BCFBD498953BDA16B75BDDFF20FBB4BC408BED9B6A93DA3445A3C1C7E653E9F8E92BDA038113DC5AC06BE679897BE5481123E8A4D393D98FD10BE6BD0F4BD975CBD3DE8EC82BD63956C3E570EA43C5AC1083E28BD1D3E09AAB1BD34A41C3E8794853E8E48853C61B28D3D6B7A523CEEA97A3EDDD918BEE77240BE78C21D3E2F8B9DBE65BDB93B947F26BE2AF56E3E3C89A8BE0D845B3EBB17B33E8982923DB0F8C0BCB52FB23ED3B71ABE7117E8BCDD891EBEB4E747BDC45E9D3DE36A413D94C288BD90FDB4BE894D943CB6962BBC0FDB593DC4B48A3ED7F3AF3E8BCA56BE0799B4BC310F11BEEFD5A6BE6AB883BED0E5A93E3617533E2F78423E5633493EE9D08FBE8515183D337AA83E760C4ABEA508A13EBD50BE3DC0B57E3EC8171BBE00E8263EAF78A0BE15E7B7BC5084F13D9325D93D7B7A973E43E1B13E01AFA43EE711733E20897E3EE4DA3ABDC07A8CBE096606BE8E9322BD0DA443BE4910393EBE2BFE3D9CA9693D9CE8AE3D50049F3EA7DD033E34BE9EBE016683BE84911F3E785A453D3090303EA1C9B4BEA40EA7BEFD025E3E9493673E2BC5A3BEAF6C093E10598DBE5C16893E6335E33D53FDB23ECE7BB2BE5443AEBE6CC6743E91B6A03E57D05D3EB1B1703EA77798BE3606833EACE8AABE95C2A13DDE256DBED4CC0FBE2736803DAC580EBE9A2165BD1593ABBEA4ADAABE8C3D0C3E403E19BEB4425CBEA2DA0EBEE7FE93BEF7B490BE49A2583ED800383E37E6403D61C445BEB7E6F03D081E823C9E5E81BE67D09B3D78D3A43E400DB2BE1401B4BE758B393DC54F883EFC4B5CBE74659F3D03827E3EB03EDF3DB8B29C3D919BB43EBADB6B3ECE9E4BBECC58FA3C9FF4383E86A49F3E221AB4BEBE0B443E0339D2BD0B42B1BEF2B9A03D4B1945BE9E384D3D700D6BBEE93888BE3CC1F5BC773CF3BD60BE533EDFB6F93CD34B8D3EBAB1873DD5D5E8BD9038753EDD449E3C3EE7873D30E1E8BDE64EA63A7B388BBD893CF6BC592C8DBEEE7E0EBB0A4196BE77C59BBD71D1513E63BE7BBE660874BE7CCDB0BD877EC6BD8727753D936A703DAB96373EC26679BE5F65CCBC2D7C4A3E9A939C3ECD45D3BC9E7B51BE2825D03D3D2C4E3E022F62BEB21652BE3C05203EC8EECABCF7F8AABEFFBE50BE8ED1123EE596F5BDBDE3793E5E1A8F3EB5A9523D6006E5BC81D7E5BD4E7492BC16CC833D95458ABE250DADBD729296BEF7335E3E328F66BE7D5EA53E3AA7BABD2B674FBE4FF12D3EBBE3573D23B27A3EE323173E1062AEBE69FC643E925A88BDB80220BE00EA653EDC05843E7B1A9FBE6EF202BD7EA7943E79360C3ED480983EEE23F8BD44B747BE08A99B3EF0E7163E80C6AD3EEA3817BEF97368BE0EBE29BDB571AABE01E90D3E8C84853EDAD1AD3D6E160FBD4680333EF5CD65BEB714B13ED4FEB3BE1768ADBEC619ABBD59DD933E65FF103D160A0B3E3CB084BEC507043E61D221BD171D113EE7AF7F3EFD5E1D3E465FF6BC0069B2BC411063BE3CF302BE3A446B3E1F2D11BE25D7603E558F0FBE03A3A8BD2E8FF63B7D1DA6BE435B67BBC4F711BDD11802BD01BF90BD27B68E3E0797853ED45F75BE392D283E09FD8DBE0A1B9ABE5E56DD3D1F43AA3BB2E428BE0598AEBE82280CBE6BD7F13D408DA7BEA2DAAFBE27BB373D366882BE64969EBE0F7D0BBE752769BD437EA4BE46BE71BEA0E7BD3C34B2AABE688B4BBDF4C469BE8DFA7ABEDC4A0E3E26548BBEC22E89BEC6764E3EC960873D4CDBA43EE88AC1BDC1DE2EBE870506BDA374EA3AA90D8A3E4A4FB4BE2638CEBC0A26203E595E47BE74F737BE2DF62E3E3673ADBE0593AB3D89248CBEA3F4333E63C79ABE45955E3EDB5BABBEA92898BEFABAAA3B22A48E3E2F069BBEA97D21BE72FC9E3E11DA72BDAFFC153EE923AEBE60B5E3BDD9DA37BE429C983EB042163EDD1584BE4B7B693D7F2785BB32C014BE77C04EBEDD46F0BD2AAF8E3E9EC381BEABF280BE4764DFBD668AC93B",
      torch_tensor_12_torch.float32_4: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_12_torch.float32_3: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_12_torch.float32_2: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_12_12_torch.float32: "0x04000000E8A30DBB13931E3E7E4B73BEC98B59BEB1B4E3BD53899E3D406BBBBB7A616A3E42DDD1BCD2709C3D9EABB2BDEA6B68BDBD338DBED6C543BE84B5F3BD08342F3C8DB9E93D665E313ED26648BE69B900BE83BCD63D2777753E435773BD15345D3EDA953EBD653BFA3CB5D4853E791C89BEF0173ABE48AC95BDCC73E6BDCA667F3EA49A3FBE701308BE3C854EBEDF6C8ABE3E8E2CBE9D197E3E55E7033E54450F3E67BD783C0B8D17BED50B483D6B008ABECE9755BE736418BEE2813A3E8A512D3E3F1903BE3DA82ABC680E3D3E3DEF923EAFA3EA3D50BC1F3DB032463E4B0D2EBEEE555C3DD22E65BEEAE04CBE2EB418BEA6C0053E8AC2ED3DF4192FBE949BB23D2847223EB83D15BDE195343C41FC883DA962373E15EB8D3E84CC63BECBA8D8BD9E59E83D06EC743E3B9E803EEF69823E44516B3D998680BEDB8BD93C58EE38BE8FBE89BE1752833ECFC3603EB16F93BE92505D3D7A3047BD4D9442BD805007BE285AE33D3F162FBE33BBD83D2F7D153E319D533E0B0FDD3DD64892BEC8C13FBE6499133E107B773D6E9866BED3362ABE580B8B3ECD2E473EF7E300BE38CC94BDACCB8CBEDC05AABB529B5EBEFF0364BE104D82BC9488313DF61DF2BD86672F3EDDE233BE5E1C863EB1934A3EFA4679BE5F2493BD146A553CF0832C3D11388C3D9701E83D4CA78D3CBE3B10BE52E00B3E51C78DBEC1342FBE26FF93BD09FE0FBEE6D2CEBD6C4872BE69847BBD9CBF7C3D519340BE08B972BC9F9B533ED21AF3BC9272033CD102CCBC664C6F3DCEF43B3E2B018C3E82B93B3E2D538C3E3607ABBC",
      torch_tensor_36_torch.float32: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_36_12_torch.float32: "0x040000004ED5613E3BA68DBED01399BDF9CB12BEE6778BBDD42A8EBD0C70A2BE884C9CBE439B62BD88D2953B0F7724BE3361083E8FEDA2BEC476C3BC22319F3E34AC13BE0576A33E191D033EE55CA3BE970F653EEA1B27BDD59D21BEB1C0903EE64792BEE6641B3D619997BDA844813E4A1FCA3D26F62D3EE2B6FF3D4E1FAEBD044798BDB72C95BE252B443EB3B98F3E42B7773ECD5F7FBED22C813CA2367FBEEB4B47BE40F652BE2773F73D5DBE57BEEDC1FCBB42AF733CE360693E0ED688BE428B78BED03852BE28677D3EE62302BE11B0983E79EA023EC25F373D487B2CBB01238FBDD6B1353DD656A5BD4ACE22BB43C6383D21988DBE7FC13DBEFB2B923ED8E792BE13F9CFBC4312B33E23C8023EB401243C87DF9CBE9058333EC4EF80BE288ACDBD95F0F2BD147456BDFF717D3B5D4E953E33C9343D4123A23EAC765D3ECAE264BE3660223E78EC7FBEEB7019BEB3F7D43DA915EF3D48CE873E8C17E9BDF25E143AD3623A3EF80FAFBE9CDF823E5FB095BE6EAC9F3BE83576BD0DAD3EBE73673F3D33B0953E76A9D3BDB2F056BE5DE505BEC16AB3BE0D6C233EC1DF2DBE5D9A71BE2C9250BE0528503EE5B93F3EB1EF8A3EDE51033E0AD0F1BD9257CABD04EAD53DDECD943EF8DEC43D034C2BBEAA2F2ABEEF25ABBE7A6F9C3D762B4BBE7864A1BE4ABB9E3EAA1C6BBE8BBE24BD8871CF3D0A8B383CF59B73BE655292BE8E49903ECCD06B3D972D963E79BDF2BDE947D53D4A94A5BD5CCD80BC5F7F5CBE35E2F43DB7EDE43DA5FCEEBBB8D8A2BDE22B5FBEAF5D7A3E52C186BE9350143E3B79F3BD0DAC2EBEB113823D42103CBEB8D4A63DE7318E3DAB6786BE9B1D713DED331A3E5E4E0F3EB44A36BDBD6594BE2A3D5FBD457AFB3D811904BE4C6C093EAD1A713E000A3DBED280643BDFB3153EA901E33CDDEEF13C0ED3343DD54E8EBEAA9DE33C6BB37A3E771EA33EDFC9543EA00E423DC313293EDB1F30BE350296BE8FA99BBE2F96B43E7BD1653EDB407ABE1CA50D3E2FB3883E1AF3B43E4A489E3ED43E8C3E5E00A6BDE11BFEBD2FA0943E0CE14A3E05DE59BE50BDA23E0EEC2E3E315C453ED2EA62BED6BCCF3D96D5FDBDCE708D3E784A82BD39F20C3EA99C803D33091A3EB90FF6BD0A85303E9DDF7CBE5789A33DD2F374BE1695B2BE5E5E91BECBE88E3E36E0433ECFD5A93EB804913E93A8A1BE031177BE20FF69BD9E1E6BBEFC657B3E1EDA88BEA2A330BE98E1AEBEBD8B4DBE63E2943E1E36943E9994813E1CC58B3EBFF5A03ECF68B9BD3A4C1F3E9046A13ED389EF3DF3F5B43EAAC63B3E8C0F613EE06BFDBD53B72D3E0767263D16ECACBDB3154CBE59254BBE794A8BBE2B0C733E3AB1803E81D124BDB88151BE2CE98B3E0C85673E594BD73C65EE2ABE8D5DA63E660D143E846B89BE2140AD3E1A76893EB5F503BE8D854B3ED6B44DBE53F262BD28B4993E92586F3C290580BEAF02F2BD1B8CC4BD03B28BBDDC960A3D7B69A73EC5119B3C83895FBEBF72943CC8972D3EF395333EC770A5BE739181BD068686BE077A1ABEAD70023E1C8C80BE5A94063E2FA5993ED3F6BD3C584B71BE88B601BECD1C9E3D8AFE89BE53DD333E8A57A4BE3F03AEBEADE3AFBE85E392BD5C72733EBC54ABBE0076963EE1D210BE1C12D43D8514843C853AA3BEE51F963EF6EF423EB4EEB33E06E8363E72F86EBE6713973E17A99B3C48AF2B3E862591BE8B43D0BD23BDB1BEE8020DBEBE349C3D24218EBE58CFE63D4658423ECCBD493DEA3B72BE0D598CBED063DFBD7AEB1E3E8C8EB23EC82E503E5D1323BD99DFFD3D6397B1BEDD9B9ABE1CEE283E6F104DBEDC2C2E3E22937FBE5B5233BE881A95BE30ED3C3E538F13BD0C508B3E3F0E603ED754483EA1443A3C68DEDFBDF56F9DBDEB75403D4D77333E00A47DBEEFEC973E3D751DBD32AF97BE44E243BE4B2BA03E0F8CA53EAEACA7BE63587F3E6370353E214C563EF83C993EF01E43BE64A5E43D8328143EC6F5D5BD9450F23DA653D0BDA2D55F3E0AE6C8BD6AF706BE2849B63DAE69003EBFE130BEB403003D79D0513E2E1610BD7E5CDC3D55A3AEBDF1C9FD3D1D2183BEA0E354BE74C437BED65BA63E73D6C2BD4B0E7DBAF7672FBEB6B5B43ED2CBB03EB98588BE36BF92BE1D3689BE6C7DDFBAF591B8BD89F86CBE6ADA01BEF1CC883D6F293DBE6171A03DDD0AA6BD406E2FBE97F4463D3AD8943E4FC474BE077D863C188205BEABA2B13E97BEABBE4589ADBEAC5FB23EE80E65BE91D28A3D1AF8F9BC2E8898BD98B8A1BDD70D663E4F6F8A3C393EB0BEB3BB55BE93D6F6BD0D2F363E95496ABECAAFAA3EF445A1BD4A0482BDD2D68D3EA3F6353EB486993E526B513ED5A6DBBDE23370BE877ED7BC83D1953EC303F3BD34DFA7BEF268143E9737B03EF721CEBD66E395BE0232A4BE0E74B53DC64EDBBC2DD336BEEE5B923DC57C093E",
      torch_tensor_12_torch.float32_1: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_12_torch.float32: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"
    }
  }
#-}
