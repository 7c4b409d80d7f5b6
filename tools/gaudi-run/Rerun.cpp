// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unpacks a replay file, runs what it says, and compares.
#include "Rerun.h"
#include "Console.h"
#include "Gaudi/Analysis/ReplayFile.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Support/Descriptor.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "Gaudi/Timing/Cost.h"
#include "Recorder.h"
#include "ReplayOptions.h"
#include "Run.h"
#include "Scratch.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/ostream.h>
#include <iostream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace gaudi::run {
namespace {

using analysis::Replay;
using analysis::ReplayOption;
using analysis::ReplayTensor;

/// "--autocast=bf16:lower=/tmp/gaudi-replay-x/files/0-ops.txt". Errors: those
/// of checkReplayOption.
Result<std::string> argumentOf(const ReplayOption &option,
                               const std::string &folder) {
  GAUDI_TRY(analysis::checkReplayOption(option));
  const auto kind = analysis::replayableOption(option.name)->kind;
  std::string text = "--" + option.name;
  if (kind == ReplayableOption::Flag)
    return text;
  text += "=";
  if (kind == ReplayableOption::Output)
    return text + folder + "/written";
  for (const ReplayOption::Part &part : option.value)
    text += part.isFile ? folder + "/" + part.text : part.text;
  return text;
}

/// Whether the user gives this option to the replay.
bool isGiven(int argc, char **argv, const std::string &name) {
  const std::string option = "--" + name;
  return std::any_of(argv + 1, argv + argc, [&](const char *argument) {
    const std::string_view text = argument;
    return text == option || text.substr(0, option.size() + 1) == option + "=";
  });
}

/// The command line of the launch: what was recorded, and what the user gives.
Result<std::vector<std::string>>
commandLine(const Replay &replay, const std::string &folder,
            const std::string &file, const std::vector<std::string> &inputs,
            int argc, char **argv) {
  std::vector<std::string> line = {argv[0]};
  const std::string target = folder + "/" + replay.file;
  // The text of standard input has no name that its locations could show.
  const bool wasInput = replay.file == "model/stdin";
  if (wasInput && !std::freopen(target.c_str(), "rb", stdin))
    return fail("cannot read {}: {}", inQuotes(target), strerror(errno));
  line.push_back(wasInput ? "-" : target);
  for (const ReplayOption &option : replay.options)
    if (!isGiven(argc, argv, option.name))
      line.push_back(GAUDI_TRY(argumentOf(option, folder)));
  // Inputs of this command line take the place of those of the same name or
  // number; one without a name, or with another one, of all.
  const auto names = [&](const std::string &given, size_t i) {
    const std::string key = given.substr(0, given.find('='));
    return key == replay.inputs[i].name || key == fmt::format("{}", i);
  };
  const auto isReplaced = [&](size_t i) {
    return std::any_of(
        inputs.begin(), inputs.end(), [&](const std::string &given) {
          bool namesOne = false;
          for (size_t other = 0; other < replay.inputs.size(); ++other)
            namesOne |= names(given, other);
          return !namesOne || names(given, i);
        });
  };
  const bool hasInputs = !inputs.empty();
  const auto has = [&](std::string_view name) {
    return std::any_of(
        replay.options.begin(), replay.options.end(),
        [&](const ReplayOption &option) { return option.name == name; });
  };
  // What crashed before its inputs were read has none that are known.
  bool needsSeed = replay.inputs.empty() && !hasInputs && !has("compile-only");
  // A number, unless an input is called like one.
  const auto key = [](const std::vector<ReplayTensor> &tensors, size_t i) {
    const std::string number = fmt::format("{}", i);
    return std::any_of(tensors.begin(), tensors.end(),
                       [&](const ReplayTensor &t) { return t.name == number; })
               ? tensors[i].name
               : number;
  };
  for (size_t i = 0; i < replay.inputs.size(); ++i) {
    const ReplayTensor &input = replay.inputs[i];
    if (isReplaced(i))
      continue;
    if (!input.file.empty())
      line.push_back(fmt::format("--input={}=@{}/{}", key(replay.inputs, i),
                                 folder, input.file));
    else
      needsSeed |= !input.seed;
  }
  for (const ReplayTensor &expected : replay.expected)
    if (!expected.file.empty())
      line.push_back(fmt::format("--expect={}=@{}/{}", expected.name, folder,
                                 expected.file));
  if (needsSeed && !has("seed-inputs") && !isGiven(argc, argv, "seed-inputs"))
    line.push_back("--seed-inputs=1");
  for (int i = 1; i < argc; ++i)
    if (argv[i] != file)
      line.push_back(argv[i]);
  return line;
}

/// Sets the recorded variables, and those only.
Status setEnvironment(const Replay &replay) {
  const auto &names = analysis::replayedVariables();
  for (const auto &[name, value] : replay.environment)
    if (std::count(names.begin(), names.end(), name) == 0)
      return fail("the replay has an environment variable {}, which no replay "
                  "may have",
                  inQuotes(name));
  // Lists of ops are in the recorded option.
  for (const char *name : {"PT_HPU_AUTOCAST_LOWER_PRECISION_OPS_LIST",
                           "PT_HPU_AUTOCAST_FP32_OPS_LIST"})
    ::unsetenv(name);
  for (const char *name : names) {
    const auto found = replay.environment.find(name);
    if (found == replay.environment.end())
      ::unsetenv(name);
    else
      ::setenv(name, found->second.c_str(), 1);
  }
  return {};
}

std::string endingText(int code, const std::string &message) {
  return message.empty() ? fmt::format("exit code {}", code)
                         : fmt::format("exit code {} ({})", code, message);
}

/// What a replay found: one line each.
struct Verdict {
  std::vector<std::string> same, differs, notes;

