// A dimension whose size a launch chooses.
#ifndef GAUDI_LIB_RUNTIME_DYNAMICDIM_H
#define GAUDI_LIB_RUNTIME_DYNAMICDIM_H

#include "Gaudi/Recipe/Sizes.h"

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

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_DYNAMICDIM_H
