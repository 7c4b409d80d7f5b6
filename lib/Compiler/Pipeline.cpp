// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The phases of compilation, in order.
#include "Gaudi/Compiler/Pipeline.h"
#include "Canonicalize.h"
#include "Gaudi/Compiler/Passes.h"
#include "Gaudi/Conversion/Inlining.h"
#include "Gaudi/Conversion/Passes.h"
#include "Gaudi/Device/AutocastTypes.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Reference/NumericsCheck.h"
#include "Gaudi/Support/Autocast.h"
#include "Gaudi/Support/Fusions.h"
#include "Gaudi/Transforms/Passes.h"
#include "Gaudi/Transforms/PrecisionPasses.h"
#include "Gaudi/Transforms/Shapes/PaddingPasses.h"
#include "Gaudi/Transforms/Shapes/ShapePasses.h"
#include "Gaudi/Transforms/VerifyFusion.h"
#include "PlanBuckets.h"
#include "PlayLaunch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

namespace gaudi {
#define GEN_PASS_DEF_DROPSYMBOLS
#include "Gaudi/Compiler/Passes.h.inc"
} // namespace gaudi

using namespace mlir;
using namespace gaudi;

namespace {
struct PhaseDescription {
  StringRef name;
  void (*addPasses)(CheckedPipeline &, const CompileOptions &);
};

/// Runs symbol-dce, which walks every attribute of the module, only if there is
/// a symbol (of MLIR, no size) that it could remove.
struct DropSymbols : gaudi::impl::DropSymbolsBase<DropSymbols> {
  using DropSymbolsBase::DropSymbolsBase;

  void runOnOperation() override {
    bool hasCandidates = false;
    for (Operation &op : *getOperation().getBody()) {
      auto function = dyn_cast<func::FuncOp>(op);
      hasCandidates |= !function || !function.isPublic();
    }
    if (!hasCandidates)
      return markAllAnalysesPreserved();
    showSymbols(getOperation());
    OpPassManager pipeline(ModuleOp::getOperationName());
    pipeline.addPass(createSymbolDCEPass());
    if (failed(runPipeline(pipeline, getOperation())))
      signalPassFailure();
  }
};
} // namespace

/// Whether the options ask for a fusion, one of disabledFusions().
static bool isFused(const CompileOptions &options, std::string_view name) {
  const auto disabled = gaudi::parseFusionNames(
      std::string_view(options.disableFusion.getValue()),
      gaudi::disabledFusions());
  return options.fuse && !llvm::is_contained(*disabled, name);
}

/// Adds a pass that fuses, which verify-fusion checks. gaudi-fuse-sdpa is not
/// added so: it has an option that makes it check itself in the same way.
static void addFusion(CheckedPipeline &pipeline, const CompileOptions &options,
                      std::unique_ptr<Pass> pass) {
  if (!options.verifyFusion)
    return pipeline.add(std::move(pass));
  pipeline.add(std::move(pass), addVerifiedPass);
}

// In the source dialect: what follows knows static shapes only.
static void addShapes(CheckedPipeline &pipeline,
                      const CompileOptions &options) {
  if (!options.symbolsKnown)
    pipeline.add(createInferSymbols({options.shape.getValue()}));
  PlanBucketsOptions plan;
  plan.strategy = options.buckets;
  plan.histogram = options.bucketHistogram;
  plan.cost = options.bucketCost;
  plan.device = options.device;
  plan.pattern = options.deriveVariants;
  pipeline.add(createPlanBuckets(plan, options, options.planning));
  pipeline.add(createBucketShapes());
}

static void addImport(CheckedPipeline &pipeline,
                      const CompileOptions &options) {
  // Functions and globals that nothing uses need no conversion.
  pipeline.add(createDropSymbols());
  pipeline.add(createLiftBranches());
  // Before types change: errors speak of those that the user wrote.
  pipeline.add(createMarkState());
  pipeline.add(createConvertVariablesToState());
  if (!options.allowPermutation.empty())
    pipeline.add(createAllowPermutation({options.allowPermutation.getValue()}));
  const uint64_t maxExpandedOps = options.maxExpandedOps;
  const bool isAutocast = !options.autocast.empty();
  pipeline.add(createConvertTorchToGaudi({isAutocast || options.marksSources}));
  pipeline.add(createConvertStablehloToGaudi({maxExpandedOps}));
  pipeline.add(createConvertTosaToGaudi({maxExpandedOps}));
  pipeline.add(createConvertLinalgToGaudi({maxExpandedOps}));
  pipeline.add(createDropSymbols());
  pipeline.add(createCanonicalize());
  pipeline.add(createCSEPass());
  if (!isAutocast)
    return;
  pipeline.addRounding(createAutocast({options.autocast, options.device}));
  pipeline.add(createCanonicalize());
  pipeline.add(createCSEPass());
}