  void print(std::ostream &out) const {
    for (const std::string &line : differs)
      fmt::print(out, "replay differs: {}\n", line);
    for (const std::string &line : notes)
      fmt::print(out, "replay: {}\n", line);
    if (differs.empty())
      fmt::print(out, "{}\n",
                 passed(fmt::format("replay: as recorded: {}",
                                    fmt::join(same, ", "))));
  }
};

/// "'x', 'y'": the inputs that have other values.
std::string otherInputs(const Replay &was, const Replay &is) {
  std::string others;
  for (size_t i = 0; i < was.inputs.size() && i < is.inputs.size(); ++i)
    if (was.inputs[i].hash != is.inputs[i].hash)
      others += (others.empty() ? "" : ", ") + inQuotes(was.inputs[i].name);
  return others;
}

void compareTensors(const Replay &was, const Replay &is, Verdict &verdict) {
  const std::string others = otherInputs(was, is);
  if (was.outputs.empty())
    return;
  if (!others.empty()) {
    const bool areKnown = std::none_of(
        was.inputs.begin(), was.inputs.end(),
        [](const ReplayTensor &input) { return input.hash.empty(); });
    verdict.notes.push_back(fmt::format(
        "outputs are not compared: {} {} other values in the recorded "
        "launch; a file of --with-inputs has them",
        others, areKnown ? "had" : "may have had"));
    return;
  }
  if (was.outputs.size() != is.outputs.size()) {
    verdict.differs.push_back(fmt::format(
        "{} outputs, were {}", is.outputs.size(), was.outputs.size()));
    return;
  }
  size_t equal = 0;
  for (size_t i = 0; i < was.outputs.size(); ++i) {
    const ReplayTensor &before = was.outputs[i], &now = is.outputs[i];
    if (before.type != now.type)
      verdict.differs.push_back(fmt::format("output {} is {}, was {}",
                                            inQuotes(now.name), now.type,
                                            before.type));
    else if (before.hash != now.hash)
      verdict.differs.push_back(
          fmt::format("output {} ({}) has other bits: hash {}, was {}",
                      inQuotes(now.name), now.type, now.hash, before.hash));
    else
      ++equal;
  }
  if (equal)
    verdict.same.push_back(countOf(equal, "output") + " bit-equal");
}

/// Whether the compiler still makes the recorded recipe.
bool isSameRecipe(const recipe::RecipeFile *now, const std::string &recorded) {
  auto file = recipe::RecipeFile::open(recorded);
  return file && now && file->bytes().size == now->bytes().size &&
         std::memcmp(file->bytes().data, now->bytes().data,
                     file->bytes().size) == 0;
}

Verdict compareReplays(const Replay &was, const Recorder &recorder,
                       const std::string &folder, Mode mode,
                       bool hasOwnOptions) {
  const Replay &is = recorder.replay();
  Verdict verdict;
  for (const auto &[name, value] : was.versions)
    if (const auto now = is.versions.find(name); now == is.versions.end())
      verdict.notes.push_back(
          fmt::format("{} was {}, now nobody says", name, printable(value)));
    else if (now->second != value)
      verdict.notes.push_back(
          fmt::format("{} is {}, was {}", name, now->second, printable(value)));
  if (mode == Mode::Reference || mode == Mode::Precision ||
      mode == Mode::LossCurve)
    verdict.notes.push_back("of a run of --reference, --loss-curve or a "
                            "comparison of --autocast only the exit code and "
                            "the message are compared");
  if (hasOwnOptions)
    verdict.notes.push_back("this command line has options that the recorded "
                            "one had not");
  if (!was.recipe.empty() && recorder.recipe()) {
    if (isSameRecipe(recorder.recipe(), folder + "/" + was.recipe))
      verdict.same.push_back("the same recipe");
    else
      verdict.notes.push_back(
          "the compiler makes another recipe than the recorded one");
  }
  compareTensors(was, is, verdict);
  if (was.predictedPicoseconds >= 0 && is.predictedPicoseconds >= 0) {
    const std::string now = timing::timeText(is.predictedPicoseconds),
                      before = timing::timeText(was.predictedPicoseconds);
    if (was.predictedPicoseconds == is.predictedPicoseconds)
      verdict.same.push_back(fmt::format("predicted time {}", now));
    else
      verdict.differs.push_back(
          fmt::format("predicted time {}, was {}", now, before));
  }
  if (was.code != is.code)
    verdict.differs.push_back(endingText(is.code, is.message) + ", was " +
                              endingText(was.code, printable(was.message)));
  else if (was.message != is.message)
    (otherInputs(was, is).empty() ? verdict.differs : verdict.notes)
        .push_back(fmt::format("the message was: {}", printable(was.message)));
  else
    verdict.same.push_back(fmt::format("exit code {}", is.code));
  return verdict;
}

/// What was recorded has crashed: this process waits for one that may.
Result<Verdict> rerunCrash(const Replay &was,
                           const std::function<Exit()> &again) {
  std::cout.flush();
  const pid_t child = ::fork();
  if (child < 0)
    return fail("cannot start a process: {}", strerror(errno));
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::_exit(static_cast<int>(again()));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  Verdict verdict;
  if (WIFSIGNALED(status))
    verdict.same.push_back(fmt::format("it ended while {}, by signal {} ({})",
                                       printable(was.stage), WTERMSIG(status),
                                       strsignal(WTERMSIG(status))));
  else
    verdict.differs.push_back(fmt::format(
        "it ends with exit code {}; the recorded one ended while {}",
        WEXITSTATUS(status), printable(was.stage)));
  return verdict;
}

/// Launches the recorded recipe, of which the compiler makes another one now:
/// whether outputs differ by the compiler or by the device.
std::string blameOf(const Replay &was, const Options &options,
                    const std::string &folder) {
  Options launch;
  launch.file = folder + "/" + was.recipe;
  launch.entry = was.entry;
  launch.inputs = options.inputs;
  launch.seed = options.seed;
  launch.sizes = options.sizes;
  launch.steps = options.steps;
  launch.states = {};
  launch.numerics = options.numerics;
  launch.pipelined = options.pipelined;
  launch.threads = options.threads;
  launch.cacheDirectory = options.cacheDirectory;
  launch.verbosity = Verbosity::Quiet;
  setUpConsole(launch.colors, launch.verbosity);
  Recorder recorder(launch, /*isReplay=*/true);
  Ending ending;
  (void)run(launch, recorder, [&](const Ending &given) {
    ending = given;
    return given.code;
  });
  setUpConsole(options.colors, options.verbosity);
  if (!ending.error.empty())
    return "the recorded recipe does not run: " + ending.error;
  Verdict verdict;
  compareTensors(was, recorder.replay(), verdict);
  return verdict.differs.empty()
             ? "the recorded recipe gives the recorded outputs: what differs "
               "is the compiler's"
             : "the recorded recipe gives other outputs, too: the device "
               "differs";
}

} // namespace

