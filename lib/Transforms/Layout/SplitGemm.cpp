// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products whose rows, columns and depth are several dimensions.
#include "SplitGemm.h"
#include "Gaudi/Dialect/DimMapBuilder.h"
#include "Gaudi/Dialect/MatrixOrders.h"
#include "Gaudi/Timing/Cost.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

#include "SplitGemmDialect.cpp.inc"
#define GET_OP_CLASSES
#include "SplitGemm.cpp.inc"

void LayoutDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "SplitGemm.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Names of dimensions
//===----------------------------------------------------------------------===//

ProductDims ProductDims::of(Operation *op) {
  assert((isa<SplitGemmOp>(op) || !hasOrders(cast<GemmOp>(op))) &&
         "its batch is the front of each tensor");
  const DimMap map = cast<DimMapOpInterface>(op).getDimMap();
  ProductDims dims;
  for (unsigned tensor : {0, 1, 2}) {
    for (const DimMap::Dim &dim : map.of(tensor).dims)
      dims.names[tensor].push_back(map.factors[*DimMap::factorOf(dim)].name);
    llvm::append_range(dims.sizes[tensor], typeOfTensor(op, tensor).getShape());
  }
  return dims;
}

ProductDims::Kind ProductDims::kindOf(int64_t name) const {
  const bool inLhs = llvm::is_contained(names[0], name),
             inRhs = llvm::is_contained(names[1], name),
             inResult = llvm::is_contained(names[2], name);
  assert(inLhs + inRhs + inResult >= 2 && "a dimension of a product");
  return !inResult ? Kind::Depth
         : !inRhs  ? Kind::Rows
         : !inLhs  ? Kind::Columns
                   : Kind::Batch;
}

ProductDims ProductDims::split(ArrayRef<Parts> splits) const {
  // Names stay in sequence: the parts of one follow each other, outer first.
  SmallVector<int64_t> partsOfName;
  // A name is in two tensors, of a batch in all three, with as many parts (of
  // size 1 where it is broadcast).
  for (auto [tensor, parts] : llvm::enumerate(splits))
    for (auto [name, sizes] : llvm::zip_equal(names[tensor], parts)) {
      partsOfName.resize(std::max<size_t>(partsOfName.size(), name + 1), 0);
      assert((partsOfName[name] == 0 ||
              partsOfName[name] == int64_t(sizes.size())) &&
             "one split of a dimension in all tensors");
      partsOfName[name] = sizes.size();
    }
  SmallVector<int64_t> first;
  int64_t next = 0;
  for (int64_t count : partsOfName) {
    first.push_back(next);
    next += count;
  }
  ProductDims result;
  for (auto [tensor, parts] : llvm::enumerate(splits))
    for (auto [name, sizes] : llvm::zip_equal(names[tensor], parts))
      for (auto [part, size] : llvm::enumerate(sizes)) {
        result.names[tensor].push_back(first[name] + int64_t(part));
        result.sizes[tensor].push_back(size);
      }
  return result;
}

ProductDims ProductDims::stored(const Orders &orders) const {
  ProductDims result;
  for (unsigned tensor : {0, 1, 2})
    for (int64_t dim : orders[tensor]) {
      result.names[tensor].push_back(names[tensor][dim]);
      result.sizes[tensor].push_back(sizes[tensor][dim]);
    }
  return result;
}

Orders ProductDims::ordersWith(unsigned tensor, ArrayRef<int64_t> order) const {
  Orders orders;
  for (unsigned other : {0, 1, 2}) {
    orders.push_back(identityOrder(names[other].size()));
    if (other == tensor) {
      orders.back() = Order(order);
      continue;
    }
    // The slots of each kind stay; the dimensions in them are taken in the
    // order asked for.
    for (Kind kind : {Kind::Rows, Kind::Columns, Kind::Depth}) {
      SmallVector<int64_t> slots, dims;
      for (auto [slot, name] : llvm::enumerate(names[other]))
        if (kindOf(name) == kind && llvm::is_contained(names[tensor], name))
          slots.push_back(int64_t(slot));
      for (int64_t dim : order) {
        const auto *at = llvm::find(names[other], names[tensor][dim]);
        if (at != names[other].end() && kindOf(*at) == kind)
          dims.push_back(at - names[other].begin());
      }
      for (auto [slot, dim] : llvm::zip_equal(slots, dims))
        orders.back()[slot] = dim;
    }
  }
  return orders;
}

