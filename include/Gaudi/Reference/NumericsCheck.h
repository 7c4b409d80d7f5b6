// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that passes keep the values: every function is evaluated on inputs of
// several regimes before and after each pass.
#ifndef GAUDI_REFERENCE_NUMERICSCHECK_H
#define GAUDI_REFERENCE_NUMERICSCHECK_H

#include "Gaudi/Reference/Numerics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include <memory>

namespace gaudi {

/// What the checks of a function compared.
struct NumericsSummary {
  unsigned compared = 0; ///< passes that kept its values
  unsigned passes = 0;   ///< passes that ran
  std::string whyNot;    ///< why the last of the others was not checked
};

struct NumericsCheckOptions {
  uint32_t seed = 1;
  NumericsScope scope = NumericsScope::Model;
  /// Where 8-bit floats of attention saturate, before a module names its
  /// device.
  std::string device = {};
  /// Receives the summary of the function of which the fewest passes were
  /// checked, if not null. It has no passes before.
  NumericsSummary *summary = nullptr;
};

/// Adds passes to a pass manager of modules and, if asked to, a check after
/// each of them:
///
///   CheckedPipeline pipeline(manager, options);
///   pipeline.add(createFooPass());
///
/// A check fails the pipeline with an error on the function that names the
/// pass, the result, the worst element, its values before and after
/// and the allowed error. Skipped, with one remark for each reason, are
/// functions that the reference evaluator cannot run: made of ops of other
/// dialects (so a front end is not checked), external, or with seeded inputs
/// that lead an index astray. `finish` adds a remark that says how many passes
/// were checked.
class CheckedPipeline {
public:
  explicit CheckedPipeline(
      OpPassManager &manager,
      std::optional<NumericsCheckOptions> check = std::nullopt);
  ~CheckedPipeline();

  void add(std::unique_ptr<Pass> pass);
  /// Adds it by `how`, which may add others around it.
  void add(std::unique_ptr<Pass> pass,
           function_ref<void(OpPassManager &, std::unique_ptr<Pass>)> how);

  /// Adds one that changes values on purpose: checks begin again after it.
  void addRounding(std::unique_ptr<Pass> pass);

  /// Adds the remark about the checks so far.
  void finish();

  /// What the checks remember from one to the next.
  struct Record;

private:
  void addCheck(StringRef passName, bool rounds = false);

  OpPassManager &manager;
  std::optional<NumericsCheckOptions> check;
  std::shared_ptr<Record> record;
};

} // namespace gaudi

#endif // GAUDI_REFERENCE_NUMERICSCHECK_H
