// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of elementwise ops, and what all rules share.
#include "PaddingRules.h"
#include "Gaudi/Dialect/DimMap.h"
#include "Gaudi/Dialect/PaddingOps.h"
#include "Gaudi/Dialect/Symbols.h"

using namespace mlir;
using namespace gaudi;

AffineExpr gaudi::extentValue(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  if (!function)
    return {};
  auto map = function.getArgAttrOfType<AffineMapAttr>(argument.getArgNumber(),
                                                      extentAttrName);
  return map && map.getValue().getNumResults() == 1
             ? map.getValue().getResult(0)
             : AffineExpr();
}

PaddingRule::PaddingRule(Operation *op, ArrayRef<const PaddingState *> operands,
                         const SymbolSizes &sizes)
    : op(op), operands(operands), sizes(sizes) {
  restart();
}

void PaddingRule::restart() {
  SmallVector<CompactRequest, 1> compacts = std::move(out.compacts);
  out = OpPadding();
  out.compacts = std::move(compacts);
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    out.results.push_back(
        PaddingState::real(tensor ? tensor.getShape() : ArrayRef<int64_t>()));
  }
}

/// Compacts all of these dimensions that are collapsed, if each of them that is
/// padded has `count` real elements; false if not.
static bool compactAll(PaddingRule &rule,
                       ArrayRef<std::pair<unsigned, int64_t>> dims,
                       AffineExpr count) {
  for (auto [operand, dim] : dims)
    if (rule.in(operand).isPadded(dim) &&
        !rule.sizes.areEqual(count,
                             extentOf(rule.in(operand).dims[dim], rule.sizes)))
      return false;
  for (auto [operand, dim] : dims)
    rule.requirePrefix(operand, dim,
                       "another operand has its elements in their order");
  return true;
}

DimPadding PaddingRule::common(ArrayRef<std::pair<unsigned, int64_t>> dims,
                               int64_t size) {
  const DimPadding *padded = nullptr;
  for (auto [operand, dim] : dims)
    if (in(operand).isPadded(dim) && !padded)
      padded = &in(operand).dims[dim];
  if (!padded)
    return {{size, {}, false, {}}};
  DimPadding result;
  for (auto [operand, dim] : dims) {
    DimPadding own = in(operand).dims[dim];
    if (in(operand).splat)
      for (Factor &factor : own)
        factor.repeats = true;
    auto both = commonFactors(*padded, own, sizes);
    if (!both) {
      const AffineExpr count = extentOf(*padded, sizes);
      if (compactAll(*this, dims, count))
        return prefix(size, count);
      fail("dimension " + Twine(dim) + " of operand " + Twine(operand) +
           " has " + sizes.text(extentOf(own, sizes)) + " of " +
           Twine(sizeOf(own)) + " real elements, at other positions than the " +
           sizes.text(extentOf(*padded, sizes)) + " of another operand");
      return *padded;
    }
    result = *both;
  }
  return result;
}

void PaddingRule::setSameDims() {
  if (llvm::none_of(operands, [](const PaddingState *state) {
        return state->isPadded();
      }))
    return;
  const DimMap map = cast<DimMapOpInterface>(op).getDimMap();
  const unsigned count = op->getNumOperands();
  // The dimensions of operands that are a factor.
  auto dimsOf = [&](unsigned factor) {
    SmallVector<std::pair<unsigned, int64_t>> dims;
    for (const DimMap::Access &access : map.accesses)
      for (int64_t dim = 0; dim < int64_t(access.dims.size()); ++dim) {
        if (access.tensor >= count || access.dims[dim].isWhole ||
            DimMap::factorOf(access.dims[dim]) != factor)
          continue;
        const int64_t size = sizeOf(in(access.tensor).dims[dim]);
        if (map.sameAs(access.dims[dim], size) || map.factors[factor].size == 1)
          dims.push_back({access.tensor, dim});
        else if (size == 1 && in(access.tensor).isPadded(dim))
          fail("dimension " + Twine(dim) + " of operand " +
               Twine(access.tensor) +
               " is broadcast and may have no real element");
      }
    return dims;
  };
  for (OpResult value : op->getResults()) {
    const unsigned number = value.getResultNumber();
    const DimMap::Access &access = map.of(count + number);
    for (auto [dim, to] : llvm::enumerate(result(number).dims))
      if (auto factor = map.sameAs(access.dims[dim], sizeOf(to)))
        if (const auto dims = dimsOf(*factor); !dims.empty())
          to = common(dims, sizeOf(to));
  }
}

