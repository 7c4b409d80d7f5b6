// Ops on parts of dimensions, where transposes move the parts.
#include "HoistReshapes.h"
#include "../Fusion/Merge/KernelReader.h"
#include "../Fusion/Merge/KernelWriter.h"
#include "../Fusion/Merge/Views.h"
#include "Gaudi/Kernel/Limits.h"
#include "LayoutGraph.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::layout;

namespace {
/// Ops that one reshape passes. The nearest one can read or write the moved
/// parts; more only let an order live for longer.
constexpr unsigned maxDepth = 4;
/// Values that are looked at around one that is asked for in another order.
constexpr size_t maxNeighbours = 16;

/// For each dimension of a tensor the sizes of its parts in a finer shape.
using Parts = SmallVector<SmallVector<int64_t, 2>, 4>;

/// Nothing if `fine` does not split the dimensions of `coarse`, or splits none
/// but for dimensions of size 1. Linear in the ranks.
std::optional<Parts> partsOf(ArrayRef<int64_t> coarse, ArrayRef<int64_t> fine) {
  if (coarse.empty() || llvm::is_contained(coarse, 0))
    return std::nullopt;
  Parts parts(coarse.size());
  bool isSplit = false;
  size_t next = 0;
  for (auto [d, size] : llvm::enumerate(coarse)) {
    int64_t product = 1;
    unsigned large = 0;
    // A dimension of size 1 stands for one of size 1 if there is one.
    while (next < fine.size() &&
           (product < size || (parts[d].empty() && fine[next] == 1))) {
      large += fine[next] != 1;
      product *= fine[next];
      parts[d].push_back(fine[next++]);
    }
    if (product != size)
      return std::nullopt;
    isSplit |= large > 1;
  }
  for (; next < fine.size(); ++next)
    parts.back().push_back(1);
  return isSplit ? std::optional(parts) : std::nullopt;
}

/// The shape of a tensor whose dimensions are those of `coarse`, or 1 where it
/// is broadcast; nothing if they are others.
std::optional<SmallVector<int64_t>> splitShape(ArrayRef<int64_t> shape,
                                               ArrayRef<int64_t> coarse,
                                               const Parts &parts) {
  if (shape.size() != coarse.size())
    return std::nullopt;
  SmallVector<int64_t> result;
  for (auto [size, whole, sizes] : llvm::zip_equal(shape, coarse, parts)) {
    if (size == whole)
      llvm::append_range(result, sizes);
    else if (size == 1)
      result.append(sizes.size(), 1);
    else
      return std::nullopt;
  }
  return result;
}

/// True if the reshape has no answer to an order of its operand (0) or its
/// result (1): the order moves parts of dimensions.
bool separates(ReshapeOp reshape, unsigned tensor, ArrayRef<int64_t> order) {
  auto model = dyn_cast<LayoutOpInterface>(reshape.getOperation());
  return model && !model.getOrdersWith(tensor, order);
}

/// The types of operands that an op needs for a finer result, if it computes
/// the same then.
std::optional<SmallVector<RankedTensorType, 3>>
operandsFor(Operation *op, const Parts &parts) {
  const ArrayRef<int64_t> result = tensorType(op->getResult(0)).getShape();
  SmallVector<RankedTensorType, 3> types;
  auto add = [&](RankedTensorType type, ArrayRef<int64_t> coarse,
                 const Parts &parts) {
    auto shape = splitShape(type.getShape(), coarse, parts);
    if (shape)
      types.push_back(type.clone(*shape));
    return shape.has_value();
  };
  if (isa<ElementwiseOpInterface>(op) && op->getNumResults() == 1) {
    for (Value operand : op->getOperands())
      if (!add(tensorType(operand), result, parts))
        return std::nullopt;
    return types;
  }
  // Rows, columns and depth of a product stay whole; one that is stored in
  // another order already has its own numbers of dimensions.
  auto gemm = dyn_cast<GemmOp>(op);
  if (!gemm || gemm.getOrderA() || gemm.getOrderB() || gemm.getOrderC() ||
      parts.end()[-1].size() != 1 || parts.end()[-2].size() != 1)
    return std::nullopt;
  for (Value operand : {gemm.getLhs(), gemm.getRhs()}) {
    RankedTensorType type = tensorType(operand);
    const ArrayRef<int64_t> matrix = type.getShape().take_back(2);
    SmallVector<int64_t> coarse(result.drop_back(2));
    llvm::append_range(coarse, matrix);
    Parts own(ArrayRef(parts).drop_back(2));
    for (int64_t size : matrix)
      own.push_back({size});
    if (!add(type, coarse, own))
      return std::nullopt;
  }
  return types;
}

/// Some of the readers: time stays linear where each of very many readers asks
/// for the others.
SmallVector<Operation *, maxNeighbours> firstUsersOf(Value value) {
  SmallVector<Operation *, maxNeighbours> users;
  for (Operation *user : value.getUsers()) {
    if (users.size() == maxNeighbours)
      break;
    users.push_back(user);
  }
  return users;
}

/// Tensors of the same shape around `value`, through elementwise ops.
SmallVector<Value> neighboursOf(Value value) {
  const ArrayRef<int64_t> shape = tensorType(value).getShape();
  llvm::SmallSetVector<Value, maxNeighbours> found;
  found.insert(value);
  auto add = [&](Value other) {
    if (found.size() < maxNeighbours && tensorType(other).getShape() == shape)
      found.insert(other);
  };
  for (size_t next = 0; next < found.size(); ++next) {
    Operation *def = found[next].getDefiningOp();
    if (isa_and_nonnull<ElementwiseOpInterface>(def))
      llvm::for_each(def->getOperands(), add);
    for (Operation *user : firstUsersOf(found[next]))
      if (isa<ElementwiseOpInterface>(user) && user->getNumResults() == 1)
        add(user->getResult(0));
  }
  return found.takeVector();
}
} // namespace

