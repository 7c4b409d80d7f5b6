// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants of a function from a few that have been compiled to kernels.
//
// The few are the largest one, which is the pattern, and samples of other
// sizes. Where they are the same ops in the same order, each number that
// depends on a size differs between them, whoever made it: dimensions, index
// spaces, bounds of indices, divisors, constants. Its form follows from them
// (SizeForms), with at least one sample more than the form has unknowns. What
// follows from another decision for another size (an op fewer, another order)
// makes the functions differ in more than numbers, and nothing is derived. What
// has been derived is verified, and its signature must be the one that its
// symbols say.
#include "Gaudi/Compiler/Passes.h"
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Transforms/Shapes/ShapePasses.h"
#include "SampledFunction.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Threading.h"
#include <deque>

namespace gaudi {
#define GEN_PASS_DEF_CHECKSAMPLES
#define GEN_PASS_DEF_DERIVEVARIANTS
#include "Gaudi/Compiler/Passes.h.inc"
} // namespace gaudi

using namespace mlir;
using namespace gaudi;

/// The sizes in the attribute, one per symbol.
static std::optional<Box> boxOf(Attribute attribute, size_t rank) {
  auto sizes = dyn_cast_or_null<DenseI64ArrayAttr>(attribute);
  if (!sizes || size_t(sizes.size()) != rank ||
      !llvm::all_of(sizes.asArrayRef(), [](int64_t size) { return size > 0; }))
    return std::nullopt;
  return Box(sizes.asArrayRef());
}

/// "8, 64".
static std::string textOf(ArrayRef<int64_t> box) {
  std::string result;
  for (int64_t size : box)
    result += (result.empty() ? "" : ", ") + std::to_string(size);
  return result;
}

namespace {
/// One function whose other variants are derived from those that are there.
class Derivation {
public:
  Derivation(func::FuncOp entry, ArrayRef<func::FuncOp> compiled)
      : entry(entry), compiled(compiled) {}

  LogicalResult read();
  LogicalResult compare();
  /// Whether the numbers of all missing boxes are known.
  LogicalResult check();
  /// New functions, in no module yet; by box.
  LogicalResult derive();
  /// Puts all variants into the module, in the order of their sizes, and erases
  /// the samples.
  void insert(SymbolTable &table);
  StringRef whyNot() const { return reason; }
  size_t size() const { return missing.size(); }

private:
  func::FuncOp pattern() const { return compiled.front(); }
  LogicalResult because(const Twine &text) {
    reason = text.str();
    return failure();
  }
  LogicalResult because(Operation *op, const Twine &text) {
    const std::string place = locationText(op->getLoc());
    return because("'" + op->getName().getStringRef() + "'" +
                   (place.empty() ? "" : " at " + Twine(place)) + " " + text);
  }
  LogicalResult checkSignature(func::FuncOp function, const Box &box) const;

  func::FuncOp entry;
  SmallVector<func::FuncOp> compiled; // the pattern, then the samples
  SmallVector<Box> boxes;             // of `compiled`
  SmallVector<Box> missing;
  SampledFunction sampled;
  std::vector<OwningOpRef<func::FuncOp>> derived; // as `missing`
  std::string reason;
};
} // namespace

LogicalResult Derivation::read() {
  auto symbols = entry->getAttrOfType<ArrayAttr>(symbolsAttrName);
  auto list = entry->getAttrOfType<ArrayAttr>(missingBoxesAttrName);
  // Each refusal means that all variants are compiled.
  if (!symbols || !list)
    return because("its symbols are not known");
  if (auto size = entry->getAttrOfType<StringAttr>(irregularSizeAttrName))
    return because("'" + size.getValue() +
                   "' cannot be interpolated from samples");
  if (compiled.size() < 2)
    return because("one variant is no sample of others");
  for (func::FuncOp function : compiled) {
    auto box = boxOf(function->getAttr(bucketAttrName), symbols.size());
    if (!box)
      return because("a variant that is there has no sizes");
    boxes.push_back(*box);
  }
  for (Attribute attribute : list) {
    auto box = boxOf(attribute, symbols.size());
    if (!box)
      return because("a missing box has other symbols");
    missing.push_back(*box);
  }
  for (const Box &box : missing)
    for (size_t k = 0; k < box.size(); ++k)
      if (box[k] != boxes[0][k] && llvm::all_of(boxes, [&](const Box &own) {
            return own[k] == boxes[0][k];
          }))
        return because("no sample has another size of symbol " + Twine(k));
  return success();
}

