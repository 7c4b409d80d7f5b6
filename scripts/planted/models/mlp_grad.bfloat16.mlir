module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xbf16>, %arg1: tensor<16x32xbf16>, %arg2: tensor<32xbf16>, %arg3: tensor<32x16xbf16>, %arg4: tensor<16xbf16>, %arg5: tensor<16xbf16>) -> (tensor<8x16xbf16> {jax.result_info = "result[0]"}, tensor<16x32xbf16> {jax.result_info = "result[1]"}, tensor<32xbf16> {jax.result_info = "result[2]"}, tensor<32x16xbf16> {jax.result_info = "result[3]"}, tensor<16xbf16> {jax.result_info = "result[4]"}, tensor<16xbf16> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xbf16>, tensor<16x32xbf16>) -> tensor<8x32xbf16>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<32xbf16>) -> tensor<1x32xbf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x32xbf16>) -> tensor<8x32xbf16>
    %3 = stablehlo.add %0, %2 : tensor<8x32xbf16>
    %4 = stablehlo.multiply %3, %3 : tensor<8x32xbf16>
    %5 = stablehlo.multiply %4, %3 : tensor<8x32xbf16>
    %6 = stablehlo.multiply %3, %3 : tensor<8x32xbf16>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<bf16>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %8 = stablehlo.multiply %7, %6 : tensor<8x32xbf16>
    %cst_0 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %10 = stablehlo.multiply %9, %5 : tensor<8x32xbf16>
    %11 = stablehlo.add %3, %10 : tensor<8x32xbf16>
    %cst_1 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %13 = stablehlo.multiply %12, %11 : tensor<8x32xbf16>
    %14 = stablehlo.tanh %13 : tensor<8x32xbf16>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %16 = stablehlo.subtract %15, %14 : tensor<8x32xbf16>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %18 = stablehlo.add %17, %14 : tensor<8x32xbf16>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %20 = stablehlo.multiply %19, %18 : tensor<8x32xbf16>
    %21 = stablehlo.multiply %3, %20 : tensor<8x32xbf16>
    %22 = stablehlo.dot_general %21, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xbf16>, tensor<32x16xbf16>) -> tensor<8x16xbf16>
    %23 = stablehlo.add %22, %arg0 : tensor<8x16xbf16>
    %24 = stablehlo.convert %23 : (tensor<8x16xbf16>) -> tensor<8x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_6 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %28 = stablehlo.divide %26, %27 : tensor<8x1xf32>
    %29 = stablehlo.convert %28 : (tensor<8x1xf32>) -> tensor<8x1xbf16>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %31 = stablehlo.subtract %23, %30 : tensor<8x16xbf16>
    %32 = chlo.square %31 : tensor<8x16xbf16> -> tensor<8x16xbf16>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<bf16>
    %33 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<8x16xbf16>
    %34 = stablehlo.multiply %33, %31 : tensor<8x16xbf16>
    %35 = stablehlo.convert %32 : (tensor<8x16xbf16>) -> tensor<8x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %cst_9 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %39 = stablehlo.divide %37, %38 : tensor<8x1xf32>
    %40 = stablehlo.convert %39 : (tensor<8x1xf32>) -> tensor<8x1xbf16>
    %41 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %42 = stablehlo.subtract %23, %41 : tensor<8x16xbf16>
    %cst_10 = stablehlo.constant dense<1.001360e-05> : tensor<bf16>
    %43 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<8x1xbf16>
    %44 = stablehlo.add %40, %43 : tensor<8x1xbf16>
    %45 = stablehlo.rsqrt %44 : tensor<8x1xbf16>
    %46 = stablehlo.divide %45, %44 : tensor<8x1xbf16>
    %cst_11 = stablehlo.constant dense<-5.000000e-01> : tensor<bf16>
    %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<8x1xbf16>
    %48 = stablehlo.multiply %47, %46 : tensor<8x1xbf16>
    %49 = stablehlo.broadcast_in_dim %45, dims = [0, 1] : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %50 = stablehlo.multiply %42, %49 : tensor<8x16xbf16>
    %51 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<1x16xbf16>) -> tensor<8x16xbf16>
    %53 = stablehlo.multiply %50, %52 : tensor<8x16xbf16>
    %54 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<1x16xbf16>) -> tensor<8x16xbf16>
    %56 = stablehlo.add %53, %55 : tensor<8x16xbf16>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<bf16>
    %57 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<8x16xbf16>
    %58 = stablehlo.multiply %57, %56 : tensor<8x16xbf16>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %cst_14 = stablehlo.constant dense<1.000980e-01> : tensor<bf16>
    %59 = stablehlo.multiply %cst_13, %cst_14 : tensor<bf16>
    %60 = stablehlo.convert %59 : (tensor<bf16>) -> tensor<f32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %62 = stablehlo.convert %61 : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %63 = stablehlo.multiply %62, %58 : tensor<8x16xbf16>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %64 = stablehlo.reduce(%63 init: %cst_15) applies stablehlo.add across dimensions = [0] : (tensor<8x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %65 = stablehlo.reshape %64 : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %66 = stablehlo.reduce(%65 init: %cst_16) applies stablehlo.add across dimensions = [0] : (tensor<1x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %67 = stablehlo.multiply %50, %63 : tensor<8x16xbf16>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %68 = stablehlo.reduce(%67 init: %cst_17) applies stablehlo.add across dimensions = [0] : (tensor<8x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %69 = stablehlo.reshape %68 : (tensor<16xbf16>) -> tensor<1x16xbf16>
    %70 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<1x16xbf16>) -> tensor<8x16xbf16>
    %71 = stablehlo.multiply %63, %70 : tensor<8x16xbf16>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %72 = stablehlo.reduce(%69 init: %cst_18) applies stablehlo.add across dimensions = [0] : (tensor<1x16xbf16>, tensor<bf16>) -> tensor<16xbf16>
    %73 = stablehlo.multiply %42, %71 : tensor<8x16xbf16>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %74 = stablehlo.reduce(%73 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<8x16xbf16>, tensor<bf16>) -> tensor<8xbf16>
    %75 = stablehlo.reshape %74 : (tensor<8xbf16>) -> tensor<8x1xbf16>
    %76 = stablehlo.broadcast_in_dim %45, dims = [0, 1] : (tensor<8x1xbf16>) -> tensor<8x16xbf16>
    %77 = stablehlo.multiply %71, %76 : tensor<8x16xbf16>
    %78 = stablehlo.multiply %75, %48 : tensor<8x1xbf16>
    %79 = stablehlo.negate %77 : tensor<8x16xbf16>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %80 = stablehlo.reduce(%79 init: %cst_20) applies stablehlo.add across dimensions = [1] : (tensor<8x16xbf16>, tensor<bf16>) -> tensor<8xbf16>
    %81 = stablehlo.reshape %80 : (tensor<8xbf16>) -> tensor<8x1xbf16>
    %82 = stablehlo.convert %78 : (tensor<8x1xbf16>) -> tensor<8x1xf32>
    %cst_21 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %84 = stablehlo.divide %82, %83 : tensor<8x1xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.reduce(%84 init: %cst_22) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
    %87 = stablehlo.convert %86 : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %88 = stablehlo.multiply %87, %34 : tensor<8x16xbf16>
    %89 = stablehlo.negate %88 : tensor<8x16xbf16>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %90 = stablehlo.reduce(%89 init: %cst_23) applies stablehlo.add across dimensions = [1] : (tensor<8x16xbf16>, tensor<bf16>) -> tensor<8xbf16>
    %91 = stablehlo.reshape %90 : (tensor<8xbf16>) -> tensor<8x1xbf16>
    %92 = stablehlo.add %77, %88 : tensor<8x16xbf16>
    %93 = stablehlo.add %81, %91 : tensor<8x1xbf16>
    %94 = stablehlo.convert %93 : (tensor<8x1xbf16>) -> tensor<8x1xf32>
    %cst_24 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %96 = stablehlo.divide %94, %95 : tensor<8x1xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.reduce(%96 init: %cst_25) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
    %99 = stablehlo.convert %98 : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %100 = stablehlo.add %92, %99 : tensor<8x16xbf16>
    %101 = stablehlo.dot_general %100, %21, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xbf16>, tensor<8x32xbf16>) -> tensor<16x32xbf16>
    %102 = stablehlo.transpose %101, dims = [1, 0] : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
    %103 = stablehlo.dot_general %100, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xbf16>, tensor<32x16xbf16>) -> tensor<8x32xbf16>
    %104 = stablehlo.multiply %3, %103 : tensor<8x32xbf16>
    %105 = stablehlo.multiply %103, %20 : tensor<8x32xbf16>
    %cst_26 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %106 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %107 = stablehlo.multiply %106, %104 : tensor<8x32xbf16>
    %108 = stablehlo.multiply %107, %16 : tensor<8x32xbf16>
    %109 = stablehlo.multiply %108, %14 : tensor<8x32xbf16>
    %110 = stablehlo.add %108, %109 : tensor<8x32xbf16>
    %cst_27 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %111 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %112 = stablehlo.multiply %111, %110 : tensor<8x32xbf16>
    %113 = stablehlo.add %105, %112 : tensor<8x32xbf16>
    %cst_28 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %114 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<bf16>) -> tensor<8x32xbf16>
    %115 = stablehlo.multiply %114, %112 : tensor<8x32xbf16>
    %116 = stablehlo.multiply %115, %8 : tensor<8x32xbf16>
    %117 = stablehlo.add %113, %116 : tensor<8x32xbf16>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %118 = stablehlo.reduce(%117 init: %cst_29) applies stablehlo.add across dimensions = [0] : (tensor<8x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %119 = stablehlo.reshape %118 : (tensor<32xbf16>) -> tensor<1x32xbf16>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %120 = stablehlo.reduce(%119 init: %cst_30) applies stablehlo.add across dimensions = [0] : (tensor<1x32xbf16>, tensor<bf16>) -> tensor<32xbf16>
    %121 = stablehlo.dot_general %117, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x32xbf16>, tensor<8x16xbf16>) -> tensor<32x16xbf16>
    %122 = stablehlo.transpose %121, dims = [1, 0] : (tensor<32x16xbf16>) -> tensor<16x32xbf16>
    %123 = stablehlo.dot_general %117, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x32xbf16>, tensor<16x32xbf16>) -> tensor<8x16xbf16>
    %124 = stablehlo.add %100, %123 : tensor<8x16xbf16>
    return %124, %122, %120, %102, %72, %66 : tensor<8x16xbf16>, tensor<16x32xbf16>, tensor<32xbf16>, tensor<32x16xbf16>, tensor<16xbf16>, tensor<16xbf16>
  }
}
