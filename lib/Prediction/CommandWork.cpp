// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands of a recipe as work of the time model.
#include "CommandWork.h"
#include "Gaudi/Recipe/Convolution.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Timing/Attention.h"
#include "Gaudi/Timing/Describe.h"
#include "Gaudi/Timing/Library.h"

#include <cassert>
#include <type_traits>

namespace gaudi::prediction {
namespace {

using namespace timing;
using recipe::copyOf;
using recipe::items;
using recipe::text;

Operand operandOf(const recipe::Tensor &tensor) {
  return {kernel::ElementType(tensor.type()), copyOf(tensor.sizes()),
          copyOf(tensor.strides()), Memory::Hbm};
}

class Reader {
public:
  Reader(const recipe::Recipe &recipe, const recipe::Command &command)
      : recipe(recipe), command(command) {}

  Operand input(uint32_t i) const { return at(items(command.inputs())[i]); }
  Operand output(uint32_t i) const { return at(items(command.outputs())[i]); }
  std::vector<Operand> inputs() const { return all(command.inputs()); }
  std::vector<Operand> outputs() const { return all(command.outputs()); }
  std::vector<Operand> operands() const {
    std::vector<Operand> result = inputs();
    for (Operand &output : outputs())
      result.push_back(std::move(output));
    return result;
  }
  uint32_t inputCount() const { return items(command.inputs()).size(); }

private:
  template <typename Ids> std::vector<Operand> all(const Ids *ids) const {
    std::vector<Operand> result;
    for (uint32_t id : items(ids))
      result.push_back(at(id));
    return result;
  }
  Operand at(uint32_t id) const {
    return operandOf(*items(recipe.tensors())[id]);
  }

  const recipe::Recipe &recipe;
  const recipe::Command &command;
};

ConvolutionForm formOf(const recipe::Convolution &conv) {
  return {text(conv.layoutOf(MatrixRole::X)),
          text(conv.layoutOf(MatrixRole::W)),
          text(conv.layoutOf(MatrixRole::Y)),
          copyOf(conv.strides),
          copyOf(conv.dilations),
          copyOf(conv.padLow),
          copyOf(conv.padHigh),
          conv.groups};
}

/// True if the first result has the place of the first operand.
bool isInPlace(const recipe::Recipe &recipe, const recipe::Command &command) {
  if (items(command.inputs()).empty() || items(command.outputs()).empty())
    return false;
  const auto &from = *items(recipe.tensors())[items(command.inputs())[0]],
             &to = *items(recipe.tensors())[items(command.outputs())[0]];
  bool isSame = from.section() == to.section() &&
                from.offset() == to.offset() &&
                copyOf(from.sizes()) == copyOf(to.sizes());
  // Strides of dimensions of size 1 do not matter.
  const auto sizes = copyOf(from.sizes()), a = copyOf(from.strides()),
             b = copyOf(to.strides());
  for (size_t d = 0; isSame && d < sizes.size(); ++d)
    isSame = sizes[d] == 1 || a[d] == b[d];
  return isSame;
}

/// Of attention or its gradient, which always makes all results.
template <typename Body> AttentionForm attentionForm(const Body &body) {
  AttentionForm form;
  if constexpr (std::is_same_v<Body, recipe::Attention>)
    form.results = body.results();
  else
    form.isGradient = true;
  form.queryLayout = text(body.query_layout());
  form.keyLayout = text(body.key_layout());
  form.valueLayout = text(body.value_layout());
  form.inputs = body.operands();
  form.causal = body.causal();
  form.window = body.window();
  form.isFast = body.softmax_mode() == recipe::SoftmaxMode::Fast;
  form.slice = copyOf(body.slice());
  return form;
}

TransferWork::Engine moverOf(const recipe::Command &command) {
  return command.engine() == recipe::Engine::TPC   ? TransferWork::Engine::Tpc
         : command.engine() == recipe::Engine::MME ? TransferWork::Engine::Mme
                                                   : TransferWork::Engine::Dma;
}

/// Numbers and texts one after the other; lists after their lengths, so that
/// different ones have different bytes.
struct KeyWriter {
  void number(int64_t value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
  }
  void text(std::string_view value) {
    number(int64_t(value.size()));
    bytes += value;
  }
  template <typename List> void list(const List &values) {
    number(int64_t(values.size()));
    for (int64_t value : values)
      number(value);
  }
  void form(const ConvolutionForm &form) {
    for (std::string_view layout : {form.xLayout, form.wLayout, form.yLayout})
      text(layout);
    for (const Dims *dims :
         {&form.strides, &form.dilations, &form.padLow, &form.padHigh})
      list(*dims);
    number(form.groups);
  }

