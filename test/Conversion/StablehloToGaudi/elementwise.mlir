// RUN: gaudi-opt %s --convert-stablehlo-to-gaudi -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @abs(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.abs %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @abs(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.abs"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @cbrt(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.cbrt %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @cbrt(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.cbrt"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @ceil(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.ceil %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @ceil(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.ceil"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @cosine(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.cos %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @cosine(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.cosine"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @erf(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.erf %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @erf(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "chlo.erf"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @exponential(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.exp %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @exponential(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.exponential"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @exponential_minus_one(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.expm1 %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @exponential_minus_one(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.exponential_minus_one"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @floor(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.floor %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @floor(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.floor"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @is_finite(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.abs %[[ARG0]] : tensor<2xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.constant dense<0x7F800000> : tensor<1xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.compare <lt> %[[V0]], %[[V1]] : tensor<2xf32>, tensor<1xf32> -> tensor<2xi1>
// CHECK:   return %[[V2]] : tensor<2xi1>
func.func @is_finite(%x: tensor<2xf32>) -> tensor<2xi1> {
  %r = "stablehlo.is_finite"(%x) : (tensor<2xf32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func @log(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.log %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @log(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.log"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @log_plus_one(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.log1p %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @log_plus_one(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.log_plus_one"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @logistic(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.sigmoid %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @logistic(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.logistic"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @negate(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.neg %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @negate(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.negate"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @round_nearest_afz(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.round %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @round_nearest_afz(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.round_nearest_afz"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @round_nearest_even(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.round_even %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @round_nearest_even(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.round_nearest_even"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @rsqrt(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.rsqrt %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @rsqrt(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.rsqrt"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @sign(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.sign %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @sign(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.sign"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @sine(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.sin %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @sine(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.sine"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @sqrt(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.sqrt %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @sqrt(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.sqrt"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @tan(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.tan %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @tan(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.tan"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @tanh(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.tanh %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @tanh(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.tanh"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @acos(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.acos %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @acos(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "chlo.acos"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @acosh(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.acosh %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @acosh(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "chlo.acosh"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @asin(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.asin %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @asin(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "chlo.asin"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @asinh(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.asinh %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @asinh(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "chlo.asinh"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @atan(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.atan %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @atan(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "chlo.atan"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @atanh(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.atanh %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @atanh(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "chlo.atanh"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @cosh(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.cosh %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @cosh(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "chlo.cosh"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @sinh(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.sinh %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @sinh(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "chlo.sinh"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @erfc(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.erfc %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @erfc(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "chlo.erfc"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @square(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.mul %[[ARG0]], %[[ARG0]] : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @square(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "chlo.square"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @is_inf(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.abs %[[ARG0]] : tensor<2xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.constant dense<0x7F800000> : tensor<1xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.compare <eq> %[[V0]], %[[V1]] : tensor<2xf32>, tensor<1xf32> -> tensor<2xi1>
// CHECK:   return %[[V2]] : tensor<2xi1>
func.func @is_inf(%x: tensor<2xf32>) -> tensor<2xi1> {
  %r = "chlo.is_inf"(%x) : (tensor<2xf32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func @is_neg_inf(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<0xFF800000> : tensor<1xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.compare <eq> %[[ARG0]], %[[V0]] : tensor<2xf32>, tensor<1xf32> -> tensor<2xi1>
// CHECK:   return %[[V1]] : tensor<2xi1>
func.func @is_neg_inf(%x: tensor<2xf32>) -> tensor<2xi1> {
  %r = "chlo.is_neg_inf"(%x) : (tensor<2xf32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func @tan_chlo(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.tan %[[ARG0]] : tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @tan_chlo(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "chlo.tan"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @count_leading_zeros(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.clz %[[ARG0]] : tensor<2xi32>
// CHECK:   return %[[V0]] : tensor<2xi32>
func.func @count_leading_zeros(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.count_leading_zeros"(%x) : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @popcnt(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.popcnt"(%[[ARG0]]) index_space [2] parallel [true] : (tensor<2xi32>) -> tensor<2xi32> {
// CHECK:   ^bb0(%[[IN0_1:[a-z0-9_-]+]]: tensor<2xi32>, %[[OUT0_2:[a-z0-9_-]+]]: tensor<2xi32>):
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_1]][d0] : tensor<2xi32>
// CHECK:   %[[V4:[a-z0-9_-]+]] = math.ctpop %[[V3]] : i32
// CHECK:   gaudi.kernel.store %[[V4]], %[[OUT0_2]][d0] : tensor<2xi32>
// CHECK:   return %[[V0]] : tensor<2xi32>
func.func @popcnt(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.popcnt"(%x) : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @not(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.not %[[ARG0]] : tensor<2xi32>
// CHECK:   return %[[V0]] : tensor<2xi32>
func.func @not(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.not"(%x) : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.add %[[ARG0]], %[[ARG1]] : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @add(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.add"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @atan2(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.atan2 %[[ARG0]], %[[ARG1]] : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @atan2(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.atan2"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @divide(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.div %[[ARG0]], %[[ARG1]] : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @divide(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.divide"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @maximum(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.max %[[ARG0]], %[[ARG1]] : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @maximum(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.maximum"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @minimum(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.min %[[ARG0]], %[[ARG1]] : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @minimum(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.minimum"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @multiply(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.mul %[[ARG0]], %[[ARG1]] : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @multiply(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.multiply"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @power(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.pow %[[ARG0]], %[[ARG1]] : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @power(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.power"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @remainder(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.rem %[[ARG0]], %[[ARG1]] : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @remainder(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.remainder"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @subtract(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.sub %[[ARG0]], %[[ARG1]] : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @subtract(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.subtract"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @and(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.and %[[ARG0]], %[[ARG1]] : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
// CHECK:   return %[[V0]] : tensor<2xi32>
func.func @and(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.and"(%x, %y) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @or(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.or %[[ARG0]], %[[ARG1]] : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
// CHECK:   return %[[V0]] : tensor<2xi32>
func.func @or(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.or"(%x, %y) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @xor(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.xor %[[ARG0]], %[[ARG1]] : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
// CHECK:   return %[[V0]] : tensor<2xi32>
func.func @xor(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.xor"(%x, %y) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @shift_left(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.shl %[[ARG0]], %[[ARG1]] : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
// CHECK:   return %[[V0]] : tensor<2xi32>
func.func @shift_left(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.shift_left"(%x, %y) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @shift_right_arithmetic(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.shr %[[ARG0]], %[[ARG1]] : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
// CHECK:   return %[[V0]] : tensor<2xi32>
func.func @shift_right_arithmetic(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.shift_right_arithmetic"(%x, %y) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @shift_right_logical(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.shr_logical %[[ARG0]], %[[ARG1]] : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
// CHECK:   return %[[V0]] : tensor<2xi32>
func.func @shift_right_logical(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.shift_right_logical"(%x, %y) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// Arithmetic of one bit.
// CHECK-LABEL: func.func @add_bool(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi1>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi1>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.or %[[ARG0]], %[[ARG1]] : tensor<2xi1>, tensor<2xi1> -> tensor<2xi1>
// CHECK:   return %[[V0]] : tensor<2xi1>
func.func @add_bool(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
  %r = "stablehlo.add"(%x, %y) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func @maximum_bool(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi1>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi1>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.or %[[ARG0]], %[[ARG1]] : tensor<2xi1>, tensor<2xi1> -> tensor<2xi1>
// CHECK:   return %[[V0]] : tensor<2xi1>
func.func @maximum_bool(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
  %r = "stablehlo.maximum"(%x, %y) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func @minimum_bool(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi1>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi1>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.and %[[ARG0]], %[[ARG1]] : tensor<2xi1>, tensor<2xi1> -> tensor<2xi1>
// CHECK:   return %[[V0]] : tensor<2xi1>
func.func @minimum_bool(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
  %r = "stablehlo.minimum"(%x, %y) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func @multiply_bool(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi1>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi1>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.and %[[ARG0]], %[[ARG1]] : tensor<2xi1>, tensor<2xi1> -> tensor<2xi1>
// CHECK:   return %[[V0]] : tensor<2xi1>
func.func @multiply_bool(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
  %r = "stablehlo.multiply"(%x, %y) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func @power_integer(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2x3xi8>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2x3xi8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<2x3xi8> -> tensor<6xi8>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.reshape %[[ARG1]] : tensor<2x3xi8> -> tensor<6xi8>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.power"(%[[V0]], %[[V1]]) index_space [6, 8] parallel [true, false] : (tensor<6xi8>, tensor<6xi8>) -> tensor<6xi8> {
// CHECK:   ^bb0(%[[IN0_3:[a-z0-9_-]+]]: tensor<6xi8>, %[[IN1_4:[a-z0-9_-]+]]: tensor<6xi8>, %[[OUT0_5:[a-z0-9_-]+]]: tensor<6xi8>):
// CHECK:   %[[V6:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_3]][d0] : tensor<6xi8>
// CHECK:   %[[V7:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_4]][d0] : tensor<6xi8>
// CHECK:   %[[V8:[a-z0-9_-]+]] = arith.constant 1 : i8
// CHECK:   %[[V9:[a-z0-9_-]+]] = arith.constant 0 : i8
// CHECK:   %[[V10:[a-z0-9_-]+]]:3 = gaudi.kernel.loop [1] reduce [#gaudi.reduce<custom>, #gaudi.reduce<custom>, #gaudi.reduce<custom>] init(%[[V8]], %[[V6]], %[[V7]]) : i8, i8, i8 {
// CHECK:   ^bb0(%[[ARG2_11:[a-z0-9_-]+]]: i8, %[[ARG3_12:[a-z0-9_-]+]]: i8, %[[ARG4_13:[a-z0-9_-]+]]: i8):
// CHECK:   %[[V14:[a-z0-9_-]+]] = arith.andi %[[ARG4_13]], %[[V8]] : i8
// CHECK:   %[[V15:[a-z0-9_-]+]] = arith.cmpi ne, %[[V14]], %[[V9]] : i8
// CHECK:   %[[V16:[a-z0-9_-]+]] = arith.muli %[[ARG2_11]], %[[ARG3_12]] : i8
// CHECK:   %[[V17:[a-z0-9_-]+]] = arith.select %[[V15]], %[[V16]], %[[ARG2_11]] : i8
// CHECK:   %[[V18:[a-z0-9_-]+]] = arith.muli %[[ARG3_12]], %[[ARG3_12]] : i8
// CHECK:   %[[V19:[a-z0-9_-]+]] = arith.shrui %[[ARG4_13]], %[[V8]] : i8
// CHECK:   gaudi.kernel.yield %[[V17]], %[[V18]], %[[V19]] : i8, i8, i8
// CHECK:   %[[V20:[a-z0-9_-]+]] = arith.constant -1 : i8
// CHECK:   %[[V21:[a-z0-9_-]+]] = arith.cmpi slt, %[[V7]], %[[V9]] : i8
// CHECK:   %[[V22:[a-z0-9_-]+]] = arith.cmpi eq, %[[V6]], %[[V8]] : i8
// CHECK:   %[[V23:[a-z0-9_-]+]] = arith.cmpi eq, %[[V6]], %[[V20]] : i8
// CHECK:   %[[V24:[a-z0-9_-]+]] = arith.ori %[[V22]], %[[V23]] : i1
// CHECK:   %[[V25:[a-z0-9_-]+]] = arith.constant true
// CHECK:   %[[V26:[a-z0-9_-]+]] = arith.xori %[[V24]], %[[V25]] : i1
// CHECK:   %[[V27:[a-z0-9_-]+]] = arith.andi %[[V21]], %[[V26]] : i1
// CHECK:   %[[V28:[a-z0-9_-]+]] = arith.select %[[V27]], %[[V9]], %[[V10]]#0 : i8
// CHECK:   gaudi.kernel.store %[[V28]], %[[OUT0_5]][d0] : tensor<6xi8>
// CHECK:   %[[V29:[a-z0-9_-]+]] = gaudi.reshape %[[V2]] : tensor<6xi8> -> tensor<2x3xi8>
// CHECK:   return %[[V29]] : tensor<2x3xi8>
func.func @power_integer(%x: tensor<2x3xi8>, %y: tensor<2x3xi8>) -> tensor<2x3xi8> {
  %r = "stablehlo.power"(%x, %y) : (tensor<2x3xi8>, tensor<2x3xi8>) -> tensor<2x3xi8>
  return %r : tensor<2x3xi8>
}

// -----

// CHECK-LABEL: func.func @compare_eq(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.compare <eq> %[[ARG0]], %[[ARG1]] : tensor<2xf32>, tensor<2xf32> -> tensor<2xi1>
// CHECK:   return %[[V0]] : tensor<2xi1>
func.func @compare_eq(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xi1> {
  %r = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func @compare_ne(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi1>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi1>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.compare <ne> %[[ARG0]], %[[ARG1]] : tensor<2xi1>, tensor<2xi1> -> tensor<2xi1>
// CHECK:   return %[[V0]] : tensor<2xi1>
func.func @compare_ne(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
  %r = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func @compare_lt(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xui8>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xui8>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.compare <lt> %[[ARG0]], %[[ARG1]] : tensor<2xui8>, tensor<2xui8> -> tensor<2xi1>
// CHECK:   return %[[V0]] : tensor<2xi1>
func.func @compare_lt(%x: tensor<2xui8>, %y: tensor<2xui8>) -> tensor<2xi1> {
  %r = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func @compare_ge(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.compare <ge> %[[ARG0]], %[[ARG1]] : tensor<2xi32>, tensor<2xi32> -> tensor<2xi1>
// CHECK:   return %[[V0]] : tensor<2xi1>
func.func @compare_ge(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi1> {
  %r = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// Bits of negative numbers are reversed, then integers are compared.
// CHECK-LABEL: func.func @compare_total(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.bitcast %[[ARG0]] : tensor<2xf32> -> tensor<2xi32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.constant dense<31> : tensor<1xi32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.shr %[[V0]], %[[V1]] : tensor<2xi32>, tensor<1xi32> -> tensor<2xi32>
// CHECK:   %[[V3:[a-z0-9_-]+]] = gaudi.constant dense<2147483647> : tensor<1xi32>
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.tpc.and %[[V2]], %[[V3]] : tensor<2xi32>, tensor<1xi32> -> tensor<2xi32>
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.tpc.xor %[[V0]], %[[V4]] : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
// CHECK:   %[[V6:[a-z0-9_-]+]] = gaudi.bitcast %[[ARG1]] : tensor<2xf32> -> tensor<2xi32>
// CHECK:   %[[V7:[a-z0-9_-]+]] = gaudi.constant dense<31> : tensor<1xi32>
// CHECK:   %[[V8:[a-z0-9_-]+]] = gaudi.tpc.shr %[[V6]], %[[V7]] : tensor<2xi32>, tensor<1xi32> -> tensor<2xi32>
// CHECK:   %[[V9:[a-z0-9_-]+]] = gaudi.constant dense<2147483647> : tensor<1xi32>
// CHECK:   %[[V10:[a-z0-9_-]+]] = gaudi.tpc.and %[[V8]], %[[V9]] : tensor<2xi32>, tensor<1xi32> -> tensor<2xi32>
// CHECK:   %[[V11:[a-z0-9_-]+]] = gaudi.tpc.xor %[[V6]], %[[V10]] : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
// CHECK:   %[[V12:[a-z0-9_-]+]] = gaudi.tpc.compare <lt> %[[V5]], %[[V11]] : tensor<2xi32>, tensor<2xi32> -> tensor<2xi1>
// CHECK:   return %[[V12]] : tensor<2xi1>
func.func @compare_total(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xi1> {
  %r = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// CHECK-LABEL: func.func @select(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi1>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG2:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.select %[[ARG0]], %[[ARG1]], %[[ARG2]] : tensor<2xi1>, tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK:   return %[[V0]] : tensor<2xf32>
func.func @select(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.select"(%c, %x, %y) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// A scalar condition is for all elements.
// CHECK-LABEL: func.func @select_scalar(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<i1>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG2:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<i1> -> tensor<1xi1>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.select %[[V0]], %[[ARG1]], %[[ARG2]] : tensor<1xi1>, tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK:   return %[[V1]] : tensor<2xf32>
func.func @select_scalar(%c: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.select"(%c, %x, %y) : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @clamp(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<f32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[ARG2:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.reshape %[[ARG0]] : tensor<f32> -> tensor<1xf32>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.max %[[ARG1]], %[[V0]] : tensor<2xf32>, tensor<1xf32> -> tensor<2xf32>
// CHECK:   %[[V2:[a-z0-9_-]+]] = gaudi.tpc.min %[[V1]], %[[ARG2]] : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK:   return %[[V2]] : tensor<2xf32>
func.func @clamp(%a: tensor<f32>, %x: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.clamp"(%a, %x, %b) : (tensor<f32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @convert(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.cast %[[ARG0]] : tensor<2xf32> -> tensor<2xbf16>
// CHECK:   return %[[V0]] : tensor<2xbf16>
func.func @convert(%x: tensor<2xf32>) -> tensor<2xbf16> {
  %r = "stablehlo.convert"(%x) : (tensor<2xf32>) -> tensor<2xbf16>
  return %r : tensor<2xbf16>
}

// -----

// CHECK-LABEL: func.func @convert_nothing(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   return %[[ARG0]] : tensor<2xf32>
func.func @convert_nothing(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.convert"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @bitcast(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.bitcast %[[ARG0]] : tensor<2xf32> -> tensor<2xi32>
// CHECK:   return %[[V0]] : tensor<2xi32>
func.func @bitcast(%x: tensor<2xf32>) -> tensor<2xi32> {
  %r = "stablehlo.bitcast_convert"(%x) : (tensor<2xf32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @reduce_precision(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xf32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.cast %[[ARG0]] : tensor<2xf32> -> tensor<2xbf16>
// CHECK:   %[[V1:[a-z0-9_-]+]] = gaudi.tpc.cast %[[V0]] : tensor<2xbf16> -> tensor<2xf32>
// CHECK:   return %[[V1]] : tensor<2xf32>
func.func @reduce_precision(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.reduce_precision"(%x) <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @constant(
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>
// CHECK:   return %[[V0]] : tensor<2x2xi32>
func.func @constant() -> tensor<2x2xi32> {
  %r = "stablehlo.constant"() <{value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// -----

// CHECK-LABEL: func.func @map(
// CHECK-SAME: %[[ARG0:arg[0-9]+]]: tensor<2xi32>
// CHECK-SAME: %[[ARG1:arg[0-9]+]]: tensor<2xi32>
// CHECK:   %[[V0:[a-z0-9_-]+]] = gaudi.tpc.kernel label "stablehlo.map"(%[[ARG0]], %[[ARG1]]) index_space [2] parallel [true] : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32> {
// CHECK:   ^bb0(%[[IN0_1:[a-z0-9_-]+]]: tensor<2xi32>, %[[IN1_2:[a-z0-9_-]+]]: tensor<2xi32>, %[[OUT0_3:[a-z0-9_-]+]]: tensor<2xi32>):
// CHECK:   %[[V4:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN0_1]][d0] : tensor<2xi32>
// CHECK:   %[[V5:[a-z0-9_-]+]] = gaudi.kernel.load %[[IN1_2]][d0] : tensor<2xi32>
// CHECK:   %[[V6:[a-z0-9_-]+]] = arith.addi %[[V4]], %[[V5]] : i32
// CHECK:   %[[V7:[a-z0-9_-]+]] = arith.muli %[[V6]], %[[V5]] : i32
// CHECK:   gaudi.kernel.store %[[V7]], %[[OUT0_3]][d0] : tensor<2xi32>
// CHECK:   return %[[V0]] : tensor<2xi32>
func.func @map(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = "stablehlo.multiply"(%s, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%t) : (tensor<i32>) -> ()
  }) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
