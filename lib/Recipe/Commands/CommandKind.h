// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the recipe format knows about each kind of command, one row per kind.
//
// A new kind is an enumerator of `Body` (Recipe.fbs) and a row in a file here,
// which CommandKind.cpp lists. The verifier, the accounting and the text form
// read the rows.
#ifndef GAUDI_LIB_RECIPE_COMMANDS_COMMANDKIND_H
#define GAUDI_LIB_RECIPE_COMMANDS_COMMANDKIND_H

#include "../Text/TextForm.h"
#include "../Verify/Context.h"

#include "Gaudi/Kernel/Span.h"
#include "Gaudi/Recipe/Container.h"

#include <vector>

namespace gaudi::recipe {

/// A command whose references have been checked: every operand exists and has
/// at least one element.
struct CommandView {
  const Context &context;
  const Command &command;
  Items<uint32_t> inputs{command.inputs()};
  Items<uint32_t> outputs{command.outputs()};

  const TensorInfo &input(uint32_t i) const {
    return context.tensors[inputs[i]];
  }
  const TensorInfo &output(uint32_t i) const {
    return context.tensors[outputs[i]];
  }
};

/// A set of engines.
constexpr unsigned engineSet() noexcept { return 0; }
template <typename... Engines>
constexpr unsigned engineSet(Engine first, Engines... rest) noexcept {
  return 1u << unsigned(first) | engineSet(rest...);
}

struct CommandKind {
  Body body;
  unsigned engines; ///< that may run it, an engineSet

  /// Checks operands and shapes. Errors go on after the command's label:
  /// "takes 2 inputs ...".
  Status (*verify)(const CommandView &view);

  /// True if the output may overlap the input. Null: never.
  Result<bool> (*allowsInPlace)(const CommandView &view, uint32_t input,
                                uint32_t output);

  /// The text form after the kind's word: a row of textOf.
  void (*describe)(TextForm &text, BodyUnion &body);

  /// The first minor version of the format that has the kind, and the feature
  /// bit of files with such a command; none in 1.0.
  uint16_t minor = 0;
  uint64_t feature = 0;

  /// The word of the text form, the enumerator's: "launch", "attention_grad".
  std::string word() const;
};

/// The text form of a body whose fields `describe` puts or takes.
template <typename BodyT, void (*describe)(TextForm &, BodyT &)>
void textOf(TextForm &text, BodyUnion &body) {
  if (text.parsed())
    body.Set(BodyT());
  describe(text, *static_cast<BodyT *>(body.value));
}

/// The kinds that a file defines.
using CommandKinds = kernel::Span<const CommandKind>;

/// All kinds, in the order of `Body`.
const std::vector<const CommandKind *> &commandKinds();

/// Null for a command without a body, or with one of a newer format.
const CommandKind *commandKindOf(const Command &command);

/// The feature bits that the command needs: those of its kind and of the
/// library kernel that it calls.
uint64_t featureOf(const Command &command);

/// The feature bits that tensors, entries and commands need.
uint64_t featuresOf(const Recipe &recipe);

/// The first minor version that has everything in a recipe with these features.
uint16_t minorOf(const Recipe &recipe, uint64_t features);

// Checks that several kinds share.
Status checkOperandCounts(const CommandView &view, uint32_t inputs,
                          uint32_t outputs);
/// Two float inputs of one type and one float output.
Status checkMatrixOperands(const CommandView &view);

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_COMMANDS_COMMANDKIND_H
