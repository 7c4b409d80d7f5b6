// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recipe of one kernel with one opcode.
#ifndef GAUDI_TEST_UNIT_RUNTIME_OPCODERUN_H
#define GAUDI_TEST_UNIT_RUNTIME_OPCODERUN_H

#include "TestRecipe.h"

namespace gaudi::test {

/// Runs `op` elementwise on `inputs` (all of one length and type).
inline Bytes runOp(Op op, ElementType operandType, ElementType resultType,
                   const std::vector<Bytes> &inputs, uint64_t imm = 0,
                   ElementType outType = ElementType::F32,
                   bool useOut = false) {
  const int64_t n =
      int64_t(inputs[0].size() / recipe::elementSize(operandType));
  KernelBuilder k({n}, {true});
  TestRecipe r;
  std::vector<uint32_t> tensors;
  for (size_t i = 0; i < inputs.size(); ++i) {
    k.input(operandType, 1);
    tensors.push_back(r.input(operandType, {n}));
  }
  const ElementType stored = useOut ? outType : resultType;
  k.output(stored, 1);
  k.stage();
  uint32_t values[3] = {0, 0, 0};
  for (size_t i = 0; i < inputs.size(); ++i)
    values[i] = k.inst(Op::Load, recipe::kernelType(operandType),
                       k.access(uint32_t(i), 0, k.at({{0, 1}})));
  const uint32_t result =
      k.inst(op, resultType, values[0], values[1], values[2], imm);
  k.store(k.access(uint32_t(inputs.size()), 0, k.at({{0, 1}})), result);
  r.launch(k, tensors, {r.output(stored, {n})});
  return r.run(inputs)[0];
}

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_RUNTIME_OPCODERUN_H
