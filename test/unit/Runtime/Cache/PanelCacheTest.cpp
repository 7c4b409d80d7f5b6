// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed constants: found by the next process, shared by equal constants only,
// packed again when damaged, bounded, and never a reason for an error.
#include "../PanelTest.h"

#include <csignal>
#include <sys/wait.h>

using namespace gaudi;
using namespace gaudi::test;
using runtime::PanelStats;
namespace fs = std::filesystem;

namespace {

using PanelCache = PanelFiles;

TEST_F(PanelCache, NextProcessMapsThem) {
  const Product product(path("a"), {weights(1)});
  const PanelStats first = product.runAlone(cache);
  EXPECT_EQ(first.constants, 1u);
  EXPECT_EQ(first.packed, 1u);
  EXPECT_EQ(first.mapped, 0u);
  EXPECT_EQ(first.cacheNote, "");
  ASSERT_EQ(panelFiles().size(), 1u);
  const auto written = fs::last_write_time(panelFiles()[0]);

  const PanelStats second = product.runAlone(cache);
  EXPECT_EQ(second.packed, 0u);
  EXPECT_EQ(second.mapped, 1u);
  EXPECT_EQ(second.packedBytes, 0u);
  EXPECT_EQ(second.mappedBytes, first.packedBytes);
  EXPECT_EQ(second.cacheDirectory, cache + "/panels");

  auto third = product.load(cache);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->memory().hostMapped, first.packedBytes);
  EXPECT_LT(third->memory().hostScratch, first.packedBytes);
  EXPECT_NE(third->commands()[0].implementation.find("from the cache"),
            std::string::npos);
  EXPECT_EQ(fs::last_write_time(panelFiles()[0]), written);
}

TEST_F(PanelCache, SmallConstantsNeedNoFile) {
  TestRecipe recipe;
  const uint32_t in = recipe.input(F32, {3, 40});
  recipe.command(
      recipe::Engine::MME, "mme.gemm", recipe::GemmT(),
      {in, recipe.constant(F32, {40, 50}, bytesOf(Random(1).values(2000)))},
      {recipe.output(F32, {3, 50})});
  runtime::LoadOptions options;
  options.cacheDirectory = cache;
  EXPECT_EQ(recipe.load(options)->panels().packed, 1u);
  EXPECT_EQ(filesIn(cache).size(), 0u);
}

TEST_F(PanelCache, OtherFilesWithTheSameConstantsShareThem) {
  const Product first(path("a"), {weights(1), weights(2)});
  const Product second(path("b"), {weights(3), weights(1)});
  EXPECT_EQ(first.runAlone(cache).packed, 2u);
  const PanelStats seen = second.runAlone(cache);
  EXPECT_EQ(seen.mapped, 1u);
  EXPECT_EQ(seen.packed, 1u);
  EXPECT_EQ(panelFiles().size(), 3u);
  EXPECT_EQ(second.runAlone(cache).mapped, 2u);
  EXPECT_EQ(first.runAlone(cache).mapped, 2u);
}

/// Other weights with the same fingerprint.
Bytes twinOf(Bytes bytes) {
  const float poison = 1e30f;
  std::memcpy(&bytes[size_t(3 * width + 5) * sizeof(float)], &poison,
              sizeof(float));
  return bytes;
}

/// The fingerprints in the names of panels can be made equal; what packing
/// gives is what counts.
TEST_F(PanelCache, EqualFingerprintsAreNotEqualConstants) {
  const Bytes good = weights(1), evil = twinOf(good);
  const Product victim(path("victim"), {good}),
      attacker(path("attacker"), {evil});
  EXPECT_EQ(attacker.runAlone(cache).packed, 1u);
  ASSERT_EQ(panelFiles().size(), 1u);
  // runAlone() compares the results.
  const bool recorded = victim.runAlone(cache).hasRecord;
  EXPECT_EQ(panelFiles().size(), 2u);
  // Both stay, each under a name of its own.
  const Product copy(path("copy"), {good});
  EXPECT_EQ(copy.runAlone(cache).packed, 1u)
      << "the fingerprints differ: choose another value";
  for (unsigned round = 0; round < 2; ++round) {
    EXPECT_EQ(attacker.runAlone(cache).mapped, 1u);
    EXPECT_EQ(victim.runAlone(cache).mapped, recorded);
    EXPECT_EQ(copy.runAlone(cache).mapped, recorded);
  }
  EXPECT_EQ(panelFiles().size(), 2u);
  // In one recipe.
  const Product both(path("both"), {good, evil});
  both.runAlone(cache);
  EXPECT_EQ(both.runAlone(cache).mapped, recorded ? 2u : 1u);
  EXPECT_EQ(panelFiles().size(), 2u);
  // A name is free again once its file is damaged.
  for (const fs::path &file : panelFiles())
    fs::resize_file(file, fs::file_size(file) - 1);
  EXPECT_EQ(victim.runAlone(cache).packed, 1u);
  EXPECT_EQ(victim.runAlone(cache).mapped, 1u);
  // In one process.
  auto first = attacker.load(""), second = victim.load("");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(second->panels().packed, 1u);
  EXPECT_FALSE(Product::results(*first) == Product::results(*second));
}

