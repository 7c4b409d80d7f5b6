// jnp.clip on the gradients of jax.nn.dot_product_attention, JAX 0.10.2.
"builtin.module"() <{sym_name = "jit_step"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x16x4x8xf32>, %arg4: tensor<2x16x4x8xf32>, %arg5: tensor<2x16x4x8xf32>, %arg6: tensor<2x16x4x8xf32>):
    %6 = "stablehlo.reshape"(%arg3) : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x1x8xf32>
    %7 = "stablehlo.dot_general"(%6, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x16x4x1x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x1x16xf32>
    %8 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %10 = "stablehlo.multiply"(%7, %9) : (tensor<2x4x16x1x16xf32>, tensor<2x4x16x1x16xf32>) -> tensor<2x4x16x1x16xf32>
    %11 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.reduce"(%10, %11) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %78 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%78) : (tensor<f32>) -> ()
    }) : (tensor<2x4x16x1x16xf32>, tensor<f32>) -> tensor<2x4x16x1xf32>
    %13 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x16x1xf32>
    %15 = "stablehlo.maximum"(%14, %12) : (tensor<2x4x16x1xf32>, tensor<2x4x16x1xf32>) -> tensor<2x4x16x1xf32>
    %16 = "stablehlo.transpose"(%15) <{permutation = array<i64: 3, 0, 1, 2>}> : (tensor<2x4x16x1xf32>) -> tensor<1x2x4x16xf32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %18 = "stablehlo.transpose"(%10) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x4x16x1x16xf32>) -> tensor<1x2x4x16x16xf32>
    %19 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %20 = "stablehlo.subtract"(%18, %19) : (tensor<1x2x4x16x16xf32>, tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xf32>
    %21 = "stablehlo.exponential"(%20) : (tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xf32>
    %22 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.reduce"(%21, %22) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %77 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%77) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %26 = "stablehlo.divide"(%21, %25) : (tensor<1x2x4x16x16xf32>, tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xf32>
    %27 = "stablehlo.multiply"(%24, %24) : (tensor<1x2x4x16x1xf32>, tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x1xf32>
    %28 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x4x16x1xf32>
    %30 = "stablehlo.divide"(%29, %27) : (tensor<1x2x4x16x1xf32>, tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x1xf32>
    %31 = "stablehlo.dot_general"(%arg5, %26) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x16x4x8xf32>, tensor<1x2x4x16x16xf32>) -> tensor<2x4x8x1x16xf32>
    %32 = "stablehlo.transpose"(%31) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x4x8x1x16xf32>) -> tensor<1x2x16x4x8xf32>
    %33 = "stablehlo.transpose"(%32) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x16x4x8xf32>) -> tensor<2x16x4x1x8xf32>
    %34 = "stablehlo.reshape"(%33) : (tensor<2x16x4x1x8xf32>) -> tensor<2x16x4x8xf32>
    %35 = "stablehlo.reshape"(%arg6) : (tensor<2x16x4x8xf32>) -> tensor<2x16x4x1x8xf32>
    %36 = "stablehlo.transpose"(%35) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x16x4x1x8xf32>) -> tensor<1x2x16x4x8xf32>
    %37 = "stablehlo.transpose"(%36) <{permutation = array<i64: 1, 3, 4, 0, 2>}> : (tensor<1x2x16x4x8xf32>) -> tensor<2x4x8x1x16xf32>
    %38 = "stablehlo.dot_general"(%37, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x8x1x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x1x16x16xf32>
    %39 = "stablehlo.transpose"(%38) <{permutation = array<i64: 2, 0, 1, 3, 4>}> : (tensor<2x4x1x16x16xf32>) -> tensor<1x2x4x16x16xf32>
    %40 = "stablehlo.dot_general"(%37, %26) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [0, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x8x1x16xf32>, tensor<1x2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
    %41 = "stablehlo.transpose"(%40) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x8x16xf32>) -> tensor<2x16x4x8xf32>
    %42 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %43 = "stablehlo.multiply"(%39, %42) : (tensor<1x2x4x16x16xf32>, tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xf32>
    %44 = "stablehlo.multiply"(%43, %21) : (tensor<1x2x4x16x16xf32>, tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xf32>
    %45 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.reduce"(%44, %45) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %76 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%76) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x16x16xf32>, tensor<f32>) -> tensor<1x2x4x16xf32>
    %47 = "stablehlo.reshape"(%46) : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x1xf32>
    %48 = "stablehlo.negate"(%47) : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x1xf32>
    %49 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x4x16x1xf32>) -> tensor<1x2x4x16x16xf32>
    %50 = "stablehlo.divide"(%39, %49) : (tensor<1x2x4x16x16xf32>, tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xf32>
    %51 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.reduce"(%48, %51) <{dimensions = array<i64: 0, 4>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %75 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%75) : (tensor<f32>) -> ()
    }) : (tensor<1x2x4x16x1xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<2x4x16xf32>) -> tensor<1x2x4x16xf32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x4x16xf32>) -> tensor<1x2x4x16x16xf32>
    %55 = "stablehlo.add"(%50, %54) : (tensor<1x2x4x16x16xf32>, tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xf32>
    %56 = "stablehlo.multiply"(%55, %21) : (tensor<1x2x4x16x16xf32>, tensor<1x2x4x16x16xf32>) -> tensor<1x2x4x16x16xf32>
    %57 = "stablehlo.transpose"(%56) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x4x16x16xf32>) -> tensor<2x4x16x1x16xf32>
    %58 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x16x1x16xf32>
    %60 = "stablehlo.multiply"(%57, %59) : (tensor<2x4x16x1x16xf32>, tensor<2x4x16x1x16xf32>) -> tensor<2x4x16x1x16xf32>
    %61 = "stablehlo.dot_general"(%60, %6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x1x8xf32>) -> tensor<2x4x16x8xf32>
    %62 = "stablehlo.transpose"(%61) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x4x16x8xf32>) -> tensor<2x16x4x8xf32>
    %63 = "stablehlo.dot_general"(%60, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x1x8xf32>
    %64 = "stablehlo.transpose"(%63) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<2x4x16x1x8xf32>) -> tensor<2x16x4x1x8xf32>
    %65 = "stablehlo.reshape"(%64) : (tensor<2x16x4x1x8xf32>) -> tensor<2x16x4x8xf32>
    %66 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %67 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %68 = "func.call"(%65, %66, %67) <{callee = @clip}> : (tensor<2x16x4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x16x4x8xf32>
    %69 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %70 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %71 = "func.call"(%62, %69, %70) <{callee = @clip}> : (tensor<2x16x4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x16x4x8xf32>
    %72 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %73 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %74 = "func.call"(%41, %72, %73) <{callee = @clip}> : (tensor<2x16x4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x16x4x8xf32>
    "func.return"(%34, %68, %71, %74) : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x16x4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x16x4x8xf32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x16x4x8xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<i32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x4x8xf32>
    %2 = "stablehlo.maximum"(%1, %arg0) : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xf32>
    %3 = "stablehlo.convert"(%arg2) : (tensor<i32>) -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x4x8xf32>
    %5 = "stablehlo.minimum"(%4, %2) : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xf32>
    "func.return"(%5) : (tensor<2x16x4x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
