// Variants of a function from one that has been compiled to kernels.
//
// Why the result is what a full compile of the other sizes could give: every
// decision so far (what is fused, which order a tensor has) is a rewrite that
// holds for any size of the symbols, provided that each dimension that depends
// on a symbol is known (BatchTies) and that no other number of the function
// does. Numbers of the graph cannot: gaudi-bucket-shapes passes sizes that are
// data as extents. Numbers that passes have made can: bounds of clamped
// indices, the divisors of merged dimensions, the constant part of an access.
// A kernel that has one on a dimension that changes is not derived.
#include "BatchTies.h"
#include "Gaudi/Compiler/Passes.h"
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Growth.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Threading.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>

namespace mlir::gaudi {
#define GEN_PASS_DEF_DERIVEVARIANTS
#include "Gaudi/Compiler/Passes.h.inc"
} // namespace mlir::gaudi

using namespace mlir;
using namespace mlir::gaudi;

using Mask = Growth::Mask;

namespace {
using Box = SmallVector<int64_t, 4>;

/// What a remark says of a function that is not derived.
struct Refusal {
  std::string text;

  LogicalResult because(const Twine &reason) {
    text = reason.str();
    return failure();
  }
  LogicalResult because(Operation *op, const Twine &reason) {
    const std::string place = locationText(op->getLoc());
    return because("'" + op->getName().getStringRef() + "'" +
                   (place.empty() ? "" : " at " + Twine(place)) + " " + reason);
  }
};

/// The symbols that `expr` is a multiple of, each once; none if it is another
/// function of symbols.
std::optional<Mask> factorsOf(AffineExpr expr) {
  if (isa<AffineConstantExpr>(expr))
    return Mask(0);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbol.getPosition() < Growth::maxSymbols
               ? std::optional(Mask(1) << symbol.getPosition())
               : std::nullopt;
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || product.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  const auto left = factorsOf(product.getLHS()),
             right = factorsOf(product.getRHS());
  return left && right && !(*left & *right) ? std::optional(*left | *right)
                                            : std::nullopt;
}

std::optional<Box> boxOf(Attribute attribute, size_t rank) {
  auto sizes = dyn_cast_or_null<DenseI64ArrayAttr>(attribute);
  if (!sizes || size_t(sizes.size()) != rank ||
      !llvm::all_of(sizes.asArrayRef(), [](int64_t size) { return size > 0; }))
    return std::nullopt;
  return Box(sizes.asArrayRef());
}

/// "8, 64".
std::string text(ArrayRef<int64_t> box) {
  std::string result;
  for (int64_t size : box)
    result += (result.empty() ? "" : ", ") + std::to_string(size);
  return result;
}

/// One function whose other variants are derived from the one that is there.
class Derivation {
public:
  Derivation(func::FuncOp entry, func::FuncOp pattern)
      : entry(entry), pattern(pattern) {}

  LogicalResult read();
  LogicalResult analyze();
  /// New functions, in no module yet; by box. Fails if one is not valid.
  LogicalResult derive();
  /// Puts all variants into the module, in the order of their sizes.
  void insert(SymbolTable &table);
  StringRef whyNot() const { return refusal.text; }
  size_t size() const { return missing.size(); }

private:
  bool changes(unsigned symbol) const {
    return llvm::any_of(
        missing, [&](const Box &to) { return to[symbol] != box[symbol]; });
  }
  LogicalResult addSeeds(Value value, AffineMap shape, StringRef what,
                         const std::string &name);
  LogicalResult reachAll();
  LogicalResult checkShapes();
  LogicalResult checkKernel(KernelOp kernel);
  LogicalResult checkAccess(KernelOp kernel, Operation *access, Value tensor,
                            AffineMap map,
                            llvm::function_ref<bool(unsigned)> isDynamic);
  LogicalResult checkNumbers(KernelOp kernel);
  bool grows(Value value, unsigned dim) const {
    return masks[ties->nodeOf(value, dim)] != 0;
  }

  func::FuncOp entry, pattern;
  Refusal refusal;
  Box box;
  SmallVector<Box> missing;
  std::optional<BatchTies> ties;
  SmallVector<SmallVector<BatchTies::Node>> seeds; // by symbol
  SmallVector<Mask, 0> masks;                      // by node
  std::optional<Growth> growth;
  std::vector<OwningOpRef<func::FuncOp>> derived; // as `missing`
};
} // namespace

LogicalResult Derivation::read() {
  auto symbols = entry->getAttrOfType<ArrayAttr>(symbolsAttrName);
  auto boxes = entry->getAttrOfType<ArrayAttr>(missingBoxesAttrName);
  if (!symbols || !boxes || symbols.size() > Growth::maxSymbols)
    return refusal.because("its symbols are not known");
  auto own = boxOf(pattern->getAttr(bucketAttrName), symbols.size());
  if (!own)
    return refusal.because("the variant that is there has no sizes");
  box = *own;
  for (Attribute attribute : boxes) {
    auto to = boxOf(attribute, symbols.size());
    if (!to)
      return refusal.because("a missing box has other symbols");
    missing.push_back(*to);
  }
  seeds.resize(symbols.size());
  for (auto [k, size] : llvm::enumerate(box))
    if (size == 1 && changes(k))
      return refusal.because("a dimension of size 1 is no pattern of others");
  return success();
}

