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
using namespace mlir::gaudi;
using namespace ::gaudi::recipe;

::gaudi::recipe::ElementType mlir::gaudi::recipeType(Type type) {
  return ::gaudi::recipe::ElementType(elementTypeOf(type));
}

::gaudi::recipe::Engine
mlir::gaudi::recipeEngine(::mlir::gaudi::Engine engine) {
  switch (engine) {
  case ::mlir::gaudi::Engine::MME:
    return ::gaudi::recipe::Engine::MME;
  case ::mlir::gaudi::Engine::TPC:
    return ::gaudi::recipe::Engine::TPC;
  case ::mlir::gaudi::Engine::DMA:
    return ::gaudi::recipe::Engine::DMA;
  case ::mlir::gaudi::Engine::NIC:
    return ::gaudi::recipe::Engine::NIC;
  default:
    return ::gaudi::recipe::Engine::Host;
  }
}

RecipeAssembly::RecipeAssembly(EmittedRecipe &emitted,
                               ::gaudi::recipe::Engine copyEngine)
    : emitted(emitted), copies(copyEngine) {
  emitted.recipe.locations.push_back("");
  locationIds[""] = 0;
}

uint32_t RecipeAssembly::locationId(Location loc) {
  const std::string text = locationText(loc);
  auto [it, isNew] =
      locationIds.try_emplace(text, emitted.recipe.locations.size());
  if (isNew)
    emitted.recipe.locations.push_back(text);
  return it->second;
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
  if (root != value && hasTensor(root)) {
    tensor->alias_of = tensorId(root);
    const TensorT &base = *recipe().tensors[tensor->alias_of];
    tensor->tensor_class = base.tensor_class;
    tensor->offset =
        base.offset + (buffer.getOffset() - bufferOf(root).getOffset());
  }
  uint32_t id = recipe().tensors.size();
  recipe().tensors.push_back(std::move(tensor));
  tensorIds[value] = id;
  return id;
}

uint32_t RecipeAssembly::addTensor(RankedTensorType type, Location loc,
                                   StringRef name, TensorClass tensorClass,
                                   ::gaudi::recipe::SectionKind section,
                                   uint64_t offset, bool oneElement) {
  auto tensor = std::make_unique<TensorT>();
  tensor->name = name.str();
  tensor->tensor_class = tensorClass;
  tensor->section = uint32_t(section);
  tensor->offset = offset;
  tensor->sizes.assign(type.getShape().begin(), type.getShape().end());
  tensor->strides = oneElement ? std::vector<int64_t>(type.getRank(), 0)
                               : ::gaudi::kernel::denseStrides(tensor->sizes);
  tensor->type = recipeType(type.getElementType());
  tensor->location = locationId(loc);
  const uint32_t id = recipe().tensors.size();
  recipe().tensors.push_back(std::move(tensor));
  return id;
}

uint32_t RecipeAssembly::addWindow(uint32_t base, int64_t offsetElements,
                                   ArrayRef<int64_t> sizes,
                                   ArrayRef<int64_t> strides, StringRef name) {
  assert(sizes.size() == strides.size() && "one stride per dimension");
  const TensorT &from = *recipe().tensors[base];
  auto tensor = std::make_unique<TensorT>();
  tensor->name = name.str();
  tensor->tensor_class = from.tensor_class;
  tensor->section = from.section;
  tensor->offset =
      from.offset + offsetElements * ::gaudi::recipe::elementSize(from.type);
  tensor->sizes.assign(sizes.begin(), sizes.end());
  tensor->strides.assign(strides.begin(), strides.end());
  tensor->type = from.type;
  tensor->location = from.location;
  tensor->alias_of = from.alias_of >= 0 ? from.alias_of : int32_t(base);
  uint32_t id = recipe().tensors.size();
  recipe().tensors.push_back(std::move(tensor));
  return id;
}

uint32_t RecipeAssembly::addView(Value value, uint32_t root, StringRef name) {
  const TensorClass tensorClass = recipe().tensors[root]->tensor_class;
  const uint64_t offset = recipe().tensors[root]->offset;
  const uint32_t id = addTensor(value, value, name, tensorClass, offset);
  recipe().tensors[id]->alias_of = int32_t(root);
  return id;
}

void RecipeAssembly::setPermutation(uint32_t id, ArrayRef<int64_t> order) {
  TensorT &tensor = *recipe().tensors[id];
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
  const TensorT &base = *recipe().tensors[state];
  assert(base.tensor_class == TensorClass::State && base.alias_of < 0 &&
         "only state is read and written by a launch");
  const std::vector<int64_t> sizes = base.sizes, strides = base.strides;
  uint32_t id = addWindow(state, 0, sizes, strides, name);
  recipe().tensors[id]->tensor_class = TensorClass::Output;
  recipe().tensors[id]->permutation = recipe().tensors[state]->permutation;
  recipe().tensors[id]->location = locationId(loc);
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
