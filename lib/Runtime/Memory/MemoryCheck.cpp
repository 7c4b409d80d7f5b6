// Poison, the shadow of the memory, and who is to blame.
#include "MemoryCheck.h"

#include "../Loader.h"
#include "Gaudi/Recipe/IntervalMap.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <map>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// Calls visit(begin, end) for each contiguous run of the elements of a window,
/// until it returns false. Elements of stride 0 are visited once.
template <typename Visit>
void eachRun(const kernel::Window &window, Visit &&visit) {
  struct Dim {
    uint64_t stride; // bytes
    int64_t size;
  };
  std::vector<Dim> dims;
  for (size_t d = 0; d < window.sizes.size(); ++d) {
    if (window.sizes[d] == 0)
      return;
    if (window.sizes[d] > 1 && window.strides[d] > 0)
      dims.push_back(
          {uint64_t(window.strides[d]) * window.elementSize, window.sizes[d]});
  }
  std::sort(dims.begin(), dims.end(),
            [](const Dim &a, const Dim &b) { return a.stride < b.stride; });
  uint64_t run = window.elementSize;
  size_t inner = 0; // dimensions that are part of the run
  for (; inner < dims.size() && dims[inner].stride == run; ++inner)
    run *= uint64_t(dims[inner].size);
  dims.erase(dims.begin(), dims.begin() + ptrdiff_t(inner));
  std::vector<int64_t> index(dims.size(), 0);
  uint64_t at = window.offset;
  while (visit(at, at + run)) {
    size_t d = 0;
    for (; d < dims.size(); ++d) {
      at += dims[d].stride;
      if (++index[d] < dims[d].size)
        break;
      at -= dims[d].stride * uint64_t(dims[d].size);
      index[d] = 0;
    }
    if (d == dims.size())
      return;
  }
}

bool contains(const kernel::Window &window, uint64_t byte) {
  bool found = false;
  eachRun(window, [&](uint64_t begin, uint64_t end) {
    found = begin <= byte && byte < end;
    return !found;
  });
  return found;
}

bool isConst(const Section &section) {
  return section.kind() == SectionKind::Const;
}

} // namespace

MemoryCheck::MemoryCheck(const LoadedRecipe &loaded, uint64_t alignment)
    : loaded(loaded), recipe(loaded.file->recipe()), alignment(alignment) {
  const auto tensors = items(recipe.tensors());
  places.resize(tensors.size());
  for (uint32_t t = 0; t < tensors.size(); ++t) {
    const Tensor &tensor = *tensors[t];
    uint32_t root = t; // emitters name the root itself
    while (tensors[root]->alias_of() >= 0)
      root = uint32_t(tensors[root]->alias_of());
    const kernel::Window window{tensor.offset(), copyOf(tensor.sizes()),
                                copyOf(tensor.strides()),
                                elementSize(tensor.type())};
    const uint64_t bytes =
        kernel::byteExtent(window.sizes, window.strides, window.elementSize)
            .value_or(0);
    places[t] = {tensor.section(), root, window, window.offset,
                 window.offset + bytes};
  }
  const auto sections = items(recipe.sections());
  for (uint32_t s = 0; s < sections.size(); ++s) {
    shadows.emplace_back(isConst(*sections[s]) ? 0 : sections[s]->size());
    if (sections[s]->kind() == SectionKind::Workspace)
      writable.push_back({s, 0, sections[s]->size()});
  }
  for (uint32_t t = 0; t < tensors.size(); ++t) {
    if (places[t].root != t || places[t].begin == places[t].end)
      continue;
    const Range range{places[t].section, places[t].begin, places[t].end};
    if (classOf(t) == TensorClass::Input)
      inputs.push_back(range);
    else if (classOf(t) == TensorClass::Output ||
             classOf(t) == TensorClass::State)
      writable.push_back(range);
  }
  for (const Entry *entry : items(recipe.entries()))
    plans.push_back(planOf(*entry));
}

