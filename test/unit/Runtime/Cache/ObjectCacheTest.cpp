// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled kernels of a recipe: compiled once, cached, found again, and
// compiled again when the cache is damaged, of another user or off.
#include "../TemporaryFolder.h"
#include "../TestRecipe.h"
#include "Host/Background.h"
#include "Jit/CodeMemory.h"

#include <cstdio>
#include <cstring>
#include <fstream>

using namespace gaudi;
using namespace gaudi::test;
using runtime::KernelImage;
namespace fs = std::filesystem;

namespace {

/// dst[i] = src[i] * factor + src[i]
void scale(TestRecipe &r, uint32_t src, uint32_t dst, int64_t n, float factor) {
  KernelBuilder k({n}, {true});
  k.input(F32, 1).output(F32, 1);
  k.stage();
  const uint32_t x = k.inst(Op::Load, F32, k.access(0, 0, k.at({{0, 1}})));
  const uint32_t y = k.inst(Op::MulF, F32, x, k.constant(factor));
  k.store(k.access(1, 0, k.at({{0, 1}})), k.inst(Op::AddF, F32, y, x));
  r.launch(k, {src}, {dst});
}

/// A chain of three kernels, two of them equal: out = 12 * in.
struct Chain {
  Chain() {
    const int64_t n = 50;
    const uint32_t in = recipe.input(F32, {n});
    const uint32_t a = recipe.workspace(F32, {n});
    const uint32_t b = recipe.workspace(F32, {n});
    scale(recipe, in, a, n, 1);
    scale(recipe, a, b, n, 2);
    scale(recipe, b, recipe.output(F32, {n}), n, 1);
  }

  runtime::KernelStats run(const std::string &cache) {
    runtime::LoadOptions options;
    options.cacheDirectory = cache;
    auto executable = recipe.load(options);
    if (!executable)
      return {};
    std::vector<float> in(50), expected(50);
    for (int i = 0; i < 50; ++i) {
      in[size_t(i)] = float(i);
      expected[size_t(i)] = float(12 * i);
    }
    EXPECT_EQ(valuesOf<float>(TestRecipe::run(*executable, {bytesOf(in)})[0]),
              expected);
    return executable->kernels();
  }

  TestRecipe recipe;
};

TEST(ObjectCache, CompilesOnceAndKeeps) {
  TemporaryFolder folder;
  const runtime::KernelStats cold = Chain().run(folder.path);
  EXPECT_EQ(cold.kernels, 2u);
  EXPECT_EQ(cold.compiled, 2u);
  EXPECT_EQ(cold.fromCache, 0u);
  EXPECT_GT(cold.compileMilliseconds, 0);
  EXPECT_EQ(cold.cacheDirectory, folder.path + "/kernels");
  EXPECT_EQ(cold.cacheNote, "");
  const runtime::KernelStats warm = Chain().run(folder.path);
  EXPECT_EQ(warm.kernels, 2u);
  EXPECT_EQ(warm.compiled, 0u);
  EXPECT_EQ(warm.fromCache, 2u);
  EXPECT_EQ(warm.compileMilliseconds, 0);
}

TEST(ObjectCache, CompilesDamagedOnesAgain) {
  TemporaryFolder folder;
  Chain().run(folder.path);
  for (const auto &entry : fs::directory_iterator(folder.path + "/kernels")) {
    fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
    break;
  }
  const runtime::KernelStats damaged = Chain().run(folder.path);
  EXPECT_EQ(damaged.compiled, 1u);
  EXPECT_EQ(damaged.fromCache, 1u);
  EXPECT_EQ(Chain().run(folder.path).fromCache, 2u);
}

TEST(ObjectCache, WorksWithoutCache) {
  const runtime::KernelStats off = Chain().run("");
  EXPECT_EQ(off.compiled, 2u);
  EXPECT_EQ(off.cacheDirectory, "");
  EXPECT_EQ(off.cacheNote, "");
  const runtime::KernelStats broken = Chain().run("/dev/null");
  EXPECT_EQ(broken.compiled, 2u);
  EXPECT_NE(broken.cacheNote.find("'/dev/null/kernels': Not a directory"),
            std::string::npos)
      << broken.cacheNote;
}

unsigned filesIn(const std::string &folder) {
  return unsigned(std::distance(fs::directory_iterator(folder), {}));
}

/// Quick code is cached; launches make it hot, and the code that replaces it is
/// cached, too, and found first.
TEST(ObjectCache, HotKernelsAreCompiledAgain) {
  TemporaryFolder folder;
  const std::string kernels = folder.path + "/kernels";
  runtime::LoadOptions options;
  options.cacheDirectory = folder.path;
  options.quickStart = true;
  Chain chain;
  const std::vector<float> in(50, 1), expected(50, 12);
  auto launch = [&](runtime::Executable &executable) {
    EXPECT_EQ(valuesOf<float>(TestRecipe::run(executable, {bytesOf(in)})[0]),
              expected);
  };
  auto executable = chain.recipe.load(options);
  ASSERT_TRUE(executable);
  EXPECT_EQ(executable->kernels().compiled, 2u);
  launch(*executable);
  runtime::awaitBackground();
  EXPECT_EQ(filesIn(kernels), 2u);
  auto again = chain.recipe.load(options);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kernels().fromCache, 2u);
  for (unsigned i = 0; i < 20; ++i)
    launch(*executable);
  runtime::awaitBackground();
  EXPECT_EQ(filesIn(kernels), 4u);
  launch(*executable);
  // Without the option quick code is not taken, but the other is there now.
  EXPECT_EQ(Chain().run(folder.path).fromCache, 2u);
}

