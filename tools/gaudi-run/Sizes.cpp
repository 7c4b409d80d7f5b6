// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From --sizes and the shapes of inputs to the sizes of a launch.
#include "Sizes.h"
#include "Gaudi/Analysis/Entry.h"
#include "Gaudi/Analysis/SymbolTable.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Npy.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"
#include "Values.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>

namespace gaudi::run {

Result<std::vector<NamedSize>> parseSizes(const std::string &text) {
  std::vector<NamedSize> sizes;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::string item = text.substr(at, comma - at);
    const size_t equals = item.find('=');
    NamedSize size;
    size.name = item.substr(0, equals);
    const char *const end = item.data() + item.size();
    const char *const digits =
        equals == std::string::npos ? end : item.data() + equals + 1;
    const auto parsed = std::from_chars(digits, end, size.size);
    if (size.name.empty() || parsed.ec != std::errc() || parsed.ptr != end ||
        size.size < 0)
      return fail("--sizes: cannot read {}; expected NAME=N,NAME=N, names of "
                  "dynamic sizes and whole numbers, such as batch=8{}",
                  inQuotes(item), commaAdvice(item));
    for (const NamedSize &other : sizes)
      if (other.name == size.name)
        return fail("--sizes: {} is given twice; give it once",
                    inQuotes(size.name));
    sizes.push_back(std::move(size));
    at = comma + 1;
  }
  return sizes;
}

Result<shapes::Sizes> givenSizes(const std::vector<std::string> &symbols,
                                 const std::vector<NamedSize> &given) {
  shapes::Sizes sizes(symbols.size(), -1);
  for (const NamedSize &size : given) {
    const auto found = std::find(symbols.begin(), symbols.end(), size.name);
    if (symbols.empty())
      return fail("--sizes: the model has no dynamic sizes; remove the option");
    if (found == symbols.end())
      return fail("--sizes: no size is called {}; {}there are: {}",
                  inQuotes(size.name), meantAmong(size.name, symbols),
                  fmt::join(symbols, ", "));
    sizes[size_t(found - symbols.begin())] = size.size;
  }
  return sizes;
}

namespace {

/// The shape that a value was given with; none of a number that fills the
/// tensor. A file of values for several steps has one dimension more.
Result<std::optional<std::vector<int64_t>>> shapeOf(const ValueSpec &spec,
                                                    size_t rank, bool steps) {
  if (spec.file.empty() && !spec.type)
    return std::nullopt;
  std::vector<int64_t> shape = spec.file.empty()
                                   ? spec.type->shape
                                   : GAUDI_TRY(readNpy(spec.file)).shape;
  if (steps && shape.size() == rank + 1)
    shape.erase(shape.begin());
  return shape;
}

/// Where a text has `word` at its begin or behind one of `before`.
std::optional<size_t> wordAt(const std::string &text, std::string_view before,
                             const std::string &word) {
  for (size_t at = text.find(word); at != text.npos;
       at = text.find(word, at + 1))
    if (at == 0 || before.find(text[at - 1]) != before.npos)
      return at;
  return std::nullopt;
}

/// The bounds of a symbol that also hold `size`, as --shape takes them.
std::string boundsWith(const shapes::Symbol &symbol, int64_t size) {
  return fmt::format("{}={}..{}{}", symbol.name, std::min(symbol.min, size),
                     std::max(symbol.max, size),
                     symbol.multiple == 1 || size % symbol.multiple
                         ? ""
                         : fmt::format("/{}", symbol.multiple));
}

/// The value of --shape for the first input that has the symbol as a dimension:
/// "x:batch=1..600,seq=1..64"; of other inputs "INPUT:batch=1..600".
std::string shapeWith(const std::vector<shapes::Symbol> &symbols,
                      const shapes::Symbol &wide, int64_t size,
                      const std::vector<runtime::SizedInfo> &inputs) {
  for (const runtime::SizedInfo &input : inputs) {
    std::string dims;
    bool hasSymbol = false, areNames = true;
    for (size_t at = 0; at <= input.shape.size();) {
      const size_t end =
          std::min(input.shape.find(" x ", at), input.shape.size());
      const std::string dim = input.shape.substr(at, end - at);
      at = end + 3;
      if (dim.find_first_not_of("0123456789") == dim.npos)
        continue;
      const auto symbol =
          std::find_if(symbols.begin(), symbols.end(),
                       [&](const shapes::Symbol &s) { return s.name == dim; });
      areNames &= symbol != symbols.end();
      hasSymbol |= dim == wide.name;
      if (symbol != symbols.end())
        dims += (dims.empty() ? "" : ",") +
                boundsWith(*symbol, dim == wide.name ? size : symbol->min);
    }
    if (hasSymbol && areNames)
      return printable(input.name) + ":" + dims;
  }
  return "INPUT:" + boundsWith(wide, size);
}

} // namespace

