// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would have avoided a compilation.
#include "Gaudi/Shapes/Recompile.h"

#include "Gaudi/Shapes/SharedSymbols.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace gaudi;
using namespace gaudi::shapes;

std::string gaudi::shapes::symbolName(std::string_view input,
                                      size_t dimension) {
  std::string name = fmt::format("{}_{}", input, dimension);
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  if (std::isdigit(static_cast<unsigned char>(name.front())))
    name.insert(0, "_");
  return name;
}

SharedSymbols
gaudi::shapes::symbolsFor(const std::vector<const Signature *> &signatures,
                          const GivenSymbols &given) {
  SharedSymbols symbols;
  const std::vector<Signature::Input> &inputs = signatures.front()->inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const size_t rank = inputs[i].sizes.size();
    std::vector<std::string> dimensions;
    for (size_t d = 0; d < rank; ++d) {
      // The sizes of one dimension over all signatures.
      Sizes sizes;
      for (const Signature *signature : signatures)
        if (i < signature->inputs.size() &&
            signature->inputs[i].sizes.size() == rank)
          sizes.push_back(signature->inputs[i].sizes[d]);
      const auto [low, high] = std::minmax_element(sizes.begin(), sizes.end());
      // Dynamic already: as it was given.
      if (*low == dynamicSize && i < given.dimensions.size())
        dimensions.push_back(given.dimensions[i][d]);
      if (*low == *high || *low == dynamicSize)
        continue;
      // Dimensions with equal sizes everywhere are one symbol.
      const auto known =
          std::find(symbols.sizes.begin(), symbols.sizes.end(), sizes);
      if (known != symbols.sizes.end()) {
        dimensions.push_back(
            symbols.names[size_t(known - symbols.sizes.begin())]);
        continue;
      }
      std::string name = symbolName(inputs[i].name, d);
      const auto isTaken = [&](const std::vector<std::string> &names) {
        return std::count(names.begin(), names.end(), name) != 0;
      };
      // Names are made unique, also beside those that were given.
      while (isTaken(symbols.names) || isTaken(given.names))
        name += "_";
      dimensions.push_back(fmt::format("{}={}..{}", name, *low, *high));
      symbols.names.push_back(std::move(name));
      symbols.sizes.push_back(std::move(sizes));
    }
    if (!dimensions.empty())
      symbols.options.push_back(fmt::format("--shape={}:{}",
                                            printable(inputs[i].name),
                                            fmt::join(dimensions, ",")));
  }
  return symbols;
}

namespace {
/// Of whole numbers as texts.
bool isSmaller(const std::string &a, const std::string &b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

std::string avoidDimension(const Difference &difference, const Signature &was,
                           const Signature &is) {
  // The dimension has a name in the model already.
  if (difference.isNamed)
    return fmt::format(
        "a dynamic size in the model: {}={}..{} in --shape",
        difference.subject.substr(1, difference.subject.size() - 2),
        std::min(difference.was, difference.is, isSmaller),
        std::max(difference.was, difference.is, isSmaller));
  const auto sizeOf = [&](const Signature &signature) {
    return signature.inputs[difference.input].sizes[difference.dimension];
  };
  if (sizeOf(is) == dynamicSize)
    return fmt::format("keeping the recipe of the model with dynamic sizes, "
                       "if its bounds hold {}",
                       sizeOf(was));
  if (sizeOf(was) == dynamicSize)
    return fmt::format("bounds and buckets that hold {}", sizeOf(is));
  const SharedSymbols symbols = symbolsFor({&is, &was});
  // One bucket per signature: neither is padded.
  std::vector<Sizes> boxes(2);
  for (const Sizes &sizes : symbols.sizes) {
    boxes[0].push_back(sizes[1]);
    boxes[1].push_back(sizes[0]);
  }
  const auto buckets = Buckets::create(symbols.names, boxes);
  return fmt::format("one recipe for both sizes: {}{}, with a dynamic size "
                     "('?') where the model has {}",
                     fmt::join(symbols.options, " "),
                     buckets ? " '--buckets=" + buckets->text() + "'" : "",
                     sizeOf(is));
}
} // namespace

std::string
gaudi::shapes::howToAvoid(const std::vector<Difference> &differences,
                          const Signature &was, const Signature &is) {
  if (differences.empty())
    return "";
  const Difference &first = differences.front();
  switch (first.cause) {
  case Cause::Device:
    return "nothing: each device has recipes of its own; compile one for each "
           "before the first launch";
  case Cause::Compiler:
    return "nothing: recipes of another version are made anew, so that they "
           "have its corrections";
  case Cause::Option:
    return "the same options for both";
  case Cause::Signature:
    return "one function with the inputs and outputs of both; what a launch "
           "does not need can be zero";
  case Cause::ElementType:
    return fmt::format("a conversion to {} before the launch, or two entries "
                       "of one recipe",
                       first.was);
  case Cause::Rank:
    return "a reshape to the same rank before the launch: dimensions of size 1 "
           "cost nothing";
  case Cause::Op:
    return "one graph for both: what chooses between them can be an input, or "
           "both can be entries of one recipe";
  case Cause::Dimension:
    return avoidDimension(first, was, is);
  case Cause::Constant:
    return "an input instead of the constant, so that its value may change "
           "from launch to launch";
  }
  return "";
}
