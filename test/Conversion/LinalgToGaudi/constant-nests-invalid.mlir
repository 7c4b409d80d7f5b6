// RUN: gaudi-opt %s --convert-linalg-to-gaudi -verify-diagnostics

// A nest in f64 that reads no data and writes one column only is not folded: the
// other column keeps its values.
#in = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>

func.func @column() -> tensor<2x2xf32> {
  %m = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %e = tensor.empty() : tensor<2x2xf32>
  // expected-error@+1 {{result 0 is not written by distinct whole dimensions}}
  %0 = linalg.generic {indexing_maps = [#in, #column], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<2x2xf64>) outs(%e : tensor<2x2xf32>) {
  ^bb0(%a: f64, %o: f32):
    %f = arith.truncf %a : f64 to f32
    linalg.yield %f : f32
  } -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
