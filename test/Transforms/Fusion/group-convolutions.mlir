// RUN: gaudi-opt %s --gaudi-group-convolutions --remarks-filter=gaudi-group-convolutions --remark-policy=all -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: gaudi-opt %t.mlir --gaudi-group-convolutions | diff %t.mlir -
// Values are those of the parts.
// RUN: gaudi-run %s --entry bias --seed-inputs 1 --check
// RUN: gaudi-run %s --entry channels_first --seed-inputs 1 --check
// RUN: gaudi-run %s --entry transposed_parts --seed-inputs 1 --check
// RUN: gaudi-run %s --entry some_operands --seed-inputs 1 --check
// RUN: gaudi-run %s --entry input_gradients --seed-inputs 1 --check
// RUN: gaudi-run %s --entry mixed_gradients --seed-inputs 1 --check
// RUN: gaudi-run %s --entry rows_beside --seed-inputs 1 --check
// RUN: gaudi-run %s --entry masks --seed-inputs 1 --check
// RUN: gaudi-run %s --entry packed_masks --seed-inputs 1 --check

// Channels last; constant filters and biases are joined, the clamp follows.
// CHECK-LABEL: @bias
func.func @bias(%x: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
  // CHECK-NEXT: %[[W:.+]] = gaudi.constant dense<{{.*}}1.000000e+00, 2.000000e+00{{.*}}3.000000e+00, 4.000000e+00{{.*}}5.000000e+00{{.*}}5.000000e+00{{.*}}> : tensor<4x1x1x2xf32>
  // CHECK-NEXT: %[[C:.+]] = gaudi.mme.conv %arg0, %[[W]] {{.*}} groups 2 : tensor<1x2x2x4xf32>, tensor<4x1x1x2xf32> -> tensor<1x2x2x4xf32>
  // CHECK-NEXT: %[[B:.+]] = gaudi.constant dense<{{.*}}1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00{{.*}}> : tensor<1x1x1x4xf32>
  // CHECK-NEXT: %[[Y:.+]] = gaudi.tpc.add %[[C]], %[[B]] : tensor<1x2x2x4xf32>, tensor<1x1x1x4xf32> -> tensor<1x2x2x4xf32>
  // CHECK-NEXT: %[[R:.+]] = gaudi.tpc.clamp %[[Y]]
  // CHECK-NEXT: return %[[R]]
  %v = gaudi.constant dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>
  %w = gaudi.constant dense<5.0> : tensor<2x1x1x2xf32>
  %b = gaudi.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %b0 = gaudi.slice %b offsets [0] strides [1] : tensor<4xf32> -> tensor<2xf32>
  %b1 = gaudi.slice %b offsets [2] strides [1] : tensor<4xf32> -> tensor<2xf32>
  %c0 = gaudi.reshape %b0 : tensor<2xf32> -> tensor<1x1x1x2xf32>
  %c1 = gaudi.reshape %b1 : tensor<2xf32> -> tensor<1x1x1x2xf32>
  %x0 = gaudi.slice %x offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x2x2x4xf32> -> tensor<1x2x2x2xf32>
  %x1 = gaudi.slice %x offsets [0, 0, 0, 2] strides [1, 1, 1, 1] : tensor<1x2x2x4xf32> -> tensor<1x2x2x2xf32>
  // REMARK-DAG: group-convolutions.mlir:[[#@LINE+1]]:9: remark: [Passed] group | Category:gaudi-group-convolutions | Remark="made one convolution in 2 groups of 2 convolutions of slices, saving {{[0-9.]+ [num]?s}} on gaudi2"
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32> -> tensor<1x2x2x2xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32> -> tensor<1x2x2x2xf32>
  %z0 = gaudi.tpc.add %y0, %c0 : tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x2x2x2xf32>
  %z1 = gaudi.tpc.add %y1, %c1 : tensor<1x2x2x2xf32>, tensor<1x1x1x2xf32> -> tensor<1x2x2x2xf32>
  %r0 = gaudi.tpc.clamp %z0 min 0.0 : f32 max 6.0 : f32 : tensor<1x2x2x2xf32>
  %r1 = gaudi.tpc.clamp %z1 min 0.0 : f32 max 6.0 : f32 : tensor<1x2x2x2xf32>
  %y = gaudi.concat %r0, %r1 axis 3 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32> -> tensor<1x2x2x4xf32>
  return %y : tensor<1x2x2x4xf32>
}

