// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialects tm_tensor and iree_linalg_ext: registration and checks.
#include "Detail.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

#include "Gaudi/Conversion/IreeLinalgExtDialect.cpp.inc"
#include "Gaudi/Conversion/TMTensorDialect.cpp.inc"

#define GET_OP_CLASSES
#include "Gaudi/Conversion/LinalgExtOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
/// The ops are pure, so they may move wherever a call of their function was.
struct InlineAnywhere : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void tmtensor::TMTensorDialect::initialize() {
  addOperations<YieldOp, ScanOp, SortOp, TopKOp, ScatterOp, AttentionOp>();
  addInterfaces<InlineAnywhere>();
}

void linalgext::IreeLinalgExtDialect::initialize() {
  addOperations<YieldOp, ScanOp, SortOp, TopKOp, TopKV2Op, ScatterOp, GatherOp,
                AttentionOp>();
  addInterfaces<InlineAnywhere>();
}

void gaudi::registerLinalgExtDialects(DialectRegistry &registry) {
  registry.insert<tmtensor::TMTensorDialect, linalgext::IreeLinalgExtDialect>();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

ValueRange gaudi::linalgExtInputs(Operation *op) {
  const size_t all = op->getNumOperands();
  const size_t outputs = std::min<size_t>(op->getNumResults(), all);
  auto segments = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  // Until the op is verified the sizes may be of another number of operands.
  const bool isGiven = segments && segments.size() == 2 && segments[0] >= 0 &&
                       size_t(segments[0]) <= all;
  return op->getOperands().take_front(isGiven ? segments[0] : all - outputs);
}

std::optional<int64_t> gaudi::indexBatchRank(RankedTensorType indices,
                                             RankedTensorType slices,
                                             int64_t depth, int64_t rank) {
  const int64_t all = indices.getRank();
  assert(depth <= rank && "distinct dimensions of the indexed tensor");
  auto leads = [&](int64_t batch) {
    if (batch < 0 || slices.getRank() < batch)
      return false;
    return llvm::all_of(llvm::seq<int64_t>(0, batch), [&](int64_t dim) {
      return indices.isDynamicDim(dim) || slices.isDynamicDim(dim) ||
             indices.getDimSize(dim) == slices.getDimSize(dim);
    });
  };
  SmallVector<int64_t> readings;
  if (all > 0 && indices.getDimSize(all - 1) == depth && leads(all - 1))
    readings.push_back(all - 1);
  if (depth == 1 && leads(all))
    readings.push_back(all);
  // Slices without a window in the indexed dimensions are what is written now.
  for (int64_t batch : readings)
    if (slices.getRank() - batch == rank - depth)
      return batch;
  for (int64_t batch : readings)
    if (int64_t window = slices.getRank() - batch;
        window >= rank - depth && window <= rank)
      return batch;
  return std::nullopt;
}

/// Query, key, value, the mask if there is one, and the result.
static SmallVector<Value> attentionTensors(Operation *op) {
  SmallVector<Value> tensors;
  for (Value value : op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(value.getType());
        type && type.getRank() != 0)
      tensors.push_back(value);
  return tensors;
}

SmallVector<AffineMap> gaudi::attentionMaps(Operation *op, ArrayAttr maps) {
  SmallVector<AffineMap> result;
  if (maps) {
    // The scale has a map without results, or none.
    for (AffineMapAttr map : maps.getAsRange<AffineMapAttr>())
      if (map.getAffineMap().getNumResults() != 0)
        result.push_back(map.getAffineMap());
    return result;
  }
  // Without maps, by position: batch dimensions, rows, columns.
  SmallVector<Value> tensors = attentionTensors(op);
  assert(tensors.size() >= 4 && "query, key, value and the result");
  auto query = cast<RankedTensorType>(tensors[0].getType());
  const int64_t batch = query.getRank() - 2;
  const int64_t row = batch, head = batch + 1, key = batch + 2, out = batch + 3;
  auto add = [&](Value tensor, int64_t rows, int64_t columns) {
    auto shape = cast<RankedTensorType>(tensor.getType()).getShape();
    SmallVector<AffineExpr> exprs;
    for (auto [dim, size] : llvm::enumerate(shape)) {
      const int64_t loop = int64_t(dim) < batch    ? int64_t(dim)
                           : int64_t(dim) == batch ? rows
                                                   : columns;
      // A mask may be broadcast along rows or keys.
      const bool isBroadcast = size == 1 && rows == row && columns == key;
      exprs.push_back(isBroadcast ? getAffineConstantExpr(0, op->getContext())
                                  : getAffineDimExpr(loop, op->getContext()));
    }
    result.push_back(AffineMap::get(batch + 4, 0, exprs, op->getContext()));
  };
  add(tensors[0], row, head);
  add(tensors[1], key, head);
  add(tensors[2], key, out);
  if (tensors.size() == 5)
    add(tensors[3], row, key);
  add(tensors.back(), row, out);
  return result;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {
/// The checks of one op. Sizes that are not known agree with every size.
class OpChecks {
public:
  explicit OpChecks(Operation *op)
      : op(op), inputs(linalgExtInputs(op)),
        outputs(op->getOperands().drop_front(inputs.size())) {}

  LogicalResult operands();
  LogicalResult scan(int64_t dimension);
  LogicalResult sort(int64_t dimension);
  LogicalResult topK(int64_t dimension);
  LogicalResult scatter(ArrayRef<int64_t> dimensionMap);
  LogicalResult gather(ArrayRef<int64_t> dimensionMap);
  LogicalResult attention(ArrayAttr maps);
  LogicalResult defaultAttention(ArrayRef<Value> tensors);

private:
  LogicalResult counts(size_t fewest, size_t most, size_t results);
  LogicalResult dimensionOf(Value tensor, int64_t dimension);
  /// The shapes agree but in dimension `except`.
  LogicalResult sameShape(Value a, Value b, int64_t except = -1);
  LogicalResult sameElement(Value a, Value b);
  /// The region takes scalars of `arguments` and yields `results`.
  LogicalResult region(TypeRange arguments, TypeRange results);
  LogicalResult indexing(ArrayRef<int64_t> dimensionMap, Value indexed,
                         Value indices, Value slices, StringRef name);

  static RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }
  static Type elementOf(Value value) { return typeOf(value).getElementType(); }
  /// An error about two values, with a note at the second.
  InFlightDiagnostic mismatch(Value other, const Twine &text) {
    InFlightDiagnostic error = op->emitOpError() << text;
    error.attachNote(other.getLoc()) << "the other operand is made here";
    return error;
  }

  Operation *op;
  ValueRange inputs, outputs;
};
} // namespace

LogicalResult OpChecks::operands() {
  auto segments = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (segments && (segments.size() != 2 || segments[0] < 0 || segments[1] < 0 ||
                   int64_t(segments[0]) + segments[1] != op->getNumOperands()))
    return op->emitOpError("'operandSegmentSizes' must be the numbers of "
                           "inputs and outputs, together ")
           << op->getNumOperands();
  if (outputs.size() != op->getNumResults())
    return op->emitOpError("has ")
           << outputs.size() << " outputs but " << op->getNumResults()
           << " results; expected one result per output tensor";
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    // Only attention takes a number beside its tensors, the scale.
    const bool isScale =
        isa<tmtensor::AttentionOp, linalgext::AttentionOp>(op) && i == 3 &&
        i < inputs.size() && isa<FloatType>(value.getType());
    if (!isScale && !isa<RankedTensorType>(value.getType()))
      return op->emitOpError("operand ")
             << i << " is " << value.getType() << "; expected a ranked tensor";
  }
  for (auto [i, output] : llvm::enumerate(outputs))
    if (output.getType() != op->getResult(i).getType())
      return op->emitOpError("result ")
             << i << " has type " << op->getResult(i).getType()
             << "; expected that of output " << i << ", " << output.getType()
             << "";
  return success();
}

