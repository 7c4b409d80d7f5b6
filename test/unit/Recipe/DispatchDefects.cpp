// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defects of entries that choose among variants.
#include "DefectMakers.h"

namespace gaudi::recipe::test {
namespace {

Defect editDispatch(const char *name, const char *from, const char *to,
                    const char *expected) {
  return edit(name, from, to, expected, dispatchText);
}

/// The sample after a change of its dispatch.
Defect changeDispatch(const char *name, std::function<void(DispatchT &)> apply,
                      const char *expected) {
  return change(
      name, [=](RecipeT &recipe) { apply(*recipe.entries.front()->dispatch); },
      expected, dispatchText);
}

/// The sample with another program for the size of the result.
Defect steps(const char *name, std::vector<SizeStep> program,
             const char *expected) {
  return changeDispatch(
      name,
      [=](DispatchT &dispatch) {
        dispatch.outputs[0]->sizes[0]->steps = program;
      },
      expected);
}

SizeStep number(int64_t value) { return {value, SizeOp::Const}; }
SizeStep symbol(int64_t index) { return {index, SizeOp::Symbol}; }
SizeStep step(SizeOp op) { return {0, op}; }

} // namespace

std::vector<Defect> dispatchDefects() {
#define MAIN "entry \"main\" "
#define OUTPUT MAIN "has output 0 \"y\", whose size 0 "
  return {
      forge(
          "variants-feature", [](Bytes &b) { put<uint64_t>(b, 16, 8); },
          MAIN "has variants, which need feature bits 0x40 that the header "
               "does not have",
          dispatchText),
      change(
          "variants-inputs",
          [](RecipeT &recipe) { recipe.entries.front()->inputs = {3}; },
          MAIN "has variants, and inputs, outputs, commands or a program of "
               "its own; those of its variants count",
          dispatchText),
      changeDispatch(
          "variants-no-symbols", [](DispatchT &d) { d.symbols.clear(); },
          MAIN "has 0 symbols, expected 1 to 16"),
      editDispatch("variants-symbol-name", "symbol \"rows\"", "symbol \"\"",
                   MAIN "has symbol 0 without a name"),
      editDispatch("variants-symbol-twice", "symbol \"columns\"",
                   "symbol \"rows\"", MAIN "has two symbols \"rows\""),
      editDispatch("variants-symbol-range", "1 to 7", "8 to 7",
                   MAIN "has symbol \"rows\" from 8 to 7 in multiples of 1, "
                        "expected 0 <= min <= max <= 2^48 and a multiple of at "
                        "least 1"),
      changeDispatch(
          "variants-none", [](DispatchT &d) { d.variants.clear(); },
          MAIN "has no variants"),
      editDispatch("variants-sizes", "sizes [4, 2]", "sizes [4]",
                   MAIN "variant 0: has 1 sizes for 2 symbols"),
      editDispatch("variants-size", "sizes [4, 2]", "sizes [4, 1]",
                   MAIN "variant 0: has size 1 of \"columns\", which is at "
                        "least 2 and at most 2^48"),
      editDispatch("variants-equal", "sizes [8, 3]", "sizes [4, 2]",
                   MAIN "variant 1: has the sizes [4, 2] of variant 0, "
                        "expected others"),
      editDispatch("variants-time", "picoseconds 900", "picoseconds -2",
                   MAIN "variant 0: has the time -2 ps, expected -1 (unknown) "
                        "or more"),
      editDispatch("variants-rank", "f32[s0, s1]",
                   "f32[s0, s1, 1, 1, 1, 1, 1, 1, 1]",
                   MAIN "has input 0 \"x\" of type 0 and rank 9, expected a "
                        "type that exists and a rank of at most 8"),
      steps("variants-no-steps", {}, OUTPUT "has 0 steps, expected 1 to 64"),
      steps("variants-number", {number(int64_t(1) << 49)},
            OUTPUT "has the number 562949953421312 at step 0, which leaves 48 "
                   "bits"),
      steps("variants-symbol", {symbol(2)},
            OUTPUT "names symbol 2 at step 0 but there are 2"),
      steps("variants-step", {symbol(0), symbol(0), step(SizeOp(10))},
            OUTPUT "has the unknown step 10 of 0 at step 2"),
      steps("variants-operand", {symbol(0), step(SizeOp::Add)},
            OUTPUT "lacks an operand of step 1"),
      steps("variants-division",
            {symbol(0), symbol(0), number(1), step(SizeOp::Sub),
             step(SizeOp::FloorDiv)},
            OUTPUT "may divide by 0 at step 4, expected at least 1"),
      steps("variants-overflow",
            {symbol(0), number(int64_t(1) << 47), step(SizeOp::Mul)},
            OUTPUT "may leave 48 bits at step 2"),
      steps("variants-values", {symbol(0), symbol(1)},
            OUTPUT "leaves 2 values, expected 1"),
      steps("variants-negative", {symbol(0), number(9), step(SizeOp::Sub)},
            OUTPUT "is at most -1"),
      editDispatch("variants-source", "f32[s0, s1]", "f32[s0, (s1 min 3)]",
                   MAIN "has symbol \"columns\", which no size of an input "
                        "determines"),
      editDispatch("variants-entry", "variant 1", "variant 9",
                   MAIN "variant 0: is entry 9 but there are 3"),
      editDispatch("variants-nested", "variant 1", "variant 0",
                   MAIN "variant 0: is entry \"main\", which has variants "
                        "itself"),
      editDispatch("variants-inputs-count", " extent 1 = s0\n", "\n",
                   MAIN "variant 0: is entry \"main.0\", which has 3 inputs "
                        "and 1 outputs, expected 2 and 0 extents, and 1"),
      editDispatch("variants-extent-order", "extent 1 = s0", "extent 3 = s0",
                   MAIN "variant 0: has extent 0 of input 3, expected inputs "
                        "in ascending order, below 3"),
      editDispatch("variants-extent-type", "@0+256 i32[]", "@0+256 f32[]",
                   MAIN "variant 0: has the extent tensor %2 \"rows\", "
                        "expected an input of one i32"),
      editDispatch("variants-extent-steps", "extent 1 = s0",
                   "extent 1 = (s0 mod 0)",
                   MAIN "variant 0: has the extent tensor %2 \"rows\", which "
                        "may divide by 0 at step 2, expected at least 1"),
      editDispatch("variants-extent-range", "extent 1 = s0",
                   "extent 1 = (s0 * 1000000000)",
                   MAIN "variant 0: has the extent tensor %2 \"rows\" from "
                        "1000000000 to 8000000000, which does not fit i32"),
      editDispatch("variants-state", "(%5, %2, %8, %7)", "(%5, %2, %11, %7)",
                   MAIN "variant 1: has the state tensor %11 \"other\" as "
                        "input 1 where another variant has tensor %8 "
                        "\"state\""),
      editDispatch("variants-type", "input \"x\" f32", "input \"x\" i32",
                   MAIN "variant 0: has input 0 tensor %3 \"x.4\" of another "
                        "type or rank than callers see"),
      editDispatch(
          "variants-shape", "sizes [8, 3]", "sizes [8, 4]",
          MAIN "variant 1: has input 0 tensor %5 \"x.8\" with 3 "
               "elements in dimension 1, expected at least 4 at the sizes of "
               "the variant"),
  };
#undef OUTPUT
#undef MAIN
}

} // namespace gaudi::recipe::test
