// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of predictions, as a table and as JSON.
#ifndef GAUDI_BENCHMARKS_DEVICE_TIME_REPORT_H
#define GAUDI_BENCHMARKS_DEVICE_TIME_REPORT_H

#include "Rows.h"

namespace gaudi::benchmark {

/// One row beside its predictions, in microseconds.
struct Compared {
  Row row;
  double ours = 0, roofline = 0, brain = 0;
};

/// Prints every row and the errors of each model.
void printTable(const std::vector<Compared> &rows);
/// Writes the same; errors are fractions of the measured time, those of rows
/// signed.
Status writeJson(const std::vector<Compared> &rows, const std::string &path);

} // namespace gaudi::benchmark

#endif // GAUDI_BENCHMARKS_DEVICE_TIME_REPORT_H
