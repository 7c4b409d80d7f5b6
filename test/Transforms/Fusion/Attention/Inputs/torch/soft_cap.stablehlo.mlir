// not fused: the scores pass a tanh (a soft cap)
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, stablehlo
// attentions: 0
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) -> tensor<2x3x5x6xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x5x4xf32>, %arg1: tensor<2x3x7x4xf32>, %arg2: tensor<2x3x7x6xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "arith.constant"() <{value = dense<10> : tensor<1xi64>}> : () -> tensor<1xi64>
    %3 = "arith.constant"() <{value = dense<5> : tensor<1xi64>}> : () -> tensor<1xi64>
    %4 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x3x7x4xf32>) -> tensor<2x3x4x7xf32>
    %5 = "stablehlo.reshape"(%arg0) : (tensor<2x3x5x4xf32>) -> tensor<6x5x4xf32>
    %6 = "stablehlo.reshape"(%4) : (tensor<2x3x4x7xf32>) -> tensor<6x4x7xf32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<6x4x7xf32>) -> tensor<6x4x7xf32>
    %8 = "stablehlo.dot_general"(%5, %7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<6x5x4xf32>, tensor<6x4x7xf32>) -> tensor<6x5x7xf32>
    %9 = "stablehlo.reshape"(%8) : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32>
    %10 = "stablehlo.convert"(%2) : (tensor<1xi64>) -> tensor<1xf32>
    %11 = "stablehlo.reshape"(%10) : (tensor<1xf32>) -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %13 = "stablehlo.divide"(%9, %12) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %14 = "stablehlo.tanh"(%13) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %15 = "stablehlo.convert"(%3) : (tensor<1xi64>) -> tensor<1xf32>
    %16 = "stablehlo.reshape"(%15) : (tensor<1xf32>) -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x5x7xf32>
    %18 = "stablehlo.multiply"(%14, %17) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %19 = "stablehlo.reduce"(%18, %0) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %34 = "stablehlo.maximum"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%34) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x7xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %20 = "stablehlo.reshape"(%19) : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %22 = "stablehlo.subtract"(%18, %21) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %23 = "stablehlo.exponential"(%22) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %24 = "stablehlo.reduce"(%23, %1) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %33 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%33) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x7xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %25 = "stablehlo.reshape"(%24) : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %27 = "stablehlo.divide"(%23, %26) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %28 = "stablehlo.reshape"(%27) : (tensor<2x3x5x7xf32>) -> tensor<6x5x7xf32>
    %29 = "stablehlo.reshape"(%arg2) : (tensor<2x3x7x6xf32>) -> tensor<6x7x6xf32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<6x7x6xf32>) -> tensor<6x7x6xf32>
    %31 = "stablehlo.dot_general"(%28, %30) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<6x5x7xf32>, tensor<6x7x6xf32>) -> tensor<6x5x6xf32>
    %32 = "stablehlo.reshape"(%31) : (tensor<6x5x6xf32>) -> tensor<2x3x5x6xf32>
    "func.return"(%32) : (tensor<2x3x5x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
