// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Works with other sizes or types.
#include "Rework.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <numeric>

namespace gaudi::prediction {
namespace {

using namespace timing;

bool isDense(const Operand &operand) {
  return operand.strides.empty() ||
         kernel::isDense(operand.sizes, operand.strides);
}

/// Strides without gaps for the present sizes, in the order in which the
/// dimensions are stored; what is broadcast stays so.
void makeDense(Operand &operand) {
  if (operand.strides.empty())
    return;
  std::vector<size_t> dims(operand.sizes.size());
  std::iota(dims.begin(), dims.end(), 0);
  std::sort(dims.begin(), dims.end(), [&](size_t a, size_t b) {
    return std::pair(-operand.strides[a], a) <
           std::pair(-operand.strides[b], b);
  });
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    const size_t d = dims[i];
    if (operand.strides[d] == 0 && operand.sizes[d] > 1)
      continue;
    operand.strides[d] = stride;
    stride *= std::max<int64_t>(operand.sizes[d], 1);
  }
}

void resize(Operand &operand, size_t dim, int64_t size) {
  const bool wasDense = isDense(operand);
  operand.sizes[dim] = size;
  if (wasDense)
    makeDense(operand);
}

/// size * to / from, rounded up.
int64_t scaled(int64_t size, int64_t to, int64_t from) {
  return from > 0 ? int64_t((__int128(size) * to + from - 1) / from) : size;
}

/// Gives a dimension of the index space another extent, and so the operands
/// that it walks over.
void resize(KernelWork &work, unsigned dim, int64_t extent) {
  const int64_t from = work.extents[dim];
  work.extents[dim] = extent;
  std::vector<uint64_t> done(work.operands.size()); // dimensions, as bits
  for (const KernelAccess &access : work.accesses)
    for (size_t p = 0; p < access.position.size(); ++p) {
      const uint64_t bit = uint64_t(1) << p;
      if (access.position[p][dim] == 0 || access.indexed & bit ||
          done[access.operand] & bit)
        continue;
      done[access.operand] |= bit;
      Operand &operand = work.operands[access.operand];
      resize(operand, p, scaled(operand.sizes[p], extent, from));
    }
}

/// A dimension of the index space with more than one point in the form, or -1.
int varyingDim(const KernelWork &work, const kernel::Affine &form) {
  for (unsigned d = 0; d < form.size(); ++d)
    if (form[d] != 0 && work.extents[d] > 1)
      return int(d);
  return -1;
}

/// The slowest dimension of what the kernel writes; for a full reduction the
/// longest of all. -1: it has a single point.
int sampleDim(const KernelWork &work) {
  for (const KernelAccess &access : work.accesses) {
    if (access.operand < work.inputs)
      continue;
    for (const kernel::Affine &form : access.position)
      if (int dim = varyingDim(work, form); dim >= 0)
        return dim;
  }
  const auto longest =
      std::max_element(work.extents.begin(), work.extents.end());
  return longest == work.extents.end() || *longest <= 1
             ? -1
             : int(longest - work.extents.begin());
}

/// Multiplies the dimension of an operand that counts `size` samples.
void addSamples(Operand &operand, int64_t size, int64_t factor) {
  for (size_t d = 0; d < operand.sizes.size(); ++d)
    if (operand.sizes[d] == size)
      return resize(operand, d, size * factor);
}

/// The dimension of a product without a batch that counts samples.
MatrixDim sampleDim(const MatrixWork &work, uint32_t constantInputs) {
  const bool isConstantA = constantInputs & 1, isConstantB = constantInputs & 2;
  if (isConstantA != isConstantB)
    return isConstantA ? MatrixDim::N : MatrixDim::M;
  // x^T * dy, the gradient of weights, sums over the samples.
  if (work.transposeA && !work.transposeB)
    return MatrixDim::K;
  // Weights are most often larger than what one launch multiplies them by.
  return work.n < work.m ? MatrixDim::N : MatrixDim::M;
}

MatrixWork samplesOf(MatrixWork work, uint32_t constantInputs, int64_t factor) {
  if (!work.isGemm()) {
    for (MatrixRole role : {MatrixRole::X, MatrixRole::Y})
      addSamples(work.tensor(role), work.images, factor);
    work.images *= factor;
    return work;
  }
  // Weights with a batch, as those of experts, keep it.
  const bool isOfWeights = (constantInputs & 1 && !work.broadcastA) ||
                           (constantInputs & 2 && !work.broadcastB);
  if (!work.batch.empty() && !isOfWeights) {
    work.batch[0] *= factor;
    resize(work.c, 0, work.c.sizes[0] * factor);
    if (!work.broadcastA && !work.a.sizes.empty())
      resize(work.a, 0, work.a.sizes[0] * factor);
    if (!work.broadcastB && !work.b.sizes.empty())
      resize(work.b, 0, work.b.sizes[0] * factor);
    return work;
  }
  const MatrixDim dim = sampleDim(work, constantInputs);
  return withSize(work, dim, sizeOf(work, dim) * factor);
}

/// Masks that one sample does not have for itself are those of all samples.
void addBatches(AttentionWork &work, int64_t factor) {
  for (size_t i = 0; i < work.operands.size(); ++i) {
    const bool isMask =
        int32_t(i) == work.mask || int32_t(i) == work.dropoutMask;
    if (work.operands[i].elements() > 1 && !(isMask && work.batches == 1))
      addSamples(work.operands[i], work.batches, factor);
  }
  if (work.keyBatches == work.batches)
    work.keyBatches *= factor;
  work.batches *= factor;
}

/// The last dimension of a size, as channels have in native layouts.
void resizeLast(Operand &operand, int64_t from, int64_t to) {
  for (size_t d = operand.sizes.size(); d-- > 0;)
    if (operand.sizes[d] == from) {
      resize(operand, d, to);
      return makeDense(operand);
    }
}

/// A dimension of a matrix, counted from the last one.
void resizeFromEnd(Operand &operand, size_t fromEnd, int64_t size) {
  if (operand.sizes.size() < fromEnd)
    return;
  resize(operand, operand.sizes.size() - fromEnd, size);
  makeDense(operand);
}

/// The operand whose rows decide: the largest one, outputs first.
const KernelAccess *mainAccess(const KernelWork &work) {
  const KernelAccess *best = nullptr;
  uint64_t most = 0;
  for (auto access = work.accesses.rbegin(); access != work.accesses.rend();
       ++access) {
    const uint64_t bytes = work.operands[access->operand].bytes();
    if (!access->indexed && bytes > most) {
      most = bytes;
      best = &*access;
    }
  }
  return best;
}

/// The dimension of the index space that runs along the rows of the main
/// operand, and the one of the operand; nothing if rows are not walked densely.
struct RowDim {
  unsigned dim = 0;
  size_t ofOperand = 0;
  const Operand *operand = nullptr;
};
std::optional<RowDim> rowDim(const KernelWork &work) {
  const KernelAccess *access = mainAccess(work);
  if (!access)
    return std::nullopt;
  const Operand &operand = work.operands[access->operand];
  for (size_t p = operand.sizes.size(); p-- > 0;) {
    if (operand.sizes[p] <= 1)
      continue;
    const std::optional<unsigned> dim = access->position[p].singleDim();
    if (!dim || work.extents[*dim] != operand.sizes[p])
      return std::nullopt;
    return RowDim{*dim, p, &operand};
  }
  return std::nullopt;
}

/// The longest dimension besides one, with more than one point.
int longestBut(const Dims &sizes, size_t but) {
  int best = -1;
  for (size_t d = 0; d < sizes.size(); ++d)
    if (d != but && sizes[d] > 1 &&
        (best < 0 || sizes[d] > sizes[size_t(best)]))
      best = int(d);
  return best;
}

Rows rowsOf(const Operand &operand, size_t dim) {
  Rows rows{operand.sizes[dim], kernel::elementSize(operand.type), false};
  if (operand.strides.empty())
    return rows;
  rows.isGapped = operand.strides[dim] > 1;
  for (size_t d = dim; d-- > 0;)
    if (operand.sizes[d] > 1) {
      rows.isGapped |= operand.strides[d] > operand.sizes[dim];
      break;
    }
  return rows;
}

/// True if two operands are walked in the same order: no transpose.
bool keepsOrder(const Operand &operand) {
  int64_t last = INT64_MAX;
  for (size_t d = 0; d < operand.strides.size(); ++d) {
    if (operand.sizes[d] <= 1)
      continue;
    if (operand.strides[d] == 0 || operand.strides[d] > last)
      return false;
    last = operand.strides[d];
  }
  return true;
}

std::optional<size_t> rowDim(const TransferWork &work) {
  if (!keepsOrder(work.source) || !keepsOrder(work.target))
    return std::nullopt;
  for (size_t d = work.target.sizes.size(); d-- > 0;)
    if (work.target.sizes[d] > 1)
      return d;
  return std::nullopt;
}

/// Calls `visit` on each operand of a work, const as the work is.
template <typename AnyWork, typename Visit>
void forEachOperand(AnyWork &work, Visit visit) {
  if (auto *matrix = std::get_if<MatrixWork>(&work)) {
    for (auto *operand : {&matrix->a, &matrix->b, &matrix->c})
      visit(*operand);
  } else if (auto *kernel = std::get_if<KernelWork>(&work)) {
    for (auto &operand : kernel->operands)
      visit(operand);
  } else if (auto *transfer = std::get_if<TransferWork>(&work)) {
    visit(transfer->source);
    visit(transfer->target);
  } else if (auto *fill = std::get_if<FillWork>(&work)) {
    visit(fill->target);
  } else if (auto *library = std::get_if<LibraryWork>(&work)) {
    for (auto &operand : library->operands)
      visit(operand);
  } else if (auto *attention = std::get_if<AttentionWork>(&work)) {
    for (auto &operand : attention->operands)
      visit(operand);
  }
}

} // namespace

