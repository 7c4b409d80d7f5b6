// Programs of the torch dialect with dynamic sizes that have no variant.
// RUN: gaudi-opt %s --split-input-file --verify-diagnostics --gaudi-infer-symbols --gaudi-bucket-shapes="buckets=8"

func.func @unequal(%x: tensor<?x?xf32> {gaudi.dims = ["n=1..64", "m=1..64"]}) -> tensor<?x?xf32> {
  %s = torch.symbolic_int "s" {min_val = 1, max_val = 64} : !torch.int
  // expected-error @+1 {{dimension 1 of an argument is m but the model needs n; give dimensions of one size the same name}}
  torch.bind_symbolic_shape %x, [%s], affine_map<()[s0] -> (s0, s0)> : tensor<?x?xf32>
  return %x : tensor<?x?xf32>
}

// -----

func.func @no_map(%x: tensor<?xf32> {gaudi.dims = ["n=1..64"]}) -> tensor<?xf32> {
  %s = torch.symbolic_int "s" {min_val = 1, max_val = 64} : !torch.int
  // expected-error @+1 {{it has no map of torch.symbolic_int to one size}}
  %n = torch.operator "torch.gaudi.size"(%s) : (!torch.int) -> !torch.int
  return %x : tensor<?xf32>
}

// -----

func.func @dimension(%x: tensor<?x4xf32> {gaudi.dims = ["n=1..64", ""]}) -> tensor<4xf32> {
  %one = torch.constant.int 1
  %five = torch.constant.int 5
  // expected-error @+1 {{its dimension is not a constant of its operand}}
  %0 = torch.aten.select.int %x, %five, %one : tensor<?x4xf32>, !torch.int, !torch.int -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @start(%x: tensor<?x4xf32> {gaudi.dims = ["n=1..64", ""]}, %i: !torch.int) -> tensor<4xf32> {
  %zero = torch.constant.int 0
  // expected-error @+1 {{it starts at an offset that is no expression over the symbols of the function}}
  %0 = torch.aten.select.int %x, %zero, %i : tensor<?x4xf32>, !torch.int, !torch.int -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @before(%x: tensor<?x4xf32> {gaudi.dims = ["n=1..64", ""]}) -> tensor<4xf32> {
  %zero = torch.constant.int 0
  %start = torch.constant.int -3
  // expected-error @+1 {{it starts at n - 3, which may be before the first element}}
  %0 = torch.aten.select.int %x, %zero, %start : tensor<?x4xf32>, !torch.int, !torch.int -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @number(%x: tensor<?xf32> {gaudi.dims = ["n=1..64"]}) -> tensor<?xf32> {
  %s = torch.symbolic_int "s" {min_val = 1, max_val = 64} : !torch.int
  torch.bind_symbolic_shape %x, [%s], affine_map<()[s0] -> (s0)> : tensor<?xf32>
  %n = torch.operator "torch.gaudi.size"(%s) {map = affine_map<()[s0] -> (s0)>} : (!torch.int) -> !torch.int
  // expected-error @+1 {{its operand 'other' is a size that is dynamic; give it as a tensor}}
  %0 = torch.aten.div.Scalar %x, %n : tensor<?xf32>, !torch.int -> tensor<?xf32>
  torch.bind_symbolic_shape %0, [%s], affine_map<()[s0] -> (s0)> : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @variance(%x: tensor<?x4xf32> {gaudi.dims = ["n=1..64", ""]}) -> tensor<4xf32> {
  %zero = torch.constant.int 0
  %dims = torch.prim.ListConstruct %zero : (!torch.int) -> !torch.list<int>
  %one = torch.constant.int 1
  %false = torch.constant.bool false
  // expected-error @+1 {{it may compute with sizes, which are not followed through 'aten.var.correction'; give the model a static size there}}
  %0 = torch.aten.var.correction %x, %dims, %one, %false : tensor<?x4xf32>, !torch.list<int>, !torch.int, !torch.bool -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
