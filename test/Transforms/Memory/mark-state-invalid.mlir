// RUN: gaudi-opt %s --gaudi-mark-state -split-input-file -verify-diagnostics

// expected-error @+1 {{argument 0 has 'tf.aliasing_output = 1 : i32', but the function has 1 results, which count from 0}}
func.func @number(%w: tensor<4xf32> {tf.aliasing_output = 1 : i32}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 has 'gaudi.state = -1 : i64', but the function has 1 results, which count from 0}}
func.func @negative(%w: tensor<4xf32> {gaudi.state = -1 : i64}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 has 'gaudi.state = "w"', but the function has 1 results, which count from 0}}
func.func @text(%w: tensor<4xf32> {gaudi.state = "w"}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 1 has 'gaudi.state = 0 : i64', but has type 'tensor<2xf32>', and result 0 has type 'tensor<4xf32>'; a state has one type}}
func.func @type(%x: tensor<4xf32>, %w: tensor<2xf32> {gaudi.state = 0 : i64}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+2 {{argument 1 has 'tf.aliasing_output = 0 : i32', but result 0 already replaces argument 0}}
// expected-note @+1 {{argument 0 is here}}
func.func @twice(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %v: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}

// -----

// expected-note @+2 {{result 0 replaces argument 0}}
// expected-error @+1 {{argument 1 has 'gaudi.donated', but no result of type 'tensor<4xf32>' is left of 1}}
func.func @donated(%w: tensor<4xf32> {gaudi.state = 0 : i64}, %v: tensor<4xf32> {gaudi.donated}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 has 'gaudi.donated = 2 : i64', but the function has 1 results, which count from 0}}
func.func @donated_number(%w: tensor<4xf32> {gaudi.donated = 2 : i64}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}

// -----

// expected-error @+1 {{'mhlo.input_output_alias' must be an array}}
module attributes {mhlo.input_output_alias = "all"} {
}

// -----

// expected-error @+1 {{'mhlo.input_output_alias' needs a function 'main', or one public function}}
module attributes {mhlo.input_output_alias = [{}]} {
func.func @a(%w: tensor<4xf32>) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
func.func @b(%w: tensor<4xf32>) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
}

// -----

module attributes {mhlo.input_output_alias = [{alias = {kind = "maybe", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64: 0>}]} {
// expected-error @+1 {{entry 0 of 'mhlo.input_output_alias' must be {alias = {kind = "may_alias" or "must_alias", parameter_index = array<i64>, parameter_number = N}, output_index = array<i64: N>}}}
func.func @main(%w: tensor<4xf32>) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
}

// -----

module attributes {mhlo.input_output_alias = [{alias = {kind = "may_alias", parameter_index = array<i64>, parameter_number = 1 : i64}, output_index = array<i64: 0>}]} {
// expected-error @+1 {{entry 0 of 'mhlo.input_output_alias' has parameter 1 and output 0, but there are 1 arguments and 1 results, which count from 0}}
func.func @main(%w: tensor<4xf32>) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
}

// -----

module attributes {mhlo.input_output_alias = [{alias = {kind = "may_alias", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64: 0>}]} {
// expected-error @+1 {{entry 0 of 'mhlo.input_output_alias' gives the buffer of argument 0, of type 'tensor<2xf32>', to result 0, of type 'tensor<4xf32>'; a state has one type}}
func.func @main(%w: tensor<2xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
}

// -----

module attributes {mhlo.input_output_alias = [
    {alias = {kind = "may_alias", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64: 0>},
    {alias = {kind = "may_alias", parameter_index = array<i64>, parameter_number = 1 : i64}, output_index = array<i64: 0>}]} {
// expected-error @+1 {{entry 1 of 'mhlo.input_output_alias' gives result 0 a second buffer}}
func.func @main(%w: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
}

// -----

module attributes {mhlo.input_output_alias = [
    {alias = {kind = "must_alias", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64: 0>},
    {alias = {kind = "must_alias", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64: 1>}]} {
// expected-error @+1 {{entry 1 of 'mhlo.input_output_alias' gives the buffer of argument 0 to result 1, but it is donated to result 0; one result can have it}}
func.func @main(%w: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %w, %w : tensor<4xf32>, tensor<4xf32>
}
}

// -----

module attributes {mhlo.input_output_alias = [{alias = {kind = "must_alias", parameter_index = array<i64>, parameter_number = 18446744073709551616 : i128}, output_index = array<i64: 0>}]} {
// expected-error @+1 {{entry 0 of 'mhlo.input_output_alias' has parameter -1 and output 0, but there are 1 arguments and 1 results, which count from 0}}
func.func @main(%w: tensor<4xf32>) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
}

// -----

module attributes {mhlo.input_output_alias = [{alias = {kind = "must_alias", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64: 1>}]} {
// expected-error @+1 {{argument 0 has 'gaudi.donated = 1 : i64', but result 0 replaces it; give both one number}}
func.func @main(%w: tensor<4xf32> {gaudi.state = 0 : i64}) -> (tensor<4xf32>, tensor<4xf32>) {
  return %w, %w : tensor<4xf32>, tensor<4xf32>
}
}

// -----

// expected-error @+1 {{argument 0 has 'gaudi.donated = 2 : i64', but the function has 1 results, which count from 0}}
func.func @far(%w: tensor<4xf32> {gaudi.state = 0 : i64, gaudi.donated = 2 : i64}) -> tensor<4xf32> {
  return %w : tensor<4xf32>
}
