// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks sections and tensors: ranges, types, aliases, who may overlap.
#include "Context.h"

#include "Gaudi/Recipe/Container.h"
#include "Gaudi/Support/CheckedMath.h"

#include <algorithm>

namespace gaudi::recipe {
namespace {

constexpr uint32_t minAlignment = 64;
constexpr uint32_t maxAlignment = uint32_t(1) << 30;

std::string className(TensorClass tensorClass) {
  return wordOf(tensorClass, EnumNamesTensorClass(), TensorClass::MAX);
}

SectionKind kindFor(TensorClass rootClass) {
  switch (rootClass) {
  case TensorClass::Const:
    return SectionKind::Const;
  case TensorClass::Workspace:
    return SectionKind::Workspace;
  default:
    return SectionKind::Persistent;
  }
}

Status checkSection(const Section &section, const Label &label) {
  if (section.kind() > SectionKind::MAX)
    return fail("{} has unknown kind {}", label, unsigned(section.kind()));
  const bool isConst = section.kind() == SectionKind::Const;
  const uint32_t largest = isConst ? pageBytes : maxAlignment;
  const uint32_t alignment = section.alignment();
  if (alignment < minAlignment || alignment > largest ||
      (alignment & (alignment - 1)) != 0)
    return fail("{} has alignment {}, expected a power of two from {} to {}",
                label, alignment, minAlignment, largest);
  if (section.size() > maxDeviceBytes)
    return fail("{} has {} bytes, more than the format's 2^48", label,
                section.size());
  if (!isConst && (section.file_offset() != 0 || section.checksum() != 0))
    return fail("{} is not const but has bytes in the file", label);
  if (section.size() == 0 && section.file_offset() != 0)
    return fail("{} is empty but has file offset {}", label,
                section.file_offset());
  return {};
}

/// Sizes, strides, type and place; fills everything but the root. What each
/// check proves is used by the next: the number of elements fits 48 bits before
/// the extent is computed from it, and everything after knows that the tensor
/// is inside its section.
Status decodeTensor(const Context &context, uint32_t id, TensorInfo &info) {
  const Tensor &tensor = *items(context.recipe.tensors())[id];
  const LazyLabel label([&] { return context.tensorLabel(id); });
  const uint32_t rank = items(tensor.sizes()).size();
  if (tensor.tensor_class() > TensorClass::MAX)
    return fail("{} has unknown class {}", label,
                unsigned(tensor.tensor_class()));
  if (!isValid(tensor.type()))
    return fail("{} has unknown element type {}", label,
                unsigned(tensor.type()));
  if (rank > maxRank)
    return fail("{} has rank {}, expected at most {}", label, rank, maxRank);
  if (items(tensor.strides()).size() != rank)
    return fail("{} has {} strides, expected {}", label,
                items(tensor.strides()).size(), rank);
  info.name = text(tensor.name());
  info.tensorClass = tensor.tensor_class();
  info.type = tensor.type();
  info.window = {tensor.offset(), copyOf(tensor.sizes()),
                 copyOf(tensor.strides()), elementSize(tensor.type())};
  // Negative strides would reach before the offset.
  for (uint32_t d = 0; d < rank; ++d) {
    if (info.window.sizes[d] < 0)
      return fail("{} has size {} in dimension {}", label, info.window.sizes[d],
                  d);
    if (info.window.strides[d] < 0)
      return fail("{} has stride {} in dimension {}", label,
                  info.window.strides[d], d);
  }
  std::optional<int64_t> elements = kernel::elementCount(info.window.sizes);
  if (!elements || uint64_t(*elements) > maxDeviceBytes)
    return fail("{} [{}] has more than 2^48 elements", label,
                fmt::join(info.window.sizes, ","));
  info.elements = *elements;

  Items sections = items(context.recipe.sections());
  if (tensor.section() >= sections.size())
    return fail("{} is in section @{} but there are {} sections", label,
                tensor.section(), sections.size());
  info.section = tensor.section();
  std::optional<uint64_t> extent = kernel::byteExtent(
      info.window.sizes, info.window.strides, info.window.elementSize);
  std::optional<uint64_t> end =
      extent ? checkedAdd(tensor.offset(), *extent) : std::nullopt;
  const uint64_t sectionSize = sections[tensor.section()]->size();
  if (!end || *end > sectionSize)
    return fail("{} at offset {} reaches past the {} bytes of section @{}",
                label, tensor.offset(), sectionSize, tensor.section());
  info.begin = tensor.offset();
  info.end = *end;
  // Kernels load whole elements: aligned, as sections are.
  if (tensor.offset() % info.window.elementSize != 0)
    return fail("{} has offset {}, expected a multiple of its element size {}",
                label, tensor.offset(), info.window.elementSize);

  if (uint32_t count = items(tensor.permutation()).size()) {
    std::vector<bool> seen(rank, false);
    bool valid = count == rank;
    for (uint8_t d : items(tensor.permutation())) {
      valid = valid && d < rank && !seen[d];
      if (valid)
        seen[d] = true;
    }
    if (!valid)
      return fail("{} has a permutation that is none of its {} dimensions",
                  label, rank);
    // Orders of dimensions matter to those who give or get the tensor.
    if (info.tensorClass == TensorClass::Const ||
        info.tensorClass == TensorClass::Workspace)
      return fail("{} has a permutation, but class {}, which no caller gives "
                  "or gets",
                  label, className(info.tensorClass));
  }
  if (tensor.location() >= items(context.recipe.locations()).size())
    return fail("{} has location {} of {}", label, tensor.location(),
                items(context.recipe.locations()).size());
  return {};
}

/// Follows the aliases of all tensors to their roots, each link once: a path
/// ends at the first tensor whose root is known, and all on it get that root. A
/// path with more steps than there are tensors has come back to itself.
Status resolveRoots(Context &context) {
  constexpr uint32_t unknown = UINT32_MAX;
  Items tensors = items(context.recipe.tensors());
  std::vector<uint32_t> roots(tensors.size(), unknown);
  std::vector<uint32_t> path;
  for (uint32_t id = 0; id < tensors.size(); ++id) {
    uint32_t current = id;
    path.clear();
    while (roots[current] == unknown) {
      const int32_t next = tensors[current]->alias_of();
      path.push_back(current);
      if (next == -1) {
        roots[current] = current;
        break;
      }
      if (next < 0 || uint32_t(next) >= tensors.size())
        return fail("{} is an alias of %{} but there are {} tensors",
                    context.tensorLabel(current), next, tensors.size());
      if (path.size() > tensors.size())
        return fail("{} is an alias of itself", context.tensorLabel(id));
      current = uint32_t(next);
    }
    for (uint32_t member : path)
      roots[member] = roots[current];
  }
  for (uint32_t id = 0; id < tensors.size(); ++id) {
    context.tensors[id].root = roots[id];
    context.tensors[id].rootClass = context.tensors[roots[id]].tensorClass;
  }
  return {};
}

/// A root is in a section of the kind of its class. A view is inside its root,
/// and has its class, or is a value of the launch on its bytes; results that
/// the host reads may be views of anything that outlives the launch.
Status checkAlias(const Context &context, uint32_t id) {
  const TensorInfo &info = context.tensors[id];
  const TensorInfo &root = context.tensors[info.root];
  const LazyLabel label([&] { return context.tensorLabel(id); });
  const Section &section = *items(context.recipe.sections())[info.section];
  if (info.root == id) {
    if (section.kind() != kindFor(info.tensorClass))
      return fail(
          "{} has class {} but section @{} is {}", label,
          className(info.tensorClass), info.section,
          wordOf(section.kind(), EnumNamesSectionKind(), SectionKind::MAX));
    return {};
  }
  // An empty view may be anywhere in the section.
  if (info.section != root.section ||
      (info.begin != info.end &&
       (info.begin < root.begin || info.end > root.end)))
    return fail("{} is an alias but not inside the bytes of {}", label,
                context.tensorLabel(info.root));
  const bool allowed = info.tensorClass == info.rootClass ||
                       info.tensorClass == TensorClass::Workspace ||
                       (info.tensorClass == TensorClass::Output &&
                        info.rootClass != TensorClass::Workspace);
  if (!allowed)
    return fail("{} has class {} but is an alias of {} of class {}", label,
                className(info.tensorClass), context.tensorLabel(info.root),
                className(info.rootClass));
  return {};
}

/// The initial value of a state is a constant, which is copied to it.
Status checkInitial(const Context &context, uint32_t id) {
  const int32_t initial = items(context.recipe.tensors())[id]->initial();
  if (initial == -1)
    return {};
  const TensorInfo &info = context.tensors[id];
  const LazyLabel label([&] { return context.tensorLabel(id); });
  // An older runtime would ignore the field and start with zeros, hence the
  // feature.
  if (!(context.layout.features & featureInitialValues))
    return fail("{} has an initial value, which needs feature bits {:#x} that "
                "the header does not have",
                label, featureInitialValues);
  if (info.root != id || info.tensorClass != TensorClass::State)
    return fail("{} has an initial value but is no state of its own", label);
  // Copied element by element: two in one place would depend on the order.
  if (!kernel::isInjective(info.window.sizes, info.window.strides))
    return fail("{} has an initial value but stores several elements in one "
                "place",
                label);
  if (initial < 0 || uint32_t(initial) >= context.tensors.size())
    return fail("{} has the initial value %{} but there are {} tensors", label,
                initial, context.tensors.size());
  const TensorInfo &value = context.tensors[uint32_t(initial)];
  if (value.rootClass != TensorClass::Const)
    return fail("{} has the initial value {}, which is no constant", label,
                context.tensorLabel(uint32_t(initial)));
  if (value.type != info.type || value.window.sizes != info.window.sizes)
    return fail("{} is {}[{}] but its initial value {} is {}[{}]", label,
                elementName(info.type), fmt::join(info.window.sizes, ","),
                context.tensorLabel(uint32_t(initial)), elementName(value.type),
                fmt::join(value.window.sizes, ","));
  return {};
}

/// Inputs, outputs and state keep their bytes between launches and entries, so
/// their roots do not share any. Sorted by their first byte, the ranges overlap
/// nowhere if no neighbours do.
Status checkPersistentOverlap(const Context &context) {
  std::vector<uint32_t> order;
  for (uint32_t id = 0; id < context.tensors.size(); ++id) {
    const TensorInfo &info = context.tensors[id];
    if (info.root == id && info.begin != info.end &&
        kindFor(info.tensorClass) == SectionKind::Persistent)
      order.push_back(id);
  }
  auto key = [&](uint32_t id) {
    const TensorInfo &info = context.tensors[id];
    return std::make_tuple(info.section, info.begin, id);
  };
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  for (size_t i = 1; i < order.size(); ++i) {
    const TensorInfo &before = context.tensors[order[i - 1]];
    const TensorInfo &after = context.tensors[order[i]];
    if (before.section == after.section && before.end > after.begin)
      return fail("persistent {} overlaps {}", context.tensorLabel(order[i]),
                  context.tensorLabel(order[i - 1]));
  }
  return {};
}

} // namespace

/// Const sections follow the metadata in their order, each at the next page,
/// and the last one ends the file: no two share bytes, and no byte is
/// unaccounted for.
Status verifySections(const Context &context) {
  uint64_t total = 0;
  uint64_t position =
      context.layout.metadataOffset + context.layout.metadataSize;
  Items sections = items(context.recipe.sections());
  for (uint32_t i = 0; i < sections.size(); ++i) {
    const Section &section = *sections[i];
    const LazyLabel label([&] { return fmt::format("section @{}", i); });
    GAUDI_TRY(checkSection(section, label));
    total += section.size(); // each at most 2^48, fewer than 2^31 of them
    if (total > maxDeviceBytes)
      return fail("sections have more than the format's 2^48 bytes in all");
    if (section.kind() != SectionKind::Const || section.size() == 0)
      continue;
    std::optional<uint64_t> expected = checkedAlignUp(position, pageBytes);
    if (!expected || section.file_offset() != *expected)
      return fail("{} has file offset {}, expected {}", label,
                  section.file_offset(), expected.value_or(0));
    std::optional<uint64_t> end =
        checkedAdd(section.file_offset(), section.size());
    if (!end || *end > context.layout.fileSize)
      return fail("{} ({} bytes) reaches past the end of the file", label,
                  section.size());
    position = *end;
  }
  // The last section ends the file.
  if (position != context.layout.fileSize)
    return fail("trailing bytes: the last part ends at {} but the file has {}",
                position, context.layout.fileSize);
  return {};
}

Status verifyTensors(Context &context) {
  const uint32_t count = items(context.recipe.tensors()).size();
  context.tensors.resize(count);
  for (uint32_t id = 0; id < count; ++id)
    GAUDI_TRY(decodeTensor(context, id, context.tensors[id]));
  GAUDI_TRY(resolveRoots(context));
  for (uint32_t id = 0; id < count; ++id)
    GAUDI_TRY(checkAlias(context, id));
  for (uint32_t id = 0; id < count; ++id)
    GAUDI_TRY(checkInitial(context, id));
  return checkPersistentOverlap(context);
}

} // namespace gaudi::recipe
