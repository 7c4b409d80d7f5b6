// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes and types as functions of sizes.
#include "SampledAttribute.h"
#include "Gaudi/Dialect/ConstantValues.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <cstring>

using namespace mlir;
using namespace gaudi;

namespace {
class Reader {
public:
  explicit Reader(const SizeForms &forms) : forms(forms) {}

  Attribute at(ArrayRef<Attribute> samples);

private:
  /// What `get` gives of each sample.
  template <typename Kind, typename Get>
  static auto each(ArrayRef<Attribute> samples, Get &&get) {
    SmallVector<decltype(get(cast<Kind>(samples[0]))), 4> result;
    for (Attribute sample : samples)
      result.push_back(get(cast<Kind>(sample)));
    return result;
  }

  std::optional<SmallVector<int64_t>> numbers(ArrayRef<ArrayRef<int64_t>> all);
  Type typeAt(ArrayRef<Type> samples);
  AffineExpr exprAt(ArrayRef<AffineExpr> samples);
  Attribute integer(ArrayRef<Attribute> samples);
  Attribute list(ArrayRef<Attribute> samples);
  Attribute dictionary(ArrayRef<Attribute> samples);
  Attribute map(ArrayRef<Attribute> samples);
  Attribute integers(ArrayRef<Attribute> samples, RankedTensorType type);
  Attribute elements(ArrayRef<Attribute> samples);

  const SizeForms &forms;
};
} // namespace

std::optional<SmallVector<int64_t>>
Reader::numbers(ArrayRef<ArrayRef<int64_t>> all) {
  SmallVector<int64_t> result, values(all.size());
  for (ArrayRef<int64_t> one : all)
    if (one.size() != all[0].size())
      return std::nullopt;
  for (size_t i = 0; i < all[0].size(); ++i) {
    for (auto [j, one] : llvm::enumerate(all))
      values[j] = one[i];
    const auto value = forms.at(values);
    if (!value)
      return std::nullopt;
    result.push_back(*value);
  }
  return result;
}

Type Reader::typeAt(ArrayRef<Type> samples) {
  // What does not change is taken as it is.
  if (llvm::all_equal(samples))
    return samples[0];
  if (llvm::all_of(samples, llvm::IsaPred<FunctionType>)) {
    SmallVector<Type> sides[2];
    for (bool isResult : {false, true}) {
      auto side = [&](Type type) {
        auto function = cast<FunctionType>(type);
        return isResult ? function.getResults() : function.getInputs();
      };
      for (size_t i = 0; i < side(samples[0]).size(); ++i) {
        SmallVector<Type, 4> one;
        for (Type sample : samples) {
          if (side(sample).size() != side(samples[0]).size())
            return {};
          one.push_back(side(sample)[i]);
        }
        sides[isResult].push_back(typeAt(one));
        if (!sides[isResult].back())
          return {};
      }
    }
    return FunctionType::get(samples[0].getContext(), sides[0], sides[1]);
  }
  if (!llvm::all_of(samples, llvm::IsaPred<RankedTensorType>))
    return {};
  auto first = cast<RankedTensorType>(samples[0]);
  SmallVector<ArrayRef<int64_t>, 4> shapes;
  // Only sizes may differ.
  for (Type sample : samples) {
    auto type = cast<RankedTensorType>(sample);
    if (type.getElementType() != first.getElementType() ||
        type.getEncoding() != first.getEncoding())
      return {};
    shapes.push_back(type.getShape());
  }
  const auto shape = numbers(shapes);
  // An interpolated size may come out negative: then the form is wrong.
  if (!shape || llvm::any_of(*shape, [](int64_t size) { return size < 0; }))
    return {};
  return first.clone(*shape);
}

