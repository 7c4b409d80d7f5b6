// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The option that names which outputs replace which inputs.
#ifndef GAUDI_LIB_COMPILER_STATEOPTION_H
#define GAUDI_LIB_COMPILER_STATEOPTION_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>

namespace gaudi {

/// Marks arguments of `entry` as state: `text` is "IN=OUT,...", with names,
/// numbers from 0 or ranges of numbers (1-3=0-2). Replaces what the model says
/// of these arguments. Returns what is wrong with the text, or "".
std::string applyStateOption(func::FuncOp entry, StringRef text);

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_STATEOPTION_H
