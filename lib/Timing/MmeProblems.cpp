// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands as products: the mapping of convolutions and batched gemms to the
// width, height and common dimension of the array.
#include "CeilDiv.h"
#include "Gaudi/Timing/Mme.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gaudi::timing {
namespace {

using Batch = MmeProblem::Batch;

/// Products of a batch are contiguous: the rows of one go on in the next.
bool isDense(const Operand &operand) {
  if (operand.strides.empty())
    return true;
  int64_t stride = 1;
  for (size_t d = operand.sizes.size(); d-- > 0;) {
    if (operand.sizes[d] != 1 && operand.strides[d] != stride)
      return false;
    stride *= operand.sizes[d];
  }
  return true;
}

MmeProblem gemm(const MatrixWork &work) {
  MmeProblem problem;
  problem.type = work.a.type;
  problem.result = work.c.type;
  problem.width = work.n;
  problem.height = problem.innerHeight = work.m;
  problem.common = work.k;
  problem.transposedA = !work.transposeA;
  problem.transposedB = work.transposeB;
  const size_t inner = work.batch.size() - 1; // of the batch
  problem.broadcastB = work.broadcastB && !work.batch.empty() &&
                       work.batch[inner] > 1 &&
                       (work.b.sizes.size() != work.batch.size() + 2 ||
                        work.b.sizes[inner] == 1);
  problem.denseB = isDense(work.b);
  // The engine has three batch dimensions; further ones are one with the last.
  size_t d = 0;
  for (size_t i = work.batch.size(); i-- > 0; d = std::min<size_t>(d + 1, 2))
    problem.batch[d] *= work.batch[i];
  // One B for the whole batch: its products are one product of more rows.
  if (problem.broadcastB && !work.broadcastA && problem.transposedA &&
      isDense(work.a) && isDense(work.c)) {
    problem.height *= problem.batch[0];
    problem.innerHeight = problem.height;
    problem.batch = {problem.batch[1], problem.batch[2], 1};
    problem.broadcastB = false; // of the outer dimensions: not used
  }
  return problem;
}

/// What all convolutions share; `work.spatial` is slowest first.
MmeProblem convolution(const MatrixWork &work) {
  MmeProblem problem;
  problem.counts = Batch::None;
  problem.type = work.a.type;
  problem.result = work.c.type;
  problem.repeats = std::max<int64_t>(work.groups, 1);
  for (const Spatial &s : work.spatial)
    problem.filterReads *= ceilDiv(s.filter, std::max<int64_t>(s.stride, 1));
  return problem;
}

MmeProblem forOutput(const MatrixWork &work) {
  MmeProblem problem = convolution(work);
  problem.width = work.outputChannels / problem.repeats;
  problem.common = work.inputChannels / problem.repeats;
  problem.height = work.images;
  for (const Spatial &s : work.spatial) {
    problem.height *= s.output;
    problem.common *= s.filter;
  }
  problem.innerHeight =
      work.spatial.empty() ? work.images : work.spatial.back().output;
  return problem;
}

MmeProblem forFilter(const MatrixWork &work) {
  MmeProblem problem = convolution(work);
  problem.counts = Batch::FilterPositions;
  problem.transposedA = problem.transposedB = false;
  const int64_t channels = work.inputChannels / problem.repeats;
  problem.width = work.outputChannels / problem.repeats;
  problem.height = problem.innerHeight = channels;
  problem.common = work.images;
  problem.plainProduct = true;
  for (const Spatial &s : work.spatial) {
    problem.common *= s.output;
    problem.plainProduct &= s.filter == 1 && s.stride == 1 && s.dilation == 1 &&
                            s.padLow == 0 && s.padHigh == 0;
  }
  if (work.spatial.empty())
    return problem;
  // Dense rows: the filter's inner positions are more rows of the result
  // ("lowering").
  const Spatial &inner = work.spatial.back();
  const bool lowered = inner.dilation == 1;
  if (lowered)
    problem.height *= inner.filter;
  size_t d = 0;
  for (size_t i = work.spatial.size() - (lowered ? 1 : 0); i-- > 0;
       d = std::min<size_t>(d + 1, 2))
    problem.batch[d] *= work.spatial[i].filter;
  problem.rowOffset = inner.padLow * channels;
  problem.rowStep = inner.stride * channels;
  if (work.spatial.size() > 1)
    problem.secondCommon = work.spatial[work.spatial.size() - 2].output;
  return problem;
}

/// Positions of one dimension of the input whose gradient sums the same taps
/// of the filter.
struct Residue {
  int64_t positions = 0, taps = 0;
};

/// Sum of floor((a i + b) / m) over i < n, modulo 2^64. Euclid's algorithm: the
/// lattice points below a line are those beside it, seen from the other axis.
uint64_t floorSum(uint64_t n, uint64_t m, uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  for (;;) {
    const uint64_t pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
    sum += pairs * (a / m) + n * (b / m);
    a %= m;
    b %= m;
    // Never larger than in the round before, so that it stays in range.
    const uint64_t last = a * n + b;
    if (last < m)
      return sum;
    n = last / m;
    b = last % m;
    std::swap(m, a);
  }
}

/// How many i < n have (a i + b) mod m < c, for b < m and c <= m: there the
/// quotients of a i + b and a i + b - c differ, by one.
int64_t countBelow(int64_t n, int64_t m, int64_t a, int64_t b, int64_t c) {
  const uint64_t high = uint64_t(b) + uint64_t(m); // not below c
  return n <= 0 ? 0
                : int64_t(floorSum(n, m, a, high) -
                          floorSum(n, m, a, high - uint64_t(c)));
}

/// Position i takes tap f from output (i + pad - f * dilation) / stride, when
/// that divides: the residue of i + pad decides which taps do. Residues that no
/// tap reaches are left out, equal ones are counted: what they cost depends on
/// sizes only. There are at most four kinds, whatever the filter and the
/// stride: a residue has one position more than another or not, and one tap
/// more or not. Logarithmic time.
std::vector<std::pair<Residue, int64_t>> residuesOf(const Spatial &s) {
  const int64_t stride = std::max<int64_t>(s.stride, 1);
  const int64_t common = std::gcd(stride, s.dilation);
  const int64_t period = stride / common;
  const int64_t step = s.dilation % stride;
  // Where the first position of tap 0 is. That of tap f is (step * f + begin)
  // mod stride; taps f, f + period, ... share it, and no other tap does.
  const int64_t begin =
      (stride - (s.padLow % stride + stride) % stride) % stride;
  const int64_t positions = s.input / stride, longer = s.input % stride;
  const int64_t taps = s.filter / period, more = s.filter % period;
  std::vector<std::pair<Residue, int64_t>> kinds;
  const auto add = [&](int64_t positions, int64_t taps, int64_t count) {
    if (positions > 0 && taps > 0 && count > 0)
      kinds.push_back({{positions, taps}, count});
  };
  // Of a whole period the residues are begin and all others at multiples of
  // the common divisor from it.
  const int64_t all =
      ceilDiv(std::max<int64_t>(longer - begin % common, 0), common);
  const int64_t some = countBelow(more, stride, step, begin, longer);
  add(positions + 1, taps + 1, some);
  add(positions, taps + 1, more - some);
  add(positions + 1, taps, all - some);
  add(positions, taps, period - more - (all - some));
  return kinds;
}

std::vector<MmeProblem> forInput(const MatrixWork &work) {
  MmeProblem base = convolution(work);
  base.transposedA = base.transposedB = true;
  base.width = work.inputChannels / base.repeats;
  base.common = work.outputChannels / base.repeats;
  base.height = work.images;
  base.innerHeight = 1;
  base.filterReads = 1;
  std::vector<MmeProblem> problems = {base};
  for (const Spatial &s : work.spatial) {
    std::vector<MmeProblem> next;
    const auto kinds = residuesOf(s);
    for (const MmeProblem &problem : problems)
      for (const auto &[residue, count] : kinds) {
        MmeProblem part = problem;
        part.height *= residue.positions;
        part.innerHeight = residue.positions;
        part.common *= residue.taps;
        part.filterReads *= residue.taps;
        part.repeats *= count;
        next.push_back(part);
      }
    problems = std::move(next);
  }
  return problems;
}

} // namespace

