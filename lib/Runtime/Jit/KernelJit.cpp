// Builds one LLVM module of all kernels, optimises it for this host, and runs
// it through ORC.
#include "KernelJit.h"

#include "KernelEmitter.h"
#include "KernelPlan.h"
#include "MathSymbols.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <cmath>
#include <map>

namespace gaudi::runtime {

using namespace recipe;
namespace orc = llvm::orc;

void Fault::record(int64_t newPoint, uint32_t newOperand, uint32_t newDimension,
                   int64_t newIndex) {
  std::lock_guard<std::mutex> lock(mutex);
  if (raised && point <= newPoint)
    return;
  raised = true;
  point = newPoint;
  operand = newOperand;
  dimension = newDimension;
  index = newIndex;
}

static void recordFault(Fault *fault, int64_t point, uint32_t operand,
                        uint32_t dimension, int64_t index) {
  fault->record(point, operand, dimension, index);
}

struct KernelJit::Impl {
  std::unique_ptr<orc::LLJIT> jit;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::LLVMContext> context =
      std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module =
      std::make_unique<llvm::Module>("kernels", *context);
  std::map<std::string, unsigned> known;
  std::vector<CompiledKernel> kernels;
  std::vector<std::string> names; // empty: nothing to run
};

KernelJit::KernelJit() : impl(std::make_unique<Impl>()) {}
KernelJit::~KernelJit() = default;

unsigned KernelJit::add(const Kernel &kernel,
                        const std::vector<KernelOperand> &operands) {
  const KernelPlan plan = planKernel(kernel, operands);
  auto [entry, isNew] = impl->known.try_emplace(
      kernelKey(kernel, plan, operands), unsigned(impl->kernels.size()));
  if (!isNew)
    return entry->second;
  CompiledKernel compiled;
  compiled.points = plan.points;
  compiled.row = plan.parallel.back().extent;
  compiled.workPerPoint = plan.workPerPoint / plan.lanes;
  compiled.splittable = plan.independent;
  compiled.description =
      plan.lanes > 1     ? "jit:lanes" + std::to_string(plan.lanes) +
                               (plan.laneAxis == LaneAxis::Loops ? ":rows" : "")
      : plan.independent ? "jit:scalar"
                         : "jit:scalar:ordered";
  std::string name;
  if (plan.points > 0) {
    name = "kernel" + std::to_string(impl->kernels.size());
    std::vector<ElementType> types;
    for (const KernelOperand &operand : operands)
      types.push_back(operand.type);
    emitKernel(*impl->module, name, kernel, plan, types);
  }
  impl->kernels.push_back(std::move(compiled));
  impl->names.push_back(std::move(name));
  return entry->second;
}

static std::string toText(llvm::Error error) {
  return llvm::toString(std::move(error));
}

static void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", "512");
  }
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = false;
  llvm::PassBuilder passes(&machine, tuning);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graphs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graphs, modules);
  passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

Status KernelJit::compile() {
  bool any = false;
  for (const std::string &name : impl->names)
    any |= !name.empty();
  if (!any)
    return {};
  static const bool ready = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)ready;

  auto builder = orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return fail("cannot compile kernels for this host: " +
                toText(builder.takeError()));
  auto machine = builder->createTargetMachine();
  if (!machine)
    return fail("cannot compile kernels for this host: " +
                toText(machine.takeError()));
  impl->module->setTargetTriple((*machine)->getTargetTriple());
  impl->module->setDataLayout((*machine)->createDataLayout());

  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*impl->module, &stream))
    return fail("internal error: a TPC kernel became wrong host code: " +
                broken);
  optimise(*impl->module, **machine);

  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*builder))
                 .create();
  if (!jit)
    return fail("cannot start the kernel compiler: " + toText(jit.takeError()));
  impl->jit = std::move(*jit);

  orc::SymbolMap symbols;
  auto bind = [&](const std::string &name, void *address) {
    symbols[impl->jit->mangleAndIntern(name)] = {
        orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
  };
  for (auto [name, address] : mathFunctions())
    bind(std::string(mathPrefix) + name, address);
  bind(recordFaultName, reinterpret_cast<void *>(recordFault));
  // What the code generator itself may call.
  bind("memcpy",
       reinterpret_cast<void *>(
           static_cast<void *(*)(void *, const void *, size_t)>(memcpy)));
  bind("memset", reinterpret_cast<void *>(memset));
  bind("memmove", reinterpret_cast<void *>(memmove));
  using Real = float (*)(float);
  bind("floorf", reinterpret_cast<void *>(static_cast<Real>(floorf)));
  bind("ceilf", reinterpret_cast<void *>(static_cast<Real>(ceilf)));
  bind("truncf", reinterpret_cast<void *>(static_cast<Real>(truncf)));
  bind("roundf", reinterpret_cast<void *>(static_cast<Real>(roundf)));
  bind("roundevenf", reinterpret_cast<void *>(static_cast<Real>(roundevenf)));
  bind("fmaf", reinterpret_cast<void *>(
                   static_cast<float (*)(float, float, float)>(fmaf)));
  if (auto error = impl->jit->getMainJITDylib().define(
          orc::absoluteSymbols(std::move(symbols))))
    return fail("cannot bind the math functions: " + toText(std::move(error)));
  if (auto error = impl->jit->addIRModule(orc::ThreadSafeModule(
          std::move(impl->module), std::move(impl->context))))
    return fail("cannot compile the kernels: " + toText(std::move(error)));
  for (size_t k = 0; k < impl->kernels.size(); ++k) {
    if (impl->names[k].empty())
      continue;
    auto symbol = impl->jit->lookup(impl->names[k]);
    if (!symbol)
      return fail("cannot compile the kernels: " + toText(symbol.takeError()));
    impl->kernels[k].function = symbol->toPtr<KernelFunction>();
  }
  return {};
}

const CompiledKernel &KernelJit::get(unsigned handle) const {
  return impl->kernels[handle];
}

unsigned KernelJit::numCompiled() const {
  return unsigned(impl->kernels.size());
}

} // namespace gaudi::runtime
