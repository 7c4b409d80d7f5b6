// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --check compares with the reference: outputs of launches on the given
// inputs, and on seeded ones of other magnitudes.
#ifndef GAUDI_RUN_CHECK_H
#define GAUDI_RUN_CHECK_H

#include "Compiler.h"
#include "Device.h"
#include "Report.h"
#include "Values.h"

#include <functional>
#include <vector>

namespace gaudi::run {

/// Refuses a --model whose inputs or outputs have other types than those of the
/// recipe: it would compare nothing.
Status requireModelOf(const Device &device, const Compiler &model,
                      const Options &options);

/// Inputs, and what the device made of them.
struct Launched {
  std::string regime; ///< "" for the inputs that were asked for
  std::vector<recipe::HostTensor> inputs, outputs;
};

/// The launch that was, on `inputs`, and launches on seeded inputs of other
/// regimes, which the compiler draws after the import. Steps continue from each
/// other, so that they have one sample. An error if the device fails on one:
/// the reference has evaluated it.
Result<std::vector<Launched>>
launchSamples(Compiler &compiler, Device &device, const Options &options,
              const Inputs &inputs,
              const std::vector<recipe::HostTensor> &outputs,
              Progress &progress);

/// Evaluates the reference of a sample with so many pairs of draws, and
/// compares its outputs. There is one comparison for each output, of the first
/// sample unless another one fails. The draws decide, four times as many where
/// they refuse, or the table of
/// docs/numerics.md if the options ask for no draws or give tolerances.
Status compareSample(Compiler &compiler, const Launched &sample,
                     const Options &options,
                     const std::function<Status(uint32_t drawPairs)> &evaluate,
                     std::vector<analysis::Comparison> &comparisons);

} // namespace gaudi::run

#endif // GAUDI_RUN_CHECK_H
