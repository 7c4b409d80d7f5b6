// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes whose sizes a launch chooses, and the sizes that shapes tell.
#ifndef GAUDI_LIB_RUNTIME_DYNAMICSHAPE_H
#define GAUDI_LIB_RUNTIME_DYNAMICSHAPE_H

#include "Gaudi/Recipe/Sizes.h"
#include "Gaudi/Runtime/Dispatch.h"

namespace gaudi::runtime {

/// The size of a dimension; most are a symbol or a number.
struct DynamicDim {
  const recipe::Size *size = nullptr;
  int64_t constant = 0;
  int symbol = -1;
  bool isConstant = false;

  explicit DynamicDim(const recipe::Size &program) : size(&program) {
    const auto steps = recipe::items(program.steps());
    if (steps.size() != 1)
      return;
    if (steps[0]->op() == recipe::SizeOp::Const) {
      constant = steps[0]->value();
      isConstant = true;
    } else {
      symbol = int(steps[0]->value());
    }
  }
  int64_t at(const int64_t *symbols) const {
    return isConstant    ? constant
           : symbol >= 0 ? symbols[symbol]
                         : recipe::evaluate(*size, symbols);
  }
};

using DynamicShape = std::vector<DynamicDim>;

/// For symbols in their bounds.
Dispatcher::Shape shapeAt(const DynamicShape &shape,
                          const shapes::Sizes &symbols);

/// Sizes are evaluated at symbols that pass only: others may overflow.
Status checkBounds(const shapes::Symbol &symbol, int64_t size);

/// The symbols of inputs with these shapes, written to `found`. Does not
/// allocate. False if something is wrong: Dispatcher::sizesOf() says what.
bool findSizes(const std::vector<Dispatcher::Shape> &given,
               const std::vector<DynamicShape> &inputs,
               const std::vector<recipe::SymbolSource> &sources,
               const std::vector<shapes::Symbol> &symbols,
               shapes::Sizes &found);

/// The symbol of `source` from the size of its dimension, given those that are
/// known already (the others are negative); none if no number gives that size.
/// Errors: a known one is out of its bounds.
Result<std::optional<int64_t>>
solveFor(const recipe::SymbolSource &source, const DynamicDim &dim,
         const std::vector<shapes::Symbol> &symbols, int64_t size,
         const shapes::Sizes &known);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_DYNAMICSHAPE_H
