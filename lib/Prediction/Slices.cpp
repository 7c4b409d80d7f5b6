// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts commands into slices.
#include "Slices.h"

#include <algorithm>
#include <cassert>

namespace gaudi::prediction {
namespace {

using namespace timing;

constexpr std::string_view notDense = "it is strided",
                           notWalked = "its first dimension is not one that "
                                       "the kernel's engines divide",
                           wholeProduct = "each slice of the product reads all "
                                          "of it",
                           rowsOverlap = "the rows of the convolution overlap",
                           reduced = "the images are summed up",
                           other = "the command is neither a product nor a "
                                   "kernel";

/// Row-major without gaps.
bool isDense(const Operand &operand) {
  int64_t stride = 1;
  for (size_t d = operand.sizes.size(); d-- > 0;) {
    if (operand.sizes[d] == 1 || operand.strides.empty())
      continue;
    if (operand.strides[d] != stride)
      return false;
    stride *= operand.sizes[d];
  }
  return true;
}

/// a and c follow the batches and then m, b the batches.
Walk walkOfGemm(const MatrixWork &work, uint32_t operand) {
  const Operand &given = operand == 0 ? work.a : operand == 1 ? work.b : work.c;
  Walk walk;
  const size_t batches = work.batch.size();
  for (size_t d = 0; d < batches; ++d) {
    // A batch that repeats for several of the result's does not follow them.
    if (given.sizes[d] != work.batch[d]) {
      walk.refusal = wholeProduct;
      return walk;
    }
    if (work.batch[d] != 1)
      walk.dims.push_back({uint32_t(d), work.batch[d]});
  }
  if (operand == 1 || (operand == 0 && work.transposeA))
    walk.refusal = wholeProduct;
  else if (work.m != 1)
    walk.dims.push_back({uint32_t(batches), work.m});
  return walk;
}

/// Dimensions of a spatial tensor that are images or rows of the convolution.
Walk walkOfConv(const MatrixWork &work, uint32_t operand,
                const Layouts &layouts) {
  Walk walk;
  walk.refusal = work.result() == MatrixRole::W ? reduced
                 : operand == 1                 ? wholeProduct
                                                : "";
  if (!walk.refusal.empty())
    return walk;
  const std::string_view layout = operand == 0 ? layouts.input : layouts.output;
  const Operand &given = operand == 0 ? work.a : work.c;
  const size_t rank = work.spatial.size();
  for (size_t d = 0; d < layout.size(); ++d) {
    if (given.sizes[d] == 1)
      continue;
    if (layout[d] == 'N') {
      walk.dims.push_back({0, given.sizes[d]});
      continue;
    }
    const size_t letter = std::string_view("DHW").find(layout[d]);
    if (letter == std::string_view::npos || work.result() != MatrixRole::Y) {
      walk.refusal = wholeProduct;
      break;
    }
    const size_t s = letter + rank - 3;
    const Spatial &spatial = work.spatial[s];
    const bool pointwise = spatial.filter == 1 && spatial.stride == 1 &&
                           spatial.padLow == 0 && spatial.padHigh == 0;
    if (operand == 0 && !pointwise) {
      walk.refusal = rowsOverlap;
      break;
    }
    walk.dims.push_back({uint32_t(1 + s), given.sizes[d]});
  }
  return walk;
}

/// Leading dimensions that every access takes one to one from one dimension of
/// the index space.
Walk walkOfKernel(const KernelWork &work, uint32_t operand) {
  Walk walk;
  walk.refusal = notWalked;
  const Operand &given = work.operands[operand];
  for (size_t d = 0; d < given.sizes.size(); ++d) {
    if (given.sizes[d] == 1)
      continue;
    std::optional<unsigned> dim;
    bool any = false;
    for (const KernelAccess &access : work.accesses) {
      if (access.operand != operand)
        continue;
      const auto single =
          access.indexed >> d & 1
              ? std::nullopt
              : access.position[d].withoutUnitDims(work.extents).singleDim();
      if (!single || (any && single != dim))
        return walk;
      dim = single;
      any = true;
    }
    if (!any || !(work.parallel >> *dim & 1) ||
        work.extents[*dim] != given.sizes[d])
      return walk;
    walk.dims.push_back({*dim, given.sizes[d]});
  }
  return walk;
}

void sliceGemm(MatrixWork &work, const Cut &cut) {
  const size_t batches = work.batch.size();
  if (cut.dim == batches) {
    work.m /= cut.count;
    work.a.sizes[batches + (work.transposeA ? 1 : 0)] /= cut.count;
    work.c.sizes[batches] /= cut.count;
    return;
  }
  for (Operand *operand : {&work.a, &work.b, &work.c})
    if (operand->sizes[cut.dim] == work.batch[cut.dim])
      operand->sizes[cut.dim] /= cut.count;
  work.batch[cut.dim] /= cut.count;
}

void sliceConv(MatrixWork &work, const Cut &cut, const Layouts &layouts) {
  if (cut.dim == 0) {
    work.images /= cut.count;
    work.a.sizes[layouts.input.find('N')] /= cut.count;
    work.c.sizes[layouts.output.find('N')] /= cut.count;
    return;
  }
  const size_t s = cut.dim - 1;
  const char letter = "DHW"[3 - work.spatial.size() + s];
  Spatial &spatial = work.spatial[s];
  spatial.output /= cut.count;
  // The rows that these rows of the result need.
  spatial.input =
      std::min(spatial.input, (spatial.output - 1) * spatial.stride +
                                  (spatial.filter - 1) * spatial.dilation + 1);
  work.a.sizes[layouts.input.find(letter)] = spatial.input;
  work.c.sizes[layouts.output.find(letter)] = spatial.output;
}

void sliceKernel(KernelWork &work, const Cut &cut) {
  // A dimension of an operand that follows the cut one shrinks with it.
  std::vector<std::pair<uint32_t, size_t>> shrink;
  for (const KernelAccess &access : work.accesses)
    for (size_t d = 0; d < access.position.size(); ++d)
      if (access.position[d].singleDim() == cut.dim &&
          !(access.indexed >> d & 1) &&
          work.operands[access.operand].sizes[d] == work.extents[cut.dim])
        shrink.push_back({access.operand, d});
  std::sort(shrink.begin(), shrink.end());
  shrink.erase(std::unique(shrink.begin(), shrink.end()), shrink.end());
  for (auto [operand, d] : shrink)
    work.operands[operand].sizes[d] /= cut.count;
  work.extents[cut.dim] /= cut.count;
}

} // namespace

Operand *operandOf(Work &work, uint32_t operand) {
  if (auto *matrix = std::get_if<MatrixWork>(&work))
    return operand == 0 ? &matrix->a : operand == 1 ? &matrix->b : &matrix->c;
  if (auto *kernel = std::get_if<KernelWork>(&work))
    return &kernel->operands[operand];
  return nullptr;
}

Walk walkOf(const Work &work, uint32_t operand, const Layouts &layouts) {
  Walk walk;
  walk.refusal = other;
  const Operand *given = operandOf(const_cast<Work &>(work), operand);
  if (!given)
    return walk;
  if (!isDense(*given)) {
    walk.refusal = notDense;
    return walk;
  }
  if (const auto *kernel = std::get_if<KernelWork>(&work))
    return walkOfKernel(*kernel, operand);
  const auto &matrix = std::get<MatrixWork>(work);
  return matrix.isGemm() ? walkOfGemm(matrix, operand)
                         : walkOfConv(matrix, operand, layouts);
}

std::optional<std::vector<Cut>> cutsOf(const Walk &walk, int64_t slices) {
  assert(slices > 0 && "a number of slices");
  std::vector<Cut> cuts;
  for (const Cut &dim : walk.dims) {
    if (slices == 1)
      break;
    if (dim.count % slices == 0) {
      cuts.push_back({dim.dim, slices});
      slices = 1;
    } else if (dim.count != 0 && slices % dim.count == 0) {
      // This one is cut into single indices, the next one cuts further.
      cuts.push_back({dim.dim, dim.count});
      slices /= dim.count;
    } else {
      return std::nullopt;
    }
  }
  if (slices != 1)
    return std::nullopt;
  return cuts;
}

Work sliceOf(Work work, const std::vector<Cut> &cuts, const Layouts &layouts) {
  for (const Cut &cut : cuts) {
    if (auto *kernel = std::get_if<KernelWork>(&work)) {
      sliceKernel(*kernel, cut);
      continue;
    }
    auto &matrix = std::get<MatrixWork>(work);
    if (matrix.isGemm())
      sliceGemm(matrix, cut);
    else
      sliceConv(matrix, cut, layouts);
  }
  return work;
}

} // namespace gaudi::prediction
