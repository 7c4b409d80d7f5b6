// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a function at some sizes, and plays a launch of each.
#include "ProbeLaunches.h"
#include "Gaudi/Dialect/Symbols.h"
#include "Gaudi/Support/Stopwatch.h"
#include "PlayLaunch.h"
#include "VariantModules.h"
#include "mlir/IR/Threading.h"
#include <cmath>
#include <map>
#include <optional>

using namespace mlir;
using namespace gaudi;
using gaudi::shapes::Axis;
using gaudi::shapes::Sizes;

/// A multiple of `grain`, at least `size`, that has few digits in base two, as
/// sizes of tiles have: a size between two tiles costs as the larger one.
static int64_t roundedUp(double size, int64_t grain) {
  int64_t step = grain;
  while (double(step) * 8 < size)
    step *= 2;
  return int64_t(std::ceil(size / double(step))) * step;
}

/// At most `count` sizes of the axis from the least to the largest, about a
/// constant factor apart.
static std::vector<int64_t> sizesAlong(const Axis &axis, size_t count) {
  const int64_t least = std::max<int64_t>(
      (axis.min + axis.grain - 1) / axis.grain * axis.grain, 1);
  if (least >= axis.max || count < 2)
    return {axis.max};
  std::vector<int64_t> sizes;
  if (size_t((axis.max - least) / axis.grain) + 2 <= count) {
    for (int64_t size = least; size < axis.max; size += axis.grain)
      sizes.push_back(size);
  } else {
    const double factor = double(axis.max) / double(least);
    for (size_t i = 0; i + 1 < count; ++i) {
      const double exact =
          double(least) * std::pow(factor, double(i) / double(count - 1));
      const int64_t size =
          i == 0 ? least : roundedUp(exact * (1 - 1e-9), axis.grain);
      if (size < axis.max && (sizes.empty() || size > sizes.back()))
        sizes.push_back(size);
    }
  }
  sizes.push_back(axis.max);
  return sizes;
}

/// How many multiples of the grain an axis has, about.
static size_t multiplesOf(const Axis &axis) {
  return size_t((axis.max - std::max<int64_t>(axis.min, 1)) / axis.grain) + 2;
}

// The axes whose sizes are the farthest apart get one more, as long as there is
// room.
std::vector<std::vector<int64_t>>
gaudi::probeGrid(const std::vector<Axis> &axes, ProbeLimits limits) {
  std::vector<size_t> counts(axes.size(), 1);
  std::vector<bool> isFull(axes.size());
  const auto product = [&] {
    size_t all = 1;
    for (size_t count : counts)
      all *= count;
    return all;
  };
  // Gaps are compared by ratio: costs grow with factors of the size.
  for (;;) {
    std::optional<size_t> widest;
    double widestGap = 0;
    for (auto [i, axis] : llvm::enumerate(axes)) {
      const double factor =
          double(axis.max) / double(std::max<int64_t>(axis.min, 1));
      const double gap = std::log(factor) / double(counts[i]);
      if (!isFull[i] && gap > widestGap) {
        widest = i;
        widestGap = gap;
      }
    }
    if (!widest)
      break;
    const bool hasMore = counts[*widest] < std::min(limits.mostPerAxis,
                                                    multiplesOf(axes[*widest]));
    ++counts[*widest];
    // One more does not fit: this axis is done, others may still grow.
    if (!hasMore || product() > limits.most) {
      --counts[*widest];
      isFull[*widest] = true;
    }
  }
  std::vector<std::vector<int64_t>> grid;
  for (auto [axis, count] : llvm::zip_equal(axes, counts))
    grid.push_back(sizesAlong(axis, count));
  return grid;
}

std::vector<Sizes>
gaudi::combinationsOf(const std::vector<std::vector<int64_t>> &grid) {
  std::vector<Sizes> boxes = {{}};
  for (const std::vector<int64_t> &axis : grid) {
    std::vector<Sizes> longer;
    for (const Sizes &box : boxes)
      for (int64_t size : axis) {
        longer.push_back(box);
        longer.back().push_back(size);
      }
    boxes = std::move(longer);
  }
  return boxes;
}

OwningOpRef<ModuleOp> gaudi::copyAlone(func::FuncOp function) {
  OwningOpRef<ModuleOp> module = function->getParentOfType<ModuleOp>().clone();
  for (auto other : llvm::make_early_inc_range(module->getOps<func::FuncOp>()))
    if (other.getName() != function.getName())
      other.erase();
  return module;
}

void gaudi::playVariants(ModuleOp module, Probes &probes) {
  MLIRContext *context = module.getContext();
  VariantModules parts(module);
  const size_t count = parts.owned.size();
  std::vector<std::optional<PlayedLaunch>> launches(count);
  const size_t lanes = std::min(count, threadsOf(context));
  parallelFor(context, 0, lanes, [&](size_t lane) {
    const LaunchPlayer player = launchPlayer(); // of one thread
    for (size_t i = lane; i < count; i += lanes)
      launches[i] = player(parts.variant(i));
  });
  std::map<Sizes, double> times;
  for (size_t i = 0; i < count; ++i) {
    // Playing has changed the function, not its attributes.
    auto box =
        parts.variant(i)->getAttrOfType<DenseI64ArrayAttr>(bucketAttrName);
    if (launches[i])
      times[Sizes(box.asArrayRef())] = double(launches[i]->picoseconds);
  }
  probes.picoseconds.clear();
  for (const Sizes &box : combinationsOf(probes.grid)) {
    const auto found = times.find(box);
    if (found == times.end()) {
      probes.picoseconds.clear();
      probes.problem = "a launch cannot be predicted";
      return;
    }
    probes.picoseconds.push_back(found->second);
  }
}

static void probe(func::FuncOp function, const CompileOptions &options,
                  Probes &probes) {
  MLIRContext *context = function.getContext();
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = copyAlone(function);
  Builder builder(context);
  SmallVector<Attribute> boxes;
  for (const Sizes &box : combinationsOf(probes.grid))
    boxes.push_back(builder.getDenseI64ArrayAttr(box));
  module->lookupSymbol<func::FuncOp>(function.getName())
      ->setAttr(boxesAttrName, builder.getArrayAttr(boxes));
  PassManager manager(context);
  manager.enableVerifier(false); // the phases check what they promise
  const LogicalResult built =
      buildCompilePipeline(manager, options, [&](const Twine &text) {
        probes.problem = text.str();
        return failure();
      });
  if (succeeded(built) && succeeded(manager.run(*module)))
    return playVariants(*module, probes);
  if (probes.problem.empty())
    probes.problem = "it does not compile at all sizes";
}

LaunchProber gaudi::compilingProber(const CompileOptions &given) {
  auto options = std::make_shared<CompileOptions>();
  options->copyOptionValuesFrom(given);
  options->stopAfter = "schedule";
  options->symbolsKnown = true;
  options->bucketCost = "elements"; // no probes of probes
  // What the real compilation checks.
  options->requireFusion = "";
  options->verifyFusion = false;
  options->checkNumerics = false;
  return [options](func::FuncOp function, const std::vector<Axis> &axes) {
    const gaudi::Stopwatch watch;
    Probes probes;
    probes.grid = probeGrid(axes, compiledProbes);
    probe(function, *options, probes);
    probes.seconds = watch.milliseconds() / 1e3;
    return probes;
  };
}
