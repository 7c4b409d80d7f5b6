// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops of the vector cores. `scalar` is the computation of one
// element, written against ScalarBuilder (Gaudi/Dialect/ScalarBuilder.h).
#ifndef GAUDI_DIALECT_TPCELEMENTWISEOPS_TD
#define GAUDI_DIALECT_TPCELEMENTWISEOPS_TD

include "Gaudi/Dialect/Attributes.td"

// `exact`: the same on host floats a and b if IEEE 754 rounds it exactly, so that
// constants may be folded; functions are left to the engine.
class Gaudi_ElementwiseOp<string mnemonic, code scalar, list<Trait> traits = [], code exact = "">
    : Gaudi_GraphOp<"tpc." # mnemonic, !listconcat([
        DeclareOpInterfaceMethods<Gaudi_ElementwiseOpInterface>,
        DeclareOpInterfaceMethods<Gaudi_KernelBodyOpInterface>], traits)> {
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDefinition = [{
    ::mlir::Value $cppClass::buildScalar(gaudi::ScalarBuilder &s, ::mlir::ValueRange in) {
      s.setElementType(::mlir::getElementTypeOrSelf(getOperation()->getOperand(0)));
      return }] # scalar # [{;
    }
    ::mlir::FailureOr<::mlir::Operation *> $cppClass::buildKernel(::mlir::OpBuilder &builder) {
      return gaudi::buildElementwiseKernel(getOperation(), builder);
    }
    gaudi::Engine $cppClass::getEngine() { return gaudi::Engine::TPC; }
    int64_t $cppClass::getArithmeticOps() { return gaudi::elementCount(getOperation()->getResult(0)); }
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
      return gaudi::foldElementwise(getOperation(), adaptor.getOperands(), }] #
      !if(!empty(exact), "nullptr", "[](float a, [[maybe_unused]] float b) -> float { return " # exact # "; }") # [{);
    }
    ::llvm::LogicalResult $cppClass::verify() { return gaudi::verifyElementwise(getOperation()); }
  }];
}

// The element type in the example of an op that takes `type`.
class Gaudi_ExampleElement<TypeConstraint type> {
  string name = !if(!or(!eq(type.summary, Gaudi_IntOrBoolTensor.summary),
                        !eq(type.summary, Gaudi_IntTensor.summary)), "i32", "f32");
}

// Of the seven builders that ODS makes for an op without attributes two are used,
// this one by code that knows an op by its class alone. Builders are a quarter of
// the machine code of such an op.
def Gaudi_ValuesBuilder : OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$operands,
    CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attributes), [{
  $_state.addOperands(operands);
  $_state.addAttributes(attributes);
  $_state.addTypes(results);
}]>;

// result = f(operand), one type.
class Gaudi_UnaryOp<string mnemonic, string formula, string note, TypeConstraint type, code scalar,
                    list<Trait> traits = [], code exact = "">
    : Gaudi_ElementwiseOp<mnemonic, scalar, !listconcat([SameOperandsAndResultType, Elementwise], traits), exact> {
  defvar element = Gaudi_ExampleElement<type>.name;
  let summary = "elementwise " # formula;
  let description = "`result = " # formula # "` for each element x. Types: " # type.summary
    # ". Engine: TPC. Numerics: floats computed in f32, one rounding at the store. " # note # [{

Example:
```mlir
%0 = gaudi.tpc.}] # mnemonic # [{ %x : tensor<4x8x}] # element # [{>
```
}];
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
  let skipDefaultBuilders = 1;
  let builders = [Gaudi_ValuesBuilder, OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$operand), [{
    $_state.addOperands(operand);
    $_state.addTypes(result);
  }]>];
}

