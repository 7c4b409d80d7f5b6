// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what a kernel does: types and visibility of every value.
#include "Context.h"

#include "Gaudi/Kernel/Rounding.h"
#include "Gaudi/Support/CheckedMath.h"

#include <algorithm>
#include <cassert>

namespace gaudi::recipe {
namespace {

bool isInteger(ElementType type) {
  return isKernelType(type) && type != ElementType::F32;
}
bool isNumber(ElementType type) {
  return isInteger(type) && type != ElementType::I1;
}
bool fits(uint64_t bits, ElementType type) {
  return kernelBits(type) == 64 || bits >> kernelBits(type) == 0;
}

/// One pass over the stages of a kernel, which numbers values as it goes:
/// instructions of a stage, then the results of its reductions. Invariant:
/// `values` holds all values defined so far, so an operand is valid if its
/// number is smaller than the next one and it is visible. Values of a stage
/// with loops exist once per iteration and end with it; only the results of its
/// reductions stay visible.
class StageVerifier {
public:
  StageVerifier(const Kernel &kernel, KernelInfo &info)
      : kernel(kernel), info(info) {}

  Status run() {
    Items stages = items(kernel.stages());
    // The bound on its work is a bound per stage.
    if (stages.empty())
      return fail("{} has no stages", info.label);
    std::vector<uint32_t> storesOf(info.types.size() - info.inputs, 0);
    info.stores.resize(storesOf.size());
    info.loads.resize(info.inputs);
    loadOf.assign(info.accesses.size(), notLoaded);
    for (stageIndex = 0; stageIndex < stages.size(); ++stageIndex) {
      stage = stages[stageIndex];
      stageLabel = fmt::format("{}, stage {}", info.label, stageIndex);
      GAUDI_TRY(verifyStage(storesOf));
    }
    for (uint32_t i = 0; i < storesOf.size(); ++i)
      if (storesOf[i] != 1)
        return fail("{}: output {} has {} stores, expected 1", info.label, i,
                    storesOf[i]);
    return verifySize();
  }

private:
  struct Value {
    ElementType type;
    bool visible;
    // Steps of `clock`: a value is live from its definition to its last use.
    uint32_t defined;
    uint32_t lastUse;
  };
  static constexpr uint32_t notLoaded = UINT32_MAX;

  const Kernel &kernel;
  KernelInfo &info;
  std::vector<Value> values;
  uint64_t work = 0;
  uint32_t clock = 0; // one step per instruction and per end of a stage
  std::vector<uint32_t> loadOf; // per access: its place in info.loads
  // Of the current stage.
  const Stage *stage = nullptr;
  uint32_t stageIndex = 0;
  std::string stageLabel;
  std::vector<bool> usable; // kernel dimensions whose index has a value
  uint32_t firstValue = 0;
  uint32_t stageEnd = 0; // step of the clock

  void define(ElementType type) {
    values.push_back({type, true, clock, clock});
  }

  /// Notes a use. What comes from before a loop stays live in all of it: the
  /// next iteration reads it again.
  Status needValue(uint64_t value, const Label &label) {
    if (value >= values.size())
      return fail("{} uses value %{} before it has been computed", label,
                  value);
    if (!values[value].visible)
      return fail(
          "{} uses value %{}, which was local to an earlier stage with loops",
          label, value);
    const bool outlivesLoop =
        value < firstValue && !items(stage->loops()).empty();
    Value &used = values[value];
    used.lastUse = std::max(used.lastUse, outlivesLoop ? stageEnd : clock);
    return {};
  }

  Status needType(uint32_t value, ElementType type, const Label &label) {
    GAUDI_TRY(needValue(value, label));
    if (values[value].type != type)
      return fail("{}: expected %{} to be {} but it is {}", label, value,
                  elementName(type), elementName(values[value].type));
    return {};
  }

  Status verifyStage(std::vector<uint32_t> &storesOf) {
    GAUDI_TRY(verifyLoops());
    firstValue = uint32_t(values.size());
    Items insts = items(stage->insts());
    stageEnd = clock + insts.size();
    GAUDI_TRY(verifyInits());
    for (uint32_t i = 0; i < insts.size(); ++i)
      GAUDI_TRY(verifyInst(*insts[i]));
    assert(clock == stageEnd && "one step per instruction");
    GAUDI_TRY(verifyStores(storesOf));
    GAUDI_TRY(finishReductions());
    ++clock;
    return {};
  }