LogicalResult OpChecks::counts(size_t fewest, size_t most, size_t results) {
  if (inputs.size() < fewest || inputs.size() > most)
    return op->emitOpError("has ")
           << inputs.size() << " inputs; expected " << fewest
           << (most > fewest ? " to " + Twine(most) : Twine(""));
  if (outputs.size() != results)
    return op->emitOpError("has ")
           << outputs.size() << " outputs; expected " << results;
  return success();
}

LogicalResult OpChecks::dimensionOf(Value tensor, int64_t dimension) {
  if (dimension >= 0 && dimension < typeOf(tensor).getRank())
    return success();
  return op->emitOpError("dimension ")
         << dimension << " is out of range for rank "
         << typeOf(tensor).getRank();
}

LogicalResult OpChecks::sameShape(Value a, Value b, int64_t except) {
  RankedTensorType x = typeOf(a), y = typeOf(b);
  bool agrees = x.getRank() == y.getRank();
  for (int64_t dim = 0; agrees && dim < x.getRank(); ++dim)
    agrees = dim == except || x.isDynamicDim(dim) || y.isDynamicDim(dim) ||
             x.getDimSize(dim) == y.getDimSize(dim);
  if (agrees)
    return success();
  std::string but =
      except < 0 ? "" : " but for dimension " + std::to_string(except);
  return mismatch(b, "operands have other shapes than expected" + but)
         << ": " << x << " and " << y << "";
}

