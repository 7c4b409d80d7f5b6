// Static variants of the torch dialect, whose sizes torch.bind_symbolic_shape
// says.
// RUN: gaudi-opt %s --split-input-file --gaudi-infer-symbols --gaudi-bucket-shapes="buckets=8" | FileCheck %s

// A size is a constant in a shape, and an operand as a number.
// CHECK-LABEL: func @sizes.0(
// CHECK-SAME: %[[X:.*]]: tensor<8x6xf32> {{.*}}, %[[N:.*]]: tensor<i32> {gaudi.extent
// CHECK: %[[END:.*]] = "torch.constant.int"() {value = 8 : i64}
// CHECK: tensor.extract %[[N]]
// CHECK: "torch.aten.div.Tensor"(%[[X]], %{{.*}}) : (tensor<8x6xf32>, tensor<i64>) -> tensor<8x6xf32>
// CHECK: "torch.aten.arange"(%[[END]],
// CHECK-SAME: -> tensor<8xi64>
func.func @sizes(%x: tensor<?x6xf32> {gaudi.dims = ["n=3..64", ""]}) -> (tensor<?x6xf32>, tensor<?xi64>) {
  %s = torch.symbolic_int "s" {min_val = 3, max_val = 64} : !torch.int
  torch.bind_symbolic_shape %x, [%s], affine_map<()[s0] -> (s0, 6)> : tensor<?x6xf32>
  %n = torch.operator "torch.gaudi.size"(%s) {map = affine_map<()[s0] -> (s0)>} : (!torch.int) -> tensor<i64>
  %0 = torch.aten.div.Tensor %x, %n : tensor<?x6xf32>, tensor<i64> -> tensor<?x6xf32>
  torch.bind_symbolic_shape %0, [%s], affine_map<()[s0] -> (s0, 6)> : tensor<?x6xf32>
  %end = torch.operator "torch.gaudi.size"(%s) {map = affine_map<()[s0] -> (s0)>} : (!torch.int) -> !torch.int
  %none = torch.constant.none
  %1 = torch.aten.arange %end, %none, %none, %none, %none : !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> tensor<?xi64>
  torch.bind_symbolic_shape %1, [%s], affine_map<()[s0] -> (s0)> : tensor<?xi64>
  return %0, %1 : tensor<?x6xf32>, tensor<?xi64>
}

// -----

// What no operand says, a marker does.
// CHECK-LABEL: func @moves.0(
// CHECK: %[[TAIL:.*]] = tensor.extract_slice %{{.*}}[2, 0] [6, 6] [1, 1]
// CHECK: gaudi.valid %[[TAIL]] dims [0] extents(%{{.*}})
// CHECK: "stablehlo.dynamic_slice"
// CHECK: "torch.aten.cat"
// CHECK-SAME: -> tensor<14x6xf32>
// CHECK: gaudi.valid %{{.*}} dims [0]
// CHECK: tensor.collapse_shape
func.func @moves(%x: tensor<?x6xf32> {gaudi.dims = ["n=3..64", ""]}) -> (tensor<6xf32>, tensor<?xf32>) {
  %s = torch.symbolic_int "s" {min_val = 3, max_val = 64} : !torch.int
  torch.bind_symbolic_shape %x, [%s], affine_map<()[s0] -> (s0, 6)> : tensor<?x6xf32>
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %last = torch.constant.int -1
  %none = torch.constant.none
  %0 = torch.aten.slice.Tensor %x, %zero, %two, %none, %one : tensor<?x6xf32>, !torch.int, !torch.int, !torch.none, !torch.int -> tensor<?x6xf32>
  torch.bind_symbolic_shape %0, [%s], affine_map<()[s0] -> (s0 - 2, 6)> : tensor<?x6xf32>
  %1 = torch.aten.select.int %x, %zero, %last : tensor<?x6xf32>, !torch.int, !torch.int -> tensor<6xf32>
  %list = torch.prim.ListConstruct %x, %0 : (tensor<?x6xf32>, tensor<?x6xf32>) -> !torch.list<vtensor>
  %2 = torch.aten.cat %list, %zero : !torch.list<vtensor>, !torch.int -> tensor<?x6xf32>
  torch.bind_symbolic_shape %2, [%s], affine_map<()[s0] -> (s0 * 2 - 2, 6)> : tensor<?x6xf32>
  %flat = torch.prim.ListConstruct %last : (!torch.int) -> !torch.list<int>
  %3 = torch.aten.view %2, %flat : tensor<?x6xf32>, !torch.list<int> -> tensor<?xf32>
  torch.bind_symbolic_shape %3, [%s], affine_map<()[s0] -> (s0 * 12 - 12)> : tensor<?xf32>
  return %1, %3 : tensor<6xf32>, tensor<?xf32>
}
