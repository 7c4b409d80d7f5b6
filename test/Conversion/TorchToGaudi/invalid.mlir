// What cannot be converted, and why.
// RUN: gaudi-opt %s --convert-torch-to-gaudi -split-input-file -verify-diagnostics

// expected-error @below {{argument 0 of 'unknown_shape' has type '!torch.vtensor<*,f32>'; expected a tensor of known rank and element type, as !torch.vtensor<[2,3],f32>}}
func.func @unknown_shape(%x: !torch.vtensor<*,f32>) -> !torch.vtensor<*,f32> {
  return %x : !torch.vtensor<*,f32>
}

// -----

func.func @dynamic(%x: !torch.vtensor<[2,?],f32>) -> !torch.vtensor<[2,?],f32> {
  // expected-error @below {{cannot convert torch.aten.relu: operand 'self' of 'aten.relu': an operand has type 'tensor<2x?xf32>'; expected a static shape}}
  %0 = torch.aten.relu %x : !torch.vtensor<[2,?],f32> -> !torch.vtensor<[2,?],f32>
  return %0 : !torch.vtensor<[2,?],f32>
}

// -----

func.func @unknown_op(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @below {{cannot convert torch.aten.nothing: 'aten.nothing' is not supported}}
  %0 = torch.aten.nothing %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  // Nothing is said of what reads it.
  %1 = torch.aten.relu %0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  // expected-error @below {{'aten.relu' has 2 operands; expected 1}}
  %2 = torch.aten.relu %x, %x : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %1 : !torch.vtensor<[2],f32>
}

// -----

func.func @shapes(%x: !torch.vtensor<[2,3],f32>, %y: !torch.vtensor<[4],f32>, %d: !torch.vtensor<[2],f64>) -> !torch.vtensor<[2,3],f32> {
  %int1 = torch.constant.int 1
  %int5 = torch.constant.int 5
  // expected-error @below {{'aten.add.Tensor': shapes [2,3] and [4] do not broadcast: sizes 3 and 4 in dimension 1}}
  %0 = torch.aten.add.Tensor %x, %y, %int1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  // expected-error @below {{'aten.mm': the right operand must have 2 dimensions, not 1}}
  %1 = torch.aten.mm %x, %y : !torch.vtensor<[2,3],f32>, !torch.vtensor<[4],f32> -> !torch.vtensor<[2],f32>
  // expected-error @below {{'aten.unsqueeze': dimension 5 is out of range; expected -3 to 2}}
  %2 = torch.aten.unsqueeze %x, %int5 : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3,1],f32>
  // expected-error @below {{result 0 has type 'tensor<2x4xf32>' but the operands make it 'tensor<2x3xf32>'}}
  %3 = torch.aten.relu %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,4],f32>
  // expected-error @below {{operand 'self' of 'aten.relu': an operand has type 'tensor<2xf64>', which the device does not have; export the model in f32}}
  %4 = torch.aten.relu %d : !torch.vtensor<[2],f64> -> !torch.vtensor<[2],f64>
  return %x : !torch.vtensor<[2,3],f32>
}

// -----

func.func @arguments(%x: !torch.vtensor<[2,3],f32>, %n: !torch.vtensor<[],si64>) -> !torch.vtensor<[2,3],f32> {
  %str = torch.constant.str "none"
  %none = torch.constant.none
  %int0 = torch.constant.int 0
  %bad = torch.prim.ListConstruct %int0, %str : (!torch.int, !torch.str) -> !torch.list<int>
  // expected-error @below {{'aten.unsqueeze': argument 'dim' must be an integer}}
  %0 = torch.aten.unsqueeze %x, %str : !torch.vtensor<[2,3],f32>, !torch.str -> !torch.vtensor<[2,3,1],f32>
  // expected-error @below {{'aten.relu': argument 'self' must be a tensor}}
  %1 = torch.aten.relu %none : !torch.none -> !torch.vtensor<[2,3],f32>
  // expected-error @below {{operand 'size' of 'aten.view': a list has an item that is no number}}
  %2 = torch.aten.view %x, %bad : !torch.vtensor<[2,3],f32>, !torch.list<int> -> !torch.vtensor<[6],f32>
  // expected-error @below {{'aten.Int.Tensor' is not supported}}
  %3 = torch.aten.Int.Tensor %n : !torch.vtensor<[],si64> -> !torch.int
  return %x : !torch.vtensor<[2,3],f32>
}

// -----

