// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the variants of functions with symbols.
#include "Gaudi/Compiler/Passes.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Support/Stopwatch.h"
#include "PlanBuckets.h"
#include "PlayLaunch.h"
#include "Session.h"
#include "VariantModules.h"
#include "mlir/IR/Threading.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gaudi;
using gaudi::Stopwatch;

static double seconds(const Stopwatch &watch) {
  return watch.milliseconds() / 1e3;
}

/// Of the entry and the sizes of a variant.
static std::pair<std::string, std::vector<int64_t>>
keyOf(func::FuncOp variant) {
  ArrayRef<int64_t> box =
      variant->getAttrOfType<DenseI64ArrayAttr>(bucketAttrName);
  return {variant->getAttrOfType<FlatSymbolRefAttr>(bucketOfAttrName)
              .getValue()
              .str(),
          box.vec()};
}

/// Whether an entry has the attribute.
static bool hasEntry(ModuleOp module, StringRef attribute) {
  return llvm::any_of(
      module.getOps<func::FuncOp>(), [&](func::FuncOp function) {
        return function.isExternal() && function->hasAttr(attribute);
      });
}

/// What passes say has an order only if they run one after the other.
bool Session::isSerial() const {
  return options.remarks || options.remark || options.checkNumerics ||
         dumpsGraphs();
}

/// A pass manager loads the dialects that its passes need, some of which are in
/// no registry; only one thread may do so.
void Session::loadDialects(const Phases &phases) {
  PassManager manager(&context);
  OwningOpRef<ModuleOp> none = ModuleOp::create(UnknownLoc::get(&context));
  std::string problem; // is found again when the phases run
  if (failed(addPhases(manager, *none, phases, problem)))
    return;
  DialectRegistry needed;
  manager.getDependentDialects(needed);
  context.appendDialectRegistry(needed);
  for (StringRef name : needed.getDialectNames())
    context.getOrLoadDialect(name);
}

/// Runs the phases on each module, several at a time. `isSample(i)`: its
/// diagnostics and remarks are dropped, since it is no variant of the recipe.
/// True for each that has no error. Fills the seconds of each.
std::vector<char> Session::runParts(ArrayRef<ModuleOp> parts,
                                    const Phases &phases,
                                    llvm::function_ref<bool(size_t)> isSample,
                                    std::string &problem,
                                    std::vector<double> *times) {
  if (times)
    times->assign(parts.size(), 0);
  std::vector<std::string> problems(parts.size());
  std::vector<char> isDone(parts.size(), true);
  auto run = [&](size_t i) {
    std::optional<QuietDiagnostics> quiet;
    if (isSample(i))
      quiet.emplace(&context);
    const Stopwatch watch;
    isDone[i] = succeeded(runPhases(parts[i], phases, problems[i]));
    if (times)
      (*times)[i] = seconds(watch);
  };
  if (isSerial()) {
    // Remarks make it serial: there are none otherwise.
    for (size_t i = 0; i < parts.size(); ++i) {
      const llvm::SaveAndRestore silent(isSilent, isSilent || isSample(i));
      run(i);
    }
  } else {
    // Loading is not thread-safe, so all dialects are loaded before.
    loadDialects(phases);
    ParallelDiagnosticHandler order(&context);
    parallelFor(&context, 0, parts.size(), [&](size_t i) {
      // Samples have no place in the order of diagnostics.
      if (isSample(i))
        return run(i);
      order.setOrderIDForThread(i);
      run(i);
      order.eraseOrderIDForThread();
    });
  }
  // The first problem in the order of modules, whichever thread met it.
  for (size_t i = 0; i < parts.size(); ++i)
    if (problem.empty() && !isSample(i))
      problem = std::move(problems[i]);
  return isDone;
}

static LogicalResult runOn(ModuleOp module, std::unique_ptr<Pass> pass) {
  PassManager manager(module.getContext());
  manager.enableVerifier(false);
  manager.addPass(std::move(pass));
  return manager.run(module);
}

/// Replaces the variant of `part` by what a probe has compiled of it. False:
/// none has.
static bool takeKnown(ModuleOp part, OwningOpRef<ModuleOp> &known) {
  if (!known)
    return false;
  func::FuncOp variant = *part.getOps<func::FuncOp>().begin();
  OwningOpRef<ModuleOp> copy = known->clone();
  func::FuncOp other = *copy->getOps<func::FuncOp>().begin();
  other.setName(variant.getName());
  variant.erase();
  for (Operation &op : llvm::make_early_inc_range(*copy->getBody()))
    op.moveBefore(part.getBody(), part.getBody()->end());
  part->setAttrs((*copy)->getAttrDictionary());
  return true;
}

