// gaudi: written by scripts/optimizer-corpus.py with torch 2.13.0+cpu
// fused: adamw:1
// params: 5 state: 16
module {
  func.func @main(%arg0: tensor<16xf32>, %arg1: tensor<4xf32>, %arg2: tensor<1xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<16x4xf32>, %arg5: tensor<16xf32>, %arg6: tensor<4xf32>, %arg7: tensor<1xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<16x4xf32>, %arg10: tensor<16xf32>, %arg11: tensor<4xf32>, %arg12: tensor<1xf32>, %arg13: tensor<8x16xf32>, %arg14: tensor<16x4xf32>, %arg15: tensor<f32>, %arg16: tensor<32x8xf32>, %arg17: tensor<32x4xf32>) -> (tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<f32>) {
    %0 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %2 = "tosa.const"() <{values = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %3 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %4 = "tosa.const"() <{values = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %5 = "tosa.const"() <{values = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %6 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %7 = tosa.const_shape  {values = dense<[1, 32, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %8 = tosa.const_shape  {values = dense<[1, 8, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %9 = tosa.const_shape  {values = dense<[32, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %10 = tosa.const_shape  {values = dense<[1, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %11 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %12 = tosa.const_shape  {values = dense<[1, 32, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %13 = tosa.const_shape  {values = dense<[1, 16, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %14 = tosa.const_shape  {values = dense<[32, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %15 = tosa.const_shape  {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %16 = tosa.const_shape  {values = dense<[1, 32, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %17 = tosa.const_shape  {values = dense<[1, 4, 16]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %18 = tosa.const_shape  {values = dense<16> : tensor<1xindex>} : () -> !tosa.shape<1>
    %19 = tosa.const_shape  {values = dense<4> : tensor<1xindex>} : () -> !tosa.shape<1>
    %20 = tosa.const_shape  {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
    %21 = tosa.const_shape  {values = dense<[1, 8, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %22 = tosa.const_shape  {values = dense<[8, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %23 = tosa.const_shape  {values = dense<[1, 16, 32]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %24 = tosa.const_shape  {values = dense<[16, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %25 = "tosa.const"() <{values = dense<1.562500e-02> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %26 = "tosa.const"() <{values = dense<1.000000e+00> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %27 = "tosa.const"() <{values = dense<0.899999976> : tensor<1xf32>}> : () -> tensor<1xf32>
    %28 = "tosa.const"() <{values = dense<1.000000e-01> : tensor<1xf32>}> : () -> tensor<1xf32>
    %29 = "tosa.const"() <{values = dense<9.990000e-01> : tensor<1xf32>}> : () -> tensor<1xf32>
    %30 = "tosa.const"() <{values = dense<1.000000e-03> : tensor<1xf32>}> : () -> tensor<1xf32>
    %31 = "tosa.const"() <{values = dense<0.999899983> : tensor<1xf32>}> : () -> tensor<1xf32>
    %32 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1xf32>}> : () -> tensor<1xf32>
    %33 = "tosa.const"() <{values = dense<9.99999997E-7> : tensor<1xf32>}> : () -> tensor<1xf32>
    %34 = "tosa.const"() <{values = dense<0.899999976> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %35 = "tosa.const"() <{values = dense<1.000000e-01> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %36 = "tosa.const"() <{values = dense<9.990000e-01> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %37 = "tosa.const"() <{values = dense<1.000000e-03> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %38 = "tosa.const"() <{values = dense<0.999899983> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %39 = "tosa.const"() <{values = dense<5.000000e-01> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %40 = "tosa.const"() <{values = dense<9.99999997E-7> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %41 = tosa.add %arg15, %0 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %42 = tosa.pow %2, %41 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %43 = tosa.sub %0, %42 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %44 = tosa.pow %43, %3 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %45 = tosa.mul %44, %4, %1 : (tensor<f32>, tensor<f32>, tensor<1xi8>) -> tensor<f32>
    %46 = tosa.pow %5, %41 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %47 = tosa.sub %0, %46 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %48 = tosa.reciprocal %47 : (tensor<f32>) -> tensor<f32>
    %49 = tosa.mul %45, %48, %1 : (tensor<f32>, tensor<f32>, tensor<1xi8>) -> tensor<f32>
    %50 = tosa.negate %49, %6, %6 : (tensor<f32>, tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
    %51 = tosa.reshape %arg16, %7 : (tensor<32x8xf32>, !tosa.shape<3>) -> tensor<1x32x8xf32>
    %52 = tosa.reshape %arg3, %8 : (tensor<8x16xf32>, !tosa.shape<3>) -> tensor<1x8x16xf32>
    %53 = tosa.matmul %51, %52, %6, %6 : (tensor<1x32x8xf32>, tensor<1x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x16xf32>
    %54 = tosa.reshape %53, %9 : (tensor<1x32x16xf32>, !tosa.shape<2>) -> tensor<32x16xf32>
    %55 = tosa.reshape %arg0, %10 : (tensor<16xf32>, !tosa.shape<2>) -> tensor<1x16xf32>
    %56 = tosa.add %54, %55 : (tensor<32x16xf32>, tensor<1x16xf32>) -> tensor<32x16xf32>
    %57 = tosa.tanh %56 : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %58 = tosa.reshape %57, %12 : (tensor<32x16xf32>, !tosa.shape<3>) -> tensor<1x32x16xf32>
    %59 = tosa.reshape %arg4, %13 : (tensor<16x4xf32>, !tosa.shape<3>) -> tensor<1x16x4xf32>
    %60 = tosa.matmul %58, %59, %6, %6 : (tensor<1x32x16xf32>, tensor<1x16x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x4xf32>
    %61 = tosa.reshape %60, %14 : (tensor<1x32x4xf32>, !tosa.shape<2>) -> tensor<32x4xf32>
    %62 = tosa.reshape %arg1, %15 : (tensor<4xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
    %63 = tosa.add %61, %62 : (tensor<32x4xf32>, tensor<1x4xf32>) -> tensor<32x4xf32>
    %64 = tosa.reshape %arg2, %11 : (tensor<1xf32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %65 = tosa.mul %63, %64, %1 : (tensor<32x4xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<32x4xf32>
    %66 = tosa.sub %65, %arg17 : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %67 = tosa.mul %66, %25, %1 : (tensor<32x4xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<32x4xf32>
    %68 = tosa.mul %67, %64, %1 : (tensor<32x4xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<32x4xf32>
    %69 = tosa.transpose %arg4 {perms = array<i32: 1, 0>} : (tensor<16x4xf32>) -> tensor<4x16xf32>
    %70 = tosa.reshape %68, %16 : (tensor<32x4xf32>, !tosa.shape<3>) -> tensor<1x32x4xf32>
    %71 = tosa.reshape %69, %17 : (tensor<4x16xf32>, !tosa.shape<3>) -> tensor<1x4x16xf32>
    %72 = tosa.matmul %70, %71, %6, %6 : (tensor<1x32x4xf32>, tensor<1x4x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x16xf32>
    %73 = tosa.reshape %72, %9 : (tensor<1x32x16xf32>, !tosa.shape<2>) -> tensor<32x16xf32>
    %74 = tosa.mul %57, %57, %1 : (tensor<32x16xf32>, tensor<32x16xf32>, tensor<1xi8>) -> tensor<32x16xf32>
    %75 = tosa.sub %26, %74 : (tensor<1x1xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %76 = tosa.mul %73, %75, %1 : (tensor<32x16xf32>, tensor<32x16xf32>, tensor<1xi8>) -> tensor<32x16xf32>
    %77 = tosa.reduce_sum %76 {axis = 0 : i32} : (tensor<32x16xf32>) -> tensor<1x16xf32>
    %78 = tosa.reshape %77, %18 : (tensor<1x16xf32>, !tosa.shape<1>) -> tensor<16xf32>
    %79 = tosa.reduce_sum %68 {axis = 0 : i32} : (tensor<32x4xf32>) -> tensor<1x4xf32>
    %80 = tosa.reshape %79, %19 : (tensor<1x4xf32>, !tosa.shape<1>) -> tensor<4xf32>
    %81 = tosa.mul %67, %63, %1 : (tensor<32x4xf32>, tensor<32x4xf32>, tensor<1xi8>) -> tensor<32x4xf32>
    %82 = tosa.reduce_sum %81 {axis = 0 : i32} : (tensor<32x4xf32>) -> tensor<1x4xf32>
    %83 = tosa.reduce_sum %82 {axis = 1 : i32} : (tensor<1x4xf32>) -> tensor<1x1xf32>
    %84 = tosa.reshape %83, %20 : (tensor<1x1xf32>, !tosa.shape<1>) -> tensor<1xf32>
    %85 = tosa.transpose %arg16 {perms = array<i32: 1, 0>} : (tensor<32x8xf32>) -> tensor<8x32xf32>
    %86 = tosa.reshape %85, %21 : (tensor<8x32xf32>, !tosa.shape<3>) -> tensor<1x8x32xf32>
    %87 = tosa.reshape %76, %12 : (tensor<32x16xf32>, !tosa.shape<3>) -> tensor<1x32x16xf32>
    %88 = tosa.matmul %86, %87, %6, %6 : (tensor<1x8x32xf32>, tensor<1x32x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x16xf32>
    %89 = tosa.reshape %88, %22 : (tensor<1x8x16xf32>, !tosa.shape<2>) -> tensor<8x16xf32>
    %90 = tosa.transpose %57 {perms = array<i32: 1, 0>} : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %91 = tosa.reshape %90, %23 : (tensor<16x32xf32>, !tosa.shape<3>) -> tensor<1x16x32xf32>
    %92 = tosa.matmul %91, %70, %6, %6 : (tensor<1x16x32xf32>, tensor<1x32x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x4xf32>
    %93 = tosa.reshape %92, %24 : (tensor<1x16x4xf32>, !tosa.shape<2>) -> tensor<16x4xf32>
    %94 = tosa.mul %arg5, %27, %1 : (tensor<16xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<16xf32>
    %95 = tosa.mul %78, %28, %1 : (tensor<16xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<16xf32>
    %96 = tosa.add %94, %95 : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %97 = tosa.mul %arg10, %29, %1 : (tensor<16xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<16xf32>
    %98 = tosa.mul %78, %78, %1 : (tensor<16xf32>, tensor<16xf32>, tensor<1xi8>) -> tensor<16xf32>
    %99 = tosa.mul %98, %30, %1 : (tensor<16xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<16xf32>
    %100 = tosa.add %97, %99 : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %101 = tosa.mul %arg0, %31, %1 : (tensor<16xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<16xf32>
    %102 = tosa.pow %100, %32 : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
    %103 = tosa.add %102, %33 : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
    %104 = tosa.reciprocal %103 : (tensor<16xf32>) -> tensor<16xf32>
    %105 = tosa.mul %96, %104, %1 : (tensor<16xf32>, tensor<16xf32>, tensor<1xi8>) -> tensor<16xf32>
    %106 = tosa.reshape %50, %20 : (tensor<f32>, !tosa.shape<1>) -> tensor<1xf32>
    %107 = tosa.mul %105, %106, %1 : (tensor<16xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<16xf32>
    %108 = tosa.add %101, %107 : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %109 = tosa.mul %arg6, %27, %1 : (tensor<4xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<4xf32>
    %110 = tosa.mul %80, %28, %1 : (tensor<4xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<4xf32>
    %111 = tosa.add %109, %110 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %112 = tosa.mul %arg11, %29, %1 : (tensor<4xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<4xf32>
    %113 = tosa.mul %80, %80, %1 : (tensor<4xf32>, tensor<4xf32>, tensor<1xi8>) -> tensor<4xf32>
    %114 = tosa.mul %113, %30, %1 : (tensor<4xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<4xf32>
    %115 = tosa.add %112, %114 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %116 = tosa.mul %arg1, %31, %1 : (tensor<4xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<4xf32>
    %117 = tosa.pow %115, %32 : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
    %118 = tosa.add %117, %33 : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
    %119 = tosa.reciprocal %118 : (tensor<4xf32>) -> tensor<4xf32>
    %120 = tosa.mul %111, %119, %1 : (tensor<4xf32>, tensor<4xf32>, tensor<1xi8>) -> tensor<4xf32>
    %121 = tosa.mul %120, %106, %1 : (tensor<4xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<4xf32>
    %122 = tosa.add %116, %121 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %123 = tosa.mul %arg7, %27, %1 : (tensor<1xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<1xf32>
    %124 = tosa.mul %84, %28, %1 : (tensor<1xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<1xf32>
    %125 = tosa.add %123, %124 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %126 = tosa.mul %arg12, %29, %1 : (tensor<1xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<1xf32>
    %127 = tosa.mul %84, %84, %1 : (tensor<1xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<1xf32>
    %128 = tosa.mul %127, %30, %1 : (tensor<1xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<1xf32>
    %129 = tosa.add %126, %128 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %130 = tosa.mul %arg2, %31, %1 : (tensor<1xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<1xf32>
    %131 = tosa.pow %129, %32 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %132 = tosa.add %131, %33 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %133 = tosa.reciprocal %132 : (tensor<1xf32>) -> tensor<1xf32>
    %134 = tosa.mul %125, %133, %1 : (tensor<1xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<1xf32>
    %135 = tosa.mul %134, %106, %1 : (tensor<1xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<1xf32>
    %136 = tosa.add %130, %135 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %137 = tosa.mul %arg8, %34, %1 : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<8x16xf32>
    %138 = tosa.mul %89, %35, %1 : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<8x16xf32>
    %139 = tosa.add %137, %138 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %140 = tosa.mul %arg13, %36, %1 : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<8x16xf32>
    %141 = tosa.mul %89, %89, %1 : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<1xi8>) -> tensor<8x16xf32>
    %142 = tosa.mul %141, %37, %1 : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<8x16xf32>
    %143 = tosa.add %140, %142 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %144 = tosa.mul %arg3, %38, %1 : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<8x16xf32>
    %145 = tosa.pow %143, %39 : (tensor<8x16xf32>, tensor<1x1xf32>) -> tensor<8x16xf32>
    %146 = tosa.add %145, %40 : (tensor<8x16xf32>, tensor<1x1xf32>) -> tensor<8x16xf32>
    %147 = tosa.reciprocal %146 : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %148 = tosa.mul %139, %147, %1 : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<1xi8>) -> tensor<8x16xf32>
    %149 = tosa.reshape %50, %11 : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
    %150 = tosa.mul %148, %149, %1 : (tensor<8x16xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<8x16xf32>
    %151 = tosa.add %144, %150 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %152 = tosa.mul %arg9, %34, %1 : (tensor<16x4xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<16x4xf32>
    %153 = tosa.mul %93, %35, %1 : (tensor<16x4xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<16x4xf32>
    %154 = tosa.add %152, %153 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %155 = tosa.mul %arg14, %36, %1 : (tensor<16x4xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<16x4xf32>
    %156 = tosa.mul %93, %93, %1 : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<1xi8>) -> tensor<16x4xf32>
    %157 = tosa.mul %156, %37, %1 : (tensor<16x4xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<16x4xf32>
    %158 = tosa.add %155, %157 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %159 = tosa.mul %arg4, %38, %1 : (tensor<16x4xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<16x4xf32>
    %160 = tosa.pow %158, %39 : (tensor<16x4xf32>, tensor<1x1xf32>) -> tensor<16x4xf32>
    %161 = tosa.add %160, %40 : (tensor<16x4xf32>, tensor<1x1xf32>) -> tensor<16x4xf32>
    %162 = tosa.reciprocal %161 : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %163 = tosa.mul %154, %162, %1 : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<1xi8>) -> tensor<16x4xf32>
    %164 = tosa.mul %163, %149, %1 : (tensor<16x4xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<16x4xf32>
    %165 = tosa.add %159, %164 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    return %108, %122, %136, %151, %165, %96, %111, %125, %139, %154, %100, %115, %129, %143, %158, %41 : tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<16xf32>, tensor<4xf32>, tensor<1xf32>, tensor<8x16xf32>, tensor<16x4xf32>, tensor<f32>
  }
}
