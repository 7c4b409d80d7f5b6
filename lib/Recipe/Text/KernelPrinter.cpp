// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints kernels as small programs.
#include "Format.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

namespace gaudi::recipe {
namespace {

class KernelPrinter {
public:
  KernelPrinter(TextWriter &out, const Kernel &kernel)
      : out(out), kernel(kernel), accesses(items(kernel.accesses())),
        inputs(items(kernel.inputs()).size()) {}

  void print(uint32_t index) {
    out.put("kernel {} {} {{\n  space [", index, quoted(text(kernel.name())));
    for (uint32_t d = 0; d < items(kernel.index_space()).size(); ++d)
      out.put("{}{}{}", d ? ", " : "", items(kernel.index_space())[d],
              items(kernel.parallel())[d] ? " parallel" : "");
    out.put("]\n");
    printOperands("in", items(kernel.inputs()), items(kernel.input_ranks()));
    printOperands("out", items(kernel.outputs()), items(kernel.output_ranks()));
    hasTable = !accessesInOrder();
    for (uint32_t i = 0; hasTable && i < accesses.size(); ++i) {
      out.put("  access #{} ", i);
      printAccess(*accesses[i]);
      out.put("\n");
    }
    for (const Stage *stage : items(kernel.stages()))
      printStage(*stage);
    out.put("}\n");
  }

private:
  TextWriter &out;
  const Kernel &kernel;
  Items<flatbuffers::Offset<Access>> accesses;
  uint32_t inputs;
  bool hasTable = false;
  uint32_t nextValue = 0;

  template <typename Types, typename Ranks>
  void printOperands(const char *name, Types types, Ranks ranks) {
    for (uint32_t i = 0; i < types.size(); ++i)
      out.put("  {}{} : {} rank {}\n", name, i,
              elementName(ElementType(types[i])), unsigned(ranks[i]));
  }

  /// True if each access is used once, in the order of the table, so that it
  /// can stand where it is used.
  bool accessesInOrder() const {
    uint32_t next = 0;
    for (const Stage *stage : items(kernel.stages())) {
      for (const Inst *inst : items(stage->insts()))
        if (inst->op() == Op::Load && inst->a() != next++)
          return false;
      for (const Store *store : items(stage->stores()))
        if (store->access() != next++)
          return false;
    }
    return next == accesses.size();
  }

  void printIndex(const AccessDim &dim) {
    if (dim.value() >= 0) {
      out.put("%{}", dim.value());
    } else {
      bool first = true;
      auto sign = [&](bool negative) {
        out.put(first ? (negative ? "-" : "") : (negative ? " - " : " + "));
        first = false;
      };
      auto magnitude = [](int64_t number) {
        // The least number has no positive one: negated as unsigned.
        return number < 0 ? 0 - uint64_t(number) : uint64_t(number);
      };
      for (uint32_t d = 0; d < items(dim.coefficients()).size(); ++d) {
        const int64_t coefficient = items(dim.coefficients())[d];
        if (coefficient == 0)
          continue;
        sign(coefficient < 0);
        if (magnitude(coefficient) != 1)
          out.put("{}*", magnitude(coefficient));
        out.put("d{}", d);
      }
      // An index without terms is a zero, not nothing.
      if (first || dim.offset() != 0) {
        sign(dim.offset() < 0);
        out.put("{}", magnitude(dim.offset()));
      }
    }
    if (dim.boundary() != Boundary::Inside)
      out.put(" {}",
              wordOf(dim.boundary(), EnumNamesBoundary(), Boundary::MAX));
  }

  void printAccess(const Access &access) {
    const bool isInput = access.operand() < inputs;
    out.put("{}{}[", isInput ? "in" : "out",
            isInput ? access.operand() : access.operand() - inputs);
    bool pads = false;
    for (uint32_t d = 0; d < items(access.dims()).size(); ++d) {
      const AccessDim &dim = *items(access.dims())[d];
      out.put(d ? ", " : "");
      printIndex(dim);
      pads |= dim.boundary() == Boundary::Pad;
    }
    out.put("]");
    if (pads) {
      const uint8_t type =
          isInput ? uint8_t(items(kernel.inputs())[access.operand()])
                  : uint8_t(items(kernel.outputs())[access.operand() - inputs]);
      out.put(" else {}",
              valueText(access.pad(), kernelType(ElementType(type))));
    }
  }

  void printAccessUse(uint32_t access) {
    if (hasTable)
      out.put("#{}", access);
    else
      printAccess(*accesses[access]);
  }

  void printInst(const Inst &inst) {
    const OpFamily family = familyOf(inst.op());
    out.put("    %{} = {} ", nextValue++,
            wordOf(inst.op(), EnumNamesOp(), Op::MAX));
    // What is no operand comes first: the constant, the predicate, the format.
    switch (family) {
    case OpFamily::Const:
      out.put(valueText(inst.imm(), inst.type()));
      break;
    case OpFamily::Index:
      out.put("d{}", inst.a());
      break;
    case OpFamily::Load:
      printAccessUse(inst.a());
      break;
    case OpFamily::Carry:
      out.put("{}", inst.a());
      break;
    case OpFamily::CmpF:
      out.put("{} ", floatPredicates[inst.imm()]);
      break;
    case OpFamily::CmpI:
      out.put("{} ", integerPredicates[inst.imm()]);
      break;
    case OpFamily::RoundTo:
      out.put("{} ", elementName(ElementType(inst.imm())));
      break;
    default:
      break;
    }
    const uint32_t operands[] = {inst.a(), inst.b(), inst.c()};
    for (unsigned i = 0; i < valueOperands(family); ++i)
      out.put("{}%{}", i ? ", " : "", operands[i]);
    out.put(" : {}\n", elementName(inst.type()));
  }

  void printReduction(const Reduction &reduction) {
    const bool positions = hasPosition(reduction.op());
    out.put("    reduce {} %{}",
            wordOf(reduction.op(), EnumNamesReduceOp(), ReduceOp::MAX),
            reduction.value());
    if (positions)
      out.put(" at %{}", reduction.position());
    out.put(" init %{} -> %{}", reduction.init(), nextValue++);
    if (positions)
      out.put(", %{}", nextValue++);
    out.put("\n");
  }

  void printStage(const Stage &stage) {
    if (items(stage.loops()).empty()) {
      out.put("  stage {\n");
    } else {
      out.put("  loop [{}] {{\n", fmt::join(copyOf(stage.loops()), ", "));
    }
    for (const Inst *inst : items(stage.insts()))
      printInst(*inst);
    for (const Reduction *reduction : items(stage.reductions()))
      printReduction(*reduction);
    for (const Store *store : items(stage.stores())) {
      out.put("    store %{} -> ", store->value());
      printAccessUse(store->access());
      out.put("\n");
    }
    out.put("  }\n");
  }
};

} // namespace

void printKernel(TextWriter &out, const Kernel &kernel, uint32_t index) {
  KernelPrinter(out, kernel).print(index);
}

} // namespace gaudi::recipe
