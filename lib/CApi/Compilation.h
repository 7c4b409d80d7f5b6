// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One model on its way through the compiler, with options of the C interface.
#ifndef GAUDI_LIB_CAPI_COMPILATION_H
#define GAUDI_LIB_CAPI_COMPILATION_H

#include "Error.h"
#include "Gaudi/CApi/CompilerSession.h"
#include "Gaudi/Runtime/Device/Clock.h"
#include "gaudi-c/Compiler.h"

#include <string>
#include <vector>

namespace gaudi::capi {

/// The options with defaults where the caller knows no field.
GaudiError *readCompileOptions(const GaudiCompileOptions *given,
                               GaudiCompileOptions &options);

/// Dense buffers, or seeded values for those that have no data, and for all if
/// there are none.
GaudiError *readInputs(const std::vector<recipe::Parameter> &parameters,
                       const GaudiBuffer *given, size_t count, uint64_t seed,
                       std::vector<recipe::HostTensor> &inputs);

/// While it lives, the time of the calling thread is no work of a script.
class Compilation {
public:
  /// `options` outlive it. `marksSources`: for explainPrecision.
  explicit Compilation(const GaudiCompileOptions &options,
                       bool marksSources = false)
      : options(options), marksSources(marksSources) {}
  Compilation(const Compilation &) = delete;
  Compilation &operator=(const Compilation &) = delete;

  /// Opens the session and reads the model. `source` must stay.
  GaudiError *parse(const char *name, const void *source, size_t bytes);
  /// Brings the entry to the gaudi dialect.
  Status import();

  CompilerSession &session() { return compiler; }
  const char *device() const { return options.device; }
  /// The first error of the compiler, else `error`.
  Error firstError(const Error &error) const;

  /// Null for a success; else the error, with the diagnostics where it is one
  /// of the compiler.
  GaudiError *errorOf(const Status &status) const;
  /// Hands warnings to the caller.
  void finish() const {
    if (options.diagnostic && !diagnostics.empty())
      options.diagnostic(options.context, refOf(diagnostics));
  }

private:
  GaudiError *readResources();
  GaudiError *begin();

  const runtime::UnmeasuredScope scope;
  const GaudiCompileOptions &options;
  bool marksSources;
  std::string diagnostics, dumpFolder;
  std::vector<GaudiResourceValue> resources;
  CompilerSession compiler; // uses what is above
};

} // namespace gaudi::capi

#endif // GAUDI_LIB_CAPI_COMPILATION_H
