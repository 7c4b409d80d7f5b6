// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compilation pipeline: named phases with a check between them.
#ifndef GAUDI_COMPILER_PIPELINE_H
#define GAUDI_COMPILER_PIPELINE_H

#include "Gaudi/Conversion/Inlining.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include <string>

namespace gaudi {

struct BucketPlanning;
struct NumericsSummary;

/// Options of `--gaudi-compile`.
struct CompileOptions : PassPipelineOptions<CompileOptions> {
  Option<std::string> device{
      *this, "device",
      llvm::cl::desc("the device to compile for: gaudi, gaudi2 or gaudi3"),
      llvm::cl::init("gaudi2")};
  Option<std::string> stopAfter{
      *this, "stop-after",
      llvm::cl::desc("stop after this phase: shapes, import, fuse, graph, "
                     "kernels, schedule or memory"),
      llvm::cl::init("memory")};
  Option<std::string> shape{
      *this, "shape",
      llvm::cl::desc("bounds of dynamic dimensions: "
                     "\"x:batch=1..64,seq=16..4096/16;y:batch\""),
      llvm::cl::init("")};
  Option<std::string> buckets{
      *this, "buckets",
      llvm::cl::desc("the buckets of dynamic sizes: exponential:8, "
                     "batch=linear:4,seq=explicit:128,512 (docs/buckets.md)"),
      llvm::cl::init("")};
  Option<std::string> bucketHistogram{
      *this, "bucket-histogram",
      llvm::cl::desc("CSV file of the sizes that launches had"),
      llvm::cl::init("")};
  Option<std::string> bucketCost{
      *this, "bucket-cost",
      llvm::cl::desc("what the buckets save with a histogram: device-time, "
                     "elements, or a CSV file of costs"),
      llvm::cl::init("device-time")};
  Option<std::string> allowPermutation{
      *this, "allow-permutation",
      llvm::cl::desc("inputs and outputs that may be stored in another order "
                     "than the caller's: their names, inputs, outputs or all"),
      llvm::cl::init("")};
  Option<std::string> autocast{
      *this, "autocast",
      llvm::cl::desc("mixed precision: bf16 or f16, with files of lists: "
                     "bf16:lower=FILE:fp32=FILE (docs/precision.md)"),
      llvm::cl::init("")};
  Option<bool> fuse{*this, "fuse",
                    llvm::cl::desc("merge TPC kernels into clusters"),
                    llvm::cl::init(true)};
  Option<std::string> disableFusion{
      *this, "disable-fusion",
      llvm::cl::desc("fusions to leave out: some of sdpa, adamw, sgd, "
                     "clip_norm, batch_norm, tpc"),
      llvm::cl::init("")};
  Option<std::string> requireFusion{
      *this, "require-fusion",
      llvm::cl::desc("fail unless so many candidates are fused: "
                     "sdpa:12,adamw:1 (docs/fusion.md defines the kinds)"),
      llvm::cl::init("")};
  Option<bool> verifyFusion{
      *this, "verify-fusion",
      llvm::cl::desc("evaluate every value that a fusion replaces before and "
                     "after it, in several regimes of inputs"),
      llvm::cl::init(false)};
  Option<bool> memoryOrder{
      *this, "memory-order",
      llvm::cl::desc("order the ops for a low peak of the workspace, rather "
                     "than as the program has them"),
      llvm::cl::init(true)};
  Option<uint64_t> memoryBudget{
      *this, "memory-budget",
      llvm::cl::desc("bytes that the workspace may have alive at once: ops are "
                     "ordered and run again to keep to it; 0: no limit"),
      llvm::cl::init(0)};
  Option<uint64_t> maxExpandedOps{
      *this, "max-expanded-ops",
      llvm::cl::desc("most ops that unrolling loops and inlining calls may add "
                     "to the model, each"),
      llvm::cl::init(defaultExpandedOps)};
  Option<bool> checkNumerics{
      *this, "check-numerics",
      llvm::cl::desc("evaluate every function before and after each pass on "
                     "seeded inputs and fail at the first pass that changes a "
                     "value beyond docs/numerics.md"),
      llvm::cl::init(false)};
  Option<int64_t> seed{*this, "seed",
                       llvm::cl::desc("seed of the inputs of check-numerics"),
                       llvm::cl::init(1)};
  /// Phases up to this one have been run; empty: none.
  std::string startAfter;
  /// Whether gaudi-infer-symbols has been run.
  bool symbolsKnown = false;
  /// Ops have gaudi.source_op after phase import; not with `autocast`.
  bool marksSources = false;
  /// Of many variants of a function phase shapes makes the largest and samples
  /// only: gaudi-derive-variants makes the others after phase schedule.
  bool deriveVariants = false;
  /// Receives what check-numerics compared, if not null.
  NumericsSummary *numerics = nullptr;
  /// Receives how buckets were chosen, if not null.
  BucketPlanning *planning = nullptr;
};

/// Adds the phases up to `options.stopAfter`. An unknown device or phase is
/// reported through `error` and nothing is added.
LogicalResult
buildCompilePipeline(OpPassManager &manager, const CompileOptions &options,
                     llvm::function_ref<LogicalResult(const Twine &)> error);

/// Registers `--gaudi-compile`.
void registerGaudiPipelines();

} // namespace gaudi

#endif // GAUDI_COMPILER_PIPELINE_H
