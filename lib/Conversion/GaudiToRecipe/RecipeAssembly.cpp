// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids of tensors, locations and kernels of a recipe under construction.
#include "RecipeAssembly.h"
#include "Gaudi/Dialect/KernelCopies.h"
#include "Gaudi/Dialect/KernelLanguage.h"
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Dialect/Order.h"
#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::recipe;

gaudi::recipe::ElementType gaudi::recipeType(Type type) {
  return gaudi::recipe::ElementType(elementTypeOf(type));
}

gaudi::recipe::Engine gaudi::recipeEngine(gaudi::Engine engine) {
  switch (engine) {
  case gaudi::Engine::MME:
    return gaudi::recipe::Engine::MME;
  case gaudi::Engine::TPC:
    return gaudi::recipe::Engine::TPC;
  case gaudi::Engine::DMA:
    return gaudi::recipe::Engine::DMA;
  case gaudi::Engine::NIC:
    return gaudi::recipe::Engine::NIC;
  default:
    return gaudi::recipe::Engine::Host;
  }
}

RecipeAssembly::RecipeAssembly(EmittedRecipe &emitted,
                               gaudi::recipe::Engine copyEngine)
    : emitted(emitted), copies(copyEngine) {
  locationId(std::string());
}

RecipeAssembly::RecipeAssembly(const RecipeAssembly &whole)
    : whole(&whole), emitted(parts), copies(whole.copies) {
  locationId(std::string());
}

uint32_t RecipeAssembly::locationId(std::string text) {
  auto [it, isNew] =
      locationIds.try_emplace(text, emitted.recipe.locations.size());
  if (isNew)
    emitted.recipe.locations.push_back(std::move(text));
  return it->second;
}

uint32_t RecipeAssembly::locationId(Location loc) {
  return locationId(locationText(loc));
}

uint32_t RecipeAssembly::add(std::unique_ptr<TensorT> tensor) {
  const uint32_t id = emitted.recipe.tensors.size() | (whole ? partBit : 0);
  emitted.recipe.tensors.push_back(std::move(tensor));
  return id;
}

uint32_t RecipeAssembly::addTensor(Value value, Value root, StringRef name,
                                   TensorClass tensorClass, uint64_t offset) {
  BufferAttr buffer = bufferOf(value);
  auto type = tensorType(value);
  auto tensor = std::make_unique<TensorT>();
  tensor->name = name.str();
  tensor->section = uint32_t(buffer.getSection());
  tensor->offset = offset;
  tensor->sizes.assign(type.getShape().begin(), type.getShape().end());
  tensor->strides.assign(buffer.getStrides().begin(),
                         buffer.getStrides().end());
  tensor->type = recipeType(type.getElementType());
  tensor->location = locationId(value.getLoc());
  tensor->tensor_class = tensorClass;
  // A view has the class of its root, and its place relative to it.
  if (root != value && hasTensor(root)) {
    tensor->alias_of = tensorId(root);
    const TensorT &base = this->tensor(tensor->alias_of);
    tensor->tensor_class = base.tensor_class;
    tensor->offset =
        base.offset + (buffer.getOffset() - bufferOf(root).getOffset());
  }
  return tensorIds[value] = add(std::move(tensor));
}

uint32_t RecipeAssembly::addTensor(RankedTensorType type, Location loc,
                                   StringRef name, TensorClass tensorClass,
                                   gaudi::recipe::SectionKind section,
                                   uint64_t offset, bool oneElement) {
  auto tensor = std::make_unique<TensorT>();
  tensor->name = name.str();
  tensor->tensor_class = tensorClass;
  tensor->section = uint32_t(section);
  tensor->offset = offset;
  tensor->sizes.assign(type.getShape().begin(), type.getShape().end());
  tensor->strides = oneElement ? std::vector<int64_t>(type.getRank(), 0)
                               : gaudi::kernel::denseStrides(tensor->sizes);
  tensor->type = recipeType(type.getElementType());
  tensor->location = locationId(loc);
  return add(std::move(tensor));
}

uint32_t RecipeAssembly::addWindow(uint32_t base, int64_t offsetElements,
                                   ArrayRef<int64_t> sizes,
                                   ArrayRef<int64_t> strides, StringRef name) {
  assert(sizes.size() == strides.size() && "one stride per dimension");
  const TensorT &from = this->tensor(base);
  auto tensor = std::make_unique<TensorT>();
  tensor->name = name.str();
  tensor->tensor_class = from.tensor_class;
  tensor->section = from.section;
  tensor->offset =
      from.offset + offsetElements * gaudi::recipe::elementSize(from.type);
  tensor->sizes.assign(sizes.begin(), sizes.end());
  tensor->strides.assign(strides.begin(), strides.end());
  tensor->type = from.type;
  // A part has numbers of its own for what the whole has.
  tensor->location =
      whole && !(base & partBit)
          ? locationId(whole->emitted.recipe.locations[from.location])
          : from.location;
  tensor->alias_of = from.alias_of >= 0 ? from.alias_of : int32_t(base);
  return add(std::move(tensor));
}

uint32_t RecipeAssembly::addView(Value value, uint32_t root, StringRef name) {
  const TensorClass tensorClass = tensor(root).tensor_class;
  const uint64_t offset = tensor(root).offset;
  const uint32_t id = addTensor(value, value, name, tensorClass, offset);
  own(id).alias_of = int32_t(root);
  return id;
}