std::string boundsAdvice(const std::string &problem,
                         const std::vector<shapes::Symbol> &symbols,
                         const std::vector<runtime::SizedInfo> &inputs,
                         const Options &options) {
  for (const shapes::Symbol &symbol : symbols) {
    const auto named = wordAt(problem, " ", symbol.name + " ");
    int64_t size = 0;
    if (!named ||
        std::from_chars(problem.data() + *named + symbol.name.size() + 1,
                        problem.data() + problem.size(), size)
                .ec != std::errc() ||
        symbol.holds(size))
      continue;
    // The user's own words where they bound it.
    for (std::string given : options.shapes)
      if (const auto name = wordAt(given, ":,", symbol.name + "="))
        return fmt::format(
            "; give a size from {}, or other bounds: --shape={}",
            symbol.boundsText(),
            given.replace(
                *name,
                std::min(given.find_first_of(",;", *name), given.size()) -
                    *name,
                boundsWith(symbol, size)));
    return fmt::format("; give a size from {}, or compile the model with other "
                       "bounds: --shape={}",
                       symbol.boundsText(),
                       shapeWith(symbols, symbol, size, inputs));
  }
  return "";
}

Result<shapes::Sizes> sizesOfLaunch(const runtime::Dispatcher &dispatcher,
                                    const Options &options) {
  const std::vector<runtime::SizedInfo> &infos = dispatcher.inputs();
  std::vector<recipe::Parameter> parameters;
  const shapes::Sizes any(dispatcher.symbols().size()); // of static shapes
  for (size_t i = 0; i < infos.size(); ++i)
    if (infos[i].isDynamic)
      parameters.push_back(
          {infos[i].name, {infos[i].type, {}}, false, infos[i].shape});
    else
      parameters.push_back({infos[i].name,
                            {infos[i].type, dispatcher.inputShape(i, any)},
                            infos[i].isState,
                            {}});
  const auto specs =
      GAUDI_TRY(matchSpecs("--input", options.inputs, parameters));
  std::vector<std::optional<std::vector<int64_t>>> given(specs.size());
  for (size_t i = 0; i < specs.size(); ++i)
    // What does not depend on a size is compared when it is read.
    if (specs[i] && infos[i].isDynamic)
      given[i] = GAUDI_TRY(shapeOf(*specs[i], infos[i].rank,
                                   options.steps != 0 && !infos[i].isState));
  auto sizes = dispatcher.sizesOf(
      given,
      GAUDI_TRY(givenSizes(dispatcher.buckets().names(), options.sizes)));
  if (sizes)
    return sizes;
  // The input that the error is about may be a file's.
  std::string problem = sizes.error().message;
  problem += boundsAdvice(problem, dispatcher.symbols(), infos, options);
  for (size_t i = 0; i < specs.size(); ++i)
    if (specs[i] && !specs[i]->file.empty() &&
        problem.find(fmt::format("input \"{}\"", infos[i].name)) == 0)
      return fail("{}: {}", inQuotes(specs[i]->file), problem);
  return fail(problem);
}

std::vector<recipe::Parameter>
parametersAt(const std::vector<runtime::SizedInfo> &infos,
             const std::function<std::vector<int64_t>(size_t)> &shapeOf) {
  std::vector<recipe::Parameter> parameters;
  for (size_t i = 0; i < infos.size(); ++i)
    parameters.push_back(
        {infos[i].name, {infos[i].type, shapeOf(i)}, infos[i].isState, {}});
  return parameters;
}

Result<uint32_t> predictedEntry(const recipe::Recipe &recipe,
                                const std::string &name,
                                const Options &options) {
  const uint32_t entry =
      GAUDI_TRY(analysis::chooseEntry(recipe, name, options.file));
  const recipe::Dispatch *dispatch =
      recipe::items(recipe.entries())[entry]->dispatch();
  if (!dispatch) {
    if (!options.sizes.empty())
      return fail(
          "--sizes: entry {} takes tensors of one size; remove the option",
          inQuotes(
              recipe::text(recipe::items(recipe.entries())[entry]->name())));
    return entry;
  }
  const auto table = GAUDI_TRY(analysis::SymbolTable::of(*dispatch));
  const shapes::Sizes sizes =
      GAUDI_TRY(givenSizes(table.buckets().names(), options.sizes));
  const auto variant = table.entryFor(sizes);
  if (!variant)
    return fail("--sizes: {}{}", variant.error().message,
                boundsAdvice(variant.error().message,
                             {table.symbols().begin(), table.symbols().end()},
                             {}, options));
  return *variant;
}

} // namespace gaudi::run