DimPadding PaddingRule::prefix(int64_t size, AffineExpr extent,
                               TypedAttr content) {
  return {{size, sizes.simplify(extent), false, content}};
}

void PaddingRule::require(unsigned operand, ArrayRef<int64_t> dims,
                          TypedAttr value,
                          llvm::function_ref<bool(TypedAttr)> accepts) {
  const PaddingState &state = in(operand);
  MaskRequest request{operand, {}, value};
  bool isRead = false;
  for (int64_t dim : dims)
    state.addConditions(dim, request.conditions, [&](size_t factor) {
      isRead = true;
      const TypedAttr content = state.contentAt(dim, factor);
      return !content || (content != value && !(accepts && accepts(content)));
    });
  if (!request.conditions.empty()) {
    out.masks.push_back(request);
  } else if (isRead && out.harmless.empty()) {
    llvm::raw_string_ostream text(out.harmless);
    text << "padding of operand " << operand << " holds neutral elements";
  }
}

void PaddingRule::requireZeroProduct(int64_t dim0, int64_t dim1) {
  assert(sizeOf(in(0).dims[dim0]) == sizeOf(in(1).dims[dim1]) &&
         "a contraction walks both dimensions");
  const int64_t dims[] = {dim0, dim1};
  const DimPadding both =
      common({{0, dim0}, {1, dim1}}, sizeOf(in(0).dims[dim0]));
  if (!gaudi::isPadded(both) || failed())
    return;
  // Operands that are real as a whole are padded as the other one is. Padding
  // that is not known may be NaN, which times zero is NaN.
  bool anyZero = false, isMasked[2] = {false, false};
  for (size_t factor = 0; factor < both.size(); ++factor) {
    if (!both[factor].isPadded())
      continue;
    bool hasZero = false, areFinite = true;
    for (unsigned operand : {0, 1}) {
      const TypedAttr content = in(operand).contentAt(dims[operand], factor);
      hasZero |= isZero(content);
      areFinite &= isFinite(content);
    }
    if (hasZero && areFinite) {
      anyZero = true;
      continue;
    }
    for (unsigned operand : {0, 1})
      isMasked[operand] |=
          !isFinite(in(operand).contentAt(dims[operand], factor)) ||
          (areFinite && operand == 0);
  }
  for (unsigned operand : {0, 1})
    if (isMasked[operand]) {
      MaskRequest request{operand, {}, zeroOf(elementOf(operand))};
      int64_t divisor = sizeOf(both);
      for (const Factor &factor : both) {
        divisor /= factor.size;
        if (factor.isPadded())
          request.conditions.push_back(
              {dims[operand], divisor, factor.size, factor.extent});
      }
      out.masks.push_back(request);
    }
  // One zero operand is not enough if the other one has been found to be
  // neither finite nor zero.
  if (!isMasked[0] && !isMasked[1] && anyZero)
    out.harmless = "padding of both operands is finite, and of one zero";
}

static constexpr StringLiteral overWindows = "windows go over it";

bool PaddingRule::addWindows(int64_t from, int64_t to, const Windows &windows,
                             SmallVectorImpl<int64_t> &read) {
  if (!in(0).isPadded(from))
    return true;
  if (!requirePrefix(0, from, overWindows))
    return false;
  // Without padding at the end, real windows end with the real elements.
  if (windows.high > 0)
    read.push_back(from);
  const int64_t reach = (windows.kernel - 1) * windows.dilation + 1;
  const AffineExpr last =
      in(0).dims[from].front().extent + (windows.low + windows.high - reach);
  result().dims[to] =
      prefix(sizeOf(result().dims[to]), last.floorDiv(windows.stride) + 1);
  return true;
}

