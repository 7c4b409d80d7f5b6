// Which element a pooling gradient goes to: the first of equal ones, never a NaN
// that has a successor; padding of the op is never selected, elements of
// -infinity around the operand are. Values of JAX (0.10.2, CPU).
// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -canonicalize | FileCheck %s
// RUN: gaudi-run --check %s --print=20 | FileCheck %s --check-prefix=VALUES

// CHECK: gaudi.tpc.pool_grad <max> %{{.*}} kernel [2, 2] strides [2, 2] pad [0, 0], [0, 1] :
// VALUES: 'out0'{{.*}} [0, 0, 0, 0, 0, 0, 1, 0, 2, 3, 4, 0, 0, 5, 0, 0, 0, 0, 0, 6]
// CHECK: gaudi.tpc.pool_grad <max> %{{.*}} kernel [2, 2] strides [1, 1] pad [1, 1], [1, 1] :
// VALUES: 'out1'{{.*}} [6, 0, 12, 0, 48, 1.5, 5, 10.5, 20, 13, 3.25, 0, 0, 11.25, 6.5, 30, 0, 70.75, 0, 114]
// CHECK: gaudi.tpc.pool_grad <min> %{{.*}} kernel [3, 3] strides [2, 2] pad [0, 1], [1, 1] :
// CHECK: gaudi.tpc.add
// VALUES: 'out2'{{.*}} [1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 6, 8, 1, 1, 1, 1, 1, 1, 1, 7]
// CHECK: gaudi.tpc.pool_grad <max> %{{.*}} kernel [2, 2] strides [1, 1] pad [1, 1], [1, 1] select_padding :
// VALUES: 'out3'{{.*}} [6, 0, 12, 0, 16, 1.5, 5, 10.5, 20, 13, 3, 0, 0, 11.25, 6.5, 20, 0, 70.75, 0, 1.75]
// No op of the device keeps the last of equal elements: two kernels.
// CHECK-COUNT-2: gaudi.tpc.kernel label "stablehlo.select_and_scatter"
// VALUES: 'out4'{{.*}} [1, 2, 4, 8, 48, 4.5, 5, 10.5, 20, 13, 0, 2.5, 0, 11.25, 6.5, 10.25, 20.5, 70.75, 0, 114]
// One position: its stride is that of one block.
// CHECK: gaudi.tpc.pool_grad <max> %{{.*}} kernel [4, 5] strides [4, 5] pad
// VALUES: 'out5'{{.*}} [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2.5]
func.func @main() -> (tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>) {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %low = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %x = "stablehlo.constant"() <{value = dense<[[1.0, 1.0, 2.0, 2.0, 0x7FC00000], [1.0, 0x7FC00000, 2.0, 3.0, 0.5], [0xFF800000, 0xFF800000, -1.0, 0x7F800000, 4.0], [0xFF800000, 0xFF800000, 5.0, 4.0, 0x7FC00000]]> : tensor<4x5xf32>}> : () -> tensor<4x5xf32>
  %y = "stablehlo.constant"() <{value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %w = "stablehlo.constant"() <{value = dense<[[1.0, 2.0, 4.0, 8.0, 16.0, 32.0], [3.0, 5.0, 7.0, 9.0, 11.0, 13.0], [1.5, 2.5, 3.5, 4.5, 5.5, 6.5], [0.25, 0.5, 0.75, 1.25, 1.75, 2.25], [10.0, 20.0, 30.0, 40.0, 50.0, 60.0]]> : tensor<5x6xf32>}> : () -> tensor<5x6xf32>
  %0 = "stablehlo.select_and_scatter"(%x, %y, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 0], [0, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>
  %1 = "stablehlo.select_and_scatter"(%x, %w, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<4x5xf32>, tensor<5x6xf32>, tensor<f32>) -> tensor<4x5xf32>
  %2 = "stablehlo.select_and_scatter"(%x, %y, %one) <{window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>
  %x4 = "stablehlo.reshape"(%x) : (tensor<4x5xf32>) -> tensor<1x4x5x1xf32>
  %w4 = "stablehlo.reshape"(%w) : (tensor<5x6xf32>) -> tensor<1x5x6x1xf32>
  %p = "stablehlo.pad"(%x4, %low) <{edge_padding_low = array<i64: 0, 1, 1, 0>, edge_padding_high = array<i64: 0, 1, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<1x4x5x1xf32>, tensor<f32>) -> tensor<1x6x7x1xf32>
  %3 = "stablehlo.select_and_scatter"(%p, %w4, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<1x6x7x1xf32>, tensor<1x5x6x1xf32>, tensor<f32>) -> tensor<1x6x7x1xf32>
  %s4 = "stablehlo.slice"(%3) <{start_indices = array<i64: 0, 1, 1, 0>, limit_indices = array<i64: 1, 5, 6, 1>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<1x6x7x1xf32>) -> tensor<1x4x5x1xf32>
  %s = "stablehlo.reshape"(%s4) : (tensor<1x4x5x1xf32>) -> tensor<4x5xf32>
  %4 = "stablehlo.select_and_scatter"(%x, %w, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<4x5xf32>, tensor<5x6xf32>, tensor<f32>) -> tensor<4x5xf32>
  %v = "stablehlo.constant"() <{value = dense<2.5> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %5 = "stablehlo.select_and_scatter"(%x, %v, %z) <{window_dimensions = array<i64: 4, 5>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<4x5xf32>, tensor<1x1xf32>, tensor<f32>) -> tensor<4x5xf32>
  return %0, %1, %2, %s, %4, %5 : tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
}
