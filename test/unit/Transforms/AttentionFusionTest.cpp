// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gaudi-fuse-sdpa on attentions that random steps rewrite: steps that keep the
// numbers must be fused, and no step may change them.
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Reference/Numerics.h"
#include "Gaudi/Reference/SeededInputs.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace gaudi;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

/// What an attention becomes when it is no longer one, or another one.
enum class Change {
  None,
  OtherAxis,      // a softmax over the queries
  MaskAfter,      // probabilities replaced after the softmax
  SecondReader,   // the probabilities are a result, too
  ScoresReader,   // the scores are
  ScalePerKey,    // a scale that varies within a row
  CausalOffByOne, // j <= i + 1
  SoftCap,        // tanh of the scores
  OtherSum,       // divided by the sum of other exponentials
  DoubledScores,  // scores from two products
  count
};

class Attention {
public:
  Attention(MLIRContext *context, uint32_t seed, Change change)
      : random(seed), change(change), b(context), loc(b.getUnknownLoc()) {
    module = ModuleOp::create(loc);
    b.setInsertionPointToEnd(module->getBody());
    function = func::FuncOp::create(b, loc, "main", b.getFunctionType({}, {}));
    Block *entry = function.addEntryBlock();
    b.setInsertionPointToStart(entry);
  }

  void write() {
    n = 1 + pick(3);
    keyHeads = 1 + pick(3);
    group = pick(3) == 0 ? 2 : 1;
    heads = keyHeads * group;
    l = 2 + pick(4);
    s = 2 + pick(5);
    d = 2 + pick(3);
    dv = 2 + pick(3);
    wide = b.getF32Type();
    narrow = pick(4) == 0 ? Type(b.getBF16Type()) : wide;
    flat = pick(2);
    results.clear();
    double scale = 0.25 + 0.125 * pick(8);
    // The scale, split over the sides and the scores.
    double onQuery = 1, onKey = 1, onScores = 1;
    (pick(3) == 0 ? onQuery : pick(2) ? onKey : onScores) = scale;
    if (pick(4) == 0) {
      onQuery = onKey = std::sqrt(scale);
      onScores = 1;
    }
    Value q = scaled(stored({n, heads, l, d}), onQuery);
    Value k = repeated(scaled(stored({n, keyHeads, s, d}), onKey));
    Value v = repeated(stored({n, keyHeads, s, dv}));
    const bool isTransposed = pick(2);
    Value scores = isTransposed ? swapped(product(k, q, /*rhsIsRows=*/true))
                                : product(q, k, true);
    if (change == Change::DoubledScores)
      scores = add(scores, product(stored({n, heads, l, d}), k, true));
    if (change == Change::ScoresReader)
      results.push_back(scores);
    scores = converted(scores, wide);
    if (pick(3) == 0) {
      scores = masked(scores);
      scores = scaled(scores, onScores);
    } else {
      scores = scaled(scores, onScores);
      scores = masked(scores);
    }
    if (change == Change::ScalePerKey)
      scores = binary<MulOp>(scores, argument({1, 1, 1, s}, wide));
    if (change == Change::SoftCap)
      scores = TanhOp::create(b, loc, scores.getType(), scores);
    Value output = weighted(scores, v);
    // Heads are merged, or not, or the caller reads another order.
    switch (pick(3)) {
    case 0:
      output = reshaped(transposed(output, {0, 2, 1, 3}), {n, l, heads * dv});
      break;
    case 1:
      output = transposed(output, {2, 0, 3, 1});
      break;
    default:
      break;
    }
    results.push_back(output);
    func::ReturnOp::create(b, loc, results);
    function.setFunctionType(
        b.getFunctionType(function.getBody().front().getArgumentTypes(),
                          ValueRange(results).getTypes()));
  }

  OwningOpRef<ModuleOp> module;
  func::FuncOp function;

private:
  unsigned pick(unsigned count) { return random() % count; }
  RankedTensorType type(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }
  static ArrayRef<int64_t> shapeOf(Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getShape();
  }
  static Type elementOf(Value tensor) { return getElementTypeOrSelf(tensor); }

