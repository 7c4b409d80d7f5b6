// What --check compares with the reference: outputs of launches on the given
// inputs, and on seeded ones of other magnitudes.
#ifndef GAUDI_RUN_CHECK_H
#define GAUDI_RUN_CHECK_H

#include "Compiler.h"
#include "Device.h"
#include "Report.h"
#include "Values.h"

#include <vector>

namespace gaudi::run {

/// Inputs, and what the device made of them.
struct Regime {
  SeededRegime kind;
  Inputs inputs;
  std::vector<HostTensor> outputs;
};

/// The launch that was, on `inputs`, and launches on seeded inputs of the other
/// regimes: of small models, or as many as the options say. Steps continue from
/// each other, so that they have one regime. A regime on which the device fails
/// is left out, with a warning.
std::vector<Regime> launchRegimes(Device &device, const DeviceReport &report,
                                  const Options &options, const Inputs &inputs,
                                  const std::vector<HostTensor> &outputs,
                                  Progress &progress);

/// How many pairs of draws tell the tolerance; 0: the options or the table do.
uint32_t drawPairs(const Options &options);

/// Compares the outputs of a regime with what the compiler has evaluated last.
/// There is one comparison for each output, of the first regime unless another
/// one fails.
void addComparisons(const Compiler &compiler, const Regime &regime,
                    const Options &options,
                    std::vector<Comparison> &comparisons);

} // namespace gaudi::run

#endif // GAUDI_RUN_CHECK_H
