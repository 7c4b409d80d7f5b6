// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves that bound inputs can be used where they are.
//
// A binding moves a range of bytes of a section: all tensors within the range
// go with it. Nothing may write them. The recipe's verifier has proved that
// commands do not: no two roots of inputs, outputs and states share bytes, and
// no command writes a view of an input. What is left is the host, by way of
// another input or an extent.
#include "Bindings.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Entries.h"
#include "Gaudi/Recipe/LiveBuffers.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Bytes of a section that are elsewhere.
struct Range {
  uint32_t section;
  uint64_t begin, end;
  uint8_t *data;
  const InputBinding *binding;
};

/// Those of one place in the order of the bindings.
bool operator<(const Range &a, const Range &b) {
  return std::tuple(a.section, a.begin, a.binding) <
         std::tuple(b.section, b.begin, b.binding);
}

class Mover {
public:
  Mover(const Recipe &recipe, const std::vector<InputBinding> &bindings)
      : recipe(recipe), tensors(recipe.tensors()), bindings(bindings) {}

  Result<MovedTensors> move() {
    if (bindings.empty())
      return MovedTensors();
    readInputs();
    for (const InputBinding &binding : bindings)
      GAUDI_TRY(add(binding));
    GAUDI_TRY(sortRanges());
    result.addresses.resize(tensors.size());
    for (uint32_t t = 0; t < tensors.size(); ++t)
      GAUDI_TRY(place(t));
    assert(!isAnyWritten() && "commands write no input");
    GAUDI_TRY(checkExtents());
    GAUDI_TRY(checkInputs());
    for (const Range &range : ranges)
      result.bytes += range.end - range.begin;
    return std::move(result);
  }

private:
  /// An input as the host sees it: one tensor, or one per variant.
  struct Input {
    std::string name;
    std::vector<uint32_t> tensors;
    bool hasOneSize = true;
  };

  void readInputs() {
    for (uint32_t e : callableEntries(recipe)) {
      const Entry &entry = *items(recipe.entries())[e];
      std::vector<Input> &all = inputs[e];
      if (const Dispatch *dispatch = entry.dispatch()) {
        readSized(*dispatch, all);
        continue;
      }
      for (uint32_t id : items(entry.inputs()))
        all.push_back(
            {std::string(text(items(recipe.tensors())[id]->name())), {id}});
    }
  }

  void readSized(const Dispatch &dispatch, std::vector<Input> &all) {
    for (const SizedTensor *tensor : items(dispatch.inputs())) {
      Input input{std::string(text(tensor->name())), {}};
      for (const Size *size : items(tensor->sizes())) {
        const auto steps = items(size->steps());
        input.hasOneSize &=
            steps.size() == 1 && steps[0]->op() == SizeOp::Const;
      }
      all.push_back(std::move(input));
    }
    for (const Variant *variant : items(dispatch.variants())) {
      const Entry &entry = *items(recipe.entries())[variant->entry()];
      const auto extents = items(variant->extents());
      uint32_t next = 0;
      for (uint32_t i = 0; i < items(entry.inputs()).size(); ++i)
        if (next < extents.size() && extents[next]->input() == i)
          ++next;
        else
          all[i - next].tensors.push_back(items(entry.inputs())[i]);
    }
  }

  std::string_view nameOfEntry(size_t entry) const {
    return text(items(recipe.entries())[uint32_t(entry)]->name());
  }

  std::string nameOf(const InputBinding &binding) const {
    return fmt::format(
        "input {} \"{}\" of entry \"{}\" cannot be bound", binding.input,
        printable(inputs.at(uint32_t(binding.entry))[binding.input].name),
        printable(nameOfEntry(binding.entry)));
  }

  /// Everything about the binding by itself.
  Status add(const InputBinding &binding) {
    const auto entry = inputs.find(uint32_t(binding.entry));
    if (entry == inputs.end() || binding.entry > UINT32_MAX)
      return fail("a binding names entry {}, which the host cannot launch",
                  binding.entry);
    if (binding.input >= entry->second.size())
      return fail("a binding names input {} of entry \"{}\", which has {}",
                  binding.input, printable(nameOfEntry(entry->first)),
                  entry->second.size());
    const Input &input = entry->second[binding.input];
    if (!input.hasOneSize)
      return fail("{}: its size differs from launch to launch; copy it",
                  nameOf(binding));
    for (uint32_t id : input.tensors)
      GAUDI_TRY(addTensor(binding, id));
    return {};
  }

  Status addTensor(const InputBinding &binding, uint32_t id) {
    const Tensor &tensor = *tensors[id];
    const auto sizes = copyOf(tensor.sizes());
    // Each refusal says how to go on; a dense tensor in the caller's order is
    // all that can be used where it is.
    if (isState(recipe, id))
      return fail("{}: it is a state, which launches write; set the state",
                  nameOf(binding));
    if (!items(tensor.permutation()).empty())
      return fail("{}: the device stores it in another order of dimensions; "
                  "copy it, or compile without allowPermutation for it",
                  nameOf(binding));
    if (!kernel::isDense(sizes, copyOf(tensor.strides())))
      return fail("{}: the device stores it with padding between rows; copy it",
                  nameOf(binding));
    const uint64_t bytes = tensorBytes(tensor);
    if (binding.bytes != bytes)
      return fail("{}: it has {} bytes, the binding {}", nameOf(binding), bytes,
                  binding.bytes);
    // No byte is read: null is as good as any address.
    if (bytes == 0)
      return {};
    if (!binding.data)
      return fail("{}: the binding's data is null", nameOf(binding));
    if (reinterpret_cast<uint64_t>(binding.data) % bindingAlignment != 0)
      return fail("{}: the binding's data is not aligned to {} bytes; copy it",
                  nameOf(binding), bindingAlignment);
    ranges.push_back(
        {tensor.section(), tensor.offset(), tensor.offset() + bytes,
         // It is only read: see isAnyWritten and checkInputs.
         static_cast<uint8_t *>(const_cast<void *>(binding.data)), &binding});
    bound.insert({uint32_t(binding.entry), binding.input});
    return {};
  }

