// Commands of a recipe as work of the time model.
#include "CommandWork.h"
#include "Gaudi/Recipe/Attention.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Timing/Describe.h"

#include <cassert>

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
  std::vector<Operand> operands() const {
    std::vector<Operand> result;
    for (uint32_t id : items(command.inputs()))
      result.push_back(at(id));
    for (uint32_t id : items(command.outputs()))
      result.push_back(at(id));
    return result;
  }
  uint32_t inputCount() const { return items(command.inputs()).size(); }

private:
  Operand at(uint32_t id) const {
    return operandOf(*items(recipe.tensors())[id]);
  }

  const recipe::Recipe &recipe;
  const recipe::Command &command;
};

template <typename Body> ConvolutionForm formOf(const Body &conv) {
  return {text(conv.input_layout()),  text(conv.filter_layout()),
          text(conv.output_layout()), copyOf(conv.strides()),
          copyOf(conv.dilations()),   copyOf(conv.pad_low()),
          copyOf(conv.pad_high()),    int64_t(conv.groups())};
}

/// The transposed form of a convolution is its gradient by the input: what it
/// reads is the forward convolution's output.
MatrixWork convOf(const Reader &reader, const recipe::Conv &conv) {
  ConvolutionForm form = formOf(conv);
  if (conv.transposed())
    std::swap(form.xLayout, form.yLayout);
  return convolutionWork(conv.transposed() ? MatrixWork::Kind::ConvInputGrad
                                           : MatrixWork::Kind::Conv,
                         reader.input(0), reader.input(1), reader.output(0),
                         form);
}

/// The size of a dimension by letter; 1 for H of rank 3.
int64_t sizeOf(const Operand &tensor, std::string_view layout, char letter) {
  const size_t at = layout.find(letter);
  return at == std::string_view::npos ? 1 : tensor.sizes[at];
}

/// `keys` and `values` count the products over D and over Dv.
template <typename Body>
MatrixWork attentionOf(const Reader &reader, const Body &body, uint32_t first,
                       int64_t keys, int64_t values) {
  const Operand query = reader.input(first), key = reader.input(first + 1),
                value = reader.input(first + 2);
  const std::string_view layout = text(body.query_layout());
  return attentionProducts(
      query.type, sizeOf(query, layout, 'N') * sizeOf(query, layout, 'H'),
      sizeOf(query, layout, 'L'), sizeOf(key, text(body.key_layout()), 'L'),
      keys * sizeOf(query, layout, 'D') +
          values * sizeOf(value, text(body.value_layout()), 'D'));
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

  template <typename Body> void attention(const Body &body) {
    number(body.operands());
    for (const auto *layout : {body.query_layout(), body.key_layout(),
                               body.value_layout(), body.output_layout()})
      text(recipe::text(layout));
    number(body.dropout() > 0);
    number(body.window());
    number(body.causal());
    number(int64_t(body.softmax_mode()));
    list(items(body.slice()));
  }

  std::string bytes;
};

} // namespace

Work workOf(const recipe::Recipe &recipe, const recipe::Command &command) {
  const Reader reader(recipe, command);
  switch (command.body_type()) {
  case recipe::Body::Gemm:
    return gemmWork(reader.input(0), reader.input(1), reader.output(0),
                    command.body_as_Gemm()->transpose_a(),
                    command.body_as_Gemm()->transpose_b());
  case recipe::Body::Conv:
    return convOf(reader, *command.body_as_Conv());
  case recipe::Body::ConvWeightGrad:
    return convolutionWork(MatrixWork::Kind::ConvWeightGrad, reader.input(0),
                           reader.input(1), reader.output(0),
                           formOf(*command.body_as_ConvWeightGrad()));
  case recipe::Body::Attention:
    return attentionOf(reader, *command.body_as_Attention(), 0, 1, 1);
  case recipe::Body::AttentionGrad: {
    const recipe::AttentionGrad &grad = *command.body_as_AttentionGrad();
    const bool isSaved =
        grad.operands() >> unsigned(recipe::AttentionGradInput::Probabilities) &
        1;
    return attentionOf(reader, grad, 1, isSaved ? 2 : 3, 2);
  }
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
    return LibraryWork{std::string(text(library.name())), reader.operands(),
                       reader.inputCount(), copyOf(library.ints())};
  }
  case recipe::Body::NONE:
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
  case recipe::Body::Conv:
    key.number(command.body_as_Conv()->transposed());
    key.form(formOf(*command.body_as_Conv()));
    break;
  case recipe::Body::ConvWeightGrad:
    key.form(formOf(*command.body_as_ConvWeightGrad()));
    break;
  case recipe::Body::Attention:
    key.attention(*command.body_as_Attention());
    key.number(command.body_as_Attention()->results());
    break;
  case recipe::Body::AttentionGrad:
    key.attention(*command.body_as_AttentionGrad());
    break;
  case recipe::Body::Library:
    key.text(text(command.body_as_Library()->name()));
    key.list(items(command.body_as_Library()->ints()));
    break;
  case recipe::Body::Transfer:
  case recipe::Body::Fill:
  case recipe::Body::NONE:
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
