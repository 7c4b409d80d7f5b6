// Checks what a kernel does: types and visibility of every value.
#include "Context.h"

#include "Gaudi/Support/CheckedMath.h"

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

class StageVerifier {
public:
  StageVerifier(const Kernel &kernel, KernelInfo &info)
      : kernel(kernel), info(info) {}

  Status run() {
    Items stages = items(kernel.stages());
    std::vector<uint32_t> storesOf(info.types.size() - info.inputs, 0);
    info.stores.resize(storesOf.size());
    for (stageIndex = 0; stageIndex < stages.size(); ++stageIndex) {
      stage = stages[stageIndex];
      stageLabel = join(info.label, ", stage ", stageIndex);
      if (Status status = verifyStage(storesOf); !status)
        return status;
    }
    for (uint32_t i = 0; i < storesOf.size(); ++i)
      if (storesOf[i] != 1)
        return reject(info.label, ": output ", i, " has ", storesOf[i],
                      " stores, expected 1");
    return {};
  }

private:
  struct Value {
    ElementType type;
    bool visible;
  };

  const Kernel &kernel;
  KernelInfo &info;
  std::vector<Value> values;
  uint64_t work = 0;
  // Of the current stage.
  const Stage *stage = nullptr;
  uint32_t stageIndex = 0;
  std::string stageLabel;
  std::vector<bool> usable; // kernel dimensions whose index has a value
  uint32_t firstValue = 0;

  bool visible(uint64_t value) const {
    return value < values.size() && values[value].visible;
  }

  Status needValue(uint64_t value, Label label) const {
    if (value >= values.size())
      return reject(label, " uses value %", value,
                    " before it has been computed");
    if (!values[value].visible)
      return reject(label, " uses value %", value,
                    ", which was local to an earlier stage with loops");
    return {};
  }

  Status needType(uint32_t value, ElementType type, Label label) const {
    if (Status status = needValue(value, label); !status)
      return status;
    if (values[value].type != type)
      return reject(label, ": expected %", value, " to be ", elementName(type),
                    " but it is ", elementName(values[value].type));
    return {};
  }

  Status verifyStage(std::vector<uint32_t> &storesOf) {
    if (Status status = verifyLoops(); !status)
      return status;
    firstValue = uint32_t(values.size());
    if (Status status = verifyInits(); !status)
      return status;
    Items insts = items(stage->insts());
    for (uint32_t i = 0; i < insts.size(); ++i)
      if (Status status = verifyInst(*insts[i]); !status)
        return status;
    if (Status status = verifyStores(storesOf); !status)
      return status;
    return finishReductions();
  }

  Status verifyLoops() {
    usable = info.parallel;
    info.stageLoops.emplace_back();
    for (uint8_t d : items(stage->loops())) {
      if (d >= info.extents.size())
        return reject(stageLabel, " loops over dimension ", unsigned(d),
                      " but the kernel has ", info.extents.size());
      if (usable[d])
        return reject(stageLabel, " loops over dimension ", unsigned(d),
                      info.parallel[d] ? ", which is parallel" : " twice");
      usable[d] = true;
      info.stageLoops.back().push_back(d);
    }
    std::optional<uint64_t> points = uint64_t(items(stage->insts()).size()) + 1;
    for (size_t d = 0; d < info.extents.size() && points; ++d)
      if (usable[d])
        points = checkedMul<uint64_t>(*points, info.extents[d]);
    if (points)
      points = checkedAdd(work, *points);
    if (!points || *points > maxKernelWork)
      return reject(info.label, " executes more than 2^40 instructions");
    work = *points;
    return {};
  }

  Status verifyInits() {
    Items reductions = items(stage->reductions());
    if (!reductions.empty() && items(stage->loops()).empty())
      return reject(stageLabel, " reduces without a loop");
    for (uint32_t i = 0; i < reductions.size(); ++i) {
      const auto makeLabel = [&] {
        return join(stageLabel, ", reduction ", i);
      };
      const Label label(makeLabel);
      if (reductions[i]->op() > ReduceOp::MAX)
        return reject(label, " has unknown operator ",
                      unsigned(reductions[i]->op()));
      if (Status status = needValue(reductions[i]->init(), label); !status)
        return status;
    }
    return {};
  }

  /// A use of an access here: its indices must have values.
  Status verifyAccessUse(uint32_t access, Label label) const {
    const AccessInfo &use = info.accesses[access];
    for (const AccessDimInfo &dim : use.dims) {
      if (dim.value >= 0)
        if (Status status =
                needType(uint32_t(dim.value), ElementType::I64, label);
            !status)
          return status;
      for (size_t d = 0; d < dim.coefficients.size(); ++d)
        if (dim.coefficients[d] != 0 && !usable[d])
          return reject(label, " uses sequential dimension ", d,
                        ", which its stage does not loop over");
    }
    return {};
  }

