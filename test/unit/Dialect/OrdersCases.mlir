// Ops in forms that the examples of the documentation (op-examples.py) and
// test/Dialect/ops.mlir do not show; OrdersTest.cpp stores their tensors in all
// orders. Sizes differ so that no exchange of dimensions goes unseen.

func.func @elementwise(%x: tensor<2x3x4x5xf32>, %c: tensor<1x3x1x1xf32>, %h: tensor<2x1x4x1xf32>,
                       %i: tensor<2x3x4xi32>, %j: tensor<1x3x1xi32>, %p: tensor<2x1x4x5xi1>,
                       %v: tensor<2x1x3x2x2xbf16>, %u: tensor<1x1x3x1x1xbf16>) {
  %0 = gaudi.tpc.add %x, %c : tensor<2x3x4x5xf32>, tensor<1x3x1x1xf32> -> tensor<2x3x4x5xf32>
  %1 = gaudi.tpc.sub %c, %h : tensor<1x3x1x1xf32>, tensor<2x1x4x1xf32> -> tensor<2x3x4x1xf32>
  %2 = gaudi.tpc.shl %i, %j : tensor<2x3x4xi32>, tensor<1x3x1xi32> -> tensor<2x3x4xi32>
  %3 = gaudi.tpc.compare <lt> %h, %x : tensor<2x1x4x1xf32>, tensor<2x3x4x5xf32> -> tensor<2x3x4x5xi1>
  %4 = gaudi.tpc.select %p, %x, %c : tensor<2x1x4x5xi1>, tensor<2x3x4x5xf32>, tensor<1x3x1x1xf32> -> tensor<2x3x4x5xf32>
  %5 = gaudi.tpc.clamp %x min -1.0 : f32 max 2.0 : f32 : tensor<2x3x4x5xf32>
  %6 = gaudi.tpc.cast %x : tensor<2x3x4x5xf32> -> tensor<2x3x4x5xi8>
  %7 = gaudi.tpc.mul %v, %u : tensor<2x1x3x2x2xbf16>, tensor<1x1x3x1x1xbf16> -> tensor<2x1x3x2x2xbf16>
  return
}

func.func @reductions(%x: tensor<2x3x4x5xf32>, %i: tensor<3x1x4xi32>, %p: tensor<2x3x4xi1>) {
  %0 = gaudi.tpc.reduce <sum> %x dims [2, 3] : tensor<2x3x4x5xf32> -> tensor<2x3xf32>
  %1 = gaudi.tpc.reduce <mean> %x dims [1, 2] keep_dims : tensor<2x3x4x5xf32> -> tensor<2x1x1x5xf32>
  %2 = gaudi.tpc.reduce <prod> %i dims [1] : tensor<3x1x4xi32> -> tensor<3x4xi32>
  %3 = gaudi.tpc.reduce <max> %x dims [0, 1, 2, 3] : tensor<2x3x4x5xf32> -> tensor<f32>
  %4 = gaudi.tpc.reduce <all> %p dims [0] : tensor<2x3x4xi1> -> tensor<3x4xi1>
  %5 = gaudi.tpc.reduce <min> %x dims [] : tensor<2x3x4x5xf32> -> tensor<2x3x4x5xf32>
  %6 = gaudi.tpc.arg_reduce %x axis 2 : tensor<2x3x4x5xf32> -> tensor<2x3x5xi64>
  %7 = gaudi.tpc.arg_reduce %x axis 1 is_max keep_dims : tensor<2x3x4x5xf32> -> tensor<2x1x4x5xi32>
  return
}

