// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention that has no form as gaudi.sdpa (ExtSdpa.cpp): two contractions with
// a softmax between them.
//
// The maps say which loop each dimension of an operand follows. Loops of query
// and key that neither value nor result have are reduced by the first product;
// loops of the scores that the result does not have are those of the softmax,
// reduced by the second product. Scores are f32.
#include "ExtOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

static constexpr double least = -std::numeric_limits<double>::infinity();

namespace {
/// One attention.
class Attention : AttentionView {
public:
  Attention(OpBuilder &b, const ExtOp &op, ArrayRef<AffineMap> maps,
            bool scalesByRoot);
  Value build();

private:
  /// `map` on the loops in `loops`, numbered as they are there.
  static AffineMap over(ArrayRef<int64_t> loops, AffineMap map);
  /// The loops of `some` among `loops`, as a map.
  AffineMap projection(ArrayRef<int64_t> loops, ArrayRef<int64_t> some);
  Value filled(ArrayRef<int64_t> loops, Type element, TypedAttr value);
  Value product(Value lhs, AffineMap lhsMap, Value rhs, AffineMap rhsMap,
                ArrayRef<int64_t> result, ArrayRef<int64_t> reduced,
                Type element);
  Value scaled(Value scores);
  Value masked(Value scores);
  Value softmax(Value scores);
  /// `rows` with the number `with` for `what`.
  Value replaced(Value rows, double what, double with);
  using ScoreStep = llvm::function_ref<Value(IndexBuilder &, Value, Value)>;
  /// `step(score, accumulator)` over the keys, one value per row.
  Value reduced(Value scores, TypedAttr init, ScoreStep step);
  /// `step(score, element of other)` for each score.
  Value mapScores(Value scores, std::optional<Access> other, Type element,
                  ScoreStep step);

  OpBuilder &b;
  const ExtOp &op;
  Location loc;
  FloatType f32;
  bool scalesByRoot;
  SmallVector<int64_t> headLoops;  ///< Reduced by the first product.
  SmallVector<int64_t> scoreLoops; ///< Of the scores, in their order.
  SmallVector<int64_t> rowLoops;   ///< Those that the result has.
  SmallVector<int64_t> keyLoops;   ///< The others.
};
} // namespace

static Value convertFloat(IndexBuilder &b, Value value, Type type) {
  auto from = cast<FloatType>(value.getType()), to = cast<FloatType>(type);
  if (from == to)
    return value;
  if (from.getWidth() < to.getWidth())
    return arith::ExtFOp::create(b.b, b.loc, to, value);
  if (from.getWidth() > to.getWidth())
    return arith::TruncFOp::create(b.b, b.loc, to, value);
  // f16 and bf16 have no common type but a wider one.
  Value wide = arith::ExtFOp::create(b.b, b.loc, b.b.getF32Type(), value);
  return arith::TruncFOp::create(b.b, b.loc, to, wide);
}

