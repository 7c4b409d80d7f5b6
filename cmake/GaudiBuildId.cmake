# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Script: writes OUT, the definitions of lib/Runtime/Host/BuildId.h, from the
# contents of INTERFACE_FILES, GENERATOR_FILES, PACKING_FILES and VERIFIER_FILES
# and from what SETTINGS names.
function(fingerprint result seed)
  set(all "${seed}")
  foreach(file ${ARGN})
    file(SHA256 ${file} hash)
    string(APPEND all "${hash}")
  endforeach()
  string(SHA256 all "${all}")
  set(${result} ${all} PARENT_SCOPE)
endfunction()
fingerprint(interface "${SETTINGS}" ${INTERFACE_FILES})
fingerprint(generator "${SETTINGS}" ${GENERATOR_FILES})
fingerprint(packing "${SETTINGS}" ${PACKING_FILES})
fingerprint(verifier "${SETTINGS}" ${VERIFIER_FILES})
file(WRITE ${OUT} "#include \"${HEADER}\"
namespace gaudi::runtime {
const char *interfaceId() { return \"${interface}\"; }
const char *codeGeneratorId() { return \"${generator}\"; }
const char *packingId() { return \"${packing}\"; }
const char *verifierId() { return \"${verifier}\"; }
} // namespace gaudi::runtime
")
