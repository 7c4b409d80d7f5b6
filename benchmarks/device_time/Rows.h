// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of measured products.
#ifndef GAUDI_BENCHMARKS_DEVICE_TIME_ROWS_H
#define GAUDI_BENCHMARKS_DEVICE_TIME_ROWS_H

#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gaudi::benchmark {

/// One measured product of an M x K and a K x N matrix.
struct Row {
  std::string id, chip, dtype; // as in the file
  const device::DeviceSpec *spec = nullptr;
  device::DType type = device::DType::BF16;
  int64_t m = 1, k = 1, n = 1;
  bool transposedA = false, transposedB = false;
  /// The launch quantizes A from bf16 first ("fp8").
  bool isQuantized = false;
  int64_t nodes = 1;       // equal products in one launch
  double microseconds = 0; // measured, per product
};

/// Reads a CSV with the columns id, chip, M, K, N, dtype, trans_a, trans_b,
/// nodes_in_graph and at least one of tops_measured and us_per_gemm, in any
/// order; others are ignored. Of a row that has both measures us_per_gemm
/// counts. Errors name the file, and the line and column where there is one.
Result<std::vector<Row>> readRows(const std::string &path);

} // namespace gaudi::benchmark

#endif // GAUDI_BENCHMARKS_DEVICE_TIME_ROWS_H
