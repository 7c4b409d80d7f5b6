// Proves that a kernel stays inside the tensors of one launch.
#include "Context.h"

#include <cstdlib>

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
  return operand < kernel.inputs ? join("input ", operand)
                                 : join("output ", operand - kernel.inputs);
}

Status checkOperand(const KernelInfo &kernel, uint32_t operand,
                    const TensorInfo &tensor) {
  if (tensor.type != kernel.types[operand])
    return reject(operandLabel(kernel, operand), " is ",
                  elementName(tensor.type), " but ", kernel.label, " takes ",
                  elementName(kernel.types[operand]));
  if (tensor.window.sizes.size() != kernel.ranks[operand])
    return reject(operandLabel(kernel, operand), " has rank ",
                  tensor.window.sizes.size(), " but ", kernel.label, " takes ",
                  kernel.ranks[operand]);
  return {};
}

Status checkInside(const KernelInfo &kernel, uint32_t index,
                   const TensorInfo &tensor) {
  const AccessInfo &access = kernel.accesses[index];
  for (size_t d = 0; d < access.dims.size(); ++d) {
    const AccessDimInfo &dim = access.dims[d];
    if (dim.boundary == Boundary::Inside &&
        (dim.low < 0 || dim.high >= tensor.window.sizes[d]))
      return reject("access ", index, " of ", kernel.label, " reaches index ",
                    dim.high, " of ", operandLabel(kernel, access.operand),
                    ", whose dimension ", d, " has size ",
                    tensor.window.sizes[d]);
  }
  return {};
}

/// Each element of the output is written at exactly one point.
Status checkStore(const KernelInfo &kernel, uint32_t output,
                  const TensorInfo &tensor) {
  const AccessUse store = kernel.stores[output];
  const AccessInfo &access = kernel.accesses[store.access];
  std::vector<bool> loops = kernel.parallel;
  for (uint8_t d : kernel.stageLoops[store.stage])
    loops[d] = true;
  Dims sizes, strides;
  for (size_t d = 0; d < kernel.extents.size(); ++d) {
    if (!loops[d] || kernel.extents[d] == 1)
      continue;
    // One step along d stays inside the tensor, so the stride is smaller than
    // the tensor.
    __int128 stride = 0;
    for (size_t t = 0; t < access.dims.size(); ++t)
      stride +=
          __int128(access.dims[t].coefficients[d]) * tensor.window.strides[t];
    sizes.push_back(kernel.extents[d]);
    strides.push_back(std::abs(int64_t(stride)));
  }
  if (!isInjective(sizes, strides))
    return reject("output ", output, " of ", kernel.label,
                  " may be stored to one place from several points");
  std::optional<int64_t> points = elementCount(sizes);
  if (!points || *points != tensor.elements)
    return reject("output ", output, " of ", kernel.label, " has ",
                  tensor.elements, " elements but is stored at ",
                  points.value_or(0), " points");
  return {};
}

/// Where an access is: elements from the tensor's first byte as coefficients
/// of the kernel's indices, then the constant. None if an index is computed or
/// may leave the tensor.
std::optional<Dims> positionOf(const KernelInfo &kernel,
                               const AccessInfo &access, const Window &window) {
  Dims position(kernel.extents.size() + 1);
  for (size_t t = 0; t < access.dims.size(); ++t) {
    const AccessDimInfo &dim = access.dims[t];
    if (dim.value >= 0 || dim.boundary != Boundary::Inside)
      return std::nullopt;
    // Every step stays inside of the tensor, so nothing overflows.
    for (size_t d = 0; d < kernel.extents.size(); ++d)
      if (kernel.extents[d] != 1)
        position[d] += dim.coefficients[d] * window.strides[t];
    position.back() += dim.offset * window.strides[t];
  }
  return position;
}

} // namespace

Status verifyLaunch(const Context &context, const Command &command,
                    const KernelInfo &kernel) {
  const uint32_t inputs = items(command.inputs()).size();
  const uint32_t outputs = items(command.outputs()).size();
  if (inputs != kernel.inputs || outputs != kernel.stores.size())
    return reject(kernel.label, " takes ", kernel.inputs, " inputs and ",
                  kernel.stores.size(), " outputs but got ", inputs, " and ",
                  outputs);
  for (uint32_t i = 0; i < kernel.types.size(); ++i) {
    Status status =
        checkOperand(kernel, i, operandTensor(context, command, kernel, i));
    if (!status)
      return status;
  }
  for (uint32_t i = 0; i < kernel.accesses.size(); ++i) {
    const TensorInfo &tensor =
        operandTensor(context, command, kernel, kernel.accesses[i].operand);
    if (Status status = checkInside(kernel, i, tensor); !status)
      return status;
  }
  for (uint32_t i = 0; i < outputs; ++i) {
    const TensorInfo &tensor =
        operandTensor(context, command, kernel, kernel.inputs + i);
    if (Status status = checkStore(kernel, i, tensor); !status)
      return status;
  }
  return {};
}

bool allowsInPlace(const KernelInfo &kernel, uint32_t input, uint32_t output,
                   const Window &from, const Window &to) {
  if (from.offset != to.offset || from.elementSize != to.elementSize)
    return false;
  const AccessUse store = kernel.stores[output];
  const auto target = positionOf(kernel, kernel.accesses[store.access], to);
  for (const AccessUse &load : kernel.loads) {
    const AccessInfo &access = kernel.accesses[load.access];
    if (access.operand == input && (load.stage > store.stage ||
                                    positionOf(kernel, access, from) != target))
      return false;
  }
  return true;
}

} // namespace gaudi::recipe
