// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fingerprints of this build, computed from its sources by the build system.
#ifndef GAUDI_LIB_RUNTIME_HOST_BUILDID_H
#define GAUDI_LIB_RUNTIME_HOST_BUILDID_H

namespace gaudi::runtime {

/// Equal in libraries that may share C++ objects.
const char *interfaceId();
/// Equal in builds whose code generators emit the same code.
const char *codeGeneratorId();
/// Equal in builds that pack constants in the same way.
const char *packingId();
/// Equal in builds that refuse the same recipes.
const char *verifierId();

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_HOST_BUILDID_H
