// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text form and accounting of attention commands.
#include "AttentionText.h"

#include "../Text/Format.h"
#include "Gaudi/Recipe/Attention.h"

#include <algorithm>
#include <cstring>

namespace gaudi::recipe {
namespace {

uint32_t bitsOf(float number) {
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  return bits;
}

float floatOf(uint32_t bits) {
  float number;
  std::memcpy(&number, &bits, sizeof(number));
  return number;
}

/// The optional tensors that the bits say are there. Bits without a name,
/// which the verifier refuses, print as numbers.
template <typename Names>
void printNames(TextWriter &out, const char *word, unsigned bits,
                const Names &names) {
  if (bits == 0)
    return;
  const char *separator = "";
  out.put(" {} [", word);
  for (unsigned bit = 0; bit < 16; ++bit) {
    if (!(bits >> bit & 1))
      continue;
    if (bit < names.size())
      out.put("{}{}", separator, names[bit]);
    else
      out.put("{}{}", separator, bit);
    separator = ", ";
  }
  out.put("]");
}

template <typename Names>
uint16_t parseNames(Lexer &lexer, const char *word, const Names &names) {
  if (!lexer.accept(word))
    return 0;
  uint16_t bits = 0;
  lexer.list("[", "]", [&] {
    const Token start = lexer.peek();
    if (start.kind == Token::Number) {
      bits |= uint16_t(1u << lexer.number(15));
      return;
    }
    const std::string_view name = lexer.word("name of a tensor");
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      lexer.error(start, "unknown tensor '{}'", name);
    else
      bits |= uint16_t(1u << (found - names.begin()));
  });
  return bits;
}

/// The fields after the optional tensors.
template <typename Body> void printFields(const Body &body, TextWriter &out) {
  out.put(" q {} k {} v {} o {}", quoted(text(body.query_layout())),
          quoted(text(body.key_layout())), quoted(text(body.value_layout())),
          quoted(text(body.output_layout())));
  out.put(" scale {}", float32Text(bitsOf(body.scale())));
  if (bitsOf(body.mask_value()) != 0xFF800000u)
    out.put(" mask_value {}", float32Text(bitsOf(body.mask_value())));
  if (bitsOf(body.dropout()) != 0)
    out.put(" dropout {}", float32Text(bitsOf(body.dropout())));
  if (body.window() != 0)
    out.put(" window {}", body.window());
  if (body.causal())
    out.put(" causal");
  if (body.padding_left())
    out.put(" padding_left");
  if (body.softmax_mode() != SoftmaxMode::Default)
    out.put(
        " softmax_mode {}",
        wordOf(body.softmax_mode(), EnumNamesSoftmaxMode(), SoftmaxMode::MAX));
  if (!items(body.slice()).empty())
    out.put(" slice [{}]", fmt::join(copyOf(body.slice()), ", "));
}

template <typename BodyT> void parseFields(Lexer &lexer, BodyT &body) {
  for (auto [word, layout] : {std::pair("q", &body.query_layout),
                              {"k", &body.key_layout},
                              {"v", &body.value_layout},
                              {"o", &body.output_layout}}) {
    lexer.expect(word);
    *layout = lexer.string();
  }
  lexer.expect("scale");
  body.scale = floatOf(lexer.float32());
  if (lexer.accept("mask_value"))
    body.mask_value = floatOf(lexer.float32());
  if (lexer.accept("dropout"))
    body.dropout = floatOf(lexer.float32());
  if (lexer.accept("window"))
    body.window = lexer.integer();
  body.causal = lexer.accept("causal");
  body.padding_left = lexer.accept("padding_left");
  if (lexer.accept("softmax_mode"))
    body.softmax_mode = lexer.enumerator(EnumNamesSoftmaxMode(),
                                         SoftmaxMode::MAX, "softmax mode");
  if (lexer.accept("slice"))
    body.slice = lexer.integers();
}

template <typename Body>
void accountFields(const Body &body, Account &account) {
  for (const auto *layout : {body.query_layout(), body.key_layout(),
                             body.value_layout(), body.output_layout()})
    account.take(layout);
  account.takeScalars(body.slice());
}

} // namespace

void accountAttention(const Command &command, Account &account) {
  accountFields(*command.body_as_Attention(), account);
}

void printAttention(const Command &command, TextWriter &out) {
  const Attention &body = *command.body_as_Attention();
  printNames(out, "with", body.operands(), attentionInputNames);
  printNames(out, "makes", body.results(), attentionOutputNames);
  printFields(body, out);
}

void parseAttention(Lexer &lexer, BodyUnion &body) {
  AttentionT attention;
  attention.operands = parseNames(lexer, "with", attentionInputNames);
  attention.results = parseNames(lexer, "makes", attentionOutputNames);
  parseFields(lexer, attention);
  body.Set(std::move(attention));
}

void accountAttentionGrad(const Command &command, Account &account) {
  accountFields(*command.body_as_AttentionGrad(), account);
}

void printAttentionGrad(const Command &command, TextWriter &out) {
  const AttentionGrad &body = *command.body_as_AttentionGrad();
  printNames(out, "with", body.operands(), attentionGradInputNames);
  printFields(body, out);
}

void parseAttentionGrad(Lexer &lexer, BodyUnion &body) {
  AttentionGradT grad;
  grad.operands = parseNames(lexer, "with", attentionGradInputNames);
  parseFields(lexer, grad);
  body.Set(std::move(grad));
}

} // namespace gaudi::recipe
