// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what a kernel declares: index space, operands and accesses.
#include "Context.h"

#include <cassert>

namespace gaudi::recipe {
namespace {

/// Extents are at least 1: no kernel is empty, and ranges are those of real
/// points.
Status checkIndexSpace(const Kernel &kernel, KernelInfo &info) {
  info.extents = copyOf(kernel.index_space());
  const uint32_t count = uint32_t(info.extents.size());
  if (count > maxKernelDims)
    return fail("{} has {} dimensions, expected at most {}", info.label, count,
                maxKernelDims);
  if (items(kernel.parallel()).size() != count)
    return fail("{} has {} parallel flags, expected {}", info.label,
                items(kernel.parallel()).size(), count);
  unsigned parallelCount = 0;
  for (uint32_t d = 0; d < count; ++d) {
    if (info.extents[d] < 1 || info.extents[d] > kernel::maxIndex)
      return fail("{} has extent {} in dimension {}, expected 1 to 2^48",
                  info.label, info.extents[d], d);
    info.parallel.push_back(items(kernel.parallel())[d] != 0);
    parallelCount += info.parallel.back();
  }
  if (parallelCount > maxParallelDims)
    return fail("{} has {} parallel dimensions, expected at most {}",
                info.label, parallelCount, maxParallelDims);
  return {};
}

Status checkOperands(const Kernel &kernel, KernelInfo &info) {
  auto declare = [&](const char *what, auto types, auto ranks) -> Status {
    if (types.size() != ranks.size())
      return fail("{} has {} {} types but {} ranks", info.label, types.size(),
                  what, ranks.size());
    // Compared without an addition that could overflow.
    if (types.size() > maxKernelOperands - info.types.size())
      return fail("{} has more than {} operands", info.label,
                  maxKernelOperands);
    for (uint32_t i = 0; i < types.size(); ++i) {
      const ElementType type = ElementType(types[i]);
      if (!isValid(type))
        return fail("{}: {} {} has unknown element type {}", info.label, what,
                    i, unsigned(type));
      if (ranks[i] > maxRank)
        return fail("{}: {} {} has rank {}, expected at most {}", info.label,
                    what, i, unsigned(ranks[i]), maxRank);
      info.types.push_back(type);
      info.ranks.push_back(ranks[i]);
    }
    return {};
  };
  GAUDI_TRY(
      declare("input", items(kernel.inputs()), items(kernel.input_ranks())));
  info.inputs = uint32_t(info.types.size());
  return declare("output", items(kernel.outputs()),
                 items(kernel.output_ranks()));
}

/// One index of an access: a value, or an affine form whose range over the
/// index space is far from the ends of int64, so that plans may add strides and
/// offsets to it.
Status decodeDim(const AccessDim &dim, const KernelInfo &info,
                 const Label &label, AccessDimInfo &result) {
  if (dim.boundary() > Boundary::MAX)
    return fail("{} has unknown boundary {}", label, unsigned(dim.boundary()));
  const auto coefficients = items(dim.coefficients());
  result = {dim.offset(), {}, dim.value(), dim.boundary()};
  // An index from memory is not known to be inside: only with a boundary rule.
  if (dim.value() >= 0) {
    if (coefficients.size() != 0 || dim.offset() != 0)
      return fail("{} has a value and also coefficients or an offset", label);
    if (dim.boundary() == Boundary::Inside)
      return fail(
          "{} is indexed by a value, which needs a boundary other than inside",
          label);
    return {};
  }
  if (dim.value() != -1)
    return fail("{} has value {}, expected -1 or more", label, dim.value());
  if (coefficients.size() != info.extents.size())
    return fail("{} has {} coefficients, expected {}", label,
                coefficients.size(), info.extents.size());
  for (unsigned d = 0; d < info.extents.size(); ++d)
    result.index.add(d, coefficients[d]);
  result.range = rangeOf(result.index, info.extents);
  const auto [low, high] = result.range;
  // With room for strides and offsets that plans add in 64 bits.
  if (low < -kernel::maxIndex || high > kernel::maxIndex)
    return fail("{} leaves the range of -2^48 to 2^48", label);
  // The upper end is checked at each launch's operands, whose sizes the kernel
  // does not know.
  if (dim.boundary() == Boundary::Inside && low < 0)
    return fail("{} reaches index {}, before the start of its operand", label,
                low);
  return {};
}

Status decodeAccess(const Access &access, const KernelInfo &info,
                    const Label &label, AccessInfo &result) {
  if (access.operand() >= info.types.size())
    return fail("{} is of operand {} but there are {}", label, access.operand(),
                info.types.size());
  const unsigned rank = info.ranks[access.operand()];
  if (items(access.dims()).size() != rank)
    return fail("{} has {} dimensions but its operand has rank {}", label,
                items(access.dims()).size(), rank);
  result.operand = access.operand();
  result.dims.resize(rank);
  bool pads = false;
  for (unsigned d = 0; d < rank; ++d) {
    const LazyLabel inDim(
        [&] { return fmt::format("{}, dimension {}", label, d); });
    GAUDI_TRY(decodeDim(*items(access.dims())[d], info, inDim, result.dims[d]));
    pads |= result.dims[d].boundary == Boundary::Pad;
  }
  // Bits that nothing reads are zero, so that a kernel has one form.
  const unsigned bits = kernelBits(kernelType(info.types[access.operand()]));
  if (pads ? bits < 64 && access.pad() >> bits != 0 : access.pad() != 0)
    return fail("{} has pad bits {}{}", label, access.pad(),
                pads ? " that do not fit its operand's kernel type"
                     : " but no padded dimension");
  return {};
}

/// Reduces all accesses to one bound per operand and dimension, so that a
/// launch is checked in time linear in its operands, however many accesses the
/// kernel has. Indices before the start were refused for every access.
void summarizeReach(KernelInfo &info) {
  info.reach.resize(info.types.size());
  for (size_t operand = 0; operand < info.types.size(); ++operand)
    info.reach[operand].resize(info.ranks[operand]);
  for (uint32_t i = 0; i < info.accesses.size(); ++i) {
    const AccessInfo &access = info.accesses[i];
    assert(access.dims.size() == info.ranks[access.operand] &&
           "one index per dimension");
    for (size_t d = 0; d < access.dims.size(); ++d) {
      const AccessDimInfo &dim = access.dims[d];
      Reach &reach = info.reach[access.operand][d];
      if (dim.boundary == Boundary::Inside && dim.range.high > reach.index)
        reach = {dim.range.high, i};
    }
  }
}

Status verifyKernel(const Kernel &kernel, KernelInfo &info) {
  GAUDI_TRY(checkIndexSpace(kernel, info));
  GAUDI_TRY(checkOperands(kernel, info));
  Items accesses = items(kernel.accesses());
  if (accesses.size() > maxKernelAccesses)
    return fail("{} has {} accesses, expected at most {}", info.label,
                accesses.size(), maxKernelAccesses);
  info.accesses.resize(accesses.size());
  for (uint32_t i = 0; i < accesses.size(); ++i) {
    const LazyLabel label(
        [&] { return fmt::format("{}: access {}", info.label, i); });
    GAUDI_TRY(decodeAccess(*accesses[i], info, label, info.accesses[i]));
  }
  summarizeReach(info);
  return verifyStages(kernel, info);
}

} // namespace

Status verifyKernels(Context &context) {
  Items kernels = items(context.recipe.kernels());
  context.kernels.resize(kernels.size());
  for (uint32_t i = 0; i < kernels.size(); ++i) {
    KernelInfo &info = context.kernels[i];
    info.label =
        fmt::format("kernel {} {}", i, quoted(text(kernels[i]->name())));
    GAUDI_TRY(verifyKernel(*kernels[i], info));
    if (roundsByRule(*kernels[i]) &&
        !(context.layout.features & featureRoundings))
      return fail("{} rounds by a rule, which needs feature bits {:#x} that "
                  "the header does not have",
                  info.label, featureRoundings);
  }
  return {};
}

} // namespace gaudi::recipe