AffineExpr Reader::exprAt(ArrayRef<AffineExpr> samples) {
  if (llvm::all_equal(samples))
    return samples[0];
  MLIRContext *context = samples[0].getContext();
  if (llvm::all_of(samples, llvm::IsaPred<AffineConstantExpr>)) {
    SmallVector<int64_t, 4> values;
    for (AffineExpr sample : samples)
      values.push_back(cast<AffineConstantExpr>(sample).getValue());
    const auto value = forms.at(values);
    return value ? getAffineConstantExpr(*value, context) : AffineExpr();
  }
  // The same tree: numbers at its leaves are functions of sizes.
  for (AffineExpr sample : samples)
    if (!isa<AffineBinaryOpExpr>(sample) ||
        sample.getKind() != samples[0].getKind())
      return {};
  SmallVector<AffineExpr, 4> sides[2];
  for (AffineExpr sample : samples) {
    auto binary = cast<AffineBinaryOpExpr>(sample);
    sides[0].push_back(binary.getLHS());
    sides[1].push_back(binary.getRHS());
  }
  const AffineExpr left = exprAt(sides[0]), right = exprAt(sides[1]);
  // Division by 0 has no meaning.
  auto divisor = dyn_cast_or_null<AffineConstantExpr>(right);
  const bool divides = samples[0].getKind() != AffineExprKind::Add &&
                       samples[0].getKind() != AffineExprKind::Mul;
  if (!left || !right || (divides && divisor && divisor.getValue() <= 0))
    return {};
  return getAffineBinaryOpExpr(samples[0].getKind(), left, right);
}

Attribute Reader::integer(ArrayRef<Attribute> samples) {
  auto first = cast<IntegerAttr>(samples[0]);
  const unsigned width = first.getValue().getBitWidth();
  if (width > 64 || width == 1)
    return {};
  SmallVector<int64_t, 4> values;
  for (Attribute sample : samples) {
    if (cast<IntegerAttr>(sample).getType() != first.getType())
      return {};
    values.push_back(cast<IntegerAttr>(sample).getValue().getSExtValue());
  }
  const auto value = forms.at(values);
  if (!value || (width < 64 && !llvm::isIntN(width, *value)))
    return {};
  return IntegerAttr::get(first.getType(), *value);
}

Attribute Reader::list(ArrayRef<Attribute> samples) {
  const auto all =
      each<ArrayAttr>(samples, [](ArrayAttr list) { return list.getValue(); });
  SmallVector<Attribute> result;
  for (size_t i = 0; i < all[0].size(); ++i) {
    SmallVector<Attribute, 4> one;
    for (ArrayRef<Attribute> list : all) {
      if (list.size() != all[0].size())
        return {};
      one.push_back(list[i]);
    }
    result.push_back(at(one));
    if (!result.back())
      return {};
  }
  return ArrayAttr::get(samples[0].getContext(), result);
}

Attribute Reader::dictionary(ArrayRef<Attribute> samples) {
  auto first = cast<DictionaryAttr>(samples[0]);
  SmallVector<NamedAttribute> result;
  for (NamedAttribute named : first) {
    SmallVector<Attribute, 4> one;
    for (Attribute sample : samples) {
      auto dictionary = cast<DictionaryAttr>(sample);
      Attribute value = dictionary.get(named.getName());
      if (!value || dictionary.size() != first.size())
        return {};
      one.push_back(value);
    }
    Attribute value = at(one);
    if (!value)
      return {};
    result.emplace_back(named.getName(), value);
  }
  return DictionaryAttr::get(first.getContext(), result);
}

Attribute Reader::map(ArrayRef<Attribute> samples) {
  const auto all = each<AffineMapAttr>(
      samples, [](AffineMapAttr map) { return map.getValue(); });
  SmallVector<AffineExpr> exprs;
  for (size_t i = 0; i < all[0].getNumResults(); ++i) {
    SmallVector<AffineExpr, 4> one;
    for (AffineMap map : all) {
      if (map.getNumResults() != all[0].getNumResults() ||
          map.getNumInputs() != all[0].getNumInputs() ||
          map.getNumDims() != all[0].getNumDims())
        return {};
      one.push_back(map.getResult(i));
    }
    exprs.push_back(exprAt(one));
    if (!exprs.back())
      return {};
  }
  return AffineMapAttr::get(AffineMap::get(all[0].getNumDims(),
                                           all[0].getNumSymbols(), exprs,
                                           samples[0].getContext()));
}

/// The first elements along each dimension, as bytes; none if `shape` is larger
/// or the elements are packed.
static std::optional<std::vector<char>>
firstElements(const ConstantValues &values, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> whole = values.getType().getShape();
  if (values.isSplat() || values.bytes().empty() ||
      whole.size() != shape.size() || values.size() == 0)
    return std::nullopt;
  for (auto [size, part] : llvm::zip(whole, shape))
    if (part > size)
      return std::nullopt;
  const size_t width = values.bytes().size() / values.size();
  std::vector<char> result;
  auto copy = [&](auto &self, size_t dim, int64_t at) -> void {
    if (dim + 1 >= shape.size()) {
      const char *from = values.bytes().data() + at * width;
      const int64_t count = shape.empty() ? 1 : shape.back();
      result.insert(result.end(), from, from + count * width);
      return;
    }
    for (int64_t i = 0; i < shape[dim]; ++i)
      self(self, dim + 1, (at + i) * whole[dim + 1]);
  };
  copy(copy, 0, 0);
  return result;
}

