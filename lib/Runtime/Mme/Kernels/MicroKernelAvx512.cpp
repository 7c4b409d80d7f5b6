// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 14 rows by 32 f32 columns in 512-bit registers: 28 sums, two columns and one
// broadcast, 31 of 32. For few columns 12 rows by 16: the row addresses of more
// would not stay in the 16 general registers, and loading them would take
// longer than multiplying.
#include "AttentionKernelBody.h"
#include "DepthKernelBody.h"
#include "MicroKernelBody.h"
#include "RegisterVector.h"
#include "ThinKernelBody.h"
#include "WinogradKernelBody.h"

namespace gaudi::runtime {
namespace {

using Vector = FloatVector<16>;

constexpr MicroKernel half = tiles<Vector, 12, 1>(
    "avx512", StepFormat::F32, nullptr, runThin<Vector>, runDepth<Vector>,
    &attentionFunctions, &winogradFunctions, wideningOf<Vector, 12, 1>);
constexpr MicroKernel kernel = tiles<Vector, 14, 2>(
    "avx512", StepFormat::F32, &half, runThin<Vector>, runDepth<Vector>,
    &attentionFunctions, &winogradFunctions, wideningOf<Vector, 14, 2>);

} // namespace

const MicroKernel *avx512Kernel() {
  return __builtin_cpu_supports("avx512f") ? &kernel : nullptr;
}

} // namespace gaudi::runtime
