// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops and numbers of a report in JSON, for people.
#ifndef GAUDI_LIB_ANALYSIS_OPTEXT_H
#define GAUDI_LIB_ANALYSIS_OPTEXT_H

#include "Gaudi/Support/Quote.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gaudi::analysis {

using Json = nlohmann::ordered_json;

/// Numbers that JSON has no form for are strings.
inline std::string numberText(const Json &value, const char *format) {
  return value.is_string()
             ? value.get<std::string>()
             : fmt::format(fmt::runtime(format), value.get<double>());
}

inline std::string textAt(const Json &object, const char *key) {
  return object.contains(key) ? object[key].get<std::string>() : std::string();
}

/// "'tpc.add' at m.mlir:7:3 (Net.fc)".
inline std::string opText(const Json &op) {
  std::string line = inQuotes(textAt(op, "name"));
  if (const std::string at = textAt(op, "location"); !at.empty())
    line += " at " + at;
  if (const std::string layer = textAt(op, "layer"); !layer.empty())
    line += " (" + layer + ")";
  return line;
}

} // namespace gaudi::analysis

#endif // GAUDI_LIB_ANALYSIS_OPTEXT_H
