// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's library, loaded only to compile or evaluate a model.
#ifndef GAUDI_RUN_COMPILER_H
#define GAUDI_RUN_COMPILER_H

#include "Gaudi/CApi/CompilerSession.h"
#include "Gaudi/Prediction/Remark.h"
#include "Options.h"
#include "Progress.h"
#include "Source.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::run {

class Compiler : public capi::CompilerSession {
public:
  /// Loads libGaudiCompiler.so from ../lib beside this executable and opens a
  /// session. Diagnostics of the session go to standard error, unless there are
  /// several devices: then only the first error counts.
  static Result<std::unique_ptr<Compiler>> create(const Options &options,
                                                  Progress &progress);
  /// The same with a model that it has read and parsed.
  static Result<std::unique_ptr<Compiler>>
  ofModel(const Options &options, const std::string &path, Progress &progress);

  /// `path`, whose bytes the compiler keeps and reads from: "-" for standard
  /// input.
  Status parse(const std::string &path, FileBytes bytes);
  const FileBytes &source() const { return bytes; }
  /// For after the compiler.
  FileBytes takeSource() { return std::move(bytes); }

  /// Prints remarks, too.
  Result<GaudiBytes> compile();
  /// The recipe in memory of its own.
  Result<recipe::RecipeFile> compileRecipe();
  /// After one that succeeds, no diagnostics are printed.
  Result<GaudiBytes> compileBatch(int64_t size);
  /// Whether what failed last is an option that the model cannot have, such as
  /// buckets of static sizes.
  static bool optionFailed() { return isOptionWrong; }
  /// The first error of the compiler, in one line; may be empty.
  const std::string &firstError() const { return firstErrorText; }

  /// What the passes of `compile` reported; nothing without
  /// --html, --predict or --remarks, nor with --remarks=all as text.
  std::vector<prediction::Remark> takeRemarks() { return std::move(remarks); }

private:
  explicit Compiler(Progress &progress) : progress(progress) {}
  void print(std::string_view diagnostic);
  void printLine(std::string_view line);

  template <typename T> T noting(T result) {
    if (!result)
      isOptionWrong = status() == GAUDI_STATUS_OPTION;
    return result;
  }

  static inline bool isOptionWrong = false;
  Progress &progress;
  std::string path;
  FileBytes bytes;
  bool holdsBack = false; // diagnostics are not printed
  RemarkLevel printedRemarks = RemarkLevel::None;
  std::vector<prediction::Remark> remarks;
  std::string printed; // of the line that is not complete yet
  std::string firstErrorText;
};

/// What was compared, and what was not and why.
std::string textOf(const GaudiNumerics &numerics);

} // namespace gaudi::run

#endif // GAUDI_RUN_COMPILER_H
