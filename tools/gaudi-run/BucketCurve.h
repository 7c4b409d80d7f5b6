// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the buckets of a model were chosen: the curve of each strategy, and what
// a prediction shows of buckets.
#ifndef GAUDI_RUN_BUCKETCURVE_H
#define GAUDI_RUN_BUCKETCURVE_H

#include "Compiler.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Options.h"

namespace gaudi::run {

/// Prints and writes what --bucket-curve and --save-bucket-costs ask for, of a
/// model that has been compiled. Errors: nothing was planned.
Status reportBucketPlan(const BucketPlan &plan, const Options &options);

/// Fails if a histogram is given for a recipe without dynamic sizes.
Status checkHistogram(const recipe::Recipe &recipe, const Options &options);

/// The buckets of the entry that has variant `number` of a recipe, with hits
/// and padding by --bucket-histogram; none of another entry. `plan`: of the
/// compiler, if it is a model.
Result<std::optional<prediction::Buckets>>
bucketsOfVariant(const recipe::Recipe &recipe, uint32_t number,
                 const std::optional<BucketPlan> &plan, const Options &options);

} // namespace gaudi::run

#endif // GAUDI_RUN_BUCKETCURVE_H
