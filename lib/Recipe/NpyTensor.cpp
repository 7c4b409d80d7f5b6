// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host tensors from .npy files and from seeds.
#include "Gaudi/Recipe/NpyTensor.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/SeededInputs.h"

#include <cstring>
#include <fmt/format.h>

namespace gaudi::recipe {

NpyType npyType(ElementType type) {
  const unsigned size = elementSize(type);
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

namespace {

/// Files of both signs hold the bits of an integer tensor.
bool isInteger(char kind) { return kind == 'i' || kind == 'u'; }

/// The error of a file whose elements cannot become those of the parameter.
Error wrongType(const NpyArray &array, const Parameter &parameter,
                const std::string &file) {
  const ElementType type = parameter.type.element;
  const unsigned size = elementSize(type);
  const NpyType form = npyType(type);
  std::string expected = form.describe();
  if (isInteger(form.kind))
    expected += fmt::format(
        " or {} (the bits)",
        NpyType{form.kind == 'i' ? 'u' : 'i', form.bytes}.describe());
  else if (type == ElementType::F16)
    expected += " or float32";
  else if (narrowFormat(type))
    expected += fmt::format(", uint{} (the bits) or float32", 8 * size);
  const std::string numpy = form.kind == 'V'   ? "float32"
                            : form.kind == 'b' ? "bool_"
                                               : form.describe();
  // Signed integers of that width may be the bits, or numbers.
  const std::string next =
      form.kind == 'V' && array.type.kind == 'i' && array.type.bytes == size
          ? fmt::format(
                "; save array.view(numpy.uint{}) if these are the bits, "
                "array.astype(numpy.float32) if they are numbers",
                8 * size)
          : fmt::format(", such as array.astype(numpy.{}) gives", numpy);
  return {fmt::format("{} holds {}, but {} is {}; expected {}{}",
                      inQuotes(file), array.type.describe(),
                      inQuotes(parameter.name), elementName(type), expected,
                      next)};
}

Result<std::vector<uint8_t>>
booleans(NpyArray array, const Parameter &parameter, const std::string &file) {
  if (array.type.bytes != 1 || array.type.kind == 'V')
    return tl::unexpected<Error>(wrongType(array, parameter, file));
  for (uint8_t &byte : array.data) {
    if (array.type.kind != 'b' && byte > 1)
      return fail("{} holds the value {}, but {} is i1; expected 0 or 1; save "
                  "array.astype(bool)",
                  inQuotes(file), byte, inQuotes(parameter.name));
    byte = byte != 0;
  }
  return std::move(array.data);
}

/// The elements of a file, each of which is a `Bits` that `decode` makes a
/// double, rounded to the parameter's type.
template <typename Bits, typename Decode>
std::vector<uint8_t> rounded(const NpyArray &array, const Parameter &parameter,
                             Decode decode) {
  HostTensor tensor{"", parameter.type,
                    std::vector<uint8_t>(parameter.type.bytes())};
  for (uint64_t i = 0, count = parameter.type.count(); i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, array.data.data() + sizeof(Bits) * i, sizeof(Bits));
    tensor.setFloat(i, decode(bits));
  }
  return std::move(tensor.bytes);
}

} // namespace

Result<std::vector<uint8_t>> elementsOf(NpyArray array,
                                        const Parameter &parameter,
                                        const std::string &file,
                                        bool acceptDouble) {
  const ElementType type = parameter.type.element;
  if (type == ElementType::I1)
    return booleans(std::move(array), parameter, file);
  const NpyType form = npyType(type);
  const NpyType from = array.type;
  const bool sameKind =
      from.kind == form.kind || (isInteger(from.kind) && isInteger(form.kind));
  if ((sameKind && from.bytes == form.bytes) ||
      (narrowFormat(type) && (from.kind == 'V' || from.kind == 'u') &&
       from.bytes == elementSize(type)))
    return std::move(array.data);
  if (acceptDouble && isFloat(type) && from.kind == 'f' && from.bytes == 8)
    return rounded<double>(array, parameter,
                           [](double value) { return value; });
  if (narrowFormat(type) && from.kind == 'f' && from.bytes == 4)
    return rounded<uint32_t>(array, parameter, floatOfBits);
  return tl::unexpected<Error>(wrongType(array, parameter, file));
}

HostTensor seededTensor(uint32_t seed, uint32_t argument,
                        const Parameter &parameter) {
  HostTensor tensor{parameter.name, parameter.type,
                    std::vector<uint8_t>(parameter.type.bytes())};
  const ElementType type = parameter.type.element;
  SeededElement element = SeededElement::integer(elementSize(type));
  if (type == ElementType::F32)
    element = SeededElement::floating(formatF32);
  else if (const auto format = narrowFormat(type))
    element = SeededElement::floating(*format);
  else if (type == ElementType::I1)
    element = SeededElement::boolean();
  writeSeededInput(seed, argument, parameter.type.shape.data(),
                   parameter.type.shape.size(), element, tensor.bytes.data());
  return tensor;
}

} // namespace gaudi::recipe
