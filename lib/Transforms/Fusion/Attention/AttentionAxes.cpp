// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AttentionAxes.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

AttentionAxes::AttentionAxes(SdpaOp op) : op(op) {
  const AttentionSizes s = attentionSizes(op);
  sizes = {s.batch,   1,      s.keyHeads, 1,           s.heads / s.keyHeads,
           s.queries, s.keys, s.depth,    s.valueDepth};
  images = s.batch;
  keyHeads = s.keyHeads;
  keyIsShared = s.keyBatch == 1;
  valueIsShared = s.valueBatch == 1;
}

void AttentionAxes::split(int64_t outerImages, int64_t outerHeads) {
  assert(images % outerImages == 0 && keyHeads % outerHeads == 0 &&
         "outer axes that divide both");
  sizes[size_t(Axis::N)] = outerImages;
  sizes[size_t(Axis::NInner)] = images / outerImages;
  sizes[size_t(Axis::KeyHead)] = outerHeads;
  sizes[size_t(Axis::KeyHeadInner)] = keyHeads / outerHeads;
}

SmallVector<Axis, 7> AttentionAxes::realAxes(ArrayRef<Axis> axes) const {
  SmallVector<Axis, 7> real;
  llvm::copy_if(axes, std::back_inserter(real),
                [&](Axis axis) { return sizeOf(axis) > 1; });
  return real;
}

Dims AttentionAxes::dimsOf(StringRef layout, Axis length, Axis depth) const {
  Dims dims;
  for (char letter : layout) {
    SmallVector<Axis, 2> axes;
    switch (letter) {
    // A key or value of one image is shared by all.
    case 'N': {
      const bool isShared =
          (length == Axis::Key) &&
          (depth == Axis::Depth ? keyIsShared : valueIsShared);
      if (!isShared)
        axes = {Axis::N, Axis::NInner};
      break;
    }
    case 'H':
      axes = {Axis::KeyHead, Axis::KeyHeadInner};
      // Heads of queries are those of keys times the group.
      if (length == Axis::Query)
        axes.push_back(Axis::Group);
      break;
    case 'L':
      axes = {length};
      break;
    default:
      assert(letter == 'D' && "a letter of layouts");
      axes = {depth};
    }
    dims.push_back(SmallVector<Axis, 2>(realAxes(axes)));
  }
  return dims;
}
