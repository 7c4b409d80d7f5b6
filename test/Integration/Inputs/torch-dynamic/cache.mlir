#map = affine_map<()[s0, s1] -> (s0 + s1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<?x2x?x8xf32>, %arg1: tensor<?x2x?x8xf32>) -> (tensor<?x2x?x8xf32>, tensor<?x2x?x8xf32>) {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8_i64 = arith.constant 8 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %c16_i64 = arith.constant 16 : i64
    %dim = tensor.dim %arg0, %c0 : tensor<?x2x?x8xf32>
    %0 = arith.index_cast %dim : index to i64
    %dim_1 = tensor.dim %arg0, %c2 : tensor<?x2x?x8xf32>
    %1 = arith.index_cast %dim_1 : index to i64
    %dim_2 = tensor.dim %arg1, %c2 : tensor<?x2x?x8xf32>
    %2 = arith.index_cast %dim_2 : index to i64
    %concat = tensor.concat dim(2) %arg0, %arg1 : (tensor<?x2x?x8xf32>, tensor<?x2x?x8xf32>) -> tensor<?x2x?x8xf32>
    %3 = arith.addi %2, %1 : i64
    %4 = affine.apply #map()[%dim_1, %dim_2]
    %5 = tensor.empty(%dim, %4) : tensor<?x2x8x?xf32>
    %transposed = linalg.transpose ins(%concat : tensor<?x2x?x8xf32>) outs(%5 : tensor<?x2x8x?xf32>) permutation = [0, 1, 3, 2] 
    %6 = arith.muli %0, %c2_i64 : i64
    %7 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %7, "unimplemented: dynamic negative broadcast sizes"
    %8 = arith.cmpi sge, %2, %c0_i64 : i64
    cf.assert %8, "unimplemented: dynamic negative broadcast sizes"
    %9 = tensor.empty(%dim, %dim_2) : tensor<?x2x?x8xf32>
    %10 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%9 : tensor<?x2x?x8xf32>) {
    ^bb0(%out: f32):
      %118 = linalg.index 0 : index
      %119 = linalg.index 1 : index
      %120 = linalg.index 2 : index
      %121 = linalg.index 3 : index
      %dim_13 = tensor.dim %arg1, %c0 : tensor<?x2x?x8xf32>
      %122 = arith.cmpi eq, %dim_13, %c1 : index
      %123 = arith.select %122, %c0, %118 : index
      %124 = arith.cmpi eq, %dim_2, %c1 : index
      %125 = arith.select %124, %c0, %120 : index
      %extracted = tensor.extract %arg1[%123, %119, %125, %121] : tensor<?x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x8xf32>
    %11 = arith.cmpi slt, %6, %c0_i64 : i64
    %12 = arith.select %11, %c1_i64, %6 : i64
    %13 = arith.extui %11 : i1 to i64
    %14 = arith.muli %12, %2 : i64
    %15 = arith.addi %13, %c1_i64 : i64
    %16 = arith.cmpi slt, %2, %c0_i64 : i64
    %17 = arith.select %16, %12, %14 : i64
    %18 = arith.select %16, %15, %13 : i64
    %19 = arith.muli %17, %c8_i64 : i64
    %20 = arith.cmpi sle, %18, %c1_i64 : i64
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %21 = arith.muli %6, %2 : i64
    %22 = arith.muli %21, %c8_i64 : i64
    %23 = arith.divsi %22, %19 : i64
    %24 = arith.select %11, %23, %6 : i64
    %25 = arith.select %16, %23, %2 : i64
    %from_elements = tensor.from_elements %24, %25, %c8_i64 : tensor<3xi64>
    %reshape = tensor.reshape %10(%from_elements) : (tensor<?x2x?x8xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    cf.assert %7, "unimplemented: dynamic negative broadcast sizes"
    %26 = arith.index_cast %3 : i64 to index
    %27 = arith.cmpi sge, %3, %c0_i64 : i64
    cf.assert %27, "unimplemented: dynamic negative broadcast sizes"
    %28 = tensor.empty(%dim, %26) : tensor<?x2x8x?xf32>
    %29 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%28 : tensor<?x2x8x?xf32>) {
    ^bb0(%out: f32):
      %118 = linalg.index 0 : index
      %119 = linalg.index 1 : index
      %120 = linalg.index 2 : index
      %121 = linalg.index 3 : index
      %122 = arith.cmpi eq, %dim, %c1 : index
      %123 = arith.select %122, %c0, %118 : index
      %124 = arith.cmpi eq, %4, %c1 : index
      %125 = arith.select %124, %c0, %121 : index
      %extracted = tensor.extract %transposed[%123, %119, %120, %125] : tensor<?x2x8x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x8x?xf32>
    %30 = arith.muli %12, %c8_i64 : i64
    %31 = arith.muli %30, %3 : i64
    %32 = arith.cmpi slt, %3, %c0_i64 : i64
    %33 = arith.select %32, %30, %31 : i64
    %34 = arith.select %32, %15, %13 : i64
    %35 = arith.cmpi sle, %34, %c1_i64 : i64
    cf.assert %35, "must have at most one inferred (negative) dimension"
    %36 = arith.muli %0, %c16_i64 : i64
    %37 = arith.muli %36, %3 : i64
    %38 = arith.divsi %37, %33 : i64
    %39 = arith.select %11, %38, %6 : i64
    %40 = arith.select %32, %38, %3 : i64
    %from_elements_3 = tensor.from_elements %39, %c8_i64, %40 : tensor<3xi64>
    %reshape_4 = tensor.reshape %29(%from_elements_3) : (tensor<?x2x8x?xf32>, tensor<3xi64>) -> tensor<?x8x?xf32>
    %41 = arith.index_cast %24 : i64 to index
    %42 = arith.index_cast %25 : i64 to index
    %43 = arith.index_cast %40 : i64 to index
    %44 = arith.cmpi eq, %24, %39 : i64
    cf.assert %44, "mismatching contracting dimension"
    %45 = tensor.empty(%41, %42, %43) : tensor<?x?x?xf32>
    %46 = linalg.fill ins(%cst : f32) outs(%45 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %47 = linalg.batch_matmul ins(%reshape, %reshape_4 : tensor<?x?x8xf32>, tensor<?x8x?xf32>) outs(%46 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %48 = arith.cmpi slt, %0, %c0_i64 : i64
    %49 = arith.select %48, %c1_i64, %0 : i64
    %50 = arith.extui %48 : i1 to i64
    %51 = arith.muli %49, %c2_i64 : i64
    %52 = arith.muli %51, %2 : i64
    %53 = arith.addi %50, %c1_i64 : i64
    %54 = arith.select %16, %51, %52 : i64
    %55 = arith.select %16, %53, %50 : i64
    %56 = arith.muli %54, %3 : i64
    %57 = arith.addi %55, %c1_i64 : i64
    %58 = arith.select %32, %54, %56 : i64
    %59 = arith.select %32, %57, %55 : i64
    %60 = arith.cmpi sle, %59, %c1_i64 : i64
    cf.assert %60, "must have at most one inferred (negative) dimension"
    %61 = arith.muli %24, %25 : i64
    %62 = arith.muli %61, %40 : i64
    %63 = arith.divsi %62, %58 : i64
    %64 = arith.select %48, %63, %0 : i64
    %65 = arith.select %16, %63, %2 : i64
    %66 = arith.select %32, %63, %3 : i64
    %from_elements_5 = tensor.from_elements %64, %c2_i64, %65, %66 : tensor<4xi64>
    %reshape_6 = tensor.reshape %47(%from_elements_5) : (tensor<?x?x?xf32>, tensor<4xi64>) -> tensor<?x2x?x?xf32>
    %67 = arith.index_cast %64 : i64 to index
    %68 = arith.index_cast %65 : i64 to index
    %69 = tensor.empty(%67, %68) : tensor<?x2x?xi64>
    %70 = linalg.fill ins(%c0_i64 : i64) outs(%69 : tensor<?x2x?xi64>) -> tensor<?x2x?xi64>
    %71 = tensor.empty(%67, %68) : tensor<?x2x?xf32>
    %72 = linalg.fill ins(%cst_0 : f32) outs(%71 : tensor<?x2x?xf32>) -> tensor<?x2x?xf32>
    %73:2 = linalg.generic {indexing_maps = [#map1, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%reshape_6 : tensor<?x2x?x?xf32>) outs(%72, %70 : tensor<?x2x?xf32>, tensor<?x2x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_13: i64):
      %118 = linalg.index 3 : index
      %119 = arith.index_cast %118 : index to i64
      %120 = arith.maximumf %in, %out : f32
      %121 = arith.cmpf ogt, %in, %out : f32
      %122 = arith.select %121, %119, %out_13 : i64
      linalg.yield %120, %122 : f32, i64
    } -> (tensor<?x2x?xf32>, tensor<?x2x?xi64>)
    %expanded = tensor.expand_shape %73#0 [[0], [1], [2, 3]] output_shape [%67, 2, %68, 1] : tensor<?x2x?xf32> into tensor<?x2x?x1xf32>
    %74 = arith.index_cast %66 : i64 to index
    %75 = tensor.empty(%67, %68, %74) : tensor<?x2x?x?xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape_6, %expanded : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%75 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %118 = arith.subf %in, %in_13 : f32
      linalg.yield %118 : f32
    } -> tensor<?x2x?x?xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76 : tensor<?x2x?x?xf32>) outs(%75 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = math.exp %in : f32
      linalg.yield %118 : f32
    } -> tensor<?x2x?x?xf32>
    %78 = tensor.empty(%67, %68) : tensor<?x2x?x1xf32>
    %79 = linalg.fill ins(%cst : f32) outs(%78 : tensor<?x2x?x1xf32>) -> tensor<?x2x?x1xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%77 : tensor<?x2x?x?xf32>) outs(%79 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %118 = arith.addf %in, %out : f32
      linalg.yield %118 : f32
    } -> tensor<?x2x?x1xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77, %80 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%75 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %118 = arith.divf %in, %in_13 : f32
      linalg.yield %118 : f32
    } -> tensor<?x2x?x?xf32>
    cf.assert %7, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %8, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %27, "unimplemented: dynamic negative broadcast sizes"
    %82 = tensor.empty(%dim, %dim_2, %26) : tensor<?x2x?x?xf32>
    %83 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%82 : tensor<?x2x?x?xf32>) {
    ^bb0(%out: f32):
      %118 = linalg.index 0 : index
      %119 = linalg.index 1 : index
      %120 = linalg.index 2 : index
      %121 = linalg.index 3 : index
      %122 = arith.cmpi eq, %67, %c1 : index
      %123 = arith.select %122, %c0, %118 : index
      %124 = arith.cmpi eq, %68, %c1 : index
      %125 = arith.select %124, %c0, %120 : index
      %126 = arith.cmpi eq, %74, %c1 : index
      %127 = arith.select %126, %c0, %121 : index
      %extracted = tensor.extract %81[%123, %119, %125, %127] : tensor<?x2x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x?xf32>
    %84 = arith.muli %17, %3 : i64
    %85 = arith.addi %18, %c1_i64 : i64
    %86 = arith.select %32, %17, %84 : i64
    %87 = arith.select %32, %85, %18 : i64
    %88 = arith.cmpi sle, %87, %c1_i64 : i64
    cf.assert %88, "must have at most one inferred (negative) dimension"
    %89 = arith.muli %21, %3 : i64
    %90 = arith.divsi %89, %86 : i64
    %91 = arith.select %11, %90, %6 : i64
    %92 = arith.select %16, %90, %2 : i64
    %93 = arith.select %32, %90, %3 : i64
    %from_elements_7 = tensor.from_elements %91, %92, %93 : tensor<3xi64>
    %reshape_8 = tensor.reshape %83(%from_elements_7) : (tensor<?x2x?x?xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
    cf.assert %7, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %27, "unimplemented: dynamic negative broadcast sizes"
    %94 = tensor.empty(%dim, %26) : tensor<?x2x?x8xf32>
    %95 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%94 : tensor<?x2x?x8xf32>) {
    ^bb0(%out: f32):
      %118 = linalg.index 0 : index
      %119 = linalg.index 1 : index
      %120 = linalg.index 2 : index
      %121 = linalg.index 3 : index
      %122 = arith.cmpi eq, %dim, %c1 : index
      %123 = arith.select %122, %c0, %118 : index
      %124 = arith.cmpi eq, %4, %c1 : index
      %125 = arith.select %124, %c0, %120 : index
      %extracted = tensor.extract %concat[%123, %119, %125, %121] : tensor<?x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x8xf32>
    %96 = arith.muli %12, %3 : i64
    %97 = arith.select %32, %12, %96 : i64
    %98 = arith.muli %97, %c8_i64 : i64
    cf.assert %35, "must have at most one inferred (negative) dimension"
    %99 = arith.muli %6, %3 : i64
    %100 = arith.muli %99, %c8_i64 : i64
    %101 = arith.divsi %100, %98 : i64
    %102 = arith.select %11, %101, %6 : i64
    %103 = arith.select %32, %101, %3 : i64
    %from_elements_9 = tensor.from_elements %102, %103, %c8_i64 : tensor<3xi64>
    %reshape_10 = tensor.reshape %95(%from_elements_9) : (tensor<?x2x?x8xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %104 = arith.index_cast %91 : i64 to index
    %105 = arith.index_cast %92 : i64 to index
    %106 = arith.cmpi eq, %91, %102 : i64
    cf.assert %106, "mismatching contracting dimension"
    %107 = arith.cmpi eq, %93, %103 : i64
    cf.assert %107, "mismatching contracting dimension"
    %108 = tensor.empty(%104, %105) : tensor<?x?x8xf32>
    %109 = linalg.fill ins(%cst : f32) outs(%108 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %110 = linalg.batch_matmul ins(%reshape_8, %reshape_10 : tensor<?x?x?xf32>, tensor<?x?x8xf32>) outs(%109 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %111 = arith.muli %54, %c8_i64 : i64
    %112 = arith.cmpi sle, %55, %c1_i64 : i64
    cf.assert %112, "must have at most one inferred (negative) dimension"
    %113 = arith.muli %91, %92 : i64
    %114 = arith.muli %113, %c8_i64 : i64
    %115 = arith.divsi %114, %111 : i64
    %116 = arith.select %48, %115, %0 : i64
    %117 = arith.select %16, %115, %2 : i64
    %from_elements_11 = tensor.from_elements %116, %c2_i64, %117, %c8_i64 : tensor<4xi64>
    %reshape_12 = tensor.reshape %110(%from_elements_11) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x2x?x8xf32>
    return %reshape_12, %concat : tensor<?x2x?x8xf32>, tensor<?x2x?x8xf32>
  }
}