SmallVector<int64_t> fromlinalg::loopsOf(AffineMap map) {
  SmallVector<int64_t> loops;
  for (AffineExpr expr : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      loops.push_back(dim.getPosition());
  return loops;
}

AttentionView::AttentionView(const ExtOp &op, ArrayRef<AffineMap> maps)
    : queryMap(maps[0]), keyMap(maps[1]), valueMap(maps[2]),
      resultMap(maps.back()), extents(queryMap.getNumDims(), 1) {
  // A scale is a number, or a tensor of rank 0; anything else is a mask.
  for (Value input : ArrayRef(op.inputs).drop_front(3)) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    (type && type.getRank() != 0 ? mask : scale) = input;
  }
  assert(maps.size() == (mask ? 5u : 4u) && "one map per tensor, verified");
  if (mask)
    maskMap = maps[3];
  const Value tensors[] = {op.inputs[0], op.inputs[1], op.inputs[2],
                           op.outputs[0]};
  const AffineMap theirs[] = {queryMap, keyMap, valueMap, resultMap};
  for (auto [tensor, map] : llvm::zip_equal(tensors, theirs))
    for (auto [size, expr] :
         llvm::zip_equal(tensorType(tensor).getShape(), map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        extents[dim.getPosition()] = size;
}

Attention::Attention(OpBuilder &b, const ExtOp &op, ArrayRef<AffineMap> maps,
                     bool scalesByRoot)
    : AttentionView(op, maps), b(b), op(op), loc(op.loc()), f32(b.getF32Type()),
      scalesByRoot(scalesByRoot) {
  // Loops by who has them: see the head of the file.
  auto inQuery = loopsOf(queryMap), inKey = loopsOf(keyMap);
  auto inValue = loopsOf(valueMap), inResult = loopsOf(resultMap);
  for (int64_t loop : inQuery)
    if (has(inKey, loop) && !has(inValue, loop) && !has(inResult, loop))
      headLoops.push_back(loop);
  for (int64_t loop : llvm::concat<int64_t>(inQuery, inKey))
    if (!has(headLoops, loop) && !has(scoreLoops, loop))
      scoreLoops.push_back(loop);
  for (int64_t loop : scoreLoops)
    (has(inResult, loop) ? rowLoops : keyLoops).push_back(loop);
  assert(rowLoops.size() + keyLoops.size() == scoreLoops.size() &&
         "each loop of the scores has one role");
}

AffineMap Attention::over(ArrayRef<int64_t> loops, AffineMap map) {
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> dims(map.getNumDims(),
                               getAffineConstantExpr(0, context));
  for (auto [position, loop] : llvm::enumerate(loops))
    dims[loop] = getAffineDimExpr(position, context);
  return map.replaceDimsAndSymbols(dims, {}, loops.size(), 0);
}

AffineMap Attention::projection(ArrayRef<int64_t> loops,
                                ArrayRef<int64_t> some) {
  SmallVector<AffineExpr> exprs;
  assert(llvm::all_of(some, [&](int64_t loop) { return has(loops, loop); }) &&
         "a part of the loops");
  for (int64_t loop : some)
    exprs.push_back(
        b.getAffineDimExpr(llvm::find(loops, loop) - loops.begin()));
  return AffineMap::get(loops.size(), 0, exprs, b.getContext());
}

Value Attention::filled(ArrayRef<int64_t> loops, Type element,
                        TypedAttr value) {
  SmallVector<int64_t> shape;
  for (int64_t loop : loops)
    shape.push_back(extents[loop]);
  Value empty = tensor::EmptyOp::create(b, loc, shape, element);
  if (!value)
    return empty;
  Value scalar = arith::ConstantOp::create(b, loc, value);
  return linalg::FillOp::create(b, loc, scalar, empty).getResult(0);
}

Value Attention::product(Value lhs, AffineMap lhsMap, Value rhs,
                         AffineMap rhsMap, ArrayRef<int64_t> result,
                         ArrayRef<int64_t> reduced, Type element) {
  SmallVector<int64_t> loops(result);
  llvm::append_range(loops, reduced);
  auto numbers =
      llvm::to_vector(llvm::seq<int64_t>(result.size(), int64_t(loops.size())));
  auto step = [&](IndexBuilder &inner, ValueRange elements) {
    Value multiplied = arith::MulFOp::create(
        inner.b, loc, convertFloat(inner, elements[0], element),
        convertFloat(inner, elements[1], element));
    return SmallVector<Value>{
        arith::AddFOp::create(inner.b, loc, elements[2], multiplied)};
  };
  return createNest(b, loc,
                    {{lhs, over(loops, lhsMap)}, {rhs, over(loops, rhsMap)}},
                    {{filled(result, element, zeroOf(element)),
                      projection(loops, result)}},
                    numbers, step)
      .front();
}

Value Attention::mapScores(Value scores, std::optional<Access> other,
                           Type element, ScoreStep step) {
  AffineMap all = projection(scoreLoops, scoreLoops);
  SmallVector<Access> inputs{{scores, all}};
  if (other)
    inputs.push_back(*other);
  auto body = [&](IndexBuilder &inner, ValueRange elements) {
    return SmallVector<Value>{
        step(inner, elements[0], other ? elements[1] : Value())};
  };
  return createNest(b, loc, inputs, {{filled(scoreLoops, element, {}), all}},
                    {}, body)
      .front();
}

Value Attention::reduced(Value scores, TypedAttr init, ScoreStep step) {
  SmallVector<int64_t> numbers;
  for (int64_t loop : keyLoops)
    numbers.push_back(llvm::find(scoreLoops, loop) - scoreLoops.begin());
  auto body = [&](IndexBuilder &inner, ValueRange elements) {
    return SmallVector<Value>{step(inner, elements[0], elements[1])};
  };
  return createNest(
             b, loc, {{scores, projection(scoreLoops, scoreLoops)}},
             {{filled(rowLoops, f32, init), projection(scoreLoops, rowLoops)}},
             numbers, body)
      .front();
}

/// The scores by the scale, or divided by the root of the head size.
Value Attention::scaled(Value scores) {
  int64_t headSize = 1;
  for (int64_t loop : headLoops)
    headSize *= extents[loop];
  if (!scale && !scalesByRoot)
    return scores;
  const double root = std::sqrt(double(headSize));
  return mapScores(
      scores, {}, f32, [&](IndexBuilder &inner, Value score, Value) -> Value {
        Value factor = scale;
        if (!factor)
          factor = arith::ConstantOp::create(inner.b, loc,
                                             FloatAttr::get(f32, 1 / root));
        else if (isa<RankedTensorType>(factor.getType()))
          factor = inner.extract(factor, {});
        return arith::MulFOp::create(inner.b, loc, score,
                                     convertFloat(inner, factor, f32));
      });
}

/// A mask of floats is added; another is true where a score stays.
Value Attention::masked(Value scores) {
  Access other{mask, over(scoreLoops, maskMap)};
  return mapScores(
      scores, other, f32,
      [&](IndexBuilder &inner, Value score, Value element) -> Value {
        if (isa<FloatType>(element.getType()))
          return arith::AddFOp::create(inner.b, loc, score,
                                       convertFloat(inner, element, f32));
        if (!element.getType().isInteger(1))
          element =
              arith::TruncIOp::create(inner.b, loc, b.getI1Type(), element);
        Value never =
            arith::ConstantOp::create(inner.b, loc, FloatAttr::get(f32, least));
        return inner.select(element, score, never);
      });
}

Value Attention::replaced(Value rows, double what, double with) {
  AffineMap all = projection(rowLoops, rowLoops);
  auto body = [&](IndexBuilder &inner, ValueRange elements) {
    auto number = [&](double value) {
      return arith::ConstantOp::create(inner.b, loc,
                                       FloatAttr::get(f32, value));
    };
    Value isIt = arith::CmpFOp::create(inner.b, loc, arith::CmpFPredicate::OEQ,
                                       elements[0], number(what));
    return SmallVector<Value>{inner.select(isIt, number(with), elements[0])};
  };
  return createNest(b, loc, {{rows, all}}, {{filled(rowLoops, f32, {}), all}},
                    {}, body)
      .front();
}

/// Each step is a nest, and so an op of the device that fusion knows. A row of
/// which the mask leaves nothing has weights 0, as in PyTorch.
Value Attention::softmax(Value scores) {
  using Step = IndexBuilder;
  AffineMap toRow = projection(scoreLoops, rowLoops);
  Value most =
      reduced(scores, FloatAttr::get(f32, least),
              [&](Step &inner, Value score, Value best) -> Value {
                return arith::MaximumFOp::create(inner.b, loc, score, best);
              });
  // A row of hidden scores has the maximum -infinity: minus it, scores would be
  // NaN.
  if (mask)
    most = replaced(most, least, 0);
  Value below =
      mapScores(scores, Access{most, toRow}, f32,
                [&](Step &inner, Value score, Value best) -> Value {
                  return arith::SubFOp::create(inner.b, loc, score, best);
                });
  Value weights =
      mapScores(below, {}, f32, [&](Step &inner, Value score, Value) -> Value {
        return math::ExpOp::create(inner.b, loc, score);
      });
  Value sum = reduced(weights, zeroOf(f32),
                      [&](Step &inner, Value weight, Value all) -> Value {
                        return arith::AddFOp::create(inner.b, loc, weight, all);
                      });
  // Its sum is 0; divided by 1, the weights stay 0.
  if (mask)
    sum = replaced(sum, 0, 1);
  Type element = tensorType(op.inputs[2]).getElementType();
  return mapScores(weights, Access{sum, toRow}, element,
                   [&](Step &inner, Value weight, Value all) -> Value {
                     Value part =
                         arith::DivFOp::create(inner.b, loc, weight, all);
                     return convertFloat(inner, part, element);
                   });
}

Value Attention::build() {
  Value scores = scaled(product(op.inputs[0], queryMap, op.inputs[1], keyMap,
                                scoreLoops, headLoops, f32));
  if (op.body)
    scores = mapScores(
        scores, {}, f32, [&](IndexBuilder &inner, Value score, Value) {
          score = convertFloat(inner, score, op.body->getArgument(0).getType());
          score = cloneBody(inner.b, *op.body, score).front();
          return convertFloat(inner, score, f32);
        });
  if (mask)
    scores = masked(scores);
  Value weights = softmax(scores);
  // The engine rounds its f32 sum once if all have one type.
  Type result = op.resultType(0).getElementType();
  Type value = tensorType(op.inputs[2]).getElementType();
  AffineMap weightMap = AffineMap::get(extents.size(), 0, {}, b.getContext());
  for (auto [position, loop] : llvm::enumerate(scoreLoops))
    weightMap = weightMap.insertResult(b.getAffineDimExpr(loop), position);
  SmallVector<int64_t> resultLoops = loopsOf(resultMap), reducedLoops(keyLoops);
  for (int64_t loop : loopsOf(valueMap))
    if (!has(resultLoops, loop) && !has(reducedLoops, loop))
      reducedLoops.push_back(loop);
  Type sum = value == result ? result : Type(f32);
  Value attended = product(weights, weightMap, op.inputs[2], valueMap,
                           resultLoops, reducedLoops, sum);
  attended = castTo(b, loc, attended, result);
  return reshapeTo(b, loc, attended, op.resultType(0).getShape());
}

SmallVector<Value> fromlinalg::expandAttention(OpBuilder &b, const ExtOp &op,
                                               ArrayAttr maps, bool scales) {
  const SmallVector<AffineMap> theirs = attentionMaps(op.op, maps);
  std::string whyNot;
  if (std::optional<Value> sdpa = buildSdpa(b, op, theirs, scales, whyNot)) {
    remarkPassed(op.op, "raise", "raised to gaudi.sdpa");
    return {*sdpa};
  }
  remarkMissed(op.op, "raise",
               "written as two products and a softmax of the scores: " +
                   whyNot);
  return {Attention(b, op, theirs, scales).build()};
}