  Value argument(ArrayRef<int64_t> shape, Type element) {
    return function.getBody().front().addArgument(type(shape, element), loc);
  }
  Value constant(double value, Type element) {
    return ConstantOp::create(
        b, loc,
        DenseElementsAttr::get(type({1, 1, 1, 1}, element),
                               b.getFloatAttr(element, value)));
  }
  template <typename Op> Value binary(Value x, Value y) {
    SmallVector<int64_t> shape;
    for (auto [i, j] : llvm::zip(shapeOf(x), shapeOf(y)))
      shape.push_back(std::max(i, j));
    if (pick(2) && shapeOf(y) != ArrayRef<int64_t>(shape))
      y = repeatedTo(y, shape);
    return Op::create(b, loc, type(shape, elementOf(x)), x, y);
  }
  Value add(Value x, Value y) {
    return pick(2) ? binary<AddOp>(x, y) : binary<AddOp>(y, x);
  }
  Value repeatedTo(Value x, ArrayRef<int64_t> shape) {
    SmallVector<int64_t> dims;
    for (size_t i = 0; i < shape.size(); ++i)
      dims.push_back(i);
    return BroadcastOp::create(b, loc, type(shape, elementOf(x)), x, dims);
  }
  Value reshaped(Value x, ArrayRef<int64_t> shape) {
    return ReshapeOp::create(b, loc, type(shape, elementOf(x)), x);
  }
  Value transposed(Value x, ArrayRef<int64_t> permutation) {
    SmallVector<int64_t> shape;
    for (int64_t from : permutation)
      shape.push_back(shapeOf(x)[from]);
    return TransposeOp::create(b, loc, type(shape, elementOf(x)), x,
                               permutation);
  }
  Value swapped(Value x) { return transposed(x, {0, 1, 3, 2}); }
  Value converted(Value x, Type element) {
    if (elementOf(x) == element)
      return x;
    return CastOp::create(b, loc, type(shapeOf(x), element), x);
  }

  /// An argument of these sizes, stored in some order, with some views.
  Value stored(ArrayRef<int64_t> shape) {
    SmallVector<int64_t> order = {0, 1, 2, 3};
    switch (pick(4)) {
    case 0:
      order = {0, 2, 1, 3}; // heads split from rows
      break;
    case 1:
      order = {2, 0, 1, 3};
      break;
    case 2:
      order = {0, 1, 3, 2};
      break;
    default:
      break;
    }
    SmallVector<int64_t> sizes, back(4);
    for (auto [i, from] : llvm::enumerate(order)) {
      sizes.push_back(shape[from]);
      back[from] = i;
    }
    Value x = argument(
        pick(2) ? ArrayRef<int64_t>({sizes[0], sizes[1], sizes[2] * sizes[3]})
                : ArrayRef<int64_t>(sizes),
        narrow);
    if (shapeOf(x) != ArrayRef<int64_t>(sizes))
      x = reshaped(x, sizes);
    return transposed(x, back);
  }

  Value repeated(Value x) {
    if (group == 1)
      return x;
    SmallVector<int64_t> sizes(shapeOf(x));
    Value apart = reshaped(x, {sizes[0], sizes[1], 1, sizes[2], sizes[3]});
    SmallVector<int64_t> more = {sizes[0], sizes[1], group, sizes[2], sizes[3]};
    if (pick(2)) {
      SmallVector<Value> copies(group, apart);
      apart = ConcatOp::create(b, loc, type(more, elementOf(x)), copies, 2);
    } else {
      apart = repeatedTo(apart, more);
    }
    return reshaped(apart, {sizes[0], heads, sizes[2], sizes[3]});
  }

  Value scaled(Value x, double factor) {
    if (factor == 1)
      return x;
    if (pick(2))
      return binary<MulOp>(x, constant(factor, elementOf(x)));
    return binary<DivOp>(x, constant(1 / factor, elementOf(x)));
  }

  /// x [n, h, rows, k] times y [n, h, k, columns], or y [n, h, columns, k].
  Value product(Value x, Value y, bool rhsIsRows) {
    bool transposeA = false, transposeB = rhsIsRows;
    if (pick(2)) {
      y = swapped(y);
      transposeB = !transposeB;
    }
    if (pick(3) == 0) {
      x = swapped(x);
      transposeA = true;
    }
    SmallVector<int64_t> result = {n, heads, shapeOf(x)[transposeA ? 3 : 2],
                                   shapeOf(y)[transposeB ? 2 : 3]};
    auto merge = [&](Value value) {
      return reshaped(value, {n * heads, shapeOf(value)[2], shapeOf(value)[3]});
    };
    if (flat) {
      x = merge(x);
      y = merge(y);
    }
    SmallVector<int64_t> made =
        flat ? SmallVector<int64_t>{n * heads, result[2], result[3]} : result;
    Value z = GemmOp::create(b, loc, type(made, elementOf(x)), x, y, transposeA,
                             transposeB);
    return flat ? reshaped(z, result) : z;
  }

