// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks, types and result of the gaudi.sdpa that computes a match.
#include "../../Precision/Rounding.h"
#include "../Merge/KernelWriter.h"
#include "../Merge/Views.h"
#include "AttentionPlan.h"
#include "Gaudi/Kernel/Limits.h"
#include "Matcher.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {
/// Largest factor of an output in f16, and its reciprocal the smallest.
constexpr double mostF16Factor = 16;

class Emitter {
public:
  Emitter(AttentionMatch &match, const AttentionPlan &plan, OpBuilder &builder,
          ArrayRef<Operation *> masks, SmallVectorImpl<Operation *> &created,
          Refusal &refusal)
      : match(match), graph(*match.graph), view(graph.dag), plan(plan),
        builder(builder), loc(match.candidate.product.getLoc()), masks(masks),
        created(created), refusal(refusal) {}

  FailureOr<SdpaOp> run() {
    SdpaOperands operands;
    SdpaOp::Properties attributes;
    Type type = operandType();
    // Refused before anything is built.
    if (!keepsPrecision(modelType(type)))
      return failure();
    operands.query = repeated(read(plan.query, type));
    operands.key = read(plan.key, type);
    operands.value = read(plan.value, type);
    attributes.query_layout = layout(plan.query);
    attributes.key_layout = layout(plan.key);
    attributes.value_layout = layout(plan.value);
    attributes.output_layout = layout(plan.output);
    // Factors of query and key commute with their product.
    const double scale = match.scale * plan.query.factor * plan.key.factor;
    attributes.scale = builder.getF32FloatAttr(float(scale));
    if (match.isCausal)
      attributes.causal = builder.getUnitAttr();
    if (match.window)
      attributes.window = builder.getI64IntegerAttr(*match.window);
    if (!addMask(operands, attributes))
      return failure();
    addDropout(operands, attributes);
    if (!mayScaleOutput())
      return failure();
    if (!plan.saved.empty())
      attributes.saves = AttentionSavesAttr::get(builder.getContext(),
                                                 AttentionSaves::Probabilities);
    SdpaOp op = SdpaOp::create(builder, loc, operands, attributes);
    created.push_back(op);
    return op;
  }

private:
  template <typename Op, typename... Args> Value make(Args &&...args) {
    Op op = Op::create(builder, loc, std::forward<Args>(args)...);
    created.push_back(op);
    return op->getResult(0);
  }

  StringAttr layout(const TensorPlacement &place) {
    return place.layout == "NHLD" ? StringAttr()
                                  : builder.getStringAttr(place.layout);
  }

  /// The type of all operands: the widest of theirs, and wide enough for an
  /// output that was not rounded to it.
  Type operandType() {
    Type widest = getElementTypeOrSelf(plan.query.tensor);
    auto widen = [&](Type other) {
      if (other == widest)
        return;
      const bool isWider =
          other.getIntOrFloatBitWidth() > widest.getIntOrFloatBitWidth();
      if (isWider)
        widest = other;
      else if (other.getIntOrFloatBitWidth() == widest.getIntOrFloatBitWidth())
        widest = builder.getF32Type();
    };
    widen(getElementTypeOrSelf(plan.key.tensor));
    widen(getElementTypeOrSelf(plan.value.tensor));
    widen(getElementTypeOrSelf(plan.output.tensor));
    return widest;
  }

  /// The type of a tensor before views and casts that widen it.
  static Type storedType(Value tensor) {
    return getElementTypeOrSelf(shownBy(tensor, /*isExact=*/true));
  }

  /// The widest of the types in which query, key and value are stored.
  Type widestOperand() const {
    Type widest = storedType(plan.query.tensor);
    for (Value tensor : {plan.key.tensor, plan.value.tensor})
      if (Type type = storedType(tensor);
          type.getIntOrFloatBitWidth() > widest.getIntOrFloatBitWidth())
        widest = type;
    return widest;
  }

  /// The type of the model's attention, whose op has the type `computed`: that
  /// in which query, key and value are stored if the output is at once rounded
  /// to it, too.
  FloatType modelType(Type computed) const {
    const Type stored = widestOperand();
    Type output = storedType(plan.output.tensor);
    if (const auto rounding = roundingOf(plan.output.tensor))
      output = rounding->type;
    return cast<FloatType>(output == stored ? stored : computed);
  }

