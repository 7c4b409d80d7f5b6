// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shares the memory of variants, and writes how a launch chooses among them.
#include "Variants.h"
#include "Gaudi/Dialect/Order.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::recipe;

namespace {
/// A symbol as `gaudi.symbols` has it.
struct SymbolFields {
  StringAttr name;
  int64_t min, max, multiple;
};
} // namespace

/// The fields, or none if one is missing or of another kind.
static std::optional<SymbolFields> fieldsOf(Attribute attribute) {
  auto symbol = dyn_cast<DictionaryAttr>(attribute);
  if (!symbol)
    return std::nullopt;
  auto name = symbol.getAs<StringAttr>("name");
  auto min = symbol.getAs<IntegerAttr>("min");
  auto max = symbol.getAs<IntegerAttr>("max");
  auto multiple = symbol.getAs<IntegerAttr>("multiple");
  if (!name || !min || !max || !multiple)
    return std::nullopt;
  return SymbolFields{name, min.getInt(), max.getInt(), multiple.getInt()};
}

static std::unique_ptr<SizeT> constantSize(int64_t value) {
  auto size = std::make_unique<SizeT>();
  size->steps.emplace_back(value, SizeOp::Const);
  return size;
}

/// The number that the expression multiplies by -1, or null: `x + y * -1` is
/// written as a difference.
static AffineExpr negated(AffineExpr expr) {
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  auto factor = product && product.getKind() == AffineExprKind::Mul
                    ? dyn_cast<AffineConstantExpr>(product.getRHS())
                    : AffineConstantExpr();
  return factor && factor.getValue() == -1 ? product.getLHS() : AffineExpr();
}

static void appendSteps(AffineExpr expr, std::vector<SizeStep> &steps) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    steps.emplace_back(constant.getValue(), SizeOp::Const);
    return;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    steps.emplace_back(symbol.getPosition(), SizeOp::Symbol);
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  AffineExpr right = binary.getRHS();
  SizeOp op = SizeOp::Add;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    // Sums of a negative term are subtractions.
    if (auto constant = dyn_cast<AffineConstantExpr>(right);
        constant && constant.getValue() < 0) {
      right = getAffineConstantExpr(-constant.getValue(), expr.getContext());
      op = SizeOp::Sub;
    } else if (AffineExpr opposite = negated(right)) {
      right = opposite;
      op = SizeOp::Sub;
    }
    break;
  case AffineExprKind::Mul:
    op = SizeOp::Mul;
    break;
  case AffineExprKind::FloorDiv:
    op = SizeOp::FloorDiv;
    break;
  case AffineExprKind::CeilDiv:
    op = SizeOp::CeilDiv;
    break;
  default:
    assert(binary.getKind() == AffineExprKind::Mod && "the last kind");
    op = SizeOp::Mod;
    break;
  }
  // Postfix: both operands, then the operation.
  appendSteps(binary.getLHS(), steps);
  appendSteps(right, steps);
  steps.emplace_back(0, op);
}

static std::unique_ptr<SizeT> sizeOf(AffineExpr expr) {
  auto size = std::make_unique<SizeT>();
  appendSteps(expr, size->steps);
  return size;
}

static AffineMap mapIn(Attribute attribute) {
  auto map = dyn_cast_or_null<AffineMapAttr>(attribute);
  return map ? map.getValue() : AffineMap();
}

/// The sizes that callers see: those of `gaudi.shape`, or of the type.
static std::unique_ptr<SizedTensorT>
sizedTensor(const std::string &name, Type type, Attribute attribute) {
  auto tensor = std::make_unique<SizedTensorT>();
  auto ranked = cast<RankedTensorType>(type);
  tensor->name = name;
  tensor->type = recipeType(ranked.getElementType());
  if (AffineMap shape = mapIn(attribute))
    for (AffineExpr size : shape.getResults())
      tensor->sizes.push_back(sizeOf(size));
  else
    for (int64_t size : ranked.getShape())
      tensor->sizes.push_back(constantSize(size));
  return tensor;
}

