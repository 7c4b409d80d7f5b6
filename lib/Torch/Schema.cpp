// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reader of schemas, and the check of arguments against them.
#include "Gaudi/Torch/Schema.h"
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

using namespace gaudi;
using namespace gaudi::torch;

std::string torch::text(const Ints &sizes) {
  std::string list = "[";
  for (int64_t size : sizes)
    list += (list.size() > 1 ? "," : "") + std::to_string(size);
  return list + "]";
}

std::string torch::text(const TensorType &type) {
  return text(type.sizes) + " " + std::string(nameOf(type.dtype));
}

namespace {
/// Reads one schema from its text.
class SchemaReader {
public:
  explicit SchemaReader(std::string_view text) : text(text), left(text) {}

  Result<Schema> read();

private:
  void skipBlanks() {
    while (!left.empty() && left.front() == ' ')
      left.remove_prefix(1);
  }
  /// Takes `token` if it comes next.
  bool take(std::string_view token) {
    skipBlanks();
    if (left.substr(0, token.size()) != token)
      return false;
    left.remove_prefix(token.size());
    return true;
  }
  Status expect(std::string_view token) {
    if (take(token))
      return {};
    return fail("schema '{}': expected '{}' at '{}'", text, token, left);
  }
  /// Letters, digits, underscores and dots.
  std::string_view word() {
    skipBlanks();
    size_t length = 0;
    while (length < left.size() &&
           (std::isalnum(static_cast<unsigned char>(left[length])) ||
            left[length] == '_' || left[length] == '.'))
      ++length;
    std::string_view taken = left.substr(0, length);
    left.remove_prefix(length);
    return taken;
  }
  /// `(a! -> *)` after a tensor, which only says what aliases what.
  void skipAlias() {
    if (!left.empty() && left.front() == '(')
      left.remove_prefix(left.find(')') + 1);
  }
  Result<Parameter> type();
  Result<Argument> defaultOf(const Parameter &parameter);
  Result<Argument> number(const Parameter &parameter);
  Status parameters(Schema &schema);
  Status results(Schema &schema);

  std::string_view text, left;
};
} // namespace

/// The kinds of arguments by the names of their types.
static std::optional<Parameter::Kind> kindOf(std::string_view name) {
  using Kind = Parameter::Kind;
  static constexpr std::pair<std::string_view, Kind> kinds[] = {
      {"Tensor", Kind::Tensor},   {"Scalar", Kind::Scalar},
      {"number", Kind::Scalar},   {"int", Kind::Int},
      {"SymInt", Kind::Int},      {"ScalarType", Kind::Int},
      {"Layout", Kind::Int},      {"MemoryFormat", Kind::Int},
      {"float", Kind::Float},     {"bool", Kind::Bool},
      {"str", Kind::String},      {"Device", Kind::Opaque},
      {"Generator", Kind::Opaque}};
  for (const auto &[known, kind] : kinds)
    if (known == name)
      return kind;
  return std::nullopt;
}

Result<Parameter> SchemaReader::type() {
  Parameter parameter;
  const std::string_view name = word();
  auto kind = kindOf(name);
  if (!kind)
    return fail("schema '{}': unknown type '{}'", text, name);
  parameter.kind = *kind;
  skipAlias();
  parameter.isOptional = take("?");
  if (take("[")) {
    parameter.hasOptionalItems = std::exchange(parameter.isOptional, false);
    parameter.isList = true;
    const std::string_view length = word();
    std::from_chars(length.data(), length.data() + length.size(),
                    parameter.listLength);
    GAUDI_TRY(expect("]"));
    parameter.isOptional = take("?");
  }
  return parameter;
}

Result<Argument> SchemaReader::number(const Parameter &parameter) {
  skipBlanks();
  const char *begin = left.data(), *end = begin + left.size();
  int64_t integer = 0;
  double real = 0;
  auto [afterInteger, noInteger] = std::from_chars(begin, end, integer);
  auto [afterReal, noReal] = std::from_chars(begin, end, real);
  if (noInteger != std::errc() && noReal != std::errc())
    return fail("schema '{}': expected a number at '{}'", text, left);
  const bool isReal =
      parameter.kind == Parameter::Kind::Float || afterReal > afterInteger;
  left.remove_prefix((isReal ? afterReal : afterInteger) - begin);
  return isReal ? Argument(real) : Argument(integer);
}