  /// Ranges without overlap, equal ones once.
  Status sortRanges() {
    std::sort(ranges.begin(), ranges.end());
    std::vector<Range> distinct;
    for (const Range &range : ranges) {
      if (distinct.empty() || distinct.back().section != range.section ||
          distinct.back().end <= range.begin) {
        distinct.push_back(range);
        continue;
      }
      const Range &last = distinct.back();
      if (last.begin != range.begin || last.end != range.end ||
          last.data != range.data)
        return fail("{}: it has the same device memory as input {} of entry "
                    "\"{}\", which is bound to other memory",
                    nameOf(*range.binding), last.binding->input,
                    printable(nameOfEntry(last.binding->entry)));
    }
    ranges = std::move(distinct);
    return {};
  }

  /// The range that has bytes of [begin, end); null: none.
  const Range *find(uint32_t section, uint64_t begin, uint64_t end) const {
    const auto after = std::upper_bound(
        ranges.begin(), ranges.end(), std::pair(section, begin),
        [](const auto &place, const Range &range) {
          return place < std::pair(range.section, range.begin);
        });
    if (after != ranges.begin()) {
      const Range &before = *std::prev(after);
      if (before.section == section && before.end > begin)
        return &before;
    }
    return after != ranges.end() && after->section == section &&
                   after->begin < end
               ? &*after
               : nullptr;
  }

  Status place(uint32_t id) {
    const Tensor &tensor = *tensors[id];
    const uint64_t begin = tensor.offset(), end = begin + tensorBytes(tensor);
    const Range *range =
        begin == end ? nullptr : find(tensor.section(), begin, end);
    if (!range)
      return {};
    if (begin < range->begin || end > range->end)
      return fail(
          "{}: it shares device memory with \"{}\", which is not within "
          "it; copy it",
          nameOf(*range->binding), printable(text(tensor.name())));
    assert(!isState(recipe, id) && "it has the root of an input");
    result.addresses[id] = range->data + (begin - range->begin);
    return {};
  }

  [[maybe_unused]] bool isAnyWritten() const {
    for (const Entry *entry : items(recipe.entries()))
      for (const Command *command : items(entry->commands()))
        for (uint32_t id : items(command->outputs()))
          if (result.addresses[id])
            return true;
    return false;
  }

  /// The host writes extents when it chooses a variant.
  Status checkExtents() const {
    for (const auto &[number, all] : inputs)
      if (const Dispatch *dispatch =
              items(recipe.entries())[number]->dispatch())
        for (const Variant *variant : items(dispatch->variants()))
          GAUDI_TRY(checkExtents(number, *variant));
    return {};
  }

  Status checkExtents(uint32_t entry, const Variant &variant) const {
    const auto launched =
        items(items(recipe.entries())[variant.entry()]->inputs());
    for (const Extent *extent : items(variant.extents()))
      if (const uint32_t id = launched[extent->input()]; result.addresses[id])
        return fail("{}: it shares device memory with the extent \"{}\" of "
                    "entry \"{}\", which launches write; copy it",
                    nameOf(*bindingOf(id)),
                    printable(text(tensors[id]->name())),
                    printable(nameOfEntry(entry)));
    return {};
  }

  Status checkInputs() const {
    for (const auto &[entry, all] : inputs)
      for (size_t i = 0; i < all.size(); ++i)
        for (uint32_t id : all[i].tensors)
          if (result.addresses[id] && !bound.count({entry, i}))
            return fail(
                "{}: input {} \"{}\" of entry \"{}\" has the same device "
                "memory; bind it as well",
                nameOf(*bindingOf(id)), i, printable(all[i].name),
                printable(nameOfEntry(entry)));
    return {};
  }

  const InputBinding *bindingOf(uint32_t id) const {
    const Tensor &tensor = *tensors[id];
    return find(tensor.section(), tensor.offset(),
                tensor.offset() + tensorBytes(tensor))
        ->binding;
  }

  const Recipe &recipe;
  const Items<flatbuffers::Offset<Tensor>> tensors;
  const std::vector<InputBinding> &bindings;
  std::map<uint32_t, std::vector<Input>> inputs; // by entry
  std::set<std::pair<uint32_t, size_t>> bound;   // entry and input
  std::vector<Range> ranges;
  MovedTensors result;
};

} // namespace

Result<MovedTensors> moveTensors(const Recipe &recipe,
                                 const std::vector<InputBinding> &bindings) {
  return Mover(recipe, bindings).move();
}

Status checkBindings(const Recipe &recipe,
                     const std::vector<InputBinding> &bindings) {
  GAUDI_TRY(moveTensors(recipe, bindings));
  return {};
}

} // namespace gaudi::runtime
