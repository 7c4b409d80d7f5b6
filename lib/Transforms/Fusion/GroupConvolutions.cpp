// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes one convolution in groups of convolutions of slices whose results are
// concatenated: gaudi-group-convolutions.
//
// The operands of a concatenation are followed back, through ops that work
// alike on all parts, to convolutions, and from there to the tensor whose
// channels they read. Neighbouring operands that differ in their channels and
// in constants per channel only are a run, and become one convolution followed
// by one of each of those ops.
#include "JoinedTensors.h"

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace gaudi {
#define GEN_PASS_DEF_GROUPCONVOLUTIONS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
constexpr StringLiteral groupConvolutionsCategory = "gaudi-group-convolutions";

/// An op between a convolution and the concatenation.
struct Step {
  Operation *op;
  unsigned operand; // the one that leads to the convolution
  int64_t axis;     // of the result's channels
};

/// An operand of the concatenation.
struct Part {
  Operation *conv = nullptr;          // null: none of this form
  SmallVector<Step> steps;            // from the concatenation back
  SmallVector<TransposeOp> reordered; // of the input, from the convolution back
  Window input;
  bool isSliced = false; // it reads a part of its input's channels
  bool hasOtherReaders = false;
};

int64_t axisIn(Operation *conv, StringRef layout, char letter) {
  return int64_t(
      conv->getAttrOfType<StringAttr>(layout).getValue().find(letter));
}

// The layouts of an input gradient are those of the forward convolution: its
// operand is an output there.
int64_t operandChannels(Operation *conv) {
  return axisIn(
      conv, isa<ConvInputGradOp>(conv) ? "output_layout" : "input_layout", 'C');
}

int64_t resultChannels(Operation *conv) {
  return axisIn(
      conv, isa<ConvInputGradOp>(conv) ? "input_layout" : "output_layout", 'C');
}

/// Follows `value` back to a convolution whose channels are along `axis`.
bool findConvolution(Value value, int64_t axis, Part &part) {
  // Bounds the search, which tries each operand of elementwise ops.
  constexpr size_t mostSteps = 16;
  Operation *op = value.getDefiningOp();
  if (!op || part.steps.size() == mostSteps)
    return false;
  // Restored if this way leads to no convolution.
  const bool shared = part.hasOtherReaders;
  part.hasOtherReaders |= !value.hasOneUse();
  // Channels of another dimension cannot become groups.
  if (isa<ConvOp, ConvInputGradOp>(op)) {
    part.conv = op;
    return axis == resultChannels(op);
  }
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    part.steps.push_back({op, 0, axis});
    if (findConvolution(transpose.getOperand(),
                        transpose.getPermutation()[axis], part))
      return true;
    part.steps.pop_back();
  } else if (isa<ElementwiseOpInterface>(op) && op->getNumResults() == 1) {
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      // Constants and broadcast operands do not come from a convolution of this
      // part.
      if (tensorType(operand).getShape() != tensorType(value).getShape() ||
          operand.getDefiningOp<ConstantOp>())
        continue;
      part.steps.push_back({op, unsigned(i), axis});
      if (findConvolution(operand, axis, part))
        return true;
      part.steps.pop_back();
    }
  }
  part.hasOtherReaders = shared;
  return false;
}

Part partOf(Value operand, int64_t axis) {
  Part part;
  if (!findConvolution(operand, axis, part))
    return Part();
  Value input = part.conv->getOperand(0);
  int64_t channel = operandChannels(part.conv);
  while (auto transpose = input.getDefiningOp<TransposeOp>()) {
    part.reordered.push_back(transpose);
    channel = transpose.getPermutation()[channel];
    input = transpose.getOperand();
  }
  part.input = windowOf(input, channel);
  part.isSliced = part.input.tensor != input;
  return part;
}

/// True if the op is the same computation on tensors of the same types.
bool isAlike(Operation *a, Operation *b) {
  return a->getName() == b->getName() &&
         a->getAttrDictionary() == b->getAttrDictionary() &&
         a->getResultTypes() == b->getResultTypes() &&
         a->getOperandTypes() == b->getOperandTypes();
}

/// How operands of the ops of several parts become one.
enum class Joining { No, Same, Joined };

Joining joining(ArrayRef<Value> values, int64_t axis, int64_t channels) {
  const int64_t size = sizeAlong(values.front(), axis);
  if (size == 1 && llvm::all_equal(values))
    return Joining::Same;
  // Larger tensors would be copied.
  const bool perChannel =
      tensorType(values.front()).getNumElements() == channels;
  return size == channels && perChannel ? Joining::Joined : Joining::No;
}

