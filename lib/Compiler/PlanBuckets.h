// Chooses the buckets of functions with dynamic dimensions.
#ifndef GAUDI_LIB_COMPILER_PLANBUCKETS_H
#define GAUDI_LIB_COMPILER_PLANBUCKETS_H

#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace mlir::gaudi {

struct PlanBucketsOptions {
  /// As Gaudi/Shapes/Strategy.h reads it; empty: optimal:8 with a histogram,
  /// else exponential:8.
  std::string strategy;
  /// A CSV file of observed sizes; empty: none.
  std::string histogram;
  /// Only the largest bucket becomes gaudi.boxes where there are more than
  /// `fewBuckets`: the others are for gaudi-derive-variants.
  bool pattern = false;
};

/// Up to so many variants are compiled one by one, each as good as it can be.
constexpr size_t fewBuckets = 4;

/// gaudi-plan-buckets, between gaudi-infer-symbols and gaudi-bucket-shapes.
std::unique_ptr<Pass> createPlanBuckets(const PlanBucketsOptions &options);
void registerPlanBucketsPass();

} // namespace mlir::gaudi

#endif // GAUDI_LIB_COMPILER_PLANBUCKETS_H
