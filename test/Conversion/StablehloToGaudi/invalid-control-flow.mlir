// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --allow-unregistered-dialect -split-input-file -verify-diagnostics

func.func @if_branches(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.if: expected one selector, and branches that return the results of the op}}
  %r = "stablehlo.if"(%c) ({
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @if_result(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xi32> {
  // expected-error @below {{cannot convert stablehlo.if: expected one selector, and branches that return the results of the op}}
  %r = "stablehlo.if"(%c) ({
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }, {
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

func.func @if_selector(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.if: expected one selector, and branches that return the results of the op}}
  %r = "stablehlo.if"(%c, %c) ({
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }, {
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }) : (tensor<i1>, tensor<i1>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @if_predicate(%c: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.if: the predicate must be an i1 scalar}}
  %r = "stablehlo.if"(%c) ({
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }, {
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @case_index(%c: tensor<i64>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.case: the index must be an i32 scalar}}
  %r = "stablehlo.case"(%c) ({
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }, {
    %s = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }) : (tensor<i64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @case_empty(%c: tensor<i32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.case: expected one selector, and branches that return the results of the op}}
  %r = "stablehlo.case"(%c) : (tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @while_regions(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.while: expected a condition and a body that take and return the values of the loop}}
  %r = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %s = "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @while_body(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.while: expected a condition and a body that take and return the values of the loop}}
  %r = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %s = "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }, {
  ^bb0(%a: tensor<4xf32>):
    %s = "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// A branch that is computed though it is not taken; its loop need not end.
func.func @in_branch(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.if"(%p) ({
    // expected-error @below {{cannot convert stablehlo.while: its condition 'stablehlo.compare' depends on data; the host cannot run it: it is in a branch or iteration that is computed even where the model does not reach it, where it may run forever}}
    %0 = "stablehlo.while"(%x) ({
    ^bb0(%a: tensor<f32>):
      %c = "stablehlo.compare"(%a, %y) {comparison_direction = "LT"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a: tensor<f32>):
      %s = "stablehlo.add"(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) : (tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%0) : (tensor<f32>) -> ()
  }, {
    "stablehlo.return"(%y) : (tensor<f32>) -> ()
  }) : (tensor<i1>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @caller(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @callee(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @callee(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{cannot convert stablehlo.while: its condition 'stablehlo.compare' depends on data; the host cannot run it: its function is called by another one}}
  %r = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<f32>):
    %c = "stablehlo.compare"(%a, %x) {comparison_direction = "LE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>):
    %s = "stablehlo.add"(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @part_of_none(%x: tensor<f32>) -> tensor<f32> attributes {gaudi.part_of = @main} {
  // expected-error @below {{cannot convert stablehlo.while: its condition 'stablehlo.compare' depends on data; the host cannot run it: its function is a part of no entry}}
  %r = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<f32>):
    %c = "stablehlo.compare"(%a, %x) {comparison_direction = "LE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>):
    %s = "stablehlo.add"(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @composite(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.composite: attribute 'decomposition' must name a function with the types of the op}}
  %r = "stablehlo.composite"(%x) <{name = "my.op", decomposition = @missing, version = 1 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @tuple_missing() -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.get_tuple_element: expected an element of a tuple that is made in this function}}
  %r = "stablehlo.get_tuple_element"() <{index = 0 : i32}> : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @tuple_index(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert stablehlo.tuple: the op is not supported}}
  %t = "stablehlo.tuple"(%x) : (tensor<4xf32>) -> tuple<tensor<4xf32>>
  // expected-error @below {{cannot convert stablehlo.get_tuple_element: expected an element of a tuple that is made in this function}}
  %r = "stablehlo.get_tuple_element"(%t) <{index = 1 : i32}> : (tuple<tensor<4xf32>>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @tuple_type(%x: tensor<4xf32>) -> tensor<4xi32> {
  // expected-error @below {{cannot convert stablehlo.tuple: the op is not supported}}
  %t = "stablehlo.tuple"(%x) : (tensor<4xf32>) -> tuple<tensor<4xf32>>
  // expected-error @below {{cannot convert stablehlo.get_tuple_element: expected an element of a tuple that is made in this function}}
  %r = "stablehlo.get_tuple_element"(%t) <{index = 0 : i32}> : (tuple<tensor<4xf32>>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

func.func @broadcast_result(%x: tensor<4xf32>, %y: tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error @below {{cannot convert chlo.broadcast_add: expected one result of static shape}}
  %r:2 = "chlo.broadcast_add"(%x, %y) : (tensor<4xf32>, tensor<1xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @broadcast_dynamic(%x: tensor<4xf32>, %y: tensor<?xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert chlo.broadcast_add: expected operands of static shape, whose rank is not larger than the result's}}
  %r = "chlo.broadcast_add"(%x, %y) : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @broadcast_rank(%x: tensor<4xf32>, %y: tensor<1x4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert chlo.broadcast_add: expected operands of static shape, whose rank is not larger than the result's}}
  %r = "chlo.broadcast_add"(%x, %y) : (tensor<4xf32>, tensor<1x4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @broadcast_no_op(%x: tensor<4xf32>, %y: tensor<1xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot convert chlo.broadcast_: the op is not supported}}
  %r = "chlo.broadcast_"(%x, %y) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @bucket(%x: tensor<4xf32> {gaudi.shape = affine_map<()[n] -> (n)>}, %y: tensor<f32>) -> tensor<f32>
    attributes {gaudi.symbols = [{name = "n", min = 1, max = 4, multiple = 1}], gaudi.bucket = array<i64: 4>} {
  // expected-error @below {{cannot convert stablehlo.while: its condition 'stablehlo.compare' depends on data; the host cannot run it: its function has dynamic sizes, and a bucket of it is one launch; the same function with static sizes would do}}
  %r = "stablehlo.while"(%y) ({
  ^bb0(%a: tensor<f32>):
    %c = "stablehlo.compare"(%a, %y) {comparison_direction = "LE"} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>):
    %s = "stablehlo.add"(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