Result<Argument> SchemaReader::defaultOf(const Parameter &parameter) {
  if (take("None"))
    return Argument();
  if (take("True"))
    return Argument(true);
  if (take("False"))
    return Argument(false);
  if (take("\"")) {
    const size_t length = left.find('"');
    std::string value(left.substr(0, length));
    left.remove_prefix(std::min(left.size(), length + 1));
    return Argument(std::move(value));
  }
  if (!take("["))
    return number(parameter);
  Ints list;
  while (!take("]")) {
    Argument item = GAUDI_TRY(number(parameter));
    if (!std::holds_alternative<int64_t>(item))
      return fail("schema '{}': a default is a list of other than integers",
                  text);
    list.resize(list.size() + 1);
    list[list.size() - 1] = std::get<int64_t>(item);
    take(",");
  }
  return Argument(std::move(list));
}

/// A single value for a list of known length stands for as many of them.
static Argument repeated(const Parameter &parameter, Argument value) {
  const auto *single = std::get_if<int64_t>(&value);
  if (!parameter.isList || !single)
    return value;
  Ints list;
  list.resize(parameter.listLength);
  std::fill(list.data(), list.data() + list.size(), *single);
  return list;
}

Status SchemaReader::parameters(Schema &schema) {
  GAUDI_TRY(expect("("));
  while (!take(")")) {
    if (take("*")) { // the others are keywords
      take(",");
      continue;
    }
    Parameter parameter = GAUDI_TRY(type());
    parameter.name = word();
    if (take("="))
      parameter.value = repeated(parameter, GAUDI_TRY(defaultOf(parameter)));
    schema.parameters.push_back(std::move(parameter));
    take(",");
  }
  return {};
}

Status SchemaReader::results(Schema &schema) {
  GAUDI_TRY(expect("->"));
  const bool isTuple = take("(");
  while (!left.empty() && !take(")")) {
    const Parameter result = GAUDI_TRY(type());
    schema.returnsList |= result.isList;
    ++schema.numResults;
    word(); // results may have names
    take(",");
    if (!isTuple)
      break;
  }
  return {};
}

Result<Schema> SchemaReader::read() {
  Schema schema;
  const std::string_view space = word();
  GAUDI_TRY(expect("::"));
  schema.name = std::string(space) + "." + std::string(word());
  GAUDI_TRY(parameters(schema));
  GAUDI_TRY(results(schema));
  return schema;
}

Result<Schema> torch::parseSchema(std::string_view text) {
  return SchemaReader(text).read();
}

/// What a message calls the parameter's type.
static std::string expectedText(const Parameter &parameter) {
  static constexpr std::array<std::string_view, 7> names = {
      "tensor", "number", "integer", "float", "bool", "string", "object"};
  std::string name(names[size_t(parameter.kind)]);
  if (parameter.isList)
    name = "list of " + name + "s";
  return name + (parameter.isOptional ? " or None" : "");
}

Status torch::checkArgument(const Parameter &parameter,
                            const Argument &argument) {
  using Kind = Parameter::Kind;
  auto holds = [&](auto... types) {
    return (std::holds_alternative<decltype(types)>(argument) || ...);
  };
  bool fits = false;
  if (isNone(argument))
    fits = parameter.isOptional || parameter.kind == Kind::Opaque;
  else if (parameter.isList)
    switch (parameter.kind) {
    case Kind::Tensor:
      fits = holds(Tensors());
      break;
    case Kind::Float:
    case Kind::Scalar:
      fits = holds(std::vector<double>(), Ints());
      break;
    default:
      fits = holds(Ints());
    }
  else
    switch (parameter.kind) {
    case Kind::Tensor:
      fits = holds(TensorType());
      break;
    case Kind::Scalar:
      fits = holds(bool(), int64_t(), double());
      break;
    case Kind::Int:
      fits = holds(int64_t());
      break;
    case Kind::Float:
      fits = holds(double(), int64_t());
      break;
    case Kind::Bool:
      fits = holds(bool());
      break;
    case Kind::String:
      fits = holds(std::string());
      break;
    case Kind::Opaque:
      fits = true;
    }
  if (!fits)
    return fail("argument '{}' must be a{} {}", parameter.name,
                expectedText(parameter).front() == 'i' ||
                        expectedText(parameter).front() == 'o'
                    ? "n"
                    : "",
                expectedText(parameter));
  if (const auto *tensors = std::get_if<Tensors>(&argument);
      tensors && !parameter.hasOptionalItems)
    for (const auto &tensor : *tensors)
      if (!tensor)
        return fail("argument '{}' has None among its tensors", parameter.name);
  return {};
}