// Before the graph phase: patterns are near what the exporter wrote, and the
// layouts of the fused ops are decided with those of all others.
static void addFuse(CheckedPipeline &pipeline, const CompileOptions &options) {
  const bool clipNorm = isFused(options, "clip_norm");
  if (clipNorm)
    addFusion(pipeline, options, createFuseClipNorm({options.device}));
  FuseOptimizersOptions optimizers;
  optimizers.device = options.device;
  optimizers.adamw = isFused(options, "adamw");
  optimizers.sgd = isFused(options, "sgd");
  if (optimizers.adamw || optimizers.sgd || clipNorm)
    addFusion(pipeline, options, createFuseOptimizers(optimizers));
  if (isFused(options, "sdpa"))
    pipeline.add(createFuseSdpa({options.device, options.verifyFusion}));
  // Attention is known by now: lengths instead of masks.
  pipeline.add(createMaskPadding({options.device}));
}

static void addGraph(CheckedPipeline &pipeline, const CompileOptions &options) {
  const std::string &device = options.device;
  // First: all that follows weighs products in the type that they will have.
  pipeline.add(createNarrowProducts({device}));
  pipeline.add(createAbsorbPadding({device}));
  addFusion(pipeline, options, createGroupConvolutions({device}));
  pipeline.add(createFoldGemmBatch({device}));
  // Scales per channel go before orders are chosen: the time of a convolution
  // and of what is left around it decides.
  pipeline.add(createFoldConstants({device, /*transposes=*/false}));
  if (isFused(options, "batch_norm"))
    addFusion(pipeline, options, createFoldBatchNorm({device}));
  pipeline.add(createPlacePermutations({device}));
  pipeline.add(createFoldConstants({device}));
  pipeline.add(createCanonicalize());
  pipeline.add(createPlaceOps({device}));
}

static void addKernels(CheckedPipeline &pipeline,
                       const CompileOptions &options) {
  pipeline.add(createExpandKernels());
  if (isFused(options, "tpc"))
    addFusion(pipeline, options, createFuseTpc());
  ReportFusionsOptions report;
  report.require = options.requireFusion;
  pipeline.add(createReportFusions(report));
}

static void addSchedule(CheckedPipeline &pipeline,
                        const CompileOptions &options) {
  pipeline.add(createScheduleOps({options.memoryOrder, options.memoryBudget},
                                 launchPlayer()));
}

static void addMemory(CheckedPipeline &pipeline, const CompileOptions &) {
  pipeline.add(createAliasBuffers());
  pipeline.add(createAssignBuffers());
}

static constexpr PhaseDescription phases[] = {
    {"shapes", addShapes}, {"import", addImport},   {"fuse", addFuse},
    {"graph", addGraph},   {"kernels", addKernels}, {"schedule", addSchedule},
    {"memory", addMemory},
};

LogicalResult gaudi::buildCompilePipeline(
    OpPassManager &manager, const CompileOptions &options,
    llvm::function_ref<LogicalResult(const Twine &)> error) {
  // All options are checked before a pass is added.
  auto spec = gaudi::device::DeviceSpec::lookup(options.device.getValue());
  if (!spec)
    return error("gaudi-compile: " + spec.error().message);
  if (llvm::none_of(phases, [&](const PhaseDescription &phase) {
        return phase.name == options.stopAfter.getValue();
      }))
    return error(
        "gaudi-compile: unknown phase '" + options.stopAfter.getValue() +
        "'; expected shapes, import, fuse, graph, kernels, schedule or memory");
  if (auto names = gaudi::parseFusionNames(
          std::string_view(options.disableFusion.getValue()),
          gaudi::disabledFusions());
      !names)
    return error("gaudi-compile: disable-fusion: " + names.error().message);
  if (auto required = gaudi::parseRequiredFusions(
          std::string_view(options.requireFusion.getValue()));
      !required)
    return error("gaudi-compile: require-fusion: " + required.error().message);
  if (!options.autocast.empty()) {
    auto setting =
        gaudi::parseAutocast(std::string_view(options.autocast.getValue()));
    if (!setting)
      return error("gaudi-compile: autocast: " + setting.error().message);
    if (auto fits = gaudi::device::checkAutocast(*setting, **spec); !fits)
      return error("gaudi-compile: autocast=" + options.autocast.getValue() +
                   ": " + fits.error().message);
  }
  std::optional<NumericsCheckOptions> check;
  if (options.checkNumerics) {
    check.emplace();
    check->seed = options.seed;
    check->device = options.device;
    check->summary = options.numerics;
  }
  CheckedPipeline pipeline(manager, check);
  // A compilation may start after a phase whose result it has.
  bool isDone = !options.startAfter.empty();
  for (const PhaseDescription &phase : phases) {
    if (isDone) {
      isDone = phase.name != options.startAfter;
      continue;
    }
    phase.addPasses(pipeline, options);
    const bool isLast = phase.name == options.stopAfter.getValue();
    if (phase.name == phases[0].name) { // promises begin with the next one
      if (isLast)
        break;
      continue;
    }
    // The phase is verified whether it is the last one or not.
    VerifyPhaseOptions verify;
    verify.phase = phase.name.str();
    manager.addPass(createVerifyPhase(verify));
    if (isLast)
      break;
  }
  pipeline.finish();
  return success();
}

