// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds a constant scale per output channel into a convolution's weights:
// gaudi-fold-batch-norm.
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/FusionRecord.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include <cmath>
#include <limits>

namespace gaudi {
#define GEN_PASS_DEF_FOLDBATCHNORM
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
constexpr StringLiteral foldBatchNormCategory = "gaudi-fold-batch-norm";

/// A constant that varies along dimension `channel` only, as one number per
/// channel.
std::optional<SmallVector<double>> perChannel(Value tensor, int64_t channel,
                                              int64_t channels) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (auto reshape = tensor.getDefiningOp<ReshapeOp>()) {
    // A vector that got dimensions of size 1.
    auto from = reshape.getOperand().getType();
    if (from.getRank() == 1 && type.getDimSize(channel) == from.getDimSize(0))
      return perChannel(reshape.getOperand(), 0, channels);
    return std::nullopt;
  }
  if (auto broadcast = tensor.getDefiningOp<BroadcastOp>()) {
    auto from = broadcast.getOperand().getType();
    int64_t source = -1;
    for (auto [i, dim] : llvm::enumerate(broadcast.getDims())) {
      if (dim == channel)
        source = i;
      else if (from.getDimSize(i) != 1)
        return std::nullopt;
    }
    if (source >= 0)
      return perChannel(broadcast.getOperand(), source, channels);
    return std::nullopt;
  }
  std::optional<ConstantValues> values = ConstantValues::of(tensor);
  if (!values || !type.getElementType().isF32() || values->size() == 0)
    return std::nullopt;
  if (!values->isSplat())
    for (auto [i, size] : llvm::enumerate(type.getShape()))
      if (size != (int64_t(i) == channel ? channels : 1))
        return std::nullopt;
  SmallVector<double> numbers;
  for (int64_t i = 0; i < channels; ++i)
    numbers.push_back(values->get<float>(i));
  return numbers;
}

/// Bound on an intermediate offset relative to the final one. Beyond it,
/// offsets cancel and their rounding errors are part of the model's result.
constexpr double cancellation = 64;

/// y = scale * x + offset, per channel.
struct ScaleOffset {
  SmallVector<double> scale, offset;
  SmallVector<double> peak; // largest intermediate offset, scaled like offset
  bool scales = false;
};

struct FoldBatchNorm : impl::FoldBatchNormBase<FoldBatchNorm> {
  using FoldBatchNormBase::FoldBatchNormBase;

  void runOnOperation() override {
    const device::DeviceSpec *spec = deviceOf(getOperation(), device);
    if (!spec)
      return signalPassFailure();
    time.emplace(*spec);
    SmallVector<ConvOp> convs;
    getOperation()->walk([&](ConvOp op) { convs.push_back(op); });
    records.clear();
    for (ConvOp conv : convs)
      fold(conv);
    record(getOperation(), records);
  }

  void miss(ConvOp conv, Operation *blocker, StringRef reason) {
    if (explains(conv))
      remark::missed(conv.getLoc(), remark::RemarkOpts::name("keep-scale")
                                        .category(foldBatchNormCategory))
          << remark::reason(
                 "not folded: the scale in '{0}': {1}; the op takes {2}",
                 blocker->getName().getStringRef(), reason,
                 time->text(time->of(blocker)))
          << lost(time->of(blocker));
  }

