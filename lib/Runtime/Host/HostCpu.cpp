// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identifies the host's processor, for cache keys.
#include "HostCpu.h"

#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <fstream>
#include <set>
#include <sys/auxv.h>
#else
#include <sys/utsname.h>
#endif

namespace gaudi::runtime {

#if defined(__x86_64__)
static std::string readIdentity() {
  std::string identity = "x86_64";
  auto add = [&](uint32_t value) {
    identity.append(reinterpret_cast<const char *>(&value), sizeof(value));
  };
  // The CPUID leaves from which LLVM derives a CPU's name and features.
  struct Leaf {
    uint32_t number, part;
    bool ebx; // false for leaf 1, where it has the number of the core
  };
  constexpr Leaf leaves[] = {
      {0x0, 0, true},         {0x1, 0, false},       {0x7, 0, true},
      {0x7, 1, true},         {0xd, 1, false},       {0x14, 0, true},
      {0x19, 0, true},        {0x1e, 1, true},       {0x24, 0, true},
      {0x80000001, 0, false}, {0x80000008, 0, true},
  };
  uint32_t eax, ebx, ecx, edx;
  bool savesVectors = false;
  for (const Leaf &leaf : leaves) {
    // A leaf that the processor does not have reads as zeros.
    if (!__get_cpuid_count(leaf.number, leaf.part, &eax, &ebx, &ecx, &edx))
      eax = ebx = ecx = edx = 0;
    if (leaf.number == 1)
      savesVectors = ecx & bit_OSXSAVE;
    add(eax);
    // In leaf 1, EBX has the number of the core that runs this.
    add(leaf.ebx ? ebx : 0);
    add(ecx);
    add(edx);
  }
  // XCR0: which registers the system saves. Vectors that it does not save must
  // not be used, whatever CPUID says.
  if (savesVectors) {
    __asm__("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
    add(eax);
    add(edx);
  }
  return identity;
}
#elif defined(__aarch64__)
static std::string readIdentity() {
  std::string identity = "aarch64";
  for (const unsigned long type : {AT_HWCAP, AT_HWCAP2}) {
    const uint64_t value = ::getauxval(type);
    identity.append(reinterpret_cast<const char *>(&value), sizeof(value));
  }
  // Maker and model, from which LLVM derives a CPU's name: a line per core, of
  // which a processor may have several kinds.
  std::ifstream cpus("/proc/cpuinfo");
  std::set<std::string> kinds;
  for (std::string line; std::getline(cpus, line);)
    if (line.rfind("CPU ", 0) == 0 || line.rfind("Features", 0) == 0)
      kinds.insert(line);
  for (const std::string &kind : kinds)
    identity += kind;
  return identity;
}
#else
static std::string readIdentity() {
  utsname host;
  return ::uname(&host) == 0 ? host.machine : "unknown";
}
#endif

const std::string &hostCpuIdentity() {
  static const std::string identity = readIdentity();
  return identity;
}

} // namespace gaudi::runtime
