// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the multiply-add peak of each instruction set of this machine, with
// one and with N threads. Usage: peak N [ATTEMPTS]. Prints one line of JSON:
// for each unit its element type and GFLOP/s (two operations per multiply-add,
// also of integers): by wall time on one and on N threads, and by CPU time of
// one thread, which other processes do not disturb. With --list, which units
// this machine has, without measuring; with --check, whether their sums are
// right.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cpuid.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <immintrin.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

// Enough independent sums to hide the latency of the units.
constexpr int sums = 12;
constexpr long rounds = 20000;

//===-- vectors -----------------------------------------------------------===//

/// A loop over independent sums `r[k]`; the operands are unknown to the
/// compiler in each step, which therefore computes each product.
#define VECTOR_KERNEL(NAME, TARGET, VECTOR, SET, STEP, ADD)                    \
  __attribute__((target(TARGET), noinline)) double NAME(int start) {           \
    VECTOR r[sums];                                                            \
    VECTOR a = SET(start), b = SET(start);                                     \
    for (VECTOR &sum : r)                                                      \
      sum = VECTOR{};                                                          \
    for (long i = 0; i < rounds; ++i) {                                        \
      _Pragma("clang loop unroll(full)") for (int k = 0; k < sums; ++k) {      \
        asm volatile("" : "+x"(a), "+x"(b));                                   \
        r[k] = STEP;                                                           \
      }                                                                        \
    }                                                                          \
    double total = 0;                                                          \
    for (VECTOR &sum : r) {                                                    \
      alignas(64) ADD lanes[sizeof(VECTOR) / sizeof(ADD)];                     \
      std::memcpy(lanes, &sum, sizeof lanes);                                  \
      total += double(lanes[0]);                                               \
    }                                                                          \
    return total;                                                              \
  }

#define SET_F32(START) _mm256_set1_ps(float(START))
#define SET_F32_WIDE(START) _mm512_set1_ps(float(START))
VECTOR_KERNEL(f32Avx2, "avx2,fma", __m256, SET_F32, _mm256_fmadd_ps(a, b, r[k]),
              float)
VECTOR_KERNEL(f32Avx512, "avx512f", __m512, SET_F32_WIDE,
              _mm512_fmadd_ps(a, b, r[k]), float)
VECTOR_KERNEL(int8Avx2, "avx2", __m256i, _mm256_set1_epi16,
              _mm256_add_epi32(r[k], _mm256_madd_epi16(a, b)), int)
VECTOR_KERNEL(int8AvxVnni, "avx2,avxvnni", __m256i, _mm256_set1_epi8,
              _mm256_dpbusd_avx_epi32(r[k], a, b), int)
VECTOR_KERNEL(int8Avx512Vnni, "avx512f,avx512vnni", __m512i, _mm512_set1_epi8,
              _mm512_dpbusd_epi32(r[k], a, b), int)

#define BF16 "avx512f,avx512bf16,avx512bw,avx512vl"
__attribute__((target(BF16))) inline __m512bh bf16Pairs(int start) {
  const __m512 number = _mm512_set1_ps(float(start));
  return _mm512_cvtne2ps_pbh(number, number);
}

__attribute__((target(BF16), noinline)) double bf16Avx512(int start) {
  __m512 r[sums];
  __m512bh a = bf16Pairs(start), b = bf16Pairs(start);
  for (__m512 &sum : r)
    sum = __m512{};
  for (long i = 0; i < rounds; ++i) {
#pragma clang loop unroll(full)
    for (int k = 0; k < sums; ++k) {
      asm volatile("" : "+x"(a), "+x"(b));
      r[k] = _mm512_dpbf16_ps(r[k], a, b);
    }
  }
  double total = 0;
  for (__m512 &sum : r)
    total += double(_mm512_cvtss_f32(sum));
  return total;
}

//===-- tiles -------------------------------------------------------------===//

/// What the CPU needs to know of the tiles: all have 16 rows of 64 bytes.
struct alignas(64) TileShapes {
  uint8_t palette = 1, startRow = 0, reserved[14] = {};
  uint16_t rowBytes[16] = {};
  uint8_t rows[16] = {};

  TileShapes() {
    std::fill_n(rowBytes, 8, uint16_t(64));
    std::fill_n(rows, 8, uint8_t(16));
  }
};

