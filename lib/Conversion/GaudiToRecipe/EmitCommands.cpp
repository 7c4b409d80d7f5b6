// Commands of one op: what the engine is told to do.
#include "ConstantBytes.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "RecipeAssembly.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace ::gaudi::recipe;

namespace {
class CommandEmitter {
public:
  CommandEmitter(Operation *op, RecipeAssembly &builder, EntryT &entry)
      : op(op), builder(builder), entry(entry) {}

  LogicalResult run() {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](GemmOp gemm) { return emitGemm(gemm); })
        .Case([&](ConvOp conv) { return emitConv(conv); })
        .Case([&](KernelOp kernel) { return emitLaunch(kernel); })
        .Case([&](LibraryKernelOpInterface library) {
          return emitLibrary(library);
        })
        .Case([&](TransposeOp transpose) { return emitTranspose(transpose); })
        .Case([&](BroadcastOp broadcast) { return emitBroadcast(broadcast); })
        .Case([&](CopyOp copy) {
          transfer(id(copy.getOperand()), id(copy.getResult()));
          return success();
        })
        .Case([&](FillOp fill) {
          FillT body;
          body.value = scalarBits(fill.getValue());
          add(std::move(body), {}, {id(fill.getResult())});
          return success();
        })
        .Case([&](ConcatOp concat) { return emitConcat(concat); })
        .Case([&](InsertSliceOp insert) { return emitInsert(insert); })
        .Case([&](ViewOpInterface view) { return emitView(view); })
        .Case([&](ConstantOp) { return success(); })
        .Default([](Operation *) -> LogicalResult {
          // verifyPhase(memory) lets nothing else pass.
          llvm_unreachable("op without a command in memory form");
        });
  }

private:
  uint32_t id(Value value) { return builder.tensorId(value); }

  TensorT &tensor(uint32_t id) { return *builder.recipe().tensors[id]; }

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
    auto cost = cast<CostOpInterface>(op);
    command->flops = cost.getFlops();
    command->bytes = cost.getBytes();
    entry.commands.push_back(std::move(command));
    return *entry.commands.back();
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

  std::vector<uint32_t> ids(ValueRange values) {
    std::vector<uint32_t> result;
    for (Value value : values)
      result.push_back(id(value));
    return result;
  }

  LogicalResult emitGemm(GemmOp gemm) {
    GemmT body;
    body.transpose_a = gemm.getTransposeA();
    body.transpose_b = gemm.getTransposeB();
    add(std::move(body), ids(gemm->getOperands()), ids(gemm->getResults()));
    return success();
  }

  LogicalResult emitConv(ConvOp conv) {
    ConvT body;
    body.input_layout = conv.getInputLayout().str();
    body.filter_layout = conv.getFilterLayout().str();
    body.output_layout = conv.getOutputLayout().str();
    body.strides = conv.getStrides().vec();
    body.dilations = conv.getDilations().vec();
    body.pad_low = conv.getPadLow().vec();
    body.pad_high = conv.getPadHigh().vec();
    body.groups = conv.getGroups();
    body.transposed = conv.getTransposed();
    add(std::move(body), ids(conv->getOperands()), ids(conv->getResults()));
    return success();
  }

  LogicalResult emitLaunch(KernelOp kernel) {
    std::optional<uint32_t> id = builder.kernelId(kernel);
    if (!id)
      return failure();
    LaunchT body;
    body.kernel = *id;
    add(std::move(body), ids(kernel->getOperands()), ids(kernel->getResults()))
        .name = builder.recipe().kernels[*id]->name;
    return success();
  }

  LogicalResult emitLibrary(LibraryKernelOpInterface library) {
    LibraryT body;
    body.name = library.getLibraryName().str();
    SmallVector<int64_t> ints = library.getLibraryInts();
    body.ints.assign(ints.begin(), ints.end());
    add(std::move(body), ids(op->getOperands()), ids(op->getResults()));
    return success();
  }

  /// The operand seen in the order of the result's dimensions.
  LogicalResult emitTranspose(TransposeOp transpose) {
    uint32_t from = id(transpose.getOperand()), to = id(transpose.getResult());
    SmallVector<int64_t> sizes, strides;
    for (int64_t dim : transpose.getPermutation()) {
      sizes.push_back(tensor(from).sizes[dim]);
      strides.push_back(tensor(from).strides[dim]);
    }
    transfer(builder.addWindow(from, 0, sizes, strides, tensor(from).name), to);
    return success();
  }

  /// Repeated dimensions have stride 0.
  LogicalResult emitBroadcast(BroadcastOp broadcast) {
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

  LogicalResult emitConcat(ConcatOp concat) {
    uint32_t to = id(concat.getResult());
    int64_t at = 0;
    for (Value operand : concat.getOperands()) {
      uint32_t from = id(operand);
      std::vector<int64_t> sizes = tensor(from).sizes;
      std::vector<int64_t> strides = tensor(to).strides;
      int64_t offset = at * strides[concat.getAxis()];
      at += sizes[concat.getAxis()];
      if (bytesOf(from) == 0)
        continue;
      transfer(from,
               builder.addWindow(to, offset, sizes, strides, tensor(to).name));
    }
    return success();
  }

  LogicalResult emitInsert(InsertSliceOp insert) {
    uint32_t source = id(insert.getSource()), to = id(insert.getResult());
    transfer(id(insert.getDest()), to);
    std::vector<int64_t> sizes = tensor(source).sizes;
    std::vector<int64_t> strides = tensor(to).strides;
    int64_t offset = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      offset += insert.getOffsets()[i] * strides[i];
      strides[i] *= insert.getStrides()[i];
    }
    if (bytesOf(source) == 0)
      return success();
    transfer(source,
             builder.addWindow(to, offset, sizes, strides, tensor(to).name));
    return success();
  }

  /// Views are free unless strides could not express them; then the elements
  /// are copied in the operand's shape.
  LogicalResult emitView(ViewOpInterface view) {
    for (OpResult result : op->getResults()) {
      if (bufferRoot(result) != result)
        continue;
      uint32_t from = id(view.getViewSource(result)), to = id(result);
      std::vector<int64_t> sizes = tensor(from).sizes;
      SmallVector<int64_t> strides = denseStrides(sizes);
      if (bytesOf(from) == 0)
        continue;
      uint32_t window =
          builder.addWindow(to, 0, sizes, strides, tensor(to).name);
      transfer(from, window);
      // A copy is a movement of the device, not a view.
      entry.commands.back()->engine = builder.copyEngine();
    }
    return success();
  }

  Operation *op;
  RecipeAssembly &builder;
  EntryT &entry;
};
} // namespace

LogicalResult mlir::gaudi::emitCommands(Operation *op, RecipeAssembly &builder,
                                        EntryT &entry) {
  return CommandEmitter(op, builder, entry).run();
}
