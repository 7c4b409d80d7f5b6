// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds the memory of a loaded recipe.
#include "LaunchBindings.h"

#include "Gaudi/Recipe/LiveBuffers.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Runtime/LaunchResources.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace gaudi::runtime {

using namespace recipe;

namespace {

constexpr uint32_t none = UINT32_MAX;
constexpr uint64_t alignment = Relocation::alignment;

uint64_t aligned(uint64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// The largest power of two that divides each address of a tensor at that
/// offset from an aligned address.
uint64_t alignmentOf(uint64_t offset) {
  const uint64_t rest = offset % alignment;
  return rest == 0 ? alignment : rest & -rest;
}

uint64_t addressOf(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

} // namespace

LaunchBindings::LaunchBindings(const Recipe &recipe)
    : recipe(recipe), roots(rootsOf(recipe)),
      memory(items(recipe.tensors()).size() + items(recipe.sections()).size() +
             2),
      staging(memory.add(uint64_t(1) << 48)),
      partials(memory.add(uint64_t(1) << 48)) {
  const auto sections = items(recipe.sections());
  regionOfSection.assign(sections.size(), none);
  sectionAt.assign(sections.size(), 0);
  for (uint32_t s = 0; s < sections.size(); ++s) {
    if (sections[s]->kind() != SectionKind::Workspace)
      continue;
    regionOfSection[s] = memory.add(sections[s]->size());
    sectionAt[s] = workspaceSize;
    workspaceSize += aligned(sections[s]->size());
  }
  const auto tensors = items(recipe.tensors());
  regionOfRoot.assign(tensors.size(), none);
  for (uint32_t t = 0; t < tensors.size(); ++t)
    if (roots[t] == t &&
        sections[tensors[t]->section()]->kind() == SectionKind::Persistent)
      regionOfRoot[t] =
          memory.add(tensorBytes(*tensors[t]), tensors[t]->offset());
}

uint8_t *LaunchBindings::linkAddress(uint32_t id) const {
  const Tensor &tensor = *items(recipe.tensors())[id];
  if (const uint32_t region = regionOfSection[tensor.section()]; region != none)
    return memory.linkAddress(region) + tensor.offset();
  const Tensor &root = *items(recipe.tensors())[roots[id]];
  const uint32_t region = regionOfRoot[roots[id]];
  assert(region != none && "constants have addresses");
  // An empty view may be anywhere in the section.
  return memory.linkAddress(region) +
         (tensorBytes(tensor) == 0 ? 0 : tensor.offset() - root.offset());
}

void LaunchBindings::setStaging(uint64_t bytes, uint64_t partial) {
  partialsAt = aligned(bytes);
  partialBytes = partial;
}

void LaunchBindings::bindTo(const DeviceMemory &device) {
  for (uint32_t s = 0; s < regionOfSection.size(); ++s)
    if (const uint32_t region = regionOfSection[s]; region != none) {
      memory.move(region, device.section(s));
      memory.keep(region);
    }
  for (uint32_t t = 0; t < regionOfRoot.size(); ++t)
    if (const uint32_t region = regionOfRoot[t]; region != none) {
      const Tensor &root = *items(recipe.tensors())[t];
      memory.move(region, device.section(root.section()) + root.offset());
      memory.keep(region);
    }
}

std::vector<LaunchBindings::Region> LaunchBindings::regions() const {
  std::vector<Region> result;
  for (uint32_t s = 0; s < regionOfSection.size(); ++s)
    if (regionOfSection[s] != none)
      result.push_back(
          {regionOfSection[s], items(recipe.sections())[s]->size(), 0, true});
  for (uint32_t t = 0; t < regionOfRoot.size(); ++t)
    if (regionOfRoot[t] != none) {
      const Tensor &root = *items(recipe.tensors())[t];
      result.push_back(
          {regionOfRoot[t], tensorBytes(root), root.offset(), false});
    }
  return result;
}

Status LaunchBindings::prepare(LaunchResources &resources) {
  GAUDI_TRY(resources.reserve(scratchBytes, stagingBytes()));
  memory.move(staging, resources.staging());
  memory.move(partials, resources.staging() + partialsAt);
  return {};
}

void LaunchBindings::keepStaging() {
  memory.keep(staging);
  memory.keep(partials);
}

// --- what callers bind -------------------------------------------------------

/// By root.
void LaunchBindings::collect(uint32_t number, std::vector<Use> &uses) const {
  const Entry &entry = *items(recipe.entries())[number];
  const auto tensors = items(recipe.tensors());
  const auto use = [&](uint32_t id) {
    Use &all = uses[roots[id]];
    if (!all.isUsed || roots[id] == id)
      all.tensor = id;
    all.isUsed = true;
    if (const uint64_t bytes = tensorBytes(*tensors[id])) {
      all.begin = std::min(all.begin, tensors[id]->offset());
      all.end = std::max(all.end, tensors[id]->offset() + bytes);
    }
  };
  for (const auto *ids : {entry.inputs(), entry.outputs()})
    for (uint32_t id : items(ids))
      use(id);
  for (const Command *command : items(entry.commands())) {
    for (const auto *ids : {command->inputs(), command->outputs()})
      for (uint32_t id : items(ids))
        use(id);
    for (uint32_t id : items(command->outputs()))
      uses[roots[id]].isWritten = true;
  }
  for (const ProgramStep *step : items(entry.program()))
    if (step->kind() == StepKind::Launch)
      collect(step->id(), uses);
    else if (step->kind() == StepKind::While)
      use(step->id());
}

Status LaunchBindings::openToCallers(std::vector<InPlace> inPlace) {
  const auto tensors = items(recipe.tensors());
  const auto all = items(recipe.entries());
  // Extents of variants have memory here: an entry of each, and all pairs of
  // entries and extents.
  std::map<uint32_t, uint32_t> hosts;
  std::set<std::pair<uint32_t, uint32_t>> hidden;
  for (const Entry *entry : all)
    if (const Dispatch *dispatch = entry->dispatch())
      for (const Variant *variant : items(dispatch->variants()))
        for (const Extent *extent : items(variant->extents())) {
          const uint32_t root =
              roots[items(all[variant->entry()]->inputs())[extent->input()]];
          hosts.emplace(root, variant->entry());
          hidden.emplace(variant->entry(), root);
        }
  // Each is a value of four bytes, as the verifier has checked.
  extents = std::make_unique<uint64_t[]>(hosts.size());
  size_t next = 0;
  for (const auto &[root, entry] : hosts)
    memory.move(regionOfRoot[root], &extents[next++]);

  for (uint32_t e = 0; e < all.size(); ++e) {
    std::vector<Use> uses(tensors.size());
    collect(e, uses);
    EntryMemory &entry = entries.emplace_back(std::move(inPlace[e]));
    const auto add = [&](uint32_t root) {
      Use &use = uses[root];
      if (!use.isUsed || regionOfRoot[root] == none || hidden.count({e, root}))
        return;
      use.isUsed = false; // it has its place
      if (use.begin > use.end)
        use.begin = use.end = tensors[root]->offset(); // it is empty
      entry.regions.push_back(regionOfRoot[root]);
      entry.starts.push_back(use.begin - tensors[root]->offset());
      entry.tensors.push_back(
          {std::string(text(tensors[use.tensor]->name())), root,
           use.end - use.begin, alignmentOf(use.begin), use.isWritten,
           tensors[root]->tensor_class() == TensorClass::State});
    };
    for (uint32_t id : items(all[e]->inputs()))
      add(roots[id]);
    for (uint32_t id : items(all[e]->outputs()))
      add(roots[id]);
    for (uint32_t t = 0; t < tensors.size(); ++t)
      add(t);
    for (const LaunchTensor &tensor : entry.tensors)
      if (const auto host = hosts.find(tensor.tensor); host != hosts.end())
        return fail("\"{}\" of entry \"{}\" cannot be bound at launches: it is "
                    "an extent of entry \"{}\", which the host writes",
                    printable(tensor.name), printable(text(all[e]->name())),
                    printable(text(all[host->second]->name())));
    entry.given.assign(entry.tensors.size(), nullptr);
  }
  return {};
}

std::optional<LaunchPlace> LaunchBindings::placeOf(uint32_t tensor,
                                                   size_t entry) const {
  const std::vector<LaunchTensor> &all = entries[entry].tensors;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const LaunchTensor &each) {
        return each.tensor == roots[tensor];
      });
  if (found == all.end())
    return std::nullopt;
  const auto index = size_t(found - all.begin());
  const uint64_t first =
      addressOf(memory.linkAddress(regionOfRoot[roots[tensor]])) +
      entries[entry].starts[index];
  const uint64_t at = addressOf(linkAddress(tensor));
  if (at < first || at > first + found->bytes)
    return std::nullopt; // the entry does not use these bytes
  return LaunchPlace{index, at - first};
}