// result = f(lhs, rhs), one element type, size-1 dimensions broadcast.
class Gaudi_BinaryOp<string mnemonic, string formula, string note, TypeConstraint type, code scalar,
                     list<Trait> traits = [], code exact = "">
    : Gaudi_ElementwiseOp<mnemonic, scalar, traits, exact> {
  defvar element = Gaudi_ExampleElement<type>.name;
  let summary = "elementwise " # formula;
  let description = "`result = " # formula # "` for each pair of elements a, b. Operands have the rank of the "
    # "result; a dimension of size 1 is broadcast. Types: " # type.summary # ", the same for operands and result. "
    # "Engine: TPC. Numerics: floats computed in f32, one rounding at the store; integers wrap. " # note # [{

Example:
```mlir
%0 = gaudi.tpc.}] # mnemonic # [{ %a, %b : tensor<4x8x}] # element # [{>, tensor<1x8x}] # element # [{> -> tensor<4x8x}] # element # [{>
```
}];
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let skipDefaultBuilders = 1;
  let builders = [Gaudi_ValuesBuilder, OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$lhs,
                                                  "::mlir::Value":$rhs), [{
    $_state.addOperands({lhs, rhs});
    $_state.addTypes(result);
  }]>];
}

// --- unary -----------------------------------------------------------------
def Gaudi_AbsOp : Gaudi_UnaryOp<"abs", "|x|", "", Gaudi_NumberTensor, "s.abs(in[0])", [Idempotent], "std::fabs(a)">;
def Gaudi_NegOp : Gaudi_UnaryOp<"neg", "-x", "", Gaudi_NumberTensor, "s.neg(in[0])", [Involution], "-a">;
def Gaudi_SignOp : Gaudi_UnaryOp<"sign", "-1, 0 or 1 by the sign of x", "NaN stays NaN.", Gaudi_NumberTensor, "s.sign(in[0])", [Idempotent]>;
def Gaudi_CeilOp : Gaudi_UnaryOp<"ceil", "ceil(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::CeilOp>(in[0])", [Idempotent]>;
def Gaudi_FloorOp : Gaudi_UnaryOp<"floor", "floor(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::FloorOp>(in[0])", [Idempotent]>;
def Gaudi_RoundOp : Gaudi_UnaryOp<"round", "round(x)", "Ties away from zero.", Gaudi_FloatTensor, "s.unary<::mlir::math::RoundOp>(in[0])", [Idempotent]>;
def Gaudi_RoundEvenOp : Gaudi_UnaryOp<"round_even", "round(x)", "Ties to even.", Gaudi_FloatTensor, "s.unary<::mlir::math::RoundEvenOp>(in[0])", [Idempotent]>;
def Gaudi_TruncOp : Gaudi_UnaryOp<"trunc", "trunc(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::TruncOp>(in[0])", [Idempotent]>;
def Gaudi_ExpOp : Gaudi_UnaryOp<"exp", "exp(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::ExpOp>(in[0])">;
def Gaudi_Exp2Op : Gaudi_UnaryOp<"exp2", "2^x", "", Gaudi_FloatTensor, "s.unary<::mlir::math::Exp2Op>(in[0])">;
def Gaudi_Expm1Op : Gaudi_UnaryOp<"expm1", "exp(x) - 1", "", Gaudi_FloatTensor, "s.unary<::mlir::math::ExpM1Op>(in[0])">;
def Gaudi_LogOp : Gaudi_UnaryOp<"log", "log(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::LogOp>(in[0])">;
def Gaudi_Log2Op : Gaudi_UnaryOp<"log2", "log2(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::Log2Op>(in[0])">;
def Gaudi_Log10Op : Gaudi_UnaryOp<"log10", "log10(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::Log10Op>(in[0])">;
def Gaudi_Log1pOp : Gaudi_UnaryOp<"log1p", "log(1 + x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::Log1pOp>(in[0])">;
def Gaudi_SqrtOp : Gaudi_UnaryOp<"sqrt", "sqrt(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::SqrtOp>(in[0])", [], "std::sqrt(a)">;
def Gaudi_RsqrtOp : Gaudi_UnaryOp<"rsqrt", "1 / sqrt(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::RsqrtOp>(in[0])", [], "1 / std::sqrt(a)">;
def Gaudi_CbrtOp : Gaudi_UnaryOp<"cbrt", "cube root of x", "", Gaudi_FloatTensor, "s.unary<::mlir::math::CbrtOp>(in[0])">;
def Gaudi_ReciprocalOp : Gaudi_UnaryOp<"reciprocal", "1 / x", "", Gaudi_FloatTensor, "s.reciprocal(in[0])", [], "1 / a">;
def Gaudi_SigmoidOp : Gaudi_UnaryOp<"sigmoid", "1 / (1 + exp(-x))", "", Gaudi_FloatTensor, "s.sigmoid(in[0])">;
def Gaudi_TanhOp : Gaudi_UnaryOp<"tanh", "tanh(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::TanhOp>(in[0])">;
def Gaudi_ErfOp : Gaudi_UnaryOp<"erf", "erf(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::ErfOp>(in[0])">;
def Gaudi_SinOp : Gaudi_UnaryOp<"sin", "sin(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::SinOp>(in[0])">;
def Gaudi_CosOp : Gaudi_UnaryOp<"cos", "cos(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::CosOp>(in[0])">;
def Gaudi_TanOp : Gaudi_UnaryOp<"tan", "tan(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::TanOp>(in[0])">;
def Gaudi_AsinOp : Gaudi_UnaryOp<"asin", "asin(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::AsinOp>(in[0])">;
def Gaudi_AcosOp : Gaudi_UnaryOp<"acos", "acos(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::AcosOp>(in[0])">;
def Gaudi_AtanOp : Gaudi_UnaryOp<"atan", "atan(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::AtanOp>(in[0])">;
def Gaudi_SinhOp : Gaudi_UnaryOp<"sinh", "sinh(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::SinhOp>(in[0])">;
def Gaudi_CoshOp : Gaudi_UnaryOp<"cosh", "cosh(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::CoshOp>(in[0])">;
def Gaudi_AsinhOp : Gaudi_UnaryOp<"asinh", "asinh(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::AsinhOp>(in[0])">;
def Gaudi_AcoshOp : Gaudi_UnaryOp<"acosh", "acosh(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::AcoshOp>(in[0])">;
def Gaudi_AtanhOp : Gaudi_UnaryOp<"atanh", "atanh(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::AtanhOp>(in[0])">;
def Gaudi_ErfcOp : Gaudi_UnaryOp<"erfc", "1 - erf(x)", "", Gaudi_FloatTensor, "s.unary<::mlir::math::ErfcOp>(in[0])">;
def Gaudi_NotOp : Gaudi_UnaryOp<"not", "~x (logical not for i1)", "", Gaudi_IntOrBoolTensor, "s.bitNot(in[0])", [Involution]>;
def Gaudi_ClzOp : Gaudi_UnaryOp<"clz", "number of leading zero bits of x", "Zero gives the width.", Gaudi_IntTensor, "s.unary<::mlir::math::CountLeadingZerosOp>(in[0])">;

