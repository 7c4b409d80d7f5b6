// RUN: gaudi-opt %s --convert-variables-to-state -split-input-file -verify-diagnostics

// expected-error @+1 {{cannot convert ml_program.global: its type is no tensor of static shape and of an element type of the device}}
ml_program.global private mutable @scalar(3 : i32) : i32
func.func @main() {
  return
}

// -----

// expected-error @+1 {{cannot convert ml_program.global: its type is no tensor of static shape and of an element type of the device}}
ml_program.global private mutable @double(dense<0.0> : tensor<2xf64>) : tensor<2xf64>
func.func @main() {
  return
}

// -----

// expected-error @+1 {{cannot convert ml_program.global: its value comes from outside the module; make it an argument of the functions that use it}}
ml_program.global private mutable @outside(#ml_program.extern : tensor<4xi32>) : tensor<4xi32>
func.func @main() {
  return
}

// -----

// expected-error @+1 {{cannot convert ml_program.global: its values are not in the file; print the model with all its constants, or make it an argument}}
ml_program.global private mutable @elided(dense_resource<__elided__> : tensor<4xi32>) : tensor<4xi32>
func.func @main() {
  return
}

// -----

ml_program.global private mutable @count(dense<0> : tensor<i64>) : tensor<i64>
func.func @main(%c: i1, %x: tensor<i64>) {
  // expected-note @+1 {{this op}}
  scf.if %c {
    // expected-error @+1 {{cannot convert ml_program.global_store: it writes a variable inside 'scf.if'; return the value from there, and write it after}}
    ml_program.global_store @count = %x : tensor<i64>
  }
  return
}

// -----

ml_program.global private mutable @count(dense<0> : tensor<i64>) : tensor<i64>
// expected-error @+1 {{cannot convert func.func: it uses variables and has several blocks; branches have no place in a graph}}
func.func @main() -> tensor<i64> {
  %0 = ml_program.global_load @count : tensor<i64>
  cf.br ^next
^next:
  return %0 : tensor<i64>
}

// -----

ml_program.global private mutable @count(dense<0> : tensor<i64>) : tensor<i64>
func.func @main(%x: tensor<i64>) {
  call @callee(%x) : (tensor<i64>) -> ()
  return
}
// expected-error @+1 {{cannot convert func.func: it uses variables and is called by another function; inline it first}}
func.func private @callee(%x: tensor<i64>) {
  ml_program.global_store @count = %x : tensor<i64>
  return
}

// -----

// expected-error @+1 {{cannot convert ml_program.global: its value has type 'tensor<4xi64>', but the variable 'tensor<2xf32>'}}
ml_program.global private mutable @type(dense<7> : tensor<4xi64>) : tensor<2xf32>
func.func @main() {
  return
}

// -----

// expected-error @+1 {{cannot convert ml_program.global: its value has type 'vector<2xi32>', but the variable 'tensor<2xi32>'}}
ml_program.global private mutable @vector(dense<[1, 2]> : vector<2xi32>) : tensor<2xi32>
func.func @main() {
  return
}

// -----

// expected-error @+1 {{cannot convert ml_program.global: its value is neither dense nor a resource}}
ml_program.global private mutable @sparse(sparse<[[0]], [3.0]> : tensor<2xf32>) : tensor<2xf32>
func.func @main() {
  return
}

// -----

module @inner {
  ml_program.global public mutable @g(dense<0.0> : tensor<2xf32>) : tensor<2xf32>
}
func.func @main() -> tensor<2xf32> {
  // expected-error @+1 {{cannot convert ml_program.global_load: its variable is not one of this module; move it here from the nested module}}
  %0 = ml_program.global_load @inner::@g : tensor<2xf32>
  return %0 : tensor<2xf32>
}