// Channels first; the filters are slices of one tensor, in order, and the parts
// have groups of their own. The slices start after other channels.
// CHECK-LABEL: @channels_first
func.func @channels_first(%x: tensor<2x24x6x6xf32>, %w: tensor<32x4x3x3xf32>) -> tensor<2x32x6x6xf32> {
  // CHECK-NEXT: %[[X:.+]] = gaudi.slice %arg0 offsets [0, 8, 0, 0] strides [1, 1, 1, 1] : tensor<2x24x6x6xf32> -> tensor<2x16x6x6xf32>
  // CHECK-NEXT: %[[Y:.+]] = gaudi.mme.conv %[[X]], %arg1 {{.*}} groups 4 : tensor<2x16x6x6xf32>, tensor<32x4x3x3xf32> -> tensor<2x32x6x6xf32>
  // CHECK-NEXT: return %[[Y]]
  %s = gaudi.slice %x offsets [0, 8, 0, 0] strides [1, 1, 1, 1] : tensor<2x24x6x6xf32> -> tensor<2x16x6x6xf32>
  %x0, %x1 = gaudi.split %s axis 1 : tensor<2x16x6x6xf32> -> tensor<2x8x6x6xf32>, tensor<2x8x6x6xf32>
  %w0, %w1 = gaudi.split %w axis 0 : tensor<32x4x3x3xf32> -> tensor<16x4x3x3xf32>, tensor<16x4x3x3xf32>
  // REMARK-DAG: group-convolutions.mlir:[[#@LINE+1]]:9: remark: [Passed] group | {{.*}}made one convolution in 4 groups of 2 convolutions of slices
  %y0 = gaudi.mme.conv %x0, %w0 layout "NCHW", "OIHW", "NCHW" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 2 : tensor<2x8x6x6xf32>, tensor<16x4x3x3xf32> -> tensor<2x16x6x6xf32>
  %y1 = gaudi.mme.conv %x1, %w1 layout "NCHW", "OIHW", "NCHW" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 2 : tensor<2x8x6x6xf32>, tensor<16x4x3x3xf32> -> tensor<2x16x6x6xf32>
  %y = gaudi.concat %y0, %y1 axis 1 : tensor<2x16x6x6xf32>, tensor<2x16x6x6xf32> -> tensor<2x32x6x6xf32>
  return %y : tensor<2x32x6x6xf32>
}

// Each part is transposed to channels last and back.
// CHECK-LABEL: @transposed_parts
func.func @transposed_parts(%x: tensor<1x32x8x8xf32>, %f: tensor<32x3x3x16xf32>) -> tensor<1x32x8x8xf32> {
  // CHECK-NEXT: %[[X:.+]] = gaudi.transpose %arg0 permutation [0, 2, 3, 1] : tensor<1x32x8x8xf32> -> tensor<1x8x8x32xf32>
  // CHECK-NEXT: %[[C:.+]] = gaudi.mme.conv %[[X]], %arg1 {{.*}} groups 2 : tensor<1x8x8x32xf32>, tensor<32x3x3x16xf32> -> tensor<1x8x8x32xf32>
  // CHECK-NEXT: %[[Y:.+]] = gaudi.transpose %[[C]] permutation [0, 3, 1, 2] : tensor<1x8x8x32xf32> -> tensor<1x32x8x8xf32>
  // CHECK-NEXT: return %[[Y]]
  %v, %w = gaudi.split %f axis 0 : tensor<32x3x3x16xf32> -> tensor<16x3x3x16xf32>, tensor<16x3x3x16xf32>
  %x0, %x1 = gaudi.split %x axis 1 : tensor<1x32x8x8xf32> -> tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>
  %t0 = gaudi.transpose %x0 permutation [0, 2, 3, 1] : tensor<1x16x8x8xf32> -> tensor<1x8x8x16xf32>
  %t1 = gaudi.transpose %x1 permutation [0, 2, 3, 1] : tensor<1x16x8x8xf32> -> tensor<1x8x8x16xf32>
  %c0 = gaudi.mme.conv %t0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %c1 = gaudi.mme.conv %t1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y0 = gaudi.transpose %c0 permutation [0, 3, 1, 2] : tensor<1x8x8x16xf32> -> tensor<1x16x8x8xf32>
  %y1 = gaudi.transpose %c1 permutation [0, 3, 1, 2] : tensor<1x8x8x16xf32> -> tensor<1x16x8x8xf32>
  %y = gaudi.concat %y0, %y1 axis 1 : tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32> -> tensor<1x32x8x8xf32>
  return %y : tensor<1x32x8x8xf32>
}

