// What depends on the precision of f64 stays refused.
// RUN: gaudi-opt %s --split-input-file --verify-diagnostics --convert-stablehlo-to-gaudi

func.func @sum_decides(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xi1> {
  // expected-error @+1 {{cannot convert stablehlo.convert: result 0 of type 'tensor<3xf64>' is of f64, which the device does not have; export the model in f32}}
  %a = "stablehlo.convert"(%x) : (tensor<3xf32>) -> tensor<3xf64>
  // expected-error @+1 {{is of f64, which the device does not have; export the model in f32}}
  %b = "stablehlo.convert"(%y) : (tensor<3xf32>) -> tensor<3xf64>
  // expected-error @+1 {{is of f64, which the device does not have; export the model in f32}}
  %sum = "stablehlo.add"(%a, %b) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  // expected-error @+1 {{is of f64, which the device does not have; export the model in f32}}
  %r = "stablehlo.compare"(%sum, %b) <{comparison_direction = "GT"}> : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  return %r : tensor<3xi1>
}
