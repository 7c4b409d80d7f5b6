// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache of compiled kernels: damage, foreign files, limits, and processes
// that write at the same time or die while they do.
#include "Cache/DiskCache.h"
#include "../TemporaryFolder.h"

#include "Gaudi/Runtime/ThreadPool.h"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gaudi;
using namespace gaudi::test;
using recipe::ByteSpan;
using runtime::DiskCache;
namespace fs = std::filesystem;

namespace {

constexpr uint64_t plenty = uint64_t(1) << 30;

ByteSpan span(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

bool put(DiskCache &cache, const std::string &key, const std::string &value) {
  return cache.put(span(key), span(value)).has_value();
}

/// The value, or "none".
std::string get(DiskCache &cache, const std::string &key) {
  auto found = cache.get(span(key));
  if (!found)
    return "none";
  return {reinterpret_cast<const char *>(found->bytes().data),
          found->bytes().size};
}

/// `bytes` characters that differ from those of another seed.
std::string text(size_t bytes, unsigned seed) {
  std::string result(bytes, '\0');
  for (char &c : result) {
    seed = seed * 1664525u + 1013904223u;
    c = char(seed >> 24);
  }
  return result;
}

std::vector<fs::path> filesIn(const fs::path &folder) {
  std::vector<fs::path> files;
  for (const auto &entry : fs::directory_iterator(folder))
    files.push_back(entry.path());
  return files;
}

std::string contents(const fs::path &file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void overwrite(const fs::path &file, const std::string &bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

uint64_t diskBytes(const fs::path &folder) {
  uint64_t total = 0;
  for (const fs::path &file : filesIn(folder)) {
    struct stat info;
    if (::stat(file.c_str(), &info) == 0)
      total += uint64_t(info.st_blocks) * 512;
  }
  return total;
}

TEST(DiskCache, KeepsValues) {
  TemporaryFolder folder;
  runtime::ThreadPool pool(2);
  for (size_t bytes :
       {size_t(0), size_t(1), size_t(5000), size_t(70000), size_t(5 << 20)}) {
    const std::string key = "key of " + std::to_string(bytes);
    const std::string value = text(bytes, unsigned(bytes));
    DiskCache first(folder.path + "/a/b", "kernels", plenty);
    EXPECT_EQ(get(first, key), "none");
    EXPECT_TRUE(first.put(span(key), span(value), &pool));
    EXPECT_EQ(get(first, key), value);
    EXPECT_EQ(first.problem(), "");
    // Another process opens it anew.
    DiskCache second(folder.path + "/a/b", "kernels", plenty);
    EXPECT_EQ(get(second, key), value);
    EXPECT_EQ(get(second, key + "x"), "none");
    DiskCache other(folder.path + "/a/b", "weights", plenty);
    EXPECT_EQ(get(other, key), "none");
    auto parallel = second.get(span(key), &pool);
    ASSERT_TRUE(parallel);
    EXPECT_EQ(parallel->bytes().size, bytes);
    if (bytes > 65536)
      EXPECT_EQ(reinterpret_cast<uintptr_t>(parallel->bytes().data) % 4096, 0u);
  }
  struct stat info;
  ASSERT_EQ(::stat((folder.path + "/a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST(DiskCache, ReplacesValues) {
  TemporaryFolder folder;
  DiskCache cache(folder.path, "kernels", plenty);
  EXPECT_TRUE(put(cache, "key", "old"));
  EXPECT_TRUE(put(cache, "key", "new"));
  EXPECT_EQ(get(cache, "key"), "new");
  EXPECT_EQ(filesIn(folder.path + "/kernels").size(), 1u);
}

TEST(DiskCache, IgnoresDamage) {
  TemporaryFolder folder;
  DiskCache cache(folder.path, "kernels", plenty);
  const std::string key = text(37, 1), value = text(300, 2);
  ASSERT_TRUE(put(cache, key, value));
  const fs::path file = filesIn(folder.path + "/kernels").at(0);
  const std::string sound = contents(file);
  for (size_t i = 0; i < sound.size(); ++i)
    for (char bit : {'\x01', '\x80'}) {
      std::string damaged = sound;
      damaged[i] = char(damaged[i] ^ bit);
      overwrite(file, damaged);
      EXPECT_EQ(get(cache, key), "none") << "byte " << i;
    }
  for (size_t size = 0; size < sound.size(); ++size) {
    overwrite(file, sound.substr(0, size));
    EXPECT_EQ(get(cache, key), "none") << size << " bytes";
  }
  overwrite(file, sound + '\0');
  EXPECT_EQ(get(cache, key), "none");
  // The next writer mends it.
  EXPECT_TRUE(put(cache, key, value));
  EXPECT_EQ(get(cache, key), value);
}

TEST(DiskCache, ComparesTheKeyItself) {
  TemporaryFolder folder;
  DiskCache cache(folder.path, "kernels", plenty);
  ASSERT_TRUE(put(cache, "one", "value of one"));
  const fs::path one = filesIn(folder.path + "/kernels").at(0);
  ASSERT_TRUE(put(cache, "two", "value of two"));
  for (const fs::path &file : filesIn(folder.path + "/kernels"))
    if (file != one)
      overwrite(file, contents(one)); // as if both hashed to one name
  EXPECT_EQ(get(cache, "one"), "value of one");
  EXPECT_EQ(get(cache, "two"), "none");
}

TEST(DiskCache, TrustsNoOneElse) {
  TemporaryFolder folder;
  const std::string kernels = folder.path + "/kernels";
  {
    DiskCache cache(folder.path, "kernels", plenty);
    ASSERT_TRUE(put(cache, "key", "value"));
  }
  const fs::path file = filesIn(kernels).at(0);
  auto seen = [&](std::string *note = nullptr) {
    DiskCache cache(folder.path, "kernels", plenty);
    const std::string value = get(cache, "key");
    if (note)
      *note = cache.problem();
    return value;
  };
  EXPECT_EQ(seen(), "value");
  for (mode_t mode : {0620, 0602}) {
    ASSERT_EQ(::chmod(file.c_str(), mode), 0);
    EXPECT_EQ(seen(), "none");
  }
  ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
  std::string note;
  for (mode_t mode : {0770, 0707}) {
    ASSERT_EQ(::chmod(kernels.c_str(), mode), 0);
    EXPECT_EQ(seen(&note), "none");
    EXPECT_EQ(note,
              "cannot trust '" + kernels + "': other users may write to it");
  }
  ASSERT_EQ(::chmod(kernels.c_str(), 0700), 0);
  EXPECT_EQ(seen(), "value");
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(file.c_str(), 1, 1), 0);
    EXPECT_EQ(seen(), "none");
    ASSERT_EQ(::chown(file.c_str(), 0, 0), 0);
    ASSERT_EQ(::chown(kernels.c_str(), 1, 1), 0);
    EXPECT_EQ(seen(&note), "none");
    EXPECT_EQ(note,
              "cannot trust '" + kernels + "': it belongs to another user");
    ASSERT_EQ(::chown(kernels.c_str(), 0, 0), 0);
  }
  // A symbolic link or a pipe in the place of a file.
  const fs::path aside = folder.path + "/aside";
  fs::rename(file, aside);
  fs::create_symlink(aside, file);
  EXPECT_EQ(seen(), "none");
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_EQ(seen(), "none");
}

TEST(DiskCache, DoesWithoutFolder) {
  DiskCache none("", "kernels", plenty);
  EXPECT_FALSE(put(none, "key", "value"));
  EXPECT_EQ(get(none, "key"), "none");
  EXPECT_EQ(none.directory(), "");
  EXPECT_EQ(none.problem(), "");

  TemporaryFolder folder;
  const std::string file = folder.path + "/file";
  overwrite(file, "no folder");
  DiskCache blocked(file, "kernels", plenty);
  EXPECT_EQ(get(blocked, "key"), "none");
  EXPECT_FALSE(put(blocked, "key", "value"));
  EXPECT_NE(blocked.problem().find("'" + file + "/kernels': Not a directory"),
            std::string::npos)
      << blocked.problem();

  // A folder that may be read only: what is there is used.
  DiskCache writer(folder.path, "kernels", plenty);
  ASSERT_TRUE(put(writer, "key", "value"));
  if (::geteuid() != 0) {
    ASSERT_EQ(::chmod((folder.path + "/kernels").c_str(), 0500), 0);
    DiskCache reader(folder.path, "kernels", plenty);
    EXPECT_EQ(get(reader, "key"), "value");
    EXPECT_FALSE(put(reader, "other", "value"));
    EXPECT_NE(reader.problem(), "");
    ASSERT_EQ(::chmod((folder.path + "/kernels").c_str(), 0700), 0);
  }
}

TEST(DiskCache, KeepsItsLimit) {
  TemporaryFolder folder;
  const std::string kernels = folder.path + "/kernels";
  const uint64_t limit = 1 << 20;
  DiskCache cache(folder.path, "kernels", limit);
  const std::string often = text(16000, 7);
  ASSERT_TRUE(put(cache, "often", often));
  const fs::path oftenFile = filesIn(kernels).at(0);
  for (unsigned i = 0; i < 300; ++i) {
    ASSERT_TRUE(put(cache, "key" + std::to_string(i), text(16000, i)));
    EXPECT_LE(diskBytes(kernels), limit);
    // Long ago, so that the next use moves it to now.
    const timespec long_ago[2] = {{1000, 0}, {1000, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, oftenFile.c_str(), long_ago, 0), 0);
    EXPECT_EQ(get(cache, "often"), often) << i;
  }
  EXPECT_EQ(get(cache, "key299"), text(16000, 299));
  EXPECT_EQ(get(cache, "key0"), "none");
  EXPECT_FALSE(put(cache, "huge", text(600000, 1)));
  EXPECT_NE(cache.problem().find("no room in"), std::string::npos);
}

/// Other files in the folder are neither counted nor removed.
TEST(DiskCache, LeavesOtherFilesAlone) {
  TemporaryFolder folder;
  DiskCache cache(folder.path, "kernels", 1 << 20);
  ASSERT_TRUE(put(cache, "first", "value"));
  const fs::path other = fs::path(folder.path) / "kernels" / "thesis.txt";
  std::ofstream(other) << text(4 << 20, 1);
  for (unsigned i = 0; i < 40; ++i)
    ASSERT_TRUE(put(cache, "key" + std::to_string(i), text(100000, i)));
  EXPECT_EQ(fs::file_size(other), uint64_t(4) << 20);
}

TEST(DiskCache, ReadersKeepEvictedValues) {
  TemporaryFolder folder;
  DiskCache cache(folder.path, "weights", 4 << 20);
  const std::string value = text(1 << 20, 3);
  ASSERT_TRUE(put(cache, "mapped", value));
  auto mapped = cache.get(span("mapped"));
  ASSERT_TRUE(mapped);
  for (unsigned i = 0; i < 16; ++i)
    ASSERT_TRUE(put(cache, std::to_string(i), text(1 << 20, i)));
  EXPECT_EQ(get(cache, "mapped"), "none");
  EXPECT_EQ(std::string(reinterpret_cast<const char *>(mapped->bytes().data),
                        mapped->bytes().size),
            value);
}

/// open() leaves the value to the caller, who can verify it block by block.
TEST(DiskCache, OpensWithoutVerifying) {
  TemporaryFolder folder;
  DiskCache cache(folder.path, "panels", plenty);
  const std::string value = text((3 << 20) + 5, 3);
  const auto nonce = cache.put(span("key"), span(value));
  ASSERT_TRUE(nonce);
  const fs::path file = filesIn(folder.path + "/panels").at(0);
  {
    auto sound = cache.open(span("key"));
    ASSERT_TRUE(sound);
    EXPECT_EQ(sound->nonce(), *nonce);
    ASSERT_EQ(sound->blocks(), 4);
    for (int64_t piece = 0; piece < 4; ++piece)
      EXPECT_TRUE(sound->isIntact(piece));
  }
  // A value this large can be mapped in huge pages.
  std::string bytes = contents(file);
  const size_t start = bytes.size() - value.size();
  EXPECT_EQ(start % (2 << 20), 0u);
  bytes[start + (2 << 20) + 9] ^= 1;
  overwrite(file, bytes);
  auto damaged = cache.open(span("key"));
  ASSERT_TRUE(damaged);
  EXPECT_TRUE(damaged->isIntact(1));
  EXPECT_FALSE(damaged->isIntact(2));
  EXPECT_TRUE(damaged->isIntact(3));
  EXPECT_EQ(get(cache, "key"), "none");
  // The same again is another file.
  const auto next = cache.put(span("key"), span(value));
  ASSERT_TRUE(next);
  EXPECT_NE(*next, *nonce);
  EXPECT_FALSE(cache.open(span("other")));
}

TEST(DiskCache, LeavesTheDiskItsRoom) {
  TemporaryFolder folder;
  DiskCache cache(folder.path, "panels", plenty, uint64_t(1) << 60);
  EXPECT_FALSE(cache.canStore(1));
  EXPECT_FALSE(put(cache, "key", "value"));
  EXPECT_NE(cache.problem().find("no room in"), std::string::npos);
  EXPECT_EQ(filesIn(folder.path + "/panels").size(), 0u);
  DiskCache roomy(folder.path, "panels", plenty, 4096);
  EXPECT_TRUE(roomy.canStore(1));
  EXPECT_TRUE(put(roomy, "key", "value"));
}

/// Starts a process; the test goes on in the first one.
template <typename Body> pid_t start(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  return child;
}

TEST(DiskCache, ManyProcesses) {
  TemporaryFolder folder;
  const uint64_t limit = 2 << 20;
  std::vector<pid_t> children;
  for (unsigned process = 0; process < 6; ++process)
    children.push_back(start([&] {
      DiskCache cache(folder.path, "kernels", limit);
      for (unsigned i = 0; i < 200; ++i) {
        const unsigned n = (i * 7 + process) % 250;
        const std::string key = "key" + std::to_string(n);
        const std::string value = text(12000, n), found = get(cache, key);
        if (found != "none" && found != value)
          ::_exit(1);
        if (found == "none")
          put(cache, key, value);
      }
    }));
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_LE(diskBytes(folder.path + "/kernels"), limit);
}

TEST(DiskCache, KilledWriters) {
  TemporaryFolder folder;
  const std::string kernels = folder.path + "/kernels";
  unsigned found = 0;
  for (unsigned round = 0; round < 60; ++round) {
    const pid_t child = start([&] {
      DiskCache cache(folder.path, "kernels", plenty);
      for (unsigned i = 0;; ++i)
        put(cache, "key" + std::to_string(i % 4), text(400000, i % 4));
    });
    ::usleep(useconds_t(500 + round * 137));
    ASSERT_GT(child, 0); // kill(-1) would end everything
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    DiskCache cache(folder.path, "kernels", plenty);
    for (unsigned i = 0; i < 4; ++i) {
      const std::string value = get(cache, "key" + std::to_string(i));
      EXPECT_TRUE(value == "none" || value == text(400000, i));
      found += value != "none";
    }
  }
  EXPECT_GT(found, 0u);
  // The next writer removes what dead ones left.
  DiskCache cache(folder.path, "kernels", plenty);
  ASSERT_TRUE(put(cache, "last", "value"));
  for (const fs::path &file : filesIn(kernels))
    EXPECT_NE(file.filename().string()[0], '.') << file;
}

TEST(DiskCache, DefaultDirectory) {
  const char *const names[] = {"GAUDI_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
  std::vector<std::pair<const char *, std::optional<std::string>>> before;
  for (const char *name : names) {
    const char *value = ::getenv(name);
    before.push_back(
        {name, value ? std::optional<std::string>(value) : std::nullopt});
    ::unsetenv(name);
  }
  EXPECT_EQ(runtime::defaultCacheDirectory(), "");
  ::setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(runtime::defaultCacheDirectory(),
            "/home/someone/.cache/gaudi-mlir");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(runtime::defaultCacheDirectory(),
            "/home/someone/.cache/gaudi-mlir");
  ::setenv("XDG_CACHE_HOME", "/fast", 1);
  EXPECT_EQ(runtime::defaultCacheDirectory(), "/fast/gaudi-mlir");
  ::setenv("GAUDI_CACHE_DIR", "/mine", 1);
  EXPECT_EQ(runtime::defaultCacheDirectory(), "/mine");
  ::setenv("GAUDI_CACHE_DIR", "", 1);
  EXPECT_EQ(runtime::defaultCacheDirectory(), "");
  for (const auto &[name, value] : before)
    value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
}

TEST(DiskCache, StopsInTheMiddle) {
  TemporaryFolder folder;
  DiskCache cache(folder.path, "cache", plenty);
  const std::string value = text(20 << 20, 1);
  for (int calls : {0, 21, 23, 25}) {
    int left = calls;
    EXPECT_FALSE(cache.put(span("key"), span(value), nullptr,
                           [&] { return left-- <= 0; }));
    EXPECT_LT(left, 0) << calls;
    EXPECT_EQ(cache.problem(), "");
    EXPECT_EQ(filesIn(folder.path + "/cache").size(), 0u) << calls;
  }
  EXPECT_TRUE(
      cache.put(span("key"), span(value), nullptr, [] { return false; }));
  EXPECT_TRUE(get(cache, "key") == value);
}

TEST(DiskCache, FileSizeLimitOfTheProcess) {
  TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit = {100000, 100000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    DiskCache cache(folder.path, "cache", plenty);
    const bool kept = put(cache, "large", text(200000, 1));
    const bool told =
        cache.problem().find("file size limit") != std::string::npos;
    ::_exit(!kept && told && put(cache, "small", "value") ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

} // namespace
