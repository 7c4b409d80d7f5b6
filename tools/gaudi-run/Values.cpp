// Reads the tensors that the command line names.
#include "Values.h"
#include "Gaudi/Support/Npy.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/SeededInputs.h"

#include <algorithm>
#include <cstring>

namespace gaudi::run {

using recipe::ElementType;

namespace {

std::string listOf(const std::vector<Parameter> &parameters) {
  std::string text;
  for (const Parameter &p : parameters)
    text += (text.empty() ? "" : ", ") + inQuotes(p.name) + " (" +
            p.type.text() + ")";
  return text.empty() ? "none" : text;
}

/// "input" for "--input"; messages about an expected value speak of outputs.
std::string roleOf(const std::string &option) {
  return option == "--input" ? "input" : "output";
}

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text.empty() ? "scalar" : text;
}

bool isNarrowFloat(ElementType type) {
  return recipe::isFloat(type) && type != ElementType::F32;
}

/// Brings the elements of a file to the element type of the device, where
/// that loses nothing or rounds a float32 to a narrower float. Expected values
/// (`acceptDouble`) may be float64, which they are rounded from.
Outcome<std::vector<uint8_t>> convert(NpyArray array,
                                      const Parameter &parameter,
                                      const std::string &file,
                                      bool acceptDouble) {
  const ElementType type = parameter.type.element;
  const NpyForm form = npyForm(type);
  const unsigned size = recipe::elementSize(type);
  const bool sameBits =
      (array.type.kind == form.kind && array.type.bytes == form.bytes) ||
      (isNarrowFloat(type) &&
       (array.type.kind == 'V' || array.type.kind == 'u') &&
       array.type.bytes == size);
  if (type == ElementType::I1) {
    if (array.type.bytes != 1 || array.type.kind == 'V')
      return badInput(inQuotes(file) + " holds " + array.type.describe() +
                      ", but " + inQuotes(parameter.name) +
                      " is i1; expected bool");
    for (uint8_t &byte : array.data) {
      if (array.type.kind != 'b' && byte > 1)
        return badInput(inQuotes(file) + " holds the value " +
                        std::to_string(byte) + ", but " +
                        inQuotes(parameter.name) + " is i1; expected 0 or 1");
      byte = byte != 0;
    }
    return std::move(array.data);
  }
  if (sameBits)
    return std::move(array.data);
  if (acceptDouble && recipe::isFloat(type) && array.type.kind == 'f' &&
      array.type.bytes == 8) {
    HostTensor tensor{"", parameter.type,
                      std::vector<uint8_t>(parameter.type.bytes())};
    for (uint64_t i = 0, count = parameter.type.count(); i < count; ++i) {
      double value;
      std::memcpy(&value, array.data.data() + 8 * i, 8);
      tensor.setFloat(i, value);
    }
    return std::move(tensor.bytes);
  }
  if (isNarrowFloat(type) && array.type.kind == 'f' && array.type.bytes == 4) {
    HostTensor tensor{"", parameter.type,
                      std::vector<uint8_t>(parameter.type.bytes())};
    for (uint64_t i = 0, count = parameter.type.count(); i < count; ++i) {
      uint32_t bits;
      std::memcpy(&bits, array.data.data() + 4 * i, 4);
      tensor.setFloat(i, floatOfBits(bits));
    }
    return std::move(tensor.bytes);
  }
  std::string expected = NpyType{form.kind, form.bytes}.describe();
  if (isNarrowFloat(type))
    expected += type == ElementType::F16 ? " or float32"
                                         : ", uint" + std::to_string(8 * size) +
                                               " (the bits) or float32";
  return badInput(inQuotes(file) + " holds " + array.type.describe() +
                  ", but " + inQuotes(parameter.name) + " is " +
                  std::string(recipe::elementName(type)) + "; expected " +
                  expected);
}

HostTensor seededTensor(uint32_t seed, uint32_t argument,
                        const Parameter &parameter) {
  HostTensor tensor{parameter.name, parameter.type,
                    std::vector<uint8_t>(parameter.type.bytes())};
  const ElementType type = parameter.type.element;
  SeededElement element = SeededElement::integer(recipe::elementSize(type));
  switch (type) {
  case ElementType::F32:
    element = SeededElement::floating(formatF32);
    break;
  case ElementType::BF16:
    element = SeededElement::floating(formatBF16);
    break;
  case ElementType::F16:
    element = SeededElement::floating(formatF16);
    break;
  case ElementType::F8E4M3FN:
    element = SeededElement::floating(formatF8E4M3FN);
    break;
  case ElementType::F8E5M2:
    element = SeededElement::floating(formatF8E5M2);
    break;
  case ElementType::I1:
    element = SeededElement::boolean();
    break;
  default:
    break;
  }
  writeSeededInput(seed, argument, parameter.type.shape.data(),
                   parameter.type.shape.size(), element, tensor.bytes.data());
  return tensor;
}

} // namespace

