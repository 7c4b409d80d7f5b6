// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compilations that a trace of launches causes where all sizes are static: each
// line with another signature than all before it is one.
#ifndef GAUDI_ANALYSIS_SIGNATUREREPLAY_H
#define GAUDI_ANALYSIS_SIGNATUREREPLAY_H

#include "Gaudi/Shapes/Recompile.h"
#include "Gaudi/Shapes/Trace.h"
#include "Gaudi/Support/Quote.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gaudi::analysis {

struct SignatureReport {
  /// A signature that differs from all before it.
  struct Compilation {
    uint64_t line = 0;
    uint64_t comparedWith = 0; ///< line of the nearest one; 0: the model
    uint64_t launches = 0;
    shapes::Difference reason;
    size_t otherDifferences = 0;
    std::string avoidedBy;
  };
  /// Compilations with the same thing to blame.
  struct Cause {
    std::string subject;
    size_t compilations = 0;
    uint64_t launches = 0;
    std::set<int64_t> sizes; ///< of a dimension
    std::string avoidedBy;
  };
  std::string trace; ///< its name, for people
  uint64_t launches = 0;
  std::vector<Compilation> compilations;
  std::vector<Cause> causes; ///< the most frequent first
  /// Columns that are neither input nor constant of the model: each value
  /// counts as a signature of its own.
  std::vector<std::string> unknown;
};

/// Errors: a field that is no type, size or number.
Result<SignatureReport> replaySignatures(const shapes::Signature &model,
                                         const shapes::Trace &trace,
                                         const std::string &traceName);

/// The keys of gaudi-run --shapes-from (docs/schema).
nlohmann::ordered_json toJson(const SignatureReport &report);

/// Element type and sizes of "1x128xi32" or "tensor<1x128xi32>", in the field
/// of a trace.
Result<std::pair<std::string, shapes::Sizes>>
parseFieldType(const std::string &field, uint64_t line,
               const std::string &column);

/// The value; an error begins with the file of the trace.
template <typename T>
Result<T> ofTrace(const std::string &file, Result<T> value) {
  if (!value)
    return fail("{}: {}", printable(file), value.error().message);
  return value;
}

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_SIGNATUREREPLAY_H