// --- binary ----------------------------------------------------------------
def Gaudi_AddOp : Gaudi_BinaryOp<"add", "a + b", "", Gaudi_NumberTensor, "s.add(in[0], in[1])", [Commutative], "a + b">;
def Gaudi_SubOp : Gaudi_BinaryOp<"sub", "a - b", "", Gaudi_NumberTensor, "s.sub(in[0], in[1])", [], "a - b">;
def Gaudi_MulOp : Gaudi_BinaryOp<"mul", "a * b", "", Gaudi_NumberTensor, "s.mul(in[0], in[1])", [Commutative], "a * b">;
def Gaudi_DivOp : Gaudi_BinaryOp<"div", "a / b", "Integers divide toward zero; docs/kernel-semantics.md says what division by zero gives.", Gaudi_NumberTensor, "s.div(in[0], in[1])", [], "a / b">;
def Gaudi_RemOp : Gaudi_BinaryOp<"rem", "a - trunc(a / b) * b", "The sign is a's.", Gaudi_NumberTensor, "s.rem(in[0], in[1])">;
def Gaudi_MaxOp : Gaudi_BinaryOp<"max", "max(a, b)", "NaN if either is NaN.", Gaudi_NumberTensor, "s.max(in[0], in[1])", [Commutative]>;
def Gaudi_MinOp : Gaudi_BinaryOp<"min", "min(a, b)", "NaN if either is NaN.", Gaudi_NumberTensor, "s.min(in[0], in[1])", [Commutative]>;
def Gaudi_MaxNumOp : Gaudi_BinaryOp<"maxnum", "max(a, b)", "The other one if one is NaN.", Gaudi_FloatTensor, "s.binary<::mlir::arith::MaxNumFOp>(in[0], in[1])">;
def Gaudi_MinNumOp : Gaudi_BinaryOp<"minnum", "min(a, b)", "The other one if one is NaN.", Gaudi_FloatTensor, "s.binary<::mlir::arith::MinNumFOp>(in[0], in[1])">;
def Gaudi_PowOp : Gaudi_BinaryOp<"pow", "a^b", "", Gaudi_FloatTensor, "s.binary<::mlir::math::PowFOp>(in[0], in[1])">;
def Gaudi_Atan2Op : Gaudi_BinaryOp<"atan2", "angle of the point (b, a)", "", Gaudi_FloatTensor, "s.binary<::mlir::math::Atan2Op>(in[0], in[1])">;
def Gaudi_AndOp : Gaudi_BinaryOp<"and", "a & b", "", Gaudi_IntOrBoolTensor, "s.binary<::mlir::arith::AndIOp>(in[0], in[1])", [Commutative]>;
def Gaudi_OrOp : Gaudi_BinaryOp<"or", "a | b", "", Gaudi_IntOrBoolTensor, "s.binary<::mlir::arith::OrIOp>(in[0], in[1])", [Commutative]>;
def Gaudi_XorOp : Gaudi_BinaryOp<"xor", "a ^ b", "", Gaudi_IntOrBoolTensor, "s.binary<::mlir::arith::XOrIOp>(in[0], in[1])", [Commutative]>;
def Gaudi_ShlOp : Gaudi_BinaryOp<"shl", "a << b", "A shift by the width or more gives 0.", Gaudi_IntTensor, "s.binary<::mlir::arith::ShLIOp>(in[0], in[1])">;
def Gaudi_ShrOp : Gaudi_BinaryOp<"shr", "a >> b, arithmetic", "A shift by the width or more fills with the sign.", Gaudi_IntTensor, "s.binary<::mlir::arith::ShRSIOp>(in[0], in[1])">;
def Gaudi_ShrLogicalOp : Gaudi_BinaryOp<"shr_logical", "a >> b, filling with zeros", "A shift by the width or more gives 0.", Gaudi_IntTensor, "s.binary<::mlir::arith::ShRUIOp>(in[0], in[1])">;

