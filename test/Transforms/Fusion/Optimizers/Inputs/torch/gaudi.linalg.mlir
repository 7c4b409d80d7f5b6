// gaudi: written by scripts/optimizer-corpus.py with torch 2.13.0+cpu
// fused: adamw:1
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
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %cst_1 = arith.constant 9.999000e-01 : f64
    %cst_2 = arith.constant 0.0010000000000000009 : f64
    %cst_3 = arith.constant 0.099999999999999978 : f64
    %cst_4 = arith.constant 9.000000e-01 : f64
    %cst_5 = arith.constant 1.000000e-02 : f64
    %cst_6 = arith.constant 0.99899999999999999 : f64
    %cst_7 = arith.constant 1.000000e+00 : f32
    %cst_8 = arith.constant 1.562500e-02 : f32
    %cst_9 = arith.constant dense<1> : tensor<i64>
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg15 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.addf %in, %cst_7 : f32
      linalg.yield %111 : f32
    } -> tensor<f32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%1 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_6 : f64 to f32
      %112 = math.powf %111, %in : f32
      linalg.yield %112 : f32
    } -> tensor<f32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%cst_9, %2 : tensor<i64>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i64, %in_12: f32, %out: f32):
      %111 = arith.sitofp %in : i64 to f32
      %112 = arith.subf %111, %in_12 : f32
      linalg.yield %112 : f32
    } -> tensor<f32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%3 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = math.sqrt %in : f32
      linalg.yield %111 : f32
    } -> tensor<f32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%4 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_5 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<f32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%1 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_4 : f64 to f32
      %112 = math.powf %111, %in : f32
      linalg.yield %112 : f32
    } -> tensor<f32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%cst_9, %6 : tensor<i64>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i64, %in_12: f32, %out: f32):
      %111 = arith.sitofp %in : i64 to f32
      %112 = arith.subf %111, %in_12 : f32
      linalg.yield %112 : f32
    } -> tensor<f32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%5, %7 : tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.divf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<f32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%8 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.negf %in : f32
      linalg.yield %111 : f32
    } -> tensor<f32>
    %10 = tensor.empty() : tensor<32x16xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %12 = linalg.matmul ins(%arg16, %arg3 : tensor<32x8xf32>, tensor<8x16xf32>) outs(%11 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %arg0 : tensor<32x16xf32>, tensor<16xf32>) outs(%10 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<32x16xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<32x16xf32>) outs(%10 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = math.tanh %in : f32
      linalg.yield %111 : f32
    } -> tensor<32x16xf32>
    %15 = tensor.empty() : tensor<32x4xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<32x4xf32>) -> tensor<32x4xf32>
    %17 = linalg.matmul ins(%14, %arg4 : tensor<32x16xf32>, tensor<16x4xf32>) outs(%16 : tensor<32x4xf32>) -> tensor<32x4xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%17, %arg1 : tensor<32x4xf32>, tensor<4xf32>) outs(%15 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<32x4xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%18, %arg2 : tensor<32x4xf32>, tensor<1xf32>) outs(%15 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<32x4xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%19, %arg17 : tensor<32x4xf32>, tensor<32x4xf32>) outs(%15 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.subf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<32x4xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<32x4xf32>) outs(%15 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.mulf %in, %cst_8 : f32
      linalg.yield %111 : f32
    } -> tensor<32x4xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%21, %arg2 : tensor<32x4xf32>, tensor<1xf32>) outs(%15 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<32x4xf32>
    %23 = tensor.empty() : tensor<4x16xf32>
    %transposed = linalg.transpose ins(%arg4 : tensor<16x4xf32>) outs(%23 : tensor<4x16xf32>) permutation = [1, 0] 
    %24 = linalg.matmul ins(%22, %transposed : tensor<32x4xf32>, tensor<4x16xf32>) outs(%11 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14, %14 : tensor<32x16xf32>, tensor<32x16xf32>) outs(%10 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<32x16xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_9, %25 : tensor<i64>, tensor<32x16xf32>) outs(%10 : tensor<32x16xf32>) {
    ^bb0(%in: i64, %in_12: f32, %out: f32):
      %111 = arith.sitofp %in : i64 to f32
      %112 = arith.subf %111, %in_12 : f32
      linalg.yield %112 : f32
    } -> tensor<32x16xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24, %26 : tensor<32x16xf32>, tensor<32x16xf32>) outs(%10 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<32x16xf32>
    %28 = tensor.empty() : tensor<16xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<16xf32>) -> tensor<16xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["reduction", "parallel"]} ins(%27 : tensor<32x16xf32>) outs(%29 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.addf %in, %out : f32
      linalg.yield %111 : f32
    } -> tensor<16xf32>
    %31 = tensor.empty() : tensor<4xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<4xf32>) -> tensor<4xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["reduction", "parallel"]} ins(%22 : tensor<32x4xf32>) outs(%32 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.addf %in, %out : f32
      linalg.yield %111 : f32
    } -> tensor<4xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%21, %18 : tensor<32x4xf32>, tensor<32x4xf32>) outs(%15 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<32x4xf32>
    %35 = linalg.fill ins(%cst : f32) outs(%0 : tensor<f32>) -> tensor<f32>
    %36 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["reduction", "reduction"]} ins(%34 : tensor<32x4xf32>) outs(%35 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.addf %in, %out : f32
      linalg.yield %111 : f32
    } -> tensor<f32>
    %expanded = tensor.expand_shape %36 [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %37 = tensor.empty() : tensor<8x32xf32>
    %transposed_10 = linalg.transpose ins(%arg16 : tensor<32x8xf32>) outs(%37 : tensor<8x32xf32>) permutation = [1, 0] 
    %38 = tensor.empty() : tensor<8x16xf32>
    %39 = linalg.fill ins(%cst : f32) outs(%38 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %40 = linalg.matmul ins(%transposed_10, %27 : tensor<8x32xf32>, tensor<32x16xf32>) outs(%39 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %41 = tensor.empty() : tensor<16x32xf32>
    %transposed_11 = linalg.transpose ins(%14 : tensor<32x16xf32>) outs(%41 : tensor<16x32xf32>) permutation = [1, 0] 
    %42 = tensor.empty() : tensor<16x4xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<16x4xf32>) -> tensor<16x4xf32>
    %44 = linalg.matmul ins(%transposed_11, %22 : tensor<16x32xf32>, tensor<32x4xf32>) outs(%43 : tensor<16x4xf32>) -> tensor<16x4xf32>
    %45 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg5 : tensor<16xf32>) outs(%28 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_4 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<16xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%30 : tensor<16xf32>) outs(%28 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_3 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<16xf32>
    %47 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%45, %46 : tensor<16xf32>, tensor<16xf32>) outs(%28 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<16xf32>
    %48 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg10 : tensor<16xf32>) outs(%28 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_6 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<16xf32>
    %49 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%30, %30 : tensor<16xf32>, tensor<16xf32>) outs(%28 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<16xf32>
    %50 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%49 : tensor<16xf32>) outs(%28 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_2 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<16xf32>
    %51 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%48, %50 : tensor<16xf32>, tensor<16xf32>) outs(%28 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<16xf32>
    %52 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg0 : tensor<16xf32>) outs(%28 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_1 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<16xf32>
    %53 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%51 : tensor<16xf32>) outs(%28 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = math.sqrt %in : f32
      linalg.yield %111 : f32
    } -> tensor<16xf32>
    %54 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%53 : tensor<16xf32>) outs(%28 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_0 : f64 to f32
      %112 = arith.addf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<16xf32>
    %55 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%47, %54 : tensor<16xf32>, tensor<16xf32>) outs(%28 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.divf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<16xf32>
    %56 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%55, %9 : tensor<16xf32>, tensor<f32>) outs(%28 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<16xf32>
    %57 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%52, %56 : tensor<16xf32>, tensor<16xf32>) outs(%28 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<16xf32>
    %58 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg6 : tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_4 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<4xf32>
    %59 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%33 : tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_3 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<4xf32>
    %60 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%58, %59 : tensor<4xf32>, tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<4xf32>
    %61 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg11 : tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_6 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<4xf32>
    %62 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%33, %33 : tensor<4xf32>, tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<4xf32>
    %63 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%62 : tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_2 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<4xf32>
    %64 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%61, %63 : tensor<4xf32>, tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<4xf32>
    %65 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg1 : tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_1 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<4xf32>
    %66 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%64 : tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = math.sqrt %in : f32
      linalg.yield %111 : f32
    } -> tensor<4xf32>
    %67 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%66 : tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_0 : f64 to f32
      %112 = arith.addf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<4xf32>
    %68 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%60, %67 : tensor<4xf32>, tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.divf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<4xf32>
    %69 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%68, %9 : tensor<4xf32>, tensor<f32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<4xf32>
    %70 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%65, %69 : tensor<4xf32>, tensor<4xf32>) outs(%31 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<4xf32>
    %71 = tensor.empty() : tensor<1xf32>
    %72 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg7 : tensor<1xf32>) outs(%71 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_4 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<1xf32>
    %73 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%expanded : tensor<1xf32>) outs(%71 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_3 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<1xf32>
    %74 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%72, %73 : tensor<1xf32>, tensor<1xf32>) outs(%71 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<1xf32>
    %75 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg12 : tensor<1xf32>) outs(%71 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_6 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<1xf32>
    %76 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%expanded, %expanded : tensor<1xf32>, tensor<1xf32>) outs(%71 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<1xf32>
    %77 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%76 : tensor<1xf32>) outs(%71 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_2 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<1xf32>
    %78 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%75, %77 : tensor<1xf32>, tensor<1xf32>) outs(%71 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<1xf32>
    %79 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg2 : tensor<1xf32>) outs(%71 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_1 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<1xf32>
    %80 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%78 : tensor<1xf32>) outs(%71 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = math.sqrt %in : f32
      linalg.yield %111 : f32
    } -> tensor<1xf32>
    %81 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%80 : tensor<1xf32>) outs(%71 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_0 : f64 to f32
      %112 = arith.addf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<1xf32>
    %82 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%74, %81 : tensor<1xf32>, tensor<1xf32>) outs(%71 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.divf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<1xf32>
    %83 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%82, %9 : tensor<1xf32>, tensor<f32>) outs(%71 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<1xf32>
    %84 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%79, %83 : tensor<1xf32>, tensor<1xf32>) outs(%71 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<1xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<8x16xf32>) outs(%38 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_4 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<8x16xf32>
    %86 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<8x16xf32>) outs(%38 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_3 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<8x16xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%85, %86 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%38 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<8x16xf32>
    %88 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg13 : tensor<8x16xf32>) outs(%38 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_6 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<8x16xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%40, %40 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%38 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<8x16xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%89 : tensor<8x16xf32>) outs(%38 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_2 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<8x16xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%88, %90 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%38 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<8x16xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<8x16xf32>) outs(%38 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_1 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<8x16xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%91 : tensor<8x16xf32>) outs(%38 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = math.sqrt %in : f32
      linalg.yield %111 : f32
    } -> tensor<8x16xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%93 : tensor<8x16xf32>) outs(%38 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_0 : f64 to f32
      %112 = arith.addf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<8x16xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%87, %94 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%38 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.divf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<8x16xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%95, %9 : tensor<8x16xf32>, tensor<f32>) outs(%38 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<8x16xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%92, %96 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%38 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<8x16xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<16x4xf32>) outs(%42 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_4 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<16x4xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%44 : tensor<16x4xf32>) outs(%42 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_3 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<16x4xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%98, %99 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%42 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<16x4xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg14 : tensor<16x4xf32>) outs(%42 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_6 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<16x4xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%44, %44 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%42 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<16x4xf32>
    %103 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%102 : tensor<16x4xf32>) outs(%42 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_2 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<16x4xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%101, %103 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%42 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<16x4xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<16x4xf32>) outs(%42 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_1 : f64 to f32
      %112 = arith.mulf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<16x4xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%104 : tensor<16x4xf32>) outs(%42 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = math.sqrt %in : f32
      linalg.yield %111 : f32
    } -> tensor<16x4xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%106 : tensor<16x4xf32>) outs(%42 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.truncf %cst_0 : f64 to f32
      %112 = arith.addf %in, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<16x4xf32>
    %108 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%100, %107 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%42 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.divf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<16x4xf32>
    %109 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%108, %9 : tensor<16x4xf32>, tensor<f32>) outs(%42 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.mulf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<16x4xf32>
    %110 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%105, %109 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%42 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %111 = arith.addf %in, %in_12 : f32
      linalg.yield %111 : f32
    } -> tensor<16x4xf32>
    return %57, %70, %84, %97, %110, %47, %60, %74, %87, %100, %51, %64, %78, %91, %104, %1 : tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<f32>
  }
}
