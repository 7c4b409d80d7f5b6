// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predictions for measured products: ours, and two simpler ones beside it.
#ifndef GAUDI_BENCHMARKS_DEVICE_TIME_PREDICT_H
#define GAUDI_BENCHMARKS_DEVICE_TIME_PREDICT_H

#include "Rows.h"

#include <string>

namespace gaudi::benchmark {

/// A constant of the model that the fit may vary, by its name.
struct Override {
  std::string name;
  double value = 0;
};

/// Sets constants of a device. The error lists the names.
Status apply(const std::vector<Override> &overrides, device::DeviceSpec &spec);

/// Microseconds per product of a launch of `row.nodes` equal products.
double ours(const Row &row, const device::DeviceSpec &spec);
/// The larger of operations at the peak rate and bytes at the HBM's bandwidth.
double roofline(const Row &row);
/// The compiler's published formula: tiles x max(K, roll-up) at its clock, for
/// every type.
double brain(const Row &row);

} // namespace gaudi::benchmark

#endif // GAUDI_BENCHMARKS_DEVICE_TIME_PREDICT_H
