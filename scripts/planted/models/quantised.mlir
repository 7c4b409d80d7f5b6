"builtin.module"() <{sym_name = "jit_quantised"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x16xf32>, tensor<16x16xf32>, tensor<f32>) -> (tensor<8x16xi8>, tensor<8x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg8: tensor<8x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<f32>):
    %14 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %16 = "stablehlo.divide"(%arg8, %15) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %17 = "func.call"(%16) <{callee = @round}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %18 = "stablehlo.constant"() <{value = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %19 = "stablehlo.constant"() <{value = dense<127> : tensor<i32>}> : () -> tensor<i32>
    %20 = "func.call"(%17, %18, %19) <{callee = @clip}> : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %21 = "stablehlo.convert"(%20) : (tensor<8x16xf32>) -> tensor<8x16xi8>
    %22 = "stablehlo.convert"(%21) : (tensor<8x16xi8>) -> tensor<8x16xi32>
    %23 = "stablehlo.constant"() <{value = dense<5.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x16xf32>
    %25 = "stablehlo.multiply"(%arg9, %24) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %26 = "func.call"(%25) <{callee = @round_0}> : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %27 = "stablehlo.constant"() <{value = dense<-127> : tensor<i32>}> : () -> tensor<i32>
    %28 = "stablehlo.constant"() <{value = dense<127> : tensor<i32>}> : () -> tensor<i32>
    %29 = "func.call"(%26, %27, %28) <{callee = @clip_1}> : (tensor<16x16xf32>, tensor<i32>, tensor<i32>) -> tensor<16x16xf32>
    %30 = "stablehlo.convert"(%29) : (tensor<16x16xf32>) -> tensor<16x16xi32>
    %31 = "stablehlo.dot_general"(%22, %30) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xi32>, tensor<16x16xi32>) -> tensor<8x16xi32>
    %32 = "stablehlo.convert"(%31) : (tensor<8x16xi32>) -> tensor<8x16xf32>
    %33 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %34 = "stablehlo.multiply"(%32, %33) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %35 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %37 = "stablehlo.multiply"(%34, %36) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %38 = "func.call"(%37) <{callee = @round}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %39 = "stablehlo.constant"() <{value = dense<-128> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.constant"() <{value = dense<127> : tensor<i32>}> : () -> tensor<i32>
    %41 = "func.call"(%38, %39, %40) <{callee = @clip}> : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
    %42 = "stablehlo.convert"(%41) : (tensor<8x16xf32>) -> tensor<8x16xi8>
    %43 = "stablehlo.negate"(%34) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %44 = "stablehlo.exponential"(%43) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %45 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %47 = "stablehlo.add"(%46, %44) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %48 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %50 = "stablehlo.divide"(%49, %47) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%42, %50) : (tensor<8x16xi8>, tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x16xf32>) -> tensor<8x16xf32>, res_attrs = [{}], sym_name = "round", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<8x16xf32>):
    %13 = "stablehlo.round_nearest_even"(%arg7) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%13) : (tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<8x16xf32>, %arg5: tensor<i32>, %arg6: tensor<i32>):
    %7 = "stablehlo.convert"(%arg5) : (tensor<i32>) -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %9 = "stablehlo.maximum"(%8, %arg4) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %10 = "stablehlo.convert"(%arg6) : (tensor<i32>) -> tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %12 = "stablehlo.minimum"(%11, %9) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%12) : (tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x16xf32>) -> tensor<16x16xf32>, res_attrs = [{}], sym_name = "round_0", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<16x16xf32>):
    %6 = "stablehlo.round_nearest_even"(%arg3) : (tensor<16x16xf32>) -> tensor<16x16xf32>
    "func.return"(%6) : (tensor<16x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<16x16xf32>, tensor<i32>, tensor<i32>) -> tensor<16x16xf32>, res_attrs = [{}], sym_name = "clip_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<16x16xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<i32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x16xf32>
    %2 = "stablehlo.maximum"(%1, %arg0) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %3 = "stablehlo.convert"(%arg2) : (tensor<i32>) -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x16xf32>
    %5 = "stablehlo.minimum"(%4, %2) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    "func.return"(%5) : (tensor<16x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