  /// False if scores, masks or probabilities are rounded to a type that does
  /// not hold all numbers of the model's: the op would not round them.
  /// Roundings to the model's type are those of its storage, which the op may
  /// leave out. Conditions are not looked into: their values stay.
  bool keepsPrecision(FloatType type) {
    auto holds = [&](Type other) {
      auto to = dyn_cast<FloatType>(other);
      return !to || APFloat::isRepresentableBy(type.getFloatSemantics(),
                                               to.getFloatSemantics());
    };
    // From the probabilities down; those divided late are in the output.
    SmallVector<NodeId> pending = {match.readValue};
    if (match.candidate.division)
      pending.push_back(
          graph.valueOf(match.output.tensor, match.output.position));
    DenseSet<NodeId> seen(pending.begin(), pending.end());
    while (!pending.empty()) {
      const NodeId id = pending.pop_back_val();
      const Node &node = graph.dag.nodes[id];
      std::optional<Type> rounded;
      if (node.kind == Node::Scalar && isOneOf<arith::TruncFOp>(*node.name))
        rounded = node.type;
      // Loads of the products round to the type that these are stored in.
      if (node.kind == Node::Load)
        if (Value tensor = graph.dag.accesses[node.number].tensor;
            tensor == match.scores.getResult() ||
            tensor == match.candidate.product.getResult())
          rounded = getElementTypeOrSelf(tensor);
      if (rounded && !holds(*rounded)) {
        Operation *culprit = graph.originOf(id);
        refusal = {culprit ? culprit : match.candidate.product.getOperation(),
                   nullptr,
                   llvm::formatv("scores, masks or probabilities are rounded "
                                 "to {0}, and the attention is in {1}; round "
                                 "operands and output, too, or nothing",
                                 *rounded, type)
                       .str()};
        return false;
      }
      // Only floats: conditions decide which values there are, not how they are
      // rounded.
      for (NodeId part : graph.dag.partsOf(id))
        if (isa_and_nonnull<FloatType>(graph.dag.nodes[part].type) &&
            seen.insert(part).second)
          pending.push_back(part);
    }
    return true;
  }

  Value reshaped(Value tensor, ArrayRef<int64_t> sizes) {
    RankedTensorType from = tensorType(tensor);
    if (from.getShape() == sizes)
      return tensor;
    return make<ReshapeOp>(RankedTensorType::get(sizes, from.getElementType()),
                           tensor);
  }

  Value read(const TensorPlacement &place, Type type) {
    Value tensor = reshaped(place.tensor, place.sizes);
    if (getElementTypeOrSelf(tensor) == type)
      return tensor;
    return make<CastOp>(RankedTensorType::get(place.sizes, type), tensor);
  }

  /// The queries of all images, where these share theirs.
  Value repeated(Value query) {
    SmallVector<int64_t> sizes(tensorType(query).getShape());
    int64_t images = 1;
    for (unsigned d : plan.images)
      images *= graph.dag.extents[d];
    int64_t &size = sizes[plan.query.layout.find('N')];
    if (size == images)
      return query;
    size = images;
    return make<BroadcastOp>(
        RankedTensorType::get(sizes, getElementTypeOrSelf(query)), query,
        ArrayRef<int64_t>{0, 1, 2, 3});
  }

  //===--------------------------------------------------------------------===//
  // Masks
  //===--------------------------------------------------------------------===//

  NodeId number(double value) {
    return graph.dag.constant(builder.getF32FloatAttr(float(value)));
  }
  NodeId truth(bool value) {
    return graph.dag.constant(builder.getBoolAttr(value));
  }
  Type f32() { return builder.getF32Type(); }
  Type i1() { return builder.getI1Type(); }

  NodeId visible(const HiddenScores &hidden) {
    if (hidden.visibleIf)
      return hidden.condition;
    if (view.isOp<arith::XOrIOp>(hidden.condition))
      for (unsigned i = 0; i < 2; ++i)
        if (auto number = numberOf(view, view.operand(hidden.condition, 1 - i));
            number && *number == 1)
          return view.operand(hidden.condition, i);
    return graph.dag.scalar<arith::XOrIOp>({hidden.condition, truth(true)},
                                           i1());
  }
  double hiddenValue(const HiddenScores &hidden) const {
    return std::max(hidden.value, match.floor);
  }