/// As many elements in each sample: numbers, such as the sizes of a shape.
Attribute Reader::integers(ArrayRef<Attribute> samples, RankedTensorType type) {
  const unsigned width = type.getElementTypeBitWidth();
  SmallVector<SmallVector<int64_t>, 4> all;
  for (Attribute sample : samples) {
    const auto values = ConstantValues::of(sample);
    if (!values || width > 64)
      return {};
    all.push_back(values->integers());
  }
  const auto found =
      numbers(SmallVector<ArrayRef<int64_t>, 4>(all.begin(), all.end()));
  if (!found)
    return {};
  SmallVector<APInt> elements;
  for (int64_t number : *found) {
    if (width < 64 && !llvm::isIntN(width, number))
      return {};
    elements.push_back(APInt(width, number, /*isSigned=*/true));
  }
  return DenseElementsAttr::get(type, elements);
}

Attribute Reader::elements(ArrayRef<Attribute> samples) {
  const SmallVector<Type, 4> types = each<ElementsAttr>(
      samples, [](ElementsAttr value) { return Type(value.getShapedType()); });
  auto type = dyn_cast_or_null<RankedTensorType>(typeAt(types));
  if (!type)
    return {};
  if (type.getNumElements() == 0)
    return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  if (llvm::all_of(samples, llvm::IsaPred<SplatElementsAttr>)) {
    Attribute value =
        at(each<SplatElementsAttr>(samples, [](auto splat) -> Attribute {
          return splat.template getSplatValue<Attribute>();
        }));
    return value ? DenseElementsAttr::get(type, value) : Attribute();
  }
  // The first sample is the largest: all others must be the beginning of it in
  // each dimension.
  const auto largest = ConstantValues::of(samples[0]);
  if (!largest)
    return {};
  // Integers of one shape may be functions of sizes, element by element.
  if (llvm::all_equal(types) && type.getElementType().isInteger())
    return integers(samples, type);
  for (Attribute sample : samples.drop_front()) {
    const auto values = ConstantValues::of(sample);
    const auto part =
        values ? firstElements(*largest, values->getType().getShape())
               : std::nullopt;
    if (!part || values->bytes().size() != part->size() ||
        std::memcmp(values->bytes().data(), part->data(), part->size()) != 0)
      return {};
  }
  const auto part = firstElements(*largest, type.getShape());
  return part ? DenseElementsAttr::getFromRawBuffer(type, *part) : Attribute();
}

Attribute Reader::at(ArrayRef<Attribute> samples) {
  if (llvm::all_equal(samples))
    return samples[0];
  // Of one kind, part by part; all other attributes must be equal.
  auto areAll = [&](auto isKind) { return llvm::all_of(samples, isKind); };
  if (areAll(llvm::IsaPred<IntegerAttr>))
    return integer(samples);
  if (areAll(llvm::IsaPred<DenseI64ArrayAttr>)) {
    const auto values = numbers(each<DenseI64ArrayAttr>(
        samples, [](DenseI64ArrayAttr list) { return list.asArrayRef(); }));
    return values ? DenseI64ArrayAttr::get(samples[0].getContext(), *values)
                  : Attribute();
  }
  if (areAll(llvm::IsaPred<ArrayAttr>))
    return list(samples);
  if (areAll(llvm::IsaPred<DictionaryAttr>))
    return dictionary(samples);
  if (areAll(llvm::IsaPred<AffineMapAttr>))
    return map(samples);
  if (areAll(llvm::IsaPred<ElementsAttr>))
    return elements(samples);
  if (!areAll(llvm::IsaPred<TypeAttr>))
    return {};
  Type type = typeAt(
      each<TypeAttr>(samples, [](TypeAttr type) { return type.getValue(); }));
  return type ? TypeAttr::get(type) : Attribute();
}

Attribute gaudi::attributeAt(const SizeForms &forms,
                             ArrayRef<Attribute> samples) {
  return Reader(forms).at(samples);
}
