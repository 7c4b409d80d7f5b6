// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every way to fail: an error with its code, and nothing else.
#include "Model.h"

#include "gaudi-c/RecipeCache.h"
#include "gaudi-c/Replay.h"

#include <cstddef>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <link.h>

using namespace gaudi::test;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

struct CErrors : ::testing::Test {
  RecipeOwner recipe = compile(matmul);
  ExecutableOwner executable = load(recipe);
  float x[6] = {}, w[6] = {}, y[4] = {};
  Buffer bx{x, GaudiF32, {2, 3}}, bw{w, GaudiF32, {3, 2}},
      by{y, GaudiF32, {2, 2}};

  std::string run(const GaudiBuffer &first, const GaudiBuffer &output) {
    const GaudiBuffer inputs[] = {first, bw};
    return messageOf(
        gaudiExecutableRun(executable.get(), 0, inputs, 2, &output, 1, nullptr),
        GaudiErrorInvalidArgument);
  }
};

/// Of a model that cannot be compiled.
ErrorOwner compileError(const std::string &text,
                        const GaudiCompileOptions *options = nullptr) {
  GaudiRecipe *recipe = nullptr;
  ErrorOwner error(
      gaudiCompile("m.mlir", text.data(), text.size(), options, &recipe));
  EXPECT_TRUE(error);
  EXPECT_EQ(recipe, nullptr);
  return error;
}

} // namespace

TEST_F(CErrors, NullPointersAreNamed) {
  GaudiRecipe *made = nullptr;
  GaudiExecutable *loaded = nullptr;
  size_t entry = 0;
  int64_t shape[2];
  char *json = nullptr;
  const auto message = [](GaudiError *error) {
    return messageOf(error, GaudiErrorInvalidArgument);
  };
  EXPECT_EQ(message(gaudiCompile(nullptr, "", 0, nullptr, &made)),
            "'name' is null");
  EXPECT_EQ(message(gaudiCompile("m", nullptr, 0, nullptr, &made)),
            "'source' is null");
  EXPECT_EQ(message(gaudiCompile("m", "", 0, nullptr, nullptr)),
            "'recipe' is null");
  EXPECT_EQ(message(gaudiImport("m", nullptr, 0, nullptr)), "'source' is null");
  EXPECT_EQ(message(gaudiRecipeOpen(nullptr, &made)), "'path' is null");
  EXPECT_EQ(message(gaudiRecipeFromMemory(nullptr, 1, &made)),
            "'data' is null");
  EXPECT_EQ(message(gaudiRecipeSave(recipe.get(), nullptr)), "'path' is null");
  EXPECT_EQ(message(gaudiRecipeFindEntry(recipe.get(), nullptr, &entry)),
            "'name' is null");
  EXPECT_EQ(message(gaudiRecipePredict(recipe.get(), 0, nullptr, nullptr)),
            "'json' is null");
  EXPECT_EQ(message(gaudiExecutableLoad(nullptr, nullptr, &loaded)),
            "'recipe' is null");
  EXPECT_EQ(message(gaudiExecutableLoad(recipe.get(), nullptr, nullptr)),
            "'executable' is null");
  EXPECT_EQ(
      message(gaudiExecutableRun(nullptr, 0, nullptr, 0, nullptr, 0, nullptr)),
      "'executable' is null");
  EXPECT_EQ(message(gaudiExecutableRun(executable.get(), 0, nullptr, 2,
                                       &by.buffer, 1, nullptr)),
            "'inputs' is null");
  EXPECT_EQ(message(gaudiExecutableOutputShape(executable.get(), 0, nullptr, 0,
                                               7, shape)),
            "there is no output 7, entry \"main\" has 1");
  EXPECT_EQ(message(gaudiExecutableSetState(executable.get(), 0, nullptr)),
            "'value' is null");
  EXPECT_EQ(message(gaudiExecutableGetState(executable.get(), 0, &bx.buffer)),
            "there is no state 0, the recipe has 0");
  EXPECT_EQ(message(gaudiRecipePredict(recipe.get(), 3, nullptr, &json)),
            "there is no entry 3, the recipe has 1");
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(loaded, nullptr);
  gaudiErrorDestroy(nullptr);
  gaudiRecipeDestroy(nullptr);
  gaudiExecutableDestroy(nullptr);
}

