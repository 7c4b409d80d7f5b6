// Parts of the runtime in libraries of their own, opened when first needed.
#ifndef GAUDI_LIB_RUNTIME_HOST_PLUGIN_H
#define GAUDI_LIB_RUNTIME_HOST_PLUGIN_H

#include "Gaudi/Support/Error.h"

namespace gaudi::runtime {

/// Such a library has one C function of this type. It returns null unless
/// `interface` is the library's own interfaceId(): C++ objects pass between
/// the two, so both must come from one build.
using PluginFunction = const void *(*)(const char *interface);

/// Opens `fileName` in ../lib beside the file that holds this runtime (or
/// right beside it) and asks its `function`. `purpose` completes errors:
/// "cannot load 'x.so', which <purpose>".
Result<const void *> openPlugin(const char *fileName, const char *function,
                                const char *purpose);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_HOST_PLUGIN_H
