// AdamW whose second moment is divided by a scalar %c within the root; tests put in the ops that make it.
func.func @step(%w: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %t: tensor<1xf32>, %x: tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %lr = gaudi.constant dense<0.01> : tensor<1xf32>
  %one = gaudi.constant dense<1.0> : tensor<1xf32>
  %three = gaudi.constant dense<3.0> : tensor<1xf32>
  %little = gaudi.constant dense<0.01> : tensor<1xf32>
  %b1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %a1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %b2 = gaudi.constant dense<0.999> : tensor<1xf32>
  %a2 = gaudi.constant dense<0.001> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-8> : tensor<1xf32>
  %m0 = gaudi.tpc.mul %m, %b1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %m1 = gaudi.tpc.mul %g, %a1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %m2 = gaudi.tpc.add %m0, %m1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %v0 = gaudi.tpc.mul %v, %b2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %g2 = gaudi.tpc.mul %g, %g : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %v1 = gaudi.tpc.mul %g2, %a2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %v2 = gaudi.tpc.add %v0, %v1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %p = gaudi.tpc.pow %b2, %t : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  %q = gaudi.tpc.sub %one, %p : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
  CORRECTION
  %corrected = gaudi.tpc.div %v2, %c : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %root = gaudi.tpc.sqrt %corrected : tensor<4xf32>
  %sum = gaudi.tpc.add %root, %eps : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %ratio = gaudi.tpc.div %m2, %sum : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %u = gaudi.tpc.mul %ratio, %lr : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %new = gaudi.tpc.sub %w, %u : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %new, %m2, %v2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
