// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of host tensors: bytes, numbers, text.
#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

namespace gaudi::recipe {

namespace {

bool isUnsigned(ElementType type) {
  return type == ElementType::U8 || type == ElementType::U16 ||
         type == ElementType::U32 || type == ElementType::I1;
}

uint64_t pattern(const std::vector<uint8_t> &bytes, uint64_t index,
                 unsigned size) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * size, size);
  return bits;
}

/// The next word of a list of elements; brackets and commas separate.
std::string_view nextWord(std::string_view &text) {
  const char *const separators = " \t\r\n,[]";
  const size_t start = text.find_first_not_of(separators);
  if (start == std::string_view::npos)
    return text = {};
  const size_t end =
      std::min(text.find_first_of(separators, start), text.size());
  const std::string_view word = text.substr(start, end - start);
  text.remove_prefix(end);
  return word;
}

/// What integers of a type can be, after its name.
std::string rangeOf(ElementType type) {
  if (isFloat(type))
    return {};
  if (type == ElementType::I1)
    return ", 0 or 1";
  const unsigned bits = 8 * elementSize(type);
  const uint64_t all = ~uint64_t(0) >> (64 - bits);
  return isUnsigned(type) ? fmt::format(", 0 to {}", all)
                          : fmt::format(", {} to {}", -int64_t(all / 2) - 1,
                                        int64_t(all / 2));
}

/// Advice on a list of too many elements, in which commas between digits are
/// the points of decimals; "" of others.
std::string commasAdvice(std::string_view text, uint64_t count) {
  std::string example;
  uint64_t words = 0;
  for (size_t at = 0;
       (at = text.find_first_not_of(" \t\r\n[]", at)) != std::string_view::npos;
       ++words) {
    const std::string_view word =
        text.substr(at, text.find_first_of(" \t\r\n[]", at) - at);
    const size_t comma = word.find(',');
    if (comma != word.npos && comma != 0 && comma + 1 < word.size() &&
        word.find(',', comma + 1) == std::string_view::npos && example.empty())
      example = word;
    at += word.size();
  }
  if (example.empty() || (words != count && words != 1))
    return "";
  std::string decimal = example;
  decimal[decimal.find(',')] = '.';
  return fmt::format("; commas separate elements, and {} is two of them: a "
                     "decimal has a point, {}",
                     inQuotes(example), decimal);
}

Status parseElement(HostTensor &tensor, uint64_t index, std::string_view word) {
  const std::string text(word);
  const std::string_view type = elementName(tensor.type.element);
  const auto notAnElement = [&] {
    return fail("expected an element of type {} but got {}; write a {}", type,
                inQuotes(text),
                isFloat(tensor.type.element) ? "number such as 1.5"
                : tensor.type.element == ElementType::I1
                    ? "0 or 1"
                    : "whole number such as 2");
  };
  const auto outOfRange = [&] {
    return fail("{} is out of the range of {}{}", inQuotes(text), type,
                rangeOf(tensor.type.element));
  };
  char *end = nullptr;
  errno = 0;
  if (isFloat(tensor.type.element)) {
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size())
      return notAnElement();
    tensor.setFloat(index, value);
    // Only the word itself may say infinity or NaN.
    const bool overflows =
        std::isinf(value)
            ? errno == ERANGE
            : !std::isnan(value) && !std::isfinite(tensor.floatAt(index));
    if (overflows)
      return outOfRange();
    return {};
  }
  if (tensor.type.element == ElementType::I1 &&
      (text == "true" || text == "false")) {
    tensor.setInt(index, text == "true");
    return {};
  }
  const long long value = std::strtoll(text.c_str(), &end, 0);
  if (end != text.c_str() + text.size())
    return notAnElement();
  tensor.setInt(index, value);
  if (errno == ERANGE || tensor.intAt(index) != value ||
      (tensor.type.element == ElementType::I1 && value != 0 && value != 1))
    return outOfRange();
  return {};
}

} // namespace

uint64_t TensorType::count() const {
  uint64_t product = 1;
  for (int64_t size : shape)
    product *= uint64_t(size);
  return product;
}

std::string TensorType::text() const {
  std::string result;
  for (int64_t size : shape)
    result += fmt::format("{}x", size);
  return result + std::string(elementName(element));
}

double HostTensor::floatAt(uint64_t index) const {
  const uint64_t bits = pattern(bytes, index, elementSize(type.element));
  if (auto format = narrowFormat(type.element))
    return decodeFloat(uint32_t(bits), *format);
  return floatOfBits(uint32_t(bits));
}

