// Models of the elementwise ops: one formula per op, float64 for floats.
#include "Indexing.h"
#include "Models.h"
#include "Scalars.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::reference;

namespace {

// Formulas that Scalars.h does not have.
double signFloat(double x) {
  return std::isnan(x) || x == 0 ? x : std::copysign(1.0, x);
}
double reciprocalFloat(double x) { return 1 / x; }
double sigmoidFloat(double x) { return 1 / (1 + std::exp(-x)); }

// Models by the signature of the formula.
using UnaryFloat = double (*)(double);
using UnaryInt = int64_t (*)(int64_t, IntKind);
using BinaryFloat = double (*)(double, double);
using BinaryInt = int64_t (*)(int64_t, int64_t, IntKind);

template <typename Op, UnaryFloat floatFormula, UnaryInt intFormula>
LogicalResult evaluateUnary(Op op, Operands operands, Results &results) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y = emptyResult(op);
  if constexpr (floatFormula != nullptr) {
    if (x.isFloat()) {
      const FloatRounder round(x.getElementType());
      for (auto [to, from] : llvm::zip(y.mutableFloats(), x.floats()))
        to = round(floatFormula(from));
    }
  }
  if constexpr (intFormula != nullptr) {
    if (!x.isFloat()) {
      const IntKind kind = IntKind::of(x.getElementType());
      for (auto [to, from] : llvm::zip(y.mutableInts(), x.ints()))
        to = intFormula(from, kind);
    }
  }
  results.push_back(y);
  return success();
}

/// Calls f(i, position in a, position in b) for each element of the result.
template <typename F>
void walkPairs(const ReferenceTensor &result, const ReferenceTensor &a,
               const ReferenceTensor &b, F f) {
  walkStrided<2>(
      result.getShape(),
      {repeatingStrides(a.getShape()), repeatingStrides(b.getShape())}, {0, 0},
      [&](int64_t i, const std::array<int64_t, 2> &at) { f(i, at[0], at[1]); });
}

template <typename Op, BinaryFloat floatFormula, BinaryInt intFormula>
LogicalResult evaluateBinary(Op op, Operands operands, Results &results) {
  const ReferenceTensor &a = operands[0], &b = operands[1];
  ReferenceTensor y = emptyResult(op);
  if constexpr (floatFormula != nullptr) {
    if (a.isFloat()) {
      const FloatRounder round(a.getElementType());
      auto to = y.mutableFloats();
      auto from = a.floats(), other = b.floats();
      walkPairs(y, a, b, [&](int64_t i, int64_t atA, int64_t atB) {
        to[i] = round(floatFormula(from[atA], other[atB]));
      });
    }
  }
  if constexpr (intFormula != nullptr) {
    if (!a.isFloat()) {
      const IntKind kind = IntKind::of(a.getElementType());
      auto to = y.mutableInts();
      auto from = a.ints(), other = b.ints();
      walkPairs(y, a, b, [&](int64_t i, int64_t atA, int64_t atB) {
        to[i] = intFormula(from[atA], other[atB], kind);
      });
    }
  }
  results.push_back(y);
  return success();
}

// Models of ops with attributes or three operands.
template <typename T> bool holds(ComparePredicate predicate, T a, T b) {
  switch (predicate) {
  case ComparePredicate::EQ:
    return a == b;
  case ComparePredicate::NE:
    return a != b;
  case ComparePredicate::LT:
    return a < b;
  case ComparePredicate::LE:
    return a <= b;
  case ComparePredicate::GT:
    return a > b;
  case ComparePredicate::GE:
    return a >= b;
  }
  llvm_unreachable("every predicate is listed");
}

LogicalResult evaluateCompare(CompareOp op, Operands operands,
                              Results &results) {
  const ReferenceTensor &a = operands[0], &b = operands[1];
  ReferenceTensor y = emptyResult(op);
  auto to = y.mutableInts();
  const ComparePredicate predicate = op.getPredicate();
  walkPairs(y, a, b, [&](int64_t i, int64_t atA, int64_t atB) {
    to[i] = a.isFloat() ? holds(predicate, a.floats()[atA], b.floats()[atB])
                        : holds(predicate, a.ints()[atA], b.ints()[atB]);
  });
  results.push_back(y);
  return success();
}

LogicalResult evaluateSelect(SelectOp op, Operands operands, Results &results) {
  ReferenceTensor y = emptyResult(op);
  auto condition = operands[0].ints();
  auto choose = [&](auto to, auto onTrue, auto onFalse) {
    walkStrided<3>(y.getShape(),
                   {repeatingStrides(operands[0].getShape()),
                    repeatingStrides(operands[1].getShape()),
                    repeatingStrides(operands[2].getShape())},
                   {0, 0, 0}, [&](int64_t i, const std::array<int64_t, 3> &at) {
                     to[i] = condition[at[0]] ? onTrue[at[1]] : onFalse[at[2]];
                   });
  };
  if (y.isFloat())
    choose(y.mutableFloats(), operands[1].floats(), operands[2].floats());
  else
    choose(y.mutableInts(), operands[1].ints(), operands[2].ints());
  results.push_back(y);
  return success();
}

