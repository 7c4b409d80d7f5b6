// Loops whose number of iterations is in the data.

// Doubles x until its first element reaches the limit; counts.
func.func @main(%x: tensor<2xf32>, %limit: f32) -> (tensor<2xf32>, i32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %start = arith.addf %x, %x : tensor<2xf32>
  %0:2 = scf.while (%v = %start, %n = %zero) : (tensor<2xf32>, i32) -> (tensor<2xf32>, i32) {
    %first = tensor.extract %v[%c0] : tensor<2xf32>
    %goes = arith.cmpf olt, %first, %limit : f32
    scf.condition(%goes) %v, %n : tensor<2xf32>, i32
  } do {
  ^bb0(%v: tensor<2xf32>, %n: i32):
    %w = arith.addf %v, %v : tensor<2xf32>
    %m = arith.addi %n, %one : i32
    scf.yield %w, %m : tensor<2xf32>, i32
  }
  %1 = arith.subf %0#0, %start : tensor<2xf32>
  return %1, %0#1 : tensor<2xf32>, i32
}

// The sum of i * j for i from low to high and j below i.
func.func @bounds(%low: i64, %high: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %a = arith.index_cast %low : i64 to index
  %b = arith.index_cast %high : i64 to index
  %0 = scf.for %i = %a to %b step %c1 iter_args(%s = %zero) -> i64 {
    %1 = scf.for %j = %c0 to %i step %c1 iter_args(%t = %s) -> i64 {
      %2 = arith.muli %i, %j : index
      %3 = arith.index_cast %2 : index to i64
      %4 = arith.addi %t, %3 : i64
      scf.yield %4 : i64
    }
    scf.yield %1 : i64
  }
  return %0 : i64
}

func.func @forever(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %0 = scf.while (%v = %x) : (tensor<2xf32>) -> tensor<2xf32> {
    %first = tensor.extract %v[%c0] : tensor<2xf32>
    %goes = arith.cmpf oeq, %first, %first : f32
    scf.condition(%goes) %v : tensor<2xf32>
  } do {
  ^bb0(%v: tensor<2xf32>):
    %w = arith.addf %v, %v : tensor<2xf32>
    scf.yield %w : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// Exchanges two values as often as n says; y also lives across the loop.
func.func @tosa(%x: tensor<2xf32>, %y: tensor<2xf32>, %n: tensor<i32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %s = tosa.add %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %0:3 = tosa.while_loop (%i = %zero, %a = %x, %b = %y) : (tensor<i32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>, tensor<2xf32>) {
    %goes = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %goes : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<2xf32>, %b: tensor<2xf32>):
    %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %next = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    tosa.yield %next, %b, %a : tensor<i32>, tensor<2xf32>, tensor<2xf32>
  }
  %1 = tosa.add %0#1, %s : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1, %0#2 : tensor<2xf32>, tensor<2xf32>
}

// A loop in a model that keeps state: launches go on where the last one ended.
ml_program.global private mutable @total(dense<100> : tensor<i64>) : tensor<i64>
func.func @stateful(%w: tensor<2xf32> {gaudi.name = "w", gaudi.state = 0 : i64}, %limit: f32) -> (tensor<2xf32> {gaudi.name = "new_w"}, i64) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %old = ml_program.global_load @total : tensor<i64>
  %count = tensor.extract %old[] : tensor<i64>
  %0:2 = scf.while (%v = %w, %n = %count) : (tensor<2xf32>, i64) -> (tensor<2xf32>, i64) {
    %first = tensor.extract %v[%c0] : tensor<2xf32>
    %goes = arith.cmpf olt, %first, %limit : f32
    scf.condition(%goes) %v, %n : tensor<2xf32>, i64
  } do {
  ^bb0(%v: tensor<2xf32>, %n: i64):
    %u = arith.addf %v, %w : tensor<2xf32>
    %m = arith.addi %n, %one : i64
    scf.yield %u, %m : tensor<2xf32>, i64
  }
  %new = tensor.from_elements %0#1 : tensor<i64>
  ml_program.global_store @total = %new : tensor<i64>
  return %0#0, %0#1 : tensor<2xf32>, i64
}

// Types that the front ends widen, in the signature too.
func.func @tosa48(%x: tensor<2xi48>, %n: tensor<i32>) -> tensor<2xi48> {
  %zero = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %0:2 = tosa.while_loop (%i = %zero, %a = %x) : (tensor<i32>, tensor<2xi48>) -> (tensor<i32>, tensor<2xi48>) {
    %goes = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %goes : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<2xi48>):
    %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %next = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %r = tosa.reverse %a {axis = 0 : i32} : (tensor<2xi48>) -> tensor<2xi48>
    tosa.yield %next, %r : tensor<i32>, tensor<2xi48>
  }
  return %0#1 : tensor<2xi48>
}

func.func @narrow(%x: tensor<2xi5>, %n: i5) -> (tensor<2xi5>, i5) {
  %c0 = arith.constant 0 : index
  %0:2 = scf.while (%v = %x, %k = %n) : (tensor<2xi5>, i5) -> (tensor<2xi5>, i5) {
    %f = tensor.extract %v[%c0] : tensor<2xi5>
    %goes = arith.cmpi slt, %f, %n : i5
    scf.condition(%goes) %v, %k : tensor<2xi5>, i5
  } do {
  ^bb0(%v: tensor<2xi5>, %k: i5):
    %one = arith.constant dense<1> : tensor<2xi5>
    %w = arith.addi %v, %one : tensor<2xi5>
    %m = arith.addi %k, %k : i5
    scf.yield %w, %m : tensor<2xi5>, i5
  }
  return %0#0, %0#1 : tensor<2xi5>, i5
}

// Counters that pass the maximum of their type after the last iteration: the
// number of iterations, and the last counter.
func.func @signed8(%low: i8, %high: i8, %step: i8) -> (i32, i8) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %0:2 = scf.for %i = %low to %high step %step iter_args(%n = %zero, %last = %low) -> (i32, i8) : i8 {
    %1 = arith.addi %n, %one : i32
    scf.yield %1, %i : i32, i8
  }
  return %0#0, %0#1 : i32, i8
}

func.func @unsigned8(%low: i8, %high: i8, %step: i8) -> (i32, i8) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %0:2 = scf.for unsigned %i = %low to %high step %step iter_args(%n = %zero, %last = %low) -> (i32, i8) : i8 {
    %1 = arith.addi %n, %one : i32
    scf.yield %1, %i : i32, i8
  }
  return %0#0, %0#1 : i32, i8
}

func.func @signed64(%low: i64, %high: i64, %step: i64) -> (i32, i64) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %0:2 = scf.for %i = %low to %high step %step iter_args(%n = %zero, %last = %low) -> (i32, i64) : i64 {
    %1 = arith.addi %n, %one : i32
    scf.yield %1, %i : i32, i64
  }
  return %0#0, %0#1 : i32, i64
}

// A variable with a name that the loop would give one of its own.
ml_program.global private mutable @"named.loop.value0"(dense<[5.0, 6.0]> : tensor<2xf32>) : tensor<2xf32>
func.func @named(%x: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %old = ml_program.global_load @"named.loop.value0" : tensor<2xf32>
  %new = arith.addf %old, %x : tensor<2xf32>
  ml_program.global_store @"named.loop.value0" = %new : tensor<2xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<2xf32> {
    %1 = arith.addf %v, %v : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  return %0, %old : tensor<2xf32>, tensor<2xf32>
}
