// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the shared libraries of the runtime on first use.
#ifndef GAUDI_LIB_RUNTIME_HOST_PLUGIN_H
#define GAUDI_LIB_RUNTIME_HOST_PLUGIN_H

#include "Gaudi/Support/Error.h"

namespace gaudi::runtime {

/// Each library exports one C function of this type. It returns null unless
/// `interface` equals the library's own interfaceId(): C++ objects pass between
/// the two, so both must come from one build.
using PluginFunction = const void *(*)(const char *interface);

/// Opens `fileName` where findPlugin finds it and asks its `function`.
/// `purpose` completes errors: "cannot load 'x.so', which <purpose>".
Result<const void *> openPlugin(const char *fileName, const char *function,
                                const char *purpose);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_HOST_PLUGIN_H