  /// Bounds the time to compile the kernel, and the stack frame of its code.
  Status verifySize() const {
    const uint64_t weight = compileWeight(kernel);
    if (weight > maxKernelWeight)
      return fail("{} has a weight of {}, expected at most {}; split it into "
                  "several kernels",
                  info.label, weight, maxKernelWeight);
    // How many more values are live at a step than at the one before: a sweep
    // over the ends of all live ranges, linear in values and steps.
    std::vector<int64_t> change(size_t(clock) + 2, 0);
    for (const Value &value : values) {
      assert(value.defined <= value.lastUse && value.lastUse <= clock);
      ++change[value.defined];
      --change[value.lastUse + 1];
    }
    int64_t live = 0, most = 0;
    for (const int64_t difference : change)
      most = std::max(most, live += difference);
    if (most > int64_t(maxLiveValues))
      return fail(
          "{} has {} values that are live at once, expected at most {}; "
          "split it into several kernels",
          info.label, most, maxLiveValues);
    return {};
  }

  /// A dimension is usable in a stage if it is parallel or looped over, each
  /// once. The instructions executed over all stages are bounded, so that every
  /// launch ends; each factor is at most 2^48 and the product is checked.
  Status verifyLoops() {
    usable = info.parallel;
    info.stageLoops.emplace_back();
    for (uint8_t d : items(stage->loops())) {
      if (d >= info.extents.size())
        return fail("{} loops over dimension {} but the kernel has {}",
                    stageLabel, unsigned(d), info.extents.size());
      if (usable[d])
        return fail("{} loops over dimension {}{}", stageLabel, unsigned(d),
                    info.parallel[d] ? ", which is parallel" : " twice");
      usable[d] = true;
      info.stageLoops.back().push_back(d);
    }
    // A point without instructions still takes a step.
    std::optional<uint64_t> points = uint64_t(items(stage->insts()).size()) + 1;
    for (size_t d = 0; d < info.extents.size() && points; ++d)
      if (usable[d])
        points = checkedMul<uint64_t>(*points, info.extents[d]);
    if (points)
      points = checkedAdd(work, *points);
    if (!points || *points > maxKernelWork)
      return fail("{} executes more than 2^40 instructions in a launch, the "
                  "limit of the format; smaller tensors take fewer",
                  info.label);
    work = *points;
    return {};
  }

  /// Initial values come from before the stage. They are used at its first
  /// step, and by code that sets up the accumulators.
  Status verifyInits() {
    Items reductions = items(stage->reductions());
    if (!reductions.empty() && items(stage->loops()).empty())
      return fail("{} reduces without a loop", stageLabel);
    for (uint32_t i = 0; i < reductions.size(); ++i) {
      const LazyLabel label(
          [&] { return fmt::format("{}, reduction {}", stageLabel, i); });
      if (reductions[i]->op() > ReduceOp::MAX)
        return fail("{} has unknown operator {}", label,
                    unsigned(reductions[i]->op()));
      GAUDI_TRY(needValue(reductions[i]->init(), label));
    }
    return {};
  }

  /// A use of an access here: its indices must have values.
  Status verifyAccessUse(uint32_t access, const Label &label) {
    const AccessInfo &use = info.accesses[access];
    for (const AccessDimInfo &dim : use.dims) {
      if (dim.value >= 0)
        GAUDI_TRY(needType(uint32_t(dim.value), ElementType::I64, label));
      for (unsigned d = 0; d < dim.index.size(); ++d)
        if (dim.index[d] != 0 && !usable[d])
          return fail("{} uses sequential dimension {}, which its stage does "
                      "not loop over",
                      label, d);
    }
    return {};
  }

