// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs the right side of products into panels for the micro kernels.
#ifndef GAUDI_LIB_RUNTIME_MME_PACKING_PACK_H
#define GAUDI_LIB_RUNTIME_MME_PACKING_PACK_H

#include "../Kernels/MicroKernel.h"

#include "Gaudi/Recipe/Recipe_generated.h"

#include <cstdint>
#include <vector>

namespace gaudi::runtime {

/// Values of an operand in a step.
constexpr int64_t valuesPerStep(StepFormat format) {
  return format == StepFormat::F32 ? 1 : format == StepFormat::Bf16 ? 2 : 4;
}

/// To whole grains.
constexpr int64_t wholeGrains(const MicroKernel &kernel, int64_t steps) {
  return (steps + kernel.stepGrain - 1) / kernel.stepGrain * kernel.stepGrain;
}

/// A matrix of taps x depth rows. Strides in elements.
struct PanelSource {
  const uint8_t *data = nullptr;
  recipe::ElementType type = recipe::ElementType::F32;
  int64_t depth = 0, columns = 0; // rows of one tap, columns
  int64_t depthStride = 0, columnStride = 0;
  std::vector<int64_t> taps = {0}; // offset of each tap, in elements
  /// So many taps follow each other in a row of the left side, as one of
  /// `joined * depth` values. Each has whole steps.
  int64_t joined = 1;
  /// The taps are a filter of 3 x 3, of which the panels hold the 16 factors of
  /// F(2 x 2, 3 x 3); f32 only.
  bool winograd = false;

  int64_t packedTaps() const { return winograd ? 16 : int64_t(taps.size()); }
};

/// How its panels are laid out: for each tap and step `width` values of four
/// bytes (StepFormat) or two (PanelValue), the last panel and the last steps of
/// a tap filled up with zeros.
struct PanelLayout {
  int width = 0; // columns per panel
  StepFormat format = StepFormat::F32;
  PanelValue value = PanelValue::Step;
  int64_t rowSteps = 0; // of one tap in a row of the left side
  int64_t steps = 0;    // of one tap in a panel: whole grains of the kernel
  int64_t panels = 0;
  int64_t stepsOfAll = 0; // taps
  /// Panels of integers say which steps MicroKernel::small may join.
  bool joins = false;
  int64_t panelBytes = 0;

  /// Behind the steps of integers: the sums of their columns, one uint32_t
  /// each.
  int64_t sumsOffset() const { return stepsOfAll * stepBytes(); }
  /// Behind those, with `joins`: a byte for each step, BlockCall::joins, and
  /// one that says if the panel is small.
  int64_t joinsOffset() const { return sumsOffset() + int64_t(width) * 4; }
  bool isSmall(const uint8_t *panel) const {
    return joins && panel[joinsOffset() + stepsOfAll] != 0;
  }
  /// Bytes from one panel to the next: whole cache lines.
  int64_t pitch() const { return (panelBytes + 63) / 64 * 64; }

  int64_t stepBytes() const { return width * bytesOf(value); }

  PanelLayout() = default;
  /// 16-bit floats of constants stay as they are, and 8-bit floats become bf16:
  /// a product of few rows takes as long as reading its panels from memory.
  PanelLayout(const MicroKernel &kernel, const PanelSource &source,
              bool constant = false);
};

/// Packs panel number `panel`; `data` replaces the source's.
void packPanel(const PanelSource &source, const uint8_t *data,
               const PanelLayout &layout, int64_t panel, uint8_t *to);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_PACKING_PACK_H