func.func @windows(%x: tensor<2x3x5x6xf32>, %d: tensor<2x3x2x5xf32>, %s: tensor<1x3x5x4xf32>,
                   %b: tensor<2x3x4x1xi8>, %v: tensor<1x2x3x4x2xf32>, %l: tensor<2x5x3xf32>, %g: tensor<2x4x3xf32>) {
  %0 = gaudi.tpc.pool <max> %x layout "NCHW" kernel [3, 2] strides [2, 1] dilations [1, 1] pad [0, 1], [0, 0]
         : tensor<2x3x5x6xf32> -> tensor<2x3x2x6xf32>
  %1 = gaudi.tpc.pool <avg> %x layout "CNWH" kernel [2, 3] strides [1, 2] dilations [2, 1] pad [1, 0], [0, 1]
         count_include_pad : tensor<2x3x5x6xf32> -> tensor<2x3x2x5xf32>
  %2 = gaudi.tpc.pool <sum> %v layout "NCDHW" kernel [2, 1, 2] strides [1, 1, 1] dilations [1, 1, 1] pad [0, 0, 1], [1, 0, 0]
         : tensor<1x2x3x4x2xf32> -> tensor<1x2x3x4x2xf32>
  %3 = gaudi.tpc.pool_grad <max> %d of %x layout "NCHW" kernel [3, 2] strides [2, 1] pad [0, 0], [0, 0]
         : tensor<2x3x2x5xf32>, tensor<2x3x5x6xf32> -> tensor<2x3x5x6xf32>
  %4 = gaudi.tpc.pool_grad <sum> %g layout "NWC" kernel [2] strides [1] pad [0], [0] : tensor<2x4x3xf32> -> tensor<2x5x3xf32>
  %5 = gaudi.tpc.pool_grad <min> %g of %l layout "NWC" kernel [3] strides [1] pad [1], [0] select_padding
         : tensor<2x4x3xf32>, tensor<2x5x3xf32> -> tensor<2x5x3xf32>
  %6 = gaudi.tpc.pad <constant> %x low [0, 1, 0, 2] high [1, 0, 0, 3] value 7.0 : f32 : tensor<2x3x5x6xf32> -> tensor<3x4x5x11xf32>
  %7 = gaudi.tpc.pad <edge> %b low [0, 1, 0, 2] high [1, 0, 2, 0] : tensor<2x3x4x1xi8> -> tensor<3x4x6x3xi8>
  %8 = gaudi.tpc.resize <nearest> %s scale [2, 1, 3, 1] offset [0, 1] : tensor<1x3x5x4xf32> -> tensor<1x6x15x4xf32>
  %9 = gaudi.tpc.resize <bilinear> %b scale [2, 1, 2, 1] offset [0, -1] : tensor<2x3x4x1xi8> -> tensor<2x6x8x1xi32>
  %10 = gaudi.tpc.resize <bilinear> %x scale [4, 2, 4, 2] offset [0, 0] : tensor<2x3x5x6xf32> -> tensor<2x5x9x6xf32>
  return
}

func.func @indexed(%x: tensor<2x3x4x5xf32>, %i: tensor<6x7xi32>, %s: tensor<2x7xi64>, %b: tensor<2x3xi64>,
                   %e: tensor<2x3x2x5xi64>, %u: tensor<2x3x2x5xf32>, %z: tensor<i32>, %w: tensor<1x4x3xi8>,
                   %n: tensor<1x2x1xi32>) {
  %0 = gaudi.tpc.gather %x, %i axis 1 batch_dims 0 : tensor<2x3x4x5xf32>, tensor<6x7xi32> -> tensor<2x6x7x4x5xf32>
  %1 = gaudi.tpc.gather %x, %s axis 2 batch_dims 1 : tensor<2x3x4x5xf32>, tensor<2x7xi64> -> tensor<2x3x7x5xf32>
  %2 = gaudi.tpc.gather %x, %b axis 3 batch_dims 2 : tensor<2x3x4x5xf32>, tensor<2x3xi64> -> tensor<2x3x4xf32>
  %3 = gaudi.tpc.gather %x, %z axis 0 batch_dims 0 : tensor<2x3x4x5xf32>, tensor<i32> -> tensor<3x4x5xf32>
  %4 = gaudi.tpc.gather %w, %n axis 2 batch_dims 1 : tensor<1x4x3xi8>, tensor<1x2x1xi32> -> tensor<1x4x2x1xi8>
  %5 = gaudi.tpc.gather_elements %x, %e axis 2 : tensor<2x3x4x5xf32>, tensor<2x3x2x5xi64> -> tensor<2x3x2x5xf32>
  %6 = gaudi.tpc.scatter_elements %x, %e, %u axis 2 accumulate
         : tensor<2x3x4x5xf32>, tensor<2x3x2x5xi64>, tensor<2x3x2x5xf32> -> tensor<2x3x4x5xf32>
  %7 = gaudi.tpc.scatter_elements %x, %e, %u axis 2
         : tensor<2x3x4x5xf32>, tensor<2x3x2x5xi64>, tensor<2x3x2x5xf32> -> tensor<2x3x4x5xf32>
  return
}

