// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognising sliding windows and bringing their tensors into a layout.
#include "Window.h"
#include "Gaudi/Dialect/KernelLanguage.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

std::optional<DimList> fromlinalg::plainDims(AffineMap map) {
  DimList dims;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || llvm::is_contained(dims, int64_t(dim.getPosition())))
      return std::nullopt;
    dims.push_back(dim.getPosition());
  }
  return dims;
}

/// The loop dimensions of one tensor dimension, from the coefficients of its
/// index: at most one position and one tap, each used nowhere else. A loop that
/// two dimensions share would read a diagonal, which no window does.
static std::optional<Spatial> readSpatial(Nest &nest, int64_t tensorDim,
                                          const Affine &index,
                                          SmallVectorImpl<bool> &used) {
  Spatial spatial{tensorDim, unitDim};
  for (unsigned dim = 0; dim < index.size(); ++dim) {
    if (index[dim] == 0)
      continue;
    int64_t &role = nest.reduction[dim] ? spatial.tap : spatial.position;
    if (index[dim] < 0 || used[dim] || role != unitDim)
      return std::nullopt;
    used[dim] = true;
    role = dim;
    (nest.reduction[dim] ? spatial.dilation : spatial.stride) = index[dim];
  }
  return spatial;
}

FailureOr<Window> fromlinalg::matchWindow(Nest &nest, AffineMap map,
                                          Matcher &m) {
  Window window;
  SmallVector<bool> used(nest.numLoops(), false);
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    // An offset would begin the window past the first element.
    FailureOr<Affine> index = affineOf(expr);
    if (failed(index) || index->getOffset() != 0)
      return failure();
    std::optional<Spatial> spatial = readSpatial(nest, i, *index, used);
    if (!spatial)
      return failure();
    std::optional<unsigned> plain = index->singleDim();
    window.plain.push_back(plain ? int64_t(*plain) : unitDim);
    if (plain)
      continue;
    if (spatial->position == unitDim)
      return failure();
    window.spatial.push_back(*spatial);
  }
  if (window.spatial.empty())
    return failure();
  if (window.spatial.size() > 3)
    return m.refuse("the window has more than 3 dimensions");
  return window;
}

/// Index of a key in a list; the list's size if it is not there.
static size_t positionOf(ArrayRef<int64_t> keys, int64_t key) {
  return llvm::find(keys, key) - keys.begin();
}

// A layout names the groups in any order, each collapsed into one dimension. If
// each group's dimensions are adjacent and in order in the tensor, its own
// order is a layout and a reshape brings it there. O(keys * groups).
Arrangement fromlinalg::arrange(ArrayRef<int64_t> keys, ArrayRef<int64_t> sizes,
                                ArrayRef<Group> groups) {
  SmallVector<Group> order;
  bool inPlace = true;
  for (size_t i = 0; i < keys.size();) {
    const Group *group = llvm::find_if(groups, [&](const Group &g) {
      return llvm::is_contained(g.dims, keys[i]);
    });
    size_t length = group == groups.end() ? 0 : group->dims.size();
    if (length == 0 ||
        keys.slice(i).take_front(length) != ArrayRef(group->dims)) {
      inPlace = false;
      break;
    }
    order.push_back(*group);
    i += length;
  }
  if (!inPlace) {
    order.assign(groups.begin(), groups.end());
  } else {
    // A group without dimensions has size 1 and may be anywhere: N first,
    // others last, as in the layouts that the engines prefer.
    for (const Group &group : groups)
      if (group.dims.empty())
        order.insert(group.letter == 'N' ? order.begin() : order.end(), group);
  }
  Arrangement result;
  for (const Group &group : order) {
    int64_t size = 1;
    for (int64_t key : group.dims)
      size *= sizes[positionOf(keys, key)]; // at most the tensor's elements
    result.layout.push_back(group.letter);
    result.order.append(group.dims);
    result.shape.push_back(size);
  }
  return result;
}

/// Keys need not be small numbers, so they are renumbered for relayout.
static DimList renumbered(ArrayRef<int64_t> keys, ArrayRef<int64_t> among) {
  DimList result;
  for (int64_t key : keys)
    result.push_back(positionOf(among, key));
  return result;
}

Value fromlinalg::cutToReach(OpBuilder &b, Nest &nest, const Window &window,
                             StringRef layout, Value value) {
  auto type = tensorType(value);
  SmallVector<int64_t> reach(type.getShape());
  for (auto [letter, dim] : llvm::zip_equal(window.letters(), window.spatial)) {
    int64_t needed = (nest.extents[dim.position] - 1) * dim.stride +
                     (tapCount(nest, dim) - 1) * dim.dilation + 1;
    int64_t &size = reach[layout.find(letter)];
    // Positions of the device are all that fit: floor((size - window) / stride)
    // + 1. A rest below the stride changes nothing; more would add positions.
    assert(size >= needed && "linalg's verifier bounds the accesses");
    if (size - needed >= dim.stride)
      size = needed;
  }
  if (ArrayRef<int64_t>(reach) == type.getShape())
    return value;
  SmallVector<int64_t> zeros(reach.size(), 0), ones(reach.size(), 1);
  return SliceOp::create(b, nest.op.getLoc(), type.clone(reach), value, zeros,
                         ones);
}

Value fromlinalg::toArrangement(OpBuilder &b, Location loc, Value value,
                                ArrayRef<int64_t> keys, const Arrangement &to) {
  auto shape = tensorType(value).getShape();
  return relayout(b, loc, value, renumbered(keys, keys),
                  renumbered(to.order, keys), shape, to.shape);
}

Value fromlinalg::fromArrangement(OpBuilder &b, Location loc, Value value,
                                  const Arrangement &from,
                                  ArrayRef<int64_t> keys,
                                  ArrayRef<int64_t> sizes) {
  return relayout(b, loc, value, renumbered(from.order, keys),
                  renumbered(keys, keys), sizes, sizes);
}
