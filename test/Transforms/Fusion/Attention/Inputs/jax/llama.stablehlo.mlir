// Llama: RoPE by complex numbers written as pairs, keys repeated per group
// origin: scripts/attention-corpus.py, JAX 0.10.2
// attentions: 1
"builtin.module"() <{sym_name = "jit_llama"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x6x4x4xf32>, tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) -> tensor<2x6x4x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<2x6x4x4xf32>, %arg5: tensor<2x6x2x4xf32>, %arg6: tensor<2x6x2x4xf32>):
    %13 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xi32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x1xi32>
    %15 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xi32>
    %16 = "stablehlo.negate"(%15) : (tensor<2xi32>) -> tensor<2xi32>
    %17 = "stablehlo.convert"(%16) : (tensor<2xi32>) -> tensor<2xf32>
    %18 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %20 = "stablehlo.divide"(%17, %19) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %21 = "stablehlo.constant"() <{value = dense<1.000000e+04> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %23 = "stablehlo.power"(%22, %20) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %24 = "stablehlo.convert"(%14) : (tensor<6x1xi32>) -> tensor<6x1xf32>
    %25 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 1>}> : (tensor<2xf32>) -> tensor<1x2xf32>
    %26 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x2xf32>) -> tensor<6x2xf32>
    %28 = "stablehlo.multiply"(%26, %27) : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xf32>
    %29 = "stablehlo.cosine"(%28) : (tensor<6x2xf32>) -> tensor<6x2xf32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<6x2xf32>) -> tensor<6x1x2xf32>
    %31 = "stablehlo.sine"(%28) : (tensor<6x2xf32>) -> tensor<6x2xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<6x2xf32>) -> tensor<6x1x2xf32>
    %33 = "stablehlo.slice"(%arg5) <{limit_indices = array<i64: 2, 6, 2, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 2>}> : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2xf32>
    %34 = "stablehlo.slice"(%arg5) <{limit_indices = array<i64: 2, 6, 2, 4>, start_indices = array<i64: 0, 0, 0, 1>, strides = array<i64: 1, 1, 1, 2>}> : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2xf32>
    %35 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<6x1x2xf32>) -> tensor<1x6x1x2xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x6x1x2xf32>) -> tensor<2x6x2x2xf32>
    %37 = "stablehlo.multiply"(%33, %36) : (tensor<2x6x2x2xf32>, tensor<2x6x2x2xf32>) -> tensor<2x6x2x2xf32>
    %38 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<6x1x2xf32>) -> tensor<1x6x1x2xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x6x1x2xf32>) -> tensor<2x6x2x2xf32>
    %40 = "stablehlo.multiply"(%34, %39) : (tensor<2x6x2x2xf32>, tensor<2x6x2x2xf32>) -> tensor<2x6x2x2xf32>
    %41 = "stablehlo.subtract"(%37, %40) : (tensor<2x6x2x2xf32>, tensor<2x6x2x2xf32>) -> tensor<2x6x2x2xf32>
    %42 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<6x1x2xf32>) -> tensor<1x6x1x2xf32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x6x1x2xf32>) -> tensor<2x6x2x2xf32>
    %44 = "stablehlo.multiply"(%33, %43) : (tensor<2x6x2x2xf32>, tensor<2x6x2x2xf32>) -> tensor<2x6x2x2xf32>
    %45 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<6x1x2xf32>) -> tensor<1x6x1x2xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x6x1x2xf32>) -> tensor<2x6x2x2xf32>
    %47 = "stablehlo.multiply"(%34, %46) : (tensor<2x6x2x2xf32>, tensor<2x6x2x2xf32>) -> tensor<2x6x2x2xf32>
    %48 = "stablehlo.add"(%44, %47) : (tensor<2x6x2x2xf32>, tensor<2x6x2x2xf32>) -> tensor<2x6x2x2xf32>
    %49 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x6x2x2xf32>) -> tensor<2x6x2x2x1xf32>
    %50 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x6x2x2xf32>) -> tensor<2x6x2x2x1xf32>
    %51 = "stablehlo.concatenate"(%49, %50) <{dimension = 4 : i64}> : (tensor<2x6x2x2x1xf32>, tensor<2x6x2x2x1xf32>) -> tensor<2x6x2x2x2xf32>
    %52 = "stablehlo.reshape"(%51) : (tensor<2x6x2x2x2xf32>) -> tensor<2x6x2x4xf32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2x4xf32>
    %54 = "stablehlo.reshape"(%53) : (tensor<2x6x2x2x4xf32>) -> tensor<2x6x4x4xf32>
    %55 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x2x4xf32>
    %56 = "stablehlo.reshape"(%55) : (tensor<2x6x2x2x4xf32>) -> tensor<2x6x4x4xf32>
    %57 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xi32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x1xi32>
    %59 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xi32>
    %60 = "stablehlo.negate"(%59) : (tensor<2xi32>) -> tensor<2xi32>
    %61 = "stablehlo.convert"(%60) : (tensor<2xi32>) -> tensor<2xf32>
    %62 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %64 = "stablehlo.divide"(%61, %63) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %65 = "stablehlo.constant"() <{value = dense<1.000000e+04> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
    %67 = "stablehlo.power"(%66, %64) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %68 = "stablehlo.convert"(%58) : (tensor<6x1xi32>) -> tensor<6x1xf32>
    %69 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 1>}> : (tensor<2xf32>) -> tensor<1x2xf32>
    %70 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %71 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x2xf32>) -> tensor<6x2xf32>
    %72 = "stablehlo.multiply"(%70, %71) : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xf32>
    %73 = "stablehlo.cosine"(%72) : (tensor<6x2xf32>) -> tensor<6x2xf32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<6x2xf32>) -> tensor<6x1x2xf32>
    %75 = "stablehlo.sine"(%72) : (tensor<6x2xf32>) -> tensor<6x2xf32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<6x2xf32>) -> tensor<6x1x2xf32>
    %77 = "stablehlo.slice"(%arg4) <{limit_indices = array<i64: 2, 6, 4, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 2>}> : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x2xf32>
    %78 = "stablehlo.slice"(%arg4) <{limit_indices = array<i64: 2, 6, 4, 4>, start_indices = array<i64: 0, 0, 0, 1>, strides = array<i64: 1, 1, 1, 2>}> : (tensor<2x6x4x4xf32>) -> tensor<2x6x4x2xf32>
    %79 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<6x1x2xf32>) -> tensor<1x6x1x2xf32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x6x1x2xf32>) -> tensor<2x6x4x2xf32>
    %81 = "stablehlo.multiply"(%77, %80) : (tensor<2x6x4x2xf32>, tensor<2x6x4x2xf32>) -> tensor<2x6x4x2xf32>
    %82 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<6x1x2xf32>) -> tensor<1x6x1x2xf32>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x6x1x2xf32>) -> tensor<2x6x4x2xf32>
    %84 = "stablehlo.multiply"(%78, %83) : (tensor<2x6x4x2xf32>, tensor<2x6x4x2xf32>) -> tensor<2x6x4x2xf32>
    %85 = "stablehlo.subtract"(%81, %84) : (tensor<2x6x4x2xf32>, tensor<2x6x4x2xf32>) -> tensor<2x6x4x2xf32>
    %86 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<6x1x2xf32>) -> tensor<1x6x1x2xf32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x6x1x2xf32>) -> tensor<2x6x4x2xf32>
    %88 = "stablehlo.multiply"(%77, %87) : (tensor<2x6x4x2xf32>, tensor<2x6x4x2xf32>) -> tensor<2x6x4x2xf32>
    %89 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<6x1x2xf32>) -> tensor<1x6x1x2xf32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x6x1x2xf32>) -> tensor<2x6x4x2xf32>
    %91 = "stablehlo.multiply"(%78, %90) : (tensor<2x6x4x2xf32>, tensor<2x6x4x2xf32>) -> tensor<2x6x4x2xf32>
    %92 = "stablehlo.add"(%88, %91) : (tensor<2x6x4x2xf32>, tensor<2x6x4x2xf32>) -> tensor<2x6x4x2xf32>
    %93 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x6x4x2xf32>) -> tensor<2x6x4x2x1xf32>
    %94 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x6x4x2xf32>) -> tensor<2x6x4x2x1xf32>
    %95 = "stablehlo.concatenate"(%93, %94) <{dimension = 4 : i64}> : (tensor<2x6x4x2x1xf32>, tensor<2x6x4x2x1xf32>) -> tensor<2x6x4x2x2xf32>
    %96 = "stablehlo.reshape"(%95) : (tensor<2x6x4x2x2xf32>) -> tensor<2x6x4x4xf32>
    %97 = "stablehlo.dot_general"(%96, %54) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) -> tensor<2x4x6x6xf32>
    %98 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %100 = "stablehlo.multiply"(%97, %99) : (tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %101 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<6x6xi1>
    %103 = "func.call"(%102) <{callee = @tril}> : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %104 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %105 = "func.call"(%103, %100, %104) <{callee = @_where}> : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %106 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.reduce"(%105, %106) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %123 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%123) : (tensor<f32>) -> ()
    }) : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %108 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x6xf32>
    %110 = "stablehlo.maximum"(%109, %107) : (tensor<2x4x6xf32>, tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %112 = "stablehlo.broadcast_in_dim"(%111) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %113 = "stablehlo.subtract"(%105, %112) : (tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %114 = "stablehlo.exponential"(%113) : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %115 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.reduce"(%114, %115) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %122 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%122) : (tensor<f32>) -> ()
    }) : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %118 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %119 = "stablehlo.divide"(%114, %118) : (tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %120 = "stablehlo.dot_general"(%56, %119) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x6x4x4xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x4x6xf32>
    %121 = "stablehlo.transpose"(%120) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x4x6xf32>) -> tensor<2x6x4x4xf32>
    "func.return"(%121) : (tensor<2x6x4x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6x6xi1>) -> tensor<6x6xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<6x6xi1>):
    %4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6x6xi32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6x6xi32>
    %7 = "stablehlo.add"(%4, %6) : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi32>
    %8 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x6xi32>
    %9 = "stablehlo.compare"(%7, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %10 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<6x6xi1>
    %12 = "stablehlo.select"(%9, %arg3, %11) : (tensor<6x6xi1>, tensor<6x6xi1>, tensor<6x6xi1>) -> tensor<6x6xi1>
    "func.return"(%12) : (tensor<6x6xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<6x6xi1>, %arg1: tensor<2x4x6x6xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<6x6xi1>) -> tensor<2x4x6x6xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %3 = "stablehlo.select"(%1, %arg1, %2) : (tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    "func.return"(%3) : (tensor<2x4x6x6xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
