// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the tensors given on the command line.
#include "Values.h"
#include "Gaudi/Recipe/NpyTensor.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"
#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <functional>

namespace gaudi::run {

namespace {

/// "input" for "--input"; messages about an expected value speak of outputs.
const char *roleOf(const std::string &option) {
  return option == "--input" ? "input" : "output";
}

std::string shapeText(const std::vector<int64_t> &shape) {
  return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

} // namespace

std::string listOf(const std::vector<recipe::Parameter> &parameters) {
  std::vector<std::string> texts;
  for (const recipe::Parameter &p : parameters)
    texts.push_back(
        p.dynamicShape.empty()
            ? fmt::format("{} ({})", inQuotes(p.name), p.type.text())
            : fmt::format("{} ({} x {})", inQuotes(p.name), p.dynamicShape,
                          recipe::elementName(p.type.element)));
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}

std::vector<std::string>
namesOf(const std::vector<recipe::Parameter> &parameters) {
  std::vector<std::string> names;
  for (const recipe::Parameter &parameter : parameters)
    names.push_back(parameter.name);
  return names;
}

/// True of elements without a type: "1.5", "[1, 2, 3]", "nan".
static bool isElements(const std::string &text) {
  char *end = nullptr;
  (void)std::strtod(text.c_str(), &end);
  return (!text.empty() && *end == 0) ||
         (text.find_first_of("0123456789") != text.npos &&
          text.find_first_not_of("0123456789.,+-eE[] \t\n") == text.npos);
}

/// True of a name with a suffix, and of a file that is there: without the '@'.
static bool namesFile(const std::string &text) {
  const std::string suffix = std::filesystem::path(text).extension();
  std::error_code ignored;
  return (suffix.size() > 1 && std::isalpha(uint8_t(suffix[1])) &&
          std::all_of(suffix.begin() + 1, suffix.end(),
                      [](uint8_t c) { return std::isalnum(c); })) ||
         std::filesystem::is_regular_file(text, ignored);
}

/// The element type in "2x3xf64" if the device does not have it; else "".
static std::string unknownElement(std::string text) {
  size_t at = 0;
  for (size_t x; (x = text.find('x', at)) != std::string::npos && x > at;
       at = x + 1)
    if (text.find_first_not_of("0123456789", at) < x)
      break;
  text.erase(0, at);
  const size_t digit = text.find_first_of("0123456789");
  const bool isElement =
      at > 0 && digit != std::string::npos &&
      (text.substr(0, digit) == "f" || text.substr(0, digit) == "i" ||
       text.substr(0, digit) == "ui" || text.substr(0, digit) == "si");
  const bool isOthers = at > 0 && elementNameOf(text, "u");
  return (isElement || isOthers) && !recipe::parseTensorType(text)
             ? text
             : std::string();
}

/// How elements behind a type that cannot be read are written for the
/// parameter that is named: "x=2x4=1", "x=tensor<2x4xf32>=1".
static std::string formOf(const std::string &option, const ValueSpec &spec,
                          const std::string &rest) {
  const std::string elements = rest.substr(rest.rfind('=') + 1);
  return !spec.name.empty() && isElements(elements)
             ? fmt::format("the type may be left out: write {}=\"{}={}\"",
                           option, printable(spec.name), printable(elements))
             : "expected @FILE.npy, a typed value such as 2x3xf32=0, or one of "
               "these or numbers after NAME=";
}

Result<ValueSpec> parseValueSpec(const std::string &option,
                                 const std::string &text) {
  ValueSpec spec;
  std::string rest = text;
  const size_t equals = rest.find('=');
  for (size_t from = 0, to; (to = rest.find('=', from)) != std::string::npos;
       from = to + 1)
    if (const std::string element =
            unknownElement(rest.substr(from, to - from));
        !element.empty()) {
      const std::string ours = elementNameOf(element, "u").value_or("");
      return fail("{}: {} is not an element type of the device, in {}; {}",
                  option, inQuotes(element), inQuotes(text),
                  ours.empty() ? "use one that it has, such as f32 or i32"
                               : "write " + ours);
    }
  if (!rest.empty() && rest[0] != '@' && equals != std::string::npos &&
      !recipe::parseTensorType(rest.substr(0, equals))) {
    spec.name = rest.substr(0, equals);
    rest = rest.substr(equals + 1);
    if (spec.name.empty())
      return fail("{}: the name before '=' is empty in {}; write {}=NAME{}",
                  option, inQuotes(text), option, printable(text));
  }
  if (const size_t colon = spec.name.find(':');
      colon != spec.name.npos &&
      recipe::parseTensorType(spec.name.substr(colon + 1)))
    return fail("{}: cannot read {}; write {}={}={}={}", option, inQuotes(text),
                option, printable(spec.name.substr(0, colon)),
                printable(spec.name.substr(colon + 1)), printable(rest));
  if (!rest.empty() && rest[0] == '@') {
    spec.file = rest.substr(1);
    // "a.npy,@b.npy", "a.npy,w=@b.npy".
    std::error_code ignored;
    if (const size_t end = spec.file.find_first_of(", "),
        next = spec.file.find('@', end);
        next != spec.file.npos && !std::filesystem::exists(spec.file, ignored))
      return fail(
          "{0}: {1} names several files; each has an option of its "
          "own: {0}={2} {0}={3}",
          option, inQuotes(text),
          printable(text.substr(0, text.size() - spec.file.size() + end)),
          printable(spec.file.substr(end + 1)));
    if (spec.file.empty())
      return fail("{0}: expected a file name after '@' in {1}; write "
                  "{0}={2}FILE.npy",
                  option, inQuotes(text), printable(text));
    return spec;
  }
  const size_t split = rest.find('=');
  if (split != std::string::npos)
    spec.type = recipe::parseTensorType(rest.substr(0, split));
  if (!spec.type && isElements(rest) && option != "--output") {
    spec.elements = rest;
    return spec;
  }
  if (const size_t at = rest.find('@'); !spec.type && spec.name.empty() &&
                                        at != rest.npos && at > 1 &&
                                        rest.find_last_of(": ", at) == at - 1)
    return fail("{0}: cannot read {1}; write {0}={2}={3}", option,
                inQuotes(text), printable(rest.substr(0, at - 1)),
                printable(rest.substr(at)));
  // An output must not replace a file whose name only looks like one.
  if (!spec.type &&
      (option == "--output" ? std::filesystem::path(rest).extension() == ".npy"
                            : namesFile(rest))) {
    spec.file = rest;
    return spec;
  }
  if (!spec.type && option == "--output")
    return fail("--output: cannot read {}; expected @FILE.npy or "
                "NAME=@FILE.npy",
                inQuotes(text));
  if (!spec.type)
    return fail("{}: cannot read {}; {}", option, inQuotes(text),
                formOf(option, spec, rest));
  spec.elements = rest.substr(split + 1);
  return spec;
}

/// The first and the last number of "1-3", or of "1".
static std::optional<std::pair<size_t, size_t>>
rangeIn(const std::string &name) {
  size_t first = 0, last = 0;
  const char *const end = name.data() + name.size();
  auto parsed = std::from_chars(name.data(), end, first);
  last = first;
  if (parsed.ec == std::errc() && parsed.ptr != end && *parsed.ptr == '-')
    parsed = std::from_chars(parsed.ptr + 1, end, last);
  if (parsed.ec != std::errc() || parsed.ptr != end)
    return std::nullopt;
  return std::pair(first, last);
}

/// The parameters that `name` means, from the first to before the end: the one
/// of that name, else a number or a range "1-3"; none if there are no such.
static std::pair<size_t, size_t>
numbersOf(const std::string &name,
          const std::vector<recipe::Parameter> &parameters) {
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].name == name)
      return {i, i + 1};
  const auto range = rangeIn(name);
  if (!range || range->second < range->first ||
      range->second >= parameters.size())
    return {0, 0};
  return {range->first, range->second + 1};
}

