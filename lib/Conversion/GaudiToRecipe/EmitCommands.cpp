// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of one op.
#include "ConstantBytes.h"
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Recipe/Attention.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Verifier.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "RecipeAssembly.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::recipe;

namespace {
class CommandEmitter {
public:
  CommandEmitter(Operation *op, RecipeAssembly &builder, EntryT &entry)
      : op(op), builder(builder), entry(entry) {}

  LogicalResult run() {
    static const Emitters emitters =
        emittersOf<GemmOp, ConvOp, ConvInputGradOp, ConvWeightGradOp, SdpaOp,
                   SdpaGradOp, KernelOp, TransposeOp, BroadcastOp, CopyOp,
                   FillOp, ConcatOp, InsertSliceOp>();
    auto engine = dyn_cast<EngineOpInterface>(op);
    if (engine && engine.getEngine() == gaudi::Engine::MME) {
      work = workOf(cast<CostOpInterface>(op));
      if (uint64_t(work->first) / 2 > maxMatrixWork)
        return op->emitOpError("needs ")
               << work->first / 2 << " multiply-adds, expected at most "
               << maxMatrixWork
               << " (2^50) in one command; compute the result in parts, such "
                  "as slices of its rows";
    }
    if (auto emitter = emitters.lookup(op->getName().getTypeID()))
      return emitter(*this, op);
    if (auto library = dyn_cast<LibraryKernelOpInterface>(op))
      return emit(library);
    if (auto view = dyn_cast<ViewOpInterface>(op))
      return emit(view);
    // verifyPhase(memory) lets nothing else pass.
    assert(isa<ConstantOp>(op) && "op without a command in memory form");
    return success();
  }

private:
  using Emitter = LogicalResult (*)(CommandEmitter &, Operation *);
  using Emitters = DenseMap<TypeID, Emitter>;

  /// For each op, the overload of `emit` that takes it.
  template <typename... Ops> static Emitters emittersOf() {
    Emitters emitters;
    (emitters.try_emplace(TypeID::get<Ops>(),
                          [](CommandEmitter &emitter, Operation *op) {
                            return emitter.emit(cast<Ops>(op));
                          }),
     ...);
    return emitters;
  }

  uint32_t id(Value value) { return builder.tensorId(value); }

  const TensorT &tensor(uint32_t id) { return builder.tensor(id); }

  template <typename Body>
  CommandT &add(Body body, std::vector<uint32_t> inputs,
                std::vector<uint32_t> outputs) {
    auto command = std::make_unique<CommandT>();
    command->body.Set(std::move(body));
    command->inputs = std::move(inputs);
    command->outputs = std::move(outputs);
    command->location = builder.locationId(op->getLoc());
    command->name = op->getName().stripDialect().str();
    auto engine = cast<EngineOpInterface>(op).getEngine();
    command->engine = recipeEngine(engine);
    // A concatenation of n operands has n commands.
    if (!work)
      work = workOf(cast<CostOpInterface>(op));
    std::tie(command->flops, command->bytes) = *work;
    entry.commands.push_back(std::move(command));
    return *entry.commands.back();
  }

  static std::pair<int64_t, int64_t> workOf(CostOpInterface cost) {
    return {cost.getArithmeticOps(), cost.getBytes()};
  }

  std::vector<uint32_t> ids(ValueRange values) {
    std::vector<uint32_t> result;
    for (Value value : values)
      result.push_back(id(value));
    return result;
  }

  /// A command whose inputs are the operands and whose outputs the results.
  template <typename Body> CommandT &addOp(Body body) {
    return add(std::move(body), ids(op->getOperands()), ids(op->getResults()));
  }

  uint64_t bytesOf(uint32_t id) {
    const TensorT &t = tensor(id);
    uint64_t bytes = elementSize(t.type);
    for (int64_t size : t.sizes)
      bytes *= size;
    return bytes;
  }

  void transfer(uint32_t from, uint32_t to) {
    if (bytesOf(to) == 0)
      return;
    CommandT &command = add(TransferT(), {from}, {to});
    command.bytes = bytesOf(from) + bytesOf(to);
  }

  LogicalResult emit(GemmOp gemm) {
    GemmT body;
    body.transpose_a = gemm.getTransposeA();
    body.transpose_b = gemm.getTransposeB();
    add(body,
        {matrices(gemm.getLhs(), gemm.getOrderA()),
         matrices(gemm.getRhs(), gemm.getOrderB())},
        {matrices(gemm.getResult(), gemm.getOrderC())});
    return success();
  }

