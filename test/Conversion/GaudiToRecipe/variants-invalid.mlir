// What the tables of a recipe cannot say of variants.
// RUN: gaudi-opt %s --split-input-file --verify-diagnostics --gaudi-place-ops=device=gaudi2 --gaudi-expand-kernels --gaudi-schedule-ops --gaudi-alias-buffers --gaudi-assign-buffers --gaudi-emit-recipe=output=%t.recipe

// expected-error @+1 {{each of its variants must be a function with a body, but @main.1 is none}}
func.func private @main(tensor<?xf32>) -> tensor<?xf32>
    attributes {gaudi.buckets = [@main.0, @main.1], gaudi.symbols = [{name = "n", min = 1 : i64, max = 8 : i64, multiple = 1 : i64}]}
func.func @main.0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {gaudi.bucket = array<i64: 4>} {
  %0 = gaudi.tpc.add %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{has variants but lacks the symbols needed to select one; expected gaudi.symbols with name, min, max and multiple of each symbol, and at least one variant}}
func.func private @main(tensor<?xf32>) -> tensor<?xf32>
    attributes {gaudi.buckets = [@main.0], gaudi.symbols = [{name = "n", min = 1 : i64}]}
func.func @main.0(%x: tensor<8xf32>) -> tensor<8xf32> attributes {gaudi.bucket = array<i64: 8>} {
  %0 = gaudi.tpc.add %x, %x : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-note @+1 {{its declaration}}
func.func private @main(tensor<?xf32>) -> tensor<?xf32>
    attributes {gaudi.buckets = [@main.0], gaudi.symbols = [{name = "n", min = 1 : i64, max = 8 : i64, multiple = 1 : i64}]}
// expected-error @+1 {{variant of 'main' has sizes for 2 of 1 symbols; expected one each in gaudi.bucket}}
func.func @main.0(%x: tensor<8xf32>) -> tensor<8xf32> attributes {gaudi.bucket = array<i64: 8, 8>} {
  %0 = gaudi.tpc.add %x, %x : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-note @+1 {{its declaration}}
func.func private @main(tensor<?xf32>) -> tensor<?xf32>
    attributes {gaudi.buckets = [@main.0, @main.1], gaudi.symbols = [{name = "n", min = 1 : i64, max = 8 : i64, multiple = 1 : i64}]}
func.func @main.0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {gaudi.bucket = array<i64: 4>} {
  %0 = gaudi.tpc.add %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error @+1 {{variant of 'main' has 2 arguments and 1 results besides its extents, but the first variant has 1 and 1}}
func.func @main.1(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> attributes {gaudi.bucket = array<i64: 8>} {
  %0 = gaudi.tpc.add %x, %y : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-note @+1 {{its declaration}}
func.func private @main(tensor<?xf32>) -> tensor<?xf32>
    attributes {gaudi.buckets = [@main.0], gaudi.symbols = [{name = "n", min = 1 : i64, max = 8 : i64, multiple = 1 : i64}]}
// expected-error @+1 {{variant of 'main' has an extent, argument 1 of type 'tensor<2xi32>'; expected one i32 and a map of the symbols to one number}}
func.func @main.0(%x: tensor<8xf32>, %n: tensor<2xi32> {gaudi.extent = affine_map<()[s0] -> (s0)>}) -> tensor<8xf32>
    attributes {gaudi.bucket = array<i64: 8>} {
  %0 = gaudi.tpc.add %x, %x : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-note @+1 {{its declaration}}
func.func private @main(tensor<?xf32>) -> tensor<?xf32>
    attributes {gaudi.buckets = [@main.0], gaudi.symbols = [{name = "n", min = 1 : i64, max = 8 : i64, multiple = 1 : i64}]}
// expected-error @+1 {{variant of 'main' has argument 0 of type 'tensor<8xf32>' and shape affine_map<()[s0] -> (s0, s0)>; expected a map of the symbols to one number per dimension}}
func.func @main.0(%x: tensor<8xf32> {gaudi.shape = affine_map<()[s0] -> (s0, s0)>}) -> tensor<8xf32>
    attributes {gaudi.bucket = array<i64: 8>} {
  %0 = gaudi.tpc.add %x, %x : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-note @+1 {{its declaration}}
func.func private @main(tensor<?xf32>) -> tensor<?xf32>
    attributes {gaudi.buckets = [@main.0], gaudi.symbols = [{name = "n", min = 1 : i64, max = 8 : i64, multiple = 1 : i64}]}
// expected-error @+1 {{variant of 'main' has result 0 of type 'tensor<8xf32>' and shape affine_map<()[s0, s1] -> (s1)>; expected a map of the symbols to one number per dimension}}
func.func @main.0(%x: tensor<8xf32>) -> (tensor<8xf32> {gaudi.shape = affine_map<()[s0, s1] -> (s1)>})
    attributes {gaudi.bucket = array<i64: 8>} {
  %0 = gaudi.tpc.add %x, %x : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-note @+1 {{its declaration}}
func.func private @main(tensor<?xf32>) -> tensor<?xf32>
    attributes {gaudi.buckets = [@main.0, @main.1], gaudi.symbols = [{name = "n", min = 1 : i64, max = 8 : i64, multiple = 1 : i64}]}
func.func @main.0(%s: tensor<4xf32> {gaudi.state = 0 : i64}) -> tensor<4xf32> attributes {gaudi.bucket = array<i64: 4>} {
  %0 = gaudi.tpc.add %s, %s : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error @+1 {{variant of 'main' has the state 's' of type 'tensor<8xf32>', but in another it is 'tensor<4xf32>'; a state goes on from launch to launch, whichever variant runs: give it a static shape}}
func.func @main.1(%s: tensor<8xf32> {gaudi.name = "s", gaudi.state = 0 : i64}) -> tensor<8xf32> attributes {gaudi.bucket = array<i64: 8>} {
  %0 = gaudi.tpc.add %s, %s : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
