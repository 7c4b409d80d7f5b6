// Each dynamic dimension needs bounds, and each op a rule.
// RUN: gaudi-opt %s --split-input-file --verify-diagnostics --gaudi-infer-symbols

// expected-error @+2 {{dimension 0 of argument 'arg0' of type 'tensor<?x?xf32>' is dynamic and has no bounds; give them as --shape=arg0:NAME=MIN..MAX or with 'gaudi.dims'}}
// expected-error @+1 {{dimension 1 of argument 'arg0' of type 'tensor<?x?xf32>' is dynamic and has no bounds}}
func.func @no_bounds(%x: tensor<?x?xf32>) {
  return
}

// -----

// expected-error @+1 {{'gaudi.dims' of argument 'arg0', dimension 0: 'n=1...4' is not of the form NAME=MIN..MAX, or NAME=MIN..MAX/MULTIPLE for multiples; did you mean n=1..4?}}
func.func @syntax(%x: tensor<?xf32> {gaudi.dims = ["n=1...4"]}) {
  return
}

// -----

// expected-error @+1 {{'gaudi.dims' of argument 'arg0', dimension 0: 'n=9..12/8': no multiple of 8 is from 9 to 12}}
func.func @multiple(%x: tensor<?xf32> {gaudi.dims = ["n=9..12/8"]}) {
  return
}

// -----

// expected-error @+1 {{'n=9..12/0': sizes cannot be multiples of 0}}
func.func @multiple_of_zero(%x: tensor<?xf32> {gaudi.dims = ["n=9..12/0"]}) {
  return
}

// -----

// expected-error @+1 {{'n=12..9': the smallest size comes first; write n=9..12}}
func.func @order(%x: tensor<?xf32> {gaudi.dims = ["n=12..9"]}) {
  return
}

// -----

// expected-error @+1 {{'n=1..3000000000': sizes are from 0 to 2147483647}}
func.func @large(%x: tensor<?xf32> {gaudi.dims = ["n=1..3000000000"]}) {
  return
}

// -----

// expected-error @+1 {{dimension 1 of argument 'arg0' is 8 in each launch, so 'm=2..8' cannot bound it; name the dynamic dimensions of 'tensor<?x8xf32>' only}}
func.func @static(%x: tensor<?x8xf32> {gaudi.dims = ["n=1..4", "m=2..8"]}) {
  return
}

// -----

// expected-error @+1 {{'gaudi.dims' of argument 'arg1', dimension 0: 'n=1..5': symbol 'n' has the bounds 1..4/1 already}}
func.func @twice(%x: tensor<?xf32> {gaudi.dims = ["n=1..4"]}, %y: tensor<?xf32> {gaudi.dims = ["n=1..5"]}) {
  return
}

// -----

// expected-error @+1 {{dimension 0: symbol 'm' has no bounds; give them as 'm=MIN..MAX' at one of its dimensions}}
func.func @unbounded(%x: tensor<?xf32> {gaudi.dims = ["m"]}) {
  return
}

// -----

// expected-error @+1 {{dimension 0: 'n/2' is not a sum of products of names and numbers}}
func.func @division(%x: tensor<?xf32> {gaudi.dims = ["n/2"]}, %y: tensor<?xf32> {gaudi.dims = ["n=1..4"]}) {
  return
}

// -----

// expected-error @+1 {{dimension 0: '(n': a parenthesis is not closed}}
func.func @parenthesis(%x: tensor<?xf32> {gaudi.dims = ["(n"]}, %y: tensor<?xf32> {gaudi.dims = ["n=1..4"]}) {
  return
}

// -----

// expected-error @+1 {{dimension 0: the size n - 2 can be -1}}
func.func @negative(%x: tensor<?xf32> {gaudi.dims = ["n - 2"]}, %y: tensor<?xf32> {gaudi.dims = ["n=1..4"]}) {
  return
}

// -----

// expected-error @+1 {{'gaudi.dims' of argument 'arg0' has 2 entries for type 'tensor<?xf32>'}}
func.func @entries(%x: tensor<?xf32> {gaudi.dims = ["n=1..4", ""]}) {
  return
}

// -----

// expected-note @+2 {{the operand of size n}}
// expected-note @+1 {{the operand of size m}}
func.func @different(%x: tensor<?xf32> {gaudi.dims = ["n=1..4"]}, %y: tensor<?xf32> {gaudi.dims = ["m=1..4"]}) -> tensor<?xf32> {
  // expected-error @+1 {{its operands have the sizes n and m where they must be equal; give both dimensions the same name, with --shape or 'gaudi.dims'}}
  %0 = "stablehlo.add"(%x, %y) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @data(%x: tensor<?xf32> {gaudi.dims = ["n=1..4"]}, %shape: tensor<1xi32>) -> tensor<?xf32> {
  // expected-error @+1 {{dimension 0 of its result of type 'tensor<?xf32>' is not known: it is no expression over the symbols of the function; give the model a static size there}}
  %0 = "stablehlo.dynamic_iota"(%shape) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @unknown_op(%x: tensor<?xf32> {gaudi.dims = ["n=1..4"]}) -> tensor<?xf32> {
  // expected-error @+1 {{no rule says which size the dynamic dimensions of its result of type 'tensor<?xf32>' have; give the model static sizes there}}
  %0 = "stablehlo.mystery"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @assertion(%x: tensor<?xf32> {gaudi.dims = ["n=1..4"]}) -> tensor<?xf32> {
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
  %holds = "stablehlo.compare"(%n, %two) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error @+1 {{an assertion on sizes does not hold for n = 1; give bounds or multiples that make it true: too short}}
  "stablehlo.custom_call"(%holds) <{call_target_name = "shape_assertion", error_message = "too short"}> : (tensor<i1>) -> ()
  return %x : tensor<?xf32>
}

// -----

// The quotient of the number of elements and a size that may be 0.
func.func @divides_by_zero(%x: tensor<?x?xf32> {gaudi.dims = ["n=0..4", "m=1..8"]}) -> tensor<?x?xf32> {
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x?xf32>) -> tensor<i32>
  %d = "stablehlo.add"(%n, %n) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %n1 = "stablehlo.reshape"(%d) : (tensor<i32>) -> tensor<1xi32>
  %rest = "stablehlo.constant"() <{value = dense<-1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shape = "stablehlo.concatenate"(%n1, %rest) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // expected-error @+1 {{dimension 1 of its result of type 'tensor<?x?xf32>' is not known}}
  %0 = "stablehlo.dynamic_reshape"(%x, %shape) : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
