// Every reason for which a lowering refuses a call, with the arguments.
// RUN: gaudi-opt %s --convert-torch-to-gaudi -split-input-file -verify-diagnostics

func.func @silu(%x: !torch.vtensor<[4],si64>) -> !torch.vtensor {
  // expected-error @below {{'aten.silu': it is defined for floats only; called with (tensor<4xi64>)}}
  %r = torch.operator "torch.aten.silu"(%x) : (!torch.vtensor<[4],si64>) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @floor_divide(%x: !torch.vtensor<[4],i1>) -> !torch.vtensor {
  // expected-error @below {{'aten.floor_divide': division is not defined for bool; called with (tensor<4xi1>, tensor<4xi1>)}}
  %r = torch.operator "torch.aten.floor_divide"(%x, %x) : (!torch.vtensor<[4],i1>, !torch.vtensor<[4],i1>) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @rounding_mode(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %str = torch.constant.str "ceil"
  // expected-error @below {{rounding_mode must be None, "trunc" or "floor"; called with (tensor<2x3xf32>, tensor<2x3xf32>, "ceil")}}
  %r = torch.operator "torch.aten.div.Tensor_mode"(%x, %x, %str) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.str) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @remainder(%x: !torch.vtensor<[4],i1>) -> !torch.vtensor {
  // expected-error @below {{a remainder is not defined for bool}}
  %r = torch.operator "torch.aten.remainder.Tensor"(%x, %x) : (!torch.vtensor<[4],i1>, !torch.vtensor<[4],i1>) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @clamp(%x: !torch.vtensor<[4],i1>) -> !torch.vtensor {
  %none = torch.constant.none
  // expected-error @below {{clamp is not defined for bool}}
  %r = torch.operator "torch.aten.clamp.Tensor"(%x, %x, %none) : (!torch.vtensor<[4],i1>, !torch.vtensor<[4],i1>, !torch.none) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @clamp_max(%x: !torch.vtensor<[4],i1>) -> !torch.vtensor {
  %true = torch.constant.bool true
  // expected-error @below {{clamp is not defined for bool}}
  %r = torch.operator "torch.aten.clamp_max"(%x, %true) : (!torch.vtensor<[4],i1>, !torch.bool) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @lerp(%x: !torch.vtensor<[4],si64>) -> !torch.vtensor {
  %one = torch.constant.int 1
  // expected-error @below {{'aten.lerp.Scalar': it is not defined for integers; called with (tensor<4xi64>, tensor<4xi64>, 1)}}
  %r = torch.operator "torch.aten.lerp.Scalar"(%x, %x, %one) : (!torch.vtensor<[4],si64>, !torch.vtensor<[4],si64>, !torch.int) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @addcdiv(%x: !torch.vtensor<[4],si64>) -> !torch.vtensor {
  %one = torch.constant.int 1
  // expected-error @below {{'aten.addcdiv': it is not defined for integers}}
  %r = torch.operator "torch.aten.addcdiv"(%x, %x, %x, %one) : (!torch.vtensor<[4],si64>, !torch.vtensor<[4],si64>, !torch.vtensor<[4],si64>, !torch.int) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @addcmul(%x: !torch.vtensor<[4],i1>) -> !torch.vtensor {
  %one = torch.constant.int 1
  // expected-error @below {{'aten.addcmul': it is not defined for bool}}
  %r = torch.operator "torch.aten.addcmul"(%x, %x, %x, %one) : (!torch.vtensor<[4],i1>, !torch.vtensor<[4],i1>, !torch.vtensor<[4],i1>, !torch.int) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @hardtanh(%x: !torch.vtensor<[4],i1>) -> !torch.vtensor {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  // expected-error @below {{'aten.hardtanh': it is not defined for bool}}
  %r = torch.operator "torch.aten.hardtanh"(%x, %zero, %one) : (!torch.vtensor<[4],i1>, !torch.int, !torch.int) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @pad(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %zero = torch.constant.int 0
  %eleven = torch.constant.int 11
  %six = torch.constant.int -6
  %l = torch.prim.ListConstruct %six, %eleven : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{a dimension of size 3 is cut off by more than it has; called with (tensor<2x3xf32>, [-6, 11], 0)}}
  %r = torch.operator "torch.aten.constant_pad_nd"(%x, %l, %zero) : (!torch.vtensor<[2,3],f32>, !torch.list<int>, !torch.int) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @range() -> !torch.vtensor {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %eleven = torch.constant.int 11
  // expected-error @below {{a range of bool is not defined}}
  %r = torch.operator "torch.aten.arange"(%one, %eleven, %none, %none, %none) : (!torch.int, !torch.int, !torch.none, !torch.none, !torch.none) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @mm(%x: !torch.vtensor<[2,2],i1>) -> !torch.vtensor {
  // expected-error @below {{a product of bool is not defined}}
  %r = torch.operator "torch.aten.mm"(%x, %x) : (!torch.vtensor<[2,2],i1>, !torch.vtensor<[2,2],i1>) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @linear(%x: !torch.vtensor<[2,2],i1>) -> !torch.vtensor {
  %none = torch.constant.none
  // expected-error @below {{a product of bool is not defined}}
  %r = torch.operator "torch.aten.linear"(%x, %x, %none) : (!torch.vtensor<[2,2],i1>, !torch.vtensor<[2,2],i1>, !torch.none) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @addmm(%x: !torch.vtensor<[2,2],i1>) -> !torch.vtensor {
  %one = torch.constant.int 1
  // expected-error @below {{a product of bool is not defined}}
  %r = torch.operator "torch.aten.addmm"(%x, %x, %x, %one, %one) : (!torch.vtensor<[2,2],i1>, !torch.vtensor<[2,2],i1>, !torch.vtensor<[2,2],i1>, !torch.int, !torch.int) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @no_columns(%x: !torch.vtensor<[2,0],f32>) -> !torch.vtensor {
  %none = torch.constant.none
  // expected-error @below {{a product of no columns is not supported}}
  %r = torch.operator "torch.aten.linear"(%x, %x, %none) : (!torch.vtensor<[2,0],f32>, !torch.vtensor<[2,0],f32>, !torch.none) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @convolution(%x: !torch.vtensor<[1,1,2],si64>, %g: !torch.vtensor<[1,1,1],si64>) -> !torch.vtensor {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %true = torch.constant.bool true
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %l = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  %m = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  %mask = torch.prim.ListConstruct %true, %true, %false : (!torch.bool, !torch.bool, !torch.bool) -> !torch.list<bool>
  // expected-error @below {{'aten.convolution_backward': it is defined for floats only}}
  %r:3 = torch.operator "torch.aten.convolution_backward"(%g, %x, %x, %none, %l, %m, %l, %false, %m, %one, %mask) : (!torch.vtensor<[1,1,1],si64>, !torch.vtensor<[1,1,2],si64>, !torch.vtensor<[1,1,2],si64>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int, !torch.list<bool>) -> (!torch.vtensor, !torch.vtensor, !torch.vtensor)
  return %r#0 : !torch.vtensor
}

// -----

func.func @attention(%x: !torch.vtensor<[2,3],si64>) -> !torch.vtensor {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %zero = torch.constant.int 0
  // expected-error @below {{attention is defined for f32, bf16 and f16 only}}
  %r = torch.operator "torch.aten.scaled_dot_product_attention"(%x, %x, %x, %none, %zero, %false, %none, %false) : (!torch.vtensor<[2,3],si64>, !torch.vtensor<[2,3],si64>, !torch.vtensor<[2,3],si64>, !torch.none, !torch.int, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @dropout(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %half = torch.constant.float 0.5
  // expected-error @below {{dropout in an attention is not supported; dropout_p must be 0}}
  %r = torch.operator "torch.aten.scaled_dot_product_attention"(%x, %x, %x, %none, %half, %false, %none, %false) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @layer_norm(%x: !torch.vtensor<[2,0],f32>) -> !torch.vtensor {
  %none = torch.constant.none
  %zero = torch.constant.int 0
  %half = torch.constant.float 0.5
  %l = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  // expected-error @below {{'aten.native_layer_norm': it normalizes no elements}}
  %r:3 = torch.operator "torch.aten.native_layer_norm"(%x, %l, %none, %none, %half) : (!torch.vtensor<[2,0],f32>, !torch.list<int>, !torch.none, !torch.none, !torch.float) -> (!torch.vtensor, !torch.vtensor, !torch.vtensor)
  return %r#1 : !torch.vtensor
}

// -----

func.func @batch_norm(%x: !torch.vtensor<[2,3],si64>, %y: !torch.vtensor<[3],f32>) -> !torch.vtensor {
  %none = torch.constant.none
  %half = torch.constant.float 0.5
  // expected-error @below {{it is defined for floats only}}
  %r:3 = torch.operator "torch.aten._native_batch_norm_legit_no_training"(%x, %none, %none, %y, %y, %half, %half) : (!torch.vtensor<[2,3],si64>, !torch.none, !torch.none, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.float, !torch.float) -> (!torch.vtensor, !torch.vtensor, !torch.vtensor)
  return %r#0 : !torch.vtensor
}

// -----

func.func @bias(%x: !torch.vtensor<[1,1,2],f32>, %y: !torch.vtensor<[2],f32>) -> !torch.vtensor {
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %l = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  %m = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  // expected-error @below {{the bias has shape [2]; expected [1]}}
  %r = torch.operator "torch.aten.conv1d"(%x, %x, %y, %l, %m, %l, %one) : (!torch.vtensor<[1,1,2],f32>, !torch.vtensor<[1,1,2],f32>, !torch.vtensor<[2],f32>, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @keys(%x: !torch.vtensor<[2,4,5],f32>, %y: !torch.vtensor<[3,4,5],f32>) -> !torch.vtensor {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %zero = torch.constant.int 0
  // expected-error @below {{dimension 0 of keys and values of shape [3,4,5] does not fit queries of shape [2,4,5]}}
  %r = torch.operator "torch.aten.scaled_dot_product_attention"(%x, %y, %y, %none, %zero, %false, %none, %false) : (!torch.vtensor<[2,4,5],f32>, !torch.vtensor<[3,4,5],f32>, !torch.vtensor<[3,4,5],f32>, !torch.none, !torch.int, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @steps(%x: !torch.vtensor<[1,1,1,1,1,1,2,2],si32>) -> !torch.vtensor {
  // expected-error @below {{'aten.matmul': in one of its steps, a tensor of shape [1,1,1,1,1,1,2,2,1] has more than 8 dimensions}}
  %r = torch.operator "torch.aten.matmul"(%x, %x) : (!torch.vtensor<[1,1,1,1,1,1,2,2],si32>, !torch.vtensor<[1,1,1,1,1,1,2,2],si32>) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @complex(%x: !torch.vtensor<[2],complex<f64>>) -> !torch.vtensor {
  // expected-error @below {{operand 'self' of 'aten.relu': an operand has type 'tensor<2xcomplex<f64>>', whose parts are no tensor of the device; called with (tensor<2xcomplex<f64>>)}}
  %r = torch.operator "torch.aten.relu"(%x) : (!torch.vtensor<[2],complex<f64>>) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @rank_of_pairs(%x: !torch.vtensor<[1,1,1,1,1,1,1,2],f32>) -> !torch.vtensor {
  %0 = torch.operator "torch.aten.complex"(%x, %x) : (!torch.vtensor<[1,1,1,1,1,1,1,2],f32>, !torch.vtensor<[1,1,1,1,1,1,1,2],f32>) -> !torch.vtensor
  // expected-error @below {{result 0 is complex: its parts would be one more dimension than a tensor may have}}
  return %0 : !torch.vtensor
}

// -----

func.func @heads(%x: !torch.vtensor<[1,4,2,2],f32>, %k: !torch.vtensor<[1,2,2,2],f32>, %v: !torch.vtensor<[1,4,2,2],f32>) -> !torch.vtensor {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %zero = torch.constant.float 0.0
  // expected-error @below {{2 heads of keys, 4 of values}}
  %r = torch.operator "torch.aten.scaled_dot_product_attention"(%x, %k, %v, %none, %zero, %false, %none, %true) : (!torch.vtensor<[1,4,2,2],f32>, !torch.vtensor<[1,2,2,2],f32>, !torch.vtensor<[1,4,2,2],f32>, !torch.none, !torch.float, !torch.bool, !torch.none, !torch.bool) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @double(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %seven = torch.constant.int 7
  // expected-error @below {{'aten.to.dtype' has a result of type [2] f64, which the device does not have; export the model in f32; called with (tensor<2xf32>, 7, false, false, None)}}
  %r = torch.operator "torch.aten.to.dtype"(%x, %seven, %false, %false, %none) : (!torch.vtensor<[2],f32>, !torch.int, !torch.bool, !torch.bool, !torch.none) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @literal(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @below {{its value is no tensor of numbers of a fixed shape}}
  %0 = torch.vtensor.literal(unit) : !torch.vtensor<[2],f32>
  return %x : !torch.vtensor<[2],f32>
}

// -----

func.func @compared(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],i1> {
  %0 = torch.vtensor.literal(dense<0.1> : tensor<2xf64>) : !torch.vtensor<[2],f64>
  // expected-error @below {{its operands have no common element type of the device}}
  %1 = torch.aten.eq.Tensor %0, %0 : !torch.vtensor<[2],f64>, !torch.vtensor<[2],f64> -> !torch.vtensor<[2],i1>
  return %1 : !torch.vtensor<[2],i1>
}

// -----

func.func @list(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  %0 = torch.aten.split.Tensor %x, %two, %zero : !torch.vtensor<[4],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  // expected-error @below {{it takes what its list does not have, or no list of tensors}}
  %1:3 = torch.prim.ListUnpack %0 : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor, !torch.vtensor
  return %x : !torch.vtensor<[4],f32>
}

// -----

// One error for what makes a value that nothing can take.
func.func @returned(%x: !torch.vtensor<[4],f32>) -> !torch.list<vtensor> {
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  // expected-error @below {{its value is used in a way that is not supported}}
  %0 = torch.aten.split.Tensor %x, %two, %zero : !torch.vtensor<[4],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  return %0 : !torch.list<vtensor>
}

// -----

func.func @region(%x: !torch.vtensor<[2],f32>, %c: i1) -> !torch.vtensor<[2],f32> {
  %0 = scf.if %c -> !torch.vtensor<[2],f32> {
    // expected-error @below {{it is in a region of 'scf.if'; only straight code of the torch dialect is supported}}
    %1 = torch.aten.relu %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
    scf.yield %1 : !torch.vtensor<[2],f32>
  } else {
    scf.yield %x : !torch.vtensor<[2],f32>
  }
  return %0 : !torch.vtensor<[2],f32>
}

// -----

func.func @loop(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %three = torch.constant.int 3
  // expected-error @below {{loops and branches of the torch dialect are not supported}}
  %0 = "torch.prim.Loop"(%three, %x) ({
  ^bb0(%i: !torch.int, %y: !torch.vtensor<[2],f32>):
    "torch.prim.Loop.condition"(%y) : (!torch.vtensor<[2],f32>) -> ()
  }) : (!torch.int, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

// expected-error @below {{a function must be one block}}
func.func @blocks(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  cf.br ^next(%x : !torch.vtensor<[2],f32>)
^next(%y: !torch.vtensor<[2],f32>):
  %0 = torch.aten.relu %y : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

func.func @other_result(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[3],f32> {
  %0 = torch.tensor_static_info_cast %x : !torch.vtensor<[2],f32> to !torch.vtensor<[3],f32>
  // expected-error @below {{result 0 has type 'tensor<2xf32>'; expected 'tensor<3xf32>'}}
  return %0 : !torch.vtensor<[3],f32>
}

// -----

func.func @power_of_bool(%x: !torch.vtensor<[4],i1>) -> !torch.vtensor {
  // expected-error @below {{'aten.pow.Tensor_Tensor': a power is not defined for bool}}
  %r = torch.operator "torch.aten.pow.Tensor_Tensor"(%x, %x) : (!torch.vtensor<[4],i1>, !torch.vtensor<[4],i1>) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @negative_power(%x: !torch.vtensor<[4],si64>) -> !torch.vtensor {
  %minus = torch.constant.int -1
  // expected-error @below {{'aten.pow.Tensor_Scalar': integers have no negative powers; called with (tensor<4xi64>, -1)}}
  %r = torch.operator "torch.aten.pow.Tensor_Scalar"(%x, %minus) : (!torch.vtensor<[4],si64>, !torch.int) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @decimals(%x: !torch.vtensor<[4],si64>) -> !torch.vtensor {
  %one = torch.constant.int 1
  // expected-error @below {{'aten.round.decimals': decimals must be 0 for integers}}
  %r = torch.operator "torch.aten.round.decimals"(%x, %one) : (!torch.vtensor<[4],si64>, !torch.int) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @shift(%x: !torch.vtensor<[4],i1>) -> !torch.vtensor {
  // expected-error @below {{'aten.__lshift__.Tensor': it is defined for integers only}}
  %r = torch.operator "torch.aten.__lshift__.Tensor"(%x, %x) : (!torch.vtensor<[4],i1>, !torch.vtensor<[4],i1>) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @spaced() -> !torch.vtensor {
  %none = torch.constant.none
  %three = torch.constant.int 3
  %four = torch.constant.int 4
  %large = torch.constant.float 1.0e+20
  // expected-error @below {{'aten.linspace': start and end of integers must be below 1e15}}
  %r = torch.operator "torch.aten.linspace"(%three, %large, %three, %four, %none, %none, %none) : (!torch.int, !torch.float, !torch.int, !torch.int, !torch.none, !torch.none, !torch.none) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @cumulative_product(%x: !torch.vtensor<[4],si64>) -> !torch.vtensor {
  %zero = torch.constant.int 0
  %eleven = torch.constant.int 11
  // expected-error @below {{'aten.cumprod': products of bool are not defined; called with (tensor<4xi64>, 0, 11)}}
  %r = torch.operator "torch.aten.cumprod"(%x, %zero, %eleven) : (!torch.vtensor<[4],si64>, !torch.int, !torch.int) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @histogram(%x: !torch.vtensor<[100000],f32>) -> !torch.vtensor {
  %zero = torch.constant.int 0
  %bins = torch.constant.int 10000
  // expected-error @below {{'aten.histc': a histogram of 100000 elements in 10000 bins takes too many comparisons}}
  %r = torch.operator "torch.aten.histc"(%x, %bins, %zero, %zero) : (!torch.vtensor<[100000],f32>, !torch.int, !torch.int, !torch.int) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @polygamma(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor {
  %minus = torch.constant.int -1
  // expected-error @below {{'aten.polygamma': the order n must be 0 or more; called with (-1, tensor<4xf32>)}}
  %r = torch.operator "torch.aten.polygamma"(%minus, %x) : (!torch.int, !torch.vtensor<[4],f32>) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @pivots(%x: !torch.vtensor<[3,3],f32>) -> !torch.vtensor {
  %false = torch.constant.bool false
  // expected-error @below {{'aten.linalg_lu': pivot must be true, as on PyTorch's CPU; called with (tensor<3x3xf32>, false)}}
  %r:3 = torch.operator "torch.aten.linalg_lu"(%x, %false) : (!torch.vtensor<[3,3],f32>, !torch.bool) -> (!torch.vtensor, !torch.vtensor, !torch.vtensor)
  return %r#0 : !torch.vtensor
}

// -----

func.func @transform(%x: !torch.vtensor<[5000],f32>) -> !torch.vtensor {
  %zero = torch.constant.int 0
  %true = torch.constant.bool true
  %dims = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  // expected-error @below {{'aten._fft_r2c': transforms of more than 4096 numbers are not supported}}
  %0 = torch.operator "torch.aten._fft_r2c"(%x, %dims, %zero, %true) : (!torch.vtensor<[5000],f32>, !torch.list<int>, !torch.int, !torch.bool) -> !torch.vtensor
  %r = torch.operator "torch.aten.abs"(%0) : (!torch.vtensor) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @no_dimension(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor {
  %zero = torch.constant.int 0
  %true = torch.constant.bool true
  %dims = torch.prim.ListConstruct : () -> !torch.list<int>
  %0 = torch.operator "torch.aten.complex"(%x, %x) : (!torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor
  // expected-error @below {{'aten._fft_c2c': it transforms along no dimension}}
  %1 = torch.operator "torch.aten._fft_c2c"(%0, %dims, %zero, %true) : (!torch.vtensor, !torch.list<int>, !torch.int, !torch.bool) -> !torch.vtensor
  %r = torch.operator "torch.aten.abs"(%1) : (!torch.vtensor) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @other_than_complex(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor {
  %0 = torch.operator "torch.aten.complex"(%x, %x) : (!torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor
  // expected-error @below {{'aten.relu': it is not supported for complex numbers}}
  %r = torch.operator "torch.aten.relu"(%0) : (!torch.vtensor) -> !torch.vtensor
  return %r : !torch.vtensor
}

// -----

func.func @rand_like(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor {
  %none = torch.constant.none
  // expected-error @below {{'aten.rand_like' draws random numbers and has no seed; torch.compile, gaudi_mlir.torch.export and gaudi-import of a .pt2 file give it one}}
  %r = torch.operator "torch.aten.rand_like"(%x, %none, %none, %none, %none, %none) : (!torch.vtensor<[4],f32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor
  return %r : !torch.vtensor
}
