// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks each command alone: engine, operands, shapes, what it overwrites.
#include "../Commands/CommandKind.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace gaudi::recipe {
namespace {

class CommandVerifier {
public:
  CommandVerifier(const Context &context, const Command &command)
      : view{context, command}, kind(commandKindOf(command)) {}

  Status run(uint32_t index) {
    GAUDI_TRY(checkReferences(index));
    GAUDI_TRY(checkKind());
    GAUDI_TRY(kind->verify(view));
    GAUDI_TRY(checkOutputs());
    return checkOverlaps();
  }

private:
  /// The byte range of one operand.
  struct Range {
    const TensorInfo *tensor;
    uint32_t index; // among the inputs or the outputs
    bool isOutput;
  };

  /// Steps that the comparison of two windows counts for: it divides a dozen
  /// times.
  static constexpr uint64_t pairSteps = 16;

  const CommandView view;
  const CommandKind *kind; // null: none that this version knows

  Status checkReferences(uint32_t index) const {
    for (const Items<uint32_t> *list : {&view.inputs, &view.outputs})
      for (uint32_t id : *list) {
        if (id >= view.context.tensors.size())
          return fail("names tensor %{} but there are {} tensors", id,
                      view.context.tensors.size());
        if (view.context.tensors[id].elements == 0)
          return fail("{} has no elements", view.context.tensorLabel(id));
      }
    for (uint32_t dependency : items(view.command.dependencies()))
      if (dependency >= index)
        return fail("depends on command #{}, expected an earlier one",
                    dependency);
    const uint32_t locations = items(view.context.recipe.locations()).size();
    if (view.command.location() >= locations)
      return fail("has location {} of {}", view.command.location(), locations);
    return {};
  }

  Status checkKind() const {
    const Engine engine = view.command.engine();
    if (engine > Engine::MAX)
      return fail("has unknown engine {}", unsigned(engine));
    if (!kind)
      return fail("has no body that this version knows");
    if (!(kind->engines & engineSet(engine)))
      return fail("runs {} on engine {}, which cannot", kind->word(),
                  wordOf(engine, EnumNamesEngine(), Engine::MAX));
    if (const uint64_t missing =
            featureOf(view.command) & ~view.context.layout.features)
      return fail(
          "runs {}, which needs feature bits {:#x} that the header does "
          "not have",
          kind->word(), missing);
    return {};
  }

  /// An output is written element by element, so no two may share a place; what
  /// the host or another entry relies on is not written at all.
  Status checkOutputs() const {
    for (uint32_t i = 0; i < view.outputs.size(); ++i) {
      if (view.output(i).rootClass == TensorClass::Input)
        return fail("writes {}, which is an input",
                    view.context.tensorLabel(view.outputs[i]));
      if (view.output(i).rootClass == TensorClass::Const)
        return fail("writes {}, which is constant",
                    view.context.tensorLabel(view.outputs[i]));
      if (!kernel::isInjective(view.output(i).window.sizes,
                               view.output(i).window.strides))
        return fail("writes {}, which stores several elements in one place",
                    view.context.tensorLabel(view.outputs[i]));
    }
    return {};
  }

  /// Compares every output with the operands whose byte ranges meet its own.
  ///
  /// A sweep over the operands by their first byte: a range that is still open
  /// when another begins meets it, so each pair that is looked at is compared,
  /// and ranges that ended are dropped once. Sorting apart, the work is the
  /// number of pairs that meet; they pay from the budget.
  Status checkOverlaps() const {
    std::vector<Range> ranges;
    ranges.reserve(size_t(view.inputs.size()) + view.outputs.size());
    for (uint32_t i = 0; i < view.inputs.size(); ++i)
      ranges.push_back({&view.input(i), i, false});
    for (uint32_t i = 0; i < view.outputs.size(); ++i)
      ranges.push_back({&view.output(i), i, true});
    // Ties by role and number, so that the error does not depend on the sort.
    auto key = [](const Range &range) {
      return std::make_tuple(range.tensor->section, range.tensor->begin,
                             range.isOutput, range.index);
    };
    std::sort(ranges.begin(), ranges.end(),
              [&](const Range &a, const Range &b) { return key(a) < key(b); });
    std::vector<Range> openInputs, openOutputs;
    for (const Range &range : ranges) {
      GAUDI_TRY(compareWithOpen(range, openOutputs));
      if (range.isOutput)
        GAUDI_TRY(compareWithOpen(range, openInputs));
      (range.isOutput ? openOutputs : openInputs).push_back(range);
    }
    return {};
  }

  Status compareWithOpen(const Range &range, std::vector<Range> &open) const {
    auto ended = [&](const Range &other) {
      return other.tensor->section != range.tensor->section ||
             other.tensor->end <= range.tensor->begin;
    };
    open.erase(std::remove_if(open.begin(), open.end(), ended), open.end());
    for (const Range &other : open) {
      assert(other.tensor->begin <= range.tensor->begin && "ranges are sorted");
      GAUDI_TRY(view.context.work.spend(pairSteps));
      if (kernel::provablyDisjoint(range.tensor->window, other.tensor->window))
        continue;
      GAUDI_TRY(range.isOutput ? checkPair(range, other)
                               : checkPair(other, range));
    }
    return {};
  }

  /// An output and another operand that shares bytes with it.
  Status checkPair(const Range &output, const Range &other) const {
    if (other.isOutput) {
      const auto [first, second] = std::minmax(output.index, other.index);
      return fail("writes {} and {}, which overlap",
                  view.context.tensorLabel(view.outputs[first]),
                  view.context.tensorLabel(view.outputs[second]));
    }
    // Only kernels know that a point writes just where it has read.
    if (kind->allowsInPlace &&
        GAUDI_TRY(kind->allowsInPlace(view, other.index, output.index)))
      return {};
    return fail("writes {} over its own input {} in a way that is not element "
                "by element",
                view.context.tensorLabel(view.outputs[output.index]),
                view.context.tensorLabel(view.inputs[other.index]));
  }
};

} // namespace

Status verifyCommand(const Context &context, const Entry &entry,
                     uint32_t index) {
  const Command &command = *items(entry.commands())[index];
  if (Status status = CommandVerifier(context, command).run(index); !status)
    return fail("{} {}", commandLabel(entry, index), status.error().message);
  return {};
}

} // namespace gaudi::recipe
