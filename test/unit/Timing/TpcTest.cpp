// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TPC kernels and movements: anchors, physical bounds, odd shapes.
#include "Gaudi/Timing/Describe.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <random>

using namespace gaudi;
using namespace gaudi::timing;
using kernel::Affine;
using kernel::Opcode;

namespace {

const device::DeviceSpec &get(const char *name) {
  return **device::DeviceSpec::lookup(name);
}

Operand dense(Dims sizes, ElementType type = ElementType::F32) {
  return {type, std::move(sizes), {}, Memory::Hbm};
}

/// out = f(inputs ...) of one shape, `opcodes` applied to the first.
KernelWork elementwise(const Dims &sizes, ElementType type, uint32_t inputs,
                       std::initializer_list<Opcode> opcodes) {
  KernelWork work;
  work.extents = sizes;
  work.inputs = inputs;
  uint64_t dims = 0;
  std::vector<Affine> position;
  for (unsigned d = 0; d < sizes.size(); ++d) {
    dims |= uint64_t(1) << d;
    position.push_back(Affine::dim(d));
  }
  work.parallel = dims;
  for (uint32_t i = 0; i <= inputs; ++i)
    work.operands.push_back(dense(sizes, type));
  KernelCounter counter(std::move(work));
  for (uint32_t i = 0; i < inputs; ++i)
    counter.load(counter.addAccess({i, position, 0, 0}),
                 kernel::kernelType(type), 0);
  for (Opcode opcode : opcodes)
    counter.instruction(opcode, kernel::kernelType(type), dims);
  counter.store(counter.addAccess({inputs, position, 0, 0}), 0);
  return counter.finish();
}

// a + b of 256 MB in all is bound by memory on all devices: what the vectors
// take is less.
TEST(Tpc, StreamsAtTheBandwidthOfMemory) {
  for (const device::DeviceSpec &spec : device::DeviceSpec::all())
    for (ElementType type : {ElementType::BF16, ElementType::F32}) {
      const int64_t elements = 256000000 / 3 / kernel::elementSize(type);
      const Cost cost =
          costOf(elementwise({elements}, type, 2, {Opcode::AddF}), spec);
      const double bytes = double(cost.hbmRead + cost.hbmWritten);
      EXPECT_NEAR(bytes, 256e6, 1e4);
      EXPECT_EQ(cost.bound, Bound::Read) << spec.name;
      EXPECT_NEAR(double(cost.total()),
                  bytes / spec.memory.streamBandwidth * 1e12, 2.1e6)
          << spec.name;
      EXPECT_EQ(cost.enginesUsed, spec.tpc.engines);
    }
}

// c = k * a in bf16 on Gaudi 2, many elements: others measured 530 GFLOP/s
// (arXiv 2501.00210), 2.12 TB/s of memory.
TEST(Tpc, ScalesAsFastAsMeasured) {
  const int64_t elements = int64_t(1) << 30;
  const Cost cost =
      costOf(elementwise({elements}, ElementType::BF16, 1, {Opcode::MulF}),
             get("gaudi2"));
  EXPECT_NEAR(double(elements) / double(cost.total()) * 1e3, 530, 10);
}

// Gelu in bf16 on Gaudi 2, 24 engines of 64 lanes at 1.8 GHz: 33 of erf, 5
// others and 2 conversions make 40 instructions per vector of f32:
// 2^26 / 64 * 40 / 24 cycles = 971 us. Memory takes 2 * 128 MiB / 1945 GiB/s =
// 129 us.
TEST(Tpc, GeluIsBoundBySpecialFunctions) {
  const KernelWork gelu =
      elementwise({1 << 26}, ElementType::BF16, 1,
                  {Opcode::MulF, Opcode::ErfF, Opcode::AddF, Opcode::MulF,
                   Opcode::MulF, Opcode::AddF});
  const Cost cost = costOf(gelu, get("gaudi2"));
  EXPECT_EQ(cost.bound, Bound::Special);
  EXPECT_NEAR(double(cost.compute), (1 << 20) * 40.0 / 24 / 1.8e9 * 1e12, 1e6);
  EXPECT_NEAR(double(std::max(cost.read, cost.write)), 0.25 / 1945 * 1e12, 1e3);
  // With two instructions instead it is bound by memory.
  EXPECT_EQ(costOf(elementwise({1 << 26}, ElementType::BF16, 1,
                               {Opcode::MulF, Opcode::AddF}),
                   get("gaudi2"))
                .bound,
            Bound::Read);
}

TEST(Tpc, CountsInstructionsAsThePublishedCompilerDoes) {
  struct Case {
    Opcode opcode;
    unsigned vector, load;
  };
  const Case cases[] = {{Opcode::AddF, 1, 0},   {Opcode::Const, 0, 0},
                        {Opcode::TanhF, 14, 2}, {Opcode::ExpF, 19, 0},
                        {Opcode::SqrtF, 17, 2}, {Opcode::DivF, 30, 2},
                        {Opcode::SinF, 32, 2},  {Opcode::AddI, 1, 0}};
  for (const Case &c : cases) {
    EXPECT_EQ(slotsOf(c.opcode).vector, c.vector) << nameOf(c.opcode);
    EXPECT_EQ(slotsOf(c.opcode).load, c.load) << nameOf(c.opcode);
  }
  // Powers by constants: x^2 = x * x, x^3 two products, x^10 = (x^5)^2 four,
  // x^-1 a reciprocal, x^0.5 a root.
  const std::pair<float, unsigned> powers[] = {
      {2.0f, 1},  {3.0f, 2},   {10.0f, 4},  {1.0f, 1},
      {0.0f, 1},  {-1.0f, 17}, {0.5f, 17},  {-0.5f, 17},
      {2.5f, 80}, {1e9f, 80},  {-2.0f, 18}, {std::nanf(""), 80}};
  for (auto [exponent, vector] : powers)
    EXPECT_EQ(powerSlots(exponent).vector, vector) << exponent;
  // An operation takes cycles if and only if the kernel language says so.
  for (size_t i = 0; i < kernel::opcodeCount; ++i)
    EXPECT_EQ(slotsOf(Opcode(i)).vector > 0,
              kernel::instructionCount(Opcode(i)) > 0)
        << kernel::nameOf(Opcode(i));
}

// Rows of 12 f32 fill 12 of 64 lanes; rows of 48 bytes at a pitch of 1 KiB move
// whole lines of 256.
TEST(Tpc, ChargesPartialVectorsAndLines) {
  const device::DeviceSpec &spec = get("gaudi2");
  KernelWork work =
      elementwise({2400, 12}, ElementType::F32, 1, {Opcode::ExpF});
  const TpcPlan flat = planOf(work, spec);
  // Dense rows are one dimension: 450 vectors on 24 engines.
  EXPECT_EQ(flat.vector, 19 * 19); // ceil(450 / 24) = 19, exp 19
  work.operands[0].strides = {256, 1};
  const TpcPlan rows = planOf(work, spec);
  EXPECT_EQ(rows.vector, 100 * 19);
  const Cost cost = costOf(work, spec);
  EXPECT_EQ(cost.hbmRead, 2400u * 256);
  EXPECT_EQ(cost.hbmWritten, 2400u * 48);
  EXPECT_LT(cost.utilization, 12.0 / 64 / 19 * 1.01);
}

// Gaudi 3 moves on the TPC: a load and a store for each vector.
TEST(Tpc, MovesOnGaudi3) {
  const device::DeviceSpec &spec = get("gaudi3");
  const Operand tensor = dense({1 << 22}, ElementType::BF16); // 8 MiB
  const Cost copy =
      costOf(TransferWork{TransferWork::Engine::Tpc, tensor, tensor}, spec);
  EXPECT_EQ(copy.hbmRead, 8u << 20);
  EXPECT_EQ(copy.hbmWritten, 8u << 20);
  // 32,768 vectors on 64 engines: 512 loads, as many stores and coordinates.
  EXPECT_EQ(copy.compute, cycleTime(512, spec.tpc.clockHz));
  const Cost fill = costOf(FillWork{TransferWork::Engine::Tpc, tensor}, spec);
  EXPECT_EQ(fill.hbmRead, 0u);
  EXPECT_EQ(fill.hbmWritten, 8u << 20);
  // A broadcast reads its source once.
  Operand row = dense({4096, 1024}, ElementType::BF16);
  row.strides = {0, 1};
  const Cost broadcast =
      costOf(TransferWork{TransferWork::Engine::Tpc, row,
                          dense({4096, 1024}, ElementType::BF16)},
             spec);
  EXPECT_EQ(broadcast.hbmRead, 2048u);
  EXPECT_EQ(broadcast.hbmWritten, 8u << 20);
  // DMA that the compiler does not have is done by the TPC as well.
  EXPECT_EQ(
      costOf(TransferWork{TransferWork::Engine::Dma, tensor, tensor}, spec)
          .total(),
      copy.total());
}

// A transpose of 2048 x 2048 bf16: 64 tiles of 256 x 256 on 8 matrix engines of
// Gaudi 3, 8 steps of 512 cycles: 2.6 us. 16 MiB of HBM take 5.4 us.
TEST(Tpc, TransposesOnTheMatrixEngine) {
  const device::DeviceSpec &spec = get("gaudi3");
  Operand turned = dense({2048, 2048}, ElementType::BF16);
  turned.strides = {1, 2048};
  const TransferWork work{TransferWork::Engine::Mme, turned,
                          dense({2048, 2048}, ElementType::BF16)};
  const Cost cost = costOf(work, spec);
  EXPECT_EQ(cost.compute,
            cycleTime(8 * 512 * spec.mme.silicon.slowdown, spec.mme.clockHz));
  EXPECT_EQ(cost.hbmRead, 8u << 20);
  EXPECT_EQ(cost.total() - cost.launch - cost.fill,
            transferTime(16u << 20, spec.memory.streamBandwidth));
  EXPECT_EQ(cost.launch, cycleTime(200, 1000000000)); // as a product
  EXPECT_GT(cost.fill, 0);
  EXPECT_EQ(cost.enginesUsed, 8u);
  // Rows of 3 elements pass in lines of their own and leave tiles empty: 391
  // tiles of 256 places, of which 3 rows are used, in 49 steps.
  Operand narrow = dense({100000, 3}, ElementType::BF16);
  narrow.strides = {1, 100000};
  const Cost lines = costOf(TransferWork{TransferWork::Engine::Mme, narrow,
                                         dense({100000, 3}, ElementType::BF16)},
                            spec);
  EXPECT_EQ(lines.bound, Bound::RollUp);
  EXPECT_EQ(lines.compute,
            cycleTime(49 * 512 * spec.mme.silicon.slowdown, spec.mme.clockHz));
  EXPECT_EQ(lines.write,
            transferTime(100000 * 256, spec.mme.silicon.writeBandwidth));
  // Nothing to turn.
  EXPECT_EQ(costOf(TransferWork{TransferWork::Engine::Mme, dense({0, 3}),
                                dense({0, 3})},
                   spec)
                .compute,
            0);
}

/// out[i] = sum of a[i, j] * x[j] over j.
KernelWork rowProducts(int64_t rows, int64_t columns) {
  KernelWork work;
  work.extents = {rows, columns};
  work.parallel = 1;
  work.inputs = 2;
  work.operands = {dense({rows, columns}), dense({columns}), dense({rows})};
  const Affine row = Affine::dim(0), column = Affine::dim(1);
  KernelCounter counter(std::move(work));
  counter.load(counter.addAccess({0, {row, column}, 0, 0}), ElementType::F32,
               0);
  counter.load(counter.addAccess({1, {column}, 0, 0}), ElementType::F32, 0);
  counter.instruction(Opcode::MulF, ElementType::F32, 3);
  counter.reduction(2);
  counter.store(counter.addAccess({2, {row}, 0, 0}), 0);
  return counter.finish();
}

// A vector of 400 MB that 16 rows are multiplied with: no memory on the chip
// holds it, so that it is read 16 times. One of 4 MB is read once.
TEST(Tpc, RefetchesWhatDoesNotFit) {
  const device::DeviceSpec &spec = get("gaudi2");
  const int64_t large = 100000000, small = 1000000;
  EXPECT_EQ(costOf(rowProducts(16, large), spec).hbmRead,
            uint64_t(16 + 16) * large * 4);
  EXPECT_EQ(costOf(rowProducts(16, small), spec).hbmRead,
            uint64_t(16 + 1) * small * 4);
}

// Added to all rows of a matrix, the vector is read once at any length: points
// may be passed column by column.
TEST(Tpc, PassesPointsInTheBetterOrder) {
  const int64_t large = 100000000;
  KernelWork work =
      elementwise({16, large}, ElementType::F32, 2, {Opcode::AddF});
  work.operands[1] = dense({1, large});
  work.accesses[1].position[0] = Affine(0);
  EXPECT_EQ(costOf(work, get("gaudi2")).hbmRead, uint64_t(16 + 1) * large * 4);
}

/// Random kernels: strided, broadcast, transposed, reduced, gathered.
class RandomKernel {
public:
  explicit RandomKernel(uint64_t seed) : random(seed) {}

