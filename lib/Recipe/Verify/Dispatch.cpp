// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks entries that choose among variants: symbols, the sizes computed from
// them, and that each variant takes and gives what its callers see.
#include "Context.h"

#include "Gaudi/Recipe/Container.h"
#include "Gaudi/Recipe/Sizes.h"

#include <algorithm>
#include <cassert>
#include <fmt/ranges.h>
#include <numeric>

namespace gaudi::recipe {
namespace {

class DispatchVerifier {
public:
  DispatchVerifier(const Context &context, const Entry &entry)
      : context(context), entry(entry), dispatch(*entry.dispatch()) {}

  Status run() {
    if (!(context.layout.features & featureVariants))
      return fail("has variants, which need feature bits {:#x} that the header "
                  "does not have",
                  featureVariants);
    if (!items(entry.inputs()).empty() || !items(entry.outputs()).empty() ||
        !items(entry.commands()).empty() || !items(entry.program()).empty())
      return fail("has variants, and inputs, outputs, commands or a program of "
                  "its own; those of its variants count");
    GAUDI_TRY(checkSymbols());
    GAUDI_TRY(checkVariantSizes());
    GAUDI_TRY(checkTensors("input", dispatch.inputs()));
    GAUDI_TRY(checkTensors("output", dispatch.outputs()));
    GAUDI_TRY(checkSources());
    for (uint32_t v = 0; v < items(dispatch.variants()).size(); ++v)
      if (Status status = checkVariant(*items(dispatch.variants())[v]); !status)
        return fail("variant {}: {}", v, status.error().message);
    return {};
  }

private:
  Status checkSymbols() {
    const auto symbols = items(dispatch.symbols());
    if (symbols.empty() || symbols.size() > maxSymbols)
      return fail("has {} symbols, expected 1 to {}", symbols.size(),
                  maxSymbols);
    std::vector<std::string_view> names;
    for (const Symbol *symbol : symbols) {
      const std::string_view name = text(symbol->name());
      if (name.empty())
        return fail("has symbol {} without a name", names.size());
      if (std::find(names.begin(), names.end(), name) != names.end())
        return fail("has two symbols {}", quoted(name));
      names.push_back(name);
      if (symbol->min() < 0 || symbol->max() < symbol->min() ||
          uint64_t(symbol->max()) > maxDeviceBytes || symbol->multiple() < 1)
        return fail("has symbol {} from {} to {} in multiples of {}, expected "
                    "0 <= min <= max <= 2^48 and a multiple of at least 1",
                    quoted(name), symbol->min(), symbol->max(),
                    symbol->multiple());
      ranges.push_back({symbol->min(), symbol->max()});
    }
    return {};
  }

  /// Sizes are evaluated at those of variants, too, which may be past the
  /// bounds that callers keep: 60 padded to 64.
  Status checkVariantSizes() {
    const auto variants = items(dispatch.variants());
    if (variants.empty())
      return fail("has no variants");
    if (variants.size() > maxVariants)
      return fail("has {} variants, expected at most {}", variants.size(),
                  maxVariants);
    for (uint32_t v = 0; v < variants.size(); ++v) {
      const auto sizes = items(variants[v]->sizes());
      if (sizes.size() != ranges.size())
        return fail("variant {}: has {} sizes for {} symbols", v, sizes.size(),
                    ranges.size());
      for (uint32_t s = 0; s < sizes.size(); ++s) {
        // A variant's size may be above the symbol's bound, where it is padded,
        // but never below what callers may give.
        const Symbol &symbol = *items(dispatch.symbols())[s];
        if (sizes[s] < symbol.min() || uint64_t(sizes[s]) > maxDeviceBytes)
          return fail("variant {}: has size {} of {}, which is at least {} and "
                      "at most 2^48",
                      v, sizes[s], quoted(text(symbol.name())), symbol.min());
        // Ranges of derived sizes are checked with these, so that no evaluation
        // overflows.
        ranges[s].high = std::max(ranges[s].high, sizes[s]);
      }
      if (variants[v]->picoseconds() < -1)
        return fail("variant {}: has the time {} ps, expected -1 (unknown) or "
                    "more",
                    v, variants[v]->picoseconds());
    }
    return checkSizesDiffer();
  }

