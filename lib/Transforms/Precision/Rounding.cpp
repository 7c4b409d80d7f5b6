// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors that are only read after they are rounded.
#include "Rounding.h"

using namespace mlir;
using namespace gaudi;

std::optional<Rounding> gaudi::roundingOf(Value tensor) {
  Rounding rounding;
  if (!getElementTypeOrSelf(tensor).isF32())
    return std::nullopt; // two roundings are not one
  while (tensor.hasOneUse() &&
         isa<ReshapeOp, TransposeOp, SliceOp>(*tensor.user_begin())) {
    rounding.views.push_back(*tensor.user_begin());
    tensor = rounding.views.back()->getResult(0);
  }
  for (Operation *user : tensor.getUsers()) {
    auto cast = dyn_cast<CastOp>(user);
    auto type =
        cast ? dyn_cast<FloatType>(getElementTypeOrSelf(user->getResult(0)))
             : FloatType();
    if (!type || (rounding.type && rounding.type != type))
      return std::nullopt;
    rounding.type = type;
    rounding.casts.push_back(cast);
  }
  if (rounding.casts.empty())
    return std::nullopt;
  return rounding;
}
