"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x6x6x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x6x6x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<2x6x6x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>):
    %9 = "stablehlo.reshape"(%arg1) : (tensor<2x6x6x16xf32>) -> tensor<2x6x6x4x4xf32>
    %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.reduce"(%9, %10) <{dimensions = array<i64: 1, 2, 4>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %48 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%48) : (tensor<f32>) -> ()
    }) : (tensor<2x6x6x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 3>}> : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
    %13 = "stablehlo.constant"() <{value = dense<1.440000e+02> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %15 = "stablehlo.divide"(%12, %14) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> tensor<2x1x1x4x1xf32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x1x1x4x1xf32>) -> tensor<2x6x6x4x4xf32>
    %17 = "stablehlo.subtract"(%9, %16) : (tensor<2x6x6x4x4xf32>, tensor<2x6x6x4x4xf32>) -> tensor<2x6x6x4x4xf32>
    %18 = "chlo.square"(%17) : (tensor<2x6x6x4x4xf32>) -> tensor<2x6x6x4x4xf32>
    %19 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.reduce"(%18, %19) <{dimensions = array<i64: 1, 2, 4>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %47 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%47) : (tensor<f32>) -> ()
    }) : (tensor<2x6x6x4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 3>}> : (tensor<2x4xf32>) -> tensor<2x1x1x4x1xf32>
    %22 = "stablehlo.constant"() <{value = dense<1.440000e+02> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %24 = "stablehlo.divide"(%21, %23) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> tensor<2x1x1x4x1xf32>
    %25 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x1x1x4x1xf32>) -> tensor<2x6x6x4x4xf32>
    %26 = "stablehlo.subtract"(%9, %25) : (tensor<2x6x6x4x4xf32>, tensor<2x6x6x4x4xf32>) -> tensor<2x6x6x4x4xf32>
    %27 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1x1x4x1xf32>
    %29 = "stablehlo.add"(%24, %28) : (tensor<2x1x1x4x1xf32>, tensor<2x1x1x4x1xf32>) -> tensor<2x1x1x4x1xf32>
    %30 = "stablehlo.rsqrt"(%29) : (tensor<2x1x1x4x1xf32>) -> tensor<2x1x1x4x1xf32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<2x1x1x4x1xf32>) -> tensor<2x6x6x4x4xf32>
    %32 = "stablehlo.multiply"(%26, %31) : (tensor<2x6x6x4x4xf32>, tensor<2x6x6x4x4xf32>) -> tensor<2x6x6x4x4xf32>
    %33 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x6x4x4xf32>
    %35 = "stablehlo.multiply"(%32, %34) : (tensor<2x6x6x4x4xf32>, tensor<2x6x6x4x4xf32>) -> tensor<2x6x6x4x4xf32>
    %36 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x6x4x4xf32>
    %38 = "stablehlo.add"(%35, %37) : (tensor<2x6x6x4x4xf32>, tensor<2x6x6x4x4xf32>) -> tensor<2x6x6x4x4xf32>
    %39 = "stablehlo.reshape"(%38) : (tensor<2x6x6x4x4xf32>) -> tensor<2x6x6x16xf32>
    %40 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 3>}> : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x16xf32>) -> tensor<2x6x6x16xf32>
    %42 = "stablehlo.multiply"(%39, %41) : (tensor<2x6x6x16xf32>, tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32>
    %43 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 3>}> : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x16xf32>) -> tensor<2x6x6x16xf32>
    %45 = "stablehlo.add"(%42, %44) : (tensor<2x6x6x16xf32>, tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32>
    %46 = "func.call"(%45) <{callee = @silu}> : (tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32>
    "func.return"(%46) : (tensor<2x6x6x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x6x6x16xf32>):
    %0 = "stablehlo.negate"(%arg0) : (tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32>
    %1 = "stablehlo.exponential"(%0) : (tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x6x16xf32>
    %4 = "stablehlo.add"(%3, %1) : (tensor<2x6x6x16xf32>, tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32>
    %5 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6x6x16xf32>
    %7 = "stablehlo.divide"(%6, %4) : (tensor<2x6x6x16xf32>, tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32>
    %8 = "stablehlo.multiply"(%arg0, %7) : (tensor<2x6x6x16xf32>, tensor<2x6x6x16xf32>) -> tensor<2x6x6x16xf32>
    "func.return"(%8) : (tensor<2x6x6x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