static bool isExtent(func::FuncOp function, unsigned argument) {
  return bool(function.getArgAttr(argument, extentAttrName));
}

/// The arguments that callers see, in their order.
static SmallVector<unsigned> callersArguments(func::FuncOp function) {
  SmallVector<unsigned> arguments;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (!variableOf(function, i) && !isExtent(function, i))
      arguments.push_back(i);
  return arguments;
}

static unsigned placeIn(ArrayRef<unsigned> numbers, unsigned number) {
  return unsigned(llvm::find(numbers, number) - numbers.begin());
}

LogicalResult Variants::find(ModuleOp module) {
  for (auto declaration : module.getOps<func::FuncOp>()) {
    auto names = declaration->getAttrOfType<ArrayAttr>(bucketsAttrName);
    if (!names)
      continue;
    Family family{declaration, {}, {}, {}};
    for (Attribute name : names) {
      auto symbol = dyn_cast<FlatSymbolRefAttr>(name);
      auto variant =
          symbol ? module.lookupSymbol<func::FuncOp>(symbol) : func::FuncOp();
      if (!variant || variant.isExternal())
        return declaration.emitError(
                   "each of its variants must be a function with a body, but ")
               << name << " is none";
      familyOf[variant] = families.size();
      family.variants.push_back(variant);
      family.arguments.push_back(callersArguments(variant));
      family.results.push_back(visibleResults(variant));
    }
    if (failed(check(family)))
      return failure();
    families.push_back(std::move(family));
  }
  return success();
}

/// What the tables of a recipe cannot say, or would say wrongly; whether
/// variants fit their bounds is left to the verifier of recipes.
LogicalResult Variants::check(const Family &family) const {
  func::FuncOp declaration = family.declaration;
  auto symbols = declaration->getAttrOfType<ArrayAttr>(symbolsAttrName);
  const bool isComplete = symbols && llvm::all_of(symbols, [](Attribute it) {
                            return fieldsOf(it).has_value();
                          });
  if (!isComplete || family.variants.empty())
    return declaration.emitError(
        "has variants but lacks the symbols needed to select one; expected "
        "gaudi.symbols with name, min, max and multiple of each symbol, and at "
        "least one variant");
  func::FuncOp first = family.variants.front();
  // Variants are compared with the first one.
  const SmallVector<unsigned> callers = callersArguments(first);
  for (func::FuncOp variant : family.variants) {
    const auto refuse = [&](const Twine &text) {
      InFlightDiagnostic diag = variant.emitError("variant of '")
                                << declaration.getName() << "' " << text;
      diag.attachNote(declaration.getLoc()) << "its declaration";
      return diag;
    };
    auto sizes = variant->getAttrOfType<DenseI64ArrayAttr>(bucketAttrName);
    if (!sizes || size_t(sizes.size()) != symbols.size())
      return refuse("has sizes for ")
             << (sizes ? sizes.size() : 0) << " of " << symbols.size()
             << " symbols; expected one each in gaudi.bucket";
    const SmallVector<unsigned> arguments = callersArguments(variant);
    if (arguments.size() != callers.size() ||
        visibleResults(variant).size() != visibleResults(first).size())
      return refuse("has ")
             << arguments.size() << " arguments and "
             << visibleResults(variant).size()
             << " results besides its extents, but the first variant has "
             << callers.size() << " and " << visibleResults(first).size();
    // Sizes are functions of the symbols alone.
    const auto isMap = [&](Attribute attribute, int64_t results) {
      AffineMap map = mapIn(attribute);
      return map && map.getNumDims() == 0 &&
             map.getNumSymbols() <= symbols.size() &&
             map.getNumResults() == results;
    };
    for (unsigned i = 0; i < variant.getNumArguments(); ++i) {
      auto type = cast<RankedTensorType>(variant.getArgumentTypes()[i]);
      if (isExtent(variant, i) &&
          (!isMap(variant.getArgAttr(i, extentAttrName), 1) ||
           !type.getElementType().isInteger(32) || type.getNumElements() != 1))
        return refuse("has an extent, argument ")
               << i << " of type " << type
               << "; expected one i32 and a map of the symbols to one number";
      if (Attribute shape = variant.getArgAttr(i, shapeAttrName);
          shape && !isMap(shape, type.getRank()))
        return refuse("has argument ")
               << i << " of type " << type << " and shape " << shape
               << "; expected a map of the symbols to one number per dimension";
    }
    for (unsigned i = 0; i < variant.getNumResults(); ++i)
      if (Attribute shape = variant.getResultAttr(i, shapeAttrName);
          shape &&
          !isMap(shape,
                 cast<RankedTensorType>(variant.getResultTypes()[i]).getRank()))
        return refuse("has result ")
               << i << " of type " << variant.getResultTypes()[i]
               << " and shape " << shape
               << "; expected a map of the symbols to one number per dimension";
    // A state is one tensor for all variants.
    for (auto [here, there] : llvm::zip(arguments, callers))
      if (isState(variant, here) &&
          variant.getArgumentTypes()[here] != first.getArgumentTypes()[there])
        return refuse("has the state '")
               << argumentName(variant, here) << "' of type "
               << variant.getArgumentTypes()[here] << ", but in another it is "
               << first.getArgumentTypes()[there]
               << "; a state goes on from launch to launch, whichever variant "
                  "runs: give it a static shape";
  }
  return success();
}

