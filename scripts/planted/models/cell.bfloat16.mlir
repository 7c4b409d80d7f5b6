"builtin.module"() <{sym_name = "jit_cell"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}], function_type = (tensor<4x16xbf16>, tensor<4x16xbf16>, tensor<4x16xbf16>, tensor<16x64xbf16>, tensor<16x64xbf16>, tensor<64xbf16>) -> (tensor<4x16xbf16>, tensor<4x16xbf16>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x16xbf16>, %arg1: tensor<4x16xbf16>, %arg2: tensor<4x16xbf16>, %arg3: tensor<16x64xbf16>, %arg4: tensor<16x64xbf16>, %arg5: tensor<64xbf16>):
    %0 = "stablehlo.dot_general"(%arg0, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x16xbf16>, tensor<16x64xbf16>) -> tensor<4x64xbf16>
    %1 = "stablehlo.dot_general"(%arg1, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x16xbf16>, tensor<16x64xbf16>) -> tensor<4x64xbf16>
    %2 = "stablehlo.add"(%0, %1) : (tensor<4x64xbf16>, tensor<4x64xbf16>) -> tensor<4x64xbf16>
    %3 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 1>}> : (tensor<64xbf16>) -> tensor<1x64xbf16>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x64xbf16>) -> tensor<4x64xbf16>
    %5 = "stablehlo.add"(%2, %4) : (tensor<4x64xbf16>, tensor<4x64xbf16>) -> tensor<4x64xbf16>
    %6 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 4, 16>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x64xbf16>) -> tensor<4x16xbf16>
    %7 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 4, 32>, start_indices = array<i64: 0, 16>, strides = array<i64: 1, 1>}> : (tensor<4x64xbf16>) -> tensor<4x16xbf16>
    %8 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 4, 48>, start_indices = array<i64: 0, 32>, strides = array<i64: 1, 1>}> : (tensor<4x64xbf16>) -> tensor<4x16xbf16>
    %9 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 4, 64>, start_indices = array<i64: 0, 48>, strides = array<i64: 1, 1>}> : (tensor<4x64xbf16>) -> tensor<4x16xbf16>
    %10 = "stablehlo.negate"(%7) : (tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %11 = "stablehlo.exponential"(%10) : (tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %12 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<4x16xbf16>
    %14 = "stablehlo.add"(%13, %11) : (tensor<4x16xbf16>, tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %15 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<4x16xbf16>
    %17 = "stablehlo.divide"(%16, %14) : (tensor<4x16xbf16>, tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %18 = "stablehlo.multiply"(%17, %arg2) : (tensor<4x16xbf16>, tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %19 = "stablehlo.negate"(%6) : (tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %20 = "stablehlo.exponential"(%19) : (tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %21 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<4x16xbf16>
    %23 = "stablehlo.add"(%22, %20) : (tensor<4x16xbf16>, tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %24 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<4x16xbf16>
    %26 = "stablehlo.divide"(%25, %23) : (tensor<4x16xbf16>, tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %27 = "stablehlo.tanh"(%8) : (tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %28 = "stablehlo.multiply"(%26, %27) : (tensor<4x16xbf16>, tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %29 = "stablehlo.add"(%18, %28) : (tensor<4x16xbf16>, tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %30 = "stablehlo.negate"(%9) : (tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %31 = "stablehlo.exponential"(%30) : (tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %32 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<4x16xbf16>
    %34 = "stablehlo.add"(%33, %31) : (tensor<4x16xbf16>, tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %35 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<4x16xbf16>
    %37 = "stablehlo.divide"(%36, %34) : (tensor<4x16xbf16>, tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %38 = "stablehlo.tanh"(%29) : (tensor<4x16xbf16>) -> tensor<4x16xbf16>
    %39 = "stablehlo.multiply"(%37, %38) : (tensor<4x16xbf16>, tensor<4x16xbf16>) -> tensor<4x16xbf16>
    "func.return"(%39, %29) : (tensor<4x16xbf16>, tensor<4x16xbf16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
