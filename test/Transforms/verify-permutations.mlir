// RUN: gaudi-opt %s --split-input-file --verify-diagnostics --gaudi-verify-phase="phase=import"

// Orders that hold: of an argument, a result, a state and its result, and a
// scalar, which has one order only.
func.func @fine(%x: tensor<2x4x3xf32> {gaudi.permutation = array<i64: 0, 2, 1>, gaudi.allow_permutation},
                %w: tensor<3x2xf32> {gaudi.state = 1 : i64, gaudi.permutation = array<i64: 1, 0>},
                %s: tensor<f32> {gaudi.permutation = array<i64>})
    -> (tensor<2x4x3xf32> {gaudi.allow_permutation}, tensor<3x2xf32> {gaudi.permutation = array<i64: 1, 0>}) {
  return %x, %w : tensor<2x4x3xf32>, tensor<3x2xf32>
}

// -----

// expected-error @+1 {{argument 0 has 'gaudi.allow_permutation = 1 : i64', but expected no value}}
func.func @value(%x: tensor<2x4xf32> {gaudi.allow_permutation = 1 : i64}) -> tensor<2x4xf32> {
  return %x : tensor<2x4xf32>
}

// -----

// expected-error @+2 {{argument 0 has type 'f32'}}
// expected-error @+1 {{argument 0 has 'gaudi.allow_permutation', but is 'f32', no ranked tensor}}
func.func @scalar(%x: f32 {gaudi.allow_permutation}, %y: tensor<2xf32>) -> tensor<2xf32> {
  return %y : tensor<2xf32>
}

// -----

// expected-error @+1 {{result 0 has 'gaudi.permutation = [1, 0]', which is no permutation of the dimensions of 'tensor<2x4xf32>'}}
func.func @form(%x: tensor<2x4xf32>) -> (tensor<2x4xf32> {gaudi.permutation = [1, 0]}) {
  return %x : tensor<2x4xf32>
}

// -----

// expected-error @+1 {{argument 0 has 'gaudi.permutation = array<i64: 1, 1>', which is no permutation of the dimensions of 'tensor<2x4xf32>'}}
func.func @twice(%x: tensor<2x4xf32> {gaudi.permutation = array<i64: 1, 1>}) -> tensor<2x4xf32> {
  return %x : tensor<2x4xf32>
}

// -----

// expected-error @+1 {{argument 0 has 'gaudi.permutation = array<i64: 0>', which is no permutation of the dimensions of 'tensor<2x4xf32>'}}
func.func @rank(%x: tensor<2x4xf32> {gaudi.permutation = array<i64: 0>}) -> tensor<2x4xf32> {
  return %x : tensor<2x4xf32>
}

// -----

// expected-error @+1 {{argument 0 has 'gaudi.permutation = array<i64: 0>', which is no permutation of the dimensions of 'tensor<f32>'}}
func.func @rank0(%x: tensor<f32> {gaudi.permutation = array<i64: 0>}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{argument 0 has 'gaudi.permutation' [1, 0], but result 0, which replaces it, has []; a state has one order}}
func.func @state(%w: tensor<2x4xf32> {gaudi.state = 0 : i64, gaudi.permutation = array<i64: 1, 0>}) -> tensor<2x4xf32> {
  return %w : tensor<2x4xf32>
}

// -----

// The initial value of a variable is in the caller's order.
// expected-error @+1 {{argument 0 has type 'tensor<4x2xf32>', but its 'gaudi.initial' has type 'tensor<2x4xf32>'}}
func.func @initial(%v: tensor<2x4xf32> {gaudi.variable = "v", gaudi.state, gaudi.permutation = array<i64: 1, 0>, gaudi.initial = dense<1.0> : tensor<2x4xf32>}) -> tensor<2x4xf32> {
  return %v : tensor<2x4xf32>
}

// -----

// expected-error @+1 {{argument 0 has 'gaudi.allow_permutation', but '@decode' has this state, too, and functions choose orders one by one; remove the attribute}}
func.func @prefill(%c: tensor<2x4xf32> {gaudi.state = 0 : i64, gaudi.name = "cache", gaudi.allow_permutation}) -> tensor<2x4xf32> {
  return %c : tensor<2x4xf32>
}
// expected-note @+1 {{the other function}}
func.func @decode(%c: tensor<2x4xf32> {gaudi.state = 0 : i64, gaudi.name = "cache"}) -> tensor<2x4xf32> {
  return %c : tensor<2x4xf32>
}

// -----

// expected-error @+1 {{result 0 has 'gaudi.allow_permutation', but '@decode' has this state, too}}
func.func @prefill(%c: tensor<2x4xf32> {gaudi.state = 0 : i64, gaudi.name = "cache"}) -> (tensor<2x4xf32> {gaudi.allow_permutation}) {
  return %c : tensor<2x4xf32>
}
// expected-note @+1 {{the other function}}
func.func @decode(%c: tensor<2x4xf32> {gaudi.state, gaudi.name = "cache"}) -> tensor<2x4xf32> {
  return %c : tensor<2x4xf32>
}

// -----

// expected-error @+1 {{argument 0 has 'gaudi.allow_permutation', but the host launches parts of the function, which would choose orders one by one; remove the attribute}}
func.func private @main(tensor<2x4xf32> {gaudi.allow_permutation}) -> tensor<2x4xf32> attributes {gaudi.program = [@part]}
func.func private @part(%x: tensor<2x4xf32> {gaudi.parameter = 0 : i64}) -> (tensor<2x4xf32> {gaudi.output = 0 : i64}) attributes {gaudi.part_of = @main} {
  return %x : tensor<2x4xf32>
}

// -----

// expected-note @+1 {{its program is here}}
func.func private @main(tensor<2x4xf32> {gaudi.permutation = array<i64: 1, 0>}) -> tensor<2x4xf32> attributes {gaudi.program = [@part]}
// expected-error @+1 {{argument 0 has another 'gaudi.permutation' than that of '@main'}}
func.func private @part(%x: tensor<2x4xf32> {gaudi.parameter = 0 : i64}) -> (tensor<2x4xf32> {gaudi.output = 0 : i64}) attributes {gaudi.part_of = @main} {
  return %x : tensor<2x4xf32>
}

// -----

// expected-note @+1 {{its program is here}}
func.func private @main(tensor<2x4xf32>) -> tensor<2x4xf32> attributes {gaudi.program = [@part]}
// expected-error @+1 {{result 0 has another 'gaudi.permutation' than that of '@main'}}
func.func private @part(%x: tensor<2x4xf32> {gaudi.parameter = 0 : i64}) -> (tensor<2x4xf32> {gaudi.output = 0 : i64, gaudi.permutation = array<i64: 1, 0>}) attributes {gaudi.part_of = @main} {
  return %x : tensor<2x4xf32>
}
