// Notes about recipe files, and the thread that writes panels.
#include "FileCache.h"
#include "PanelCache.h"
#include "PanelTest.h"

using namespace gaudi;
using namespace gaudi::test;
namespace fs = std::filesystem;

namespace {

using PanelNotes = PanelFiles;

/// Replaces the one file of notes by another valid one.
void replaceNotes(const std::string &cache,
                  const std::vector<uint64_t> &words) {
  const std::vector<fs::path> files = filesIn(cache + "/recipes");
  ASSERT_EQ(files.size(), 1u);
  std::ifstream stream(files[0], std::ios::binary);
  const std::string old((std::istreambuf_iterator<char>(stream)), {});
  uint64_t keyBytes = 0;
  std::memcpy(&keyBytes, &old[16], sizeof(keyBytes));
  const auto *key = reinterpret_cast<const uint8_t *>(&old[64]);
  runtime::FileCache notes(cache, "recipes", 1 << 20);
  ASSERT_TRUE(notes.open({key, keyBytes}));
  ASSERT_TRUE(notes.put({key, keyBytes},
                        {reinterpret_cast<const uint8_t *>(words.data()),
                         words.size() * sizeof(uint64_t)}));
}

/// Counts are those of a file that another build may have written.
TEST_F(PanelNotes, CountsAreNotBelieved) {
  const Product product(path("a"), {weights(1)});
  if (!product.runAlone(cache).notes)
    GTEST_SKIP() << "no notes on this file system";
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

TEST_F(PanelNotes, WrittenInTheBackground) {
  using namespace std::chrono_literals;
  const Product product(path("a"), {weights(1)});
  const auto file = open(product);
  ASSERT_TRUE(file);
  const auto panels = std::make_shared<const Bytes>(weights(2));
  const uint8_t *data = file->constBytes(1).data;
  const std::vector<uint8_t> layout = {1, 2, 3};
  // Without the second at its end nothing else would write them.
  runtime::PanelCache writer(cache, 1 << 30, *file, {0ms, 0ms});
  ASSERT_TRUE(writer.takes(data, panels->size()));
  writer.keep({data, layout, {5, 6}, panels->size()}, panels, panels->data());
  EXPECT_FALSE(writer.find({data, layout, {5, 6}, panels->size()}));
  writer.startWriting();
  bool found = false;
  for (unsigned i = 0; i < 3000 && !found; ++i) {
    ::usleep(10000);
    runtime::PanelCache reader(cache, 1 << 30, *file);
    const auto cached = reader.find({data, layout, {5, 6}, panels->size()});
    found = cached && (cached->proven || !reader.notes().possible());
    if (found)
      EXPECT_EQ(std::memcmp(cached->panels.bytes().data, panels->data(),
                            panels->size()),
                0);
  }
  EXPECT_TRUE(found);
}

/// What has no time leaves no trace.
TEST_F(PanelNotes, TheEndDoesNotWait) {
  using namespace std::chrono_literals;
  const Product product(path("a"), {weights(1)});
  const auto file = open(product);
  ASSERT_TRUE(file);
  const auto panels = std::make_shared<const Bytes>(weights(2));
  const uint8_t *data = file->constBytes(1).data;
  {
    runtime::PanelCache writer(cache, 1 << 30, *file, {1h, 0ms});
    writer.keep({data, {1}, {5, 6}, panels->size()}, panels, panels->data());
    writer.startWriting();
  }
  EXPECT_EQ(panelFiles().size(), 0u);
  {
    runtime::PanelCache writer(cache, 1 << 30, *file, {1h, 1h});
    writer.keep({data, {1}, {5, 6}, panels->size()}, panels, panels->data());
    writer.startWriting();
  }
  EXPECT_EQ(panelFiles().size(), 1u);
}

} // namespace
