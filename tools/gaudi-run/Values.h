// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors given on the command line: text, .npy files, seeded values.
#ifndef GAUDI_RUN_VALUES_H
#define GAUDI_RUN_VALUES_H

#include "Gaudi/Recipe/HostTensor.h"

#include <optional>
#include <string>
#include <vector>

namespace gaudi::run {

/// "[name=]@file", "[name=]type=elements" or "[name=]elements".
struct ValueSpec {
  std::string name;                       ///< empty: by position
  std::string file;                       ///< empty: text
  std::optional<recipe::TensorType> type; ///< none: the parameter's
  std::string elements;
};

/// `option` is for messages: "--input".
Result<ValueSpec> parseValueSpec(const std::string &option,
                                 const std::string &text);

/// Which parameter each of the texts is for: those with a name first, the
/// others in order. A name may be a range of numbers from 0, "1-3". Errors: an
/// unknown name, one given twice, too many.
Result<std::vector<std::optional<ValueSpec>>>
matchSpecs(const std::string &option, const std::vector<std::string> &texts,
           const std::vector<recipe::Parameter> &parameters);

/// The value for the parameter of this index; type and shape must be the
/// parameter's. With `acceptSteps`, a first dimension more gives values for
/// that many steps.
Result<recipe::HostTensor>
readValue(const std::string &option, const ValueSpec &spec,
          const std::vector<recipe::Parameter> &parameters, size_t index,
          bool acceptSteps = false);

/// "'x' (2xf32), 'y' (f32)", or "none".
std::string listOf(const std::vector<recipe::Parameter> &parameters);

std::vector<std::string>
namesOf(const std::vector<recipe::Parameter> &parameters);

struct Inputs {
  std::vector<recipe::HostTensor>
      tensors;                ///< all inputs of the model, in order
  std::vector<size_t> seeded; ///< those that --seed-inputs filled
};
/// Without a seed every input must be given. With `steps`, inputs that are not
/// state may have values for several steps.
Result<Inputs> gatherInputs(const std::vector<std::string> &texts,
                            std::optional<uint32_t> seed, bool steps,
                            const std::vector<recipe::Parameter> &parameters);

/// What each of the inputs holds for a step, from 0; those with fewer values
/// than there are steps start over.
std::vector<recipe::HostTensor>
valuesOfStep(const std::vector<recipe::HostTensor> &inputs, uint32_t step);

} // namespace gaudi::run

#endif // GAUDI_RUN_VALUES_H