TEST_F(CErrors, BuffersThatDoNotFit) {
  EXPECT_EQ(
      run(Buffer(x, GaudiF32, {3, 2}), by),
      "input 0 \"arg0\" is a 2x3xf32: expected a buffer of that shape and "
      "type but got a 3x2xf32; pass the former, or compile the model for the "
      "latter");
  EXPECT_THAT(run(Buffer(x, GaudiBF16, {2, 3}), by), HasSubstr("a 2x3xbf16;"));
  EXPECT_THAT(run(Buffer(x, GaudiF32, {6}), by), HasSubstr("a 6xf32;"));
  EXPECT_THAT(run(Buffer(x, GaudiElementType(77), {2, 3}), by),
              HasSubstr("a 2x3x?;"));
  GaudiBuffer broken = bx;
  broken.shape = nullptr;
  EXPECT_EQ(run(broken, by),
            "input 0 \"arg0\" is a 2x3xf32: expected a buffer of that shape "
            "but its shape is null");
  broken.rank = 1000000;
  broken.shape = bx.buffer.shape;
  EXPECT_THAT(run(broken, by), HasSubstr("one of rank 1000000;"));
  EXPECT_EQ(run(Buffer(static_cast<float *>(nullptr), GaudiF32, {2, 3}), by),
            "input 0 \"arg0\": its buffer is null");
  EXPECT_THAT(run(bx, Buffer(y, GaudiF32, {4, 1})),
              StartsWith("output 0 \"out0\" is a 2x2xf32"));
  EXPECT_EQ(run(bx, Buffer(y, GaudiF32, {2, 2}, {0, 1})),
            "output 0 \"out0\": elements of its buffer share memory; give it "
            "strides that keep them apart");
  const GaudiBuffer one[] = {bx};
  EXPECT_EQ(messageOf(gaudiExecutableRun(executable.get(), 0, one, 1,
                                         &by.buffer, 1, nullptr),
                      GaudiErrorInvalidArgument),
            "got 1 input, but entry \"main\" has 2; missing: \"arg1\" "
            "(3x2xf32)");
  EXPECT_EQ(messageOf(gaudiExecutableRun(executable.get(), 5, one, 1,
                                         &by.buffer, 1, nullptr),
                      GaudiErrorInvalidArgument),
            "there is no entry 5, the recipe has 1");
}

TEST_F(CErrors, UnknownEntriesNameThoseThereAre) {
  size_t entry = 7;
  EXPECT_EQ(messageOf(gaudiRecipeFindEntry(recipe.get(), "other", &entry),
                      GaudiErrorInvalidArgument),
            "the recipe has no entry \"other\", it has \"main\"");
  EXPECT_EQ(entry, 7u);
  EXPECT_TRUE(isFine(gaudiRecipeFindEntry(recipe.get(), "main", &entry)));
  EXPECT_EQ(entry, 0u);
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.entry = "other";
  const ErrorOwner error = compileError(matmul, &options);
  EXPECT_EQ(gaudiErrorCode(error.get()), GaudiErrorInvalidArgument);
  EXPECT_THAT(textOf(gaudiErrorMessage(error.get())),
              HasSubstr("has no function 'other'; there are: 'main'"));
}

