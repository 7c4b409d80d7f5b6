// adamw_clip: written by scripts/optimizer-corpus.py with torch 2.13.0+cpu
// fused: adamw:1,clip_norm:1
// params: 5 state: 16
#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (0)>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<(d0) -> (d0)>
#map6 = affine_map<(d0) -> ()>
module {
  func.func @main(%arg0: tensor<16xf32>, %arg1: tensor<4xf32>, %arg2: tensor<1xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<16x4xf32>, %arg5: tensor<16xf32>, %arg6: tensor<4xf32>, %arg7: tensor<1xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<16x4xf32>, %arg10: tensor<16xf32>, %arg11: tensor<4xf32>, %arg12: tensor<1xf32>, %arg13: tensor<8x16xf32>, %arg14: tensor<16x4xf32>, %arg15: tensor<f32>, %arg16: tensor<32x8xf32>, %arg17: tensor<32x4xf32>) -> (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<f32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant dense<-0.899999976> : tensor<f32>
    %cst_2 = arith.constant dense<1.000000e-01> : tensor<f32>
    %cst_3 = arith.constant 1.000000e-08 : f64
    %cst_4 = arith.constant 1.000000e-02 : f64
    %cst_5 = arith.constant 9.000000e-01 : f64
    %cst_6 = arith.constant 0.0010000000000000009 : f64
    %cst_7 = arith.constant 0.99899999999999999 : f64
    %cst_8 = arith.constant 9.999000e-01 : f64
    %cst_9 = arith.constant 5.000000e-01 : f64
    %cst_10 = arith.constant 9.9999999999999995E-7 : f64
    %cst_11 = arith.constant 1.562500e-02 : f32
    %cst_12 = arith.constant 2.000000e+00 : f32
    %cst_13 = arith.constant 5.000000e-01 : f32
    %cst_14 = arith.constant dense<1> : tensor<i64>
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg15 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.addf %in, %cst_0 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<32x16xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %4 = linalg.matmul ins(%arg16, %arg3 : tensor<32x8xf32>, tensor<8x16xf32>) outs(%3 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg0 : tensor<32x16xf32>, tensor<16xf32>) outs(%2 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<32x16xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<32x16xf32>) outs(%2 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.tanh %in : f32
      linalg.yield %168 : f32
    } -> tensor<32x16xf32>
    %7 = tensor.empty() : tensor<32x4xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<32x4xf32>) -> tensor<32x4xf32>
    %9 = linalg.matmul ins(%6, %arg4 : tensor<32x16xf32>, tensor<16x4xf32>) outs(%8 : tensor<32x4xf32>) -> tensor<32x4xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %arg1 : tensor<32x4xf32>, tensor<4xf32>) outs(%7 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<32x4xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%10, %arg2 : tensor<32x4xf32>, tensor<1xf32>) outs(%7 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<32x4xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %arg17 : tensor<32x4xf32>, tensor<32x4xf32>) outs(%7 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.subf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<32x4xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<32x4xf32>) outs(%7 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.mulf %in, %cst_11 : f32
      linalg.yield %168 : f32
    } -> tensor<32x4xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %arg2 : tensor<32x4xf32>, tensor<1xf32>) outs(%7 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<32x4xf32>
    %15 = tensor.empty() : tensor<4x16xf32>
    %transposed = linalg.transpose ins(%arg4 : tensor<16x4xf32>) outs(%15 : tensor<4x16xf32>) permutation = [1, 0] 
    %16 = linalg.matmul ins(%14, %transposed : tensor<32x4xf32>, tensor<4x16xf32>) outs(%3 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<32x16xf32>, tensor<32x16xf32>) outs(%2 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<32x16xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_14, %17 : tensor<i64>, tensor<32x16xf32>) outs(%2 : tensor<32x16xf32>) {
    ^bb0(%in: i64, %in_22: f32, %out: f32):
      %168 = arith.sitofp %in : i64 to f32
      %169 = arith.subf %168, %in_22 : f32
      linalg.yield %169 : f32
    } -> tensor<32x16xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %18 : tensor<32x16xf32>, tensor<32x16xf32>) outs(%2 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<32x16xf32>
    %20 = tensor.empty() : tensor<16xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<16xf32>) -> tensor<16xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["reduction", "parallel"]} ins(%19 : tensor<32x16xf32>) outs(%21 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.addf %in, %out : f32
      linalg.yield %168 : f32
    } -> tensor<16xf32>
    %23 = tensor.empty() : tensor<4xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<4xf32>) -> tensor<4xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["reduction", "parallel"]} ins(%14 : tensor<32x4xf32>) outs(%24 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.addf %in, %out : f32
      linalg.yield %168 : f32
    } -> tensor<4xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %10 : tensor<32x4xf32>, tensor<32x4xf32>) outs(%7 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<32x4xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%0 : tensor<f32>) -> tensor<f32>
    %28 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["reduction", "reduction"]} ins(%26 : tensor<32x4xf32>) outs(%27 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.addf %in, %out : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %expanded = tensor.expand_shape %28 [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %29 = tensor.empty() : tensor<8x32xf32>
    %transposed_15 = linalg.transpose ins(%arg16 : tensor<32x8xf32>) outs(%29 : tensor<8x32xf32>) permutation = [1, 0] 
    %30 = tensor.empty() : tensor<8x16xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %32 = linalg.matmul ins(%transposed_15, %19 : tensor<8x32xf32>, tensor<32x16xf32>) outs(%31 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %33 = tensor.empty() : tensor<16x32xf32>
    %transposed_16 = linalg.transpose ins(%6 : tensor<32x16xf32>) outs(%33 : tensor<16x32xf32>) permutation = [1, 0] 
    %34 = tensor.empty() : tensor<16x4xf32>
    %35 = linalg.fill ins(%cst : f32) outs(%34 : tensor<16x4xf32>) -> tensor<16x4xf32>
    %36 = linalg.matmul ins(%transposed_16, %14 : tensor<16x32xf32>, tensor<32x4xf32>) outs(%35 : tensor<16x4xf32>) -> tensor<16x4xf32>
    %37 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction"]} ins(%22 : tensor<16xf32>) outs(%27 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.absf %in : f32
      %169 = math.powf %168, %cst_12 : f32
      %170 = arith.addf %169, %out : f32
      linalg.yield %170 : f32
    } -> tensor<f32>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%37 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.powf %in, %cst_13 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %39 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction"]} ins(%25 : tensor<4xf32>) outs(%27 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.absf %in : f32
      %169 = math.powf %168, %cst_12 : f32
      %170 = arith.addf %169, %out : f32
      linalg.yield %170 : f32
    } -> tensor<f32>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%39 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.powf %in, %cst_13 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %41 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction"]} ins(%expanded : tensor<1xf32>) outs(%27 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.absf %in : f32
      %169 = math.powf %168, %cst_12 : f32
      %170 = arith.addf %169, %out : f32
      linalg.yield %170 : f32
    } -> tensor<f32>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%41 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.powf %in, %cst_13 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %43 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["reduction", "reduction"]} ins(%32 : tensor<8x16xf32>) outs(%27 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.absf %in : f32
      %169 = math.powf %168, %cst_12 : f32
      %170 = arith.addf %169, %out : f32
      linalg.yield %170 : f32
    } -> tensor<f32>
    %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%43 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.powf %in, %cst_13 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %45 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["reduction", "reduction"]} ins(%36 : tensor<16x4xf32>) outs(%27 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.absf %in : f32
      %169 = math.powf %168, %cst_12 : f32
      %170 = arith.addf %169, %out : f32
      linalg.yield %170 : f32
    } -> tensor<f32>
    %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%45 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.powf %in, %cst_13 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %expanded_17 = tensor.expand_shape %38 [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %expanded_18 = tensor.expand_shape %40 [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %expanded_19 = tensor.expand_shape %42 [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %expanded_20 = tensor.expand_shape %44 [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %expanded_21 = tensor.expand_shape %46 [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %concat = tensor.concat dim(0) %expanded_17, %expanded_18, %expanded_19, %expanded_20, %expanded_21 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<5xf32>
    %47 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction"]} ins(%concat : tensor<5xf32>) outs(%27 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.absf %in : f32
      %169 = math.powf %168, %cst_12 : f32
      %170 = arith.addf %169, %out : f32
      linalg.yield %170 : f32
    } -> tensor<f32>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%47 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.powf %in, %cst_13 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%48 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_10 : f64 to f32
      %169 = arith.addf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%49 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.cmpf one, %in, %cst : f32
      cf.assert %168, "unimplemented: tensor with zero element"
      %169 = arith.divf %cst_0, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%50 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.mulf %in, %cst_13 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%51 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.cmpf ugt, %in, %cst_0 : f32
      %169 = arith.select %168, %cst_0, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %53 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%22, %52 : tensor<16xf32>, tensor<f32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16xf32>
    %54 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%25, %52 : tensor<4xf32>, tensor<f32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<4xf32>
    %55 = tensor.empty() : tensor<1xf32>
    %56 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%expanded, %52 : tensor<1xf32>, tensor<f32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<1xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%32, %52 : tensor<8x16xf32>, tensor<f32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<8x16xf32>
    %58 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%36, %52 : tensor<16x4xf32>, tensor<f32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16x4xf32>
    %59 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg0 : tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_8 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<16xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_2 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.absf %in : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %61 = tensor.empty() : tensor<i1>
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%60 : tensor<f32>) outs(%61 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %168 = arith.extf %in : f32 to f64
      %169 = arith.cmpf oge, %168, %cst_9 : f64
      linalg.yield %169 : i1
    } -> tensor<i1>
    %63 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = []} ins(%62, %cst_1, %cst_2 : tensor<i1>, tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i1, %in_22: f32, %in_23: f32, %out: f32):
      %168 = arith.select %in, %in_22, %in_23 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %64 = linalg.generic {indexing_maps = [#map6, #map5, #map5, #map5], iterator_types = ["parallel"]} ins(%62, %53, %arg5 : tensor<i1>, tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: i1, %in_22: f32, %in_23: f32, %out: f32):
      %168 = arith.select %in, %in_22, %in_23 : f32
      linalg.yield %168 : f32
    } -> tensor<16xf32>
    %65 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%53, %arg5 : tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.subf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16xf32>
    %66 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel"]} ins(%63, %65 : tensor<f32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16xf32>
    %67 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%66, %64 : tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16xf32>
    %68 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg10 : tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_7 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<16xf32>
    %69 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%53 : tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_6 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<16xf32>
    %70 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%69, %53 : tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16xf32>
    %71 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%68, %70 : tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%1 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_5 : f64 to f32
      %169 = math.powf %168, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %73 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%cst_14, %72 : tensor<i64>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i64, %in_22: f32, %out: f32):
      %168 = arith.sitofp %in : i64 to f32
      %169 = arith.subf %168, %in_22 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%1 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_7 : f64 to f32
      %169 = math.powf %168, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %75 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%cst_14, %74 : tensor<i64>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i64, %in_22: f32, %out: f32):
      %168 = arith.sitofp %in : i64 to f32
      %169 = arith.subf %168, %in_22 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %76 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%73 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.cmpf one, %in, %cst : f32
      cf.assert %168, "unimplemented: tensor with zero element"
      %169 = arith.divf %cst_0, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%76 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_4 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %78 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%71 : tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.sqrt %in : f32
      linalg.yield %168 : f32
    } -> tensor<16xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%75 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.sqrt %in : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%77 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.negf %in : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %81 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%79, %80 : tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %82 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%78, %81 : tensor<16xf32>, tensor<f32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.divf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%80 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.cmpf one, %in, %cst : f32
      cf.assert %168, "unimplemented: tensor with zero element"
      %169 = arith.divf %cst_0, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%83 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_3 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %85 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%82, %84 : tensor<16xf32>, tensor<f32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16xf32>
    %86 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%67, %85 : tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.divf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16xf32>
    %87 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%59, %86 : tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16xf32>
    %88 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg1 : tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_8 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<4xf32>
    %89 = linalg.generic {indexing_maps = [#map6, #map5, #map5, #map5], iterator_types = ["parallel"]} ins(%62, %54, %arg6 : tensor<i1>, tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: i1, %in_22: f32, %in_23: f32, %out: f32):
      %168 = arith.select %in, %in_22, %in_23 : f32
      linalg.yield %168 : f32
    } -> tensor<4xf32>
    %90 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%54, %arg6 : tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.subf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<4xf32>
    %91 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel"]} ins(%63, %90 : tensor<f32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<4xf32>
    %92 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%91, %89 : tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<4xf32>
    %93 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg11 : tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_7 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<4xf32>
    %94 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%54 : tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_6 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<4xf32>
    %95 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%94, %54 : tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<4xf32>
    %96 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%93, %95 : tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<4xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%73 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.cmpf one, %in, %cst : f32
      cf.assert %168, "unimplemented: tensor with zero element"
      %169 = arith.divf %cst_0, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%97 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_4 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %99 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%96 : tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.sqrt %in : f32
      linalg.yield %168 : f32
    } -> tensor<4xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%98 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.negf %in : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%79, %100 : tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %102 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%99, %101 : tensor<4xf32>, tensor<f32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.divf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<4xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%100 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.cmpf one, %in, %cst : f32
      cf.assert %168, "unimplemented: tensor with zero element"
      %169 = arith.divf %cst_0, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%103 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_3 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %105 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%102, %104 : tensor<4xf32>, tensor<f32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<4xf32>
    %106 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%92, %105 : tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.divf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<4xf32>
    %107 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%88, %106 : tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<4xf32>
    %108 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg2 : tensor<1xf32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_8 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<1xf32>
    %109 = linalg.generic {indexing_maps = [#map6, #map5, #map5, #map5], iterator_types = ["parallel"]} ins(%62, %56, %arg7 : tensor<i1>, tensor<1xf32>, tensor<1xf32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: i1, %in_22: f32, %in_23: f32, %out: f32):
      %168 = arith.select %in, %in_22, %in_23 : f32
      linalg.yield %168 : f32
    } -> tensor<1xf32>
    %110 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%56, %arg7 : tensor<1xf32>, tensor<1xf32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.subf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<1xf32>
    %111 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel"]} ins(%63, %110 : tensor<f32>, tensor<1xf32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<1xf32>
    %112 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%111, %109 : tensor<1xf32>, tensor<1xf32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<1xf32>
    %113 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg12 : tensor<1xf32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_7 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<1xf32>
    %114 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%56 : tensor<1xf32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_6 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<1xf32>
    %115 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%114, %56 : tensor<1xf32>, tensor<1xf32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<1xf32>
    %116 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%113, %115 : tensor<1xf32>, tensor<1xf32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<1xf32>
    %117 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%73 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.cmpf one, %in, %cst : f32
      cf.assert %168, "unimplemented: tensor with zero element"
      %169 = arith.divf %cst_0, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %118 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%117 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_4 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %119 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%116 : tensor<1xf32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.sqrt %in : f32
      linalg.yield %168 : f32
    } -> tensor<1xf32>
    %120 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%118 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.negf %in : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %121 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%79, %120 : tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %122 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%119, %121 : tensor<1xf32>, tensor<f32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.divf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<1xf32>
    %123 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%120 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.cmpf one, %in, %cst : f32
      cf.assert %168, "unimplemented: tensor with zero element"
      %169 = arith.divf %cst_0, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %124 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%123 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_3 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %125 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%122, %124 : tensor<1xf32>, tensor<f32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<1xf32>
    %126 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%112, %125 : tensor<1xf32>, tensor<1xf32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.divf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<1xf32>
    %127 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%108, %126 : tensor<1xf32>, tensor<1xf32>) outs(%55 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<1xf32>
    %128 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_8 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<8x16xf32>
    %129 = linalg.generic {indexing_maps = [#map4, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%62, %57, %arg8 : tensor<i1>, tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: i1, %in_22: f32, %in_23: f32, %out: f32):
      %168 = arith.select %in, %in_22, %in_23 : f32
      linalg.yield %168 : f32
    } -> tensor<8x16xf32>
    %130 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%57, %arg8 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.subf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<8x16xf32>
    %131 = linalg.generic {indexing_maps = [#map4, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%63, %130 : tensor<f32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<8x16xf32>
    %132 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%131, %129 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<8x16xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg13 : tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_7 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<8x16xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%57 : tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_6 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<8x16xf32>
    %135 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%134, %57 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<8x16xf32>
    %136 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%133, %135 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<8x16xf32>
    %137 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%73 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.cmpf one, %in, %cst : f32
      cf.assert %168, "unimplemented: tensor with zero element"
      %169 = arith.divf %cst_0, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %138 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%137 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_4 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %139 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%136 : tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.sqrt %in : f32
      linalg.yield %168 : f32
    } -> tensor<8x16xf32>
    %140 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%138 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.negf %in : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %141 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%79, %140 : tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %142 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%139, %141 : tensor<8x16xf32>, tensor<f32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.divf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<8x16xf32>
    %143 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%140 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.cmpf one, %in, %cst : f32
      cf.assert %168, "unimplemented: tensor with zero element"
      %169 = arith.divf %cst_0, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %144 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%143 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_3 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %145 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%142, %144 : tensor<8x16xf32>, tensor<f32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<8x16xf32>
    %146 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%132, %145 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.divf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<8x16xf32>
    %147 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%128, %146 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<8x16xf32>
    %148 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_8 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<16x4xf32>
    %149 = linalg.generic {indexing_maps = [#map4, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%62, %58, %arg9 : tensor<i1>, tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: i1, %in_22: f32, %in_23: f32, %out: f32):
      %168 = arith.select %in, %in_22, %in_23 : f32
      linalg.yield %168 : f32
    } -> tensor<16x4xf32>
    %150 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%58, %arg9 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.subf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16x4xf32>
    %151 = linalg.generic {indexing_maps = [#map4, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%63, %150 : tensor<f32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16x4xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%151, %149 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16x4xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg14 : tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_7 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<16x4xf32>
    %154 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%58 : tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_6 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<16x4xf32>
    %155 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%154, %58 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16x4xf32>
    %156 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%153, %155 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16x4xf32>
    %157 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%73 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.cmpf one, %in, %cst : f32
      cf.assert %168, "unimplemented: tensor with zero element"
      %169 = arith.divf %cst_0, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %158 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%157 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_4 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %159 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%156 : tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = math.sqrt %in : f32
      linalg.yield %168 : f32
    } -> tensor<16x4xf32>
    %160 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%158 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.negf %in : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %161 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%79, %160 : tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.mulf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<f32>
    %162 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%159, %161 : tensor<16x4xf32>, tensor<f32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.divf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16x4xf32>
    %163 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%160 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.cmpf one, %in, %cst : f32
      cf.assert %168, "unimplemented: tensor with zero element"
      %169 = arith.divf %cst_0, %in : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %164 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%163 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %168 = arith.truncf %cst_3 : f64 to f32
      %169 = arith.mulf %in, %168 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %165 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%162, %164 : tensor<16x4xf32>, tensor<f32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16x4xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%152, %165 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.divf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16x4xf32>
    %167 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%148, %166 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_22: f32, %out: f32):
      %168 = arith.addf %in, %in_22 : f32
      linalg.yield %168 : f32
    } -> tensor<16x4xf32>
    return %87, %107, %127, %147, %167, %67, %92, %112, %132, %152, %71, %96, %116, %136, %156, %1 : tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<f32>
  }
}