bool PaddingRule::addUnderWindows(int64_t from, int64_t to,
                                  const Windows &windows) {
  if (!in(0).isPadded(from))
    return true;
  if (!requirePrefix(0, from, overWindows))
    return false;
  if (isMarked(0, to))
    return true;
  if (windows.stride != 1) {
    failWithoutSize(from, windows.stride);
    return false;
  }
  const int64_t reach = (windows.kernel - 1) * windows.dilation;
  result().dims[to] = prefix(sizeOf(result().dims[to]),
                             in(0).dims[from].front().extent +
                                 (reach - windows.low - windows.high));
  return true;
}

bool PaddingRule::requirePrefix(unsigned operand, int64_t dim, StringRef why) {
  if (isPrefix(in(operand).dims[dim]))
    return true;
  if (!countsPadding())
    return compact(operand, dim, why);
  fail("dimension " + Twine(dim) + " of operand " + Twine(operand) +
       " is made of " + Twine(in(operand).dims[dim].size()) +
       " padded dimensions, whose positions are computed, and " + why);
  return false;
}

bool PaddingRule::requireOwnDims() {
  auto list = op->getAttrOfType<ArrayAttr>(paddedIndicesAttrName);
  bool isOwn = list && list.size() == 4;
  for (auto [operand, at] : {std::pair(0, 0), std::pair(2, 2)}) {
    auto shape = isOwn ? dyn_cast<DenseI64ArrayAttr>(list[at]) : nullptr;
    auto counted = isOwn ? dyn_cast<DenseI64ArrayAttr>(list[at + 1]) : nullptr;
    auto dims = shape ? reshapeFactors(in(operand).dims, shape.asArrayRef(),
                                       sizes, false)
                      : std::nullopt;
    isOwn =
        dims && counted && llvm::all_of(counted.asArrayRef(), [&](int64_t dim) {
          return dim >= 0 && dim < int64_t(dims->size()) &&
                 isPrefix((*dims)[dim]);
        });
  }
  if (!isOwn)
    fail("positions are computed in a dimension that is made of several padded "
         "ones; update the dimensions before they are collapsed");
  return isOwn;
}

void PaddingRule::alignPadding(unsigned operand, unsigned other, int64_t dim) {
  if (!countsPadding() || isPadded(operand, {dim}) || !isPadded(other, {dim}) ||
      sizeOf(in(operand).dims[dim]) != sizeOf(in(other).dims[dim]) ||
      !(isPrefix(in(other).dims[dim]) ||
        op->getAttrOfType<ArrayAttr>(paddedIndicesAttrName)))
    return;
  PaddingState &state = changed.emplace_back(in(operand));
  state.dims[dim] = structureOf(in(other).dims[dim]);
  operands[operand] = &state;
}

bool PaddingRule::compact(unsigned operand, int64_t dim, StringRef why) {
  const DimPadding factors = in(operand).dims[dim];
  if (isPrefix(factors))
    return true;
  PaddingState &state = changed.emplace_back(in(operand));
  const bool repeats = state.repeatsAt(dim);
  state.dims[dim] = prefix(sizeOf(factors), extentOf(factors, sizes));
  state.dims[dim].front().repeats = repeats;
  operands[operand] = &state;
  // Elements that do not depend on the index are where they have to be.
  if (!repeats)
    out.compacts.push_back({operand, dim, factors, why.str()});
  return false;
}

ValidOp gaudi::markerOf(Value value) {
  return value.hasOneUse() ? dyn_cast<ValidOp>(*value.user_begin()) : ValidOp();
}

bool PaddingRule::isMarked(unsigned number, int64_t dim) {
  ValidOp marker = markerOf(op->getResult(number));
  return marker && llvm::is_contained(marker.getDims(), dim);
}

void PaddingRule::requireBound(unsigned operand, unsigned data, int64_t dim) {
  if (countsPadding() || !in(data).isPadded(dim) ||
      !requirePrefix(data, dim, indicesCount))
    return;
  const Factor &factor = in(data).dims[dim].front();
  if (!isIndexBelow(op->getOperand(operand), factor.extent, sizes))
    out.bounds.push_back({operand, factor.extent, factor.size});
}

