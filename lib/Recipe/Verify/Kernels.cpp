// Checks what a kernel declares: index space, operands and accesses.
#include "Context.h"

#include <algorithm>

namespace gaudi::recipe {
namespace {

/// Indices stay this small, so that address arithmetic cannot overflow.
constexpr int64_t maxIndex = int64_t(1) << 48;

Status checkIndexSpace(const Kernel &kernel, KernelInfo &info) {
  info.extents = copyOf(kernel.index_space());
  const uint32_t count = uint32_t(info.extents.size());
  if (count > maxKernelDims)
    return reject(info.label, " has ", count, " dimensions, expected at most ",
                  maxKernelDims);
  if (items(kernel.parallel()).size() != count)
    return reject(info.label, " has ", items(kernel.parallel()).size(),
                  " parallel flags, expected ", count);
  unsigned parallelCount = 0;
  for (uint32_t d = 0; d < count; ++d) {
    if (info.extents[d] < 1 || info.extents[d] > maxIndex)
      return reject(info.label, " has extent ", info.extents[d],
                    " in dimension ", d, ", expected 1 to 2^48");
    info.parallel.push_back(items(kernel.parallel())[d] != 0);
    parallelCount += info.parallel.back();
  }
  if (parallelCount > maxParallelDims)
    return reject(info.label, " has ", parallelCount,
                  " parallel dimensions, expected at most ", maxParallelDims);
  return {};
}

Status checkOperands(const Kernel &kernel, KernelInfo &info) {
  auto declare = [&](const char *what, auto types, auto ranks) -> Status {
    if (types.size() != ranks.size())
      return reject(info.label, " has ", types.size(), " ", what, " types but ",
                    ranks.size(), " ranks");
    if (types.size() > maxKernelOperands - info.types.size())
      return reject(info.label, " has more than ", maxKernelOperands,
                    " operands");
    for (uint32_t i = 0; i < types.size(); ++i) {
      const ElementType type = ElementType(types[i]);
      if (!isValid(type))
        return reject(info.label, ": ", what, " ", i,
                      " has unknown element type ", unsigned(type));
      if (ranks[i] > maxRank)
        return reject(info.label, ": ", what, " ", i, " has rank ",
                      unsigned(ranks[i]), ", expected at most ", maxRank);
      info.types.push_back(type);
      info.ranks.push_back(ranks[i]);
    }
    return {};
  };
  Status status =
      declare("input", items(kernel.inputs()), items(kernel.input_ranks()));
  if (!status)
    return status;
  info.inputs = uint32_t(info.types.size());
  return declare("output", items(kernel.outputs()),
                 items(kernel.output_ranks()));
}

Status decodeDim(const AccessDim &dim, const KernelInfo &info, Label label,
                 AccessDimInfo &result) {
  if (dim.boundary() > Boundary::MAX)
    return reject(label, " has unknown boundary ", unsigned(dim.boundary()));
  result = {copyOf(dim.coefficients()),
            dim.offset(),
            0,
            0,
            dim.value(),
            dim.boundary()};
  if (dim.value() >= 0) {
    if (!result.coefficients.empty() || dim.offset() != 0)
      return reject(label, " has a value and also coefficients or an offset");
    if (dim.boundary() == Boundary::Inside)
      return reject(label, " is indexed by a value, which needs a boundary "
                           "other than inside");
    return {};
  }
  if (dim.value() != -1)
    return reject(label, " has value ", dim.value(), ", expected -1 or more");
  if (result.coefficients.size() != info.extents.size())
    return reject(label, " has ", result.coefficients.size(),
                  " coefficients, expected ", info.extents.size());
  // At most ten products of 64-bit numbers: exact in 128 bits.
  __int128 low = dim.offset(), high = dim.offset();
  for (size_t d = 0; d < info.extents.size(); ++d) {
    const __int128 span =
        __int128(result.coefficients[d]) * (info.extents[d] - 1);
    (span < 0 ? low : high) += span;
  }
  if (low < -maxIndex || high > maxIndex)
    return reject(label, " leaves the range of -2^48 to 2^48");
  if (dim.boundary() == Boundary::Inside && low < 0)
    return reject(label, " reaches index ", int64_t(low),
                  ", before the start of its operand");
  result.low = int64_t(low);
  result.high = int64_t(high);
  return {};
}

Status decodeAccess(const Access &access, const KernelInfo &info, Label label,
                    AccessInfo &result) {
  if (access.operand() >= info.types.size())
    return reject(label, " is of operand ", access.operand(), " but there are ",
                  info.types.size());
  const unsigned rank = info.ranks[access.operand()];
  if (items(access.dims()).size() != rank)
    return reject(label, " has ", items(access.dims()).size(),
                  " dimensions but its operand has rank ", rank);
  result.operand = access.operand();
  result.dims.resize(rank);
  bool pads = false;
  for (unsigned d = 0; d < rank; ++d) {
    const auto makeLabel = [&] { return join(label, ", dimension ", d); };
    Status status = decodeDim(*items(access.dims())[d], info, Label(makeLabel),
                              result.dims[d]);
    if (!status)
      return status;
    pads |= result.dims[d].boundary == Boundary::Pad;
  }
  const unsigned bits = kernelBits(kernelType(info.types[access.operand()]));
  if (pads ? bits < 64 && access.pad() >> bits != 0 : access.pad() != 0)
    return reject(label, " has pad bits ", access.pad(),
                  pads ? " that do not fit its operand's kernel type"
                       : " but no padded dimension");
  return {};
}

Status verifyKernel(const Kernel &kernel, KernelInfo &info) {
  if (Status status = checkIndexSpace(kernel, info); !status)
    return status;
  if (Status status = checkOperands(kernel, info); !status)
    return status;
  Items accesses = items(kernel.accesses());
  if (accesses.size() > maxKernelAccesses)
    return reject(info.label, " has ", accesses.size(),
                  " accesses, expected at most ", maxKernelAccesses);
  info.accesses.resize(accesses.size());
  for (uint32_t i = 0; i < accesses.size(); ++i) {
    const auto makeLabel = [&] { return join(info.label, ": access ", i); };
    Status status =
        decodeAccess(*accesses[i], info, Label(makeLabel), info.accesses[i]);
    if (!status)
      return status;
  }
  return verifyStages(kernel, info);
}

} // namespace

Status verifyKernels(Context &context) {
  Items kernels = items(context.recipe.kernels());
  context.kernels.resize(kernels.size());
  for (uint32_t i = 0; i < kernels.size(); ++i) {
    KernelInfo &info = context.kernels[i];
    info.label = join("kernel ", i, " ", quoted(text(kernels[i]->name())));
    if (Status status = verifyKernel(*kernels[i], info); !status)
      return status;
  }
  return {};
}

} // namespace gaudi::recipe