/// Sums in tiles 0 to 5 of the products of tiles 6 and 7: independent enough
/// for the latency, and nothing is loaded between.
#define TILE_KERNEL(NAME, TARGET, PRODUCT, ADD)                                \
  __attribute__((target("amx-tile," TARGET), noinline)) double NAME(           \
      const void *operand) {                                                   \
    const TileShapes shapes;                                                   \
    _tile_loadconfig(&shapes);                                                 \
    _tile_zero(0);                                                             \
    _tile_zero(1);                                                             \
    _tile_zero(2);                                                             \
    _tile_zero(3);                                                             \
    _tile_zero(4);                                                             \
    _tile_zero(5);                                                             \
    _tile_loadd(6, operand, 64);                                               \
    _tile_loadd(7, operand, 64);                                               \
    for (long i = 0; i < tileRounds; ++i) {                                    \
      PRODUCT(0, 6, 7);                                                        \
      PRODUCT(1, 6, 7);                                                        \
      PRODUCT(2, 6, 7);                                                        \
      PRODUCT(3, 6, 7);                                                        \
      PRODUCT(4, 6, 7);                                                        \
      PRODUCT(5, 6, 7);                                                        \
    }                                                                          \
    alignas(64) ADD sum[16 * 16];                                              \
    double total = 0;                                                          \
    _tile_stored(0, sum, 64);                                                  \
    total += double(sum[0]);                                                   \
    _tile_stored(1, sum, 64);                                                  \
    total += double(sum[0]);                                                   \
    _tile_stored(2, sum, 64);                                                  \
    total += double(sum[0]);                                                   \
    _tile_stored(3, sum, 64);                                                  \
    total += double(sum[0]);                                                   \
    _tile_stored(4, sum, 64);                                                  \
    total += double(sum[0]);                                                   \
    _tile_stored(5, sum, 64);                                                  \
    total += double(sum[0]);                                                   \
    _tile_release();                                                           \
    return total;                                                              \
  }

constexpr long tileRounds = 2000;
constexpr int tileSums = 6;
TILE_KERNEL(bf16Tiles, "amx-bf16", _tile_dpbf16ps, float)
TILE_KERNEL(int8Tiles, "amx-int8", _tile_dpbusd, int)

/// Elements of a tile that all have one value, of 1 or 2 bytes.
template <typename Element> const void *tileOf(Element value) {
  alignas(64) static thread_local Element elements[1024 / sizeof(Element)];
  std::fill_n(elements, 1024 / sizeof(Element), value);
  return elements;
}

double bf16Amx(int start) {
  const float number = float(start);
  uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return bf16Tiles(tileOf(uint16_t(bits >> 16)));
}

double int8Amx(int start) { return int8Tiles(tileOf(int8_t(start))); }

//===-- what this machine has ---------------------------------------------===//

/// The kernel of the system gives a process the memory for tiles when asked.
bool tilesPermitted() {
  constexpr long requestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
  constexpr long tileData = 18;              // XFEATURE_XTILE_DATA
  return ::syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
}

struct Features {
  bool f32Avx2, f32Avx512, bf16Avx512, avxVnni, avx512Vnni, amxBf16, amxInt8;

  Features() {
    // Those of vectors: with what the system saves of the registers.
    f32Avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    f32Avx512 = __builtin_cpu_supports("avx512f");
    bf16Avx512 = f32Avx512 && __builtin_cpu_supports("avx512bf16");
    avx512Vnni = f32Avx512 && __builtin_cpu_supports("avx512vnni");
    unsigned a = 0, b = 0, c = 0, d = 0;
    const bool hasLeaf = __get_cpuid_count(7, 0, &a, &b, &c, &d);
    const unsigned tiles = hasLeaf ? d : 0;
    const bool hasNext = hasLeaf && a >= 1;
    avxVnni = f32Avx2 && hasNext && __get_cpuid_count(7, 1, &a, &b, &c, &d) &&
              (a >> 4 & 1);
    const bool mayUse = (tiles >> 24 & 1) && tilesPermitted();
    amxBf16 = mayUse && (tiles >> 22 & 1);
    amxInt8 = mayUse && (tiles >> 25 & 1);
  }
};

