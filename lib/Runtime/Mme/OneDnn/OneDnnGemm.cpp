// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batched matrix products through oneDNN's matmul.
#include "OneDnn.h"
#include "Primitives.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <map>
#include <new>
#include <tuple>

namespace gaudi::runtime {

using dnnl::memory;
using recipe::ElementType;

namespace {

/// One side of the product, after batch dimensions were merged: element
/// strides of rows and columns, 0 where the size is 1.
struct Matrix {
  uint8_t *data;
  ElementType type;
  int64_t rowStride, columnStride;
  Dims batch; // strides, 0: broadcast
  bool constant;

  void transpose() { std::swap(rowStride, columnStride); }
};

struct Problem {
  int64_t m, n, k;
  Dims batch; // sizes
  Matrix a, b, c;
};

/// Multiply-adds of a call that keep a thread busy long enough.
constexpr double callWork = 2e6;
constexpr int64_t maxCalls = 32;

/// oneDNN takes matrices with unit stride along one side. A dimension of size
/// 1 fits any stride.
bool isPlain(const Matrix &matrix, int64_t rows, int64_t columns) {
  const bool rowMajor = (columns == 1 || matrix.columnStride == 1) &&
                        (rows == 1 || matrix.rowStride >= columns);
  const bool columnMajor = (rows == 1 || matrix.rowStride == 1) &&
                           (columns == 1 || matrix.columnStride >= rows);
  return rowMajor || columnMajor;
}

/// Strides of size-1 dimensions are free: choose those of a dense matrix.
std::pair<int64_t, int64_t> plainStrides(const Matrix &matrix, int64_t rows,
                                         int64_t columns) {
  int64_t r = matrix.rowStride, c = matrix.columnStride;
  if (rows == 1 && columns == 1)
    return {1, 1};
  if (rows == 1)
    r = c == 1 ? columns : 1;
  else if (columns == 1)
    c = r == 1 ? rows : 1;
  return {r, c};
}

Matrix matrixOf(const BoundTensor &tensor, bool transposed) {
  Matrix matrix{tensor.data, tensor.type, 0, 0, {}, tensor.constant};
  const size_t rank = tensor.layout.sizes.size();
  matrix.rowStride = tensor.layout.strides[rank - 2];
  matrix.columnStride = tensor.layout.strides[rank - 1];
  if (transposed)
    matrix.transpose();
  for (size_t d = 0; d + 2 < rank; ++d)
    matrix.batch.push_back(
        tensor.layout.sizes[d] == 1 ? 0 : tensor.layout.strides[d]);
  return matrix;
}

/// Drops batch dimensions of size 1 and collapses neighbours that are evenly
/// spaced in all three operands.
void mergeBatch(Problem &problem) {
  Dims sizes;
  Matrix *sides[] = {&problem.a, &problem.b, &problem.c};
  std::vector<std::array<int64_t, 3>> strides;
  for (size_t d = 0; d < problem.batch.size(); ++d) {
    const int64_t size = problem.batch[d];
    if (size == 1)
      continue;
    // One walk over both if a step of the outer is all of the inner, for each
    // operand; broadcast dimensions (0 and 0) collapse as well.
    std::array<int64_t, 3> now = {sides[0]->batch[d], sides[1]->batch[d],
                                  sides[2]->batch[d]};
    bool collapses = !sizes.empty();
    for (unsigned s = 0; s < 3 && collapses; ++s)
      collapses = strides.back()[s] == now[s] * size;
    if (collapses) {
      sizes.back() *= size;
      // The collapsed dimension steps as the inner one.
      strides.back() = now;
    } else {
      sizes.push_back(size);
      strides.push_back(now);
    }
  }
  problem.batch = sizes;
  for (unsigned s = 0; s < 3; ++s) {
    sides[s]->batch.clear();
    for (const auto &stride : strides)
      sides[s]->batch.push_back(stride[s]);
  }
}

class Builder {
public:
  Builder(Problem problem, PrepareContext &context, MatrixCommand &command)
      : p(std::move(problem)), context(context), command(command) {}

