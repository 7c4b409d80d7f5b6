// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the tests of matrix commands.
#ifndef GAUDI_TEST_UNIT_RUNTIME_MATRIXTEST_H
#define GAUDI_TEST_UNIT_RUNTIME_MATRIXTEST_H

#include "Mme/Kernels/MicroKernel.h"
#include "TestRecipe.h"

#include <cmath>
#include <cstdlib>

namespace gaudi::test {

/// Error allowed for f32 sums of `k` products of values below 1, plus half a
/// unit of the output format.
inline double tolerance(ElementType type, double expected, double k) {
  double unit = 0x1p-23;
  if (type == ElementType::BF16)
    unit = 0x1p-8;
  else if (type == ElementType::F16)
    unit = 0x1p-11;
  else if (type == ElementType::F8E4M3FN)
    unit = 0x1p-4;
  else if (type == ElementType::F8E5M2)
    unit = 0x1p-3;
  const double smallest = type == ElementType::F8E4M3FN ? 0x1p-10
                          : type == ElementType::F8E5M2 ? 0x1p-17
                          : type == ElementType::F16    ? 0x1p-25
                                                        : 0;
  return 1.001 * unit * std::fabs(expected) + smallest + k * 1e-6;
}

inline int64_t offsetOf(const Dims &index, const Dims &sizes) {
  int64_t offset = 0;
  for (size_t d = 0; d < sizes.size(); ++d)
    offset = offset * sizes[d] + (sizes[d] == 1 ? 0 : index[d]);
  return offset;
}

/// Chooses how matrix commands that are loaded while it lives run: the name of
/// a micro kernel, or "" for what is best on this host.
class WithKernel {
public:
  explicit WithKernel(const std::string &name) {
    if (name.empty())
      ::unsetenv("GAUDI_MME");
    else
      ::setenv("GAUDI_MME", name.c_str(), 1);
  }
  ~WithKernel() { ::unsetenv("GAUDI_MME"); }
  WithKernel(const WithKernel &) = delete;
  WithKernel &operator=(const WithKernel &) = delete;
};

/// Kernels of the host and portable ones, as WithKernel takes them.
inline std::vector<std::string> kernelNames() {
  std::vector<std::string> names = {"", "portable", "portableamx", "vector128"};
  if (runtime::avx2Kernel())
    names.push_back("avx2");
  if (runtime::avx512Kernel())
    names.push_back("avx512");
  if (runtime::neonKernel())
    names.push_back("neon");
  return names;
}

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_RUNTIME_MATRIXTEST_H
