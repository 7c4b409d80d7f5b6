// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves that a recipe can run safely, before anything of it runs.
//
// docs/recipe-format.md lists the rules. A recipe that passes touches no byte
// outside its sections, reads no byte that nobody wrote, has no data race
// between engines, and ends. The time to verify is linear in the metadata, and
// the time to compile a kernel is bounded.
#ifndef GAUDI_RECIPE_VERIFIER_H
#define GAUDI_RECIPE_VERIFIER_H

#include "Gaudi/Kernel/CodeSize.h"
#include "Gaudi/Kernel/Limits.h"
#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>

namespace gaudi::recipe {

/// Limits of a program: they bound the time to verify it.
constexpr uint32_t maxProgramSteps = 4096;
constexpr uint32_t maxProgramDepth = 16;

/// Limits of the format.
using kernel::maxKernelAccesses;
using kernel::maxKernelDims;
using kernel::maxKernelOperands;
using kernel::maxKernelWeight;
using kernel::maxKernelWork;
using kernel::maxLiveValues;
using kernel::maxParallelDims;
using kernel::maxRank;
constexpr uint64_t maxDeviceBytes = uint64_t(1) << 48;
/// Multiply-adds of one gemm or convolution.
constexpr uint64_t maxMatrixWork = uint64_t(1) << 50;

/// Steps the verifier may take beyond one pass over the metadata.
constexpr uint64_t verifierStepsPerByte = 16;
constexpr uint64_t verifierSteps(uint64_t metadataBytes) {
  return (uint64_t(1) << 18) + verifierStepsPerByte * metadataBytes;
}

/// What the header says: where the metadata and the const sections are in the
/// file, and its feature bits.
struct FileLayout {
  uint64_t fileSize = 0;
  uint64_t metadataOffset = 0;
  uint64_t metadataSize = 0;
  uint64_t features = 0;
};

/// Checks every rule that can be checked without the bytes of the constants.
/// `recipe` must have passed the FlatBuffers verifier. The error names the
/// culprit: section, tensor, kernel or command, by index and name.
/// `work`, if given, receives the steps taken of verifierSteps().
Status verifyRecipe(const Recipe &recipe, const FileLayout &layout,
                    uint64_t *work = nullptr);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_VERIFIER_H
