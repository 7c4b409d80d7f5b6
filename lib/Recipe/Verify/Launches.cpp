// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves that a kernel stays inside the tensors of one launch.
#include "Context.h"

#include <cassert>

namespace gaudi::recipe {
namespace {

/// Finds the tensor of a kernel operand.
const TensorInfo &operandTensor(const Context &context, const Command &command,
                                const KernelInfo &kernel, uint32_t operand) {
  const uint32_t id = operand < kernel.inputs
                          ? items(command.inputs())[operand]
                          : items(command.outputs())[operand - kernel.inputs];
  return context.tensors[id];
}

std::string operandLabel(const KernelInfo &kernel, uint32_t operand) {
  return operand < kernel.inputs
             ? fmt::format("input {}", operand)
             : fmt::format("output {}", operand - kernel.inputs);
}

Status checkOperand(const KernelInfo &kernel, uint32_t operand,
                    const TensorInfo &tensor) {
  if (tensor.type != kernel.types[operand])
    return fail("{} is {} but {} takes {}", operandLabel(kernel, operand),
                elementName(tensor.type), kernel.label,
                elementName(kernel.types[operand]));
  if (tensor.window.sizes.size() != kernel.ranks[operand])
    return fail("{} has rank {} but {} takes {}", operandLabel(kernel, operand),
                tensor.window.sizes.size(), kernel.label,
                kernel.ranks[operand]);
  return {};
}

Status checkInside(const KernelInfo &kernel, uint32_t operand,
                   const TensorInfo &tensor) {
  assert(kernel.reach[operand].size() == tensor.window.sizes.size() &&
         "ranks were compared");
  // Ranges over the index space were computed once per kernel; a launch
  // compares one number per dimension. Guarded accesses reach nothing outside.
  for (size_t d = 0; d < kernel.reach[operand].size(); ++d) {
    const Reach &reach = kernel.reach[operand][d];
    if (reach.index >= tensor.window.sizes[d])
      return fail("access {} of {} reaches index {} of {}, whose dimension {} "
                  "has size {}",
                  reach.access, kernel.label, reach.index,
                  operandLabel(kernel, operand), d, tensor.window.sizes[d]);
  }
  return {};
}

/// Where an access is in memory: elements from the tensor's first one. None if
/// an index is computed or may leave the tensor.
std::optional<kernel::Affine> positionOf(const KernelInfo &kernel,
                                         const AccessInfo &access,
                                         const kernel::Window &window) {
  kernel::Affine position;
  for (size_t t = 0; t < access.dims.size(); ++t) {
    const AccessDimInfo &dim = access.dims[t];
    if (dim.value >= 0 || dim.boundary != Boundary::Inside)
      return std::nullopt;
    position.add(dim.index.withoutUnitDims(kernel.extents), window.strides[t]);
  }
  // Every step stays inside the tensor, whose extent fits 64 bits.
  assert(position.isExact() && "accesses are checked before positions");
  return position;
}

/// Each element of the output is written at exactly one point.
Status checkStore(const KernelInfo &kernel, uint32_t output,
                  const TensorInfo &tensor) {
  const AccessUse store = kernel.stores[output];
  const auto position =
      positionOf(kernel, kernel.accesses[store.access], tensor.window);
  std::vector<bool> loops = kernel.parallel;
  for (uint8_t d : kernel.stageLoops[store.stage])
    loops[d] = true;
  kernel::Dims sizes;
  std::vector<kernel::Walk> walks;
  for (unsigned d = 0; d < kernel.extents.size(); ++d)
    if (loops[d]) {
      sizes.push_back(kernel.extents[d]);
      walks.push_back({d, kernel.extents[d]});
    }
  if (!position || !kernel::isInjective(*position, walks))
    return fail(
        "output {} of {} may be stored to one place from several points",
        output, kernel.label);
  // Injective, and as many points as elements: every element is written, so a
  // later read finds no byte that nobody wrote.
  std::optional<int64_t> points = kernel::elementCount(sizes);
  if (!points || *points != tensor.elements)
    return fail("output {} of {} has {} elements but is stored at {} points",
                output, kernel.label, tensor.elements, points.value_or(0));
  return {};
}

} // namespace

Status verifyLaunch(const Context &context, const Command &command,
                    const KernelInfo &kernel) {
  const uint32_t inputs = items(command.inputs()).size();
  const uint32_t outputs = items(command.outputs()).size();
  if (inputs != kernel.inputs || outputs != kernel.stores.size())
    return fail("{} takes {} inputs and {} outputs but got {} and {}",
                kernel.label, kernel.inputs, kernel.stores.size(), inputs,
                outputs);
  for (uint32_t i = 0; i < kernel.types.size(); ++i) {
    const TensorInfo &tensor = operandTensor(context, command, kernel, i);
    GAUDI_TRY(checkOperand(kernel, i, tensor));
    GAUDI_TRY(checkInside(kernel, i, tensor));
  }
  for (uint32_t i = 0; i < outputs; ++i)
    GAUDI_TRY(checkStore(
        kernel, i, operandTensor(context, command, kernel, kernel.inputs + i)));
  return {};
}

Result<bool> allowsInPlace(const Context &context, const KernelInfo &kernel,
                           uint32_t input, uint32_t output,
                           const kernel::Window &from,
                           const kernel::Window &to) {
  if (from.offset != to.offset || from.elementSize != to.elementSize)
    return false;
  const AccessUse store = kernel.stores[output];
  const auto target = positionOf(kernel, kernel.accesses[store.access], to);
  assert(target && "stores stay inside their tensor");
  // A point may overwrite what it has read; another point reads another byte,
  // because stores are injective and loads are where the store is.
  for (const AccessUse &load : kernel.loads[input]) {
    const AccessInfo &access = kernel.accesses[load.access];
    GAUDI_TRY(context.work.spend(1 + access.dims.size()));
    if (load.stage > store.stage || positionOf(kernel, access, from) != target)
      return false;
  }
  return true;
}

} // namespace gaudi::recipe
