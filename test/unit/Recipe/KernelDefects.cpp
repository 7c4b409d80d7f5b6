// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defects of kernels: declarations, values, reductions, stores.
#include "DefectMakers.h"

#include <algorithm>

namespace gaudi::recipe::test {
namespace {

/// Gives an instruction of the softmax kernel other fields.
void replaceInst(RecipeT &recipe, size_t stage, size_t index, Op op,
                 ElementType type, uint64_t imm = 0, uint32_t c = 0) {
  Inst &inst = recipe.kernels[0]->stages[stage]->insts[index];
  inst = Inst(imm, inst.a(), inst.b(), c, op, type);
}

} // namespace

std::vector<Defect> kernelDefects() {
  return {
      edit("kernel-rank", "space [2 parallel, 8]",
           "space [2 parallel, 8, 1, 1, 1, 1, 1, 1, 1, 1, 1]",
           "kernel 0 \"softmax\" has 11 dimensions, expected at most 10"),
      edit("kernel-parallel-rank", "space [2 parallel, 8]",
           "space [2 parallel, 8, 1 parallel, 1 parallel, 1 parallel, "
           "1 parallel, 1 parallel]",
           "kernel 0 \"softmax\" has 6 parallel dimensions, expected at most "
           "5"),
      change(
          "kernel-parallel-flags",
          [](RecipeT &r) { r.kernels[0]->parallel.pop_back(); },
          "kernel 0 \"softmax\" has 1 parallel flags, expected 2"),
      edit("kernel-extent", "space [2 parallel, 8]", "space [2 parallel, 0]",
           "kernel 0 \"softmax\" has extent 0 in dimension 1, expected 1 to "
           "2^48"),
      change(
          "kernel-operand-ranks",
          [](RecipeT &r) { r.kernels[0]->input_ranks.pop_back(); },
          "kernel 0 \"softmax\" has 1 input types but 0 ranks"),
      change(
          "kernel-operand-count",
          [](RecipeT &r) {
            r.kernels[0]->inputs.resize(1025);
            r.kernels[0]->input_ranks.resize(1025);
          },
          "kernel 0 \"softmax\" has more than 1024 operands"),
      change(
          "kernel-operand-type",
          [](RecipeT &r) { r.kernels[0]->inputs[0] = ElementType(99); },
          "kernel 0 \"softmax\": input 0 has unknown element type 99"),
      change(
          "kernel-operand-rank",
          [](RecipeT &r) { r.kernels[0]->output_ranks[0] = 9; },
          "kernel 0 \"softmax\": output 0 has rank 9, expected at most 8"),
      change(
          "kernel-access-count",
          [](RecipeT &r) {
            while (r.kernels[0]->accesses.size() <= 4096)
              r.kernels[0]->accesses.push_back(std::make_unique<AccessT>());
          },
          "kernel 0 \"softmax\" has 4097 accesses, expected at most 4096"),
      change(
          "access-operand",
          [](RecipeT &r) { r.kernels[0]->accesses[0]->operand = 2; },
          "kernel 0 \"softmax\": access 0 is of operand 2 but there are 2"),
      edit("access-rank", "in0[d0, d1]", "in0[d0]",
           "kernel 0 \"softmax\": access 0 has 1 dimensions but its operand "
           "has rank 2"),
      change(
          "access-boundary",
          [](RecipeT &r) {
            r.kernels[0]->accesses[0]->dims[0]->boundary = Boundary(8);
          },
          "kernel 0 \"softmax\": access 0, dimension 0 has unknown "
          "boundary 8"),
      change(
          "access-value-and-offset",
          [](RecipeT &r) { r.kernels[2]->accesses[1]->dims[0]->offset = 1; },
          "kernel 2 \"gather\": access 1, dimension 0 has a value and also "
          "coefficients or an offset"),
      edit("access-value-inside", "%0 checked, d1", "%0, d1",
           "kernel 2 \"gather\": access 1, dimension 0 is indexed by a value, "
           "which needs a boundary other than inside"),
      change(
          "access-value-negative",
          [](RecipeT &r) { r.kernels[2]->accesses[1]->dims[0]->value = -2; },
          "kernel 2 \"gather\": access 1, dimension 0 has value -2, "
          "expected -1 or more"),
      change(
          "access-coefficients",
          [](RecipeT &r) {
            r.kernels[0]->accesses[0]->dims[0]->coefficients.pop_back();
          },
          "kernel 0 \"softmax\": access 0, dimension 0 has 1 coefficients, "
          "expected 2"),
      edit("access-range", "in0[d0, d1]", "in0[d0, 9223372036854775807*d1]",
           "kernel 0 \"softmax\": access 0, dimension 1 leaves the range of "
           "-2^48 to 2^48"),
      edit("access-before-start", "in0[d0, d1]", "in0[d0, d1 - 1]",
           "kernel 0 \"softmax\": access 0, dimension 1 reaches index -1, "
           "before the start of its operand"),
      change(
          "access-pad-bits",
          [](RecipeT &r) { r.kernels[5]->accesses[0]->pad = 1ull << 40; },
          "kernel 5 \"stencil\": access 0 has pad bits 1099511627776 that "
          "do not fit its operand's kernel type"),
      change(
          "access-pad-unused",
          [](RecipeT &r) { r.kernels[0]->accesses[0]->pad = 1; },
          "kernel 0 \"softmax\": access 0 has pad bits 1 but no padded "
          "dimension"),
      edit("kernel-output-unstored", "    store %11 -> out0[d0, d1]\n", "",
           "kernel 0 \"softmax\": output 0 has 0 stores, expected 1"),
      edit("kernel-output-stored-twice", "    store %11 -> out0[d0, d1]\n",
           "    store %11 -> out0[d0, d1]\n    store %11 -> out0[d0, d1]\n",
           "kernel 0 \"softmax\": output 0 has 2 stores, expected 1"),
      edit("value-undefined", "divf %10, %7", "divf %10, %99",
           "kernel 0 \"softmax\", stage 3, %11 = divf uses value %99 before "
           "it has been computed"),
      edit("value-invisible", "divf %10, %7", "divf %10, %4",
           "kernel 0 \"softmax\", stage 3, %11 = divf uses value %4, which "
           "was local to an earlier stage with loops"),
  };
}

std::vector<Defect> stageDefects() {
  return {
      change(
          "kernel-without-stages",
          [](RecipeT &r) { r.kernels[1]->stages.clear(); },
          "kernel 1 \"relu\" has no stages"),
      change(
          "kernel-weight",
          [](RecipeT &r) {
            auto &insts = r.kernels[1]->stages[0]->insts;
            for (int i = 0; i < 32; ++i)
              insts.emplace_back(0, 1, 1, 0, Op::PowF, ElementType::F32);
          },
          "kernel 1 \"relu\" has a weight of 16388, expected at most 16384; "
          "split it into several kernels"),
      change(
          "kernel-live-values",
          [](RecipeT &r) {
            // %3 to %1026, all of them used afterwards, three at a time.
            auto &insts = r.kernels[1]->stages[0]->insts;
            for (int i = 0; i < 1024; ++i)
              insts.emplace_back(0, 1, 0, 0, Op::NegF, ElementType::F32);
            for (uint32_t i = 3; i < 1027; i += 3)
              insts.emplace_back(0, i, std::min(i + 1, 1026u),
                                 std::min(i + 2, 1026u), Op::FmaF,
                                 ElementType::F32);
          },
          "kernel 1 \"relu\" has 1026 values that are live at once, expected "
          "at "
          "most 1024; split it into several kernels"),
      edit("loop-dangling", "loop [1]", "loop [2]",
           "kernel 0 \"softmax\", stage 1 loops over dimension 2 but the "
           "kernel has 2"),
      edit("loop-parallel", "loop [1]", "loop [0, 1]",
           "kernel 0 \"softmax\", stage 1 loops over dimension 0, which is "
           "parallel"),
      edit("loop-twice", "loop [1]", "loop [1, 1]",
           "kernel 0 \"softmax\", stage 1 loops over dimension 1 twice"),
      edit("kernel-endless", "space [2 parallel, 8]",
           "space [2 parallel, 281474976710656]",
           "kernel 0 \"softmax\" executes more than 2^40 instructions in a "
           "launch, the limit of the format; smaller tensors take fewer"),
      edit("reduce-without-loop", "  loop [1] {\n    %2 = load in0[d0, d1]",
           "  stage {\n    %2 = load in0[d0, 0]",
           "kernel 0 \"softmax\", stage 1 reduces without a loop"),
      change(
          "reduce-operator",
          [](RecipeT &r) {
            r.kernels[0]->stages[1]->reductions[0]->op = ReduceOp(77);
          },
          "kernel 0 \"softmax\", stage 1, reduction 0 has unknown operator "
          "77"),
      edit("reduce-init", "reduce max %2 init %0", "reduce max %2 init %2",
           "kernel 0 \"softmax\", stage 1, reduction 0 uses value %2 before "
           "it has been computed"),
      edit("reduce-foreign-value", "reduce max %2", "reduce max %0",
           "kernel 0 \"softmax\", stage 1, reduction 0: %0 is no value of the "
           "stage"),
      edit("reduce-value-type", "argmax %1 at %2 init %0",
           "argmax %2 at %2 init %0",
           "kernel 3 \"argmax\", stage 1, reduction 0: the value is i64 but "
           "the initial value f32"),
      edit("reduce-type", "reduce max %2", "reduce xor %2",
           "kernel 0 \"softmax\", stage 1, reduction 0: xor does not reduce "
           "f32"),
      edit("reduce-position-foreign", "argmax %1 at %2", "argmax %1 at %0",
           "kernel 3 \"argmax\", stage 1, reduction 0: %0 is no value of the "
           "stage"),
      edit("reduce-position-type", "argmax %1 at %2", "argmax %1 at %1",
           "kernel 3 \"argmax\", stage 1, reduction 0: the position is f32, "
           "expected i64"),
      change(
          "reduce-position-unused",
          [](RecipeT &r) {
            r.kernels[0]->stages[1]->reductions[0]->position = 2;
          },
          "kernel 0 \"softmax\", stage 1, reduction 0: a position without "
          "argmax or argmin"),
      edit("access-loop", "  loop [1] {\n    %2 = load",
           "  stage {\n    %2 = load",
           "kernel 0 \"softmax\", stage 1 reduces without a loop"),
      edit("load-outside-loop", "%0 = load in1[d0]", "%0 = load in0[d0, d1]",
           "kernel 4 \"decaying sum\", stage 0, %0 = load uses sequential "
           "dimension 1, which its stage does not loop over"),
      change(
          "opcode",
          [](RecipeT &r) { replaceInst(r, 2, 1, Op(200), ElementType::F32); },
          "kernel 0 \"softmax\", stage 2, %5 = ?: unknown opcode 200"),
      change(
          "result-type",
          [](RecipeT &r) { replaceInst(r, 2, 1, Op::SubF, ElementType::BF16); },
          "kernel 0 \"softmax\", stage 2, %5 = subf: the result may not be "
          "bf16; expected f32, i64, i32, i16, i8 or i1"),
      change(
          "unused-field",
          [](RecipeT &r) {
            replaceInst(r, 2, 1, Op::SubF, ElementType::F32, 0, 1);
          },
          "kernel 0 \"softmax\", stage 2, %5 = subf: a field that the "
          "opcode does not use is not 0"),
      edit("operand-type", "select %3, %0, %2", "select %3, %0, %3",
           "kernel 5 \"stencil\", stage 0, %4 = select: expected %3 to be f32 "
           "but it is i1"),
      edit("select-condition", "select %3, %0, %2", "select %0, %0, %2",
           "kernel 5 \"stencil\", stage 0, %4 = select: expected %0 to be i1 "
           "but it is f32"),
      change(
          "const-bits",
          [](RecipeT &r) {
            replaceInst(r, 0, 0, Op::Const, ElementType::F32, 1ull << 32);
          },
          "kernel 0 \"softmax\", stage 0, %0 = const: the constant does not "
          "fit f32"),
      edit(
          "index-outside-loop",
          "%0 = const -inf : f32\n  }\n  loop [1] {\n    "
          "%1 = load in0[d0, d1] : f32\n    %2 = index",
          "%0 = index d1 : i64\n  }\n  loop [1] {\n    %1 = load in0[d0, d1] : "
          "f32\n    %2 = index",
          "kernel 3 \"argmax\", stage 0, %0 = index: dimension 1 is neither "
          "parallel nor a loop of the stage"),
      edit("index-type", "index d1 : i64", "index d1 : i32",
           "kernel 3 \"argmax\", stage 1, %2 = index: the result may not be "
           "i32"),
      edit("convert-source", "uitofloat %8", "uitofloat %5",
           "kernel 5 \"stencil\", stage 0, %9 = uitofloat: expected %5 to be "
           "an integer but it is f32"),
      edit("signed-convert-source", "uitofloat %8", "sitofloat %8",
           "kernel 5 \"stencil\", stage 0, %9 = sitofloat: expected %8 to be "
           "i8 to i64 but it is i1"),
      edit("float-convert-source", "floattosi %5", "floattosi %3",
           "kernel 5 \"stencil\", stage 0, %6 = floattosi: expected %3 to be "
           "f32 but it is i1"),
      edit("extend-source", "%7 = const -7 : i32", "%7 = extsi %6 : i32",
           "kernel 5 \"stencil\", stage 0, %7 = extsi: expected %6 to be a "
           "narrower integer but it is i32"),
      edit("truncate-source", "%7 = const -7 : i32", "%7 = trunci %6 : i32",
           "kernel 5 \"stencil\", stage 0, %7 = trunci: expected %6 to be a "
           "wider integer but it is i32"),
      edit("bitcast-source", "%6 = floattosi %5", "%6 = bitcastfi %3",
           "kernel 5 \"stencil\", stage 0, %6 = bitcastfi: expected %3 to be "
           "f32 but it is i1"),
      edit("bitcast-integer-source", "uitofloat %8", "bitcastif %8",
           "kernel 5 \"stencil\", stage 0, %9 = bitcastif: expected %8 to be "
           "i32 but it is i1"),
      edit("round-type", "roundto bf16", "roundto i32",
           "kernel 5 \"stencil\", stage 0, %5 = roundto: number 9 is no float "
           "type"),
      edit("round-word", "stochastic_normal flush %0, %1",
           "stochastic_normal flush %0, %0",
           "kernel 0 \"round_to\", stage 0, %2 = roundby: expected %0 to be "
           "i32 but it is f32",
           roundingText),
      change(
          "round-rule",
          [](RecipeT &recipe) {
            Inst &inst = recipe.kernels[0]->stages[0]->insts[2];
            inst = Inst(0x704, inst.a(), inst.b(), 0, inst.op(), inst.type());
          },
          "kernel 0 \"round_to\", stage 0, %2 = roundby: number 1796 is no "
          "rounding to a narrow float",
          roundingText),
      forge(
          "roundings-feature", [](Bytes &b) { put<uint64_t>(b, 16, 0); },
          "kernel 0 \"round_to\" rounds by a rule, which needs feature bits "
          "0x80 that the header does not have",
          roundingText),
      edit("compare-float-source", "cmpf ogt %0, %1", "cmpi sgt %0, %1",
           "kernel 5 \"stencil\", stage 0, %3 = cmpi: expected %0 to be an "
           "integer but it is f32"),
      edit("compare-predicate", "cmpi slt %6, %7", "cmpi slt %3, %3",
           "kernel 5 \"stencil\", stage 0, %8 = cmpi: predicate 2 does not "
           "compare i1"),
      edit("compare-result", "cmpi slt %6, %7 : i1", "cmpi slt %6, %7 : i32",
           "kernel 5 \"stencil\", stage 0, %8 = cmpi: the result may not be "
           "i32"),
      edit("load-dangling", "%0 = load #0", "%0 = load #9",
           "kernel 5 \"stencil\", stage 0, %0 = load: access 9 but the kernel "
           "has 3"),
      edit("load-of-output", "%0 = load #0", "%0 = load #2",
           "kernel 5 \"stencil\", stage 0, %0 = load reads output 0"),
      edit("load-type", "%0 = load in0[d0] : i64", "%0 = load in0[d0] : f32",
           "kernel 2 \"gather\", stage 0, %0 = load: a load of i64 gives i64 "
           "but the result is f32"),
      edit("gather-index-type", "in1[%0 checked, d1] : f32\n    store %1",
           "in1[%0 checked, d1] : f32\n    %2 = load in1[%1 clamp, d1] : "
           "f32\n    store %1",
           "kernel 2 \"gather\", stage 0, %2 = load: expected %1 to be i64 but "
           "it is f32"),
      edit("carry-dangling", "carry 0", "carry 1",
           "kernel 4 \"decaying sum\", stage 1, %1 = carry: reduction 1 is no "
           "custom reduction of the stage"),
      edit("carry-type", "carry 0 : f32", "carry 0 : i32",
           "kernel 4 \"decaying sum\", stage 1, %1 = carry: expected the type "
           "of its initial value, f32, but got i32"),
      edit("store-dangling", "store %10 -> #2", "store %10 -> #9",
           "kernel 5 \"stencil\", stage 0, store 0: access 9 but the kernel "
           "has 3"),
      edit("store-to-input", "store %10 -> #2", "store %10 -> #1",
           "kernel 5 \"stencil\", stage 0, store 0 writes input 0"),
      edit("store-boundary", "access #2 out0[d0, d1]",
           "access #2 out0[d0, d1 clamp]",
           "kernel 5 \"stencil\", stage 0, store 0: expected every index to be "
           "affine and inside"),
      edit("store-sequential", "store %4 -> out0[d0]", "store %4 -> out0[d1]",
           "kernel 3 \"argmax\", stage 2, store 0 uses sequential dimension 1, "
           "which its stage does not loop over"),
      edit("store-type", "store %10 -> #2", "store %8 -> #2",
           "kernel 5 \"stencil\", stage 0, store 0: expected %8 to be f32 but "
           "it is i1"),
  };
}

} // namespace gaudi::recipe::test
