// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of lib/Prediction/Page, compiled in by CMake.
#ifndef GAUDI_LIB_PREDICTION_PAGEASSETS_H
#define GAUDI_LIB_PREDICTION_PAGEASSETS_H

#include <string_view>

namespace gaudi::prediction {

/// HTML with the placeholders @STYLE@, @DATA@ and @SCRIPT@.
extern const std::string_view pageTemplate;
extern const std::string_view pageStyle;
extern const std::string_view pageScript;

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_PAGEASSETS_H