/// Why part `i` is not the next group after `first`, part 0; empty if it is.
std::string mismatch(const Part &first, const Part &part, int64_t i) {
  // Joined ops replace those of the parts; another reader would keep both
  // alive.
  if (part.hasOtherReaders)
    return "an op of a part has other readers";
  if (!isAlike(first.conv, part.conv))
    return "the convolutions differ in their windows or sizes";
  if (first.steps.size() != part.steps.size() ||
      first.reordered.size() != part.reordered.size())
    return "the ops after or before the convolutions differ";
  for (auto [a, b] : llvm::zip(first.steps, part.steps)) {
    if (!isAlike(a.op, b.op) || a.operand != b.operand)
      return "the ops after the convolutions differ";
    // Other operands must be equal for all parts, or joinable along the
    // channels.
    for (unsigned n = 0; n < a.op->getNumOperands(); ++n)
      if (n != a.operand &&
          joining({a.op->getOperand(n), b.op->getOperand(n)}, a.axis,
                  sizeAlong(a.op->getResult(0), a.axis)) == Joining::No)
        return llvm::formatv(
            "an operand of '{0}' is not one number per channel",
            a.op->getName().getStringRef());
  }
  for (auto [a, b] : llvm::zip(first.reordered, part.reordered))
    if (!isAlike(a, b))
      return "the inputs are transposed differently";
  if (first.input.tensor != part.input.tensor)
    return "the inputs are parts of different tensors";
  const int64_t channels =
      sizeAlong(first.conv->getOperand(0), operandChannels(first.conv));
  // In groups, each reads the channels after those of the group before.
  if (part.input.first != first.input.first + i * channels)
    return "the slices of the input do not follow each other";
  return {};
}

struct GroupConvolutions : impl::GroupConvolutionsBase<GroupConvolutions> {
  using GroupConvolutionsBase::GroupConvolutionsBase;

  void runOnOperation() override {
    const device::DeviceSpec *spec = deviceOf(getOperation(), device);
    if (!spec)
      return signalPassFailure();
    time.emplace(*spec);
    SmallVector<ConcatOp> concats;
    getOperation()->walk([&](ConcatOp op) { concats.push_back(op); });
    for (ConcatOp concat : concats)
      group(concat);
  }

  void miss(Operation *conv, int64_t parts, StringRef reason) {
    if (explains(conv))
      remark::missed(conv->getLoc(), remark::RemarkOpts::name("keep-parts")
                                         .category(groupConvolutionsCategory))
          << remark::reason("{0} convolutions of slices are not made one "
                            "convolution in groups: {1}",
                            parts, reason);
  }

  void group(ConcatOp concat) {
    const int64_t axis = concat.getAxis();
    SmallVector<Part> parts;
    for (Value operand : concat.getOperands())
      parts.push_back(partOf(operand, axis));
    SmallVector<Value> operands;
    bool changed = false;
    // Runs of operands become one each; what is in no run stays an operand.
    for (size_t begin = 0, end; begin < parts.size(); begin = end) {
      std::string reason;
      end = runEnd(parts, begin, reason);
      const auto run = ArrayRef(parts).slice(begin, end - begin);
      if (run.size() > 1)
        if (Value grouped = rewrite(concat, run)) {
          operands.push_back(grouped);
          changed = true;
          continue;
        }
      // Neighbours of the form that do not fit are worth a word.
      if (run.size() == 1 && !reason.empty())
        miss(run.front().conv, 2, reason);
      llvm::append_range(operands,
                         concat.getOperands().slice(begin, end - begin));
    }
    if (!changed)
      return;
    OpBuilder builder(concat);
    Value result = operands.front();
    if (operands.size() > 1)
      result = ConcatOp::create(builder, concat.getLoc(), concat.getType(),
                                operands, axis, concat.getEngine());
    concat.replaceAllUsesWith(result);
    eraseUnused(concat);
  }

  /// The end of the run of groups that starts with part `begin`; why the next
  /// part is not one, if both are convolutions of slices.
  static size_t runEnd(ArrayRef<Part> parts, size_t begin,
                       std::string &reason) {
    const Part &first = parts[begin];
    size_t end = begin + 1;
    if (!first.isSliced)
      return end;
    for (; end < parts.size() && parts[end].isSliced; ++end) {
      reason = first.hasOtherReaders
                   ? "an op of a part has other readers"
                   : mismatch(first, parts[end], int64_t(end - begin));
      if (!reason.empty())
        break;
    }
    return end;
  }

  /// Erases an op without uses, and what only it needed.
  static void eraseUnused(Operation *op) {
    SmallVector<Operation *> unused{op};
    while (!unused.empty()) {
      Operation *next = unused.pop_back_val();
      llvm::SmallSetVector<Operation *, 4> before;
      for (Value operand : next->getOperands())
        if (Operation *def = operand.getDefiningOp())
          before.insert(def);
      next->erase();
      for (Operation *def : before)
        if (isOpTriviallyDead(def))
          unused.push_back(def);
    }
  }

