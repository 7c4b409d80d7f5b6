// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `attention`: scaled dot-product attention. `attention_grad`: its gradients
// with respect to query, key and value.
#include "CommandKind.h"

#include "Gaudi/Recipe/Attention.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <limits>

namespace gaudi::recipe {
namespace {

/// A tensor whose dimensions a layout names.
struct Named {
  const char *name;
  const TensorInfo &tensor;
  std::string_view layout;

  int64_t size(char letter) const {
    const size_t at = layout.find(letter);
    return at == std::string_view::npos ? 1 : tensor.window.sizes[at];
  }
};

bool isEightBit(ElementType type) {
  return type == ElementType::F8E4M3FN || type == ElementType::F8E5M2;
}

bool isWideFloat(ElementType type) {
  return isFloat(type) && !isEightBit(type);
}

/// What both commands say of the scores.
struct Problem {
  Named query, key, value;
  std::string_view outputLayout;
  int64_t batch, heads, queries, keys, depth, valueDepth;
  size_t rank;
  ElementType type;

  /// [N, Hq, L, last], without H for rank 3.
  kernel::Dims scores(int64_t last) const {
    return rank == 3 ? kernel::Dims{batch, queries, last}
                     : kernel::Dims{batch, heads, queries, last};
  }
  /// Sizes of the output, in its stored order.
  kernel::Dims output() const {
    kernel::Dims sizes;
    for (char letter : outputLayout)
      sizes.push_back(letter == 'D' ? valueDepth : query.size(letter));
    return sizes;
  }
};

Status checkLayout(const char *name, std::string_view layout, size_t rank) {
  const std::string_view letters = rank == 3 ? "NLD" : "NHLD";
  bool valid = layout.size() == rank;
  for (char letter : letters)
    valid = valid && layout.find(letter) != std::string_view::npos;
  if (!valid)
    return fail("layout of the {} is {}, expected the letters {} in any order",
                name, quoted(layout), letters);
  return {};
}

Status checkSizes(const Problem &p) {
  for (const Named *named : {&p.key, &p.value})
    if (named->tensor.type != p.type)
      return fail("takes tensors of one type but {} is {} and query {}",
                  named->name, elementName(named->tensor.type),
                  elementName(p.type));
  if (p.query.size('D') != p.depth)
    return fail("has {} elements per head in query but {} in key",
                p.query.size('D'), p.depth);
  if (p.value.size('L') != p.keys)
    return fail("has {} keys in key but {} in value", p.keys,
                p.value.size('L'));
  if (p.value.size('H') != p.key.size('H') || p.heads % p.key.size('H') != 0)
    return fail("has {} query heads, {} key heads and {} value heads, expected "
                "equal numbers of the last two that divide the first",
                p.heads, p.key.size('H'), p.value.size('H'));
  for (const Named *named : {&p.key, &p.value})
    if (named->size('N') != p.batch && named->size('N') != 1)
      return fail("{} has batch size {}, expected 1 or the {} of query",
                  named->name, named->size('N'), p.batch);
  // In double, as for Gemm: six sizes may not fit 64 bits.
  const double work = double(p.batch) * double(p.heads) * double(p.queries) *
                      double(p.keys) * (double(p.depth) + double(p.valueDepth));
  if (work > double(maxMatrixWork))
    return fail("needs {:.3g} multiply-adds, expected at most 2^50", work);
  return {};
}

/// Checks the first operands and the layouts; `first` is where query is.
template <typename Body>
Result<Problem> readProblem(const CommandView &view, const Body &body,
                            uint32_t first) {
  const TensorInfo &q = view.input(first), &k = view.input(first + 1),
                   &v = view.input(first + 2);
  const size_t rank = q.window.sizes.size();
  if ((rank != 3 && rank != 4) || k.window.sizes.size() != rank ||
      v.window.sizes.size() != rank)
    return fail("takes query, key and value of one rank of 3 or 4 but got {}, "
                "{} and {}",
                rank, k.window.sizes.size(), v.window.sizes.size());
  const Named query = {"query", q, text(body.query_layout())},
              key = {"key", k, text(body.key_layout())},
              value = {"value", v, text(body.value_layout())};
  for (const Named *named : {&query, &key, &value})
    GAUDI_TRY(checkLayout(named->name, named->layout, rank));
  GAUDI_TRY(checkLayout("output", text(body.output_layout()), rank));
  if (!isFloat(q.type))
    return fail("takes float tensors but query is {}", elementName(q.type));
  Problem problem = {query,
                     key,
                     value,
                     text(body.output_layout()),
                     query.size('N'),
                     query.size('H'),
                     query.size('L'),
                     key.size('L'),
                     key.size('D'),
                     value.size('D'),
                     rank,
                     q.type};
  GAUDI_TRY(checkSizes(problem));
  return problem;
}

/// The optional inputs of a command by name.
struct Optional {
  const CommandView &view;
  uint16_t bits;
  uint32_t fixed;