// Other operands of the concatenation stay.
// CHECK-LABEL: @some_operands
func.func @some_operands(%x: tensor<1x8x8x32xf32>, %f: tensor<32x3x3x16xf32>, %o: tensor<1x8x8x5xf32>) -> tensor<1x8x8x42xf32> {
  // CHECK: %[[C:.+]] = gaudi.mme.conv {{.*}} groups 2
  // CHECK-NEXT: gaudi.concat %arg2, %[[C]], %arg2 axis 3 : tensor<1x8x8x5xf32>, tensor<1x8x8x32xf32>, tensor<1x8x8x5xf32>
  %v, %w = gaudi.split %f axis 0 : tensor<32x3x3x16xf32> -> tensor<16x3x3x16xf32>, tensor<16x3x3x16xf32>
  %x0, %x1 = gaudi.split %x axis 3 : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %o, %y0, %y1, %o axis 3 : tensor<1x8x8x5xf32>, tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>, tensor<1x8x8x5xf32> -> tensor<1x8x8x42xf32>
  return %y : tensor<1x8x8x42xf32>
}

// CHECK-LABEL: @input_gradients
func.func @input_gradients(%x: tensor<1x8x8x32xf32>, %f: tensor<32x3x3x16xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK: gaudi.mme.conv_input_grad %arg0, {{.*}} groups 2 : tensor<1x8x8x32xf32>, tensor<32x3x3x16xf32> -> tensor<1x8x8x32xf32>
  %v, %w = gaudi.split %f axis 0 : tensor<32x3x3x16xf32> -> tensor<16x3x3x16xf32>, tensor<16x3x3x16xf32>
  %x0, %x1 = gaudi.split %x axis 3 : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>
  %y0 = gaudi.mme.conv_input_grad %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv_input_grad %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %y0, %y1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

// The operand of a gradient has the layout of the forward convolution's output.
// CHECK-LABEL: @mixed_gradients
func.func @mixed_gradients(%x: tensor<1x32x8x8xf32>, %f: tensor<32x3x3x16xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK-NEXT: gaudi.mme.conv_input_grad %arg0, %arg1 layout "NCHW", "OHWI", "NHWC" {{.*}} groups 2 : tensor<1x32x8x8xf32>, tensor<32x3x3x16xf32> -> tensor<1x8x8x32xf32>
  %v, %w = gaudi.split %f axis 0 : tensor<32x3x3x16xf32> -> tensor<16x3x3x16xf32>, tensor<16x3x3x16xf32>
  %x0, %x1 = gaudi.split %x axis 1 : tensor<1x32x8x8xf32> -> tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>
  %y0 = gaudi.mme.conv_input_grad %x0, %v layout "NCHW", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x16x8x8xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv_input_grad %x1, %w layout "NCHW", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x16x8x8xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %y0, %y1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

// Columns of the operand and rows of the results: where channels would be in
// the other's layout.
// CHECK-LABEL: @rows_beside
func.func @rows_beside(%x: tensor<1x4x8x8xf32>) -> tensor<1x16x4x3xf32> {
  // CHECK-NOT: groups 2
  // CHECK: return
  %v = gaudi.constant dense<2.0> : tensor<4x1x1x3xf32>
  %w = gaudi.constant dense<3.0> : tensor<4x1x1x3xf32>
  %x0, %x1 = gaudi.split %x axis 3 : tensor<1x4x8x8xf32> -> tensor<1x4x8x4xf32>, tensor<1x4x8x4xf32>
  %y0 = gaudi.mme.conv_input_grad %x0, %v layout "NCHW", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x8x4xf32>, tensor<4x1x1x3xf32> -> tensor<1x8x4x3xf32>
  %y1 = gaudi.mme.conv_input_grad %x1, %w layout "NCHW", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x4x8x4xf32>, tensor<4x1x1x3xf32> -> tensor<1x8x4x3xf32>
  %y = gaudi.concat %y0, %y1 axis 1 : tensor<1x8x4x3xf32>, tensor<1x8x4x3xf32> -> tensor<1x16x4x3xf32>
  return %y : tensor<1x16x4x3xf32>
}

// Booleans of a resource have one byte each.
// CHECK-LABEL: @masks(
func.func @masks(%x: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
  // CHECK: gaudi.mme.conv {{.*}} groups 2
  // CHECK: %[[M:.+]] = gaudi.constant dense<{{.*}}true, false, false, true{{.*}}> : tensor<1x1x1x4xi1>
  // CHECK: gaudi.tpc.select %[[M]],
  %v = gaudi.constant dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>
  %w = gaudi.constant dense<5.0> : tensor<2x1x1x2xf32>
  %m0 = gaudi.constant dense_resource<first> : tensor<1x1x1x2xi1>
  %m1 = gaudi.constant dense<[[[[false, true]]]]> : tensor<1x1x1x2xi1>
  %z = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %x0, %x1 = gaudi.split %x axis 3 : tensor<1x2x2x4xf32> -> tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32> -> tensor<1x2x2x2xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32> -> tensor<1x2x2x2xf32>
  %r0 = gaudi.tpc.select %m0, %y0, %z : tensor<1x1x1x2xi1>, tensor<1x2x2x2xf32>, tensor<1x1x1x1xf32> -> tensor<1x2x2x2xf32>
  %r1 = gaudi.tpc.select %m1, %y1, %z : tensor<1x1x1x2xi1>, tensor<1x2x2x2xf32>, tensor<1x1x1x1xf32> -> tensor<1x2x2x2xf32>
  %y = gaudi.concat %r0, %r1 axis 3 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32> -> tensor<1x2x2x4xf32>
  return %y : tensor<1x2x2x4xf32>
}

// Or one bit.
// CHECK-LABEL: @packed_masks(
func.func @packed_masks(%x: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
  // CHECK: gaudi.mme.conv {{.*}} groups 2
  // CHECK: %[[M:.+]] = gaudi.constant dense<{{.*}}true, false, false, true{{.*}}> : tensor<1x1x1x4xi1>
  // CHECK: gaudi.tpc.select %[[M]],
  %v = gaudi.constant dense<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>
  %w = gaudi.constant dense<5.0> : tensor<2x1x1x2xf32>
  %m0 = gaudi.constant dense_resource<packed_first> : tensor<1x1x1x2xi1>
  %m1 = gaudi.constant dense_resource<packed_second> : tensor<1x1x1x2xi1>
  %z = gaudi.constant dense<0.0> : tensor<1x1x1x1xf32>
  %x0, %x1 = gaudi.split %x axis 3 : tensor<1x2x2x4xf32> -> tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32> -> tensor<1x2x2x2xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1 : tensor<1x2x2x2xf32>, tensor<2x1x1x2xf32> -> tensor<1x2x2x2xf32>
  %r0 = gaudi.tpc.select %m0, %y0, %z : tensor<1x1x1x2xi1>, tensor<1x2x2x2xf32>, tensor<1x1x1x1xf32> -> tensor<1x2x2x2xf32>
  %r1 = gaudi.tpc.select %m1, %y1, %z : tensor<1x1x1x2xi1>, tensor<1x2x2x2xf32>, tensor<1x1x1x1xf32> -> tensor<1x2x2x2xf32>
  %y = gaudi.concat %r0, %r1 axis 3 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32> -> tensor<1x2x2x4xf32>
  return %y : tensor<1x2x2x4xf32>
}

// The second part comes first.
// CHECK-LABEL: @other_order
func.func @other_order(%x: tensor<1x8x8x32xf32>, %v: tensor<16x3x3x16xf32>, %w: tensor<16x3x3x16xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK-NOT: groups 2
  // CHECK: return
  %x0 = gaudi.slice %x offsets [0, 0, 0, 16] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  %x1 = gaudi.slice %x offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  // REMARK-DAG: group-convolutions.mlir:[[#@LINE+1]]:9: remark: [Missed] keep-parts | {{.*}}2 convolutions of slices are not made one convolution in groups: the slices of the input do not follow each other"
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %y0, %y1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

// Slices that share channels.
// CHECK-LABEL: @overlapping
func.func @overlapping(%x: tensor<1x8x8x32xf32>, %v: tensor<16x3x3x16xf32>, %w: tensor<16x3x3x16xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK-NOT: groups 2
  // CHECK: return
  %x0 = gaudi.slice %x offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  %x1 = gaudi.slice %x offsets [0, 0, 0, 8] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  // REMARK-DAG: group-convolutions.mlir:[[#@LINE+1]]:9: remark: [Missed] keep-parts | {{.*}}2 convolutions of slices are not made one convolution in groups: the slices of the input do not follow each other"
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %y0, %y1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

// Strided slices: no part of this form, so no remark.
// CHECK-LABEL: @every_second
func.func @every_second(%x: tensor<1x8x8x32xf32>, %v: tensor<16x3x3x16xf32>, %w: tensor<16x3x3x16xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK-NOT: groups 2
  // CHECK: return
  %x0 = gaudi.slice %x offsets [0, 0, 0, 0] strides [1, 1, 1, 2] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  %x1 = gaudi.slice %x offsets [0, 0, 0, 1] strides [1, 1, 1, 2] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %y0, %y1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

// Groups have one size.
// CHECK-LABEL: @uneven
func.func @uneven(%x: tensor<1x8x8x32xf32>, %v: tensor<16x3x3x16xf32>, %w: tensor<16x3x3x8xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK-NOT: groups 2
  // CHECK: return
  %x0 = gaudi.slice %x offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  %x1 = gaudi.slice %x offsets [0, 0, 0, 16] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x8xf32>
  // REMARK-DAG: group-convolutions.mlir:[[#@LINE+1]]:9: remark: [Missed] keep-parts | {{.*}}2 convolutions of slices are not made one convolution in groups: the convolutions differ in their windows or sizes"
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x8xf32>, tensor<16x3x3x8xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %y0, %y1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

// Windows differ.
// CHECK-LABEL: @other_padding
func.func @other_padding(%x: tensor<1x8x8x32xf32>, %v: tensor<16x3x3x16xf32>, %w: tensor<16x3x3x16xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK-NOT: groups 2
  // CHECK: return
  %x0 = gaudi.slice %x offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  %x1 = gaudi.slice %x offsets [0, 0, 0, 16] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  // REMARK-DAG: group-convolutions.mlir:[[#@LINE+1]]:9: remark: [Missed] keep-parts | {{.*}}2 convolutions of slices are not made one convolution in groups: the convolutions differ in their windows or sizes"
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [2, 1], [0, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %y0, %y1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

// The first part is needed by itself.
// CHECK-LABEL: @other_reader
func.func @other_reader(%x: tensor<1x8x8x32xf32>, %v: tensor<16x3x3x16xf32>, %w: tensor<16x3x3x16xf32>) -> (tensor<1x8x8x32xf32>, tensor<1x8x8x16xf32>) {
  // CHECK-NOT: groups 2
  // CHECK: return
  %x0 = gaudi.slice %x offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  %x1 = gaudi.slice %x offsets [0, 0, 0, 16] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  // REMARK-DAG: group-convolutions.mlir:[[#@LINE+1]]:9: remark: [Missed] keep-parts | {{.*}}2 convolutions of slices are not made one convolution in groups: an op of a part has other readers"
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %y0, %y1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y, %y0 : tensor<1x8x8x32xf32>, tensor<1x8x8x16xf32>
}

// Different activations.
// CHECK-LABEL: @other_ops
func.func @other_ops(%x: tensor<1x8x8x32xf32>, %v: tensor<16x3x3x16xf32>, %w: tensor<16x3x3x16xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK-NOT: groups 2
  // CHECK: return
  %x0 = gaudi.slice %x offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  %x1 = gaudi.slice %x offsets [0, 0, 0, 16] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  // REMARK-DAG: group-convolutions.mlir:[[#@LINE+1]]:9: remark: [Missed] keep-parts | {{.*}}2 convolutions of slices are not made one convolution in groups: the ops after the convolutions differ"
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %z0 = gaudi.tpc.exp %y0 : tensor<1x8x8x16xf32>
  %z1 = gaudi.tpc.tanh %y1 : tensor<1x8x8x16xf32>
  %y = gaudi.concat %z0, %z1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

// A whole tensor is added to each part: joining those would be a copy.
// CHECK-LABEL: @other_addends
func.func @other_addends(%x: tensor<1x8x8x32xf32>, %v: tensor<16x3x3x16xf32>, %w: tensor<16x3x3x16xf32>, %a: tensor<1x8x8x16xf32>, %b: tensor<1x8x8x16xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK-NOT: groups 2
  // CHECK: return
  %x0 = gaudi.slice %x offsets [0, 0, 0, 0] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  %x1 = gaudi.slice %x offsets [0, 0, 0, 16] strides [1, 1, 1, 1] : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>
  // REMARK-DAG: group-convolutions.mlir:[[#@LINE+1]]:9: remark: [Missed] keep-parts | {{.*}}2 convolutions of slices are not made one convolution in groups: an operand of 'gaudi.tpc.add' is not one number per channel"
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %z0 = gaudi.tpc.add %y0, %a : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x16xf32>
  %z1 = gaudi.tpc.add %y1, %b : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %z0, %z1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

// Filters that are arguments would be copied.
// CHECK-LABEL: @filters_apart
func.func @filters_apart(%x: tensor<1x8x8x32xf32>, %v: tensor<16x3x3x16xf32>, %w: tensor<16x3x3x16xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK-NOT: groups 2
  // CHECK: return
  %x0, %x1 = gaudi.split %x axis 3 : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>
  // REMARK-DAG: group-convolutions.mlir:[[#@LINE+1]]:9: remark: [Missed] keep-parts | {{.*}}2 convolutions of slices are not made one convolution in groups: the filters are neither constants nor consecutive slices of one tensor"
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %y0, %y1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

// Biases that are slices of one argument are joined, those that are arguments
// of their own are not.
// CHECK-LABEL: @bias_arguments
func.func @bias_arguments(%x: tensor<1x8x8x32xf32>, %f: tensor<32x3x3x16xf32>, %b: tensor<32xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK-NEXT: %[[C:.+]] = gaudi.mme.conv %arg0, %arg1 {{.*}} groups 2
  // CHECK-NEXT: %[[B:.+]] = gaudi.reshape %arg2 : tensor<32xf32> -> tensor<1x1x1x32xf32>
  // CHECK-NEXT: gaudi.tpc.add %[[C]], %[[B]]
  %v, %w = gaudi.split %f axis 0 : tensor<32x3x3x16xf32> -> tensor<16x3x3x16xf32>, tensor<16x3x3x16xf32>
  %b0, %b1 = gaudi.split %b axis 0 : tensor<32xf32> -> tensor<16xf32>, tensor<16xf32>
  %a0 = gaudi.reshape %b0 : tensor<16xf32> -> tensor<1x1x1x16xf32>
  %a1 = gaudi.reshape %b1 : tensor<16xf32> -> tensor<1x1x1x16xf32>
  %x0, %x1 = gaudi.split %x axis 3 : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %z0 = gaudi.tpc.add %y0, %a0 : tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32> -> tensor<1x8x8x16xf32>
  %z1 = gaudi.tpc.add %y1, %a1 : tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %z0, %z1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

// A broadcast constant would be written out: it may be much larger.
// CHECK-LABEL: @broadcast_filters
func.func @broadcast_filters(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK-NOT: groups 2
  // CHECK: return
  %c = gaudi.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %v = gaudi.broadcast %c dims [2] : tensor<3xf32> -> tensor<16x3x3x16xf32>
  %x0, %x1 = gaudi.split %x axis 3 : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>
  // REMARK-DAG: group-convolutions.mlir:[[#@LINE+1]]:9: remark: [Missed] keep-parts | {{.*}}2 convolutions of slices are not made one convolution in groups: the filters are neither constants nor consecutive slices of one tensor"
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv %x1, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %y0, %y1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

// CHECK-LABEL: @biases_apart
func.func @biases_apart(%x: tensor<1x8x8x32xf32>, %f: tensor<32x3x3x16xf32>, %a0: tensor<1x1x1x16xf32>, %a1: tensor<1x1x1x16xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK-NOT: groups 2
  // CHECK: return
  %v, %w = gaudi.split %f axis 0 : tensor<32x3x3x16xf32> -> tensor<16x3x3x16xf32>, tensor<16x3x3x16xf32>
  %x0, %x1 = gaudi.split %x axis 3 : tensor<1x8x8x32xf32> -> tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>
  // REMARK-DAG: group-convolutions.mlir:[[#@LINE+1]]:9: remark: [Missed] keep-parts | {{.*}}2 convolutions of slices are not made one convolution in groups: numbers per channel are neither constants nor consecutive slices of one tensor"
  %y0 = gaudi.mme.conv %x0, %v layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %y1 = gaudi.mme.conv %x1, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<1x8x8x16xf32>, tensor<16x3x3x16xf32> -> tensor<1x8x8x16xf32>
  %z0 = gaudi.tpc.add %y0, %a0 : tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32> -> tensor<1x8x8x16xf32>
  %z1 = gaudi.tpc.add %y1, %a1 : tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32> -> tensor<1x8x8x16xf32>
  %y = gaudi.concat %z0, %z1 axis 3 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32> -> tensor<1x8x8x32xf32>
  return %y : tensor<1x8x8x32xf32>
}

{-#
  dialect_resources: {
    builtin: {
      first: "0x010000000100",
      packed_first: "0x0100000001",
      packed_second: "0x0100000002"
    }
  }
#-}
