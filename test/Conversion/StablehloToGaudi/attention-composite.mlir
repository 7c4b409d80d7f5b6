// Attention that PyTorch and LiteRT keep as composites, with the numbers of PyTorch. The decompositions are
// not read: they return zeros here.
// RUN: gaudi-run %s --entry=inside --seed-inputs=1 --check "--expect=1x3x4x2xf32=-0.0264723312 -0.080910704 -0.0256692806 -0.0712348156 -0.158825733 -0.0778431264 -0.128829438 -0.0453443032 -0.139048861 -0.0337663477 -0.14094552 -0.0523326858 -0.239858184 -0.0188890767 -0.246662995 -0.0428158004 -0.112603803 0.0777242512 -0.115493997 0.0757556298 -0.127053069 0.0913313143 -0.131459007 0.0726825043"
// RUN: gaudi-run %s --entry=outside --seed-inputs=1 --check "--expect=2x2x3x2xf32=0.233073935 -0.534564435 0.0723523482 -0.369562413 -0.132536242 -0.235418226 -0.524214387 -0.500738621 -0.318773768 -0.237370086 -0.311368242 -0.216089619 0.316429079 -0.201463208 0.279708814 -0.0448112315 0.336080062 0.00464277335 -0.240261003 0.19899635 -0.297341397 0.103968091 -0.232766064 0.139345954"
// RUN: gaudi-run %s --entry=boolean --seed-inputs=1 --check "--expect=2x3x4xf32=0.0828597734 0.0306993466 0.047292644 0.0311559869 -0.509522498 0.0284079481 -0.434248656 0.332742423 0.233073935 -0.534564435 -0.0498929434 -0.24406141 0.0771348241 -0.112739319 -0.050182139 0.16873064 0.458139807 0.139811724 0.363787979 -0.426467836 0.316429079 -0.201463208 0.25165081 0.0748867542"
// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi | FileCheck %s
// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi --remarks-filter=convert-stablehlo-to-gaudi --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @inside(
// CHECK: gaudi.sdpa %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} scale 2.500000e-01 {key_layout = "NLHD", output_layout = "NLHD", query_layout = "NLHD", value_layout = "NLHD"}
// REMARK-DAG: attention-composite.mlir:[[#@LINE+2]]:8: remark: [Passed] raise | {{.*}} | Remark="raised to gaudi.sdpa: its scores stay on the chip"
func.func @inside(%q: tensor<1x3x4x2xf32>, %k: tensor<1x5x2x2xf32>, %v: tensor<1x5x2x2xf32>, %m: tensor<1x1x3x5xf32>) -> tensor<1x3x4x2xf32> {
  %0 = "stablehlo.composite"(%q, %k, %v, %m) <{composite_attributes = {scale = 2.5e-1 : f32}, decomposition = @of_litert, name = "odml.scaled_dot_product_attention", version = 1 : i32}> : (tensor<1x3x4x2xf32>, tensor<1x5x2x2xf32>, tensor<1x5x2x2xf32>, tensor<1x1x3x5xf32>) -> tensor<1x3x4x2xf32>
  return %0 : tensor<1x3x4x2xf32>
}

