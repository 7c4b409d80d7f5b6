"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%x: tensor<?x4xf32>, %w: tensor<4x4xf32>):
    %0 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
    %1 = "stablehlo.tanh"(%0) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    "func.return"(%1) : (tensor<?x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
