// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists of autocast.
#include "Gaudi/Support/Autocast.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"
#include "Gaudi/Support/TextFile.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <map>

namespace gaudi {
namespace {

// Names of which ATen has no op ("truediv") are what Python calls those that it
// has.
constexpr std::string_view lowerNames =
    "addmm addbmm batch_norm baddbmm bmm conv1d conv2d conv3d "
    "conv_transpose1d conv_transpose2d conv_transpose3d dot dropout "
    "feature_dropout group_norm instance_norm layer_norm leaky_relu linear "
    "matmul mean mm mul mv softmax log_softmax scaled_dot_product_attention";
constexpr std::string_view floatNames =
    "acos addcdiv asin atan2 bilinear binary_cross_entropy "
    "binary_cross_entropy_with_logits cdist cosh cosine_embedding_loss "
    "cosine_similarity cross_entropy_loss dist div divide embedding "
    "embedding_bag erfinv exp expm1 hinge_embedding_loss huber_loss kl_div "
    "l1_loss log log10 log1p log2 logsumexp margin_ranking_loss mse_loss "
    "multi_margin_loss multilabel_margin_loss nll_loss pdist "
    "poisson_nll_loss pow reciprocal renorm rsqrt sinh smooth_l1_loss "
    "soft_margin_loss softplus tan topk triplet_margin_loss truediv "
    "true_divide";
constexpr std::string_view eightBitNames =
    "addmm addbmm baddbmm bmm conv1d conv2d conv3d conv_transpose1d "
    "conv_transpose2d conv_transpose3d convolution_backward dot linear matmul "
    "mm mv";
constexpr std::string_view widestNames =
    "add addcmul addcdiv cat div exp mul pow sub iadd truediv stack";

/// The words of a text between characters of `separators`.
AutocastLists::Names split(std::string_view text, std::string_view separators) {
  AutocastLists::Names names;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_not_of(separators, at);
    if (begin == text.npos)
      break;
    at = std::min(text.find_first_of(separators, begin), text.size());
    names.emplace(text.substr(begin, at - begin));
  }
  return names;
}

/// "layernorm" of "nn.LayerNorm", "aten::layer_norm".
std::string lettersOf(std::string_view name) {
  name.remove_prefix(name.find_last_of(".:") + 1); // npos + 1 is 0
  std::string letters;
  for (const char c : name)
    if (c != '_')
      letters += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return letters;
}

/// The name of the lists of this file that `name` spells in another way, such
/// as a module's; else "".
std::string spelledElsewhere(std::string_view name) {
  for (const std::string_view list : {lowerNames, floatNames, widestNames})
    for (const std::string &known : split(list, " "))
      if (lettersOf(known) == lettersOf(name))
        return known;
  return "";
}

Result<AutocastLists::Names> namesIn(const std::string &path) {
  const std::string text =
      GAUDI_TRY(readTextFile(path, "a text file with an op on each line"));
  AutocastLists::Names names = split(text, " \t\r\n");
  for (const std::string &name : names) {
    const std::string known = spelledElsewhere(name);
    const bool isOp =
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
            name.npos &&
        (known.empty() || name.back() == '_' || name[0] == '_');
    if (isOp || name == known)
      continue;
    const auto at = text.begin() + std::ptrdiff_t(text.find(name));
    return fail(
        "{}:{}: {} is no name of an op, as autocast has them: lower case, "
        "without a module or a namespace; write {}",
        printable(path), 1 + std::count(text.begin(), at, '\n'), inQuotes(name),
        known.empty() ? "names such as layer_norm" : known);
  }
  return names;
}

} // namespace

AutocastLists::AutocastLists()
    : lists{split(lowerNames, " "), split(floatNames, " "),
            split(widestNames, " ")} {}

Status AutocastLists::read(AutocastRule rule, const std::string &path) {
  lists[size_t(rule)] = GAUDI_TRY(namesIn(path));
  return {};
}

AutocastRule AutocastLists::ruleOf(std::string_view name) const {
  size_t rule = 0;
  while (rule != lists.size() && lists[rule].find(name) == lists[rule].end())
    ++rule;
  return AutocastRule(rule);
}

EightBitsSetting::EightBitsSetting() : names(split(eightBitNames, " ")) {}