TEST_F(CErrors, DamagedRecipesAreRefused) {
  const void *data = nullptr;
  size_t bytes = 0;
  gaudiRecipeBytes(recipe.get(), &data, &bytes);
  const auto *begin = static_cast<const uint8_t *>(data);
  GaudiRecipe *opened = nullptr;
  // Any byte of the header and the metadata, and every length.
  for (size_t at = 0; at < bytes; at += 97) {
    std::vector<uint8_t> copy(begin, begin + bytes);
    copy[at] ^= 0x40;
    const ErrorOwner error(gaudiRecipeFromMemory(copy.data(), bytes, &opened));
    if (error) {
      EXPECT_EQ(gaudiErrorCode(error.get()), GaudiErrorInvalidRecipe);
    } else {
      RecipeOwner harmless(opened); // a byte between the parts
    }
    EXPECT_FALSE(messageOf(gaudiRecipeFromMemory(begin, at, &opened),
                           GaudiErrorInvalidRecipe)
                     .empty());
  }
  EXPECT_THAT(
      messageOf(gaudiRecipeOpen("/nowhere/x.recipe", &opened), GaudiErrorIo),
      HasSubstr("/nowhere/x.recipe"));
  messageOf(gaudiRecipeOpen("/", &opened), GaudiErrorIo);
  EXPECT_THAT(messageOf(gaudiRecipeSave(recipe.get(), "/nowhere/x.recipe"),
                        GaudiErrorIo),
              HasSubstr("/nowhere/x.recipe"));
}

TEST(CCompileErrors, HaveTheLocationAndAllDiagnostics) {
  const ErrorOwner error =
      compileError("func.func @main() {\n  what is this\n");
  EXPECT_EQ(gaudiErrorCode(error.get()), GaudiErrorInvalidModel);
  EXPECT_THAT(textOf(gaudiErrorMessage(error.get())),
              HasSubstr("cannot parse 'm.mlir'"));
  EXPECT_EQ(textOf(gaudiErrorLocation(error.get())), "m.mlir:2:3");
  const std::string details = textOf(gaudiErrorDetails(error.get()));
  EXPECT_THAT(details, HasSubstr("m.mlir:2:3: error: "));
  EXPECT_THAT(details, HasSubstr("what is this"));
  EXPECT_EQ(details.back(), '\n');
}

TEST(CCompileErrors, OptionsThatMakeNoSense) {
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.device = "gaudi9";
  const ErrorOwner device = compileError(matmul, &options);
  EXPECT_EQ(gaudiErrorCode(device.get()), GaudiErrorInvalidArgument);
  EXPECT_THAT(textOf(gaudiErrorMessage(device.get())), HasSubstr("gaudi9"));
  gaudiCompileOptionsInit(&options);
  options.numResources = 1;
  const ErrorOwner resources = compileError(matmul, &options);
  EXPECT_EQ(textOf(gaudiErrorMessage(resources.get())),
            "'resources' is null, but 'numResources' is 1");
  const std::pair<GaudiResource, const char *> incomplete[] = {
      {{}, "name"},
      {{"w", nullptr, 4, "F32", 0, nullptr}, "data"},
      {{"w", nullptr, 0, nullptr, 0, nullptr}, "element type"},
      {{"w", nullptr, 0, "F32", 1, nullptr}, "shape"}};
  for (const auto &[resource, what] : incomplete) {
    options.resources = &resource;
    const ErrorOwner missing = compileError(matmul, &options);
    EXPECT_EQ(textOf(gaudiErrorMessage(missing.get())),
              std::string("the ") + what + " of resource 0 is null");
  }
}

TEST(CCompileErrors, ImportTellsWhetherFrontEndsTakeAModel) {
  EXPECT_TRUE(
      isFine(gaudiImport("m.mlir", matmul, sizeof(matmul) - 1, nullptr)));
  const std::string text = "func.func @main(%x: f32) -> f32 {\n"
                           "  %y = \"foreign.op\"(%x) : (f32) -> f32\n"
                           "  return %y : f32\n}\n";
  const ErrorOwner error(
      gaudiImport("m.mlir", text.data(), text.size(), nullptr));
  ASSERT_TRUE(error);
  EXPECT_EQ(gaudiErrorCode(error.get()), GaudiErrorInvalidModel);
  EXPECT_THAT(textOf(gaudiErrorDetails(error.get())), HasSubstr("foreign"));
}

