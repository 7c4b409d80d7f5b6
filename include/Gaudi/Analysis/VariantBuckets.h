// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a prediction of one variant shows of all of them.
#ifndef GAUDI_ANALYSIS_VARIANTBUCKETS_H
#define GAUDI_ANALYSIS_VARIANTBUCKETS_H

#include "Gaudi/Prediction/Prediction.h"

#include <optional>
#include <string>

namespace gaudi::analysis {

/// The buckets of the entry that has variant `number` of a recipe, without a
/// curve; none of another entry. With hits and padding by the file `histogram`
/// unless that is empty. Errors: the histogram cannot be read, or lacks a
/// symbol.
Result<std::optional<prediction::Buckets>>
bucketsOfVariant(const recipe::Recipe &recipe, uint32_t number,
                 const std::string &histogram);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_VARIANTBUCKETS_H