  /// False if the logarithm of the sum may be lost: in a row that is hidden as
  /// a whole by numbers as large as a mask's, the largest score is one of them.
  bool keepsLogarithm() {
    if (!match.addsLogarithm)
      return true;
    auto isLarge = [](double number) {
      return std::isfinite(number) && std::abs(number) >= -lostLogarithm;
    };
    for (const HiddenScores &hidden : match.hidden)
      if (isLarge(hiddenValue(hidden)) && !hidden.showsEveryRow)
        return false;
    for (const AddedMask &mask : match.added)
      for (NodeId id : graph.dag.closureOf(mask.value))
        if (auto number = view.constantOf(id); number && isLarge(*number))
          return false;
    return true;
  }

  bool addMask(SdpaOperands &operands, SdpaOp::Properties &attributes) {
    if (!keepsLogarithm()) {
      refusal = {match.candidate.product, nullptr,
                 "a row that a finite number hides as a whole loses the "
                 "logarithm of its sum beside that number; hide keys by "
                 "-infinity, or write softmax(scores)"};
      return false;
    }
    if (match.hidden.empty() && match.added.empty())
      return true;
    // Masks of one number are one boolean mask.
    const double first =
        match.hidden.empty() ? -infinity : hiddenValue(match.hidden[0]);
    const bool isUniform = llvm::all_of(match.hidden, [&](const auto &hidden) {
      return hiddenValue(hidden) == first;
    });
    if (match.added.empty() && isUniform) {
      NodeId all = visible(match.hidden[0]);
      // A key is visible if no mask hides it.
      for (const HiddenScores &hidden : ArrayRef(match.hidden).drop_front())
        all = graph.dag.scalar<arith::AndIOp>({all, visible(hidden)}, i1());
      operands.mask = tensorOf(all, i1());
      attributes.mask_value = builder.getF32FloatAttr(float(first));
      return bool(operands.mask);
    }
    // One mask of floats: where a score is hidden, the sum of it and the score
    // is the hidden score, or as good as absent.
    for (const HiddenScores &hidden : match.hidden)
      if (hidden.value > hiddenLimit) {
        refusal = {match.candidate.product, nullptr,
                   "scores are replaced by a finite number and another mask is "
                   "added; make the number -infinity, or the lowest of f32"};
        return false;
      }
    std::optional<NodeId> sum;
    ArrayRef<AddedMask> added = match.added;
    ArrayRef<HiddenScores> hidden = match.hidden;
    while (!added.empty() || !hidden.empty()) { // from the product outwards
      if (hidden.empty() ||
          (!added.empty() && added.back().depth > hidden.back().depth)) {
        NodeId term = added.back().value;
        // A scaled mask is scaled before it is added.
        if (added.back().factor != 1)
          term = graph.dag.scalar<arith::MulFOp>(
              {term, number(added.back().factor)}, f32());
        sum = sum ? graph.dag.scalar<arith::AddFOp>({*sum, term}, f32()) : term;
        added = added.drop_back();
        continue;
      }
      sum = graph.dag.scalar<arith::SelectOp>({visible(hidden.back()),
                                               sum ? *sum : number(0),
                                               number(hidden.back().value)},
                                              f32());
      hidden = hidden.drop_back();
    }
    if (match.floor > -infinity)
      sum = graph.dag.scalar<arith::MaximumFOp>({*sum, number(match.floor)},
                                                f32());
    operands.mask = tensorOf(*sum, f32());
    return bool(operands.mask);
  }

