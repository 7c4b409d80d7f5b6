// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what launches exchange with the host.
#include "Recipe.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Entries.h"
#include "Gaudi/Recipe/Sizes.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace gaudi::capi {

using namespace recipe;

namespace {

/// Shapes in the caller's order of dimensions.
HostTensor staticTensor(const Tensor &tensor) {
  HostTensor result;
  result.name = std::string(text(tensor.name()));
  result.type = tensor.type();
  result.shape = copyOf(tensor.sizes());
  const auto order = items(tensor.permutation());
  for (uint32_t d = 0; d < order.size(); ++d)
    result.shape[order[d]] = items(tensor.sizes())[d];
  return result;
}

HostTensor sizedTensor(const SizedTensor &tensor,
                       const std::vector<std::string> &symbols) {
  HostTensor result;
  result.name = std::string(text(tensor.name()));
  result.type = tensor.type();
  std::vector<std::string> sizes;
  for (const Size *size : items(tensor.sizes())) {
    const auto steps = items(size->steps());
    const bool isConstant =
        steps.size() == 1 && steps[0]->op() == SizeOp::Const;
    result.shape.push_back(isConstant ? steps[0]->value() : -1);
    sizes.push_back(sizeText(*size, symbols));
  }
  result.symbolicShape = fmt::format("{}", fmt::join(sizes, " x "));
  return result;
}

class Reader {
public:
  explicit Reader(const Recipe &recipe) : recipe(recipe) {}

  Signature read() {
    const auto tensors = items(recipe.tensors());
    // As the runtime numbers them.
    for (uint32_t t = 0; t < tensors.size(); ++t)
      if (tensors[t]->tensor_class() == TensorClass::State &&
          tensors[t]->alias_of() < 0) {
        stateOf[t] = int32_t(result.states.size());
        result.states.push_back(staticTensor(*tensors[t]));
        result.states.back().state = stateOf[t];
      }
    for (uint32_t e : callableEntries(recipe))
      addEntry(e);
    return std::move(result);
  }

private:
  int32_t state(uint32_t tensor) const {
    const auto found = stateOf.find(rootOf(recipe, tensor));
    return found == stateOf.end() ? -1 : found->second;
  }

  void addEntry(uint32_t index) {
    const Entry &entry = *items(recipe.entries())[index];
    HostEntry host;
    host.index = index;
    host.name = std::string(text(entry.name()));
    if (entry.dispatch()) {
      addSized(*entry.dispatch(), host);
    } else {
      for (uint32_t id : items(entry.inputs())) {
        host.inputs.push_back(staticTensor(*items(recipe.tensors())[id]));
        host.inputs.back().state = state(id);
      }
      for (uint32_t id : items(entry.outputs()))
        host.outputs.push_back(staticTensor(*items(recipe.tensors())[id]));
    }
    result.entries.push_back(std::move(host));
  }

  void addSized(const Dispatch &dispatch, HostEntry &host) {
    std::vector<std::string> names;
    for (const Symbol *symbol : items(dispatch.symbols())) {
      names.emplace_back(text(symbol->name()));
      host.symbols.push_back(
          {names.back(), symbol->min(), symbol->max(), symbol->multiple()});
    }
    for (const SizedTensor *tensor : items(dispatch.inputs()))
      host.inputs.push_back(sizedTensor(*tensor, names));
    for (const SizedTensor *tensor : items(dispatch.outputs()))
      host.outputs.push_back(sizedTensor(*tensor, names));
    // All variants agree on states.
    const auto variants = items(dispatch.variants());
    if (variants.empty())
      return;
    const auto extents = items(variants[0]->extents());
    const auto inputs =
        items(items(recipe.entries())[variants[0]->entry()]->inputs());
    uint32_t next = 0;
    for (uint32_t i = 0; i < inputs.size(); ++i)
      if (next < extents.size() && extents[next]->input() == i)
        ++next;
      else
        host.inputs[i - next].state = state(inputs[i]);
  }

  const Recipe &recipe;
  Signature result;
  std::map<uint32_t, int32_t> stateOf; // by tensor
};

} // namespace

Signature signatureOf(const Recipe &recipe) { return Reader(recipe).read(); }

std::string wrongCount(const HostEntry &entry, std::string_view role,
                       const std::vector<HostTensor> &expected, size_t given) {
  std::string list;
  // What is missing is what comes after those that are given; with too many,
  // all.
  for (size_t i = given < expected.size() ? given : 0; i < expected.size();
       ++i) {
    const HostTensor &tensor = expected[i];
    list += fmt::format(
        "{}\"{}\" ({}{}{})", list.empty() ? "" : ", ", tensor.name,
        tensor.symbolicShape.empty()
            ? fmt::format("{}", fmt::join(tensor.shape, "x"))
            : tensor.symbolicShape + " ",
        tensor.symbolicShape.empty() ? (tensor.shape.empty() ? "" : "x") : "x ",
        elementName(tensor.type));
  }
  return fmt::format("got {}, but entry \"{}\" has {}{}{}",
                     countOf(given, role), entry.name, expected.size(),
                     list.empty()              ? ""
                     : given < expected.size() ? "; missing: "
                                               : ": ",
                     list);
}

} // namespace gaudi::capi