int64_t HostTensor::intAt(uint64_t index) const {
  const unsigned size = elementSize(type.element);
  const uint64_t bits = pattern(bytes, index, size);
  const unsigned unused = 64 - 8 * size;
  return isUnsigned(type.element) ? int64_t(bits)
                                  : int64_t(bits << unused) >> unused;
}

void HostTensor::setFloat(uint64_t index, double value) {
  const unsigned size = elementSize(type.element);
  const auto format = narrowFormat(type.element);
  const uint32_t bits =
      format ? encodeFloat(value, *format) : bitsOf(static_cast<float>(value));
  std::memcpy(bytes.data() + index * size, &bits, size);
}

void HostTensor::setInt(uint64_t index, int64_t value) {
  const unsigned size = elementSize(type.element);
  std::memcpy(bytes.data() + index * size, &value, size);
}

std::optional<TensorType> parseTensorType(std::string_view text) {
  TensorType type;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    int64_t size = 0;
    const char *const first = text.data(), *const last = first + text.size();
    const auto [end, error] = std::from_chars(first, last, size);
    if (error != std::errc() || end == last || *end != 'x')
      return std::nullopt;
    text.remove_prefix(size_t(end - first) + 1);
    type.shape.push_back(size);
  }
  // The spellings of MLIR for signed and unsigned integers.
  std::string name(text);
  if (name.substr(0, 2) == "ui" || name.substr(0, 2) == "si")
    name = (name[0] == 'u' ? "u" : "i") + name.substr(2);
  const auto element = parseElementName(name);
  if (!element)
    return std::nullopt;
  type.element = *element;
  return type;
}

Result<HostTensor> parseElements(const Parameter &parameter,
                                 std::string_view text) {
  HostTensor tensor{parameter.name, parameter.type, {}};
  tensor.bytes.resize(parameter.type.bytes());
  const uint64_t count = parameter.type.count();
  const std::string_view all = text;
  uint64_t given = 0;
  for (std::string_view word = nextWord(text); !word.empty();
       word = nextWord(text)) {
    if (given < count)
      if (Status status = parseElement(tensor, given, word); !status)
        return fail("input {}: {}", inQuotes(parameter.name),
                    status.error().message);
    ++given;
  }
  if (given == 1) {
    const unsigned size = elementSize(parameter.type.element);
    for (uint64_t i = 1; i < count; ++i)
      std::memcpy(tensor.bytes.data() + i * size, tensor.bytes.data(), size);
  } else if (given != count) {
    const std::string advice = commasAdvice(all, count);
    return fail("input {}: expected {} of {} but got {}{}",
                inQuotes(parameter.name),
                count == 1 ? "the element" : fmt::format("{} elements", count),
                parameter.type.text(), given,
                !advice.empty() ? advice
                : count == 1    ? "; write one"
                                : "; write all, or one that fills the tensor");
  }
  return tensor;
}

std::string elementText(const HostTensor &tensor, uint64_t index) {
  if (!isFloat(tensor.type.element))
    return fmt::format("{}", tensor.intAt(index));
  const int digits = tensor.type.element == ElementType::F32 ? 9 : 5;
  const double value = tensor.floatAt(index);
  HostTensor copy{"", {tensor.type.element, {1}}, std::vector<uint8_t>(8)};
  std::string text;
  for (int precision = 3; precision <= digits; ++precision) {
    text = fmt::format("{:.{}g}", value, precision);
    copy.setFloat(0, std::strtod(text.c_str(), nullptr));
    if (copy.floatAt(0) == value)
      break;
  }
  return text;
}

std::string positionText(const std::vector<int64_t> &shape, uint64_t index) {
  std::vector<uint64_t> position(shape.size());
  for (size_t d = shape.size(); d-- > 0; index /= uint64_t(shape[d]))
    position[d] = index % uint64_t(shape[d]);
  return fmt::format("[{}]", fmt::join(position, ", "));
}

std::string elementAt(const HostTensor &tensor, uint64_t index) {
  return fmt::format("{} at {}", elementText(tensor, index),
                     positionText(tensor.type.shape, index));
}

std::optional<uint64_t> firstNonFinite(const HostTensor &tensor) {
  if (!isFloat(tensor.type.element))
    return std::nullopt;
  for (uint64_t i = 0, count = tensor.type.count(); i < count; ++i)
    if (!std::isfinite(tensor.floatAt(i)))
      return i;
  return std::nullopt;
}

} // namespace gaudi::recipe