/// Runs the phases up to schedule on the variants that others are derived from.
/// False: not all samples have come through.
FailureOr<bool> Session::compileSamples(ModuleOp module, const Phases &how,
                                        const Twine &doing) {
  // The last one of an entry with missing boxes is the largest.
  DenseSet<StringAttr> samples;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isExternal() && function->hasAttr(missingBoxesAttrName))
      for (Attribute name : function->getAttrOfType<ArrayAttr>(bucketsAttrName)
                                .getValue()
                                .drop_back())
        samples.insert(cast<FlatSymbolRefAttr>(name).getAttr());
  // What a probe has compiled has reported and checked nothing: where somebody
  // asks for that, it is compiled again.
  const bool reuses = !options.remarks && !options.remark &&
                      requiredFusions.empty() && !options.verifyFusion;
  VariantModules parts(module);
  SmallVector<ModuleOp> modules;
  std::vector<char> isSample;
  // Variants first, then what is not one; both are compiled in parallel.
  for (auto [i, part] : llvm::enumerate(parts.modules)) {
    if (i < parts.owned.size() && reuses &&
        takeKnown(part, scheduled[keyOf(parts.variant(i))]))
      continue;
    modules.push_back(part);
    isSample.push_back(i < parts.owned.size() &&
                       samples.contains(parts.variant(i).getNameAttr()));
  }
  Phases schedule = how;
  schedule.startAfter = "shapes";
  schedule.stopAfter = "schedule";
  schedule.derivesVariants = false;
  std::string problem;
  const std::vector<char> isDone = runParts(
      modules, schedule, [&](size_t i) { return isSample[i]; }, problem);
  for (auto [done, sample] : llvm::zip(isDone, isSample))
    if (!done && !sample)
      return fail(problem.empty() ? doing + errorCountText() : problem);
  const bool allDone = !llvm::is_contained(isDone, false);
  // Only probes compile the same variants again.
  for (size_t i = 0; i < parts.owned.size() && reuses && allDone; ++i)
    if (!how.probes.empty())
      scheduled[keyOf(parts.variant(i))] = parts.owned[i]->clone();
  parts.join(module);
  return allDone;
}

/// The variants of `module`, as far as they can be compiled together; `phase`
/// becomes the last one that they have seen. Each is derived from the kernels
/// of a few, or has been through no phase yet.
FailureOr<OwningOpRef<ModuleOp>>
Session::variantsUpTo(OwningOpRef<ModuleOp> source, const Phases &how,
                      StringRef &phase, const Twine &doing) {
  phase = "shapes";
  Stopwatch watch;
  Phases shapes = how;
  shapes.stopAfter = phase;
  auto module = runPasses(source->clone(), shapes, doing);
  bucketReport.plan += seconds(watch);
  if (failed(module) || !hasEntry(**module, missingBoxesAttrName))
    return module;
  // Without derivation: from the source again, since buckets are planned by
  // what is compiled.
  auto compileAll = [&] {
    shapes.derivesVariants = false;
    return runPasses(std::move(source), shapes, doing);
  };
  watch = Stopwatch();
  // Samples of the source that differ in structure cannot be interpolated.
  if (failed(runOn(**module, createCheckSamples())) ||
      hasEntry(**module, sourceSamplesAttrName))
    return compileAll();
  const FailureOr<bool> allDone = compileSamples(**module, how, doing);
  if (failed(allDone))
    return failure();
  bucketReport.structure = seconds(watch);
  watch = Stopwatch();
  // Whatever could not be derived is compiled.
  if (!*allDone || failed(runOn(**module, createDeriveVariants())) ||
      hasEntry(**module, missingBoxesAttrName))
    return compileAll();
  bucketReport.derivation = seconds(watch);
  bucketReport.areDerived = true;
  phase = "schedule";
  return module;
}

