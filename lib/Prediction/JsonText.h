// Strings as JSON writes them.
#ifndef GAUDI_LIB_PREDICTION_JSONTEXT_H
#define GAUDI_LIB_PREDICTION_JSONTEXT_H

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

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_JSONTEXT_H
