// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a replay file of gaudi-run has, and when it is written.
#include "Recorder.h"
#include "Console.h"
#include "Gaudi/Analysis/Entry.h"
#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Recipe/Container.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Environment.h"
#include "Gaudi/Support/Quote.h"
#include "Signals.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace gaudi::run {
namespace {

using Kind = ReplayableOption::Kind;

std::string_view baseName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// A name that every archive can have, with the same ending.
std::string memberName(std::string_view path) {
  constexpr size_t most = 200;
  std::string name(baseName(path));
  for (char &c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\')
      c = '_';
  if (name.size() > most)
    name.erase(0, name.size() - most);
  return name.empty() || name == "." || name == ".." ? "file" : name;
}

/// The file that has the weights of a model in text: a plain name beside it.
std::string resourceFileOf(std::string_view model) {
  constexpr std::string_view attribute = "gaudi.resource_file";
  size_t at = model.find(attribute);
  if (at == model.npos)
    return {};
  at = model.find('"', at);
  const size_t end = at == model.npos ? at : model.find('"', at + 1);
  const std::string name(
      end == model.npos ? "" : model.substr(at + 1, end - at - 1));
  return name.find('/') == name.npos ? name : std::string();
}

void replaceAll(std::string &text, const std::string &from,
                const std::string &to) {
  for (size_t at = 0; !from.empty() && (at = text.find(from, at)) != text.npos;
       at += to.size())
    text.replace(at, from.size(), to);
}

} // namespace

Recorder::Recorder(const Options &options, bool isReplay)
    : options(options), isReplay(isReplay) {
  const auto folder = replayFolder();
  records = isReplay ||
            (isReplayable(options) && (folder || !options.saveReplay.empty()));
  if (!records || isReplay)
    return;
  path = options.saveReplay;
  if (path.empty())
    // The number of a process alone is often 1 in a container.
    path = fmt::format("{}/{}-{}-{}.zip", *folder,
                       memberName(options.file == "-" ? "stdin" : options.file),
                       std::chrono::duration_cast<std::chrono::milliseconds>(
                           std::chrono::system_clock::now().time_since_epoch())
                           .count(),
                       ::getpid());
}

std::string Recorder::memberOf(const std::string &given) {
  std::string member =
      fmt::format("files/{}-{}", files.size(), memberName(given));
  // What cannot be read fails where it is used, with a message of its own.
  if (auto bytes = FileBytes::read(given))
    files.emplace_back(member, std::move(*bytes));
  else
    member.clear();
  return member;
}

void Recorder::addOption(const ReplayableOption &option,
                         const std::string &value) {
  analysis::ReplayOption added = {option.name, {}};
  const auto addFile = [&](const std::string &given) {
    const std::string member = memberOf(given);
    added.value.push_back({member.empty() ? given : member, !member.empty()});
  };
  switch (option.kind) {
  case Kind::Flag:
  case Kind::Output:
    break;
  case Kind::Value:
    added.value = {{value, false}};
    break;
  case Kind::MayBeFile:
  case Kind::File:
    if (option.kind == Kind::File || analysis::isFileOfCosts(value))
      addFile(value);
    else
      added.value = {{value, false}};
    break;
  case Kind::Lists:
    for (size_t at = 0; at <= value.size();) {
      const size_t colon = std::min(value.find(':', at), value.size());
      const std::string part = value.substr(at, colon - at);
      const size_t equals = part.find('=');
      const bool hasFile =
          equals != part.npos && analysis::isListOfOps(part.substr(0, equals));
      const std::string start = at ? ":" : "";
      added.value.push_back(
          {start + part.substr(0, hasFile ? equals + 1 : part.npos), false});
      if (hasFile)
        addFile(part.substr(equals + 1));
      at = colon + 1;
    }
    break;
  }
  record.options.push_back(std::move(added));
}

Status Recorder::begin() {
  if (!records)
    return {};
  record.stage = "reading the model";
  record.versions = {{"gaudi-mlir", GAUDI_VERSION},
                     {"recipe format", fmt::format("{}.{}", recipe::formatMajor,
                                                   recipe::formatMinor())},
                     {"device", options.device.value_or("gaudi2")}};
  record.environment = analysis::replayedEnvironment();
  for (const GivenOption &given : options.given) {
    const ReplayableOption *option = analysis::replayableOption(given.name);
    // As the environment completed it.
    if (given.name == "autocast")
      addOption(*option, options.autocast);
    else
      for (const std::string &value : given.values)
        addOption(*option, value);
  }
  if (isReplay)
    return {};
  if (options.saveReplay.empty()) {
    const std::string folder = path.substr(0, path.rfind('/'));
    if (!makeFolders(folder, 0700)) {
      printError(
          fmt::format("GAUDI_REPLAY_DIR: cannot make the folder {}: {}; no "
                      "replay is kept; name a folder that can be written",
                      inQuotes(folder), strerror(errno)));
      records = false;
      return {};
    }
  } else if (sameFile(path, options.file)) {
    return fail("--save-replay: {} would replace the file that is run; name "
                "another file",
                inQuotes(path));
  }
  // What cannot be read has its message where the run reads it.
  auto bytes = FileBytes::read(options.file);
  if (!bytes) {
    records = false;
    return {};
  }
  const std::string name =
      options.file == "-" ? "stdin" : memberName(options.file);
  record.file = "model/" + name;
  if (const std::string beside = resourceFileOf(bytes->modelText());
      !beside.empty()) {
    const size_t slash = options.file.rfind('/');
    const std::string folder =
        slash == options.file.npos ? "" : options.file.substr(0, slash + 1);
    if (auto weights = FileBytes::read(folder + beside))
      files.emplace_back("model/" + memberName(beside), std::move(*weights));
  }
  files.emplace_back(record.file, std::move(*bytes));
  return {};
}

Status Recorder::enter(std::string stage) {
  record.stage = std::move(stage);
  return write();
}

void Recorder::setRecipe(std::shared_ptr<const recipe::RecipeFile> opened,
                         bool isCompiled) {
  if (!records)
    return;
  file = std::move(opened);
  record.versions["device"] = recipe::text(file->recipe().target());
  record.recipe = isCompiled ? "compiled.recipe" : "";
}

Status Recorder::launching(
    const std::string &entry, const std::string &sizes, const Inputs &inputs,
    const std::vector<std::optional<recipe::HostTensor>> &expected) {
  if (!records)
    return {};
  record.entry = entry;
  if (!sizes.empty()) {
    auto &all = record.options;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [](const analysis::ReplayOption &option) {
                               return option.name == "sizes";
                             }),
              all.end());
    all.push_back({"sizes", {{sizes, false}}});
  }
  record.inputs.clear();
  values.clear();
  hasSecrets = !isReplay && !options.replayInputs && !options.expected.empty();
  const auto describe = [&](const recipe::HostTensor &tensor, std::string name,
                            bool isSaved) {
    analysis::ReplayTensor described = analysis::describeTensor(tensor);
    if (isSaved && !isReplay) {
      described.file = std::move(name);
      values.emplace_back(analysis::valuesOf(tensor, described.file), tensor);
    }
    return described;
  };
  for (size_t i = 0; i < inputs.tensors.size(); ++i) {
    const bool isSeeded =
        std::count(inputs.seeded.begin(), inputs.seeded.end(), i) != 0;
    record.inputs.push_back(describe(inputs.tensors[i],
                                     fmt::format("inputs/{}.npy", i),
                                     options.replayInputs && !isSeeded));
    if (isSeeded)
      record.inputs.back().seed = options.seed;
    if (isReplay || isSeeded || options.replayInputs)
      continue;
    hasSecrets = true;
    if (analysis::isGuessable(inputs.tensors[i]))
      record.inputs.back().hash.clear();
  }
  record.expected.clear();
  for (size_t i = 0; i < expected.size() && options.replayInputs; ++i)
    if (expected[i]) {
      record.expected.push_back(
          describe(*expected[i], fmt::format("expected/{}.npy", i), true));
      record.expected.back().name = fmt::format("{}", i);
    }
  if (file)
    if (auto chosen = analysis::chooseEntry(file->recipe(), entry, path))
      if (auto predicted = prediction::predict(*file, *chosen))
        record.predictedPicoseconds = predicted->time();
  return enter("launching");
}

