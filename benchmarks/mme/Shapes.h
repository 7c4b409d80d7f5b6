// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The products and convolutions that are measured.
#ifndef GAUDI_BENCHMARKS_MME_SHAPES_H
#define GAUDI_BENCHMARKS_MME_SHAPES_H

#include <cstdint>
#include <string>
#include <vector>

namespace gaudi::bench {

/// Int8: u8 by s8, summed in i32; a TPC kernel to the compiler.
enum class Numbers { F32, BF16, Int8 };

struct GemmShape {
  std::string name;
  int64_t heads, m, n, k; // heads 0: one matrix and constant weights
  bool transposeB = false;
};

struct ConvShape {
  std::string name;
  int64_t n, in, out, size, kernel, stride, pad, groups = 1;
};

inline std::vector<GemmShape> gemmShapes() {
  return {{"bert qkv", 0, 128, 768, 768},
          {"bert up", 0, 128, 3072, 768},
          {"bert down", 0, 128, 768, 3072},
          {"bert qkv b8", 0, 1024, 768, 768},
          {"bert up b8", 0, 1024, 3072, 768},
          {"bert down b8", 0, 1024, 768, 3072},
          {"bert qk", 12, 128, 128, 64, true},
          {"bert pv", 12, 128, 64, 128},
          {"llama up", 0, 512, 5632, 2048},
          {"llama down", 0, 512, 2048, 5632},
          {"llama qkv", 0, 512, 2048, 2048},
          {"llama qk", 16, 512, 512, 128, true},
          {"llama pv", 16, 512, 128, 512},
          {"gpt qkv", 0, 128, 2304, 768},
          {"decode 1", 0, 1, 4096, 4096},
          {"decode 16", 0, 16, 4096, 4096},
          {"square", 0, 1024, 1024, 1024},
          {"head", 0, 128, 1000, 2048}};
}

inline std::vector<ConvShape> convShapes(int64_t batch) {
  std::vector<ConvShape> shapes = {
      {"stem 7x7", batch, 3, 64, 224, 7, 2, 3},
      {"1x1 64-64", batch, 64, 64, 56, 1, 1, 0},
      {"3x3 64", batch, 64, 64, 56, 3, 1, 1},
      {"1x1 64-256", batch, 64, 256, 56, 1, 1, 0},
      {"1x1 256-64", batch, 256, 64, 56, 1, 1, 0},
      {"1x1 256-128", batch, 256, 128, 56, 1, 1, 0},
      {"3x3 128 /2", batch, 128, 128, 56, 3, 2, 1},
      {"3x3 128", batch, 128, 128, 28, 3, 1, 1},
      {"1x1 128-512", batch, 128, 512, 28, 1, 1, 0},
      {"1x1 256-512 /2", batch, 256, 512, 56, 1, 2, 0},
      {"1x1 512-128", batch, 512, 128, 28, 1, 1, 0},
      {"3x3 256 /2", batch, 256, 256, 28, 3, 2, 1},
      {"3x3 256", batch, 256, 256, 14, 3, 1, 1},
      {"1x1 256-1024", batch, 256, 1024, 14, 1, 1, 0},
      {"1x1 512-1024 /2", batch, 512, 1024, 28, 1, 2, 0},
      {"1x1 1024-256", batch, 1024, 256, 14, 1, 1, 0},
      {"3x3 512 /2", batch, 512, 512, 14, 3, 2, 1},
      {"3x3 512", batch, 512, 512, 7, 3, 1, 1},
      {"1x1 512-2048", batch, 512, 2048, 7, 1, 1, 0},
      {"1x1 1024-2048 /2", batch, 1024, 2048, 14, 1, 2, 0},
      {"1x1 2048-512", batch, 2048, 512, 7, 1, 1, 0},
      {"depthwise 3x3", batch, 32, 32, 112, 3, 1, 1, 32},
      {"depthwise 64", batch, 64, 64, 112, 3, 1, 1, 64},
      {"depthwise 128 /2", batch, 128, 128, 56, 3, 2, 1, 128},
      {"depthwise 512", batch, 512, 512, 14, 3, 1, 1, 512},
      {"depthwise 5x5", batch, 144, 144, 56, 5, 1, 2, 144}};
  return shapes;
}

/// Multiply and add count 2; padding counts.
inline double flops(const GemmShape &g) {
  return 2.0 * double(g.heads ? g.heads : 1) * double(g.m) * double(g.n) *
         double(g.k);
}
inline int64_t outSize(const ConvShape &c) {
  return (c.size + 2 * c.pad - c.kernel) / c.stride + 1;
}
inline double flops(const ConvShape &c) {
  return 2.0 * double(c.n) * double(c.out) * double(c.in / c.groups) *
         double(c.kernel * c.kernel) * double(outSize(c) * outSize(c));
}

/// oneDNN alone with `threads` OpenMP threads, on weights it packed before and
/// that are cold: seconds per run and its implementation.
double oneDnn(const GemmShape &shape, Numbers numbers, int threads,
              std::string &implementation);
double oneDnn(const ConvShape &shape, Numbers numbers, int threads,
              std::string &implementation);

/// Seconds by the wall clock; with CPU in the environment, CPU time.
double secondsNow();

/// Median seconds of a call; the fastest with BEST in the environment: the
/// machine has other tenants.
template <typename Run> double typicalSeconds(Run run);

} // namespace gaudi::bench

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>

inline double gaudi::bench::secondsNow() {
  static const clockid_t clock =
      std::getenv("CPU") ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  timespec now;
  clock_gettime(clock, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

template <typename Run> double gaudi::bench::typicalSeconds(Run run) {
  using Clock = std::chrono::steady_clock;
  run();
  std::vector<double> times;
  const auto start = Clock::now();
  do {
    const double before = secondsNow();
    run();
    times.push_back(secondsNow() - before);
  } while (times.size() < 3 ||
           Clock::now() - start < std::chrono::milliseconds(300));
  std::sort(times.begin(), times.end());
  return times[std::getenv("BEST") ? 0 : times.size() / 2];
}

#endif // GAUDI_BENCHMARKS_MME_SHAPES_H
