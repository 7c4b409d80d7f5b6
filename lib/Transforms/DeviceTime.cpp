// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device time of ops: the model's answers in the dialect's terms.
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Dialect/KernelLanguage.h"
#include "Gaudi/Timing/Library.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace gaudi;
using gaudi::device::DeviceSpec;
using gaudi::timing::FillWork;
using gaudi::timing::LibraryWork;
using gaudi::timing::Operand;
using gaudi::timing::TransferWork;
using gaudi::timing::Work;

/// Strides of the tensor in elements. Views are followed to the tensor that has
/// the bytes; one that strides cannot express is dense, as it is copied. They
/// are followed to one in `known` at most, where their strides are added.
static SmallVector<int64_t> stridesOf(Value tensor,
                                      StridesOfViews *known = nullptr) {
  SmallVector<OpResult> views; // from the tensor on; chains may be long
  SmallVector<int64_t> strides;
  for (;;) {
    if (known)
      if (auto it = known->find(tensor); it != known->end()) {
        strides = it->second;
        break;
      }
    if (BufferAttr buffer = bufferOf(tensor)) {
      strides.assign(buffer.getStrides().begin(), buffer.getStrides().end());
      break;
    }
    // A splat is stored as one element, which all positions read.
    auto constant = tensor.getDefiningOp<ConstantOp>();
    if (constant && isa<SplatElementsAttr>(constant.getValue())) {
      strides.assign(tensorType(tensor).getRank(), 0);
      break;
    }
    auto view = tensor.getDefiningOp<ViewOpInterface>();
    if (!view) {
      strides = denseStrides(tensorType(tensor).getShape());
      break;
    }
    views.push_back(cast<OpResult>(tensor));
    tensor = view.getViewSource(views.back());
  }
  // From the bytes to the tensor: each view's strides follow from those of its
  // source.
  for (OpResult result : llvm::reverse(views)) {
    auto view = cast<ViewOpInterface>(result.getOwner());
    auto layout = view.getViewLayout(result, {0, strides});
    strides = layout ? std::move(layout->strides)
                     : denseStrides(tensorType(result).getShape());
    if (known)
      (*known)[result] = strides;
  }
  return strides;
}

static Operand operandWith(ArrayRef<int64_t> strides, Value tensor) {
  RankedTensorType type = tensorType(tensor);
  Operand operand;
  operand.type = elementTypeOf(type.getElementType());
  operand.sizes.assign(type.getShape().begin(), type.getShape().end());
  operand.strides.assign(strides.begin(), strides.end());
  return operand;
}

Operand gaudi::operandOf(Value tensor) {
  return operandWith(stridesOf(tensor), tensor);
}

bool gaudi::explains(Operation *op) {
  if (!op->getContext()->getRemarkEngine())
    return false;
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  return !module || !module->hasAttr(trialAttrName);
}

static TransferWork::Engine moverOf(Engine engine) {
  return engine == Engine::MME   ? TransferWork::Engine::Mme
         : engine == Engine::TPC ? TransferWork::Engine::Tpc
                                 : TransferWork::Engine::Dma;
}

/// A copy to a dense tensor of the same sizes.
static TransferWork copyOf(Value tensor, const DeviceSpec &spec,
                           StridesOfViews *known = nullptr) {
  TransferWork work;
  work.engine =
      moverOf(engineFor(spec, Movement::Copy, getElementTypeOrSelf(tensor)));
  work.source = work.target = operandWith(stridesOf(tensor, known), tensor);
  work.target.strides = gaudi::kernel::denseStrides(work.target.sizes);
  return work;
}

/// Drops the copies of operands that are in their slices of the result. An
/// insertion copies what it updates first.
static void dropElided(WorkList &list, Operation *op) {
  SmallVector<OpOperand *> copied;
  for (OpOperand &operand : op->getOpOperands())
    if (elementCount(operand.get()) != 0)
      copied.push_back(&operand);
  if (auto insert = dyn_cast<InsertSliceOp>(op);
      insert && copied.size() == 2 && copied[0] != updatedOperand(op))
    std::swap(copied[0], copied[1]);
  if (copied.size() != list.size())
    return;
  WorkList kept;
  const OperandSlices slices(op);
  for (auto [operand, work] : llvm::zip(copied, list))
    if (!slices.contains(*operand))
      kept.push_back(std::move(work));
  list = std::move(kept);
}

WorkList DeviceTime::workOf(Operation *op) const {
  auto cost = dyn_cast<CostOpInterface>(op);
  if (!cost)
    return {};
  WorkList list = cost.getWork(operandOf);
  // Once buffers are assigned, a view that strides cannot express is a copy.
  if (auto view = dyn_cast<ViewOpInterface>(op))
    for (OpResult result : op->getResults())
      if (bufferOf(result) && !isWindow(result) && elementCount(result) != 0)
        list.push_back(copyOf(view.getViewSource(result), spec));
  if (isa<ConcatOp, InsertSliceOp>(op))
    dropElided(list, op);
  if (updatesInPlace(op))
    for (Work &work : list)
      if (auto *library = std::get_if<LibraryWork>(&work))
        library->name += gaudi::timing::inPlaceSuffix;
  auto placeable = dyn_cast<PlaceableOpInterface>(op);
  if (placeable && placeable.getEngine() == Engine::Unplaced) {
    const auto engine = moverOf(engineFor(
        spec, placeable.getMovement(), getElementTypeOrSelf(op->getResult(0))));
    for (Work &work : list)
      if (auto *transfer = std::get_if<TransferWork>(&work))
        transfer->engine = engine;
      else if (auto *fill = std::get_if<FillWork>(&work))
        fill->engine = engine;
  }
  return list;
}

Picoseconds DeviceTime::of(Operation *op) const {
  Picoseconds time = 0;
  for (const Work &work : workOf(op))
    time += of(work);
  return time;
}

Picoseconds DeviceTime::ofCopy(Value tensor) const {
  return elementCount(tensor) == 0 ? 0 : of(copyOf(tensor, spec));
}

Picoseconds DeviceTime::ofCopy(Value tensor, StridesOfViews &known) const {
  return elementCount(tensor) == 0 ? 0 : of(copyOf(tensor, spec, &known));
}

Picoseconds DeviceTime::ofOverlap(Operation *a, Operation *b) const {
  return std::min(of(a), of(b));
}

Picoseconds
DeviceTime::ofChanged(Operation *op,
                      llvm::function_ref<void(Operation *)> change) const {
  Operation *copy = op->clone();
  change(copy);
  const Picoseconds time = of(copy);
  copy->destroy();
  return time;
}

remark::detail::Remark::Arg gaudi::lost(Picoseconds time) {
  return {"LostPicoseconds", int64_t(time)};
}

remark::detail::Remark::Arg gaudi::lostBytes(int64_t bytes) {
  return {"LostBytes", bytes};
}

std::string DeviceTime::text(Picoseconds time) const {
  return gaudi::timing::timeText(time) + " on " + std::string(spec.name);
}

std::string DeviceTime::saving(Picoseconds saved) const {
  return saved < 0 ? "adding " + text(-saved) : "saving " + text(saved);
}

std::string DeviceTime::change(Picoseconds before, Picoseconds after) const {
  return gaudi::timing::timeText(after) + " instead of " + text(before);
}
