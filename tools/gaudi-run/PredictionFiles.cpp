// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of --trace and --html.
#include "PredictionFiles.h"
#include "Gaudi/Prediction/Trace.h"
#include "Gaudi/Support/Quote.h"
#include "Source.h"

#include <algorithm>
#include <cassert>
#include <filesystem>

namespace gaudi::run {
namespace {

using prediction::HostRun;

std::string baseName(const std::string &path) {
  return std::filesystem::path(path).filename().string();
}

/// What the launches of this host took; none unless each command was timed.
std::optional<HostRun> hostRun(const std::optional<DeviceReport> &report) {
  if (!report || !report->profiles)
    return std::nullopt;
  assert(report->commandMilliseconds.size() == report->commands.size() &&
         "a timed launch has a time for each command");
  HostRun run;
  run.launches = uint32_t(report->profiles);
  run.threads = report->threads;
  for (size_t i = 0; i < report->commands.size(); ++i) {
    const runtime::CommandInfo &command = report->commands[i];
    run.commands.push_back({command.name, command.location,
                            command.implementation,
                            timing::Queue(command.engine),
                            report->commandMilliseconds[i], command.within});
  }
  return run;
}

Status writeTraceTo(OutputFile &file,
                    const std::vector<DevicePrediction> &predictions,
                    const std::optional<DeviceReport> &measured) {
  std::vector<const prediction::Prediction *> devices;
  for (const DevicePrediction &device : predictions)
    if (device.error.empty())
      devices.push_back(&device.prediction);
  const std::optional<HostRun> host = hostRun(measured);
  return prediction::writeTrace(file, devices, host ? &*host : nullptr);
}

Status writePageTo(OutputFile &file, const Options &options,
                   const std::vector<DevicePrediction> &predictions,
                   std::string_view source,
                   const std::optional<DeviceReport> &measured,
                   const PageComparisons &comparisons) {
  prediction::PageInput page;
  page.precision = comparisons.precision;
  page.comparison = comparisons.predictions;
  page.title = page.sourceName = baseName(options.file);
  page.source = source;
  if (predictions.size() == 1)
    page.passes = predictions.front().passes;
  for (const DevicePrediction &device : predictions)
    if (device.error.empty())
      page.devices.push_back(
          {&device.prediction, device.advice, device.remarks});
    else
      page.refused.push_back({device.device, device.error});
  if (measured && !measured->launches.empty()) {
    page.hostMilliseconds = spreadOf(measured->launches).median;
    page.hostThreads = measured->threads;
  }
  return prediction::writePage(file, page);
}

} // namespace

bool wantsPredictionFiles(const Options &options) {
  return !options.trace.empty() || !options.html.empty();
}

Result<std::vector<OutputFile>> openPredictionFiles(const Options &options) {
  const std::pair<const char *, const std::string &> files[] = {
      {"--trace", options.trace}, {"--html", options.html}};
  for (const auto &[option, path] : files) {
    if (path.empty())
      continue;
    if (sameFile(path, options.file))
      return fail("{}: {} would replace the file that is read; name another "
                  "file",
                  option, inQuotes(path));
    if (!options.save.empty() && sameFile(path, options.save))
      return fail("{}: {} is the file of --save-recipe; name another file",
                  option, inQuotes(path));
    for (const std::string &output : options.outputs) {
      const size_t at = output.find('@');
      if (at != output.npos && sameFile(path, output.substr(at + 1)))
        return fail("{}: {} is the file of an --output; name another file",
                    option, inQuotes(path));
    }
  }
  if (!options.trace.empty() && !options.html.empty() &&
      sameFile(options.trace, options.html))
    return fail("--trace and --html: both go to the file {}; name two files",
                inQuotes(options.html));
  std::vector<OutputFile> opened;
  for (const auto &[option, path] : files)
    if (!path.empty())
      opened.push_back(GAUDI_TRY(OutputFile::create(path)));
  return opened;
}

Status writePredictionFiles(std::vector<OutputFile> &files,
                            const Options &options,
                            const std::vector<DevicePrediction> &predictions,
                            std::string_view source,
                            const std::optional<DeviceReport> &measured,
                            const PageComparisons &comparisons) {
  if (!options.trace.empty())
    GAUDI_TRY(writeTraceTo(files.front(), predictions, measured));
  if (!options.html.empty())
    GAUDI_TRY(writePageTo(files.back(), options, predictions, source, measured,
                          comparisons));
  return commitAll(files);
}

} // namespace gaudi::run
