// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a replay file of an invocation: before each stage that may crash, so
// that a crash leaves one without any work in a signal handler, and at the end.
#ifndef GAUDI_RUN_RECORDER_H
#define GAUDI_RUN_RECORDER_H

#include "Exit.h"
#include "Gaudi/Analysis/ReplayFile.h"
#include "Gaudi/Recipe/Reader.h"
#include "Options.h"
#include "ReplayOptions.h"
#include "Report.h"
#include "Source.h"
#include "Values.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gaudi::run {

class Recorder {
public:
  /// Records nothing unless the options or the environment ask for a file, or
  /// `isReplay`: then it keeps what it would write, for a comparison.
  Recorder(const Options &options, bool isReplay);

  bool isOn() const { return records; }
  /// Before the file is read.
  Status begin();
  /// "compiling": writes what is known so far.
  Status enter(std::string stage);
  void setRecipe(std::shared_ptr<const recipe::RecipeFile> file,
                 bool isCompiled);
  /// Before the launch, which reads these and has no others. `sizes`: of
  /// dynamic dimensions, as --sizes has them.
  Status
  launching(const std::string &entry, const std::string &sizes,
            const Inputs &inputs,
            const std::vector<std::optional<recipe::HostTensor>> &expected);
  void launched(const std::vector<recipe::HostTensor> &outputs,
                const DeviceReport &report);
  /// Writes the file, or removes it if nothing failed and it is not wanted.
  /// `failures`: what checks found.
  Status conclude(const Ending &ending, const std::string &failures);

  const analysis::Replay &replay() const { return record; }
  const recipe::RecipeFile *recipe() const { return file.get(); }

private:
  Status write();
  std::string memberOf(const std::string &path);
  void addOption(const ReplayableOption &option, const std::string &value);

  const Options &options;
  bool records = false, isReplay = false;
  std::string path; ///< of the file; empty: none is written
  bool wasWritten = false;
  bool hasSecrets = false; ///< values that the file must not tell
  analysis::Replay record;
  std::vector<std::pair<std::string, FileBytes>> files; ///< by member
  std::vector<std::pair<analysis::ReplayValues, recipe::HostTensor>> values;
  std::shared_ptr<const recipe::RecipeFile> file;
  std::optional<double> microseconds;
};

} // namespace gaudi::run

#endif // GAUDI_RUN_RECORDER_H