// CHECK-LABEL: func.func @outside(
// CHECK: gaudi.sdpa %{{.*}}, %{{.*}}, %{{.*}} scale 5.000000e-01 causal :
func.func @outside(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x2xf32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.composite"(%q, %k, %v) <{composite_attributes = {dropout_p = 0.0 : f64, enable_gqa = false, is_causal = true}, decomposition = @of_pytorch, name = "aten.scaled_dot_product_attention.default", version = 1 : i32}> : (tensor<2x2x3x4xf32>, tensor<2x2x5x4xf32>, tensor<2x2x5x2xf32>) -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

// CHECK-LABEL: func.func @boolean(
// CHECK: gaudi.sdpa %{{.*}} mask %{{.*}} scale 5.000000e-01 : (tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<1x3x5xi1>)
func.func @boolean(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %v: tensor<2x5x4xf32>, %m: tensor<3x5xi1>) -> tensor<2x3x4xf32> {
  %0 = "stablehlo.composite"(%q, %k, %v, %m) <{composite_attributes = {}, decomposition = @of_rank_3, name = "torch.nn.functional.scaled_dot_product_attention", version = 1 : i32}> : (tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<3x5xi1>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// A scale of 0 is one: all keys weigh the same.
// CHECK-LABEL: func.func @scaled_by_zero(
// CHECK: gaudi.sdpa %{{.*}}, %{{.*}}, %{{.*}} scale 0.000000e+00 :
func.func @scaled_by_zero(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x2xf32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.composite"(%q, %k, %v) <{composite_attributes = {scale = 0.0 : f64}, decomposition = @of_pytorch, name = "aten.scaled_dot_product_attention.default", version = 1 : i32}> : (tensor<2x2x3x4xf32>, tensor<2x2x5x4xf32>, tensor<2x2x5x2xf32>) -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

// CHECK-LABEL: func.func @dropped(
// CHECK-NOT: gaudi.sdpa
// REMARK-DAG: attention-composite.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | {{.*}} | Remark="called the decomposition of an attention: attribute 'dropout_p' is '5.000000e-01 : f64'"
func.func @dropped(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x2xf32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.composite"(%q, %k, %v) <{composite_attributes = {dropout_p = 0.5 : f64}, decomposition = @of_pytorch, name = "aten.scaled_dot_product_attention", version = 1 : i32}> : (tensor<2x2x3x4xf32>, tensor<2x2x5x4xf32>, tensor<2x2x5x2xf32>) -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

// CHECK-LABEL: func.func @soft_cap(
// CHECK-NOT: gaudi.sdpa
// REMARK-DAG: attention-composite.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | {{.*}} | Remark="called the decomposition of an attention: attribute 'logit_cap' is '5.000000e+01 : f32'"
func.func @soft_cap(%q: tensor<1x3x4x2xf32>, %k: tensor<1x5x2x2xf32>, %v: tensor<1x5x2x2xf32>, %m: tensor<1x1x3x5xf32>) -> tensor<1x3x4x2xf32> {
  %0 = "stablehlo.composite"(%q, %k, %v, %m) <{composite_attributes = {logit_cap = 5.0e1 : f32}, decomposition = @of_litert, name = "odml.scaled_dot_product_attention", version = 1 : i32}> : (tensor<1x3x4x2xf32>, tensor<1x5x2x2xf32>, tensor<1x5x2x2xf32>, tensor<1x1x3x5xf32>) -> tensor<1x3x4x2xf32>
  return %0 : tensor<1x3x4x2xf32>
}

// CHECK-LABEL: func.func @flagged(
// CHECK-NOT: gaudi.sdpa
// REMARK-DAG: attention-composite.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | {{.*}} | Remark="called the decomposition of an attention: attribute 'is_causal' is '1 : i64'"
func.func @flagged(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x2xf32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.composite"(%q, %k, %v) <{composite_attributes = {is_causal = 1 : i64}, decomposition = @of_pytorch, name = "aten.scaled_dot_product_attention", version = 1 : i32}> : (tensor<2x2x3x4xf32>, tensor<2x2x5x4xf32>, tensor<2x2x5x2xf32>) -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

// CHECK-LABEL: func.func @of_two(
// CHECK-NOT: gaudi.sdpa
// REMARK-DAG: attention-composite.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | {{.*}} | Remark="called the decomposition of an attention: it has 2 operands and 1 results; expected query, key, value, a mask or none, and one result"
func.func @of_two(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.composite"(%q, %k) <{composite_attributes = {}, decomposition = @of_two_operands, name = "aten.scaled_dot_product_attention", version = 1 : i32}> : (tensor<2x2x3x4xf32>, tensor<2x2x5x4xf32>) -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

// CHECK-LABEL: func.func @rank_5(
// CHECK-NOT: gaudi.sdpa
// REMARK-DAG: attention-composite.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | {{.*}} | Remark="called the decomposition of an attention: query has rank 5; expected 3 or 4"
func.func @rank_5(%q: tensor<1x2x2x3x4xf32>, %k: tensor<1x2x2x3x4xf32>, %v: tensor<1x2x2x3x4xf32>) -> tensor<1x2x2x3x4xf32> {
  %0 = "stablehlo.composite"(%q, %k, %v) <{composite_attributes = {}, decomposition = @of_rank_5, name = "aten.scaled_dot_product_attention", version = 1 : i32}> : (tensor<1x2x2x3x4xf32>, tensor<1x2x2x3x4xf32>, tensor<1x2x2x3x4xf32>) -> tensor<1x2x2x3x4xf32>
  return %0 : tensor<1x2x2x3x4xf32>
}

// CHECK-LABEL: func.func @mixed(
// CHECK-NOT: gaudi.sdpa
// REMARK-DAG: attention-composite.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | {{.*}} | Remark="called the decomposition of an attention: it has 'tensor<2x2x5x2xbf16>'; expected rank and type of query"
func.func @mixed(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x2xbf16>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.composite"(%q, %k, %v) <{composite_attributes = {}, decomposition = @of_mixed_types, name = "aten.scaled_dot_product_attention", version = 1 : i32}> : (tensor<2x2x3x4xf32>, tensor<2x2x5x4xf32>, tensor<2x2x5x2xbf16>) -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

// CHECK-LABEL: func.func @sizes(
// CHECK-NOT: gaudi.sdpa
// REMARK-DAG: attention-composite.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | {{.*}} | Remark="called the decomposition of an attention: the sizes of its tensors are not those of the layout NHLD"
func.func @sizes(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x3xf32>, %v: tensor<2x2x5x2xf32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.composite"(%q, %k, %v) <{composite_attributes = {}, decomposition = @of_other_sizes, name = "aten.scaled_dot_product_attention", version = 1 : i32}> : (tensor<2x2x3x4xf32>, tensor<2x2x5x3xf32>, tensor<2x2x5x2xf32>) -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

// CHECK-LABEL: func.func @integer_mask(
// CHECK-NOT: gaudi.sdpa
// REMARK-DAG: attention-composite.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | {{.*}} | Remark="called the decomposition of an attention: its mask has elements of 'i32'"
func.func @integer_mask(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x2xf32>, %m: tensor<3x5xi32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.composite"(%q, %k, %v, %m) <{composite_attributes = {}, decomposition = @of_integer_mask, name = "aten.scaled_dot_product_attention", version = 1 : i32}> : (tensor<2x2x3x4xf32>, tensor<2x2x5x4xf32>, tensor<2x2x5x2xf32>, tensor<3x5xi32>) -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

// CHECK-LABEL: func.func @narrow_mask(
// CHECK-NOT: gaudi.sdpa
// REMARK-DAG: attention-composite.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | {{.*}} | Remark="called the decomposition of an attention: its mask 'tensor<3x4xf32>' does not broadcast to the scores"
func.func @narrow_mask(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x2xf32>, %m: tensor<3x4xf32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.composite"(%q, %k, %v, %m) <{composite_attributes = {}, decomposition = @of_narrow_mask, name = "aten.scaled_dot_product_attention", version = 1 : i32}> : (tensor<2x2x3x4xf32>, tensor<2x2x5x4xf32>, tensor<2x2x5x2xf32>, tensor<3x4xf32>) -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

// CHECK-LABEL: func.func @deep_mask(
// CHECK-NOT: gaudi.sdpa
// REMARK-DAG: attention-composite.mlir:[[#@LINE+2]]:8: remark: [Missed] raise | {{.*}} | Remark="called the decomposition of an attention: its mask has rank 5"
func.func @deep_mask(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x2xf32>, %m: tensor<1x1x1x3x5xf32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.composite"(%q, %k, %v, %m) <{composite_attributes = {}, decomposition = @of_deep_mask, name = "aten.scaled_dot_product_attention", version = 1 : i32}> : (tensor<2x2x3x4xf32>, tensor<2x2x5x4xf32>, tensor<2x2x5x2xf32>, tensor<1x1x1x3x5xf32>) -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

func.func private @of_litert(%q: tensor<1x3x4x2xf32>, %k: tensor<1x5x2x2xf32>, %v: tensor<1x5x2x2xf32>, %m: tensor<1x1x3x5xf32>) -> tensor<1x3x4x2xf32> {
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<1x3x4x2xf32>}> : () -> tensor<1x3x4x2xf32>
  return %0 : tensor<1x3x4x2xf32>
}

func.func private @of_pytorch(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x2xf32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x2x3x2xf32>}> : () -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

func.func private @of_rank_3(%q: tensor<2x3x4xf32>, %k: tensor<2x5x4xf32>, %v: tensor<2x5x4xf32>, %m: tensor<3x5xi1>) -> tensor<2x3x4xf32> {
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x3x4xf32>}> : () -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

func.func private @of_two_operands(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x2x3x2xf32>}> : () -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

func.func private @of_rank_5(%q: tensor<1x2x2x3x4xf32>, %k: tensor<1x2x2x3x4xf32>, %v: tensor<1x2x2x3x4xf32>) -> tensor<1x2x2x3x4xf32> {
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<1x2x2x3x4xf32>}> : () -> tensor<1x2x2x3x4xf32>
  return %0 : tensor<1x2x2x3x4xf32>
}

func.func private @of_mixed_types(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x2xbf16>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x2x3x2xf32>}> : () -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

func.func private @of_other_sizes(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x3xf32>, %v: tensor<2x2x5x2xf32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x2x3x2xf32>}> : () -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

func.func private @of_integer_mask(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x2xf32>, %m: tensor<3x5xi32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x2x3x2xf32>}> : () -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

func.func private @of_narrow_mask(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x2xf32>, %m: tensor<3x4xf32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x2x3x2xf32>}> : () -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}

func.func private @of_deep_mask(%q: tensor<2x2x3x4xf32>, %k: tensor<2x2x5x4xf32>, %v: tensor<2x2x5x2xf32>, %m: tensor<1x1x1x3x5xf32>) -> tensor<2x2x3x2xf32> {
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x2x3x2xf32>}> : () -> tensor<2x2x3x2xf32>
  return %0 : tensor<2x2x3x2xf32>
}