LogicalResult Derivation::compare() {
  if (succeeded(sampled.compare(compiled, boxes)))
    return success();
  return because(sampled.whyNot().op, sampled.whyNot().text);
}

LogicalResult Derivation::check() {
  for (const Box &box : missing) {
    SampledFunction::Refusal refused;
    if (failed(sampled.check(box, refused)))
      return because(refused.op,
                     Twine(refused.text) + " for sizes " + textOf(box));
  }
  return success();
}

/// Whether the type has the sizes that the map has for the box.
static bool hasSizes(Type type, Attribute shape, const Box &box) {
  auto map = dyn_cast_or_null<AffineMapAttr>(shape);
  if (!map)
    return true;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() != map.getValue().getNumResults())
    return false;
  SmallVector<AffineExpr> sizes;
  for (int64_t size : box)
    sizes.push_back(getAffineConstantExpr(size, type.getContext()));
  for (auto [expr, size] :
       llvm::zip(map.getValue().getResults(), tensor.getShape())) {
    auto number = dyn_cast<AffineConstantExpr>(
        simplifyAffineExpr(expr.replaceSymbols(sizes), 0, 0));
    if (!number || number.getValue() != size)
      return false;
  }
  return true;
}

/// Each dimension that callers see is the one that the symbols say, as far as
/// it is in the pattern.
LogicalResult Derivation::checkSignature(func::FuncOp function,
                                         const Box &box) const {
  func::FuncOp own = pattern();
  auto isRight = [&](Type before, Type after, Attribute shape) {
    return !hasSizes(before, shape, boxes.front()) ||
           hasSizes(after, shape, box);
  };
  for (unsigned i = 0; i < own.getNumArguments(); ++i)
    if (!isRight(callersArgumentType(own, i), callersArgumentType(function, i),
                 own.getArgAttr(i, shapeAttrName)))
      return failure();
  for (unsigned i = 0; i < own.getNumResults(); ++i)
    if (!isRight(callersResultType(own, i), callersResultType(function, i),
                 own.getResultAttr(i, shapeAttrName)))
      return failure();
  return success();
}

LogicalResult Derivation::derive() {
  MLIRContext *context = entry.getContext();
  derived.resize(missing.size());
  // It has them from the function that it was cloned of.
  pattern()->removeAttr(missingBoxesAttrName);
  pattern()->removeAttr(sourceSamplesAttrName);
  std::vector<SampledFunction::Refusal> refused(missing.size());
  // An invalid one is no error of the model: the full compile follows.
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  parallelFor(context, 0, missing.size(), [&](size_t i) {
    derived[i] = sampled.derive(missing[i], refused[i]);
    if (derived[i] && failed(checkSignature(*derived[i], missing[i]))) {
      refused[i] = {pattern(), "would not get its signature"};
      derived[i] = {};
    }
  });
  for (auto [i, function] : llvm::enumerate(derived))
    if (!function)
      return because(refused[i].op, Twine(refused[i].text) + " for sizes " +
                                        textOf(missing[i]));
  return success();
}