  /// The matrices of a tensor that is stored in another order: a view with the
  /// strides of each dimension where the product has it.
  uint32_t matrices(Value value, std::optional<ArrayRef<int64_t>> order) {
    const uint32_t stored = id(value);
    if (!order)
      return stored;
    const ArrayRef<int64_t> sizes = tensor(stored).sizes,
                            strides = tensor(stored).strides;
    const Order inverse = inverseOrder(*order);
    return builder.addWindow(stored, 0, applyPermutation(sizes, inverse),
                             applyPermutation(strides, inverse),
                             tensor(stored).name);
  }

  /// What the command of a convolution and of its filter's gradient share.
  template <typename Body, typename Op> static Body convBody(Op conv) {
    Body body;
    body.input_layout = conv.getInputLayout().str();
    body.filter_layout = conv.getFilterLayout().str();
    body.output_layout = conv.getOutputLayout().str();
    body.strides = conv.getStrides().vec();
    body.dilations = conv.getDilations().vec();
    body.pad_low = conv.getPadLow().vec();
    body.pad_high = conv.getPadHigh().vec();
    body.groups = conv.getGroups();
    return body;
  }

  LogicalResult emit(ConvOp conv) {
    addOp(convBody<ConvT>(conv));
    return success();
  }

  /// The transposed form of the command, whose input is the op's output.
  LogicalResult emit(ConvInputGradOp grad) {
    auto body = convBody<ConvT>(grad);
    std::swap(body.input_layout, body.output_layout);
    body.transposed = true;
    // The command has the sizes of its result exactly where the op allows a
    // remainder of the stride.
    auto dx = grad.getType();
    auto dy = tensorType(grad.getOutputGrad());
    auto w = tensorType(grad.getFilter());
    for (auto [i, letter] :
         llvm::enumerate(spatialLetters(body.strides.size()))) {
      auto size = [letter = letter](RankedTensorType type, StringRef layout) {
        return type.getDimSize(layout.find(letter));
      };
      const int64_t whole = lastPosition(
          lastPosition(1, size(w, grad.getFilterLayout()), body.dilations[i]),
          size(dy, grad.getOutputLayout()), body.strides[i]);
      body.pad_high[i] =
          whole - size(dx, grad.getInputLayout()) - body.pad_low[i];
    }
    addOp(std::move(body));
    return success();
  }

  LogicalResult emit(ConvWeightGradOp grad) {
    addOp(convBody<ConvWeightGradT>(grad));
    return success();
  }

  /// What attention and its gradient share. The optional operands are in the
  /// order of their bits.
  template <typename Body, typename Op>
  static Body attentionBody(Op op, unsigned fixedOperands) {
    Body body;
    const auto &segments = op.getProperties().operandSegmentSizes;
    for (auto [bit, count] :
         llvm::enumerate(ArrayRef(segments).drop_front(fixedOperands)))
      body.operands |= uint16_t(count << bit);
    body.query_layout = queryLayoutOf(op).str();
    body.key_layout = keyLayoutOf(op).str();
    body.value_layout = valueLayoutOf(op).str();
    body.output_layout = outputLayoutOf(op).str();
    body.scale = op.getScale().convertToFloat();
    body.mask_value = op.getMaskValue().convertToFloat();
    body.dropout = op.getDropout().convertToFloat();
    body.window = op.getWindow().value_or(0);
    body.causal = op.getCausal();
    body.padding_left = op.getPadding() == PaddingSide::Left;
    body.softmax_mode = gaudi::recipe::SoftmaxMode(op.getSoftmaxMode());
    if (op.getSlice())
      body.slice = op.getSlice()->vec();
    return body;
  }

  LogicalResult emit(SdpaOp sdpa) {
    auto body = attentionBody<AttentionT>(sdpa, attentionFixedInputs);
    for (auto [output, value] :
         {std::pair(AttentionOutput::Maxima, sdpa.getMaxima()),
          std::pair(AttentionOutput::InverseSums, sdpa.getInverseSums()),
          std::pair(AttentionOutput::Seed, sdpa.getSeedResult()),
          std::pair(AttentionOutput::Probabilities, sdpa.getProbabilities()),
          std::pair(AttentionOutput::Kept, sdpa.getKept()),
          std::pair(AttentionOutput::AmaxS, sdpa.getAmaxSResult()),
          std::pair(AttentionOutput::AmaxO, sdpa.getAmaxOResult())})
      body.results |= uint16_t(bool(value) << unsigned(output));
    addOp(std::move(body));
    return success();
  }

  LogicalResult emit(SdpaGradOp grad) {
    addOp(attentionBody<AttentionGradT>(grad, attentionGradFixedInputs));
    return success();
  }

