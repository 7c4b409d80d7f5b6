// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random attention problems, and what they give in double precision.
#include "AttentionCase.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>

namespace gaudi::runtime::attention_test {

std::string Options::text() const {
  return fmt::format(
      "N{} H{}/{} L{} S{} D{}/{} shared{} type{} causal{} window{} lengths{} "
      "left{} mask{}:{} dropout{} saves{} permuted{} seed{}",
      images, heads, keyHeads, queries, keys, depth, valueDepth, sharedKeys,
      int(type), causal, window, lengths, paddingLeft, int(mask), maskBroadcast,
      int(dropout), int(saves), permuted, seed);
}

TestTensor Case::make(const Sizes &sizes, ElementType type, bool permuted,
                      double low, double high) {
  TestTensor t;
  t.sizes = sizes;
  t.bound.type = type;
  std::array<int, 4> order = {0, 1, 2, 3};
  if (permuted)
    std::shuffle(order.begin(), order.end(), random);
  int64_t strides[4], stride = 1;
  for (int i = 3; i >= 0; --i) {
    strides[order[size_t(i)]] = stride;
    // A gap after some rows: strides are not those of a dense tensor.
    stride = stride * sizes[size_t(order[size_t(i)])] + (permuted ? i % 2 : 0);
  }
  const int64_t size = recipe::elementSize(type);
  std::vector<uint8_t> &bytes = memory.emplace_back(size_t(stride * size), 0);
  t.bound.data = bytes.data();
  auto broadcast = [&](int d) {
    return sizes[size_t(d)] == 1 ? 0 : strides[d];
  };
  t.bound.n = broadcast(0);
  t.bound.h = broadcast(1);
  t.bound.row = broadcast(2);
  t.bound.column = sizes[3] == 1 ? 1 : strides[3];
  std::uniform_real_distribution<double> draw(low, high);
  Sizes at{};
  for (at[0] = 0; at[0] < sizes[0]; ++at[0])
    for (at[1] = 0; at[1] < sizes[1]; ++at[1])
      for (at[2] = 0; at[2] < sizes[2]; ++at[2])
        for (at[3] = 0; at[3] < sizes[3]; ++at[3]) {
          int64_t offset = 0;
          for (size_t d = 0; d < 4; ++d)
            offset += at[d] * strides[d];
          uint8_t *to = t.bound.data + offset * size;
          const double value = draw(random);
          if (recipe::isFloat(type)) {
            storeFloat(type, to, float(value));
            t.values.push_back(loadFloat(type, to));
          } else {
            storeInt(type, to, value > 0);
            t.values.push_back(double(value > 0));
          }
        }
  return t;
}

std::vector<double> Case::read(const TestTensor &t) const {
  std::vector<double> values;
  for (int64_t n = 0; n < t.sizes[0]; ++n)
    for (int64_t h = 0; h < t.sizes[1]; ++h)
      for (int64_t l = 0; l < t.sizes[2]; ++l)
        for (int64_t d = 0; d < t.sizes[3]; ++d) {
          const uint8_t *from =
              t.bound.data + (t.bound.offset(n, h, l) + d * t.bound.column) *
                                 recipe::elementSize(t.bound.type);
          values.push_back(recipe::isFloat(t.bound.type)
                               ? loadFloat(t.bound.type, from)
                               : double(loadInt(t.bound.type, from)));
        }
  return values;
}

void Case::addMask() {
  if (o.mask == Options::NoMask)
    return;
  Sizes sizes = {o.images, o.heads, o.queries, o.keys};
  for (unsigned d = 0; d < 4; ++d)
    if (o.maskBroadcast >> d & 1)
      sizes[d] = 1;
  const bool hides = o.mask == Options::Hides || o.mask == Options::HidesFinite;
  const ElementType type = hides                           ? ElementType::I1
                           : o.mask == Options::AddsNarrow ? ElementType::BF16
                                                           : ElementType::F32;
  mask = make(sizes, type, o.permuted, hides ? -0.5 : -3, hides ? 1 : 3);
  // Some of the added values are -infinity.
  if (!hides)
    for (int64_t l = 0; l < sizes[2]; ++l)
      for (int64_t j = 0; j < sizes[3]; ++j)
        if ((l * 7 + j * 3) % 5 == 0) {
          const int64_t offset =
              mask.bound.offset(0, 0, l) + j * mask.bound.column;
          storeFloat(type, mask.bound.data + offset * recipe::elementSize(type),
                     -std::numeric_limits<float>::infinity());
        }
  mask.values = read(mask);
  p.mask = mask.bound;
  if (sizes[3] == 1)
    p.mask.column = 0;
  p.maskValue = o.mask == Options::HidesFinite
                    ? -1e9f
                    : -std::numeric_limits<float>::infinity();
}

void Case::addDropout() {
  if (o.dropout == Options::NoDropout)
    return;
  p.dropout = o.dropout == Options::Weighted ? 0.0f : 0.3f;
  if (o.dropout == Options::Seeded) {
    seed = int32_t(random());
    p.seed = reinterpret_cast<const uint8_t *>(&seed);
    return;
  }
  const Sizes sizes = {o.images, o.heads, o.queries, o.keys};
  dropoutMask = o.dropout == Options::Masked
                    ? make(sizes, ElementType::I8, false, -0.3, 1)
                    : make(sizes, ElementType::F32, false, 0, 2);
  p.dropoutMask = dropoutMask.bound;
}

Case::Case(const Options &options) : o(options), random(o.seed) {
  p.images = o.images;
  p.heads = o.heads;
  p.keyHeads = o.keyHeads;
  p.keyImages = o.sharedKeys ? 1 : o.images;
  p.queries = o.queries;
  p.keys = o.keys;
  p.depth = o.depth;
  p.valueDepth = o.valueDepth;
  p.causal = o.causal;
  p.window = o.window;
  p.paddingLeft = o.paddingLeft;
  p.scale = 1.7f / std::sqrt(float(o.depth));
  const Sizes q = {o.images, o.heads, o.queries, o.depth};
  const Sizes k = {p.keyImages, o.keyHeads, o.keys, o.depth};
  const Sizes v = {p.keyImages, o.keyHeads, o.keys, o.valueDepth};
  const Sizes out = {o.images, o.heads, o.queries, o.valueDepth};
  const Sizes row = {o.images, o.heads, o.queries, 1};
  const Sizes all = {o.images, o.heads, o.queries, o.keys};
  const bool f8 = recipe::elementSize(o.type) == 1;
  query = make(q, o.type, o.permuted, -1, 1);
  key = make(k, o.type, o.permuted, -1, 1);
  value = make(v, o.type, o.permuted, -1, 1);
  const ElementType result = f8 && !o.scales ? ElementType::BF16 : o.type;
  output = make(out, result, o.permuted, 5, 5);
  p.query = query.bound;
  p.key = key.bound;
  p.value = value.bound;
  p.output = output.bound;
  addMask();
  addDropout();
  if (o.lengths) {
    for (int64_t n = 0; n < o.images; ++n)
      lengths.push_back(int32_t(random() % uint32_t(o.keys + 1)));
    p.lengths = reinterpret_cast<const uint8_t *>(lengths.data());
  }
  if (o.saves == Options::Statistics) {
    maxima = make(row, f8 ? ElementType::BF16 : o.type, false, 5, 5);
    inverseSums =
        make(row, f8 ? ElementType::BF16 : ElementType::F32, false, 5, 5);
    p.maxima = maxima.bound;
    p.inverseSums = inverseSums.bound;
  }
  if (o.saves == Options::Probabilities) {
    probabilities = make(all, o.type, false, 5, 5);
    p.probabilities = probabilities.bound;
    if (p.dropout > 0) {
      kept = make(all, ElementType::I8, false, 5, 5);
      p.kept = kept.bound;
    }
  }
  if (p.seed && o.saves != Options::None)
    p.seedResult = reinterpret_cast<uint8_t *>(&seedResult);
  if (!o.scales)
    return;
  const float chosen[6] = {2, 0.5f, 0.25f, 16, 4, 0.0625f};
  std::copy_n(chosen, 6, scales);
  AttentionScale *const places[6] = {&p.queryScale,  &p.keyScale,
                                     &p.valueScale,  &p.probabilityScale,
                                     &p.outputScale, &p.sumScale};
  for (int i = 0; i < 6; ++i)
    places[i]->data = reinterpret_cast<const uint8_t *>(&scales[i]);
  p.largestProbability = reinterpret_cast<uint8_t *>(&largest[0]);
  p.largestOutput = reinterpret_cast<uint8_t *>(&largest[1]);
}

namespace {
double scaleOf(const AttentionScale &scale) {
  float value = 1;
  if (scale.data)
    std::memcpy(&value, scale.data, sizeof(value));
  return value;
}

double roundedTo(ElementType type, double value) {
  uint8_t bytes[4];
  storeFloat(type, bytes, float(value));
  return loadFloat(type, bytes);
}
} // namespace

void Expected::scoreRow(const Case &c, int64_t n, int64_t h, int64_t i,
                        std::vector<double> &s) const {
  const AttentionProblem &p = c.p;
  const int64_t kn = c.key.sizes[0] == 1 ? 0 : n, kh = h / p.group();
  const double scale =
      double(p.scale) * scaleOf(p.queryScale) * scaleOf(p.keyScale);
  int64_t valid = p.keys;
  if (p.lengths) {
    int32_t length;
    std::memcpy(&length, p.lengths + n * 4, 4);
    valid = length;
  }
  for (int64_t j = 0; j < p.keys; ++j) {
    double sum = 0;
    for (int64_t d = 0; d < p.depth; ++d)
      sum += c.query.at(n, h, i, d) * c.key.at(kn, kh, j, d);
    sum *= scale;
    if (p.mask) {
      const double m = c.mask.at(n, h, i, j);
      if (p.mask.type == ElementType::I1)
        sum = m != 0 ? sum : double(p.maskValue);
      else
        sum += m;
    }
    const bool far =
        p.window > 0 && (i - j >= p.window || (!p.causal && j - i >= p.window));
    const bool padded = p.paddingLeft ? j < p.keys - valid : j >= valid;
    s[size_t(j)] = far || padded || (p.causal && j > i) ? -infinity : sum;
  }
}

Expected::Expected(const Case &c, bool roundP) {
  const AttentionProblem &p = c.p;
  std::vector<double> s(size_t(p.keys));
  for (int64_t n = 0; n < p.images; ++n)
    for (int64_t h = 0; h < p.heads; ++h)
      for (int64_t i = 0; i < p.queries; ++i) {
        scoreRow(c, n, h, i, s);
        const double m = *std::max_element(s.begin(), s.end());
        double sum = 0, storedSum = 0;
        const double stored = m == -infinity ? 0
                              : p.maxima     ? roundedTo(p.maxima.type, m)
                                             : m;
        std::vector<double> differences(s.size());
        for (size_t j = 0; j < s.size(); ++j) {
          differences[j] = s[j] - stored;
          storedSum += m == -infinity ? 0 : std::exp(differences[j]);
          sum += s[j] = m == -infinity ? 0 : std::exp(s[j] - m);
        }
        const double inverse = sum == 0 ? 0 : 1 / sum;
        // Exponentials of a maximum that its type does not hold.
        const double storedInverse =
            storedSum == 0 || !std::isfinite(storedSum) ? 0 : 1 / storedSum;
        maxima.push_back(stored);
        inverseSums.push_back(storedInverse);
        std::vector<double> o(size_t(p.valueDepth));
        const uint64_t first =
            uint64_t((n * p.heads + h) * p.queries + i) * uint64_t(p.keys);
        for (int64_t j = 0; j < p.keys; ++j) {
          double w = 1;
          if (p.dropoutMask) {
            w = c.dropoutMask.at(n, h, i, j);
            if (p.dropout > 0)
              w = w != 0 ? 1 / (1 - double(p.dropout)) : 0;
          } else if (p.dropout > 0) {
            w = isKept(uint32_t(c.seed), first + uint64_t(j), p.dropout)
                    ? 1 / (1 - double(p.dropout))
                    : 0;
          }
          double P = s[size_t(j)] * inverse;
          if (roundP && p.probabilities)
            P = roundedTo(p.query.type, P);
          probabilities.push_back(
              p.maxima ? storedInverse == 0
                             ? 0
                             : std::exp(differences[size_t(j)]) * storedInverse
                       : P);
          weights.push_back(w);
          largestProbability = std::max(largestProbability, P * w);
          P *= w;
          if (roundP)
            P = roundedTo(
                p.query.type,
                std::min(P * scaleOf(p.probabilityScale), double(p.largest)));
          for (int64_t d = 0; d < p.valueDepth; ++d)
            o[size_t(d)] += P * c.value.at(c.value.sizes[0] == 1 ? 0 : n,
                                           h / p.group(), j, d);
        }
        for (double x : o) {
          x *= scaleOf(p.sumScale) * scaleOf(p.valueScale);
          largestOutput = std::max(largestOutput, std::fabs(x));
          x *= scaleOf(p.outputScale);
          output.push_back(
              std::clamp(x, double(-p.largest), double(p.largest)));
        }
      }
}

void Expected::differentiate(const Case &c) {
  const AttentionProblem &p = c.p;
  const double scale = p.scale;
  queryGrad.assign(c.query.values.size(), 0);
  keyGrad.assign(c.key.values.size(), 0);
  valueGrad.assign(c.value.values.size(), 0);
  std::vector<double> change(size_t(p.keys));
  auto element = [](const TestTensor &t, int64_t n, int64_t h, int64_t l) {
    return size_t(
        (((t.sizes[0] == 1 ? 0 : n) * t.sizes[1] + h) * t.sizes[2] + l) *
        t.sizes[3]);
  };
  for (int64_t n = 0; n < p.images; ++n)
    for (int64_t h = 0; h < p.heads; ++h)
      for (int64_t i = 0; i < p.queries; ++i) {
        const int64_t kh = h / p.group();
        const size_t first =
            size_t(((n * p.heads + h) * p.queries + i) * p.keys);
        const size_t q = element(c.query, n, h, i),
                     o = element(c.outputGrad, n, h, i);
        double mean = 0;
        for (int64_t j = 0; j < p.keys; ++j) {
          const size_t v = element(c.value, n, kh, j);
          double sum = 0;
          for (size_t d = 0; d < size_t(p.valueDepth); ++d) {
            const double grad = c.outputGrad.values[o + d];
            sum += grad * c.value.values[v + d];
            valueGrad[v + d] += probabilities[first + size_t(j)] *
                                weights[first + size_t(j)] * grad;
          }
          change[size_t(j)] = sum * weights[first + size_t(j)];
          mean += change[size_t(j)] * probabilities[first + size_t(j)];
        }
        for (int64_t j = 0; j < p.keys; ++j) {
          // A replaced score does not depend on its product.
          if (p.mask && p.mask.type == ElementType::I1 &&
              c.mask.at(n, h, i, j) == 0)
            continue;
          const size_t k = element(c.key, n, kh, j);
          const double d = scale * probabilities[first + size_t(j)] *
                           (change[size_t(j)] - mean);
          for (size_t e = 0; e < size_t(p.depth); ++e) {
            queryGrad[q + e] += d * c.key.values[k + e];
            keyGrad[k + e] += d * c.query.values[q + e];
          }
        }
      }
}

double toleranceOf(ElementType type, bool pairs) {
  switch (type) {
  case ElementType::F32:
    return 2e-5;
  case ElementType::F16:
    return 2e-3;
  case ElementType::BF16:
    return pairs ? 1.2e-2 : 8e-3;
  default:
    return 0.1;
  }
}

void expectNear(const std::vector<double> &got,
                const std::vector<double> &wanted, double tolerance,
                const char *what) {
  ASSERT_EQ(got.size(), wanted.size()) << what;
  for (size_t i = 0; i < got.size(); ++i)
    if (got[i] != wanted[i]) // infinities may be equal
      ASSERT_NEAR(got[i], wanted[i],
                  tolerance * std::max(1.0, std::fabs(wanted[i])))
          << what << " element " << i;
}

Options drawn(unsigned seed) {
  std::mt19937 random(seed);
  auto draw = [&](auto... values) {
    const int64_t all[] = {int64_t(values)...};
    return all[random() % sizeof...(values)];
  };
  Options o;
  o.seed = seed;
  o.images = draw(1, 2, 3);
  o.keyHeads = draw(1, 2);
  o.heads = o.keyHeads * draw(1, 1, 2, 4);
  o.queries = draw(1, 1, 2, 7, 15, 33, 130);
  o.keys = draw(1, 2, 31, 33, 64, 130, 300, 700);
  o.depth = draw(1, 8, 40, 64, 65, 80, 128);
  o.valueDepth = draw(o.depth, o.depth, 3, 48, 96);
  o.sharedKeys = draw(0, 0, 1);
  o.causal = draw(0, 1);
  o.window = draw(0, 0, 1, 20, 1000);
  o.lengths = draw(0, 0, 1);
  o.paddingLeft = draw(0, 1);
  o.mask = Options::Mask(draw(0, 0, 1, 2, 3, 4));
  o.maskBroadcast = unsigned(random() % 16);
  o.dropout = Options::Dropout(draw(0, 0, 1, 2, 3));
  o.saves = Options::Saves(draw(0, 1, 2));
  o.permuted = draw(0, 1);
  o.type =
      ElementType(draw(int64_t(ElementType::F32), int64_t(ElementType::F32),
                       int64_t(ElementType::BF16), int64_t(ElementType::F16)));
  return o;
}

void run(const AttentionProblem &p, Build build, const MicroKernel &kernel,
         uint64_t staging, unsigned threads) {
  ThreadPool pool(threads);
  const uint64_t size = (staging + 64) / 64 * 64 + 64;
  std::unique_ptr<uint8_t, decltype(&std::free)> region(
      static_cast<uint8_t *>(std::aligned_alloc(64, size)), std::free);
  // Memory that is not written must not matter: NaN throughout.
  std::memset(region.get(), 0xff, size);
  Staging stage(region.get(), size);
  uint64_t hostBytes = 0;
  PrepareContext context{pool, stage, hostBytes, nullptr};
  const std::unique_ptr<PreparedCommand> command = build(p, kernel, context);
  EXPECT_LE(stage.highest(), staging);
  const uint64_t bytes = (command->scratchBytes() + 63) / 64 * 64 + 64;
  std::vector<std::unique_ptr<uint8_t, decltype(&std::free)>> owned;
  std::vector<uint8_t *> scratch;
  for (unsigned t = 0; t < threads; ++t) {
    owned.emplace_back(static_cast<uint8_t *>(std::aligned_alloc(64, bytes)),
                       std::free);
    scratch.push_back(owned.back().get());
    std::memset(scratch.back(), 0xff, bytes);
  }
  command->bindScratch(scratch.data());
  Fault fault;
  LaunchContext launch{pool, fault};
  command->run(launch);
  for (uint8_t *end : scratch)
    for (uint64_t i = command->scratchBytes(); i < bytes; ++i)
      EXPECT_EQ(end[i], 0xff) << "scratch is overrun";
}

std::vector<const MicroKernel *> kernels(ElementType type) {
  std::vector<const MicroKernel *> all = {portableKernel(false), avx2Kernel(),
                                          avx512Kernel(), neonKernel()};
  if (type != ElementType::F32 && type != ElementType::F16) {
    all.push_back(portableKernel(true));
    all.push_back(avx512Bf16Kernel());
    all.push_back(portableAmxBf16Kernel());
    all.push_back(amxBf16Kernel());
    all.push_back(neonBf16Kernel());
  }
  all.erase(std::remove(all.begin(), all.end(), nullptr), all.end());
  return all;
}

} // namespace gaudi::runtime::attention_test
