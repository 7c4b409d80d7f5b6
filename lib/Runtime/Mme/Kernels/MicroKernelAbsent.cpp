// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of architectures that this build is not for: no host has them.
#include "MicroKernel.h"

namespace gaudi::runtime {

#if !defined(__x86_64__)
const MicroKernel *avx2Kernel() { return nullptr; }
const MicroKernel *avx512Kernel() { return nullptr; }
const MicroKernel *avx512Bf16Kernel() { return nullptr; }
const MicroKernel *amxBf16Kernel() { return nullptr; }
const MicroKernel *avx2Int8Kernel() { return nullptr; }
const MicroKernel *avxVnniInt8Kernel() { return nullptr; }
const MicroKernel *avx512VnniInt8Kernel() { return nullptr; }
const MicroKernel *avx512VnniSignedInt8Kernel() { return nullptr; }
const MicroKernel *amxInt8Kernel() { return nullptr; }

bool roundsToBf16Natively() { return false; }
void roundRowsNatively(const float *from, int64_t fromStride, uint16_t *to,
                       int64_t toStride, int64_t rows, int64_t count) {
  portableKernel(false)->roundRows(from, fromStride, to, toStride, rows, count);
}
#endif

#if !defined(__aarch64__)
const MicroKernel *neonKernel() { return nullptr; }
const MicroKernel *neonBf16Kernel() { return nullptr; }
const MicroKernel *neonDotInt8Kernel() { return nullptr; }
const MicroKernel *neonI8mmInt8Kernel() { return nullptr; }
#endif

} // namespace gaudi::runtime
