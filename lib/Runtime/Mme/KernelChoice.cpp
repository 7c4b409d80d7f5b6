// Which micro kernel a host and a product get.
#include "KernelChoice.h"

#include <cstdlib>
#include <string_view>

namespace gaudi::runtime {
namespace {

const MicroKernel *checked(const MicroKernel *kernel) {
  return kernel && agrees(*kernel) ? kernel : nullptr;
}

/// Each kernel is checked when the first command of its kind is prepared,
/// except that of AVX2, whose own tests run on almost every host.
const MicroKernel *bestKernel(bool narrow) {
  if (narrow) {
    static const MicroKernel *const pairs = checked(avx512Bf16Kernel());
    if (pairs)
      return pairs;
  }
  static const MicroKernel *const wide = checked(avx512Kernel());
  return wide ? wide : avx2Kernel();
}

struct Choice {
  std::string_view name;
  const MicroKernel *(*kernel)(bool narrow); // null: oneDNN
};

constexpr Choice choices[] = {
    {"avx512bf16",
     [](bool narrow) { return narrow ? avx512Bf16Kernel() : avx512Kernel(); }},
    {"avx512", [](bool) { return avx512Kernel(); }},
    {"avx2", [](bool) { return avx2Kernel(); }},
    {"portable", portableKernel},
    {"onednn", nullptr},
};

/// What GAUDI_MME names, for tests, which compare all kernels on one host.
std::string_view wantedKernel() {
  const char *wanted = std::getenv("GAUDI_MME");
  return wanted ? wanted : "";
}

/// VDPBF16PS takes four times as long as an f32 multiply-add on Intel's cores,
/// for twice the products; on AMD's it takes as long. By maker, not by
/// measuring: results must not depend on chance.
bool multipliesPairsFaster() {
#if defined(__x86_64__)
  return !__builtin_cpu_is("intel");
#else
  return true;
#endif
}

} // namespace

Result<const MicroKernel *> attentionKernel(bool narrow) {
  const MicroKernel *kernel = nullptr;
  if (const std::string_view wanted = wantedKernel(); wanted.empty())
    kernel = bestKernel(narrow && multipliesPairsFaster());
  else
    kernel = GAUDI_TRY(microKernel(narrow));
  return kernel ? kernel : portableKernel(narrow);
}

Result<const MicroKernel *> microKernel(bool narrow) {
  const std::string_view wanted = wantedKernel();
  if (wanted.empty())
    return bestKernel(narrow);
  std::string names;
  for (const Choice &choice : choices) {
    const MicroKernel *kernel = choice.kernel ? choice.kernel(narrow) : nullptr;
    const bool runs = kernel || !choice.kernel;
    if (choice.name == wanted && runs)
      return kernel;
    if (runs)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", choice.name);
  }
  return fail("the environment variable GAUDI_MME is '{}', which this host "
              "does not have; unset it, or choose one of {}",
              wanted, names);
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
