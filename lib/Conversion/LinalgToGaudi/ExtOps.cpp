// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expansion of the ops that extend linalg: scans, gathers and the choice of the
// others.
#include "ExtOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

TypedAttr fromlinalg::fillOf(Value tensor) {
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>()) {
    TypedAttr value;
    return matchPattern(fill.getInputs().front(), m_Constant(&value))
               ? value
               : TypedAttr();
  }
  return knownFill(tensor);
}

Value fromlinalg::createSlice(OpBuilder &b, Location loc, RankedTensorType type,
                              Value tensor, ArrayRef<int64_t> offsets,
                              ArrayRef<int64_t> sizes) {
  auto indices = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(b.getContext(), numbers);
  };
  return tensor::ExtractSliceOp::create(
      b, loc, type, tensor, indices(offsets), indices(sizes),
      indices(SmallVector<int64_t>(sizes.size(), 1)));
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

/// True if the region adds its two arguments.
static bool isSum(Region &region) {
  Operation *sum =
      region.front().getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum))
    return false;
  Value running = region.getArgument(0), element = region.getArgument(1);
  Value lhs = sum->getOperand(0), rhs = sum->getOperand(1);
  return (lhs == running && rhs == element) ||
         (lhs == element && rhs == running);
}

/// The last position of `tensor` along `dim`, without that dimension.
static Value lastAlong(OpBuilder &b, Location loc, Value tensor, int64_t dim,
                       RankedTensorType result) {
  auto type = tensorType(tensor);
  SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape());
  offsets[dim] = sizes[dim] - 1;
  sizes[dim] = 1;
  return createSlice(b, loc, result, tensor, offsets, sizes);
}

/// A sum by the library; an exclusive one starts from the accumulator.
static Value expandSum(OpBuilder &b, const ExtOp &op, int64_t dim,
                       bool inclusive) {
  Location loc = op.loc();
  Value sum = CumulativeSumOp::create(b, loc, op.resultType(0), op.inputs[0],
                                      dim, !inclusive, /*reverse=*/false);
  TypedAttr start = fillOf(op.outputs[1]);
  if (inclusive || (start && (matchPattern(start, m_Zero()) ||
                              matchPattern(start, m_AnyZeroFloat()))))
    return sum;
  AffineMap all = b.getMultiDimIdentityMap(op.resultType(0).getRank());
  Value empty = tensor::EmptyOp::create(b, loc, op.resultType(0), ValueRange());
  return createNest(b, loc, {{sum, all}, {op.outputs[1], all.dropResult(dim)}},
                    {{empty, all}}, {},
                    [&](IndexBuilder &inner, ValueRange elements) {
                      return cloneBody(inner.b, *op.body,
                                       {elements[1], elements[0]});
                    })
      .front();
}

