// The gradient of a softmax over queries: dV of the one is the output of another
// attention, whose value depends on that of the first. Written by JAX.
"builtin.module"() <{sym_name = "jit_f"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x1x3x2xf32>, tensor<3x1x7x2xf32>, tensor<3x1x7x2xf32>) -> (tensor<3x1x3x2xf32>, tensor<3x1x3x2xf32>, tensor<3x1x7x2xf32>, tensor<3x1x7x2xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x1x3x2xf32>, %arg1: tensor<3x1x7x2xf32>, %arg2: tensor<3x1x7x2xf32>):
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1x3x2xf32>
    %2 = "stablehlo.multiply"(%arg0, %1) : (tensor<3x1x3x2xf32>, tensor<3x1x3x2xf32>) -> tensor<3x1x3x2xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1x7x2xf32>
    %5 = "stablehlo.multiply"(%arg1, %4) : (tensor<3x1x7x2xf32>, tensor<3x1x7x2xf32>) -> tensor<3x1x7x2xf32>
    %6 = "stablehlo.dot_general"(%2, %5) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x1x3x2xf32>, tensor<3x1x7x2xf32>) -> tensor<3x1x3x7xf32>
    %7 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.reduce"(%6, %7) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %85 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%85) : (tensor<f32>) -> ()
    }) : (tensor<3x1x3x7xf32>, tensor<f32>) -> tensor<3x1x7xf32>
    %9 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1x7xf32>
    %11 = "stablehlo.maximum"(%10, %8) : (tensor<3x1x7xf32>, tensor<3x1x7xf32>) -> tensor<3x1x7xf32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<3x1x7xf32>) -> tensor<3x1x1x7xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x1x1x7xf32>) -> tensor<3x1x3x7xf32>
    %14 = "stablehlo.subtract"(%6, %13) : (tensor<3x1x3x7xf32>, tensor<3x1x3x7xf32>) -> tensor<3x1x3x7xf32>
    %15 = "stablehlo.exponential"(%14) : (tensor<3x1x3x7xf32>) -> tensor<3x1x3x7xf32>
    %16 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.reduce"(%15, %16) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %84 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%84) : (tensor<f32>) -> ()
    }) : (tensor<3x1x3x7xf32>, tensor<f32>) -> tensor<3x1x7xf32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<3x1x7xf32>) -> tensor<3x1x1x7xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x1x1x7xf32>) -> tensor<3x1x3x7xf32>
    %20 = "stablehlo.divide"(%15, %19) : (tensor<3x1x3x7xf32>, tensor<3x1x3x7xf32>) -> tensor<3x1x3x7xf32>
    %21 = "stablehlo.dot_general"(%20, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x1x3x7xf32>, tensor<3x1x7x2xf32>) -> tensor<3x1x3x2xf32>
    %22 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1x3x2xf32>
    %24 = "stablehlo.multiply"(%arg0, %23) : (tensor<3x1x3x2xf32>, tensor<3x1x3x2xf32>) -> tensor<3x1x3x2xf32>
    %25 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1x7x2xf32>
    %27 = "stablehlo.multiply"(%arg1, %26) : (tensor<3x1x7x2xf32>, tensor<3x1x7x2xf32>) -> tensor<3x1x7x2xf32>
    %28 = "stablehlo.dot_general"(%24, %27) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x1x3x2xf32>, tensor<3x1x7x2xf32>) -> tensor<3x1x3x7xf32>
    %29 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.reduce"(%28, %29) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %83 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%83) : (tensor<f32>) -> ()
    }) : (tensor<3x1x3x7xf32>, tensor<f32>) -> tensor<3x1x7xf32>
    %31 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1x7xf32>
    %33 = "stablehlo.maximum"(%32, %30) : (tensor<3x1x7xf32>, tensor<3x1x7xf32>) -> tensor<3x1x7xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<3x1x7xf32>) -> tensor<3x1x1x7xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x1x1x7xf32>) -> tensor<3x1x3x7xf32>
    %36 = "stablehlo.subtract"(%28, %35) : (tensor<3x1x3x7xf32>, tensor<3x1x3x7xf32>) -> tensor<3x1x3x7xf32>
    %37 = "stablehlo.exponential"(%36) : (tensor<3x1x3x7xf32>) -> tensor<3x1x3x7xf32>
    %38 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.reduce"(%37, %38) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %82 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%82) : (tensor<f32>) -> ()
    }) : (tensor<3x1x3x7xf32>, tensor<f32>) -> tensor<3x1x7xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<3x1x7xf32>) -> tensor<3x1x1x7xf32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x1x1x7xf32>) -> tensor<3x1x3x7xf32>
    %42 = "stablehlo.divide"(%37, %41) : (tensor<3x1x3x7xf32>, tensor<3x1x3x7xf32>) -> tensor<3x1x3x7xf32>
    %43 = "stablehlo.multiply"(%40, %40) : (tensor<3x1x1x7xf32>, tensor<3x1x1x7xf32>) -> tensor<3x1x1x7xf32>
    %44 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1x1x7xf32>
    %46 = "stablehlo.divide"(%45, %43) : (tensor<3x1x1x7xf32>, tensor<3x1x1x7xf32>) -> tensor<3x1x1x7xf32>
    %47 = "stablehlo.dot_general"(%42, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x1x3x7xf32>, tensor<3x1x7x2xf32>) -> tensor<3x1x3x2xf32>
    %48 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1x3x2xf32>
    %50 = "stablehlo.multiply"(%49, %47) : (tensor<3x1x3x2xf32>, tensor<3x1x3x2xf32>) -> tensor<3x1x3x2xf32>
    %51 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1x3x2xf32>
    %53 = "stablehlo.multiply"(%52, %50) : (tensor<3x1x3x2xf32>, tensor<3x1x3x2xf32>) -> tensor<3x1x3x2xf32>
    %54 = "stablehlo.dot_general"(%53, %42) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x1x3x2xf32>, tensor<3x1x3x7xf32>) -> tensor<3x1x2x7xf32>
    %55 = "stablehlo.transpose"(%54) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<3x1x2x7xf32>) -> tensor<3x1x7x2xf32>
    %56 = "stablehlo.dot_general"(%53, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x1x3x2xf32>, tensor<3x1x7x2xf32>) -> tensor<3x1x3x7xf32>
    %57 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x1x1x7xf32>) -> tensor<3x1x3x7xf32>
    %58 = "stablehlo.multiply"(%56, %57) : (tensor<3x1x3x7xf32>, tensor<3x1x3x7xf32>) -> tensor<3x1x3x7xf32>
    %59 = "stablehlo.multiply"(%58, %37) : (tensor<3x1x3x7xf32>, tensor<3x1x3x7xf32>) -> tensor<3x1x3x7xf32>
    %60 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %61 = "stablehlo.reduce"(%59, %60) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %81 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%81) : (tensor<f32>) -> ()
    }) : (tensor<3x1x3x7xf32>, tensor<f32>) -> tensor<3x1x7xf32>
    %62 = "stablehlo.reshape"(%61) : (tensor<3x1x7xf32>) -> tensor<3x1x1x7xf32>
    %63 = "stablehlo.negate"(%62) : (tensor<3x1x1x7xf32>) -> tensor<3x1x1x7xf32>
    %64 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<3x1x1x7xf32>) -> tensor<3x1x3x7xf32>
    %65 = "stablehlo.divide"(%56, %64) : (tensor<3x1x3x7xf32>, tensor<3x1x3x7xf32>) -> tensor<3x1x3x7xf32>
    %66 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %67 = "stablehlo.reduce"(%63, %66) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %80 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%80) : (tensor<f32>) -> ()
    }) : (tensor<3x1x1x7xf32>, tensor<f32>) -> tensor<3x7xf32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<3x7xf32>) -> tensor<3x1x7xf32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<3x1x7xf32>) -> tensor<3x1x3x7xf32>
    %70 = "stablehlo.add"(%65, %69) : (tensor<3x1x3x7xf32>, tensor<3x1x3x7xf32>) -> tensor<3x1x3x7xf32>
    %71 = "stablehlo.multiply"(%70, %37) : (tensor<3x1x3x7xf32>, tensor<3x1x3x7xf32>) -> tensor<3x1x3x7xf32>
    %72 = "stablehlo.dot_general"(%71, %24) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x1x3x7xf32>, tensor<3x1x3x2xf32>) -> tensor<3x1x7x2xf32>
    %73 = "stablehlo.dot_general"(%71, %27) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x1x3x7xf32>, tensor<3x1x7x2xf32>) -> tensor<3x1x3x2xf32>
    %74 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1x7x2xf32>
    %76 = "stablehlo.multiply"(%72, %75) : (tensor<3x1x7x2xf32>, tensor<3x1x7x2xf32>) -> tensor<3x1x7x2xf32>
    %77 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1x3x2xf32>
    %79 = "stablehlo.multiply"(%73, %78) : (tensor<3x1x3x2xf32>, tensor<3x1x3x2xf32>) -> tensor<3x1x3x2xf32>
    "func.return"(%21, %79, %76, %55) : (tensor<3x1x3x2xf32>, tensor<3x1x3x2xf32>, tensor<3x1x7x2xf32>, tensor<3x1x7x2xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
