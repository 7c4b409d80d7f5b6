// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which micro kernel a host and a product get.
#include "KernelChoice.h"

#include "AttentionKernel.h"
#include "KernelTable.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string_view>

namespace gaudi::runtime {
namespace {

/// Null if the host cannot run it.
const MicroKernel *functionsOf(KernelId id) {
  switch (id) {
  case KernelId::Portable:
    return portableKernel(false);
  case KernelId::PortableBf16:
    return portableKernel(true);
  case KernelId::AmxInt8:
    return amxInt8Kernel();
  case KernelId::PortableAmxInt8:
    return portableAmxInt8Kernel();
  case KernelId::PortableInt8:
    return portableInt8Kernel();
  case KernelId::PortableAmxBf16:
    return portableAmxBf16Kernel();
  case KernelId::AmxBf16:
    return amxBf16Kernel();
  case KernelId::Vector128:
    return vector128Kernel();
  case KernelId::Avx2:
    return avx2Kernel();
  case KernelId::Avx512:
    return avx512Kernel();
  case KernelId::Avx512Bf16:
    return avx512Bf16Kernel();
  case KernelId::Avx2Int8:
    return avx2Int8Kernel();
  case KernelId::AvxVnni:
    return avxVnniInt8Kernel();
  case KernelId::Avx512Vnni:
    return avx512VnniInt8Kernel();
  case KernelId::Avx512VnniSigned:
    return avx512VnniSignedInt8Kernel();
  case KernelId::Neon:
    return neonKernel();
  case KernelId::NeonBf16:
    return neonBf16Kernel();
  case KernelId::NeonDot:
    return neonDotInt8Kernel();
  case KernelId::NeonI8mm:
    return neonI8mmInt8Kernel();
  case KernelId::None:
  case KernelId::Count:
    break;
  }
  return nullptr;
}

/// A kernel that was compared with the portable one, or why it is not used.
struct Checked {
  const MicroKernel *kernel = nullptr;
  const char *problem = nullptr;
};

Checked check(KernelId id) {
  const MicroKernel *kernel = functionsOf(id);
  if (!kernel)
    return {nullptr, featuresOf(id) & (HasAmxBf16 | HasAmxInt8)
                         ? "the system does not let this process use it"
                         : nullptr};
  // Not those whose own tests run on almost every host.
  if (id != KernelId::Avx2 && id != KernelId::Vector128 && !agrees(*kernel))
    return {nullptr, "it does not compute what the portable kernel does"};
  return {kernel, nullptr};
}

/// Once, when the first command that could use it is prepared.
const Checked &checked(KernelId id) {
  static std::once_flag flags[size_t(KernelId::Count)];
  static Checked results[size_t(KernelId::Count)];
  std::call_once(flags[size_t(id)], [id] { results[size_t(id)] = check(id); });
  return results[size_t(id)];
}

/// What GAUDI_MME names, for tests, which compare all kernels on one host.
std::string_view wantedKernel() {
  const char *wanted = std::getenv("GAUDI_MME");
  return wanted ? wanted : "";
}

/// Why this host cannot run what the choice names, or null.
const char *whyNot(const KernelRow &choice) {
  if (!hostFeatures().has(choice.features))
    return "this host does not have";
  for (Feature tiles : {HasAmxBf16, HasAmxInt8})
    if (choice.features & tiles && !tilesPermitted(tiles))
      return "the system does not let this process use";
  return nullptr;
}

/// The first of the list that works. What GAUDI_MME names is not checked, so
/// that tests see what it computes.
const MicroKernel *firstOf(const KernelRow &row, Operands operands,
                           bool isChecked, std::vector<std::string> *notes) {
  for (KernelId id : choose(row, hostFeatures(), operands)) {
    if (id == KernelId::None)
      break;
    const Checked found =
        isChecked ? checked(id) : Checked{functionsOf(id), nullptr};
    if (found.kernel)
      return found.kernel;
    if (notes && found.problem)
      notes->push_back(fmt::format("{}: {}", nameOf(id), found.problem));
  }
  return nullptr;
}

const MicroKernel *orAny(const MicroKernel *kernel, Operands operands) {
  return kernel || operands == Operands::Int8 ? kernel : vector128Kernel();
}

/// One that runs on any host where no kernel of the row works; null of 8-bit
/// integers.
Result<const MicroKernel *> kernelFor(Operands operands) {
  const std::string_view wanted = wantedKernel();
  if (wanted.empty())
    return orAny(firstOf(familyOf(hostFeatures()), operands, true, nullptr),
                 operands);
  const KernelRow *choice = choiceNamed(wanted);
  const char *problem = choice ? whyNot(*choice) : "this host does not have";
  if (!problem)
    return orAny(firstOf(*choice, operands, false, nullptr), operands);
  std::string names;
  for (const KernelRow &other : allChoices())
    if (!whyNot(other))
      names += fmt::format("{}{}", names.empty() ? "" : ", ", other.name);
  return fail("the environment variable GAUDI_MME is '{}', which {}; unset it, "
              "or choose one of {}",
              wanted, problem, names);
}

} // namespace

Result<const MicroKernel *> microKernel(bool narrow) {
  return kernelFor(narrow ? Operands::Bf16 : Operands::F32);
}

Result<const MicroKernel *> integerKernel() {
  return kernelFor(Operands::Int8);
}

Result<const MicroKernel *> attentionKernel(bool narrow) {
  return kernelFor(narrow ? Operands::Bf16Attention : Operands::F32);
}

HostKernels hostKernels() {
  const KernelRow &family = familyOf(hostFeatures());
  const KernelRow *choice = choiceNamed(wantedKernel());
  HostKernels host{family.name, family.reason, {}, {}};
  if (choice)
    host.reason = "GAUDI_MME chooses the kernels";
  for (size_t kind = 0; kind < operandKinds; ++kind) {
    const MicroKernel *kernel = firstOf(choice ? *choice : family,
                                        Operands(kind), !choice, &host.notes);
    host.kernels.push_back(
        {std::string(operandNames[kind]), kernel ? kernel->name : ""});
  }
  std::sort(host.notes.begin(), host.notes.end());
  host.notes.erase(std::unique(host.notes.begin(), host.notes.end()),
                   host.notes.end());
  return host;
}

const AttentionFunctions *rowFunctions(const MicroKernel &kernel) {
  return kernel.roundRows == roundRowsNatively ? avx512Bf16Kernel()->attention
                                               : kernel.attention;
}

const MicroKernel &fitting(const MicroKernel &kernel, int64_t columns) {
  // A half loads more per product, which a sixth fewer products outweigh.
  constexpr double worthHalf = 1.15;
  if (!kernel.half)
    return kernel;
  auto filled = [&](int64_t width) {
    const int64_t tiles = (columns + width - 1) / width;
    return double(tiles * width);
  };
  return filled(kernel.columns) > worthHalf * filled(kernel.half->columns)
             ? *kernel.half
             : kernel;
}

} // namespace gaudi::runtime
