// sgd_dampening: written by scripts/optimizer-corpus.py with torch 2.13.0+cpu
// fused: sgd:1
// params: 5 state: 10
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (0)>
#map3 = affine_map<(d0, d1) -> ()>
#map4 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<16xf32>, %arg1: tensor<4xf32>, %arg2: tensor<1xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<16x4xf32>, %arg5: tensor<16xf32>, %arg6: tensor<4xf32>, %arg7: tensor<1xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<16x4xf32>, %arg10: tensor<32x8xf32>, %arg11: tensor<32x4xf32>) -> (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant -5.000000e-02 : f64
    %cst_1 = arith.constant 9.000000e-01 : f64
    %cst_2 = arith.constant 1.000000e-02 : f64
    %cst_3 = arith.constant 1.562500e-02 : f32
    %cst_4 = arith.constant dense<1> : tensor<i64>
    %0 = tensor.empty() : tensor<32x16xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %2 = linalg.matmul ins(%arg10, %arg3 : tensor<32x8xf32>, tensor<8x16xf32>) outs(%1 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg0 : tensor<32x16xf32>, tensor<16xf32>) outs(%0 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.addf %in, %in_7 : f32
      linalg.yield %57 : f32
    } -> tensor<32x16xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<32x16xf32>) outs(%0 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = math.tanh %in : f32
      linalg.yield %57 : f32
    } -> tensor<32x16xf32>
    %5 = tensor.empty() : tensor<32x4xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<32x4xf32>) -> tensor<32x4xf32>
    %7 = linalg.matmul ins(%4, %arg4 : tensor<32x16xf32>, tensor<16x4xf32>) outs(%6 : tensor<32x4xf32>) -> tensor<32x4xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %arg1 : tensor<32x4xf32>, tensor<4xf32>) outs(%5 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.addf %in, %in_7 : f32
      linalg.yield %57 : f32
    } -> tensor<32x4xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %arg2 : tensor<32x4xf32>, tensor<1xf32>) outs(%5 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.mulf %in, %in_7 : f32
      linalg.yield %57 : f32
    } -> tensor<32x4xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %arg11 : tensor<32x4xf32>, tensor<32x4xf32>) outs(%5 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.subf %in, %in_7 : f32
      linalg.yield %57 : f32
    } -> tensor<32x4xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<32x4xf32>) outs(%5 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.mulf %in, %cst_3 : f32
      linalg.yield %57 : f32
    } -> tensor<32x4xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%11, %arg2 : tensor<32x4xf32>, tensor<1xf32>) outs(%5 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.mulf %in, %in_7 : f32
      linalg.yield %57 : f32
    } -> tensor<32x4xf32>
    %13 = tensor.empty() : tensor<4x16xf32>
    %transposed = linalg.transpose ins(%arg4 : tensor<16x4xf32>) outs(%13 : tensor<4x16xf32>) permutation = [1, 0] 
    %14 = linalg.matmul ins(%12, %transposed : tensor<32x4xf32>, tensor<4x16xf32>) outs(%1 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %4 : tensor<32x16xf32>, tensor<32x16xf32>) outs(%0 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.mulf %in, %in_7 : f32
      linalg.yield %57 : f32
    } -> tensor<32x16xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_4, %15 : tensor<i64>, tensor<32x16xf32>) outs(%0 : tensor<32x16xf32>) {
    ^bb0(%in: i64, %in_7: f32, %out: f32):
      %57 = arith.sitofp %in : i64 to f32
      %58 = arith.subf %57, %in_7 : f32
      linalg.yield %58 : f32
    } -> tensor<32x16xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %16 : tensor<32x16xf32>, tensor<32x16xf32>) outs(%0 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.mulf %in, %in_7 : f32
      linalg.yield %57 : f32
    } -> tensor<32x16xf32>
    %18 = tensor.empty() : tensor<16xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<16xf32>) -> tensor<16xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%17 : tensor<32x16xf32>) outs(%19 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.addf %in, %out : f32
      linalg.yield %57 : f32
    } -> tensor<16xf32>
    %21 = tensor.empty() : tensor<4xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<4xf32>) -> tensor<4xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%12 : tensor<32x4xf32>) outs(%22 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.addf %in, %out : f32
      linalg.yield %57 : f32
    } -> tensor<4xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%11, %8 : tensor<32x4xf32>, tensor<32x4xf32>) outs(%5 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.mulf %in, %in_7 : f32
      linalg.yield %57 : f32
    } -> tensor<32x4xf32>
    %25 = tensor.empty() : tensor<f32>
    %26 = linalg.fill ins(%cst : f32) outs(%25 : tensor<f32>) -> tensor<f32>
    %27 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["reduction", "reduction"]} ins(%24 : tensor<32x4xf32>) outs(%26 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.addf %in, %out : f32
      linalg.yield %57 : f32
    } -> tensor<f32>
    %expanded = tensor.expand_shape %27 [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %28 = tensor.empty() : tensor<8x32xf32>
    %transposed_5 = linalg.transpose ins(%arg10 : tensor<32x8xf32>) outs(%28 : tensor<8x32xf32>) permutation = [1, 0] 
    %29 = tensor.empty() : tensor<8x16xf32>
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %31 = linalg.matmul ins(%transposed_5, %17 : tensor<8x32xf32>, tensor<32x16xf32>) outs(%30 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %32 = tensor.empty() : tensor<16x32xf32>
    %transposed_6 = linalg.transpose ins(%4 : tensor<32x16xf32>) outs(%32 : tensor<16x32xf32>) permutation = [1, 0] 
    %33 = tensor.empty() : tensor<16x4xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<16x4xf32>) -> tensor<16x4xf32>
    %35 = linalg.matmul ins(%transposed_6, %12 : tensor<16x32xf32>, tensor<32x4xf32>) outs(%34 : tensor<16x4xf32>) -> tensor<16x4xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%20, %arg0 : tensor<16xf32>, tensor<16xf32>) outs(%18 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_2 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<16xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg5 : tensor<16xf32>) outs(%18 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.truncf %cst_1 : f64 to f32
      %58 = arith.mulf %in, %57 : f32
      linalg.yield %58 : f32
    } -> tensor<16xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%37, %36 : tensor<16xf32>, tensor<16xf32>) outs(%18 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_1 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<16xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg0, %38 : tensor<16xf32>, tensor<16xf32>) outs(%18 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_0 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<16xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%23, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%21 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_2 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<4xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg6 : tensor<4xf32>) outs(%21 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.truncf %cst_1 : f64 to f32
      %58 = arith.mulf %in, %57 : f32
      linalg.yield %58 : f32
    } -> tensor<4xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%41, %40 : tensor<4xf32>, tensor<4xf32>) outs(%21 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_1 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<4xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg1, %42 : tensor<4xf32>, tensor<4xf32>) outs(%21 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_0 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<4xf32>
    %44 = tensor.empty() : tensor<1xf32>
    %45 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%expanded, %arg2 : tensor<1xf32>, tensor<1xf32>) outs(%44 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_2 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<1xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg7 : tensor<1xf32>) outs(%44 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.truncf %cst_1 : f64 to f32
      %58 = arith.mulf %in, %57 : f32
      linalg.yield %58 : f32
    } -> tensor<1xf32>
    %47 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%46, %45 : tensor<1xf32>, tensor<1xf32>) outs(%44 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_1 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<1xf32>
    %48 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%arg2, %47 : tensor<1xf32>, tensor<1xf32>) outs(%44 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_0 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<1xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%31, %arg3 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%29 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_2 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<8x16xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<8x16xf32>) outs(%29 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.truncf %cst_1 : f64 to f32
      %58 = arith.mulf %in, %57 : f32
      linalg.yield %58 : f32
    } -> tensor<8x16xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%50, %49 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%29 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_1 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<8x16xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3, %51 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%29 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_0 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<8x16xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%35, %arg4 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%33 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_2 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<16x4xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<16x4xf32>) outs(%33 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.truncf %cst_1 : f64 to f32
      %58 = arith.mulf %in, %57 : f32
      linalg.yield %58 : f32
    } -> tensor<16x4xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%54, %53 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%33 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_1 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<16x4xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4, %55 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%33 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %57 = arith.truncf %cst_0 : f64 to f32
      %58 = arith.mulf %in_7, %57 : f32
      %59 = arith.addf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<16x4xf32>
    return %39, %43, %48, %52, %56, %38, %42, %47, %51, %55 : tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>
  }
}
