// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Validation records of recipe files, and the thread that writes panels.
#include "../PanelTest.h"
#include "Cache/DiskCache.h"
#include "Cache/PanelCache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

using namespace gaudi;
using namespace gaudi::test;
namespace fs = std::filesystem;

namespace {

using PanelRecord = PanelFiles;

/// Replaces the one validation record by another valid one.
void replaceNotes(const std::string &cache,
                  const std::vector<uint64_t> &words) {
  const std::vector<fs::path> files = filesIn(cache + "/recipes");
  ASSERT_EQ(files.size(), 1u);
  std::ifstream stream(files[0], std::ios::binary);
  const std::string old((std::istreambuf_iterator<char>(stream)), {});
  uint64_t keyBytes = 0;
  std::memcpy(&keyBytes, &old[16], sizeof(keyBytes));
  const auto *key = reinterpret_cast<const uint8_t *>(&old[64]);
  runtime::DiskCache records(cache, "recipes", 1 << 20);
  ASSERT_TRUE(records.open({key, keyBytes}));
  ASSERT_TRUE(records.put({key, keyBytes},
                          {reinterpret_cast<const uint8_t *>(words.data()),
                           words.size() * sizeof(uint64_t)}));
}

/// Counts are those of a file that another build may have written.
TEST_F(PanelRecord, CountsAreChecked) {
  const Product product(path("a"), {weights(1)});
  if (!product.runAlone(cache).hasRecord)
    GTEST_SKIP() << "no validation records on this file system";
  const uint64_t many = uint64_t(1) << 62;
  for (const std::vector<uint64_t> &words : {std::vector<uint64_t>{many},
                                             {many, 1, 0},
                                             {1, 1, many, 7},
                                             {0, many},
                                             {0, many, 1, 2, 3},
                                             {1, many, 0},
                                             {}}) {
    replaceNotes(cache, words);
    EXPECT_EQ(product.runAlone(cache).mapped, 1u);
  }
}

std::optional<recipe::RecipeFile> open(const Product &product) {
  recipe::OpenOptions options;
  options.verifyConstants = false;
  auto file = recipe::RecipeFile::open(product.path, options);
  if (file)
    return std::move(*file);
  ADD_FAILURE() << file.error().message;
  return std::nullopt;
}

/// Panels for the constant of a recipe file, to be written by a cache.
class PanelWriting : public PanelFiles {
protected:
  void SetUp() override {
    file = open(product);
    ASSERT_TRUE(file);
    constant = {file->constBytes(1).data, {1, 2, 3}, {5, 6}, panels->size()};
  }
  void keepIn(runtime::PanelCache &writer) {
    writer.enqueue(constant, panels, panels->data());
    writer.startWriting();
  }