struct Unit {
  const char *name, *type;
  bool isThere;
  double (*kernel)(int);
  double flops;    ///< of a call
  double expected; ///< what a call gives for ones
};

std::vector<Unit> unitsOf(const Features &has) {
  const double calls = double(rounds) * sums, tiles = tileRounds * tileSums;
  return {
      {"avx2", "f32", has.f32Avx2, f32Avx2, calls * 16, calls},
      {"avx512", "f32", has.f32Avx512, f32Avx512, calls * 32, calls},
      {"avx512bf16", "bf16", has.bf16Avx512, bf16Avx512, calls * 64, calls * 2},
      {"amxbf16", "bf16", has.amxBf16, bf16Amx, tiles * 16384, tiles * 32},
      {"avx2", "int8", has.f32Avx2, int8Avx2, calls * 32, calls * 2},
      {"avxvnni", "int8", has.avxVnni, int8AvxVnni, calls * 64, calls * 4},
      {"avx512vnni", "int8", has.avx512Vnni, int8Avx512Vnni, calls * 128,
       calls * 4},
      {"amxint8", "int8", has.amxInt8, int8Amx, tiles * 32768, tiles * 64}};
}

//===-- times -------------------------------------------------------------===//

// The compiler must not know what goes in, nor that nothing comes out.
volatile int start = 1;
volatile double keep;

double cpuSeconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

struct Rates {
  double wall = 0, cpu = 0; ///< GFLOP/s; of CPU time: of the best thread
};

/// The best of several short runs, all threads at once.
Rates measure(const Unit &unit, unsigned threads, int attempts) {
  Rates best;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    std::atomic<unsigned> ready{0};
    std::vector<Rates> rates(threads);
    std::vector<std::thread> team;
    for (unsigned id = 0; id < threads; ++id)
      team.emplace_back([&, id] {
        ready.fetch_add(1);
        while (ready.load() < threads) {
        }
        long calls = 0;
        const auto begin = Clock::now();
        const double cpu = cpuSeconds();
        double seconds = 0;
        do {
          for (int i = 0; i < 20; ++i, ++calls)
            keep = unit.kernel(start);
          seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        } while (seconds < 0.1);
        const double work = double(calls) * unit.flops * 1e-9;
        rates[id] = {work / seconds, work / (cpuSeconds() - cpu)};
      });
    double total = 0;
    for (unsigned id = 0; id < threads; ++id) {
      team[id].join();
      total += rates[id].wall;
      best.cpu = std::max(best.cpu, rates[id].cpu);
    }
    best.wall = std::max(best.wall, total);
  }
  return best;
}

bool isRight(const Unit &unit) {
  const double found = unit.kernel(start);
  if (found == unit.expected)
    return true;
  std::fprintf(stderr, "peak: error: %s %s gives %.17g, expected %.17g\n",
               unit.type, unit.name, found, unit.expected);
  return false;
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<Unit> units = unitsOf(Features());
  const char *mode = argc > 1 ? argv[1] : "";
  const bool list = !std::strcmp(mode, "--list");
  const bool check = !std::strcmp(mode, "--check");
  const unsigned threads = unsigned(std::max(1, std::atoi(mode)));
  const int attempts = argc > 2 ? std::max(1, std::atoi(argv[2])) : 4;
  bool isFirst = true, isFine = true;
  std::printf("{\"threads\": %u, \"units\": [", threads);
  for (const Unit &unit : units) {
    if (!unit.isThere)
      continue;
    std::printf("%s{\"type\": \"%s\", \"unit\": \"%s\"", isFirst ? "" : ", ",
                unit.type, unit.name);
    isFirst = false;
    if (list || check) {
      isFine = isFine && (list || isRight(unit));
      std::printf("}");
      continue;
    }
    const Rates one = measure(unit, 1, attempts);
    const Rates all = threads == 1 ? one : measure(unit, threads, attempts);
    std::printf(", \"one\": %.1f, \"all\": %.1f, \"cpu\": %.1f}", one.wall,
                all.wall, std::max(one.cpu, all.cpu));
  }
  std::printf("]}\n");
  if (isFirst)
    std::fprintf(stderr, "peak: error: this CPU has no AVX2\n");
  return isFirst || !isFine;
}
