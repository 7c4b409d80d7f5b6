// What would have avoided a compilation.
#include "Gaudi/Shapes/Recompile.h"

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

namespace {
/// The dynamic sizes that would make one model of two.
struct Symbols {
  std::vector<std::string> names;
  Sizes was, is;
  /// Of each input that has some: "tokens:tokens_1=128..200".
  std::vector<std::string> options;

  Symbols(const Signature &then, const Signature &now) {
    for (size_t i = 0; i < std::min(then.inputs.size(), now.inputs.size()); ++i)
      if (then.inputs[i].sizes.size() == now.inputs[i].sizes.size())
        addInput(then.inputs[i], now.inputs[i]);
  }

private:
  void addInput(const Signature::Input &then, const Signature::Input &now) {
    std::vector<std::string> dimensions;
    for (size_t d = 0; d < now.sizes.size(); ++d)
      if (then.sizes[d] != now.sizes[d])
        dimensions.push_back(
            dimensionText(now.name, d, then.sizes[d], now.sizes[d]));
    if (!dimensions.empty())
      options.push_back(fmt::format("--shape={}:{}", printable(now.name),
                                    fmt::join(dimensions, ",")));
  }

  /// Dimensions of equal sizes before and now are one symbol.
  std::string dimensionText(const std::string &input, size_t dimension,
                            int64_t then, int64_t now) {
    for (size_t s = 0; s < names.size(); ++s)
      if (was[s] == then && is[s] == now)
        return names[s];
    const std::string name = newName(input, dimension);
    names.push_back(name);
    was.push_back(then);
    is.push_back(now);
    return fmt::format("{}={}..{}", name, std::min(then, now),
                       std::max(then, now));
  }

  std::string newName(const std::string &input, size_t dimension) const {
    std::string name = symbolName(input, dimension);
    while (std::count(names.begin(), names.end(), name))
      name += "_";
    return name;
  }
};

/// Of whole numbers as texts.
bool isSmaller(const std::string &a, const std::string &b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

std::string avoidDimension(const Difference &difference, const Signature &was,
                           const Signature &is) {
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
  const Symbols symbols(was, is);
  std::vector<Sizes> boxes = {symbols.was, symbols.is};
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
