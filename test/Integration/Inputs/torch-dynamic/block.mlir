#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1) -> (0, d1)>
#map11 = affine_map<(d0, d1) -> (d0, 0)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map15 = affine_map<(d0, d1, d2, d3) -> ()>
#map16 = affine_map<(d0, d1) -> (d1)>
#map17 = affine_map<(d0, d1, d2) -> (d0, d2)>
module {
  func.func @main(%arg0: tensor<?x?xi64>) -> (tensor<?x5xf32>, tensor<?x8xf32>) {
    %true = arith.constant true
    %c8_i64 = arith.constant 8 : i64
    %c2_i64 = arith.constant 2 : i64
    %c-1_i64 = arith.constant -1 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c11 = arith.constant 11 : index
    %c16 = arith.constant 16 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c4_i64 = arith.constant 4 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %false = arith.constant false
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<true> : tensor<i1>
    %cst_4 = arith.constant dense_resource<torch_tensor_5_torch.float32> : tensor<5xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_5_8_torch.float32> : tensor<5x8xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_8_torch.float32_2> : tensor<8xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_8_8_torch.float32> : tensor<8x8xf32>
    %cst_8 = arith.constant 0xFFF0000000000000 : f64
    %cst_9 = arith.constant 0.70710678118654757 : f64
    %cst_10 = arith.constant dense_resource<torch_tensor_24_torch.float32> : tensor<24xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_24_8_torch.float32> : tensor<24x8xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_8_torch.float32_1> : tensor<8xf32>
    %cst_13 = arith.constant dense_resource<torch_tensor_8_torch.float32> : tensor<8xf32>
    %cst_14 = arith.constant 1.000000e-05 : f64
    %cst_15 = arith.constant dense_resource<torch_tensor_16_8_torch.float32> : tensor<16x8xf32>
    %cst_16 = arith.constant dense_resource<torch_tensor_11_8_torch.float32> : tensor<11x8xf32>
    %cst_17 = arith.constant 8.000000e+00 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xi64>
    %0 = arith.index_cast %dim : index to i64
    %dim_18 = tensor.dim %arg0, %c1 : tensor<?x?xi64>
    %1 = arith.index_cast %dim_18 : index to i64
    %2 = tensor.empty(%dim, %dim_18) : tensor<?x?x8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<?x?xi64>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %205 = arith.index_cast %in : i64 to index
      %206 = linalg.index 2 : index
      %207 = arith.cmpi slt, %205, %c11 : index
      cf.assert %207, "index must be smaller than dim size"
      %208 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %208, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst_16[%205, %206] : tensor<11x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x?x8xf32>
    %4 = tensor.empty(%dim_18) : tensor<?xi64>
    %5 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%4 : tensor<?xi64>) {
    ^bb0(%out: i64):
      %205 = linalg.index 0 : index
      %206 = arith.index_cast %205 : index to i64
      linalg.yield %206 : i64
    } -> tensor<?xi64>
    %6 = tensor.empty(%dim_18) : tensor<?x8xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<?xi64>) outs(%6 : tensor<?x8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %205 = arith.index_cast %in : i64 to index
      %206 = linalg.index 1 : index
      %207 = arith.cmpi slt, %205, %c16 : index
      cf.assert %207, "index must be smaller than dim size"
      %208 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %208, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst_15[%205, %206] : tensor<16x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x8xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<?x?x8xf32>, tensor<?x8xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %205 = arith.addf %in, %in_45 : f32
      linalg.yield %205 : f32
    } -> tensor<?x?x8xf32>
    %9 = tensor.empty(%dim, %dim_18) : tensor<?x?x1xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<?x?x8xf32>) outs(%10 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.addf %in, %out : f32
      linalg.yield %205 : f32
    } -> tensor<?x?x1xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<?x?x1xf32>) outs(%9 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.divf %in, %cst_17 : f32
      linalg.yield %205 : f32
    } -> tensor<?x?x1xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %12 : tensor<?x?x8xf32>, tensor<?x?x1xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %205 = arith.subf %in, %in_45 : f32
      linalg.yield %205 : f32
    } -> tensor<?x?x8xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<?x?x8xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %205 : f32
    } -> tensor<?x?x8xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<?x?x8xf32>) outs(%10 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.addf %in, %out : f32
      linalg.yield %205 : f32
    } -> tensor<?x?x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<?x?x1xf32>) outs(%9 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.divf %in, %cst_17 : f32
      linalg.yield %205 : f32
    } -> tensor<?x?x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<?x?x1xf32>) outs(%9 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.truncf %cst_14 : f64 to f32
      %206 = arith.addf %in, %205 : f32
      linalg.yield %206 : f32
    } -> tensor<?x?x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<?x?x1xf32>) outs(%9 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = math.rsqrt %in : f32
      linalg.yield %205 : f32
    } -> tensor<?x?x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %18 : tensor<?x?x8xf32>, tensor<?x?x1xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %205 = arith.mulf %in, %in_45 : f32
      linalg.yield %205 : f32
    } -> tensor<?x?x8xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %cst_13 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %205 = arith.mulf %in, %in_45 : f32
      linalg.yield %205 : f32
    } -> tensor<?x?x8xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %cst_12 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %205 = arith.addf %in, %in_45 : f32
      linalg.yield %205 : f32
    } -> tensor<?x?x8xf32>
    %22 = tensor.empty() : tensor<8x24xf32>
    %transposed = linalg.transpose ins(%cst_11 : tensor<24x8xf32>) outs(%22 : tensor<8x24xf32>) permutation = [1, 0] 
    %23 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %23, "negative values not allowed in new dimensions"
    %24 = tensor.empty(%dim) : tensor<?x8x24xf32>
    %25 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<8x24xf32>) outs(%24 : tensor<?x8x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x8x24xf32>
    %26 = tensor.empty(%dim, %dim_18) : tensor<?x?x24xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<?x?x24xf32>) -> tensor<?x?x24xf32>
    %28 = linalg.batch_matmul ins(%21, %25 : tensor<?x?x8xf32>, tensor<?x8x24xf32>) outs(%27 : tensor<?x?x24xf32>) -> tensor<?x?x24xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %cst_10 : tensor<?x?x24xf32>, tensor<24xf32>) outs(%26 : tensor<?x?x24xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %205 = arith.addf %in, %in_45 : f32
      linalg.yield %205 : f32
    } -> tensor<?x?x24xf32>
    %extracted_slice = tensor.extract_slice %29[0, 0, 0] [%dim, %dim_18, 8] [1, 1, 1] : tensor<?x?x24xf32> to tensor<?x?x8xf32>
    %extracted_slice_19 = tensor.extract_slice %29[0, 0, 8] [%dim, %dim_18, 8] [1, 1, 1] : tensor<?x?x24xf32> to tensor<?x?x8xf32>
    %extracted_slice_20 = tensor.extract_slice %29[0, 0, 16] [%dim, %dim_18, 8] [1, 1, 1] : tensor<?x?x24xf32> to tensor<?x?x8xf32>
    %30 = arith.cmpi slt, %0, %c0_i64 : i64
    %31 = arith.select %30, %c1_i64, %0 : i64
    %32 = arith.extui %30 : i1 to i64
    %33 = arith.muli %31, %1 : i64
    %34 = arith.addi %32, %c1_i64 : i64
    %35 = arith.cmpi slt, %1, %c0_i64 : i64
    %36 = arith.select %35, %31, %33 : i64
    %37 = arith.select %35, %34, %32 : i64
    %38 = arith.muli %36, %c8_i64 : i64
    %39 = arith.cmpi sle, %37, %c1_i64 : i64
    cf.assert %39, "must have at most one inferred (negative) dimension"
    %40 = arith.muli %0, %1 : i64
    %41 = arith.muli %40, %c8_i64 : i64
    %42 = arith.divsi %41, %38 : i64
    %43 = arith.select %30, %42, %0 : i64
    %44 = arith.select %35, %42, %1 : i64
    %from_elements = tensor.from_elements %43, %44, %c2_i64, %c4_i64 : tensor<4xi64>
    %reshape = tensor.reshape %extracted_slice(%from_elements) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
    %45 = arith.index_cast %43 : i64 to index
    %46 = arith.index_cast %44 : i64 to index
    %47 = tensor.empty(%45, %46) : tensor<?x2x?x4xf32>
    %transposed_21 = linalg.transpose ins(%reshape : tensor<?x?x2x4xf32>) outs(%47 : tensor<?x2x?x4xf32>) permutation = [0, 2, 1, 3] 
    cf.assert %39, "must have at most one inferred (negative) dimension"
    %reshape_22 = tensor.reshape %extracted_slice_19(%from_elements) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
    cf.assert %39, "must have at most one inferred (negative) dimension"
    %reshape_23 = tensor.reshape %extracted_slice_20(%from_elements) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
    %transposed_24 = linalg.transpose ins(%reshape_23 : tensor<?x?x2x4xf32>) outs(%47 : tensor<?x2x?x4xf32>) permutation = [0, 2, 1, 3] 
    %48 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_21 : tensor<?x2x?x4xf32>) outs(%47 : tensor<?x2x?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.truncf %cst_9 : f64 to f32
      %206 = arith.mulf %in, %205 : f32
      linalg.yield %206 : f32
    } -> tensor<?x2x?x4xf32>
    %49 = arith.cmpi sge, %1, %c0_i64 : i64
    cf.assert %49, "negative values not allowed in new dimensions"
    cf.assert %49, "negative values not allowed in new dimensions"
    %50 = tensor.empty(%dim_18, %dim_18) : tensor<?x?xi1>
    %51 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<i1>) outs(%50 : tensor<?x?xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<?x?xi1>
    %expanded = tensor.expand_shape %5 [[0, 1]] output_shape [1, %dim_18] : tensor<?xi64> into tensor<1x?xi64>
    %expanded_25 = tensor.expand_shape %5 [[0, 1]] output_shape [%dim_18, 1] : tensor<?xi64> into tensor<?x1xi64>
    %52 = tensor.empty(%dim_18, %dim_18) : tensor<?x?xi64>
    %53 = linalg.generic {indexing_maps = [#map10, #map11, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_25 : tensor<1x?xi64>, tensor<?x1xi64>) outs(%52 : tensor<?x?xi64>) {
    ^bb0(%in: i64, %in_45: i64, %out: i64):
      %205 = arith.subi %in, %in_45 : i64
      linalg.yield %205 : i64
    } -> tensor<?x?xi64>
    %54 = tensor.empty(%dim_18, %dim_18) : tensor<?x?xi1>
    %55 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%53 : tensor<?x?xi64>) outs(%54 : tensor<?x?xi1>) {
    ^bb0(%in: i64, %out: i1):
      %205 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %205 : i1
    } -> tensor<?x?xi1>
    cf.assert %true, "mismatched size for broadcast"
    cf.assert %true, "mismatched size for broadcast"
    %56 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%55, %51 : tensor<?x?xi1>, tensor<?x?xi1>) outs(%54 : tensor<?x?xi1>) {
    ^bb0(%in: i1, %in_45: i1, %out: i1):
      %205 = arith.andi %in, %in_45 : i1
      linalg.yield %205 : i1
    } -> tensor<?x?xi1>
    %57 = tensor.empty(%dim_18, %dim_18) : tensor<?x?xf32>
    %58 = linalg.generic {indexing_maps = [#map4, #map9, #map9, #map4], iterator_types = ["parallel", "parallel"]} ins(%56, %cst_1, %cst_2 : tensor<?x?xi1>, tensor<f32>, tensor<f32>) outs(%57 : tensor<?x?xf32>) {
    ^bb0(%in: i1, %in_45: f32, %in_46: f32, %out: f32):
      %205 = arith.select %in, %in_45, %in_46 : f32
      linalg.yield %205 : f32
    } -> tensor<?x?xf32>
    %59 = tensor.empty(%45, %46) : tensor<?x2x4x?xf32>
    %transposed_26 = linalg.transpose ins(%reshape_22 : tensor<?x?x2x4xf32>) outs(%59 : tensor<?x2x4x?xf32>) permutation = [0, 2, 3, 1] 
    %60 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_26 : tensor<?x2x4x?xf32>) outs(%59 : tensor<?x2x4x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.truncf %cst_9 : f64 to f32
      %206 = arith.mulf %in, %205 : f32
      linalg.yield %206 : f32
    } -> tensor<?x2x4x?xf32>
    %61 = arith.muli %0, %c2_i64 : i64
    %62 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %62, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %49, "unimplemented: dynamic negative broadcast sizes"
    %63 = tensor.empty(%dim, %dim_18) : tensor<?x2x?x4xf32>
    %64 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%63 : tensor<?x2x?x4xf32>) {
    ^bb0(%out: f32):
      %205 = linalg.index 0 : index
      %206 = linalg.index 1 : index
      %207 = linalg.index 2 : index
      %208 = linalg.index 3 : index
      %209 = arith.cmpi eq, %45, %c1 : index
      %210 = arith.select %209, %c0, %205 : index
      %211 = arith.cmpi eq, %46, %c1 : index
      %212 = arith.select %211, %c0, %207 : index
      %extracted = tensor.extract %48[%210, %206, %212, %208] : tensor<?x2x?x4xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x4xf32>
    %65 = arith.cmpi slt, %61, %c0_i64 : i64
    %66 = arith.select %65, %c1_i64, %61 : i64
    %67 = arith.extui %65 : i1 to i64
    %68 = arith.muli %66, %1 : i64
    %69 = arith.addi %67, %c1_i64 : i64
    %70 = arith.select %35, %66, %68 : i64
    %71 = arith.select %35, %69, %67 : i64
    %72 = arith.muli %70, %c4_i64 : i64
    %73 = arith.cmpi sle, %71, %c1_i64 : i64
    cf.assert %73, "must have at most one inferred (negative) dimension"
    %74 = arith.muli %61, %1 : i64
    %75 = arith.muli %74, %c4_i64 : i64
    %76 = arith.divsi %75, %72 : i64
    %77 = arith.select %65, %76, %61 : i64
    %78 = arith.select %35, %76, %1 : i64
    %from_elements_27 = tensor.from_elements %77, %78, %c4_i64 : tensor<3xi64>
    %reshape_28 = tensor.reshape %64(%from_elements_27) : (tensor<?x2x?x4xf32>, tensor<3xi64>) -> tensor<?x?x4xf32>
    cf.assert %62, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %49, "unimplemented: dynamic negative broadcast sizes"
    %79 = tensor.empty(%dim, %dim_18) : tensor<?x2x4x?xf32>
    %80 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%79 : tensor<?x2x4x?xf32>) {
    ^bb0(%out: f32):
      %205 = linalg.index 0 : index
      %206 = linalg.index 1 : index
      %207 = linalg.index 2 : index
      %208 = linalg.index 3 : index
      %209 = arith.cmpi eq, %45, %c1 : index
      %210 = arith.select %209, %c0, %205 : index
      %211 = arith.cmpi eq, %46, %c1 : index
      %212 = arith.select %211, %c0, %208 : index
      %extracted = tensor.extract %60[%210, %206, %207, %212] : tensor<?x2x4x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x4x?xf32>
    %81 = arith.muli %66, %c4_i64 : i64
    %82 = arith.muli %81, %1 : i64
    %83 = arith.select %35, %81, %82 : i64
    cf.assert %73, "must have at most one inferred (negative) dimension"
    %84 = arith.muli %0, %c8_i64 : i64
    %85 = arith.muli %84, %1 : i64
    %86 = arith.divsi %85, %83 : i64
    %87 = arith.select %65, %86, %61 : i64
    %88 = arith.select %35, %86, %1 : i64
    %from_elements_29 = tensor.from_elements %87, %c4_i64, %88 : tensor<3xi64>
    %reshape_30 = tensor.reshape %80(%from_elements_29) : (tensor<?x2x4x?xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
    %89 = arith.index_cast %77 : i64 to index
    %90 = arith.index_cast %78 : i64 to index
    %91 = arith.index_cast %88 : i64 to index
    %92 = arith.cmpi eq, %77, %87 : i64
    cf.assert %92, "mismatching contracting dimension"
    %93 = tensor.empty(%89, %90, %91) : tensor<?x?x?xf32>
    %94 = linalg.fill ins(%cst : f32) outs(%93 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %95 = linalg.batch_matmul ins(%reshape_28, %reshape_30 : tensor<?x?x4xf32>, tensor<?x4x?xf32>) outs(%94 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %96 = arith.muli %31, %c2_i64 : i64
    %97 = arith.muli %96, %1 : i64
    %98 = arith.select %35, %96, %97 : i64
    %99 = arith.muli %98, %1 : i64
    %100 = arith.addi %37, %c1_i64 : i64
    %101 = arith.select %35, %96, %99 : i64
    %102 = arith.select %35, %100, %32 : i64
    %103 = arith.cmpi sle, %102, %c1_i64 : i64
    cf.assert %103, "must have at most one inferred (negative) dimension"
    %104 = arith.muli %77, %78 : i64
    %105 = arith.muli %104, %88 : i64
    %106 = arith.divsi %105, %101 : i64
    %107 = arith.select %30, %106, %0 : i64
    %108 = arith.select %35, %106, %1 : i64
    %from_elements_31 = tensor.from_elements %107, %c2_i64, %108, %108 : tensor<4xi64>
    %reshape_32 = tensor.reshape %95(%from_elements_31) : (tensor<?x?x?xf32>, tensor<4xi64>) -> tensor<?x2x?x?xf32>
    %109 = arith.index_cast %107 : i64 to index
    %110 = arith.index_cast %108 : i64 to index
    %111 = arith.cmpi eq, %110, %dim_18 : index
    cf.assert %111, "mismatched size for broadcast"
    cf.assert %111, "mismatched size for broadcast"
    %112 = tensor.empty(%109, %110, %110) : tensor<?x2x?x?xf32>
    %113 = linalg.generic {indexing_maps = [#map8, #map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape_32, %58 : tensor<?x2x?x?xf32>, tensor<?x?xf32>) outs(%112 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %205 = arith.addf %in, %in_45 : f32
      linalg.yield %205 : f32
    } -> tensor<?x2x?x?xf32>
    %114 = tensor.empty(%109, %110) : tensor<?x2x?xi64>
    %115 = linalg.fill ins(%c0_i64 : i64) outs(%114 : tensor<?x2x?xi64>) -> tensor<?x2x?xi64>
    %116 = tensor.empty(%109, %110) : tensor<?x2x?xf32>
    %117 = linalg.fill ins(%cst_0 : f32) outs(%116 : tensor<?x2x?xf32>) -> tensor<?x2x?xf32>
    %118:2 = linalg.generic {indexing_maps = [#map8, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%113 : tensor<?x2x?x?xf32>) outs(%117, %115 : tensor<?x2x?xf32>, tensor<?x2x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_45: i64):
      %205 = linalg.index 3 : index
      %206 = arith.index_cast %205 : index to i64
      %207 = arith.maximumf %in, %out : f32
      %208 = arith.cmpf ogt, %in, %out : f32
      %209 = arith.select %208, %206, %out_45 : i64
      linalg.yield %207, %209 : f32, i64
    } -> (tensor<?x2x?xf32>, tensor<?x2x?xi64>)
    %expanded_33 = tensor.expand_shape %118#0 [[0], [1], [2, 3]] output_shape [%109, 2, %110, 1] : tensor<?x2x?xf32> into tensor<?x2x?x1xf32>
    %119 = linalg.generic {indexing_maps = [#map8, #map14, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%113, %expanded_33 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%112 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %205 = arith.subf %in, %in_45 : f32
      linalg.yield %205 : f32
    } -> tensor<?x2x?x?xf32>
    %120 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119 : tensor<?x2x?x?xf32>) outs(%112 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = math.exp %in : f32
      linalg.yield %205 : f32
    } -> tensor<?x2x?x?xf32>
    %121 = tensor.empty(%109, %110) : tensor<?x2x?x1xf32>
    %122 = linalg.fill ins(%cst : f32) outs(%121 : tensor<?x2x?x1xf32>) -> tensor<?x2x?x1xf32>
    %123 = linalg.generic {indexing_maps = [#map8, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%120 : tensor<?x2x?x?xf32>) outs(%122 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.addf %in, %out : f32
      linalg.yield %205 : f32
    } -> tensor<?x2x?x1xf32>
    %124 = linalg.generic {indexing_maps = [#map8, #map14, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%120, %123 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%112 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %205 = arith.divf %in, %in_45 : f32
      linalg.yield %205 : f32
    } -> tensor<?x2x?x?xf32>
    %125 = tensor.empty(%109, %110, %110) : tensor<?x2x?x?xi1>
    %126 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%113 : tensor<?x2x?x?xf32>) outs(%125 : tensor<?x2x?x?xi1>) {
    ^bb0(%in: f32, %out: i1):
      %205 = arith.extf %in : f32 to f64
      %206 = arith.cmpf oeq, %205, %cst_8 : f64
      linalg.yield %206 : i1
    } -> tensor<?x2x?x?xi1>
    %127 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%126 : tensor<?x2x?x?xi1>) outs(%125 : tensor<?x2x?x?xi1>) {
    ^bb0(%in: i1, %out: i1):
      %205 = arith.cmpi eq, %in, %false : i1
      linalg.yield %205 : i1
    } -> tensor<?x2x?x?xi1>
    %128 = tensor.empty(%109, %110) : tensor<?x2x?x1xi1>
    %129 = linalg.fill ins(%false : i1) outs(%128 : tensor<?x2x?x1xi1>) -> tensor<?x2x?x1xi1>
    %130 = linalg.generic {indexing_maps = [#map8, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%127 : tensor<?x2x?x?xi1>) outs(%129 : tensor<?x2x?x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %205 = arith.ori %in, %out : i1
      linalg.yield %205 : i1
    } -> tensor<?x2x?x1xi1>
    %131 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130 : tensor<?x2x?x1xi1>) outs(%128 : tensor<?x2x?x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %205 = arith.cmpi eq, %in, %false : i1
      linalg.yield %205 : i1
    } -> tensor<?x2x?x1xi1>
    %132 = arith.cmpi sge, %107, %c0_i64 : i64
    cf.assert %132, "negative values not allowed in new dimensions"
    %133 = arith.index_cast %107 : i64 to index
    %134 = arith.cmpi sge, %108, %c0_i64 : i64
    cf.assert %134, "negative values not allowed in new dimensions"
    %135 = arith.index_cast %108 : i64 to index
    cf.assert %134, "negative values not allowed in new dimensions"
    %136 = tensor.empty(%133, %135, %135) : tensor<?x2x?x?xf32>
    %137 = linalg.generic {indexing_maps = [#map15, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%136 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x2x?x?xf32>
    %138 = arith.cmpi eq, %109, %133 : index
    cf.assert %138, "mismatched size for broadcast"
    %139 = arith.cmpi eq, %110, %135 : index
    cf.assert %139, "mismatched size for broadcast"
    %140 = arith.cmpi eq, %135, %110 : index
    cf.assert %140, "mismatched size for broadcast"
    %141 = tensor.empty(%109, %110, %135) : tensor<?x2x?x?xf32>
    %142 = linalg.generic {indexing_maps = [#map14, #map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%131, %137, %124 : tensor<?x2x?x1xi1>, tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>) outs(%141 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: i1, %in_45: f32, %in_46: f32, %out: f32):
      %205 = arith.select %in, %in_45, %in_46 : f32
      linalg.yield %205 : f32
    } -> tensor<?x2x?x?xf32>
    cf.assert %62, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %49, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %49, "unimplemented: dynamic negative broadcast sizes"
    %143 = tensor.empty(%dim, %dim_18, %dim_18) : tensor<?x2x?x?xf32>
    %144 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%143 : tensor<?x2x?x?xf32>) {
    ^bb0(%out: f32):
      %205 = linalg.index 0 : index
      %206 = linalg.index 1 : index
      %207 = linalg.index 2 : index
      %208 = linalg.index 3 : index
      %209 = arith.cmpi eq, %109, %c1 : index
      %210 = arith.select %209, %c0, %205 : index
      %211 = arith.cmpi eq, %110, %c1 : index
      %212 = arith.select %211, %c0, %207 : index
      %213 = arith.cmpi eq, %135, %c1 : index
      %214 = arith.select %213, %c0, %208 : index
      %extracted = tensor.extract %142[%210, %206, %212, %214] : tensor<?x2x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x?xf32>
    %145 = arith.muli %70, %1 : i64
    %146 = arith.addi %71, %c1_i64 : i64
    %147 = arith.select %35, %66, %145 : i64
    %148 = arith.select %35, %146, %67 : i64
    %149 = arith.cmpi sle, %148, %c1_i64 : i64
    cf.assert %149, "must have at most one inferred (negative) dimension"
    %150 = arith.muli %74, %1 : i64
    %151 = arith.divsi %150, %147 : i64
    %152 = arith.select %65, %151, %61 : i64
    %153 = arith.select %35, %151, %1 : i64
    %from_elements_34 = tensor.from_elements %152, %153, %153 : tensor<3xi64>
    %reshape_35 = tensor.reshape %144(%from_elements_34) : (tensor<?x2x?x?xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
    cf.assert %62, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %49, "unimplemented: dynamic negative broadcast sizes"
    %154 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%63 : tensor<?x2x?x4xf32>) {
    ^bb0(%out: f32):
      %205 = linalg.index 0 : index
      %206 = linalg.index 1 : index
      %207 = linalg.index 2 : index
      %208 = linalg.index 3 : index
      %209 = arith.cmpi eq, %45, %c1 : index
      %210 = arith.select %209, %c0, %205 : index
      %211 = arith.cmpi eq, %46, %c1 : index
      %212 = arith.select %211, %c0, %207 : index
      %extracted = tensor.extract %transposed_24[%210, %206, %212, %208] : tensor<?x2x?x4xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x4xf32>
    cf.assert %73, "must have at most one inferred (negative) dimension"
    %reshape_36 = tensor.reshape %154(%from_elements_27) : (tensor<?x2x?x4xf32>, tensor<3xi64>) -> tensor<?x?x4xf32>
    %155 = arith.index_cast %152 : i64 to index
    %156 = arith.index_cast %153 : i64 to index
    %157 = arith.cmpi eq, %152, %77 : i64
    cf.assert %157, "mismatching contracting dimension"
    %158 = arith.cmpi eq, %153, %78 : i64
    cf.assert %158, "mismatching contracting dimension"
    %159 = tensor.empty(%155, %156) : tensor<?x?x4xf32>
    %160 = linalg.fill ins(%cst : f32) outs(%159 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %161 = linalg.batch_matmul ins(%reshape_35, %reshape_36 : tensor<?x?x?xf32>, tensor<?x?x4xf32>) outs(%160 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %162 = arith.muli %98, %c4_i64 : i64
    cf.assert %39, "must have at most one inferred (negative) dimension"
    %163 = arith.muli %152, %153 : i64
    %164 = arith.muli %163, %c4_i64 : i64
    %165 = arith.divsi %164, %162 : i64
    %166 = arith.select %30, %165, %0 : i64
    %167 = arith.select %35, %165, %1 : i64
    %from_elements_37 = tensor.from_elements %166, %c2_i64, %167, %c4_i64 : tensor<4xi64>
    %reshape_38 = tensor.reshape %161(%from_elements_37) : (tensor<?x?x4xf32>, tensor<4xi64>) -> tensor<?x2x?x4xf32>
    %168 = arith.index_cast %166 : i64 to index
    %169 = arith.index_cast %167 : i64 to index
    %170 = tensor.empty(%168, %169) : tensor<?x?x2x4xf32>
    %transposed_39 = linalg.transpose ins(%reshape_38 : tensor<?x2x?x4xf32>) outs(%170 : tensor<?x?x2x4xf32>) permutation = [0, 2, 1, 3] 
    cf.assert %39, "must have at most one inferred (negative) dimension"
    %171 = arith.muli %166, %167 : i64
    %172 = arith.muli %171, %c8_i64 : i64
    %173 = arith.divsi %172, %38 : i64
    %174 = arith.select %30, %173, %0 : i64
    %175 = arith.select %35, %173, %1 : i64
    %from_elements_40 = tensor.from_elements %174, %175, %c8_i64 : tensor<3xi64>
    %reshape_41 = tensor.reshape %transposed_39(%from_elements_40) : (tensor<?x?x2x4xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %176 = tensor.empty() : tensor<8x8xf32>
    %transposed_42 = linalg.transpose ins(%cst_7 : tensor<8x8xf32>) outs(%176 : tensor<8x8xf32>) permutation = [1, 0] 
    %177 = arith.index_cast %174 : i64 to index
    %178 = arith.index_cast %175 : i64 to index
    %179 = arith.cmpi sge, %174, %c0_i64 : i64
    cf.assert %179, "negative values not allowed in new dimensions"
    %180 = tensor.empty(%177) : tensor<?x8x8xf32>
    %181 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_42 : tensor<8x8xf32>) outs(%180 : tensor<?x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x8x8xf32>
    %182 = tensor.empty(%177, %178) : tensor<?x?x8xf32>
    %183 = linalg.fill ins(%cst : f32) outs(%182 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %184 = linalg.batch_matmul ins(%reshape_41, %181 : tensor<?x?x8xf32>, tensor<?x8x8xf32>) outs(%183 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %185 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%184, %cst_6 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%182 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %205 = arith.addf %in, %in_45 : f32
      linalg.yield %205 : f32
    } -> tensor<?x?x8xf32>
    %186 = arith.cmpi eq, %dim, %177 : index
    cf.assert %186, "mismatched size for broadcast"
    %187 = arith.cmpi eq, %dim_18, %178 : index
    cf.assert %187, "mismatched size for broadcast"
    %188 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %185 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %205 = arith.addf %in, %in_45 : f32
      linalg.yield %205 : f32
    } -> tensor<?x?x8xf32>
    %189 = arith.addi %1, %c-1_i64 : i64
    %190 = arith.addi %189, %1 : i64
    %191 = arith.cmpi sge, %189, %c0_i64 : i64
    %192 = arith.select %191, %189, %190 : i64
    %193 = arith.maxsi %192, %c0_i64 : i64
    %194 = arith.minsi %193, %1 : i64
    %195 = arith.index_cast %194 : i64 to index
    %extracted_slice_43 = tensor.extract_slice %188[0, %195, 0] [%dim, 1, 8] [1, 1, 1] : tensor<?x?x8xf32> to tensor<?x1x8xf32>
    %collapsed = tensor.collapse_shape %extracted_slice_43 [[0, 1], [2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
    %196 = tensor.empty() : tensor<8x5xf32>
    %transposed_44 = linalg.transpose ins(%cst_5 : tensor<5x8xf32>) outs(%196 : tensor<8x5xf32>) permutation = [1, 0] 
    %197 = tensor.empty(%dim) : tensor<?x5xf32>
    %198 = linalg.fill ins(%cst : f32) outs(%197 : tensor<?x5xf32>) -> tensor<?x5xf32>
    %199 = linalg.matmul ins(%collapsed, %transposed_44 : tensor<?x8xf32>, tensor<8x5xf32>) outs(%198 : tensor<?x5xf32>) -> tensor<?x5xf32>
    %200 = linalg.generic {indexing_maps = [#map4, #map16, #map4], iterator_types = ["parallel", "parallel"]} ins(%199, %cst_4 : tensor<?x5xf32>, tensor<5xf32>) outs(%197 : tensor<?x5xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %205 = arith.addf %in, %in_45 : f32
      linalg.yield %205 : f32
    } -> tensor<?x5xf32>
    %201 = tensor.empty(%dim) : tensor<?x8xf32>
    %202 = linalg.fill ins(%cst : f32) outs(%201 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %203 = linalg.generic {indexing_maps = [#map1, #map17], iterator_types = ["parallel", "reduction", "parallel"]} ins(%188 : tensor<?x?x8xf32>) outs(%202 : tensor<?x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.addf %in, %out : f32
      linalg.yield %205 : f32
    } -> tensor<?x8xf32>
    %204 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%203 : tensor<?x8xf32>) outs(%201 : tensor<?x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %205 = arith.sitofp %1 : i64 to f32
      %206 = arith.divf %in, %205 : f32
      linalg.yield %206 : f32
    } -> tensor<?x8xf32>
    return %200, %204 : tensor<?x5xf32>, tensor<?x8xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_5_torch.float32: "0x040000000000C0BD0000C03D0000803D0000E03D000050BE",
      torch_tensor_5_8_torch.float32: "0x040000000000A0BE000098BE000080BE000080BE0000983E000000BD0000803E000000000000003E000088BE0000A8BE0000A83E000098BE0000B03E000090BE0000983E000000BD0000403D000080BD0000A83E000000800000303E000040BD0000903E000000BD0000803E0000403D0000C03D0000B0BE0000003D000090BE000020BE000040BE0000B03E000080BE0000003E000080BE000080BC0000903E000098BE",
      torch_tensor_8_torch.float32_2: "0x04000000000070BE000088BE000098BE0000B0BE0000403E000010BE0000A03E0000803E",
      torch_tensor_8_8_torch.float32: "0x040000000000B0BE000060BE0000803E0000983E000098BE000080BC0000803E000020BE00000080000080BD000040BE0000403D0000703E0000803E0000C0BD000098BE000010BE0000A0BD0000803D0000203E0000003E0000E0BD0000A8BE0000203E0000A03D000088BE0000003D0000A0BE000060BE0000103E0000203E0000903E000070BE000080BD0000403D0000803E0000403E0000803C0000603E000080BC000090BE0000303E000090BE000000800000303E0000A0BE0000403E0000B0BE000040BD0000403E0000A83E0000203E0000C03D0000503E0000E0BD0000A03D0000E0BD000070BE0000A83E0000A8BE000050BE0000803D000080BD0000003D",
      torch_tensor_24_torch.float32: "0x040000000000803C0000A0BE000080BC000040BD000060BE0000903E000070BE0000983E000050BE000080BD0000303E000030BE000060BE000010BE0000403E000088BE000080BE0000803E0000A03D000080BD0000A03E000040BE0000403D000040BD",
      torch_tensor_24_8_torch.float32: "0x040000000000883E0000A83E0000103E0000B03E0000B0BE0000803D0000403D0000803E0000A03D0000603E0000A0BE000000BD0000003E0000703E0000A03D0000703E0000E0BD000000BD0000A83E0000703E0000803E0000A0BE000000800000A0BE0000A83E0000903E0000503E000060BE000050BE000070BE0000003E0000983E000040BD0000A8BE0000A0BD0000403D0000803C0000403E0000E03D0000C0BD000080BE00000080000030BE000090BE000050BE0000A8BE0000403D0000C0BD000050BE0000803D000000BD000070BE0000203E0000B0BE000000BD0000883E0000983E0000403E000080BD0000A03D000080BE000080BC0000A03E000020BE0000A8BE0000983E0000103E0000803E0000E0BD000010BE000080BD0000E0BD0000403D0000A0BD0000C0BD000080BE000010BE000080BE0000003D0000503E0000303E0000803D000088BE000040BD000000BD0000883E0000803D0000603E0000A03E000040BD000090BE000088BE0000903E000010BE0000803C0000003E000080BC0000A8BE000040BD0000A03D000020BE0000003D0000803D0000103E000020BE0000A03E0000983E0000603E000070BE000050BE0000003D000040BE00000080000030BE000020BE0000403D000090BE0000C03D000000BD000010BE000030BE000050BE0000903E0000803C0000A0BD000040BD000090BE0000A0BE000088BE0000A0BD000030BE0000003E0000703E000070BE0000703E0000C0BD000000BE0000B03E000060BE0000C03D0000E03D0000E03D000040BE0000983E000080BE000000BE0000B83E0000A0BD000010BE0000A8BE0000B0BE000090BE0000E0BD000070BE0000103E000000BE000040BE000060BE0000A83E0000803C0000A03D0000803D0000A03E000040BD0000C0BD000000BE000088BE0000C0BD0000003D0000C03D0000803D000000000000A03E0000803D0000E0BD000050BE0000A8BE000060BE0000103E0000B03E000040BD0000883E000000BE0000E03D0000803E000090BE000040BD000010BE0000A0BD0000983E000030BE0000883E",
      torch_tensor_8_torch.float32_1: "0x040000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_8_torch.float32: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_8_torch.float32: "0x040000000000283F0000203F0000E83E0000443F0000C83F0000083F0000B8BF0000D43F0000963F0000183F0000483F0000D03E00005CBF000050BE00002C3F0000A8BE000098BF000010BE0000903E000044BF00000000000014BF0000803F000074BF00004C3F000000BD0000A0BD000000BD000040BD00000C3F0000803F00002CBF000044BF0000CABF000030BE0000883F000000800000983F0000403F0000BC3F0000B63F0000483F000030BE0000E03D000040BE000000BE0000743F0000E0BD0000883F000046C00000C2BF000000000000E43F00009A3F0000E0BD000034BF0000443F000074BF0000E8BF0000C8BE00007C3F0000003E0000B4BF0000043F0000803D0000203F0000183F0000803C0000883E0000B2BF0000983F0000C63F0000943F000038BF000082BF0000AA3F0000E0BD000018BF0000E8BE0000E8BE0000883E0000A0BF00001CBF0000603E000098BE000060BF0000D0BE0000103F0000A43F0000D8BE0000AABF0000ECBF000040BD00004CBF00002F400000C0BD0000B83E0000283F00006C3F00009E3F0000194000000CBF0000923F0000C03E000000BF0000E03F0000BA3F00000040000050BE000038BF0000CE3F0000C03E0000D83E000080BF000070BF00007CBF0000C03E0000903E00009ABF0000AE3F000098BF0000403D0000863F0000C6BF000004BF0000003E0000C03E0000A8BF",
      torch_tensor_11_8_torch.float32: "0x040000000000A0BD0000B83E000048BF0000A03D00002C3F000090BE0000D03F0000CCBF000040BD0000A0BE0000803E000060BE0000683F0000503E0000143F0000D83E0000883E0000703F000004BF0000D4BF0000863F0000043F000030BE0000403D0000103F000010400000F03F000098BF0000803F0000E83E00001C40000010BE0000F0BE000098BE0000B0BE0000B03E0000003D000080BD0000D83E000060BF000088BE0000103E0000003E0000303F000074BF0000803D0000283F0000503F0000E8BE00000E400000C0BE000010BE0000243F000015C00000A23F000080BE0000743F0000A4BF0000D2BF0000543F000058BF000008BF0000AE3F0000B03F0000A0BD0000D8BE0000D83E000080BE0000CABF0000B23F000084BF0000923F0000A03E0000103E000020BF000080BC0000B8BE000058BF00009EBF000030BF0000043F000060BF0000103F0000B83F000050BE000047C00000D8BE0000AA3F"
    }
  }
#-}
