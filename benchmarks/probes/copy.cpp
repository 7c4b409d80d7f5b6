// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the copy bandwidth. Usage: copy BYTES THREADS [cpu]. Prints one line
// of JSON: GB/s, counting bytes read and written, of several ways to copy an
// array of BYTES to another, with small and with huge pages; medians. With
// `cpu`, of CPU time of each thread instead of wall time.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <immintrin.h>
#include <sys/mman.h>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Copy = void (*)(float *, const float *, size_t);

__attribute__((target("avx"), noinline)) void
plain(float *to, const float *from, size_t count) {
  for (size_t i = 0; i < count; i += 16) {
    _mm256_store_ps(to + i, _mm256_load_ps(from + i));
    _mm256_store_ps(to + i + 8, _mm256_load_ps(from + i + 8));
  }
}

__attribute__((target("avx"), noinline)) void
streaming(float *to, const float *from, size_t count) {
  for (size_t i = 0; i < count; i += 16) {
    _mm256_stream_ps(to + i, _mm256_load_ps(from + i));
    _mm256_stream_ps(to + i + 8, _mm256_load_ps(from + i + 8));
  }
  _mm_sfence();
}

void library(float *to, const float *from, size_t count) {
  std::memcpy(to, from, count * sizeof(float));
}

float *allocate(size_t bytes, bool huge) {
  constexpr size_t page = size_t(2) << 20;
  void *data = ::mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) {
    std::fprintf(stderr, "copy: error: not enough memory for %zu bytes\n",
                 bytes);
    std::exit(1);
  }
  ::madvise(data, bytes + page, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  auto address = (reinterpret_cast<uintptr_t>(data) + page - 1) / page * page;
  std::memset(reinterpret_cast<void *>(address), 1, bytes);
  return reinterpret_cast<float *>(address);
}

double cpuSeconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

/// Threads that meet before and after each repetition.
double measure(Copy copy, float *to, const float *from, size_t count,
               unsigned threads, bool isCpuTime) {
  constexpr unsigned repetitions = 25;
  std::atomic<unsigned> arrived{0};
  auto meet = [&](unsigned goal) {
    arrived.fetch_add(1);
    while (arrived.load() < goal) {
    }
  };
  std::vector<double> seconds;
  std::vector<std::vector<double>> computed(threads);
  auto work = [&](unsigned id) {
    const size_t share = count / threads / 16 * 16;
    const size_t first = id * share;
    const size_t size = id + 1 == threads ? count - first : share;
    for (unsigned i = 0; i < repetitions; ++i) {
      meet(threads * (2 * i + 1));
      const double cpu = cpuSeconds();
      const auto start = Clock::now();
      copy(to + first, from + first, size);
      computed[id].push_back(cpuSeconds() - cpu);
      meet(threads * (2 * i + 2));
      if (id == 0)
        seconds.push_back(
            std::chrono::duration<double>(Clock::now() - start).count());
    }
  };
  std::vector<std::thread> team;
  for (unsigned id = 1; id < threads; ++id)
    team.emplace_back(work, id);
  work(0);
  for (std::thread &member : team)
    member.join();
  for (unsigned i = 0; isCpuTime && i < repetitions; ++i) {
    seconds[i] = 0;
    for (const std::vector<double> &own : computed)
      seconds[i] += own[i] / threads;
  }
  std::sort(seconds.begin(), seconds.end());
  return 2.0 * double(count) * sizeof(float) / seconds[seconds.size() / 2] /
         1e9;
}

} // namespace

int main(int argc, char **argv) {
  const size_t bytes =
      argc > 2 ? std::strtoull(argv[1], nullptr, 10) / 64 * 64 : 0;
  const unsigned threads = argc > 2 ? std::max(1, std::atoi(argv[2])) : 0;
  if (bytes == 0) {
    std::fprintf(stderr, "usage: copy BYTES THREADS [cpu]\n");
    return 2;
  }
  const bool isCpuTime = argc > 3 && !std::strcmp(argv[3], "cpu");
  const size_t count = bytes / sizeof(float);
  double best = 0;
  std::printf("{\"bytes\": %zu, \"threads\": %u", bytes, threads);
  for (bool huge : {false, true}) {
    float *to = allocate(bytes, huge);
    const float *from = allocate(bytes, huge);
    const std::pair<const char *, Copy> ways[] = {
        {"plain", plain}, {"streaming", streaming}, {"memcpy", library}};
    for (const auto &[name, way] : ways) {
      const double rate = measure(way, to, from, count, threads, isCpuTime);
      best = std::max(best, rate);
      std::printf(", \"%s%s\": %.1f", name, huge ? "_huge" : "", rate);
    }
  }
  std::printf(", \"best\": %.1f}\n", best);
}