  /// Of two variants for the same launches one would never run.
  Status checkSizesDiffer() const {
    const auto variants = items(dispatch.variants());
    // Sorted, equal sizes are neighbours; by number then, so that the later
    // variant is named.
    std::vector<uint32_t> order(variants.size());
    std::iota(order.begin(), order.end(), 0);
    const auto compare = [&](uint32_t a, uint32_t b) {
      const auto left = items(variants[a]->sizes());
      const auto right = items(variants[b]->sizes());
      for (uint32_t s = 0; s < left.size(); ++s)
        if (left[s] != right[s])
          return left[s] < right[s] ? -1 : 1;
      return 0;
    };
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const int compared = compare(a, b);
      return compared ? compared < 0 : a < b;
    });
    for (size_t i = 1; i < order.size(); ++i)
      if (compare(order[i - 1], order[i]) == 0)
        return fail("variant {}: has the sizes [{}] of variant {}, expected "
                    "others",
                    order[i],
                    fmt::join(copyOf(variants[order[i]]->sizes()), ", "),
                    order[i - 1]);
    return {};
  }

  Status
  checkTensors(const char *kind,
               const flatbuffers::Vector<flatbuffers::Offset<SizedTensor>>
                   *tensors) const {
    for (uint32_t t = 0; t < items(tensors).size(); ++t) {
      const SizedTensor &tensor = *items(tensors)[t];
      const auto sizes = items(tensor.sizes());
      if (!isValid(tensor.type()) || sizes.size() > maxRank)
        return fail("has {} {} {} of type {} and rank {}, expected a type that "
                    "exists and a rank of at most {}",
                    kind, t, quoted(text(tensor.name())),
                    unsigned(tensor.type()), sizes.size(), maxRank);
      for (uint32_t d = 0; d < sizes.size(); ++d) {
        const auto range = rangeOf(sizes[d], ranges);
        if (!range)
          return fail("has {} {} {}, whose size {} {}", kind, t,
                      quoted(text(tensor.name())), d, range.error().message);
        // Sizes that are negative for some launches only: these are refused.
        if (range->high < 0)
          return fail("has {} {} {}, whose size {} is at most {}", kind, t,
                      quoted(text(tensor.name())), d, range->high);
      }
    }
    return {};
  }

  /// A launch must be able to tell the symbols from the shapes of its inputs.
  Status checkSources() const {
    const std::vector<SymbolSource> sources = symbolSources(dispatch);
    for (uint32_t s = 0; s < ranges.size(); ++s)
      if (std::none_of(
              sources.begin(), sources.end(),
              [&](const SymbolSource &source) { return source.symbol == s; }))
        return fail("has symbol {}, which no size of an input determines",
                    quoted(text(items(dispatch.symbols())[s]->name())));
    return {};
  }

  Status checkVariant(const Variant &variant) {
    const auto entries = items(context.recipe.entries());
    if (variant.entry() >= entries.size())
      return fail("is entry {} but there are {}", variant.entry(),
                  entries.size());
    const Entry &launched = *entries[variant.entry()];
    // No chains: a launch chooses once.
    if (launched.dispatch())
      return fail("is {}, which has variants itself", entryLabel(launched));
    const auto inputs = items(launched.inputs());
    const auto extents = items(variant.extents());
    const uint32_t visible = items(dispatch.inputs()).size();
    // Extents are inputs that callers do not see.
    if (inputs.size() != uint64_t(visible) + extents.size() ||
        items(launched.outputs()).size() != items(dispatch.outputs()).size())
      return fail("is {}, which has {} inputs and {} outputs, expected {} and "
                  "{} extents, and {}",
                  entryLabel(launched), inputs.size(),
                  items(launched.outputs()).size(), visible, extents.size(),
                  items(dispatch.outputs()).size());
    // Ascending, so that one pass pairs them with inputs.
    for (uint32_t e = 0; e < extents.size(); ++e)
      if (extents[e]->input() >= inputs.size() ||
          (e && extents[e]->input() <= extents[e - 1]->input()))
        return fail("has extent {} of input {}, expected inputs in ascending "
                    "order, below {}",
                    e, extents[e]->input(), inputs.size());
    const std::vector<int64_t> sizes = copyOf(variant.sizes());
    uint32_t next = 0; // of the extents
    for (uint32_t i = 0; i < inputs.size(); ++i) {
      if (next < extents.size() && extents[next]->input() == i) {
        GAUDI_TRY(checkExtent(*extents[next++], inputs[i]));
        continue;
      }
      GAUDI_TRY(checkState(i - next, inputs[i]));
      GAUDI_TRY(checkShape("input", i - next,
                           *items(dispatch.inputs())[i - next], inputs[i],
                           sizes));
    }
    assert(next == extents.size() && "all extents name an input, in order");
    for (uint32_t o = 0; o < items(dispatch.outputs()).size(); ++o)
      GAUDI_TRY(checkShape("output", o, *items(dispatch.outputs())[o],
                           items(launched.outputs())[o], sizes));
    return {};
  }