/// The error of a value for a parameter that there is none of.
static std::string
unknownName(const std::string &option, const ValueSpec &spec,
            const std::string &text,
            const std::vector<recipe::Parameter> &parameters) {
  const char *const role = roleOf(option);
  const auto range = rangeIn(spec.name);
  if (!range || parameters.empty())
    return fmt::format("{}: no {} is called {}; {}there are: {}{}", option,
                       role, inQuotes(spec.name),
                       meantAmong(spec.name, namesOf(parameters)),
                       listOf(parameters), numberedAdvice(namesOf(parameters)));
  // Counted from 1, or backwards.
  auto [first, last] =
      std::pair<size_t, size_t>(std::minmax(range->first, range->second));
  const size_t count = parameters.size();
  if (last >= count) {
    const size_t beyond = last - (count - 1);
    first -= std::min(first, beyond);
    last = count - 1;
  }
  return fmt::format(
      "{0}: there are no {1}s {2}, as the {1}s count from 0 to {3}: {4}; write "
      "{0}={5}{6}",
      option, role, inQuotes(spec.name), count - 1, listOf(parameters),
      first == last ? fmt::format("{}", first)
                    : fmt::format("{}-{}", first, last),
      printable(text.substr(spec.name.size())));
}

Result<std::vector<std::optional<ValueSpec>>>
matchSpecs(const std::string &option, const std::vector<std::string> &texts,
           const std::vector<recipe::Parameter> &parameters) {
  std::vector<std::optional<ValueSpec>> matched(parameters.size());
  std::vector<ValueSpec> positional;
  std::vector<std::string> givenBy(parameters.size());
  const char *role = roleOf(option);
  for (const std::string &text : texts) {
    ValueSpec spec = GAUDI_TRY(parseValueSpec(option, text));
    if (spec.name.empty()) {
      positional.push_back(std::move(spec));
      continue;
    }
    const auto [first, end] = numbersOf(spec.name, parameters);
    if (first == end)
      return fail("{}", unknownName(option, spec, text, parameters));
    for (size_t i = end; i < parameters.size() && end == first + 1; ++i)
      if (parameters[i].name == spec.name)
        return fail("{0}: {1}s {2} and {3} are both called {4}; give them by "
                    "number: {0}={2}=VALUE",
                    option, role, first, i, inQuotes(spec.name));
    for (size_t number = first; number < end; ++number) {
      if (matched[number])
        return fail("{}: {} {} is given twice, by {} and {}; remove one",
                    option, role, inQuotes(parameters[number].name),
                    inQuotes(givenBy[number]), inQuotes(text));
      matched[number] = spec;
      givenBy[number] = text;
    }
  }
  size_t next = 0;
  for (ValueSpec &spec : positional) {
    while (next < matched.size() && matched[next])
      ++next;
    if (next == matched.size())
      return fail("{}: {} for {}; remove what is too many; there are: {}",
                  option, countOf(texts.size(), "value"),
                  countOf(parameters.size(), role), listOf(parameters));
    matched[next] = std::move(spec);
  }
  return matched;
}

