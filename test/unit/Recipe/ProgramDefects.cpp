// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defects of initial values, of programs, and of records for reports.
#include "DefectMakers.h"

namespace gaudi::recipe::test {
namespace {

Defect editProgram(const char *name, const char *from, const char *to,
                   const char *expected) {
  return edit(name, from, to, expected, programText);
}

/// The sample with other steps.
Defect steps(const char *name, std::vector<ProgramStep> program,
             const char *expected) {
  return change(
      name, [=](RecipeT &recipe) { recipe.entries.front()->program = program; },
      expected, programText);
}

ProgramStep launch(uint32_t entry) { return {entry, StepKind::Launch}; }
ProgramStep loop(uint32_t tensor) { return {tensor, StepKind::While}; }
ProgramStep end(uint32_t id = 0) { return {id, StepKind::End}; }

/// As many loops inside each other.
std::vector<ProgramStep> nested(unsigned depth) {
  std::vector<ProgramStep> program(depth, loop(3));
  program.push_back(launch(2));
  program.insert(program.end(), depth, end());
  return program;
}

} // namespace

std::vector<Defect> initialDefects() {
  return {
      forge(
          "initial-feature", [](Bytes &b) { put<uint64_t>(b, 16, 8); },
          "tensor %2 \"v\" has an initial value, which needs feature bits 0x4 "
          "that the header does not have",
          programText),
      editProgram("initial-of-output", "@0+64 f32[4]",
                  "@0+64 f32[4] initial %4",
                  "tensor %1 \"y\" has an initial value but is no state of its "
                  "own"),
      editProgram("initial-of-alias", "alias %2", "alias %2 initial %4",
                  "tensor %6 \"head\" has an initial value but is no state of "
                  "its own"),
      editProgram("initial-repeats", "i1[2]", "i1[2] strides[0] initial %4",
                  "tensor %7 \"flags\" has an initial value but stores several "
                  "elements in one place"),
      editProgram("initial-dangling", "initial %4", "initial %44",
                  "tensor %2 \"v\" has the initial value %44 but there are 9 "
                  "tensors"),
      editProgram("initial-class", "initial %4", "initial %7",
                  "tensor %2 \"v\" has the initial value tensor %7 \"flags\", "
                  "which is no constant"),
      editProgram("initial-type", "initial %4", "initial %5",
                  "tensor %2 \"v\" is f32[4] but its initial value tensor %5 "
                  "\"other\" is i32[4]"),
  };
}

std::vector<Defect> programDefects() {
#define MAIN "the program of entry \"main\" "
  return {
      forge(
          "program-feature", [](Bytes &b) { put<uint64_t>(b, 16, 4); },
          MAIN "needs feature bits 0x8 that the header does not have",
          programText),
      editProgram("program-commands", "launch 3] {\n",
                  "launch 3] {\n #0 dma \"fill\" fill 0 () -> (%3)\n",
                  MAIN
                  "comes with 1 commands; an entry has a program or commands"),
      steps("program-steps", std::vector<ProgramStep>(4097, launch(1)),
            MAIN "has 4097 steps, expected at most 4096"),
      steps("program-depth", nested(17),
            MAIN "at step 16 nests more than 16 loops"),
      steps("program-open", {launch(1), loop(3), launch(3)},
            MAIN "has no end for 1 of its loops"),
      steps("program-end", {launch(1), end(), launch(3)},
            MAIN "at step 1 ends a loop that does not begin"),
      steps("program-end-id", {loop(3), launch(2), end(1)},
            MAIN "at step 2 ends a loop that does not begin"),
      steps("program-empty-loop", {launch(1), loop(3), end(), launch(3)},
            MAIN "at step 2 ends a loop that launches nothing"),
      steps("program-kind", {{0, StepKind(7)}},
            MAIN "at step 0 has unknown kind 7"),
      steps("program-launch-dangling", {launch(9)},
            MAIN "at step 0 launches entry 9 but there are 5"),
      steps("program-launches-program", {launch(0)},
            MAIN "at step 0 launches entry \"main\", which has a program "
                 "itself"),
      change(
          "program-launches-variants",
          [](RecipeT &recipe) {
            recipe.entries[1]->dispatch = std::make_unique<DispatchT>();
          },
          MAIN "at step 0 launches entry \"main.before\", which has variants "
               "itself",
          programText),
      steps("program-condition-dangling", {loop(99)},
            MAIN "at step 0 tests %99 but there are 9 tensors"),
      steps("program-condition-class", {loop(0)},
            MAIN "at step 0 tests tensor %0 \"n\", expected a state of one "
                 "i1"),
      steps("program-condition-size", {loop(7)},
            MAIN "at step 0 tests tensor %7 \"flags\", expected a state of one "
                 "i1"),
      change(
          "program-input",
          [](RecipeT &recipe) {
            recipe.entries[0]->inputs.clear();
            recipe.entries[1]->inputs = {0};
          },
          MAIN "at step 0 launches entry \"main.before\", whose input tensor "
               "%0 \"n\" is none of its own",
          programText),
      steps("program-output", {launch(1), loop(3), launch(3), end()},
            MAIN "returns tensor %1 \"y\", but only an entry inside a loop "
                 "writes it"),
  };
#undef MAIN
}

std::vector<Defect> fusionDefects() {
  return {
      edit("fusion-kind", "\"adamw\"", "\"Adam W\"",
           "fusion 0 has kind \"Adam W\", expected lower-case letters, digits "
           "and underscores",
           fusionText),
      edit("fusion-location", "-7 loc 1", "-7 loc 2",
           "fusion 1 \"layer_norm\" has location 2 of 2", fusionText)};
}

std::vector<Defect> permutationDefects() {
  const auto editRegion = [](const char *name, const char *from, const char *to,
                             const char *expected) {
    return edit(name, from, to, expected, permutationText);
  };
  return {
      editRegion("region-location", "ops 7 loc 1", "ops 7 loc 3",
                 "region 0 of permutations has location 3 of 3"),
      editRegion("region-transpose-location", "\"removed\" loc 1",
                 "\"removed\" loc 4",
                 "region 0 of permutations transpose 1 has location 4 of 3"),
      editRegion("region-op-location", "\"tpc.add\" loc 2", "\"tpc.add\" loc 3",
                 "region 0 of permutations op 2 has location 3 of 3"),
      editRegion("region-op-order", "order [1, 0]", "order [1, 1]",
                 "region 0 of permutations op 1 has order [1, 1], which is no "
                 "permutation"),
      editRegion("region-edge-back", "edge 1 -> 2", "edge 2 -> 2",
                 "region 0 of permutations edge 1 goes from op 2 to op 2 of 3, "
                 "expected a later one"),
      editRegion("region-edge-dangling", "edge 1 -> 2", "edge 1 -> 3",
                 "region 0 of permutations edge 1 goes from op 1 to op 3 of 3, "
                 "expected a later one"),
      editRegion("region-edge-transpose", "edge 0 -> 1 transpose 0",
                 "edge 0 -> 1 transpose 2",
                 "region 0 of permutations edge 0 has transpose 2 of 2")};
}

std::vector<Defect> planDefects() {
  return {edit("memory-location", "bytes 16 loc 2", "bytes 16 loc 3",
               "memory record 0 entry 2 has location 3 of 3", memoryText),
          edit("memory-reader-location", "reader_loc 2", "reader_loc 9",
               "memory record 0 entry 6 has location 9 of 3", memoryText),
          change(
              "memory-kind",
              [](RecipeT &recipe) {
                recipe.memory[0]->entries[1]->kind = MemoryKind(8);
              },
              "memory record 0 entry 1 has kind 8, which does not exist",
              memoryText),
          change(
              "memory-sum-kind",
              [](RecipeT &recipe) {
                recipe.memory[0]->sums[1] =
                    MemorySum(1, 32, 450, MemoryKind(8));
              },
              "memory record 0 sum 1 has kind 8, which does not exist",
              memoryText)};
}

} // namespace gaudi::recipe::test