  Status verifyInst(const Inst &inst) {
    const auto makeLabel = [&] {
      return join(stageLabel, ", %", values.size(), " = ",
                  wordOf(inst.op(), EnumNamesOp(), Op::MAX));
    };
    const Label label(makeLabel);
    const OpFamily family = familyOf(inst.op());
    if (family == OpFamily::Unknown)
      return reject(label, ": unknown opcode ", unsigned(inst.op()));
    if (!isKernelType(inst.type()))
      return reject(label, ": the result may not be ", elementName(inst.type()),
                    "; expected f32, i64, i32, i16, i8 or i1");
    if (Status status = checkUnused(inst, family, label); !status)
      return status;
    const uint32_t operands[] = {inst.a(), inst.b(), inst.c()};
    for (unsigned i = 0; i < valueOperands(family); ++i)
      if (Status status = needValue(operands[i], label); !status)
        return status;
    if (Status status = checkTypes(inst, family, label); !status)
      return status;
    values.push_back({inst.type(), true});
    return {};
  }

  static Status checkUnused(const Inst &inst, OpFamily family, Label label) {
    const bool usesA = family != OpFamily::Const;
    const bool usesImm = family == OpFamily::Const ||
                         family == OpFamily::CmpF || family == OpFamily::CmpI ||
                         family == OpFamily::RoundTo;
    const unsigned count = valueOperands(family);
    if ((!usesA && inst.a() != 0) || (count < 2 && inst.b() != 0) ||
        (count < 3 && inst.c() != 0) || (!usesImm && inst.imm() != 0))
      return reject(label, ": a field that the opcode does not use is not 0");
    return {};
  }

  Status checkTypes(const Inst &inst, OpFamily family, Label label) {
    const ElementType type = inst.type();
    auto result = [&](bool allowed) -> Status {
      if (!allowed)
        return reject(label, ": the result may not be ", elementName(type));
      return {};
    };
    // The result is allowed and value operands from `first` on have its type.
    auto uniform = [&](bool allowed, unsigned first = 0) -> Status {
      if (Status status = result(allowed); !status)
        return status;
      const uint32_t operands[] = {inst.a(), inst.b(), inst.c()};
      for (unsigned i = first; i < valueOperands(family); ++i)
        if (Status status = needType(operands[i], type, label); !status)
          return status;
      return {};
    };
    auto source = [&](bool allowed, const char *expected) -> Status {
      if (!allowed)
        return reject(label, ": expected %", inst.a(), " to be ", expected,
                      " but it is ", elementName(values[inst.a()].type));
      return {};
    };
    const ElementType from = valueOperands(family) && visible(inst.a())
                                 ? values[inst.a()].type
                                 : type;
    switch (family) {
    case OpFamily::Const:
      if (!fits(inst.imm(), type))
        return reject(label, ": the constant does not fit ", elementName(type));
      return {};
    case OpFamily::Index:
      if (inst.a() >= usable.size() || !usable[inst.a()])
        return reject(label, ": dimension ", inst.a(),
                      " is neither parallel nor a loop of the stage");
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
      if (Status status = needType(inst.a(), ElementType::I1, label); !status)
        return status;
      return uniform(true, 1);
    case OpFamily::FloatToInt:
      if (Status status = source(from == ElementType::F32, "f32"); !status)
        return status;
      return result(isNumber(type));
    case OpFamily::SIToFloat:
      if (Status status = source(isNumber(from), "i8 to i64"); !status)
        return status;
      return result(type == ElementType::F32);
    case OpFamily::UIToFloat:
      if (Status status = source(isInteger(from), "an integer"); !status)
        return status;
      return result(type == ElementType::F32);
    case OpFamily::Extend:
      if (Status status = result(isNumber(type)); !status)
        return status;
      return source(isInteger(from) && kernelBits(from) < kernelBits(type),
                    "a narrower integer");
    case OpFamily::Truncate:
      if (Status status = result(isInteger(type)); !status)
        return status;
      return source(isInteger(from) && kernelBits(from) > kernelBits(type),
                    "a wider integer");
    case OpFamily::RoundTo:
      if (inst.imm() > uint64_t(ElementType::MAX) ||
          !isFloat(ElementType(inst.imm())))
        return reject(label, ": number ", inst.imm(), " is no float type");
      return uniform(type == ElementType::F32);
    case OpFamily::BitcastFI:
      if (Status status = source(from == ElementType::F32, "f32"); !status)
        return status;
      return result(type == ElementType::I32);
    case OpFamily::BitcastIF:
      if (Status status = source(from == ElementType::I32, "i32"); !status)
        return status;
      return result(type == ElementType::F32);
    case OpFamily::Unknown:
      break;
    }
    return reject(label, ": unknown opcode");
  }