  //===--------------------------------------------------------------------===//
  // Masks
  //===--------------------------------------------------------------------===//

  Value indices(int64_t dim) {
    return IotaOp::create(b, loc, type({1, 1, l, s}, b.getI32Type()), dim);
  }
  /// Keys up to the query, or one more.
  Value causal() {
    Value i = indices(2), j = indices(3);
    if (change == Change::CausalOffByOne)
      i = AddOp::create(b, loc, i.getType(), i,
                        ConstantOp::create(b, loc,
                                           DenseElementsAttr::get(
                                               cast<ShapedType>(i.getType()),
                                               b.getI32IntegerAttr(1))));
    auto made = type({1, 1, l, s}, b.getI1Type());
    if (pick(2))
      return CompareOp::create(b, loc, made, ComparePredicate::GE, i, j);
    return NotOp::create(
        b, loc, made,
        CompareOp::create(b, loc, made, ComparePredicate::LT, i, j));
  }
  Value visible() {
    SmallVector<int64_t> shape = {pick(2) ? n : 1, pick(2) ? heads : 1,
                                  pick(2) ? l : 1, s};
    return argument(shape, b.getI1Type());
  }
  Value selected(Value x, Value condition, double value) {
    Value other = constant(value, elementOf(x));
    if (pick(3) == 0) {
      Value hidden = NotOp::create(b, loc, condition.getType(), condition);
      return SelectOp::create(b, loc, x.getType(), hidden, other, x);
    }
    return SelectOp::create(b, loc, x.getType(), condition, x, other);
  }
  Value masked(Value x) {
    constexpr double values[] = {-infinity, -3.4028234663852886e38, -1e9};
    const double value = values[pick(3)];
    switch (change == Change::CausalOffByOne ? 2 : pick(7)) {
    case 0:
      return x;
    case 1:
      return selected(x, visible(), value);
    case 2:
      return selected(x, causal(), value);
    case 3: // a mask of floats
      return add(x, argument({pick(2) ? n : 1, 1, pick(2) ? l : 1, s}, wide));
    case 4: { // x * b + c * (1 - b)
      Value bits = converted(visible(), wide);
      Value none =
          SubOp::create(b, loc, bits.getType(), constant(1, wide), bits);
      return add(binary<MulOp>(x, bits),
                 binary<MulOp>(none, constant(-1e4, wide)));
    }
    case 5: // causal and padding
      return selected(selected(x, causal(), value), visible(), value);
    default: { // a constant triangle of floats
      SmallVector<float> data;
      for (int64_t i = 0; i < l; ++i)
        for (int64_t j = 0; j < s; ++j)
          data.push_back(j <= i ? 0.0f : float(value));
      return add(
          x, ConstantOp::create(b, loc,
                                DenseElementsAttr::get(type({1, 1, l, s}, wide),
                                                       ArrayRef<float>(data))));
    }
    }
  }

  //===--------------------------------------------------------------------===//
  // Softmax
  //===--------------------------------------------------------------------===//

  Value reduced(ReduceKind kind, Value x, int64_t dim) {
    SmallVector<int64_t> kept(shapeOf(x));
    kept[dim] = 1;
    if (pick(2))
      return ReduceOp::create(b, loc, type(kept, elementOf(x)), kind, x,
                              ArrayRef<int64_t>{dim}, /*keep_dims=*/true);
    SmallVector<int64_t> dropped(shapeOf(x));
    dropped.erase(dropped.begin() + dim);
    Value made = ReduceOp::create(b, loc, type(dropped, elementOf(x)), kind, x,
                                  ArrayRef<int64_t>{dim}, false);
    return reshaped(made, kept);
  }

  Value exponential(Value x) {
    if (pick(4) == 0)
      return Exp2Op::create(
          b, loc, x.getType(),
          binary<MulOp>(x, constant(1.4426950408889634, wide)));
    return ExpOp::create(b, loc, x.getType(), x);
  }

  Value quotient(Value x, Value sum) {
    if (pick(2))
      return binary<DivOp>(x, sum);
    return binary<MulOp>(x, ReciprocalOp::create(b, loc, sum.getType(), sum));
  }