void Recorder::launched(const std::vector<recipe::HostTensor> &outputs,
                        const DeviceReport &report) {
  if (!records)
    return;
  record.outputs.clear();
  for (const recipe::HostTensor &output : outputs) {
    record.outputs.push_back(analysis::describeTensor(output));
    if (hasSecrets && analysis::isGuessable(output))
      record.outputs.back().hash.clear();
  }
  if (!report.hostKernels.family.empty())
    record.versions["matrix kernels of the host"] = report.hostKernels.family;
  if (!report.launches.empty())
    microseconds = 1000 * spreadOf(report.launches).median;
}

Status Recorder::write() {
  if (!records || path.empty())
    return {};
  std::vector<analysis::ZipMember> members;
  for (const auto &[name, bytes] : files)
    members.push_back({name, {bytes.text()}});
  const auto textOf = [](const void *data, size_t size) {
    return std::string_view(static_cast<const char *>(data), size);
  };
  if (!record.recipe.empty())
    members.push_back(
        {record.recipe, {textOf(file->bytes().data, file->bytes().size)}});
  for (const auto &[header, tensor] : values)
    members.push_back(
        {header.file,
         {header.header, textOf(tensor.bytes.data(), tensor.bytes.size())}});
  auto written = analysis::writeReplay(path, record, std::move(members));
  if (written && !wasWritten)
    nameReplayOfCrashes(path);
  wasWritten |= bool(written);
  if (written || !options.saveReplay.empty())
    return written;
  // Not lost in silence with --quiet, which who looks for failures gives.
  printError(fmt::format("GAUDI_REPLAY_DIR: {}; no replay is kept",
                         written.error().message));
  records = false;
  return {};
}

