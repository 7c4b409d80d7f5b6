"builtin.module"() <{sym_name = "jit_integers"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x8xi32>, tensor<8x8xi32>) -> (tensor<8x8xi32>, tensor<8x8xi32>, tensor<8xi32>, tensor<8x8xi32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg12: tensor<8x8xi32>, %arg13: tensor<8x8xi32>):
    %28 = "stablehlo.minimum"(%arg12, %arg13) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %29 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x8xi32>
    %31 = "stablehlo.multiply"(%28, %30) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %32 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x8xi32>
    %34 = "stablehlo.shift_right_arithmetic"(%arg12, %33) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %35 = "stablehlo.subtract"(%31, %34) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %36 = "func.call"(%35) <{callee = @cumsum}> : (tensor<8x8xi32>) -> tensor<8x8xi32>
    %37 = "stablehlo.compare"(%arg12, %arg13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %38 = "stablehlo.xor"(%arg13, %arg12) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %39 = "func.call"(%37, %35, %38) <{callee = @_where}> : (tensor<8x8xi1>, tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %40 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %41 = "func.call"(%35, %40) <{callee = @remainder}> : (tensor<8x8xi32>, tensor<i32>) -> tensor<8x8xi32>
    %42 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %43 = "stablehlo.reduce"(%41, %42) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg14: tensor<i32>, %arg15: tensor<i32>):
      %46 = "stablehlo.add"(%arg14, %arg15) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%46) : (tensor<i32>) -> ()
    }) : (tensor<8x8xi32>, tensor<i32>) -> tensor<8xi32>
    %44 = "stablehlo.transpose"(%35) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xi32>) -> tensor<8x8xi32>
    %45 = "stablehlo.dot_general"(%44, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    "func.return"(%36, %39, %43, %45) : (tensor<8x8xi32>, tensor<8x8xi32>, tensor<8xi32>, tensor<8x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x8xi32>) -> tensor<8x8xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<8x8xi32>):
    %27 = "func.call"(%arg11) <{callee = @cumsum_0}> : (tensor<8x8xi32>) -> tensor<8x8xi32>
    "func.return"(%27) : (tensor<8x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8x8xi32>) -> tensor<8x8xi32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<8x8xi32>):
    %23 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %25 = "stablehlo.reduce_window"(%arg8, %24) <{base_dilations = array<i64: 1, 1>, padding = dense<[[7, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 8, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg9: tensor<i32>, %arg10: tensor<i32>):
      %26 = "stablehlo.add"(%arg9, %arg10) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%26) : (tensor<i32>) -> ()
    }) : (tensor<8x8xi32>, tensor<i32>) -> tensor<8x8xi32>
    "func.return"(%25) : (tensor<8x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x8xi1>, tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<8x8xi1>, %arg6: tensor<8x8xi32>, %arg7: tensor<8x8xi32>):
    %22 = "stablehlo.select"(%arg5, %arg6, %arg7) : (tensor<8x8xi1>, tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    "func.return"(%22) : (tensor<8x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x8xi32>, tensor<i32>) -> tensor<8x8xi32>, res_attrs = [{}], sym_name = "remainder", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<8x8xi32>, %arg4: tensor<i32>):
    %1 = "stablehlo.convert"(%arg4) : (tensor<i32>) -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.compare"(%1, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %5 = "func.call"(%3, %4, %1) <{callee = @_where_1}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x8xi32>
    %7 = "stablehlo.remainder"(%arg3, %6) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %8 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x8xi32>
    %10 = "stablehlo.compare"(%7, %9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x8xi32>
    %13 = "stablehlo.compare"(%7, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %14 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %15 = "stablehlo.compare"(%5, %14) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<8x8xi1>
    %17 = "stablehlo.compare"(%13, %16) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1>
    %18 = "stablehlo.and"(%17, %10) : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1>
    %19 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x8xi32>
    %20 = "stablehlo.add"(%7, %19) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %21 = "stablehlo.select"(%18, %20, %7) : (tensor<8x8xi1>, tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    "func.return"(%21) : (tensor<8x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