  Status verifyInst(const Inst &inst) {
    const LazyLabel label([&] {
      return fmt::format("{}, %{} = {}", stageLabel, values.size(),
                         wordOf(inst.op(), EnumNamesOp(), Op::MAX));
    });
    const OpFamily family = familyOf(inst.op());
    if (family == OpFamily::Unknown)
      return fail("{}: unknown opcode {}", label, unsigned(inst.op()));
    if (!isKernelType(inst.type()))
      return fail(
          "{}: the result may not be {}; expected f32, i64, i32, i16, i8 or i1",
          label, elementName(inst.type()));
    GAUDI_TRY(checkUnused(inst, family, label));
    const uint32_t operands[] = {inst.a(), inst.b(), inst.c()};
    for (unsigned i = 0; i < valueOperands(family); ++i)
      GAUDI_TRY(needValue(operands[i], label));
    GAUDI_TRY(checkTypes(inst, family, label));
    define(inst.type());
    ++clock;
    return {};
  }

  /// Fields without a meaning are 0, so that a later version may give them one
  /// and no two encodings mean the same.
  static Status checkUnused(const Inst &inst, OpFamily family,
                            const Label &label) {
    const bool usesA = family != OpFamily::Const;
    const bool usesImm = family == OpFamily::Const ||
                         family == OpFamily::CmpF || family == OpFamily::CmpI ||
                         family == OpFamily::RoundTo ||
                         family == OpFamily::RoundBy;
    const unsigned count = valueOperands(family);
    if ((!usesA && inst.a() != 0) || (count < 2 && inst.b() != 0) ||
        (count < 3 && inst.c() != 0) || (!usesImm && inst.imm() != 0))
      return fail("{}: a field that the opcode does not use is not 0", label);
    return {};
  }

  Status checkTypes(const Inst &inst, OpFamily family, const Label &label) {
    const ElementType type = inst.type();
    auto result = [&](bool allowed) -> Status {
      if (!allowed)
        return fail("{}: the result may not be {}", label, elementName(type));
      return {};
    };
    // The result is allowed and value operands from `first` on have its type.
    auto uniform = [&](bool allowed, unsigned first = 0) -> Status {
      GAUDI_TRY(result(allowed));
      const uint32_t operands[] = {inst.a(), inst.b(), inst.c()};
      for (unsigned i = first; i < valueOperands(family); ++i)
        GAUDI_TRY(needType(operands[i], type, label));
      return {};
    };
    auto source = [&](bool allowed, const char *expected) -> Status {
      if (!allowed)
        return fail("{}: expected %{} to be {} but it is {}", label, inst.a(),
                    expected, elementName(values[inst.a()].type));
      return {};
    };
    // Operands were checked before; an opcode without any converts nothing.
    const ElementType from =
        valueOperands(family) ? values[inst.a()].type : type;
    switch (family) {
    case OpFamily::Const:
      if (!fits(inst.imm(), type))
        return fail("{}: the constant does not fit {}", label,
                    elementName(type));
      return {};
    case OpFamily::Index:
      if (inst.a() >= usable.size() || !usable[inst.a()])
        return fail(
            "{}: dimension {} is neither parallel nor a loop of the stage",
            label, inst.a());
      return result(type == ElementType::I64);
    case OpFamily::Load:
      return checkLoad(inst, label);
    case OpFamily::Carry:
      return checkCarry(inst, label);
    case OpFamily::Float1:
    case OpFamily::Float2:
    case OpFamily::Float3:
      return uniform(type == ElementType::F32);
    case OpFamily::Int1:
    case OpFamily::Int2:
      return uniform(isNumber(type));
    case OpFamily::Logic2:
      return uniform(isInteger(type));
    case OpFamily::CmpF:
    case OpFamily::CmpI:
      return checkCompare(inst, family, label);
    case OpFamily::Select:
      // The condition is no value of the result's type, the other two are.
      GAUDI_TRY(needType(inst.a(), ElementType::I1, label));
      return uniform(true, 1);
    case OpFamily::FloatToInt:
      GAUDI_TRY(source(from == ElementType::F32, "f32"));
      return result(isNumber(type));
    case OpFamily::SIToFloat:
      GAUDI_TRY(source(isNumber(from), "i8 to i64"));
      return result(type == ElementType::F32);
    case OpFamily::UIToFloat:
      GAUDI_TRY(source(isInteger(from), "an integer"));
      return result(type == ElementType::F32);
    case OpFamily::Extend:
      GAUDI_TRY(result(isNumber(type)));
      // Strictly narrower: an extension to the same width is no instruction.
      return source(isInteger(from) && kernelBits(from) < kernelBits(type),
                    "a narrower integer");
    case OpFamily::Truncate:
      GAUDI_TRY(result(isInteger(type)));
      return source(isInteger(from) && kernelBits(from) > kernelBits(type),
                    "a wider integer");
    case OpFamily::RoundTo:
      if (inst.imm() > uint64_t(ElementType::MAX) ||
          !isFloat(ElementType(inst.imm())))
        return fail("{}: number {} is no float type", label, inst.imm());
      return uniform(type == ElementType::F32);
    case OpFamily::RoundBy:
      if (!kernel::RoundBy::decoded(inst.imm()))
        return fail("{}: number {} is no rounding to a narrow float", label,
                    inst.imm());
      GAUDI_TRY(source(from == ElementType::F32, "f32"));
      GAUDI_TRY(needType(inst.b(), ElementType::I32, label));
      return result(type == ElementType::F32);
    case OpFamily::BitcastFI:
      GAUDI_TRY(source(from == ElementType::F32, "f32"));
      return result(type == ElementType::I32);
    case OpFamily::BitcastIF:
      GAUDI_TRY(source(from == ElementType::I32, "i32"));
      return result(type == ElementType::F32);
    case OpFamily::Unknown:
      break;
    }
    return fail("{}: unknown opcode", label);
  }

