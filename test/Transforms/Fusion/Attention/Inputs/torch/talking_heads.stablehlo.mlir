// not fused: the heads are mixed between softmax and product
// origin: scripts/attention-corpus.py, PyTorch 2.13, torch-mlir 20261001, stablehlo
// attentions: 0
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>, tensor<3x3xf32>) -> tensor<2x3x5x6xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x5x4xf32>, %arg1: tensor<2x3x7x4xf32>, %arg2: tensor<2x3x7x6xf32>, %arg3: tensor<3x3xf32>):
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
    %13 = "stablehlo.reduce"(%12, %0) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %43 = "stablehlo.maximum"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%43) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x7xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %14 = "stablehlo.reshape"(%13) : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %16 = "stablehlo.subtract"(%12, %15) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %17 = "stablehlo.exponential"(%16) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %18 = "stablehlo.reduce"(%17, %1) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %42 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%42) : (tensor<f32>) -> ()
    }) : (tensor<2x3x5x7xf32>, tensor<f32>) -> tensor<2x3x5xf32>
    %19 = "stablehlo.reshape"(%18) : (tensor<2x3x5xf32>) -> tensor<2x3x5x1xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x3x5x1xf32>) -> tensor<2x3x5x7xf32>
    %21 = "stablehlo.divide"(%17, %20) : (tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
    %22 = "stablehlo.reshape"(%arg3) : (tensor<3x3xf32>) -> tensor<3x3x1xf32>
    %23 = "stablehlo.reshape"(%22) : (tensor<3x3x1xf32>) -> tensor<3x3x1x1xf32>
    %24 = "stablehlo.reshape"(%23) : (tensor<3x3x1x1xf32>) -> tensor<3x3x1x1x1xf32>
    %25 = "stablehlo.transpose"(%24) <{permutation = array<i64: 2, 0, 3, 4, 1>}> : (tensor<3x3x1x1x1xf32>) -> tensor<1x3x1x1x3xf32>
    %26 = "stablehlo.reshape"(%21) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7x1xf32>
    %27 = "stablehlo.transpose"(%26) <{permutation = array<i64: 0, 4, 2, 3, 1>}> : (tensor<2x3x5x7x1xf32>) -> tensor<2x1x5x7x3xf32>
    %28 = "stablehlo.transpose"(%25) <{permutation = array<i64: 1, 4, 0, 2, 3>}> : (tensor<1x3x1x1x3xf32>) -> tensor<3x3x1x1x1xf32>
    %29 = "stablehlo.reshape"(%28) : (tensor<3x3x1x1x1xf32>) -> tensor<1x3x3xf32>
    %30 = "stablehlo.transpose"(%27) <{permutation = array<i64: 4, 0, 2, 3, 1>}> : (tensor<2x1x5x7x3xf32>) -> tensor<3x2x5x7x1xf32>
    %31 = "stablehlo.reshape"(%30) : (tensor<3x2x5x7x1xf32>) -> tensor<1x3x70xf32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x3x70xf32>) -> tensor<1x3x70xf32>
    %33 = "stablehlo.dot_general"(%29, %32) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<1x3x3xf32>, tensor<1x3x70xf32>) -> tensor<1x3x70xf32>
    %34 = "stablehlo.reshape"(%33) : (tensor<1x3x70xf32>) -> tensor<3x1x2x5x7xf32>
    %35 = "stablehlo.transpose"(%34) <{permutation = array<i64: 2, 0, 3, 4, 1>}> : (tensor<3x1x2x5x7xf32>) -> tensor<2x3x5x7x1xf32>
    %36 = "stablehlo.reshape"(%35) : (tensor<2x3x5x7x1xf32>) -> tensor<2x3x5x7xf32>
    %37 = "stablehlo.reshape"(%36) : (tensor<2x3x5x7xf32>) -> tensor<6x5x7xf32>
    %38 = "stablehlo.reshape"(%arg2) : (tensor<2x3x7x6xf32>) -> tensor<6x7x6xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<6x7x6xf32>) -> tensor<6x7x6xf32>
    %40 = "stablehlo.dot_general"(%37, %39) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<6x5x7xf32>, tensor<6x7x6xf32>) -> tensor<6x5x6xf32>
    %41 = "stablehlo.reshape"(%40) : (tensor<6x5x6xf32>) -> tensor<2x3x5x6xf32>
    "func.return"(%41) : (tensor<2x3x5x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
