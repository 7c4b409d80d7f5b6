// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of autocast for gaudi ops.
#include "Gaudi/Transforms/AutocastPlan.h"
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/NeutralElements.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/SourceOp.h"
#include "Gaudi/Support/DeviceFormats.h"
#include "NarrowValues.h"
#include "NormUnits.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace gaudi;

/// Whether a value has no say in the type of an op that reads it, as Python's
/// numbers have none. Ops of PyTorch say which of their operands are numbers
/// (SourceOp); of other dialects, it is what has one number however shaped.
static bool isNumber(Value value, bool isOfTorch) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<ConstantOp>(op)) {
      auto values = ConstantValues::of(value);
      return values &&
             (values->size() == 1 || (!isOfTorch && values->isSplat()));
    }
    if (isa<FillOp>(op))
      return !sourceOpOf(op);
    if (!isa<BroadcastOp, ReshapeOp>(op) || (isOfTorch && sourceOpOf(op)))
      break;
    value = op->getOperand(0);
  }
  return !isOfTorch && tensorType(value).getRank() == 0;
}

/// The name that ATen has for an op that did not come from PyTorch.
static std::string nameOf(Operation *op) {
  auto convolution = [&](const char *prefix) {
    const int64_t rank = tensorType(op->getOperand(0)).getRank();
    return prefix + std::to_string(std::max<int64_t>(rank - 2, 1)) + "d";
  };
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([](GemmOp) { return std::string("matmul"); })
      .Case<ConvOp, ConvWeightGradOp>([&](auto) { return convolution("conv"); })
      .Case([&](ConvInputGradOp) { return convolution("conv_transpose"); })
      .Case<SdpaOp, SdpaGradOp>(
          [](auto) { return std::string("scaled_dot_product_attention"); })
      .Case([](ConcatOp) { return std::string("cat"); })
      .Case([](TopKOp) { return std::string("topk"); })
      .Case([](ReduceOp reduce) {
        return stringifyReduceKind(reduce.getKind()).str();
      })
      .Default([](Operation *other) {
        StringRef name = other->getName().getStringRef();
        return name.substr(name.rfind('.') + 1).str();
      });
}

/// Ops whose results only states are computed from, but for those that
/// `endsAt` holds for, and what is before them. Empty for functions without
/// states.
static llvm::DenseSet<Operation *>
opsBehindStates(func::FuncOp function,
                llvm::function_ref<bool(Operation *)> endsAt) {
  llvm::DenseSet<Operation *> found;
  llvm::DenseSet<unsigned> states;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (isState(function, i))
      if (auto result = stateResult(function, i))
        states.insert(*result);
  Block &block = function.getBody().front();
  for (Operation &op : llvm::reverse(block.without_terminator()))
    if (!states.empty() && !op.use_empty() && !endsAt(&op) &&
        llvm::all_of(op.getUses(), [&](OpOperand &use) {
          return use.getOwner() == block.getTerminator()
                     ? states.contains(use.getOperandNumber())
                     : found.contains(use.getOwner());
        }))
      found.insert(&op);
  return found;
}

/// Ops from which states become what they are next, and nothing else: they are
/// left as they are, with the sums before them, but not products.
static llvm::DenseSet<Operation *> updateOps(func::FuncOp function) {
  return opsBehindStates(function, [](Operation *op) {
    return isScalable(op) || isa<SdpaOp, SdpaGradOp>(op);
  });
}

/// What a unit reads from others, and what others read of it.
static void findBoundary(AutocastUnit &unit) {
  llvm::SmallPtrSet<Operation *, 8> own(unit.ops.begin(), unit.ops.end());
  llvm::SmallSetVector<Value, 4> reads;
  for (Operation *op : unit.ops) {
    const auto source = sourceOpOf(op);
    if (source) {
      unit.constantRank = std::max(unit.constantRank, source->constantRank);
      unit.givesF32 |= source->givesF32;
    }
    for (Value operand : op->getOperands())
      if (isF32(operand) && !own.contains(operand.getDefiningOp()) &&
          !isNumber(operand, source.has_value()))
        reads.insert(operand);
    for (Value result : op->getResults())
      if (isF32(result) &&
          llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !own.contains(user); }))
        unit.results.push_back(result);
  }
  unit.reads.assign(reads.begin(), reads.end());
}