void Derivation::insert(SymbolTable &table) {
  std::vector<std::pair<Box, func::FuncOp>> all = {{boxes.front(), pattern()}};
  for (auto [i, function] : llvm::enumerate(derived))
    all.push_back({missing[i], function.release()});
  llvm::sort(all,
             [](const auto &a, const auto &b) { return a.first < b.first; });
  for (func::FuncOp sample : ArrayRef(compiled).drop_front())
    table.erase(sample);
  Block *block = pattern()->getBlock();
  auto place = pattern()->getIterator();
  table.remove(pattern());
  SmallVector<Attribute> names;
  for (auto [i, variant] : llvm::enumerate(all)) {
    func::FuncOp function = variant.second;
    if (function != pattern())
      block->getOperations().insert(place, function);
    function.setName((entry.getName() + "." + Twine(i)).str());
    names.push_back(FlatSymbolRefAttr::get(function));
  }
  // In the order of their numbers.
  for (auto &variant : all)
    variant.second->moveBefore(block,
                               place == block->end() ? block->end() : place);
  entry->setAttr(bucketsAttrName, ArrayAttr::get(entry.getContext(), names));
  entry->removeAttr(missingBoxesAttrName);
}

static SmallVector<func::FuncOp> entriesOf(ModuleOp module) {
  SmallVector<func::FuncOp> entries;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isExternal() && function->hasAttr(missingBoxesAttrName))
      entries.push_back(function);
  return entries;
}

/// The variants that are there, the last one first: the pattern.
static SmallVector<func::FuncOp> compiledOf(func::FuncOp entry) {
  auto module = cast<ModuleOp>(entry->getParentOp());
  auto names = entry->getAttrOfType<ArrayAttr>(bucketsAttrName);
  SmallVector<func::FuncOp> compiled;
  if (!names)
    return compiled;
  for (Attribute name : llvm::reverse(names))
    if (auto function = module.lookupSymbol<func::FuncOp>(
            cast<FlatSymbolRefAttr>(name).getAttr()))
      compiled.push_back(function);
  return compiled;
}

static remark::RemarkOpts optionsOf(func::FuncOp entry, StringRef name) {
  return remark::RemarkOpts::name(name)
      .category("gaudi-derive-variants")
      .function(entry.getName());
}

static void reportRefusal(func::FuncOp entry, const Derivation &derivation) {
  remark::missed(entry.getLoc(), optionsOf(entry, "not-derived"))
      << remark::add("variants are compiled one by one: {0}",
                     derivation.whyNot());
}

namespace {
struct CheckSamples : gaudi::impl::CheckSamplesBase<CheckSamples> {
  using CheckSamplesBase::CheckSamplesBase;

  void runOnOperation() override {
    for (func::FuncOp entry : entriesOf(getOperation())) {
      auto count = entry->getAttrOfType<IntegerAttr>(sourceSamplesAttrName);
      if (!count)
        continue;
      Derivation derivation(entry, compiledOf(entry));
      if (failed(derivation.read()) || failed(derivation.compare()) ||
          failed(derivation.check()))
        return reportRefusal(entry, derivation);
      auto names = entry->getAttrOfType<ArrayAttr>(bucketsAttrName).getValue();
      for (Attribute name : names.take_front(count.getInt()))
        getOperation()
            .lookupSymbol(cast<FlatSymbolRefAttr>(name).getAttr())
            ->erase();
      entry->setAttr(
          bucketsAttrName,
          ArrayAttr::get(entry.getContext(), names.drop_front(count.getInt())));
      entry->removeAttr(sourceSamplesAttrName);
    }
  }
};

struct DeriveVariants : gaudi::impl::DeriveVariantsBase<DeriveVariants> {
  using DeriveVariantsBase::DeriveVariantsBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> entries = entriesOf(getOperation());
    std::deque<Derivation> derivations;
    for (func::FuncOp entry : entries) {
      Derivation &derivation =
          derivations.emplace_back(entry, compiledOf(entry));
      if (failed(derivation.read()) || failed(derivation.compare()) ||
          failed(derivation.derive()))
        return reportRefusal(entry, derivation);
    }
    SymbolTable table(getOperation());
    for (auto [entry, derivation] : llvm::zip(entries, derivations)) {
      derivation.insert(table);
      remark::passed(entry.getLoc(), optionsOf(entry, "derived"))
          << remark::add("derived {0} from the kernels of one",
                         derivation.size() == 1
                             ? std::string("1 variant")
                             : std::to_string(derivation.size()) + " variants");
    }
  }
};
} // namespace
