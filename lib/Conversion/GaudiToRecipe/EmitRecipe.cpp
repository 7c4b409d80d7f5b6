// Translates a scheduled module to a recipe, and the pass that writes it.
#include "ConstantBytes.h"
#include "Dependencies.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "Gaudi/Transforms/Passes.h"
#include "Gaudi/Transforms/Signature.h"
#include "RecipeAssembly.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"

namespace mlir::gaudi {
#define GEN_PASS_DECL
#define GEN_PASS_DEF_EMITRECIPE
#include "Gaudi/Conversion/GaudiToRecipe/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "Gaudi/Conversion/GaudiToRecipe/Passes.h.inc"
} // namespace mlir::gaudi

using namespace mlir;
using namespace mlir::gaudi;
using namespace ::gaudi::recipe;

namespace {
class Emitter {
public:
  Emitter(func::FuncOp function, EmittedRecipe &emitted,
          const ::gaudi::device::DeviceSpec &spec)
      : function(function), emitted(emitted), spec(spec),
        builder(emitted, recipeEngine(engineFor(
                             spec, Movement::Copy,
                             Float32Type::get(function.getContext())))) {}

  LogicalResult run() {
    RecipeT &recipe = emitted.recipe;
    recipe.target = std::string(spec.name);
    recipe.producer = "gaudi-mlir " GAUDI_VERSION;
    addSections();
    auto entry = std::make_unique<EntryT>();
    entry->name = function.getName().str();
    Block &block = function.getBody().front();
    auto exit = cast<func::ReturnOp>(block.getTerminator());
    DenseMap<unsigned, BlockArgument> states; // by the result that replaces it
    for (BlockArgument argument : block.getArguments()) {
      auto result = stateResult(function, argument.getArgNumber());
      if (result)
        states[*result] = argument;
      entry->inputs.push_back(builder.addTensor(
          argument, argumentName(function, argument.getArgNumber()),
          result ? TensorClass::State : TensorClass::Input));
    }
    DenseMap<Value, Output> outputs;
    for (auto [i, value] : llvm::enumerate(exit.getOperands()))
      if (!isUnchangedState(value, i))
        outputs[value] = {unsigned(i), states.lookup(i)};
    for (Operation &op : block.without_terminator())
      for (OpResult result : op.getResults())
        declare(result, outputs);
    for (Operation &op : block.without_terminator())
      if (failed(emitCommands(&op, builder, *entry)))
        return failure();
    for (auto [i, value] : llvm::enumerate(exit.getOperands()))
      entry->outputs.push_back(isUnchangedState(value, i)
                                   ? builder.addOutput(builder.tensorId(value),
                                                       resultName(function, i),
                                                       exit.getLoc())
                                   : builder.tensorId(value));
    computeDependencies(recipe, *entry);
    recipe.entries.push_back(std::move(entry));
    return success();
  }

  const RecipeAssembly &getBuilder() const { return builder; }

private:
  void addSections() {
    const std::pair<StringLiteral, SectionKindT> kinds[] = {
        {persistentBytesAttrName, SectionKindT::Persistent},
        {constBytesAttrName, SectionKindT::Const},
        {workspaceBytesAttrName, SectionKindT::Workspace}};
    for (auto [attr, kind] : kinds) {
      auto bytes = function->getAttrOfType<IntegerAttr>(attr);
      auto section = std::make_unique<SectionT>();
      section->kind = kind;
      section->size = bytes.getInt();
      emitted.recipe.sections.push_back(std::move(section));
    }
    emitted.constants.push_back({uint32_t(SectionKindT::Const), {}});
  }

  /// A returned value: its number, and the state that it replaces, or null.
  struct Output {
    unsigned number;
    BlockArgument state;
  };

