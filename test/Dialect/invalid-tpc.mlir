// RUN: gaudi-opt %s -split-input-file -verify-diagnostics

// expected-note @+1 {{operand defined here}}
func.func @reduce_logical(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.reduce' op kind all does not take 'f32'}}
  %0 = gaudi.tpc.reduce <all> %x dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @reduce_bool(%x: tensor<4x8xi1>) {
  // expected-error @+1 {{'gaudi.tpc.reduce' op kind sum does not take 'i1'}}
  %0 = gaudi.tpc.reduce <sum> %x dims [1] : tensor<4x8xi1> -> tensor<4xi1>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @reduce_mean(%x: tensor<4x8xi32>) {
  // expected-error @+1 {{'gaudi.tpc.reduce' op kind mean takes floats but got 'i32'}}
  %0 = gaudi.tpc.reduce <mean> %x dims [1] : tensor<4x8xi32> -> tensor<4xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @reduce_type(%x: tensor<4x8xbf16>) {
  // expected-error @+1 {{'gaudi.tpc.reduce' op operand has element type 'bf16' but the result has 'f32'}}
  %0 = gaudi.tpc.reduce <sum> %x dims [1] : tensor<4x8xbf16> -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @reduce_order(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.reduce' op dims [1, 0] must ascend within [0, 2)}}
  %0 = gaudi.tpc.reduce <sum> %x dims [1, 0] : tensor<4x8xf32> -> tensor<f32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @reduce_negative(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.reduce' op dims [-1] must ascend within [0, 2)}}
  %0 = gaudi.tpc.reduce <sum> %x dims [-1] : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @reduce_outside(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.reduce' op dims [2] must ascend within [0, 2)}}
  %0 = gaudi.tpc.reduce <sum> %x dims [2] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @reduce_shape(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.reduce' op result has type 'tensor<4xf32>'; expected shape [4, 1]}}
  %0 = gaudi.tpc.reduce <sum> %x dims [1] keep_dims : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @arg_axis(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.arg_reduce' op axis -1 is outside [0, 2) of 'tensor<4x8xf32>'}}
  %0 = gaudi.tpc.arg_reduce %x axis -1 is_max : tensor<4x8xf32> -> tensor<4xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @arg_scalar(%x: tensor<f32>) {
  // expected-error @+1 {{'gaudi.tpc.arg_reduce' op axis 0 is outside [0, 0) of 'tensor<f32>'}}
  %0 = gaudi.tpc.arg_reduce %x axis 0 is_max : tensor<f32> -> tensor<i32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @arg_shape(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.arg_reduce' op result has type 'tensor<8xi32>'; expected shape [4]}}
  %0 = gaudi.tpc.arg_reduce %x axis 1 is_max : tensor<4x8xf32> -> tensor<8xi32>
  return
}

// -----

func.func @arg_type(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.arg_reduce' op result #0 must be ranked tensor of i32 or i64 values, but got 'tensor<4xi8>'}}
  %0 = gaudi.tpc.arg_reduce %x axis 1 is_max : tensor<4x8xf32> -> tensor<4xi8>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @pool_type(%x: tensor<1x8x3xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool' op operand has element type 'f32' but the result has 'bf16'}}
  %0 = gaudi.tpc.pool <max> %x layout "NWC" kernel [2] strides [2] dilations [1] pad [0], [0]
         : tensor<1x8x3xf32> -> tensor<1x4x3xbf16>
  return
}

// -----

func.func @pool_rank(%x: tensor<8x3xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool' op operand 'tensor<8x3xf32>' and result 'tensor<4x3xf32>' must have one rank of 3, 4 or 5}}
  %0 = gaudi.tpc.pool <max> %x layout "NC" kernel [] strides [] dilations [] pad [], []
         : tensor<8x3xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @pool_layout(%x: tensor<1x8x3xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool' op layout "NHC" must name each of "NCW" once}}
  %0 = gaudi.tpc.pool <max> %x layout "NHC" kernel [2] strides [2] dilations [1] pad [0], [0]
         : tensor<1x8x3xf32> -> tensor<1x4x3xf32>
  return
}

// -----

func.func @pool_entries(%x: tensor<1x8x3xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool' op 'kernel' has 0 entries; expected 1, one per spatial dimension}}
  %0 = gaudi.tpc.pool <max> %x layout "NWC" kernel [] strides [2] dilations [1] pad [0], [0]
         : tensor<1x8x3xf32> -> tensor<1x4x3xf32>
  return
}

// -----

func.func @pool_kernel(%x: tensor<1x8x3xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool' op 'kernel' has entry 0; expected 1 to 2147483647}}
  %0 = gaudi.tpc.pool <max> %x layout "NWC" kernel [0] strides [2] dilations [1] pad [0], [0]
         : tensor<1x8x3xf32> -> tensor<1x4x3xf32>
  return
}

// -----

func.func @pool_huge_pad(%x: tensor<1x8x3xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool' op 'pad_low' has entry 2147483648; expected 0 to 2147483647}}
  %0 = gaudi.tpc.pool <max> %x layout "NWC" kernel [2] strides [2] dilations [1] pad [2147483648], [0]
         : tensor<1x8x3xf32> -> tensor<1x4x3xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @pool_avg(%x: tensor<1x8x3xi32>) {
  // expected-error @+1 {{'gaudi.tpc.pool' op kind avg takes floats but got 'i32'}}
  %0 = gaudi.tpc.pool <avg> %x layout "NWC" kernel [2] strides [2] dilations [1] pad [0], [0]
         : tensor<1x8x3xi32> -> tensor<1x4x3xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @pool_channels(%x: tensor<1x8x3xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool' op size of C is 3 in the operand but 4 in the result}}
  %0 = gaudi.tpc.pool <max> %x layout "NWC" kernel [2] strides [2] dilations [1] pad [0], [0]
         : tensor<1x8x3xf32> -> tensor<1x4x4xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @pool_window(%x: tensor<1x8x3xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pool' op window of W reaches 10 but the padded operand has 9 elements}}
  %0 = gaudi.tpc.pool <max> %x layout "NWC" kernel [2] strides [2] dilations [1] pad [0], [1]
         : tensor<1x8x3xf32> -> tensor<1x5x3xf32>
  return
}

// -----

// expected-note @+1 {{data defined here}}
func.func @gather_axis(%x: tensor<8x4xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{'gaudi.tpc.gather' op axis 2 is outside [0, 2) of 'tensor<8x4xf32>'}}
  %0 = gaudi.tpc.gather %x, %i axis 2 batch_dims 0 : tensor<8x4xf32>, tensor<2xi64> -> tensor<8x4xf32>
  return
}

// -----

// expected-note @+1 {{data defined here}}
func.func @gather_type(%x: tensor<8x4xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{'gaudi.tpc.gather' op data has element type 'f32' but the result has 'i64'}}
  %0 = gaudi.tpc.gather %x, %i axis 0 batch_dims 0 : tensor<8x4xf32>, tensor<2xi64> -> tensor<2x4xi64>
  return
}

// -----

// expected-note @+1 {{indices defined here}}
func.func @gather_batch(%x: tensor<8x4xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{'gaudi.tpc.gather' op batch_dims 1 must be at most axis 0 and the rank of the indices 1}}
  %0 = gaudi.tpc.gather %x, %i axis 0 batch_dims 1 : tensor<8x4xf32>, tensor<2xi64> -> tensor<2x4xf32>
  return
}

// -----

// expected-note @+1 {{indices defined here}}
func.func @gather_negative_batch(%x: tensor<8x4xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{'gaudi.tpc.gather' op batch_dims -1 must be at most axis 0 and the rank of the indices 1}}
  %0 = gaudi.tpc.gather %x, %i axis 0 batch_dims -1 : tensor<8x4xf32>, tensor<2xi64> -> tensor<2x4xf32>
  return
}

// -----

// expected-note @+1 {{data defined here}}
func.func @gather_batch_size(%x: tensor<8x4xf32>, %i: tensor<2x3xi64>) {
  // expected-error @+1 {{'gaudi.tpc.gather' op batch dimension 0 has size 2 in indices but 8 in data}}
  %0 = gaudi.tpc.gather %x, %i axis 1 batch_dims 1 : tensor<8x4xf32>, tensor<2x3xi64> -> tensor<8x3xf32>
  return
}

// -----

// expected-note @+1 {{indices defined here}}
func.func @gather_shape(%x: tensor<8x4xf32>, %i: tensor<2x3xi64>) {
  // expected-error @+1 {{'gaudi.tpc.gather' op result has type 'tensor<2x4xf32>'; expected shape [2, 3, 4]}}
  %0 = gaudi.tpc.gather %x, %i axis 0 batch_dims 0 : tensor<8x4xf32>, tensor<2x3xi64> -> tensor<2x4xf32>
  return
}

// -----

// expected-note @+1 {{indices defined here}}
func.func @elements_shape(%x: tensor<4x8xf32>, %i: tensor<4x2xi64>) {
  // expected-error @+1 {{'gaudi.tpc.gather_elements' op result has type 'tensor<4x3xf32>'; expected shape [4, 2]}}
  %0 = gaudi.tpc.gather_elements %x, %i axis 1 : tensor<4x8xf32>, tensor<4x2xi64> -> tensor<4x3xf32>
  return
}

// -----

// expected-note @+1 {{data defined here}}
func.func @elements_rank(%x: tensor<4x8xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{'gaudi.tpc.gather_elements' op indices have type 'tensor<2xi64>' but data has rank 2}}
  %0 = gaudi.tpc.gather_elements %x, %i axis 1 : tensor<4x8xf32>, tensor<2xi64> -> tensor<2xf32>
  return
}

// -----

// expected-note @+1 {{data defined here}}
func.func @elements_size(%x: tensor<4x8xf32>, %i: tensor<5x2xi64>) {
  // expected-error @+1 {{'gaudi.tpc.gather_elements' op indices dimension 0 has size 5 but data has only 4}}
  %0 = gaudi.tpc.gather_elements %x, %i axis 1 : tensor<4x8xf32>, tensor<5x2xi64> -> tensor<5x2xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @pad_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pad' op operand has element type 'f32' but the result has 'i32'}}
  %0 = gaudi.tpc.pad <edge> %x low [1] high [0] : tensor<4xf32> -> tensor<5xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @pad_entries(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pad' op operand has rank 2 but there are 1 low and 2 high entries}}
  %0 = gaudi.tpc.pad <edge> %x low [1] high [0, 0] : tensor<4x8xf32> -> tensor<5x8xf32>
  return
}

// -----

func.func @pad_negative(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pad' op pads dimension 0 by 1 and -1; expected 0 or more}}
  %0 = gaudi.tpc.pad <edge> %x low [1] high [-1] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @pad_no_value(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pad' op mode constant needs a value of type 'f32'}}
  %0 = gaudi.tpc.pad <constant> %x low [1] high [0] : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @pad_value_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pad' op mode constant needs a value of type 'f32'}}
  %0 = gaudi.tpc.pad <constant> %x low [1] high [0] value 0 : i32 : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @pad_empty(%x: tensor<0xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pad' op mode edge needs an operand with elements}}
  %0 = gaudi.tpc.pad <edge> %x low [1] high [0] : tensor<0xf32> -> tensor<1xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @pad_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pad' op result has type 'tensor<6xf32>'; expected shape [5]}}
  %0 = gaudi.tpc.pad <edge> %x low [1] high [0] : tensor<4xf32> -> tensor<6xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @pad_huge(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.pad' op result has type 'tensor<6xf32>'; expected shape [9223372036854775807]}}
  %0 = gaudi.tpc.pad <edge> %x low [9223372036854775807] high [9223372036854775807] : tensor<4xf32> -> tensor<6xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @reverse_dim(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.reverse' op axis 1 is outside [0, 1) of 'tensor<4xf32>'}}
  %0 = gaudi.tpc.reverse %x dims [0, 1] : tensor<4xf32>
  return
}

// -----

func.func @iota_dim() {
  // expected-error @+1 {{'gaudi.tpc.iota' op axis -2 is outside [0, 1) of 'tensor<4xi32>'}}
  %0 = gaudi.tpc.iota dim -2 : tensor<4xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @resize_shape(%x: tensor<1x4x4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.resize' op operand 'tensor<1x4x4x8xf32>' and result 'tensor<1x7x7x4xf32>' must be NHWC tensors with equal N and C}}
  %0 = gaudi.tpc.resize <nearest> %x scale [4, 2, 4, 2] offset [0, 0] : tensor<1x4x4x8xf32> -> tensor<1x7x7x4xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @resize_rank(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.resize' op operand 'tensor<4x4xf32>' and result 'tensor<7x7xf32>' must be NHWC tensors with equal N and C}}
  %0 = gaudi.tpc.resize <nearest> %x scale [4, 2, 4, 2] offset [0, 0] : tensor<4x4xf32> -> tensor<7x7xf32>
  return
}

// -----

func.func @resize_entries(%x: tensor<1x4x4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.resize' op expected 4 scale and 2 offset entries but got 2 and 1}}
  %0 = gaudi.tpc.resize <nearest> %x scale [4, 2] offset [0] : tensor<1x4x4x8xf32> -> tensor<1x7x7x8xf32>
  return
}

// -----

func.func @resize_scale(%x: tensor<1x4x4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.resize' op scale has entry 0; expected 1 to 2147483647}}
  %0 = gaudi.tpc.resize <nearest> %x scale [4, 0, 4, 2] offset [0, 0] : tensor<1x4x4x8xf32> -> tensor<1x7x7x8xf32>
  return
}

// -----

func.func @resize_offset(%x: tensor<1x4x4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.resize' op offset has entry -2147483648; expected -2147483647 to 2147483647}}
  %0 = gaudi.tpc.resize <nearest> %x scale [4, 2, 4, 2] offset [0, -2147483648] : tensor<1x4x4x8xf32> -> tensor<1x7x7x8xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @resize_empty(%x: tensor<1x0x4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.resize' op operand 'tensor<1x0x4x8xf32>' has no elements to resample}}
  %0 = gaudi.tpc.resize <nearest> %x scale [4, 2, 4, 2] offset [0, 0] : tensor<1x0x4x8xf32> -> tensor<1x7x7x8xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @resize_type(%x: tensor<1x4x4x8xi8>) {
  // expected-error @+1 {{'gaudi.tpc.resize' op operand has element type 'i8' but the result has 'i16'}}
  %0 = gaudi.tpc.resize <nearest> %x scale [4, 2, 4, 2] offset [0, 0] : tensor<1x4x4x8xi8> -> tensor<1x7x7x8xi16>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @resize_weighs(%x: tensor<1x4x4x8xi8>) {
  // expected-error @+1 {{'gaudi.tpc.resize' op operand has element type 'i8' but the result has 'i8'; expected i32 or i64 (scaled by y_n * x_n)}}
  %0 = gaudi.tpc.resize <bilinear> %x scale [4, 2, 4, 2] offset [0, 0] : tensor<1x4x4x8xi8> -> tensor<1x7x7x8xi8>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @sum_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.cumulative_sum' op axis 1 is outside [0, 1) of 'tensor<4xf32>'}}
  %0 = gaudi.tpc.cumulative_sum %x axis 1 : tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @sort_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.sort' op axis 9 is outside [0, 1) of 'tensor<4xf32>'}}
  %v, %i = gaudi.tpc.sort %x axis 9 : tensor<4xf32> -> tensor<4xf32>, tensor<4xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @sort_type(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.sort' op operand has element type 'f32' but the result has 'i8'}}
  %v, %i = gaudi.tpc.sort %x axis 0 : tensor<4xf32> -> tensor<4xi8>, tensor<4xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @sort_values(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.sort' op values has type 'tensor<3xf32>'; expected shape [4]}}
  %v, %i = gaudi.tpc.sort %x axis 0 : tensor<4xf32> -> tensor<3xf32>, tensor<4xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @sort_indices(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.sort' op indices has type 'tensor<3xi32>'; expected shape [4]}}
  %v, %i = gaudi.tpc.sort %x axis 0 : tensor<4xf32> -> tensor<4xf32>, tensor<3xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @top_k_many(%x: tensor<4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.top_k' op takes 5 elements but axis 0 has only 4}}
  %v, %i = gaudi.tpc.top_k %x axis 0 : tensor<4xf32> -> tensor<5xf32>, tensor<5xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @top_k_values(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.top_k' op values has type 'tensor<2xf32>'; expected shape [4, 8]}}
  %v, %i = gaudi.tpc.top_k %x axis 0 : tensor<4x8xf32> -> tensor<2xf32>, tensor<2xi32>
  return
}

// -----

// expected-note @+1 {{operand defined here}}
func.func @top_k_indices(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'gaudi.tpc.top_k' op indices has type 'tensor<4x8xi32>'; expected shape [2, 8]}}
  %v, %i = gaudi.tpc.top_k %x axis 0 : tensor<4x8xf32> -> tensor<2x8xf32>, tensor<4x8xi32>
  return
}

// -----

// expected-note @+1 {{updates defined here}}
func.func @scatter_type(%x: tensor<1x8x4xf32>, %i: tensor<1x2xi32>, %u: tensor<1x2x4xbf16>) {
  // expected-error @+1 {{'gaudi.tpc.scatter' op updates has element type 'bf16' but the result has 'f32'}}
  %0 = gaudi.tpc.scatter %x, %i, %u : tensor<1x8x4xf32>, tensor<1x2xi32>, tensor<1x2x4xbf16> -> tensor<1x8x4xf32>
  return
}

// -----

// expected-note @+1 {{data defined here}}
func.func @scatter_rank(%x: tensor<8x4xf32>, %i: tensor<2xi32>, %u: tensor<2x4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.scatter' op expected data [N, K, C] and indices [N, W] but got 'tensor<8x4xf32>' and 'tensor<2xi32>'}}
  %0 = gaudi.tpc.scatter %x, %i, %u : tensor<8x4xf32>, tensor<2xi32>, tensor<2x4xf32> -> tensor<8x4xf32>
  return
}

// -----

// expected-note @+1 {{data defined here}}
func.func @scatter_indices(%x: tensor<1x8x4xf32>, %i: tensor<2x2xi32>, %u: tensor<1x2x4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.scatter' op indices has type 'tensor<2x2xi32>'; expected shape [1, 2]}}
  %0 = gaudi.tpc.scatter %x, %i, %u : tensor<1x8x4xf32>, tensor<2x2xi32>, tensor<1x2x4xf32> -> tensor<1x8x4xf32>
  return
}

// -----

// expected-note @+1 {{indices defined here}}
func.func @scatter_updates(%x: tensor<1x8x4xf32>, %i: tensor<1x2xi32>, %u: tensor<1x2x5xf32>) {
  // expected-error @+1 {{'gaudi.tpc.scatter' op updates has type 'tensor<1x2x5xf32>'; expected shape [1, 2, 4]}}
  %0 = gaudi.tpc.scatter %x, %i, %u : tensor<1x8x4xf32>, tensor<1x2xi32>, tensor<1x2x5xf32> -> tensor<1x8x4xf32>
  return
}

// -----

// expected-note @+1 {{data defined here}}
func.func @scatter_result(%x: tensor<1x8x4xf32>, %i: tensor<1x2xi32>, %u: tensor<1x2x4xf32>) {
  // expected-error @+1 {{'gaudi.tpc.scatter' op result has type 'tensor<1x9x4xf32>'; expected shape [1, 8, 4]}}
  %0 = gaudi.tpc.scatter %x, %i, %u : tensor<1x8x4xf32>, tensor<1x2xi32>, tensor<1x2x4xf32> -> tensor<1x9x4xf32>
  return
}

// -----

// expected-note @+1 {{data defined here}}
func.func @scatter_elements_axis(%x: tensor<4x8xf32>, %i: tensor<4x2xi32>, %u: tensor<4x2xf32>) {
  // expected-error @+1 {{'gaudi.tpc.scatter_elements' op axis 2 is outside [0, 2) of 'tensor<4x8xf32>'}}
  %0 = gaudi.tpc.scatter_elements %x, %i, %u axis 2 : tensor<4x8xf32>, tensor<4x2xi32>, tensor<4x2xf32> -> tensor<4x8xf32>
  return
}

// -----

// expected-note @+1 {{data defined here}}
func.func @scatter_elements_rank(%x: tensor<4x8xf32>, %i: tensor<2xi32>, %u: tensor<2xf32>) {
  // expected-error @+1 {{'gaudi.tpc.scatter_elements' op indices have type 'tensor<2xi32>' but data has rank 2}}
  %0 = gaudi.tpc.scatter_elements %x, %i, %u axis 1 : tensor<4x8xf32>, tensor<2xi32>, tensor<2xf32> -> tensor<4x8xf32>
  return
}

// -----

// expected-note @+1 {{data defined here}}
func.func @scatter_elements_size(%x: tensor<4x8xf32>, %i: tensor<5x2xi32>, %u: tensor<5x2xf32>) {
  // expected-error @+1 {{'gaudi.tpc.scatter_elements' op indices dimension 0 has size 5 but data has only 4}}
  %0 = gaudi.tpc.scatter_elements %x, %i, %u axis 1 : tensor<4x8xf32>, tensor<5x2xi32>, tensor<5x2xf32> -> tensor<4x8xf32>
  return
}
