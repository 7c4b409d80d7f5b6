// Variants of one function in a recipe: an entry that chooses among them, one
// weight, one state and one extent for all, and inputs and outputs of different
// sizes as views of one tensor.
// RUN: gaudi-opt %s --gaudi-place-ops=device=gaudi2 --gaudi-expand-kernels --gaudi-schedule-ops --gaudi-alias-buffers --gaudi-assign-buffers --gaudi-emit-recipe=output=%t.recipe -o /dev/null
// RUN: gaudi-run %t.recipe --verify
// RUN: gaudi-run %t.recipe --dump | FileCheck %s

// CHECK: recipe 1.6
// CHECK: section @0 persistent 768 bytes
// CHECK: tensor %0 "x" input @0+0 f32[32] loc
// CHECK: tensor %1 "x" input @0+0 f32[2,4] alias %0 loc
// CHECK: tensor %2 "w" input @0+128 f32[4,4] loc
// CHECK: tensor %3 "s" state @0+256 f32[4] loc
// CHECK: tensor %4 "arg3" input @0+384 i32[] loc
// CHECK: tensor %5 "y" output @0+512 f32[32] loc
// CHECK: tensor %6 "y" output @0+512 f32[2,4] alias %5 loc
// CHECK: tensor %7 "next" output @0+256 f32[4] alias %3 loc
// CHECK: tensor %8 "n" output @0+640 i32[] loc
// CHECK: tensor %9 "constant.9" const @1+0 f32[4] loc
// CHECK: tensor %10 "x" input @0+0 f32[8,4] alias %0 loc
// CHECK: tensor %11 "y" output @0+512 f32[8,4] alias %5 loc
// CHECK: tensor %12 "next" output @0+256 f32[4] alias %3 loc
// CHECK: entry "main" dispatch {
// CHECK:   symbol "batch" 1 to 8
// CHECK:   input "x" f32[s0, 4]
// CHECK:   input "w" f32[4, 4]
// CHECK:   input "s" f32[4]
// CHECK:   output "y" f32[s0, 4]
// CHECK:   output "next" f32[4]
// CHECK:   output "n" i32[]
// CHECK:   variant 1 sizes [2] picoseconds {{[0-9]+}} extent 3 = ((s0 * 4) - 1)
// CHECK:   variant 2 sizes [8] picoseconds {{[0-9]+}} extent 3 = ((s0 * 4) - 1)
// CHECK: entry "main.0" (%1, %2, %3, %4) -> (%6, %7, %8) {
// CHECK: entry "main.1" (%10, %2, %3, %4) -> (%11, %12, %8) {
func.func private @main(%x: tensor<?x4xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 4)>},
                        %w: tensor<4x4xf32>, %s: tensor<4xf32>)
    -> (tensor<?x4xf32> {gaudi.shape = affine_map<()[s0] -> (s0, 4)>}, tensor<4xf32>)
    attributes {gaudi.buckets = [@main.0, @main.1],
                gaudi.symbols = [{name = "batch", min = 1 : i64, max = 8 : i64, multiple = 1 : i64}]}

func.func @main.0(%x: tensor<2x4xf32> {gaudi.name = "x", gaudi.shape = affine_map<()[s0] -> (s0, 4)>},
                  %w: tensor<4x4xf32> {gaudi.name = "w"},
                  %s: tensor<4xf32> {gaudi.name = "s", gaudi.state = 1 : i64},
                  %n: tensor<i32> {gaudi.extent = affine_map<()[s0] -> (s0 * 4 - 1)>})
    -> (tensor<2x4xf32> {gaudi.name = "y", gaudi.shape = affine_map<()[s0] -> (s0, 4)>},
        tensor<4xf32> {gaudi.name = "next"}, tensor<i32> {gaudi.name = "n"})
    attributes {gaudi.bucket = array<i64: 2>, gaudi.bucket_of = @main,
                gaudi.symbols = [{name = "batch", min = 1 : i64, max = 8 : i64, multiple = 1 : i64}]} {
  %c = gaudi.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %y = gaudi.mme.gemm %x, %w : tensor<2x4xf32>, tensor<4x4xf32> -> tensor<2x4xf32>
  %next = gaudi.tpc.add %s, %c : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %m = gaudi.tpc.add %n, %n : tensor<i32>, tensor<i32> -> tensor<i32>
  return %y, %next, %m : tensor<2x4xf32>, tensor<4xf32>, tensor<i32>
}

func.func @main.1(%x: tensor<8x4xf32> {gaudi.name = "x", gaudi.shape = affine_map<()[s0] -> (s0, 4)>},
                  %w: tensor<4x4xf32> {gaudi.name = "w"},
                  %s: tensor<4xf32> {gaudi.name = "s", gaudi.state = 1 : i64},
                  %n: tensor<i32> {gaudi.extent = affine_map<()[s0] -> (s0 * 4 - 1)>})
    -> (tensor<8x4xf32> {gaudi.name = "y", gaudi.shape = affine_map<()[s0] -> (s0, 4)>},
        tensor<4xf32> {gaudi.name = "next"}, tensor<i32> {gaudi.name = "n"})
    attributes {gaudi.bucket = array<i64: 8>, gaudi.bucket_of = @main,
                gaudi.symbols = [{name = "batch", min = 1 : i64, max = 8 : i64, multiple = 1 : i64}]} {
  %c = gaudi.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %y = gaudi.mme.gemm %x, %w : tensor<8x4xf32>, tensor<4x4xf32> -> tensor<8x4xf32>
  %next = gaudi.tpc.add %s, %c : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %m = gaudi.tpc.add %n, %n : tensor<i32>, tensor<i32> -> tensor<i32>
  return %y, %next, %m : tensor<8x4xf32>, tensor<4xf32>, tensor<i32>
}
