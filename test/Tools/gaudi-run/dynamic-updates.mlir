// An update, a padding and a number of iterations that are sizes. The expected
// values are worked out by hand.
// RUN: gaudi-run %s --shape=arg0:t=4..9 --shape=arg1:s=1..4 --buckets=t=explicit:5,9,s=explicit:3,4 --compile-only -o %t
// RUN: gaudi-run %t --poison-padding "--input=5x1xf32=0 1 2 3 4" "--input=2x1xf32=10 20" "--input=i32=1" \
// RUN:   "--expect=out0=5x1xf32=0 10 20 3 4" "--expect=out1=5x1xf32=10 20 7 7 7" "--expect=out2=1x1xf32=30"
// A start that is too large goes to the last one that is not.
// RUN: gaudi-run %t --poison-padding "--input=5x1xf32=0 1 2 3 4" "--input=2x1xf32=10 20" "--input=i32=9" \
// RUN:   "--expect=out0=5x1xf32=0 1 2 10 20" "--expect=out1=5x1xf32=10 20 7 7 7" "--expect=out2=1x1xf32=30"
// RUN: gaudi-run %t --poison-padding "--input=4x1xf32=0 1 2 3" "--input=4x1xf32=1 2 3 4" "--input=i32=2" \
// RUN:   "--expect=out0=4x1xf32=1 2 3 4" "--expect=out1=4x1xf32=1 2 3 4" "--expect=out2=1x1xf32=10"
// RUN: gaudi-run %t --poison-padding "--input=8x1xf32=0 1 2 3 4 5 6 7" "--input=1x1xf32=5" "--input=i32=0" \
// RUN:   "--expect=out0=8x1xf32=5 1 2 3 4 5 6 7" "--expect=out1=8x1xf32=5 7 7 7 7 7 7 7" "--expect=out2=1x1xf32=5"
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?x1xf32>, tensor<?x1xf32>, tensor<i32>) -> (tensor<?x1xf32>, tensor<?x1xf32>, tensor<1x1xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%cache: tensor<?x1xf32>, %x: tensor<?x1xf32>, %at: tensor<i32>):
    %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %none = "stablehlo.constant"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %nowhere = "stablehlo.constant"() <{value = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
    %seven = "stablehlo.constant"() <{value = dense<7.0> : tensor<f32>}> : () -> tensor<f32>
    %start = "stablehlo.constant"() <{value = dense<0.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %t = "stablehlo.get_dimension_size"(%cache) <{dimension = 0 : i64}> : (tensor<?x1xf32>) -> tensor<i32>
    %s = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x1xf32>) -> tensor<i32>
    %0 = "stablehlo.dynamic_update_slice"(%cache, %x, %at, %zero) : (tensor<?x1xf32>, tensor<?x1xf32>, tensor<i32>, tensor<i32>) -> tensor<?x1xf32>
    %rest = "stablehlo.subtract"(%t, %s) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %rest1 = "stablehlo.reshape"(%rest) : (tensor<i32>) -> tensor<1xi32>
    %high = "stablehlo.concatenate"(%rest1, %none) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %1 = "stablehlo.dynamic_pad"(%x, %seven, %nowhere, %high, %nowhere) : (tensor<?x1xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x1xf32>
    %2:4 = "stablehlo.while"(%zero, %s, %x, %start) ({
    ^bb0(%i: tensor<i32>, %n: tensor<i32>, %y: tensor<?x1xf32>, %sum: tensor<1x1xf32>):
      %less = "stablehlo.compare"(%i, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%less) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<i32>, %n: tensor<i32>, %y: tensor<?x1xf32>, %sum: tensor<1x1xf32>):
      %row = "stablehlo.dynamic_slice"(%y, %i, %zero) <{slice_sizes = array<i64: 1, 1>}> : (tensor<?x1xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>
      %next = "stablehlo.add"(%sum, %row) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
      %after = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%after, %n, %y, %next) : (tensor<i32>, tensor<i32>, tensor<?x1xf32>, tensor<1x1xf32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<?x1xf32>, tensor<1x1xf32>) -> (tensor<i32>, tensor<i32>, tensor<?x1xf32>, tensor<1x1xf32>)
    "func.return"(%0, %1, %2#3) : (tensor<?x1xf32>, tensor<?x1xf32>, tensor<1x1xf32>) -> ()
  }) : () -> ()
}) : () -> ()