/// Goes through the commands in order; each byte belongs to the root that was
/// written there last. At its last use a root gives up what it still owns: a
/// result that reuses the buffer has taken over the rest.
MemoryCheck::EntryPlan MemoryCheck::planOf(const Entry &entry) const {
  const auto commands = items(entry.commands());
  EntryPlan plan;
  plan.dying.resize(commands.size());
  plan.reach.resize(shadows.size(), 0);
  std::map<uint32_t, uint32_t> lastUse; // of roots of the workspace
  for (uint32_t c = 0; c < commands.size(); ++c)
    for (const auto *ids : {commands[c]->inputs(), commands[c]->outputs()})
      for (uint32_t id : items(ids)) {
        const Place &place = places[id];
        plan.reach[place.section] =
            std::max(plan.reach[place.section], place.end);
        if (classOf(place.root) == TensorClass::Workspace)
          lastUse[place.root] = c;
      }
  std::vector<std::vector<uint32_t>> ending(commands.size());
  for (auto [root, command] : lastUse)
    ending[command].push_back(root);
  std::map<uint32_t, IntervalMap<uint32_t>> owners; // by section
  for (uint32_t c = 0; c < commands.size(); ++c) {
    for (uint32_t id : items(commands[c]->outputs()))
      owners[places[id].section].assign(places[id].begin, places[id].end,
                                        places[id].root);
    for (uint32_t root : ending[c]) {
      const Place &place = places[root];
      owners[place.section].visit(
          place.begin, place.end,
          [&](uint64_t begin, uint64_t end, const uint32_t *owner) {
            if (owner && *owner == root)
              plan.dying[c].push_back({place.section, begin, end});
            return true;
          });
    }
  }
  return plan;
}

void MemoryCheck::fillPoison(const Range &range) {
  PoisonedBytes(loaded.memory.section(range.section))
      .fill(range.begin, range.end);
  PoisonedBytes(shadows[range.section].data()).fill(range.begin, range.end);
}

std::optional<uint64_t> MemoryCheck::findPoison(uint32_t tensor) const {
  const Place &place = places[tensor];
  const PoisonedBytes bytes(loaded.memory.section(place.section));
  const ElementType type = items(recipe.tensors())[tensor]->type();
  std::optional<uint64_t> found;
  eachRun(place.window, [&](uint64_t begin, uint64_t end) {
    found = bytes.find(begin, end, type);
    return !found;
  });
  return found;
}

void MemoryCheck::beginLaunch(size_t entry) {
  const Entry &source = *items(recipe.entries())[uint32_t(entry)];
  for (uint32_t id : items(source.outputs())) {
    const Place &place = places[id];
    if (classOf(place.root) == TensorClass::Output)
      fillPoison(
          {place.section, places[place.root].begin, places[place.root].end});
  }
}

void MemoryCheck::beginEntry(size_t entry) {
  const auto sections = items(recipe.sections());
  for (uint32_t s = 0; s < sections.size(); ++s) {
    if (sections[s]->kind() == SectionKind::Workspace)
      fillPoison({s, 0, sections[s]->size()});
    else if (!shadows[s].empty())
      std::memcpy(shadows[s].data(), loaded.memory.section(s),
                  shadows[s].size());
  }
  touched.assign(sections.size(), 0);
}

Status MemoryCheck::before(size_t entry, uint32_t number) {
  const Command &command = commandOf(entry, number);
  for (uint32_t id : items(command.inputs())) {
    const TensorClass rootClass = classOf(places[id].root);
    if (rootClass != TensorClass::Workspace && rootClass != TensorClass::Output)
      continue; // has a value from the start
    if (const auto at = findPoison(id))
      return fail("{} reads byte {} of {}, which holds no value: {}",
                  label(entry, number), *at - places[id].begin, tensorText(id),
                  historyOf(places[id].section, *at, entry, number));
  }
  // A command writes each element of its outputs, so their old values go,
  // unless it reads them.
  written.clear();
  for (uint32_t id : items(command.outputs())) {
    const Place &place = places[id];
    bool isRead = false;
    for (uint32_t input : items(command.inputs()))
      isRead |= places[input].section == place.section &&
                !kernel::provablyDisjoint(places[input].window, place.window);
    if (isRead)
      continue;
    eachRun(place.window, [&](uint64_t begin, uint64_t end) {
      fillPoison({place.section, begin, end});
      return true;
    });
    written.push_back(id);
  }
  return {};
}

Status MemoryCheck::after(size_t entry, uint32_t number) {
  const Command &command = commandOf(entry, number);
  for (uint32_t id : written)
    if (const auto at = findPoison(id))
      return fail("{} left byte {} of its output {} unwritten",
                  label(entry, number), *at - places[id].begin, tensorText(id));
  for (uint32_t id : items(command.outputs())) {
    const Place &place = places[id];
    const uint8_t *const from = loaded.memory.section(place.section);
    uint8_t *const to = shadows[place.section].data();
    eachRun(place.window, [&](uint64_t begin, uint64_t end) {
      std::memcpy(to + begin, from + begin, end - begin);
      return true;
    });
    touched[place.section] = std::max(touched[place.section], place.end);
  }
  for (const Range &range : writable)
    GAUDI_TRY(compare(range, entry, number));
  for (const Range &range : plans[entry].dying[number])
    fillPoison(range);
  ++checked;
  return {};
}

