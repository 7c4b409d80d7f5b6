// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs that launches read where the caller has them.
#include "Model.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <set>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace gaudi::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// Memory whose neighbours cannot be touched: it begins after such a page, or
/// ends before one.
class GuardedMemory {
public:
  enum class At { Begin, End };

  GuardedMemory(size_t bytes, At at, size_t alignment = 8) {
    const size_t page = size_t(::sysconf(_SC_PAGESIZE));
    const size_t inner = (bytes + page - 1) / page * page;
    mapped = inner + 2 * page;
    mapping = static_cast<uint8_t *>(
        ::mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_NE(mapping, MAP_FAILED);
    EXPECT_EQ(::mprotect(mapping + page, inner, PROT_READ | PROT_WRITE), 0);
    const size_t rest = inner - bytes;
    data = mapping + page + (at == At::End ? rest - rest % alignment : 0);
  }
  GuardedMemory(const GuardedMemory &) = delete;
  GuardedMemory &operator=(const GuardedMemory &) = delete;
  ~GuardedMemory() { ::munmap(mapping, mapped); }

  uint8_t *data;

private:
  uint8_t *mapping;
  size_t mapped;
};

size_t countOf(const GaudiTensorInfo &info) {
  size_t count = 1;
  for (uint32_t d = 0; d < info.rank; ++d)
    count *= size_t(info.shape[d]);
  return count;
}

/// Small values of every type; the same for the same seed.
void fill(const GaudiTensorInfo &info, uint8_t *data, unsigned seed) {
  const size_t count = countOf(info);
  for (size_t i = 0; i < count; ++i) {
    const auto value = int32_t((i * 37 + seed * 11) % 17) - 8;
    const float real = float(value) / 8;
    uint32_t bits;
    std::memcpy(&bits, &real, sizeof(bits));
    const size_t size = gaudiElementTypeSize(info.type);
    if (info.type == GaudiF32)
      std::memcpy(data + i * 4, &bits, 4);
    else if (info.type == GaudiBF16) {
      const auto half = uint16_t(bits >> 16);
      std::memcpy(data + i * 2, &half, 2);
    } else if (info.type == GaudiI1)
      data[i] = value & 1;
    else {
      const int64_t number = value < 0 ? -value : value;
      std::memcpy(data + i * size, &number, size);
    }
  }
}

GaudiBuffer bufferOf(const GaudiTensorInfo &info, void *data) {
  return {data, info.type, info.rank, info.shape, nullptr};
}

using Outputs = std::vector<std::vector<uint8_t>>;

/// Launches with guarded memory for all inputs; those in `bound` are bound. If
/// one cannot be, it is taken out, and there is no output.
Outputs run(const RecipeOwner &recipe, std::set<size_t> &bound,
            GuardedMemory::At at) {
  std::vector<std::unique_ptr<GuardedMemory>> memory;
  std::vector<GaudiBuffer> inputs, outputs;
  std::vector<GaudiBinding> bindings;
  const size_t numInputs = gaudiRecipeNumInputs(recipe.get(), 0);
  for (size_t i = 0; i < numInputs; ++i) {
    const GaudiTensorInfo info = gaudiRecipeInput(recipe.get(), 0, i);
    const size_t bytes = countOf(info) * gaudiElementTypeSize(info.type);
    memory.push_back(std::make_unique<GuardedMemory>(bytes, at));
    fill(info, memory.back()->data, unsigned(i));
    inputs.push_back(
        bufferOf(info, bound.count(i) ? nullptr : memory.back()->data));
    if (bound.count(i))
      bindings.push_back({0, i, memory.back()->data, bytes});
  }
  Outputs results;
  for (size_t i = 0; i < gaudiRecipeNumOutputs(recipe.get(), 0); ++i) {
    const GaudiTensorInfo info = gaudiRecipeOutput(recipe.get(), 0, i);
    results.emplace_back(countOf(info) * gaudiElementTypeSize(info.type));
    outputs.push_back(bufferOf(info, nullptr));
  }
  for (size_t i = 0; i < results.size(); ++i)
    outputs[i].data = results[i].data();
  GaudiLoadOptions options;
  gaudiLoadOptionsInit(&options);
  options.threads = 2;
  options.bindings = bindings.data();
  options.numBindings = bindings.size();
  GaudiExecutable *loaded = nullptr;
  GaudiError *error = gaudiExecutableLoad(recipe.get(), &options, &loaded);
  if (error) {
    size_t input = 0;
    const std::string message = messageOf(error, GaudiErrorInvalidArgument);
    EXPECT_EQ(std::sscanf(message.c_str(), "input %zu", &input), 1) << message;
    EXPECT_EQ(bound.erase(input), 1u) << message;
    return {};
  }
  const ExecutableOwner executable(loaded);
  // Twice: what a launch leaves in memory must not matter.
  for (int launch = 0; launch < 2; ++launch)
    EXPECT_TRUE(
        isFine(gaudiExecutableRun(loaded, 0, inputs.data(), inputs.size(),
                                  outputs.data(), outputs.size(), nullptr)));
  GaudiExecutableStats stats = {};
  stats.size = sizeof(stats);
  gaudiExecutableStats(loaded, &stats);
  EXPECT_EQ(stats.boundInputs, bindings.size());
  return results;
}

/// The outputs do not depend on what is bound, nor on where it is. Returns how
/// many inputs can be bound.
size_t expectSame(const RecipeOwner &recipe) {
  if (!recipe)
    return 0;
  std::set<size_t> none, bound;
  const Outputs copied = run(recipe, none, GuardedMemory::At::Begin);
  EXPECT_FALSE(copied.empty());
  for (size_t i = 0; i < gaudiRecipeNumInputs(recipe.get(), 0); ++i)
    bound.insert(i);
  Outputs first;
  while (!bound.empty() && first.empty())
    first = run(recipe, bound, GuardedMemory::At::Begin);
  EXPECT_EQ(first, copied);
  EXPECT_EQ(run(recipe, bound, GuardedMemory::At::End), copied);
  return bound.size();
}

void expectAllBound(const std::string &text) {
  const RecipeOwner recipe = compile(text);
  EXPECT_EQ(expectSame(recipe), gaudiRecipeNumInputs(recipe.get(), 0)) << text;
}

std::string matmulOf(const std::string &type, int m, int k, int n) {
  const std::string a = "tensor<" + std::to_string(m) + "x" +
                        std::to_string(k) + "x" + type + ">",
                    b = "tensor<" + std::to_string(k) + "x" +
                        std::to_string(n) + "x" + type + ">",
                    c = "tensor<" + std::to_string(m) + "x" +
                        std::to_string(n) + "xf32>";
  return "func.func @main(%a: " + a + ", %b: " + b + ", %d: " + c + ") -> " +
         c + " {\n  %r = linalg.matmul ins(%a, %b : " + a + ", " + b +
         ") outs(%d : " + c + ") -> " + c + "\n  return %r : " + c + "\n}\n";
}

} // namespace

