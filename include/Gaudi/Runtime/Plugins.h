// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the shared libraries that are opened when something needs them.
#ifndef GAUDI_RUNTIME_PLUGINS_H
#define GAUDI_RUNTIME_PLUGINS_H

#include "Gaudi/Support/Error.h"

#include <string>
#include <string_view>

namespace gaudi::runtime {

/// The path of `fileName`, a shared library that comes with this build. It is
/// sought from the folder of the program or library that this code is part of:
/// in that folder, in its gaudi-mlir, where a library was installed, and in
/// ../lib and (as configured) ../lib/gaudi-mlir, from a program's folder. The
/// error names these folders.
Result<std::string> findPlugin(std::string_view fileName);

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_PLUGINS_H
