// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Poison, the shadow of the memory, and who is to blame.
#include "MemoryCheck.h"

#include "../Loader.h"
#include "Gaudi/Kernel/Runs.h"
#include "Gaudi/Recipe/Container.h"
#include "Gaudi/Support/IntervalMap.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <map>

namespace gaudi::runtime {

using namespace recipe;

namespace {

bool contains(const kernel::Window &window, uint64_t byte) {
  bool found = false;
  kernel::eachRun(window, [&](uint64_t begin, uint64_t end) {
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
    // Windows may have gaps; the end is that of the last element.
    const uint64_t bytes =
        kernel::byteExtent(window.sizes, window.strides, window.elementSize)
            .value_or(0);
    places[t] = {tensor.section(), root, window, window.offset,
                 window.offset + bytes};
  }
  const auto sections = items(recipe.sections());
  checksums.resize(sections.size());
  for (uint32_t s = 0; s < sections.size(); ++s) {
    // Constants have no shadow: nothing may write them, and checksums find what
    // does.
    shadows.emplace_back(isConst(*sections[s]) ? 0 : sections[s]->size());
    if (isConst(*sections[s]))
      checksums[s] = pieceChecksumsOf(loaded.memory.section(s),
                                      sections[s]->size(), /*threads=*/0);
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
  // Roots by the command that uses them last.
  std::vector<std::vector<uint32_t>> ending(commands.size());
  for (auto [root, command] : lastUse)
    ending[command].push_back(root);
  std::map<uint32_t, IntervalMap<uint32_t>> owners; // by section
  for (uint32_t c = 0; c < commands.size(); ++c) {
    for (uint32_t id : items(commands[c]->outputs()))
      owners[places[id].section].assign(places[id].begin, places[id].end,
                                        places[id].root);
    // Only what is still this root's: the rest belongs to a result that has
    // been written over it.
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
  kernel::eachRun(place.window, [&](uint64_t begin, uint64_t end) {
    found = bytes.find(begin, end, type);
    return !found;
  });
  return found;
}

// --- comparisons with the shadow ---------------------------------------------

std::optional<uint64_t> MemoryCheck::findChange(const Range &range) const {
  const uint8_t *const is = loaded.memory.section(range.section);
  const uint8_t *const expected = shadows[range.section].data();
  const uint64_t bytes = range.end - range.begin;
  if (bytes == 0 ||
      std::memcmp(is + range.begin, expected + range.begin, bytes) == 0)
    return std::nullopt;
  return uint64_t(
      std::mismatch(is + range.begin, is + range.end, expected + range.begin)
          .first -
      is);
}

/// Who wrote the byte is only known to have run since a comparison.
Status MemoryCheck::compare(const Range &range) const {
  if (const auto byte = findChange(range))
    return strayWrite(range.section, *byte);
  return {};
}

/// The elements and what is at most `guard` bytes from them. Runs that are that
/// near to each other are one range: no byte is compared twice.
std::optional<uint64_t> MemoryCheck::findChangeAt(uint32_t tensor) const {
  const Place &place = places[tensor];
  const uint64_t size = shadows[place.section].size();
  Range near{place.section, 0, 0};
  std::optional<uint64_t> found;
  kernel::eachRun(place.window, [&](uint64_t begin, uint64_t end) {
    begin -= std::min(begin, guard);
    end = std::min(end + guard, size);
    if (begin >= near.begin && begin <= near.end) {
      near.end = std::max(near.end, end);
      return true;
    }
    found = findChange(near);
    near = {place.section, begin, end};
    return !found;
  });
  return found ? found : findChange(near);
}

Status MemoryCheck::sweep(uint64_t bytes) {
  // From the cursor to where it was: a byte is compared at most once.
  const uint32_t firstSection = cursorSection;
  const uint64_t first = cursor;
  bool wrapped = false;
  while (bytes > 0) {
    if (cursorSection == 0 && cursor == 0)
      sweepBegin = now;
    // Back in the section where the sweep began: only up to there.
    const bool isLast = wrapped && cursorSection == firstSection;
    const uint64_t limit = isLast ? first : shadows[cursorSection].size();
    const Range range{cursorSection, cursor, std::min(limit, cursor + bytes)};
    GAUDI_TRY(compare(range));
    bytes -= std::min(bytes, range.end - range.begin);
    cursor = range.end;
    if (isLast || cursor < shadows[cursorSection].size())
      return {};
    cursor = 0;
    if (++cursorSection < shadows.size())
      continue;
    cursorSection = 0;
    // A whole round is done: what changes from now on did so after its begin.
    sweepBefore = sweepBegin;
    if (wrapped)
      return {};
    wrapped = true;
  }
  return {};
}

// --- the events of a launch --------------------------------------------------

void MemoryCheck::beginLaunch(size_t entry) {
  const auto sections = items(recipe.sections());
  // The workspace begins undefined; what other sections hold, from launches
  // before or from the caller, is as it should be.
  for (uint32_t s = 0; s < sections.size(); ++s) {
    if (sections[s]->kind() == SectionKind::Workspace)
      fillPoison({s, 0, sections[s]->size()});
    else if (!shadows[s].empty())
      std::memcpy(shadows[s].data(), loaded.memory.section(s),
                  shadows[s].size());
  }
  const Entry &source = *items(recipe.entries())[uint32_t(entry)];
  // Poison shows the elements of an output that nothing writes.
  for (uint32_t id : items(source.outputs())) {
    const Place &place = places[id];
    if (classOf(place.root) == TensorClass::Output)
      fillPoison(
          {place.section, places[place.root].begin, places[place.root].end});
  }
  now = sweepBegin = sweepBefore = {};
  cursorSection = 0;
  cursor = 0;
}

/// What an entry of a loop left in the workspace, the next one may not read.
Status MemoryCheck::beginEntry(size_t entry) {
  const auto sections = items(recipe.sections());
  for (uint32_t s = 0; s < sections.size(); ++s) {
    if (sections[s]->kind() != SectionKind::Workspace)
      continue;
    const Range used{s, 0, plans[entry].reach[s]};
    GAUDI_TRY(compare(used));
    fillPoison(used);
  }
  touched.assign(sections.size(), 0);
  return {};
}

Status MemoryCheck::before(size_t entry, uint32_t number) {
  const Command &command = commandOf(entry, number);
  // What it reads is still what was written, and so is what it overwrites.
  for (const auto *ids : {command.inputs(), command.outputs()})
    for (uint32_t id : items(ids))
      if (const auto byte =
              hasShadow(id) ? findChangeAt(id) : std::optional<uint64_t>())
        return strayWrite(places[id].section, *byte);
  for (uint32_t id : items(command.inputs())) {
    const TensorClass rootClass = classOf(places[id].root);
    if (rootClass != TensorClass::Workspace && rootClass != TensorClass::Output)
      continue; // has a value from the start
    if (const auto at = findPoison(id))
      return fail(
          "memory check: {} reads byte {} of {}, which holds no value: {}",
          label({0, entry, number}), *at - places[id].begin, tensorText(id),
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
    kernel::eachRun(place.window, [&](uint64_t begin, uint64_t end) {
      fillPoison({place.section, begin, end});
      return true;
    });
    written.push_back(id);
  }
  return {};
}

Status MemoryCheck::after(size_t entry, uint32_t number) {
  const Command &command = commandOf(entry, number);
  now = {now.count + 1, entry, number};
  // The order matters: unwritten outputs are poison, which the shadow must not
  // take over.
  for (uint32_t id : written)
    if (const auto at = findPoison(id))
      return fail("memory check: {} left byte {} of its output {} unwritten",
                  label(now), *at - places[id].begin, tensorText(id));
  for (uint32_t id : items(command.outputs())) {
    const Place &place = places[id];
    const uint8_t *const from = loaded.memory.section(place.section);
    uint8_t *const to = shadows[place.section].data();
    kernel::eachRun(place.window, [&](uint64_t begin, uint64_t end) {
      std::memcpy(to + begin, from + begin, end - begin);
      return true;
    });
    touched[place.section] = std::max(touched[place.section], place.end);
  }
  // Neighbourhood first: what a command reads and writes is checked after each,
  // the rest by and by, about as many bytes as it touched.
  uint64_t bytes = 0;
  for (const auto *ids : {command.inputs(), command.outputs()})
    for (uint32_t id : items(ids)) {
      bytes +=
          uint64_t(kernel::elementCount(places[id].window.sizes).value_or(0)) *
          places[id].window.elementSize;
      if (const auto byte =
              hasShadow(id) ? findChangeAt(id) : std::optional<uint64_t>())
        return strayWriteOf(now, places[id].section, *byte);
    }
  GAUDI_TRY(sweep(std::max(bytes, sweepBytes)));
  // Dead bytes are compared once more before poison hides a stray write.
  for (const Range &range : plans[entry].dying[number]) {
    GAUDI_TRY(compare(range));
    fillPoison(range);
  }
  ++checked;
  return {};
}

Status MemoryCheck::endEntry(size_t entry) const {
  if (items(items(recipe.entries())[uint32_t(entry)]->commands()).empty())
    return {};
  return checkPeak(entry);
}

Status MemoryCheck::endLaunch() const {
  for (uint32_t s = 0; s < shadows.size(); ++s)
    GAUDI_TRY(compare({s, 0, shadows[s].size()}));
  return checkConstants();
}

Status MemoryCheck::checkConstants() const {
  for (uint32_t s = 0; s < checksums.size(); ++s) {
    if (checksums[s].empty())
      continue;
    const uint64_t size = items(recipe.sections())[s]->size();
    const std::vector<uint64_t> is =
        pieceChecksumsOf(loaded.memory.section(s), size, /*threads=*/0);
    assert(is.size() == checksums[s].size() && "of the same bytes");
    const auto changed =
        size_t(std::mismatch(is.begin(), is.end(), checksums[s].begin()).first -
               is.begin());
    if (changed < is.size())
      return fail("memory check: a command of the launch wrote to the "
                  "constants of section @{}, between bytes {} and {}",
                  s, changed * checksumPieceBytes,
                  std::min(size, (changed + 1) * checksumPieceBytes));
  }
  return {};
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

/// An error for a byte that differs from the shadow: the commands that ran
/// since the last sweep compared it.
Status MemoryCheck::strayWrite(uint32_t section, uint64_t byte) const {
  const bool isSwept =
      section < cursorSection || (section == cursorSection && byte < cursor);
  const Moment &since = isSwept ? sweepBegin : sweepBefore;
  if (since.count + 1 >= now.count)
    return strayWriteOf(now, section, byte);
  const std::string first = since.count == 0
                                ? "during the launch"
                                : fmt::format("after {}", label(since));
  return fail("memory check: byte {} of section @{} was written {}, at the "
              "latest by {}, and is in no output of these commands: {}",
              byte, section, first, label(now),
              historyOf(section, byte, now.entry, now.command));
}

Status MemoryCheck::strayWriteOf(const Moment &moment, uint32_t section,
                                 uint64_t byte) const {
  return fail("memory check: {} wrote byte {} of section @{}, which is in none "
              "of its outputs: {}",
              label(moment), byte, section,
              historyOf(section, byte, moment.entry, moment.command));
}

TensorClass MemoryCheck::classOf(uint32_t root) const {
  assert(places[root].root == root && "a root");
  return items(recipe.tensors())[root]->tensor_class();
}

const Command &MemoryCheck::commandOf(size_t entry, uint32_t command) const {
  return *items(items(recipe.entries())[uint32_t(entry)]->commands())[command];
}

std::string MemoryCheck::label(const Moment &moment) const {
  return fmt::format("{} of entry \"{}\"",
                     commandText(recipe,
                                 commandOf(moment.entry, moment.command),
                                 moment.command),
                     loaded.entries[moment.entry].name);
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
  // No command wrote it in this launch: it may belong to an input, a state or a
  // constant.
  if (!writer) {
    for (uint32_t t = 0; t < places.size(); ++t)
      if (places[t].root == t && places[t].section == section &&
          places[t].begin <= byte && byte < places[t].end &&
          classOf(t) != TensorClass::Workspace)
        return fmt::format("it is part of {}", tensorText(t));
    return "no command of the launch has written it before";
  }
  // The last use of the whole buffer, not of the one window.
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
