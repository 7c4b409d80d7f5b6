// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands Attention and AttentionGrad of recipes: from operands in stored
// order to a problem with a stride per dimension.
#include "AttentionCommand.h"

#include "../Kernels/KernelChoice.h"
#include "AttentionTiling.h"

#include "Gaudi/Recipe/Attention.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/DeviceFormats.h"

#include <cassert>
#include <string_view>

namespace gaudi::runtime {

using recipe::AttentionGradInput;
using recipe::AttentionInput;
using recipe::AttentionOutput;
using recipe::ElementType;

namespace {

/// Canonical order of scores, masks and statistics; S is named L in layouts of
/// keys, D is the last dimension of the others.
constexpr std::string_view canonical(size_t rank) {
  return rank == 3 ? "NLD" : "NHLD";
}

int64_t sizeOf(const BoundTensor &tensor, std::string_view layout,
               char letter) {
  const size_t at = layout.find(letter);
  return at == std::string_view::npos ? 1 : tensor.layout.sizes[at];
}

/// Strides by name; 0 for dimensions of size 1, which are broadcast. Without
/// strides if only sizes are known.
AttentionTensor bound(const BoundTensor &tensor, std::string_view layout) {
  auto stride = [&](char letter) {
    const size_t at = layout.find(letter);
    return at == std::string_view::npos || tensor.layout.sizes[at] == 1 ||
                   tensor.layout.strides.empty()
               ? 0
               : tensor.layout.strides[at];
  };
  return {tensor.data, tensor.type, stride('N'),
          stride('H'), stride('L'), stride('D')};
}

/// The same for operands of which whole rows are read: a row of one element is
/// contiguous.
AttentionTensor rowsOf(const BoundTensor &tensor, std::string_view layout) {
  AttentionTensor result = bound(tensor, layout);
  if (sizeOf(tensor, layout, 'D') == 1)
    result.column = 1;
  return result;
}

/// What both commands say; query is input number `first`.
template <typename Body>
AttentionProblem readProblem(const Body &body, const BoundTensors &tensors,
                             size_t first) {
  const BoundTensor &q = tensors[first], &k = tensors[first + 1],
                    &v = tensors[first + 2];
  const std::string_view ql = recipe::text(body.query_layout()),
                         kl = recipe::text(body.key_layout()),
                         vl = recipe::text(body.value_layout());
  AttentionProblem p;
  p.images = sizeOf(q, ql, 'N');
  p.heads = sizeOf(q, ql, 'H');
  p.queries = sizeOf(q, ql, 'L');
  p.keyHeads = sizeOf(k, kl, 'H');
  p.keys = sizeOf(k, kl, 'L');
  p.depth = sizeOf(k, kl, 'D');
  p.valueDepth = sizeOf(v, vl, 'D');
  // Either of key and value may be one image for all of query.
  p.keyImages = std::max(sizeOf(k, kl, 'N'), sizeOf(v, vl, 'N'));
  assert(p.heads % p.keyHeads == 0 && p.images % p.keyImages == 0 &&
         "checked by the recipe verifier");
  p.query = rowsOf(q, ql);
  p.key = rowsOf(k, kl);
  p.value = rowsOf(v, vl);
  p.scale = body.scale();
  p.maskValue = body.mask_value();
  p.dropout = body.dropout();
  p.window = body.window();
  p.causal = body.causal();
  p.paddingLeft = body.padding_left();
  return p;
}

/// The optional tensors of a command, by name.
template <typename Name> struct Optional {
  const BoundTensors &tensors;
  uint16_t bits;
  size_t start; // of the list that `fixed` counts in
  uint32_t fixed;

  const BoundTensor *find(Name name) const {
    const auto position = recipe::positionOf(bits, name, fixed);
    return position ? &tensors[start + *position] : nullptr;
  }
  AttentionTensor tensor(Name name) const {
    const BoundTensor *found = find(name);
    return found ? bound(*found, canonical(found->layout.sizes.size()))
                 : AttentionTensor{};
  }
  uint8_t *data(Name name) const {
    const BoundTensor *found = find(name);
    return found ? found->data : nullptr;
  }
};

template <typename Name>
void readScores(const Optional<Name> &optional, AttentionProblem &p) {
  p.mask = optional.tensor(Name::Mask);
  p.dropoutMask = optional.tensor(Name::DropoutMask);
  p.seed = optional.data(Name::Seed);
  if (const BoundTensor *lengths = optional.find(Name::ValidLengths)) {
    p.lengths = lengths->data;
    p.lengthStride =
        lengths->layout.strides.empty() ? 1 : lengths->layout.strides[0];
  }
}

/// Outputs follow `inputs` inputs in `tensors`.
AttentionProblem forwardProblem(const recipe::Attention &body,
                                const BoundTensors &tensors, size_t inputs) {
  AttentionProblem p = readProblem(body, tensors, 0);
  const Optional<AttentionInput> in{tensors, body.operands(), 0,
                                    recipe::attentionFixedInputs};
  const Optional<AttentionOutput> out{tensors, body.results(), inputs,
                                      recipe::attentionFixedOutputs};
  readScores(in, p);
  p.queryScale.data = in.data(AttentionInput::DScaleQ);
  p.keyScale.data = in.data(AttentionInput::DScaleK);
  p.valueScale.data = in.data(AttentionInput::DScaleV);
  p.probabilityScale.data = in.data(AttentionInput::QScaleS);
  p.outputScale.data = in.data(AttentionInput::QScaleO);
  p.sumScale.data = in.data(AttentionInput::DScaleS);
  p.output = rowsOf(tensors[inputs], recipe::text(body.output_layout()));
  p.maxima = out.tensor(AttentionOutput::Maxima);
  p.inverseSums = out.tensor(AttentionOutput::InverseSums);
  p.probabilities = out.tensor(AttentionOutput::Probabilities);
  p.kept = out.tensor(AttentionOutput::Kept);
  p.seedResult = out.data(AttentionOutput::Seed);
  p.largestProbability = out.data(AttentionOutput::AmaxS);
  p.largestOutput = out.data(AttentionOutput::AmaxO);
  return p;
}

AttentionProblem gradProblem(const recipe::AttentionGrad &body,
                             const BoundTensors &tensors, size_t inputs) {
  AttentionProblem p = readProblem(body, tensors, 1);
  const Optional<AttentionGradInput> in{tensors, body.operands(), 0,
                                        recipe::attentionGradFixedInputs};
  readScores(in, p);
  const std::string_view layout = recipe::text(body.output_layout());
  p.outputGrad = rowsOf(tensors[0], layout);
  if (const BoundTensor *output = in.find(AttentionGradInput::Output))
    p.output = rowsOf(*output, layout);
  p.maxima = in.tensor(AttentionGradInput::Maxima);
  p.inverseSums = in.tensor(AttentionGradInput::InverseSums);
  p.probabilities = in.tensor(AttentionGradInput::Probabilities);
  p.queryGrad = rowsOf(tensors[inputs], recipe::text(body.query_layout()));
  p.keyGrad = rowsOf(tensors[inputs + 1], recipe::text(body.key_layout()));
  p.valueGrad = rowsOf(tensors[inputs + 2], recipe::text(body.value_layout()));
  return p;
}

/// Where a device saturates numbers of a type; infinity for wide types.
float largestOf(std::string_view device, ElementType type) {
  switch (type) {
  case ElementType::F8E4M3FN:
    return float(largestOn(device, formatF8E4M3FN));
  case ElementType::F8E5M2:
    return float(largestOn(device, formatF8E5M2));
  default:
    return std::numeric_limits<float>::infinity();
  }
}

BoundTensors together(const BoundTensors &in, const BoundTensors &out) {
  BoundTensors all = in;
  all.insert(all.end(), out.begin(), out.end());
  return all;
}

/// Staging in elements of four bytes, and lines that allocations are rounded
/// to.
uint64_t elementsOf(uint64_t bytes) { return bytes / sizeof(float) + 256; }

} // namespace

Prepared prepareAttention(const recipe::Command &command,
                          const BoundTensors &in, const BoundTensors &out,
                          PrepareContext &context) {
  AttentionProblem p = forwardProblem(*command.body_as_Attention(),
                                      together(in, out), in.size());
  p.largest = largestOf(context.target, p.query.type);
  assert((!p.kept || p.dropout > 0) && "checked by the recipe verifier");
  // Few queries are computed in f32 from operands of any type.
  const MicroKernel &wide = *GAUDI_TRY(attentionKernel(false));
  if (isThin(p, wide))
    return buildThinAttention(p, wide, context);
  return buildAttention(p, *GAUDI_TRY(attentionKernel(isNarrow(p.query.type))),
                        context);
}

Prepared prepareAttentionGrad(const recipe::Command &command,
                              const BoundTensors &in, const BoundTensors &out,
                              PrepareContext &context) {
  const AttentionProblem p = gradProblem(*command.body_as_AttentionGrad(),
                                         together(in, out), in.size());
  return buildAttentionGrad(
      p, *GAUDI_TRY(attentionKernel(isNarrow(p.query.type))), context);
}

uint64_t attentionStaging(const recipe::Command &command,
                          const BoundTensors &operands) {
  return elementsOf(attentionStaging(forwardProblem(
      *command.body_as_Attention(), operands, command.inputs()->size())));
}

uint64_t attentionGradStaging(const recipe::Command &command,
                              const BoundTensors &operands) {
  return elementsOf(attentionGradStaging(gradProblem(
      *command.body_as_AttentionGrad(), operands, command.inputs()->size())));
}

} // namespace gaudi::runtime