HoistedReshapes::HoistedReshapes(func::FuncOp function) : function(function) {
  // Reshapes come and go; all others stay.
  SmallVector<Operation *> others;
  for (Operation &op : function.front())
    if (!isa<ReshapeOp, ElementwiseOpInterface>(op))
      others.push_back(&op);
  for (Operation *op : others)
    visit(op);
  eraseUnused();
}

HoistedReshapes::~HoistedReshapes() {
  for (const Refined &entry : refined)
    if (entry.kernel)
      entry.kernel->destroy();
}

void HoistedReshapes::visit(Operation *op) {
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    visit(transpose.getOperand(), transpose.getPermutation());
    visit(transpose.getResult(), inverseOrder(transpose.getPermutation()));
    return;
  }
  auto model = dyn_cast<LayoutOpInterface>(op);
  if (!model)
    return;
  for (unsigned tensor = 0; tensor < tensorCount(op); ++tensor)
    if (Order order = model.getNativeOrder(tensor); !order.empty())
      visit(tensorOf(op, tensor), order);
}

void HoistedReshapes::visit(Value value, ArrayRef<int64_t> order) {
  if (isIdentityOrder(order))
    return;
  SmallVector<ReshapeOp> splits, merges;
  for (Value tensor : neighboursOf(value)) {
    if (auto split = tensor.getDefiningOp<ReshapeOp>())
      if (separates(split, 1, order))
        splits.push_back(split);
    for (Operation *user : firstUsersOf(tensor)) {
      auto merge = dyn_cast<ReshapeOp>(user);
      if (merge && separates(merge, 0, order))
        merges.push_back(merge);
    }
  }
  // A reshape that nobody needs any more is still there: eraseUnused().
  for (ReshapeOp split : splits)
    hoist(split, 0);
  for (ReshapeOp merge : merges)
    sink(merge, 0);
}

void HoistedReshapes::hoist(ReshapeOp split, unsigned depth) {
  Operation *producer = split.getOperand().getDefiningOp();
  if (!producer || depth == maxDepth)
    return;
  if (auto kernel = dyn_cast<KernelOp>(producer)) {
    stripMine(kernel, split);
    return;
  }
  if (!refine(producer, split.getType().getShape()))
    return;
  for (Value operand : producer->getOperands())
    if (auto next = operand.getDefiningOp<ReshapeOp>())
      hoist(next, depth + 1);
}