  void form(const AttentionForm &form) {
    for (std::string_view layout :
         {form.queryLayout, form.keyLayout, form.valueLayout})
      text(layout);
    for (int64_t value :
         {int64_t(form.inputs), int64_t(form.results), int64_t(form.causal),
          form.window, int64_t(form.isFast)})
      number(value);
    list(form.slice);
  }

  std::string bytes;
};

} // namespace

Work workOf(const recipe::Recipe &recipe, const recipe::Command &command) {
  const Reader reader(recipe, command);
  if (const auto conv = recipe::convolutionOf(command))
    return convolutionWork(conv->kind, reader.input(0), reader.input(1),
                           reader.output(0), formOf(*conv));
  switch (command.body_type()) {
  case recipe::Body::Gemm:
    return gemmWork(reader.input(0), reader.input(1), reader.output(0),
                    command.body_as_Gemm()->transpose_a(),
                    command.body_as_Gemm()->transpose_b());
  case recipe::Body::Attention:
    return attentionWork(attentionForm(*command.body_as_Attention()),
                         reader.inputs(), reader.outputs());
  case recipe::Body::AttentionGrad:
    return attentionWork(attentionForm(*command.body_as_AttentionGrad()),
                         reader.inputs(), reader.outputs());
  case recipe::Body::Launch:
    return kernelWorkOf(
        *items(recipe.kernels())[command.body_as_Launch()->kernel()],
        reader.operands());
  case recipe::Body::Transfer:
    return TransferWork{moverOf(command), reader.input(0), reader.output(0)};
  case recipe::Body::Fill:
    return FillWork{moverOf(command), reader.output(0)};
  case recipe::Body::Library: {
    const auto &library = *command.body_as_Library();
    std::string name(text(library.name()));
    if (isInPlace(recipe, command))
      name += inPlaceSuffix;
    return LibraryWork{std::move(name), reader.operands(), reader.inputCount(),
                       copyOf(library.ints())};
  }
  default:
    break;
  }
  assert(false && "a verified command has a body");
  return LibraryWork{};
}

std::string workKeyOf(const recipe::Recipe &recipe,
                      const recipe::Command &command) {
  KeyWriter key;
  key.number(int64_t(command.engine()));
  key.number(int64_t(command.body_type()));
  switch (command.body_type()) {
  case recipe::Body::Launch:
    key.number(command.body_as_Launch()->kernel());
    break;
  case recipe::Body::Gemm:
    key.number(command.body_as_Gemm()->transpose_a());
    key.number(command.body_as_Gemm()->transpose_b());
    break;
  case recipe::Body::Attention:
    key.form(attentionForm(*command.body_as_Attention()));
    break;
  case recipe::Body::AttentionGrad:
    key.form(attentionForm(*command.body_as_AttentionGrad()));
    break;
  case recipe::Body::Library:
    key.text(text(command.body_as_Library()->name()));
    key.list(items(command.body_as_Library()->ints()));
    key.number(isInPlace(recipe, command));
    break;
  default:
    if (const auto conv = recipe::convolutionOf(command)) {
      key.number(int64_t(conv->kind));
      key.form(formOf(*conv));
    }
    break;
  }
  for (const auto *ids : {command.inputs(), command.outputs()}) {
    key.number(items(ids).size());
    for (uint32_t id : items(ids)) {
      const recipe::Tensor &tensor = *items(recipe.tensors())[id];
      key.number(int64_t(tensor.type()));
      key.list(items(tensor.sizes()));
      key.list(items(tensor.strides()));
    }
  }
  return key.bytes;
}

} // namespace gaudi::prediction
