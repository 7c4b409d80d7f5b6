// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass gaudi-bucket-shapes.
#include "Gaudi/Conversion/Stablehlo.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/Symbols.h"
#include "VariantBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

namespace gaudi {
#define GEN_PASS_DEF_BUCKETSHAPES
#include "Gaudi/Transforms/Shapes/ShapePasses.h.inc"
} // namespace gaudi

using namespace mlir;
using namespace gaudi;

namespace {
using Bucket = SmallVector<int64_t>;

struct BucketShapes : public gaudi::impl::BucketShapesBase<BucketShapes> {
  using BucketShapesBase::BucketShapesBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    BucketShapesBase::getDependentDialects(registry);
    registerStablehloDialects(registry);
  }
  void runOnOperation() override;

private:
  FailureOr<SmallVector<Bucket>> bucketsOf(func::FuncOp function) const;
  LogicalResult makeVariants(func::FuncOp function, ArrayRef<Bucket> list);
};
} // namespace

/// "8,64;16,64".
static FailureOr<SmallVector<Bucket>> parseBuckets(StringRef text) {
  SmallVector<Bucket> result;
  SmallVector<StringRef> boxes;
  text.split(boxes, ';');
  for (StringRef box : boxes) {
    SmallVector<StringRef> numbers;
    box.split(numbers, ',');
    Bucket &bucket = result.emplace_back();
    for (StringRef number : numbers)
      if (number.trim().getAsInteger(10, bucket.emplace_back()))
        return failure();
  }
  return result;
}

FailureOr<SmallVector<Bucket>>
BucketShapes::bucketsOf(func::FuncOp function) const {
  if (!buckets.empty()) {
    FailureOr<SmallVector<Bucket>> given = parseBuckets(buckets);
    if (failed(given))
      return function.emitError("buckets: '")
             << buckets << "' is not a list of sizes such as '8,64;16,64'";
    return given;
  }
  SmallVector<Bucket> result;
  auto list = function->getAttrOfType<ArrayAttr>(boxesAttrName);
  for (Attribute box : list ? list.getValue() : ArrayRef<Attribute>()) {
    auto numbers = dyn_cast<DenseI64ArrayAttr>(box);
    if (!numbers)
      return function.emitError("'")
             << boxesAttrName << "' must be an array of arrays of i64";
    result.emplace_back(numbers.asArrayRef());
  }
  if (result.empty())
    return function.emitError(
               "has symbols but no buckets; give them with the option "
               "'buckets' or the attribute '")
           << boxesAttrName << "'";
  return result;
}

static LogicalResult checkBucket(func::FuncOp function,
                                 ArrayRef<Symbol> symbols,
                                 ArrayRef<int64_t> bucket) {
  if (bucket.size() != symbols.size())
    return function.emitError("a bucket has ")
           << bucket.size() << " sizes but the function has " << symbols.size()
           << " symbols";
  for (auto [symbol, size] : llvm::zip_equal(symbols, bucket))
    if (size < symbol.min || size > symbol.max || size < 1)
      return function.emitError("a bucket has the size ")
             << size << " for symbol '" << symbol.name << "', which is from "
             << symbol.min << " to " << symbol.max;
  return success();
}

LogicalResult BucketShapes::makeVariants(func::FuncOp function,
                                         ArrayRef<Bucket> list) {
  const SmallVector<Symbol> symbols = symbolsOf(function);
  if (symbols.empty())
    return function.emitError("'")
           << symbolsAttrName
           << "' must be a list of {name, min, max, multiple}";
  // All buckets are checked before anything is cloned.
  for (const Bucket &bucket : list)
    if (failed(checkBucket(function, symbols, bucket)))
      return failure();
  // Sizes are inferred once for all variants.
  SymbolicShapes shapes(SizeExprs(function.getContext(), symbols));
  if (failed(shapes.infer(function)))
    return failure();
  SmallVector<Attribute> names;
  SymbolTable table(getOperation());
  // After the function, in the order of the buckets.
  Block::iterator end = std::next(function->getIterator());
  for (auto [number, bucket] : llvm::enumerate(list)) {
    VariantBuilder builder(function, shapes, bucket);
    func::FuncOp variant =
        builder.build((function.getName() + "." + Twine(number)).str());
    if (!variant)
      return failure();
    variant.setPublic();
    names.push_back(FlatSymbolRefAttr::get(table.insert(variant, end)));
  }
  remark::passed(function.getLoc(), remark::RemarkOpts::name("bucket").category(
                                        "gaudi-bucket-shapes"))
      << "cloned '" << function.getName().str() << "' for "
      << std::to_string(list.size()) << " buckets";
  // The function stays as a declaration that names its variants.
  function.getBody().dropAllReferences();
  function.getBody().getBlocks().clear();
  function.setPrivate();
  function->removeAttr(boxesAttrName);
  // Variants cannot be interpolated if a size is irregular: later passes ask.
  if (AffineExpr irregular = shapes.findIrregular())
    function->setAttr(
        irregularSizeAttrName,
        StringAttr::get(function.getContext(), shapes.sizes.text(irregular)));
  function->setAttr(bucketsAttrName,
                    ArrayAttr::get(function.getContext(), names));
  return success();
}

void BucketShapes::runOnOperation() {
  SmallVector<func::FuncOp> functions;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (!function.isExternal() && function->hasAttr(symbolsAttrName) &&
        !function->hasAttr(bucketOfAttrName))
      functions.push_back(function);
  if (functions.empty())
    return markAllAnalysesPreserved();
  for (func::FuncOp function : functions) {
    FailureOr<SmallVector<Bucket>> list = bucketsOf(function);
    if (failed(list) || failed(makeVariants(function, *list)))
      return signalPassFailure();
  }
}