  Status checkLoad(const Inst &inst, const Label &label) {
    if (inst.a() >= info.accesses.size())
      return fail("{}: access {} but the kernel has {}", label, inst.a(),
                  info.accesses.size());
    const uint32_t operand = info.accesses[inst.a()].operand;
    if (operand >= info.inputs)
      return fail("{} reads output {}", label, operand - info.inputs);
    if (inst.type() != kernelType(info.types[operand]))
      return fail("{}: a load of {} gives {} but the result is {}", label,
                  elementName(info.types[operand]),
                  elementName(kernelType(info.types[operand])),
                  elementName(inst.type()));
    // Stages come in order, so the last load of an access decides.
    if (loadOf[inst.a()] == notLoaded) {
      loadOf[inst.a()] = uint32_t(info.loads[operand].size());
      info.loads[operand].push_back({inst.a(), stageIndex});
    }
    info.loads[operand][loadOf[inst.a()]].stage = stageIndex;
    return verifyAccessUse(inst.a(), label);
  }

  Status checkCarry(const Inst &inst, const Label &label) const {
    Items reductions = items(stage->reductions());
    if (inst.a() >= reductions.size() ||
        reductions[inst.a()]->op() != ReduceOp::Custom)
      return fail("{}: reduction {} is no custom reduction of the stage", label,
                  inst.a());
    const ElementType type = values[reductions[inst.a()]->init()].type;
    if (inst.type() != type)
      return fail("{}: expected the type of its initial value, {}, but got {}",
                  label, elementName(type), elementName(inst.type()));
    return {};
  }

  /// Predicates are numbered for floats and integers together (Recipe.fbs):
  /// from EQ to GE for both, from ULT to UGE for unsigned integers, then for
  /// floats that may be NaN. i1 has no signed order.
  Status checkCompare(const Inst &inst, OpFamily family, const Label &label) {
    const ElementType from = values[inst.a()].type;
    const bool floats = family == OpFamily::CmpF;
    if (floats ? from != ElementType::F32 : !isInteger(from))
      return fail("{}: expected %{} to be {} but it is {}", label, inst.a(),
                  floats ? "f32" : "an integer", elementName(from));
    GAUDI_TRY(needType(inst.b(), from, label));
    const uint64_t imm = inst.imm();
    const bool equality = imm <= uint64_t(CmpPredicate::NE);
    const bool ordered = imm <= uint64_t(CmpPredicate::GE);
    const bool unsignedOrder = imm >= uint64_t(CmpPredicate::ULT) &&
                               imm <= uint64_t(CmpPredicate::UGE);
    const bool allowed =
        floats
            ? imm <= uint64_t(CmpPredicate::MAX) && !unsignedOrder
            : equality || unsignedOrder || (ordered && from != ElementType::I1);
    if (!allowed)
      return fail("{}: predicate {} does not compare {}", label, imm,
                  elementName(from));
    if (inst.type() != ElementType::I1)
      return fail("{}: the result may not be {}", label,
                  elementName(inst.type()));
    return {};
  }