  void addDropout(SdpaOperands &operands, SdpaOp::Properties &attributes) {
    if (!match.dropout)
      return;
    NodeId kept = *match.dropout;
    Type type = graph.dag.nodes[kept].type;
    if (type.isInteger(1)) {
      kept = visible({kept, match.dropoutIfTrue, 0, 0});
      // 1 / (1 - p) is the factor of what is kept.
      const double p = 1 - 1 / match.factor;
      if (match.factor > 1 &&
          std::abs((1 - double(float(p))) * match.factor - 1) < 1e-6) {
        attributes.dropout = builder.getF32FloatAttr(float(p));
        match.factor = 1;
      }
      operands.dropoutMask = tensorOf(kept, i1());
      return;
    }
    if (match.factor != 1)
      kept =
          graph.dag.scalar<arith::MulFOp>({kept, number(match.factor)}, f32());
    match.factor = 1;
    operands.dropoutMask = tensorOf(kept, f32());
  }

  /// False if the output before its factor may leave the range of f16, in which
  /// the op writes it: what the model computes then need not.
  bool mayScaleOutput() {
    const double factor = std::abs(match.factor);
    if (!getElementTypeOrSelf(plan.output.tensor).isF16() ||
        (factor <= mostF16Factor && factor >= 1 / mostF16Factor))
      return true;
    refusal = {match.candidate.product, nullptr,
               "the factor after it leaves little of the range of f16"};
    return false;
  }

  /// True if the probabilities depend on the value by roundings of it only. A
  /// copy that others have rounded is not what the attention reads.
  bool isReadRounded(NodeId value) {
    return llvm::all_of(graph.dag.closureOf(match.readValue),
                        [&](NodeId reader) {
                          const Node &node = graph.dag.nodes[reader];
                          return !llvm::is_contained(node.operands, value) ||
                                 (node.kind == Node::Scalar &&
                                  isOneOf<arith::TruncFOp>(*node.name));
                        });
  }

  /// A tensor [N, H, L, S] of the values, with size 1 along what they do not
  /// vary with.
  Value tensorOf(NodeId value, Type type) {
    const uint64_t varies = graph.variesWith(value);
    SmallVector<LayoutGroup, 4> groups = scoreGroups(match, plan);
    for (LayoutGroup &group : groups)
      if (!(varies & maskOf(group.dims)))
        group.dims.clear();
    // A tensor that exists already.
    for (const TensorElement &element : graph.elementsOf(value)) {
      Type stored = getElementTypeOrSelf(element.tensor);
      if (element.isRounded && !isReadRounded(value))
        continue;
      if (type.isInteger(1)
              ? stored != type
              : !isa<FloatType>(stored) || stored.getIntOrFloatBitWidth() < 16)
        continue;
      std::optional<TensorPlacement> place = placeOf(graph, element, groups);
      if (place && place->layout == "NHLS")
        return reshaped(element.tensor, place->sizes);
    }
    return computed(value, type, groups);
  }

  /// A kernel that computes the values. Its dimensions are those of the groups;
  /// those that reductions walk follow.
  Value computed(NodeId value, Type type, ArrayRef<LayoutGroup> groups) {
    KernelDag kernel;
    SmallVector<Affine, 6> dims(graph.dag.extents.size());
    SmallVector<int64_t> shape, sizes;
    SmallVector<Affine, 4> position;
    uint64_t known = 0;
    // Dimensions of the result in the order of the layout.
    for (const LayoutGroup &group : groups) {
      sizes.push_back(1);
      for (unsigned d : group.dims) {
        const int64_t extent = graph.dag.extents[d];
        known |= uint64_t(1) << d;
        sizes.back() *= extent;
        shape.push_back(extent);
        dims[d] = Affine::dim(kernel.addDim(
            extent, kernel.extents.size() < gaudi::kernel::maxParallelDims));
        position.push_back(dims[d]);
      }
    }
    // Dimensions that only reductions inside the mask walk come after.
    for (NodeId id : graph.dag.closureOf(value)) {
      const Node &node = graph.dag.nodes[id];
      if (node.kind != Node::Result)
        continue;
      for (unsigned d : graph.dag.loops[node.loop].dims)
        if (!(known >> d & 1)) {
          known |= uint64_t(1) << d;
          dims[d] = Affine::dim(kernel.addDim(graph.dag.extents[d], false));
        }
    }
    kernel.parts.push_back("tpc.mask");
    NodeId copied =
        Importer(kernel, graph.dag, dims, builder.getContext()).import(value);
    RankedTensorType made = RankedTensorType::get(shape, type);
    SmallVector<Value> tensors;
    kernel.stores.push_back({Value(), position, copied});
    tensors = kernel.tensors();
    // A kernel has a bounded number of dimensions and tensors.
    if (!kernel.isWellFormed() ||
        kernel.extents.size() > gaudi::kernel::maxKernelDims ||
        tensors.size() + 1 > 16) {
      refusal = {match.candidate.product, nullptr,
                 "the masks together have too many dimensions or tensors for "
                 "one kernel"};
      return {};
    }
    KernelOp op =
        KernelOp::create(builder, loc, TypeRange(made), ValueRange(tensors),
                         ArrayRef<int64_t>(), ArrayRef<bool>(), "mask");
    created.push_back(op);
    kernel.stores[0].result = op->getResult(0);
    writeKernel(kernel, op);
    // Layers share their masks.
    for (Operation *known : masks)
      if (OperationEquivalence::isEquivalentTo(
              known, op, OperationEquivalence::IgnoreLocations) &&
          known->isBeforeInBlock(op)) {
        created.pop_back();
        op->erase();
        return reshaped(known->getResult(0), sizes);
      }
    return reshaped(op->getResult(0), sizes);
  }

