// Commands as products: the mapping of convolutions and batched gemms to the
// width, height and common dimension of the array.
#include "Gaudi/Timing/Mme.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gaudi::timing {
namespace {

using Kind = MatrixWork::Kind;
using Operation = MmeProblem::Operation;

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Batches of one product lie back to back, so that its rows go on in the next.
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
  problem.type = work.a.type;
  problem.result = work.c.type;
  problem.repeats = std::max<int64_t>(work.groups, 1);
  for (const Spatial &s : work.spatial)
    problem.filterReads *= ceilDiv(s.filter, std::max<int64_t>(s.stride, 1));
  return problem;
}

MmeProblem forward(const MatrixWork &work) {
  MmeProblem problem = convolution(work);
  problem.operation = Operation::Forward;
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

MmeProblem weightGrad(const MatrixWork &work) {
  MmeProblem problem = convolution(work);
  problem.operation = Operation::WeightGrad;
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

/// Position i takes tap f from output (i + pad - f * dilation) / stride, when
/// that divides: the residue of i + pad decides which taps do. Residues that no
/// tap reaches are left out, equal ones are counted: what they cost depends on
/// sizes only. At most one entry per tap, however large the stride.
std::vector<std::pair<Residue, int64_t>> residuesOf(const Spatial &s) {
  const int64_t stride = std::max<int64_t>(s.stride, 1);
  const int64_t period = stride / std::gcd(stride, s.dilation);
  std::vector<std::pair<Residue, int64_t>> kinds;
  for (int64_t f = 0; f < std::min(s.filter, period); ++f) {
    // Taps f, f + period, ... have this residue, and no other tap has.
    const int64_t residue = s.dilation % stride * f % stride;
    const int64_t first = ((residue - s.padLow) % stride + stride) % stride;
    if (first >= s.input)
      continue;
    const Residue found = {ceilDiv(s.input - first, stride),
                           ceilDiv(s.filter - f, period)};
    auto same = std::find_if(kinds.begin(), kinds.end(), [&](auto &kind) {
      return kind.first.positions == found.positions &&
             kind.first.taps == found.taps;
    });
    if (same == kinds.end())
      kinds.push_back({found, 1});
    else
      ++same->second;
  }
  return kinds;
}

std::vector<MmeProblem> inputGrad(const MatrixWork &work) {
  MmeProblem base = convolution(work);
  base.operation = Operation::InputGrad;
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
  switch (work.kind) {
  case Kind::Gemm:
    return {gemm(work)};
  case Kind::Conv:
    return {forward(work)};
  case Kind::ConvWeightGrad:
    return {weightGrad(work)};
  case Kind::ConvInputGrad:
    return inputGrad(work);
  case Kind::Transpose:
    break; // moves, computes nothing
  }
  return {};
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