void HoistedReshapes::sink(ReshapeOp merge, unsigned depth) {
  const RankedTensorType coarse = merge.getType();
  const auto parts =
      partsOf(coarse.getShape(), tensorType(merge.getOperand()).getShape());
  if (!parts || depth == maxDepth)
    return;
  if (merge.getResult().hasNUsesOrMore(maxNeighbours + 1))
    return;
  for (Operation *user : firstUsersOf(merge.getResult())) {
    if (user->getNumResults() != 1 ||
        !isa<ElementwiseOpInterface, GemmOp>(user))
      continue;
    const RankedTensorType type = tensorType(user->getResult(0));
    if (type.getRank() != coarse.getRank())
      continue;
    // Dimensions that only the result has stay whole.
    SmallVector<int64_t> shape;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (type.getDimSize(d) == coarse.getDimSize(d))
        llvm::append_range(shape, (*parts)[d]);
      else
        shape.push_back(type.getDimSize(d));
    if (!refine(user, shape))
      continue;
    for (Operation *next :
         SmallVector<Operation *>(user->getResult(0).getUsers()))
      if (auto back = dyn_cast<ReshapeOp>(next))
        sink(back, depth + 1);
  }
}

/// Puts the op on tensors whose result has the shape; false if it cannot be.
bool HoistedReshapes::refine(Operation *op, ArrayRef<int64_t> shape) {
  if (op->getNumResults() != 1 || !isa<ElementwiseOpInterface, GemmOp>(op))
    return false;
  const RankedTensorType type = tensorType(op->getResult(0));
  if (shape.size() > ::gaudi::kernel::maxRank)
    return false;
  const auto parts = partsOf(type.getShape(), shape);
  auto operands = parts ? operandsFor(op, *parts) : std::nullopt;
  if (!operands)
    return false;
  Refined before;
  before.op = op;
  before.result = type;
  for (Value operand : op->getOperands())
    before.operands.push_back(tensorType(operand));
  setTypes(op, *operands, type.clone(shape));
  remember(std::move(before));
  return true;
}

/// An op that is refined twice goes back to what it was at first.
void HoistedReshapes::remember(Refined before) {
  if (ops.insert(before.op).second)
    refined.push_back(std::move(before));
  else if (before.kernel)
    before.kernel->destroy();
}

/// Makes the kernel write the split tensor; false if its loops cannot be
/// strip-mined so. Each attempt adds a dimension, so there are few.
bool HoistedReshapes::stripMine(KernelOp kernel, ReshapeOp split) {
  const RankedTensorType type = split.getType();
  if (kernel->getNumResults() != 1 ||
      type == tensorType(kernel->getResult(0)) ||
      type.getRank() > int64_t(::gaudi::kernel::maxRank))
    return false;
  // Only the first form can be undone.
  if (ops.contains(kernel))
    return false;
  FailureOr<fusion::KernelDag> dag = fusion::readKernel(kernel);
  if (failed(dag) || dag->stores.size() != 1)
    return false;
  SmallVector<fusion::Affine, 4> position;
  while (true) {
    position.clear();
    const fusion::Reindexed moved = fusion::positionInResult(
        split, dag->stores.front().position, dag->extents, position);
    if (moved.ok)
      break;
    if (!moved.stripMine ||
        dag->extents.size() >= ::gaudi::kernel::maxKernelDims)
      return false;
    dag = dag->stripMined(*moved.stripMine, kernel->getContext());
  }
  if (dag->countParallel() > ::gaudi::kernel::maxParallelDims)
    return false;
  // Canonicalization drops an operand that nothing reads.
  const SmallVector<Value> tensors = dag->tensors();
  if (!llvm::all_of(kernel->getOperands(), [&](Value operand) {
        return llvm::is_contained(tensors, operand);
      }))
    return false;
  Refined before;
  before.op = kernel;
  before.result = tensorType(kernel->getResult(0));
  // The copy reads nothing: what the kernel reads may be erased before undo().
  before.kernel = kernel->clone();
  before.kernel->setOperands({});
  for (Value operand : kernel->getOperands()) {
    before.operands.push_back(tensorType(operand));
    before.operandOf.push_back(llvm::find(tensors, operand) - tensors.begin());
  }
  setTypes(kernel, before.operands, type);
  dag->stores.front().position = position;
  dag->stores.front().result = kernel->getResult(0);
  kernel->setOperands(tensors);
  fusion::writeKernel(*dag, kernel);
  remember(std::move(before));
  return true;
}