/// The parameter with a first dimension of as many steps as `shape` has values
/// for, or the parameter as it is.
static recipe::Parameter forSteps(const recipe::Parameter &parameter,
                                  const std::vector<int64_t> &shape) {
  const std::vector<int64_t> &own = parameter.type.shape;
  recipe::Parameter all = parameter;
  if (shape.size() == own.size() + 1 && shape[0] > 0 &&
      std::equal(own.begin(), own.end(), shape.begin() + 1))
    all.type.shape = shape;
  return all;
}

/// ", such as array.transpose(0, 3, 1, 2)", which makes `shape` of an array of
/// the shape `given` and keeps what its elements mean, as far as sizes tell.
static std::string arrayOf(const std::vector<int64_t> &given,
                           const std::vector<int64_t> &shape) {
  const auto withoutOnes = [](std::vector<int64_t> sizes) {
    sizes.erase(std::remove(sizes.begin(), sizes.end(), 1), sizes.end());
    return sizes;
  };
  const auto count = [](const std::vector<int64_t> &sizes) {
    return recipe::TensorType{recipe::ElementType::I8, sizes}.count();
  };
  if (withoutOnes(given) == withoutOnes(shape) ||
      (given.size() == 1 && count(given) == count(shape)))
    return fmt::format(", such as array.reshape({})", fmt::join(shape, ", "));
  std::vector<size_t> order;
  for (int64_t size : shape)
    for (size_t d = 0; d < given.size(); ++d)
      if (given[d] == size && !std::count(order.begin(), order.end(), d)) {
        order.push_back(d);
        break;
      }
  return order.size() == shape.size() && order.size() == given.size()
             ? fmt::format(", such as array.transpose({})",
                           fmt::join(order, ", "))
             : "";
}

/// What to do about a value of another shape or type than the parameter's: a
/// value for another parameter, or `otherwise`.
static std::string
adviceOn(const std::string &option, const std::string &value,
         const std::vector<recipe::Parameter> &parameters, size_t index,
         const std::function<bool(const recipe::TensorType &)> &fits,
         const std::string &otherwise) {
  for (size_t i = 0; i < parameters.size(); ++i)
    if (const recipe::Parameter &other = parameters[i];
        i != index && other.dynamicShape.empty() && fits(other.type))
      return fmt::format("; it fits {} {}: write {}={}={}", roleOf(option),
                         inQuotes(other.name), option, printable(other.name),
                         printable(value));
  return otherwise;
}