NpyForm npyForm(ElementType type) {
  const unsigned size = recipe::elementSize(type);
  switch (type) {
  case ElementType::F32:
  case ElementType::F16:
    return {'f', size};
  case ElementType::BF16:
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return {'V', size};
  case ElementType::U8:
  case ElementType::U16:
  case ElementType::U32:
    return {'u', size};
  case ElementType::I1:
    return {'b', 1};
  default:
    return {'i', size};
  }
}

Outcome<ValueSpec> parseValueSpec(const std::string &option,
                                  const std::string &text) {
  ValueSpec spec;
  std::string rest = text;
  const size_t equals = rest.find('=');
  if (!rest.empty() && rest[0] != '@' && equals != std::string::npos &&
      !parseTensorType(rest.substr(0, equals))) {
    spec.name = rest.substr(0, equals);
    rest = rest.substr(equals + 1);
    if (spec.name.empty())
      return badInput(option + ": the name before '=' is empty in " +
                      inQuotes(text));
  }
  if (!rest.empty() && rest[0] == '@') {
    spec.file = rest.substr(1);
    if (spec.file.empty())
      return badInput(option + ": expected a file name after '@' in " +
                      inQuotes(text));
    return spec;
  }
  const size_t split = rest.find('=');
  if (split != std::string::npos)
    spec.type = parseTensorType(rest.substr(0, split));
  if (!spec.type)
    return badInput(option + ": cannot read " + inQuotes(text) +
                    "; expected @FILE.npy, a typed value such as 2x3xf32=0, or "
                    "one of these after NAME=");
  spec.elements = rest.substr(split + 1);
  return spec;
}

Outcome<std::vector<std::optional<ValueSpec>>>
matchSpecs(const std::string &option, const std::vector<std::string> &texts,
           const std::vector<Parameter> &parameters) {
  std::vector<std::optional<ValueSpec>> matched(parameters.size());
  std::vector<ValueSpec> positional;
  const std::string role = roleOf(option);
  for (const std::string &text : texts) {
    auto spec = parseValueSpec(option, text);
    if (!spec)
      return again(spec.error());
    if (spec->name.empty()) {
      positional.push_back(std::move(*spec));
      continue;
    }
    auto found =
        std::find_if(parameters.begin(), parameters.end(),
                     [&](const Parameter &p) { return p.name == spec->name; });
    if (found == parameters.end())
      return badInput(option + ": no " + role + " is called " +
                      inQuotes(spec->name) +
                      "; there are: " + listOf(parameters));
    std::optional<ValueSpec> &place =
        matched[size_t(found - parameters.begin())];
    if (place)
      return badInput(option + ": " + role + " " + inQuotes(spec->name) +
                      " is given twice");
    place = std::move(*spec);
  }
  size_t next = 0;
  for (ValueSpec &spec : positional) {
    while (next < matched.size() && matched[next])
      ++next;
    if (next == matched.size())
      return badInput(option + ": " + std::to_string(texts.size()) +
                      " values for " + std::to_string(parameters.size()) + " " +
                      role + (parameters.size() == 1 ? "" : "s") +
                      "; there are: " + listOf(parameters));
    matched[next] = std::move(spec);
  }
  return matched;
}

Outcome<HostTensor> readValue(const std::string &option, const ValueSpec &spec,
                              const Parameter &parameter) {
  const std::string role = roleOf(option);
  if (spec.file.empty()) {
    if (!(*spec.type == parameter.type))
      return badInput(option + ": expected " + parameter.type.text() + " for " +
                      role + " " + inQuotes(parameter.name) + " but got " +
                      spec.type->text());
    return parseElements(parameter, spec.elements);
  }
  auto array = readNpy(spec.file);
  if (!array)
    return badInput(array.error());
  if (array->shape != parameter.type.shape)
    return badInput(inQuotes(spec.file) + " has the shape " +
                    shapeText(array->shape) + ", but " + role + " " +
                    inQuotes(parameter.name) + " is " + parameter.type.text());
  auto bytes =
      convert(std::move(*array), parameter, spec.file, option == "--expect");
  if (!bytes)
    return again(bytes.error());
  return HostTensor{parameter.name, parameter.type, std::move(*bytes)};
}

Outcome<std::vector<HostTensor>>
gatherInputs(const std::vector<std::string> &texts,
             std::optional<uint32_t> seed,
             const std::vector<Parameter> &parameters) {
  auto specs = matchSpecs("--input", texts, parameters);
  if (!specs)
    return again(specs.error());
  std::vector<Parameter> missing;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (!(*specs)[i])
      missing.push_back(parameters[i]);
  if (!missing.empty() && !seed)
    return badInput(
        "no value for " + std::to_string(missing.size()) + " of " +
        std::to_string(parameters.size()) + " inputs: " + listOf(missing) +
        "; give each with --input, or --seed-inputs=N for random values");
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!(*specs)[i]) {
      inputs.push_back(seededTensor(*seed, uint32_t(i), parameters[i]));
      continue;
    }
    auto tensor = readValue("--input", *(*specs)[i], parameters[i]);
    if (!tensor)
      return again(tensor.error());
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}

} // namespace gaudi::run
