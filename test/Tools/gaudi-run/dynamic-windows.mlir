// Windows and paddings that are operands, as exporters write them for dynamic
// sizes: sums up to each element and from it on, and a convolution that keeps
// the size (padding SAME) with a stride, whose first padding depends on whether
// the size is odd. The expected values are worked out by hand.
// RUN: gaudi-run %s --shape=arg0:n=2..12 --shape=arg1:n --buckets=4,7,12 --compile-only -o %t
// RUN: gaudi-run %t --poison-padding "--input=5xf32=1 2 3 4 5" "--input=1x5x1xf32=1 2 3 4 5" "--input=3x1x1xf32=1 10 100" \
// RUN:   "--expect=out0=5xf32=1 3 6 10 15" "--expect=out1=5xf32=15 14 12 9 5" "--expect=out2=1x3x1xf32=210 432 54"
// RUN: gaudi-run %t --poison-padding "--input=4xf32=1 2 3 4" "--input=1x4x1xf32=1 2 3 4" "--input=3x1x1xf32=1 10 100" \
// RUN:   "--expect=out0=4xf32=1 3 6 10" "--expect=out1=4xf32=10 9 7 4" "--expect=out2=1x2x1xf32=321 43"
// RUN: gaudi-run %t --poison-padding "--input=8xf32=1 2 3 4 5 6 7 8" "--input=1x8x1xf32=1 2 3 4 5 6 7 8" "--input=3x1x1xf32=1 10 100" \
// RUN:   "--expect=out0=8xf32=1 3 6 10 15 21 28 36" "--expect=out1=8xf32=36 35 33 30 26 21 15 8" "--expect=out2=1x4x1xf32=321 543 765 87"
// The constant sizes of a padding.
// RUN: gaudi-run %s --shape=arg0:n=2..12/2 --shape=arg1:n --buckets=4,12 --sizes=n=6 --seed-inputs=1 --poison-padding --check
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f32>, tensor<f32>) -> tensor<f32>, sym_name = "sum"}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?xf32>, tensor<1x?x1xf32>, tensor<3x1x1xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<1x?x1xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%x: tensor<?xf32>, %line: tensor<1x?x1xf32>, %filter: tensor<3x1x1xf32>):
    %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %c1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %c2 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %c3 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %none = "stablehlo.constant"() <{value = dense<0> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
    %window = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
    %rest = "stablehlo.subtract"(%n, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %rests = "stablehlo.reshape"(%rest) : (tensor<i32>) -> tensor<1x1xi32>
    %before = "stablehlo.concatenate"(%rests, %none) <{dimension = 1 : i64}> : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x2xi32>
    %after = "stablehlo.concatenate"(%none, %rests) <{dimension = 1 : i64}> : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x2xi32>
    %up = "stablehlo.custom_call"(%x, %zero, %window, %one, %one, %one, %before) <{call_target_name = "stablehlo.dynamic_reduce_window", called_computations = [@sum]}> : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
    %down = "stablehlo.custom_call"(%x, %zero, %window, %one, %one, %one, %after) <{call_target_name = "stablehlo.dynamic_reduce_window", called_computations = [@sum]}> : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
    // max((ceil(n / 2) - 1) * 2 + 3 - n, 0)
    %n1 = "stablehlo.add"(%n, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %half = "stablehlo.divide"(%n1, %c2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %steps = "stablehlo.subtract"(%half, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %reach = "stablehlo.multiply"(%steps, %c2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %span = "stablehlo.add"(%reach, %c3) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %missing = "stablehlo.subtract"(%span, %n) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %total = "stablehlo.maximum"(%missing, %c0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %low = "stablehlo.divide"(%total, %c2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %high = "stablehlo.subtract"(%total, %low) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %low2 = "stablehlo.reshape"(%low) : (tensor<i32>) -> tensor<1x1xi32>
    %high2 = "stablehlo.reshape"(%high) : (tensor<i32>) -> tensor<1x1xi32>
    %padding = "stablehlo.concatenate"(%low2, %high2) <{dimension = 1 : i64}> : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x2xi32>
    %same = "stablehlo.dynamic_conv"(%line, %filter, %padding) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 2>}> : (tensor<1x?x1xf32>, tensor<3x1x1xf32>, tensor<1x2xi32>) -> tensor<1x?x1xf32>
    "func.return"(%up, %down, %same) : (tensor<?xf32>, tensor<?xf32>, tensor<1x?x1xf32>) -> ()
  }) : () -> ()
}) : () -> ()
