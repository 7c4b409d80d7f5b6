// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Six rows by 8 f32 columns in 128-bit registers, which every host has: 12
// sums, two columns and one broadcast, 15 of 16. For few columns eight rows by
// four. Products are rounded before they are added.
#include "AttentionKernelBody.h"
#include "DepthKernelBody.h"
#include "MicroKernelBody.h"
#include "RegisterVector.h"
#include "ThinKernelBody.h"
#include "WinogradKernelBody.h"

namespace gaudi::runtime {
namespace {

using Vector = FloatVector<4>;

constexpr MicroKernel half = tiles<Vector, 8, 1>(
    "vector128", StepFormat::F32, nullptr, runThin<Vector>, runDepth<Vector>,
    &attentionFunctions, &winogradFunctions);
constexpr MicroKernel kernel = tiles<Vector, 6, 2>(
    "vector128", StepFormat::F32, &half, runThin<Vector>, runDepth<Vector>,
    &attentionFunctions, &winogradFunctions);

} // namespace

const MicroKernel *vector128Kernel() { return &kernel; }

} // namespace gaudi::runtime
