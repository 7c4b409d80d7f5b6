// One step of Adam on the sum of squares of w - y. The state is w, its moments,
// and the powers of both decay rates.
func.func @main(%w: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>,
                %p1: tensor<f32>, %p2: tensor<f32>, %y: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %beta1 = gaudi.constant dense<0.9> : tensor<1xf32>
  %rest1 = gaudi.constant dense<0.1> : tensor<1xf32>
  %beta2 = gaudi.constant dense<0.999> : tensor<1xf32>
  %rest2 = gaudi.constant dense<0.001> : tensor<1xf32>
  %beta1s = gaudi.constant dense<0.9> : tensor<f32>
  %beta2s = gaudi.constant dense<0.999> : tensor<f32>
  %one = gaudi.constant dense<1.0> : tensor<f32>
  %two = gaudi.constant dense<2.0> : tensor<1xf32>
  %rate = gaudi.constant dense<0.125> : tensor<1xf32>
  %eps = gaudi.constant dense<1.0e-8> : tensor<1xf32>
  %e = gaudi.tpc.sub %w, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %ee = gaudi.tpc.mul %e, %e : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %loss = gaudi.tpc.reduce <sum> %ee dims [0] : tensor<4xf32> -> tensor<f32>
  %g = gaudi.tpc.mul %e, %two : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %gg = gaudi.tpc.mul %g, %g : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %m0 = gaudi.tpc.mul %m, %beta1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %m1 = gaudi.tpc.mul %g, %rest1 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %mn = gaudi.tpc.add %m0, %m1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %v0 = gaudi.tpc.mul %v, %beta2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %v1 = gaudi.tpc.mul %gg, %rest2 : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %vn = gaudi.tpc.add %v0, %v1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %p1n = gaudi.tpc.mul %p1, %beta1s : tensor<f32>, tensor<f32> -> tensor<f32>
  %p2n = gaudi.tpc.mul %p2, %beta2s : tensor<f32>, tensor<f32> -> tensor<f32>
  %c1 = gaudi.tpc.sub %one, %p1n : tensor<f32>, tensor<f32> -> tensor<f32>
  %c2 = gaudi.tpc.sub %one, %p2n : tensor<f32>, tensor<f32> -> tensor<f32>
  %c1v = gaudi.reshape %c1 : tensor<f32> -> tensor<1xf32>
  %c2v = gaudi.reshape %c2 : tensor<f32> -> tensor<1xf32>
  %mh = gaudi.tpc.div %mn, %c1v : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %vh = gaudi.tpc.div %vn, %c2v : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %root = gaudi.tpc.sqrt %vh : tensor<4xf32>
  %below = gaudi.tpc.add %root, %eps : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %step = gaudi.tpc.div %mh, %below : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %scaled = gaudi.tpc.mul %step, %rate : tensor<4xf32>, tensor<1xf32> -> tensor<4xf32>
  %wn = gaudi.tpc.sub %w, %scaled : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %wn, %mn, %vn, %p1n, %p2n, %loss : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>
}
