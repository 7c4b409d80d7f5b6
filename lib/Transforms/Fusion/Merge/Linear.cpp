// Re-indexing of positions: reshapes, inverses of stores.
#include "Linear.h"

using namespace mlir;
using namespace mlir::gaudi::fusion;

std::optional<unsigned> Linear::singleDim() const {
  if (offset != 0 || coefficients.empty() || coefficients.back() != 1)
    return std::nullopt;
  for (unsigned d = 0; d + 1 < coefficients.size(); ++d)
    if (coefficients[d] != 0)
      return std::nullopt;
  return coefficients.size() - 1;
}

uint64_t Linear::dims() const {
  uint64_t bits = 0;
  for (unsigned d = 0; d < coefficients.size(); ++d)
    if (coefficients[d] != 0)
      bits |= uint64_t(1) << d;
  return bits;
}

Linear Linear::substitute(ArrayRef<Linear> forms) const {
  Linear result(offset);
  for (unsigned d = 0; d < coefficients.size(); ++d)
    if (coefficients[d] != 0)
      result.add(forms[d], coefficients[d]);
  return result;
}

AffineExpr Linear::toAffine(MLIRContext *context,
                            ArrayRef<unsigned> newDims) const {
  AffineExpr expr = getAffineConstantExpr(0, context);
  for (unsigned d = 0; d < coefficients.size(); ++d)
    if (coefficients[d] != 0)
      expr = expr + getAffineDimExpr(newDims[d], context) * coefficients[d];
  return expr + offset;
}

std::pair<int64_t, int64_t>
mlir::gaudi::fusion::rangeOf(const Linear &form, ArrayRef<int64_t> extents) {
  int64_t low = form.getOffset(), high = form.getOffset();
  for (unsigned d = 0; d < form.size(); ++d)
    (form[d] < 0 ? low : high) += form[d] * (extents[d] - 1);
  return {low, high};
}

static int64_t floorDiv(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

Reindexed mlir::gaudi::fusion::divide(const Linear &form, int64_t stride,
                                      ArrayRef<int64_t> extents,
                                      Linear &quotient, Linear &rest) {
  quotient = Linear();
  rest = Linear(form.getOffset());
  for (unsigned d = 0; d < form.size(); ++d) {
    if (form[d] % stride == 0)
      quotient.add(d, form[d] / stride);
    else
      rest.add(d, form[d]);
  }
  auto [low, high] = rangeOf(rest, extents);
  int64_t whole = floorDiv(low, stride);
  if (high - whole * stride < stride) {
    quotient.addOffset(whole);
    rest.addOffset(-whole * stride);
    return {true, std::nullopt};
  }
  // The dimension that crosses the stride, as an outer and an inner one.
  for (unsigned d = 0; d < rest.size(); ++d) {
    int64_t c = rest[d];
    if (c <= 0 || c >= stride || stride % c != 0)
      continue;
    int64_t inner = stride / c;
    if (extents[d] > inner && extents[d] % inner == 0)
      return {false, Split{d, inner}};
  }
  return {};
}

Reindexed mlir::gaudi::fusion::reshapePosition(
    ArrayRef<Linear> position, ArrayRef<int64_t> from, ArrayRef<int64_t> to,
    ArrayRef<int64_t> extents, SmallVectorImpl<Linear> &result) {
  Linear flat;
  int64_t stride = 1;
  for (size_t i = from.size(); i-- > 0; stride *= from[i])
    flat.add(position[i], stride);
  stride = 1;
  for (int64_t size : to)
    stride *= size;
  result.assign(to.size(), Linear());
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i] == 1)
      continue;
    stride /= to[i];
    Linear rest;
    Reindexed divided = divide(flat, stride, extents, result[i], rest);
    if (!divided.ok)
      return divided;
    flat = std::move(rest);
  }
  return {true, std::nullopt};
}

Reindexed mlir::gaudi::fusion::invertStore(ArrayRef<Linear> store,
                                           ArrayRef<int64_t> storeExtents,
                                           ArrayRef<Linear> position,
                                           ArrayRef<int64_t> extents,
                                           SmallVectorImpl<Linear> &indices) {
  indices.assign(storeExtents.size(), Linear());
  SmallVector<bool> known(storeExtents.size(), false);
  for (auto [stored, at] : llvm::zip(store, position)) {
    const Linear &form = stored;
    SmallVector<unsigned> order;
    for (unsigned d = 0; d < form.size(); ++d) {
      if (form[d] == 0)
        continue;
      if (form[d] < 0 || known[d])
        return {};
      known[d] = true;
      order.push_back(d);
    }
    llvm::sort(order,
               [&](unsigned a, unsigned b) { return form[a] > form[b]; });
    Linear rest = at;
    rest.addOffset(-form.getOffset());
    for (unsigned d : order) {
      Linear next;
      Reindexed divided = divide(rest, form[d], extents, indices[d], next);
      if (!divided.ok)
        return divided;
      rest = std::move(next);
    }
    auto [low, high] = rangeOf(rest, extents);
    if (low != 0 || high != 0)
      return {};
  }
  for (auto [d, size] : llvm::enumerate(storeExtents)) {
    if (!known[d] && size != 1)
      return {};
    auto [low, high] = rangeOf(indices[d], extents);
    if (low < 0 || high >= size)
      return {};
  }
  return {true, std::nullopt};
}