  Status checkExtent(const Extent &extent, uint32_t id) const {
    const TensorInfo &tensor = context.tensors[id];
    if (tensor.type != ElementType::I32 || tensor.elements != 1 ||
        tensor.tensorClass != TensorClass::Input)
      return fail("has the extent {}, expected an input of one i32",
                  context.tensorLabel(id));
    const auto range = rangeOf(extent.value(), ranges);
    if (!range)
      return fail("has the extent {}, which {}", context.tensorLabel(id),
                  range.error().message);
    if (range->low < INT32_MIN || range->high > INT32_MAX)
      return fail("has the extent {} from {} to {}, which does not fit i32",
                  context.tensorLabel(id), range->low, range->high);
    return {};
  }

  /// State goes on from launch to launch, whichever variant runs.
  Status checkState(uint32_t input, uint32_t id) {
    const TensorInfo &tensor = context.tensors[id];
    if (states.size() <= input)
      states.resize(input + 1, id);
    const TensorInfo &first = context.tensors[states[input]];
    if ((tensor.tensorClass == TensorClass::State ||
         first.tensorClass == TensorClass::State) &&
        states[input] != id)
      return fail("has the state {} as input {} where another variant has {}",
                  context.tensorLabel(id), input,
                  context.tensorLabel(states[input]));
    return {};
  }

  /// The variant's tensor, in the caller's order, has room for what callers
  /// see at the sizes of the variant; sizes that fall while a symbol grows
  /// are compared at each launch.
  Status checkShape(const char *kind, uint32_t index, const SizedTensor &seen,
                    uint32_t id, const std::vector<int64_t> &symbols) const {
    const TensorInfo &tensor = context.tensors[id];
    const auto sizes = items(seen.sizes());
    const auto order =
        items(items(context.recipe.tensors())[id]->permutation());
    if (tensor.type != seen.type() ||
        tensor.window.sizes.size() != sizes.size())
      return fail("has {} {} {} of another type or rank than callers see", kind,
                  index, context.tensorLabel(id));
    uint64_t steps = 1;
    for (uint32_t d = 0; d < sizes.size(); ++d) {
      const uint32_t dim = order.empty() ? d : order[d];
      steps += items(sizes[dim]->steps()).size();
      const int64_t expected = evaluate(*sizes[dim], symbols.data());
      if (tensor.window.sizes[d] < expected)
        return fail("has {} {} {} with {} elements in dimension {}, expected "
                    "at least {} at the sizes of the variant",
                    kind, index, context.tensorLabel(id),
                    tensor.window.sizes[d], dim, expected);
    }
    // All variants may have this entry: then this is not linear.
    return context.work.spend(steps);
  }

  const Context &context;
  const Entry &entry;
  const Dispatch &dispatch;
  std::vector<SizeRange> ranges; ///< of the symbols, sizes of variants included
  std::vector<uint32_t> states;  ///< the first variant's tensor, per input
};

} // namespace

Status verifyDispatch(const Context &context, const Entry &entry) {
  return DispatchVerifier(context, entry).run();
}

} // namespace gaudi::recipe