  LogicalResult emit(KernelOp kernel) {
    std::optional<uint32_t> id = builder.kernelId(kernel);
    if (!id)
      return failure();
    LaunchT body;
    body.kernel = *id;
    addOp(body).name = builder.kernelName(*id);
    return success();
  }

  LogicalResult emit(LibraryKernelOpInterface library) {
    LibraryT body;
    body.name = library.getLibraryName().str();
    SmallVector<int64_t> ints = library.getLibraryInts();
    body.ints.assign(ints.begin(), ints.end());
    CommandT &command = addOp(body);
    // In place, nothing is touched but the elements that change.
    if (updatesInPlace(op))
      command.bytes =
          bytesOf(command.inputs[1]) + 2 * bytesOf(command.inputs[2]);
    return success();
  }

  /// The operand seen in the order of the result's dimensions.
  LogicalResult emit(TransposeOp transpose) {
    uint32_t from = id(transpose.getOperand()), to = id(transpose.getResult());
    SmallVector<int64_t> sizes, strides;
    for (int64_t dim : transpose.getPermutation()) {
      sizes.push_back(tensor(from).sizes[dim]);
      strides.push_back(tensor(from).strides[dim]);
    }
    transfer(builder.addWindow(from, 0, sizes, strides, tensor(from).name), to);
    return success();
  }

  /// Broadcast dimensions have stride 0.
  LogicalResult emit(BroadcastOp broadcast) {
    uint32_t from = id(broadcast.getOperand()), to = id(broadcast.getResult());
    SmallVector<int64_t> sizes(tensor(to).sizes.begin(),
                               tensor(to).sizes.end());
    SmallVector<int64_t> strides(sizes.size(), 0);
    for (auto [i, dim] : llvm::enumerate(broadcast.getDims()))
      if (tensor(from).sizes[i] == sizes[dim])
        strides[dim] = tensor(from).strides[i];
    transfer(builder.addWindow(from, 0, sizes, strides, tensor(from).name), to);
    return success();
  }

  LogicalResult emit(CopyOp copy) {
    transfer(id(copy.getOperand()), id(copy.getResult()));
    return success();
  }

  LogicalResult emit(FillOp fill) {
    FillT body;
    body.value = scalarBits(fill.getValue());
    add(body, {}, {id(fill.getResult())});
    return success();
  }

  /// Copies the operand to its slice of the result.
  void transferToSlice(OpOperand &operand, const OperandSlices &slices) {
    const uint32_t from = id(operand.get()), to = id(op->getResult(0));
    if (bytesOf(from) == 0)
      return;
    const StridedLayout slice = *slices.layoutOf(
        operand,
        {0, SmallVector<int64_t>(bufferOf(op->getResult(0)).getStrides())});
    const std::vector<int64_t> sizes = tensor(from).sizes;
    transfer(from, builder.addWindow(to, slice.offset, sizes, slice.strides,
                                     tensor(to).name));
  }

  /// Operands that have been computed in their slices need no command.
  LogicalResult emit(ConcatOp) {
    const OperandSlices slices(op);
    for (OpOperand &operand : op->getOpOperands())
      if (!slices.contains(operand))
        transferToSlice(operand, slices);
    return success();
  }

  LogicalResult emit(InsertSliceOp insert) {
    const OperandSlices slices(op);
    if (!slices.contains(insert.getDestMutable()))
      transfer(id(insert.getDest()), id(insert.getResult()));
    if (!slices.contains(insert.getSourceMutable()))
      transferToSlice(insert.getSourceMutable(), slices);
    return success();
  }

  /// A view has no command unless strides cannot express it; then its elements
  /// are copied in the shape of the operand.
  LogicalResult emit(ViewOpInterface view) {
    for (OpResult result : op->getResults()) {
      if (isWindow(result))
        continue;
      uint32_t from = id(view.getViewSource(result)), to = id(result);
      std::vector<int64_t> sizes = tensor(from).sizes;
      SmallVector<int64_t> strides = denseStrides(sizes);
      if (bytesOf(from) == 0)
        continue;
      uint32_t window =
          builder.addWindow(to, 0, sizes, strides, tensor(to).name);
      transfer(from, window);
      // The op has no engine; the copy has.
      entry.commands.back()->engine = builder.copyEngine();
    }
    return success();
  }

  Operation *op;
  RecipeAssembly &builder;
  EntryT &entry;
  /// Arithmetic and bytes of the op, once a command needs them.
  std::optional<std::pair<int64_t, int64_t>> work;
};
} // namespace

LogicalResult gaudi::emitCommands(Operation *op, RecipeAssembly &builder,
                                  EntryT &entry) {
  return CommandEmitter(op, builder, entry).run();
}
