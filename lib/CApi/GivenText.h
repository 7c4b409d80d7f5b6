// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that the caller frees with gaudiTextDestroy.
#ifndef GAUDI_LIB_CAPI_GIVENTEXT_H
#define GAUDI_LIB_CAPI_GIVENTEXT_H

#include <cstdlib>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>
#include <string>

namespace gaudi::capi {

using Json = nlohmann::ordered_json;

inline void give(const std::string &made, char **text) {
  char *copy = static_cast<char *>(std::malloc(made.size() + 1));
  if (!copy)
    throw std::bad_alloc();
  std::memcpy(copy, made.c_str(), made.size() + 1);
  *text = copy;
}

/// Names come from files: bytes that are not UTF-8 are replaced.
inline void give(const Json &json, char **text) {
  give(json.dump(2, ' ', false, Json::error_handler_t::replace), text);
}

} // namespace gaudi::capi

#endif // GAUDI_LIB_CAPI_GIVENTEXT_H
