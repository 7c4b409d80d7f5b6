// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs, commands and constants of a recipe as a signature.
#include "Gaudi/Analysis/RecipeSignature.h"
#include "Gaudi/Analysis/SymbolTable.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Recipe/Sizes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>

namespace gaudi::analysis {
namespace {

using namespace recipe;
using shapes::Signature;

/// A few; more are compared as a whole.
constexpr uint64_t mostValues = 64;

class SignatureReader {
public:
  explicit SignatureReader(const RecipeFile &file)
      : file(file), recipe(file.recipe()) {}

  Signature read(uint32_t number) {
    const Entry &entry = *items(recipe.entries())[number];
    signature.device = text(recipe.target());
    signature.compiler = text(recipe.producer());
    addBudget(entry);
    if (const Dispatch *dispatch = entry.dispatch()) {
      addDispatch(*dispatch);
    } else {
      for (uint32_t tensor : items(entry.inputs()))
        addInput(*items(recipe.tensors())[tensor]);
      signature.outputs = items(entry.outputs()).size();
      addCommands(entry);
    }
    for (const Tensor *tensor : items(recipe.tensors()))
      if (tensor->tensor_class() == TensorClass::Const)
        addConstant(*tensor);
    return std::move(signature);
  }

private:
  std::string location(uint32_t number) const {
    return std::string(text(items(recipe.locations())[number]));
  }

  void addBudget(const Entry &entry) {
    for (const MemoryPlan *plan : items(recipe.memory()))
      if (text(plan->entry()) == text(entry.name()) && plan->budget() >= 0)
        signature.options.push_back(
            {"--memory-budget", std::to_string(plan->budget())});
  }

  void addInput(const Tensor &tensor) {
    Signature::Input input;
    input.name = text(tensor.name());
    input.element = elementName(tensor.type());
    input.sizes = copyOf(tensor.sizes());
    const std::vector<uint8_t> order = copyOf(tensor.permutation());
    for (size_t d = 0; d < order.size(); ++d)
      input.sizes[order[d]] = items(tensor.sizes())[uint32_t(d)];
    if (!order.empty())
      input.attributes =
          fmt::format("stored in the order [{}]", fmt::join(order, ", "));
    if (tensor.tensor_class() == TensorClass::State)
      input.attributes += input.attributes.empty() ? "state" : ", state";
    signature.inputs.push_back(std::move(input));
  }

  void addDispatch(const Dispatch &dispatch) {
    for (const SizedTensor *tensor : items(dispatch.inputs())) {
      Signature::Input input;
      input.name = text(tensor->name());
      input.element = elementName(tensor->type());
      for (const Size *size : items(tensor->sizes())) {
        const auto steps = items(size->steps());
        const bool isConstant =
            steps.size() == 1 && steps[0]->op() == SizeOp::Const;
        input.sizes.push_back(isConstant ? steps[0]->value()
                                         : shapes::dynamicSize);
      }
      signature.inputs.push_back(std::move(input));
    }
    signature.outputs = items(dispatch.outputs()).size();
    if (const auto table = SymbolTable::of(dispatch)) {
      for (size_t s = 0; s < table->symbols().size(); ++s)
        signature.options.push_back({"the range of " + table->symbols()[s].name,
                                     table->symbols()[s].boundsText()});
      signature.options.push_back({"--buckets", table->buckets().text()});
    }
    const auto variants = items(dispatch.variants());
    addCommands(
        *items(recipe.entries())[variants[variants.size() - 1]->entry()]);
  }

  /// The hash of a table with nothing else around it.
  template <typename Table, typename Object>
  static std::string digestOf(const Object &object) {
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(Table::Pack(builder, &object));
    return fmt::format(
        "{}{:016x}", shapes::digestMark,
        checksumOf(builder.GetBufferPointer(), builder.GetSize()));
  }

  const std::string &kernelDigest(uint32_t number) {
    std::string &digest = kernels[number];
    if (digest.empty()) {
      KernelT kernel;
      items(recipe.kernels())[number]->UnPackTo(&kernel);
      digest = digestOf<Kernel>(kernel);
    }
    return digest;
  }

  std::string operandText(uint32_t number) const {
    const Tensor &tensor = *items(recipe.tensors())[number];
    return fmt::format(
        "%{} ({})", number,
        shapes::typeText(elementName(tensor.type()), copyOf(tensor.sizes())));
  }

  void addCommands(const Entry &entry) {
    for (const Command *command : items(entry.commands())) {
      Signature::Op op;
      op.name = text(command->name());
      op.location = location(command->location());
      std::vector<std::string> operands;
      for (uint32_t tensor : items(command->inputs()))
        operands.push_back(operandText(tensor));
      for (uint32_t tensor : items(command->outputs()))
        operands.push_back("-> " + operandText(tensor));
      op.fields.push_back(
          {"operands", fmt::format("{}", fmt::join(operands, ", ")), {}});
      CommandT parameters;
      command->UnPackTo(&parameters);
      std::string kernel;
      if (const Launch *launch = command->body_as_Launch()) {
        kernel = kernelDigest(launch->kernel());
        parameters.body.Reset();
      }
      parameters.inputs.clear();
      parameters.outputs.clear();
      parameters.dependencies.clear();
      parameters.location = 0;
      op.fields.push_back(
          {"set of parameters", digestOf<Command>(parameters), {}});
      op.fields.push_back({"kernel", kernel, {}});
      signature.ops.push_back(std::move(op));
    }
  }

  void addConstant(const Tensor &tensor) {
    Signature::Constant constant;
    constant.name = text(tensor.name());
    constant.location = location(tensor.location());
    constant.element = elementName(tensor.type());
    constant.sizes = copyOf(tensor.sizes());
    const std::vector<int64_t> strides = copyOf(tensor.strides());
    // The elements from the first to the last one that it reads.
    uint64_t span = 1;
    bool isDense = true;
    int64_t dense = 1;
    for (size_t d = strides.size(); d-- > 0;) {
      span = constant.sizes[d]
                 ? span + uint64_t(constant.sizes[d] - 1) * uint64_t(strides[d])
                 : 0;
      isDense &= constant.sizes[d] == 1 || strides[d] == dense;
      dense *= constant.sizes[d];
      if (!span)
        break;
    }
    const ByteSpan section = file.constBytes(tensor.section());
    const uint64_t bytes = span * elementSize(tensor.type());
    const uint8_t *const data = section.data + tensor.offset();
    constant.hash = checksumOf(data, bytes);
    if (span && span <= mostValues && (isDense || span == 1)) {
      HostTensor values;
      values.type = {tensor.type(), {int64_t(span)}};
      values.bytes.assign(data, data + bytes);
      for (uint64_t i = 0; i < span; ++i)
        constant.values.push_back(isFloat(tensor.type())
                                      ? values.floatAt(i)
                                      : double(values.intAt(i)));
    }
    signature.constants.push_back(std::move(constant));
  }

  const RecipeFile &file;
  const Recipe &recipe;
  Signature signature;
  std::map<uint32_t, std::string> kernels; ///< digests
};

} // namespace

shapes::Signature recipeSignature(const recipe::RecipeFile &file,
                                  uint32_t entry) {
  return SignatureReader(file).read(entry);
}

} // namespace gaudi::analysis