LogicalResult OpChecks::sameElement(Value a, Value b) {
  if (elementOf(a) == elementOf(b))
    return success();
  return mismatch(b, "operands have different element types: ")
         << elementOf(a) << " and " << elementOf(b);
}

LogicalResult OpChecks::region(TypeRange arguments, TypeRange results) {
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return op->emitOpError("expected a region of one block");
  Block &block = op->getRegion(0).front();
  if (block.getArgumentTypes() != arguments) {
    InFlightDiagnostic error = op->emitOpError("its region takes (");
    error << block.getArgumentTypes() << "); expected (" << arguments << ")";
    return error;
  }
  Operation *end = block.empty() ? nullptr : &block.back();
  if (!isa_and_nonnull<tmtensor::YieldOp, linalgext::YieldOp>(end))
    return op->emitOpError("its region must end in a yield");
  if (end->getOperandTypes() != results) {
    InFlightDiagnostic error = op->emitOpError("its region yields (");
    error << end->getOperandTypes() << "); expected (" << results << ")";
    error.attachNote(end->getLoc()) << "yielded here";
    return error;
  }
  return success();
}

LogicalResult OpChecks::scan(int64_t dimension) {
  if (failed(counts(1, 1, 2)) || failed(dimensionOf(inputs[0], dimension)) ||
      failed(sameShape(inputs[0], outputs[0])) ||
      failed(sameElement(inputs[0], outputs[0])) ||
      failed(sameElement(outputs[0], outputs[1])))
    return failure();
  SmallVector<int64_t> rest(typeOf(inputs[0]).getShape());
  rest.erase(rest.begin() + dimension);
  if (failed(verifyCompatibleShape(rest, typeOf(outputs[1]).getShape())))
    return mismatch(outputs[1], "the accumulator has type ")
           << outputs[1].getType() << "; expected the shape of the input "
           << "without dimension " << dimension;
  Type element = elementOf(inputs[0]);
  return region({element, element}, element);
}

LogicalResult OpChecks::sort(int64_t dimension) {
  ValueRange sorted = inputs.empty() ? outputs : inputs;
  if (sorted.empty() || sorted.size() != outputs.size())
    return op->emitOpError("has ")
           << inputs.size() << " inputs and " << outputs.size()
           << " outputs; expected as many, or only outputs";
  if (failed(dimensionOf(sorted[0], dimension)))
    return failure();
  SmallVector<Type> scalars;
  for (auto [value, output] : llvm::zip_equal(sorted, outputs)) {
    if (failed(sameShape(sorted[0], value)) ||
        failed(sameShape(value, output)) || failed(sameElement(value, output)))
      return failure();
    scalars.append(2, elementOf(value));
  }
  return region(scalars, IntegerType::get(op->getContext(), 1));
}

