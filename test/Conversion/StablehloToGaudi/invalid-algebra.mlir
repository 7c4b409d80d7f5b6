// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --split-input-file --verify-diagnostics

func.func @integers(%a: tensor<3x3xi32>) -> tensor<3x3xi32> {
  // expected-error @below {{cannot convert stablehlo.cholesky: it is not defined for element type 'i32'}}
  %r = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x3xi32>) -> tensor<3x3xi32>
  return %r : tensor<3x3xi32>
}

// -----

func.func @oblong(%a: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // expected-error @below {{cannot convert stablehlo.cholesky: operand 0 must be square matrices of type 'f32'}}
  %r = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

func.func @large(%a: tensor<1025x1025xf32>) -> tensor<1025x1025xf32> {
  // expected-error @below {{cannot convert stablehlo.cholesky: matrices of 1025 rows need as many kernels; there are at most 1024}}
  %r = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<1025x1025xf32>) -> tensor<1025x1025xf32>
  return %r : tensor<1025x1025xf32>
}

// -----

func.func @transposition(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @below {{cannot convert stablehlo.triangular_solve: attribute 'transpose_a' must be NO_TRANSPOSE, TRANSPOSE or ADJOINT}}
  %r = "stablehlo.triangular_solve"(%a, %a) <{left_side = true}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

// expected-note @below {{operand 1}}
func.func @sides(%a: tensor<3x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{cannot convert stablehlo.triangular_solve: the result and operand 1 must have one type, and the batch and rows of operand 0}}
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

func.func @special(%x: tensor<2xf32>, %y: tensor<2xf16>) -> tensor<2xf32> {
  // expected-error @below {{cannot convert chlo.zeta: operands and result must have one float type}}
  %r = "chlo.zeta"(%x, %y) : (tensor<2xf32>, tensor<2xf16>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @number(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  // expected-error @below {{cannot convert stablehlo.cholesky: attribute 'lower' must be true or false}}
  %0 = "stablehlo.cholesky"(%a) <{lower = 3 : i64}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