  Value weighted(Value scores, Value v) {
    const int64_t axis = change == Change::OtherAxis ? 2 : 3;
    Value shifted = scores;
    if (pick(3))
      shifted = binary<SubOp>(scores, reduced(ReduceKind::Max, scores, axis));
    Value e = exponential(shifted);
    Value sum = reduced(
        ReduceKind::Sum,
        change == Change::OtherSum ? exponential(scaled(shifted, 0.5)) : e,
        axis);
    const bool isLate = axis == 3 && change == Change::None && pick(4) == 0;
    Value p = isLate ? e : quotient(e, sum);
    if (change == Change::SecondReader)
      results.push_back(p);
    if (change == Change::MaskAfter)
      p = SelectOp::create(b, loc, p.getType(), causal(), p, constant(0, wide));
    else if (!isLate && pick(4) == 0)
      p = binary<MulOp>(p, argument({n, heads, l, s}, wide));
    p = converted(p, narrow);
    Value o =
        pick(2) ? product(p, v, false) : swapped(product(swapped(v), p, true));
    return isLate ? quotient(o, converted(sum, narrow)) : o;
  }

  std::mt19937 random;
  Change change;
  OpBuilder b;
  Location loc;
  Type wide, narrow;
  bool flat = false;
  int64_t n = 1, keyHeads = 1, group = 1, heads = 1, l = 1, s = 1, d = 1,
          dv = 1;
  SmallVector<Value> results;
};

class AttentionFusion : public testing::Test {
protected:
  AttentionFusion() {
    DialectRegistry registry;
    registry.insert<GaudiDialect, arith::ArithDialect, func::FuncDialect,
                    math::MathDialect>();
    registerReferenceModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// How many attentions are in the function after the pass. Its results must
  /// be those before it.
  unsigned fuse(uint32_t seed, Change change) {
    Attention attention(&context, seed, change);
    attention.write();
    if (failed(verify(*attention.module))) {
      ADD_FAILURE() << "seed " << seed << " makes no valid function";
      return 0;
    }
    SmallVector<ReferenceTensor> inputs =
        seededInputs(attention.function.getArgumentTypes(), seed);
    auto before = evaluateFunction(attention.function, inputs);
    std::string text;
    llvm::raw_string_ostream(text) << *attention.module;
    PassManager manager(&context);
    FuseSdpaOptions options;
    options.verify = true;
    manager.addPass(createFuseSdpa(options));
    if (failed(manager.run(*attention.module))) {
      ADD_FAILURE() << "seed " << seed << ":\n" << text;
      return 0;
    }
    auto after = evaluateFunction(attention.function, inputs);
    if (failed(before) || failed(after) || before->size() != after->size()) {
      ADD_FAILURE() << "seed " << seed << " is not evaluated";
      return 0;
    }
    for (auto [expected, actual] : llvm::zip(*before, *after)) {
      // A row without visible keys: NaN before, zeros after.
      MutableArrayRef<double> a = expected.mutableFloats();
      MutableArrayRef<double> c = actual.mutableFloats();
      for (size_t i = 0; i < a.size(); ++i)
        if (std::isnan(a[i]))
          a[i] = c[i] = 0;
      ComparisonReport report =
          compareTensors(actual, expected, NumericsScope::Model);
      EXPECT_TRUE(report.passed)
          << "seed " << seed << ": " << report.describe() << "\n"
          << text;
    }
    unsigned count = 0;
    attention.module->walk([&](SdpaOp) { ++count; });
    if (change == Change::None)
      EXPECT_EQ(count, 1u) << "seed " << seed << ":\n" << text;
    return count;
  }

  MLIRContext context;
};

TEST_F(AttentionFusion, FusesWhatStepsKeep) {
  for (uint32_t seed = 1; seed <= 300 && !HasFailure(); ++seed)
    fuse(seed, Change::None);
}

TEST_F(AttentionFusion, KeepsNumbersThatStepsChange) {
  for (int change = 1; change < int(Change::count); ++change) {
    unsigned fused = 0;
    for (uint32_t seed = 1; seed <= 30 && !HasFailure(); ++seed)
      fused += fuse(seed, Change(change));
    // A mask after the softmax is what dropout is, a causal mask off by one is
    // a mask, and probabilities are saved; the others have no form in the op.
    const bool hasForm = Change(change) == Change::MaskAfter ||
                         Change(change) == Change::SecondReader ||
                         Change(change) == Change::CausalOffByOne;
    EXPECT_EQ(fused > 0, hasForm) << "change " << change;
  }
}
} // namespace
