// The table of element types.
#include "Gaudi/Recipe/ElementTypes.h"

namespace gaudi::recipe {
namespace {

struct TypeInfo {
  std::string_view name;
  unsigned bytes;
  bool isFloat;
  ElementType kernel;
};

// In the order of the enumeration.
constexpr TypeInfo typeTable[] = {
    {"f32", 4, true, ElementType::F32},
    {"bf16", 2, true, ElementType::F32},
    {"f16", 2, true, ElementType::F32},
    {"f8E4M3FN", 1, true, ElementType::F32},
    {"f8E5M2", 1, true, ElementType::F32},
    {"i8", 1, false, ElementType::I8},
    {"u8", 1, false, ElementType::I8},
    {"i16", 2, false, ElementType::I16},
    {"u16", 2, false, ElementType::I16},
    {"i32", 4, false, ElementType::I32},
    {"u32", 4, false, ElementType::I32},
    {"i64", 8, false, ElementType::I64},
    {"i1", 1, false, ElementType::I1},
};
static_assert(sizeof(typeTable) / sizeof(typeTable[0]) ==
                  size_t(ElementType::MAX) + 1,
              "one row per element type");

const TypeInfo *infoOf(ElementType type) {
  return isValid(type) ? &typeTable[size_t(type)] : nullptr;
}

} // namespace

unsigned elementSize(ElementType type) {
  const TypeInfo *info = infoOf(type);
  return info ? info->bytes : 0;
}

std::string_view elementName(ElementType type) {
  const TypeInfo *info = infoOf(type);
  return info ? info->name : "?";
}

std::optional<ElementType> parseElementName(std::string_view name) {
  for (size_t i = 0; i <= size_t(ElementType::MAX); ++i)
    if (typeTable[i].name == name)
      return ElementType(i);
  return std::nullopt;
}

bool isFloat(ElementType type) {
  const TypeInfo *info = infoOf(type);
  return info && info->isFloat;
}

ElementType kernelType(ElementType type) {
  const TypeInfo *info = infoOf(type);
  return info ? info->kernel : type;
}

bool isKernelType(ElementType type) {
  return isValid(type) && kernelType(type) == type;
}

unsigned kernelBits(ElementType type) {
  return type == ElementType::I1 ? 1 : 8 * elementSize(type);
}

} // namespace gaudi::recipe
