// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Six rows by 16 f32 columns in 256-bit registers: 12 sums, two columns and one
// broadcast, 15 of 16. For few columns eight rows by eight: 8 sums hide the
// latency of two multiply-adds per cycle (4 to 5 cycles).
#include "AttentionKernelBody.h"
#include "DepthKernelBody.h"
#include "MicroKernelBody.h"
#include "RegisterVector.h"
#include "ThinKernelBody.h"
#include "WinogradKernelBody.h"

namespace gaudi::runtime {
namespace {

using Vector = FloatVector<8>;

constexpr MicroKernel half = tiles<Vector, 8, 1>(
    "avx2", StepFormat::F32, nullptr, runThin<Vector>, runDepth<Vector>,
    &attentionFunctions, &winogradFunctions, wideningOf<Vector, 8, 1>);
constexpr MicroKernel kernel = tiles<Vector, 6, 2>(
    "avx2", StepFormat::F32, &half, runThin<Vector>, runDepth<Vector>,
    &attentionFunctions, &winogradFunctions, wideningOf<Vector, 6, 2>);

} // namespace

const MicroKernel *avx2Kernel() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                 __builtin_cpu_supports("f16c")
             ? &kernel
             : nullptr;
}

} // namespace gaudi::runtime