  void fold(ConvOp conv) {
    int64_t channel = conv.getOutputLayout().find('C');
    int64_t channels =
        cast<RankedTensorType>(conv.getType()).getDimSize(channel);
    // Transposes between the convolution and its scale move the channel.
    Value value = conv;
    while (value.hasOneUse()) {
      auto transpose = dyn_cast<TransposeOp>(*value.getUsers().begin());
      if (!transpose)
        break;
      channel = llvm::find(transpose.getPermutation(), channel) -
                transpose.getPermutation().begin();
      value = transpose;
    }
    Value start = value;
    ScaleOffset composed;
    composed.scale.assign(channels, 1);
    composed.offset.assign(channels, 0);
    composed.peak.assign(channels, 0);
    // Follow the only use while the op composes into y = scale * x + offset,
    // up to the last such op. Fold nothing unless the chain scales: an offset
    // alone is one addition already. O(ops in the chain * channels).
    Value end = value;
    ScaleOffset atEnd;
    Operation *blocker = nullptr;
    unsigned steps = 0, stepsAtEnd = 0;
    while (value.hasOneUse()) {
      Operation *user = *value.getUsers().begin();
      if (!isa<AddOp, SubOp, MulOp, DivOp>(user))
        break;
      if (!apply(user, value, channel, composed)) {
        blocker = user;
        break;
      }
      ++steps;
      value = user->getResult(0);
      end = value;
      atEnd = composed;
      stepsAtEnd = steps;
    }
    if (!atEnd.scales) {
      if (blocker && isScale(blocker, value, channel, channels))
        miss(conv, blocker, "it is not a constant");
      else if (!value.hasOneUse())
        for (Operation *user : value.getUsers())
          if (isa<MulOp, DivOp>(user) &&
              isScale(user, value, channel, channels))
            return miss(conv, user, "the convolution has other readers");
      return;
    }
    Operation *scaled = end.getDefiningOp();
    auto filterType = cast<RankedTensorType>(conv.getFilter().getType());
    if (!filterType.getElementType().isF32() ||
        !cast<RankedTensorType>(conv.getType()).getElementType().isF32() ||
        !cast<RankedTensorType>(end.getType()).getElementType().isF32())
      return miss(conv, scaled,
                  "narrow weights would be rounded a second time");
    int64_t output = 0; // the dimension of the weights with its channels
    Value stored = storedFilter(conv, output);
    std::optional<ConstantValues> weights = ConstantValues::of(stored);
    if (!weights || weights->size() == 0)
      return miss(conv, scaled, "the weights are not constant");
    for (double factor : atEnd.scale)
      if (!std::isfinite(factor))
        return miss(conv, scaled, "a factor is not finite");
    for (auto [factor, offset, peak] :
         llvm::zip(atEnd.scale, atEnd.offset, atEnd.peak)) {
      if (!std::isfinite(float(offset)))
        return miss(conv, scaled, "an offset is not finite");
      if (peak > cancellation * std::max(std::fabs(offset), std::fabs(factor)))
        return miss(conv, scaled, "large offsets cancel each other");
    }
    // Element i has the output channel `i / inner % channels`.
    const int64_t inner = ShapedType::getNumElements(
        weights->getType().getShape().drop_front(output + 1));
    if (!scaledWeightsFit(inner, atEnd, *weights))
      return miss(conv, scaled, "a scaled weight leaves the range of f32");
    rewrite(conv, start, end, channel, atEnd, *weights, inner, stepsAtEnd);
  }

  /// What transposes make the filter of, and which of its dimensions is that of
  /// the output channels.
  static Value storedFilter(ConvOp conv, int64_t &output) {
    Value filter = conv.getFilter();
    output = int64_t(conv.getFilterLayout().find('O'));
    while (auto transpose = filter.getDefiningOp<TransposeOp>()) {
      output = transpose.getPermutation()[output];
      filter = transpose.getOperand();
    }
    return filter;
  }

  /// True if no weight becomes infinite or subnormal that was not.
  static bool scaledWeightsFit(int64_t inner, const ScaleOffset &composed,
                               const ConstantValues &weights) {
    const int64_t channels = composed.scale.size();
    for (int64_t i = 0; i < weights.size(); ++i) {
      const float weight = weights.get<float>(i);
      const double exact = weight * composed.scale[i / inner % channels];
      const float rounded = float(exact);
      const bool isSmall =
          exact != 0 && std::fabs(rounded) < std::numeric_limits<float>::min();
      if (std::isfinite(weight) && std::fpclassify(weight) != FP_SUBNORMAL &&
          (!std::isfinite(rounded) || isSmall))
        return false;
    }
    return true;
  }

  /// Composes `user` applied to `value`; false if it is no constant per
  /// channel.
  static bool apply(Operation *user, Value value, int64_t channel,
                    ScaleOffset &composed) {
    bool isLeft = user->getOperand(0) == value;
    Value other = user->getOperand(isLeft ? 1 : 0);
    if (other == value || user->getResult(0).getType() != value.getType())
      return false;
    auto constants = perChannel(other, channel, composed.scale.size());
    // k / x is no scale and offset of x.
    if (!constants || (isa<DivOp>(user) && !isLeft))
      return false;
    for (auto [scale, offset, peak, k] : llvm::zip(
             composed.scale, composed.offset, composed.peak, *constants)) {
      if (isa<AddOp>(user)) {
        offset += k;
      } else if (isa<SubOp>(user)) {
        offset = isLeft ? offset - k : k - offset;
        scale = isLeft ? scale : -scale;
      } else if (isa<MulOp>(user)) {
        scale *= k;
        offset *= k;
        peak *= std::fabs(k);
      } else {
        scale /= k;
        offset /= k;
        peak /= std::fabs(k);
      }
      // For the check of cancellation: the largest offset on the way.
      peak = std::max(peak, std::fabs(offset));
    }
    composed.scales |= isa<MulOp, DivOp>(user) || (isa<SubOp>(user) && !isLeft);
    return true;
  }