/// Reads "key=value".
static Status readPart(std::string_view part, AutocastSetting &setting) {
  const size_t equals = std::min(part.find('='), part.size());
  const std::string_view key = part.substr(0, equals);
  const std::string value(part.substr(std::min(equals + 1, part.size())));
  std::optional<EightBitsSetting> &eightBits = setting.eightBits;
  if (equals != part.size()) {
    if (key == "lower")
      return setting.lists.read(AutocastRule::Lower, value);
    if (key == "fp32")
      return setting.lists.read(AutocastRule::Float, value);
    if (key == "fp8" && eightBits) {
      eightBits->names = GAUDI_TRY(namesIn(value));
      return {};
    }
    if (key == "format" && eightBits) {
      eightBits->isHybrid = value == "hybrid";
      return eightBits->isHybrid || value == "e4m3"
                 ? Status()
                 : fail("expected format=hybrid or format=e4m3 but got {}",
                        inQuotes(part));
    }
    if (key == "margin" && eightBits) {
      const auto [end, error] = std::from_chars(
          value.data(), value.data() + value.size(), eightBits->margin);
      return error == std::errc() && end == value.data() + value.size() &&
                     std::abs(eightBits->margin) <= 16
                 ? Status()
                 : fail("expected a whole margin from -16 to 16 but got {}",
                        inQuotes(part));
    }
  }
  return fail("expected lower=FILE{} fp32=FILE{} after the type but got {}",
              eightBits ? "," : " or",
              eightBits ? ", fp8=FILE, format=FORMAT or margin=N" : "",
              inQuotes(part));
}

/// "; did you mean f16?" of "float16", "fp16"; else "".
static std::string meantByType(std::string type) {
  std::transform(type.begin(), type.end(), type.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  const std::string ours = elementNameOf(type, "u").value_or("");
  for (const std::string known : {"bf16", "f16", "f32", "fp8"})
    if (ours == known || type == known)
      return "; did you mean " + known + "?";
  return type.rfind("f8", 0) == 0 || ours.rfind("f8", 0) == 0
             ? "; did you mean fp8?"
             : "";
}

Result<AutocastSetting> parseAutocast(std::string_view text) {
  AutocastSetting setting;
  size_t end = std::min(text.find(':'), text.size());
  setting.type = text.substr(0, end);
  if (setting.type == "fp8") {
    setting.type = "bf16";
    setting.eightBits.emplace();
  }
  if (setting.type != "bf16" && setting.type != "f16" &&
      setting.type != "f32") {
    // "bf16,lower=FILE".
    const size_t comma = setting.type.find_first_of(", ");
    std::string advice = meantByType(setting.type);
    if (comma != setting.type.npos && text.find('=') != text.npos)
      advice =
          "; files follow a colon: " + std::string(text).replace(comma, 1, ":");
    return fail("expected bf16, f16, f32 or fp8 but got {}{}",
                inQuotes(setting.type), advice);
  }
  while (end != text.size()) {
    text.remove_prefix(end + 1);
    end = std::min(text.find(':'), text.size());
    GAUDI_TRY(readPart(text.substr(0, end), setting));
  }
  return setting;
}

std::string autocastName(std::string_view op, size_t spatialRank) {
  if (const size_t first = op.find('.'); first != op.npos) {
    op.remove_prefix(first + 1);
    op = op.substr(0, op.find('.'));
  }
  // What a call in Python becomes in graphs of ATen's ops.
  static const std::map<std::string_view, std::string_view> names = {
      {"_softmax", "softmax"},
      {"_log_softmax", "log_softmax"},
      {"_safe_softmax", "softmax"},
      {"special_softmax", "softmax"},
      {"special_log_softmax", "log_softmax"},
      {"native_layer_norm", "layer_norm"},
      {"native_group_norm", "group_norm"},
      {"native_batch_norm", "batch_norm"},
      {"cudnn_batch_norm", "batch_norm"},
      {"_native_batch_norm_legit", "batch_norm"},
      {"_native_batch_norm_legit_functional", "batch_norm"},
      {"_native_batch_norm_legit_no_training", "batch_norm"},
      {"native_dropout", "dropout"},
      {"nll_loss_forward", "nll_loss"},
      {"nll_loss2d_forward", "nll_loss"},
      {"_cdist_forward", "cdist"},
      {"_embedding_bag", "embedding_bag"},
      {"_embedding_bag_forward_only", "embedding_bag"},
      {"_scaled_dot_product_attention_math", "scaled_dot_product_attention"},
      {"_scaled_dot_product_flash_attention", "scaled_dot_product_attention"},
      {"_scaled_dot_product_flash_attention_for_cpu",
       "scaled_dot_product_attention"},
      {"_scaled_dot_product_efficient_attention",
       "scaled_dot_product_attention"},
      {"_scaled_dot_product_fused_attention_overrideable",
       "scaled_dot_product_attention"}};
  if (auto found = names.find(op); found != names.end())
    return std::string(found->second);
  if (op == "convolution" || op == "_convolution" || op == "conv" ||
      op == "convolution_overrideable")
    return "conv" + std::to_string(spatialRank) + "d";
  return std::string(op);
}

bool autocastsFirstOnly(std::string_view name) {
  if (const size_t scope = name.rfind(':'); scope != name.npos)
    name.remove_prefix(scope + 1);
  return name == "batch_norm" || name == "group_norm" ||
         name == "instance_norm" || name == "layer_norm";
}

} // namespace gaudi
