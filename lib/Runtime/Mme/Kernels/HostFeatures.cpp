// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the host's features.
#include "HostFeatures.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace gaudi::runtime {

#if defined(__x86_64__)

namespace {

/// Whether the system saves all of these register states (bits of XCR0).
bool savesStates(uint32_t wanted) {
  uint32_t eax, ebx, ecx, edx;
  if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & bit_OSXSAVE))
    return false;
  __asm__("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
  return (eax & wanted) == wanted;
}

Maker readMaker() {
  if (__builtin_cpu_is("intel"))
    return Maker::Intel;
  return __builtin_cpu_is("amd") ? Maker::Amd : Maker::Other;
}

HostFeatures readFeatures() {
  // Bits of leaf 7: of EDX in part 0, and of EAX in part 1. Compilers' own
  // tests do not know all of them.
  constexpr uint32_t amxBf16 = 1u << 22, amxTile = 1u << 24, amxInt8 = 1u << 25,
                     avxVnni = 1u << 4;
  constexpr uint32_t tileStates = 3u << 17; // configuration and data
  uint32_t eax, ebx, ecx, edx = 0, partOne = 0;
  if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
    edx = eax = 0;
  else if (eax >= 1 && !__get_cpuid_count(7, 1, &partOne, &ebx, &ecx, &eax))
    partOne = 0;
  HostFeatures host;
  host.maker = readMaker();
  auto add = [&](Feature feature, bool found) {
    host.features |= found ? feature : 0;
  };
  // The compiler's tests of vectors look at XCR0 as well.
  const bool avx2 = __builtin_cpu_supports("avx2") &&
                    __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("f16c");
  const bool avx512 = __builtin_cpu_supports("avx512f");
  const bool words = avx512 && __builtin_cpu_supports("avx512bw");
  const bool tiles = words && (edx & amxTile) && savesStates(tileStates);
  add(HasAvx2, avx2);
  add(HasAvxVnni, avx2 && (partOne & avxVnni));
  add(HasAvx512, avx512);
  add(HasAvx512Vnni, words && __builtin_cpu_supports("avx512vnni"));
  add(HasAvx512Bf16, words && __builtin_cpu_supports("avx512bf16"));
  add(HasAmxBf16, tiles && (edx & amxBf16));
  add(HasAmxInt8, tiles && (edx & amxInt8));
  return host;
}

bool askForTiles() {
#if defined(__linux__)
  constexpr long requestState = 0x1023; // ARCH_REQ_XCOMP_PERM
  constexpr long tileData = 18;
  return ::syscall(SYS_arch_prctl, requestState, tileData) == 0;
#else
  return true;
#endif
}

} // namespace

const HostFeatures &hostFeatures() {
  static const HostFeatures host = readFeatures();
  return host;
}

bool tilesPermitted(Feature tiles) {
  if (!hostFeatures().has(tiles))
    return false;
  static const bool permitted = askForTiles();
  return permitted;
}

#else

static HostFeatures readFeatures() {
  HostFeatures host;
#if defined(__aarch64__)
  // Bits of the kernel's interface (asm/hwcap.h), of which older headers lack
  // some.
  constexpr unsigned long dot = 1ul << 20;                    // HWCAP
  constexpr unsigned long i8mm = 1ul << 13, bf16 = 1ul << 14; // HWCAP2
  const unsigned long first = ::getauxval(AT_HWCAP),
                      second = ::getauxval(AT_HWCAP2);
  host.features = HasNeon | (first & dot ? HasNeonDot : 0) |
                  (second & i8mm ? HasNeonI8mm : 0) |
                  (second & bf16 ? HasNeonBf16 : 0);
#endif
  return host;
}

const HostFeatures &hostFeatures() {
  static const HostFeatures host = readFeatures();
  return host;
}

bool tilesPermitted(Feature) { return false; }

#endif

} // namespace gaudi::runtime
