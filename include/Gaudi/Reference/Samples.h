// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two forms of a function compared on inputs of several regimes, and what
// counts as a difference where roundings decide. docs/numerics.md argues it.
#ifndef GAUDI_REFERENCE_SAMPLES_H
#define GAUDI_REFERENCE_SAMPLES_H

#include "Gaudi/Reference/Numerics.h"
#include "Gaudi/Reference/Regimes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/BitVector.h"

namespace mlir {
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace gaudi {

/// Inputs of a function, as its callers have them, and what it gives.
struct Sample {
  Regime regime;
  SmallVector<ReferenceTensor> inputs, results;
};

struct Samples {
  std::vector<Sample> samples; ///< the seeded one is the first
  unsigned branches = 0;       ///< sides of piecewise ops
  /// Those that no sample took: the op's place, and which.
  SmallVector<std::pair<Location, std::string>> missed;
};

/// Draws inputs of every regime, and searches for those that take the branches
/// that are left. Work (multiplications and additions of all evaluations) ends
/// at `budget`, but the seeded sample is always drawn. Samples that lead an
/// index astray are left out. Fails without a diagnostic, and with `why`, if
/// the seeded inputs cannot be evaluated.
FailureOr<Samples> drawSamples(func::FuncOp function, uint32_t seed,
                               double budget, std::string &why);
/// The same from these inputs, which are the first sample: those of `varies`
/// are of `regimes`, each so many times, the others stay.
FailureOr<Samples> drawSamples(func::FuncOp function, ArrayRef<Regime> regimes,
                               ArrayRef<ReferenceTensor> seeded,
                               const BitVector &varies, uint32_t seed,
                               unsigned rounds, double budget,
                               std::string &why);

/// Arithmetic operations of one evaluation.
double workOf(func::FuncOp function);

/// The results of `function`; diagnostics of the evaluation go to `why`.
FailureOr<SmallVector<ReferenceTensor>>
evaluateQuietly(func::FuncOp function, ArrayRef<ReferenceTensor> inputs,
                std::string &why);

/// What the comparison of two forms on one sample found.
struct SampleReport {
  bool passed = true;
  std::string text;      ///< of the first result that differs
  unsigned result = 0;   ///< its number
  int64_t compared = 0;  ///< elements that agree
  int64_t undefined = 0; ///< not compared: overflow, or noise without bound
  bool isVerified() const { return passed && compared > 0; }
};

/// Compares `actual`, what `after` gives for the inputs, with the results of
/// the sample, which are those of `before`. A seeded sample is compared under
/// the table at `scope`; if `allowsNan`, a NaN of `before` agrees with
/// everything there. In other regimes each element has the table's share of
/// itself, and what both forms differ by when their ops round otherwise.
SampleReport compareForms(const Sample &sample, func::FuncOp before,
                          func::FuncOp after, ArrayRef<ReferenceTensor> actual,
                          NumericsScope scope, bool allowsNan);

} // namespace gaudi

#endif // GAUDI_REFERENCE_SAMPLES_H