/// The region steps along the dimension: one result takes a value per step, the
/// other carries it. An inclusive scan starts with the first element instead of
/// the accumulator.
SmallVector<Value> fromlinalg::expandScan(OpBuilder &b, const ExtOp &op,
                                          int64_t dim, bool inclusive) {
  Location loc = op.loc();
  Type element = op.resultType(0).getElementType();
  if (isSum(*op.body) && !element.isInteger(1)) {
    remarkPassed(op.op, "raise", "raised to gaudi.tpc.cumulative_sum");
    Value sum = expandSum(b, op, dim, inclusive);
    return {sum, lastAlong(b, loc, sum, dim, op.resultType(1))};
  }
  // No sum: a nest that walks the dimension and carries the value.
  AffineMap all = b.getMultiDimIdentityMap(op.resultType(0).getRank());
  Value empty = tensor::EmptyOp::create(b, loc, op.resultType(0), ValueRange());
  auto step = [&](IndexBuilder &inner, ValueRange elements) {
    Value value = elements[0], carried = elements[2];
    Value next = cloneBody(inner.b, *op.body, {carried, value}).front();
    if (!inclusive)
      return SmallVector<Value>{carried, next};
    Value isFirst = inner.compare(arith::CmpIPredicate::eq, inner.loop(dim),
                                  inner.number(0));
    next = inner.select(isFirst, value, next);
    return SmallVector<Value>{next, next};
  };
  SmallVector<Value> results = createNest(
      b, loc, {{op.inputs[0], all}},
      {{empty, all}, {op.outputs[1], all.dropResult(dim)}}, {dim}, step);
  return {results[0], lastAlong(b, loc, results[0], dim, op.resultType(1))};
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

SmallVector<Value> fromlinalg::expandGather(OpBuilder &b, const ExtOp &op,
                                            ArrayRef<int64_t> dimensionMap) {
  auto source = tensorType(op.inputs[0]);
  const int64_t rank = source.getRank();
  auto batch = indexBatchRank(tensorType(op.inputs[1]), op.resultType(0),
                              dimensionMap.size(), rank);
  assert(batch && "verified");
  const int64_t window = op.resultType(0).getRank() - *batch;
  AffineMap all = b.getMultiDimIdentityMap(op.resultType(0).getRank());
  return createNest(
      b, op.loc(), {}, {{op.outputs[0], all}}, {},
      [&](IndexBuilder &inner, ValueRange elements) {
        SmallVector<Value> at =
            inner.sliceStart(op.inputs[1], *batch, dimensionMap, rank);
        // Within the window the position counts on from its start.
        for (int64_t dim = 0; dim < window; ++dim) {
          Value &index = at[rank - window + dim];
          Value inside = inner.loop(*batch + dim);
          index = index ? inner.add(index, inside) : inside;
        }
        Value element = inner.extract(op.inputs[0], at);
        return op.body ? cloneBody(inner.b, *op.body, {element, elements[0]})
                       : SmallVector<Value>{element};
      });
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

static bool isLinalgExt(Operation *op) {
  return isa_and_nonnull<tmtensor::TMTensorDialect,
                         linalgext::IreeLinalgExtDialect>(op->getDialect());
}

/// What of the op itself is not supported.
static std::string whyRefused(Operation *op) {
  if (std::string why = whyUnsupported(op); !why.empty())
    return why;
  if (auto gather = dyn_cast<linalgext::GatherOp>(op);
      gather && gather.getInputs().size() == 3)
    return "the device has no masked gather; gather all and select after it";
  if (isa<tmtensor::SortOp, tmtensor::TopKOp, linalgext::SortOp,
          linalgext::TopKOp, linalgext::TopKV2Op>(op))
    return whyNotSorted(op, op->getRegion(0));
  return "";
}

// Elements of type index, which the ops of the device do not have, have become
// i64 when this is asked.
std::string fromlinalg::whyNotExpanded(Operation *op) {
  if (!isLinalgExt(op))
    return "";
  if (std::string why = whyRefused(op); !why.empty())
    return why;
  if (isa<func::FuncOp>(op->getParentOp()))
    return "it has elements of type 'index'; expected i64";
  return "it is inside '" + op->getParentOp()->getName().getStringRef().str() +
         "'; expected it in a function";
}

template <typename Op> static ExtOp viewOf(Op op) {
  return {op, SmallVector<Value>(op.getInputs()),
          SmallVector<Value>(op.getOutputs()), op.getBody()};
}

static bool hasElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return !tensor || tensor.getNumElements() != 0;
}

/// The op if there is nothing to read: results without elements, or those that
/// the outputs hold.
static std::optional<SmallVector<Value>> withoutWork(OpBuilder &b,
                                                     Operation *op) {
  if (llvm::none_of(op->getResultTypes(), hasElements)) {
    SmallVector<Value> results;
    for (Type type : op->getResultTypes())
      results.push_back(tensor::EmptyOp::create(
          b, op->getLoc(), cast<RankedTensorType>(type), ValueRange()));
    return results;
  }
  ValueRange outputs = op->getOperands().take_back(op->getNumResults());
  if (isa<linalgext::GatherOp, tmtensor::AttentionOp, linalgext::AttentionOp>(
          op) ||
      hasElements(op->getOperandTypes().front()))
    return std::nullopt;
  return SmallVector<Value>(outputs);
}

static SmallVector<Value> expand(OpBuilder &b, Operation *op) {
  using Values = SmallVector<Value>;
  // Before the shapes of the op are used.
  if (auto results = withoutWork(b, op)) {
    remarkPassed(op, "no-work", "replaced: it has no elements to compute");
    return *results;
  }
  return llvm::TypeSwitch<Operation *, Values>(op)
      .Case<tmtensor::ScanOp, linalgext::ScanOp>([&](auto scan) {
        return expandScan(b, viewOf(scan), scan.getDimension(),
                          scan.getInclusive());
      })
      .Case<tmtensor::SortOp, linalgext::SortOp>([&](auto sort) {
        return expandSort(b, viewOf(sort), sort.getDimension());
      })
      .Case<tmtensor::TopKOp, linalgext::TopKOp, linalgext::TopKV2Op>(
          [&](auto topK) {
            return expandTopK(b, viewOf(topK), topK.getDimension());
          })
      .Case([&](tmtensor::ScatterOp scatter) {
        return expandScatter(b, viewOf(scatter), scatter.getDimensionMap(),
                             /*ofPyTorch=*/true);
      })
      .Case([&](linalgext::ScatterOp scatter) {
        return expandScatter(b, viewOf(scatter), scatter.getDimensionMap(),
                             /*ofPyTorch=*/false);
      })
      .Case([&](linalgext::GatherOp gather) {
        return expandGather(b, viewOf(gather), gather.getDimensionMap());
      })
      .Case([&](tmtensor::AttentionOp attention) {
        return expandAttention(b, viewOf(attention),
                               attention.getIndexingMapsAttr(),
                               /*scales=*/true);
      })
      .Case([&](linalgext::AttentionOp attention) {
        return expandAttention(b, viewOf(attention),
                               attention.getIndexingMapsAttr(),
                               /*scales=*/false);
      })
      .DefaultUnreachable("every op of the dialects but yield");
}

void fromlinalg::expandLinalgExt(ModuleOp module) {
  SmallVector<Operation *> ops;
  auto isIndex = [](Value value) {
    return getElementTypeOrSelf(value).isIndex();
  };
  module.walk([&](Operation *op) {
    if (isLinalgExt(op) && isa<func::FuncOp>(op->getParentOp()) &&
        whyRefused(op).empty() && llvm::none_of(op->getOperands(), isIndex))
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    rewriter.replaceOp(op, expand(rewriter, op));
  }
}
