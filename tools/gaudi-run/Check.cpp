// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches on several regimes of inputs, and their comparison.
#include "Check.h"
#include "Console.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "Outputs.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace gaudi::run {
namespace {

/// Work of the search for samples (multiplications and additions of the
/// reference): a second or less.
constexpr double sampledWork = 1 << 26;

analysis::Comparison compareOne(const Compiler &compiler,
                                const Launched &sample, const Options &options,
                                bool byNoise, size_t output) {
  const recipe::HostTensor &got = sample.outputs[output];
  const std::string against =
      sample.regime.empty()
          ? "the reference"
          : fmt::format("the reference on {} inputs", sample.regime);
  if (byNoise)
    return analysis::compare(got, compiler.result(output),
                             compiler.noise(output), against);
  return analysis::compare(
      got, compiler.result(output),
      analysis::toleranceFor(got.type.element, options.atol, options.rtol),
      against);
}

/// Writes the inputs of a sample as FOLDER/0-plain/0.npy.
Status saveSample(const std::string &folder, size_t number,
                  const std::string &regime,
                  const std::vector<recipe::HostTensor> &inputs) {
  const std::filesystem::path path =
      std::filesystem::path(folder) /
      fmt::format("{}-{}", number, regime.empty() ? "plain" : regime);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    return fail("--save-samples: cannot create the folder {}: {}; name a "
                "folder that can be written",
                inQuotes(path.string()), error.message());
  std::vector<std::optional<std::string>> files;
  for (size_t i = 0; i < inputs.size(); ++i)
    files.push_back((path / fmt::format("{}.npy", i)).string());
  return writeOutputs(inputs, files);
}

} // namespace

Status requireModelOf(const Device &device, const Compiler &model,
                      const Options &options) {
  using Parameters = std::vector<recipe::Parameter>;
  const auto sameTypes = [](const Parameters &a, const Parameters &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto &x, const auto &y) {
                        return x.type.text() == y.type.text();
                      });
  };
  const Parameters ins = device.inputs(), outs = device.outputs();
  const bool areInputs = !sameTypes(ins, model.inputs());
  if (!areInputs && sameTypes(outs, model.outputs()))
    return {};
  return fail("--model={} has other {} than {}: {}, and not {}; name the model "
              "that it was made from",
              printable(options.model), areInputs ? "inputs" : "outputs",
              inQuotes(options.file),
              listOf(areInputs ? model.inputs() : model.outputs()),
              listOf(areInputs ? ins : outs));
}

Result<std::vector<Launched>>
launchSamples(Compiler &compiler, Device &device, const Options &options,
              const Inputs &inputs,
              const std::vector<recipe::HostTensor> &outputs,
              Progress &progress) {
  std::vector<Launched> launched;
  launched.push_back({"", inputs.tensors, outputs});
  std::vector<Compiler::Sample> samples;
  if (!inputs.seeded.empty() && !options.steps && options.checkSamples)
    samples = GAUDI_TRY(compiler.drawInputs(inputs.tensors, inputs.seeded,
                                            *options.seed, sampledWork));
  if (samples.size() > options.checkSamples)
    samples.resize(options.checkSamples);
  Options once = options;
  once.repeat = 1;
  once.warmup = 0;
  once.report = ReportForm::None;
  once.trace.clear();
  once.checkFinite = false;
  size_t saved = 0;
  auto save = [&](const std::string &regime,
                  const std::vector<recipe::HostTensor> &tensors) {
    return options.saveSamples.empty()
               ? Status()
               : saveSample(options.saveSamples, saved++, regime, tensors);
  };
  GAUDI_TRY(save("", inputs.tensors));
  for (Compiler::Sample &sample : samples) {
    GAUDI_TRY(save(sample.regime, sample.inputs));
    auto results = device.launch(sample.inputs, once, progress,
                                 [](uint32_t) { return Status(); });
    if (!results)
      return fail("--check: the device fails on {} inputs, on which the "
                  "reference does not; --save-samples=DIR writes them: {}",
                  sample.regime, results.error().message);
    launched.push_back({std::move(sample.regime), std::move(sample.inputs),
                        std::move(*results)});
  }
  return launched;
}

Status compareSample(Compiler &compiler, const Launched &sample,
                     const Options &options,
                     const std::function<Status(uint32_t drawPairs)> &evaluate,
                     std::vector<analysis::Comparison> &comparisons) {
  const bool isGiven = options.atol || options.rtol;
  const uint32_t pairs =
      isGiven ? 0 : options.checkDraws.value_or(GAUDI_DRAWS_BY_WORK);
  auto fails = [](const analysis::Comparison &one) { return !one.passed(); };
  auto compareAll =
      [&](uint32_t drawPairs) -> Result<std::vector<analysis::Comparison>> {
    GAUDI_TRY(evaluate(drawPairs));
    std::vector<analysis::Comparison> found;
    for (size_t i = 0; i < comparisons.size(); ++i)
      found.push_back(compareOne(compiler, sample, options, drawPairs != 0, i));
    return found;
  };
  std::vector<analysis::Comparison> found = GAUDI_TRY(compareAll(pairs));
  // Errors that are multiplied have rare large values, of which few draws tell
  // too little to call a result wrong.
  if (pairs == GAUDI_DRAWS_BY_WORK &&
      std::any_of(found.begin(), found.end(), fails))
    found = GAUDI_TRY(compareAll(GAUDI_MORE_DRAWS_BY_WORK));
  for (size_t i = 0; i < comparisons.size(); ++i)
    if (sample.regime.empty() || (!fails(comparisons[i]) && fails(found[i])))
      comparisons[i] = std::move(found[i]);
  return {};
}

} // namespace gaudi::run
