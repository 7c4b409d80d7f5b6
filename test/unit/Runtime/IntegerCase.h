// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contractions of 8-bit integers, run by every kernel of the host.
#ifndef GAUDI_TEST_UNIT_RUNTIME_INTEGERCASE_H
#define GAUDI_TEST_UNIT_RUNTIME_INTEGERCASE_H

#include "IntegerKernel.h"
#include "Mme/Kernels/HostFeatures.h"

#include <cstdlib>
#include <optional>

namespace gaudi::test {

/// An environment variable while it lives.
class Environment {
public:
  Environment(const char *name, const char *value) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
    ::setenv(name, value, 1);
  }
  ~Environment() {
    if (before)
      ::setenv(name, before->c_str(), 1);
    else
      ::unsetenv(name);
  }
  Environment(const Environment &) = delete;
  Environment &operator=(const Environment &) = delete;

private:
  const char *name;
  std::optional<std::string> before;
};

/// Every value of a byte; the ends, whose products are the largest, often.
inline Bytes someBytes(int64_t count, uint64_t seed) {
  Random random(seed);
  Bytes bytes(static_cast<size_t>(count));
  for (uint8_t &byte : bytes) {
    const uint64_t bits = random.next() >> 20;
    constexpr uint8_t ends[] = {0x80, 0x7f, 0xff, 0};
    byte = bits % 4 == 0 ? ends[bits / 4 % 4] : uint8_t(bits / 16);
  }
  return bytes;
}

/// Bytes around zero (unsigned: 128) of that many bits; those of 8 stay.
inline Bytes narrowed(Bytes bytes, int bits, bool isSigned) {
  if (bits == 8)
    return bytes;
  for (uint8_t &byte : bytes)
    byte = uint8_t(int8_t(byte) >> (8 - bits)) ^ (isSigned ? 0 : 0x80);
  return bytes;
}

/// Whether the kernel of AVX2 multiplies the first command's constants by its
/// functions for small ones, where the host has it.
inline void expectSmallConstants(TestRecipe &recipe, bool expected) {
  if (!runtime::hostFeatures().has(runtime::HasAvx2))
    return;
  const Environment choice("GAUDI_MME", "avx2");
  auto executable = recipe.load();
  ASSERT_TRUE(executable);
  const std::string how = executable->commands()[0].implementation;
  EXPECT_EQ(how.find(" of small constants") != std::string::npos, expected)
      << how;
}

/// What a kernel reads from a byte.
inline uint32_t extended(uint8_t byte, bool isSigned) {
  return isSigned ? uint32_t(int32_t(int8_t(byte))) : byte;
}

/// Runs the recipe by the code generator alone and by each kernel of the host,
/// which computes `command`: the first output must be `wanted`.
inline void expectIntegers(TestRecipe &recipe, const std::vector<Bytes> &inputs,
                           const Bytes &wanted, size_t command = 0) {
  {
    const Environment jit("GAUDI_INTEGERS", "jit");
    auto executable = recipe.load();
    ASSERT_TRUE(executable);
    EXPECT_EQ(executable->commands()[command].implementation.rfind("jit:", 0),
              0u);
    EXPECT_EQ(TestRecipe::run(*executable, inputs)[0], wanted) << "by the JIT";
  }
  unsigned kernels = 0;
  for (const char *name : {"", "portable", "portableamx", "avx2", "avxvnni",
                           "avx512vnni", "avx512vnnisigned", "amxint8"}) {
    std::optional<Environment> choice;
    if (*name)
      choice.emplace("GAUDI_MME", name);
    for (unsigned threads : {1u, 3u}) {
      runtime::LoadOptions options;
      options.threads = threads;
      options.pipelined = threads == 1 || *name;
      auto executable = recipe.tryLoad(options);
      if (!executable)
        break; // the host does not have it
      const std::string how = (*executable)->commands()[command].implementation;
      // Which kernels exist is not this test's business.
      if (*name && how.rfind("tile:", 0) != 0)
        break;
      EXPECT_EQ(how.rfind("tile:", 0), 0u) << how;
      EXPECT_NE(how.find(":i8"), std::string::npos) << how;
      ++kernels;
      EXPECT_EQ(TestRecipe::run(**executable, inputs)[0], wanted) << how;
    }
  }
  EXPECT_GE(kernels, 4u) << "the host's own kernel and the portable one";
}

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_RUNTIME_INTEGERCASE_H
