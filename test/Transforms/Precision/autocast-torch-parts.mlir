// An op that was decomposed before is one op: by the outer name if a list has it, else by the inner one.
// RUN: gaudi-opt %s --gaudi-compile="autocast=bf16 stop-after=import" --remarks-filter=gaudi-autocast --remark-policy=all 2> %t.remarks | FileCheck %s
// RUN: grep remark: %t.remarks | FileCheck %s --check-prefix=REMARK

// REMARK: 'linear' runs in bf16
// REMARK-NEXT: 'mse_loss' runs in f32: it is in the list of f32
// REMARK-NEXT: 'linalg_vector_norm' runs in bf16: it is in no list, and what it reads is of the lower type
// REMARK-NEXT: 'softmax' runs in f32: it is in the list of the lower type, and its dtype is f32
// What writes to an operand keeps the type of that.
// REMARK-NEXT: 'add_' runs in bf16: it is in no list, and what it writes to is of the lower type
// REMARK-NEXT: 'mul_' runs in f32: it is in no list, and what it writes to is f32
// REMARK-NOT: runs in

// The softmax reads what is rounded and is not rounded itself.
// CHECK: gaudi.tpc.reduce <mean> {{.*}} tensor<4x8xf32> -> tensor<f32>
// CHECK: %[[S:.+]] = gaudi.tpc.div {{.*}} -> tensor<4x8xf32>
// CHECK: return %{{.+}}, %{{.+}}, %[[S]]
func.func @main(%x: !torch.vtensor<[4,8],f32>, %w: !torch.vtensor<[8,8],f32>, %t: !torch.vtensor<[4,8],f32>) -> (!torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %two = torch.constant.int 2
  %f32 = torch.constant.int 6
  %y = torch.aten.linear %x, %w, %none : !torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>, !torch.none -> !torch.vtensor<[4,8],f32>
  %0 = torch.operator "torch.aten.sub.Tensor"(%y, %t, %one) {gaudi.source_op = [["aten.mse_loss", 1], ["aten.mse_loss", 1]]} : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.int) -> !torch.vtensor<[4,8],f32>
  %1 = torch.operator "torch.aten.pow.Tensor_Scalar"(%0, %two) {gaudi.source_op = [["aten.mse_loss", 1], ["aten.mse_loss", 1]]} : (!torch.vtensor<[4,8],f32>, !torch.int) -> !torch.vtensor<[4,8],f32>
  %2 = torch.operator "torch.aten.mean"(%1, %none) {gaudi.source_op = [["aten.mse_loss", 1], ["aten.mse_loss", 1]]} : (!torch.vtensor<[4,8],f32>, !torch.none) -> !torch.vtensor<[],f32>
  %3 = torch.operator "torch.aten.mul.Tensor"(%y, %y) {gaudi.source_op = [["aten.norm", 2], ["aten.linalg_vector_norm", 2]]} : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %4 = torch.operator "torch.aten.sum"(%3, %none) {gaudi.source_op = [["aten.norm", 2], ["aten.linalg_vector_norm", 2]]} : (!torch.vtensor<[4,8],f32>, !torch.none) -> !torch.vtensor<[],f32>
  %5 = torch.operator "torch.aten.sqrt"(%4) {gaudi.source_op = [["aten.norm", 2], ["aten.linalg_vector_norm", 2]]} : (!torch.vtensor<[],f32>) -> !torch.vtensor<[],f32>
  %6 = torch.aten.softmax.int %y, %one, %f32 : !torch.vtensor<[4,8],f32>, !torch.int, !torch.int -> !torch.vtensor<[4,8],f32>
  %7 = torch.operator "torch.aten.add.Tensor"(%y, %t, %two) {gaudi.source_op = [["aten.add_", 3], ["aten.add", 3]]} : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.int) -> !torch.vtensor<[4,8],f32>
  %8 = torch.operator "torch.aten.mul.Tensor"(%t, %y) {gaudi.source_op = [["aten.mul_", 4], ["aten.mul", 4]]} : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %2, %5, %6, %7, %8 : !torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>
}
