// Numbers that a few sizes do not determine: rows that begin at 9 - n, in a
// window that is larger than the real one, and the larger one of two sizes,
// which is m wherever the samples of derived variants have n <= m.
// RUN: gaudi-run %s --shape=arg0:n=2..9 --shape=arg1:m=1..16 --buckets=n,m=9x16 --sizes=n=5,m=3 --check --poison-padding --seed-inputs=1 | FileCheck %s
// RUN: gaudi-run %s --shape=arg0:n=2..9 --shape=arg1:m=1..16 '--buckets=n=3,5,9;m=1,4,16' --sizes=n=8,m=1 --check --poison-padding --seed-inputs=2 | FileCheck %s
// RUN: gaudi-run %s --shape=arg0:n=2..9 --shape=arg1:m=1..16 '--buckets=n=3,5,9;m=1,4,16' --sizes=n=3,m=12 --check --poison-padding --seed-inputs=3 | FileCheck %s
// CHECK: --check passed: 2 outputs within tolerance
// RUN: gaudi-run %s --shape=arg0:n=2..9 --shape=arg1:m=1..16 '--buckets=n=3,5,9;m=1,4,16' --remarks=all --compile-only -o %t.recipe 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: variants are compiled one by one: '{{.*}}' cannot be interpolated from samples
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?x4xf32>, tensor<?xf32>, tensor<9x4xf32>) -> (tensor<?x4xf32>, tensor<f32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%x: tensor<?x4xf32>, %y: tensor<?xf32>, %z: tensor<9x4xf32>):
    %nine = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> tensor<i32>
    %four = "stablehlo.constant"() <{value = dense<4> : tensor<1xi32>}> : () -> tensor<1xi32>
    %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
    %m = "stablehlo.get_dimension_size"(%y) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
    %begin = "stablehlo.subtract"(%nine, %n) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %start = "stablehlo.reshape"(%begin) : (tensor<i32>) -> tensor<1xi32>
    %rows = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
    %window = "stablehlo.concatenate"(%rows, %four) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %last = "stablehlo.dynamic_gather"(%z, %start, %window) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>}> : (tensor<9x4xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?x4xf32>
    %sum = "stablehlo.add"(%x, %last) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %larger = "stablehlo.maximum"(%n, %m) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %shape = "stablehlo.reshape"(%larger) : (tensor<i32>) -> tensor<1xi32>
    %ones = "stablehlo.dynamic_broadcast_in_dim"(%one, %shape) <{broadcast_dimensions = array<i64>}> : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %count = "stablehlo.reduce"(%ones, %zero) <{dimensions = array<i64: 0>}> ({
    ^bb1(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%sum, %count) : (tensor<?x4xf32>, tensor<f32>) -> ()
  }) : () -> ()
}) : () -> ()