  const Product product{path("a"), {weights(1)}};
  const std::shared_ptr<const Bytes> panels =
      std::make_shared<const Bytes>(weights(2));
  std::optional<recipe::RecipeFile> file;
  runtime::PanelCache::Constant constant;
};

TEST_F(PanelWriting, InTheBackground) {
  using namespace std::chrono_literals;
  // Without the second at its end nothing else would write them.
  runtime::PanelCache writer(cache, 1 << 30, *file, {0ms, 0ms});
  ASSERT_TRUE(writer.accepts(constant.data, panels->size()));
  EXPECT_FALSE(writer.find(constant));
  keepIn(writer);
  bool found = false;
  for (unsigned i = 0; i < 3000 && !found; ++i) {
    ::usleep(10000);
    runtime::PanelCache reader(cache, 1 << 30, *file);
    const auto cached = reader.find(constant);
    found = cached && (cached->validated || !reader.record().enabled());
    if (found)
      EXPECT_EQ(std::memcmp(cached->panels.bytes().data, panels->data(),
                            panels->size()),
                0);
  }
  EXPECT_TRUE(found);
}

/// A file that is not complete in time is dropped.
TEST_F(PanelWriting, TheDestructorDoesNotWait) {
  using namespace std::chrono_literals;
  {
    runtime::PanelCache writer(cache, 1 << 30, *file, {1h, 0ms});
    keepIn(writer);
  }
  EXPECT_EQ(panelFiles().size(), 0u);
  {
    runtime::PanelCache writer(cache, 1 << 30, *file, {1h, 1h});
    keepIn(writer);
  }
  EXPECT_EQ(panelFiles().size(), 1u);
}

/// Stores through a mapping that change no time: the page was written before.
class QuietStore {
public:
  QuietStore(const std::string &path, uint64_t at) : path(path) {
    const int file = ::open(path.c_str(), O_RDWR);
    const uint64_t page = at / 4096 * 4096;
    mapping = static_cast<volatile uint8_t *>(::mmap(
        nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, off_t(page)));
    ::close(file);
    byte = mapping + (at - page);
    *byte = *byte;
  }
  ~QuietStore() { ::munmap(const_cast<uint8_t *>(mapping), 4096); }
  /// All pages that are to be stored to were written.
  void begin() { before = state(); }
  void flip() { *byte = *byte ^ 0x10; }
  bool wasQuiet() const { return state() == before; }

private:
  std::vector<int64_t> state() const {
    struct stat info = {};
    EXPECT_EQ(::stat(path.c_str(), &info), 0);
    return {info.st_ctim.tv_sec, info.st_ctim.tv_nsec, info.st_mtim.tv_sec,
            info.st_mtim.tv_nsec};
  }
  const std::string path;
  volatile uint8_t *mapping, *byte;
  std::vector<int64_t> before;
};

/// The record stays valid; blocks that commands read are verified all the same.
TEST_F(PanelRecord, BlocksThatAreReadAreVerified) {
  // The second has panels that are too small for a file.
  const Product product(path("a"), {weights(1), Bytes(depth * 10 * 4, 1)});
  const auto file = open(product);
  ASSERT_TRUE(file);
  const uint64_t constants =
      uint64_t(file->constBytes(1).data - file->bytes().data);
  QuietStore large(product.path, constants + 5000),
      small(product.path, file->fileSize() - 100);
  large.begin();
  small.begin();
  Product::resolve();
  product.runAlone(cache);
  const auto noted = product.runAlone(cache);
  if (!noted.hasRecord || !large.wasQuiet() || !small.wasQuiet())
    GTEST_SKIP()
        << "no validation records on this file system, or it wrote meanwhile";
  EXPECT_EQ(noted.mapped, 1u);
  auto plain = product.load("");
  ASSERT_TRUE(plain);
  const std::vector<Bytes> wanted = Product::results(*plain);
  plain.reset();

  large.flip();
  ASSERT_TRUE(large.wasQuiet());
  auto unread = product.load(cache);
  ASSERT_TRUE(unread);
  EXPECT_TRUE(Product::results(*unread) == wanted);
  unread.reset();
  small.flip();
  ASSERT_TRUE(small.wasQuiet());
  std::string error;
  EXPECT_FALSE(product.load(cache, runtime::defaultPanelCacheBytes, &error));
  EXPECT_EQ(error, product.path + ": checksum of const section @1 does not "
                                  "match: the file is damaged; copy it again, "
                                  "or compile the model again");
}

TEST_F(PanelRecord, FolderThatCannotBeUsed) {
  const Product product(path("a"), {weights(1)});
  fs::create_directories(cache);
  ::chmod(cache.c_str(), 0700);
  std::ofstream(cache + "/recipes") << "no folder";
  auto executable = product.load(cache);
  ASSERT_TRUE(executable);
  if (!executable->panels().hasRecord)
    GTEST_SKIP() << "no validation records on this file system";
  EXPECT_NE(executable->panels().cacheNote.find("/recipes': Not a directory"),
            std::string::npos)
      << executable->panels().cacheNote;
  executable.reset();
  EXPECT_EQ(panelFiles().size(), 1u);
  EXPECT_EQ(product.runAlone(cache).mapped, 1u); // compared
}

/// Problems of the thread that writes are reported once they are known.
TEST_F(PanelRecord, ReportsWhatWritingMet) {
  const Product product(path("a"), {weights(1)});
  const pid_t child = ::fork();
  if (child == 0) {
    auto executable = product.load(cache);
    if (!executable || !executable->panels().cacheNote.empty())
      ::_exit(1);
    const rlimit limit = {100000, 100000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    for (unsigned i = 0; i < 3000; ++i) {
      if (executable->panels().cacheNote.find("file size limit") !=
          std::string::npos)
        ::_exit(0);
      ::usleep(10000);
    }
    ::_exit(2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(ValidationRecord, FileSystemsThatSetTimes) {
  for (uint64_t type :
       {0xef53u, 0x58465342u, 0x9123683eu, 0x2fc12fc1u, 0x794c7630u})
    EXPECT_TRUE(recipe::setsTimesItself(type)) << type;
  // squashfs, iso9660, vfat, FUSE, NFS, tmpfs
  for (uint64_t type :
       {0x73717368u, 0x9660u, 0x4d44u, 0x65735546u, 0x6969u, 0x01021994u, 0u})
    EXPECT_FALSE(recipe::setsTimesItself(type)) << type;
}

} // namespace