TEST_F(CErrors, TooLittleDeviceMemory) {
  GaudiLoadOptions options;
  gaudiLoadOptionsInit(&options);
  options.deviceMemory = 64;
  GaudiExecutable *loaded = nullptr;
  EXPECT_THAT(messageOf(gaudiExecutableLoad(recipe.get(), &options, &loaded),
                        GaudiErrorOutOfMemory),
              AllOf(StartsWith("out of device memory"), HasSubstr("\"arg0\"")));
}

TEST(CLaunchErrors, AnIndexOutOfBounds) {
  const RecipeOwner recipe = compile(R"(
func.func @main(%v: tensor<1x4x2xf32>, %i: tensor<1x3xi32>) -> tensor<1x3x2xf32> {
  %r = tosa.gather %v, %i : (tensor<1x4x2xf32>, tensor<1x3xi32>) -> tensor<1x3x2xf32>
  return %r : tensor<1x3x2xf32>
})");
  const ExecutableOwner executable = load(recipe);
  ASSERT_TRUE(executable);
  float values[8] = {0, 1, 2, 3, 4, 5, 6, 7}, result[6];
  int32_t indices[3] = {0, 9, 1};
  const Buffer bv(values, GaudiF32, {1, 4, 2}), bi(indices, GaudiI32, {1, 3}),
      br(result, GaudiF32, {1, 3, 2});
  const GaudiBuffer inputs[] = {bv, bi};
  EXPECT_THAT(messageOf(gaudiExecutableRun(executable.get(), 0, inputs, 2,
                                           &br.buffer, 1, nullptr),
                        GaudiErrorLaunch),
              HasSubstr("index 9 is out of bounds"));
  indices[1] = 3;
  EXPECT_TRUE(isFine(gaudiExecutableRun(executable.get(), 0, inputs, 2,
                                        &br.buffer, 1, nullptr)));
  EXPECT_EQ(result[2], 6);
}

/// There is no error to return.
TEST_F(CErrors, ItemsThatTheRecipeDoesNotHaveAreEmpty) {
  for (const size_t far : {size_t(2), size_t(77), ~size_t(0)}) {
    EXPECT_EQ(gaudiRecipeEntryName(recipe.get(), far).length, 0u);
    EXPECT_EQ(gaudiRecipeNumInputs(recipe.get(), far), 0u);
    EXPECT_EQ(gaudiRecipeNumOutputs(recipe.get(), far), 0u);
    EXPECT_EQ(gaudiRecipeNumSymbols(recipe.get(), far), 0u);
    for (const GaudiTensorInfo &info : {gaudiRecipeInput(recipe.get(), far, 0),
                                        gaudiRecipeInput(recipe.get(), 0, far),
                                        gaudiRecipeOutput(recipe.get(), far, 0),
                                        gaudiRecipeOutput(recipe.get(), 0, far),
                                        gaudiRecipeState(recipe.get(), far)}) {
      EXPECT_EQ(info.rank, 0u);
      EXPECT_EQ(info.name.length, 0u);
    }
    EXPECT_EQ(gaudiRecipeSymbol(recipe.get(), 0, far).max, 0);
  }
}

// --- structures of other versions --------------------------------------------

TEST_F(CErrors, StructuresOfOlderPrograms) {
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  // What follows the size that an old program knows is not its own.
  options.size = offsetof(GaudiCompileOptions, entry);
  options.device = "gaudi";
  options.entry = "nonsense";
  const RecipeOwner old = compile(matmul, &options);
  ASSERT_TRUE(old);
  EXPECT_EQ(textOf(gaudiRecipeDevice(old.get())), "gaudi");
  GaudiRunStats stats;
  std::memset(static_cast<void *>(&stats), 0x55, sizeof(stats));
  stats.size = offsetof(GaudiRunStats, copyMicroseconds);
  const GaudiBuffer inputs[] = {bx, bw};
  ASSERT_TRUE(isFine(gaudiExecutableRun(executable.get(), 0, inputs, 2,
                                        &by.buffer, 1, &stats)));
  EXPECT_EQ(stats.iterations, 0x5555555555555555u) << "was not written";
  stats.size = 0;
  EXPECT_THAT(messageOf(gaudiExecutableRun(executable.get(), 0, inputs, 2,
                                           &by.buffer, 1, &stats),
                        GaudiErrorInvalidArgument),
              HasSubstr("'size' of GaudiRunStats is 0"));
  options.size = 0;
  EXPECT_THAT(textOf(gaudiErrorMessage(compileError(matmul, &options).get())),
              HasSubstr("call gaudiCompileOptionsInit first"));
}

