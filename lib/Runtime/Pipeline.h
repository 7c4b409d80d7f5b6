// Matrix and vector engine side by side: TPC kernels that work on a matrix
// product while it is made.
//
// The device cuts a matrix op into parts so that vector cores work on one part
// while the matrix engine makes the next. Here the thread that has computed a
// part runs the kernels on it at once, while it is in its cache.
#ifndef GAUDI_LIB_RUNTIME_PIPELINE_H
#define GAUDI_LIB_RUNTIME_PIPELINE_H

#include "Loader.h"

namespace gaudi::runtime {

/// Lets kernels of `entry` follow the matrix command right before them where
/// that changes no byte of any result: each of their points reads the product
/// only within its own elements, and nothing they write is read by the matrix
/// command. Kernels must be bound; sets LoadedCommand::within.
void pipelineKernels(LoadedEntry &entry, const recipe::Entry &commands,
                     const std::vector<BoundTensor> &tensors, unsigned threads);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_PIPELINE_H