std::vector<AutocastUnit> gaudi::autocastUnits(func::FuncOp function) {
  Block &block = function.getBody().front();
  std::vector<AutocastUnit> units;
  llvm::DenseMap<int64_t, size_t> numberOfSource;
  llvm::DenseMap<Operation *, size_t> unitOf;
  for (NormUnit &norm : findNormUnits(block)) {
    for (Operation *op : norm.ops)
      unitOf[op] = units.size();
    units.emplace_back().name = std::move(norm.name);
  }
  for (Operation &op : block.without_terminator()) {
    if (isa<ConstantOp>(op) || !isa_and_present<GaudiDialect>(op.getDialect()))
      continue;
    size_t number = units.size();
    if (auto source = sourceOpOf(&op)) {
      number = numberOfSource.try_emplace(source->number, number).first->second;
      if (number == units.size())
        units.emplace_back().name = source->name.str();
    } else if (auto found = unitOf.find(&op); found != unitOf.end()) {
      number = found->second;
    } else {
      units.emplace_back().name = nameOf(&op);
    }
    units[number].ops.push_back(&op);
  }
  const llvm::DenseSet<Operation *> updates = updateOps(function);
  for (AutocastUnit &unit : units) {
    findBoundary(unit);
    unit.isUpdate = llvm::all_of(
        unit.ops, [&](Operation *op) { return updates.contains(op); });
    if (!sourceOpOf(unit.ops.front()))
      continue;
    size_t spatial = 0;
    for (Operation *op : unit.ops)
      if (isa<ConvOp, ConvInputGradOp, ConvWeightGradOp>(op))
        spatial =
            std::max<int64_t>(tensorType(op->getOperand(0)).getRank() - 2, 1);
    unit.name = autocastName(std::string_view(unit.name), spatial);
  }
  llvm::erase_if(units, [](const AutocastUnit &unit) {
    return unit.reads.empty() && unit.results.empty();
  });
  // What a unit reads is decided before it: its last op comes after all of
  // them.
  llvm::sort(units, [](const AutocastUnit &a, const AutocastUnit &b) {
    return a.ops.back()->isBeforeInBlock(b.ops.back());
  });
  return units;
}

/// A sum that belongs to no norm, in a model that does not say an op of
/// PyTorch.
static bool isPlainSum(const AutocastUnit &unit) {
  Operation *op = unit.ops.front();
  if (sourceOpOf(op) || unit.ops.size() != 1)
    return false;
  auto reduce = dyn_cast<ReduceOp>(op);
  return isa<CumulativeSumOp>(op) ||
         (reduce && (reduce.getKind() == ReduceKind::Sum ||
                     reduce.getKind() == ReduceKind::Mean ||
                     reduce.getKind() == ReduceKind::Prod));
}

/// What a unit writes to, if it is an op such as add_: its first operand. Null
/// if it is none.
static Value writtenBy(const AutocastUnit &unit) {
  if (!StringRef(unit.name).ends_with("_"))
    return {};
  Value value = unit.ops.back()->getResult(0);
  while (Operation *op = value.getDefiningOp()) {
    if (!llvm::is_contained(unit.ops, op) || op->getNumOperands() == 0)
      break;
    value = op->getOperand(0);
  }
  return llvm::is_contained(unit.reads, value) ? value : Value();
}

double AutocastScaling::scaleFor(double amax) const {
  if (!std::isfinite(amax))
    return 1;
  // Rounded as the device does it.
  const double ratio = float(largest) / float(amax);
  return std::exp2(std::clamp(
      std::floor(double(float(std::log2(ratio)))) - margin, -126.0, 126.0));
}

bool gaudi::isScalable(Operation *op) {
  return isa<GemmOp, ConvOp, ConvInputGradOp, ConvWeightGradOp>(op);
}

Value gaudi::movedBy(Operation *op) {
  auto pad = dyn_cast<PadOp>(op);
  const bool isMove =
      isa<TransposeOp, ReshapeOp, BroadcastOp, SliceOp, CopyOp, ReverseOp>(op);
  if (!isMove && !(pad && (!pad.getValue() || isZero(*pad.getValue()))))
    return {};
  return op->getOperand(0);
}

/// What a product's operand is before the moves of its unit.
static Value sourceOf(Value value, const AutocastUnit &unit) {
  while (Operation *op = value.getDefiningOp()) {
    Value moved = llvm::is_contained(unit.ops, op) ? movedBy(op) : Value();
    if (!moved)
      break;
    value = moved;
  }
  return value;
}

/// Values that a unit may read in 8 bits, if those are all factors of its
/// products and nothing else reads them: else none.
static SmallVector<Value> factorsOf(const AutocastUnit &unit) {
  llvm::SmallSetVector<Value, 4> factors;
  for (Operation *op : unit.ops)
    if (isScalable(op))
      for (Value operand : op->getOperands()) {
        Value source = sourceOf(operand, unit);
        if (!llvm::is_contained(unit.reads, source))
          return {};
        factors.insert(source);
      }
  for (Operation *op : unit.ops) {
    // What moves a factor is read by products, or moved again.
    const bool passesOn = isScalable(op) || movedBy(op);
    if (!passesOn && llvm::any_of(op->getOperands(), [&](Value operand) {
          return factors.contains(sourceOf(operand, unit));
        }))
      return {};
  }
  // Nor does anybody else read what was moved.
  for (Operation *op : unit.ops)
    if (movedBy(op) && factors.contains(sourceOf(op->getResult(0), unit)) &&
        llvm::is_contained(unit.results, op->getResult(0)))
      return {};
  return SmallVector<Value>(factors.begin(), factors.end());
}

