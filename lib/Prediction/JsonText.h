// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts and times as JSON has them.
#ifndef GAUDI_LIB_PREDICTION_JSONTEXT_H
#define GAUDI_LIB_PREDICTION_JSONTEXT_H

#include "Gaudi/Timing/Cost.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gaudi::prediction {

/// The text in quotes. Names come from files: bytes that are not UTF-8 become
/// U+FFFD.
inline std::string jsonText(std::string_view text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Exact: 2^53 picoseconds are 150 minutes.
inline double us(timing::Picoseconds time) { return double(time) / 1e6; }

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_JSONTEXT_H
