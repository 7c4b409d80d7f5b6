// Commands of a recipe as work of the time model.
#include "CommandWork.h"
#include "Gaudi/Recipe/Views.h"

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

MatrixWork gemmOf(const Reader &reader, const recipe::Gemm &gemm) {
  MatrixWork work;
  work.a = reader.input(0);
  work.b = reader.input(1);
  work.c = reader.output(0);
  work.transposeA = gemm.transpose_a();
  work.transposeB = gemm.transpose_b();
  const size_t rank = work.c.sizes.size();
  work.m = work.c.sizes[rank - 2];
  work.n = work.c.sizes[rank - 1];
  work.k = work.a.sizes[rank - (work.transposeA ? 2 : 1)];
  work.batch.assign(work.c.sizes.begin(), work.c.sizes.end() - 2);
  const auto lacks = [&](const Operand &operand) {
    bool any = false;
    for (size_t d = 0; d < work.batch.size(); ++d)
      any |= operand.sizes[d] != work.batch[d];
    return any;
  };
  work.broadcastA = lacks(work.a);
  work.broadcastB = lacks(work.b);
  return work;
}

/// `x`, `w` and `y` are those of the forward convolution.
template <typename Body>
void setConvolution(MatrixWork &work, const Body &conv, const Operand &x,
                    const Operand &w, const Operand &y,
                    std::string_view xLayout, std::string_view yLayout) {
  const std::string_view wLayout = text(conv.filter_layout());
  work.images = x.sizes[xLayout.find('N')];
  work.inputChannels = x.sizes[xLayout.find('C')];
  work.outputChannels = w.sizes[wLayout.find('O')];
  work.groups = conv.groups();
  const size_t rank = x.sizes.size() - 2;
  for (size_t s = 0; s < rank; ++s) {
    const char letter = "DHW"[3 - rank + s];
    work.spatial.push_back(
        {x.sizes[xLayout.find(letter)], y.sizes[yLayout.find(letter)],
         w.sizes[wLayout.find(letter)], items(conv.strides())[s],
         items(conv.dilations())[s], items(conv.pad_low())[s],
         items(conv.pad_high())[s]});
  }
}

MatrixWork convOf(const Reader &reader, const recipe::Conv &conv) {
  MatrixWork work;
  work.a = reader.input(0);
  work.b = reader.input(1);
  work.c = reader.output(0);
  const std::string_view in = text(conv.input_layout()),
                         out = text(conv.output_layout());
  work.kind = conv.transposed() ? MatrixWork::Kind::ConvInputGrad
                                : MatrixWork::Kind::Conv;
  if (conv.transposed())
    setConvolution(work, conv, work.c, work.b, work.a, out, in);
  else
    setConvolution(work, conv, work.a, work.b, work.c, in, out);
  return work;
}

MatrixWork weightGradOf(const Reader &reader,
                        const recipe::ConvWeightGrad &conv) {
  MatrixWork work;
  work.kind = MatrixWork::Kind::ConvWeightGrad;
  work.a = reader.input(0);
  work.b = reader.input(1);
  work.c = reader.output(0);
  setConvolution(work, conv, work.a, work.c, work.b, text(conv.input_layout()),
                 text(conv.output_layout()));
  return work;
}

TransferWork::Engine moverOf(const recipe::Command &command) {
  return command.engine() == recipe::Engine::TPC   ? TransferWork::Engine::Tpc
         : command.engine() == recipe::Engine::MME ? TransferWork::Engine::Mme
                                                   : TransferWork::Engine::Dma;
}

} // namespace

Work workOf(const recipe::Recipe &recipe, const recipe::Command &command) {
  const Reader reader(recipe, command);
  switch (command.body_type()) {
  case recipe::Body::Gemm:
    return gemmOf(reader, *command.body_as_Gemm());
  case recipe::Body::Conv:
    return convOf(reader, *command.body_as_Conv());
  case recipe::Body::ConvWeightGrad:
    return weightGradOf(reader, *command.body_as_ConvWeightGrad());
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

} // namespace gaudi::prediction
