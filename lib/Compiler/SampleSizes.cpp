// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes from which those of all variants are learned.
#include "SampleSizes.h"

using namespace mlir;
using namespace gaudi;

SampleSizes gaudi::sampleSizes(ArrayRef<Symbol> symbols,
                               ArrayRef<std::vector<int64_t>> boxes,
                               ArrayRef<int64_t> largest) {
  // Other shares for each symbol, so that no product of some symbols changes
  // from sample to sample as one of others does.
  constexpr int64_t eighths[2][6] = {{7, 6, 5, 6, 7, 5}, {4, 5, 7, 3, 6, 4}};
  std::vector<int64_t> near(largest), least(largest),
      shares[2] = {largest, largest};
  for (size_t k = 0; k < symbols.size(); ++k) {
    for (const std::vector<int64_t> &box : boxes)
      least[k] = std::min(least[k], box[k]);
    if (least[k] == largest[k])
      continue;
    const int64_t step = std::max<int64_t>(symbols[k].multiple, 1);
    auto roundUp = [](int64_t size, int64_t to) {
      return (size + to - 1) / to * to;
    };
    // A dimension of size 1 is another case: it is dropped or broadcast.
    int64_t lowest = roundUp(std::max<int64_t>(symbols[k].min, 2), step);
    if (lowest >= largest[k])
      lowest = least[k];
    near[k] = std::max(lowest, roundUp(largest[k], step) - step);
    int64_t grain = step;
    while (grain * 16 <= largest[k])
      grain *= 2;
    for (auto [share, parts] : llvm::zip(shares, eighths))
      share[k] = std::clamp(largest[k] * parts[k % 6] / 8 / grain * grain,
                            lowest, near[k]);
  }
  return {{near, least}, {shares[1], shares[0]}};
}
