"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x6x6x16xbf16>, tensor<16xbf16>, tensor<16xbf16>) -> tensor<2x6x6x16xbf16>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<2x6x6x16xbf16>, %arg2: tensor<16xbf16>, %arg3: tensor<16xbf16>):
    %9 = "stablehlo.reshape"(%arg1) : (tensor<2x6x6x16xbf16>) -> tensor<2x6x6x4x4xbf16>
    %10 = "stablehlo.convert"(%9) : (tensor<2x6x6x4x4xbf16>) -> tensor<2x6x6x4x4xf32>
    %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.reduce"(%10, %11) <{dimensions = array<i64: 1, 2, 4>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %52 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%52) : (tensor<f32>) -> ()
    }) : (tensor<2x6x6x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 3>}> : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
    %14 = "stablehlo.constant"() <{value = dense<1.440000e+02> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %16 = "stablehlo.divide"(%13, %15) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> tensor<2x1x1x4x1xf32>
    %17 = "stablehlo.convert"(%16) : (tensor<2x1x1x4x1xf32>) -> tensor<2x1x1x4x1xbf16>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x1x1x4x1xbf16>) -> tensor<2x6x6x4x4xbf16>
    %19 = "stablehlo.subtract"(%9, %18) : (tensor<2x6x6x4x4xbf16>, tensor<2x6x6x4x4xbf16>) -> tensor<2x6x6x4x4xbf16>
    %20 = "chlo.square"(%19) : (tensor<2x6x6x4x4xbf16>) -> tensor<2x6x6x4x4xbf16>
    %21 = "stablehlo.convert"(%20) : (tensor<2x6x6x4x4xbf16>) -> tensor<2x6x6x4x4xf32>
    %22 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.reduce"(%21, %22) <{dimensions = array<i64: 1, 2, 4>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %51 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%51) : (tensor<f32>) -> ()
    }) : (tensor<2x6x6x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 3>}> : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
    %25 = "stablehlo.constant"() <{value = dense<1.440000e+02> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %27 = "stablehlo.divide"(%24, %26) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> tensor<2x1x1x4x1xf32>
    %28 = "stablehlo.convert"(%27) : (tensor<2x1x1x4x1xf32>) -> tensor<2x1x1x4x1xbf16>
    %29 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x1x1x4x1xbf16>) -> tensor<2x6x6x4x4xbf16>
    %30 = "stablehlo.subtract"(%9, %29) : (tensor<2x6x6x4x4xbf16>, tensor<2x6x6x4x4xbf16>) -> tensor<2x6x6x4x4xbf16>
    %31 = "stablehlo.constant"() <{value = dense<1.001360e-05> : tensor<bf16>}> : () -> tensor<bf16>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x1x1x4x1xbf16>
    %33 = "stablehlo.add"(%28, %32) : (tensor<2x1x1x4x1xbf16>, tensor<2x1x1x4x1xbf16>) -> tensor<2x1x1x4x1xbf16>
    %34 = "stablehlo.rsqrt"(%33) : (tensor<2x1x1x4x1xbf16>) -> tensor<2x1x1x4x1xbf16>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x1x1x4x1xbf16>) -> tensor<2x6x6x4x4xbf16>
    %36 = "stablehlo.multiply"(%30, %35) : (tensor<2x6x6x4x4xbf16>, tensor<2x6x6x4x4xbf16>) -> tensor<2x6x6x4x4xbf16>
    %37 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x6x6x4x4xbf16>
    %39 = "stablehlo.multiply"(%36, %38) : (tensor<2x6x6x4x4xbf16>, tensor<2x6x6x4x4xbf16>) -> tensor<2x6x6x4x4xbf16>
    %40 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x6x6x4x4xbf16>
    %42 = "stablehlo.add"(%39, %41) : (tensor<2x6x6x4x4xbf16>, tensor<2x6x6x4x4xbf16>) -> tensor<2x6x6x4x4xbf16>
    %43 = "stablehlo.reshape"(%42) : (tensor<2x6x6x4x4xbf16>) -> tensor<2x6x6x16xbf16>
    %44 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 3>}> : (tensor<16xbf16>) -> tensor<1x1x1x16xbf16>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x16xbf16>) -> tensor<2x6x6x16xbf16>
    %46 = "stablehlo.multiply"(%43, %45) : (tensor<2x6x6x16xbf16>, tensor<2x6x6x16xbf16>) -> tensor<2x6x6x16xbf16>
    %47 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 3>}> : (tensor<16xbf16>) -> tensor<1x1x1x16xbf16>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x16xbf16>) -> tensor<2x6x6x16xbf16>
    %49 = "stablehlo.add"(%46, %48) : (tensor<2x6x6x16xbf16>, tensor<2x6x6x16xbf16>) -> tensor<2x6x6x16xbf16>
    %50 = "func.call"(%49) <{callee = @silu}> : (tensor<2x6x6x16xbf16>) -> tensor<2x6x6x16xbf16>
    "func.return"(%50) : (tensor<2x6x6x16xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x6x6x16xbf16>) -> tensor<2x6x6x16xbf16>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x6x6x16xbf16>):
    %0 = "stablehlo.negate"(%arg0) : (tensor<2x6x6x16xbf16>) -> tensor<2x6x6x16xbf16>
    %1 = "stablehlo.exponential"(%0) : (tensor<2x6x6x16xbf16>) -> tensor<2x6x6x16xbf16>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x6x6x16xbf16>
    %4 = "stablehlo.add"(%3, %1) : (tensor<2x6x6x16xbf16>, tensor<2x6x6x16xbf16>) -> tensor<2x6x6x16xbf16>
    %5 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<2x6x6x16xbf16>
    %7 = "stablehlo.divide"(%6, %4) : (tensor<2x6x6x16xbf16>, tensor<2x6x6x16xbf16>) -> tensor<2x6x6x16xbf16>
    %8 = "stablehlo.multiply"(%arg0, %7) : (tensor<2x6x6x16xbf16>, tensor<2x6x6x16xbf16>) -> tensor<2x6x6x16xbf16>
    "func.return"(%8) : (tensor<2x6x6x16xbf16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
