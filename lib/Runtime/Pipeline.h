// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuses TPC kernels into the matrix command that produces their input.
//
// The device overlaps its engines: vector cores work on one slice of a matrix
// product while the matrix engine makes the next. Here the thread that stored a
// tile runs the kernels on it at once, while it is in the cache.
#ifndef GAUDI_LIB_RUNTIME_PIPELINE_H
#define GAUDI_LIB_RUNTIME_PIPELINE_H

#include "LoadedRecipe.h"

namespace gaudi::runtime {

/// True unless the two provably share no byte.
bool mayOverlap(const BoundTensor &a, const BoundTensor &b);

/// Fuses kernels of `entry` into the matrix command right before them where
/// that changes no byte of any result: each of their points reads the product
/// only within its own elements, and nothing they write is read by the matrix
/// command. Kernels must be bound; sets LoadedCommand::within. Linear in the
/// number of commands: a group compares at most 64 tensors.
void pipelineKernels(LoadedEntry &entry, const recipe::Entry &commands,
                     const BoundTensors &tensors, unsigned threads);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_PIPELINE_H
