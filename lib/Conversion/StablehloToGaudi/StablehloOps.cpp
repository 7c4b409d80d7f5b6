// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of StableHLO ops by name, readers of their attributes, and the
// writer of ops.
#include "Gaudi/Conversion/StablehloOps.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace gaudi;

namespace {
struct Row {
  StringLiteral name;
  uint8_t traits;
};
/// As the list writes them.
constexpr auto E = uint8_t(HloTrait::Erasable),
               S = uint8_t(HloTrait::IgnoresSign),
               D = uint8_t(HloTrait::Demotable);
} // namespace

static constexpr Row rows[] = {
    {"", 0},
#define HLO_OP(kind, name, rule, traits) {name, traits},
#include "Gaudi/Conversion/StablehloOps.def"
};

Hlo gaudi::hloNamed(StringRef name) {
  static const llvm::StringMap<Hlo> kinds = [] {
    llvm::StringMap<Hlo> map;
    for (auto [i, row] : llvm::enumerate(rows))
      map[row.name] = Hlo(i);
    return map;
  }();
  return kinds.lookup(name);
}

Hlo gaudi::hloOf(Operation *op) {
  return op && isStablehlo(op->getName())
             ? hloNamed(op->getName().stripDialect())
             : Hlo::None;
}

bool gaudi::hasTrait(Hlo op, HloTrait trait) {
  return (rows[size_t(op)].traits & uint8_t(trait)) != 0;
}

bool gaudi::isDeadHlo(Operation *op) {
  return op->use_empty() && op->getNumRegions() == 0 &&
         hasTrait(hloOf(op), HloTrait::Erasable);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>> gaudi::integersOf(Attribute attribute) {
  SmallVector<int64_t> numbers;
  auto add = [&](const APInt &number) {
    numbers.push_back(number.sextOrTrunc(64).getSExtValue());
    return number.getSignificantBits() <= 64;
  };
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attribute)) {
    llvm::append_range(numbers, array.asArrayRef());
  } else if (auto dense = dyn_cast_or_null<DenseIntElementsAttr>(attribute)) {
    llvm::for_each(dense.getValues<APInt>(), add);
  } else if (auto list = dyn_cast_or_null<ArrayAttr>(attribute)) {
    for (Attribute entry : list)
      if (auto number = dyn_cast<IntegerAttr>(entry);
          !number || !add(number.getValue()))
        return std::nullopt;
  } else if (auto number = dyn_cast_or_null<IntegerAttr>(attribute);
             !number || !add(number.getValue())) {
    return std::nullopt;
  }
  return numbers;
}

StringRef gaudi::wordOf(Operation *op, StringRef name) {
  auto text = op->getAttrOfType<StringAttr>(name);
  return text ? text.getValue() : StringRef();
}

std::optional<ComparePredicate> gaudi::directionOf(Operation *op) {
  if (!isHlo(op, Hlo::Compare))
    return std::nullopt;
  const StringRef text = wordOf(op, "comparison_direction");
  auto direction = symbolizeComparePredicate(text.lower());
  return text == text.upper() ? direction : std::nullopt;
}

bool gaudi::holds(ComparePredicate direction, bool isLess, bool isEqual,
                  bool isGreater) {
  switch (direction) {
  case ComparePredicate::EQ:
    return isEqual;
  case ComparePredicate::NE:
    return !isEqual;
  case ComparePredicate::LT:
    return isLess;
  case ComparePredicate::LE:
    return isLess || isEqual;
  case ComparePredicate::GT:
    return isGreater;
  case ComparePredicate::GE:
    return isGreater || isEqual;
  }
  llvm_unreachable("all directions are listed");
}

ElementsAttr gaudi::constantOf(Operation *op) {
  return isHlo(op, Hlo::Constant) ? op->getAttrOfType<ElementsAttr>("value")
                                  : ElementsAttr();
}

DictionaryAttr gaudi::attributesOf(Operation *op) {
  NamedAttrList all(op->getAttrDictionary());
  if (!op->isRegistered())
    if (auto own =
            dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
      all.append(own);
  return all.getDictionary(op->getContext());
}

//===----------------------------------------------------------------------===//
// Writer
//===----------------------------------------------------------------------===//

Value HloWriter::create(Hlo op, ValueRange operands, Type type,
                        ArrayRef<NamedAttribute> attributes) {
  OperationState state(loc, ("stablehlo." + rows[size_t(op)].name).str(),
                       operands, type, attributes);
  return builder.create(state)->getResult(0);
}

Value HloWriter::splat(Type type, double value) {
  auto tensor = cast<RankedTensorType>(type);
  return constant(DenseElementsAttr::get(
      tensor, Attribute(FloatAttr::get(tensor.getElementType(), value))));
}

Value HloWriter::splat(Type type, int64_t value) {
  auto tensor = cast<RankedTensorType>(type);
  return constant(DenseElementsAttr::get(
      tensor, APInt(tensor.getElementTypeBitWidth(), uint64_t(value),
                    /*isSigned=*/false, /*implicitTrunc=*/true)));
}

Value HloWriter::compare(ComparePredicate direction, Value a, Value b) {
  return create(
      Hlo::Compare, {a, b}, typeOf(a).clone(builder.getI1Type()),
      builder.getNamedAttr(
          "comparison_direction",
          builder.getStringAttr(stringifyComparePredicate(direction).upper())));
}
