// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiler's library of this version whose table of PyTorch's ops is another.
#include "Gaudi/Compiler/CompilerApi.h"

const GaudiCompilerApi *gaudiCompilerApi(uint32_t version) {
  static GaudiCompilerApi api;
  api.version = version;
  api.torchTable = 1;
  return &api;
}