  /// The convolution in groups of the parts, without what follows; null if the
  /// filters cannot be joined.
  static Operation *buildConv(OpBuilder &builder, ArrayRef<Part> parts) {
    const Part &first = parts.front();
    Operation *conv = first.conv;
    Location loc = conv->getLoc();
    const auto count = int64_t(parts.size());
    SmallVector<Value> filters;
    for (const Part &part : parts)
      filters.push_back(part.conv->getOperand(1));
    Value filter =
        joined(builder, loc, filters, axisIn(conv, "filter_layout", 'O'));
    if (!filter)
      return nullptr;
    // From the convolution back to the slices.
    int64_t axis = operandChannels(conv);
    const int64_t channels = sizeAlong(conv->getOperand(0), axis);
    for (TransposeOp transpose : first.reordered)
      axis = transpose.getPermutation()[axis];
    Value input = windowIn(builder, loc, first.input, axis, count * channels);
    // The transposes again, on the wider input: the axis of channels is
    // followed through each.
    for (TransposeOp transpose : llvm::reverse(first.reordered)) {
      Operation *copy = builder.clone(*transpose);
      copy->setOperand(0, input);
      axis = int64_t(llvm::find(transpose.getPermutation(), axis) -
                     transpose.getPermutation().begin());
      copy->getResult(0).setType(
          resized(transpose.getResult(), axis, count * channels));
      input = copy->getResult(0);
    }
    Operation *grouped = builder.clone(*conv);
    grouped->setOperands({input, filter});
    // Parts may have groups already: those follow each other.
    const int64_t groups = conv->getAttrOfType<IntegerAttr>("groups").getInt();
    grouped->setAttr("groups", builder.getI64IntegerAttr(count * groups));
    const int64_t out = resultChannels(conv);
    grouped->getResult(0).setType(resized(
        conv->getResult(0), out, count * sizeAlong(conv->getResult(0), out)));
    return grouped;
  }

  /// What the parts are together, or null where that is not better.
  Value rewrite(ConcatOp concat, ArrayRef<Part> parts) {
    OpBuilder builder(concat);
    Operation *conv = parts.front().conv;
    const auto count = int64_t(parts.size());
    Operation *grouped = buildConv(builder, parts);
    if (!grouped) {
      miss(conv, count,
           "the filters are neither constants nor consecutive "
           "slices of one tensor");
      return {};
    }
    // What follows the convolutions is the same work once instead of in parts:
    // only convolutions are compared.
    Picoseconds before = 0;
    const Picoseconds after = time->of(grouped);
    for (const Part &part : parts)
      before += time->of(part.conv);
    Value result = follow(builder, grouped->getResult(0), parts);
    if (!result || after > before) {
      miss(conv, count,
           result ? "it would take " + time->change(before, after)
                  : "numbers per channel are neither constants nor consecutive "
                    "slices of one tensor");
      // Unused ops go with all that only they read.
      eraseUnused(result ? result.getDefiningOp() : grouped);
      return {};
    }
    if (explains(concat))
      remark::passed(conv->getLoc(), remark::RemarkOpts::name("group").category(
                                         groupConvolutionsCategory))
          << remark::add("made one convolution in {0} groups of {1} "
                         "convolutions of slices, {2}",
                         grouped->getAttrOfType<IntegerAttr>("groups").getInt(),
                         count, time->saving(before - after));
    ++numGrouped;
    numParts += unsigned(count);
    return result;
  }

  /// The ops that followed each part, once on all of them; null if some of
  /// their operands cannot be joined.
  static Value follow(OpBuilder &builder, Value value, ArrayRef<Part> parts) {
    const Part &first = parts.front();
    // All operands before any op, so that there is nothing to take back.
    SmallVector<SmallVector<Value>> operands(first.steps.size());
    for (auto [s, step] : llvm::enumerate(first.steps))
      for (unsigned n = 0; n < step.op->getNumOperands(); ++n) {
        SmallVector<Value> values;
        for (const Part &part : parts)
          values.push_back(part.steps[s].op->getOperand(n));
        const int64_t channels = sizeAlong(step.op->getResult(0), step.axis);
        Value operand = values.front();
        if (n != step.operand &&
            joining(values, step.axis, channels) == Joining::Joined)
          operand = joined(builder, step.op->getLoc(), values, step.axis);
        if (!operand)
          return {};
        operands[s].push_back(operand);
      }
    // From the convolution outwards: steps were found from the concatenation
    // inwards.
    for (size_t s = first.steps.size(); s-- > 0;) {
      const Step &step = first.steps[s];
      operands[s][step.operand] = value;
      Operation *copy = builder.clone(*step.op);
      copy->setOperands(operands[s]);
      copy->getResult(0).setType(resized(
          copy->getResult(0), step.axis,
          int64_t(parts.size()) * sizeAlong(copy->getResult(0), step.axis)));
      value = copy->getResult(0);
    }
    return value;
  }

  std::optional<DeviceTime> time;
};

} // namespace
} // namespace gaudi