bool isReplayFile(const std::string &path) {
  const Descriptor file = Descriptor::openToRead(path);
  char head[41];
  const auto got = file.isOpen() ? file.read(head, sizeof(head)) : 0;
  return got && *got == sizeof(head) &&
         analysis::isReplay({head, sizeof(head)});
}

Exit rerun(const Options &given, int argc, char **argv,
           const std::function<Exit(const Ending &)> &conclude) {
  const auto refuse = [&](const std::string &message) {
    return conclude({Exit::BadInput, message});
  };
  if (!given.saveReplay.empty() || given.mode != Mode::Run)
    return refuse(fmt::format("{} is a replay, which has its mode; remove {}",
                              inQuotes(given.file),
                              !given.saveReplay.empty()  ? "--save-replay"
                              : given.modeOption.empty() ? "--autocast"
                                                         : given.modeOption));
  auto scratch = Scratch::create("replay");
  if (!scratch)
    return refuse(scratch.error().message);
  const std::string &folder = scratch->folder();
  auto was = analysis::unpackReplay(given.file, folder);
  if (!was)
    return refuse(was.error().message);
  if (auto status = setEnvironment(*was); !status)
    return refuse(status.error().message);
  auto line = commandLine(*was, folder, given.file, given.inputs, argc, argv);
  if (!line)
    return refuse(line.error().message);
  std::vector<char *> arguments;
  for (std::string &argument : *line)
    arguments.push_back(argument.data());
  auto parsed = parseOptions(int(arguments.size()), arguments.data());
  if (!parsed)
    return refuse(fmt::format("the options of {}: {}", inQuotes(given.file),
                              parsed.error().message));
  const Options &options = **parsed;
  std::ostream &out =
      options.report == ReportForm::Json ? std::cerr : std::cout;
  if (was->code < 0) {
    auto verdict = rerunCrash(*was, [&] {
      Recorder recorder(options, /*isReplay=*/true);
      return run(options, recorder, conclude);
    });
    if (!verdict)
      return refuse(verdict.error().message);
    verdict->print(out);
    return conclude({verdict->differs.empty() ? Exit::Ok : Exit::Mismatch, {}});
  }
  Recorder recorder(options, /*isReplay=*/true);
  Ending ending;
  bool areEqual = false;
  const Exit code = run(options, recorder, [&](const Ending &ended) {
    ending = ended;
    bool hasOwnOptions = false;
    for (const ReplayableOption &option : replayableOptions())
      hasOwnOptions |= isGiven(argc, argv, option.name);
    const Verdict verdict =
        compareReplays(*was, recorder, folder, options.mode, hasOwnOptions);
    verdict.print(out);
    areEqual = verdict.differs.empty();
    return ended.code;
  });
  (void)code;
  if (!areEqual && !was->recipe.empty() && recorder.recipe() &&
      !was->outputs.empty() &&
      !isSameRecipe(recorder.recipe(), folder + "/" + was->recipe))
    fmt::print(out, "replay: {}\n", blameOf(*was, options, folder));
  // Without the path of the unpacked file.
  if (!ending.error.empty())
    ending.error = recorder.replay().message;
  ending.code = areEqual ? Exit::Ok : Exit::Mismatch;
  return conclude(ending);
}

} // namespace gaudi::run