void Variants::addEntries(RecipeAssembly &builder) {
  for (Family &family : families) {
    auto entry = std::make_unique<EntryT>();
    entry->name = family.declaration.getName().str();
    entry->dispatch = std::make_unique<DispatchT>();
    builder.recipe().entries.push_back(std::move(entry));
  }
}

StringAttr Variants::stateKey(func::FuncOp function, unsigned argument) const {
  auto family = familyOf.find(function);
  if (family == familyOf.end())
    return {};
  func::FuncOp declaration = families[family->second].declaration;
  // '@' begins no name that somebody chose.
  return StringAttr::get(function.getContext(),
                         "@" + declaration.getName() + "." +
                             argumentName(function, argument));
}

uint32_t Variants::add(Key key, Value value, ArrayRef<int64_t> order,
                       ArrayRef<std::pair<Value, ArrayRef<int64_t>>> all,
                       StringRef name, TensorClass tensorClass,
                       RecipeAssembly &builder, Reserve reserve) {
  auto [it, isNew] = shared.try_emplace(key, Shared{0, true});
  // The first variant reserves what the largest one needs.
  if (isNew) {
    const auto bytesOf = [](Value each) {
      return extentBytes(tensorType(each), bufferOf(each).getStrides());
    };
    uint64_t most = 0;
    for (auto [each, eachOrder] : all) {
      it->second.isSame &=
          each.getType() == value.getType() && eachOrder == order &&
          bufferOf(each).getStrides() == bufferOf(value).getStrides();
      most = std::max<uint64_t>(most, bytesOf(each));
    }
    const uint64_t offset = reserve(most);
    // Equal in all variants: one tensor. Otherwise a tensor of bytes, of which
    // each variant has a view.
    if (it->second.isSame) {
      it->second.tensor =
          builder.addTensor(value, value, name, tensorClass, offset);
      builder.setPermutation(it->second.tensor, order);
    } else {
      auto type = tensorType(value);
      const int64_t count =
          int64_t(most) /
          int64_t(elementSize(recipeType(type.getElementType())));
      it->second.tensor = builder.addTensor(
          RankedTensorType::get({count}, type.getElementType()), value.getLoc(),
          name, tensorClass, gaudi::recipe::SectionKind::Persistent, offset);
    }
  }
  const Shared known = it->second;
  if (known.isSame) {
    builder.shareTensor(value, known.tensor);
    return known.tensor;
  }
  const uint32_t id = builder.addView(value, known.tensor, name);
  builder.setPermutation(id, order);
  return id;
}

