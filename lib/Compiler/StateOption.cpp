// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the option that names which outputs replace which inputs.
#include "StateOption.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Support/Spelling.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// The inputs or the outputs of an entry, as the option speaks of them.
struct Side {
  StringRef what; // "input" or "output"
  std::vector<std::string> names;
  TypeRange types;

  std::string label(unsigned number) const {
    return (what + " '" + names[number] + "'").str();
  }
};

/// Numbers of consecutive inputs or outputs.
struct Numbers {
  unsigned first = 0, count = 1;
};
} // namespace

/// The part of `side` that `text` names: a name first, since names may look
/// like numbers, else a number or a range. After an error none, and `problem`
/// says why.
static std::optional<Numbers> rangeOf(StringRef text, const Side &side,
                                      std::string &problem) {
  for (auto [number, name] : llvm::enumerate(side.names))
    if (name == text)
      return Numbers{unsigned(number), 1};
  const auto [begin, end] = text.split('-');
  unsigned first = 0, last = 0;
  if (begin.getAsInteger(10, first) ||
      (text.contains('-') ? end.getAsInteger(10, last)
                          : begin.getAsInteger(10, last))) {
    problem = ("no " + side.what + " is called '" + text + "'; " +
               meantAmong(text, side.names) + "there are: " +
               (side.names.empty() ? "none" : llvm::join(side.names, ", ")) +
               numberedAdvice(side.names))
                  .str();
    return std::nullopt;
  }
  if (last < first || last >= side.names.size()) {
    problem =
        ("'" + text + "' is no range of the " + Twine(side.names.size()) + " " +
         side.what + "s, which count from 0: " + llvm::join(side.names, ", ") +
         "; write a number or a range below " + Twine(side.names.size()))
            .str();
    return std::nullopt;
  }
  return Numbers{first, last - first + 1};
}

/// Marks each input of one item, "IN=OUT". Returns what is wrong, or "".
static std::string applyItem(func::FuncOp entry, StringRef item,
                             const Side &inputs, const Side &outputs,
                             SmallVectorImpl<int64_t> &inputOf,
                             SmallVectorImpl<int64_t> &outputOf) {
  const auto [left, right] = item.split('=');
  if (left.empty() || right.empty())
    return ("cannot read '" + item +
            "'; expected INPUT=OUTPUT, names or numbers, such as w=out0 or "
            "1-3=0-2")
        .str();
  std::string problem;
  const std::optional<Numbers> from = rangeOf(left, inputs, problem);
  const std::optional<Numbers> to =
      from ? rangeOf(right, outputs, problem) : std::nullopt;
  if (!to)
    return problem;
  if (from->count != to->count)
    return ("'" + left + "' names " + Twine(from->count) + " of the inputs, '" +
            right + "' names " + Twine(to->count) +
            " of the outputs; name as many of each")
        .str();
  Builder builder(entry.getContext());
  for (unsigned i = 0; i < from->count; ++i) {
    const unsigned input = from->first + i, output = to->first + i;
    if (outputOf[input] >= 0)
      return inputs.label(input) + " is given twice; give it once";
    if (inputOf[output] >= 0)
      return outputs.label(output) + " cannot replace both " +
             inputs.label(inputOf[output]) + " and " + inputs.label(input) +
             "; name another output for one of them";
    if (inputs.types[input] != outputs.types[output]) {
      std::vector<std::string> fitting;
      for (auto [name, type] : llvm::zip_equal(outputs.names, outputs.types))
        if (type == inputs.types[input])
          fitting.push_back(inputs.names[input] + "=" + name);
      return inputs.label(input) + " is " + debugString(inputs.types[input]) +
             ", but " + outputs.label(output) + " is " +
             debugString(outputs.types[output]) + "; " +
             (fitting.empty()
                  ? "no output has the type of the input: return its new value"
                  : "write --state=" + llvm::join(fitting, " or --state="));
    }
    outputOf[input] = output;
    inputOf[output] = input;
    entry.setArgAttr(input, stateAttrName, builder.getI64IntegerAttr(output));
  }
  return "";
}

std::string gaudi::applyStateOption(func::FuncOp entry, StringRef text) {
  if (text.empty())
    return "";
  Side inputs{"input", {}, entry.getArgumentTypes()};
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    inputs.names.push_back(argumentName(entry, i));
  Side outputs{"output", {}, entry.getResultTypes()};
  for (unsigned i = 0; i < entry.getNumResults(); ++i)
    outputs.names.push_back(resultName(entry, i));
  SmallVector<int64_t> inputOf(outputs.names.size(), -1);
  SmallVector<int64_t> outputOf(inputs.names.size(), -1);
  SmallVector<StringRef> items;
  text.split(items, ',');
  for (StringRef item : items)
    if (std::string problem =
            applyItem(entry, item, inputs, outputs, inputOf, outputOf);
        !problem.empty())
      return "--state: " + problem;
  return "";
}