  Status verifyStores(std::vector<uint32_t> &storesOf) {
    Items stores = items(stage->stores());
    for (uint32_t i = 0; i < stores.size(); ++i) {
      const LazyLabel label(
          [&] { return fmt::format("{}, store {}", stageLabel, i); });
      const uint32_t access = stores[i]->access();
      if (access >= info.accesses.size())
        return fail("{}: access {} but the kernel has {}", label, access,
                    info.accesses.size());
      const AccessInfo &use = info.accesses[access];
      if (use.operand < info.inputs)
        return fail("{} writes input {}", label, use.operand);
      for (const AccessDimInfo &dim : use.dims)
        if (dim.value >= 0 || dim.boundary != Boundary::Inside)
          return fail("{}: expected every index to be affine and inside",
                      label);
      GAUDI_TRY(verifyAccessUse(access, label));
      GAUDI_TRY(needType(stores[i]->value(),
                         kernelType(info.types[use.operand]), label));
      // Exactly one store per output, counted at the end: launches prove that
      // it covers the tensor, which two stores would have to share.
      const uint32_t output = use.operand - info.inputs;
      ++storesOf[output];
      info.stores[output] = {access, stageIndex};
    }
    return {};
  }

  static bool allowsType(ReduceOp op, ElementType type) {
    switch (op) {
    case ReduceOp::Custom:
      return true;
    case ReduceOp::MaxNum:
    case ReduceOp::MinNum:
      return type == ElementType::F32;
    case ReduceOp::MaxU:
    case ReduceOp::MinU:
      return isNumber(type);
    case ReduceOp::And:
    case ReduceOp::Or:
    case ReduceOp::Xor:
      return isInteger(type);
    default:
      return type == ElementType::F32 || isNumber(type);
    }
  }

  /// Checks what the reductions take and numbers their results.
  Status finishReductions() {
    // Results of reductions come after: they are not among the values that the
    // stage computes.
    const uint32_t lastValue = uint32_t(values.size());
    auto local = [&](uint32_t value, const Label &label) -> Status {
      if (value < firstValue || value >= lastValue)
        return fail("{}: %{} is no value of the stage", label, value);
      return {};
    };
    // Hidden before the results are defined, which stay visible.
    if (!items(stage->loops()).empty())
      for (uint32_t i = firstValue; i < lastValue; ++i)
        values[i].visible = false;
    Items reductions = items(stage->reductions());
    for (uint32_t i = 0; i < reductions.size(); ++i) {
      const Reduction &reduction = *reductions[i];
      const LazyLabel label(
          [&] { return fmt::format("{}, reduction {}", stageLabel, i); });
      const ElementType type = values[reduction.init()].type;
      GAUDI_TRY(local(reduction.value(), label));
      values[reduction.value()].lastUse = clock;
      // The accumulator has one type, from the initial value on.
      if (values[reduction.value()].type != type)
        return fail("{}: the value is {} but the initial value {}", label,
                    elementName(values[reduction.value()].type),
                    elementName(type));
      if (!allowsType(reduction.op(), type))
        return fail("{}: {} does not reduce {}", label,
                    lowerCase(EnumNameReduceOp(reduction.op())),
                    elementName(type));
      const bool positions = hasPosition(reduction.op());
      if (!positions && reduction.position() != 0)
        return fail("{}: a position without argmax or argmin", label);
      if (positions) {
        GAUDI_TRY(local(reduction.position(), label));
        values[reduction.position()].lastUse = clock;
        if (values[reduction.position()].type != ElementType::I64)
          return fail("{}: the position is {}, expected i64", label,
                      elementName(values[reduction.position()].type));
      }
      define(type);
      if (positions)
        define(ElementType::I64);
    }
    return {};
  }
};

} // namespace

Status verifyStages(const Kernel &kernel, KernelInfo &info) {
  return StageVerifier(kernel, info).run();
}

} // namespace gaudi::recipe
