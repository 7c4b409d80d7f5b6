// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the processor, without LLVM.
#include "JitHost.h"

#include <cstdlib>
#include <cstring>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace gaudi::runtime {

namespace {

#if defined(__x86_64__)
/// Some emulators compute right results but raise no flags.
bool raisesFlags() {
  const unsigned saved = _mm_getcsr();
  auto raised = [](float x, float y, unsigned state = 0x1f80) {
    // What the compiler does not know it cannot compute in advance.
    asm volatile("" : "+x"(x), "+x"(y));
    _mm_setcsr(state);
    float product = x * y;
    asm volatile("" : "+x"(product));
    return _mm_getcsr() & 0x3fu;
  };
  const bool invalid = raised(__builtin_inff(), 0.0f) & 0x01;
  const bool subnormal = raised(0x1p-140f, 1.0f) & 0x02;
  const bool overflow = raised(0x1p100f, 0x1p100f) & 0x08;
  // Exact, but flushed.
  const bool flushed = raised(0x1p-100f, 0x1p-30f, 0x9f80) & 0x10;
  const bool clean = (raised(0x1p100f, 0x1p-100f) & 0x1f) == 0;
  _mm_setcsr(saved);
  return invalid && subnormal && overflow && flushed && clean;
}
#endif

JitHost findHost() {
  JitHost host;
#if defined(__x86_64__)
  host.fma = __builtin_cpu_supports("fma");
  host.half = __builtin_cpu_supports("f16c");
  host.permute = __builtin_cpu_supports("avx2");
  host.wide = __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl");
  host.bfloat = host.wide && __builtin_cpu_supports("avx512bf16");
  host.bytePermute = host.wide && __builtin_cpu_supports("avx512vbmi");
  host.raisesFlags = raisesFlags();
  // For tests: code of an older processor on a newer one. A processor that this
  // host is not compatible with is refused when kernels are compiled.
  if (const char *cpu = std::getenv("GAUDI_JIT_CPU")) {
    const bool avx2 = std::strcmp(cpu, "haswell") == 0;
    if ((avx2 && host.fma && __builtin_cpu_supports("avx2")) ||
        (std::strcmp(cpu, "skylake-avx512") == 0 && host.wide)) {
      host.cpu = avx2 ? "haswell" : "skylake-avx512";
      host.wide = host.wide && !avx2;
      host.bfloat = host.bytePermute = false;
    } else {
      host.refused = cpu;
    }
  }
#else
  host.fma = host.half = true;
  host.refused = std::getenv("GAUDI_JIT_CPU"); // whose choices are x86-64's
#endif
  if (const char *tier = std::getenv("GAUDI_JIT_TIER")) {
    host.onlyQuick = std::strcmp(tier, "quick") == 0;
    host.onlyFull = std::strcmp(tier, "full") == 0;
    if (!host.onlyQuick && !host.onlyFull)
      host.unknownTier = tier;
  }
  return host;
}

} // namespace

const JitHost &jitHost() {
  static const JitHost host = findHost();
  return host;
}

} // namespace gaudi::runtime
