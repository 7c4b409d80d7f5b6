// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on factors of dimensions.
#include "PaddingState.h"

using namespace mlir;
using namespace gaudi;

bool gaudi::isPadded(const DimPadding &dim) {
  return llvm::any_of(dim, [](const Factor &f) { return f.isPadded(); });
}

int64_t gaudi::sizeOf(const DimPadding &dim) {
  int64_t size = 1;
  for (const Factor &factor : dim)
    size *= factor.size;
  return size;
}

DimPadding gaudi::canonical(ArrayRef<Factor> factors) {
  DimPadding dim;
  for (const Factor &factor : factors) {
    if (factor.size == 1 && !factor.isPadded())
      continue;
    if (dim.empty() || factor.isPadded()) {
      dim.push_back(factor);
      continue;
    }
    Factor &outer = dim.back();
    outer.size *= factor.size;
    if (outer.isPadded())
      outer.extent = outer.extent * factor.size;
    outer.repeats &= factor.repeats;
  }
  if (dim.empty())
    dim.push_back({1, {}, /*repeats=*/true, {}});
  return dim;
}

AffineExpr gaudi::extentOf(const DimPadding &dim, const SymbolSizes &sizes) {
  AffineExpr product = sizes.constant(1);
  for (const Factor &factor : dim)
    product = product *
              (factor.isPadded() ? factor.extent : sizes.constant(factor.size));
  return sizes.simplify(product);
}

PaddingState PaddingState::real(ArrayRef<int64_t> shape, bool repeats) {
  PaddingState state;
  state.isKnown = true;
  for (int64_t size : shape)
    state.dims.push_back({{size, {}, repeats || size == 1, {}}});
  return state;
}

bool PaddingState::isPadded() const {
  return llvm::any_of(
      dims, [](const DimPadding &dim) { return gaudi::isPadded(dim); });
}

TypedAttr PaddingState::contentAt(int64_t dim, size_t factor) const {
  if (splat)
    return splat;
  return factor < dims[dim].size() ? dims[dim][factor].content : TypedAttr();
}

void PaddingState::addConditions(
    int64_t dim, SmallVectorImpl<Condition> &conditions,
    llvm::function_ref<bool(size_t)> select) const {
  int64_t divisor = sizeOf(dims[dim]);
  for (auto [i, factor] : llvm::enumerate(dims[dim])) {
    divisor /= std::max<int64_t>(1, factor.size);
    if (factor.isPadded() && select(i))
      conditions.push_back({dim, divisor, factor.size, factor.extent});
  }
}

void PaddingState::makeCanonical() {
  for (DimPadding &dim : dims)
    dim = canonical(dim);
}

void PaddingState::print(raw_ostream &os) const {
  if (!isKnown) {
    os << "unknown";
    return;
  }
  for (const DimPadding &dim : dims) {
    os << "[";
    llvm::interleaveComma(dim, os, [&](const Factor &factor) {
      os << factor.size;
      if (factor.isPadded())
        os << " extent " << factor.extent;
      if (factor.repeats)
        os << " repeats";
      if (factor.content)
        os << " holds " << factor.content;
    });
    os << "]";
  }
  if (splat)
    os << " splat " << splat;
}

DimPadding gaudi::structureOf(const DimPadding &dim) {
  DimPadding result;
  for (const Factor &factor : dim)
    result.push_back({factor.size, factor.extent, false, {}});
  return result;
}

std::optional<DimPadding> gaudi::commonFactors(const DimPadding &a,
                                               const DimPadding &b,
                                               const SymbolSizes &sizes) {
  const bool padsA = isPadded(a), padsB = isPadded(b);
  if (!padsA && !padsB)
    return structureOf(a);
  if (!padsA || !padsB) {
    const DimPadding &padded = padsA ? a : b, &other = padsA ? b : a;
    // A value for each position of a dimension that is padded inside would be
    // one for another position in the program.
    const bool repeats = llvm::all_of(
        other, [](const Factor &factor) { return factor.repeats; });
    if (isPrefix(padded) || repeats)
      return structureOf(padded);
    return std::nullopt;
  }
  if (a.size() != b.size())
    return std::nullopt;
  for (auto [x, y] : llvm::zip_equal(a, b))
    if (x.size != y.size || x.isPadded() != y.isPadded() ||
        (x.isPadded() && !sizes.areEqual(x.extent, y.extent)))
      return std::nullopt;
  return structureOf(a);
}

std::optional<SmallVector<DimPadding, 4>>
gaudi::reshapeFactors(ArrayRef<DimPadding> dims, ArrayRef<int64_t> shape,
                      const SymbolSizes &sizes, bool assumesMultiples) {
  // All factors, innermost last; those of size 1 hold no index.
  SmallVector<Factor> left;
  for (const DimPadding &dim : dims)
    for (const Factor &factor : dim)
      if (factor.size != 1 || factor.isPadded())
        left.push_back(factor);
  std::reverse(left.begin(), left.end());
  SmallVector<DimPadding, 4> result;
  for (int64_t size : shape) {
    SmallVector<Factor> taken;
    while (size != 1) {
      if (left.empty() || left.back().size == 0)
        return std::nullopt;
      Factor factor = left.pop_back_val();
      if (size % factor.size != 0) {
        // The outer part of the factor; the inner one is left.
        if (factor.size % size != 0)
          return std::nullopt;
        const int64_t inner = factor.size / size;
        Factor outer = factor;
        outer.size = size;
        if (factor.isPadded()) {
          if (!assumesMultiples && !sizes.isMultiple(factor.extent, inner))
            return std::nullopt;
          outer.extent = sizes.simplify(factor.extent.floorDiv(inner));
        }
        left.push_back({inner, {}, factor.repeats, {}});
        factor = outer;
      }
      size /= factor.size;
      taken.push_back(factor);
    }
    result.push_back(canonical(taken));
  }
  // Padded factors of size 1 at the end belong to no dimension.
  if (!left.empty())
    return std::nullopt;
  return result;
}