func.func @axes(%x: tensor<2x3x4x5xf32>, %i: tensor<4x1x3xi32>) {
  %0 = gaudi.tpc.cumulative_sum %x axis 1 : tensor<2x3x4x5xf32>
  %1 = gaudi.tpc.cumulative_sum %i axis 2 exclusive reverse : tensor<4x1x3xi32>
  %2, %3 = gaudi.tpc.sort %x axis 2 : tensor<2x3x4x5xf32> -> tensor<2x3x4x5xf32>, tensor<2x3x4x5xi32>
  %4, %5 = gaudi.tpc.top_k %x axis 3 : tensor<2x3x4x5xf32> -> tensor<2x3x4x2xf32>, tensor<2x3x4x2xi64>
  %6 = gaudi.tpc.reverse %x dims [1, 3] : tensor<2x3x4x5xf32>
  %7 = gaudi.tpc.iota dim 2 : tensor<2x3x4x5xi32>
  return
}

func.func @moves(%x: tensor<2x3x4x5xf32>, %y: tensor<2x1x4x5xf32>, %r: tensor<3x5xf32>, %o: tensor<2x1x4xi8>,
                 %w: tensor<2x2x2x3xf32>) {
  %0 = gaudi.copy %x : tensor<2x3x4x5xf32>
  %1 = gaudi.fill 3.0 : f32 : tensor<2x3x4x5xf32>
  %2 = gaudi.bitcast %x : tensor<2x3x4x5xf32> -> tensor<2x3x4x5xi32>
  %3 = gaudi.concat %x, %y, %x axis 1 : tensor<2x3x4x5xf32>, tensor<2x1x4x5xf32>, tensor<2x3x4x5xf32> -> tensor<2x7x4x5xf32>
  %4 = gaudi.insert_slice %w into %x offsets [0, 1, 1, 0] strides [1, 1, 2, 2] : tensor<2x2x2x3xf32> into tensor<2x3x4x5xf32>
  %5 = gaudi.slice %x offsets [1, 0, 1, 0] strides [1, 2, 2, 3] : tensor<2x3x4x5xf32> -> tensor<1x2x2x2xf32>
  %6:3 = gaudi.split %x axis 3 : tensor<2x3x4x5xf32> -> tensor<2x3x4x1xf32>, tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>
  %7 = gaudi.broadcast %r dims [1, 3] : tensor<3x5xf32> -> tensor<2x3x4x5xf32>
  %8 = gaudi.broadcast %o dims [0, 1, 3] : tensor<2x1x4xi8> -> tensor<2x3x5x4xi8>
  return
}

func.func @reshapes(%x: tensor<2x3x4x5xf32>, %n: tensor<2x1x4x5xf32>, %f: tensor<2x3x20xf32>, %t: tensor<4x6x5xi32>,
                    %e: tensor<2x0x4xf32>, %o: tensor<1x1xf32>) {
  %0 = gaudi.reshape %x : tensor<2x3x4x5xf32> -> tensor<2x3x20xf32>
  %1 = gaudi.reshape %f : tensor<2x3x20xf32> -> tensor<2x3x4x5xf32>
  %2 = gaudi.reshape %n : tensor<2x1x4x5xf32> -> tensor<2x4x1x1x5xf32>
  %3 = gaudi.reshape %t : tensor<4x6x5xi32> -> tensor<8x3x5xi32>
  %4 = gaudi.reshape %t : tensor<4x6x5xi32> -> tensor<2x2x1x6x5xi32>
  %5 = gaudi.reshape %x : tensor<2x3x4x5xf32> -> tensor<6x1x20xf32>
  %6 = gaudi.reshape %e : tensor<2x0x4xf32> -> tensor<3x0xf32>
  %7 = gaudi.reshape %o : tensor<1x1xf32> -> tensor<f32>
  return
}

