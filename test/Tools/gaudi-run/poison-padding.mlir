// --poison-padding launches with each kind of garbage, and compares: this
// variant, which was never masked, sums over the padding of its input.
// RUN: gaudi-opt %s --gaudi-place-ops=device=gaudi2 --gaudi-expand-kernels --gaudi-schedule-ops --gaudi-alias-buffers --gaudi-assign-buffers --gaudi-emit-recipe=output=%t.recipe -o /dev/null
// RUN: gaudi-run %t.recipe "--input=4x2xf32=1 2 3 4 5 6 7 8" --poison-padding | FileCheck %s
// CHECK: output 'y': 2xf32 = [16, 20]
// RUN: not gaudi-run %t.recipe "--input=3x2xf32=1 2 3 4 5 6" --poison-padding 2>&1 | FileCheck %s --check-prefix=PADDING
// PADDING: error: output 'y' depends on the padding of inputs: it was nan at [0], with other padding {{-?inf}}; that is an error of the compiler: keep the launch with --save-replay=FILE.zip and report it
func.func private @main(%x: tensor<?x2xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 2)>})
    -> (tensor<2xf32> {gaudi.shape = affine_map<()[s0] -> (2)>})
    attributes {gaudi.buckets = [@main.0],
                gaudi.symbols = [{name = "rows", min = 1 : i64, max = 4 : i64, multiple = 1 : i64}]}

func.func @main.0(%x: tensor<4x2xf32> {gaudi.name = "x", gaudi.shape = affine_map<()[s0] -> (s0, 2)>})
    -> (tensor<2xf32> {gaudi.name = "y", gaudi.shape = affine_map<()[s0] -> (2)>})
    attributes {gaudi.bucket = array<i64: 4>, gaudi.bucket_of = @main,
                gaudi.symbols = [{name = "rows", min = 1 : i64, max = 4 : i64, multiple = 1 : i64}]} {
  %y = gaudi.tpc.reduce <sum> %x dims [0] : tensor<4x2xf32> -> tensor<2xf32>
  return %y : tensor<2xf32>
}
