// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels to machine code for this host, through LLVM.
#include "KernelCompiler.h"

#include "../Host/BuildId.h"
#include "ImageWriter.h"
#include "JitHost.h"
#include "KernelEmitter.h"
#include "PlanCosts.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace gaudi::runtime {
namespace {

constexpr const char *entryName = "kernel";

/// The emitter writes vectors itself, so these passes only clean up: slots to
/// registers, invariants out of loops, loops rotated.
constexpr const char *vectorPipeline =
    "function(sroa,early-cse<memssa>,loop-mssa(loop-rotate,licm),"
    "instcombine<no-verify-fixpoint>,simplifycfg)";

/// The plan with the least code that gives the same bits. The lanes of points
/// may have any number and order, since a point is computed in one lane; those
/// of loops decide in which order sums are added.
KernelPlan quickPlan(KernelPlan plan) {
  plan.pointsAtOnce = 1;
  plan.columns.clear();
  plan.prefetches.clear();
  if (plan.laneAxis == LaneAxis::Points) {
    plan.paired = false;
    // One register, so that LLVM need not split vectors.
    plan.lanes =
        std::min(plan.lanes, jitHost().wide ? laneCount : laneCount / 2);
  }
  return plan;
}

class Compiler final : public KernelCompiler {
public:
  Compiler(std::unique_ptr<llvm::TargetMachine> quick,
           std::unique_ptr<llvm::TargetMachine> full)
      : quick(std::move(quick)), full(std::move(full)) {}

  Result<std::vector<uint8_t>>
  compile(const recipe::Kernel &kernel, const KernelPlan &plan,
          const std::vector<recipe::ElementType> &types,
          KernelTier tier) override {
    llvm::TargetMachine &machine = tier == KernelTier::Quick ? *quick : *full;
    // A context of its own: nothing of a kernel stays in memory after it.
    llvm::LLVMContext context;
    llvm::Module module("kernel", context);
    module.setTargetTriple(machine.getTargetTriple());
    module.setDataLayout(machine.createDataLayout());
    emitKernel(module, entryName, kernel,
               tier == KernelTier::Quick ? quickPlan(plan) : plan, types, tier);
    std::string broken;
    llvm::raw_string_ostream text(broken);
    if (llvm::verifyModule(module, &text))
      return fail("internal error: a TPC kernel became invalid LLVM IR: {}",
                  broken);
    prepare(module, machine);
    if (tier == KernelTier::Quick)
      findRegisters(module);
    else
      GAUDI_TRY(optimise(module, machine, plan.lanes > 1));

    llvm::SmallString<0> object;
    llvm::raw_svector_ostream stream(object);
    llvm::legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, stream, nullptr,
                                    llvm::CodeGenFileType::ObjectFile))
      return fail("this host's LLVM cannot write objects");
    passes.run(module);
    return writeImage({object, "kernel"}, entryName);
  }

private:
  static void prepare(llvm::Module &module,
                      const llvm::TargetMachine &machine) {
    for (llvm::Function &function : module) {
      if (function.isDeclaration())
        continue;
      function.addFnAttr("target-cpu", machine.getTargetCPU());
      function.addFnAttr("target-features", machine.getTargetFeatureString());
      function.addFnAttr("prefer-vector-width", "512");
      function.setDoesNotThrow(); // no unwind tables
      // Row buffers and spilled values may take more stack than is left. With a
      // probe per page that ends at the guard page, never beyond it.
      function.addFnAttr("probe-stack", "inline-asm");
    }
  }

  /// All that is optimised in quick code: slots become registers. Without a
  /// pass manager, whose analyses take longer to register.
  static void findRegisters(llvm::Module &module) {
    for (llvm::Function &function : module) {
      if (function.isDeclaration())
        continue;
      std::vector<llvm::AllocaInst *> slots;
      for (llvm::Instruction &each : function.getEntryBlock())
        if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&each))
          if (llvm::isAllocaPromotable(slot))
            slots.push_back(slot);
      if (slots.empty())
        continue;
      llvm::DominatorTree dominators(function);
      llvm::PromoteMemToReg(slots, dominators);
    }
  }

  static Status optimise(llvm::Module &module, llvm::TargetMachine &machine,
                         bool vectors) {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager graphs;
    llvm::ModuleAnalysisManager modules;
    // Scalar kernels get LLVM's own passes, its loop vectoriser among them.
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = true;
    tuning.SLPVectorization = false;
    llvm::PassBuilder builder(&machine, tuning);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graphs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graphs, modules);
    llvm::ModulePassManager passes;
    if (vectors) {
      if (llvm::Error error = builder.parsePassPipeline(passes, vectorPipeline))
        return fail("internal error: the passes of the kernel compiler: {}",
                    llvm::toString(std::move(error)));
    } else {
      passes =
          builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
    }
    passes.run(module, modules);
    return {};
  }

  std::unique_ptr<llvm::TargetMachine> quick, full;
};

Result<std::unique_ptr<KernelCompiler>> create() {
  static const bool ready = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    // LLVM's own handler ends the process.
    llvm::install_bad_alloc_error_handler(
        [](void *, const char *, bool) { throw std::bad_alloc(); });
    return true;
  }();
  (void)ready;
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string problem;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return fail("cannot compile kernels for this host: {}", problem);
  // Code is for this very host unless a processor is named.
  llvm::SubtargetFeatures features;
  const char *part = jitHost().cpu;
  if (!part)
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
  const llvm::StringRef processor =
      part ? llvm::StringRef(part) : llvm::sys::getHostCPUName();
  auto machineAt = [&](llvm::CodeGenOptLevel level) {
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        triple, processor, features.getString(), llvm::TargetOptions(),
        llvm::Reloc::PIC_, llvm::CodeModel::Small, level));
  };
  auto quick = machineAt(llvm::CodeGenOptLevel::None);
  auto full = machineAt(llvm::CodeGenOptLevel::Default);
  if (!quick || !full)
    return fail("cannot compile kernels for this host: LLVM has no code "
                "generator for {}",
                triple.str());
  return std::make_unique<Compiler>(std::move(quick), std::move(full));
}

} // namespace
} // namespace gaudi::runtime

extern "C" const void *gaudiKernelCompiler(const char *interface) {
  using namespace gaudi::runtime;
  static const KernelCompilerApi api = {create};
  return std::strcmp(interface, interfaceId()) == 0 ? &api : nullptr;
}