void RecipeAssembly::setPermutation(uint32_t id, ArrayRef<int64_t> order) {
  TensorT &tensor = own(id);
  assert((order.empty() || order.size() == tensor.sizes.size()) &&
         "a permutation of its dimensions");
  assert(tensor.tensor_class != TensorClass::Workspace &&
         tensor.tensor_class != TensorClass::Const &&
         "callers see inputs, outputs and state only");
  if (!isIdentityOrder(order))
    tensor.permutation.assign(order.begin(), order.end());
}

uint32_t RecipeAssembly::addOutput(uint32_t state, StringRef name,
                                   Location loc) {
  const TensorT &base = tensor(state);
  assert(base.tensor_class == TensorClass::State && base.alias_of < 0 &&
         "only state is read and written by a launch");
  const std::vector<int64_t> sizes = base.sizes, strides = base.strides;
  uint32_t id = addWindow(state, 0, sizes, strides, name);
  own(id).tensor_class = TensorClass::Output;
  own(id).permutation = tensor(state).permutation;
  own(id).location = locationId(loc);
  return id;
}

std::optional<uint32_t> RecipeAssembly::kernelId(KernelOp op) {
  ++asked;
  Encoding code;
  encodeKernel(op, code);
  if (auto known = kernelOpIds.find(code.bytes()); known != kernelOpIds.end())
    return known->second;
  std::unique_ptr<KernelT> kernel = emitKernel(op);
  if (!kernel)
    return std::nullopt;
  flatbuffers::FlatBufferBuilder bytes;
  bytes.Finish(CreateKernel(bytes, kernel.get()));
  StringRef key(reinterpret_cast<const char *>(bytes.GetBufferPointer()),
                bytes.GetSize());
  auto [it, isNew] = kernelIds.try_emplace(key, recipe().kernels.size());
  if (isNew)
    recipe().kernels.push_back(std::move(kernel));
  kernelOpIds[code.bytes()] = it->second;
  return it->second;
}

/// All fields as bytes.
static void keyOf(const TensorT &tensor, std::string &key) {
  key.clear();
  auto add = [&](const void *data, size_t bytes) {
    key.append(static_cast<const char *>(data), bytes);
  };
  const int64_t numbers[] = {tensor.alias_of,
                             int64_t(tensor.offset),
                             int64_t(tensor.type),
                             int64_t(tensor.tensor_class),
                             int64_t(tensor.section),
                             int64_t(tensor.location),
                             tensor.initial,
                             int64_t(tensor.sizes.size()),
                             int64_t(tensor.permutation.size())};
  add(numbers, sizeof(numbers));
  add(tensor.sizes.data(), tensor.sizes.size() * sizeof(int64_t));
  add(tensor.strides.data(), tensor.strides.size() * sizeof(int64_t));
  add(tensor.permutation.data(), tensor.permutation.size());
  key += tensor.name;
}

RecipeAssembly::Relocation RecipeAssembly::merge(RecipeAssembly &part) {
  assert(part.whole == this && "a part of this recipe");
  Relocation to;
  // Locations first: tensors and kernels name them.
  for (std::string &text : part.emitted.recipe.locations)
    to.locations.push_back(locationId(std::move(text)));
  // Variants of one batch have many tensors in common, all windows on weights
  // among them.
  std::string key;
  for (std::unique_ptr<TensorT> &tensor : part.emitted.recipe.tensors) {
    tensor->location = to.locations[tensor->location];
    // A part numbers its own tensors with a bit set; roots come before their
    // views.
    if (tensor->alias_of >= 0 && (tensor->alias_of & partBit))
      tensor->alias_of = int32_t(to.tensors[tensor->alias_of & ~partBit]);
    keyOf(*tensor, key);
    auto [it, isNew] =
        partTensorIds.try_emplace(key, emitted.recipe.tensors.size());
    to.tensors.push_back(it->second);
    if (isNew)
      emitted.recipe.tensors.push_back(std::move(tensor));
  }
  // Kernels by their bytes, as within one assembly.
  to.kernels.resize(part.emitted.recipe.kernels.size());
  SmallVector<StringRef, 0> keys(to.kernels.size());
  for (const auto &kernel : part.kernelIds)
    keys[kernel.second] = kernel.first();
  for (auto [number, key] : llvm::enumerate(keys)) {
    auto [it, isNew] =
        kernelIds.try_emplace(key, emitted.recipe.kernels.size());
    if (isNew)
      emitted.recipe.kernels.push_back(
          std::move(part.emitted.recipe.kernels[number]));
    to.kernels[number] = it->second;
  }
  asked += part.asked;
  return to;
}

void RecipeAssembly::relocate(EntryT &entry, const Relocation &relocation) {
  for (std::unique_ptr<CommandT> &command : entry.commands) {
    command->location = relocation.locations[command->location];
    for (std::vector<uint32_t> *ids : {&command->inputs, &command->outputs})
      for (uint32_t &id : *ids)
        if (id & partBit)
          id = relocation.tensors[id & ~partBit];
    if (LaunchT *launch = command->body.AsLaunch())
      launch->kernel = relocation.kernels[launch->kernel];
  }
}
