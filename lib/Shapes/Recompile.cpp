// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares signatures.
#include "Gaudi/Shapes/Recompile.h"

#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "SizePairs.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

using namespace gaudi;
using namespace gaudi::shapes;

const char *gaudi::shapes::causeName(Cause cause) {
  switch (cause) {
  case Cause::Device:
    return "device";
  case Cause::Compiler:
    return "compiler";
  case Cause::Option:
    return "option";
  case Cause::Signature:
    return "signature";
  case Cause::ElementType:
    return "element type";
  case Cause::Rank:
    return "rank";
  case Cause::Op:
    return "op";
  case Cause::Dimension:
    return "dimension";
  case Cause::Constant:
    return "constant";
  }
  return "";
}

std::string gaudi::shapes::typeText(std::string_view element,
                                    const Sizes &sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (size == dynamicSize ? "?" : std::to_string(size)) + "x";
  return text + printable(element);
}

std::string Difference::text() const {
  std::string text = sentence.empty()
                         ? fmt::format("{} is {}, was {}", subject, is, was)
                         : sentence;
  std::vector<std::string> followers;
  if (dimensions)
    followers.push_back(countOf(dimensions, "other dimension"));
  if (constants)
    followers.push_back(countOf(constants, "constant"));
  if (!followers.empty())
    text += fmt::format("; {} follow{} from it", fmt::join(followers, " and "),
                        dimensions + constants == 1 ? "s" : "");
  return text;
}

namespace {
std::string at(const std::string &location) {
  return location.empty() ? "" : " (" + printable(location) + ")";
}

/// The text of a field with its sizes.
std::string filled(const Signature::Field &field) {
  std::string text;
  size_t next = 0;
  for (char c : field.text)
    if (c == sizeMark && next < field.sizes.size()) {
      const int64_t size = field.sizes[next++];
      text += size == dynamicSize ? "?" : std::to_string(size);
    } else {
      text += c;
    }
  return printable(text);
}

std::string valueText(double value) { return fmt::format("{}", value); }

class Comparison {
public:
  Comparison(const Signature &was, const Signature &is) : was(was), is(is) {}