/// The tensor with the same elements in another shape.
Value HoistedReshapes::reshaped(Value value, RankedTensorType type) {
  while (value.getType() != type) {
    auto reshape = value.getDefiningOp<ReshapeOp>();
    if (!reshape)
      break;
    value = reshape.getOperand();
  }
  if (Value original = originals.lookup(value))
    value = original;
  if (value.getType() == type)
    return value;
  Value &view = views[{value, type}];
  if (view)
    return view;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  const Location loc = value.getLoc();
  auto constant = value.getDefiningOp<ConstantOp>();
  auto data = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                       : DenseElementsAttr();
  if (!data)
    return view = ReshapeOp::create(builder, loc, type, value);
  view = ConstantOp::create(builder, loc, type, data.reshape(type));
  originals[view] = value;
  return view;
}

/// Readers of the result get it back in its shape; reshapes among them read it
/// directly.
void HoistedReshapes::setTypes(Operation *op,
                               ArrayRef<RankedTensorType> operands,
                               RankedTensorType result) {
  assert(op->getNumResults() == 1 && operands.size() == op->getNumOperands() &&
         "one type per tensor");
  for (auto [i, type] : llvm::enumerate(operands)) {
    if (auto before = op->getOperand(i).getDefiningOp<ReshapeOp>())
      replaced.insert(before);
    op->setOperand(i, reshaped(op->getOperand(i), type));
  }
  Value value = op->getResult(0);
  const RankedTensorType before = tensorType(value);
  value.setType(result);
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto back = ReshapeOp::create(builder, op->getLoc(), before, value);
  replaced.insert(back);
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
    auto reshape = dyn_cast<ReshapeOp>(use.getOwner());
    if (reshape == back)
      continue;
    if (!reshape) {
      use.set(back.getResult());
    } else if (reshape.getType() == result) {
      reshape.getResult().replaceAllUsesWith(value);
      replaced.insert(reshape);
    }
  }
}

/// A reshape is looked at again when one that reads it has gone: linear time.
void HoistedReshapes::eraseUnused() {
  while (!replaced.empty()) {
    ReshapeOp reshape = replaced.pop_back_val();
    if (!reshape->use_empty())
      continue;
    if (auto source = reshape.getOperand().getDefiningOp<ReshapeOp>())
      replaced.insert(source);
    reshape.erase();
  }
  views.clear();
}

void HoistedReshapes::keepWhatIsUsed(const Placement &placement) {
  llvm::erase_if(refined, [&](const Refined &entry) {
    const auto at = placement.ops.find(entry.op);
    const bool isUsed = at != placement.ops.end() &&
                        (at->second.asKernel ||
                         !llvm::all_of(at->second.orders, isIdentityOrder));
    const Type now = entry.op->getResult(0).getType();
    const auto options = remark::RemarkOpts::name("split-dimensions")
                             .category("gaudi-place-permutations")
                             .function(function.getName());
    if (isUsed)
      remark::passed(entry.op->getLoc(), options)
          << remark::add("split dimensions of {0}: {1} has an order that moves "
                         "parts of them",
                         entry.result, now);
    else
      remark::missed(entry.op->getLoc(), options)
          << remark::add("not split dimensions of {0}: no other order of {1} "
                         "takes less time",
                         entry.result, now);
    if (isUsed && entry.kernel)
      entry.kernel->destroy();
    return isUsed;
  });
}

void HoistedReshapes::undo() {
  for (Refined &entry : refined) {
    if (Operation *before = std::exchange(entry.kernel, nullptr)) {
      SmallVector<Value> operands;
      for (unsigned now : entry.operandOf)
        operands.push_back(entry.op->getOperand(now));
      entry.op->setOperands(operands);
      entry.op->setAttrs(before->getAttrDictionary());
      entry.op->getRegion(0).takeBody(before->getRegion(0));
      before->destroy();
    }
    setTypes(entry.op, entry.operands, entry.result);
  }
  refined.clear();
  eraseUnused();
  for (auto [made, original] : originals)
    if (made.use_empty())
      made.getDefiningOp()->erase();
  originals.clear();
}
