// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What searches in the forms of a model share.
#ifndef GAUDI_LIB_COMPILER_BISECTION_H
#define GAUDI_LIB_COMPILER_BISECTION_H

#include "Session.h"
#include "llvm/Support/JSON.h"

namespace gaudi {

/// Numbers that JSON has no form for are strings.
inline llvm::json::Value jsonNumber(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  return value;
}

/// A module after a pass, or after the import.
struct Session::Form {
  std::string pass; ///< "": the import
  OwningOpRef<ModuleOp> module;
};

struct Session::Bisection {
  std::vector<Form> forms, suspectForms;
  /// Of the texts that are given.
  std::vector<std::shared_ptr<llvm::SourceMgr>> sources;
  std::string report;
  SmallVector<ReferenceTensor> arguments;
  /// What the slice is cut out of: an op of a form of the model, and its
  /// counterpart in a suspect. Null: nothing was found.
  func::FuncOp function, suspectFunction;
  Operation *op = nullptr, *suspectOp = nullptr;
  /// The form that `function` is of, if the passes of the session make it; -1.
  int form = -1;
  // Of the last slice.
  std::string model, suspect;
  std::vector<std::vector<char>> bytes;
  std::vector<GaudiBytes> inputs;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<GaudiTensorType> types;
};

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_BISECTION_H