// --- binding -----------------------------------------------------------------

bool LaunchBindings::isReplaced(const EntryMemory &entry, size_t input,
                                size_t output) const {
  const auto classOf = [&](size_t index) {
    return items(recipe.tensors())[entry.tensors[index].tensor]->tensor_class();
  };
  return classOf(input) == TensorClass::Input &&
         classOf(output) == TensorClass::Output;
}

bool LaunchBindings::mayAlias(size_t number, size_t input,
                              size_t output) const {
  const EntryMemory &entry = entries[number];
  return isReplaced(entry, input, output) &&
         entry.inPlace.mayAlias(entry.tensors[input].tensor,
                                entry.tensors[output].tensor);
}

Status LaunchBindings::check(size_t number, const LaunchAddresses &addresses,
                             AddressOrder &order,
                             const ShownAddress &shown) const {
  const EntryMemory &entry = entries[number];
  const auto isAligned = [](const void *address, uint64_t to) {
    return addressOf(address) % to == 0;
  };
  for (size_t i = 0; i < entry.tensors.size(); ++i) {
    const LaunchTensor &tensor = entry.tensors[i];
    if (tensor.bytes == 0)
      continue;
    if (!addresses.tensors[i])
      return fail("the address of \"{}\" is null", printable(tensor.name));
    if (!isAligned(addresses.tensors[i], tensor.alignment))
      return fail("the address {} of \"{}\" is not aligned to {} bytes",
                  shown(i), printable(tensor.name), tensor.alignment);
  }
  if (workspaceSize != 0 && !addresses.workspace)
    return fail("the address of the workspace is null");
  if (workspaceSize != 0 && !isAligned(addresses.workspace, alignment))
    return fail("the address {} of the workspace is not aligned to {} bytes",
                addresses.workspace, alignment);
  return checkOverlaps(entry, addresses, order, shown);
}

