// Which micro kernel a host gets.
#include "MicroKernel.h"

#include <cstdlib>
#include <string_view>

namespace gaudi::runtime {
namespace {

const MicroKernel *bestKernel(bool narrow) {
  for (const MicroKernel *kernel :
       {narrow ? avx512Bf16Kernel() : nullptr, avx512Kernel(), avx2Kernel()})
    if (kernel && agrees(*kernel))
      return kernel;
  return nullptr;
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
  static const MicroKernel *const best[] = {bestKernel(false),
                                            bestKernel(true)};
  const char *name = std::getenv("GAUDI_MME");
  if (!name)
    return best[narrow];
  const std::string_view wanted(name);
  if (wanted == "onednn")
    return nullptr;
  if (wanted == "portable")
    return portableKernel(narrow);
  if (wanted == "avx512" && avx512Kernel())
    return avx512Kernel();
  if (wanted == "avx2" && avx2Kernel())
    return avx2Kernel();
  return best[narrow];
}

} // namespace gaudi::runtime
