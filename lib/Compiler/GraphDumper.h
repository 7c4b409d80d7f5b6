// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module after each pass that changed it: files for people and viewers, and
// a list of what changed and why.
#ifndef GAUDI_LIB_COMPILER_GRAPHDUMPER_H
#define GAUDI_LIB_COMPILER_GRAPHDUMPER_H

#include "GraphSnapshot.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/JSON.h"
#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace gaudi {

/// Passes must run one at a time.
class GraphDumper {
public:
  /// `folder`: for files; empty: none are written. It is made.
  GraphDumper(std::string folder, std::string title);

  /// A module on its way: what passes change is compared with it.
  void start(mlir::ModuleOp module);
  std::unique_ptr<mlir::PassInstrumentation> instrumentation();
  void addRemark(llvm::StringRef kind, llvm::StringRef location,
                 llvm::StringRef text);

  /// Writes index.json. Gives what could not be written first, or "".
  std::string finish();

  /// Passes in order, for a page: {"passes": [...]}, with graphs.
  std::string json() const;

private:
  class Hooks;
  struct Remark {
    std::string kind, location, text;
  };
  using Clock = std::chrono::steady_clock;

  void after(llvm::StringRef pass, mlir::Operation *op, bool failed);
  void record(llvm::StringRef pass, mlir::ModuleOp module, double milliseconds,
              bool failed);
  void write(llvm::StringRef stem, mlir::ModuleOp module);
  void writeFile(const std::string &name, const std::string &text);
  llvm::json::Array
  takeRemarks(const std::vector<std::pair<size_t, size_t>> &gone,
              const GraphSnapshot &now);

  std::string folder, title, problem;
  GraphTexts texts;
  GraphSnapshot last;
  std::string lastFile;
  std::vector<Remark> remarks; ///< since the last pass
  std::vector<Clock::time_point> begun;
  llvm::json::Array passes, graphs; ///< one graph per pass
  size_t leftOut = 0;
};

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_GRAPHDUMPER_H
