// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gemm`: a batched matrix product.
#include "CommandKind.h"

#include <algorithm>

namespace gaudi::recipe {
namespace {

Status verify(const CommandView &view) {
  GAUDI_TRY(checkMatrixOperands(view));
  const Gemm &gemm = *view.command.body_as_Gemm();
  const kernel::Dims &a = view.input(0).window.sizes,
                     &b = view.input(1).window.sizes,
                     &c = view.output(0).window.sizes;
  const size_t rank = a.size();
  if (rank < 2 || b.size() != rank || c.size() != rank)
    return fail("takes tensors of one rank of at least 2 but got {}, {} and {}",
                rank, b.size(), c.size());
  const int64_t m = a[rank - (gemm.transpose_a() ? 1 : 2)];
  const int64_t k = a[rank - (gemm.transpose_a() ? 2 : 1)];
  const int64_t kOfB = b[rank - (gemm.transpose_b() ? 1 : 2)];
  const int64_t n = b[rank - (gemm.transpose_b() ? 2 : 1)];
  if (k != kOfB)
    return fail("has {} columns in A but {} rows in B", k, kOfB);
  if (c[rank - 2] != m || c[rank - 1] != n)
    return fail("makes a matrix of {} by {} but C is {} by {}", m, n,
                c[rank - 2], c[rank - 1]);
  // In double: a product of ten sizes may not fit 64 bits, and the bound is far
  // from where double rounds.
  double work = double(m) * double(n) * double(k);
  for (size_t d = 0; d + 2 < rank; ++d) {
    if (a[d] != b[d] && a[d] != 1 && b[d] != 1)
      return fail("has batch sizes {} and {} in dimension {}, expected equal "
                  "ones or 1",
                  a[d], b[d], d);
    if (c[d] != std::max(a[d], b[d]))
      return fail("has batch size {} in dimension {} of C, expected {}", c[d],
                  d, std::max(a[d], b[d]));
    work *= double(c[d]);
  }
  if (work > double(maxMatrixWork))
    return fail("needs {:.3g} multiply-adds, expected at most 2^50", work);
  return {};
}

void describe(TextForm &text, GemmT &gemm) {
  gemm.transpose_a = text.option("transpose_a", gemm.transpose_a);
  gemm.transpose_b = text.option("transpose_b", gemm.transpose_b);
}

} // namespace

static const CommandKind kind[] = {{Body::Gemm,
                                    engineSet(Engine::MME, Engine::Host),
                                    verify, nullptr, textOf<GemmT, describe>}};
extern const CommandKinds gemmCommands = kind;

} // namespace gaudi::recipe