/// A recipe may be unloaded while its kernels wait to be compiled again.
TEST(ObjectCache, UnloadsHotKernels) {
  runtime::LoadOptions options;
  options.cacheDirectory = "";
  options.quickStart = true;
  const std::vector<float> in(50, 1);
  for (unsigned round = 0; round < 3; ++round) {
    Chain chain;
    auto executable = chain.recipe.load(options);
    ASSERT_TRUE(executable);
    for (unsigned i = 0; i < 16; ++i)
      TestRecipe::run(*executable, {bytesOf(in)});
  }
  runtime::awaitBackground();
}

TEST(ObjectCache, NoKernelsNoFolder) {
  TemporaryFolder folder;
  TestRecipe recipe;
  const uint32_t in = recipe.input(F32, {3});
  recipe::TransferT body;
  recipe.command(recipe::Engine::DMA, "copy", body, {in},
                 {recipe.output(F32, {3})});
  runtime::LoadOptions options;
  options.cacheDirectory = folder.path;
  auto executable = recipe.load(options);
  ASSERT_TRUE(executable);
  EXPECT_EQ(executable->kernels().kernels, 0u);
  EXPECT_FALSE(fs::exists(folder.path + "/kernels"));
}

// --- images ----------------------------------------------------------------

/// Stores `begin` in the first operand; two table entries.
std::vector<uint8_t> sampleImage(const std::string &import) {
  std::vector<uint8_t> code(32, 0x90);
  const uint8_t body[] = {0x48, 0x8b, 0x07, 0x48, 0x89, 0x30, 0xc3};
  std::memcpy(code.data(), body, sizeof(body));
  const std::string names = import + '\0';
  KernelImage image;
  image.imports = {{16, 0}};
  image.rebases = {{24, 16}};
  image.names = names;
  image.code = {code.data(), code.size()};
  return image.encode();
}

TEST(KernelImage, LoadsAndRuns) {
  const std::vector<uint8_t> bytes = sampleImage("gaudi.expf");
  auto image = KernelImage::decode({bytes.data(), bytes.size()});
  ASSERT_TRUE(image.has_value()) << image.error().message;
  std::vector<runtime::KernelFunction> functions;
  auto code = runtime::CodeMemory::load({*image, *image}, functions);
  ASSERT_TRUE(code.has_value()) << code.error().message;
  ASSERT_EQ(functions.size(), 2u);
  for (runtime::KernelFunction function : functions) {
    int64_t result = 0;
    void *const operands[] = {&result};
    function(operands, 42, 43, nullptr);
    EXPECT_EQ(result, 42);
    const auto *base = reinterpret_cast<const uint8_t *>(function);
    const uint8_t *pointers[2];
    std::memcpy(pointers, base + 16, sizeof(pointers));
    EXPECT_NE(pointers[0], nullptr);
    EXPECT_EQ(pointers[1], base + 16);
  }
  // What can run cannot be written.
  const auto address = reinterpret_cast<uintptr_t>(functions[0]);
  std::string rights;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    char text[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, text) == 3 &&
        begin <= address && address < end)
      rights = text;
  }
  EXPECT_EQ(rights, "r-xp");
}

TEST(KernelImage, UnknownHostFunction) {
  const std::vector<uint8_t> bytes = sampleImage("system");
  auto image = KernelImage::decode({bytes.data(), bytes.size()});
  ASSERT_TRUE(image.has_value());
  std::vector<runtime::KernelFunction> functions;
  auto code = runtime::CodeMemory::load({*image}, functions);
  ASSERT_FALSE(code.has_value());
  EXPECT_EQ(code.error().message,
            "a compiled kernel calls the host function 'system', which this "
            "runtime does not have");
}

TEST(KernelImage, RejectsBadOffsets) {
  const std::vector<uint8_t> sound = sampleImage("gaudi.expf");
  for (size_t size = 0; size < sound.size(); ++size)
    EXPECT_FALSE(KernelImage::decode({sound.data(), size}).has_value());
  // Every field of the header, the import and the rebase.
  for (size_t at = 0; at < 32 + 16; at += 4) {
    if (at == 28)
      continue; // not used
    std::vector<uint8_t> damaged = sound;
    const uint32_t wrong = 0xfffffff1;
    std::memcpy(&damaged[at], &wrong, sizeof(wrong));
    EXPECT_FALSE(
        KernelImage::decode({damaged.data(), damaged.size()}).has_value())
        << "offset " << at;
  }
}

} // namespace