Status Recorder::conclude(const Ending &ending, const std::string &failures) {
  if (!records)
    return {};
  record.code = static_cast<int>(ending.code);
  record.stage = "";
  record.message = ending.error.empty() ? failures : ending.error;
  // What checks find has elements in it.
  if (hasSecrets && ending.code == Exit::Mismatch)
    record.message =
        "a check failed; a file of --with-inputs says what it found";
  // A replay has another path of the same file, and files of values that were
  // given as text.
  replaceAll(record.message, options.file,
             options.file == "-" ? "-" : std::string(baseName(options.file)));
  for (const std::string &value : options.expected)
    if (const size_t at = value.find('@'); at != value.npos)
      replaceAll(record.message, inQuotes(value.substr(at + 1)),
                 "the given value");
  if (path.empty())
    return {};
  const bool failed = ending.code != Exit::Ok;
  const bool isSlow = options.replaySlowerThan && microseconds &&
                      *microseconds > *options.replaySlowerThan;
  const bool isWanted = failed ? ending.code != Exit::BadInput
                        : options.replaySlowerThan
                            ? isSlow
                            : !options.saveReplay.empty();
  nameReplayOfCrashes("");
  if (!isWanted) {
    if (wasWritten)
      ::unlink(path.c_str());
    return {};
  }
  record.reason =
      failed   ? "it failed"
      : isSlow ? fmt::format("it took {:.1f} us of the host", *microseconds)
               : "asked for";
  GAUDI_TRY(write());
  if (records && (failed || isSlow))
    printNote(fmt::format("the launch is in {0}, {1}; gaudi-run {0} runs it "
                          "again",
                          inQuotes(path), record.reason));
  return {};
}

} // namespace gaudi::run