LogicalResult OpChecks::topK(int64_t dimension) {
  const size_t results = outputs.size() == 1 ? 1 : 2;
  if (failed(counts(1, 2, results)) ||
      failed(dimensionOf(inputs[0], dimension)) ||
      failed(sameShape(inputs[0], outputs[0], dimension)) ||
      failed(sameElement(inputs[0], outputs[0])))
    return failure();
  if (inputs.size() == 2 && failed(sameShape(inputs[0], inputs[1])))
    return failure();
  if (outputs.size() == 2 && failed(sameShape(outputs[0], outputs[1])))
    return failure();
  auto isIndex = [](Value value) { return elementOf(value).isInteger(); };
  if (!llvm::all_of(inputs.drop_front(), isIndex) ||
      !llvm::all_of(outputs.drop_front(), isIndex))
    return op->emitOpError("its indices must be integers");
  Type element = elementOf(inputs[0]);
  return region({element, element}, IntegerType::get(op->getContext(), 1));
}

LogicalResult OpChecks::indexing(ArrayRef<int64_t> dimensionMap, Value indexed,
                                 Value indices, Value slices, StringRef name) {
  const int64_t rank = typeOf(indexed).getRank();
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : dimensionMap) {
    if (dim < 0 || dim >= rank || seen.test(dim))
      return op->emitOpError("'dimension_map' names dimension ")
             << dim << "; expected distinct dimensions of a tensor of rank "
             << rank;
    // Each dimension at most once.
    seen.set(dim);
  }
  if (!elementOf(indices).isSignlessInteger() && !elementOf(indices).isIndex())
    return op->emitOpError("its indices must be integers");
  auto batch = indexBatchRank(typeOf(indices), typeOf(slices),
                              dimensionMap.size(), rank);
  if (!batch)
    return mismatch(slices, "the shapes of indices, ")
           << indices.getType() << ", and " << name << ", " << slices.getType()
           << ", do not fit together for " << dimensionMap.size()
           << " indexed dimensions of " << indexed.getType() << "";
  // A slice has the last dimensions; those before it are indexed.
  const int64_t window = typeOf(slices).getRank() - *batch;
  for (int64_t dim = 0; dim < rank - window; ++dim)
    if (!seen.test(dim))
      return op->emitOpError("dimension ")
             << dim << " is neither indexed nor one of the slices";
  // Only a slice of an indexed dimension may be smaller than the tensor.
  for (int64_t dim = 0; dim < window; ++dim) {
    const int64_t size = typeOf(slices).getDimSize(*batch + dim);
    const int64_t most = typeOf(indexed).getDimSize(rank - window + dim);
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(most) &&
        (size > most || (size < most && !seen.test(rank - window + dim))))
      return mismatch(indexed, "the ")
             << name << " have size " << size << " in dimension "
             << *batch + dim << "; the indexed tensor has " << most;
  }
  return success();
}

LogicalResult OpChecks::scatter(ArrayRef<int64_t> dimensionMap) {
  if (failed(counts(2, 3, 1)) ||
      failed(indexing(dimensionMap, outputs[0], inputs[1], inputs[0],
                      "updates")) ||
      failed(sameElement(inputs[0], outputs[0])))
    return failure();
  if (inputs.size() == 3 && !elementOf(inputs[2]).isInteger(1))
    return op->emitOpError("its mask has element type ")
           << elementOf(inputs[2]) << "; expected i1";
  auto batch =
      indexBatchRank(typeOf(inputs[1]), typeOf(inputs[0]), dimensionMap.size(),
                     typeOf(outputs[0]).getRank());
  if (inputs.size() == 3 &&
      failed(verifyCompatibleShape(
          typeOf(inputs[2]).getShape(),
          typeOf(inputs[0]).getShape().take_front(*batch))))
    return mismatch(inputs[2], "the mask has type ")
           << inputs[2].getType()
           << "; expected one element per slice of the updates";
  Type element = elementOf(outputs[0]);
  return region({element, element}, element);
}

LogicalResult OpChecks::gather(ArrayRef<int64_t> dimensionMap) {
  if (failed(counts(2, 3, 1)) ||
      failed(
          indexing(dimensionMap, inputs[0], inputs[1], outputs[0], "results")))
    return failure();
  if (op->getNumRegions() == 0)
    return sameElement(inputs[0], outputs[0]);
  return region({elementOf(inputs[0]), elementOf(outputs[0])},
                elementOf(outputs[0]));
}