  Status checkLoad(const Inst &inst, Label label) {
    if (inst.a() >= info.accesses.size())
      return reject(label, ": access ", inst.a(), " but the kernel has ",
                    info.accesses.size());
    const uint32_t operand = info.accesses[inst.a()].operand;
    if (operand >= info.inputs)
      return reject(label, " reads output ", operand - info.inputs);
    if (inst.type() != kernelType(info.types[operand]))
      return reject(label, ": a load of ", elementName(info.types[operand]),
                    " gives ", elementName(kernelType(info.types[operand])),
                    " but the result is ", elementName(inst.type()));
    info.loads.push_back({inst.a(), stageIndex});
    return verifyAccessUse(inst.a(), label);
  }

  Status checkCarry(const Inst &inst, Label label) const {
    Items reductions = items(stage->reductions());
    if (inst.a() >= reductions.size() ||
        reductions[inst.a()]->op() != ReduceOp::Custom)
      return reject(label, ": reduction ", inst.a(),
                    " is no custom reduction of the stage");
    const ElementType type = values[reductions[inst.a()]->init()].type;
    if (inst.type() != type)
      return reject(label, ": expected the type of its initial value, ",
                    elementName(type), ", but got ", elementName(inst.type()));
    return {};
  }

  Status checkCompare(const Inst &inst, OpFamily family, Label label) const {
    const ElementType from = values[inst.a()].type;
    const bool floats = family == OpFamily::CmpF;
    if (floats ? from != ElementType::F32 : !isInteger(from))
      return reject(label, ": expected %", inst.a(), " to be ",
                    floats ? "f32" : "an integer", " but it is ",
                    elementName(from));
    if (Status status = needType(inst.b(), from, label); !status)
      return status;
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
      return reject(label, ": predicate ", imm, " does not compare ",
                    elementName(from));
    if (inst.type() != ElementType::I1)
      return reject(label, ": the result may not be ",
                    elementName(inst.type()));
    return {};
  }

  Status verifyStores(std::vector<uint32_t> &storesOf) {
    Items stores = items(stage->stores());
    for (uint32_t i = 0; i < stores.size(); ++i) {
      const auto makeLabel = [&] { return join(stageLabel, ", store ", i); };
      const Label label(makeLabel);
      const uint32_t access = stores[i]->access();
      if (access >= info.accesses.size())
        return reject(label, ": access ", access, " but the kernel has ",
                      info.accesses.size());
      const AccessInfo &use = info.accesses[access];
      if (use.operand < info.inputs)
        return reject(label, " writes input ", use.operand);
      for (const AccessDimInfo &dim : use.dims)
        if (dim.value >= 0 || dim.boundary != Boundary::Inside)
          return reject(label, ": expected every index to be affine and "
                               "inside");
      if (Status status = verifyAccessUse(access, label); !status)
        return status;
      Status status = needType(stores[i]->value(),
                               kernelType(info.types[use.operand]), label);
      if (!status)
        return status;
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
    const uint32_t lastValue = uint32_t(values.size());
    auto local = [&](uint32_t value, Label label) -> Status {
      if (value < firstValue || value >= lastValue)
        return reject(label, ": %", value, " is no value of the stage");
      return {};
    };
    if (!items(stage->loops()).empty())
      for (uint32_t i = firstValue; i < lastValue; ++i)
        values[i].visible = false;
    Items reductions = items(stage->reductions());
    for (uint32_t i = 0; i < reductions.size(); ++i) {
      const Reduction &reduction = *reductions[i];
      const auto makeLabel = [&] {
        return join(stageLabel, ", reduction ", i);
      };
      const Label label(makeLabel);
      const ElementType type = values[reduction.init()].type;
      if (Status status = local(reduction.value(), label); !status)
        return status;
      if (values[reduction.value()].type != type)
        return reject(label, ": the value is ",
                      elementName(values[reduction.value()].type),
                      " but the initial value ", elementName(type));
      if (!allowsType(reduction.op(), type))
        return reject(label, ": ", lowerCase(EnumNameReduceOp(reduction.op())),
                      " does not reduce ", elementName(type));
      const bool positions = hasPosition(reduction.op());
      if (!positions && reduction.position() != 0)
        return reject(label, ": a position without argmax or argmin");
      if (positions) {
        if (Status status = local(reduction.position(), label); !status)
          return status;
        if (values[reduction.position()].type != ElementType::I64)
          return reject(label, ": the position is ",
                        elementName(values[reduction.position()].type),
                        ", expected i64");
      }
      values.push_back({type, true});
      if (positions)
        values.push_back({ElementType::I64, true});
    }
    return {};
  }
};

} // namespace

Status verifyStages(const Kernel &kernel, KernelInfo &info) {
  return StageVerifier(kernel, info).run();
}

} // namespace gaudi::recipe