  /// True if `user` scales `value` by something known per channel.
  static bool isScale(Operation *user, Value value, int64_t channel,
                      int64_t channels) {
    if (!isa<MulOp, DivOp, SubOp>(user))
      return false;
    Value other = user->getOperand(user->getOperand(0) == value ? 1 : 0);
    auto type = cast<RankedTensorType>(other.getType());
    for (auto [i, size] : llvm::enumerate(type.getShape()))
      if (size != (int64_t(i) == channel ? channels : 1))
        return false;
    return channels != 1;
  }

  void rewrite(ConvOp conv, Value start, Value end, int64_t channel,
               const ScaleOffset &composed, const ConstantValues &weights,
               int64_t inner, unsigned steps) {
    OpBuilder builder(conv);
    // One rounding per weight: the scale is exact to float64.
    int64_t channels = composed.scale.size(), count = weights.size();
    auto blob = HeapAsmResourceBlob::allocate(4 * count, alignof(float),
                                              /*dataIsMutable=*/true);
    auto *scaled = reinterpret_cast<float *>(blob.getMutableData().data());
    for (int64_t i = 0; i < count; ++i)
      scaled[i] =
          float(weights.get<float>(i) * composed.scale[i / inner % channels]);
    replaceWeights(conv, DenseResourceElementsAttr::get(weights.getType(),
                                                        "folded_weights",
                                                        std::move(blob)));
    // At most one addition is left.
    Value result = start;
    bool offsets =
        llvm::any_of(composed.offset, [](double k) { return k != 0; });
    if (offsets) {
      builder.setInsertionPoint(end.getDefiningOp());
      auto type = cast<RankedTensorType>(end.getType());
      SmallVector<int64_t> shape(type.getRank(), 1);
      shape[channel] = channels;
      SmallVector<float> bias(composed.offset.begin(), composed.offset.end());
      auto biasType = RankedTensorType::get(shape, type.getElementType());
      Value constant = ConstantOp::create(
          builder, end.getLoc(),
          DenseElementsAttr::get(biasType, ArrayRef<float>(bias)));
      result = AddOp::create(builder, end.getLoc(), type, start, constant);
    }
    // From the end to the convolution: users go before what they use.
    SmallVector<Operation *> chain;
    for (Value at = end; at != start;) {
      Operation *op = at.getDefiningOp();
      chain.push_back(op);
      at = chainOperand(op, start);
    }
    Picoseconds saved = offsets ? -time->of(result.getDefiningOp()) : 0;
    for (Operation *op : chain)
      saved += time->of(op);
    const std::string text =
        llvm::formatv("folded a per-channel scale into the weights: {0} ops "
                      "become {1} addition, {2}",
                      steps, offsets ? "one" : "no", time->saving(saved))
            .str();
    remark::passed(conv.getLoc(), remark::RemarkOpts::name("fold").category(
                                      foldBatchNormCategory))
        << remark::add("{0}", text);
    records.push_back(
        {"batch_norm", conv.getLoc(), true, 0, 0, int64_t(saved), text});
    end.replaceAllUsesWith(result);
    for (Operation *op : chain) {
      SmallVector<Value> operands(op->getOperands());
      op->erase();
      // Constants that only the chain read go with it.
      for (Value operand : operands)
        if (Operation *def = operand.getDefiningOp())
          if (def->use_empty() && isa<ConstantOp, ReshapeOp, BroadcastOp>(def))
            def->erase();
    }
    ++numFolded;
  }

  /// Gives the convolution other weights, after the same transposes.
  static void replaceWeights(ConvOp conv, ElementsAttr weights) {
    OpBuilder builder(conv);
    SmallVector<Operation *> before; // the transposes, the last first
    for (Operation *op = conv.getFilter().getDefiningOp(); op;
         op = isa<TransposeOp>(op) ? op->getOperand(0).getDefiningOp()
                                   : nullptr)
      before.push_back(op);
    Value filter = ConstantOp::create(builder, conv.getLoc(), weights);
    for (Operation *op : llvm::reverse(ArrayRef(before).drop_back())) {
      Operation *copy = builder.clone(*op);
      copy->setOperand(0, filter);
      filter = copy->getResult(0);
    }
    conv.getFilterMutable().assign(filter);
    for (Operation *op : before)
      if (op->use_empty())
        op->erase();
  }

  /// The operand through which a chain op depends on `start`: the one that is
  /// no constant.
  static Value chainOperand(Operation *op, Value start) {
    for (Value operand : op->getOperands()) {
      if (operand == start)
        return operand;
      Operation *def = operand.getDefiningOp();
      if (isa_and_nonnull<AddOp, SubOp, MulOp, DivOp>(def))
        return operand;
    }
    return start;
  }

  std::optional<DeviceTime> time;
  SmallVector<FusionRecord> records;
};
} // namespace
} // namespace gaudi