util.global private mutable @count = dense<1.0> : tensor<f32>
func.func @mutable(%x: !torch.vtensor<[],f32>) -> !torch.vtensor<[],f32> {
  // expected-error @below {{the global 'count' is mutable, which is not supported; make it an argument and a result}}
  // expected-note @-3 {{the global}}
  %0 = util.global.load @count : tensor<f32>
  return %x : !torch.vtensor<[],f32>
}

// -----

util.global private @bias = dense<1.0> : tensor<2xf32>
func.func @other_type(%x: !torch.vtensor<[],f32>) -> !torch.vtensor<[],f32> {
  // expected-error @below {{the global 'bias' has no value of type 'tensor<3xf32>'}}
  %0 = util.global.load @bias : tensor<3xf32>
  return %x : !torch.vtensor<[],f32>
}

// -----

func.func @literal(%x: !torch.vtensor<[],f32>) -> !torch.vtensor<[],f32> {
  // expected-error @below {{the literal has type 'tensor<3xf32>', but its value 'tensor<2xf32>'; write the type of the value}}
  %0 = torch.vtensor.literal(dense<1.0> : tensor<2xf32>) : !torch.vtensor<[3],f32>
  return %x : !torch.vtensor<[],f32>
}

// -----

func.func @no_global(%x: !torch.vtensor<[],f32>) -> !torch.vtensor<[],f32> {
  // expected-error @below {{'util.global.load' must read a tensor of a util.global of this module; 'bias' is none}}
  %0 = util.global.load @bias : tensor<3xf32>
  return %x : !torch.vtensor<[],f32>
}

// -----

// What only the generic form can say.
func.func @results(%x: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,4,4],f32> {
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  %zeros = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  %list = torch.prim.ListConstruct %two : (!torch.int) -> !torch.list<int>
  %none = torch.prim.ListConstruct : () -> !torch.list<int>
  %false = torch.constant.bool false
  // expected-error @below {{'aten.max_pool2d_with_indices' has 1 results; expected 2}}
  %0 = "torch.aten.max_pool2d_with_indices"(%x, %list, %none, %zeros, %list, %false) : (!torch.vtensor<[1,1,4,4],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool) -> !torch.vtensor<[1,1,1,1],f32>
  %items = torch.prim.ListConstruct %x : (!torch.vtensor<[1,1,4,4],f32>) -> !torch.list<vtensor>
  // expected-error @below {{it takes what its list does not have, or no list of tensors}}
  "torch.aten.__getitem__.t"(%items, %two) : (!torch.list<vtensor>, !torch.int) -> ()
  return %x : !torch.vtensor<[1,1,4,4],f32>
}

// -----

func.func @sizes(%x: !torch.vtensor<[1,1,1,1,1,1,1,1,1],f32>, %y: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  // expected-error @below {{a tensor of shape [1,1,1,1,1,1,1,1,1] has more than 8 dimensions}}
  %0 = torch.aten.relu %x : !torch.vtensor<[1,1,1,1,1,1,1,1,1],f32> -> !torch.vtensor<[1,1,1,1,1,1,1,1,1],f32>
  %many = torch.constant.int 1099511627776
  %none = torch.constant.none
  %one = torch.constant.float 1.0
  %list = torch.prim.ListConstruct %many, %many : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{'aten.zeros': a tensor of shape [1099511627776,1099511627776] has more than 1099511627776 elements}}
  %1 = torch.aten.zeros %list, %none, %none, %none, %none : !torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor
  %end = torch.constant.float 1.0e+9
  // expected-error @below {{'aten.arange': a range of 1000000000 floats; at most 1048576 are supported}}
  %2 = torch.aten.arange %end, %none, %none, %none, %none : !torch.float, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor
  return %y : !torch.vtensor<[4],f32>
}

// -----

// expected-error @below {{unknown type '!torch.vtensors'}}
func.func @unknown_type(%x: !torch.vtensors) { return }

// -----

// expected-error @below {{a size below 0}}
func.func @negative(%x: !torch.vtensor<[-1],f32>) { return }

// -----

// expected-error @below {{'#stream.timepoint' is not read; #stream.parameter.named is}}
util.global private @w = #stream.timepoint<immediate> : tensor<3xf32>

// -----

func.func @values(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[?,2],si64> {
  // expected-error @below {{cannot convert torch.aten.nonzero: the size of a result of 'aten.nonzero' depends on values; a graph may compute a result of the largest size, as aten.nonzero_static does, and a count; called with (tensor<2x3xf32>)}}
  %0 = torch.aten.nonzero %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[?,2],si64>
  return %0 : !torch.vtensor<[?,2],si64>
}
