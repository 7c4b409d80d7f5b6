// RUN: not gaudi-run %s --seed-inputs=1 2>&1 | FileCheck %s

// A body of 33 powers weighs more than the code of one kernel may.
// CHECK: the ops of this kernel weigh 16899, more than the 16384 that a recipe allows (a power weighs 512, a sine 256, another function 64); split the body into several ops
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p0 = math.powf %a, %b : f32
    %p1 = math.powf %p0, %b : f32
    %p2 = math.powf %p1, %b : f32
    %p3 = math.powf %p2, %b : f32
    %p4 = math.powf %p3, %b : f32
    %p5 = math.powf %p4, %b : f32
    %p6 = math.powf %p5, %b : f32
    %p7 = math.powf %p6, %b : f32
    %p8 = math.powf %p7, %b : f32
    %p9 = math.powf %p8, %b : f32
    %p10 = math.powf %p9, %b : f32
    %p11 = math.powf %p10, %b : f32
    %p12 = math.powf %p11, %b : f32
    %p13 = math.powf %p12, %b : f32
    %p14 = math.powf %p13, %b : f32
    %p15 = math.powf %p14, %b : f32
    %p16 = math.powf %p15, %b : f32
    %p17 = math.powf %p16, %b : f32
    %p18 = math.powf %p17, %b : f32
    %p19 = math.powf %p18, %b : f32
    %p20 = math.powf %p19, %b : f32
    %p21 = math.powf %p20, %b : f32
    %p22 = math.powf %p21, %b : f32
    %p23 = math.powf %p22, %b : f32
    %p24 = math.powf %p23, %b : f32
    %p25 = math.powf %p24, %b : f32
    %p26 = math.powf %p25, %b : f32
    %p27 = math.powf %p26, %b : f32
    %p28 = math.powf %p27, %b : f32
    %p29 = math.powf %p28, %b : f32
    %p30 = math.powf %p29, %b : f32
    %p31 = math.powf %p30, %b : f32
    %p32 = math.powf %p31, %b : f32
    linalg.yield %p32 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
