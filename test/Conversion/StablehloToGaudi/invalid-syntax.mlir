// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --allow-unregistered-dialect -split-input-file -verify-diagnostics

func.func @missing_bracket() {
  // expected-error @below {{unbalanced '<' character in pretty dialect name}}
  "stablehlo.x"() <{a = #stablehlo.dot<lhs_contracting_dimensions = [1]}> : () -> ()
  return
}

// -----

func.func @missing_value() {
  // expected-error @below {{expected attribute value}}
  "stablehlo.x"() <{a = #stablehlo.dot<lhs_contracting_dimensions = >}> : () -> ()
  return
}

// -----

func.func @missing_equal() {
  // expected-error @below {{expected '='}}
  "stablehlo.x"() <{a = #stablehlo.dot<lhs_contracting_dimensions [1]>}> : () -> ()
  return
}

// -----

func.func @field_twice() {
  // expected-error @below {{field 'k' is given twice}}
  "stablehlo.x"() <{a = #stablehlo.dot<k = 1, k = 2>}> : () -> ()
  return
}

// -----

func.func @open_list() {
  // expected-error @below {{unbalanced '[' character in pretty dialect name}}
  "stablehlo.x"() <{a = #stablehlo.dot<k = [1, 2>}> : () -> ()
  return
}

// -----

func.func @letter_list() {
  // expected-error @below {{expected integer value}}
  "stablehlo.x"() <{a = #stablehlo.dot<k = [a]>}> : () -> ()
  return
}

// -----

func.func @letter() {
  // expected-error @below {{expected 'b', 'f' or a spatial dimension}}
  "stablehlo.x"() <{a = #stablehlo.conv<[b, 0, 1, g]x[0, 1, i, o]->[b, 0, 1, f]>}> : () -> ()
  return
}

// -----

func.func @no_x() {
  // expected-error @below {{expected 'x'}}
  "stablehlo.x"() <{a = #stablehlo.conv<[b, 0, 1, f][0, 1, i, o]->[b, 0, 1, f]>}> : () -> ()
  return
}

// -----

func.func @no_arrow() {
  // expected-error @below {{expected '->'}}
  "stablehlo.x"() <{a = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]>}> : () -> ()
  return
}

// -----

func.func @gap() {
  // expected-error @below {{a spatial dimension is missing}}
  "stablehlo.x"() <{a = #stablehlo.conv<[b, 0, 2, f]x[0, 1, i, o]->[b, 0, 1, f]>}> : () -> ()
  return
}

// -----

func.func @spatial() {
  // expected-error @below {{spatial dimension 1234567}}
  "stablehlo.x"() <{a = #stablehlo.conv<[b, 0, 1234567, f]x[0, 1, i, o]->[b, 0, 1, f]>}> : () -> ()
  return
}

// -----

func.func @spatial_negative() {
  // expected-error @below {{spatial dimension -1}}
  "stablehlo.x"() <{a = #stablehlo.conv<[b, 0, -1, f]x[0, 1, i, o]->[b, 0, 1, f]>}> : () -> ()
  return
}

// -----

func.func @no_end() {
  // expected-error @below {{unbalanced '<' character in pretty dialect name}}
  "stablehlo.x"() <{a = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]}> : () -> ()
  return
}

// -----

func.func @nothing() {
  // expected-error @below {{expected valid keyword}}
  "stablehlo.x"() <{a = #stablehlo<comparison_direction>}> : () -> ()
  return
}

// -----

func.func @mode() {
  // expected-error @below {{expected valid keyword}}
  "stablehlo.x"() <{a = #mhlo.rng_mode<1>}> : () -> ()
  return
}

// -----

func.func @empty() {
  // expected-error @below {{expected valid keyword}}
  "stablehlo.x"() <{a = #chlo<>}> : () -> ()
  return
}

// -----

// expected-error @below {{type 'stablehlo.cow' is not supported; tensors and tokens are}}
func.func @other_type(%t: !stablehlo.cow<4>) {
  "stablehlo.x"(%t) : (!stablehlo.cow<4>) -> ()
  return
}