// --- others ----------------------------------------------------------------
def Gaudi_CompareOp : Gaudi_ElementwiseOp<"compare", "s.compare(getPredicate(), in[0], in[1])"> {
  let summary = "elementwise comparison";
  let description = [{
    `result = a predicate b` as i1. Predicates eq, ne, lt, le, gt, ge; a NaN
    makes every one false but ne. Operands have one element type and the rank
    of the result; a dimension of size 1 is broadcast. Engine: TPC.

    Example:
    ```mlir
    %0 = gaudi.tpc.compare <ge> %a, %b : tensor<4xf32>, tensor<4xf32> -> tensor<4xi1>
    ```
  }];
  let arguments = (ins Gaudi_ComparePredicateAttr:$predicate, Gaudi_Tensor:$lhs, Gaudi_Tensor:$rhs);
  let results = (outs Gaudi_BoolTensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

def Gaudi_SelectOp : Gaudi_ElementwiseOp<"select", "s.select(in[0], in[1], in[2])"> {
  let summary = "elementwise choice";
  let description = [{
    `result = condition ? on_true : on_false`. Operands have the rank of the
    result; a dimension of size 1 is broadcast. Engine: TPC.

    Example:
    ```mlir
    %0 = gaudi.tpc.select %c, %a, %b : tensor<4xi1>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Gaudi_BoolTensor:$condition, Gaudi_Tensor:$on_true, Gaudi_Tensor:$on_false);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = [{
    $condition `,` $on_true `,` $on_false attr-dict
    `:` type($condition) `,` type($on_true) `,` type($on_false) `->` type($result)
  }];
}

def Gaudi_ClampOp : Gaudi_ElementwiseOp<"clamp", "s.clamp(in[0], getMin(), getMax(), getIgnoreNan())", [SameOperandsAndResultType, Elementwise]> {
  let summary = "elementwise min(max(x, min), max)";
  let description = [{
    `min` and `max` are scalars of the element type (f32 for float tensors).
    NaN stays NaN; with `ignore_nan` it becomes `min`. Engine: TPC.

    Example:
    ```mlir
    %0 = gaudi.tpc.clamp %x min 0.0 : f32 max 6.0 : f32 : tensor<4xf32>
    ```
  }];
  let arguments = (ins Gaudi_NumberTensor:$operand, TypedAttrInterface:$min, TypedAttrInterface:$max,
      UnitAttr:$ignore_nan);
  let results = (outs Gaudi_NumberTensor:$result);
  let assemblyFormat = "$operand `min` $min `max` $max (`ignore_nan` $ignore_nan^)? attr-dict `:` type($result)";
}

def Gaudi_CastOp : Gaudi_ElementwiseOp<"cast", "s.cast(in[0], ::mlir::getElementTypeOrSelf(getResult()), getRounding())", [], "a"> {
  let summary = "elementwise conversion";
  let description = [{
    Float to float: one rounding to nearest even. Float to integer: rounded as
    `rounding` says (default toward zero), saturating, NaN gives 0. Integer to
    float: nearest even. Integer to integer: extended by the source's sign or
    zeros, or truncated. To i1: x != 0. From i1: 0 or 1. Engine: TPC.

    Example:
    ```mlir
    %0 = gaudi.tpc.cast %x rounding <nearest_even> : tensor<4xf32> -> tensor<4xi8>
    ```
  }];
  let arguments = (ins Gaudi_Tensor:$operand,
      DefaultValuedAttr<Gaudi_RoundingModeAttr, "gaudi::RoundingMode::TowardZero">:$rounding);
  let results = (outs Gaudi_Tensor:$result);
  let assemblyFormat = "$operand (`rounding` $rounding^)? attr-dict `:` type($operand) `->` type($result)";
}

def Gaudi_RoundToOp : Gaudi_ElementwiseOp<"round_to",
    "s.roundTo(in, ::mlir::getElementTypeOrSelf(getResult()), getRounding(), getFlush(), getSaturateAttr())"> {
  let summary = "elementwise rounding to a narrow float type by a rule";
  let description = [{
    The f32 values of `operand` become those of the result's type as `rounding`
    says. The stochastic rules read a word of `words` per element, of which all
    32 bits are taken to be uniform: the result is the neighbour away from zero
    if the word, unsigned, is below the fraction of the distance between both
    neighbours, in units of 2^-32. `stochastic_normal` rounds subnormal results
    to nearest even. With `flush` subnormal results become zeros of their sign.

    Past the largest finite number results are infinite, or NaN of f8E4M3FN,
    unless the rule rounds toward smaller magnitudes there. With `saturate` the
    values, infinite ones too, are clamped to that magnitude before; NaN stays.
    Gaudi2 reads f8E4M3FN codes past 240 as infinities and NaN: casts for it
    saturate at 240. `gaudi.tpc.cast` rounds to nearest even. Engine: TPC.

    Example:
    ```mlir
    %0 = gaudi.tpc.round_to %x random %words <stochastic> saturate 240.0 : tensor<4xf32>, tensor<4xi32> -> tensor<4xf8E4M3FN>
    ```
  }];
  let arguments = (ins Gaudi_FloatTensor:$operand, Optional<Gaudi_WordTensor>:$words,
      Gaudi_FloatRoundingAttr:$rounding, UnitAttr:$flush, OptionalAttr<F32Attr>:$saturate);
  let results = (outs Gaudi_NarrowFloatTensor:$result);
  let assemblyFormat = [{
    $operand (`random` $words^)? $rounding (`flush` $flush^)? (`saturate` $saturate^)? attr-dict
    `:` type($operand) (`,` type($words)^)? `->` type($result)
  }];
}

#endif // GAUDI_DIALECT_TPCELEMENTWISEOPS_TD