  void build() {
    assert(p.m > 0 && p.n > 0 && "a product has a result");
    mergeBatch(p);
    int64_t batches = 1;
    for (int64_t size : p.batch)
      batches *= size;
    const int64_t inner = p.batch.empty() ? 1 : p.batch.back();
    const double work = double(p.m) * double(p.n) * double(p.k);

    // Cut the batch first; a single product by rows, because oneDNN's fast
    // kernels want the rows of a result without gaps.
    int64_t batchStep = std::max<int64_t>(
        {1, int64_t(callWork / work), (batches + maxCalls - 1) / maxCalls});
    batchStep = std::min(batchStep, inner);
    int64_t mStep = p.m, nStep = p.n;
    // Fewer than eight products leave threads idle.
    if (batches < 8) {
      const int64_t wanted = std::min<int64_t>(
          maxCalls / 2, int64_t(work * double(batches) / callWork));
      const int64_t cuts = std::max<int64_t>(1, wanted / batches);
      auto step = [&](int64_t size, int64_t unit) {
        return std::min(size,
                        ((size + cuts - 1) / cuts + unit - 1) / unit * unit);
      };
      if (p.m == 1)
        nStep = step(p.n, 64);
      else if (p.m >= 64)
        mStep = step(p.m, 32);
    }
    const int64_t outer = batches / inner;
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t i = 0; i < inner; i += batchStep)
        for (int64_t n = 0; n < p.n; n += nStep)
          for (int64_t m = 0; m < p.m; m += mStep)
            addCall(o, i, std::min(batchStep, inner - i), m,
                    std::min(mStep, p.m - m), n, std::min(nStep, p.n - n));
  }

private:
  struct Kind {
    dnnl::matmul::primitive_desc description;
    unsigned primitive;
  };

  memory::desc describe(const Matrix &side, int64_t batch, int64_t rows,
                        int64_t columns, int64_t allRows, int64_t allColumns) {
    auto [r, c] = plainStrides(side, allRows, allColumns);
    // A batch of one, or a broadcast, has no step of its own and gets that of
    // dense matrices.
    const int64_t dense = (rows - 1) * r + (columns - 1) * c + 1;
    const int64_t step = side.batch.empty() ? 0 : side.batch.back();
    const bool broadcasts = batch > 1 && step == 0;
    if (p.batch.empty())
      return memory::desc({rows, columns}, dnnlType(side.type),
                          memory::dims{r, c});
    return memory::desc(
        {broadcasts ? 1 : batch, rows, columns}, dnnlType(side.type),
        memory::dims{batch > 1 && !broadcasts ? step : dense, r, c});
  }

  bool packs() const { return p.b.constant && p.batch.empty(); }

  Kind &kindOf(int64_t batch, int64_t m, int64_t n) {
    auto [entry, isNew] = kinds.try_emplace(std::make_tuple(batch, m, n));
    if (!isNew)
      return entry->second;
    const memory::desc a = describe(p.a, batch, m, p.k, p.m, p.k);
    const memory::desc c = describe(p.c, batch, m, n, p.m, p.n);
    memory::desc b = describe(p.b, batch, p.k, n, p.k, p.n);
    if (packs())
      b = memory::desc({p.k, n}, dnnlType(p.b.type), memory::format_tag::any);
    Kind &kind = entry->second;
    kind.description = dnnl::matmul::primitive_desc(
        dnnl::matmul::desc(a, b, c), primitiveAttributes(), cpuEngine());
    kind.primitive = command.addPrimitive(dnnl::matmul(kind.description),
                                          kind.description.scratchpad_desc());
    command.implementationName = kind.description.impl_info_str();
    return kind;
  }

  /// The constant right side in the layout the primitive likes.
  memory packed(const Kind &kind, int64_t n, int64_t width) {
    const memory::desc target = kind.description.weights_desc();
    for (auto &[at, memory] : packedSides)
      if (at == n && memory.get_desc() == target)
        return memory;
    const memory::desc source = describe(p.b, 1, p.k, width, p.k, p.n);
    memory from(source, cpuEngine(), address(p.b, 0, 0, 0, n));
    memory to(target, cpuEngine(),
              takeHost(target.get_size(), command.copies, context));
    dnnl::stream stream(cpuEngine());
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
    packedSides.push_back({n, to});
    return to;
  }

  /// `outer` counts the batch dimensions but the last one, row-major.
  void *address(const Matrix &side, int64_t outer, int64_t inner, int64_t row,
                int64_t column) {
    int64_t offset = row * side.rowStride + column * side.columnStride;
    if (!side.batch.empty())
      offset += inner * side.batch.back();
    for (size_t d = side.batch.size(); d-- > 1;) {
      offset += outer % p.batch[d - 1] * side.batch[d - 1];
      outer /= p.batch[d - 1];
    }
    return side.data + offset * recipe::elementSize(side.type);
  }