  KernelWork next() {
    KernelWork work;
    const size_t rank = pick(0, 6);
    for (size_t d = 0; d < rank; ++d) {
      work.extents.push_back(pick(0, 9) == 0 ? pick(0, 1) : pick(1, 70));
      work.parallel |= uint64_t(pick(0, 2) > 0) << d;
    }
    work.inputs = uint32_t(pick(0, 3));
    for (uint32_t i = 0; i <= work.inputs; ++i)
      addOperand(work, i == work.inputs);
    const uint64_t loops = ((uint64_t(1) << rank) - 1) & ~work.parallel;
    KernelCounter counter(work);
    uint64_t dims = work.parallel | loops;
    for (uint32_t i = 0; i < work.inputs; ++i)
      counter.load(i, kernel::kernelType(work.operands[i].type), 0);
    for (size_t i = pick(0, 5); i-- > 0;)
      counter.instruction(Opcode(pick(4, kernel::opcodeCount - 1)),
                          ElementType::F32, dims);
    if (loops)
      counter.reduction(loops);
    counter.store(work.inputs, 0);
    return counter.finish();
  }

private:
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  void addOperand(KernelWork &work, bool isOutput) {
    Operand operand;
    operand.type = ElementType(pick(0, int64_t(kernel::elementTypeCount) - 1));
    KernelAccess access;
    access.operand = uint32_t(work.operands.size());
    for (unsigned d = 0; d < work.extents.size(); ++d) {
      if (isOutput ? !(work.parallel >> d & 1) : pick(0, 3) == 0)
        continue;
      const int64_t step = isOutput ? 1 : pick(1, 3);
      operand.sizes.push_back(
          (std::max<int64_t>(work.extents[d], 1) - 1) * step + 1);
      access.position.push_back(Affine::dim(d, step));
    }
    operand.strides = kernel::denseStrides(operand.sizes);
    if (!operand.sizes.empty() && !isOutput && pick(0, 3) == 0)
      std::reverse(operand.strides.begin(), operand.strides.end());
    work.operands.push_back(std::move(operand));
    work.accesses.push_back(std::move(access));
  }

