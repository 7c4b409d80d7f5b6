// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of fusion, counts of their candidates, and the options that name them.
#include "Gaudi/Support/Fusions.h"

#include "CountTexts.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <unordered_map>

namespace gaudi {
namespace {

/// Reasons that a line tells before it only counts the rest.
constexpr size_t toldReasons = 3;

/// Missed candidates that have one reason.
struct Misses {
  std::string_view reason;
  std::string_view location; // of the first
  size_t order;              // of its first candidate among the reasons
  uint64_t count = 0;
};

std::string describe(const Misses &misses) {
  std::string text =
      misses.count == 1 ? "one" : fmt::format("{}", misses.count);
  if (!misses.location.empty())
    text += fmt::format(misses.count == 1 ? " at {}" : ", the first at {}",
                        printable(misses.location));
  if (!misses.reason.empty())
    text += ": " + printable(misses.reason);
  return text;
}

std::string lineOf(const FusionCount &count, std::string_view memberName,
                   std::vector<Misses> misses) {
  std::string line =
      fmt::format("{} {}/{}", count.title, count.fused, count.candidates);
  if (count.members && !memberName.empty())
    line += fmt::format(" ({} {})", count.members, memberName);
  std::sort(misses.begin(), misses.end(), [](const Misses &a, const Misses &b) {
    return a.count != b.count ? a.count > b.count : a.order < b.order;
  });
  uint64_t rest = 0;
  for (size_t i = 0; i < misses.size(); ++i) {
    if (i < toldReasons)
      line += (i ? "; " : ": ") + describe(misses[i]);
    else
      rest += misses[i].count;
  }
  if (rest)
    line += fmt::format("; {} for other reasons", rest);
  return line;
}

std::string listOf(const std::vector<std::string_view> &names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The parts between commas; none of an empty text.
std::vector<std::string_view> splitAtCommas(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    parts.push_back(text.substr(0, comma));
    const bool isLast = comma == text.size();
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (!isLast && text.empty())
      parts.push_back({}); // after a final comma
  }
  return parts;
}

} // namespace

const std::vector<FusionKind> &fusionKinds() {
  static const std::vector<FusionKind> kinds = {
      {"sdpa", "attention", ""},
      {"sdpa_grad", "attention gradient", ""},
      {"clip_norm", "clip norm", "gradients"},
      {"adamw", "adamw", "parameters"},
      {"sgd", "sgd", "parameters"},
      {"layer_norm", "layer norm", ""},
      {"layer_norm_grad", "layer norm gradient", ""},
      {"rms_norm", "rms norm", ""},
      {"rms_norm_grad", "rms norm gradient", ""},
      {"group_norm", "group norm", ""},
      {"instance_norm", "instance norm", ""},
      {"batch_norm", "batch norm", ""},
      {"softmax", "softmax", ""},
      {"log_softmax", "log softmax", ""},
      {"log_sum_exp", "log-sum-exp", ""},
      {"cross_entropy", "cross entropy", ""},
      {"gelu", "gelu", ""},
      {"quick_gelu", "quick gelu", ""},
      {"silu", "silu", ""},
      {"swiglu", "swiglu", ""},
      {"sigmoid", "sigmoid", ""},
      {"hard_swish", "hard swish", ""},
      {"hard_sigmoid", "hard sigmoid", ""},
      {"rope", "rope", ""},
      {"narrow_product", "narrow product", ""},
  };
  return kinds;
}

const FusionKind *findFusionKind(std::string_view name) {
  const std::vector<FusionKind> &kinds = fusionKinds();
  auto it = std::find_if(kinds.begin(), kinds.end(),
                         [&](const FusionKind &k) { return k.name == name; });
  return it == kinds.end() ? nullptr : &*it;
}

const std::vector<std::string_view> &disabledFusions() {
  static const std::vector<std::string_view> names = {
      "sdpa", "adamw", "sgd", "clip_norm", "batch_norm", "tpc"};
  return names;
}

std::string_view reasonOf(std::string_view text) {
  const size_t colon = text.find(": ");
  return colon == std::string_view::npos ? std::string_view()
                                         : text.substr(colon + 2);
}

std::vector<FusionCount>
countFusions(const std::vector<FusionOutcome> &outcomes) {
  // Recipes may name any number of kinds and reasons, so both are looked up.
  std::vector<FusionKind> kinds = fusionKinds();
  std::unordered_map<std::string_view, size_t> numberOf;
  for (size_t k = 0; k < kinds.size(); ++k)
    numberOf.emplace(kinds[k].name, k);
  std::vector<FusionCount> counts(kinds.size());
  std::vector<std::vector<Misses>> misses(kinds.size());
  std::map<std::pair<size_t, std::string_view>, size_t> missOf;
  for (const FusionOutcome &outcome : outcomes) {
    const auto [found, isNew] = numberOf.emplace(outcome.kind, kinds.size());
    const size_t k = found->second;
    if (isNew) {
      kinds.push_back({outcome.kind, outcome.kind, ""});
      counts.emplace_back();
      misses.emplace_back();
    }
    FusionCount &count = counts[k];
    ++count.candidates;
    if (outcome.fused) {
      ++count.fused;
      count.members += outcome.members;
      addSaturated(count.bytesSaved, outcome.bytesSaved);
      addSaturated(count.picosecondsSaved, outcome.picosecondsSaved);
      continue;
    }
    const std::string_view reason = reasonOf(outcome.text);
    // One count per kind and reason, with the first location.
    const auto [known, isFirst] =
        missOf.try_emplace({k, reason}, misses[k].size());
    if (isFirst)
      misses[k].push_back({reason, outcome.location, misses[k].size()});
    ++misses[k][known->second].count;
  }
  assert(counts.size() == kinds.size() && misses.size() == kinds.size() &&
         "one count per kind");
  std::vector<FusionCount> result;
  // Kinds in the order of the table; those without candidates say nothing.
  for (size_t k = 0; k < kinds.size(); ++k) {
    if (!counts[k].candidates)
      continue;
    counts[k].kind = kinds[k].name;
    counts[k].title = kinds[k].title;
    counts[k].line = lineOf(counts[k], kinds[k].members, std::move(misses[k]));
    result.push_back(std::move(counts[k]));
  }
  return result;
}

Result<std::vector<std::string>>
parseFusionNames(std::string_view text,
                 const std::vector<std::string_view> &known) {
  std::vector<std::string> names;
  for (const std::string_view name : splitAtCommas(text)) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      return fail("unknown fusion {}; {}expected some of {}{}", inQuotes(name),
                  meantAmong(name, {known.begin(), known.end()}), listOf(known),
                  commaAdvice(name));
    if (std::find(names.begin(), names.end(), name) != names.end())
      return fail("{} is given twice; give it once", inQuotes(name));
    names.emplace_back(name);
  }
  return names;
}