TEST_F(PanelCache, RecipesOfOneProcessShareThem) {
  const Product product(path("a"), {weights(1)});
  const Product other(path("b"), {weights(4), weights(1)});
  auto file = product.load("");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->panels().packed, 1u);
  auto again = other.load("");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->panels().shared, 1u);
  EXPECT_EQ(again->panels().packed, 1u);
  TestRecipe inMemory = product.build();
  auto buffer = inMemory.load();
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->panels().shared, 1u);
  EXPECT_EQ(buffer->memory().hostShared, file->panels().packedBytes);
  EXPECT_EQ(file->memory().hostShared, 0u);
  EXPECT_EQ(buffer->memory().hostScratch + file->panels().packedBytes,
            file->memory().hostScratch);
  const auto wanted = Product::results(*file);
  file.reset(); // the panels live on
  EXPECT_TRUE(Product::results(*buffer) == wanted);
  EXPECT_TRUE(Product::results(*again)[1] == wanted[0]);
}

TEST_F(PanelCache, DamagedPanelsArePackedAgain) {
  const Product product(path("a"), {weights(1)});
  EXPECT_EQ(product.runAlone(cache).packed, 1u);
  EXPECT_EQ(product.runAlone(cache).mapped, 1u);
  ASSERT_EQ(panelFiles().size(), 1u);
  const fs::path file = panelFiles()[0];
  const uint64_t size = fs::file_size(file), value = 2 << 20;
  for (uint64_t at : {uint64_t(0), uint64_t(9), uint64_t(40), uint64_t(56),
                      uint64_t(100), value, value + (1 << 20) + 77, size - 1}) {
    {
      std::fstream stream(file,
                          std::ios::binary | std::ios::in | std::ios::out);
      stream.seekg(std::streamoff(at));
      const char byte = char(stream.get() ^ 0x10);
      stream.seekp(std::streamoff(at));
      stream.put(byte);
    }
    EXPECT_EQ(product.runAlone(cache).packed, 1u) << "byte " << at;
    EXPECT_EQ(product.runAlone(cache).mapped, 1u) << "byte " << at;
  }
  for (uint64_t cut : {uint64_t(0), uint64_t(10), value, size - 1}) {
    fs::resize_file(file, cut);
    EXPECT_EQ(product.runAlone(cache).packed, 1u) << cut << " bytes";
    EXPECT_EQ(product.runAlone(cache).mapped, 1u) << cut << " bytes";
  }
  // Notes that are damaged or lost cost a comparison.
  for (const fs::path &record : filesIn(cache + "/recipes"))
    fs::resize_file(record, fs::file_size(record) / 2);
  EXPECT_EQ(product.runAlone(cache).mapped, 1u);
  fs::remove_all(cache + "/recipes");
  EXPECT_EQ(product.runAlone(cache).mapped, 1u);
  EXPECT_EQ(product.runAlone(cache).mapped, 1u);
}

