// Another batch size for a module of static shapes.
#include "Batch.h"
#include "BatchTies.h"
#include "Gaudi/Dialect/Layout.h"
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Dialect/Signature.h"
#include "mlir/IR/Builders.h"
#include <numeric>

using namespace mlir;
using namespace mlir::gaudi;

struct Batch::Ties {
  explicit Ties(func::FuncOp function) : graph(function), function(function) {}

  bool grows(Value value, unsigned dim) const {
    return growing[graph.nodeOf(value, dim)];
  }
  /// In a dimension of size 0 nothing does.
  bool grows(Value value) const {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      if (grows(value, dim) && type.getDimSize(dim) != 0)
        return true;
    return false;
  }
  /// All values, arguments first.
  SmallVector<Value, 0> values() const {
    Block &block = function.front();
    SmallVector<Value, 0> all(block.getArguments());
    for (Operation &op : block)
      llvm::append_range(all, op.getResults());
    return all;
  }
  void choose(ArrayRef<BatchTies::Node> nodes) {
    growing.assign(graph.size(), false);
    for (BatchTies::Node node : nodes)
      growing[node] = true;
  }

  /// What tells a batch from other dimensions, such as features, that grow
  /// with the leading dimension of a weight: it is the leading dimension of
  /// each argument that has it, and most values have it.
  std::pair<bool, size_t> weight(ArrayRef<Value> values) const {
    bool leads = true;
    size_t count = 0;
    for (Value value : values) {
      auto argument = dyn_cast<BlockArgument>(value);
      auto type = cast<RankedTensorType>(value.getType());
      for (int64_t dim = 1; argument && dim < type.getRank(); ++dim)
        leads &= !grows(value, dim);
      count += !argument && grows(value);
    }
    return {leads, count};
  }

  BatchTies graph;
  mutable func::FuncOp function;
  std::vector<bool> growing; // by node
  unsigned argument = 0;
  int64_t size = 0, step = 1;
  SmallVector<unsigned> arguments;
};

Batch::Batch() = default;
Batch::~Batch() = default;
Batch::Batch(Batch &&) noexcept = default;
Batch &Batch::operator=(Batch &&) noexcept = default;

unsigned Batch::argument() const { return ties->argument; }
int64_t Batch::size() const { return ties->size; }
int64_t Batch::step() const { return ties->step; }
ArrayRef<unsigned> Batch::arguments() const { return ties->arguments; }

/// "the leading dimension of input 'x' (64) cannot change: ...".
static std::string refusal(func::FuncOp function, unsigned argument,
                           Operation *op) {
  const int64_t size = tensorType(function.getArgument(argument)).getDimSize(0);
  const std::string place = locationText(op->getLoc());
  return ("the leading dimension of input '" +
          Twine(argumentName(function, argument)) + "' (" + Twine(size) +
          ") cannot change: '" + op->getName().getStringRef() + "'" +
          (place.empty() ? "" : " at " + Twine(place)) + " fixes it")
      .str();
}

FailureOr<Batch> Batch::find(func::FuncOp function,
                             std::optional<unsigned> wanted,
                             std::string &error) {
  Batch batch;
  batch.ties = std::make_unique<Ties>(function);
  Ties &ties = *batch.ties;
  const SmallVector<Value, 0> values = ties.values();
  std::optional<unsigned> chosen;
  std::pair<bool, size_t> most;
  SmallVector<BatchTies::Node, 0> best;
  std::vector<bool> known(ties.graph.size());
  for (BlockArgument argument : function.getArguments()) {
    const unsigned number = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if ((wanted && *wanted != number) || !type || type.getRank() == 0 ||
        type.getDimSize(0) == 0 || known[ties.graph.nodeOf(argument, 0)])
      continue;
    Operation *fixedBy = nullptr;
    auto nodes = ties.graph.reach(ties.graph.nodeOf(argument, 0), fixedBy);
    for (BatchTies::Node node : nodes)
      known[node] = true;
    ties.choose(nodes);
    std::pair<bool, size_t> found = ties.weight(values);
    // Where it is a close thing, the one that can change is meant.
    if (fixedBy)
      found.second /= 2;
    if (chosen && found <= most)
      continue;
    most = found;
    chosen = number;
    error = fixedBy ? refusal(function, number, fixedBy) : "";
    best = std::move(nodes);
  }
  if (!chosen)
    error = "the model has no input with a leading dimension";
  if (!error.empty())
    return failure();
  ties.choose(best);
  ties.argument = *chosen;
  ties.size = tensorType(function.getArgument(*chosen)).getDimSize(0);
  for (Value value : values)
    for (int64_t dim = 0;
         ties.grows(value) && dim < tensorType(value).getRank(); ++dim)
      if (ties.grows(value, dim))
        ties.step = std::lcm(
            ties.step,
            ties.size / std::gcd(ties.size, tensorType(value).getDimSize(dim)));
  for (BlockArgument argument : function.getArguments())
    if (ties.grows(argument))
      ties.arguments.push_back(argument.getArgNumber());
  return batch;
}

/// A constant of one value, or without elements, in another shape. A dimension
/// of size 0 stays as it is.
static DenseElementsAttr resizeConstant(Attribute value,
                                        RankedTensorType type) {
  if (type.getNumElements() == 0)
    return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  return DenseElementsAttr::get(
      type, cast<SplatElementsAttr>(value).getSplatValue<Attribute>());
}