Result<recipe::HostTensor>
readValue(const std::string &option, const ValueSpec &spec,
          const std::vector<recipe::Parameter> &parameters, size_t index,
          bool acceptSteps) {
  const recipe::Parameter &parameter = parameters[index];
  const char *role = roleOf(option);
  const std::string orSteps =
      acceptSteps ? fmt::format(" or, for N steps, Nx{}", parameter.type.text())
                  : "";
  const auto parse = [&](const recipe::Parameter &as) {
    auto value = parseElements(as, spec.elements);
    constexpr std::string_view input = "input";
    if (!value && value.error().message.compare(0, input.size(), input) == 0)
      value.error().message = fmt::format(
          "{}: {}{}", option, role, value.error().message.substr(input.size()));
    return value;
  };
  if (spec.file.empty() && !spec.type)
    return parse(parameter);
  if (spec.file.empty()) {
    const recipe::Parameter all =
        acceptSteps ? forSteps(parameter, spec.type->shape) : parameter;
    if (!(*spec.type == all.type))
      return fail(
          "{}: expected {}{} for {} {} but got {}{}", option,
          parameter.type.text(), orSteps, role, inQuotes(parameter.name),
          spec.type->text(),
          adviceOn(
              option, spec.type->text() + "=" + spec.elements, parameters,
              index,
              [&](const recipe::TensorType &t) { return t == *spec.type; },
              fmt::format("; write {}={}", parameter.type.text(),
                          printable(spec.elements))));
    recipe::HostTensor value = GAUDI_TRY(parse(all));
    value.type = parameter.type;
    return value;
  }
  NpyArray array = GAUDI_TRY(readNpy(spec.file));
  const recipe::Parameter all =
      acceptSteps ? forSteps(parameter, array.shape) : parameter;
  const bool isForSteps =
      option == "--input" && !acceptSteps && !parameter.isState &&
      forSteps(parameter, array.shape).type.shape == array.shape;
  if (array.shape != all.type.shape)
    return fail(
        "{}: {} has the shape {}, but {} {} is {}{}{}", option,
        inQuotes(spec.file), shapeText(array.shape), role,
        inQuotes(parameter.name), parameter.type.text(), orSteps,
        adviceOn(
            option, "@" + spec.file, parameters, index,
            [&](const recipe::TensorType &t) { return t.shape == array.shape; },
            isForSteps && array.shape[0] > 1
                ? fmt::format("; give one of them, or launch all in turn: "
                              "--steps={}",
                              array.shape[0])
                : "; save an array of that shape" +
                      arrayOf(array.shape, all.type.shape)));
  return recipe::HostTensor{
      parameter.name, parameter.type,
      GAUDI_TRY(recipe::elementsOf(std::move(array), all, spec.file,
                                   option == "--expect"))};
}

std::vector<recipe::HostTensor>
valuesOfStep(const std::vector<recipe::HostTensor> &inputs, uint32_t step) {
  std::vector<recipe::HostTensor> values;
  for (const recipe::HostTensor &input : inputs) {
    const uint64_t size = input.type.bytes();
    const uint64_t count = size ? input.bytes.size() / size : 1;
    const auto first = input.bytes.begin() + int64_t(step % count * size);
    values.push_back({input.name, input.type, {first, first + int64_t(size)}});
  }
  return values;
}

Result<Inputs> gatherInputs(const std::vector<std::string> &texts,
                            std::optional<uint32_t> seed, bool steps,
                            const std::vector<recipe::Parameter> &parameters) {
  const auto specs = GAUDI_TRY(matchSpecs("--input", texts, parameters));
  std::vector<recipe::Parameter> missing;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (!specs[i])
      missing.push_back(parameters[i]);
  // A file that is not there is the mistake that is made first.
  if (!missing.empty() && !seed)
    for (const auto &spec : specs)
      if (spec && !spec->file.empty())
        GAUDI_TRY(readNpy(spec->file));
  if (!missing.empty() && !seed)
    return fail("no value for {} of {}: {}; give each with --input, or "
                "--seed-inputs=N for random values",
                missing.size(), countOf(parameters.size(), "input"),
                listOf(missing));
  Inputs inputs;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (specs[i]) {
      inputs.tensors.push_back(
          GAUDI_TRY(readValue("--input", *specs[i], parameters, i,
                              steps && !parameters[i].isState)));
      continue;
    }
    inputs.seeded.push_back(i);
    inputs.tensors.push_back(
        recipe::seededTensor(*seed, uint32_t(i), parameters[i]));
  }
  return inputs;
}

} // namespace gaudi::run
