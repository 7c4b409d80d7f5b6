// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens libGaudiCompiler.so, for the tools and for the C interface.
#ifndef GAUDI_CAPI_COMPILERLIBRARY_H
#define GAUDI_CAPI_COMPILERLIBRARY_H

#include "Gaudi/Compiler/CompilerApi.h"
#include "Gaudi/Support/Error.h"

#include <string>
#include <string_view>

namespace gaudi::capi {

/// The compiler of this build, opened once; the library stays open, and a
/// failure is tried again. Any thread may call it. Errors name the file.
Result<const GaudiCompilerApi *> openCompiler();

/// One error among diagnostics as text.
struct FirstError {
  std::string location; ///< "file:line:column", or empty if it has none
  std::string message;  ///< empty: there is no error
};

/// The first one in a text of whole lines.
FirstError firstErrorIn(std::string_view diagnostics);

} // namespace gaudi::capi

#endif // GAUDI_CAPI_COMPILERLIBRARY_H
