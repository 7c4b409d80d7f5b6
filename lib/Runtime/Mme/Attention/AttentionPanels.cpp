// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs keys and values of attention.
#include "AttentionPanels.h"

#include "../../Commands/Copy.h"
#include "../Tiles/TileCommand.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <cassert>

namespace gaudi::runtime {

AttentionPanels AttentionPanels::ofPositions(const MicroKernel &kernel,
                                             const AttentionTensor &tensor,
                                             int64_t positions, int64_t depth) {
  AttentionPanels result;
  result.tensor = tensor;
  result.functions = kernel.attention;
  result.source = {nullptr,       tensor.type, depth, positions,
                   tensor.column, tensor.row,  {0}};
  result.layout = PanelLayout(kernel, result.source);
  result.perBlock = result.layout.panels;
  result.blockSize = positions;
  // Packing transposes contiguous rows fast if they have the kernel's type:
  // those of a panel are converted first.
  const recipe::ElementType type = rowType(kernel);
  if (tensor.type != type && tensor.column == 1) {
    const int64_t last = (positions - 1) % kernel.columns + 1;
    result.convertFirst = true;
    result.source = {nullptr, type,           depth, kernel.columns,
                     1,       pitchOf(depth), {0}};
    result.lastSource = result.source;
    result.lastSource.columns = last;
  }
  return result;
}

AttentionPanels AttentionPanels::ofDepth(const MicroKernel &kernel,
                                         const AttentionTensor &tensor,
                                         int64_t positions, int64_t depth,
                                         int64_t block) {
  AttentionPanels result;
  result.tensor = tensor;
  result.functions = kernel.attention;
  result.blockSize = std::min(block, positions);
  result.blocks = (positions + result.blockSize - 1) / result.blockSize;
  result.source = {nullptr, tensor.type, result.blockSize,
                   depth,   tensor.row,  tensor.column,
                   {0}};
  result.lastSource = result.source;
  result.lastSource.depth = positions - (result.blocks - 1) * result.blockSize;
  result.layout = PanelLayout(kernel, result.source);
  result.lastLayout = PanelLayout(kernel, result.lastSource);
  result.perBlock = result.layout.panels;
  return result;
}

void AttentionPanels::pack(int64_t image, int64_t head, int64_t panel,
                           float *scratch, uint8_t *to) const {
  assert(panel >= 0 && panel < count() && "a panel of the matrix");
  const int64_t size = recipe::elementSize(tensor.type);
  const int64_t block = panel / perBlock;
  const uint8_t *from =
      tensor.data + tensor.offset(image, head, block * blockSize) * size;
  if (!convertFirst) {
    const bool last = blocks > 1 ? block + 1 == blocks : false;
    packPanel(last ? lastSource : source, from, last ? lastLayout : layout,
              panel % perBlock, to);
    return;
  }
  // Packing takes types of the kernel only: the columns of this panel are made
  // dense rows of that type in `scratch` first.
  const PanelSource &dense = panel + 1 == perBlock ? lastSource : source;
  uint8_t *rows = reinterpret_cast<uint8_t *>(scratch);
  const int64_t rowBytes = dense.columnStride * recipe::elementSize(dense.type);
  from += panel * layout.width * tensor.row * size;
  if (tensor.type == recipe::ElementType::BF16) {
    for (int64_t c = 0; c < dense.columns; ++c)
      functions->fromBf16(
          reinterpret_cast<const uint16_t *>(from + c * tensor.row * size),
          scratch + c * dense.columnStride, dense.depth);
    return packPanel(dense, rows, layout, 0, to);
  }
  for (int64_t c = 0; c < dense.columns; ++c)
    convertRow(tensor.type, from + c * tensor.row * size, 1, dense.type,
               rows + c * rowBytes, 1, dense.depth);
  packPanel(dense, rows, layout, 0, to);
}

} // namespace gaudi::runtime
