// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a model must pass before MLIR's parser, verifiers and printer see it:
// inputs on which those would overflow the stack, abort, or not come to an end.
#ifndef GAUDI_COMPILER_SOURCEGUARDS_H
#define GAUDI_COMPILER_SOURCEGUARDS_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Operation.h"
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace gaudi {

/// Deepest nesting of a model's text and of its attributes, types and
/// locations. MLIR recurses over all of them; 2000 levels take a small part of
/// a stack of 8 MiB, and models have fewer than 100.
constexpr unsigned maxSourceDepth = 2000;
/// Most parts of one attribute, type or location, each counted as often as it
/// would be printed.
constexpr uint64_t maxExpandedParts = 100000;

/// Largest number of a result of one op that may be named.
constexpr uint64_t maxResultNumber = 1 << 20;

/// Why MLIR's parser must not see `text`: it is a recipe, or binary (outside of
/// comments and strings, in the first 256 bytes), which it would print;
/// brackets that nest too deep or an affine expression with too many operators,
/// by each of which it recurses; an `array<...>` whose element type has no
/// width, on which it aborts; a number of a result for which it would take all
/// memory. Empty for text that may be parsed, and for bytecode. One pass.
std::string whyNotParsed(StringRef text);

/// Refuses attributes, types and locations that are small as aliases but large
/// or deep when written out. Linear in their distinct parts.
LogicalResult refuseLargeAttributes(Operation *root);

/// TOSA's verifiers (LLVM 22) abort on small constants held as resources, so
/// those become plain attributes before anything is verified.
void inlineSmallResources(Operation *root);

/// What inlineSmallResources had to leave is a constant without its data; one
/// that a TOSA op reads as a parameter must not reach the verifiers.
LogicalResult refuseEmptyParameters(Operation *root);

/// Gives undefined scalars and tensors the value zero, with a remark: the
/// folders of LLVM 22 read the attribute of every constant as one with a type,
/// which that of ub.poison is not.
void definePoison(Operation *root);

/// Refuses blocks of known ops that end in an op that is not known to end them:
/// MLIR's verifier lets any op of an unknown dialect do so, and what reads
/// functions takes the operands of their last op for their results.
LogicalResult refuseUnknownEnds(Operation *root);

/// All of the above but the first, and MLIR's verifier before the last.
LogicalResult verifySource(Operation *root);

/// The pass `gaudi-verify-source`: attachResourceFile (Resources.h) for a
/// module from the file `source`, then verifySource.
void addVerifySourcePass(OpPassManager &manager, StringRef source);
/// Registers it, for reproducers.
void registerVerifySourcePass();

} // namespace gaudi

#endif // GAUDI_COMPILER_SOURCEGUARDS_H
