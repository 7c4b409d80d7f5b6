// Launches on several regimes of inputs, and their comparison.
#include "Check.h"
#include "Console.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "Outputs.h"

#include <filesystem>
#include <fmt/format.h>

namespace gaudi::run {
namespace {

/// Work of the search for samples (multiplications and additions of the
/// reference): a second or less.
constexpr double sampledWork = 1 << 26;

Comparison compareOne(const Compiler &compiler, const Launched &sample,
                      const Options &options, bool byNoise, size_t output) {
  const HostTensor &got = sample.outputs[output];
  const std::string against =
      sample.regime.empty()
          ? "the reference"
          : fmt::format("the reference on {} inputs", sample.regime);
  if (byNoise)
    return compare(got, compiler.result(output), compiler.noise(output),
                   against);
  return compare(got, compiler.result(output),
                 toleranceFor(got.type.element, options.atol, options.rtol),
                 against);
}

/// Writes the inputs of a sample as FOLDER/0-plain/0.npy.
Status saveSample(const std::string &folder, size_t number,
                  const std::string &regime,
                  const std::vector<HostTensor> &inputs) {
  const std::filesystem::path path =
      std::filesystem::path(folder) /
      fmt::format("{}-{}", number, regime.empty() ? "plain" : regime);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    return fail("--save-samples: cannot create the folder {}: {}",
                inQuotes(path.string()), error.message());
  std::vector<std::optional<std::string>> files;
  for (size_t i = 0; i < inputs.size(); ++i)
    files.push_back((path / fmt::format("{}.npy", i)).string());
  return writeOutputs(inputs, files);
}

} // namespace

Result<std::vector<Launched>>
launchSamples(Compiler &compiler, Device &device, const Options &options,
              const Inputs &inputs, const std::vector<HostTensor> &outputs,
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
  size_t failures = 0;
  std::string firstFailure;
  for (Compiler::Sample &sample : samples) {
    auto results = device.launch(sample.inputs, once, progress,
                                 [](uint32_t) { return Status(); });
    if (results)
      launched.push_back({std::move(sample.regime), std::move(sample.inputs),
                          std::move(*results)});
    else if (failures++ == 0) // such as an index that is computed from floats
      firstFailure = results.error().message;
  }
  if (failures)
    printWarning(fmt::format(
        "--check leaves out {} of {} of seeded inputs, on which the device "
        "fails: {}",
        failures, countOf(samples.size(), "sample"), firstFailure));
  if (!options.saveSamples.empty())
    for (size_t i = 0; i < launched.size(); ++i)
      GAUDI_TRY(saveSample(options.saveSamples, i, launched[i].regime,
                           launched[i].inputs));
  return launched;
}

Status compareSample(Compiler &compiler, const Launched &sample,
                     const Options &options,
                     const std::function<Status(uint32_t drawPairs)> &evaluate,
                     std::vector<Comparison> &comparisons) {
  const bool isGiven = options.atol || options.rtol;
  const uint32_t pairs =
      isGiven ? 0 : options.checkDraws.value_or(GAUDI_DRAWS_BY_WORK);
  GAUDI_TRY(evaluate(pairs));
  auto fails = [](const Comparison &one) { return !one.passed(); };
  for (size_t i = 0; i < comparisons.size(); ++i) {
    Comparison found = compareOne(compiler, sample, options, pairs != 0, i);
    if (sample.regime.empty() || (!fails(comparisons[i]) && fails(found)))
      comparisons[i] = std::move(found);
  }
  return {};
}

} // namespace gaudi::run
