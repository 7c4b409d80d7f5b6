// Reductions of values with their positions. The region may be written in any
// way that picks what the device picks for every order of two values.
// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -split-input-file | FileCheck %s
// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -split-input-file --remarks-filter=convert-stablehlo-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// As JAX writes it: a NaN wins, and the smaller position of equal values.
// CHECK-LABEL: @argmax
// CHECK-DAG: gaudi.tpc.reduce <max> %arg0 dims [1] : tensor<9x32xf32> -> tensor<9xf32>
// CHECK-DAG: gaudi.tpc.arg_reduce %arg0 axis 1 is_max : tensor<9x32xf32> -> tensor<9xi32>
// CHECK-NOT: gaudi.tpc.kernel
// WHY: [Passed] raise {{.*}}"raised to gaudi.tpc.arg_reduce: its region picks the same value and position for every order of two values"
func.func @argmax(%x: tensor<9x32xf32>) -> (tensor<9xf32>, tensor<9xi32>) {
  %i = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<9x32xi32>
  %least = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = "stablehlo.reduce"(%x, %i, %least, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
    %gt = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %left = "stablehlo.or"(%gt, %nan) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %eq = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%ai, %bi) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = "stablehlo.and"(%eq, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %first = "stablehlo.or"(%left, %tie) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %v = "stablehlo.select"(%left, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %p = "stablehlo.select"(%first, %ai, %bi) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%v, %p) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<9x32xf32>, tensor<9x32xi32>, tensor<f32>, tensor<i32>) -> (tensor<9xf32>, tensor<9xi32>)
  return %r#0, %r#1 : tensor<9xf32>, tensor<9xi32>
}

// -----

// Positions first, broadcast from a row; one comparison of integers, and the
// smaller of two positions by a minimum.
// CHECK-LABEL: @argmin_int
// CHECK-DAG: gaudi.tpc.reduce <min> %arg0 dims [0] : tensor<16x4xi32> -> tensor<4xi32>
// CHECK-DAG: gaudi.tpc.arg_reduce %arg0 axis 0 : tensor<16x4xi32> -> tensor<4xi64>
// WHY: [Passed] raise
func.func @argmin_int(%x: tensor<16x4xi32>) -> (tensor<4xi64>, tensor<4xi32>) {
  %row = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<16xi64>
  %i = "stablehlo.broadcast_in_dim"(%row) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xi64>) -> tensor<16x4xi64>
  %most = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
  %r:2 = "stablehlo.reduce"(%i, %x, %zero, %most) <{dimensions = array<i64: 0>}> ({
  ^bb0(%ai: tensor<i64>, %a: tensor<i32>, %bi: tensor<i64>, %b: tensor<i32>):
    %le = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %eq = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = "stablehlo.select"(%le, %a, %b) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %p = "stablehlo.select"(%le, %ai, %bi) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %m = "stablehlo.minimum"(%ai, %bi) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %q = "stablehlo.select"(%eq, %m, %p) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%q, %v) : (tensor<i64>, tensor<i32>) -> ()
  }) : (tensor<16x4xi64>, tensor<16x4xi32>, tensor<i64>, tensor<i32>) -> (tensor<4xi64>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<4xi64>, tensor<4xi32>
}

// -----

// A comparison that no NaN passes, from the left: NaN is skipped. The constant
// holds the positions.
// CHECK-LABEL: @skips_nan
// CHECK: gaudi.tpc.arg_reduce %arg0 axis 0 is_max ignore_nan : tensor<4xf32> -> tensor<i32>
// WHY: [Passed] raise
func.func @skips_nan(%x: tensor<4xf32>) -> (tensor<f32>, tensor<i32>) {
  %i = "stablehlo.constant"() <{value = dense<[0, 1, 2, 3]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %least = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = "stablehlo.reduce"(%x, %i, %least, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
    %lt = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = "stablehlo.select"(%lt, %b, %a) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %p = "stablehlo.select"(%lt, %bi, %ai) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%v, %p) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  return %r#0, %r#1 : tensor<f32>, tensor<i32>
}

// -----

// After a NaN the next value is picked whatever it is, which no op does.
// CHECK-LABEL: @forgets_nan
// CHECK: gaudi.tpc.kernel
// WHY: [Missed] raise {{.*}}"generic kernel: no reduction of the device has this region: of equal values or NaN, its region picks another one than the device, or it starts from another value than the extreme"
func.func @forgets_nan(%x: tensor<4xf32>) -> tensor<i32> {
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
  %least = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = "stablehlo.reduce"(%x, %i, %least, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
    %ge = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = "stablehlo.select"(%ge, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %p = "stablehlo.select"(%ge, %ai, %bi) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%v, %p) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  return %r#1 : tensor<i32>
}

// -----

// The last of equal values.
// CHECK-LABEL: @last_wins
// CHECK: gaudi.tpc.kernel
// WHY: [Missed] raise {{.*}}of equal values or NaN
func.func @last_wins(%x: tensor<4xi32>) -> tensor<i32> {
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
  %least = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> tensor<i32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = "stablehlo.reduce"(%x, %i, %least, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %ai: tensor<i32>, %b: tensor<i32>, %bi: tensor<i32>):
    %gt = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = "stablehlo.select"(%gt, %a, %b) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %p = "stablehlo.select"(%gt, %ai, %bi) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%v, %p) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %r#1 : tensor<i32>
}

// -----

// Positions from 1, and a start that is none.
// CHECK-LABEL: @other_positions
// CHECK-COUNT-2: gaudi.tpc.kernel
// WHY: [Missed] raise {{.*}}its values have no positions along the reduced dimension
// WHY: [Missed] raise {{.*}}it does not start from the extreme value and position 0
func.func @other_positions(%x: tensor<4xi32>) -> (tensor<i32>, tensor<i32>) {
  %i = "stablehlo.constant"() <{value = dense<[1, 2, 3, 4]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %j = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
  %least = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> tensor<i32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %none = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = "stablehlo.reduce"(%x, %i, %least, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %ai: tensor<i32>, %b: tensor<i32>, %bi: tensor<i32>):
    %ge = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = "stablehlo.select"(%ge, %a, %b) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %p = "stablehlo.select"(%ge, %ai, %bi) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%v, %p) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  %s:2 = "stablehlo.reduce"(%x, %j, %least, %none) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %ai: tensor<i32>, %b: tensor<i32>, %bi: tensor<i32>):
    %ge = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = "stablehlo.select"(%ge, %a, %b) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %p = "stablehlo.select"(%ge, %ai, %bi) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%v, %p) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %r#1, %s#1 : tensor<i32>, tensor<i32>
}