func.func @optimizers(%a: tensor<2x3x4xf32>, %b: tensor<5x3xbf16>, %s: tensor<1x1xf32>, %z: tensor<f32>) {
  %0:6 = gaudi.fused_adamw gradients(%a, %b) parameters(%a, %b) exp_avgs(%a, %b) exp_avg_sqs(%a, %b)
           step_size %s eps %s decay %z {beta1 = 0.9 : f64, beta2 = 0.999 : f64}
           : (tensor<2x3x4xf32>, tensor<5x3xbf16>, tensor<2x3x4xf32>, tensor<5x3xbf16>, tensor<2x3x4xf32>, tensor<5x3xbf16>, tensor<2x3x4xf32>, tensor<5x3xbf16>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<f32>)
             -> (tensor<2x3x4xf32>, tensor<5x3xbf16>, tensor<2x3x4xf32>, tensor<5x3xbf16>, tensor<2x3x4xf32>, tensor<5x3xbf16>)
  %1:2 = gaudi.fused_sgd gradients(%a, %b) parameters(%a, %b) lr %s
           : (tensor<2x3x4xf32>, tensor<5x3xbf16>, tensor<2x3x4xf32>, tensor<5x3xbf16>, tensor<1x1xf32>) -> (tensor<2x3x4xf32>, tensor<5x3xbf16>)
  %2:3 = gaudi.fused_lamb gradients(%a) parameters(%a) exp_avgs(%a) exp_avg_sqs(%a) lr %s
           grad_averaging {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-6 : f64}
           : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1x1xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>)
  return
}

// Matrices with flags, orders and shared factors; the columns of a result
// before its rows exchange the operands.
func.func @products(%a: tensor<2x3x4x5xf32>, %b: tensor<2x3x5x6xf32>, %w: tensor<1x3x6x5xf32>,
                    %h: tensor<2x4x3x5xbf16>, %k: tensor<2x6x3x5xbf16>, %v: tensor<4x1xf32>, %r: tensor<1x5xf32>) {
  %0 = gaudi.mme.gemm %a, %b : tensor<2x3x4x5xf32>, tensor<2x3x5x6xf32> -> tensor<2x3x4x6xf32>
  %1 = gaudi.mme.gemm %a, %w transpose_b : tensor<2x3x4x5xf32>, tensor<1x3x6x5xf32> -> tensor<2x3x4x6xf32>
  %2 = gaudi.mme.gemm %h, %k transpose_b order_a [0, 2, 1, 3] order_b [0, 2, 1, 3] order_c [1, 0, 2, 3]
         : tensor<2x4x3x5xbf16>, tensor<2x6x3x5xbf16> -> tensor<3x2x4x6xf32>
  %3 = gaudi.mme.gemm %b, %a transpose_a transpose_b order_c [0, 1, 3, 2]
         : tensor<2x3x5x6xf32>, tensor<2x3x4x5xf32> -> tensor<2x3x4x6xf32>
  %4 = gaudi.mme.gemm %v, %r : tensor<4x1xf32>, tensor<1x5xf32> -> tensor<4x5xf32>
  return
}

