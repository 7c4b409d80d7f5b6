// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output files appear whole or not at all.
#include "Gaudi/Support/OutputFile.h"
#include "TempFolder.h"

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace gaudi;

/// Calls of umask, which stands before that of the C library here.
static std::atomic<int> umaskCalls{0};
extern "C" mode_t umask(mode_t mask) noexcept {
  ++umaskCalls;
  return mode_t(::syscall(SYS_umask, mask));
}

namespace {

using Temporary = OutputFile::Temporary;

/// Both ways to write a file.
class OutputFileKind : public testing::TestWithParam<Temporary> {};
INSTANTIATE_TEST_SUITE_P(OutputFile, OutputFileKind,
                         testing::Values(Temporary::Unnamed, Temporary::Named));

TEST_P(OutputFileKind, AppearsOnlyAtCommit) {
  TempFolder folder;
  const std::string path = folder.file("x");
  auto file = OutputFile::create(path, 0, GetParam());
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("hello", 5));
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(folder.read("x"), "hello");
  EXPECT_EQ(folder.count(), 1u);
}

TEST_P(OutputFileKind, WritesOver) {
  TempFolder folder;
  auto file = OutputFile::create(folder.file("x"), 0, GetParam());
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("hello", 5));
  ASSERT_TRUE(file->overwrite(1, "ip", 2));
  ASSERT_TRUE(file->write("!", 1));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(folder.read("x"), "hiplo!");
}

TEST_P(OutputFileKind, LeavesNothingWithoutCommit) {
  TempFolder folder;
  folder.write("x", "before");
  {
    auto file = OutputFile::create(folder.file("x"), 0, GetParam());
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("after", 5));
  }
  EXPECT_EQ(folder.read("x"), "before");
  EXPECT_EQ(folder.count(), 1u);
}

