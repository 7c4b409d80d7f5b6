// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every family of processors gets the kernels that are fastest on it.
#include "Mme/Kernels/KernelTable.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace gaudi::runtime;

namespace {

constexpr uint32_t avx2 = HasAvx2, avx512 = avx2 | HasAvx512,
                   vnni = avx512 | HasAvx512Vnni,
                   bf16 = vnni | HasAvx512Bf16 | HasAvxVnni,
                   amx = bf16 | HasAmxBf16 | HasAmxInt8;

/// "avx512, avx2".
std::string listOf(const HostFeatures &host, Operands operands) {
  std::string names;
  for (KernelId id : choose(familyOf(host), host, operands))
    if (id != KernelId::None)
      names.append(names.empty() ? "" : ", ").append(nameOf(id));
  return names;
}

struct Family {
  HostFeatures host;
  std::string name, f32, bf16, attention, int8;
};

TEST(KernelTable, EveryFamily) {
  const Family families[] = {
      // Sapphire Rapids.
      {{Maker::Intel, amx},
       "AMX",
       "avx512, avx2",
       "amxbf16, avx512, avx2",
       "amxbf16, avx512, avx2",
       "amxint8, avx512vnni, avxvnni, avx2"},
      // The same where the system does not save tiles; Cooper Lake.
      {{Maker::Intel, bf16},
       "Intel with AVX512-BF16, without AMX",
       "avx512, avx2",
       "avx512, avx2",
       "avx512, avx2",
       "avx512vnni, avxvnni, avx2"},
      // Zen 4.
      {{Maker::Amd, bf16 & ~uint32_t(HasAvxVnni)},
       "AVX512-BF16",
       "avx512, avx2",
       "avx512bf16, avx512, avx2",
       "avx512bf16, avx512, avx2",
       "avx512vnnisigned, avx512vnni, avx2"},
      // Cascade Lake, Ice Lake.
      {{Maker::Intel, vnni},
       "AVX-512",
       "avx512, avx2",
       "avx512, avx2",
       "avx512, avx2",
       "avx512vnni, avx2"},
      // Skylake.
      {{Maker::Intel, avx512},
       "AVX-512",
       "avx512, avx2",
       "avx512, avx2",
       "avx512, avx2",
       "avx2"},
      // Alder Lake.
      {{Maker::Intel, avx2 | HasAvxVnni},
       "AVX2 with AVX-VNNI",
       "avx2",
       "avx2",
       "avx2",
       "avxvnni, avx2"},
      // Haswell, Zen 1 to 3, and any other maker's.
      {{Maker::Intel, avx2}, "AVX2", "avx2", "avx2", "avx2", "avx2"},
      {{Maker::Amd, avx2}, "AVX2", "avx2", "avx2", "avx2", "avx2"},
      {{Maker::Other, avx2}, "AVX2", "avx2", "avx2", "avx2", "avx2"},
      // Neoverse V1 and N2, Apple's M2; M1, Neoverse N1; Cortex-A72.
      {{Maker::Other, HasNeon | HasNeonDot | HasNeonI8mm | HasNeonBf16},
       "AArch64 with BF16",
       "neon",
       "neonbf16, neon",
       "neonbf16, neon",
       "neoni8mm, neondot"},
      {{Maker::Other, HasNeon | HasNeonDot},
       "AArch64",
       "neon",
       "neon",
       "neon",
       "neondot"},
      {{Maker::Other, HasNeon}, "AArch64", "neon", "neon", "neon", ""},
      {{Maker::Other, 0}, "other", "vector128", "vector128", "vector128", ""},
  };
  for (const Family &family : families) {
    SCOPED_TRACE(family.name);
    EXPECT_EQ(familyOf(family.host).name, family.name);
    EXPECT_EQ(listOf(family.host, Operands::F32), family.f32);
    EXPECT_EQ(listOf(family.host, Operands::Bf16), family.bf16);
    EXPECT_EQ(listOf(family.host, Operands::Bf16Attention), family.attention);
    EXPECT_EQ(listOf(family.host, Operands::Int8), family.int8);
  }
}

/// Hypervisors hide features one by one: whatever is left, no kernel is chosen
/// that needs more, and lists have no gaps.
TEST(KernelTable, NoKernelWithoutItsFeatures) {
  for (uint32_t features = 0; features < 2 * HasNeonI8mm; ++features)
    for (Maker maker : {Maker::Intel, Maker::Amd, Maker::Other})
      for (size_t kind = 0; kind < operandKinds; ++kind) {
        const HostFeatures host{maker, features};
        bool ended = false;
        for (KernelId id : choose(familyOf(host), host, Operands(kind))) {
          EXPECT_TRUE(host.has(featuresOf(id)));
          EXPECT_FALSE(ended && id != KernelId::None);
          ended |= id == KernelId::None;
        }
      }
}

TEST(KernelTable, EveryFamilyHasAReason) {
  std::set<std::string> names;
  for (const KernelRow &row : allFamilies()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_NE(std::string(row.reason), "") << row.name;
  }
}

TEST(KernelTable, ChoicesAreFoundByName) {
  for (const KernelRow &row : allChoices())
    EXPECT_EQ(choiceNamed(row.name), &row);
  EXPECT_EQ(choiceNamed("nonsense"), nullptr);
  // The kernel that a choice names needs no more than the choice says.
  const KernelRow &tiles = *choiceNamed("amxbf16");
  EXPECT_EQ(tiles.kernels[size_t(Operands::Bf16)][0], KernelId::AmxBf16);
}

/// Reading the features must not fault, and what a vector needs comes with it.
TEST(KernelTable, ThisHost) {
  const HostFeatures &host = hostFeatures();
  for (uint32_t wide : {HasAvx512Bf16, HasAvx512Vnni, HasAmxBf16, HasAmxInt8})
    EXPECT_TRUE(!host.has(wide) || host.has(HasAvx512));
  for (Feature tiles : {HasAmxBf16, HasAmxInt8})
    EXPECT_FALSE(tilesPermitted(tiles) && !host.has(tiles));
}

} // namespace