TEST(CBindings, AreReadWhereTheyAre) {
  const RecipeOwner recipe = compile(matmul);
  float x[] = {1, 2, 3, 4, 5, 6}, y[4] = {};
  alignas(8) float w[] = {1, 0, 0, 1, 1, 1};
  const GaudiBinding binding = {0, 1, w, sizeof(w)};
  GaudiLoadOptions options;
  gaudiLoadOptionsInit(&options);
  options.bindings = &binding;
  options.numBindings = 1;
  const ExecutableOwner executable = load(recipe, &options);
  ASSERT_TRUE(executable);
  const Buffer bx(x, GaudiF32, {2, 3}), by(y, GaudiF32, {2, 2}),
      bw(static_cast<float *>(nullptr), GaudiF32, {3, 2});
  const GaudiBuffer inputs[] = {bx, bw};
  for (int launch = 0; launch < 2; ++launch) {
    ASSERT_TRUE(isFine(gaudiExecutableRun(executable.get(), 0, inputs, 2,
                                          &by.buffer, 1, nullptr)));
    if (launch == 0)
      EXPECT_THAT(y, ElementsAre(4, 5, 10, 11));
    else
      EXPECT_THAT(y, ElementsAre(5, 5, 14, 11));
    w[0] = 2; // the next launch reads it
  }
}

TEST(CBindings, OfOddMatricesReadNothingElse) {
  for (const char *type : {"f32", "bf16"})
    for (auto [m, k, n] : {std::array{1, 1, 1},
                           {3, 5, 7},
                           {1, 129, 257},
                           {65, 33, 1},
                           {17, 31, 63},
                           {130, 67, 95}})
      expectAllBound(matmulOf(type, m, k, n));
}