  template <typename Tensor> const TensorInfo *find(Tensor tensor) const {
    const auto position = positionOf(bits, tensor, fixed);
    return position ? &view.input(*position) : nullptr;
  }
};

template <typename Names>
Status checkCounts(const char *what, uint32_t count, unsigned bits,
                   const Names &names, uint32_t fixed) {
  if (bits >> names.size() != 0)
    return fail("has bits {:#x} of optional {}, expected at most {:#x}", bits,
                what, (1u << names.size()) - 1);
  if (count != fixed + std::bitset<16>(bits).count())
    return fail("has {} {}, expected {} and the {} of its bits {:#x}", count,
                what, fixed, std::bitset<16>(bits).count(), bits);
  return {};
}

Status checkTensor(const char *name, const TensorInfo *tensor, ElementType type,
                   const kernel::Dims &sizes) {
  if (!tensor || (tensor->type == type && tensor->window.sizes == sizes))
    return {};
  return fail("{} is {}[{}], expected {}[{}]", name, elementName(tensor->type),
              fmt::join(tensor->window.sizes, ","), elementName(type),
              fmt::join(sizes, ","));
}

Status checkOne(std::string_view name, const TensorInfo *tensor,
                ElementType type) {
  if (!tensor || (tensor->type == type && tensor->elements == 1))
    return {};
  return fail("{} is {}[{}], expected one {}", name, elementName(tensor->type),
              fmt::join(tensor->window.sizes, ","), elementName(type));
}

/// A tensor that repeats where it has size 1.
Status checkBroadcast(const char *name, const TensorInfo *tensor,
                      const Problem &p) {
  if (!tensor)
    return {};
  const kernel::Dims &sizes = tensor->window.sizes, scores = p.scores(p.keys);
  bool fits = sizes.size() == p.rank;
  for (size_t d = 0; fits && d < p.rank; ++d)
    fits = sizes[d] == scores[d] || sizes[d] == 1;
  if (!fits)
    return fail("{} is [{}], expected [{}] or 1 in its place", name,
                fmt::join(sizes, ","), fmt::join(scores, ","));
  return {};
}

/// Inputs of the scores and of dropout, wherever their bits are.
struct ScoreInputs {
  const TensorInfo *mask, *validLengths, *dropoutMask, *seed;
};

template <typename Body>
Status checkScores(const Problem &p, const Body &body, const ScoreInputs &in) {
  if (!std::isfinite(body.scale()))
    return fail("scale is {}, expected a number", body.scale());
  if (body.window() < 0)
    return fail("window is {}, expected 0 or more", body.window());
  if (body.softmax_mode() > SoftmaxMode::MAX)
    return fail("softmax mode is {}, expected at most {}",
                unsigned(body.softmax_mode()), unsigned(SoftmaxMode::MAX));
  GAUDI_TRY(checkBroadcast("mask", in.mask, p));
  if (in.mask && in.mask->type != ElementType::I1 &&
      !isWideFloat(in.mask->type))
    return fail("mask is {}, expected i1, f32, bf16 or f16",
                elementName(in.mask->type));
  const bool isDefault = std::isinf(body.mask_value()) && body.mask_value() < 0;
  if (!isDefault && !(std::isfinite(body.mask_value()) && in.mask &&
                      in.mask->type == ElementType::I1))
    return fail("mask value is {}, expected -inf, or a number and a mask of i1",
                body.mask_value());
  GAUDI_TRY(checkTensor("valid_lengths", in.validLengths, ElementType::I32,
                        {p.batch}));
  const auto slice = items(body.slice());
  if (!slice.empty() && (slice.size() != 2 || slice[0] < 1 || slice[1] < 1))
    return fail("slice is [{}], expected two numbers of 1 or more",
                fmt::join(copyOf(body.slice()), ", "));
  return {};
}

template <typename Body>
Status checkDropout(const Problem &p, const Body &body, const ScoreInputs &in) {
  if (!(body.dropout() >= 0 && body.dropout() < 1))
    return fail("dropout is {}, expected 0 or more, below 1", body.dropout());
  GAUDI_TRY(checkBroadcast("dropout_mask", in.dropoutMask, p));
  if (in.dropoutMask && in.dropoutMask->type != ElementType::I1 &&
      in.dropoutMask->type != ElementType::I8 &&
      in.dropoutMask->type != ElementType::U8 &&
      !isWideFloat(in.dropoutMask->type))
    return fail("dropout_mask is {}, expected i1, i8, u8, f32, bf16 or f16",
                elementName(in.dropoutMask->type));
  GAUDI_TRY(checkOne("seed", in.seed, ElementType::I32));
  const bool isSeeded = in.seed != nullptr;
  if (isSeeded ? body.dropout() == 0 || in.dropoutMask
               : body.dropout() > 0 && !in.dropoutMask)
    return fail("has dropout {} with {} and {}, expected a seed or a "
                "dropout_mask if it is not 0",
                body.dropout(), isSeeded ? "a seed" : "no seed",
                in.dropoutMask ? "a dropout_mask" : "no dropout_mask");
  return {};
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

Status checkScales(const Problem &p, const Optional &in) {
  for (unsigned bit = unsigned(AttentionInput::DScaleQ);
       bit < attentionInputNames.size(); ++bit) {
    const TensorInfo *scale = in.find(AttentionInput(bit));
    if (scale && !isEightBit(p.type))
      return fail("has {} for operands of {}, expected 8-bit floats",
                  attentionInputNames[bit], elementName(p.type));
    GAUDI_TRY(checkOne(attentionInputNames[bit], scale, ElementType::F32));
  }
  return {};
}

Status checkOutputs(const CommandView &view, const Problem &p,
                    const Attention &body) {
  const uint16_t bits = body.results();
  auto find = [&](AttentionOutput output) -> const TensorInfo * {
    const auto at = positionOf(bits, output, attentionFixedOutputs);
    return at ? &view.output(*at) : nullptr;
  };
  const bool isF8 = isEightBit(p.type);
  const bool isFast = body.softmax_mode() == SoftmaxMode::Fast;
  const bool hasOutputScale =
      body.operands() >> unsigned(AttentionInput::QScaleO) & 1;
  const ElementType wide = isF8 ? ElementType::BF16 : p.type;
  GAUDI_TRY(checkTensor("output", &view.output(0),
                        hasOutputScale ? p.type : wide, p.output()));
  const TensorInfo *m = find(AttentionOutput::Maxima),
                   *linv = find(AttentionOutput::InverseSums),
                   *saved = find(AttentionOutput::Probabilities);
  if (bool(m) != bool(linv) || (m && saved))
    return fail("makes {}, {} and {}, expected m and linv, or probabilities",
                m ? "m" : "no m", linv ? "linv" : "no linv",
                saved ? "probabilities" : "no probabilities");
  GAUDI_TRY(checkTensor("m", m, wide, p.scores(1)));
  const bool isNarrow = isF8 || (isFast && p.type == ElementType::BF16);
  GAUDI_TRY(checkTensor("linv", linv,
                        isNarrow ? ElementType::BF16 : ElementType::F32,
                        p.scores(1)));
  GAUDI_TRY(checkOne("the seed it makes", find(AttentionOutput::Seed),
                     ElementType::I32));
  if (find(AttentionOutput::Seed) &&
      !(body.operands() >> unsigned(AttentionInput::Seed) & 1))
    return fail("makes a seed but takes none");
  GAUDI_TRY(checkTensor("probabilities", saved, p.type, p.scores(p.keys)));
  const TensorInfo *kept = find(AttentionOutput::Kept);
  GAUDI_TRY(checkTensor("kept", kept, ElementType::I8, p.scores(p.keys)));
  if (bool(kept) != (saved && body.dropout() > 0))
    return fail("makes {} and {} with dropout {}, expected kept with "
                "probabilities if dropout is not 0",
                saved ? "probabilities" : "no probabilities",
                kept ? "kept" : "no kept", body.dropout());
  for (AttentionOutput amax :
       {AttentionOutput::AmaxS, AttentionOutput::AmaxO}) {
    const std::string_view name = attentionOutputNames[size_t(amax)];
    GAUDI_TRY(checkOne(name, find(amax), ElementType::F32));
    if (find(amax) && !isF8)
      return fail("makes {} of operands of {}, expected 8-bit floats", name,
                  elementName(p.type));
  }
  return {};
}

Status verify(const CommandView &view) {
  const Attention &body = *view.command.body_as_Attention();
  GAUDI_TRY(checkCounts("inputs", view.inputs.size(), body.operands(),
                        attentionInputNames, attentionFixedInputs));
  GAUDI_TRY(checkCounts("outputs", view.outputs.size(), body.results(),
                        attentionOutputNames, attentionFixedOutputs));
  const Problem problem = GAUDI_TRY(readProblem(view, body, 0));
  const Optional in = {view, body.operands(), attentionFixedInputs};
  const ScoreInputs scores = {
      in.find(AttentionInput::Mask), in.find(AttentionInput::ValidLengths),
      in.find(AttentionInput::DropoutMask), in.find(AttentionInput::Seed)};
  GAUDI_TRY(checkScores(problem, body, scores));
  GAUDI_TRY(checkDropout(problem, body, scores));
  GAUDI_TRY(checkScales(problem, in));
  return checkOutputs(view, problem, body);
}

//===----------------------------------------------------------------------===//
// AttentionGrad
//===----------------------------------------------------------------------===//

Status checkSaved(const Problem &p, const AttentionGrad &body,
                  const Optional &in, const ScoreInputs &scores) {
  const TensorInfo *m = in.find(AttentionGradInput::Maxima),
                   *linv = in.find(AttentionGradInput::InverseSums),
                   *saved = in.find(AttentionGradInput::Probabilities);
  if (bool(m) != bool(linv) || bool(m) == bool(saved))
    return fail("takes {}, {} and {}, expected m and linv, or probabilities",
                m ? "m" : "no m", linv ? "linv" : "no linv",
                saved ? "probabilities" : "no probabilities");
  if (saved && (scores.validLengths ||
                (scores.mask && scores.mask->type != ElementType::I1)))
    return fail("takes probabilities and {}, which they hold",
                scores.validLengths ? "valid_lengths" : "a mask of floats");
  GAUDI_TRY(checkTensor("m", m, p.type, p.scores(1)));
  const bool isNarrow = p.type == ElementType::BF16 &&
                        body.softmax_mode() == SoftmaxMode::Fast && linv &&
                        linv->type == ElementType::BF16;
  GAUDI_TRY(checkTensor("linv", linv,
                        isNarrow ? ElementType::BF16 : ElementType::F32,
                        p.scores(1)));
  return checkTensor("probabilities", saved, p.type, p.scores(p.keys));
}

Status verifyGrad(const CommandView &view) {
  const AttentionGrad &body = *view.command.body_as_AttentionGrad();
  GAUDI_TRY(checkCounts("inputs", view.inputs.size(), body.operands(),
                        attentionGradInputNames, attentionGradFixedInputs));
  if (view.outputs.size() != 3)
    return fail("has {} outputs, expected 3", view.outputs.size());
  const Problem problem = GAUDI_TRY(readProblem(view, body, 1));
  if (isEightBit(problem.type))
    return fail("takes operands of {}, expected f32, bf16 or f16",
                elementName(problem.type));
  const Optional in = {view, body.operands(), attentionGradFixedInputs};
  const ScoreInputs scores = {in.find(AttentionGradInput::Mask),
                              in.find(AttentionGradInput::ValidLengths),
                              in.find(AttentionGradInput::DropoutMask),
                              in.find(AttentionGradInput::Seed)};
  GAUDI_TRY(checkScores(problem, body, scores));
  GAUDI_TRY(checkDropout(problem, body, scores));
  GAUDI_TRY(checkTensor("the gradient of the output", &view.input(0),
                        problem.type, problem.output()));
  GAUDI_TRY(checkTensor("output", in.find(AttentionGradInput::Output),
                        problem.type, problem.output()));
  GAUDI_TRY(checkSaved(problem, body, in, scores));
  const Named *operands[] = {&problem.query, &problem.key, &problem.value};
  for (uint32_t i = 0; i < 3; ++i) {
    const TensorInfo &grad = view.output(i);
    if ((grad.type != problem.type && grad.type != ElementType::F32) ||
        grad.window.sizes != operands[i]->tensor.window.sizes)
      return fail("the gradient of the {} is {}[{}], expected [{}] of {}",
                  operands[i]->name, elementName(grad.type),
                  fmt::join(grad.window.sizes, ","),
                  fmt::join(operands[i]->tensor.window.sizes, ","),
                  problem.type == ElementType::F32
                      ? "f32"
                      : fmt::format("{} or f32", elementName(problem.type)));
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The optional tensors that the bits say are there. Bits without a name,
/// which the verifier refuses, print as numbers.
template <typename Names>
void describeNames(TextForm &text, const char *word, uint16_t &bits,
                   const Names &names) {
  if (!text.option(word, bits != 0))
    return;
  if (TextWriter *out = text.printed()) {
    std::vector<std::string> words;
    for (size_t bit = 0; bit < 16; ++bit)
      if (bits >> bit & 1)
        words.push_back(bit < names.size() ? std::string(names[bit])
                                           : fmt::format("{}", bit));
    return out->put(" [{}]", fmt::join(words, ", "));
  }
  Lexer &in = *text.parsed();
  in.list("[", "]", [&] {
    const Token start = in.peek();
    if (start.kind == Token::Number) {
      bits |= uint16_t(1u << in.number(15));
      return;
    }
    const std::string_view name = in.word("name of a tensor");
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      in.error(start, "unknown tensor '{}'", name);
    else
      bits |= uint16_t(1u << (found - names.begin()));
  });
}

/// The fields after the optional tensors.
template <typename BodyT> void describeFields(TextForm &text, BodyT &body) {
  text.named("q", body.query_layout);
  text.named("k", body.key_layout);
  text.named("v", body.value_layout);
  text.named("o", body.output_layout);
  text.named("scale", body.scale);
  text.optional("mask_value", body.mask_value,
                -std::numeric_limits<float>::infinity());
  text.optional("dropout", body.dropout);
  text.optional("window", body.window);
  body.causal = text.option("causal", body.causal);
  body.padding_left = text.option("padding_left", body.padding_left);
  if (text.option("softmax_mode", body.softmax_mode != SoftmaxMode::Default))
    text.field(body.softmax_mode, EnumNamesSoftmaxMode(), SoftmaxMode::MAX,
               "softmax mode");
  text.optional("slice", body.slice);
}

void describe(TextForm &text, AttentionT &attention) {
  describeNames(text, "with", attention.operands, attentionInputNames);
  describeNames(text, "makes", attention.results, attentionOutputNames);
  describeFields(text, attention);
}

void describe(TextForm &text, AttentionGradT &grad) {
  describeNames(text, "with", grad.operands, attentionGradInputNames);
  describeFields(text, grad);
}

constexpr uint64_t featureAttention = uint64_t(1) << 5;

} // namespace

static const CommandKind kinds[] = {
    {Body::Attention, engineSet(Engine::MME, Engine::Host), verify, nullptr,
     textOf<AttentionT, describe>, 3, featureAttention},
    {Body::AttentionGrad, engineSet(Engine::MME, Engine::Host), verifyGrad,
     nullptr, textOf<AttentionGradT, describe>, 3, featureAttention}};
extern const CommandKinds attentionCommands = kinds;

} // namespace gaudi::recipe