Result<std::vector<std::pair<std::string, uint64_t>>>
parseRequiredFusions(std::string_view text) {
  std::vector<std::pair<std::string, uint64_t>> required;
  std::vector<std::string_view> known;
  for (const FusionKind &kind : fusionKinds())
    known.push_back(kind.name);
  for (const std::string_view part : splitAtCommas(text)) {
    // "sdpa=12" is taken apart to say how it is written.
    const size_t colon = std::min(part.find_first_of(":="), part.size());
    const std::string name(part.substr(0, colon));
    uint64_t count = 0;
    const char *end = part.data() + part.size();
    const char *digits = part.data() + std::min(colon + 1, part.size());
    const auto [stop, error] = std::from_chars(digits, end, count);
    if (!findFusionKind(name))
      return fail("unknown kind of fusion {}; {}expected one of {}{}",
                  inQuotes(name),
                  meantAmong(name, {known.begin(), known.end()}), listOf(known),
                  commaAdvice(part));
    if (digits == end || stop != end || error != std::errc() ||
        part[colon] == '=')
      return fail("expected KIND:NUMBER, such as sdpa:12, but got {}{}",
                  inQuotes(part), commaAdvice(part));
    for (const auto &[other, unused] : required)
      if (other == name)
        return fail("{} is given twice; give it once", inQuotes(name));
    required.emplace_back(name, count);
  }
  return required;
}

} // namespace gaudi
