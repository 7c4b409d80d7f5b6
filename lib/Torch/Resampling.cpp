// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of resampling along spatial dimensions, and of its gradients.
#include "Rules.h"

using namespace gaudi;
using namespace gaudi::torch;

static Status checkSizes(const Ints &sizes) {
  for (int64_t size : sizes)
    if (size < 1)
      return fail("shape {} has the size {}", text(sizes), size);
  return {};
}

Result<Results> rules::resampled(Arguments arguments) {
  TensorType self = tensorAt(arguments, 0);
  const Ints &sizes = intsAt(arguments, 1);
  if (self.sizes.size() != sizes.size() + 2)
    return fail("{} sizes for a tensor of {} dimensions", sizes.size(),
                self.rank());
  GAUDI_TRY(checkSizes(sizes));
  for (uint32_t i = 0; i < sizes.size(); ++i) {
    if (self.sizes[i + 2] < 1)
      return fail("shape {} has the size 0", text(self.sizes));
    self.sizes[i + 2] = sizes[i];
  }
  return Results{self};
}

Result<Results> rules::resampledGradient(Arguments arguments) {
  const TensorType &gradient = tensorAt(arguments, 0);
  const Ints &outputs = intsAt(arguments, 1), &sizes = intsAt(arguments, 2);
  GAUDI_TRY(checkSizes(outputs));
  bool fits = gradient.sizes.size() == outputs.size() + 2 &&
              sizes.size() == gradient.sizes.size();
  for (uint32_t i = 0; fits && i < sizes.size(); ++i)
    fits = i < 2 ? sizes[i] == gradient.sizes[i]
                 : outputs[i - 2] == gradient.sizes[i] && sizes[i] >= 1;
  if (!fits)
    return fail("a gradient of shape {} of sizes {}, resampled from shape {}",
                text(gradient.sizes), text(outputs), text(sizes));
  return one(sizes, gradient.dtype);
}