std::optional<ProductDims::Matrices> ProductDims::matrices() const {
  SmallVector<int64_t> batch(names[2]);
  llvm::erase_if(batch,
                 [&](int64_t name) { return kindOf(name) != Kind::Batch; });
  llvm::sort(batch);
  const int64_t matrix = batch.size();
  constexpr std::pair<Kind, Kind> kinds[] = {{Kind::Rows, Kind::Depth},
                                             {Kind::Depth, Kind::Columns},
                                             {Kind::Rows, Kind::Columns}};
  Matrices result;
  std::array<SmallVector<int64_t, 4>, 4> sequences; // by kind
  std::array<bool, 4> isKnown = {};
  for (unsigned tensor : {0, 1, 2}) {
    std::array<SmallVector<int64_t, 4>, 4> own;
    std::array<int64_t, 4> place = {-1, -1, -1, -1};
    std::optional<Kind> last; // of those with several elements
    SmallVector<int64_t, 6> &shape = result.shapes[tensor];
    Order &storage = result.storage[tensor];
    for (auto [name, size] : llvm::zip_equal(names[tensor], sizes[tensor])) {
      const Kind kind = kindOf(name);
      const auto number = size_t(kind);
      if (kind == Kind::Batch) {
        storage.push_back(llvm::find(batch, name) - batch.begin());
        shape.push_back(size);
      } else if (size != 1) {
        own[number].push_back(name);
        if (place[number] < 0) {
          place[number] = shape.size();
          storage.push_back(matrix + (kind == kinds[tensor].second));
          shape.push_back(size);
        } else if (last == kind) {
          shape[place[number]] *= size;
        } else {
          return std::nullopt; // apart
        }
      }
      if (size != 1)
        last = kind;
    }
    const bool hasMatrix = place[size_t(kinds[tensor].first)] >= 0 ||
                           place[size_t(kinds[tensor].second)] >= 0;
    // The engine reads and writes rows of the fastest dimension.
    if (last == Kind::Batch && hasMatrix)
      return std::nullopt;
    for (Kind kind : {kinds[tensor].first, kinds[tensor].second}) {
      const auto number = size_t(kind);
      if (place[number] < 0) {
        storage.push_back(matrix + (kind == kinds[tensor].second));
        shape.push_back(1);
      }
      if (std::exchange(isKnown[number], true) &&
          sequences[number] != own[number])
        return std::nullopt;
      sequences[number] = own[number];
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

static Value reshapeTo(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> shape) {
  const RankedTensorType type = tensorType(value);
  if (type.getShape() == shape)
    return value;
  return ReshapeOp::create(builder, loc, type.clone(shape), value);
}

/// The product of matrices that computes the op, without the result's reshape.
static GemmOp makeGemm(OpBuilder &builder, SplitGemmOp op) {
  const auto matrices = ProductDims::of(op).matrices();
  assert(matrices && "only such orders are accepted");
  const Location loc = op.getLoc();
  auto gemm =
      GemmOp::create(builder, loc, op.getType().clone(matrices->shapes[2]),
                     reshapeTo(builder, loc, op.getLhs(), matrices->shapes[0]),
                     reshapeTo(builder, loc, op.getRhs(), matrices->shapes[1]));
  setStorage(gemm, matrices->storage);
  return gemm;
}

SplitGemmOp layout::makeSplitGemm(GemmOp op) {
  const ProductDims dims = ProductDims::of(op);
  OpBuilder builder(op);
  auto split = SplitGemmOp::create(builder, op.getLoc(), op.getType(),
                                   op.getLhs(), op.getRhs(), dims.names[0],
                                   dims.names[1], dims.names[2]);
  op.getResult().replaceAllUsesWith(split.getResult());
  op->remove();
  op->setOperands({});
  return split;
}

void layout::lowerSplitGemms(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto split = dyn_cast<SplitGemmOp>(op);
    if (!split)
      continue;
    OpBuilder builder(split);
    GemmOp gemm = makeGemm(builder, split);
    split.getResult().replaceAllUsesWith(reshapeTo(
        builder, split.getLoc(), gemm.getResult(), split.getType().getShape()));
    split.erase();
  }
}

DimMap SplitGemmOp::getDimMap() {
  DimMapBuilder map(*this);
  const ArrayRef<int64_t> names[] = {getLhsDims(), getRhsDims(),
                                     getResultDims()};
  for (auto [tensor, own] : llvm::enumerate(names))
    map.name(tensor, Names(own.begin(), own.end()));
  return map.take();
}

int64_t SplitGemmOp::getArithmeticOps() {
  const ProductDims dims = ProductDims::of(*this);
  int64_t depth = 1;
  for (auto [name, size] : llvm::zip_equal(dims.names[0], dims.sizes[0]))
    if (dims.kindOf(name) == ProductDims::Kind::Depth)
      depth *= size;
  return 2 * depth * getType().getNumElements();
}

WorkList SplitGemmOp::getWork(OperandOf operandOf) {
  // Ops in no block, for as long as they are asked.
  OpBuilder builder(getContext());
  GemmOp gemm = makeGemm(builder, *this);
  WorkList work = cast<CostOpInterface>(gemm.getOperation()).getWork(operandOf);
  const SmallVector<Value> operands(gemm->getOperands());
  gemm->destroy();
  for (Value operand : operands)
    if (auto reshape = operand.getDefiningOp<ReshapeOp>())
      if (!reshape->getBlock() && reshape->use_empty())
        reshape->destroy();
  return work;
}

bool SplitGemmOp::hasIndependentOrders() { return true; }

std::optional<Orders> SplitGemmOp::getOrdersWith(unsigned tensor,
                                                 ArrayRef<int64_t> order) {
  Orders orders = ProductDims::of(*this).ordersWith(tensor, order);
  return acceptsOrders(orders) ? std::optional(std::move(orders))
                               : std::nullopt;
}

bool SplitGemmOp::acceptsOrders(const Orders &orders) {
  return ProductDims::of(*this).stored(orders).matrices().has_value();
}

void SplitGemmOp::applyOrders(const Orders &orders) {
  // The operands have the stored types already, the result not yet.
  setLhsDims(applyPermutation(getLhsDims(), orders[0]));
  setRhsDims(applyPermutation(getRhsDims(), orders[1]));
  setResultDims(applyPermutation(getResultDims(), orders[2]));
  getResult().setType(storedType(getType(), orders[2]));
}