LogicalResult evaluateClamp(ClampOp op, Operands operands, Results &results) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y = emptyResult(op);
  if (x.isFloat()) {
    // The bounds are f32 whatever the tensor's type is; the store rounds.
    const double low = roundTo(Float32Type::get(op.getContext()),
                               cast<FloatAttr>(op.getMin()).getValueAsDouble());
    const double high =
        roundTo(Float32Type::get(op.getContext()),
                cast<FloatAttr>(op.getMax()).getValueAsDouble());
    const FloatRounder round(x.getElementType());
    for (auto [to, from] : llvm::zip(y.mutableFloats(), x.floats())) {
      const double start = std::isnan(from) && op.getIgnoreNan() ? low : from;
      to = round(minFloat(maxFloat(start, low), high));
    }
  } else {
    const int64_t low = scalarTensor(op.getMin(), x.getElementType()).ints()[0];
    const int64_t high =
        scalarTensor(op.getMax(), x.getElementType()).ints()[0];
    for (auto [to, from] : llvm::zip(y.mutableInts(), x.ints()))
      to = std::min(std::max(from, low), high);
  }
  results.push_back(y);
  return success();
}

LogicalResult evaluateCast(CastOp op, Operands operands, Results &results) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y = emptyResult(op);
  const Type target = y.getElementType();
  if (y.isFloat()) {
    const FloatRounder round(target);
    auto to = y.mutableFloats();
    for (int64_t i = 0; i < x.getCount(); ++i)
      to[i] = round(x.isFloat() ? x.floats()[i] : intToFloat(x.ints()[i]));
    results.push_back(y);
    return success();
  }
  const IntKind kind = IntKind::of(target);
  const bool nearest = op.getRounding() == RoundingMode::NearestEven;
  auto to = y.mutableInts();
  for (int64_t i = 0; i < x.getCount(); ++i) {
    if (target.isInteger(1))
      to[i] = x.isFloat() ? x.floats()[i] != 0 : x.ints()[i] != 0;
    else if (x.isFloat())
      to[i] = floatToInt(
          nearest ? std::nearbyint(x.floats()[i]) : x.floats()[i], kind);
    else
      to[i] = kind.wrap(x.ints()[i]);
  }
  results.push_back(y);
  return success();
}

template <typename Op, UnaryFloat floatFormula, UnaryInt intFormula = nullptr>
void unary(MLIRContext *context) {
  attach<Op, evaluateUnary<Op, floatFormula, intFormula>>(context);
}
template <typename Op, BinaryFloat floatFormula, BinaryInt intFormula = nullptr>
void binary(MLIRContext *context) {
  attach<Op, evaluateBinary<Op, floatFormula, intFormula>>(context);
}
} // namespace

void reference::attachElementwiseModels(MLIRContext *context) {
  unary<AbsOp, std::fabs, absInt>(context);
  unary<NegOp, negFloat, negInt>(context);
  unary<SignOp, signFloat, signInt>(context);
  unary<CeilOp, std::ceil>(context);
  unary<FloorOp, std::floor>(context);
  unary<RoundOp, std::round>(context);
  unary<RoundEvenOp, std::nearbyint>(context);
  unary<TruncOp, std::trunc>(context);
  unary<ExpOp, std::exp>(context);
  unary<Exp2Op, std::exp2>(context);
  unary<Expm1Op, std::expm1>(context);
  unary<LogOp, std::log>(context);
  unary<Log2Op, std::log2>(context);
  unary<Log10Op, std::log10>(context);
  unary<Log1pOp, std::log1p>(context);
  unary<SqrtOp, std::sqrt>(context);
  unary<RsqrtOp, rsqrtFloat>(context);
  unary<CbrtOp, std::cbrt>(context);
  unary<ReciprocalOp, reciprocalFloat>(context);
  unary<SigmoidOp, sigmoidFloat>(context);
  unary<TanhOp, std::tanh>(context);
  unary<ErfOp, std::erf>(context);
  unary<ErfcOp, std::erfc>(context);
  unary<SinOp, std::sin>(context);
  unary<CosOp, std::cos>(context);
  unary<TanOp, std::tan>(context);
  unary<AsinOp, std::asin>(context);
  unary<AcosOp, std::acos>(context);
  unary<AtanOp, std::atan>(context);
  unary<SinhOp, std::sinh>(context);
  unary<CoshOp, std::cosh>(context);
  unary<AsinhOp, std::asinh>(context);
  unary<AcoshOp, std::acosh>(context);
  unary<AtanhOp, std::atanh>(context);
  unary<NotOp, nullptr, notInt>(context);
  unary<ClzOp, nullptr, clzInt>(context);

  binary<AddOp, addFloat, addInt>(context);
  binary<SubOp, subFloat, subInt>(context);
  binary<MulOp, mulFloat, mulInt>(context);
  binary<DivOp, divFloat, divInt>(context);
  binary<RemOp, std::fmod, remInt>(context);
  binary<MaxOp, maxFloat, maxInt>(context);
  binary<MinOp, minFloat, minInt>(context);
  binary<MaxNumOp, maxNumFloat>(context);
  binary<MinNumOp, minNumFloat>(context);
  binary<PowOp, std::pow>(context);
  binary<Atan2Op, std::atan2>(context);
  binary<AndOp, nullptr, andInt>(context);
  binary<OrOp, nullptr, orInt>(context);
  binary<XorOp, nullptr, xorInt>(context);
  binary<ShlOp, nullptr, shlInt>(context);
  binary<ShrOp, nullptr, shrSignedInt>(context);
  binary<ShrLogicalOp, nullptr, shrUnsignedInt>(context);

  attach<CompareOp, evaluateCompare>(context);
  attach<SelectOp, evaluateSelect>(context);
  attach<ClampOp, evaluateClamp>(context);
  attach<CastOp, evaluateCast>(context);
}
