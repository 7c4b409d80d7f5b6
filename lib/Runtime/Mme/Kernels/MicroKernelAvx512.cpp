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

template <int Rows, int Vectors>
constexpr MicroKernel kernelOf(RoundFunction round, const MicroKernel *half) {
  MicroKernel result = tiles<Vector, Rows, Vectors>(
      "avx512", StepFormat::F32, half, runThin<Vector>, runDepth<Vector>,
      &attentionFunctions, &winogradFunctions,
      wideningOf<Vector, Rows, Vectors>);
  result.roundRows = round;
  return result;
}

/// With a rounding function.
template <RoundFunction Round>
constexpr MicroKernel half = kernelOf<12, 1>(Round, nullptr);
template <RoundFunction Round>
constexpr MicroKernel kernel = kernelOf<14, 2>(Round, &half<Round>);

} // namespace

const MicroKernel *avx512Kernel() {
  if (!__builtin_cpu_supports("avx512f"))
    return nullptr;
  return roundsToBf16Natively() ? &kernel<roundRowsNatively>
                                : &kernel<roundRows>;
}

} // namespace gaudi::runtime