/// A program that was built with version 1.0 has other data behind its options.
TEST_F(CErrors, StructuresOfVersionOneZero) {
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.maxExpandedOps = 1; // not enough for the call
  constexpr const char *calling = R"mlir(
    func.func private @thrice(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = "tosa.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %1 = "tosa.add"(%0, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @thrice(%x) : (tensor<4xf32>) -> tensor<4xf32>
      %1 = call @thrice(%0) : (tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
  )mlir";
  EXPECT_THAT(textOf(gaudiErrorDetails(compileError(calling, &options).get())),
              HasSubstr("max-expanded-ops"));
  options.size = offsetof(GaudiCompileOptions, maxExpandedOps);
  EXPECT_TRUE(compile(calling, &options));

  GaudiLoadOptions loading;
  gaudiLoadOptionsInit(&loading);
  loading.cacheDirectory = "";
  loading.maxKernelWeight = 1;
  const RecipeOwner kernels = compile(calling);
  GaudiExecutable *loaded = nullptr;
  EXPECT_THAT(messageOf(gaudiExecutableLoad(kernels.get(), &loading, &loaded),
                        GaudiErrorInvalidRecipe),
              HasSubstr("max-kernel-weight"));
  loading.size = offsetof(GaudiLoadOptions, maxKernelWeight);
  EXPECT_TRUE(load(kernels, &loading));
}

/// Fields are only appended, and only with another minor version.
TEST(CStructures, AreThoseOfTheVersion) {
  EXPECT_EQ(gaudiVersionMajor(), 1u);
  EXPECT_EQ(gaudiVersionMinor(), 7u);
  EXPECT_EQ(offsetof(GaudiCompileOptions, maxExpandedOps), 152u) << "1.0";
  EXPECT_EQ(offsetof(GaudiCompileOptions, autocast), 160u) << "1.5";
  EXPECT_EQ(offsetof(GaudiCompileOptions, dumpGraphs), 168u) << "1.6";
  EXPECT_EQ(sizeof(GaudiCompileOptions), 176u);
  EXPECT_EQ(sizeof(GaudiLaunchRecord), 96u);
  EXPECT_EQ(offsetof(GaudiLoadOptions, maxKernelWeight), 56u) << "1.0";
  EXPECT_EQ(sizeof(GaudiLoadOptions), 64u);
  EXPECT_EQ(sizeof(GaudiRunStats), 48u);
  EXPECT_EQ(sizeof(GaudiExecutableStats), 64u);
  EXPECT_EQ(sizeof(GaudiRecipeCacheOptions), 40u);
  EXPECT_EQ(sizeof(GaudiRecipeCacheStats), 112u);
}

/// A size that ends within a field would leave half a pointer, and one that is
/// not set would read past the structure.
TEST_F(CErrors, StructuresOfNoVersion) {
  for (const size_t size : {0ul, 4ul, 12ul, 20ul, 1ul << 20, ~0ul}) {
    GaudiCompileOptions compiling;
    gaudiCompileOptionsInit(&compiling);
    compiling.size = size;
    EXPECT_EQ(textOf(gaudiErrorMessage(compileError(matmul, &compiling).get())),
              "'size' of gaudiCompileOptions is " + std::to_string(size) +
                  "; call gaudiCompileOptionsInit first");
    GaudiLoadOptions loading;
    gaudiLoadOptionsInit(&loading);
    loading.size = size;
    GaudiExecutable *loaded = nullptr;
    EXPECT_EQ(messageOf(gaudiExecutableLoad(recipe.get(), &loading, &loaded),
                        GaudiErrorInvalidArgument),
              "'size' of gaudiLoadOptions is " + std::to_string(size) +
                  "; call gaudiLoadOptionsInit first");
    GaudiExecutableStats stats;
    stats.size = size;
    EXPECT_THAT(messageOf(gaudiExecutableStats(executable.get(), &stats),
                          GaudiErrorInvalidArgument),
                HasSubstr("set it to sizeof(GaudiExecutableStats)"));
    GaudiRunStats run;
    run.size = size;
    const GaudiBuffer inputs[] = {bx, bw};
    EXPECT_THAT(messageOf(gaudiExecutableRun(executable.get(), 0, inputs, 2,
                                             &by.buffer, 1, &run),
                          GaudiErrorInvalidArgument),
                HasSubstr("set it to sizeof(GaudiRunStats)"));
  }
}

/// A later library would write fields that an older program has no room for.
TEST(CStructures, AreInitializedByTheProgram) {
  ASSERT_NE(::dlsym(RTLD_DEFAULT, "gaudiExecutableLoad"), nullptr);
  EXPECT_EQ(::dlsym(RTLD_DEFAULT, "gaudiLoadOptionsInit"), nullptr);
  EXPECT_EQ(::dlsym(RTLD_DEFAULT, "gaudiCompileOptionsInit"), nullptr);
}

TEST_F(CErrors, StructuresOfNewerPrograms) {
  struct Newer {
    GaudiLoadOptions known;
    uint64_t added;
  } options = {};
  gaudiLoadOptionsInit(&options.known);
  options.known.size = sizeof(options);
  EXPECT_TRUE(load(recipe, &options.known)) << "what is added has its default";
  options.added = 1;
  GaudiExecutable *loaded = nullptr;
  EXPECT_THAT(
      messageOf(gaudiExecutableLoad(recipe.get(), &options.known, &loaded),
                GaudiErrorInvalidArgument),
      HasSubstr("a field that is set and that this library (gaudi-mlir"));
  struct NewerStats {
    GaudiExecutableStats known;
    uint64_t added;
  } stats;
  std::memset(static_cast<void *>(&stats), 0x55, sizeof(stats));
  stats.known.size = sizeof(stats);
  gaudiExecutableStats(executable.get(), &stats.known);
  EXPECT_EQ(stats.added, 0u);
  EXPECT_EQ(stats.known.launches, 0u);
  stats.known.size = 4;
  EXPECT_EQ(messageOf(gaudiExecutableStats(executable.get(), &stats.known),
                      GaudiErrorInvalidArgument),
            "'size' of GaudiExecutableStats is 4; set it to "
            "sizeof(GaudiExecutableStats)");
  EXPECT_EQ(messageOf(gaudiExecutableStats(executable.get(), nullptr),
                      GaudiErrorInvalidArgument),
            "'stats' is null");
}

// --- missing libraries -------------------------------------------------------

TEST(CLibraries, TheCompilerThatIsMissingIsNamed) {
  // A copy in a folder without the other libraries.
  const auto *address = reinterpret_cast<const void *>(&gaudiVersionText);
  Dl_info info;
  ASSERT_NE(::dladdr(address, &info), 0);
  namespace fs = std::filesystem;
  std::string folder = ::testing::TempDir() + "/capi-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const fs::path copy = fs::path(folder) / "libGaudiMLIR.so.1";
  fs::copy_file(fs::canonical(info.dli_fname), copy);
  void *library = ::dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const auto compileThere = reinterpret_cast<decltype(&gaudiCompile)>(
      ::dlsym(library, "gaudiCompile"));
  ASSERT_NE(compileThere, nullptr);
  ASSERT_NE(compileThere, &gaudiCompile);
  GaudiRecipe *recipe = nullptr;
  EXPECT_THAT(messageOf(compileThere("m.mlir", matmul, sizeof(matmul) - 1,
                                     nullptr, &recipe),
                        GaudiErrorUnavailable),
              AllOf(HasSubstr("libGaudiCompiler.so"),
                    HasSubstr(fs::canonical(folder).string())));
  ::dlclose(library);
  fs::remove_all(folder);
}
