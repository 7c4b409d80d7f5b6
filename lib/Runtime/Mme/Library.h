// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix engine, in a library of its own that is opened only for recipes
// with matrix commands.
#ifndef GAUDI_LIB_RUNTIME_MME_LIBRARY_H
#define GAUDI_LIB_RUNTIME_MME_LIBRARY_H

#include "../Commands/Command.h"
#include "Gemm/IntegerProduct.h"

namespace gaudi::runtime {

class PanelCache;

/// A command for which isMatrixCommand holds, on its operands.
Prepared prepareMatrixCommand(const recipe::Command &command,
                              const BoundTensors &inputs,
                              const BoundTensors &outputs,
                              PrepareContext &context);
/// Most staging bytes a matrix command on these operands can take.
uint64_t stagingBound(const recipe::Command &command,
                      const BoundTensors &operands);
/// Which kernels this host gets.
HostKernels hostKernels();

/// What libGaudiMme.so offers, found by the name `gaudiMme` (a
/// PluginFunction). The members are the functions of these names.
struct MmeApi {
  /// For PrepareContext::panels; the cache may be null.
  std::unique_ptr<PanelRequests> (*panels)(PanelCache *cache);
  decltype(&runtime::prepareMatrixCommand) prepare;
  decltype(&runtime::stagingBound) stagingBound;
  decltype(&runtime::hostKernels) hostKernels;
  decltype(&runtime::prepareIntegers) prepareIntegers;
  decltype(&runtime::integerStaging) integerStaging;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_LIBRARY_H
