// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Speed of matrix commands, and of kernels that sum products of 8-bit integers,
// on this host beside oneDNN, with cold weights.
//
//   MmeBenchmark [f32|bf16|int8] [gemm|conv1|conv8] [substring of a name]
//                [nopeer]
//   MmeBenchmark [f32|bf16|int8] gemm|conv1|conv8 NAME turns=1|2
//
// One launch of a recipe runs the same command on as many different weights as
// do not fit into the caches. The peak is that of fused multiply-adds in
// registers, measured before each row.
#include "IntegerKernel.h"
#include "Shapes.h"

#include <cstdio>
#include <cstring>
#include <iostream>
#include <thread>

using namespace gaudi;
using namespace gaudi::bench;
using test::TestRecipe;

namespace {

const int64_t coldBytes =
    int64_t(std::getenv("COLD") ? std::atoi(std::getenv("COLD")) : 96) << 20;

/// GF/s of f32 multiply-adds, of one thread.
__attribute__((target("avx2,fma"))) double peakGflops() {
  typedef float Vector __attribute__((vector_size(32)));
  Vector sums[12] = {};
  const Vector factor = {1, 1, 1, 1, 1, 1, 1, 1};
  constexpr long rounds = 1500000;
  const auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < rounds; ++i) {
    for (Vector &sum : sums)
      asm volatile("vfmadd231ps %1, %1, %0" : "+x"(sum) : "x"(factor));
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  volatile float keep = sums[0][0];
  (void)keep;
  return double(rounds) * 12 * 16 / seconds * 1e-9;
}

struct Row {
  double seconds = 0;
  std::string implementation;
};

Row measure(TestRecipe &recipe, unsigned threads, double commands) {
  runtime::LoadOptions options;
  options.threads = threads;
  auto loaded = recipe.tryLoad(options);
  if (!loaded) {
    std::cerr << loaded.error().message << "\n";
    std::exit(1);
  }
  runtime::Executable &executable = **loaded;
  Row row;
  row.implementation = executable.commands()[0].implementation;
  row.seconds = typicalSeconds([&] {
                  if (auto stats = executable.launch(); !stats)
                    std::cerr << stats.error().message << "\n";
                }) /
                commands;
  return row;
}

test::ElementType typeOf(Numbers numbers) {
  return numbers == Numbers::BF16 ? test::ElementType::BF16
                                  : test::ElementType::F32;
}

/// Calls `add` with constant weights, as many as do not fit into the caches;
/// returns how many.
template <typename Add>
int64_t forColdWeights(TestRecipe &recipe, test::ElementType type,
                       const test::Dims &sizes, Add add) {
  const int64_t bytes = test::count(sizes) * int64_t(recipe::elementSize(type));
  const int64_t copies = std::clamp<int64_t>(coldBytes / bytes, 1, 64);
  const test::Bytes zeros(size_t(bytes), 0);
  for (int64_t i = 0; i < copies; ++i)
    add(recipe.constant(type, sizes, zeros));
  return copies;
}

/// Constant weights rotate; the sums are stored as they are.
TestRecipe integerRecipe(const GemmShape &g, int64_t &copies) {
  using test::ElementType;
  TestRecipe recipe;
  const uint32_t a = recipe.input(ElementType::U8, {g.m, g.k});
  const uint32_t c = recipe.output(ElementType::I32, {g.m, g.n});
  copies = forColdWeights(
      recipe, ElementType::I8, {g.k, g.n}, [&](uint32_t weights) {
        test::MatrixKernel b(g.m, g.n, g.k, ElementType::U8, ElementType::I8);
        b.store(b.result, b.sum([&] { return loadByte(b, b.left, false); },
                                [&] { return loadByte(b, b.right, true); }));
        recipe.launch(b, {a, weights}, {c});
      });
  return recipe;
}

TestRecipe integerRecipe(const ConvShape &c, int64_t &copies) {
  using test::ElementType;
  TestRecipe recipe;
  test::IntegerConv conv;
  conv.n = c.n;
  conv.size = c.size;
  conv.in = c.in;
  conv.out = c.out;
  conv.taps = c.kernel;
  conv.stride = c.stride;
  conv.pad = c.pad;
  conv.groups = c.groups;
  conv.zero = 0;
  conv.padValue = 0;
  const uint32_t x = recipe.input(ElementType::U8, conv.image(c.size, c.in));
  const uint32_t y =
      recipe.output(ElementType::I32, conv.image(conv.result(), c.out));
  copies = forColdWeights(recipe, ElementType::I8, conv.filter(),
                          [&](uint32_t weights) {
                            test::KernelBuilder b = conv.kernel();
                            recipe.launch(b, {x, weights}, {y});
                          });
  return recipe;
}

TestRecipe recipeOf(const GemmShape &g, Numbers numbers, int64_t &copies) {
  if (numbers == Numbers::Int8)
    return integerRecipe(g, copies);
  const test::ElementType type = typeOf(numbers);
  TestRecipe recipe;
  recipe::GemmT body;
  body.transpose_b = g.transposeB;
  if (g.heads) {
    // Heads in the middle: [sequence, head, value] seen as [head, sequence].
    copies = 8;
    auto head = [&](int64_t rows, int64_t columns, bool input) {
      test::Dims sizes = {g.heads, rows, columns};
      test::Dims strides = {columns, g.heads * columns, 1};
      return input ? recipe.input(type, sizes, strides)
                   : recipe.output(type, sizes, strides);
    };
    for (int64_t i = 0; i < copies; ++i) {
      const bool scores = g.transposeB;
      const uint32_t a = scores ? head(g.m, g.k, true)
                                : recipe.input(type, {g.heads, g.m, g.k});
      const uint32_t b =
          g.transposeB ? head(g.n, g.k, true) : head(g.k, g.n, true);
      const uint32_t c = scores ? recipe.output(type, {g.heads, g.m, g.n})
                                : head(g.m, g.n, false);
      recipe.command(recipe::Engine::MME, "mme.gemm", body, {a, b}, {c});
    }
    return recipe;
  }
  const uint32_t a = recipe.input(type, {g.m, g.k});
  const uint32_t c = recipe.output(type, {g.m, g.n});
  copies = forColdWeights(recipe, type, {g.k, g.n}, [&](uint32_t weights) {
    recipe.command(recipe::Engine::MME, "mme.gemm", body, {a, weights}, {c});
  });
  return recipe;
}

TestRecipe recipeOf(const ConvShape &c, Numbers numbers, int64_t &copies) {
  if (numbers == Numbers::Int8)
    return integerRecipe(c, copies);
  const test::ElementType type = typeOf(numbers);
  TestRecipe recipe;
  recipe::ConvT body;
  body.input_layout = body.output_layout = "NHWC";
  body.filter_layout = "OHWI";
  body.strides = {c.stride, c.stride};
  body.dilations = {1, 1};
  body.pad_low = body.pad_high = {c.pad, c.pad};
  body.groups = c.groups;
  const test::Dims sizes = {c.out, c.kernel, c.kernel, c.in / c.groups};
  const uint32_t x = recipe.input(type, {c.n, c.size, c.size, c.in});
  const uint32_t y = recipe.output(type, {c.n, outSize(c), outSize(c), c.out});
  copies = forColdWeights(recipe, type, sizes, [&](uint32_t weights) {
    recipe.command(recipe::Engine::MME, "mme.conv", body, {x, weights}, {y});
  });
  return recipe;
}

/// By Numbers.
constexpr const char *kinds[] = {"f32", "bf16", "int8"};

double total[3]; // milliseconds of all rows: ours 1, 2 threads, oneDNN 2

/// One launch per line of standard input, so that another program can take
/// turns between builds: a machine with other tenants changes every second.
template <typename Shape>
void serve(const Shape &shape, Numbers numbers, unsigned threads) {
  int64_t copies = 0;
  TestRecipe recipe = recipeOf(shape, numbers, copies);
  runtime::LoadOptions options;
  options.threads = threads;
  auto loaded = recipe.tryLoad(options);
  if (!loaded || !(*loaded)->launch()) {
    std::cerr << "error: '" << shape.name << "' cannot be loaded or launched\n";
    std::exit(1);
  }
  std::printf("%s\n", shape.name.c_str());
  std::fflush(stdout);
  while (std::getchar() != EOF) {
    const double start = secondsNow();
    (void)(*loaded)->launch();
    const double seconds = secondsNow() - start;
    std::printf("%.2f\n", flops(shape) * double(copies) / seconds * 1e-9);
    std::fflush(stdout);
  }
}

template <typename Shape>
void printRow(const Shape &shape, Numbers numbers, bool peer) {
  const double peak = peakGflops();
  int64_t copies = 0;
  TestRecipe recipe = recipeOf(shape, numbers, copies);
  const Row one = measure(recipe, 1, double(copies));
  const Row two = measure(recipe, 2, double(copies));
  std::string theirs = "-";
  const double other = peer ? oneDnn(shape, numbers, 2, theirs) : 0;
  const double work = flops(shape) * 1e-9;
  total[0] += one.seconds * 1e3;
  total[1] += two.seconds * 1e3;
  total[2] += other * 1e3;
  std::printf("%-17s %7.1f %7.1f %5.0f%% %7.1f  peak %5.1f  %s | %s\n",
              shape.name.c_str(), work / one.seconds, work / two.seconds,
              100 * work / two.seconds / (2 * peak),
              other > 0 ? work / other : 0.0, peak, one.implementation.c_str(),
              theirs.c_str());
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  Numbers numbers = Numbers::F32;
  bool peer = true;
  unsigned turns = 0; // threads
  std::string kind, name;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (const char *const *known = std::find(kinds, std::end(kinds), word);
        known != std::end(kinds))
      numbers = Numbers(known - kinds);
    else if (word == "gemm" || word == "conv1" || word == "conv8")
      kind = word;
    else if (word == "turns=1" || word == "turns=2")
      turns = unsigned(word.back() - '0');
    else if (word == "nopeer")
      peer = false;
    else
      name = word;
  }
  auto forEachShape = [&](auto isWanted, auto use) {
    for (const GemmShape &shape : gemmShapes()) {
      // Between heads, both factors change: kernels of integers have constant
      // weights here.
      const bool isSupported = shape.heads == 0 || numbers != Numbers::Int8;
      if (isSupported && isWanted(shape.name, "gemm"))
        use(shape);
    }
    for (const int64_t batch : {1, 8})
      for (const ConvShape &shape : convShapes(batch))
        if (isWanted(shape.name, batch == 1 ? "conv1" : "conv8"))
          use(shape);
  };
  if (turns) {
    forEachShape(
        [&](const std::string &shape, const char *group) {
          return kind == group && shape == name;
        },
        [&](const auto &shape) { serve(shape, numbers, turns); });
    return 0;
  }
  std::printf("%s, host GF/s, medians; share of the f32 peak of two "
              "cores\n%-17s %7s %7s "
              "%6s %7s\n",
              kinds[unsigned(numbers)], "shape", "1 thr", "2 thr", "share",
              "oneDNN");
  forEachShape(
      [&](const std::string &shape, const char *group) {
        return (kind.empty() || kind == group) &&
               shape.find(name) != std::string::npos;
      },
      [&](const auto &shape) { printRow(shape, numbers, peer); });
  std::printf("sum ms %.2f %.2f, oneDNN %.2f\n", total[0], total[1], total[2]);
  return 0;
}
