// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys and values of attention, packed into panels for the micro kernels.
#ifndef GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONPANELS_H
#define GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONPANELS_H

#include "../Kernels/AttentionKernel.h"
#include "../Packing/Pack.h"
#include "AttentionProblem.h"

namespace gaudi::runtime {

/// A matrix of positions by depth, of one image and head of a tensor, as the
/// right side of a product. Its panels' columns are
/// - positions, and the product reduces depth (queries with keys), or
/// - depth, and the product reduces a block of positions (probabilities with
///   values).
class AttentionPanels {
public:
  AttentionPanels() = default;
  /// Columns are positions.
  static AttentionPanels ofPositions(const MicroKernel &kernel,
                                     const AttentionTensor &tensor,
                                     int64_t positions, int64_t depth);
  /// Columns are depth. Blocks of `block` positions, the last one shorter.
  static AttentionPanels ofDepth(const MicroKernel &kernel,
                                 const AttentionTensor &tensor,
                                 int64_t positions, int64_t depth,
                                 int64_t block);

  /// Panels of all blocks, and bytes from one to the next.
  int64_t count() const { return blocks * perBlock; }
  int64_t pitch() const { return layout.pitch(); }
  uint64_t bytes() const { return uint64_t(count()) * uint64_t(pitch()); }
  /// Scratch floats that packing needs.
  int64_t scratchFloats() const {
    return convertFirst ? layout.width * pitchOf(source.depth) : 0;
  }
  /// Panels of one block of positions, and columns of a panel.
  int64_t panelsPerBlock() const { return perBlock; }
  int64_t width() const { return layout.width; }
  int64_t stepBytes() const { return layout.width * 4; }

  void pack(int64_t image, int64_t head, int64_t panel, float *scratch,
            uint8_t *to) const;
  void visitAddresses(AddressVisitor &visitor) { visitor.visit(tensor.data); }

private:
  static int64_t pitchOf(int64_t depth) { return (depth + 15) / 16 * 16; }

  AttentionTensor tensor;
  const AttentionFunctions *functions = nullptr;
  // Sources of whole blocks and the last, or of whole panels and the last when
  // rows are converted first.
  PanelSource source, lastSource;
  PanelLayout layout, lastLayout;
  int64_t blocks = 1, perBlock = 0, blockSize = 0;
  bool convertFirst = false;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONPANELS_H
