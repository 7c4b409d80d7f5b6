// A host uses a micro kernel only if it computes what the portable one does.
#include "Mme/MicroKernel.h"

#include <gtest/gtest.h>

#include <array>

using namespace gaudi::runtime;

namespace {

/// What the last element of a result is off by.
constexpr float error = 0.01f;

const MicroKernel &portable() { return *portableKernel(false); }

void wrongThin(const ThinCall &call) {
  portable().thin(call);
  call.c[call.count - 1][call.columns - 1] += error;
}

/// Only where the steps lie side by side.
void wrongDots(const ThinCall &call) {
  portable().thin(call);
  if (call.depthStride == 1)
    call.c[0][call.columns - 1] += error;
}

void wrongDepth(const DepthCall &call) {
  portable().depth(call);
  if (call.count == depthPositions)
    call.y[(call.count - 1) * call.yStep + call.channels - 1] += error;
}

template <int Rows> void wrongBlock(const BlockCall &call) {
  portable().half->functions[Rows](call);
  call.c[(Rows - 1) * call.cStride + portable().half->columns - 1] += error;
}

TEST(MicroKernel, PortableKernelsAgree) {
  EXPECT_TRUE(agrees(*portableKernel(false)));
  EXPECT_TRUE(agrees(*portableKernel(true)));
}

TEST(MicroKernel, EveryFunctionIsCompared) {
  MicroKernel kernel = portable();
  kernel.thin = wrongThin;
  EXPECT_FALSE(agrees(kernel));
  kernel.thin = wrongDots;
  EXPECT_FALSE(agrees(kernel));
  kernel = portable();
  kernel.depth = wrongDepth;
  EXPECT_FALSE(agrees(kernel));

  std::array<BlockFunction, maxBlockRows + 1> functions{};
  MicroKernel half = *portable().half;
  for (int r = 1; r <= half.rows; ++r)
    functions[size_t(r)] = half.functions[r];
  half.functions = functions.data();
  kernel = portable();
  kernel.half = &half;
  EXPECT_TRUE(agrees(kernel));
  functions[11] = wrongBlock<11>;
  EXPECT_FALSE(agrees(kernel));
}

} // namespace
