// What an op of PyTorch became is one op for autocast: its name decides, and nothing is rounded inside.
// RUN: gaudi-opt %s --gaudi-compile="autocast=bf16 stop-after=import" --remarks-filter=gaudi-autocast --remark-policy=all 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: gaudi-opt %s --convert-torch-to-gaudi=mark-sources | FileCheck %s --check-prefix=MARKS
// RUN: not gaudi-opt %s --gaudi-compile="autocast=int8" 2>&1 | FileCheck %s --check-prefix=SETTING
// SETTING: gaudi-compile: autocast: expected bf16, f16, f32 or fp8 but got 'int8'
// RUN: not gaudi-opt %s --gaudi-compile="autocast=bf16:upper=a" 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: gaudi-compile: autocast: expected lower=FILE or fp32=FILE after the type but got 'upper=a'
// RUN: gaudi-run %s --seed-inputs=1 --check --autocast=bf16 | FileCheck %s --check-prefix=PASSED
// RUN: gaudi-opt %s --gaudi-compile="autocast=bf16 check-numerics" -o /dev/null
// PASSED: --check passed

// MARKS: gaudi.mme.gemm {{.*}} {gaudi.source_op = ["aten.linear", [[N:[0-9]+]], -1, false]}
// MARKS: gaudi.tpc.add {{.*}} {gaudi.source_op = ["aten.linear", [[N]], -1, false]}
// CHECK-NOT: gaudi.source_op

// A product with a bias: operands of bf16, the sum in f32, one rounding.
// CHECK-LABEL: @main
// CHECK: %[[P:.+]] = gaudi.mme.gemm {{.*}}tensor<4x8xbf16>, tensor<{{8x8|8x8}}xbf16> -> tensor<4x8xf32>
// CHECK: %[[S:.+]] = gaudi.tpc.add %[[P]], {{.*}} -> tensor<4x8xf32>
// CHECK: gaudi.tpc.cast %[[S]] : tensor<4x8xf32> -> tensor<4x8xbf16>
// REMARK: 'linear' runs in bf16: it is in the list of the lower type
// REMARK: 'gelu' runs in bf16: it is in no list, and what it reads is of the lower type
// REMARK: 'layer_norm' runs in bf16: it is in the list of the lower type
// REMARK: 'div' runs in f32: it is in the list of f32
// REMARK: 'softmax' runs in bf16: it is in the list of the lower type
func.func @main(%x: !torch.vtensor<[4,8],f32>, %w: !torch.vtensor<[8,8],f32>, %b: !torch.vtensor<[8],f32>) -> !torch.vtensor<[4,8],f32> {
  %none = torch.constant.none
  %text = torch.constant.str "none"
  %0 = torch.aten.linear %x, %w, %b : !torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>, !torch.vtensor<[8],f32> -> !torch.vtensor<[4,8],f32>
  %1 = torch.aten.gelu %0, %text : !torch.vtensor<[4,8],f32>, !torch.str -> !torch.vtensor<[4,8],f32>
  %eight = torch.constant.int 8
  %shape = torch.prim.ListConstruct %eight : (!torch.int) -> !torch.list<int>
  %eps = torch.constant.float 1.000000e-05
  %false = torch.constant.bool false
  %2 = torch.aten.layer_norm %1, %shape, %b, %b, %eps, %false : !torch.vtensor<[4,8],f32>, !torch.list<int>, !torch.vtensor<[8],f32>, !torch.vtensor<[8],f32>, !torch.float, !torch.bool -> !torch.vtensor<[4,8],f32>
  %two = torch.constant.float 2.000000e+00
  %3 = torch.aten.div.Scalar %2, %two : !torch.vtensor<[4,8],f32>, !torch.float -> !torch.vtensor<[4,8],f32>
  %dim = torch.constant.int 1
  %4 = torch.aten.softmax.int %3, %dim, %none : !torch.vtensor<[4,8],f32>, !torch.int, !torch.none -> !torch.vtensor<[4,8],f32>
  return %4 : !torch.vtensor<[4,8],f32>
}
