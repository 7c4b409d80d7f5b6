// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Six rows by 16 f32 columns in NEON's 128-bit registers: 24 sums, four columns
// and one broadcast, 29 of 32. For few columns eight rows by eight: 16 sums
// hide the latency of four multiply-adds per cycle (4 cycles), which no core of
// today exceeds.
#define GAUDI_NEON 1
#include "AttentionKernelBody.h"
#include "DepthKernelBody.h"
#include "MicroKernelBody.h"
#include "RegisterVector.h"
#include "ThinKernelBody.h"
#include "WinogradKernelBody.h"

namespace gaudi::runtime {
namespace {

using Vector = FloatVector<4>;

constexpr MicroKernel half = tiles<Vector, 8, 2>(
    "neon", StepFormat::F32, nullptr, runThin<Vector>, runDepth<Vector>,
    &attentionFunctions, &winogradFunctions, wideningOf<Vector, 8, 2>);
constexpr MicroKernel kernel = tiles<Vector, 6, 4>(
    "neon", StepFormat::F32, &half, runThin<Vector>, runDepth<Vector>,
    &attentionFunctions, &winogradFunctions, wideningOf<Vector, 6, 4>);

} // namespace

const MicroKernel *neonKernel() { return &kernel; }

} // namespace gaudi::runtime
