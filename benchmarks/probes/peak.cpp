// Measures the multiply-add peak of this machine, f32 and bf16, with one and
// with N threads. Usage: peak N [ATTEMPTS]. Prints one line of JSON, in
// GFLOP/s.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <immintrin.h>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

// Enough independent sums to hide the latency of the units.
constexpr int sums = 12;
constexpr long rounds = 20000;

#define FMA_KERNEL(NAME, TARGET, VECTOR, SET, STEP, STORE)                     \
  __attribute__((target(TARGET), noinline)) float NAME(float start) {          \
    VECTOR r[sums];                                                            \
    const VECTOR a = SET(0.999f), b = SET(0.001f);                             \
    for (VECTOR &sum : r)                                                      \
      sum = SET(start);                                                        \
    for (long i = 0; i < rounds; ++i) {                                        \
      _Pragma("clang loop unroll(full)") for (int k = 0; k < sums; ++k) r[k] = \
          STEP;                                                                \
    }                                                                          \
    float total = 0;                                                           \
    for (VECTOR &sum : r) {                                                    \
      float lanes[16];                                                         \
      STORE(lanes, sum);                                                       \
      total += lanes[0];                                                       \
    }                                                                          \
    return total;                                                              \
  }

FMA_KERNEL(fmaAvx2, "avx2,fma", __m256, _mm256_set1_ps,
           _mm256_fmadd_ps(r[k], a, b), _mm256_storeu_ps)
FMA_KERNEL(fmaAvx512, "avx512f", __m512, _mm512_set1_ps,
           _mm512_fmadd_ps(r[k], a, b), _mm512_storeu_ps)

__attribute__((target("avx512f,avx512bf16,avx512bw,avx512vl"), noinline)) float
dotBf16(float start) {
  __m512 r[sums];
  const __m512bh a =
      _mm512_cvtne2ps_pbh(_mm512_set1_ps(0.5f), _mm512_set1_ps(0.25f));
  for (__m512 &sum : r)
    sum = _mm512_set1_ps(start);
  for (long i = 0; i < rounds; ++i) {
#pragma clang loop unroll(full)
    for (int k = 0; k < sums; ++k)
      r[k] = _mm512_dpbf16_ps(r[k], a, a);
  }
  float total = 0;
  for (__m512 &sum : r)
    total += _mm512_cvtss_f32(sum);
  return total;
}

// The compiler must not know what goes in, nor that nothing comes out.
volatile float start = 2.0f, keep;

/// The best of several short runs, all threads at once.
double measure(float (*kernel)(float), double flopsPerCall, unsigned threads,
               int attempts) {
  double best = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    std::atomic<unsigned> ready{0};
    std::vector<double> rates(threads);
    std::vector<std::thread> team;
    for (unsigned id = 0; id < threads; ++id)
      team.emplace_back([&, id] {
        ready.fetch_add(1);
        while (ready.load() < threads) {
        }
        long calls = 0;
        const auto begin = Clock::now();
        double seconds = 0;
        do {
          for (int i = 0; i < 50; ++i, ++calls)
            keep = kernel(start);
          seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        } while (seconds < 0.15);
        rates[id] = double(calls) * flopsPerCall / seconds / 1e9;
      });
    double total = 0;
    for (unsigned id = 0; id < threads; ++id) {
      team[id].join();
      total += rates[id];
    }
    best = std::max(best, total);
  }
  return best;
}

} // namespace

int main(int argc, char **argv) {
  const unsigned threads = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1;
  const int attempts = argc > 2 ? std::max(1, std::atoi(argv[2])) : 4;
  const bool wide = __builtin_cpu_supports("avx512f");
  const bool bf16 = wide && __builtin_cpu_supports("avx512bf16");
  if (!wide &&
      !(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))) {
    std::fprintf(stderr, "peak: error: this CPU has no AVX2\n");
    return 1;
  }
  const double per = double(rounds) * sums * 2;
  auto f32 = [&](unsigned n) {
    return measure(wide ? fmaAvx512 : fmaAvx2, per * (wide ? 16 : 8), n,
                   attempts);
  };
  const double f32One = f32(1), f32All = f32(threads);
  // Without bf16 instructions the products are f32 ones.
  const double bf16One =
      bf16 ? measure(dotBf16, per * 32, 1, attempts) : f32One;
  const double bf16All =
      bf16 ? measure(dotBf16, per * 32, threads, attempts) : f32All;
  std::printf("{\"threads\": %u, \"f32_unit\": \"%s\", \"bf16_unit\": \"%s\", "
              "\"f32_1\": %.1f, \"f32_n\": %.1f, \"bf16_1\": %.1f, "
              "\"bf16_n\": %.1f}\n",
              threads, wide ? "avx512" : "avx2",
              bf16 ? "avx512_bf16" : "none, f32 instead", f32One, f32All,
              bf16One, bf16All);
}
