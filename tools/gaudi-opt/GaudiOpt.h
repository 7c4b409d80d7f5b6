// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gaudi-opt as a function: the wheel has it in libGaudiCompiler.so, where it
// shares MLIR with the compiler.
#ifndef GAUDI_TOOLS_GAUDI_OPT_GAUDIOPT_H
#define GAUDI_TOOLS_GAUDI_OPT_GAUDIOPT_H

/// The exit code of the program. `registerPasses`: of other projects; null:
/// MLIR's general transformations.
extern "C" int gaudiOptMain(int argc, char **argv, void (*registerPasses)());

#endif // GAUDI_TOOLS_GAUDI_OPT_GAUDIOPT_H
