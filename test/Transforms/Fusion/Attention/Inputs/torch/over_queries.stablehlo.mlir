// not fused: softmax over the queries
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, stablehlo
// attentions: 0
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) -> tensor<2x3x5x6xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x5x4xf32>, %arg1: tensor<2x3x7x4xf32>, %arg2: tensor<2x3x7x6xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "arith.constant"() <{value = dense<2> : tensor<1xi64>}> : () -> tensor<1xi64>
    %3 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x3x7x4xf32>) -> tensor<2x3x4x7xf32>
    %4 = "stablehlo.reshape"(%arg0) : (tensor<2x3x5x4xf32>) -> tensor<6x5x4xf32>
    %5 = "stablehlo.reshape"(%3) : (tensor<2x3x4x7xf32>) -> tensor<6x4x7xf32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<6x4x7xf32>) -> tensor<6x4x7xf32>
    %7 = "stablehlo.dot_general"(%4, %6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<6x5x4xf32>, tensor<6x4x7xf32>) -> tensor<6x5x7xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
    %9 = "stablehlo.convert"(%2) : (tensor<1xi64>) -> tensor<1xf32>
    %10 = "stablehlo.reshape"(%9) : (tensor<1xf32>) -> tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %12 = "stablehlo.divide"(%8, %11) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %13 = "stablehlo.reduce"(%12, %0) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %28 = "stablehlo.maximum"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%28) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x7xf32>, tensor<f32>) -> tensor<2x3x7xf32>
    %14 = "stablehlo.reshape"(%13) : (tensor<2x3x7xf32>) -> tensor<2x3x1x7xf32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x1x7xf32>) -> tensor<2x3x5x7xf32>
    %16 = "stablehlo.subtract"(%12, %15) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %17 = "stablehlo.exponential"(%16) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %18 = "stablehlo.reduce"(%17, %1) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %27 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%27) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x7xf32>, tensor<f32>) -> tensor<2x3x7xf32>
    %19 = "stablehlo.reshape"(%18) : (tensor<2x3x7xf32>) -> tensor<2x3x1x7xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x1x7xf32>) -> tensor<2x3x5x7xf32>
    %21 = "stablehlo.divide"(%17, %20) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %22 = "stablehlo.reshape"(%21) : (tensor<2x3x5x7xf32>) -> tensor<6x5x7xf32>
    %23 = "stablehlo.reshape"(%arg2) : (tensor<2x3x7x6xf32>) -> tensor<6x7x6xf32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<6x7x6xf32>) -> tensor<6x7x6xf32>
    %25 = "stablehlo.dot_general"(%22, %24) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<6x5x7xf32>, tensor<6x7x6xf32>) -> tensor<6x5x6xf32>
    %26 = "stablehlo.reshape"(%25) : (tensor<6x5x6xf32>) -> tensor<2x3x5x6xf32>
    "func.return"(%26) : (tensor<2x3x5x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