/// The shape that callers see, of an argument or result.
static AffineMap shapeOf(Attribute attribute) {
  auto map = dyn_cast_or_null<AffineMapAttr>(attribute);
  return map ? map.getValue() : AffineMap();
}

LogicalResult Derivation::addSeeds(Value value, AffineMap shape, StringRef what,
                                   const std::string &name) {
  RankedTensorType type = tensorType(value);
  for (int64_t dim = 0; shape && dim < type.getRank(); ++dim) {
    const auto factors = factorsOf(shape.getResult(dim));
    for (unsigned k = 0; factors && k < seeds.size(); ++k)
      if ((*factors >> k & 1) && changes(k))
        seeds[k].push_back(ties->nodeOf(value, dim));
    if (!factors)
      return refusal.because("dimension " + Twine(dim) + " of " + what + " '" +
                             name + "' is no multiple of symbols");
  }
  return success();
}

LogicalResult Derivation::reachAll() {
  masks.assign(ties->size(), 0);
  for (auto [k, nodes] : llvm::enumerate(seeds))
    for (BatchTies::Node seed : nodes) {
      if (masks[seed] >> k & 1)
        continue; // and all that it reaches
      Operation *fixedBy = nullptr;
      for (BatchTies::Node node : ties->reach(seed, fixedBy))
        masks[node] |= Mask(1) << k;
      if (fixedBy)
        return refusal.because(fixedBy, "has no rule for other sizes");
    }
  return success();
}

/// Each dimension of the signature must change as its shape says. Ties may
/// follow from sizes that are equal by chance, which shows here.
LogicalResult Derivation::checkShapes() {
  auto check = [&](Value value, AffineMap shape, const Twine &what) {
    for (int64_t dim = 0; dim < tensorType(value).getRank(); ++dim) {
      Mask expected = 0;
      if (shape)
        expected = factorsOf(shape.getResult(dim)).value_or(0);
      for (unsigned k = 0; k < seeds.size(); ++k)
        if (!changes(k))
          expected &= ~(Mask(1) << k);
      if (masks[ties->nodeOf(value, dim)] != expected)
        return refusal.because("dimension " + Twine(dim) + " of " + what +
                               " would not get its size");
    }
    return success();
  };
  for (BlockArgument argument : pattern.getArguments()) {
    const unsigned number = argument.getArgNumber();
    if (failed(check(argument,
                     shapeOf(pattern.getArgAttr(number, shapeAttrName)),
                     "argument '" + argumentName(pattern, number) + "'")))
      return failure();
  }
  Operation *end = pattern.front().getTerminator();
  for (auto [number, value] : llvm::enumerate(end->getOperands())) {
    AffineMap shape = shapeOf(pattern.getResultAttr(number, shapeAttrName));
    for (AffineExpr expr : shape ? shape.getResults() : ArrayRef<AffineExpr>())
      if (!factorsOf(expr))
        return refusal.because("a dimension of result '" +
                               resultName(pattern, number) +
                               "' is no multiple of symbols");
    if (failed(check(value, shape,
                     "result '" + resultName(pattern, number) + "'")))
      return failure();
  }
  return success();
}

LogicalResult
Derivation::checkAccess(KernelOp kernel, Operation *access, Value tensor,
                        AffineMap map,
                        llvm::function_ref<bool(unsigned)> isDynamic) {
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (!grows(tensor, dim))
      continue;
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    // The bounds of a computed index are numbers of the body.
    if (isDynamic(dim) || (constant && constant.getValue() != 0))
      return refusal.because(kernel,
                             "computes an index of a dimension that changes");
  }
  return success();
}

/// Numbers that are compared or combined with the position in a dimension that
/// changes may be its size.
LogicalResult Derivation::checkNumbers(KernelOp kernel) {
  DenseSet<Value> positions;
  bool isSafe = true;
  kernel.getBody().walk([&](Operation *op) {
    if (auto index = dyn_cast<KernelIndexOp>(op)) {
      if (masks[ties->nodeOf(kernel.getOperation(), index.getDim())])
        positions.insert(index.getResult());
      return;
    }
    auto isPosition = [&](Value value) { return positions.contains(value); };
    if (op->getNumRegions() || llvm::none_of(op->getOperands(), isPosition))
      return;
    for (Value operand : op->getOperands()) {
      APInt number;
      isSafe &=
          !matchPattern(operand, m_ConstantInt(&number)) || number.abs().ule(1);
    }
    for (Value result : op->getResults())
      if (isa<IntegerType>(result.getType()) && !result.getType().isInteger(1))
        positions.insert(result);
  });
  return isSafe ? success()
                : refusal.because(kernel, "has a number that may be the size "
                                          "of a dimension that changes");
}

