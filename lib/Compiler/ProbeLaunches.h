// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predicted times of a function with symbols, at some of its sizes.
#ifndef GAUDI_LIB_COMPILER_PROBELAUNCHES_H
#define GAUDI_LIB_COMPILER_PROBELAUNCHES_H

#include "Gaudi/Compiler/Pipeline.h"
#include "Gaudi/Shapes/Planner.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <functional>

namespace gaudi {

/// What launches take at the sizes of a grid.
struct Probes {
  std::vector<std::vector<int64_t>> grid; // sizes per symbol, ascending
  /// Of all combinations, the last symbol fastest. Empty: not predicted.
  std::vector<double> picoseconds;
  std::string problem;    // why not
  bool isDerived = false; // most variants, from few that were compiled
  double seconds = 0;     // that it took
};

/// Probes a function of a module after gaudi-infer-symbols for buckets within
/// these axes.
using LaunchProber = std::function<Probes(
    func::FuncOp function, const std::vector<gaudi::shapes::Axis> &axes)>;

/// Compiles each variant by itself, few in all.
LaunchProber compilingProber(const CompileOptions &options);

/// A grid of sizes along the axes whose combinations are at most `most`.
/// Derived variants are laid out and played, some tens of microseconds per op;
/// one that is compiled takes a hundred times as long.
struct ProbeLimits {
  size_t most, mostPerAxis;
};
constexpr ProbeLimits derivedProbes = {49, 33}, compiledProbes = {9, 5};
std::vector<std::vector<int64_t>>
probeGrid(const std::vector<gaudi::shapes::Axis> &axes, ProbeLimits limits);

/// All combinations, the last symbol fastest; the last one is the largest.
std::vector<gaudi::shapes::Sizes>
combinationsOf(const std::vector<std::vector<int64_t>> &grid);

/// A copy of the module of `function` without other functions.
OwningOpRef<ModuleOp> copyAlone(func::FuncOp function);

/// Plays a launch of each variant of `module`, which is after phase schedule,
/// and takes it out. Fills the times of `probes`, or its problem.
void playVariants(ModuleOp module, Probes &probes);

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_PROBELAUNCHES_H