  void addCall(int64_t outer, int64_t inner, int64_t batch, int64_t m,
               int64_t height, int64_t n, int64_t width) {
    const Kind &kind = kindOf(batch, height, width);
    memory b = packs() ? packed(kind, n, width)
                       : memory(kind.description.weights_desc(), cpuEngine(),
                                address(p.b, outer, inner, 0, n));
    command.calls.push_back({kind.primitive,
                             memory(kind.description.src_desc(), cpuEngine(),
                                    address(p.a, outer, inner, m, 0)),
                             b,
                             memory(kind.description.dst_desc(), cpuEngine(),
                                    address(p.c, outer, inner, m, n))});
  }

  Problem p;
  PrepareContext &context;
  MatrixCommand &command;
  std::map<std::tuple<int64_t, int64_t, int64_t>, Kind> kinds;
  std::vector<std::pair<int64_t, memory>> packedSides;
};

/// Broadcast (stride 0) matrix dimensions and types to convert need a copy;
/// `always` asks for one of everything that is not dense.
BoundTensor usable(const BoundTensor &tensor, ElementType type, bool always,
                   MatrixCommand &command, PrepareContext &context) {
  const size_t rank = tensor.layout.sizes.size();
  const int64_t rows = tensor.layout.sizes[rank - 2];
  const int64_t columns = tensor.layout.sizes[rank - 1];
  const Matrix matrix = matrixOf(tensor, false);
  const bool asIs = tensor.type == type && isPlain(matrix, rows, columns) &&
                    (!always || isDenseRowMajor(tensor.layout));
  if (asIs)
    return tensor;
  return convertedMatrices(tensor, type, false, command.copies, context);
}

std::unique_ptr<MatrixCommand> build(const recipe::Gemm &gemm,
                                     const BoundTensor &a, const BoundTensor &b,
                                     const BoundTensor &c, bool denseOnly,
                                     PrepareContext &context) {
  auto command = std::make_unique<MatrixCommand>();
  SingleThreaded scope;
  const ElementType type = computeType(a.type);
  const size_t rank = c.layout.sizes.size();
  const BoundTensor left = usable(a, type, denseOnly, *command, context);
  const BoundTensor right = usable(b, type, denseOnly, *command, context);

  // oneDNN writes f32, and bf16 from bf16; anything else is rounded once from
  // f32 afterwards.
  BoundTensor out = c;
  const bool direct = (c.type == ElementType::F32 || c.type == type) &&
                      isPlain(matrixOf(c, false), c.layout.sizes[rank - 2],
                              c.layout.sizes[rank - 1]) &&
                      (!denseOnly || isDenseRowMajor(c.layout));
  if (!direct) {
    out = stagedTensor(c.layout.sizes, ElementType::F32, context);
    command->after.push_back({StridedCopy(c.layout.sizes, out.layout.strides,
                                          c.layout.strides, out.type, c.type),
                              out.data, c.data});
  }

  Problem problem;
  problem.m = c.layout.sizes[rank - 2];
  problem.n = c.layout.sizes[rank - 1];
  problem.k = a.layout.sizes[gemm.transpose_a() ? rank - 2 : rank - 1];
  problem.batch.assign(c.layout.sizes.begin(), c.layout.sizes.end() - 2);
  problem.a = matrixOf(left, gemm.transpose_a());
  problem.b = matrixOf(right, gemm.transpose_b());
  problem.c = matrixOf(out, false);
  // A column-major result is the row-major result of the transposed product;
  // oneDNN has no fast way to write the former. A column vector counts as one:
  // as a row its elements are contiguous.
  const bool columnVector =
      problem.n == 1 && problem.m > 1 && problem.c.rowStride == 1;
  if (columnVector || (problem.n > 1 && problem.c.columnStride != 1)) {
    std::swap(problem.a, problem.b);
    std::swap(problem.m, problem.n);
    problem.a.transpose();
    problem.b.transpose();
    problem.c.transpose();
  }
  Builder(std::move(problem), context, *command).build();
  return command;
}

} // namespace

Prepared oneDnnGemm(const recipe::Gemm &gemm, const BoundTensor &a,
                    const BoundTensor &b, const BoundTensor &c,
                    PrepareContext &context) {
  try {
    std::unique_ptr<MatrixCommand> command =
        build(gemm, a, b, c, false, context);
    if (command->implementationName.rfind("ref", 0) != 0)
      return command;
    // Odd strides: try again on dense copies.
    context.staging.restart();
    std::unique_ptr<MatrixCommand> dense = build(gemm, a, b, c, true, context);
    if (dense->implementationName.rfind("ref", 0) != 0)
      return dense;
    context.staging.restart();
    return build(gemm, a, b, c, false, context);
  } catch (const dnnl::error &error) {
    return fail("oneDNN cannot compute this product: {}", error.what());
  } catch (const std::bad_alloc &) {
    return fail("not enough host memory for this product");
  }
}

} // namespace gaudi::runtime
