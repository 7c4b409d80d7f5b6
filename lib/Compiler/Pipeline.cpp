// The phases of compilation, in order.
#include "Gaudi/Compiler/Pipeline.h"
#include "Gaudi/Conversion/Passes.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Reference/NumericsCheck.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::gaudi;

namespace {
struct PhaseDescription {
  StringRef name;
  void (*addPasses)(CheckedPipeline &, const CompileOptions &);
};
} // namespace

static void addImport(CheckedPipeline &pipeline, const CompileOptions &) {
  // Symbols that nothing uses need no conversion.
  pipeline.add(createSymbolDCEPass());
  pipeline.add(createConvertTosaToGaudi());
  pipeline.add(createConvertLinalgToGaudi());
  pipeline.add(createSymbolDCEPass());
  pipeline.add(createCanonicalizerPass());
  pipeline.add(createCSEPass());
}

static void addGraph(CheckedPipeline &pipeline, const CompileOptions &options) {
  pipeline.add(createAbsorbPadding());
  pipeline.add(createAbsorbTransposes());
  pipeline.add(createFoldConstants());
  if (options.fuse)
    pipeline.add(createFoldBatchNorm());
  pipeline.add(createCanonicalizerPass());
  PlaceOpsOptions place;
  place.device = options.device;
  pipeline.add(createPlaceOps(place));
}

static void addKernels(CheckedPipeline &pipeline,
                       const CompileOptions &options) {
  pipeline.add(createExpandKernels());
  if (options.fuse)
    pipeline.add(createFuseTpc());
}

static void addSchedule(CheckedPipeline &pipeline, const CompileOptions &) {
  pipeline.add(createScheduleOps());
}

static void addMemory(CheckedPipeline &pipeline, const CompileOptions &) {
  pipeline.add(createAssignBuffers());
}

static constexpr PhaseDescription phases[] = {
    {"import", addImport},     {"graph", addGraph},   {"kernels", addKernels},
    {"schedule", addSchedule}, {"memory", addMemory},
};

LogicalResult mlir::gaudi::buildCompilePipeline(
    OpPassManager &manager, const CompileOptions &options,
    llvm::function_ref<LogicalResult(const Twine &)> error) {
  auto spec = ::gaudi::device::DeviceSpec::lookup(options.device.getValue());
  if (!spec)
    return error("gaudi-compile: " + spec.error().message);
  if (llvm::none_of(phases, [&](const PhaseDescription &phase) {
        return phase.name == options.stopAfter.getValue();
      }))
    return error("gaudi-compile: unknown phase '" +
                 options.stopAfter.getValue() +
                 "'; expected import, graph, kernels, schedule or memory");
  std::optional<NumericsCheckOptions> check;
  if (options.checkNumerics) {
    check.emplace();
    check->seed = options.seed;
  }
  CheckedPipeline pipeline(manager, check);
  for (const PhaseDescription &phase : phases) {
    phase.addPasses(pipeline, options);
    VerifyPhaseOptions verify;
    verify.phase = phase.name.str();
    manager.addPass(createVerifyPhase(verify));
    if (phase.name == options.stopAfter.getValue())
      break;
  }
  return success();
}

void mlir::gaudi::registerGaudiPipelines() {
  registerPassPipeline(
      "gaudi-compile",
      "Compile a model for a Gaudi device: import, graph, kernels, schedule, "
      "memory",
      [](OpPassManager &manager, StringRef text,
         function_ref<LogicalResult(const Twine &)> error) -> LogicalResult {
        CompileOptions options;
        if (failed(options.parseFromString(text)))
          return error("gaudi-compile: cannot read its options");
        return buildCompilePipeline(manager, options, error);
      },
      [](function_ref<void(const detail::PassOptions &)> handler) {
        handler(CompileOptions());
      });
}