/// A validation record saves the reading of constants, but only in the state of
/// the file that it belongs to.
TEST_F(PanelCache, DamagedRecipesAreFound) {
  const Product product(path("a"), {weights(1)});
  product.runAlone(cache);
  product.runAlone(cache);
  const auto time = fs::last_write_time(product.path);
  {
    std::fstream stream(product.path,
                        std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(-1000, std::ios::end);
    stream.put('x');
  }
  fs::last_write_time(product.path,
                      time); // the change of this cannot be hidden
  std::string error;
  EXPECT_FALSE(product.load(cache, runtime::defaultPanelCacheBytes, &error));
  EXPECT_EQ(error,
            product.path +
                ": checksum of const section @1 does not match: the file is "
                "damaged; copy it again, or compile the model again");
}

TEST_F(PanelCache, KeepsItsLimit) {
  std::vector<Bytes> many;
  for (uint64_t seed = 1; seed <= 6; ++seed)
    many.push_back(weights(seed));
  const Product product(path("a"), many);
  const uint64_t limit = 10 << 20; // four of them; a recipe gets half
  const PanelStats first = product.runAlone(cache, limit);
  EXPECT_EQ(first.packed, 6u);
  EXPECT_NE(first.cacheNote.find("no room in '" + cache + "/panels'"),
            std::string::npos)
      << first.cacheNote;
  EXPECT_LE(diskBytes(cache + "/panels"), limit);
  for (unsigned round = 0; round < 3; ++round) {
    const PanelStats next = product.runAlone(cache, limit);
    EXPECT_EQ(next.mapped, 2u);
    EXPECT_EQ(next.packed, 4u);
  }
  for (uint64_t seed = 10; seed < 16; ++seed) {
    Product(path(std::to_string(seed)), {weights(seed)}).runAlone(cache, limit);
    EXPECT_LE(diskBytes(cache + "/panels"), limit);
  }
  EXPECT_EQ(product.runAlone(cache, 0).mapped, 0u);
  const std::string other = folder.path + "/other";
  const PanelStats tiny = product.runAlone(other, 1 << 20);
  EXPECT_EQ(tiny.packed, 6u);
  EXPECT_NE(tiny.cacheNote, "");
  EXPECT_EQ(diskBytes(other + "/panels"), 0u);
}

TEST_F(PanelCache, DoesWithoutFolder) {
  const Product product(path("a"), {weights(1)});
  for (const std::string &bad : {product.path, std::string("/dev/null")}) {
    const PanelStats stats = product.runAlone(bad);
    EXPECT_EQ(stats.packed, 1u);
    EXPECT_NE(stats.cacheNote.find("/panels': Not a directory"),
              std::string::npos)
        << stats.cacheNote;
  }
  const PanelStats none = product.runAlone("");
  EXPECT_EQ(none.packed, 1u);
  EXPECT_EQ(none.cacheNote, "");
  EXPECT_EQ(none.cacheDirectory, "");
}

TEST_F(PanelCache, KilledProcesses) {
  const Product product(path("a"), {weights(1), weights(2), weights(3)});
  unsigned mapped = 0;
  for (unsigned round = 0; round < 24; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      auto executable = product.load(cache);
      if (!executable)
        ::_exit(1);
      executable.reset(); // writes
      ::_exit(0);
    }
    ::usleep(useconds_t(2000 + round * 900));
    ASSERT_GT(child, 0); // kill(-1) would end everything
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    if (round % 4 == 3) {
      const PanelStats stats = product.runAlone(cache);
      EXPECT_EQ(stats.mapped + stats.packed, 3u);
      mapped += stats.mapped;
      for (const fs::path &file : panelFiles())
        if (round % 8 == 7)
          fs::remove(file);
    }
  }
  EXPECT_GT(mapped, 0u);
  EXPECT_EQ(product.runAlone(cache).constants, 3u);
  EXPECT_EQ(product.runAlone(cache).mapped, 3u);
}

TEST_F(PanelCache, ManyProcesses) {
  const Product product(path("a"), {weights(1), weights(2)});
  const Product other(path("b"), {weights(2), weights(1)});
  std::vector<Bytes> wanted;
  {
    auto plain = product.load("");
    ASSERT_TRUE(plain);
    wanted = Product::results(*plain);
  }
  std::vector<pid_t> children;
  for (unsigned process = 0; process < 4; ++process) {
    children.push_back(::fork());
    if (children.back() == 0) {
      for (unsigned i = 0; i < 6; ++i) {
        const bool second = (i + process) % 2;
        auto executable = (second ? other : product).load(cache);
        if (!executable)
          ::_exit(1);
        const auto got = Product::results(*executable);
        if (got[second] != wanted[0] || got[!second] != wanted[1])
          ::_exit(2);
      }
      ::_exit(0);
    }
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(product.runAlone(cache).mapped, 2u);
  EXPECT_EQ(panelFiles().size(), 2u);
}

} // namespace