LogicalResult Derivation::checkKernel(KernelOp kernel) {
  WalkResult result = kernel.getBody().walk([&](Operation *op) {
    LogicalResult checked = success();
    if (auto load = dyn_cast<KernelLoadOp>(op))
      checked = checkAccess(
          kernel, op, kernel.getInputs()[load.getInputNumber()], load.getMap(),
          [&](unsigned dim) { return bool(load.getDynamicIndex(dim)); });
    else if (auto store = dyn_cast<KernelStoreOp>(op))
      checked =
          checkAccess(kernel, op, kernel.getOutputs()[store.getOutputNumber()],
                      store.getMap(), [](unsigned) { return false; });
    return failed(checked) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted() ? failure() : checkNumbers(kernel);
}

LogicalResult Derivation::analyze() {
  ties.emplace(pattern, /*onesGrow=*/false);
  for (BlockArgument argument : pattern.getArguments()) {
    const unsigned number = argument.getArgNumber();
    if (failed(addSeeds(argument,
                        shapeOf(pattern.getArgAttr(number, shapeAttrName)),
                        "argument", argumentName(pattern, number))))
      return failure();
  }
  if (failed(reachAll()) || failed(checkShapes()))
    return failure();
  for (Operation &op : pattern.front()) {
    if (auto kernel = dyn_cast<KernelOp>(op);
        kernel && failed(checkKernel(kernel)))
      return failure();
    // Parts of other sizes may be there besides the one that grows.
    if (auto concat = dyn_cast<ConcatOp>(op);
        concat && grows(concat.getResult(), concat.getAxis()))
      return refusal.because(&op, "joins along a dimension that changes");
    if (auto split = dyn_cast<SplitOp>(op);
        split && grows(split->getOperand(0), split.getAxis()))
      return refusal.because(&op, "splits a dimension that changes");
  }
  growth.emplace(pattern, *ties, masks);
  return success();
}

LogicalResult Derivation::derive() {
  MLIRContext *context = pattern.getContext();
  derived.resize(missing.size());
  pattern->removeAttr(missingBoxesAttrName); // of the function it was cloned of
  std::vector<char> isValid(missing.size());
  // An invalid one is no error of the model: the full compile follows.
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  parallelFor(context, 0, missing.size(), [&](size_t i) {
    derived[i] = cast<func::FuncOp>(pattern->clone());
    func::FuncOp function = *derived[i];
    function->setAttr(bucketAttrName,
                      DenseI64ArrayAttr::get(context, missing[i]));
    isValid[i] = succeeded(growth->apply(function, box, missing[i])) &&
                 succeeded(verify(function, /*verifyRecursively=*/true));
  });
  for (auto [i, valid] : llvm::enumerate(isValid))
    if (!valid)
      return refusal.because("an op is not valid for sizes " +
                             text(missing[i]));
  return success();
}

void Derivation::insert(SymbolTable &table) {
  std::vector<std::pair<Box, func::FuncOp>> all = {{box, pattern}};
  for (auto [i, function] : llvm::enumerate(derived))
    all.push_back({missing[i], function.release()});
  llvm::sort(all,
             [](const auto &a, const auto &b) { return a.first < b.first; });
  Block *block = pattern->getBlock();
  auto place = pattern->getIterator();
  table.remove(pattern);
  SmallVector<Attribute> names;
  for (auto [i, variant] : llvm::enumerate(all)) {
    func::FuncOp function = variant.second;
    if (function != pattern)
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

namespace {
struct DeriveVariants : mlir::gaudi::impl::DeriveVariantsBase<DeriveVariants> {
  using DeriveVariantsBase::DeriveVariantsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> entries;
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isExternal() && function->hasAttr(missingBoxesAttrName))
        entries.push_back(function);
    if (entries.empty())
      return markAllAnalysesPreserved();
    std::deque<Derivation> derivations;
    for (func::FuncOp entry : entries) {
      Derivation &derivation =
          derivations.emplace_back(entry, patternOf(module, entry));
      if (failed(derivation.read()) || failed(derivation.analyze()) ||
          failed(derivation.derive())) {
        remark::missed(entry.getLoc(), optionsOf(entry, "not-derived"))
            << remark::add("variants are compiled one by one: {0}",
                           derivation.whyNot());
        return;
      }
    }
    SymbolTable table(module);
    for (auto [entry, derivation] : llvm::zip(entries, derivations)) {
      derivation.insert(table);
      remark::passed(entry.getLoc(), optionsOf(entry, "derived"))
          << remark::add("derived {0} from the kernels of one",
                         derivation.size() == 1
                             ? std::string("1 variant")
                             : std::to_string(derivation.size()) + " variants");
    }
  }

private:
  static remark::RemarkOpts optionsOf(func::FuncOp entry, StringRef name) {
    return remark::RemarkOpts::name(name)
        .category("gaudi-derive-variants")
        .function(entry.getName());
  }

  /// The variant that is there.
  static func::FuncOp patternOf(ModuleOp module, func::FuncOp entry) {
    auto names = entry->getAttrOfType<ArrayAttr>(bucketsAttrName);
    assert(names && names.size() == 1 && "one variant is the pattern");
    return module.lookupSymbol<func::FuncOp>(
        cast<FlatSymbolRefAttr>(names[0]).getAttr());
  }
};
} // namespace
