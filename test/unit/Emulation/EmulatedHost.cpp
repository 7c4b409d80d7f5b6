// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces lib/Runtime/Mme/Kernels/HostFeatures.cpp.
#include "EmulatedHost.h"

#include "TileTrap.h"

#include "Mme/Kernels/HostFeatures.h"

#include <cpuid.h>

namespace gaudi {
namespace testing {
namespace {

bool grants = true;
int asked = 0;

} // namespace

void setPermission(bool granted) { grants = granted; }

int timesAsked() { return asked; }

namespace {

bool hasAvxVnni() {
  uint32_t eax, ebx, ecx, edx;
  return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) && (eax & 1u << 4);
}

} // namespace

bool canRunTileKernels() {
  return __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw");
}

} // namespace testing

namespace runtime {

const HostFeatures &hostFeatures() {
  static const HostFeatures host = [] {
    HostFeatures result;
    result.maker = Maker::Intel;
    auto add = [&](Feature feature, bool found) {
      result.features |= found ? uint32_t(feature) : 0u;
    };
    add(HasAvx2,
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
    add(HasAvxVnni, testing::hasAvxVnni());
    add(HasAvx512, __builtin_cpu_supports("avx512f"));
    add(HasAvx512Vnni, __builtin_cpu_supports("avx512vnni"));
    add(HasAvx512Bf16, __builtin_cpu_supports("avx512bf16"));
    add(HasAmxBf16, testing::canRunTileKernels());
    add(HasAmxInt8, testing::canRunTileKernels());
    return result;
  }();
  return host;
}

bool tilesPermitted(Feature tiles) {
  if (!hostFeatures().has(tiles))
    return false;
  static const bool permitted = [] {
    ++testing::asked;
    testing::permitTiles(testing::grants);
    return testing::grants;
  }();
  return permitted;
}

} // namespace runtime
} // namespace gaudi
