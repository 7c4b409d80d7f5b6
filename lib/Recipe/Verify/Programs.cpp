// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks what the host does when it launches an entry with a program: loops are
// closed, what they test is a state, and the entries find their inputs.
#include "Context.h"

#include "Gaudi/Recipe/Container.h"

#include <algorithm>

namespace gaudi::recipe {
namespace {

class ProgramVerifier {
public:
  ProgramVerifier(const Context &context, const Entry &entry)
      : context(context), entry(entry) {}

  Status run() {
    if (!(context.layout.features & featurePrograms))
      return fail("needs feature bits {:#x} that the header does not have",
                  featurePrograms);
    if (!items(entry.commands()).empty())
      return fail("comes with {} commands; an entry has a program or commands",
                  items(entry.commands()).size());
    const auto steps = items(entry.program());
    if (steps.size() > maxProgramSteps)
      return fail("has {} steps, expected at most {}", steps.size(),
                  maxProgramSteps);
    inputs = copyOf(entry.inputs());
    std::sort(inputs.begin(), inputs.end());
    for (uint32_t s = 0; s < steps.size(); ++s)
      if (Status status = check(*steps[s]); !status)
        return fail("at step {} {}", s, status.error().message);
    if (!open.empty())
      return fail("has no end for {} of its loops", open.size());
    return checkOutputs();
  }

private:
  Status check(const ProgramStep &step) {
    switch (step.kind()) {
    case StepKind::Launch:
      return checkLaunch(step.id());
    case StepKind::While:
      if (open.size() == maxProgramDepth)
        return fail("nests more than {} loops", maxProgramDepth);
      open.push_back(false);
      return checkCondition(step.id());
    case StepKind::End:
      if (open.empty() || step.id() != 0)
        return fail("ends a loop that does not begin");
      // Nothing but an entry can change the condition.
      if (!open.back())
        return fail("ends a loop that launches nothing");
      open.pop_back();
      return {};
    }
    return fail("has unknown kind {}", unsigned(step.kind()));
  }

  Status checkCondition(uint32_t id) const {
    if (id >= context.tensors.size())
      return fail("tests %{} but there are {} tensors", id,
                  context.tensors.size());
    const TensorInfo &tensor = context.tensors[id];
    if (tensor.rootClass != TensorClass::State ||
        tensor.type != ElementType::I1 || tensor.elements != 1)
      return fail("tests {}, expected a state of one i1",
                  context.tensorLabel(id));
    return {};
  }

  /// Inputs are set before the program starts, so those of the entries that it
  /// launches must be its own.
  Status checkLaunch(uint32_t id) {
    const auto entries = items(context.recipe.entries());
    if (id >= entries.size())
      return fail("launches entry {} but there are {}", id, entries.size());
    const Entry &launched = *entries[id];
    if (!items(launched.program()).empty() || launched.dispatch())
      return fail("launches {}, which has {} itself", entryLabel(launched),
                  launched.dispatch() ? "variants" : "a program");
    // A loader lists the commands of each entry that a program launches.
    GAUDI_TRY(
        context.work.spend(1 + uint64_t(items(launched.inputs()).size()) +
                           items(launched.outputs()).size() +
                           16 * uint64_t(items(launched.commands()).size())));
    for (uint32_t input : items(launched.inputs()))
      if (context.tensors[input].tensorClass == TensorClass::Input &&
          !std::binary_search(inputs.begin(), inputs.end(), input))
        return fail("launches {}, whose input {} is none of its own",
                    entryLabel(launched), context.tensorLabel(input));
    if (open.empty())
      for (uint32_t output : items(launched.outputs()))
        written.push_back(output);
    for (size_t loop = 0; loop < open.size(); ++loop)
      open[loop] = true;
    return {};
  }

  /// A loop may run zero times, so it writes no output for sure.
  Status checkOutputs() {
    std::sort(written.begin(), written.end());
    for (uint32_t output : items(entry.outputs()))
      if (context.tensors[output].rootClass == TensorClass::Output &&
          !std::binary_search(written.begin(), written.end(), output))
        return fail("returns {}, but only an entry inside a loop writes it",
                    context.tensorLabel(output));
    return {};
  }

  const Context &context;
  const Entry &entry;
  std::vector<uint32_t> inputs;  // sorted
  std::vector<uint32_t> written; // outputs of entries outside loops
  std::vector<bool> open;        // loops: whether they launch something
};

} // namespace

Status verifyProgram(const Context &context, const Entry &entry) {
  return ProgramVerifier(context, entry).run();
}

} // namespace gaudi::recipe
