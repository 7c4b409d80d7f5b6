// Which operands of an op of PyTorch have a say in its type: all tensors, whatever their values, but no number.
// RUN: gaudi-opt %s --gaudi-compile="autocast=bf16 stop-after=import" --remarks-filter=gaudi-autocast --remark-policy=all -o /dev/null 2>&1 | FileCheck %s

// A parameter of ones is one of f32, as any other is.
// CHECK: 'linear' runs in bf16
// CHECK: 'add' runs in f32: it takes the widest type, and some of what it reads is f32
// CHECK: 'sub' runs in f32: it takes the widest type, and some of what it reads is f32
// CHECK: 'maximum' runs in f32: it is in no list, and some of what it reads is f32
// Without dimensions it counts for autocast, but not for PyTorch's own promotion.
// CHECK: 'addcmul' runs in f32: it takes the widest type, and some of what it reads is f32
// CHECK: 'minimum' runs in bf16: it is in no list, and what it reads is of the lower type
// CHECK: 'cat' runs in f32: it takes the widest type, and some of what it reads is f32
// A number does not count.
// CHECK: 'rsub' runs in bf16: it is in no list, and what it reads is of the lower type
// An input without dimensions counts as the constant does.
// CHECK: 'add' runs in f32: it takes the widest type, and some of what it reads is f32
// CHECK: 'maximum' runs in bf16: it is in no list, and what it reads is of the lower type
func.func @main(%x: !torch.vtensor<[4,8],f32>, %w: !torch.vtensor<[8,8],f32>, %s: !torch.vtensor<[],f32>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %zero = torch.constant.int 0
  %y = torch.aten.linear %x, %w, %none : !torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>, !torch.none -> !torch.vtensor<[4,8],f32>
  %ones = torch.vtensor.literal(dense<1.0> : tensor<8xf32>) : !torch.vtensor<[8],f32>
  %single = torch.vtensor.literal(dense<1.5> : tensor<1xf32>) : !torch.vtensor<[1],f32>
  %alpha = torch.vtensor.literal(dense<1.5> : tensor<f32>) : !torch.vtensor<[],f32>
  %table = torch.vtensor.literal(dense<0.0> : tensor<4x8xf32>) : !torch.vtensor<[4,8],f32>
  %0 = torch.aten.add.Tensor %y, %ones, %one : !torch.vtensor<[4,8],f32>, !torch.vtensor<[8],f32>, !torch.int -> !torch.vtensor<[4,8],f32>
  %1 = torch.aten.sub.Tensor %y, %single, %one : !torch.vtensor<[4,8],f32>, !torch.vtensor<[1],f32>, !torch.int -> !torch.vtensor<[4,8],f32>
  %2 = torch.aten.maximum %y, %single : !torch.vtensor<[4,8],f32>, !torch.vtensor<[1],f32> -> !torch.vtensor<[4,8],f32>
  %3 = torch.aten.addcmul %y, %y, %alpha, %one : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<[4,8],f32>
  %4 = torch.aten.minimum %y, %alpha : !torch.vtensor<[4,8],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[4,8],f32>
  %list = torch.prim.ListConstruct %y, %table : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.list<vtensor>
  %5 = torch.aten.cat %list, %zero : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[8,8],f32>
  %6 = torch.aten.rsub.Scalar %y, %one, %one : !torch.vtensor<[4,8],f32>, !torch.int, !torch.int -> !torch.vtensor<[4,8],f32>
  %7 = torch.aten.add.Tensor %y, %s, %one : !torch.vtensor<[4,8],f32>, !torch.vtensor<[],f32>, !torch.int -> !torch.vtensor<[4,8],f32>
  %8 = torch.aten.maximum %y, %s : !torch.vtensor<[4,8],f32>, !torch.vtensor<[],f32> -> !torch.vtensor<[4,8],f32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>
}