Work withSamples(const Work &given, uint32_t constantInputs, int64_t factor) {
  assert(factor > 0 && "samples are multiplied");
  Work work = given;
  if (auto *matrix = std::get_if<MatrixWork>(&work))
    return samplesOf(*matrix, constantInputs, factor);
  if (auto *kernel = std::get_if<KernelWork>(&work)) {
    if (int dim = sampleDim(*kernel); dim >= 0)
      resize(*kernel, unsigned(dim), kernel->extents[size_t(dim)] * factor);
  } else if (auto *transfer = std::get_if<TransferWork>(&work)) {
    const size_t dim =
        size_t(std::max(longestBut(transfer->target.sizes, SIZE_MAX), 0));
    for (Operand *operand : {&transfer->source, &transfer->target})
      if (dim < operand->sizes.size())
        resize(*operand, dim, operand->sizes[dim] * factor);
  } else if (auto *fill = std::get_if<FillWork>(&work)) {
    if (!fill->target.sizes.empty())
      resize(fill->target, 0, fill->target.sizes[0] * factor);
  } else if (auto *library = std::get_if<LibraryWork>(&work)) {
    for (Operand &operand : library->operands)
      if (!operand.sizes.empty())
        resize(operand, 0, operand.sizes[0] * factor);
  } else if (auto *attention = std::get_if<AttentionWork>(&work)) {
    addBatches(*attention, factor);
  }
  return work;
}