  AttentionMatch &match;
  ValueDag &graph;
  PatternView view;
  const AttentionPlan &plan;
  OpBuilder &builder;
  Location loc;
  ArrayRef<Operation *> masks;
  SmallVectorImpl<Operation *> &created;
  Refusal &refusal;
};
} // namespace

FailureOr<SdpaOp>
gaudi::fusion::emitAttention(AttentionMatch &match, const AttentionPlan &plan,
                             OpBuilder &builder, ArrayRef<Operation *> masks,
                             SmallVectorImpl<Operation *> &created,
                             Refusal &refusal) {
  return Emitter(match, plan, builder, masks, created, refusal).run();
}

Value gaudi::fusion::emitResult(const AttentionMatch &match,
                                const AttentionPlan &plan, SdpaOp op,
                                OpBuilder &builder,
                                SmallVectorImpl<Operation *> &created) {
  RankedTensorType target = tensorType(plan.output.tensor);
  Value result = op.getOutput();
  auto add = [&](Operation *made) {
    created.push_back(made);
    result = made->getResult(0);
  };
  // From the op outwards: the factor in f32, the target's type, its shape, each
  // only if it is needed.
  Location loc = op.getLoc();
  auto castTo = [&](Type element) {
    RankedTensorType from = tensorType(result);
    if (from.getElementType() != element)
      add(CastOp::create(builder, loc,
                         RankedTensorType::get(from.getShape(), element),
                         result));
  };
  if (match.factor != 1) {
    // A narrow type rounds the factor, and f16 may not hold it.
    castTo(builder.getF32Type());
    SmallVector<int64_t> ones(tensorType(result).getRank(), 1);
    auto constant = ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            RankedTensorType::get(ones, builder.getF32Type()),
            float(match.factor)));
    created.push_back(constant);
    add(MulOp::create(builder, loc, result.getType(), result, constant));
  }
  castTo(target.getElementType());
  if (result.getType() != target)
    add(ReshapeOp::create(builder, loc, target, result));
  return result;
}

Value gaudi::fusion::emitSaved(const TensorPlacement &place, SdpaOp op,
                               OpBuilder &builder,
                               SmallVectorImpl<Operation *> &created) {
  Value result = op.getProbabilities();
  RankedTensorType from = tensorType(result), to = tensorType(place.tensor);
  auto add = [&](Operation *made) {
    created.push_back(made);
    result = made->getResult(0);
  };
  SmallVector<int64_t> permutation;
  for (char letter : place.layout)
    permutation.push_back(StringRef("NHLS").find(letter));
  if (place.layout != "NHLS")
    add(TransposeOp::create(
        builder, op.getLoc(),
        RankedTensorType::get(place.sizes, from.getElementType()), result,
        permutation));
  if (from.getElementType() != to.getElementType())
    add(CastOp::create(builder, op.getLoc(),
                       RankedTensorType::get(place.sizes, to.getElementType()),
                       result));
  if (result.getType() != to)
    add(ReshapeOp::create(builder, op.getLoc(), to, result));
  return result;
}