/// Two tensors that share bytes, of which one is written: only an output in the
/// place of an input.
bool LaunchBindings::mayShare(const EntryMemory &entry,
                              const LaunchAddresses &addresses, uint32_t a,
                              uint32_t b) const {
  const size_t count = entry.tensors.size();
  if (a == count || b == count)
    return false;
  const auto start = [&](uint32_t i) {
    return addressOf(addresses.tensors[i]) - entry.starts[i];
  };
  const size_t number = size_t(&entry - entries.data());
  return start(a) == start(b) &&
         (mayAlias(number, a, b) || mayAlias(number, b, a));
}

/// Two ranges may share bytes if nobody writes them. O(n) for addresses in the
/// same order as those before, and one step for each pair that shares.
Status LaunchBindings::checkOverlaps(const EntryMemory &entry,
                                     const LaunchAddresses &addresses,
                                     AddressOrder &order,
                                     const ShownAddress &shown) const {
  struct Range {
    uint64_t begin, end;
    bool isWritten;
  };
  const size_t count = entry.tensors.size();
  const auto begin = [&](uint32_t i) {
    return addressOf(i < count ? addresses.tensors[i] : addresses.workspace);
  };
  const auto range = [&](uint32_t i) -> Range {
    const uint64_t from = begin(i);
    if (i == count)
      return {from, from + workspaceSize, true};
    const LaunchTensor &tensor = entry.tensors[i];
    return {from, from + tensor.bytes, tensor.isWritten};
  };
  const auto isBefore = [&](uint32_t a, uint32_t b) {
    return std::pair(begin(a), a) < std::pair(begin(b), b);
  };
  for (uint32_t i = uint32_t(order.size()); i <= count; ++i)
    order.push_back(i);
  for (size_t i = 1; i < order.size(); ++i)
    for (size_t j = i; j > 0 && isBefore(order[j], order[j - 1]); --j)
      std::swap(order[j], order[j - 1]);
  const auto checkPair = [&](uint32_t a, uint32_t b) -> Status {
    if (mayShare(entry, addresses, a, b))
      return {};
    const auto name = [&](uint32_t number) {
      return number == count
                 ? "the workspace"
                 : fmt::format("\"{}\"", printable(entry.tensors[number].name));
    };
    const bool writesLast = range(b).isWritten;
    const std::string written = name(writesLast ? b : a);
    const std::string other = name(writesLast ? a : b);
    // Another place would not help.
    const bool isLate =
        begin(a) == begin(b) && a != count && b != count &&
        isReplaced(entry, writesLast ? a : b, writesLast ? b : a);
    return fail("{} and {} share memory at {}, and launches write {}{}",
                name(a), name(b), shown(b == count ? a : b), written,
                isLate ? fmt::format(" before all of {} is read", other) : "");
  };
  // The ranges that reach furthest so far: any, and of those that are written.
  uint64_t anyEnd = 0, writtenEnd = 0;
  for (size_t o = 0; o < order.size(); ++o) {
    const Range at = range(order[o]);
    if (at.begin == at.end)
      continue;
    if (at.begin < writtenEnd || (at.isWritten && at.begin < anyEnd))
      // Rare: all pairs with those before it.
      for (size_t p = 0; p < o; ++p)
        if (const Range other = range(order[p]);
            other.end > at.begin && other.begin != other.end &&
            (other.isWritten || at.isWritten))
          GAUDI_TRY(checkPair(order[p], order[o]));
    anyEnd = std::max(anyEnd, at.end);
    if (at.isWritten)
      writtenEnd = std::max(writtenEnd, at.end);
  }
  return {};
}

