// Which micro kernel a host gets.
#include "MicroKernel.h"

namespace gaudi::runtime {

const MicroKernel *tileKernel(bool /*bf16*/) {
  // oneDNN 2.6 has kernels at the peak for AVX-512, but not for AVX2.
  if (__builtin_cpu_supports("avx512f"))
    return nullptr;
  return avx2Kernel();
}

} // namespace gaudi::runtime
