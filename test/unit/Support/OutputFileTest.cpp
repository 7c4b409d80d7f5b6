// Output files appear whole or not at all.
#include "Gaudi/Support/OutputFile.h"
#include "TempFolder.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace gaudi;

namespace {

TEST(OutputFile, AppearsOnlyAtCommit) {
  TempFolder folder;
  const std::string path = folder.file("x");
  auto file = OutputFile::create(path);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("hello", 5));
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(folder.read("x"), "hello");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  TempFolder folder;
  folder.write("x", "before");
  {
    auto file = OutputFile::create(folder.file("x"));
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("after", 5));
  }
  EXPECT_EQ(folder.read("x"), "before");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(OutputFile, KeepsPermissionsAndFollowsLinks) {
  TempFolder folder;
  folder.write("real", "before");
  ::chmod(folder.file("real").c_str(), 0640);
  std::filesystem::create_symlink("real", folder.file("link"));
  auto file = OutputFile::create(folder.file("link"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("after", 5));
  ASSERT_TRUE(file->commit());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(folder.read("real"), "after");
  struct stat info;
  ASSERT_EQ(::stat(folder.file("real").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(OutputFile, RefusesWhatCannotBeWritten) {
  TempFolder folder;
  auto message = [](const std::string &path) {
    return OutputFile::create(path).error().message;
  };
  EXPECT_EQ(message(""), "cannot write a file with an empty name");
  EXPECT_EQ(message(folder.path),
            "cannot write '" + folder.path + "': Is a directory");
  EXPECT_EQ(message(folder.file("new/")),
            "cannot write '" + folder.file("new/") + "': Is a directory");
  EXPECT_EQ(message(folder.file("no/x")), "cannot write '" +
                                              folder.file("no/x") +
                                              "': No such file or directory");
  std::filesystem::create_symlink("nowhere", folder.file("dangling"));
  EXPECT_EQ(message(folder.file("dangling")),
            "cannot write '" + folder.file("dangling") +
                "': a symbolic link to a file that does not exist");
}

TEST(OutputFile, LimitsHowManyAreWrittenAtOnce) {
  TempFolder folder;
  const std::string path = folder.file("x");
  std::vector<OutputFile> open;
  for (int i = 0; i < 128; ++i) {
    auto file = OutputFile::create(path);
    ASSERT_TRUE(file) << i << ": " << file.error().message;
    open.push_back(std::move(*file));
  }
  auto refused = OutputFile::create(path);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "cannot write '" + path +
                "': more than 128 files are being written");
  EXPECT_EQ(folder.count(), 128u);
  // One that ends makes room.
  open.pop_back();
  EXPECT_TRUE(OutputFile::create(path));
  open.clear();
  EXPECT_EQ(folder.count(), 0u);
}

TEST(OutputFile, ReportsAFullDevice) {
  auto file = OutputFile::create("/dev/full");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("x", 1)); // collected
  EXPECT_EQ(file->commit().error().message,
            "cannot write '/dev/full': No space left on device after 0 bytes");
}

TEST(OutputFile, LeavesNothingWhenTheDiskFills) {
  TempFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto file = OutputFile::create(folder.file("x"));
    if (!file)
      ::_exit(2);
    const std::string data(5000, 'x');
    Status status = file->write(data.data(), data.size());
    if (status)
      status = file->commit();
    const bool right = !status && status.error().message ==
                                      "cannot write '" + folder.file("x") +
                                          "': File too large after 1000 bytes";
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
  auto first = OutputFile::create(folder.file("x"));
  auto second = OutputFile::create(folder.file("y"));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(folder.count(), 2u);
  removeTemporaryFiles();
  EXPECT_EQ(folder.count(), 0u);
}

} // namespace
