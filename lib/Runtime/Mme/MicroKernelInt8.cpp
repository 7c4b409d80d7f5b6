// The kernel of 8-bit integers in plain C++, on any host: the others are
// checked against it.
#include "MicroKernelBody.h"

namespace gaudi::runtime {
namespace {

struct Sums {
  static constexpr int lanes = 16;
  uint32_t value[lanes]; // sums, or the bits of four integers

  static Sums zero() { return {}; }
  static Sums load(const float *from) {
    Sums result;
    __builtin_memcpy(result.value, from, sizeof(result.value));
    return result;
  }
  static Sums broadcast(const uint8_t *from) {
    Sums result;
    for (uint32_t &lane : result.value)
      __builtin_memcpy(&lane, from, sizeof(lane));
    return result;
  }
  void add(const Sums &other) {
    for (int i = 0; i < lanes; ++i)
      value[i] += other.value[i];
  }
  void multiplyAdd(const Sums &a, const Sums &b) {
    for (int i = 0; i < lanes; ++i)
      for (int byte = 0; byte < 32; byte += 8)
        value[i] += uint32_t(int32_t(uint8_t(a.value[i] >> byte)) *
                             int32_t(int8_t(b.value[i] >> byte)));
  }
  void fix() {}
  void store(float *to) const { __builtin_memcpy(to, value, sizeof(value)); }
};

constexpr MicroKernel half =
    tiles<Sums, 12, 1>("portableint8", StepFormat::Int8, nullptr);
constexpr MicroKernel kernel =
    tiles<Sums, 14, 2>("portableint8", StepFormat::Int8, &half);

} // namespace

const MicroKernel *portableInt8Kernel() { return &kernel; }

} // namespace gaudi::runtime
