// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of many sizes in one process, and the variants that they compile.
#ifndef GAUDI_RUN_LAUNCHEDTRACE_H
#define GAUDI_RUN_LAUNCHEDTRACE_H

#include "Compiler.h"
#include "Device.h"
#include "Exit.h"
#include "Gaudi/Analysis/TraceReplay.h"
#include "Options.h"
#include "Progress.h"

#include <memory>
#include <string>
#include <vector>

namespace gaudi::run {

/// A recipe of one bucket, made because a launch needs it.
struct CompiledBucket {
  std::unique_ptr<Compiler> compiler;
  recipe::RecipeFile file;
  double milliseconds = 0; ///< of the host
};
/// `bucket`: as text for --buckets. `options` name the model.
Result<CompiledBucket> compileBucket(const Options &options,
                                     const std::string &bucket,
                                     Progress &progress);

/// The model's recipe on the device, and one for each variant that launches
/// have compiled: they stay for the launches after.
class LaunchedTrace : public analysis::TraceLauncher {
public:
  /// `failureCode` changes if the compiler or a launch fails.
  LaunchedTrace(std::shared_ptr<const recipe::RecipeFile> file,
                std::string entry, const Options &options, Progress &progress,
                Exit &failureCode)
      : entry(std::move(entry)), options(options), progress(progress),
        failureCode(failureCode), files{std::move(file)} {}

  Result<Compiled> compile(const std::vector<std::string> &names,
                           const shapes::Sizes &box) override;
  Status launch(const std::vector<std::string> &names,
                const shapes::Sizes &sizes, size_t made,
                uint64_t count) override;

private:
  Result<Compiled> make(const std::vector<std::string> &names,
                        const shapes::Sizes &box);
  Status run(const std::vector<std::string> &names, const shapes::Sizes &sizes,
             size_t made, uint64_t count);

  std::string entry;
  const Options &options;
  Progress &progress;
  Exit &failureCode;
  /// That of the model, then those that were compiled.
  std::vector<std::shared_ptr<const recipe::RecipeFile>> files;
  std::vector<std::unique_ptr<Device>> devices; ///< null: not loaded yet
};

} // namespace gaudi::run

#endif // GAUDI_RUN_LAUNCHEDTRACE_H