TEST(CBindings, OfConvolutionsReadNothingElse) {
  for (auto [c, f, kernel] : {std::array{3, 5, 3}, {1, 1, 1}, {7, 17, 5}}) {
    const int size = 11, out = size - kernel + 1;
    const auto tensor = [](int a, int b, int d, int e) {
      return "tensor<" + std::to_string(a) + "x" + std::to_string(b) + "x" +
             std::to_string(d) + "x" + std::to_string(e) + "xf32>";
    };
    const std::string x = tensor(1, size, size, c),
                      w = tensor(kernel, kernel, c, f),
                      y = tensor(1, out, out, f);
    expectAllBound(
        "func.func @main(%x: " + x + ", %w: " + w + ", %z: " + y + ") -> " + y +
        " {\n  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : " + x + ", " + w +
        ") outs(%z : " + y + ") -> " + y + "\n  return %r : " + y + "\n}\n");
  }
}

TEST(CBindings, OfKernelsReadNothingElse) {
  for (const char *shape : {"1", "7", "16", "17", "33x3", "5x1023"})
    for (const char *type : {"f32", "bf16", "i32", "i8"}) {
      const std::string t = std::string("tensor<") + shape + "x" + type + ">";
      expectAllBound("func.func @main(%x: " + t + ", %y: " + t + ") -> " + t +
                     " {\n  %e = tensor.empty() : " + t +
                     "\n  %r = linalg.add ins(%x, %y : " + t + ", " + t +
                     ") outs(%e : " + t + ") -> " + t + "\n  return %r : " + t +
                     "\n}\n");
    }
}

TEST(CBindings, OfModelsReadNothingElse) {
  // Attention, normalizations, convolutions, embeddings, and states.
  for (const char *name :
       {"stablehlo-mnist-iree/generic.mlir", "mhlo-bert-tiny-byteir/FW.mlir",
        "stablehlo-decode-jax/small.generic.mlir"}) {
    std::ifstream file(std::string(GAUDI_TEST_MODELS "/") + name);
    ASSERT_TRUE(file) << name;
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_GT(expectSame(compile(text.str())), 0u) << name;
  }
}

TEST(CBindings, OfAttentionReadNothingElse) {
  for (auto [length, width] : {std::pair(5, 7), {33, 20}, {65, 64}}) {
    const std::string n = std::to_string(length), d = std::to_string(width),
                      t = "tensor<1x2x" + n + "x" + d + "xf32>";
    expectAllBound(
        "func.func @main(%q: " + t + ", %k: " + t + ", %v: " + t + ") -> " + t +
        " {\n  %r = gaudi.sdpa %q, %k, %v scale 0.5 : (" + t + ", " + t + ", " +
        t + ") -> " + t + "\n  return %r : " + t + "\n}\n");
  }
}

TEST(CBindings, ThatCannotBeAreRefused) {
  const RecipeOwner recipe = compile(matmul);
  alignas(64) float w[8] = {};
  const auto refusal = [&](const std::vector<GaudiBinding> &bindings,
                           const RecipeOwner &of) {
    GaudiLoadOptions options;
    gaudiLoadOptionsInit(&options);
    options.bindings = bindings.data();
    options.numBindings = bindings.size();
    GaudiExecutable *executable = nullptr;
    return messageOf(gaudiExecutableLoad(of.get(), &options, &executable),
                     GaudiErrorInvalidArgument);
  };
  EXPECT_EQ(
      refusal({{0, 1, reinterpret_cast<char *>(w) + 4, 24}}, recipe),
      "input 1 \"arg1\" of entry \"main\" cannot be bound: the binding's data "
      "is not aligned to 8 bytes; copy it");
  EXPECT_THAT(refusal({{0, 1, w, 20}}, recipe),
              HasSubstr("it has 24 bytes, the binding 20"));
  EXPECT_THAT(refusal({{0, 1, nullptr, 24}}, recipe),
              HasSubstr("data is null"));
  EXPECT_EQ(refusal({{0, 2, w, 24}}, recipe),
            "binding 0 names input 2, entry \"main\" has 2");
  EXPECT_EQ(refusal({{1, 0, w, 24}}, recipe),
            "binding 0 names entry 1, the recipe has 1");
  EXPECT_EQ(refusal({{0, 1, w, 24}, {0, 1, w, 24}}, recipe),
            "binding 1 names input 1 of entry 0, which another one binds");
  // The state is what the launch before has left.
  GaudiCompileOptions options;
  gaudiCompileOptionsInit(&options);
  options.state = "0=0";
  const std::string counter = R"(
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>)
      outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
})";
  EXPECT_THAT(refusal({{0, 0, w, 16}}, compile(counter, &options)),
              HasSubstr("it is a state, which launches write"));
}