/// The first option of the text that there is none of, and the one that may be
/// meant; LLVM's parser would only name it. Empty: there is none.
static std::string unknownOption(CompileOptions &options, StringRef text) {
  std::string printed; // "{a=1 b=2}"
  llvm::raw_string_ostream stream(printed);
  options.print(stream);
  const auto namesOf = [](StringRef words) {
    SmallVector<StringRef> names;
    while (!words.empty()) {
      words = words.ltrim();
      const StringRef name =
          words.take_until([](char c) { return c == '=' || c == ' '; });
      if (!name.empty())
        names.push_back(name);
      // Values in braces and quotes have blanks of their own.
      size_t at = name.size();
      int depth = 0;
      for (bool isQuoted = false; at < words.size(); ++at) {
        const char c = words[at];
        isQuoted ^= c == '"' || c == '\'';
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (c == ' ' && depth <= 0 && !isQuoted)
          break;
      }
      words = words.drop_front(at);
    }
    return names;
  };
  const SmallVector<StringRef> known =
      namesOf(StringRef(printed).drop_front().drop_back());
  // "device=gaudi3,stop-after=graph".
  for (size_t comma = 0; (comma = text.find(',', comma)) != StringRef::npos;
       ++comma) {
    const auto [next, value] = text.substr(comma + 1).split('=');
    if (llvm::is_contained(known, next) && !value.empty())
      return ("gaudi-compile: options have blanks between them, not commas: "
              "--gaudi-compile=\"" +
              text.substr(0, comma) + " " + text.substr(comma + 1) + "\"")
          .str();
  }
  for (StringRef name : namesOf(text)) {
    if (llvm::is_contained(known, name))
      continue;
    if (gaudi::device::DeviceSpec::lookup(std::string_view(name)))
      return ("gaudi-compile: '" + name +
              "' has no name of an option before it; write device=" + name)
          .str();
    if (llvm::any_of(phases, [&](const PhaseDescription &phase) {
          return phase.name == name;
        }))
      return ("gaudi-compile: '" + name +
              "' has no name of an option before it; write stop-after=" + name)
          .str();
    StringRef nearest;
    unsigned best = 4; // edits: too many
    for (StringRef candidate : known)
      if (unsigned edits = name.edit_distance(candidate); edits < best) {
        best = edits;
        nearest = candidate;
      }
    return ("gaudi-compile: no option is called '" + name + "'" +
            (nearest.empty() ? "; there are: " + llvm::join(known, ", ")
                             : "; did you mean '" + nearest.str() + "'?"))
        .str();
  }
  return "";
}

void gaudi::registerGaudiPipelines() {
  registerPassPipeline(
      "gaudi-compile",
      "Compile a model for a Gaudi device: shapes, import, fuse, graph, "
      "kernels, "
      "schedule, memory",
      [](OpPassManager &manager, StringRef text,
         function_ref<LogicalResult(const Twine &)> error) -> LogicalResult {
        // Adding the passes would be fatal.
        if (manager.getNesting() == OpPassManager::Nesting::Explicit &&
            manager.getOpAnchorName() != ModuleOp::getOperationName())
          return error("gaudi-compile: it runs on 'builtin.module', not on '" +
                       manager.getOpAnchorName() +
                       "'; write --pass-pipeline=\"builtin.module("
                       "gaudi-compile)\"");
        CompileOptions options;
        if (std::string why = unknownOption(options, text); !why.empty())
          return error(why);
        if (failed(options.parseFromString(text)))
          return error(
              "gaudi-compile: what the line above says of '--NAME' is about an "
              "option of it; options are written NAME=VALUE with blanks "
              "between them: --gaudi-compile=\"device=gaudi3 "
              "stop-after=import\"");
        return buildCompilePipeline(manager, options, error);
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> handler) {
        handler(CompileOptions());
      });
}
