// Llama: grouped heads by expand and reshape, RoPE, a causal mask made of finfo.min
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, linalg-on-tensors
// attentions: 1
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map12 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x6x16xf32>) -> tensor<2x6x16xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<-3.40282347E+38> : tensor<6x6xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_1> : tensor<16x16xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_8_16_torch.float32_1> : tensor<8x16xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_8_16_torch.float32> : tensor<8x16xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_16_16_torch.float32> : tensor<16x16xf32>
    %cst_7 = arith.constant 2.000000e+00 : f32
    %cst_8 = arith.constant 1.000000e+04 : f32
    %cst_9 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<6xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %71 = linalg.index 0 : index
      %72 = arith.index_cast %71 : index to i64
      linalg.yield %72 : i64
    } -> tensor<6xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [1, 6] : tensor<6xi64> into tensor<1x6xi64>
    %expanded_10 = tensor.expand_shape %1 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
    %2 = tensor.empty() : tensor<6x6xi64>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_10 : tensor<1x6xi64>, tensor<6x1xi64>) outs(%2 : tensor<6x6xi64>) {
    ^bb0(%in: i64, %in_39: i64, %out: i64):
      %71 = arith.subi %in, %in_39 : i64
      linalg.yield %71 : i64
    } -> tensor<6x6xi64>
    %4 = tensor.empty() : tensor<6x6xi1>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<6x6xi64>) outs(%4 : tensor<6x6xi1>) {
    ^bb0(%in: i64, %out: i1):
      %71 = arith.cmpi sge, %in, %c1_i64 : i64
      linalg.yield %71 : i1
    } -> tensor<6x6xi1>
    %6 = tensor.empty() : tensor<6x6xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5, %cst_2, %cst_1 : tensor<6x6xi1>, tensor<6x6xf32>, tensor<f32>) outs(%6 : tensor<6x6xf32>) {
    ^bb0(%in: i1, %in_39: f32, %in_40: f32, %out: f32):
      %71 = arith.select %in, %in_39, %in_40 : f32
      linalg.yield %71 : f32
    } -> tensor<6x6xf32>
    %expanded_11 = tensor.expand_shape %7 [[0, 1, 2], [3]] output_shape [1, 1, 6, 6] : tensor<6x6xf32> into tensor<1x1x6x6xf32>
    %8 = tensor.empty() : tensor<16x16xf32>
    %transposed = linalg.transpose ins(%cst_6 : tensor<16x16xf32>) outs(%8 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x6x16xf32> into tensor<12x16xf32>
    %9 = tensor.empty() : tensor<12x16xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<12x16xf32>) -> tensor<12x16xf32>
    %11 = linalg.matmul ins(%collapsed, %transposed : tensor<12x16xf32>, tensor<16x16xf32>) outs(%10 : tensor<12x16xf32>) -> tensor<12x16xf32>
    %expanded_12 = tensor.expand_shape %11 [[0, 1], [2, 3]] output_shape [2, 6, 4, 4] : tensor<12x16xf32> into tensor<2x6x4x4xf32>
    %12 = tensor.empty() : tensor<2x4x6x4xf32>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<2x6x4x4xf32>) outs(%12 : tensor<2x4x6x4xf32>) permutation = [0, 2, 1, 3] 
    %13 = tensor.empty() : tensor<16x8xf32>
    %transposed_14 = linalg.transpose ins(%cst_5 : tensor<8x16xf32>) outs(%13 : tensor<16x8xf32>) permutation = [1, 0] 
    %14 = tensor.empty() : tensor<12x8xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<12x8xf32>) -> tensor<12x8xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed_14 : tensor<12x16xf32>, tensor<16x8xf32>) outs(%15 : tensor<12x8xf32>) -> tensor<12x8xf32>
    %expanded_15 = tensor.expand_shape %16 [[0, 1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<12x8xf32> into tensor<2x6x2x4xf32>
    %17 = tensor.empty() : tensor<2x2x6x4xf32>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<2x6x2x4xf32>) outs(%17 : tensor<2x2x6x4xf32>) permutation = [0, 2, 1, 3] 
    %18 = tensor.empty() : tensor<2xi64>
    %19 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%18 : tensor<2xi64>) {
    ^bb0(%out: i64):
      %71 = linalg.index 0 : index
      %72 = arith.index_cast %71 : index to i64
      linalg.yield %72 : i64
    } -> tensor<2xi64>
    %20 = tensor.empty() : tensor<2xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%19 : tensor<2xi64>) outs(%20 : tensor<2xf32>) {
    ^bb0(%in: i64, %out: f32):
      %71 = arith.sitofp %in : i64 to f32
      linalg.yield %71 : f32
    } -> tensor<2xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%21 : tensor<2xf32>) outs(%20 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.negf %in : f32
      linalg.yield %71 : f32
    } -> tensor<2xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%22 : tensor<2xf32>) outs(%20 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.divf %in, %cst_7 : f32
      linalg.yield %71 : f32
    } -> tensor<2xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%23 : tensor<2xf32>) outs(%20 : tensor<2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = math.powf %cst_8, %in : f32
      linalg.yield %71 : f32
    } -> tensor<2xf32>
    %25 = tensor.empty() : tensor<6xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<6xi64>) outs(%25 : tensor<6xf32>) {
    ^bb0(%in: i64, %out: f32):
      %71 = arith.sitofp %in : i64 to f32
      linalg.yield %71 : f32
    } -> tensor<6xf32>
    %expanded_17 = tensor.expand_shape %26 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
    %27 = tensor.empty() : tensor<6x2xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_17, %24 : tensor<6x1xf32>, tensor<2xf32>) outs(%27 : tensor<6x2xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %71 = arith.mulf %in, %in_39 : f32
      linalg.yield %71 : f32
    } -> tensor<6x2xf32>
    %29 = tensor.empty() : tensor<6x2x2xf32>
    %30 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<6x2xf32>) outs(%29 : tensor<6x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x2x2xf32>
    %collapsed_18 = tensor.collapse_shape %30 [[0], [1, 2]] : tensor<6x2x2xf32> into tensor<6x4xf32>
    %31 = tensor.empty() : tensor<6x4xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_18 : tensor<6x4xf32>) outs(%31 : tensor<6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = math.cos %in : f32
      linalg.yield %71 : f32
    } -> tensor<6x4xf32>
    %33 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_13, %32 : tensor<2x4x6x4xf32>, tensor<6x4xf32>) outs(%12 : tensor<2x4x6x4xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %71 = arith.mulf %in, %in_39 : f32
      linalg.yield %71 : f32
    } -> tensor<2x4x6x4xf32>
    %extracted_slice = tensor.extract_slice %transposed_13[0, 0, 0, 2] [2, 4, 6, 2] [1, 1, 1, 1] : tensor<2x4x6x4xf32> to tensor<2x4x6x2xf32>
    %34 = tensor.empty() : tensor<2x4x6x2xf32>
    %35 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<2x4x6x2xf32>) outs(%34 : tensor<2x4x6x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.negf %in : f32
      linalg.yield %71 : f32
    } -> tensor<2x4x6x2xf32>
    %extracted_slice_19 = tensor.extract_slice %transposed_13[0, 0, 0, 0] [2, 4, 6, 2] [1, 1, 1, 1] : tensor<2x4x6x4xf32> to tensor<2x4x6x2xf32>
    %concat = tensor.concat dim(3) %35, %extracted_slice_19 : (tensor<2x4x6x2xf32>, tensor<2x4x6x2xf32>) -> tensor<2x4x6x4xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_18 : tensor<6x4xf32>) outs(%31 : tensor<6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = math.sin %in : f32
      linalg.yield %71 : f32
    } -> tensor<6x4xf32>
    %37 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %36 : tensor<2x4x6x4xf32>, tensor<6x4xf32>) outs(%12 : tensor<2x4x6x4xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %71 = arith.mulf %in, %in_39 : f32
      linalg.yield %71 : f32
    } -> tensor<2x4x6x4xf32>
    %38 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %37 : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%12 : tensor<2x4x6x4xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %71 = arith.addf %in, %in_39 : f32
      linalg.yield %71 : f32
    } -> tensor<2x4x6x4xf32>
    %39 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_16, %32 : tensor<2x2x6x4xf32>, tensor<6x4xf32>) outs(%17 : tensor<2x2x6x4xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %71 = arith.mulf %in, %in_39 : f32
      linalg.yield %71 : f32
    } -> tensor<2x2x6x4xf32>
    %extracted_slice_20 = tensor.extract_slice %transposed_16[0, 0, 0, 2] [2, 2, 6, 2] [1, 1, 1, 1] : tensor<2x2x6x4xf32> to tensor<2x2x6x2xf32>
    %40 = tensor.empty() : tensor<2x2x6x2xf32>
    %41 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_20 : tensor<2x2x6x2xf32>) outs(%40 : tensor<2x2x6x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.negf %in : f32
      linalg.yield %71 : f32
    } -> tensor<2x2x6x2xf32>
    %extracted_slice_21 = tensor.extract_slice %transposed_16[0, 0, 0, 0] [2, 2, 6, 2] [1, 1, 1, 1] : tensor<2x2x6x4xf32> to tensor<2x2x6x2xf32>
    %concat_22 = tensor.concat dim(3) %41, %extracted_slice_21 : (tensor<2x2x6x2xf32>, tensor<2x2x6x2xf32>) -> tensor<2x2x6x4xf32>
    %42 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_22, %36 : tensor<2x2x6x4xf32>, tensor<6x4xf32>) outs(%17 : tensor<2x2x6x4xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %71 = arith.mulf %in, %in_39 : f32
      linalg.yield %71 : f32
    } -> tensor<2x2x6x4xf32>
    %43 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %42 : tensor<2x2x6x4xf32>, tensor<2x2x6x4xf32>) outs(%17 : tensor<2x2x6x4xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %71 = arith.addf %in, %in_39 : f32
      linalg.yield %71 : f32
    } -> tensor<2x2x6x4xf32>
    %transposed_23 = linalg.transpose ins(%cst_4 : tensor<8x16xf32>) outs(%13 : tensor<16x8xf32>) permutation = [1, 0] 
    %44 = linalg.matmul ins(%collapsed, %transposed_23 : tensor<12x16xf32>, tensor<16x8xf32>) outs(%15 : tensor<12x8xf32>) -> tensor<12x8xf32>
    %expanded_24 = tensor.expand_shape %44 [[0, 1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<12x8xf32> into tensor<2x6x2x4xf32>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<2x6x2x4xf32>) outs(%17 : tensor<2x2x6x4xf32>) permutation = [0, 2, 1, 3] 
    %45 = tensor.empty() : tensor<2x2x2x6x4xf32>
    %46 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x2x6x4xf32>) outs(%45 : tensor<2x2x2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x6x4xf32>
    %collapsed_26 = tensor.collapse_shape %46 [[0], [1, 2], [3], [4]] : tensor<2x2x2x6x4xf32> into tensor<2x4x6x4xf32>
    %47 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_25 : tensor<2x2x6x4xf32>) outs(%45 : tensor<2x2x2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x6x4xf32>
    %48 = tensor.empty() : tensor<2x4x4x6xf32>
    %transposed_27 = linalg.transpose ins(%collapsed_26 : tensor<2x4x6x4xf32>) outs(%48 : tensor<2x4x4x6xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_28 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<2x4x6x4xf32> into tensor<8x6x4xf32>
    %collapsed_29 = tensor.collapse_shape %transposed_27 [[0, 1], [2], [3]] : tensor<2x4x4x6xf32> into tensor<8x4x6xf32>
    %49 = tensor.empty() : tensor<8x6x6xf32>
    %50 = linalg.fill ins(%cst : f32) outs(%49 : tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
    %51 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<8x6x4xf32>, tensor<8x4x6xf32>) outs(%50 : tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
    %expanded_30 = tensor.expand_shape %51 [[0, 1], [2], [3]] output_shape [2, 4, 6, 6] : tensor<8x6x6xf32> into tensor<2x4x6x6xf32>
    %52 = tensor.empty() : tensor<2x4x6x6xf32>
    %53 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<2x4x6x6xf32>) outs(%52 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.mulf %in, %cst_9 : f32
      linalg.yield %71 : f32
    } -> tensor<2x4x6x6xf32>
    %54 = linalg.generic {indexing_maps = [#map8, #map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %expanded_11 : tensor<2x4x6x6xf32>, tensor<1x1x6x6xf32>) outs(%52 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %71 = arith.addf %in, %in_39 : f32
      linalg.yield %71 : f32
    } -> tensor<2x4x6x6xf32>
    %55 = tensor.empty() : tensor<2x4x6xi64>
    %56 = linalg.fill ins(%c0_i64 : i64) outs(%55 : tensor<2x4x6xi64>) -> tensor<2x4x6xi64>
    %57 = tensor.empty() : tensor<2x4x6xf32>
    %58 = linalg.fill ins(%cst_0 : f32) outs(%57 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %59:2 = linalg.generic {indexing_maps = [#map8, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%54 : tensor<2x4x6x6xf32>) outs(%58, %56 : tensor<2x4x6xf32>, tensor<2x4x6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_39: i64):
      %71 = linalg.index 3 : index
      %72 = arith.index_cast %71 : index to i64
      %73 = arith.maximumf %in, %out : f32
      %74 = arith.cmpf ogt, %in, %out : f32
      %75 = arith.select %74, %72, %out_39 : i64
      linalg.yield %73, %75 : f32, i64
    } -> (tensor<2x4x6xf32>, tensor<2x4x6xi64>)
    %expanded_31 = tensor.expand_shape %59#0 [[0], [1], [2, 3]] output_shape [2, 4, 6, 1] : tensor<2x4x6xf32> into tensor<2x4x6x1xf32>
    %60 = linalg.generic {indexing_maps = [#map8, #map14, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54, %expanded_31 : tensor<2x4x6x6xf32>, tensor<2x4x6x1xf32>) outs(%52 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %71 = arith.subf %in, %in_39 : f32
      linalg.yield %71 : f32
    } -> tensor<2x4x6x6xf32>
    %61 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<2x4x6x6xf32>) outs(%52 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = math.exp %in : f32
      linalg.yield %71 : f32
    } -> tensor<2x4x6x6xf32>
    %62 = tensor.empty() : tensor<2x4x6x1xf32>
    %63 = linalg.fill ins(%cst : f32) outs(%62 : tensor<2x4x6x1xf32>) -> tensor<2x4x6x1xf32>
    %64 = linalg.generic {indexing_maps = [#map8, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%61 : tensor<2x4x6x6xf32>) outs(%63 : tensor<2x4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %71 = arith.addf %in, %out : f32
      linalg.yield %71 : f32
    } -> tensor<2x4x6x1xf32>
    %65 = linalg.generic {indexing_maps = [#map8, #map14, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %64 : tensor<2x4x6x6xf32>, tensor<2x4x6x1xf32>) outs(%52 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %71 = arith.divf %in, %in_39 : f32
      linalg.yield %71 : f32
    } -> tensor<2x4x6x6xf32>
    %collapsed_32 = tensor.collapse_shape %65 [[0, 1], [2], [3]] : tensor<2x4x6x6xf32> into tensor<8x6x6xf32>
    %collapsed_33 = tensor.collapse_shape %47 [[0, 1, 2], [3], [4]] : tensor<2x2x2x6x4xf32> into tensor<8x6x4xf32>
    %66 = tensor.empty() : tensor<8x6x4xf32>
    %67 = linalg.fill ins(%cst : f32) outs(%66 : tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %68 = linalg.batch_matmul ins(%collapsed_32, %collapsed_33 : tensor<8x6x6xf32>, tensor<8x6x4xf32>) outs(%67 : tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
    %expanded_34 = tensor.expand_shape %68 [[0, 1], [2], [3]] output_shape [2, 4, 6, 4] : tensor<8x6x4xf32> into tensor<2x4x6x4xf32>
    %69 = tensor.empty() : tensor<2x6x4x4xf32>
    %transposed_35 = linalg.transpose ins(%expanded_34 : tensor<2x4x6x4xf32>) outs(%69 : tensor<2x6x4x4xf32>) permutation = [0, 2, 1, 3] 
    %transposed_36 = linalg.transpose ins(%cst_3 : tensor<16x16xf32>) outs(%8 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed_37 = tensor.collapse_shape %transposed_35 [[0, 1], [2, 3]] : tensor<2x6x4x4xf32> into tensor<12x16xf32>
    %70 = linalg.matmul ins(%collapsed_37, %transposed_36 : tensor<12x16xf32>, tensor<16x16xf32>) outs(%10 : tensor<12x16xf32>) -> tensor<12x16xf32>
    %expanded_38 = tensor.expand_shape %70 [[0, 1], [2]] output_shape [2, 6, 16] : tensor<12x16xf32> into tensor<2x6x16xf32>
    return %expanded_38 : tensor<2x6x16xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_16_16_torch.float32_1: "0x04000000880E8EBD14DFBEBD40E5803D689AB53D1026FABD300AB53C745C143EF0C4CBBCA8D19B3DB8F976BDB074B33DE67139BE0E8916BE74F101BE4C446B3E64C589BD00F032BACC0FF8BDF08F7F3E0E077A3E601241BE10884FBED40B42BE00089EBAC48282BD4E9027BEE0A3B7BD1877413DF4C105BE88E6623DC8D16ABDB018F8BDC8AE0C3D847F523E88132DBE00323E3C20CFBCBDE4367B3E26E272BED26A75BE30427C3EF8F721BE2053443D40C1B0BC78B657BD48B564BD3CAC223EC0C6433CCE3E79BED82117BE7C8AAEBDCAD2003E8EAA25BE2E63713E281364BD18DF37BD4297483EE6AA003E6A1E593EEE14143E34519BBD54D929BEA06098BC0EE0533E5CD6ABBD1E686DBE24E2D13D6C35793E00C291BD5AF953BE103568BE904E803DF0129BBCD84601BEA8FB4E3DC06FC23D069A4B3EFCC0463EB04619BD7EBB61BED85367BE48066F3E1055E23D402FDF3D207F5DBE5E0F6D3E1485723EDA21673E30F557BE8830C1BD4A1130BE566C723E04FFDBBD84C1E9BD281F063EE8D8ECBDDC2BFCBD4024B3BC50DAC4BC226B47BE466B553EB4DAE1BD309DB53D24AA5E3EE21A013E50FA103DC4D1593E08A7093D54E1ECBD062D723E605C723D38C679BE18C391BDFE602EBEE272603E001C29BDB25969BE80BE80BC74C5203E9004853D8CE5A13D5034BE3C18E2BE3DE87F79BD78ACCBBD0E496FBEB0DA40BEF0E6DD3DBE9417BEE0E8123D106DA33DA001913C40FA25BEF0D1743E26DD14BE668F523E6EA64BBE585276BD8A410B3E7C31D1BD0E0D573E062B30BE44FB56BEE0DEE6BDB087253DA8B66B3EE46DF4BD0C1BB73DAC5C80BD28115EBDD83C3C3E7A6546BE6086D93CA8BE703EC8B50CBDA6C4463E84AC9DBD00124E3EF6A277BE289513BDA8DC33BD78EEA53D24DFC83DA68F443EC88F18BD606D22BCCA4F2F3E90888ABD106B603EAA722ABE209DDDBC00005CBCA075E43D66052F3ED04E22BD4E1754BE28B1FD3DCC27993D88ABCD3D0AEB1DBEAEC2243EC078723E30B5B13CCC1D6FBE9CB5333EC0CF3DBE98636B3D30CE143D7CA2EFBDB046B23D8AF964BEC839693D9C4A22BE3075DDBC48B7033D08195A3E1C49F4BDBA00243E281502BDBC29F3BDBAEC5EBE7CE26ABE28037A3E98627FBD20974C3C3CCF8A3DEE022E3E487D5A3ED29E4F3E84AA3DBEE00F24BD1E7C17BE1C4412BE68E6723D3C4B703E26154DBEAEEE1A3E3CBA04BEE87247BD92344B3E309967BD707BBA3CCCF332BEECEA593E505F04BD683C3BBE3CEB953D3C0536BE4C234BBE6086793CCCF74A3E48E390BD40FBF03D7AFC5B3E78CB293EA24906BE6080E0BC601EA1BD00DB4DBE00A0D838969F403E1AAF573E7014BF3CF092683DE8A7DDBD5A3D413E2C0CD5BDC4D431BE78B01D3D5271193EB4CE66BE6A6A673EAC2EB83D5C5B33BEC8935CBDB8195E3E",
      torch_tensor_8_16_torch.float32_1: "0x040000001461A93DCAEA7F3E18C7043E58241F3E2C32B3BDF4ABF53D2054EB3C888C74BD4A4F10BE56A50FBEB2FC44BE4EDC2B3E96FF353EA016E9BCC42414BE22DD453E8CB5233E703C983CB8BBF1BDB8466B3EAC60D13D5A5742BE6203753E5266423E8C9EBABD5CE90F3ED67411BEB87920BDB25E593E403E293C400C35BE9420ABBDDCFA8ABD208F45BDB0FEC33CA2C16C3E204D5B3C8C101EBE00F0513C587FF53DFCF8FD3DE0F769BEB03C37BDB83E3EBE8876DABD6078B83D18CB35BEFC52BE3D8649593E3053863CF09E2ABE2071B7BDD89A5F3D462743BEEC5DFE3D246A68BE521776BEC0BE78BE68BB4FBD90242C3E724C72BEAEC8543ECCCFCCBDE8F4953D20CA3A3C10D766BEE84E543E6ED7093E80767E3E9655013E48FA28BE48A7553E20235C3C80CCF23DAC444DBEC84393BD545C7BBE906BC7BDA0E85C3D5C0049BE1035A33D2C6C093E18A70E3D0C492BBE5A7B46BEE4F59DBD20BFE03D7A847C3E1A35133EB09FE6BC0084B33DF0267BBE62A65ABE3CE7EE3D960011BE2C52F63DF8B734BE6499FDBD48DD52BE5A97053E60AED0BC9404453E686E1E3EDCA70D3E20B6033C944C9EBD68A65EBD1817083DA4CDFD3DDC5933BEEADA563EE0ADDEBC9A8356BEC4820ABE6A83623E741E6A3EAA206DBE6E8E343EF84B003EF887173E24B6583EA6F809BE5CADA13D0487D13DE84A97BDA857AB3D2C4F93BD60461E3E",
      torch_tensor_8_16_torch.float32: "0x04000000E6BB7DBE1C1DE73D20E5F5BDD0D62ABE627B13BE5230133E2492073E507C443ED8B6B93DC4FCAABDD4138FBD9842973DDE70523E74358B3D1C40F2BDFCADF0BD420A72BEB03B5D3DA8A90FBE503E64BEFA7A603ED03F26BED0FBE8BC48AF923DE07D023CFA412CBE2CEE4EBE980D4C3E30BF263D4662543EA8A4ABBDF8CF963D182A6ABD602736BC52EA1BBEAC28AD3D80E0A13D40FDA8BBC04C66BD58CE1DBE1409313E94923EBEACBFD13D6C29ACBD0C06F7BDE0F4373D22FB04BE40EF6B3D1018493DCA133EBE987E2A3D6413DA3D5CAACA3D58E600BD9ADD51BE90DA1DBD50D2B13D2CD1BABD7458C23D867C2A3EBAAB05BE8093213B24B6D33D9084A03C9012AB3C70B9FF3CFA4049BEE0F2A03CB445313E64AF663ED876163E1838093D7C1CEF3DDC13F9BDEC2454BECA235CBE5A637F3E8E81223EB2F430BEF450C83DAA52413EC2E67F3E58D85F3E4456463EF0C26ABDA0AEB3BD4230523E0A750F3E300E1ABEFE25663E9060F73D008E0B3E6A7420BE88E4923DEC7CB3BDFC06483E584238BDF853C73D80E2353DF8D6D93DE0FDADBDF4A2F93DFECE32BE8846673D20352DBEBA8D7CBE10954DBEB61A4A3E50810A3EE82E703E48164D3EA09E64BECEB32EBEE87525BD324126BEF8C3313EBA8941BE38CEF9BDC45177BEC65711BEE28D523E429A513E2441373E22AA453EBAA1633EB01A83BDF447E13D0414643E",
      torch_tensor_16_16_torch.float32: "0x040000000054F5BA5E54093E16B352BE80663CBEF432C5BDEC4B893D404FA2BBCEFA4A3E70BFB5BC4C7B873DACBB9ABD704849BDB89174BE528B29BEE80ED3BD00BB173C6069CA3D189B193E8C8D2DBEFCF4DEBD98F7B93D4E94543E48BD52BD5C913F3E400D25BD10B5D83C4ACD673ECE7B6DBE662921BEE09E81BDDC93C7BD282F5D3E1AEF25BEC0B0EBBD1ADA32BE76C26FBE047015BE9E0E5C3EBC76E43D0027F83D406A573C3A3F03BEC03E2D3D9E066FBE1AFA38BEC6F903BE2685213E2619163EC811E3BD20CB13BC40BA233E827F7E3E2434CB3DC8550A3DFEA42B3EC0BB16BEF8D03E3D6C7A46BE186E31BED23E04BE8CAAE73DF8E7CD3D6AA417BEC8AD9A3D6E890C3E203F01BD40641C3C00446D3D00D11E3E48CF753E964745BEECA1BBBD9838C93DD01B543EE8C55E3E22E2613E78CA4B3DF89C5EBE9066BC3CAC2720BE8C946EBE3E74633EF0A6423EFE5D7FBE08AA3F3DC8802CBDB88228BD1C5FEABD8CE4C43D34A117BEDCB1BB3D1676013E5C43373E4871BF3D4A5F7DBE001126BE38A6FF3D1853563D96B347BEE86813BEF2D4703E547F2C3EB03EDFBDD4DC80BD78DD73BE803E93BB78C840BEA27745BE20B061BCA0BF193DF4ADD1BD98E7173E38C91BBE6849683ED06F2F3E64E157BE88DB7EBD80D2383C1867153DD0DD723D5CECC83DE059753CCCD1F9BDD445F23D569175BEA0BB17BE3C2B80BDEC66F9BD5C1DB3BDBAD251BE00D259BDF8E25A3D76C626BE403452BC0042373EF088D2BC80ACE33BC0ADB0BC103D4F3D60C6223EBA7E723E0693223EC40C733E601D94BC66F865BE40BAF2BDCE4F2E3E006BD4BADC7CFEBD022D44BE00946FBEEC1058BE70B44FBD56640C3E74670A3E02E576BE2EB01F3E8A5248BEF07B58BD1C9ACFBDF03C45BD100E49BDBAB865BE440A5DBE283C20BD80E1533BB896E8BDB8DEC03D3A6A66BEC0368ABCA221613E38D7D0BD362B673E386CB93DAE0767BE74F8213EF053ECBC708FE4BD14B64C3E54DF4EBEB0C2DB3CC06456BD16D0363E08EC8E3DCC04F63D40D1B43D003F76BD505A57BD00F752BE4CB60A3E26424B3E5C292F3EAC9334BE60AE363C907634BE88EC0CBE302C15BE34F9AE3DC48D18BE00BAB2BBA04F2C3C0406253EFA8341BE44BF2FBE3CA614BED62E333ECC0BB8BDE0EE573EA024B93D40AA013D00EDF3BA086D4ABD407A003D30D369BD003EE6BAC0A7023D983E48BE7A2D06BED8B74E3E86C14FBE200F93BCC03E7D3E10F4B83DC0F0E73B26DA5DBE2CA2FD3D085836BEA85691BDCCC8ABBD38A417BD8036333B9626533E80ABFF3C204C653E30991C3EC6D821BE54A2E53D24F734BE9CFFD8BD4097963DF00EA93DF20E403E28D2A4BD00D4D1397ACB033E5A9377BE4215393E30B153BE00D0613BE0182EBD0AD406BED857073DF2B0533EE8AA95BD56FC17BE845BBDBD"
    }
  }
#-}