bool PaddingRule::requireReal(unsigned operand, ArrayRef<int64_t> allowed,
                              StringRef why) {
  for (int64_t dim = 0; dim < int64_t(in(operand).dims.size()); ++dim)
    if (in(operand).isPadded(dim) && !llvm::is_contained(allowed, dim)) {
      fail("dimension " + Twine(dim) + " of operand " + Twine(operand) +
           " is padded, " + why);
      return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

bool gaudi::addElementwiseRule(PaddingRule &rule) {
  auto op = dyn_cast<ElementwiseOpInterface>(rule.op);
  if (!op)
    return false;
  const ArrayRef<int64_t> shape = tensorType(rule.op->getResult(0)).getShape();
  const unsigned count = rule.op->getNumOperands();
  auto isBroadcast = [&](unsigned operand, int64_t dim) {
    return shape[dim] != 1 && sizeOf(rule.in(operand).dims[dim]) == 1;
  };
  rule.setSameDims();
  if (rule.failed())
    return true;
  PaddingState &result = rule.result();
  SmallVector<TypedAttr> contents(count);
  for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim) {
    bool repeats = true;
    for (unsigned operand = 0; operand < count; ++operand)
      repeats &= isBroadcast(operand, dim) || rule.in(operand).repeatsAt(dim);
    for (auto [i, factor] : llvm::enumerate(result.dims[dim])) {
      factor.repeats = repeats;
      if (!factor.isPadded())
        continue;
      for (unsigned operand = 0; operand < count; ++operand)
        contents[operand] = rule.in(operand).contentAt(dim, i);
      factor.content = evaluateElementwise(op, contents);
    }
  }
  for (unsigned operand = 0; operand < count; ++operand)
    contents[operand] = rule.in(operand).splat;
  if (count != 0 && llvm::all_of(contents, [](TypedAttr v) { return bool(v); }))
    result.splat = evaluateElementwise(op, contents);
  return true;
}

//===----------------------------------------------------------------------===//
// All ops
//===----------------------------------------------------------------------===//

static void addRule(PaddingRule &rule) {
  // Of an op on real tensors only, every result is real.
  const bool readsPadding =
      llvm::any_of(rule.operands,
                   [](const PaddingState *state) { return state->isPadded(); });
  if (addElementwiseRule(rule) || addMoveRule(rule) || addReshapeRule(rule) ||
      !readsPadding || addAxisRule(rule) || addWindowRule(rule) ||
      addIndexRule(rule) || addOptimizerRule(rule) || addMatrixRule(rule) ||
      addAttentionRule(rule) || addKernelRule(rule))
    return;
  rule.fail("the op has no rule for padded operands");
}

OpPadding gaudi::paddingOf(Operation *op,
                           ArrayRef<const PaddingState *> operands,
                           const SymbolSizes &sizes) {
  PaddingRule rule(op, operands, sizes);
  // Each round compacts a dimension that no round before has.
  addRule(rule);
  for (size_t rounds = 0; rule.rounds() != rounds; addRule(rule)) {
    rounds = rule.rounds();
    rule.restart();
  }
  for (auto [result, state] :
       llvm::zip_equal(op->getResults(), rule.out.results)) {
    state.makeCanonical();
    assert((rule.failed() || !isa<RankedTensorType>(result.getType()) ||
            llvm::equal(llvm::map_range(state.dims, sizeOf),
                        tensorType(result).getShape())) &&
           "factors multiply to the sizes of the dimensions");
    (void)result;
  }
  // The static sizes are those of the bucket: a rule whose extent is larger
  // there would call padding real.
  for (auto [number, state] : llvm::enumerate(rule.out.results))
    for (auto [dim, padding] : llvm::enumerate(state.dims))
      for (const Factor &factor : padding)
        if (factor.isPadded() &&
            sizes.atBucket(factor.extent).value_or(factor.size + 1) >
                factor.size)
          rule.fail("result " + Twine(number) + " would have " +
                    sizes.text(factor.extent) + " elements in dimension " +
                    Twine(dim) + ", more than " + Twine(factor.size));
  return std::move(rule.out);
}
