// adamw: written by scripts/optimizer-corpus.py with torch 2.13.0+cpu
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
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant dense<-0.899999976> : tensor<f32>
    %cst_2 = arith.constant dense<1.000000e-01> : tensor<f32>
    %cst_3 = arith.constant 1.000000e-08 : f64
    %cst_4 = arith.constant 1.000000e-02 : f64
    %cst_5 = arith.constant 9.000000e-01 : f64
    %cst_6 = arith.constant 0.0010000000000000009 : f64
    %cst_7 = arith.constant 0.99899999999999999 : f64
    %cst_8 = arith.constant 5.000000e-01 : f64
    %cst_9 = arith.constant 9.999000e-01 : f64
    %cst_10 = arith.constant 1.562500e-02 : f32
    %cst_11 = arith.constant dense<1> : tensor<i64>
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg15 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.addf %in, %cst_0 : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<32x16xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %4 = linalg.matmul ins(%arg16, %arg3 : tensor<32x8xf32>, tensor<8x16xf32>) outs(%3 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %arg0 : tensor<32x16xf32>, tensor<16xf32>) outs(%2 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<32x16xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<32x16xf32>) outs(%2 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = math.tanh %in : f32
      linalg.yield %147 : f32
    } -> tensor<32x16xf32>
    %7 = tensor.empty() : tensor<32x4xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<32x4xf32>) -> tensor<32x4xf32>
    %9 = linalg.matmul ins(%6, %arg4 : tensor<32x16xf32>, tensor<16x4xf32>) outs(%8 : tensor<32x4xf32>) -> tensor<32x4xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %arg1 : tensor<32x4xf32>, tensor<4xf32>) outs(%7 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<32x4xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%10, %arg2 : tensor<32x4xf32>, tensor<1xf32>) outs(%7 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<32x4xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %arg17 : tensor<32x4xf32>, tensor<32x4xf32>) outs(%7 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.subf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<32x4xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<32x4xf32>) outs(%7 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.mulf %in, %cst_10 : f32
      linalg.yield %147 : f32
    } -> tensor<32x4xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %arg2 : tensor<32x4xf32>, tensor<1xf32>) outs(%7 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<32x4xf32>
    %15 = tensor.empty() : tensor<4x16xf32>
    %transposed = linalg.transpose ins(%arg4 : tensor<16x4xf32>) outs(%15 : tensor<4x16xf32>) permutation = [1, 0] 
    %16 = linalg.matmul ins(%14, %transposed : tensor<32x4xf32>, tensor<4x16xf32>) outs(%3 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<32x16xf32>, tensor<32x16xf32>) outs(%2 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<32x16xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_11, %17 : tensor<i64>, tensor<32x16xf32>) outs(%2 : tensor<32x16xf32>) {
    ^bb0(%in: i64, %in_14: f32, %out: f32):
      %147 = arith.sitofp %in : i64 to f32
      %148 = arith.subf %147, %in_14 : f32
      linalg.yield %148 : f32
    } -> tensor<32x16xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %18 : tensor<32x16xf32>, tensor<32x16xf32>) outs(%2 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<32x16xf32>
    %20 = tensor.empty() : tensor<16xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<16xf32>) -> tensor<16xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["reduction", "parallel"]} ins(%19 : tensor<32x16xf32>) outs(%21 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.addf %in, %out : f32
      linalg.yield %147 : f32
    } -> tensor<16xf32>
    %23 = tensor.empty() : tensor<4xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<4xf32>) -> tensor<4xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["reduction", "parallel"]} ins(%14 : tensor<32x4xf32>) outs(%24 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.addf %in, %out : f32
      linalg.yield %147 : f32
    } -> tensor<4xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %10 : tensor<32x4xf32>, tensor<32x4xf32>) outs(%7 : tensor<32x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<32x4xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%0 : tensor<f32>) -> tensor<f32>
    %28 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["reduction", "reduction"]} ins(%26 : tensor<32x4xf32>) outs(%27 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.addf %in, %out : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %expanded = tensor.expand_shape %28 [] output_shape [1] : tensor<f32> into tensor<1xf32>
    %29 = tensor.empty() : tensor<8x32xf32>
    %transposed_12 = linalg.transpose ins(%arg16 : tensor<32x8xf32>) outs(%29 : tensor<8x32xf32>) permutation = [1, 0] 
    %30 = tensor.empty() : tensor<8x16xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %32 = linalg.matmul ins(%transposed_12, %19 : tensor<8x32xf32>, tensor<32x16xf32>) outs(%31 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %33 = tensor.empty() : tensor<16x32xf32>
    %transposed_13 = linalg.transpose ins(%6 : tensor<32x16xf32>) outs(%33 : tensor<16x32xf32>) permutation = [1, 0] 
    %34 = tensor.empty() : tensor<16x4xf32>
    %35 = linalg.fill ins(%cst : f32) outs(%34 : tensor<16x4xf32>) -> tensor<16x4xf32>
    %36 = linalg.matmul ins(%transposed_13, %14 : tensor<16x32xf32>, tensor<32x4xf32>) outs(%35 : tensor<16x4xf32>) -> tensor<16x4xf32>
    %37 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg0 : tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_9 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<16xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_2 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = math.absf %in : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %39 = tensor.empty() : tensor<i1>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%38 : tensor<f32>) outs(%39 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %147 = arith.extf %in : f32 to f64
      %148 = arith.cmpf oge, %147, %cst_8 : f64
      linalg.yield %148 : i1
    } -> tensor<i1>
    %41 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = []} ins(%40, %cst_1, %cst_2 : tensor<i1>, tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i1, %in_14: f32, %in_15: f32, %out: f32):
      %147 = arith.select %in, %in_14, %in_15 : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %42 = linalg.generic {indexing_maps = [#map6, #map5, #map5, #map5], iterator_types = ["parallel"]} ins(%40, %22, %arg5 : tensor<i1>, tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: i1, %in_14: f32, %in_15: f32, %out: f32):
      %147 = arith.select %in, %in_14, %in_15 : f32
      linalg.yield %147 : f32
    } -> tensor<16xf32>
    %43 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%22, %arg5 : tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.subf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16xf32>
    %44 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel"]} ins(%41, %43 : tensor<f32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16xf32>
    %45 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%44, %42 : tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg10 : tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_7 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<16xf32>
    %47 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%22 : tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_6 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<16xf32>
    %48 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%47, %22 : tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16xf32>
    %49 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%46, %48 : tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%1 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_5 : f64 to f32
      %148 = math.powf %147, %in : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%cst_11, %50 : tensor<i64>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i64, %in_14: f32, %out: f32):
      %147 = arith.sitofp %in : i64 to f32
      %148 = arith.subf %147, %in_14 : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%1 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_7 : f64 to f32
      %148 = math.powf %147, %in : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%cst_11, %52 : tensor<i64>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i64, %in_14: f32, %out: f32):
      %147 = arith.sitofp %in : i64 to f32
      %148 = arith.subf %147, %in_14 : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%51 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.cmpf one, %in, %cst : f32
      cf.assert %147, "unimplemented: tensor with zero element"
      %148 = arith.divf %cst_0, %in : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%54 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_4 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %56 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%49 : tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = math.sqrt %in : f32
      linalg.yield %147 : f32
    } -> tensor<16xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%53 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = math.sqrt %in : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%55 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.negf %in : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %59 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%57, %58 : tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %60 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%56, %59 : tensor<16xf32>, tensor<f32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.divf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%58 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.cmpf one, %in, %cst : f32
      cf.assert %147, "unimplemented: tensor with zero element"
      %148 = arith.divf %cst_0, %in : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%61 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_3 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %63 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%60, %62 : tensor<16xf32>, tensor<f32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16xf32>
    %64 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%45, %63 : tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.divf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16xf32>
    %65 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%37, %64 : tensor<16xf32>, tensor<16xf32>) outs(%20 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16xf32>
    %66 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg1 : tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_9 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<4xf32>
    %67 = linalg.generic {indexing_maps = [#map6, #map5, #map5, #map5], iterator_types = ["parallel"]} ins(%40, %25, %arg6 : tensor<i1>, tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: i1, %in_14: f32, %in_15: f32, %out: f32):
      %147 = arith.select %in, %in_14, %in_15 : f32
      linalg.yield %147 : f32
    } -> tensor<4xf32>
    %68 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%25, %arg6 : tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.subf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<4xf32>
    %69 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel"]} ins(%41, %68 : tensor<f32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<4xf32>
    %70 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%69, %67 : tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<4xf32>
    %71 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg11 : tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_7 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<4xf32>
    %72 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%25 : tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_6 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<4xf32>
    %73 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%72, %25 : tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<4xf32>
    %74 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%71, %73 : tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<4xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%51 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.cmpf one, %in, %cst : f32
      cf.assert %147, "unimplemented: tensor with zero element"
      %148 = arith.divf %cst_0, %in : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %76 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%75 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_4 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %77 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%74 : tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = math.sqrt %in : f32
      linalg.yield %147 : f32
    } -> tensor<4xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%76 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.negf %in : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%57, %78 : tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %80 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%77, %79 : tensor<4xf32>, tensor<f32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.divf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<4xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%78 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.cmpf one, %in, %cst : f32
      cf.assert %147, "unimplemented: tensor with zero element"
      %148 = arith.divf %cst_0, %in : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %82 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%81 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_3 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %83 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%80, %82 : tensor<4xf32>, tensor<f32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<4xf32>
    %84 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%70, %83 : tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.divf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<4xf32>
    %85 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%66, %84 : tensor<4xf32>, tensor<4xf32>) outs(%23 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<4xf32>
    %86 = tensor.empty() : tensor<1xf32>
    %87 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg2 : tensor<1xf32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_9 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<1xf32>
    %88 = linalg.generic {indexing_maps = [#map6, #map5, #map5, #map5], iterator_types = ["parallel"]} ins(%40, %expanded, %arg7 : tensor<i1>, tensor<1xf32>, tensor<1xf32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: i1, %in_14: f32, %in_15: f32, %out: f32):
      %147 = arith.select %in, %in_14, %in_15 : f32
      linalg.yield %147 : f32
    } -> tensor<1xf32>
    %89 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%expanded, %arg7 : tensor<1xf32>, tensor<1xf32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.subf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<1xf32>
    %90 = linalg.generic {indexing_maps = [#map6, #map5, #map5], iterator_types = ["parallel"]} ins(%41, %89 : tensor<f32>, tensor<1xf32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<1xf32>
    %91 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%90, %88 : tensor<1xf32>, tensor<1xf32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<1xf32>
    %92 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%arg12 : tensor<1xf32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_7 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<1xf32>
    %93 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%expanded : tensor<1xf32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_6 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<1xf32>
    %94 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%93, %expanded : tensor<1xf32>, tensor<1xf32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<1xf32>
    %95 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%92, %94 : tensor<1xf32>, tensor<1xf32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<1xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%51 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.cmpf one, %in, %cst : f32
      cf.assert %147, "unimplemented: tensor with zero element"
      %148 = arith.divf %cst_0, %in : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%96 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_4 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %98 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel"]} ins(%95 : tensor<1xf32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = math.sqrt %in : f32
      linalg.yield %147 : f32
    } -> tensor<1xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%97 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.negf %in : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %100 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%57, %99 : tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %101 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%98, %100 : tensor<1xf32>, tensor<f32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.divf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<1xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%99 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.cmpf one, %in, %cst : f32
      cf.assert %147, "unimplemented: tensor with zero element"
      %148 = arith.divf %cst_0, %in : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%102 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_3 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %104 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel"]} ins(%101, %103 : tensor<1xf32>, tensor<f32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<1xf32>
    %105 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%91, %104 : tensor<1xf32>, tensor<1xf32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.divf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<1xf32>
    %106 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%87, %105 : tensor<1xf32>, tensor<1xf32>) outs(%86 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<1xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_9 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<8x16xf32>
    %108 = linalg.generic {indexing_maps = [#map4, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%40, %32, %arg8 : tensor<i1>, tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: i1, %in_14: f32, %in_15: f32, %out: f32):
      %147 = arith.select %in, %in_14, %in_15 : f32
      linalg.yield %147 : f32
    } -> tensor<8x16xf32>
    %109 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%32, %arg8 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.subf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<8x16xf32>
    %110 = linalg.generic {indexing_maps = [#map4, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%41, %109 : tensor<f32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<8x16xf32>
    %111 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%110, %108 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<8x16xf32>
    %112 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg13 : tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_7 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<8x16xf32>
    %113 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_6 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<8x16xf32>
    %114 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%113, %32 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<8x16xf32>
    %115 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%112, %114 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<8x16xf32>
    %116 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%51 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.cmpf one, %in, %cst : f32
      cf.assert %147, "unimplemented: tensor with zero element"
      %148 = arith.divf %cst_0, %in : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %117 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%116 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_4 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%115 : tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = math.sqrt %in : f32
      linalg.yield %147 : f32
    } -> tensor<8x16xf32>
    %119 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%117 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.negf %in : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %120 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%57, %119 : tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %121 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%118, %120 : tensor<8x16xf32>, tensor<f32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.divf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<8x16xf32>
    %122 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%119 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.cmpf one, %in, %cst : f32
      cf.assert %147, "unimplemented: tensor with zero element"
      %148 = arith.divf %cst_0, %in : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %123 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%122 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_3 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %124 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%121, %123 : tensor<8x16xf32>, tensor<f32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<8x16xf32>
    %125 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%111, %124 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.divf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<8x16xf32>
    %126 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%107, %125 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%30 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<8x16xf32>
    %127 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_9 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<16x4xf32>
    %128 = linalg.generic {indexing_maps = [#map4, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%40, %36, %arg9 : tensor<i1>, tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: i1, %in_14: f32, %in_15: f32, %out: f32):
      %147 = arith.select %in, %in_14, %in_15 : f32
      linalg.yield %147 : f32
    } -> tensor<16x4xf32>
    %129 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%36, %arg9 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.subf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16x4xf32>
    %130 = linalg.generic {indexing_maps = [#map4, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%41, %129 : tensor<f32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16x4xf32>
    %131 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%130, %128 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16x4xf32>
    %132 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg14 : tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_7 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<16x4xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_6 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<16x4xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%133, %36 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16x4xf32>
    %135 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%132, %134 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16x4xf32>
    %136 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%51 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.cmpf one, %in, %cst : f32
      cf.assert %147, "unimplemented: tensor with zero element"
      %148 = arith.divf %cst_0, %in : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %137 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%136 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_4 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %138 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%135 : tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = math.sqrt %in : f32
      linalg.yield %147 : f32
    } -> tensor<16x4xf32>
    %139 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%137 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.negf %in : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %140 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%57, %139 : tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.mulf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<f32>
    %141 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%138, %140 : tensor<16x4xf32>, tensor<f32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.divf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16x4xf32>
    %142 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%139 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.cmpf one, %in, %cst : f32
      cf.assert %147, "unimplemented: tensor with zero element"
      %148 = arith.divf %cst_0, %in : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %143 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%142 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %147 = arith.truncf %cst_3 : f64 to f32
      %148 = arith.mulf %in, %147 : f32
      linalg.yield %148 : f32
    } -> tensor<f32>
    %144 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%141, %143 : tensor<16x4xf32>, tensor<f32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16x4xf32>
    %145 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%131, %144 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.divf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16x4xf32>
    %146 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%127, %145 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%34 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %147 = arith.addf %in, %in_14 : f32
      linalg.yield %147 : f32
    } -> tensor<16x4xf32>
    return %65, %85, %106, %126, %146, %45, %70, %91, %111, %131, %49, %74, %95, %115, %135, %1 : tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<f32>
  }
}
