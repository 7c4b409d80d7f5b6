// The forms of torch-mlir's printer, and of IREE's globals.
// RUN: gaudi-opt %s --convert-torch-to-gaudi | FileCheck %s

// A global is a constant; a named parameter has its data elsewhere.
util.global private @bias = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
util.global private @weight = #stream.parameter.named<"model"::"w.weight"> : tensor<3x3xf32>

// CHECK-LABEL: func.func @globals(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-DAG:   %[[BIAS:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// CHECK-DAG:   %[[WEIGHT:.*]] = arith.constant dense_resource<w.weight> : tensor<3x3xf32>
// CHECK:       gaudi.mme.gemm %[[X]], %[[WEIGHT]] transpose_b
func.func @globals(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  %w = util.global.load @weight : tensor<3x3xf32>
  %0 = torch_c.from_builtin_tensor %w : tensor<3x3xf32> -> !torch.vtensor<[3,3],f32>
  %b = util.global.load @bias : tensor<3xf32>
  %1 = torch_c.from_builtin_tensor %b : tensor<3xf32> -> !torch.vtensor<[3],f32>
  %2 = torch.aten.linear %x, %0, %1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3,3],f32>, !torch.vtensor<[3],f32> -> !torch.vtensor<[2,3],f32>
  return %2 : !torch.vtensor<[2,3],f32>
}

// Constants of all kinds, lists, and types of which little is known.
// CHECK-LABEL: func.func @forms(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3xf32>, %[[I:.*]]: tensor<2x3xi64>) -> (tensor<3x2xf32>, tensor<6xi64>)
// CHECK:       gaudi.transpose
// CHECK:       gaudi.reshape %[[I]] : tensor<2x3xi64> -> tensor<6xi64>
func.func @forms(%x: !torch.vtensor<[2,3],f32>, %i: !torch.vtensor<[2,3],si64>)
    -> (!torch.vtensor, !torch.vtensor<[?],si64>) attributes {torch.assume_strict_symbolic_shapes} {
  %s0 = torch.symbolic_int "s0" {min_val = 2, max_val = 9} : !torch.int
  torch.bind_symbolic_shape %x, [%s0], affine_map<()[s0] -> (s0, 3)> : !torch.vtensor<[2,3],f32>
  %none = torch.constant.none
  %cpu = torch.constant.device "cpu"
  %false = torch.constant.bool false
  %int-1 = torch.constant.int -1
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %float = torch.constant.float 0x3FF0000000000000
  %0 = torch.aten.mul.Scalar %x, %float : !torch.vtensor<[2,3],f32>, !torch.float -> !torch.vtensor
  %1 = torch.aten.transpose.int %0, %int0, %int-1 : !torch.vtensor, !torch.int, !torch.int -> !torch.vtensor<*,f32>
  %2 = torch.tensor_static_info_cast %1 : !torch.vtensor<*,f32> to !torch.vtensor
  %list = torch.prim.ListConstruct %int-1 : (!torch.int) -> !torch.list<int>
  %3 = torch.operator "torch.aten.view"(%i, %list) : (!torch.vtensor<[2,3],si64>, !torch.list<int>) -> !torch.vtensor<[?],si64>
  return %2, %3 : !torch.vtensor, !torch.vtensor<[?],si64>
}

// A list of results is taken apart.
// CHECK-LABEL: func.func @lists(
// CHECK:       %[[A:.*]] = gaudi.slice %{{.*}} offsets [0, 0]
// CHECK:       %[[B:.*]] = gaudi.slice %{{.*}} offsets [0, 2]
// CHECK:       return %[[A]], %[[B]]
func.func @lists(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4,2],f32>, !torch.vtensor<[4,1],f32>) {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %0 = torch.aten.split.Tensor %x, %int2, %int1 : !torch.vtensor<[4,3],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %1:2 = torch.prim.ListUnpack %0 : !torch.list<vtensor> -> !torch.vtensor<[4,2],f32>, !torch.vtensor<[4,1],f32>
  return %1#0, %1#1 : !torch.vtensor<[4,2],f32>, !torch.vtensor<[4,1],f32>
}

// The generic form.
// CHECK-LABEL: func.func @generic(
// CHECK:       gaudi.tpc.tanh
func.func @generic(%x: !torch.vtensor<[2],bf16>) -> !torch.vtensor<[2],bf16> {
  %0 = "torch.aten.tanh"(%x) : (!torch.vtensor<[2],bf16>) -> !torch.vtensor<[2],bf16>
  return %0 : !torch.vtensor<[2],bf16>
}

// A call has the types of the function that it calls.
// CHECK-LABEL: func.func private @called(%{{.*}}: tensor<2xf32>) -> tensor<2xf32>
// CHECK-LABEL: func.func @calls(
// CHECK:       %[[R:.*]] = call @called(%{{.*}}) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK:       gaudi.tpc.tanh %[[R]]
func.func private @called(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = torch.aten.relu %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}
func.func @calls(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = call @called(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  %1 = torch.aten.tanh %0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %1 : !torch.vtensor<[2],f32>
}
