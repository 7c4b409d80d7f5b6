// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random attention problems on memory of their own, and what they give in
// double precision.
#ifndef GAUDI_TEST_UNIT_RUNTIME_ATTENTIONCASE_H
#define GAUDI_TEST_UNIT_RUNTIME_ATTENTIONCASE_H

#include "Commands/Copy.h"
#include "Mme/Attention/AttentionTiling.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Support/Philox.h"

#include <array>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace gaudi::runtime::attention_test {

using recipe::ElementType;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Sizes in the order N, H, L, D of the canonical form.
using Sizes = std::array<int64_t, 4>;

/// What a case has; see gaudi.sdpa for the meaning of each.
struct Options {
  int64_t images = 1, heads = 1, keyHeads = 1, queries = 1, keys = 1, depth = 8,
          valueDepth = 8;
  bool sharedKeys = false; // one image of keys for all
  ElementType type = ElementType::F32;
  bool causal = false, paddingLeft = false, lengths = false;
  int64_t window = 0;
  enum Mask { NoMask, Hides, HidesFinite, Adds, AddsNarrow } mask = NoMask;
  unsigned maskBroadcast = 0; // bits: dimensions of size 1
  enum Dropout { NoDropout, Seeded, Masked, Weighted } dropout = NoDropout;
  enum Saves { None, Statistics, Probabilities } saves = None;
  bool scales = false;   // of f8 operands
  bool permuted = false; // operands have other orders than N H L D
  unsigned seed = 1;

  std::string text() const;
};

/// A tensor and its values in canonical order.
struct TestTensor {
  Sizes sizes{};
  AttentionTensor bound;
  std::vector<double> values; // as the type holds them
  double at(int64_t n, int64_t h, int64_t l, int64_t d) const {
    // Dimensions of size 1 are broadcast.
    const Sizes index = {sizes[0] == 1 ? 0 : n, sizes[1] == 1 ? 0 : h,
                         sizes[2] == 1 ? 0 : l, sizes[3] == 1 ? 0 : d};
    return values[size_t(
        ((index[0] * sizes[1] + index[1]) * sizes[2] + index[2]) * sizes[3] +
        index[3])];
  }
};

class Case {
public:
  explicit Case(const Options &options);

  /// What the tensor holds now, in canonical order.
  std::vector<double> read(const TestTensor &tensor) const;

  const Options o;
  AttentionProblem p;
  TestTensor query, key, value, mask, dropoutMask, output, maxima, inverseSums,
      probabilities, kept, outputGrad, queryGrad, keyGrad, valueGrad;
  float largest[2] = {-1, -1};
  int32_t seed = 0, seedResult = 0;

  /// A tensor of random values (or of `fill`) in memory of the case.
  TestTensor make(const Sizes &sizes, ElementType type, bool permuted,
                  double low, double high);

private:
  void addMask();
  void addDropout();

  std::mt19937 random;
  std::deque<std::vector<uint8_t>> memory;
  std::vector<int32_t> lengths;
  float scales[6];
};

/// Forward and backward in double precision. P and the weights of dropout are
/// kept; `roundP` rounds P to the type of the query, as f8 needs.
struct Expected {
  Expected(const Case &c, bool roundP);

  std::vector<double> output, maxima, inverseSums, probabilities, weights;
  double largestProbability = 0, largestOutput = 0;
  std::vector<double> queryGrad, keyGrad, valueGrad;

  void differentiate(const Case &c);

private:
  void scoreRow(const Case &c, int64_t n, int64_t h, int64_t i,
                std::vector<double> &s) const;
};

using Build = std::unique_ptr<PreparedCommand> (*)(const AttentionProblem &,
                                                   const MicroKernel &,
                                                   PrepareContext &);

/// Runs the command on `threads` threads, with scratch and staging of its own.
void run(const AttentionProblem &p, Build build, const MicroKernel &kernel,
         uint64_t staging, unsigned threads);

/// Options drawn from all there are.
Options drawn(unsigned seed);

/// Largest error relative to the values' range: of f32 sums, and of operands
/// and results in the type.
double toleranceOf(ElementType type, bool pairs);
void expectNear(const std::vector<double> &got,
                const std::vector<double> &wanted, double tolerance,
                const char *what);

/// Kernels of this host: each instruction set, with f32 and with pairs.
std::vector<const MicroKernel *> kernels(ElementType type);

} // namespace gaudi::runtime::attention_test

#endif // GAUDI_TEST_UNIT_RUNTIME_ATTENTIONCASE_H
