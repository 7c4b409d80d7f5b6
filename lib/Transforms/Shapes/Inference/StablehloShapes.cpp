// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of rules of StableHLO, MHLO and CHLO ops.
#include "HloShapes.h"

using namespace mlir;
using namespace gaudi;

using Rule = LogicalResult (HloShapeRule::*)();

/// By the number of the op.
static constexpr Rule rules[] = {
    &HloShapeRule::none,
#define HLO_OP(kind, name, rule, traits) &HloShapeRule::rule,
#include "Gaudi/Conversion/StablehloOps.def"
};

LogicalResult gaudi::inferStablehlo(Operation *op, SymbolicShapes &shapes) {
  HloShapeRule rule(op, shapes);
  return (rule.*rules[size_t(hloOf(op))])();
}

bool gaudi::isElementwise(Hlo op) {
  return rules[size_t(op)] == &HloShapeRule::elementwise;
}