LogicalResult OpChecks::attention(ArrayAttr maps) {
  if (failed(counts(3, 5, 1)))
    return failure();
  if (op->getNumRegions() > 1)
    return op->emitOpError("expected at most one region");
  if (op->getNumRegions() == 1) {
    TypeRange score = op->getRegion(0).getArgumentTypes();
    if (score.size() != 1 || !isa<FloatType>(score.front()))
      return op->emitOpError("its region must take one score");
    if (failed(region(score, score)))
      return failure();
  }
  // Scalars are no tensors of this list.
  SmallVector<Value> tensors = attentionTensors(op);
  if (tensors.size() < 4)
    return op->emitOpError("expected query, key, value and a result that are "
                           "tensors with dimensions");
  if (tensors.size() > 5)
    return op->emitOpError("has ")
           << tensors.size() - 4 << " tensors beside query, key, value and "
           << "result; expected at most a scale and a mask";
  for (Value value : {tensors[0], tensors[1], tensors[2], tensors.back()})
    if (!isa<FloatType>(elementOf(value)))
      return op->emitOpError("query, key, value and result have element type ")
             << elementOf(value) << "; expected floats";
  if (!maps && failed(defaultAttention(tensors)))
    return failure();
  SmallVector<AffineMap> given = attentionMaps(op, maps);
  if (given.size() != tensors.size())
    return op->emitOpError("has ")
           << given.size() << " indexing maps with results; expected one for "
           << "each of " << tensors.size() << " tensors";
  // Every dimension of the op has one extent in all tensors that have it.
  SmallVector<std::pair<int64_t, Value>> extents(given[0].getNumDims());
  for (auto [map, value] : llvm::zip_equal(given, tensors)) {
    if (map.getNumDims() != given[0].getNumDims() || map.getNumSymbols() != 0)
      return op->emitOpError("its indexing maps differ in their dimensions");
    // A projected permutation: each result a dimension, none twice.
    if (int64_t(map.getNumResults()) != typeOf(value).getRank() ||
        !map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return op->emitOpError("indexing map ")
             << AffineMapAttr::get(map) << " does not give each dimension of "
             << value.getType() << " one dimension of the op";
    for (auto [size, expr] :
         llvm::zip_equal(typeOf(value).getShape(), map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || ShapedType::isDynamic(size))
        continue;
      auto &[extent, from] = extents[dim.getPosition()];
      if (from && extent != size)
        return mismatch(from, "dimension ")
               << dim.getPosition() << " of its maps has size " << size
               << " in " << value.getType() << " but " << extent << " in "
               << from.getType() << "";
      extent = size;
      from = value;
    }
  }
  return success();
}

/// The operands and the output: [batch..., rows, columns] of one rank.
LogicalResult OpChecks::defaultAttention(ArrayRef<Value> tensors) {
  const int64_t rank = typeOf(tensors[0]).getRank();
  for (Value tensor : tensors)
    if (typeOf(tensor).getRank() != rank || rank < 2)
      return mismatch(tensor, "without indexing maps all tensors must have one "
                              "rank, 2 or more; found ")
             << tensors[0].getType() << " and " << tensor.getType();
  return success();
}

LogicalResult gaudi::verifyLinalgExt(Operation *op) {
  OpChecks checks(op);
  if (failed(checks.operands()))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tmtensor::ScanOp, linalgext::ScanOp>(
          [&](auto scan) { return checks.scan(scan.getDimension()); })
      .Case<tmtensor::SortOp, linalgext::SortOp>(
          [&](auto sort) { return checks.sort(sort.getDimension()); })
      .Case<tmtensor::TopKOp, linalgext::TopKOp, linalgext::TopKV2Op>(
          [&](auto topK) { return checks.topK(topK.getDimension()); })
      .Case<tmtensor::ScatterOp, linalgext::ScatterOp>([&](auto scatter) {
        return checks.scatter(scatter.getDimensionMap());
      })
      .Case<linalgext::GatherOp>(
          [&](auto gather) { return checks.gather(gather.getDimensionMap()); })
      .Case<tmtensor::AttentionOp, linalgext::AttentionOp>([&](auto attention) {
        return checks.attention(attention.getIndexingMapsAttr());
      })
      .DefaultUnreachable("every op of the dialects but yield");
}
