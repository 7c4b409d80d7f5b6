// Recognising sliding windows and bringing their tensors into a layout.
#include "Window.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

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

std::optional<Window> fromlinalg::matchWindow(Nest &nest, AffineMap map,
                                              std::string &why) {
  why = "";
  Window window;
  SmallVector<bool> used(nest.numLoops(), false);
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    SmallVector<int64_t> flat;
    if (failed(getFlattenedAffineExpr(expr, nest.numLoops(), 0, &flat)) ||
        flat.size() != nest.numLoops() + 1 || flat.back() != 0)
      return std::nullopt;
    Spatial spatial{int64_t(i), unitDim};
    for (unsigned dim = 0; dim < nest.numLoops(); ++dim) {
      if (flat[dim] == 0)
        continue;
      if (flat[dim] < 0 || used[dim])
        return std::nullopt;
      used[dim] = true;
      if (nest.reduction[dim]) {
        if (spatial.tap != unitDim)
          return std::nullopt;
        spatial.tap = dim;
        spatial.dilation = flat[dim];
      } else {
        if (spatial.position != unitDim)
          return std::nullopt;
        spatial.position = dim;
        spatial.stride = flat[dim];
      }
    }
    bool isPlain = isa<AffineDimExpr>(expr);
    if (!isPlain && spatial.position == unitDim)
      return std::nullopt;
    window.plain.push_back(
        isPlain ? int64_t(cast<AffineDimExpr>(expr).getPosition()) : unitDim);
    if (!isPlain)
      window.spatial.push_back(spatial);
  }
  if (window.spatial.empty())
    return std::nullopt;
  why = "the window has more than 3 dimensions";
  if (window.spatial.size() > 3)
    return std::nullopt;
  return window;
}

/// Index of a key in a list; the list's size if it is not there.
static size_t positionOf(ArrayRef<int64_t> keys, int64_t key) {
  return llvm::find(keys, key) - keys.begin();
}

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
    // A group without dimensions has size 1: N in front, others at the end.
    for (const Group &group : groups)
      if (group.dims.empty())
        order.insert(group.letter == 'N' ? order.begin() : order.end(), group);
  }
  Arrangement result;
  for (const Group &group : order) {
    int64_t size = 1;
    for (int64_t key : group.dims)
      size *= sizes[positionOf(keys, key)];
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

Value fromlinalg::toArrangement(OpBuilder &b, Location loc, Value value,
                                ArrayRef<int64_t> keys, const Arrangement &to) {
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
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
