// Launches on several regimes of inputs, and their comparison.
#include "Check.h"
#include "Console.h"

#include <fmt/format.h>

namespace gaudi::run {
namespace {

/// Operations of a launch up to which seeded inputs have all regimes: the
/// reference takes some ten nanoseconds for each, with all draws.
constexpr uint64_t mostFlopsOfRegimes = 100'000'000;

Comparison compareOne(const Compiler &compiler, const Regime &regime,
                      const Options &options, size_t output) {
  static constexpr const char *against[seededRegimes] = {
      "the reference", "the reference on large inputs",
      "the reference on small inputs", "the reference on a grid of inputs"};
  const HostTensor &got = regime.outputs[output];
  const char *const name = against[size_t(regime.kind)];
  if (drawPairs(options))
    return compare(got, compiler.result(output), compiler.noise(output), name);
  return compare(got, compiler.result(output),
                 toleranceFor(got.type.element, options.atol, options.rtol),
                 name);
}

} // namespace

std::vector<Regime> launchRegimes(Device &device, const DeviceReport &report,
                                  const Options &options, const Inputs &inputs,
                                  const std::vector<HostTensor> &outputs,
                                  Progress &progress) {
  std::vector<Regime> regimes;
  regimes.push_back({SeededRegime::Plain, inputs, outputs});
  if (inputs.seeded.empty() || options.steps)
    return regimes;
  uint64_t flops = 0;
  for (unsigned engine = 0; engine < runtime::engineCount; ++engine)
    flops += sumOf(report, engine).flops;
  const size_t count = options.checkRegimes          ? options.checkRegimes
                       : flops <= mostFlopsOfRegimes ? seededRegimes
                                                     : 1;
  Options once = options;
  once.repeat = 1;
  once.warmup = 0;
  once.report = ReportForm::None;
  once.trace.clear();
  once.checkFinite = false;
  for (size_t r = 1; r < count; ++r) {
    const auto kind = SeededRegime(r);
    Inputs others = inRegime(kind, inputs, *options.seed);
    auto results = device.launch(others.tensors, once, progress,
                                 [](uint32_t) { return Status(); });
    if (results)
      regimes.push_back({kind, std::move(others), std::move(*results)});
    else // such as an index that is computed from floats
      printWarning(fmt::format("--check leaves out a regime of seeded inputs, "
                               "on which the device fails: {}",
                               results.error().message));
  }
  return regimes;
}

uint32_t drawPairs(const Options &options) {
  return options.mode != Mode::Check || options.atol || options.rtol
             ? 0
             : options.checkDraws;
}

void addComparisons(const Compiler &compiler, const Regime &regime,
                    const Options &options,
                    std::vector<Comparison> &comparisons) {
  const bool isFirst = regime.kind == SeededRegime::Plain;
  for (size_t i = 0; i < comparisons.size(); ++i) {
    if (!isFirst && !comparisons[i].passed())
      continue;
    Comparison found = compareOne(compiler, regime, options, i);
    if (isFirst || !found.passed())
      comparisons[i] = std::move(found);
  }
}

} // namespace gaudi::run
