// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of 8-bit integers in plain C++, on any host: the others are
// checked against it.
#include "MicroKernelBody.h"
#include "PortableLanes.h"

namespace gaudi::runtime {
namespace {

/// Sums, or the bits of four integers each.
struct Sums : Lanes<Sums, uint32_t> {
  void multiplyAdd(const Sums &a, const Sums &b) {
    for (int i = 0; i < lanes; ++i)
      for (int byte = 0; byte < 32; byte += 8)
        value[i] += uint32_t(int32_t(uint8_t(a.value[i] >> byte)) *
                             int32_t(int8_t(b.value[i] >> byte)));
  }
};

constexpr MicroKernel half =
    tiles<Sums, 12, 1>("portableint8", StepFormat::Int8, nullptr);
constexpr MicroKernel kernel =
    tiles<Sums, 14, 2>("portableint8", StepFormat::Int8, &half);

} // namespace

const MicroKernel *portableInt8Kernel() { return &kernel; }

} // namespace gaudi::runtime
