// RUN: gaudi-opt %s --split-input-file --verify-diagnostics --gaudi-verify-phase="phase=import"

// expected-error @+1 {{argument 0 has a 'gaudi.initial' that is neither dense nor a resource}}
func.func @sparse(%x: tensor<2xf32> {gaudi.variable = "v", gaudi.state, gaudi.initial = sparse<[[0]], [3.0]> : tensor<2xf32>}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// -----

// expected-error @+1 {{argument 0 has type 'tensor<2xf32>', but its 'gaudi.initial' has type 'tensor<9xi8>'}}
func.func @type(%x: tensor<2xf32> {gaudi.variable = "v", gaudi.state, gaudi.initial = dense<1> : tensor<9xi8>}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// -----

// expected-error @+1 {{argument 0 has 'gaudi.variable', but no 'gaudi.state'}}
func.func @no_state(%x: tensor<2xf32> {gaudi.variable = "v"}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// -----

// expected-error @+1 {{arguments 0 and 1 are both the variable "v"}}
func.func @twice(%x: tensor<2xf32> {gaudi.variable = "v", gaudi.state}, %y: tensor<2xf32> {gaudi.variable = "v", gaudi.state}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
