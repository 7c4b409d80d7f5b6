// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Predictions for measured products.
#include "Predict.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Timing/Cost.h"
#include "Gaudi/Timing/Describe.h"
#include "Gaudi/Timing/Mme.h"

#include <algorithm>
#include <fmt/ranges.h>

namespace gaudi::benchmark {
namespace {

using device::Constant;
using device::DeviceSpec;

struct Variable {
  std::string_view name;
  Constant &(*of)(DeviceSpec &spec);
};

constexpr Variable variables[] = {
    {"launch", [](DeviceSpec &s) -> Constant & { return s.launchSeconds; }},
    {"slowdown",
     [](DeviceSpec &s) -> Constant & { return s.mme.silicon.slowdown; }},
    {"read",
     [](DeviceSpec &s) -> Constant & { return s.mme.silicon.readBandwidth; }},
    {"write",
     [](DeviceSpec &s) -> Constant & { return s.mme.silicon.writeBandwidth; }},
    {"handover",
     [](DeviceSpec &s) -> Constant & { return s.mme.silicon.handover; }},
};

timing::MatrixWork workOf(const Row &row) {
  const auto matrix = [&](int64_t rows, int64_t columns, bool transposed) {
    if (transposed)
      std::swap(rows, columns);
    return timing::Operand{row.type, {rows, columns}, {}};
  };
  timing::MatrixWork work;
  work.m = row.m;
  work.k = row.k;
  work.n = row.n;
  work.transposeA = row.transposedA;
  work.transposeB = row.transposedB;
  work.a = matrix(row.m, row.k, row.transposedA);
  work.b = matrix(row.k, row.n, row.transposedB);
  // Results of f8 products are bf16.
  work.c = matrix(row.m, row.n, false);
  if (kernel::elementSize(row.type) == 1)
    work.c.type = device::DType::BF16;
  return work;
}

/// The quantization of A before a product: A is read in bf16 and rounded, by a
/// scale that is part of the format's exponent; the product takes it from SRAM,
/// slice by slice.
timing::Picoseconds quantizationTime(const Row &row, const DeviceSpec &spec) {
  using kernel::Affine;
  if (!row.isQuantized)
    return 0;
  timing::KernelWork work;
  work.extents = {row.m, row.k};
  work.parallel = 3;
  work.inputs = 1;
  work.operands = {{device::DType::BF16, work.extents, {}},
                   {row.type, work.extents, {}, timing::Memory::Sram}};
  const std::vector<Affine> position = {Affine::dim(0), Affine::dim(1)};
  timing::KernelCounter counter(std::move(work));
  counter.load(counter.addAccess({0, position, 0, 0}), device::DType::F32, 0);
  counter.store(counter.addAccess({1, position, 0, 0}), 0);
  const timing::Cost cost = timing::costOf(counter.finish(), spec);
  return std::max({cost.compute, cost.read, cost.write});
}

} // namespace

Status apply(const std::vector<Override> &overrides, DeviceSpec &spec) {
  for (const Override &given : overrides) {
    const auto *it = std::find_if(
        std::begin(variables), std::end(variables),
        [&](const Variable &known) { return known.name == given.name; });
    if (it == std::end(variables)) {
      std::vector<std::string_view> names;
      for (const Variable &variable : variables)
        names.push_back(variable.name);
      return fail("unknown constant {}, expected one of {}",
                  inQuotes(given.name), fmt::join(names, ", "));
    }
    it->of(spec).value = given.value;
  }
  return {};
}

double ours(const Row &row, const DeviceSpec &spec) {
  const timing::Cost cost = timing::costOf(workOf(row), spec);
  // The products follow each other: the launch of the graph is shared, the
  // first product is dispatched and filled alone. Each other one is dispatched
  // and its first operands come while those before it work.
  const double once =
      spec.launchSeconds * 1e6 + double(cost.launch + cost.fill) / 1e6;
  const timing::Picoseconds work =
      std::max({cost.compute, cost.read, cost.write});
  return once / double(row.nodes) +
         double(std::max(cost.launch, work) + cost.drain +
                quantizationTime(row, spec)) /
             1e6;
}

double roofline(const Row &row) {
  const DeviceSpec &spec = *row.spec;
  double peak =
      spec.peakFlopsBF16() / spec.mme.cyclesPerElement(row.type) / 1e6;
  if (row.type == device::DType::F32)
    peak /= spec.mme.fp32GeometryDivisor * spec.mme.fp32GeometryDivisor;
  const timing::MatrixWork work = workOf(row);
  const double bytes = double(work.a.bytes() + work.b.bytes() + work.c.bytes());
  const double operations = 2.0 * double(row.m) * double(row.k) * double(row.n);
  return std::max(operations / peak,
                  bytes / (double(spec.memory.dramBandwidth) / 1e6));
}

double brain(const Row &row) {
  return double(timing::brainCycles(workOf(row), *row.spec)) /
         double(row.spec->mme.clockHz) * 1e6;
}

} // namespace gaudi::benchmark
