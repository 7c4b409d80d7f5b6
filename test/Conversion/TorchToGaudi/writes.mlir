// Scatters, resampling and convolutions that are refused.
// RUN: gaudi-opt %s -convert-torch-to-gaudi -verify-diagnostics -split-input-file

func.func @no_such_reduction(%x: !torch.vtensor<[3],f32>, %i: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3],f32> {
  %zero = torch.constant.int 0
  %true = torch.constant.bool true
  %name = torch.constant.str "median"
  // expected-error @below {{'aten.scatter_reduce.two': there is no reduction 'median'}}
  %0 = torch.operator "torch.aten.scatter_reduce.two"(%x, %zero, %i, %x, %name, %true) : (!torch.vtensor<[3],f32>, !torch.int, !torch.vtensor<[3],si64>, !torch.vtensor<[3],f32>, !torch.str, !torch.bool) -> !torch.vtensor<[3],f32>
  return %0 : !torch.vtensor<[3],f32>
}

// -----

func.func @visits(%x: !torch.vtensor<[1000000],f32>, %i: !torch.vtensor<[1000000],si64>) -> !torch.vtensor<[1000000],f32> {
  %zero = torch.constant.int 0
  %true = torch.constant.bool true
  %name = torch.constant.str "amax"
  // expected-error @below {{each of 1000000 elements of a line visits 1000000 updates; this is only supported for less}}
  %0 = torch.operator "torch.aten.scatter_reduce.two"(%x, %zero, %i, %x, %name, %true) : (!torch.vtensor<[1000000],f32>, !torch.int, !torch.vtensor<[1000000],si64>, !torch.vtensor<[1000000],f32>, !torch.str, !torch.bool) -> !torch.vtensor<[1000000],f32>
  return %0 : !torch.vtensor<[1000000],f32>
}

// -----

func.func @too_many_outputs(%x: !torch.vtensor<[1,1,3,3],f32>, %bytes: !torch.vtensor<[1,1,3,3],ui8>) -> (!torch.vtensor<[1,1,3,90000000],f32>, !torch.vtensor<[1,1,6,6],ui8>) {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %three = torch.constant.int 3
  %many = torch.constant.int 90000000
  %six = torch.constant.int 6
  %sizes = torch.prim.ListConstruct %three, %many : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{a dimension of 3 elements has 90000000 outputs of up to 8 elements each}}
  %0 = torch.operator "torch.aten.upsample_bilinear2d"(%x, %sizes, %false, %none, %none) : (!torch.vtensor<[1,1,3,3],f32>, !torch.list<int>, !torch.bool, !torch.none, !torch.none) -> !torch.vtensor<[1,1,3,90000000],f32>
  %double = torch.prim.ListConstruct %six, %six : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{'aten.upsample_bilinear2d': it is defined for floats only}}
  %1 = torch.operator "torch.aten.upsample_bilinear2d"(%bytes, %double, %false, %none, %none) : (!torch.vtensor<[1,1,3,3],ui8>, !torch.list<int>, !torch.bool, !torch.none, !torch.none) -> !torch.vtensor<[1,1,6,6],ui8>
  return %0, %1 : !torch.vtensor<[1,1,3,90000000],f32>, !torch.vtensor<[1,1,6,6],ui8>
}

// -----

func.func @large_window(%x: !torch.vtensor<[1,1,40,40],si64>, %w: !torch.vtensor<[1,1,20,20],si64>, %b: !torch.vtensor<[1,1,4,4],i1>) -> (!torch.vtensor<[1,1,21,21],si64>, !torch.vtensor<[1,1,1,1],i1>) {
  %none = torch.constant.none
  %one = torch.constant.int 1
  %zero = torch.constant.int 0
  %ones = torch.prim.ListConstruct %one : (!torch.int) -> !torch.list<int>
  %zeros = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  // expected-error @below {{a convolution of integers with a window of 400 elements; at most 256 are supported}}
  %0 = torch.aten.conv2d %x, %w, %none, %ones, %zeros, %ones, %one : !torch.vtensor<[1,1,40,40],si64>, !torch.vtensor<[1,1,20,20],si64>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[1,1,21,21],si64>
  // expected-error @below {{a convolution of bool is not defined}}
  %1 = torch.aten.conv2d %b, %b, %none, %ones, %zeros, %ones, %one : !torch.vtensor<[1,1,4,4],i1>, !torch.vtensor<[1,1,4,4],i1>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[1,1,1,1],i1>
  return %0, %1 : !torch.vtensor<[1,1,21,21],si64>, !torch.vtensor<[1,1,1,1],i1>
}
