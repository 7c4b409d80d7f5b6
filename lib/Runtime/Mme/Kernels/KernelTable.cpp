// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of micro kernels by family of processors.
#include "KernelTable.h"

#include <iterator>

namespace gaudi::runtime {
namespace {

using Id = KernelId;

struct KernelFacts {
  std::string_view name;
  uint32_t features;
};

/// By KernelId.
constexpr KernelFacts facts[] = {
    {"none", 0},
    {"portable", 0},
    {"portablebf16", 0},
    {"portableint8", 0},
    {"portableamxbf16", 0},
    {"portableamxint8", 0},
    {"vector128", 0},
    {"avx2", HasAvx2},
    {"avx512", HasAvx512},
    {"avx512bf16", HasAvx512Bf16},
    {"amxbf16", HasAmxBf16},
    {"avx2", HasAvx2},
    {"avxvnni", HasAvxVnni},
    {"avx512vnni", HasAvx512Vnni},
    {"avx512vnnisigned", HasAvx512Vnni},
    {"amxint8", HasAmxInt8},
    {"neon", HasNeon},
    {"neonbf16", HasNeonBf16},
    {"neondot", HasNeonDot},
    {"neoni8mm", HasNeonI8mm},
};
static_assert(std::size(facts) == size_t(Id::Count), "one for each kernel");

constexpr KernelList wide = {Id::Avx512, Id::Avx2};
constexpr KernelList integers512 = {Id::Avx512Vnni, Id::AvxVnni, Id::Avx2Int8};
constexpr KernelList integers256 = {Id::AvxVnni, Id::Avx2Int8};
constexpr KernelList integers128 = {Id::NeonI8mm, Id::NeonDot};

/// From the most capable on. Lists are in the order of F32, Bf16,
/// Bf16Attention, Int8.
constexpr KernelRow families[] = {
    {"AMX",
     "matrix tiles multiply bf16 14 and 8-bit integers 28 times as fast as "
     "AVX-512 multiplies f32",
     std::nullopt,
     HasAmxBf16 | HasAvx512,
     {wide,
      {Id::AmxBf16, Id::Avx512, Id::Avx2},
      {Id::AmxBf16, Id::Avx512, Id::Avx2},
      {Id::AmxInt8, Id::Avx512Vnni, Id::AvxVnni, Id::Avx2Int8}}},
    {"Intel with AVX512-BF16, without AMX",
     "VDPBF16PS issues every other cycle on Intel's cores, which makes it half "
     "as fast as f32 multiply-adds: bf16 operands are multiplied as f32",
     Maker::Intel,
     HasAvx512Bf16 | HasAvx512,
     {wide, wide, wide, integers512}},
    {"AVX512-BF16",
     "VDPBF16PS issues as often as f32 multiply-adds and multiplies twice as "
     "much; VPXORD, which flips the signs of integers, has pipes beside those "
     "of VPDPBUSD",
     std::nullopt,
     HasAvx512Bf16 | HasAvx512,
     {wide,
      {Id::Avx512Bf16, Id::Avx512, Id::Avx2},
      {Id::Avx512Bf16, Id::Avx512, Id::Avx2},
      {Id::Avx512VnniSigned, Id::Avx512Vnni, Id::AvxVnni, Id::Avx2Int8}}},
    {"AVX-512",
     "no instruction multiplies bf16: bf16 operands are multiplied as f32",
     std::nullopt,
     HasAvx512,
     {wide, wide, wide, integers512}},
    {"AVX2 with AVX-VNNI",
     "f32 multiply-adds of 256 bits, and dot products of 8-bit integers",
     std::nullopt,
     HasAvx2 | HasAvxVnni,
     {{Id::Avx2}, {Id::Avx2}, {Id::Avx2}, integers256}},
    {"AVX2",
     "f32 multiply-adds of 256 bits; 8-bit integers are multiplied as 16-bit "
     "ones unless constants are small",
     std::nullopt,
     HasAvx2,
     {{Id::Avx2}, {Id::Avx2}, {Id::Avx2}, {Id::Avx2Int8}}},
    {"AArch64 with BF16",
     "BFDOT multiplies twice as much as f32 multiply-adds of 128 bits",
     std::nullopt,
     HasNeonBf16 | HasNeon,
     {{Id::Neon},
      {Id::NeonBf16, Id::Neon},
      {Id::NeonBf16, Id::Neon},
      integers128}},
    {"AArch64",
     "f32 multiply-adds of 128 bits: bf16 operands are multiplied as f32",
     std::nullopt,
     HasNeon,
     {{Id::Neon}, {Id::Neon}, {Id::Neon}, integers128}},
    {"other",
     "none of the instruction sets above: vectors of 128 bits, which every "
     "host "
     "has",
     std::nullopt,
     0,
     {{Id::Vector128}, {Id::Vector128}, {Id::Vector128}, {}}},
};

/// What GAUDI_MME may be. `features` are those of the kernel it names.
constexpr KernelRow choices[] = {
    {"amxbf16",
     "",
     std::nullopt,
     HasAmxBf16 | HasAvx512,
     {wide,
      {Id::AmxBf16},
      {Id::AmxBf16},
      {Id::AmxInt8, Id::Avx512Vnni, Id::Avx2Int8}}},
    {"amxint8",
     "",
     std::nullopt,
     HasAmxInt8 | HasAvx512,
     {wide,
      {Id::AmxBf16, Id::Avx512},
      {Id::AmxBf16, Id::Avx512},
      {Id::AmxInt8}}},
    {"avx512bf16",
     "",
     std::nullopt,
     HasAvx512Bf16 | HasAvx512,
     {wide, {Id::Avx512Bf16}, {Id::Avx512Bf16}, integers512}},
    {"avx512vnni",
     "",
     std::nullopt,
     HasAvx512Vnni | HasAvx512,
     {wide, wide, wide, {Id::Avx512Vnni}}},
    {"avx512vnnisigned",
     "",
     std::nullopt,
     HasAvx512Vnni | HasAvx512,
     {wide, wide, wide, {Id::Avx512VnniSigned}}},
    {"avx512",
     "",
     std::nullopt,
     HasAvx512,
     {{Id::Avx512}, {Id::Avx512}, {Id::Avx512}, {Id::Avx2Int8}}},
    {"avxvnni",
     "",
     std::nullopt,
     HasAvxVnni | HasAvx2,
     {{Id::Avx2}, {Id::Avx2}, {Id::Avx2}, {Id::AvxVnni}}},
    {"avx2",
     "",
     std::nullopt,
     HasAvx2,
     {{Id::Avx2}, {Id::Avx2}, {Id::Avx2}, {Id::Avx2Int8}}},
    {"neonbf16",
     "",
     std::nullopt,
     HasNeonBf16 | HasNeon,
     {{Id::Neon}, {Id::NeonBf16}, {Id::NeonBf16}, integers128}},
    {"neoni8mm",
     "",
     std::nullopt,
     HasNeonI8mm | HasNeon,
     {{Id::Neon}, {Id::Neon}, {Id::Neon}, {Id::NeonI8mm}}},
    {"neondot",
     "",
     std::nullopt,
     HasNeonDot | HasNeon,
     {{Id::Neon}, {Id::Neon}, {Id::Neon}, {Id::NeonDot}}},
    {"neon",
     "",
     std::nullopt,
     HasNeon,
     {{Id::Neon}, {Id::Neon}, {Id::Neon}, {}}},
    {"portableamx",
     "",
     std::nullopt,
     0,
     {{Id::Portable},
      {Id::PortableAmxBf16},
      {Id::PortableAmxBf16},
      {Id::PortableAmxInt8}}},
    {"portable",
     "",
     std::nullopt,
     0,
     {{Id::Portable},
      {Id::PortableBf16},
      {Id::PortableBf16},
      {Id::PortableInt8}}},
    {"vector128",
     "",
     std::nullopt,
     0,
     {{Id::Vector128}, {Id::Vector128}, {Id::Vector128}, {}}},
};

} // namespace

bool HostFeatures::has(uint32_t all) const { return (features & all) == all; }

std::string_view nameOf(KernelId id) { return facts[size_t(id)].name; }
uint32_t featuresOf(KernelId id) { return facts[size_t(id)].features; }

KernelRows allFamilies() { return {std::begin(families), std::end(families)}; }
KernelRows allChoices() { return {std::begin(choices), std::end(choices)}; }

const KernelRow &familyOf(const HostFeatures &host) {
  // The last one takes every host.
  const KernelRow *row = std::begin(families);
  while (!host.has(row->features) || (row->maker && *row->maker != host.maker))
    ++row;
  return *row;
}

const KernelRow *choiceNamed(std::string_view name) {
  for (const KernelRow &row : choices)
    if (row.name == name)
      return &row;
  return nullptr;
}

KernelList choose(const KernelRow &row, const HostFeatures &host,
                  Operands operands) {
  KernelList found{};
  size_t count = 0;
  for (KernelId id : row.kernels[size_t(operands)])
    if (id != KernelId::None && host.has(featuresOf(id)))
      found[count++] = id;
  return found;
}

} // namespace gaudi::runtime
