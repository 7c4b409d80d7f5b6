// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of resampling along spatial dimensions (upsample_*) and of its
// gradients. Positions and weights are those of PyTorch, which computes them in
// f32. Cubic convolution: R. Keys, IEEE Trans. ASSP 29(6), 1981.
#include "Lowerings.h"
#include "Taps.h"

using namespace mlir;
using namespace gaudi;
using lowerings::Resampling;

namespace {
/// How one dimension is resampled.
struct Line {
  int64_t size, outputs;
  bool alignsCorners;
  std::optional<double> scale; ///< outputs per element, if it is given

  /// Elements per output.
  float step() const {
    if (alignsCorners)
      return outputs > 1 ? float(size - 1) / float(outputs - 1) : 0;
    if (scale && *scale > 0)
      return float(1 / *scale);
    return float(size) / float(outputs);
  }
};
} // namespace

/// The nearest elements. Sizes that are equal, and double ones, are exact.
static Taps nearest(const Line &line, bool isExact) {
  Taps taps(line.outputs);
  const float step = line.step();
  for (int64_t i = 0; i < line.outputs; ++i) {
    int64_t at = isExact ? int64_t(std::floor((float(i) + 0.5f) * step))
                         : int64_t(std::floor(float(i) * step));
    if (!isExact && line.outputs == line.size)
      at = i;
    else if (!isExact && line.outputs == 2 * line.size)
      at = i / 2;
    taps[i].push_back({std::clamp<int64_t>(at, 0, line.size - 1), 1});
  }
  return taps;
}

/// A weight of cubic convolution at a distance of 0 to 2.
static float cubicWeight(float distance, float a) {
  const float x = std::fabs(distance);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// Between the elements around a position: two, or four by a cubic.
static Taps between(const Line &line, bool isCubic) {
  Taps taps(line.outputs);
  const float step = line.step();
  for (int64_t i = 0; i < line.outputs; ++i) {
    if (!isCubic && line.size == line.outputs) {
      taps[i].push_back({i, 1});
      continue;
    }
    float at =
        line.alignsCorners ? step * float(i) : step * (float(i) + 0.5f) - 0.5f;
    if (!isCubic)
      at = std::max(at, 0.0f);
    const int64_t low = std::min(int64_t(std::floor(at)), line.size - 1);
    const float part = std::clamp(at - float(low), 0.0f, 1.0f);
    auto add = [&](int64_t position, float weight) {
      taps[i].push_back(
          {std::clamp<int64_t>(position, 0, line.size - 1), weight});
    };
    if (!isCubic) {
      add(low, 1 - part);
      add(low + 1, part);
      continue;
    }
    for (int64_t k = 0; k < 4; ++k)
      add(low - 1 + k, cubicWeight(part + 1 - float(k), -0.75f));
  }
  return taps;
}

/// Over all elements that an output stands for, with weights that sum up to 1.
static Taps antialiased(const Line &line, bool isCubic) {
  Taps taps(line.outputs);
  const float step = line.step(), wide = std::max(step, 1.0f);
  const float support = (isCubic ? 2.0f : 1.0f) * wide;
  for (int64_t i = 0; i < line.outputs; ++i) {
    const float center = step * (float(i) + 0.5f);
    const int64_t first =
        std::max<int64_t>(int64_t(center - support + 0.5f), 0);
    const int64_t end = std::min(int64_t(center + support + 0.5f), line.size);
    float sum = 0;
    SmallVector<float> weights;
    for (int64_t at = first; at < end; ++at) {
      const float distance = (float(at) - center + 0.5f) / wide;
      weights.push_back(isCubic ? cubicWeight(distance, -0.5f)
                                : std::max(1 - std::fabs(distance), 0.0f));
      sum += weights.back();
    }
    for (auto [k, weight] : llvm::enumerate(weights))
      taps[i].push_back({first + int64_t(k), sum != 0 ? weight / sum : weight});
  }
  return taps;
}

static Taps tapsOf(const Line &line, Resampling kind) {
  switch (kind) {
  case Resampling::Nearest:
  case Resampling::NearestExact:
    return nearest(line, kind == Resampling::NearestExact);
  case Resampling::Linear:
  case Resampling::Cubic:
    return between(line, kind == Resampling::Cubic);
  case Resampling::LinearAntialias:
  case Resampling::CubicAntialias:
    return antialiased(line, kind == Resampling::CubicAntialias);
  }
  llvm_unreachable("unknown resampling");
}

/// `sizes` of the spatial dimensions are resampled to `outputs`; `next` is the
/// argument after those of sizes.
static Lowered resampleSizes(TorchCall &c, Resampling kind, bool isGradient,
                             ArrayRef<int64_t> sizes, ArrayRef<int64_t> outputs,
                             unsigned next) {
  if (!isFloatElement(c.resultElement()))
    return c.refuse("it is defined for floats only");
  if (c.result().getNumElements() == 0)
    return lowerings::zeros(c);
  const bool hasCorners =
      kind != Resampling::Nearest && kind != Resampling::NearestExact;
  const bool alignsCorners = hasCorners && c.flag(next);
  next += hasCorners;
  Value value = c.cast(c.tensor(0), c.builder.getF32Type());
  for (size_t dim = 0; dim < outputs.size(); ++dim) {
    Line line{sizes[dim], outputs[dim], alignsCorners, std::nullopt};
    if (c.has(next + dim))
      line.scale = c.number(next + dim);
    // An antialiased output reads all that it stands for, twice for a cubic.
    if (failed(checkTaps(c, line.size, line.outputs,
                         4 * (int64_t(line.step()) + 2))))
      return failure();
    Taps taps = tapsOf(line, kind);
    if (isGradient)
      taps = transposed(taps, sizes[dim]);
    value = applyTaps(c, value, int64_t(dim) + 2, taps);
    if (!value)
      return failure();
  }
  return lowerings::one(c.cast(value, c.resultElement()));
}

Lowered lowerings::resampleBy(TorchCall &c, Resampling kind) {
  return resampleSizes(c, kind, /*isGradient=*/false,
                       tensorType(c.tensor(0)).getShape().drop_front(2),
                       c.ints(1), 2);
}

Lowered lowerings::resampleGradientBy(TorchCall &c, Resampling kind) {
  return resampleSizes(c, kind, /*isGradient=*/true, c.ints(2).drop_front(2),
                       c.ints(1), 3);
}
