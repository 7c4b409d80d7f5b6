// RUN: gaudi-opt %s --gaudi-mask-padding --split-input-file --verify-diagnostics
// expected-error @+1 {{a variant needs one size in 'gaudi.bucket' for each symbol in 'gaudi.symbols'}}
func.func @no_symbols(%x: tensor<8xf32>) -> tensor<8xf32> attributes {gaudi.bucket = array<i64: 8>} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @+1 {{does not admit the size 8 of the bucket}}
func.func @bad_symbol(%x: tensor<8xf32>) -> tensor<8xf32>
    attributes {gaudi.symbols = [{name = "n", min = 9, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @+1 {{argument 0 has 1 dimensions but 'gaudi.shape' has 2 sizes}}
func.func @rank(%x: tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n, 4)>}) -> tensor<8xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @+1 {{argument 0 has size 8 in dimension 0 but the bucket admits n + 1 = 9}}
func.func @size(%x: tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n + 1)>}) -> tensor<8xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  return %x : tensor<8xf32>
}

// -----

func.func @slice(%x: tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n)>}) -> tensor<4xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.slice' op cannot keep padding away from real elements: dimension 0 has n real elements, which may end before element 3 of the slice; gaudi.valid would say how many of its elements are real}}
  %0 = gaudi.slice %x offsets [0] strides [1] : tensor<8xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The sequence goes before the batch, but the elements do not.
func.func @marked_reshape(%x: tensor<8x8xf32> {gaudi.shape = affine_map<()[b, n] -> (b, n)>}, %n: tensor<i32> {gaudi.extent = affine_map<()[b, n] -> (n)>}) -> tensor<8x8xf32>
    attributes {gaudi.symbols = [{name = "b", min = 1, max = 8, multiple = 1}, {name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8, 8>} {
  %0 = gaudi.reshape %x : tensor<8x8xf32> -> tensor<64xf32>
  %1 = gaudi.reshape %0 : tensor<64xf32> -> tensor<8x8xf32>
  // expected-error @+1 {{'gaudi.valid' op cannot keep padding away from real elements: dimension 0 has b real elements but the marker says n}}
  %2 = gaudi.valid %1 dims [0] extents (%n) : tensor<8x8xf32>, tensor<i32>
  return %2 : tensor<8x8xf32>
}

// -----

func.func @dropout(%q: tensor<2x8x4xf32> {gaudi.shape = affine_map<()[n] -> (2, n, 4)>}, %seed: tensor<1xi32>) -> tensor<2x8x4xf32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'gaudi.sdpa' op cannot keep padding away from real elements: elements that dropout keeps are numbered over padding as well; a dropout_mask would say which they are}}
  %0 = gaudi.sdpa %q, %q, %q seed %seed scale 0.5 dropout 0.5 : (tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<1xi32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

// -----

func.func @result_rank(%x: tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n)>}) -> (tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n, 1)>})
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-error @+1 {{'func.return' op result 0 has 1 dimensions but 'gaudi.shape' has 2 sizes}}
  return %x : tensor<8xf32>
}

// -----

func.func @result_size(%x: tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n)>}) -> (tensor<8xf32> {gaudi.shape = affine_map<()[n] -> (n - 1)>})
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 64, multiple = 1}], gaudi.bucket = array<i64: 8>} {
  // expected-note @+1 {{it is computed here}}
  %0 = gaudi.tpc.exp %x : tensor<8xf32>
  // expected-error @+1 {{'func.return' op result 0 has n real elements in dimension 0 but callers expect n - 1}}
  return %0 : tensor<8xf32>
}

// -----

// Nothing says that the batch is inside.
func.func @result_unknown(%x: tensor<2xf32> {gaudi.shape = affine_map<()[b] -> (b)>}) -> (tensor<6xf32> {gaudi.shape = affine_map<()[b] -> (b * 3)>})
    attributes {gaudi.symbols = [{name = "b", min = 1, max = 8, multiple = 1}], gaudi.bucket = array<i64: 2>} {
  // expected-note @+1 {{it is computed here}}
  %0 = gaudi.tpc.iota dim 0 : tensor<6xf32>
  // expected-error @+1 {{'func.return' op result 0 has a dimension 0 of b * 3 elements, of which it is not known where they are; gaudi.valid would say which dimensions it is made of}}
  return %0 : tensor<6xf32>
}
