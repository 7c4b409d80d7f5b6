// Swin: windows, a relative bias from a table, and the mask of shifted windows
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map5 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0) -> ()>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x8x8x12xf32>, %arg1: tensor<49x3xf32>) -> tensor<4x16x12xf32> {
    %c7_i64 = arith.constant 7 : i64
    %c3_i64 = arith.constant 3 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %c49_i64 = arith.constant 49 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense_resource<torch_tensor_12_torch.float32> : tensor<12xf32>
    %cst_2 = arith.constant dense_resource<torch_tensor_12_12_torch.float32> : tensor<12x12xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_36_torch.float32> : tensor<36xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_36_12_torch.float32> : tensor<36x12xf32>
    %cst_5 = arith.constant -1.000000e+02 : f32
    %cst_6 = arith.constant 5.000000e-01 : f32
    %cst_7 = arith.constant dense<2> : tensor<i64>
    %0 = tensor.empty() : tensor<4xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %67 = linalg.index 0 : index
      %68 = arith.index_cast %67 : index to i64
      linalg.yield %68 : i64
    } -> tensor<4xi64>
    %2 = tensor.empty() : tensor<4x4xi64>
    %3 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4xi64>) outs(%2 : tensor<4x4xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<4x4xi64>
    %4 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4xi64>) outs(%2 : tensor<4x4xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<4x4xi64>
    %concat = tensor.concat dim(0) %3, %4 : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<8x4xi64>
    %expanded = tensor.expand_shape %concat [[0, 1], [2]] output_shape [2, 4, 4] : tensor<8x4xi64> into tensor<2x4x4xi64>
    %collapsed = tensor.collapse_shape %expanded [[0], [1, 2]] : tensor<2x4x4xi64> into tensor<2x16xi64>
    %expanded_8 = tensor.expand_shape %collapsed [[0], [1, 2]] output_shape [2, 16, 1] : tensor<2x16xi64> into tensor<2x16x1xi64>
    %expanded_9 = tensor.expand_shape %collapsed [[0], [1, 2]] output_shape [2, 1, 16] : tensor<2x16xi64> into tensor<2x1x16xi64>
    %5 = tensor.empty() : tensor<2x16x16xi64>
    %6 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_8, %expanded_9 : tensor<2x16x1xi64>, tensor<2x1x16xi64>) outs(%5 : tensor<2x16x16xi64>) {
    ^bb0(%in: i64, %in_58: i64, %out: i64):
      %67 = arith.subi %in, %in_58 : i64
      linalg.yield %67 : i64
    } -> tensor<2x16x16xi64>
    %7 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x16x16xi64>) outs(%5 : tensor<2x16x16xi64>) {
    ^bb0(%in: i64, %out: i64):
      %67 = arith.addi %in, %c3_i64 : i64
      linalg.yield %67 : i64
    } -> tensor<2x16x16xi64>
    %8 = tensor.empty() : tensor<16x16x2xi64>
    %transposed = linalg.transpose ins(%7 : tensor<2x16x16xi64>) outs(%8 : tensor<16x16x2xi64>) permutation = [1, 2, 0] 
    %extracted_slice = tensor.extract_slice %transposed[0, 0, 0] [16, 16, 1] [1, 1, 1] : tensor<16x16x2xi64> to tensor<16x16x1xi64>
    %collapsed_10 = tensor.collapse_shape %extracted_slice [[0], [1, 2]] : tensor<16x16x1xi64> into tensor<16x16xi64>
    %9 = tensor.empty() : tensor<16x16xi64>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%collapsed_10 : tensor<16x16xi64>) outs(%9 : tensor<16x16xi64>) {
    ^bb0(%in: i64, %out: i64):
      %67 = arith.muli %in, %c7_i64 : i64
      linalg.yield %67 : i64
    } -> tensor<16x16xi64>
    %extracted_slice_11 = tensor.extract_slice %transposed[0, 0, 1] [16, 16, 1] [1, 1, 1] : tensor<16x16x2xi64> to tensor<16x16x1xi64>
    %collapsed_12 = tensor.collapse_shape %extracted_slice_11 [[0], [1, 2]] : tensor<16x16x1xi64> into tensor<16x16xi64>
    %11 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%10, %collapsed_12 : tensor<16x16xi64>, tensor<16x16xi64>) outs(%9 : tensor<16x16xi64>) {
    ^bb0(%in: i64, %in_58: i64, %out: i64):
      %67 = arith.addi %in, %in_58 : i64
      linalg.yield %67 : i64
    } -> tensor<16x16xi64>
    %collapsed_13 = tensor.collapse_shape %11 [[0, 1]] : tensor<16x16xi64> into tensor<256xi64>
    %12 = tensor.empty() : tensor<256x3xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%collapsed_13 : tensor<256xi64>) outs(%12 : tensor<256x3xf32>) {
    ^bb0(%in: i64, %out: f32):
      %67 = arith.cmpi slt, %in, %c0_i64 : i64
      %68 = arith.addi %in, %c49_i64 : i64
      %69 = arith.select %67, %68, %in : i64
      %70 = arith.index_cast %69 : i64 to index
      %71 = linalg.index 1 : index
      %extracted = tensor.extract %arg1[%70, %71] : tensor<49x3xf32>
      linalg.yield %extracted : f32
    } -> tensor<256x3xf32>
    %expanded_14 = tensor.expand_shape %13 [[0, 1], [2]] output_shape [16, 16, 3] : tensor<256x3xf32> into tensor<16x16x3xf32>
    %14 = tensor.empty() : tensor<3x16x16xf32>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<16x16x3xf32>) outs(%14 : tensor<3x16x16xf32>) permutation = [2, 0, 1] 
    %extracted_slice_16 = tensor.extract_slice %arg0[0, 2, 0, 0] [1, 6, 8, 12] [1, 1, 1, 1] : tensor<1x8x8x12xf32> to tensor<1x6x8x12xf32>
    %cast = tensor.cast %extracted_slice_16 : tensor<1x6x8x12xf32> to tensor<1x?x8x12xf32>
    %extracted_slice_17 = tensor.extract_slice %arg0[0, 0, 0, 0] [1, 2, 8, 12] [1, 1, 1, 1] : tensor<1x8x8x12xf32> to tensor<1x2x8x12xf32>
    %cast_18 = tensor.cast %extracted_slice_17 : tensor<1x2x8x12xf32> to tensor<1x?x8x12xf32>
    %concat_19 = tensor.concat dim(1) %cast, %cast_18 : (tensor<1x?x8x12xf32>, tensor<1x?x8x12xf32>) -> tensor<1x8x8x12xf32>
    %extracted_slice_20 = tensor.extract_slice %concat_19[0, 0, 2, 0] [1, 8, 6, 12] [1, 1, 1, 1] : tensor<1x8x8x12xf32> to tensor<1x8x6x12xf32>
    %cast_21 = tensor.cast %extracted_slice_20 : tensor<1x8x6x12xf32> to tensor<1x8x?x12xf32>
    %extracted_slice_22 = tensor.extract_slice %concat_19[0, 0, 0, 0] [1, 8, 2, 12] [1, 1, 1, 1] : tensor<1x8x8x12xf32> to tensor<1x8x2x12xf32>
    %cast_23 = tensor.cast %extracted_slice_22 : tensor<1x8x2x12xf32> to tensor<1x8x?x12xf32>
    %concat_24 = tensor.concat dim(2) %cast_21, %cast_23 : (tensor<1x8x?x12xf32>, tensor<1x8x?x12xf32>) -> tensor<1x8x8x12xf32>
    %expanded_25 = tensor.expand_shape %concat_24 [[0], [1, 2], [3, 4], [5]] output_shape [1, 2, 4, 2, 4, 12] : tensor<1x8x8x12xf32> into tensor<1x2x4x2x4x12xf32>
    %15 = tensor.empty() : tensor<1x2x2x4x4x12xf32>
    %transposed_26 = linalg.transpose ins(%expanded_25 : tensor<1x2x4x2x4x12xf32>) outs(%15 : tensor<1x2x2x4x4x12xf32>) permutation = [0, 1, 3, 2, 4, 5] 
    %16 = tensor.empty() : tensor<8xi64>
    %17 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%16 : tensor<8xi64>) {
    ^bb0(%out: i64):
      %67 = linalg.index 0 : index
      %68 = arith.index_cast %67 : index to i64
      linalg.yield %68 : i64
    } -> tensor<8xi64>
    %18 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel"]} ins(%17, %cst_7 : tensor<8xi64>, tensor<i64>) outs(%16 : tensor<8xi64>) {
    ^bb0(%in: i64, %in_58: i64, %out: i64):
      %67 = arith.sitofp %in : i64 to f64
      %68 = arith.sitofp %in_58 : i64 to f64
      %69 = arith.divf %67, %68 : f64
      %70 = math.floor %69 : f64
      %71 = arith.fptosi %70 : f64 to i64
      linalg.yield %71 : i64
    } -> tensor<8xi64>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%18 : tensor<8xi64>) outs(%16 : tensor<8xi64>) {
    ^bb0(%in: i64, %out: i64):
      %67 = arith.addi %in, %c1_i64 : i64
      linalg.yield %67 : i64
    } -> tensor<8xi64>
    %20 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel"]} ins(%19, %cst_7 : tensor<8xi64>, tensor<i64>) outs(%16 : tensor<8xi64>) {
    ^bb0(%in: i64, %in_58: i64, %out: i64):
      %67 = arith.sitofp %in : i64 to f64
      %68 = arith.sitofp %in_58 : i64 to f64
      %69 = arith.divf %67, %68 : f64
      %70 = math.floor %69 : f64
      %71 = arith.fptosi %70 : f64 to i64
      linalg.yield %71 : i64
    } -> tensor<8xi64>
    %expanded_27 = tensor.expand_shape %20 [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
    %21 = tensor.empty() : tensor<8x1xi64>
    %22 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%expanded_27 : tensor<8x1xi64>) outs(%21 : tensor<8x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %67 = arith.muli %in, %c3_i64 : i64
      linalg.yield %67 : i64
    } -> tensor<8x1xi64>
    %23 = tensor.empty() : tensor<8x8xi64>
    %24 = linalg.generic {indexing_maps = [#map8, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%22, %20 : tensor<8x1xi64>, tensor<8xi64>) outs(%23 : tensor<8x8xi64>) {
    ^bb0(%in: i64, %in_58: i64, %out: i64):
      %67 = arith.addi %in, %in_58 : i64
      linalg.yield %67 : i64
    } -> tensor<8x8xi64>
    %expanded_28 = tensor.expand_shape %24 [[0, 1], [2, 3]] output_shape [2, 4, 2, 4] : tensor<8x8xi64> into tensor<2x4x2x4xi64>
    %25 = tensor.empty() : tensor<2x2x4x4xi64>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<2x4x2x4xi64>) outs(%25 : tensor<2x2x4x4xi64>) permutation = [0, 2, 1, 3] 
    %collapsed_30 = tensor.collapse_shape %transposed_29 [[0, 1], [2, 3]] : tensor<2x2x4x4xi64> into tensor<4x16xi64>
    %expanded_31 = tensor.expand_shape %collapsed_30 [[0], [1, 2]] output_shape [4, 1, 16] : tensor<4x16xi64> into tensor<4x1x16xi64>
    %expanded_32 = tensor.expand_shape %collapsed_30 [[0], [1, 2]] output_shape [4, 16, 1] : tensor<4x16xi64> into tensor<4x16x1xi64>
    %26 = tensor.empty() : tensor<4x16x16xi1>
    %27 = linalg.generic {indexing_maps = [#map5, #map4, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_31, %expanded_32 : tensor<4x1x16xi64>, tensor<4x16x1xi64>) outs(%26 : tensor<4x16x16xi1>) {
    ^bb0(%in: i64, %in_58: i64, %out: i1):
      %67 = arith.cmpi ne, %in, %in_58 : i64
      linalg.yield %67 : i1
    } -> tensor<4x16x16xi1>
    %28 = tensor.empty() : tensor<4x16x16xf32>
    %29 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<4x16x16xi1>) outs(%28 : tensor<4x16x16xf32>) {
    ^bb0(%in: i1, %out: f32):
      %67 = arith.uitofp %in : i1 to f32
      linalg.yield %67 : f32
    } -> tensor<4x16x16xf32>
    %30 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<4x16x16xf32>) outs(%28 : tensor<4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %67 = arith.mulf %in, %cst_5 : f32
      linalg.yield %67 : f32
    } -> tensor<4x16x16xf32>
    %collapsed_33 = tensor.collapse_shape %transposed_26 [[0, 1, 2, 3, 4], [5]] : tensor<1x2x2x4x4x12xf32> into tensor<64x12xf32>
    %31 = tensor.empty() : tensor<12x36xf32>
    %transposed_34 = linalg.transpose ins(%cst_4 : tensor<36x12xf32>) outs(%31 : tensor<12x36xf32>) permutation = [1, 0] 
    %32 = tensor.empty() : tensor<64x36xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<64x36xf32>) -> tensor<64x36xf32>
    %34 = linalg.matmul ins(%collapsed_33, %transposed_34 : tensor<64x12xf32>, tensor<12x36xf32>) outs(%33 : tensor<64x36xf32>) -> tensor<64x36xf32>
    %35 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%34, %cst_3 : tensor<64x36xf32>, tensor<36xf32>) outs(%32 : tensor<64x36xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %67 = arith.addf %in, %in_58 : f32
      linalg.yield %67 : f32
    } -> tensor<64x36xf32>
    %expanded_35 = tensor.expand_shape %35 [[0, 1], [2, 3, 4]] output_shape [4, 16, 3, 3, 4] : tensor<64x36xf32> into tensor<4x16x3x3x4xf32>
    %36 = tensor.empty() : tensor<3x4x3x16x4xf32>
    %transposed_36 = linalg.transpose ins(%expanded_35 : tensor<4x16x3x3x4xf32>) outs(%36 : tensor<3x4x3x16x4xf32>) permutation = [2, 0, 3, 1, 4] 
    %extracted_slice_37 = tensor.extract_slice %transposed_36[0, 0, 0, 0, 0] [1, 4, 3, 16, 4] [1, 1, 1, 1, 1] : tensor<3x4x3x16x4xf32> to tensor<1x4x3x16x4xf32>
    %extracted_slice_38 = tensor.extract_slice %transposed_36[1, 0, 0, 0, 0] [1, 4, 3, 16, 4] [1, 1, 1, 1, 1] : tensor<3x4x3x16x4xf32> to tensor<1x4x3x16x4xf32>
    %extracted_slice_39 = tensor.extract_slice %transposed_36[2, 0, 0, 0, 0] [1, 4, 3, 16, 4] [1, 1, 1, 1, 1] : tensor<3x4x3x16x4xf32> to tensor<1x4x3x16x4xf32>
    %collapsed_40 = tensor.collapse_shape %extracted_slice_37 [[0, 1], [2], [3], [4]] : tensor<1x4x3x16x4xf32> into tensor<4x3x16x4xf32>
    %collapsed_41 = tensor.collapse_shape %extracted_slice_38 [[0, 1], [2], [3], [4]] : tensor<1x4x3x16x4xf32> into tensor<4x3x16x4xf32>
    %37 = tensor.empty() : tensor<4x3x16x4xf32>
    %38 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_40 : tensor<4x3x16x4xf32>) outs(%37 : tensor<4x3x16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %67 = arith.mulf %in, %cst_6 : f32
      linalg.yield %67 : f32
    } -> tensor<4x3x16x4xf32>
    %39 = tensor.empty() : tensor<4x3x4x16xf32>
    %transposed_42 = linalg.transpose ins(%collapsed_41 : tensor<4x3x16x4xf32>) outs(%39 : tensor<4x3x4x16xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_43 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<4x3x16x4xf32> into tensor<12x16x4xf32>
    %collapsed_44 = tensor.collapse_shape %transposed_42 [[0, 1], [2], [3]] : tensor<4x3x4x16xf32> into tensor<12x4x16xf32>
    %40 = tensor.empty() : tensor<12x16x16xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<12x16x16xf32>) -> tensor<12x16x16xf32>
    %42 = linalg.batch_matmul ins(%collapsed_43, %collapsed_44 : tensor<12x16x4xf32>, tensor<12x4x16xf32>) outs(%41 : tensor<12x16x16xf32>) -> tensor<12x16x16xf32>
    %expanded_45 = tensor.expand_shape %42 [[0, 1], [2], [3]] output_shape [4, 3, 16, 16] : tensor<12x16x16xf32> into tensor<4x3x16x16xf32>
    %expanded_46 = tensor.expand_shape %transposed_15 [[0, 1], [2], [3]] output_shape [1, 3, 16, 16] : tensor<3x16x16xf32> into tensor<1x3x16x16xf32>
    %43 = tensor.empty() : tensor<4x3x16x16xf32>
    %44 = linalg.generic {indexing_maps = [#map9, #map10, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_45, %expanded_46 : tensor<4x3x16x16xf32>, tensor<1x3x16x16xf32>) outs(%43 : tensor<4x3x16x16xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %67 = arith.addf %in, %in_58 : f32
      linalg.yield %67 : f32
    } -> tensor<4x3x16x16xf32>
    %expanded_47 = tensor.expand_shape %44 [[0, 1], [2], [3], [4]] output_shape [1, 4, 3, 16, 16] : tensor<4x3x16x16xf32> into tensor<1x4x3x16x16xf32>
    %expanded_48 = tensor.expand_shape %30 [[0, 1], [2, 3], [4]] output_shape [1, 4, 1, 16, 16] : tensor<4x16x16xf32> into tensor<1x4x1x16x16xf32>
    %45 = tensor.empty() : tensor<1x4x3x16x16xf32>
    %46 = linalg.generic {indexing_maps = [#map11, #map12, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_47, %expanded_48 : tensor<1x4x3x16x16xf32>, tensor<1x4x1x16x16xf32>) outs(%45 : tensor<1x4x3x16x16xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %67 = arith.addf %in, %in_58 : f32
      linalg.yield %67 : f32
    } -> tensor<1x4x3x16x16xf32>
    %collapsed_49 = tensor.collapse_shape %46 [[0, 1], [2], [3], [4]] : tensor<1x4x3x16x16xf32> into tensor<4x3x16x16xf32>
    %47 = tensor.empty() : tensor<4x3x16xi64>
    %48 = linalg.fill ins(%c0_i64 : i64) outs(%47 : tensor<4x3x16xi64>) -> tensor<4x3x16xi64>
    %49 = tensor.empty() : tensor<4x3x16xf32>
    %50 = linalg.fill ins(%cst_0 : f32) outs(%49 : tensor<4x3x16xf32>) -> tensor<4x3x16xf32>
    %51:2 = linalg.generic {indexing_maps = [#map9, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed_49 : tensor<4x3x16x16xf32>) outs(%50, %48 : tensor<4x3x16xf32>, tensor<4x3x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_58: i64):
      %67 = linalg.index 3 : index
      %68 = arith.index_cast %67 : index to i64
      %69 = arith.maximumf %in, %out : f32
      %70 = arith.cmpf ogt, %in, %out : f32
      %71 = arith.select %70, %68, %out_58 : i64
      linalg.yield %69, %71 : f32, i64
    } -> (tensor<4x3x16xf32>, tensor<4x3x16xi64>)
    %expanded_50 = tensor.expand_shape %51#0 [[0], [1], [2, 3]] output_shape [4, 3, 16, 1] : tensor<4x3x16xf32> into tensor<4x3x16x1xf32>
    %52 = linalg.generic {indexing_maps = [#map9, #map14, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_49, %expanded_50 : tensor<4x3x16x16xf32>, tensor<4x3x16x1xf32>) outs(%43 : tensor<4x3x16x16xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %67 = arith.subf %in, %in_58 : f32
      linalg.yield %67 : f32
    } -> tensor<4x3x16x16xf32>
    %53 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<4x3x16x16xf32>) outs(%43 : tensor<4x3x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %67 = math.exp %in : f32
      linalg.yield %67 : f32
    } -> tensor<4x3x16x16xf32>
    %54 = tensor.empty() : tensor<4x3x16x1xf32>
    %55 = linalg.fill ins(%cst : f32) outs(%54 : tensor<4x3x16x1xf32>) -> tensor<4x3x16x1xf32>
    %56 = linalg.generic {indexing_maps = [#map9, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%53 : tensor<4x3x16x16xf32>) outs(%55 : tensor<4x3x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %67 = arith.addf %in, %out : f32
      linalg.yield %67 : f32
    } -> tensor<4x3x16x1xf32>
    %57 = linalg.generic {indexing_maps = [#map9, #map14, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %56 : tensor<4x3x16x16xf32>, tensor<4x3x16x1xf32>) outs(%43 : tensor<4x3x16x16xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %67 = arith.divf %in, %in_58 : f32
      linalg.yield %67 : f32
    } -> tensor<4x3x16x16xf32>
    %collapsed_51 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<4x3x16x16xf32> into tensor<12x16x16xf32>
    %collapsed_52 = tensor.collapse_shape %extracted_slice_39 [[0, 1, 2], [3], [4]] : tensor<1x4x3x16x4xf32> into tensor<12x16x4xf32>
    %58 = tensor.empty() : tensor<12x16x4xf32>
    %59 = linalg.fill ins(%cst : f32) outs(%58 : tensor<12x16x4xf32>) -> tensor<12x16x4xf32>
    %60 = linalg.batch_matmul ins(%collapsed_51, %collapsed_52 : tensor<12x16x16xf32>, tensor<12x16x4xf32>) outs(%59 : tensor<12x16x4xf32>) -> tensor<12x16x4xf32>
    %expanded_53 = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [4, 3, 16, 4] : tensor<12x16x4xf32> into tensor<4x3x16x4xf32>
    %61 = tensor.empty() : tensor<4x16x3x4xf32>
    %transposed_54 = linalg.transpose ins(%expanded_53 : tensor<4x3x16x4xf32>) outs(%61 : tensor<4x16x3x4xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_55 = tensor.collapse_shape %transposed_54 [[0, 1], [2, 3]] : tensor<4x16x3x4xf32> into tensor<64x12xf32>
    %62 = tensor.empty() : tensor<12x12xf32>
    %transposed_56 = linalg.transpose ins(%cst_2 : tensor<12x12xf32>) outs(%62 : tensor<12x12xf32>) permutation = [1, 0] 
    %63 = tensor.empty() : tensor<64x12xf32>
    %64 = linalg.fill ins(%cst : f32) outs(%63 : tensor<64x12xf32>) -> tensor<64x12xf32>
    %65 = linalg.matmul ins(%collapsed_55, %transposed_56 : tensor<64x12xf32>, tensor<12x12xf32>) outs(%64 : tensor<64x12xf32>) -> tensor<64x12xf32>
    %66 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%65, %cst_1 : tensor<64x12xf32>, tensor<12xf32>) outs(%63 : tensor<64x12xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %67 = arith.addf %in, %in_58 : f32
      linalg.yield %67 : f32
    } -> tensor<64x12xf32>
    %expanded_57 = tensor.expand_shape %66 [[0, 1], [2]] output_shape [4, 16, 12] : tensor<64x12xf32> into tensor<4x16x12xf32>
    return %expanded_57 : tensor<4x16x12xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_12_torch.float32: "0x04000000616F763EA56502BEB5B5D13D338E803EDF13153EEA67273D24847B3E87F21E3D49C308BEFFD18B3E56ED8B3D0E3590BE",
      torch_tensor_12_12_torch.float32: "0x04000000E52F65BEA765B6BDEBC1013E81CA913E02FB293E942605BD6B49CF3DB30091BEA6797CBE4DEE093E296F27BEA7360E3E07AD50BE626A12BE377C73BE02421A3ED8F6F0BC257F633ED0F0363EE691233E5616183CC0C9B6BD0B8C80BDB8241D3D8C88123EC2184FBEE517783E5B9000BD13B377BE41F01FBE0CC7823E2C2B873EDAE788BE107D503EF324143E1BF92E3EA33C7A3EC5501FBE51B0BA3D00F1F13D99B2AEBD63D9C53D1C19AABD97C2363E7408A4BD3966DCBDF1D5943D7FB2D13D646C10BEF70BD13C0D502B3EE14AEBBC9BECB33D63978EBDBC37CF3D232256BEC2D22DBEA30B16BED3D4873E95159FBD859E4EBAEF370FBE878C933E7D5A903EA9F05EBE00A36FBEB41060BE907AB6BA6EB396BD637C41BEA30CD4BDF6645F3D33731ABE4600833DB59287BD113D0FBE4972223DF10F733EEED947BE5E9E5B3C9804DABDE909913E923A8CBE15B18DBE3CA4913E77063BBE3DB2623D5519CCBC6A1579BD710B84BD9ED63B3E2610623CE0E68FBE2F832EBEE38AC9BDA0C0143E7D4B3FBE775D8B3ED7AD83BD045154BD539F673E9092143E0BB57A3E76FD2A3E4858B3BDE91F44BE48F3AFBC05A7743EB16BC6BD1B1189BE395AF23D75E18F3E7F4EA8BD3BC474BE9F1086BEF127943D6210B3BCA24615BEE0006F3D1684E03D54196B3E4D80653EEFFC30BDA05382BE988E85BE3A008A3E4AAC023E0DDB003E21C37FBEDEDD883ED6048C3EBB71853ED65D79BE7B13DFBD264E4BBE8DF68B3E9907FEBD84F506BED3DE1A3E6DBE08BE589711BEDBDACEBC574EE3BCC54466BE",
      torch_tensor_36_torch.float32: "0x04000000D2E67A3EE71A9B3C170445BE09D2D3BD2C19813D005861BED9DB123E442F86BEAD148EBEF19C8FBE4ADE6FBDFEC5463E24E48BBEA2B3753E067FECBDB127AD3D9DAF573C8D4685BE0527753E6A2A1F3E0AEA923EA857153E5C1E43BEABB4763E4B317E3C122E0C3EFB056DBEF50BAABD861F91BE4445E6BD58157F3DAF1868BE9D74BC3D90AE1E3E9EB8243D84C845BE",
      torch_tensor_36_12_torch.float32: "0x04000000E8A30DBB13931E3E7E4B73BEC98B59BEB1B4E3BD53899E3D406BBBBB7A616A3E42DDD1BCD2709C3D9EABB2BDEA6B68BDBD338DBED6C543BE84B5F3BD08342F3C8DB9E93D665E313ED26648BE69B900BE83BCD63D2777753E435773BD15345D3EDA953EBD653BFA3CB5D4853E791C89BEF0173ABE48AC95BDCC73E6BDCA667F3EA49A3FBE701308BE3C854EBEDF6C8ABE3E8E2CBE9D197E3E55E7033E54450F3E67BD783C0B8D17BED50B483D6B008ABECE9755BE736418BEE2813A3E8A512D3E3F1903BE3DA82ABC680E3D3E3DEF923EAFA3EA3D50BC1F3DB032463E4B0D2EBEEE555C3DD22E65BEEAE04CBE2EB418BEA6C0053E8AC2ED3DF4192FBE949BB23D2847223EB83D15BDE195343C41FC883DA962373E15EB8D3E84CC63BECBA8D8BD9E59E83D06EC743E3B9E803EEF69823E44516B3D998680BEDB8BD93C58EE38BE8FBE89BE1752833ECFC3603EB16F93BE92505D3D7A3047BD4D9442BD805007BE285AE33D3F162FBE33BBD83D2F7D153E319D533E0B0FDD3DD64892BEC8C13FBE6499133E107B773D6E9866BED3362ABE580B8B3ECD2E473EF7E300BE38CC94BDACCB8CBEDC05AABB529B5EBEFF0364BE104D82BC9488313DF61DF2BD86672F3EDDE233BE5E1C863EB1934A3EFA4679BE5F2493BD146A553CF0832C3D11388C3D9701E83D4CA78D3CBE3B10BE52E00B3E51C78DBEC1342FBE26FF93BD09FE0FBEE6D2CEBD6C4872BE69847BBD9CBF7C3D519340BE08B972BC9F9B533ED21AF3BC9272033CD102CCBC664C6F3DCEF43B3E2B018C3E82B93B3E2D538C3E3607ABBCFFC584BE89230CBE2147493E7647F5BAB6ED12BE398662BE0C528ABEDC7D79BE3ED66FBD531C223EB8D01F3E6D8B8EBE5D64383EF94F67BE6EF979BDD7B7EFBD39C063BD822868BD3CA184BE313C7FBEFF0539BDB0A8743B014906BE03B5DE3DB70785BE7B989FBCCBFA813E0226F1BD2277853E941BD63D9E6285BE07073B3EA87108BD98F503BE53616C3E2AE06EBEF0C1FD3C738F77BD1518533E3808A53DFB090E3E39CAD03D952B8EBD00AB78BDE99973BEC22B203EDCB36A3E57424A3E1E8350BE28F1523C816150BE97B922BEEB3F2CBEBC0ACA3D672730BE2B60CEBBB7F7463C7F8D3E3ED6735FBE70EF4ABE3EA52BBE14E74E3EA384D4BD8C56793EE8C8D53D6BB9153DA3D40CBBC6BD69BD645A143DB8FF86BD2EEE04BB22DE163DF23867BE5CEF1ABE92B26E3E5AE56FBE28CFA9BC0D36923ED590D53D2FE9053C1E1680BE746F123E758D52BE8CD2A7BD085CC6BDBA192FBDEDEF4E3BDCD0733E719C133D8862843E01D3343E72E23ABE4D94043EF9F550BE7991FABD26E3AD3D3636C33D19C55D3E9D51BEBDE549F239FE2E183E16F08EBE2AB7553EE77074BE775F823BB40749BDB0AF1BBEE2471C3D9F70743E3ED2ACBD7A7F2FBEB4A6DABD4E7E92BEFE6E053EB2F70DBE9C4445BE294C2ABE7CF5293E338B1C3ECCE1623EBF71D63D6F70C5BD2C36A5BD00A9AE3D07FF723E96BEA03D04DD0BBEDAF40ABEEDBD8BBE42757F3D2EE325BEC2C683BE939A813ED6F73FBE5F8306BD7C60A93DC8AD163CF5E746BE4EF16EBEC79E6B3EEB8A403D623D753E4C32C6BDA424AE3DE53187BD465552BC160934BE57F2C73D5EEBBA3DCA21C3BBB2F684BDFD3736BE466C4C3EE30D5CBE6C32F23D9ACBC6BD819E0EBE2B6A543DA08D19BE8637883D0E34683D7C7B5BBEBFDE443DEBCFFB3D9604EA3D34D714BDFB5472BE194636BDA354CD3DC0B7D7BD2F69E03D5BDC443E89591ABE74923A3B9F76F43D9A59B93C9B89C53C7DA4133D4C6368BEFBD8B93C47B24C3EA52F853EBBBD2D3E6E721E3D0B0D0A3E15CE0FBE8AF674BE0F327EBEC972933E56A53B3EBC544CBE254EE73DE53A5F3EA7BE933EAD3C813E1205653E238A87BDA37ACFBD6CB4723E6CA6253E4CE331BE51E0843EC3D20E3ED524213EF54639BEF99DA93D3E41CFBDBBF8663E9FC354BD062AE63DBE05523D268AFB3D87E8C8BDB220103E68784EBEE886853DB80048BED9CF91BECE626DBEB75E693E94EE1F3E7BAB8A3E69D06C3E5DFE83BE9ABA49BEB20E3FBD6FF93FBE13444D3E7A7A5FBEAD3910BE38CA8EBED6D327BE8820733E3807723EA19A533E4F3E643E5A6C833EDA6297BDEB10023E56AE833E0F95C33DFBC0933E8951193EE5C2373EEEEACEBDAFD60D3EF6DD073DBE308DBD6FA226BE31DE25BE0A7663BE8E72463E5427523EDA9206BDBF0F2BBE3379643EFA083D3E7EC9AF3C95900BBE39D6873EB9C4F13DE96760BE5C758D3E3279603E4B7DD7BDBD2C263E65F527BE154D39BD45FF7A3ED86C433C590E51BECA99C5BDED7AA0BD1F1F64BDBD50E23CFDB0883E303A7D3C6F8436BE3A6A723CEEBC0D3E93A1123EE61487BE7C9553BD0EAD5BBE6542FCBD0302D53DB7EA51BE75C4DB3D"
    }
  }
#-}