/// Which units of the lower type read 8 bits.
static void scale(func::FuncOp function, ArrayRef<AutocastUnit> units,
                  const EightBitsSetting &setting, StringRef device,
                  MutableArrayRef<AutocastTypes> types) {
  // A product from which only states come is one of the backward pass.
  const llvm::DenseSet<Operation *> backward =
      opsBehindStates(function, [](Operation *) { return false; });
  MLIRContext *context = function.getContext();
  for (auto [unit, type] : llvm::zip_equal(units, types)) {
    auto product = llvm::find_if(unit.ops, isScalable);
    if (product == unit.ops.end() || !type.results)
      continue;
    if (setting.names.find(unit.name) == setting.names.end()) {
      type.reason += ", not in that of 8 bits";
      continue;
    }
    type.scaling.values = factorsOf(unit);
    if (type.scaling.values.empty()) {
      type.reason += "; 8 bits need factors that other ops give";
      continue;
    }
    const bool isWide = setting.isHybrid && backward.contains(*product);
    type.scaling.type = isWide ? FloatType(Float8E5M2Type::get(context))
                               : FloatType(Float8E4M3FNType::get(context));
    type.scaling.largest =
        largestOn(device, isWide ? formatF8E5M2 : formatF8E4M3FN);
    type.scaling.margin = setting.margin;
    type.reason = std::string("it is in the list of 8 bits") +
                  (isWide ? ", and of the backward pass" : "");
  }
}

std::vector<AutocastTypes> gaudi::autocastTypes(func::FuncOp function,
                                                ArrayRef<AutocastUnit> units,
                                                const AutocastSetting &setting,
                                                StringRef device) {
  const AutocastLists &lists = setting.lists;
  const FloatType lower = lowerTypeOf(setting, function.getContext());
  std::vector<AutocastTypes> types(units.size());
  llvm::DenseMap<Value, FloatType> stored;
  for (auto [unit, type] : llvm::zip_equal(units, types)) {
    type.rule = lists.ruleOf(unit.name);
    if (unit.isUpdate) {
      type.reason = "it updates a state";
    } else if (isPlainSum(unit)) {
      type.rule = AutocastRule::Float;
      type.reason = "it is a sum or a mean by itself";
    } else if (Value written = writtenBy(unit)) {
      type.rule = AutocastRule::Given;
      type.results = stored.lookup(written);
      type.reason = std::string("it is in no list, and what it writes to is ") +
                    (type.results ? "of the lower type" : "f32");
    } else if (type.rule == AutocastRule::Float) {
      type.reason = "it is in the list of f32";
    } else if (unit.reads.empty()) {
      type.reason = "it reads no float";
    } else if (type.rule == AutocastRule::Lower) {
      type.reads = type.results = lower;
      type.reason = "it is in the list of the lower type";
    } else {
      // PyTorch's own promotion passes over tensors without dimensions, the
      // widest type of autocast does not.
      const bool isPromoted = type.rule == AutocastRule::Given;
      auto hasDimensions = [](Value read) {
        return tensorType(read).getRank() != 0;
      };
      const bool passesOver =
          isPromoted && llvm::any_of(unit.reads, hasDimensions);
      size_t narrow = 0, wide = unit.constantRank >= (isPromoted ? 1 : 0);
      for (Value read : unit.reads)
        if (!passesOver || hasDimensions(read))
          ++(stored.lookup(read) ? narrow : wide);
      const bool isNarrow = wide == 0;
      type.results = isNarrow ? lower : FloatType();
      type.reason = std::string(type.rule == AutocastRule::Widest
                                    ? "it takes the widest type, and "
                                    : "it is in no list, and ") +
                    (isNarrow || !narrow ? "what it reads is"
                                         : "some of what it reads is") +
                    (isNarrow ? " of the lower type" : " f32");
    }
    if (type.results && unit.givesF32) {
      type.results = {};
      type.reason += ", and its dtype is f32";
    }
    // Statistics, weights and biases stay.
    if (type.reads && autocastsFirstOnly(unit.name))
      for (Value result : unit.results)
        type.count = std::max(type.count, countOf(result));
    for (Value result : unit.results)
      if (FloatType given = type.givenAs(result))
        stored[result] = given;
  }
  if (setting.eightBits)
    scale(function, units, *setting.eightBits, device, types);
  return types;
}

FloatType gaudi::lowerTypeOf(const AutocastSetting &setting,
                             MLIRContext *context) {
  if (setting.type == "bf16")
    return BFloat16Type::get(context);
  if (setting.type == "f16")
    return Float16Type::get(context);
  return {};
}