uint32_t Variants::addArgument(BlockArgument argument, RecipeAssembly &builder,
                               Reserve reserve) {
  const unsigned number = argument.getArgNumber();
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  const Family &family = families[familyOf.at(function)];
  SmallVector<std::pair<Value, ArrayRef<int64_t>>> all;
  // Extents of one value are one tensor, arguments are distinguished by their
  // number.
  Attribute key = function.getArgAttr(number, extentAttrName);
  if (key) {
    all.push_back({argument, {}});
  } else {
    const unsigned place =
        placeIn(family.arguments[family.indexOf(function)], number);
    key = IntegerAttr::get(IndexType::get(function.getContext()), place);
    // The first variant decides for all.
    if (!shared.contains(Key(family.declaration, key)))
      for (auto [variant, arguments] :
           llvm::zip_equal(family.variants, family.arguments)) {
        func::FuncOp other = variant;
        all.push_back({other.getArgument(arguments[place]),
                       argumentPermutation(other, arguments[place])});
      }
  }
  return add({family.declaration, key}, argument,
             argumentPermutation(function, number), all,
             argumentName(function, number), TensorClass::Input, builder,
             reserve);
}

uint32_t Variants::addResult(func::FuncOp function, unsigned result,
                             Value value, RecipeAssembly &builder,
                             Reserve reserve) {
  const Family &family = families[familyOf.at(function)];
  const unsigned place =
      placeIn(family.results[family.indexOf(function)], result);
  const Key key(family.declaration,
                StringAttr::get(function.getContext(), std::to_string(place)));
  SmallVector<std::pair<Value, ArrayRef<int64_t>>> all;
  if (!shared.contains(key))
    for (auto [variant, results] :
         llvm::zip_equal(family.variants, family.results)) {
      func::FuncOp other = variant;
      all.push_back(
          {other.getBody().front().getTerminator()->getOperand(results[place]),
           resultPermutation(other, results[place])});
    }
  return add(key, value, resultPermutation(function, result), all,
             resultName(function, result), TensorClass::Output, builder,
             reserve);
}

void Variants::finish(const DenseMap<StringAttr, uint32_t> &entryIds,
                      RecipeAssembly &builder) const {
  for (auto [number, family] : llvm::enumerate(families))
    finish(family, *builder.recipe().entries[number]->dispatch, entryIds);
}

void Variants::finish(const Family &family, DispatchT &dispatch,
                      const DenseMap<StringAttr, uint32_t> &entryIds) const {
  func::FuncOp declaration = family.declaration;
  for (Attribute attribute :
       declaration->getAttrOfType<ArrayAttr>(symbolsAttrName)) {
    const SymbolFields fields = *fieldsOf(attribute);
    auto symbol = std::make_unique<SymbolT>();
    symbol->name = fields.name.str();
    symbol->min = fields.min;
    symbol->max = fields.max;
    symbol->multiple = fields.multiple;
    dispatch.symbols.push_back(std::move(symbol));
  }
  // Callers see the same arguments in all variants, so the first one describes
  // them.
  func::FuncOp first = family.variants.front();
  for (unsigned i : callersArguments(first))
    dispatch.inputs.push_back(sizedTensor(argumentName(first, i),
                                          callersArgumentType(first, i),
                                          first.getArgAttr(i, shapeAttrName)));
  for (unsigned i : visibleResults(first))
    dispatch.outputs.push_back(
        sizedTensor(resultName(first, i), callersResultType(first, i),
                    first.getResultAttr(i, shapeAttrName)));
  for (func::FuncOp function : family.variants) {
    auto variant = std::make_unique<VariantT>();
    variant->entry = entryIds.at(function.getNameAttr());
    ArrayRef<int64_t> sizes =
        function->getAttrOfType<DenseI64ArrayAttr>(bucketAttrName);
    variant->sizes.assign(sizes.begin(), sizes.end());
    uint32_t input = 0;
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      // Variables are no inputs of an entry.
      if (variableOf(function, i))
        continue;
      if (AffineMap map = mapIn(function.getArgAttr(i, extentAttrName))) {
        auto extent = std::make_unique<ExtentT>();
        extent->input = input;
        extent->value = sizeOf(map.getResult(0));
        variant->extents.push_back(std::move(extent));
      }
      ++input;
    }
    dispatch.variants.push_back(std::move(variant));
  }
}
