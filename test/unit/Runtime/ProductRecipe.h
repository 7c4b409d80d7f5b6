// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recipe for both engines: a product and a kernel that is fused into it.
#ifndef GAUDI_TEST_UNIT_RUNTIME_PRODUCTRECIPE_H
#define GAUDI_TEST_UNIT_RUNTIME_PRODUCTRECIPE_H

#include "TestRecipe.h"

namespace gaudi::test {

/// out = tanh(in x constant), in f32: a matrix command with packed constants
/// and a kernel that is fused into its tiles.
inline void addTanhOfProduct(TestRecipe &r, int64_t rows, int64_t columns) {
  const ElementType F32 = ElementType::F32;
  const uint32_t in = r.input(F32, {rows, columns});
  const uint32_t weights =
      r.constant(F32, {columns, columns},
                 bytesOf(Random(1).values(size_t(columns * columns))));
  const uint32_t product = r.workspace(F32, {rows, columns});
  r.command(recipe::Engine::MME, "mme.gemm", recipe::GemmT(), {in, weights},
            {product});
  KernelBuilder k({rows, columns}, {true, true});
  k.input(F32, 2).output(F32, 2);
  k.stage();
  const uint32_t x =
      k.inst(Op::Load, F32, k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}})));
  k.store(k.access(1, 0, k.at({{0, 1}}), k.at({{1, 1}})),
          k.inst(Op::TanhF, F32, x));
  r.launch(k, {product}, {r.output(F32, {rows, columns})});
}

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_RUNTIME_PRODUCTRECIPE_H
