// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Levels, lines and files of the log.
#include "Gaudi/Monitoring/Log.h"

#include "../Support/TempFolder.h"
#include "Process.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <regex>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace gaudi::monitoring;
using gaudi::test::Ended;
using gaudi::test::runProcess;
using ::testing::HasSubstr;

namespace {

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

int computed(int &count) { return ++count; }

GAUDI_PROCESS(LogsOneOfEach) {
  GAUDI_LOG(Device, Trace, "a trace");
  GAUDI_LOG(Device, Warning, "a warning of {}", 42);
  GAUDI_LOG(DevMem, Info, "an info");
  GAUDI_LOG(Trace, Critical, "only by its own variable");
}

GAUDI_PROCESS(LogsNothing) {
  int count = 0;
  GAUDI_LOG(Device, Debug, "{}", computed(count));
  if (count != 0)
    std::exit(1);
}

GAUDI_PROCESS(LogsInManyThreads) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([thread] {
      for (int i = 0; i < 500; ++i)
        GAUDI_LOG(Device, Info, "{} {:03}", thread, i);
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// Children that fork() makes while other threads log.
GAUDI_PROCESS(LogsAndForks) {
  std::thread busy([] {
    for (int i = 0; i < 1000; ++i)
      GAUDI_LOG(Device, Info, "busy {}", i);
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      GAUDI_LOG(Device, Info, "child {}", ::getpid());
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0)
      std::exit(1);
  }
  busy.join();
}

TEST(Log, IsOffWithoutALevel) {
  const TempFolder folder;
  const Ended ended =
      runProcess("LogsNothing", {"HABANA_LOGS=" + folder.file("logs")});
  EXPECT_EQ(ended.code, 0) << "operands were computed";
  EXPECT_EQ(ended.errors, "");
  EXPECT_EQ(folder.count(), 0u);
}

TEST(Log, LinesHaveTheHeaderOfTheBridge) {
  const TempFolder folder;
  runProcess("LogsOneOfEach", {"HOME=" + folder.path, "LOG_LEVEL_ALL=2"});
  const auto lines = linesOf(folder.read(".habana_logs/pytorch_log.txt"));
  ASSERT_EQ(lines.size(), 2u);
  const std::regex header("\\[\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d::\\d{6}\\]"
                          "\\[R0\\]\\[\\d+\\](.*)");
  std::smatch rest;
  ASSERT_TRUE(std::regex_match(lines[0], rest, header)) << lines[0];
  EXPECT_EQ(rest[1], "[PT_DEVICE][warning] a warning of 42");
  ASSERT_TRUE(std::regex_match(lines[1], rest, header)) << lines[1];
  EXPECT_EQ(rest[1], "[PT_DEVMEM][info] an info");
}

TEST(Log, TheNarrowestVariableDecides) {
  const auto count = [](std::vector<std::string> environment) {
    environment.emplace_back("ENABLE_CONSOLE=true");
    return linesOf(runProcess("LogsOneOfEach", environment).errors).size();
  };
  EXPECT_EQ(count({"LOG_LEVEL_ALL=0"}), 3u);
  EXPECT_EQ(count({"LOG_LEVEL_ALL=0", "LOG_LEVEL_ALL_PT=3"}), 1u);
  EXPECT_EQ(count({"LOG_LEVEL_ALL_PT=6", "LOG_LEVEL_PT_DEVICE=trace"}), 2u);
  EXPECT_EQ(count({"LOG_LEVEL_PT_TRACE=critical"}), 1u);
  EXPECT_EQ(count({"LOG_LEVEL_ALL=off"}), 0u);
}

TEST(Log, NamesALevelThatIsNone) {
  const Ended ended = runProcess("LogsNothing", {"LOG_LEVEL_PT_DEVICE=9"});
  EXPECT_THAT(ended.errors,
              HasSubstr("LOG_LEVEL_PT_DEVICE is '9', expected a level from 0 "
                        "(trace) to 6 (off); it is ignored"));
}

TEST(Log, ARankHasItsFolder) {
  const TempFolder folder;
  runProcess("LogsOneOfEach", {"HABANA_LOGS=" + folder.file("a/b"),
                               "LOG_LEVEL_ALL_PT=warn", "RANK=3"});
  EXPECT_THAT(folder.read("a/b/3/pytorch_log.txt"), HasSubstr("][R3]["));
}

TEST(Log, AFolderThatCannotBeWrittenIsOneWarning) {
  const TempFolder folder;
  folder.write("file", "");
  const Ended ended =
      runProcess("LogsOneOfEach", {"HABANA_LOGS=" + folder.file("file/logs"),
                                   "LOG_LEVEL_ALL=0"});
  const auto lines = linesOf(ended.errors);
  ASSERT_EQ(lines.size(), 4u) << ended.errors;
  EXPECT_THAT(lines[0], HasSubstr("logs cannot be written to '"));
  EXPECT_THAT(lines[0], HasSubstr("(Not a directory); they go to standard "
                                  "error, and HABANA_LOGS names another "
                                  "folder"));
  EXPECT_THAT(lines[3], HasSubstr("an info"));
}

TEST(Log, FullFilesAreRenamedAndTheOldestGoes) {
  const TempFolder folder;
  const std::string logs = "HABANA_LOGS=" + folder.path;
  const Ended ended = runProcess(
      "LogsInManyThreads",
      {logs, "LOG_LEVEL_ALL=0", "LOG_FILE_SIZE=4096", "PT_LOG_FILE_AMOUNT=2"});
  EXPECT_EQ(ended.errors, "");
  EXPECT_EQ(folder.count(), 3u);
  for (const char *name :
       {"pytorch_log.txt", "pytorch_log.1.txt", "pytorch_log.2.txt"}) {
    const std::string text = folder.read(name);
    EXPECT_GT(text.size(), 0u) << name;
    EXPECT_LE(text.size(), 4096u) << name;
    EXPECT_EQ(text.back(), '\n') << name;
  }
  EXPECT_THAT(runProcess("LogsOneOfEach",
                         {logs, "LOG_LEVEL_ALL=0", "LOG_FILE_SIZE=big"})
                  .errors,
              HasSubstr("LOG_FILE_SIZE is 'big', expected a number; 5242880 is "
                        "taken"));
}

/// All files of the log together.
std::vector<std::string> allLines(const TempFolder &folder) {
  std::vector<std::string> lines;
  for (const auto &file : std::filesystem::directory_iterator(folder.path))
    for (const std::string &line :
         linesOf(folder.read(file.path().filename().string())))
      lines.push_back(line);
  return lines;
}

TEST(Log, ThreadsAndProcessesLoseNothing) {
  const TempFolder folder;
  std::vector<std::thread> processes;
  processes.reserve(4);
  for (int i = 0; i < 4; ++i)
    processes.emplace_back([&] {
      const Ended ended =
          runProcess("LogsInManyThreads",
                     {"HABANA_LOGS=" + folder.path, "LOG_LEVEL_ALL=0",
                      "LOG_FILE_SIZE=10000", "PT_LOG_FILE_AMOUNT=1000"});
      EXPECT_EQ(ended.errors, "");
    });
  for (std::thread &process : processes)
    process.join();
  const std::regex whole("\\[.*\\]\\[R0\\]\\[\\d+\\]\\[PT_DEVICE\\]\\[info\\] "
                         "\\d \\d\\d\\d");
  const auto lines = allLines(folder);
  EXPECT_EQ(lines.size(), 4u * 4 * 500);
  for (const std::string &line : lines)
    EXPECT_TRUE(std::regex_match(line, whole)) << line;
}

TEST(Log, ChildrenOfForkLogTheirOwnThread) {
  const TempFolder folder;
  // A child has no thread to join, which the thread sanitizer would report.
  const Ended ended = runProcess(
      "LogsAndForks", {"HABANA_LOGS=" + folder.path, "LOG_LEVEL_ALL=0",
                       "TSAN_OPTIONS=report_thread_leaks=0"});
  EXPECT_EQ(ended.code, 0);
  size_t children = 0;
  for (const std::string &line : allLines(folder)) {
    const std::regex own(".*\\]\\[(\\d+)\\]\\[PT_DEVICE\\]\\[info\\] child "
                         "(\\d+)");
    std::smatch parts;
    if (std::regex_match(line, parts, own)) {
      ++children;
      EXPECT_EQ(parts[1], parts[2]);
    }
  }
  EXPECT_EQ(children, 20u);
}

TEST(Log, NamesOfModulesAndLevels) {
  EXPECT_EQ(moduleCount, 29u);
  EXPECT_EQ(nameOf(Module::DynamicShape), "PT_DYNAMIC_SHAPE");
  for (unsigned i = 0; i < moduleCount; ++i)
    EXPECT_EQ(moduleNamed(nameOf(Module(i))), Module(i));
  EXPECT_FALSE(moduleNamed("PT_NONE"));
  for (unsigned i = 0; i <= unsigned(Level::Off); ++i) {
    EXPECT_EQ(levelNamed(nameOf(Level(i))), Level(i));
    EXPECT_EQ(levelNamed(std::to_string(i)), Level(i));
  }
  EXPECT_EQ(levelNamed("warn"), Level::Warning);
  EXPECT_FALSE(levelNamed("7"));
  EXPECT_FALSE(levelNamed(""));
}

TEST(Log, LevelsCanBeSet) {
  setLevel(Module::Test, Level::Error);
  EXPECT_EQ(levelOf(Module::Test), Level::Error);
  EXPECT_TRUE(isLogged(Module::Test, Level::Critical));
  EXPECT_FALSE(isLogged(Module::Test, Level::Warning));
  setLevel(Module::Test, Level::Off);
  EXPECT_FALSE(isLogged(Module::Test, Level::Critical));
}

} // namespace
