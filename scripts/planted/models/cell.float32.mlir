"builtin.module"() <{sym_name = "jit_cell"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}], function_type = (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<64xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<4x16xf32>, %arg3: tensor<16x64xf32>, %arg4: tensor<16x64xf32>, %arg5: tensor<64xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x16xf32>, tensor<16x64xf32>) -> tensor<4x64xf32>
    %1 = "stablehlo.dot_general"(%arg1, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x16xf32>, tensor<16x64xf32>) -> tensor<4x64xf32>
    %2 = "stablehlo.add"(%0, %1) : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
    %3 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 1>}> : (tensor<64xf32>) -> tensor<1x64xf32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x64xf32>) -> tensor<4x64xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
    %6 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 4, 16>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x64xf32>) -> tensor<4x16xf32>
    %7 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 4, 32>, start_indices = array<i64: 0, 16>, strides = array<i64: 1, 1>}> : (tensor<4x64xf32>) -> tensor<4x16xf32>
    %8 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 4, 48>, start_indices = array<i64: 0, 32>, strides = array<i64: 1, 1>}> : (tensor<4x64xf32>) -> tensor<4x16xf32>
    %9 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 4, 64>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>}> : (tensor<4x64xf32>) -> tensor<4x16xf32>
    %10 = "stablehlo.negate"(%7) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %11 = "stablehlo.exponential"(%10) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %12 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x16xf32>
    %14 = "stablehlo.add"(%13, %11) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %15 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x16xf32>
    %17 = "stablehlo.divide"(%16, %14) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %18 = "stablehlo.multiply"(%17, %arg2) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %19 = "stablehlo.negate"(%6) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %20 = "stablehlo.exponential"(%19) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %21 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x16xf32>
    %23 = "stablehlo.add"(%22, %20) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %24 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x16xf32>
    %26 = "stablehlo.divide"(%25, %23) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %27 = "stablehlo.tanh"(%8) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %28 = "stablehlo.multiply"(%26, %27) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %29 = "stablehlo.add"(%18, %28) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %30 = "stablehlo.negate"(%9) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %31 = "stablehlo.exponential"(%30) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x16xf32>
    %34 = "stablehlo.add"(%33, %31) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x16xf32>
    %37 = "stablehlo.divide"(%36, %34) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %38 = "stablehlo.tanh"(%29) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %39 = "stablehlo.multiply"(%37, %38) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    "func.return"(%39, %29) : (tensor<4x16xf32>, tensor<4x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
