// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a .npy file: an array or an error, never more memory than the
// file justifies.
#include "Gaudi/Support/Npy.h"

#include <cstdlib>

using namespace gaudi;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<NpyHeader> header = parseNpyHeader(data, size);
  Result<NpyArray> array = parseNpy(data, size);
  // The whole file cannot be right if its header is wrong.
  if (array && !header)
    std::abort();
  if (array && array->data.size() != header->dataBytes)
    std::abort();
  return 0;
}