/// Predicted launches of a function; diagnostics and remarks of their
/// compilations are dropped.
Probes Session::probe(func::FuncOp function,
                      const std::vector<gaudi::shapes::Axis> &axes) {
  const Stopwatch watch;
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  const llvm::SaveAndRestore silent(isSilent, true);
  // A probe is an experiment: whatever it reports or counts is undone.
  const llvm::scope_exit restore([&, numericsBefore = numerics,
                                  errorBefore = error, countBefore = errorCount,
                                  reportBefore = bucketReport] {
    numerics = numericsBefore;
    error = errorBefore;
    errorCount = countBefore;
    bucketReport = reportBefore;
  });
  std::vector<std::string> names;
  for (const gaudi::shapes::Axis &axis : axes)
    names.push_back(axis.name);
  Probes probes;
  // Many sizes if they can be derived from few, else few.
  for (ProbeLimits limits : {derivedProbes, compiledProbes}) {
    probes.grid = probeGrid(axes, limits);
    const auto boxes =
        gaudi::shapes::Buckets::create(names, combinationsOf(probes.grid));
    assert(boxes && "sizes ascend along each axis");
    const std::string text = boxes->text();
    Phases how;
    how.derivesVariants = limits.most > compiledProbes.most;
    how.probes = text;
    StringRef phase;
    auto module = variantsUpTo(copyAlone(function), how, phase, "");
    probes.isDerived = phase == "schedule";
    if (succeeded(module) && !probes.isDerived) {
      if (how.derivesVariants &&
          combinationsOf(probes.grid).size() > compiledProbes.most)
        continue; // each would be compiled
      how.startAfter = phase;
      how.stopAfter = "schedule";
      module = runPasses(std::move(*module), how, "");
    }
    if (succeeded(module))
      playVariants(**module, probes);
    else
      probes.problem = "it does not compile at all sizes";
    break;
  }
  probes.seconds = seconds(watch);
  return probes;
}

/// What a caller may ask. `taken`: seconds of phase memory and those before it
/// that were run for one variant, by its name.
void Session::report(const BucketPlanning &planning, ModuleOp module,
                     const std::map<std::string, double> &taken) {
  const auto plan = planning.plans.find(entryName);
  if (plan != planning.plans.end()) {
    if (plan->second.table)
      bucketReport.costs = plan->second.table->print(plan->second.symbols);
    if (!plan->second.curve.empty())
      bucketReport.curve = printCurve(plan->second.curve);
    for (const gaudi::shapes::CurvePoint &point : plan->second.curve)
      bucketReport.points.push_back(
          {gaudi::shapes::nameOf(point.kind), uint32_t(point.maxBuckets),
           uint32_t(point.plan.buckets.size()), point.plan.waste(),
           point.plan.leastWaste()});
  }
  auto entry = module.lookupSymbol<func::FuncOp>(entryName);
  auto names =
      entry ? entry->getAttrOfType<ArrayAttr>(bucketsAttrName) : ArrayAttr();
  if (!names)
    return;
  // Phases of a variant that ran by themselves, and the prediction of its
  // launch.
  for (auto name : names.getAsRange<FlatSymbolRefAttr>()) {
    const std::string text = name.getValue().str();
    const auto find = [&](const std::map<std::string, double> &times) {
      const auto found = times.find(text);
      return found == times.end() ? 0.0 : found->second;
    };
    bucketReport.variants.push_back(find(taken) + find(predictionSeconds));
  }
}

LogicalResult Session::compileVariants(OwningOpRef<ModuleOp> given,
                                       GaudiBytes &bytes) {
  const std::string doing = "cannot compile " + entryNames() + " for " + device;
  // Pass managers load what their passes need, which is for one thread only.
  context.loadAllAvailableDialects();
  bucketReport = {};
  bucketReport.threads = isSerial() ? 1 : unsigned(threadsOf(&context));
  const llvm::scope_exit forget([this] { scheduled.clear(); });
  BucketPlanning planning;
  planning.wantsCurve = options.bucketCurve != 0;
  planning.prober = [this](func::FuncOp function, const auto &axes) {
    return probe(function, axes);
  };
  Phases how;
  how.planning = &planning;
  // Numerics are checked pass by pass, which sees what is compiled only.
  how.derivesVariants = !options.checkNumerics;
  StringRef phase;
  auto module = variantsUpTo(std::move(given), how, phase, doing);
  if (failed(module))
    return failure();
  VariantModules parts(**module);
  std::string problem;
  std::vector<double> times;
  const std::vector<char> isDone = runParts(
      parts.modules, {"memory", phase}, [](size_t) { return false; }, problem,
      &times);
  if (llvm::is_contained(isDone, false))
    return fail(problem.empty() ? doing + errorCountText() : problem);
  std::map<std::string, double> taken;
  for (size_t i = 0; i < parts.owned.size(); ++i)
    taken[parts.variant(i).getName().str()] = times[i];
  parts.join(**module);
  const LogicalResult emitted = emit(**module, bytes);
  if (succeeded(emitted))
    report(planning, **module, taken);
  // To free hundreds of functions takes as long as to make a few.
  SmallVector<func::FuncOp> variants((*module)->getOps<func::FuncOp>());
  parallelFor(&context, 0, variants.size(), [&](size_t i) {
    variants[i].getBody().dropAllReferences();
    variants[i].getBody().getBlocks().clear();
  });
  return emitted;
}
