// Which micro kernel a host gets.
#include "MicroKernel.h"

#include <cstdlib>
#include <string_view>

namespace gaudi::runtime {
namespace {

const MicroKernel *checked(const MicroKernel *kernel) {
  return kernel && agrees(*kernel) ? kernel : nullptr;
}

/// Each kernel is checked when the first command of its kind comes; but for
/// that of AVX2, whose own tests run wherever it does.
const MicroKernel *bestKernel(bool narrow) {
  if (narrow) {
    static const MicroKernel *const pairs = checked(avx512Bf16Kernel());
    if (pairs)
      return pairs;
  }
  static const MicroKernel *const wide = checked(avx512Kernel());
  return wide ? wide : avx2Kernel();
}

} // namespace

const MicroKernel &fitting(const MicroKernel &kernel, int64_t columns) {
  // A half loads more per product, which a sixth fewer products outweigh.
  constexpr double worthHalf = 1.15;
  if (!kernel.half)
    return kernel;
  auto filled = [&](int64_t width) {
    return double((columns + width - 1) / width * width);
  };
  return filled(kernel.columns) > worthHalf * filled(kernel.half->columns)
             ? *kernel.half
             : kernel;
}

const MicroKernel *tileKernel(bool narrow) {
  const char *name = std::getenv("GAUDI_MME");
  if (!name)
    return bestKernel(narrow);
  const std::string_view wanted(name);
  if (wanted == "onednn")
    return nullptr;
  if (wanted == "portable")
    return portableKernel(narrow);
  if (wanted == "avx512" && avx512Kernel())
    return avx512Kernel();
  if (wanted == "avx2" && avx2Kernel())
    return avx2Kernel();
  return bestKernel(narrow);
}

} // namespace gaudi::runtime
