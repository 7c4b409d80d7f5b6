// The matrix engine, in a library of its own that is opened only for recipes
// with matrix commands. No oneDNN type appears here.
#ifndef GAUDI_LIB_RUNTIME_MME_LIBRARY_H
#define GAUDI_LIB_RUNTIME_MME_LIBRARY_H

#include "../Command.h"

namespace gaudi::runtime {

class PanelCache;

/// What libGaudiMme.so offers, found by the name `gaudiMme` (a
/// PluginFunction). The members are the functions of these names.
struct MmeApi {
  /// For PrepareContext::panels; the cache may be null.
  std::unique_ptr<PanelRequests> (*panels)(PanelCache *cache);
  decltype(&prepareGemm) gemm;
  decltype(&prepareConv) conv;
  decltype(&stagingBound) stagingBound;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_LIBRARY_H