  std::vector<Difference> run() {
    compareText(Cause::Device, "the device", was.device, is.device);
    compareText(Cause::Compiler, "the compiler", was.compiler, is.compiler);
    compareOptions();
    compareCounts();
    const size_t before = found.size();
    // Other inputs have other numbers: pairs would say nothing.
    if (was.inputs.size() == is.inputs.size())
      compareInputs();
    compareValues();
    // Ops and constants follow from the types of inputs.
    const bool hasOtherTypes =
        was.inputs.size() != is.inputs.size() ||
        std::any_of(found.begin() + ptrdiff_t(before), found.end(),
                    [](const Difference &difference) {
                      return difference.cause != Cause::Dimension;
                    });
    if (!hasOtherTypes) {
      compareConstants();
      compareOps();
    }
    if (firstDimension)
      found[*firstDimension].constants = followingConstants;
    return inOrder();
  }

private:
  /// By cause, and of one cause as they were found. Ops may follow from a
  /// dimension whose size means something elsewhere.
  std::vector<Difference> inOrder() {
    std::vector<size_t> order(found.size());
    std::iota(order.begin(), order.end(), size_t(0));
    // Exporters leave out what one element does not need, and share or leave
    // out ops where two sizes are equal.
    const auto rankOf = [&](size_t number) {
      const Cause cause = found[number].cause;
      const bool isLate = cause == Cause::Op && mayMoveOps;
      return std::tuple(isLate ? Cause::Dimension : cause, isLate, number);
    };
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return rankOf(a) < rankOf(b); });
    std::vector<Difference> sorted;
    for (size_t number : order)
      sorted.push_back(std::move(found[number]));
    return sorted;
  }

  void add(Cause cause, std::string subject, std::string now, std::string then,
           std::string sentence = "") {
    Difference difference;
    difference.cause = cause;
    difference.subject = std::move(subject);
    difference.is = std::move(now);
    difference.was = std::move(then);
    difference.sentence = std::move(sentence);
    found.push_back(std::move(difference));
  }

  void compareText(Cause cause, const std::string &subject,
                   const std::string &then, const std::string &now) {
    if (then != now)
      add(cause, subject, printable(now), printable(then));
  }

  void compareOptions() {
    std::map<std::string, std::pair<std::string, std::string>> values;
    for (const auto &[name, value] : was.options)
      values[name].first = value;
    for (const auto &[name, value] : is.options)
      values[name].second = value;
    const auto shown = [](const std::string &value) {
      return value.empty() ? "not given" : printable(value);
    };
    for (const auto &[name, value] : values)
      if (value.first != value.second)
        add(Cause::Option, printable(name), shown(value.second),
            shown(value.first));
  }

  void compareCounts() {
    if (was.inputs.size() != is.inputs.size())
      add(Cause::Signature, "the number of inputs",
          std::to_string(is.inputs.size()) + newInputs(),
          std::to_string(was.inputs.size()));
    if (was.outputs != is.outputs)
      add(Cause::Signature, "the number of outputs", std::to_string(is.outputs),
          std::to_string(was.outputs));
  }

  /// " ('mask' is new)".
  std::string newInputs() const {
    std::set<std::string> known;
    for (const Signature::Input &input : was.inputs)
      known.insert(input.name);
    std::vector<std::string> names;
    for (const Signature::Input &input : is.inputs)
      if (!known.count(input.name))
        names.push_back(inQuotes(input.name));
    if (names.empty() || is.inputs.size() < was.inputs.size())
      return "";
    return fmt::format(" ({} {} new)", fmt::join(names, ", "),
                       names.size() == 1 ? "is" : "are");
  }

  void compareInputs() {
    for (size_t i = 0; i < is.inputs.size(); ++i) {
      const Signature::Input &then = was.inputs[i], &now = is.inputs[i];
      const std::string name = "input " + inQuotes(now.name);
      if (then.attributes != now.attributes)
        add(Cause::Option, "what the model says of " + name,
            printable(now.attributes), printable(then.attributes));
      if (then.element != now.element)
        add(Cause::ElementType, "the element type of " + name,
            printable(now.element), printable(then.element));
      if (then.sizes.size() != now.sizes.size()) {
        add(Cause::Rank, "the rank of " + name,
            fmt::format("{} ({})", now.sizes.size(),
                        typeText(now.element, now.sizes)),
            fmt::format("{} ({})", then.sizes.size(),
                        typeText(then.element, then.sizes)));
        continue;
      }
      for (size_t d = 0; d < now.sizes.size(); ++d)
        compareDimension(i, d, {then.sizes[d], now.sizes[d]});
    }
  }

  void compareDimension(size_t input, size_t dimension, SizePair pair) {
    if (pair.was == pair.is)
      return;
    // Follows from a change that is listed: one symbol explains both.
    if (const auto tied = sizes.tie(pair)) {
      ++found[sourceOf[*tied]].dimensions;
      return;
    }
    const auto shown = [](int64_t size) {
      return size == dynamicSize ? "dynamic" : std::to_string(size);
    };
    sizes.add(pair);
    mayMoveOps |= pair.was == 1 || pair.is == 1 || hasSize(is, pair.was) ||
                  hasSize(was, pair.is);
    sourceOf.push_back(found.size());
    if (!firstDimension)
      firstDimension = found.size();
    add(Cause::Dimension,
        fmt::format("dimension {} of input {}", dimension,
                    inQuotes(is.inputs[input].name)),
        shown(pair.is), shown(pair.was));
    found.back().input = input;
    found.back().dimension = dimension;
  }

  /// Whether a size is that of another dimension, in an op or an input.
  static bool hasSize(const Signature &side, int64_t size) {
    const auto has = [&](const auto &sizes) {
      return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
    };
    for (const Signature::Input &input : side.inputs)
      if (has(input.sizes))
        return true;
    for (const Signature::Op &op : side.ops)
      for (const Signature::Field &field : op.fields)
        if (has(field.sizes))
          return true;
    return false;
  }

  void compareValues() {
    const auto isSize = [](const std::string &value) {
      return !value.empty() &&
             value.find_first_not_of("0123456789") == std::string::npos;
    };
    for (size_t i = 0; i < std::min(was.values.size(), is.values.size()); ++i) {
      const auto &[name, now] = is.values[i];
      const std::string &then = was.values[i].second;
      if (then == now)
        continue;
      const bool areSizes = isSize(then) && isSize(now);
      add(areSizes ? Cause::Dimension : Cause::Constant, inQuotes(name),
          printable(now), printable(then));
      found.back().isNamed = true;
    }
  }

  // --- constants ------------------------------------------------------------

  void compareConstants() {
    // Numbers say which ones to compare; otherwise ops differ, too.
    if (was.constants.size() != is.constants.size()) {
      if (was.ops.empty() && is.ops.empty())
        add(Cause::Constant, "the number of constants",
            std::to_string(is.constants.size()),
            std::to_string(was.constants.size()));
      return;
    }
    addDerivedSizes();
    for (size_t i = 0; i < is.constants.size(); ++i) {
      const Signature::Constant &then = was.constants[i],
                                &now = is.constants[i];
      if (isSame(then, now))
        continue;
      if (follows(then, now)) {
        ++followingConstants;
        continue;
      }
      add(Cause::Constant, nameOf(i), "", "");
      describe(found.back(), then, now);
      addSizes(then, now);
    }
  }

  /// Sizes inside the model that follow from those of its inputs.
  void addDerivedSizes() {
    if (sourceOf.empty() || was.ops.size() != is.ops.size())
      return;
    for (size_t i = 0; i < is.ops.size(); ++i)
      for (size_t f = 0;
           f < std::min(was.ops[i].fields.size(), is.ops[i].fields.size());
           ++f) {
        const auto &then = was.ops[i].fields[f].sizes,
                   &now = is.ops[i].fields[f].sizes;
        for (size_t s = 0; s < std::min(then.size(), now.size()); ++s)
          if (then[s] != now[s] && sizes.explain(SizePair{then[s], now[s]}))
            sizes.addDerived({then[s], now[s]});
      }
  }

  /// Types of ops follow from the shape of a constant, and from its values if
  /// it is a shape.
  void addSizes(const Signature::Constant &then,
                const Signature::Constant &now) {
    const auto add = [&](SizePair pair) {
      if (!sizes.explain(pair))
        sizes.add(pair);
    };
    if (then.sizes.size() == now.sizes.size())
      for (size_t d = 0; d < now.sizes.size(); ++d)
        add({then.sizes[d], now.sizes[d]});
    const bool isShape =
        now.element == "i64" || now.element == "i32" || now.element == "index";
    constexpr double largest = 0x1p52;
    if (isShape && then.values.size() == now.values.size())
      for (size_t v = 0; v < now.values.size(); ++v)
        if (std::abs(then.values[v]) < largest &&
            std::abs(now.values[v]) < largest)
          add({int64_t(then.values[v]), int64_t(now.values[v])});
  }

  static bool isSame(const Signature::Constant &then,
                     const Signature::Constant &now) {
    return then.hash == now.hash && then.element == now.element &&
           then.sizes == now.sizes && then.values.size() == now.values.size();
  }

  bool follows(const Signature::Constant &then,
               const Signature::Constant &now) const {
    if (!firstDimension || then.element != now.element ||
        then.sizes.size() != now.sizes.size())
      return false;
    for (size_t d = 0; d < now.sizes.size(); ++d)
      if (!sizes.explain(SizePair{then.sizes[d], now.sizes[d]}))
        return false;
    // Of another shape it has other values, unless they are all equal.
    if (then.sizes != now.sizes &&
        (then.values.size() != 1 || now.values.size() != 1))
      return true;
    if (then.values.empty() || then.values.size() != now.values.size())
      return false;
    for (size_t v = 0; v < now.values.size(); ++v)
      if (!sizes.explain(then.values[v], now.values[v], precision(now.element)))
        return false;
    return true;
  }

  /// The relative error of a rounded number.
  static double precision(const std::string &element) {
    if (element == "f64")
      return 1e-12;
    if (element == "bf16" || element.substr(0, 2) == "f8")
      return 1e-2;
    return element == "f16" ? 1e-3 : 1e-6;
  }

  std::string nameOf(size_t constant) const {
    const Signature::Constant &now = is.constants[constant];
    if (!now.name.empty())
      return "constant " + inQuotes(now.name) + at(now.location);
    if (!now.location.empty())
      return "the constant at " + printable(now.location);
    return fmt::format("constant {} of {}", constant, is.constants.size());
  }

  static void describe(Difference &difference, const Signature::Constant &then,
                       const Signature::Constant &now) {
    const auto typeOf = [](const Signature::Constant &constant) {
      return typeText(constant.element, constant.sizes);
    };
    if (typeOf(then) != typeOf(now)) {
      difference.is = typeOf(now);
      difference.was = typeOf(then);
      return;
    }
    const size_t count = std::min(then.values.size(), now.values.size());
    size_t differing = 0;
    while (differing < count && then.values[differing] == now.values[differing])
      ++differing;
    if (then.values.size() != now.values.size() || differing == count) {
      difference.is = "other values";
      difference.sentence = difference.subject + " has other values";
      return;
    }
    difference.is = valueText(now.values[differing]);
    difference.was = valueText(then.values[differing]);
    if (count > 1)
      difference.sentence =
          fmt::format("element {} of {} is {}, was {}", differing,
                      difference.subject, difference.is, difference.was);
  }

  // --- ops ------------------------------------------------------------------

  /// The first that differs; those after it may follow from it.
  void compareOps() {
    const size_t count = std::min(was.ops.size(), is.ops.size());
    for (size_t i = 0; i < count; ++i)
      if (compareOp(was.ops[i], is.ops[i]))
        return;
    if (was.ops.size() == is.ops.size())
      return;
    const bool isLonger = is.ops.size() > count;
    const Signature::Op &op = isLonger ? is.ops[count] : was.ops[count];
    const std::string subject = "op " + inQuotes(op.name) + at(op.location);
    add(Cause::Op, subject, isLonger ? "there" : "gone", "",
        fmt::format("{} is {}", subject, isLonger ? "new" : "gone"));
  }

  bool compareOp(const Signature::Op &then, const Signature::Op &now) {
    // Another op: its fields say nothing more.
    if (then.name != now.name) {
      add(Cause::Op, "the ops", printable(now.name), printable(then.name),
          fmt::format("op {}{} is where {}{} was", inQuotes(now.name),
                      at(now.location), inQuotes(then.name),
                      at(then.location)));
      return true;
    }
    const std::string subject = "op " + inQuotes(now.name) + at(now.location);
    for (size_t f = 0; f < std::max(then.fields.size(), now.fields.size());
         ++f) {
      // Fields are written in a fixed order; a label that differs is a field
      // that one of the two lacks.
      if (f >= then.fields.size() || f >= now.fields.size() ||
          then.fields[f].label != now.fields[f].label) {
        const Signature::Field &field =
            f < now.fields.size() ? now.fields[f] : then.fields[f];
        add(Cause::Op, subject, field.label, "",
            fmt::format("{} differs in its {} from the one{}", subject,
                        printable(field.label), at(then.location)));
        return true;
      }
      if (isSame(then.fields[f], now.fields[f]))
        continue;
      const std::string aspect =
          fmt::format("{} of {}", printable(now.fields[f].label), subject);
      // Large values are digests: that they differ is all that is known.
      if (isDigest(now.fields[f]) || isDigest(then.fields[f])) {
        add(Cause::Op, aspect, "other", "",
            fmt::format("{} has another {} than the one{}", subject,
                        printable(now.fields[f].label), at(then.location)));
        return true;
      }
      add(Cause::Op, aspect, filled(now.fields[f]), filled(then.fields[f]),
          fmt::format("{} is {}, was {}{}", aspect, filled(now.fields[f]),
                      filled(then.fields[f]), at(then.location)));
      return true;
    }
    return false;
  }

  /// Texts that only computers compare.
  static bool isDigest(const Signature::Field &field) {
    return !field.text.empty() && field.text.front() == digestMark;
  }

  bool isSame(const Signature::Field &then, const Signature::Field &now) const {
    if (then.text != now.text || then.sizes.size() != now.sizes.size())
      return false;
    for (size_t s = 0; s < now.sizes.size(); ++s)
      if (!sizes.explain(SizePair{then.sizes[s], now.sizes[s]}))
        return false;
    return true;
  }

  const Signature &was, &is;
  std::vector<Difference> found;
  SizePairs sizes;
  std::vector<size_t> sourceOf; ///< the difference of each pair of inputs
  std::optional<size_t> firstDimension;
  /// A dimension was or is 1, or as large as another one of the model.
  bool mayMoveOps = false;
  size_t followingConstants = 0;
};
} // namespace

std::vector<Difference> gaudi::shapes::differences(const Signature &was,
                                                   const Signature &is) {
  return Comparison(was, is).run();
}
