// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors of recipes as text.
#ifndef GAUDI_LIB_PREDICTION_TENSORTEXT_H
#define GAUDI_LIB_PREDICTION_TENSORTEXT_H

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <cctype>
#include <fmt/format.h>
#include <string>

namespace gaudi::prediction {

/// "2x128xbf16"
inline std::string typeText(const recipe::Tensor &tensor) {
  std::string type;
  for (int64_t size : recipe::items(tensor.sizes()))
    type += fmt::format("{}x", size);
  return type.append(recipe::elementName(tensor.type()));
}

/// "input", "output", "state", "const", "workspace"
inline std::string classText(const recipe::Tensor &tensor) {
  std::string kind = EnumNameTensorClass(tensor.tensor_class());
  kind[0] = char(std::tolower(static_cast<unsigned char>(kind[0])));
  return kind;
}

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_TENSORTEXT_H