bool LaunchBindings::isBoundTo(size_t number,
                               const LaunchAddresses &addresses) const {
  const EntryMemory &entry = entries[number];
  return boundEntry == number && addresses.workspace == entry.workspace &&
         std::equal(entry.given.begin(), entry.given.end(), addresses.tensors);
}

Status LaunchBindings::bind(size_t number, const LaunchAddresses &addresses) {
  EntryMemory &entry = entries[number];
  if (addresses.count != entry.tensors.size())
    return fail("got {} addresses, expected those of {} tensors",
                addresses.count, entry.tensors.size());
  if (isBoundTo(number, addresses))
    return {};
  GAUDI_TRY(check(number, addresses, entry.order, [&](size_t tensor) {
    return fmt::format("{}", addresses.tensors[tensor]);
  }));
  bindChecked(number, addresses);
  return {};
}

void LaunchBindings::bindChecked(size_t number,
                                 const LaunchAddresses &addresses) {
  if (isBoundTo(number, addresses))
    return;
  EntryMemory &entry = entries[number];
  for (size_t i = 0; i < entry.regions.size(); ++i) {
    // No byte of an empty tensor is used: any address will do.
    if (entry.tensors[i].bytes != 0)
      memory.move(entry.regions[i],
                  static_cast<uint8_t *>(addresses.tensors[i]) -
                      entry.starts[i]);
    entry.given[i] = addresses.tensors[i];
  }
  entry.workspace = addresses.workspace;
  if (workspaceSize != 0)
    for (uint32_t s = 0; s < regionOfSection.size(); ++s)
      if (regionOfSection[s] != none)
        memory.move(regionOfSection[s],
                    static_cast<uint8_t *>(addresses.workspace) + sectionAt[s]);
  boundEntry = number;
}

} // namespace gaudi::runtime
