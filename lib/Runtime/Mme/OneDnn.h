// Matrix commands on oneDNN, in a library of its own that is opened only for
// commands that no micro kernel of ours takes. No oneDNN type appears here.
#ifndef GAUDI_LIB_RUNTIME_MME_ONEDNN_H
#define GAUDI_LIB_RUNTIME_MME_ONEDNN_H

#include "../Commands/Command.h"

namespace gaudi::runtime {

Prepared oneDnnGemm(const recipe::Gemm &gemm, const BoundTensor &a,
                    const BoundTensor &b, const BoundTensor &c,
                    PrepareContext &context);
Prepared oneDnnConv(const recipe::Conv &conv, const BoundTensor &x,
                    const BoundTensor &w, const BoundTensor &y,
                    PrepareContext &context);

/// What libGaudiOneDnn.so offers, found by the name `gaudiOneDnn` (a
/// PluginFunction).
struct OneDnnApi {
  decltype(&oneDnnGemm) gemm;
  decltype(&oneDnnConv) conv;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ONEDNN_H
