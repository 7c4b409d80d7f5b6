// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as functions of sizes, from what they are at a few sizes.
#include "SizeForms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace mlir;
using namespace gaudi;

/// Up to maxSquared symbols that change, products have squares of them; up to
/// maxSymbols are looked at. SizeExprs::isSimple has the same limits: what it
/// calls simple must be found here.
static constexpr size_t maxSquared = 3, maxSymbols = 6;

SizeForms::SizeForms(ArrayRef<Box> samples, const Box &target)
    : count(samples.size()) {
  assert(count >= 2 && "one sample explains nothing");
  // Symbols that do not change between the samples explain nothing.
  SmallVector<unsigned> changing;
  for (unsigned k = 0; k < target.size(); ++k)
    if (llvm::any_of(samples, [&](const Box &box) {
          return box[k] != samples.front()[k];
        }))
      changing.push_back(k);
  // More symbols would need more samples than are compiled.
  if (changing.size() > maxSymbols)
    changing.resize(maxSymbols);
  const unsigned powers = changing.size() <= maxSquared ? 3 : 2;
  products.push_back(Product(count + 1, 1));
  for (unsigned k : changing) {
    // Products of the symbols before, times a power of this one.
    const size_t known = products.size();
    for (unsigned power = 1; power < powers; ++power)
      for (size_t i = 0; i < known; ++i) {
        Product product = products[i];
        bool fits = true;
        // A product that overflows at any size is left out.
        for (unsigned n = 0; n < power; ++n)
          for (size_t j = 0; j <= count; ++j)
            fits &= !llvm::MulOverflow(
                product[j], j < count ? samples[j][k] : target[k], product[j]);
        if (fits)
          products.push_back(std::move(product));
      }
  }
  products.erase(products.begin()); // of no symbol
}

bool SizeForms::agrees(const Product &product, ArrayRef<int64_t> values) const {
  using Wide = __int128;
  if (count < 3)
    return false;
  // All points are on one line; the first that differs from sample 0 gives it.
  size_t other = 1;
  while (other < count && product[other] == product[0])
    ++other;
  if (other == count)
    return false;
  const Wide rise = Wide(values[other]) - values[0],
             run = Wide(product[other]) - product[0];
  for (size_t j = 1; j < count; ++j)
    if (rise * (Wide(product[j]) - product[0]) !=
        (Wide(values[j]) - values[0]) * run)
      return false;
  return true;
}

bool SizeForms::isMultiple(const Product &product,
                           ArrayRef<int64_t> values) const {
  for (size_t j = 1; j < count; ++j)
    if (__int128(values[0]) * product[j] != __int128(values[j]) * product[0])
      return false;
  return true;
}

/// So that no product of two numbers overflows.
static bool isLarge(int64_t value) {
  constexpr int64_t most = int64_t(1) << 60;
  return value > most || value < -most;
}

std::optional<int64_t>
SizeForms::numberOf(ArrayRef<int64_t> values,
                    llvm::function_ref<bool(const Product &)> agrees,
                    bool &isAny) const {
  using Wide = __int128;
  std::optional<int64_t> found;
  for (const Product &product : products) {
    if (llvm::any_of(product, isLarge) || !agrees(product))
      continue;
    isAny = true;
    size_t other = 1;
    while (product[other] == product[0])
      ++other;
    const Wide rise = Wide(values[other]) - values[0],
               run = Wide(product[other]) - product[0],
               far = rise * (Wide(product[count]) - product[0]);
    const Wide value = values[0] + far / run;
    if (far % run != 0 || isLarge(int64_t(value)) || value != int64_t(value) ||
        (found && *found != int64_t(value)))
      return std::nullopt;
    found = int64_t(value);
  }
  return found;
}

/// Like a + b, or a * b - b: with integer factors, which two samples determine.
std::optional<int64_t> SizeForms::sumAt(ArrayRef<int64_t> values) const {
  using Wide = __int128;
  constexpr Wide most = int64_t(1) << 30; // of one number: no overflow
  auto fits = [&](int64_t value) { return value <= most && value >= -most; };
  std::optional<int64_t> found;
  if (count < 3 || !llvm::all_of(values, fits))
    return std::nullopt;
  // All pairs of products: the numbers must be inA * a + inB * b.
  for (size_t i = 0; i < products.size(); ++i)
    for (const Product &b : ArrayRef(products).drop_front(i + 1)) {
      const Product &a = products[i];
      if (!llvm::all_of(a, fits) || !llvm::all_of(b, fits))
        continue;
      // By the first two samples that are independent.
      size_t other = 1;
      auto determinant = [&] {
        return Wide(a[0]) * b[other] - Wide(a[other]) * b[0];
      };
      while (other < count && determinant() == 0)
        ++other;
      if (other == count)
        continue;
      const Wide whole = determinant(),
                 ofA = Wide(values[0]) * b[other] - Wide(values[other]) * b[0],
                 ofB = Wide(a[0]) * values[other] - Wide(a[other]) * values[0];
      // Cramer's rule; factors that are no integers explain nothing.
      if (ofA % whole != 0 || ofB % whole != 0)
        continue;
      const Wide inA = ofA / whole, inB = ofB / whole;
      bool agrees = true;
      for (size_t j = 0; j < count; ++j)
        agrees &= inA * a[j] + inB * b[j] == values[j];
      if (!agrees)
        continue;
      const Wide value = inA * a[count] + inB * b[count];
      // Two forms that disagree at the target: none is trusted.
      if (isLarge(int64_t(value)) || value != int64_t(value) ||
          (found && *found != int64_t(value)))
        return std::nullopt;
      found = int64_t(value);
    }
  return found;
}

std::optional<int64_t> SizeForms::at(ArrayRef<int64_t> values) const {
  assert(values.size() == count && "a number per sample");
  if (llvm::all_equal(values))
    return values.front();
  if (llvm::any_of(values, isLarge))
    return std::nullopt;
  bool isAny = false;
  const auto multiple = numberOf(
      values,
      [&](const Product &product) { return isMultiple(product, values); },
      isAny);
  if (isAny)
    return multiple;
  const auto linear = numberOf(
      values, [&](const Product &product) { return agrees(product, values); },
      isAny);
  return isAny ? linear : sumAt(values);
}