bool hasSamples(const Work &work) {
  if (const auto *matrix = std::get_if<MatrixWork>(&work)) {
    const Dims &sizes = matrix->a.sizes;
    return matrix->m > 0 && matrix->n > 0 && matrix->k > 0 &&
           std::find(sizes.begin(), sizes.end(), 0) == sizes.end();
  }
  if (const auto *attention = std::get_if<AttentionWork>(&work))
    return attention->batches * attention->heads > 0 &&
           attention->queries > 0 && attention->keys > 0;
  const auto *kernel = std::get_if<KernelWork>(&work);
  return kernel && sampleDim(*kernel) >= 0 &&
         std::find(kernel->extents.begin(), kernel->extents.end(), 0) ==
             kernel->extents.end();
}

std::string grownText(const MatrixWork &from, const MatrixWork &to) {
  const auto text = [](std::string_view name, int64_t before, int64_t after) {
    return fmt::format("{} {} instead of {}", name, after, before);
  };
  for (MatrixDim dim : {MatrixDim::M, MatrixDim::N, MatrixDim::K})
    if (sizeOf(from, dim) != sizeOf(to, dim))
      return text(nameOf(dim), sizeOf(from, dim), sizeOf(to, dim));
  if (!from.batch.empty() && from.batch[0] != to.batch[0])
    return text("batch", from.batch[0], to.batch[0]);
  return text("images", from.images, to.images);
}

