// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of the elementwise ops: one formula per op, float64 for floats.
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Reference/Scalars.h"
#include "Indexing.h"
#include "KernelScalars.h"
#include "Models.h"
#include "Scalars.h"
#include "Strided.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

namespace {

// Formulas that Scalars.h does not have.
double signFloat(double x) {
  return std::isnan(x) || x == 0 ? x : std::copysign(1.0, x);
}
double reciprocalFloat(double x) { return 1 / x; }
double sigmoidFloat(double x) { return 1 / (1 + std::exp(-x)); }

/// Formulas for floats and for integers; null where the op has none.
template <typename Float, typename Int> struct Formulas {
  Float floats;
  Int ints;
};
using UnaryInteger = int64_t (*)(int64_t, IntKind);
using BinaryInteger = int64_t (*)(int64_t, int64_t, IntKind);
using UnaryFormulas = Formulas<UnaryFloat, UnaryInteger>;
using BinaryFormulas = Formulas<BinaryFloat, BinaryInteger>;

struct NONE {}; // of Opcodes.def

/// The opcodes of Opcodes.def that apply `Op` to floats and to integers; the
/// number of opcodes where there is none.
template <typename Op> constexpr std::pair<Opcode, Opcode> opcodesOf() {
  constexpr Opcode none = Opcode(gaudi::kernel::opcodeCount);
  std::pair<Opcode, Opcode> found = {none, none};
#define GAUDI_OPCODE(name, family, cost, mlirOp, hostFunction, floatOp, intOp) \
  if (std::is_same_v<Op, floatOp>)                                             \
    found.first = Opcode::name;                                                \
  if (std::is_same_v<Op, intOp>)                                               \
    found.second = Opcode::name;
#include "Gaudi/Kernel/Opcodes.def"
  return found;
}

/// The kernel's own formulas, so that an op and its kernel cannot differ.
template <typename Op> UnaryFormulas unaryOf() {
  constexpr auto opcodes = opcodesOf<Op>();
  return {unaryFloatOf(opcodes.first), unaryIntOf(opcodes.second)};
}
template <typename Op> BinaryFormulas binaryOf() {
  constexpr auto opcodes = opcodesOf<Op>();
  return {binaryFloatOf(opcodes.first), binaryIntOf(opcodes.second).formula};
}

// Ops that no opcode computes, at least not for integers.
template <> UnaryFormulas unaryOf<NegOp>() { return {negFloat, negInt}; }
template <> UnaryFormulas unaryOf<SignOp>() { return {signFloat, signInt}; }
template <> UnaryFormulas unaryOf<ReciprocalOp>() {
  return {reciprocalFloat, nullptr};
}
template <> UnaryFormulas unaryOf<SigmoidOp>() {
  return {sigmoidFloat, nullptr};
}
template <> UnaryFormulas unaryOf<NotOp>() { return {nullptr, notInt}; }

template <typename Op> ReferenceTensor evaluateUnary(Op op, Operands operands) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y = emptyResult(op);
  const UnaryFormulas formulas = unaryOf<Op>();
  if (x.isFloat()) {
    assert(formulas.floats && "the verifier refuses floats");
    const FloatRounder round(x.getElementType(), operands.noise);
    for (auto [to, from] : llvm::zip(y.mutableFloats(), x.floats()))
      to = round(formulas.floats(from));
  } else {
    assert(formulas.ints && "the verifier refuses integers");
    const IntKind kind = IntKind::of(x.getElementType());
    for (auto [to, from] : llvm::zip(y.mutableInts(), x.ints()))
      to = formulas.ints(from, kind);
  }
  return y;
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

template <typename Op>
ReferenceTensor evaluateBinary(Op op, Operands operands) {
  const ReferenceTensor &a = operands[0], &b = operands[1];
  ReferenceTensor y = emptyResult(op);
  const BinaryFormulas formulas = binaryOf<Op>();
  if (a.isFloat()) {
    assert(formulas.floats && "the verifier refuses floats");
    const FloatRounder round(a.getElementType(), operands.noise);
    auto to = y.mutableFloats();
    auto from = a.floats(), other = b.floats();
    walkPairs(y, a, b, [&](int64_t i, int64_t atA, int64_t atB) {
      to[i] = round(formulas.floats(from[atA], other[atB]));
    });
  } else {
    assert(formulas.ints && "the verifier refuses integers");
    const IntKind kind = IntKind::of(a.getElementType());
    auto to = y.mutableInts();
    auto from = a.ints(), other = b.ints();
    walkPairs(y, a, b, [&](int64_t i, int64_t atA, int64_t atB) {
      to[i] = formulas.ints(from[atA], other[atB], kind);
    });
  }
  return y;
}

// Models of ops with attributes or three operands.
ReferenceTensor evaluateCompare(CompareOp op, Operands operands) {
  const ReferenceTensor &a = operands[0], &b = operands[1];
  ReferenceTensor y = emptyResult(op);
  auto to = y.mutableInts();
  const ComparePredicate predicate = op.getPredicate();
  walkPairs(y, a, b, [&](int64_t i, int64_t atA, int64_t atB) {
    to[i] = a.isFloat() ? holds(predicate, a.floats()[atA], b.floats()[atB])
                        : holds(predicate, a.ints()[atA], b.ints()[atB]);
  });
  return y;
}

ReferenceTensor evaluateSelect(SelectOp op, Operands operands) {
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
  withElements(y, choose, operands[1], operands[2]);
  return y;
}

ReferenceTensor evaluateClamp(ClampOp op, Operands operands) {
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
  return y;
}

ReferenceTensor evaluateCast(CastOp op, Operands operands) {
  const ReferenceTensor &x = operands[0];
  ReferenceTensor y = emptyResult(op);
  const Type target = y.getElementType();
  if (y.isFloat()) {
    // A float that is read is exact, so that noise is in the rounding alone,
    // where a fusion leaves it out. Integers convert with one rounding.
    const FloatRounder round(target, x.isFloat() ? operands.noise : nullptr);
    auto to = y.mutableFloats();
    for (int64_t i = 0; i < x.getCount(); ++i)
      to[i] = round(x.isFloat() ? x.floats()[i] : intToFloat(x.ints()[i]));
    return y;
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
  return y;
}

ReferenceTensor evaluateRoundTo(RoundToOp op, Operands operands) {
  const bool reads = operands.size() > 1;
  const ReferenceTensor &x = operands[0], &words = operands[reads ? 1 : 0];
  ReferenceTensor y = emptyResult(op);
  FloatAttr limit = op.getSaturateAttr();
  const RuleRounder round(y.getElementType(), op.getRounding(), op.getFlush(),
                          limit ? limit.getValueAsDouble()
                                : std::numeric_limits<double>::infinity(),
                          operands.noise);
  auto to = y.mutableFloats();
  walkPairs(y, x, words, [&](int64_t i, int64_t atX, int64_t atWord) {
    to[i] = round(x.floats()[atX], reads ? uint32_t(words.ints()[atWord]) : 0);
  });
  return y;
}

/// Attaches one model to each of the ops.
template <typename... Ops> void attachUnary(MLIRContext *context) {
  (attach<Ops, evaluateUnary<Ops>>(context), ...);
}
template <typename... Ops> void attachBinary(MLIRContext *context) {
  (attach<Ops, evaluateBinary<Ops>>(context), ...);
}
} // namespace

void reference::attachElementwiseModels(MLIRContext *context) {
  attachUnary<AbsOp, NegOp, SignOp, CeilOp, FloorOp, RoundOp, RoundEvenOp,
              TruncOp, ExpOp, Exp2Op, Expm1Op, LogOp, Log2Op, Log10Op, Log1pOp,
              SqrtOp, RsqrtOp, CbrtOp, ReciprocalOp, SigmoidOp, TanhOp, ErfOp,
              ErfcOp, SinOp, CosOp, TanOp, AsinOp, AcosOp, AtanOp, SinhOp,
              CoshOp, AsinhOp, AcoshOp, AtanhOp, NotOp, ClzOp>(context);
  attachBinary<AddOp, SubOp, MulOp, DivOp, RemOp, MaxOp, MinOp, MaxNumOp,
               MinNumOp, PowOp, Atan2Op, AndOp, OrOp, XorOp, ShlOp, ShrOp,
               ShrLogicalOp>(context);
  attach<CompareOp, evaluateCompare>(context);
  attach<SelectOp, evaluateSelect>(context);
  attach<ClampOp, evaluateClamp>(context);
  attach<CastOp, evaluateCast>(context);
  attach<RoundToOp, evaluateRoundTo>(context);
}
