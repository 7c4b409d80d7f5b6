// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the buckets of a model were chosen: the curve of each strategy.
#ifndef GAUDI_RUN_BUCKETCURVE_H
#define GAUDI_RUN_BUCKETCURVE_H

#include "Compiler.h"
#include "Gaudi/Recipe/Recipe_generated.h"
#include "Options.h"

namespace gaudi::run {

/// Prints and writes what --bucket-curve and --save-bucket-costs ask for, of a
/// model that has been compiled. Errors: nothing was planned.
Status reportBucketPlan(const capi::BucketPlan &plan, const Options &options);

} // namespace gaudi::run

#endif // GAUDI_RUN_BUCKETCURVE_H