bool hasType(const Work &work, ElementType type) {
  bool has = false;
  forEachOperand(work,
                 [&](const Operand &operand) { has |= operand.type == type; });
  return has;
}

bool computesIn(const Work &work, ElementType type) {
  if (const auto *product = std::get_if<MatrixWork>(&work))
    return product->a.type == type;
  if (const auto *attention = std::get_if<AttentionWork>(&work))
    return attention->operands.front().type == type;
  return hasType(work, type);
}

Work withType(const Work &given, ElementType from, ElementType to) {
  Work work = given;
  forEachOperand(work, [&](Operand &operand) {
    if (operand.type == from)
      operand.type = to;
  });
  return work;
}

std::string_view nameOf(MatrixDim dim) {
  constexpr std::string_view names[] = {"m", "n", "k", "input channels",
                                        "output channels"};
  return names[size_t(dim)];
}

int64_t sizeOf(const MatrixWork &work, MatrixDim dim) {
  const int64_t sizes[] = {work.m, work.n, work.k, work.inputChannels,
                           work.outputChannels};
  return sizes[size_t(dim)];
}

MatrixWork withSize(const MatrixWork &given, MatrixDim dim, int64_t size) {
  MatrixWork work = given;
  switch (dim) {
  case MatrixDim::M:
    resizeFromEnd(work.a, work.transposeA ? 1 : 2, size);
    resizeFromEnd(work.c, 2, size);
    work.m = size;
    break;
  case MatrixDim::N:
    resizeFromEnd(work.b, work.transposeB ? 2 : 1, size);
    resizeFromEnd(work.c, 1, size);
    work.n = size;
    break;
  case MatrixDim::K:
    resizeFromEnd(work.a, work.transposeA ? 2 : 1, size);
    resizeFromEnd(work.b, work.transposeB ? 1 : 2, size);
    work.k = size;
    break;
  case MatrixDim::InputChannels:
    for (MatrixRole role : {MatrixRole::X, MatrixRole::W})
      resizeLast(work.tensor(role), work.inputChannels, size);
    work.inputChannels = size;
    break;
  case MatrixDim::OutputChannels:
    for (MatrixRole role : {MatrixRole::Y, MatrixRole::W})
      resizeLast(work.tensor(role), work.outputChannels, size);
    work.outputChannels = size;
    break;
  }
  return work;
}

std::optional<Rows> rowsOf(const Work &work) {
  if (const auto *kernel = std::get_if<KernelWork>(&work)) {
    if (auto row = rowDim(*kernel))
      return rowsOf(*row->operand, row->ofOperand);
  } else if (const auto *transfer = std::get_if<TransferWork>(&work)) {
    if (auto dim = rowDim(*transfer)) {
      Rows rows = rowsOf(transfer->target, *dim);
      rows.isGapped |= rowsOf(transfer->source, *dim).isGapped;
      return rows;
    }
  }
  return std::nullopt;
}

Work withRows(const Work &given, int64_t elements) {
  assert(elements > 0 && "rows have elements");
  Work work = given;
  if (auto *kernel = std::get_if<KernelWork>(&work)) {
    const auto row = rowDim(*kernel);
    const int other = row ? longestBut(kernel->extents, row->dim) : -1;
    if (other < 0)
      return work;
    const int64_t count = kernel->extents[size_t(other)];
    const int64_t length = kernel->extents[row->dim];
    resize(*kernel, unsigned(other),
           std::max<int64_t>(scaled(count, length, elements), 1));
    resize(*kernel, row->dim, elements);
    for (Operand &operand : kernel->operands)
      makeDense(operand);
  } else if (auto *transfer = std::get_if<TransferWork>(&work)) {
    const auto row = rowDim(*transfer);
    const int other = row ? longestBut(transfer->target.sizes, *row) : -1;
    if (other < 0)
      return work;
    const int64_t count = transfer->target.sizes[size_t(other)];
    const int64_t length = transfer->target.sizes[*row];
    for (Operand *operand : {&transfer->source, &transfer->target}) {
      operand->sizes[size_t(other)] =
          std::max<int64_t>(scaled(count, length, elements), 1);
      operand->sizes[*row] = elements;
      makeDense(*operand);
    }
  }
  return work;
}

} // namespace gaudi::prediction