Status MemoryCheck::compare(const Range &range, size_t entry,
                            uint32_t number) const {
  const uint8_t *const is = loaded.memory.section(range.section);
  const uint8_t *const expected = shadows[range.section].data();
  if (range.begin == range.end ||
      std::memcmp(is + range.begin, expected + range.begin,
                  range.end - range.begin) == 0)
    return {};
  const uint64_t at = uint64_t(
      std::mismatch(is + range.begin, is + range.end, expected + range.begin)
          .first -
      is);
  return fail("{} wrote byte {} of section @{}, which is in none of its "
              "outputs: {}",
              label(entry, number), at, range.section,
              historyOf(range.section, at, entry, number));
}

Status MemoryCheck::endEntry(size_t entry) {
  const auto commands =
      items(items(recipe.entries())[uint32_t(entry)]->commands());
  if (commands.empty())
    return {};
  for (const Range &range : inputs)
    if (Status status = compare(range, entry, commands.size() - 1); !status)
      return fail("{}; it or an earlier command did", status.error().message);
  return checkPeak(entry);
}

/// The commands of an entry reach as far as the plan says, and the workspace
/// is as large as the entry that reaches farthest needs.
Status MemoryCheck::checkPeak(size_t entry) const {
  const auto sections = items(recipe.sections());
  for (uint32_t s = 0; s < sections.size(); ++s) {
    if (sections[s]->kind() != SectionKind::Workspace)
      continue;
    const uint64_t own = plans[entry].reach[s];
    if (touched[s] != own)
      return fail("memory check: entry \"{}\" touched {} bytes of workspace "
                  "@{}, but its "
                  "commands reach {}",
                  loaded.entries[entry].name, touched[s], s, own);
    uint64_t most = 0;
    for (const EntryPlan &plan : plans)
      most = std::max(most, plan.reach[s]);
    const uint64_t needed = (most + alignment - 1) / alignment * alignment;
    if (needed != sections[s]->size())
      return fail("memory check: the plan has {} bytes of workspace @{}, but "
                  "commands touch "
                  "{} (buffers are aligned to {})",
                  sections[s]->size(), s, most, alignment);
  }
  return {};
}

// --- text of errors ----------------------------------------------------------

TensorClass MemoryCheck::classOf(uint32_t root) const {
  assert(places[root].root == root && "a root");
  return items(recipe.tensors())[root]->tensor_class();
}

const Command &MemoryCheck::commandOf(size_t entry, uint32_t command) const {
  return *items(items(recipe.entries())[uint32_t(entry)]->commands())[command];
}

std::string MemoryCheck::label(size_t entry, uint32_t command) const {
  return fmt::format("memory check: {} of entry \"{}\"",
                     commandText(recipe, commandOf(entry, command), command),
                     loaded.entries[entry].name);
}

std::string MemoryCheck::tensorText(uint32_t tensor) const {
  const Place &place = places[tensor];
  const std::string_view name = text(items(recipe.tensors())[tensor]->name());
  return fmt::format("%{} \"{}\" (section @{}, bytes {} to {})", tensor, name,
                     place.section, place.begin, place.end);
}

/// What was in a byte before the command: the tensor that was written there
/// last, whether anything uses it still, and by whom it was written.
std::string MemoryCheck::historyOf(uint32_t section, uint64_t byte,
                                   size_t entry, uint32_t number) const {
  const Entry &source = *items(recipe.entries())[uint32_t(entry)];
  const auto commands = items(source.commands());
  std::optional<uint32_t> writer, tensor;
  for (uint32_t c = 0; c < number; ++c)
    for (uint32_t id : items(commands[c]->outputs()))
      if (places[id].section == section && contains(places[id].window, byte)) {
        writer = c;
        tensor = id;
      }
  if (!writer) {
    for (uint32_t t = 0; t < places.size(); ++t)
      if (places[t].root == t && places[t].section == section &&
          places[t].begin <= byte && byte < places[t].end &&
          classOf(t) != TensorClass::Workspace)
        return fmt::format("it is part of {}", tensorText(t));
    return "no command of the launch has written it before";
  }
  uint32_t last = *writer;
  for (uint32_t c = 0; c < commands.size(); ++c)
    for (const auto *ids : {commands[c]->inputs(), commands[c]->outputs()})
      for (uint32_t id : items(ids))
        if (places[id].root == places[*tensor].root)
          last = std::max(last, c);
  const std::string wrote = fmt::format(
      "{} wrote {} there", commandText(recipe, *commands[*writer], *writer),
      tensorText(*tensor));
  if (last >= number)
    return fmt::format("{}, which is in use until {}", wrote,
                       commandText(recipe, *commands[last], last));
  return fmt::format("{}, whose last use was {}", wrote,
                     commandText(recipe, *commands[last], last));
}

} // namespace gaudi::runtime
