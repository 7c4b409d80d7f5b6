// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The micro kernels of each family of processors, and why.
//
// By instruction sets and maker, never by measuring: results must not depend on
// chance. Nothing here looks at the host, so that the choice of every family is
// tested on any.
#ifndef GAUDI_LIB_RUNTIME_MME_KERNELS_KERNELTABLE_H
#define GAUDI_LIB_RUNTIME_MME_KERNELS_KERNELTABLE_H

#include "HostFeatures.h"

#include <array>
#include <optional>
#include <string_view>

namespace gaudi::runtime {

/// Kinds of operands that a family has kernels for.
enum class Operands : uint8_t {
  F32,           // and f16
  Bf16,          // and types whose values bf16 holds
  Bf16Attention, // the same, packed by each launch into a format of our choice
  Int8,
};
constexpr size_t operandKinds = 4;
constexpr std::string_view operandNames[operandKinds] = {
    "f32", "bf16", "bf16_attention", "int8"};

enum class KernelId : uint8_t {
  None,
  Portable,
  PortableBf16,
  PortableInt8,
  PortableAmxBf16, // matrix tiles in plain C++
  PortableAmxInt8,
  Vector128,
  Avx2,
  Avx512,
  Avx512Bf16,
  AmxBf16,
  Avx2Int8,
  AvxVnni,
  Avx512Vnni,
  Avx512VnniSigned, // with functions for signed rows
  AmxInt8,
  Neon,
  NeonBf16,
  NeonDot,
  NeonI8mm,
  Count,
};

/// Kernels in the order in which they are tried.
using KernelList = std::array<KernelId, 4>;

/// What the kernel is called in MicroKernel::name.
std::string_view nameOf(KernelId id);
/// Bits of Feature that its code needs.
uint32_t featuresOf(KernelId id);

/// A family of processors, or a choice of GAUDI_MME.
struct KernelRow {
  const char *name;
  const char *reason;
  std::optional<Maker> maker; // none: any
  uint32_t features;          // of Feature; the family has all of these
  KernelList kernels[operandKinds];
};

/// The family of a host: the first whose features it has.
const KernelRow &familyOf(const HostFeatures &host);
/// The choice of GAUDI_MME by that name, or null.
const KernelRow *choiceNamed(std::string_view name);
/// All of those, from first to last.
struct KernelRows {
  const KernelRow *first, *last;
  const KernelRow *begin() const { return first; }
  const KernelRow *end() const { return last; }
};
KernelRows allFamilies();
KernelRows allChoices();

/// The row's kernels that such a host has the instructions for; the others are
/// None, at the end.
KernelList choose(const KernelRow &row, const HostFeatures &host,
                  Operands operands);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_KERNELS_KERNELTABLE_H
