// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts that sessions use one after the other.
//
// A context with its dialects takes longer to make than a small model to
// compile.
#ifndef GAUDI_LIB_COMPILER_CONTEXTPOOL_H
#define GAUDI_LIB_COMPILER_CONTEXTPOOL_H

#include "mlir/IR/MLIRContext.h"
#include <memory>

namespace gaudi {

/// The context of one session: a new one, or that of an earlier session.
class LeasedContext {
public:
  explicit LeasedContext(bool isThreaded);
  /// Hands the context on, or destroys it. No module may be left in it.
  ~LeasedContext();
  LeasedContext(const LeasedContext &) = delete;
  LeasedContext &operator=(const LeasedContext &) = delete;

  mlir::MLIRContext &operator*() const { return *context; }

  /// Lets a later session have the context, unless values of this model's
  /// constants stay in it. Attributes and types stay in a context, too: one
  /// that has seen much text is not handed on. `bytes`: of the source.
  void allowReuse(size_t bytes);

private:
  std::unique_ptr<mlir::MLIRContext> context;
  size_t bytesSeen = 0;
  bool isThreaded;
  bool isReusable = false;
};

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_CONTEXTPOOL_H
