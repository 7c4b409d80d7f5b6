// The matrix engine, in a library of its own that is opened only for recipes
// with matrix commands.
#ifndef GAUDI_LIB_RUNTIME_MME_LIBRARY_H
#define GAUDI_LIB_RUNTIME_MME_LIBRARY_H

#include "../Commands/Command.h"

namespace gaudi::runtime {

class PanelCache;

/// What libGaudiMme.so offers, found by the name `gaudiMme` (a
/// PluginFunction). The members are the functions of these names.
struct MmeApi {
  /// For PrepareContext::panels; the cache may be null.
  std::unique_ptr<PanelRequests> (*panels)(PanelCache *cache);
  decltype(&runtime::prepareGemm) gemm;
  decltype(&runtime::prepareConv) conv;
  decltype(&runtime::stagingBound) stagingBound;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_LIBRARY_H