  void declare(OpResult result, const DenseMap<Value, Output> &outputs) {
    Operation *op = result.getOwner();
    if (auto it = outputs.find(result); it != outputs.end()) {
      const auto [number, state] = it->second;
      const std::string name = resultName(function, number);
      if (!state)
        builder.addTensor(result, name, TensorClass::Output);
      else // it is in the state's buffer
        builder.shareTensor(result, builder.addOutput(builder.tensorId(state),
                                                      name, result.getLoc()));
      return;
    }
    std::string name = op->getName().stripDialect().str();
    if (auto kernel = dyn_cast<KernelOp>(op))
      name = kernel.getLabel().value_or(name).str();
    name += "." + std::to_string(emitted.recipe.tensors.size());
    auto constant = dyn_cast<ConstantOp>(op);
    if (!constant) {
      builder.addTensor(result, name, TensorClass::Workspace);
      return;
    }
    // Equal constants share a place; the first one brings the bytes.
    int64_t offset = bufferOf(result).getOffset();
    if (auto it = constantAt.find(offset); it != constantAt.end()) {
      builder.shareTensor(result, it->second);
      return;
    }
    constantAt[offset] = builder.addTensor(result, name, TensorClass::Const);
    addBytes(constant);
  }

  void addBytes(ConstantOp constant) {
    BufferAttr buffer = bufferOf(constant.getResult());
    bool oneElement =
        isa<SplatElementsAttr>(constant.getValue()) &&
        llvm::all_of(buffer.getStrides(), [](int64_t s) { return s == 0; });
    ArrayRef<uint8_t> bytes =
        constantBytes(constant.getValue(), oneElement, emitted.owned);
    if (!bytes.empty())
      emitted.constants[0].pieces.push_back(
          {uint64_t(buffer.getOffset()), bytes.data(), bytes.size()});
  }

  using SectionKindT = ::gaudi::recipe::SectionKind;

  func::FuncOp function;
  EmittedRecipe &emitted;
  const ::gaudi::device::DeviceSpec &spec;
  RecipeAssembly builder;
  DenseMap<int64_t, uint32_t> constantAt; // byte offset -> tensor
};

struct EmitRecipe : mlir::gaudi::impl::EmitRecipeBase<EmitRecipe> {
  using EmitRecipeBase::EmitRecipeBase;

  void runOnOperation() override {
    if (output.empty()) {
      getOperation().emitError(
          "gaudi-emit-recipe needs a file: output=NAME.recipe");
      return signalPassFailure();
    }
    EmittedRecipe emitted;
    if (failed(emitRecipe(getOperation(), emitted)))
      return signalPassFailure();
    auto written = writeRecipeFile(output, emitted.recipe, emitted.constants);
    if (!written) {
      emitError(UnknownLoc::get(&getContext())) << written.error().message;
      return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }
};
} // namespace

LogicalResult mlir::gaudi::emitRecipe(ModuleOp module, EmittedRecipe &emitted,
                                      bool isVerified) {
  const ::gaudi::device::DeviceSpec *spec = deviceOf(module);
  if (!spec || (!isVerified && failed(verifyPhase(module, "memory"))))
    return failure();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    Emitter emitter(function, emitted, *spec);
    if (failed(emitter.run()))
      return failure();
    const EntryT &entry = *emitted.recipe.entries.back();
    std::array<unsigned, 5> counts{};
    for (const auto &command : entry.commands)
      ++counts[size_t(command->engine)];
    const auto &sections = emitted.recipe.sections;
    remark::analysis(function.getLoc(), remark::RemarkOpts::name("recipe")
                                            .category("gaudi-emit-recipe")
                                            .function(function.getName()))
        << remark::add("{0} commands (MME {1}, TPC {2}, DMA {3}), {4} kernels "
                       "for {5} launches, persistent {6} bytes, const {7} "
                       "bytes, workspace {8} bytes",
                       entry.commands.size(), counts[0], counts[1], counts[2],
                       emitted.recipe.kernels.size(),
                       emitter.getBuilder().kernelsAsked(), sections[0]->size,
                       sections[1]->size, sections[2]->size);
  }
  return success();
}

void mlir::gaudi::registerGaudiToRecipePasses() { registerEmitRecipe(); }
