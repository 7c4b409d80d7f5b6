// The norm of one number that is broadcast is of all that it becomes.
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<64x64xf32>, tensor<1xf32>) -> (tensor<64x64xf32>, tensor<1xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<64x64xf32>, %arg1: tensor<1xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xf32>) -> tensor<512xf32>
    %5 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %6 = "stablehlo.multiply"(%4, %4) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %7 = "stablehlo.reduce"(%5, %0) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %19 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%19) : (tensor<f32>) -> ()
    }) : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
    %8 = "stablehlo.reduce"(%6, %0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %18 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<512xf32>, tensor<f32>) -> tensor<f32>
    %9 = "stablehlo.add"(%7, %8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %10 = "stablehlo.sqrt"(%9) : (tensor<f32>) -> tensor<f32>
    %11 = "stablehlo.add"(%10, %3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %12 = "stablehlo.divide"(%2, %11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %13 = "stablehlo.minimum"(%12, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x64xf32>
    %15 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %16 = "stablehlo.multiply"(%arg0, %14) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %17 = "stablehlo.multiply"(%arg1, %15) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    "func.return"(%16, %17) : (tensor<64x64xf32>, tensor<1xf32>) -> ()
  }) : () -> ()
}) : () -> ()