TEST_P(OutputFileKind, KeepsPermissionsAndFollowsLinks) {
  TempFolder folder;
  folder.write("real", "before");
  ::chmod(folder.file("real").c_str(), 0640);
  std::filesystem::create_symlink("real", folder.file("link"));
  auto file = OutputFile::create(folder.file("link"), 0, GetParam());
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("after", 5));
  ASSERT_TRUE(file->commit());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(folder.read("real"), "after");
  struct stat info;
  ASSERT_EQ(::stat(folder.file("real").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  EXPECT_EQ(folder.count(), 2u);
}

/// Whether the folder's file system has unnamed files, asked apart from
/// OutputFile.
bool hasUnnamedFiles(const TempFolder &folder) {
  const int file = ::open(folder.path.c_str(), O_TMPFILE | O_WRONLY, 0600);
  return file >= 0 && ::close(file) == 0;
}

// Setting it, even for a moment, would be for the files of all threads.
TEST_P(OutputFileKind, TakesTheUmaskWithoutSettingIt) {
  TempFolder folder;
  const mode_t before = ::umask(027);
  umaskCalls = 0;
  auto file = OutputFile::create(folder.file("x"), 0, GetParam());
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(umaskCalls, 0);
  ::umask(before);
  struct stat info;
  ASSERT_EQ(::stat(folder.file("x").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(OutputFile, LeavesNothingWhenKilled) {
  TempFolder folder;
  const bool unnamed = hasUnnamedFiles(folder);
  const pid_t child = ::fork();
  if (child == 0) {
    auto file = OutputFile::create(folder.file("x"));
    if (file && file->write("hello", 5) && file->finish())
      ::raise(SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  EXPECT_EQ(folder.count(), unnamed ? 0u : 1u);
}

TEST_P(OutputFileKind, CommitsAllOrNone) {
  TempFolder folder;
  auto create = [&](const std::string &path) {
    auto file = OutputFile::create(path, 0, GetParam());
    EXPECT_TRUE(file) << file.error().message;
    EXPECT_TRUE(file->write("hello", 5));
    return std::move(*file);
  };
  std::vector<OutputFile> files;
  files.push_back(create(folder.file("x")));
  files.push_back(create("/dev/full")); // found out at the end
  const Status status = commitAll(files);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "cannot write '/dev/full': No space left on device after 0 bytes; "
            "free some space, or name a file elsewhere");
  files.clear();
  EXPECT_EQ(folder.count(), 0u);

  files.push_back(create(folder.file("x")));
  files.push_back(create(folder.file("y")));
  ASSERT_TRUE(commitAll(files));
  EXPECT_EQ(folder.read("x"), "hello");
  EXPECT_EQ(folder.read("y"), "hello");
  EXPECT_EQ(folder.count(), 2u);
}

TEST(OutputFile, RefusesWhatCannotBeWritten) {
  TempFolder folder;
  auto message = [](const std::string &path) {
    return OutputFile::create(path).error().message;
  };
  EXPECT_EQ(message(""), "cannot write a file with an empty name; name one");
  EXPECT_EQ(message(folder.path), "cannot write '" + folder.path +
                                      "': Is a directory; name a file in it");
  EXPECT_EQ(message(folder.file("new/")),
            "cannot write '" + folder.file("new/") +
                "': Is a directory; name a file in it");
  EXPECT_EQ(message("/dev/null/x"),
            "cannot write '/dev/null/x': Not a directory; what is named as its "
            "folder is a file: name another folder");
  EXPECT_EQ(message(folder.file("no/x")),
            "cannot write '" + folder.file("no/x") +
                "': No such file or directory; make its folder first: mkdir "
                "-p '" +
                folder.file("no") + "'");
  const std::string longName = folder.file(std::string(300, 'x'));
  EXPECT_EQ(message(longName),
            "cannot write '" + longName +
                "': File name too long; choose a shorter name");
  std::filesystem::create_symlink("nowhere", folder.file("dangling"));
  EXPECT_EQ(message(folder.file("dangling")),
            "cannot write '" + folder.file("dangling") +
                "': a symbolic link to a file that does not exist; remove the "
                "link, or name another file");
}

TEST(OutputFile, LimitsHowManyNamedOnesAreWrittenAtOnce) {
  TempFolder folder;
  const std::string path = folder.file("x");
  std::vector<OutputFile> open;
  for (int i = 0; i < 128; ++i) {
    auto file = OutputFile::create(path, 0, Temporary::Named);
    ASSERT_TRUE(file) << i << ": " << file.error().message;
    open.push_back(std::move(*file));
  }
  auto refused = OutputFile::create(path, 0, Temporary::Named);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "cannot write '" + path +
                "': more than 128 files are being written");
  EXPECT_EQ(folder.count(), 128u);
  // One that ends makes room.
  open.pop_back();
  EXPECT_TRUE(OutputFile::create(path, 0, Temporary::Named));
  open.clear();
  EXPECT_EQ(folder.count(), 0u);
}

TEST(OutputFile, ReportsAFullDevice) {
  auto file = OutputFile::create("/dev/full");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("x", 1)); // collected
  EXPECT_EQ(file->commit().error().message,
            "cannot write '/dev/full': No space left on device after 0 bytes; "
            "free some space, or name a file elsewhere");
}

TEST_P(OutputFileKind, LeavesNothingWhenTheDiskFills) {
  TempFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto file = OutputFile::create(folder.file("x"), 0, GetParam());
    if (!file)
      ::_exit(2);
    const std::string data(5000, 'x');
    Status status = file->write(data.data(), data.size());
    if (status)
      status = file->commit();
    const bool right = !status && status.error().message ==
                                      "cannot write '" + folder.file("x") +
                                          "': File too large after 1000 bytes; "
                                          "raise the limit of the sizes of "
                                          "files (ulimit -f)";
    file = fail("");
    ::_exit(right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(folder.count(), 0u);
}

TEST(OutputFile, CanBeRemovedFromASignalHandler) {
  TempFolder folder;
  auto first = OutputFile::create(folder.file("x"), 0, Temporary::Named);
  auto second = OutputFile::create(folder.file("y"), 0, Temporary::Named);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(folder.count(), 2u);
  removeTemporaryFiles();
  EXPECT_EQ(folder.count(), 0u);
}

} // namespace
