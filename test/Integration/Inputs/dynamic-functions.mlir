// Small functions with dynamic sizes, in the forms of IREE's end-to-end tests:
// run_dynamic.py runs each with the options of its first line.

// -----
// --shape=arg0:a=1..9,b=1..7 --buckets=a=4,9;b=7
func.func @abs(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = "stablehlo.abs"(%a) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----
// --shape=arg0:a=1..9 --shape=arg1:a --buckets=a=4,9
func.func @add(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = "stablehlo.add"(%a, %b) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----
// --shape=arg0:a=1..9 --shape=arg1:a --buckets=a=4,9
func.func @cmpsel(%lhs: tensor<?xi32>, %rhs: tensor<?xi32>) -> tensor<?xi32> {
  %0 = "stablehlo.compare"(%lhs, %rhs) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi1>
  %r = "stablehlo.select"(%0, %lhs, %rhs) : (tensor<?xi1>, tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// -----
// --shape=arg0:a=1..9 --shape=arg1:b=1..7 --buckets=a=4,9;b=3,7
func.func @dot(%lhs: tensor<?x3xf32>, %rhs: tensor<3x?xf32>) -> tensor<?x?xf32> {
  %r = "stablehlo.dot"(%lhs, %rhs) : (tensor<?x3xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----
// --shape=arg0:a=1..9,k=1..8 --shape=arg1:k,b=1..7 --buckets=a=4,9;b=3,7;k=8
func.func @dot2(%lhs: tensor<?x?xf32>, %rhs: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = "stablehlo.dot"(%lhs, %rhs) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----
// --shape=arg0:a=1..9,b=1..7 --buckets=a=4,9;b=7
func.func @reduce_min(%input: tensor<?x?xi32>) -> tensor<?xi32> {
  %0 = "stablehlo.constant"() <{value = dense<999> : tensor<i32>}> : () -> tensor<i32>
  %1 = "stablehlo.reduce"(%input, %0) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %3 = "stablehlo.minimum"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%3) : (tensor<i32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<?x?xi32>, tensor<i32>) -> tensor<?xi32>
  return %1 : tensor<?xi32>
}

// -----
// --shape=arg0:a=1..5,b=1..7,c=1..4 --shape=arg1:d=1..3,e=1..4 --buckets=a=5;b=7;c=4;d=3;e=4 --input=arg1=0
func.func @torch_index_select(%input: tensor<?x?x?xi32>, %idx: tensor<?x?xi32>) -> tensor<?x?x?x?xi32> {
  %r = "stablehlo.torch_index_select"(%input, %idx) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<?x?x?xi32>, tensor<?x?xi32>) -> tensor<?x?x?x?xi32>
  return %r : tensor<?x?x?x?xi32>
}

// -----
// --shape=arg0:a=1..5,b=1..7,c=1..4 --shape=arg1:a,e=1..4 --buckets=a=5;b=7;c=4;e=4 --input=arg1=0
func.func @torch_index_select_batch(%input: tensor<?x?x?xi32>, %idx: tensor<?x?xi32>) -> tensor<?x?x?xi32> {
  %r = "stablehlo.torch_index_select"(%input, %idx) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<?x?x?xi32>, tensor<?x?xi32>) -> tensor<?x?x?xi32>
  return %r : tensor<?x?x?xi32>
}

// -----
// --shape=arg0:a=1..5,b=1..7,c=1..4 --buckets=a=5;b=7;c=4 --input=arg1=0
func.func @torch_index_select_scalar(%input: tensor<?x?x?xi32>, %idx: tensor<i32>) -> tensor<?x?xi32> {
  %r = "stablehlo.torch_index_select"(%input, %idx) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<?x?x?xi32>, tensor<i32>) -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// -----
// --shape=arg0:a=1..9,k=1..8 --shape=arg1:k,b=1..7 --buckets=a=4,9;b=3,7;k=8
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----
// --shape=arg0:a=1..9,k=1..8 --shape=arg1:k,b=1..7 --shape=arg2:a,b --buckets=a=4,9;b=3,7;k=8
func.func @matmul_fuse(%A: tensor<?x?xf32>, %B: tensor<?x?xf32>, %C: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %A, %c0 : tensor<?x?xf32>
  %n = tensor.dim %B, %c1 : tensor<?x?xf32>
  %cst = arith.constant 2.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %i = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%C : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%b0: f32, %b1: f32):
    %f = arith.addf %b0, %cst : f32
    linalg.yield %f : f32
  } -> tensor<?x?xf32>
  %r = linalg.matmul ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf32>) outs(%i : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----
// --shape=arg0:a=1..9 --buckets=a=4,9
func.func @tosa_fc(%arg0: tensor<?x256xi8>, %w: tensor<256x8xi8>) -> tensor<?x8xi32> {
  %s0 = tosa.const_shape {values = dense<[1, -1, 256]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %s1 = tosa.const_shape {values = dense<[1, 256, 8]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %s2 = tosa.const_shape {values = dense<[-1, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %a = tosa.reshape %arg0, %s0 : (tensor<?x256xi8>, !tosa.shape<3>) -> tensor<1x?x256xi8>
  %b = tosa.reshape %w, %s1 : (tensor<256x8xi8>, !tosa.shape<3>) -> tensor<1x256x8xi8>
  %m = tosa.matmul %a, %b, %z, %z : (tensor<1x?x256xi8>, tensor<1x256x8xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x?x8xi32>
  %r = tosa.reshape %m, %s2 : (tensor<1x?x8xi32>, !tosa.shape<2>) -> tensor<?x8xi32>
  return %r : tensor<?x8xi32>
}

// -----
// --shape=arg0:a=1..9,b=1..7 --buckets=a=4,9;b=7
func.func @unpack(%x: tensor<?x?x2x2xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?x2x2xi32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?x2x2xi32>
  %o0 = arith.muli %d0, %c2 : index
  %o1 = arith.muli %d1, %c2 : index
  %init = tensor.empty(%o0, %o1) : tensor<?x?xi32>
  %p = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %init : tensor<?x?x2x2xi32> -> tensor<?x?xi32>
  return %p : tensor<?x?xi32>
}

// -----
// --shape=arg0:a=1..9,b=1..7 --buckets=a=4,9;b=7
func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----
// --shape=arg0:a=1..9 --shape=arg1:b=1..7 --buckets=a=4,9;b=7
func.func @concat(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x6xf32>) {
  %r = tensor.concat dim(0) %a, %b : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %s = tensor.concat dim(1) %a, %a : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
  return %r, %s : tensor<?x3xf32>, tensor<?x6xf32>
}

// -----
// --shape=arg0:a=1..9,b=2..7 --buckets=a=4,9;b=7
func.func @strided(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %n0 = arith.ceildivsi %d0, %c2 : index
  %n1 = arith.subi %d1, %c1 : index
  %s = tensor.extract_slice %x[0, 1] [%n0, %n1] [2, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

// -----
// --shape=arg0:a=1..9,b=1..7 --buckets=a=4,9;b=7
func.func @layernorm(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %i = arith.index_cast %d1 : index to i32
  %n = arith.sitofp %i : i32 to f32
  %e = tensor.empty(%d0) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %s : tensor<?x?xf32>, tensor<?xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%a: f32, %m: f32, %b: f32):
    %mu = arith.divf %m, %n : f32
    %d = arith.subf %a, %mu : f32
    %dd = arith.mulf %d, %d : f32
    %t = arith.addf %dd, %b : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %e2 = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %q : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%e2 : tensor<?x?xf32>) {
  ^bb0(%a: f32, %m: f32, %v: f32, %b: f32):
    %mu = arith.divf %m, %n : f32
    %va = arith.divf %v, %n : f32
    %d = arith.subf %a, %mu : f32
    %ve = arith.addf %va, %eps : f32
    %rs = math.rsqrt %ve : f32
    %t = arith.mulf %d, %rs : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----
// --shape=arg0:a=1..9 --buckets=a=4,9
func.func @reverse_slice(%arg0: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0>} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
// -----
// --shape=arg0:a=1..9,b=2..7 --buckets=a=4,9;b=7
func.func @carried_ops(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x2xf32>, tensor<?x2xi32>) {
  %0 = "stablehlo.custom_call"(%x) {call_target_name = "mhlo.erf", mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1:2 = "stablehlo.custom_call"(%x) {call_target_name = "mhlo.topk", mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<?x?xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>)
  return %0, %1#0, %1#1 : tensor<?x?xf32>, tensor<?x2xf32>, tensor<?x2xi32>
}
// -----
// --shape=arg0:a=1..9,b=1..7 --shape=arg1:b --shape=arg2:b --buckets=a=4,9;b=7
func.func @byteir(%x: tensor<?x?xf32>, %g: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x1xf32>, tensor<?x1xf32>) {
  %0 = "mhlo.custom_call"(%x) {byteir_attrs = {approximate = "erf"}, call_target_name = "byteir.gelu"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = "mhlo.custom_call"(%0) {byteir_attrs = {axis = 1 : i64}, call_target_name = "byteir.softmax"} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2:3 = "mhlo.custom_call"(%1, %g, %b) {byteir_attrs = {axis = [1], epsilon = 1.0e-5 : f64}, call_target_name = "byteir.layer_norm"} : (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x1xf32>, tensor<?x1xf32>)
  return %2#0, %2#1, %2#2 : tensor<?x?xf32>, tensor<?x1xf32>, tensor<?x1xf32>
}
// -----
// --shape=arg0:a=1..9,b=3 --buckets=a=4,9;b=3
func.func @one_size(%x: tensor<?x?xf32>) -> tensor<?x3xf32> {
  %0 = "stablehlo.constant"() {value = dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>} : () -> tensor<1x3xf32>
  %1 = "stablehlo.concatenate"(%x, %0) {dimension = 0 : i64} : (tensor<?x?xf32>, tensor<1x3xf32>) -> tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}