std::vector<MmeProblem> problemsOf(const MatrixWork &work) {
  switch (work.result()) {
  case MatrixRole::X:
    return forInput(work);
  case MatrixRole::W:
    return {forFilter(work)};
  case MatrixRole::Y:
    return {forOutput(work)};
  default:
    return {gemm(work)};
  }
}

uint64_t brainCycles(const MatrixWork &work, const device::DeviceSpec &spec) {
  uint64_t cycles = 0;
  for (const MmeProblem &problem : problemsOf(work))
    if (problem.macs() > 0)
      cycles += choosePlan(problem, spec).cycles;
  return cycles;
}

std::vector<int64_t> cutPoints(const MisalignedRows &rows,
                               const device::DeviceSpec &spec) {
  const int64_t line = int64_t(spec.memory.cacheLineBytes) / rows.elementBytes;
  const int64_t step = rows.channels * rows.stride;
  const int64_t problems = std::lcm(line, step) / step;
  // Reads of less than a line gain nothing; every sub-problem needs an output.
  if (rows.commonPerFilter <= line || problems > rows.innerOutput)
    return {};
  std::vector<int64_t> cuts;
  for (int64_t i = 0; i < problems; ++i) {
    // Sub-problem i takes outputs i, i + problems, ...: all of their rows begin
    // at the same distance from a line, padding before the first included.
    const int64_t begin = (i * rows.stride - rows.pad) * rows.channels;
    const int64_t into = (begin % line + line) % line;
    cuts.push_back(into == 0 ? 0 : line - into);
  }
  return cuts;
}

} // namespace gaudi::timing
