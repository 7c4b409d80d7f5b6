// Launches on several regimes of inputs, and their comparison.
#include "Check.h"
#include "Console.h"

#include <algorithm>
#include <fmt/format.h>

namespace gaudi::run {
namespace {

/// Pairs of draws that judge what the table refuses.
constexpr uint32_t defaultDrawPairs = 2;

Comparison compareOne(const Compiler &compiler, const Regime &regime,
                      const Options &options, bool byNoise, size_t output) {
  static constexpr const char *against[seededRegimes] = {
      "the reference", "the reference on large inputs",
      "the reference on small inputs", "the reference on a grid of inputs"};
  const HostTensor &got = regime.outputs[output];
  const char *const name = against[size_t(regime.kind)];
  if (byNoise)
    return compare(got, compiler.result(output), compiler.noise(output), name);
  return compare(got, compiler.result(output),
                 toleranceFor(got.type.element, options.atol, options.rtol),
                 name);
}

} // namespace

std::vector<Regime> launchRegimes(Device &device, const Options &options,
                                  const Inputs &inputs,
                                  const std::vector<HostTensor> &outputs,
                                  Progress &progress) {
  std::vector<Regime> regimes;
  regimes.push_back({SeededRegime::Plain, inputs, outputs});
  if (inputs.seeded.empty() || options.steps)
    return regimes;
  Options once = options;
  once.repeat = 1;
  once.warmup = 0;
  once.report = ReportForm::None;
  once.trace.clear();
  once.checkFinite = false;
  for (size_t r = 1; r < options.checkRegimes; ++r) {
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

Status compareRegime(Compiler &compiler, const Regime &regime,
                     const Options &options,
                     const std::function<Status(uint32_t drawPairs)> &evaluate,
                     std::vector<Comparison> &comparisons) {
  const bool isGiven = options.atol || options.rtol;
  const uint32_t pairs = isGiven ? 0 : options.checkDraws.value_or(0);
  GAUDI_TRY(evaluate(pairs));
  std::vector<Comparison> found;
  for (size_t i = 0; i < comparisons.size(); ++i)
    found.push_back(compareOne(compiler, regime, options, pairs != 0, i));
  auto fails = [](const Comparison &one) { return !one.passed(); };
  if (!isGiven && !options.checkDraws &&
      std::any_of(found.begin(), found.end(), fails)) {
    GAUDI_TRY(evaluate(defaultDrawPairs));
    for (size_t i = 0; i < found.size(); ++i)
      if (fails(found[i]))
        found[i] = compareOne(compiler, regime, options, true, i);
  }
  for (size_t i = 0; i < found.size(); ++i)
    if (regime.kind == SeededRegime::Plain ||
        (!fails(comparisons[i]) && fails(found[i])))
      comparisons[i] = std::move(found[i]);
  return {};
}

} // namespace gaudi::run
