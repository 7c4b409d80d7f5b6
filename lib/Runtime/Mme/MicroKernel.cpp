// Which micro kernel a host gets.
#include "MicroKernel.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace gaudi::runtime {
namespace {

/// True if the kernel computes what the portable one does, for every number of
/// rows. No host with every instruction set takes part in every test run, so
/// each checks its own kernel once.
bool agrees(const MicroKernel &kernel) {
  constexpr int64_t steps = 37;
  const MicroKernel &reference = *portableKernel(kernel.pairs);
  if (kernel.columns != reference.columns)
    return true; // its own tests run wherever it does
  auto fill = [](std::vector<uint32_t> &words, uint32_t seed) {
    for (uint32_t &word : words) {
      seed = seed * 1664525u + 1013904223u;
      // Values of either format near 1, both signs.
      word = (seed & 0x807f807fu) | 0x3f003f00u;
    }
  };
  std::vector<uint32_t> left(size_t(kernel.rows) * steps),
      panel(size_t(kernel.columns) * steps);
  fill(left, 1);
  fill(panel, 2);
  const int64_t depth = 0;
  for (int rows = 1; rows <= kernel.rows; ++rows) {
    std::vector<const uint8_t *> pointers;
    for (int r = 0; r < rows; ++r)
      pointers.push_back(
          reinterpret_cast<const uint8_t *>(&left[size_t(r) * steps]));
    std::vector<float> got(size_t(rows * kernel.columns), 0.5f), wanted = got;
    TileCall call{};
    call.rows = pointers.data();
    call.depths = &depth;
    call.segments = call.panels = 1;
    call.steps = steps;
    call.panel = reinterpret_cast<const uint8_t *>(panel.data());
    call.cStride = kernel.columns;
    call.accumulate = true;
    call.c = got.data();
    kernel.functions[rows](call);
    call.c = wanted.data();
    reference.functions[rows](call);
    for (size_t i = 0; i < got.size(); ++i)
      if (!(std::fabs(got[i] - wanted[i]) <= 1e-4f))
        return false;
  }
  return true;
}

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
