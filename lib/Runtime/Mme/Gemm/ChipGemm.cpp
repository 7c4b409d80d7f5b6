// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products added up as a chip does.
#include "ChipGemm.h"

#include "../Packing/OperandCopies.h"

#include "Gaudi/Recipe/ElementTypes.h"

namespace gaudi::runtime {
namespace {

BoundTensor transposed(BoundTensor tensor) {
  const size_t rank = tensor.layout.sizes.size();
  std::swap(tensor.layout.sizes[rank - 2], tensor.layout.sizes[rank - 1]);
  std::swap(tensor.layout.strides[rank - 2], tensor.layout.strides[rank - 1]);
  return tensor;
}

class ChipGemm final : public PreparedCommand {
public:
  ChipGemm(const ChipSum &chip, const recipe::Gemm &gemm, const BoundTensor &a,
           const BoundTensor &b, BoundTensor result, PrepareContext &context)
      : chip(chip), c(std::move(result)) {
    // Rows of f32 along the common dimension.
    const auto rows = [&](const BoundTensor &operand, bool turn) {
      return convertedMatrices(turn ? transposed(operand) : operand,
                               recipe::ElementType::F32, false, copies,
                               context);
    };
    left = rows(a, gemm.transpose_a());
    right = rows(b, !gemm.transpose_b());
  }

  void run(LaunchContext &context) override {
    copies.run(context.pool);
    const std::vector<int64_t> &sizes = c.layout.sizes;
    const size_t rank = sizes.size();
    int64_t rows = 1;
    for (size_t d = 0; d + 1 < rank; ++d)
      rows *= sizes[d];
    context.pool.parallelFor(rows, 1,
                             [&](int64_t begin, int64_t end, unsigned) {
                               for (int64_t row = begin; row < end; ++row)
                                 runRow(row);
                             });
  }

  std::string implementation() const override { return "chip"; }

  void visitAddresses(AddressVisitor &visitor) override {
    copies.visitAddresses(visitor);
    for (BoundTensor *tensor : {&left, &right, &c})
      visitor.visit(tensor->data);
  }

private:
  /// Row number `row` of all matrices of the result.
  void runRow(int64_t row) {
    const std::vector<int64_t> &sizes = c.layout.sizes;
    const size_t rank = sizes.size();
    const auto floats = [](const BoundTensor &tensor, int64_t at) {
      return reinterpret_cast<const float *>(tensor.data) + at;
    };
    const auto step = [](const BoundTensor &tensor, size_t d) {
      return tensor.layout.sizes[d] == 1 ? 0 : tensor.layout.strides[d];
    };
    int64_t atLeft = 0, atRight = 0, atResult = 0;
    for (size_t d = rank - 1; d-- > 0; row /= sizes[d]) {
      const int64_t index = row % sizes[d];
      atLeft += index * step(left, d);
      atResult += index * c.layout.strides[d];
      if (d + 2 < rank)
        atRight += index * step(right, d);
    }
    const int64_t common = left.layout.sizes[rank - 1];
    for (int64_t n = 0; n < sizes[rank - 1]; ++n)
      storeFloat(c.type,
                 c.data + (atResult + n * c.layout.strides[rank - 1]) *
                              int64_t(recipe::elementSize(c.type)),
                 addProducts(chip, floats(left, atLeft),
                             floats(right, atRight + n * step(right, rank - 2)),
                             common));
  }

  ChipSum chip;
  OperandCopies copies;
  BoundTensor left, right, c;
};

} // namespace

std::unique_ptr<PreparedCommand>
buildChipGemm(const ChipSum &chip, const recipe::Gemm &gemm,
              const BoundTensor &a, const BoundTensor &b, const BoundTensor &c,
              PrepareContext &context) {
  return std::make_unique<ChipGemm>(chip, gemm, a, b, c, context);
}

} // namespace gaudi::runtime