func.func @convolutions(%n: tensor<2x6x5x4xf32>, %x: tensor<2x4x6x5xf32>, %w: tensor<8x2x3x2xf32>,
                        %d: tensor<2x3x2x8xf32>, %u: tensor<2x3x1x1xf32>, %f: tensor<4x3x1x1xf32>) {
  %0 = gaudi.mme.conv %n, %w layout "NHWC", "OIHW", "NHWC" strides [2, 2] dilations [1, 1] pad [1, 0], [0, 0] groups 2
         : tensor<2x6x5x4xf32>, tensor<8x2x3x2xf32> -> tensor<2x3x2x8xf32>
  // Not as it is, but channels last.
  %1 = gaudi.mme.conv %x, %w layout "NCHW", "OIHW", "NCHW" strides [2, 2] dilations [1, 1] pad [1, 0], [0, 0] groups 2
         : tensor<2x4x6x5xf32>, tensor<8x2x3x2xf32> -> tensor<2x8x3x2xf32>
  %2 = gaudi.mme.conv_input_grad %d, %w layout "NHWC", "OIHW", "NCHW" strides [2, 2] dilations [1, 1] pad [1, 0], [0, 0] groups 2
         : tensor<2x3x2x8xf32>, tensor<8x2x3x2xf32> -> tensor<2x4x6x5xf32>
  %3 = gaudi.mme.conv_weight_grad %x, %d layout "NCHW", "NHWC", "OIHW" strides [2, 2] dilations [1, 1] pad [1, 0], [0, 0] groups 2
         : tensor<2x4x6x5xf32>, tensor<2x3x2x8xf32> -> tensor<8x2x3x2xf32>
  %4 = gaudi.mme.conv %u, %f layout "NCHW", "OIHW", "NCHW" strides [1, 1] dilations [1, 1] pad [0, 0], [0, 0] groups 1
         : tensor<2x3x1x1xf32>, tensor<4x3x1x1xf32> -> tensor<2x4x1x1xf32>
  return
}

func.func @attention(%q: tensor<2x4x3x5xf32>, %k: tensor<2x2x6x5xf32>, %v: tensor<2x2x6x7xf32>,
                     %m: tensor<2x1x3x6xi1>, %p: tensor<2x4x3x6xf32>, %g: tensor<2x3x4x7xf32>, %s: tensor<2x4x3x1xf32>) {
  %0 = gaudi.sdpa %q, %k, %v mask %m scale 0.25
         : (tensor<2x4x3x5xf32>, tensor<2x2x6x5xf32>, tensor<2x2x6x7xf32>, tensor<2x1x3x6xi1>) -> tensor<2x4x3x7xf32>
  %1:3 = gaudi.sdpa_grad %g, %q, %k, %v probabilities %p scale 0.5 {output_layout = "NLHD"}
         : (tensor<2x3x4x7xf32>, tensor<2x4x3x5xf32>, tensor<2x2x6x5xf32>, tensor<2x2x6x7xf32>, tensor<2x4x3x6xf32>)
         -> (tensor<2x4x3x5xf32>, tensor<2x2x6x5xf32>, tensor<2x2x6x7xf32>)
  %2:3 = gaudi.sdpa_grad %g, %q, %k, %v output %g m %s linv %s scale 0.5 {output_layout = "NLHD"}
         : (tensor<2x3x4x7xf32>, tensor<2x4x3x5xf32>, tensor<2x2x6x5xf32>, tensor<2x2x6x7xf32>, tensor<2x3x4x7xf32>,
            tensor<2x4x3x1xf32>, tensor<2x4x3x1xf32>)
         -> (tensor<2x4x3x5xf32>, tensor<2x2x6x5xf32>, tensor<2x2x6x7xf32>)
  return
}

func.func @masks(%x: tensor<6x4x5xf32>, %a: tensor<i32>, %b: tensor<i32>) {
  %0 = gaudi.tpc.mask %x dims [1] extents (%a) value 9.0 : f32 : tensor<6x4x5xf32>, tensor<i32>
  %1 = gaudi.tpc.mask %x dims [0, 0, 2] divisors [3, 1, 1] moduli [2, 3, 5] extents (%a, %b, %b) value 9.0 : f32
         : tensor<6x4x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>
  return
}