/// Gives the index space a first dimension of size 1 for each of `dims`, which
/// are dimensions of the results that are stored to at 0.
static void addWalks(KernelOp kernel, ArrayRef<unsigned> dims) {
  const unsigned added = dims.size();
  MLIRContext *context = kernel.getContext();
  kernel.getBody().walk([&](Operation *op) {
    if (auto load = dyn_cast<KernelLoadOp>(op)) {
      load.setMap(load.getMap().shiftDims(added));
    } else if (auto index = dyn_cast<KernelIndexOp>(op)) {
      index.setDim(index.getDim() + added);
    } else if (auto loop = dyn_cast<KernelLoopOp>(op)) {
      SmallVector<int64_t> shifted(loop.getDims());
      for (int64_t &dim : shifted)
        dim += added;
      loop.setDims(shifted);
    } else if (auto store = dyn_cast<KernelStoreOp>(op)) {
      AffineMap map = store.getMap().shiftDims(added);
      SmallVector<AffineExpr> exprs(map.getResults());
      for (auto [walk, dim] : llvm::enumerate(dims))
        if (dim < exprs.size() && isa<AffineConstantExpr>(exprs[dim]))
          exprs[dim] = getAffineDimExpr(walk, context);
      store.setMap(AffineMap::get(map.getNumDims(), map.getNumSymbols(), exprs,
                                  context));
    }
  });
  SmallVector<int64_t> space(added, 1);
  llvm::append_range(space, kernel.getIndexSpace());
  kernel.setIndexSpace(space);
  SmallVector<bool> parallel(added, true);
  llvm::append_range(parallel, kernel.getParallel());
  kernel.setParallel(parallel);
}

/// Lets the kernel walk dimensions that it reads at 0 and that grow.
static void walkGrown(KernelOp kernel,
                      llvm::function_ref<bool(Value, unsigned)> grows,
                      llvm::function_ref<bool(unsigned)> extentGrows) {
  kernel.getBody().walk([&](KernelLoadOp load) {
    AffineMap map = load.getMap();
    SmallVector<AffineExpr> exprs(map.getResults());
    for (auto [dim, expr] : llvm::enumerate(exprs))
      if (isa<AffineConstantExpr>(expr) && !load.getDynamicIndex(dim) &&
          grows(kernel.getInputs()[load.getInputNumber()], dim))
        if (auto walked = walkedAlone(kernel, exprs.size(), dim);
            walked && extentGrows(*walked))
          expr = getAffineDimExpr(*walked, map.getContext());
    load.setMap(AffineMap::get(map.getNumDims(), map.getNumSymbols(), exprs,
                               map.getContext()));
  });
}

/// After its operands and results have been resized.
void Batch::resizeKernel(KernelOp kernel,
                         llvm::function_ref<int64_t(int64_t)> grown) {
  SmallVector<unsigned> ones;
  const unsigned rank = kernel.getOutputs().empty()
                            ? 0
                            : tensorType(kernel.getOutputs().front()).getRank();
  for (unsigned dim = 0; dim < rank; ++dim)
    if (ties->growing[ties->graph.nodeOfOne(kernel, dim)])
      ones.push_back(dim);
  if (!ones.empty())
    addWalks(kernel, ones);
  auto extentGrows = [&](unsigned dim) {
    return dim < ones.size() ||
           ties->growing[ties->graph.nodeOf(kernel, dim - ones.size())];
  };
  walkGrown(
      kernel,
      [&](Value value, unsigned dim) { return ties->grows(value, dim); },
      extentGrows);
  SmallVector<int64_t> space(kernel.getIndexSpace());
  for (auto [dim, extent] : llvm::enumerate(space))
    if (extentGrows(dim))
      extent = grown(extent);
  kernel.setIndexSpace(space);
  for (auto [inner, outer] :
       llvm::zip(kernel.getInputArguments(), kernel.getInputs()))
    inner.setType(outer.getType());
  for (auto [inner, outer] :
       llvm::zip(kernel.getOutputArguments(), kernel.getOutputs()))
    inner.setType(outer.getType());
}

LogicalResult Batch::resize(int64_t size) {
  assert(size > 0 && size % step() == 0 && "a size that divides");
  bool fits = true;
  auto grown = [&](int64_t old) {
    const __int128 value = __int128(old) * size / ties->size;
    fits &= value <= maxWindowEntry;
    return fits ? int64_t(value) : old;
  };
  for (Value value : ties->values()) {
    if (!ties->grows(value))
      continue;
    RankedTensorType type = tensorType(value);
    SmallVector<int64_t> shape(type.getShape());
    for (auto [dim, extent] : llvm::enumerate(shape))
      if (ties->grows(value, dim))
        extent = grown(extent);
    value.setType(type.clone(shape));
  }
  func::FuncOp function = ties->function;
  for (Operation &op : function.front()) {
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      if (ties->grows(constant.getResult()))
        constant.setValueAttr(resizeConstant(constant.getValue(),
                                             tensorType(constant.getResult())));
    } else if (auto kernel = dyn_cast<KernelOp>(op)) {
      resizeKernel(kernel, grown);
    }
  }
  for (unsigned argument : ties->arguments)
    if (auto initial = function.getArgAttr(argument, initialAttrName))
      function.setArgAttr(
          argument, initialAttrName,
          resizeConstant(initial, tensorType(function.getArgument(argument))));
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.front().getArgumentTypes(),
      function.front().getTerminator()->getOperandTypes()));
  return success(fits);
}