  std::mt19937_64 random;
};

// No kernel is faster than the instructions of all its points on all engines,
// nor than its memory, and no number is out of its range.
TEST(Tpc, IsNeverFasterThanTheChip) {
  RandomKernel random(7);
  for (int i = 0; i < 3000; ++i) {
    const KernelWork work = random.next();
    for (const device::DeviceSpec &spec : device::DeviceSpec::all()) {
      const Cost cost = costOf(work, spec);
      ASSERT_GE(cost.compute, 0);
      ASSERT_GE(cost.enginesUsed, 1u);
      ASSERT_LE(cost.enginesUsed, spec.tpc.engines);
      ASSERT_GE(cost.utilization, 0);
      ASSERT_LE(cost.utilization, 1);
      ASSERT_GE(cost.total(), 1990000);
      const TpcPlan plan = planOf(work, spec);
      // Lanes of a byte at most.
      ASSERT_GE(plan.cycles * spec.tpc.engines * 256, plan.laneOps);
      ASSERT_GE(plan.cycles, std::max({plan.load, plan.store}) - 1e-6);
      uint64_t bytes = cost.hbmRead + cost.hbmWritten;
      ASSERT_GE(std::max(cost.read, cost.write),
                transferTime(bytes, double(spec.memory.dramBandwidth)));
      ASSERT_FALSE(explain(work, spec).empty());
    }
  }
}

// Loops of more points than can be counted, and positions beyond 64 bits.
TEST(Tpc, TakesAnyExtents) {
  const int64_t large = int64_t(1) << 40;
  KernelWork work = rowProducts(large, large);
  work.extents.push_back(large);
  for (KernelBlock &block : work.blocks)
    block.dims |= 4;
  work.accesses[0].position[0] = Affine::dim(2, int64_t(1) << 62);
  for (const device::DeviceSpec &spec : device::DeviceSpec::all()) {
    const Cost cost = costOf(work, spec);
    EXPECT_GT(cost.compute, int64_t(1) << 59);
    EXPECT_GT(cost.total(), 0);
    EXPECT_GT(cost.hbmRead, uint64_t(1) << 40);
    EXPECT_THAT(explain(work, spec), testing::HasSubstr("bound: "));
  }
}

TEST(Tpc, ExplainsItsNumbers) {
  const KernelWork work =
      elementwise({1 << 20}, ElementType::F32, 1, {Opcode::TanhF});
  EXPECT_THAT(
      explain(work, get("gaudi2")),
      testing::AllOf(
          // ceil(16,384 / 8 / 3) = 683 vectors of 64.
          testing::HasSubstr("1048576 points, 24 of 24 engines x box 43712, "
                             "vectorised across dimension 0"),
          testing::HasSubstr("vector 9562 (special functions 9562), load 2049, "
                             "store 683, scalar 683"),
          testing::HasSubstr("reads 4.00 MiB and writes 4.00 MiB of HBM"),
          testing::HasSubstr("bound: special functions")));
  const Operand tensor = dense({1 << 18});
  EXPECT_THAT(
      explain(TransferWork{TransferWork::Engine::Dma, tensor, tensor},
              get("gaudi2")),
      testing::HasSubstr("1.00 MiB in, 1.00 MiB out in lines of 128 bytes; 8 "
                         "descriptors of 128 KiB on 5 engines, 2 waves"));
}

TEST(Tpc, TakesTensorsWithoutElements) {
  for (const device::DeviceSpec &spec : device::DeviceSpec::all()) {
    const KernelWork work =
        elementwise({4, 0, 3}, ElementType::BF16, 1, {Opcode::ExpF});
    const Cost cost = costOf(work, spec);
    EXPECT_EQ(cost.compute, 0);
    EXPECT_EQ(cost.hbmRead + cost.hbmWritten, 0u);
    EXPECT_EQ(explain(work, spec), "no points; 2.00 us to start and finish");
  }
}

} // namespace
