// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of any form, for the tests of the commands that compute them.
#ifndef GAUDI_TEST_UNIT_RUNTIME_CONVCASE_H
#define GAUDI_TEST_UNIT_RUNTIME_CONVCASE_H

#include "MatrixTest.h"

#include <fmt/format.h>
#include <limits>

namespace gaudi::test {

struct ConvCase {
  std::string xLayout, wLayout, yLayout;
  Dims x, k; // spatial
  int64_t n, in, out;
  Dims stride, dilation, low, high;
  int64_t groups = 1;
  bool transposed = false;
  ElementType type = ElementType::F32, result = ElementType::F32;
  bool constantWeights = true;
  /// How many weights are infinite or NaN, and how many inputs.
  int64_t specialWeights = 0, specialInputs = 0;

  size_t rank() const { return x.size(); }
  std::string letters() const { return std::string("DHW").substr(3 - rank()); }
  /// Spatial sizes of the result.
  Dims y() const {
    Dims sizes;
    for (size_t d = 0; d < rank(); ++d) {
      const int64_t reach = (k[d] - 1) * dilation[d] + 1;
      sizes.push_back(transposed
                          ? (x[d] - 1) * stride[d] + reach - low[d] - high[d]
                          : (x[d] + low[d] + high[d] - reach) / stride[d] + 1);
    }
    return sizes;
  }
};

/// A tensor by the letters of its dimensions.
struct Lettered {
  std::string layout, letters;
  char outer, inner;
  Dims sizes;

  Lettered(const ConvCase &c, const std::string &layout, char outer,
           int64_t outerSize, char inner, int64_t innerSize,
           const Dims &spatial)
      : layout(layout), letters(c.letters()), outer(outer), inner(inner) {
    for (char letter : layout)
      sizes.push_back(letter == outer   ? outerSize
                      : letter == inner ? innerSize
                                        : spatial[letters.find(letter)]);
  }
  size_t at(int64_t o, int64_t i, const Dims &spatial) const {
    int64_t offset = 0;
    for (size_t d = 0; d < layout.size(); ++d)
      offset = offset * sizes[d] + (layout[d] == outer ? o
                                    : layout[d] == inner
                                        ? i
                                        : spatial[letters.find(layout[d])]);
    return size_t(offset);
  }
};

template <typename Body> void forEachIndex(const Dims &sizes, Body body) {
  Dims at(sizes.size(), 0);
  for (int64_t i = 0; i < count(sizes); ++i) {
    int64_t rest = i;
    for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d])
      at[d] = rest % sizes[d];
    body(at);
  }
}

inline Bytes convValues(ElementType type, const Dims &sizes, int64_t special,
                        Random &random) {
  std::vector<float> values = random.values(size_t(count(sizes)));
  const float infinity = std::numeric_limits<float>::infinity();
  const float kinds[] = {infinity, -infinity, std::nanf(""), 0};
  for (int64_t i = 0; i < special; ++i)
    values[random.next() % values.size()] = kinds[random.next() % 4];
  return encodeAll(type, values);
}

/// Equal within the tolerance, or both NaN, or the same infinity.
inline bool isNear(ElementType type, double got, double expected,
                   double terms) {
  if (std::isnan(expected) || std::isnan(got))
    return std::isnan(expected) && std::isnan(got);
  return got == expected ||
         std::fabs(got - expected) <= tolerance(type, expected, terms);
}

/// A convolution of any form that a recipe can have, with some weights and
/// inputs that are infinite, NaN or zero.
inline ConvCase randomConv(Random &random) {
  auto upTo = [&](int64_t most) {
    return int64_t(random.next() % uint64_t(most));
  };
  auto shuffled = [&](std::string letters) {
    for (size_t i = letters.size(); i > 1; --i)
      std::swap(letters[i - 1], letters[random.next() % i]);
    return letters;
  };
  ConvCase c;
  const size_t rank = size_t(1 + upTo(3));
  const bool channelsLast = upTo(3) != 0;
  const std::string letters = std::string("DHW").substr(3 - rank);
  c.xLayout = channelsLast ? "N" + letters + "C" : shuffled("NC" + letters);
  c.yLayout = channelsLast ? c.xLayout : shuffled("NC" + letters);
  c.wLayout = shuffled("OI" + letters);
  c.n = 1 + upTo(2);
  c.transposed = upTo(4) == 0;
  const int64_t kinds[] = {1, 1, 1, 2, 3, 8};
  c.groups = kinds[upTo(6)];
  const bool depthwise = c.groups == 8;
  c.in = c.groups * (depthwise ? 1 : 1 + upTo(19));
  c.out = c.groups * (depthwise ? 1 : 1 + upTo(19));
  for (size_t d = 0; d < rank; ++d) {
    c.x.push_back(1 + upTo(rank == 1 ? 40 : 9));
    c.k.push_back(1 + upTo(4));
    c.stride.push_back(1 + upTo(3));
    c.dilation.push_back(1 + upTo(2));
    c.low.push_back(upTo(4));
    c.high.push_back(upTo(4));
    // At least one output.
    while (c.transposed && c.y()[d] < 1)
      ++c.x[d];
    while (!c.transposed &&
           c.x[d] + c.low[d] + c.high[d] < (c.k[d] - 1) * c.dilation[d] + 1)
      ++c.x[d];
  }
  c.type = upTo(3) == 0 ? ElementType::BF16 : ElementType::F32;
  c.result = upTo(3) == 0 ? ElementType::BF16 : ElementType::F32;
  c.constantWeights = upTo(2) == 0;
  c.specialWeights = upTo(4);
  c.specialInputs = upTo(4) / 3;
  return c;
}

inline std::string text(const Dims &values) {
  std::string result;
  for (int64_t value : values)
    result += fmt::format(" {}", value);
  return result;
}

inline std::string text(const ConvCase &c) {
  return fmt::format("{} {} {} x{} k{} n {} in {} out {} strides{} "
                     "dilations{} pads{},{} groups {}{}",
                     c.xLayout, c.wLayout, c.yLayout, text(c.x), text(c.k), c.n,
                     c.in, c.out, text(c.stride), text(c.dilation), text(c.low),
                     text(c.high), c.groups, c.transposed ? " transposed" : "");
}

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_RUNTIME_CONVCASE_H
