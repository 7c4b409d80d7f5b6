// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses variants of launches and runs them.
#include "DispatchImpl.h"
#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Sizes.h"
#include "Gaudi/Recipe/Variants.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Units.h"
#include "WithMemory.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace gaudi::runtime {

using namespace recipe;
using shapes::Sizes;
using shapes::volumeOf;

static_assert(maxVariants <= shapes::Buckets::maxBuckets,
              "what the verifier accepts can be chosen among");

bool Dispatcher::hasVariants(const Executable &executable, size_t entry) {
  return items(executable.loadedRecipe().file->recipe().entries())[uint32_t(
                                                                       entry)]
             ->dispatch() != nullptr;
}

Dispatcher::Dispatcher(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Dispatcher::~Dispatcher() = default;

Result<std::unique_ptr<Dispatcher>> Dispatcher::create(Executable &executable,
                                                       size_t entry) {
  assert(hasVariants(executable, entry) && "an entry with variants");
  return withMemoryFor(
      "load the variants", [&]() -> Result<std::unique_ptr<Dispatcher>> {
        LoadedRecipe &loaded = executable.loadedRecipe();
        const Dispatch &dispatch =
            *items(loaded.file->recipe().entries())[uint32_t(entry)]
                 ->dispatch();
        auto impl = std::make_unique<Impl>(executable, loaded, entry,
                                           GAUDI_TRY(bucketsOf(dispatch)));
        impl->readSignature();
        impl->readVariants();
        return std::unique_ptr<Dispatcher>(new Dispatcher(std::move(impl)));
      });
}

// --- what callers see --------------------------------------------------------

void Dispatcher::Impl::readSignature() {
  for (const Symbol *symbol : items(dispatch.symbols()))
    symbols.push_back({std::string(text(symbol->name())), symbol->min(),
                       symbol->max(), symbol->multiple()});
  sources = symbolSources(dispatch);
  assert(sources.size() == symbols.size() && "the verifier has checked it");
  found.resize(symbols.size());
  const auto read = [&](const auto *tensors, std::vector<SizedInfo> &infos,
                        std::vector<DynamicShape> &shapes) {
    for (const SizedTensor *tensor : items(tensors)) {
      std::vector<std::string> texts;
      DynamicShape dims;
      for (const Size *size : items(tensor->sizes())) {
        dims.emplace_back(*size);
        texts.push_back(sizeText(*size, buckets.names()));
      }
      const bool isDynamic =
          std::any_of(dims.begin(), dims.end(),
                      [](const DynamicDim &dim) { return !dim.isConstant; });
      infos.push_back({std::string(text(tensor->name())), tensor->type(),
                       fmt::format("{}", fmt::join(texts, " x ")), dims.size(),
                       isDynamic});
      shapes.push_back(std::move(dims));
    }
  };
  read(dispatch.inputs(), inputs, inputDims);
  read(dispatch.outputs(), outputs, outputDims);
}

HostView Dispatcher::Impl::viewOf(uint32_t tensor) const {
  return {tensor, loaded.tensors[tensor].type,
          hostLayout(*items(loaded.file->recipe().tensors())[tensor])};
}

void Dispatcher::Impl::readVariants() {
  const Recipe &recipe = loaded.file->recipe();
  for (const Variant *variant : items(dispatch.variants())) {
    LoadedVariant result;
    result.entry = variant->entry();
    result.picoseconds = variant->picoseconds();
    result.volume = volumeOf(copyOf(variant->sizes()));
    const Entry &entry = *items(recipe.entries())[variant->entry()];
    const auto extents = items(variant->extents());
    uint32_t next = 0;
    for (uint32_t i = 0; i < items(entry.inputs()).size(); ++i) {
      // Extents are inputs of the entry that the caller does not see: his
      // inputs are numbered without them.
      const uint32_t tensor = items(entry.inputs())[i];
      if (next < extents.size() && extents[next]->input() == i) {
        result.extents.push_back({tensor, DynamicDim(*extents[next]->value())});
        ++next;
        continue;
      }
      inputs[i - next].isBound = loaded.moved.of(tensor) != nullptr;
      inputs[i - next].isState =
          items(recipe.tensors())[tensor]->tensor_class() == TensorClass::State;
      result.inputs.push_back(viewOf(tensor));
    }
    for (uint32_t tensor : items(entry.outputs()))
      result.outputs.push_back(viewOf(tensor));
    variants.push_back(std::move(result));
  }
  counts.resize(variants.size());
}

const std::vector<shapes::Symbol> &Dispatcher::symbols() const {
  return impl->symbols;
}
const std::vector<SizedInfo> &Dispatcher::inputs() const {
  return impl->inputs;
}
const std::vector<SizedInfo> &Dispatcher::outputs() const {
  return impl->outputs;
}
const shapes::Buckets &Dispatcher::buckets() const { return impl->buckets; }
int64_t Dispatcher::picoseconds(size_t variant) const {
  return impl->variants[variant].picoseconds;
}
size_t Dispatcher::entryOf(size_t variant) const {
  return impl->variants[variant].entry;
}

Dispatcher::Shape Dispatcher::inputShape(size_t index,
                                         const Sizes &sizes) const {
  return shapeAt(impl->inputDims[index], sizes);
}
Dispatcher::Shape Dispatcher::outputShape(size_t index,
                                          const Sizes &sizes) const {
  return shapeAt(impl->outputDims[index], sizes);
}

// --- from shapes to symbols --------------------------------------------------

Sizes Dispatcher::Impl::limits() const {
  Sizes limits;
  for (const shapes::Symbol &symbol : symbols)
    limits.push_back(symbol.max);
  return limits;
}

Status Dispatcher::Impl::checkBounds(const Sizes &given) const {
  for (size_t s = 0; s < symbols.size(); ++s)
    GAUDI_TRY(checkBounds(given, s));
  return {};
}

Status Dispatcher::Impl::checkBounds(const Sizes &given, size_t symbol) const {
  if (given[symbol] > symbols[symbol].max && !buckets.choose(given))
    return fail("{}", buckets.whyNone(given, limits()));
  return runtime::checkBounds(symbols[symbol], given[symbol]);
}

Result<Sizes>
Dispatcher::sizesOf(const std::vector<std::optional<Shape>> &inputShapes,
                    Sizes known) const {
  return withMemoryFor("read shapes", [&]() -> Result<Sizes> {
    assert(inputShapes.size() == impl->inputs.size() && "one per input");
    known.resize(impl->symbols.size(), -1);
    std::vector<bool> wasUnknown; // before shapes told it
    for (const int64_t size : known)
      wasUnknown.push_back(size < 0);
    for (size_t i = 0; i < inputShapes.size(); ++i)
      if (inputShapes[i] && inputShapes[i]->size() != impl->inputDims[i].size())
        return fail("input \"{}\" has the shape {}, expected {}; give it as "
                    "many dimensions",
                    impl->inputs[i].name, shapeText(*inputShapes[i]),
                    impl->inputs[i].shape.empty() ? "a scalar"
                                                  : impl->inputs[i].shape);
    // Sources come in an order in which each needs only symbols before it.
    for (const SymbolSource &source : impl->sources) {
      const shapes::Symbol &symbol = impl->symbols[source.symbol];
      if (known[source.symbol] >= 0)
        continue;
      // One possible size needs no shape.
      if (!inputShapes[source.input] && symbol.min == symbol.max) {
        known[source.symbol] = symbol.min;
        continue;
      }
      if (!inputShapes[source.input])
        return fail("the size of {} is not known: give input \"{}\" a value, "
                    "or --sizes={}=N",
                    symbol.name, impl->inputs[source.input].name, symbol.name);
      const int64_t size = (*inputShapes[source.input])[source.dimension];
      const auto solved = GAUDI_TRY(
          solveFor(source, impl->inputDims[source.input][source.dimension],
                   impl->symbols, size, known));
      if (!solved || *solved < 0)
        return fail("input \"{}\" has {} elements in dimension {}, but no {} "
                    "gives that: its shape is {}; give it a size of that form",
                    impl->inputs[source.input].name, size, source.dimension,
                    symbol.name, impl->inputs[source.input].shape);
      known[source.symbol] = *solved;
    }
    // Derived dimensions are compared only once all symbols are known.
    for (size_t s = 0; s < known.size(); ++s) {
      const auto inside = impl->checkBounds(known, s);
      if (inside)
        continue;
      for (const SymbolSource &source : impl->sources)
        if (source.symbol == s && wasUnknown[s] && inputShapes[source.input])
          return fail("input \"{}\" has {} elements in dimension {}: {}",
                      impl->inputs[source.input].name,
                      (*inputShapes[source.input])[source.dimension],
                      source.dimension, inside.error().message);
      return tl::unexpected<Error>(inside.error());
    }
    for (size_t i = 0; i < inputShapes.size(); ++i)
      if (const Shape expected = inputShape(i, known);
          inputShapes[i] && *inputShapes[i] != expected) {
        std::vector<std::string> texts, given;
        for (size_t s = 0; s < known.size(); ++s) {
          texts.push_back(
              fmt::format("{} {}", impl->symbols[s].name, known[s]));
          const bool isTold =
              std::any_of(impl->sources.begin(), impl->sources.end(),
                          [&](const SymbolSource &source) {
                            return source.symbol == s && source.input == i;
                          });
          if (!wasUnknown[s] && isTold)
            given.push_back(
                fmt::format("{}={}", impl->symbols[s].name, known[s]));
        }
        return fail(
            "input \"{}\" has the shape {}, expected {} = {} with {}; "
            "give it that shape, or {}",
            impl->inputs[i].name, shapeText(*inputShapes[i]),
            impl->inputs[i].shape, shapeText(expected), fmt::join(texts, ", "),
            given.empty() ? "the other inputs sizes that fit"
                          : fmt::format("leave --sizes={} out, as shapes tell "
                                        "the sizes",
                                        fmt::join(given, ",")));
      }
    return known;
  });
}

// --- the choice --------------------------------------------------------------

/// Whether no tensor is larger than the variant's. Sizes that fall while a
/// symbol grows may be.
bool Dispatcher::Impl::fits(const LoadedVariant &candidate,
                            const Sizes &given) const {
  const auto fit = [&](const std::vector<DynamicShape> &shapes,
                       const std::vector<HostView> &views) {
    for (size_t i = 0; i < shapes.size(); ++i)
      for (size_t d = 0; d < shapes[i].size(); ++d) {
        const DynamicDim &dim = shapes[i][d];
        if (dim.isConstant || dim.symbol >= 0)
          continue; // its size is the variant's, or at most that
        const int64_t size = dim.at(given.data());
        if (size < 0 || size > views[i].layout.sizes[d])
          return false;
      }
    return true;
  };
  return fit(inputDims, candidate.inputs) && fit(outputDims, candidate.outputs);
}

/// Why no variant is large enough although its symbols are.
Status Dispatcher::Impl::noneFits(const Sizes &given) const {
  const std::string at = shapes::describeSizes(buckets.names(), given);
  const auto check = [&](const char *kind, const std::vector<SizedInfo> &infos,
                         const std::vector<DynamicShape> &shapes) -> Status {
    for (size_t i = 0; i < shapes.size(); ++i)
      for (size_t d = 0; d < shapes[i].size(); ++d)
        if (const int64_t size = shapes[i][d].at(given.data()); size < 0)
          return fail("{} \"{}\" of the shape {} has {} elements in dimension "
                      "{} at {}",
                      kind, infos[i].name, infos[i].shape, size, d, at);
    return {};
  };
  GAUDI_TRY(check("input", inputs, inputDims));
  GAUDI_TRY(check("output", outputs, outputDims));
  return fail("no variant has room for all tensors at {}", at);
}

Status Dispatcher::Impl::chooseFor(const Sizes &given) {
  // The cheapest bucket may have a dimension derived of its sizes that is too
  // small; then a dearer one is tried.
  const std::optional<size_t> chosen = buckets.choose(
      given.data(), [&](size_t v) { return fits(variants[v], given); });
  if (!chosen && buckets.choose(given.data()))
    return noneFits(given);
  if (!chosen)
    return fail("{}", buckets.whyNone(given, limits()));
  variant = *chosen;
  sizes.assign(given.begin(), given.end());
  isSelected = true;
  // The device computes nothing with sizes: it reads them.
  for (const LoadedExtent &extent : variants[variant].extents) {
    const auto value = int32_t(extent.value.at(sizes.data()));
    std::memcpy(loaded.tensors[extent.tensor].data, &value, sizeof(value));
  }
  return {};
}

Status Dispatcher::select(const std::vector<Shape> &inputShapes) {
  return withMemoryFor("choose a variant", [&]() -> Status {
    if (findSizes(inputShapes, impl->inputDims, impl->sources, impl->symbols,
                  impl->found))
      return impl->chooseFor(impl->found);
    if (inputShapes.size() != impl->inputs.size())
      return fail("got the shapes of {}, expected {}",
                  countOf(inputShapes.size(), "input"), impl->inputs.size());
    const Sizes sizes =
        GAUDI_TRY(sizesOf({inputShapes.begin(), inputShapes.end()}));
    return impl->chooseFor(sizes);
  });
}

Status Dispatcher::selectSizes(const Sizes &sizes) {
  return withMemoryFor("choose a variant", [&]() -> Status {
    if (sizes.size() != impl->symbols.size())
      return fail("got {}, expected {}", countOf(sizes.size(), "size"),
                  impl->symbols.size());
    GAUDI_TRY(impl->checkBounds(sizes));
    return impl->chooseFor(sizes);
  });
}

size_t Dispatcher::variant() const { return impl->variant; }
const Sizes &Dispatcher::sizes() const { return impl->sizes; }

// --- launches ----------------------------------------------------------------

Result<RunStats> Dispatcher::launch() {
  if (!impl->isSelected)
    return fail("no variant is selected; give the shapes of all inputs first");
  ++impl->launches;
  VariantCount &count = impl->counts[impl->variant];
  ++count.launches;
  count.real += volumeOf(impl->sizes);
  count.padded += impl->variants[impl->variant].volume;
  return impl->executable.launch(entry());
}

void Dispatcher::setPoison(bool on) { impl->poisons = on; }

const std::vector<VariantCount> &Dispatcher::counts() const {
  return impl->counts;
}

} // namespace gaudi::runtime
