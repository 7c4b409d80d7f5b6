// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Library kernels: cases computed by hand, and odd sizes.
#include "Gaudi/Timing/Library.h"
#include "Gaudi/Timing/Cost.h"

#include <gmock/gmock.h>

using namespace gaudi;
using namespace gaudi::timing;
using testing::HasSubstr;

namespace {

const device::DeviceSpec &get(const char *name) {
  return **device::DeviceSpec::lookup(name);
}

Operand dense(Dims sizes, ElementType type = ElementType::F32) {
  return {type, std::move(sizes), {}, Memory::Hbm};
}

LibraryWork sortOf(Dims sizes, int64_t axis) {
  return {"sort",
          {dense(sizes), dense(sizes), dense(sizes, ElementType::I32)},
          1,
          {axis, 0, 1}};
}

LibraryWork topKOf(Dims sizes, int64_t axis, int64_t k) {
  Dims results = sizes;
  results[size_t(axis)] = k;
  return {"top_k",
          {dense(sizes), dense(results), dense(results, ElementType::I32)},
          1,
          {axis, k, 1}};
}

// 240 rows of 1000, padded to 1024: 16 vectors of 64. Levels 1 to 10 make 55
// stages; 21 of the first six and 6 of each other are in vectors, 45, the other
// 10 exchange vectors. Ten rows per engine of Gaudi 2:
// 160 vectors * (45 * 4 + 10) = 30,400 cycles.
TEST(Library, SortsRows) {
  const Cost cost = costOf(sortOf({240, 1000}, 1), get("gaudi2"));
  EXPECT_EQ(cost.enginesUsed, 24u);
  EXPECT_EQ(cost.compute, cycleTime(30400, 1800000000));
  EXPECT_EQ(cost.bound, Bound::Vector);
  EXPECT_EQ(cost.hbmRead, 960000u);
  EXPECT_EQ(cost.hbmWritten, 2u * 960000);
  // n log n and more: twice the length takes more than twice the time.
  EXPECT_GT(costOf(sortOf({240, 2048}, 1), get("gaudi2")).compute,
            2 * cost.compute);
  // Across memory: the rows are transposed as well.
  EXPECT_GT(costOf(sortOf({1000, 240}, 0), get("gaudi2")).compute,
            cost.compute);
}

// A row of 2^20 does not fit local memory, 8192 pairs: levels 14 to 20 have 1
// to 7 exchanges through memory each, 28, and 7 passes in local memory.
TEST(Library, SortsLongRowsThroughMemory) {
  EXPECT_THAT(explain(sortOf({1, 1 << 20}, 1), get("gaudi2")),
              HasSubstr("35 passes through memory; 1 row of 1048576"));
}

// The 5 largest of 32,000: runs of 64, sorted in 21 stages and merged in one
// exchange and 6 stages: 4 * 27 + 1 instructions per vector. 24 rows.
TEST(Library, FindsTheLargest) {
  const Cost cost = costOf(topKOf({24, 32000}, 1, 5), get("gaudi2"));
  EXPECT_EQ(cost.compute, cycleTime(512 * (4 * 27 + 1), 1800000000));
  EXPECT_LT(cost.total(),
            costOf(sortOf({24, 32000}, 1), get("gaudi2")).total());
  // One row is divided over the engines.
  EXPECT_LT(costOf(topKOf({1, 32000}, 1, 5), get("gaudi2")).compute,
            cost.compute / 10);
  // All of them: a sort.
  EXPECT_EQ(costOf(topKOf({24, 32000}, 1, 32000), get("gaudi2")).compute,
            costOf(sortOf({24, 32000}, 1), get("gaudi2")).compute);
}

// 48 rows of 640: 10 vectors each, 14 instructions per vector. Along columns:
// one addition for each vector, which waits four cycles for the one before.
TEST(Library, AddsUp) {
  const auto sum = [](Dims sizes, int64_t axis) {
    return LibraryWork{
        "cumulative_sum", {dense(sizes), dense(sizes)}, 1, {axis, 0, 0}};
  };
  const device::DeviceSpec &spec = get("gaudi2");
  EXPECT_EQ(costOf(sum({48, 640}, 1), spec).compute,
            cycleTime(2 * 10 * 14, spec.tpc.clockHz));
  EXPECT_EQ(costOf(sum({640, 64}, 0), spec).compute,
            cycleTime(640 * 4, spec.tpc.clockHz));
  EXPECT_EQ(costOf(sum({640, 64}, 0), spec).enginesUsed, 1u);
  EXPECT_EQ(costOf(sum({640, 64 * 96}, 0), spec).compute,
            cycleTime(640 * 4, spec.tpc.clockHz));
}

LibraryWork scatterOf(int64_t rows, int64_t updates, int64_t columns,
                      bool accumulates) {
  return {"scatter_rows",
          {dense({1, rows, columns}), dense({1, updates}, ElementType::I64),
           dense({1, updates, columns}), dense({1, rows, columns})},
          3,
          {accumulates, 0}};
}

TEST(Library, ScattersRows) {
  const device::DeviceSpec &spec = get("gaudi2");
  const Cost none = costOf(scatterOf(100000, 1, 256, false), spec);
  const Cost set = costOf(scatterOf(100000, 50000, 256, false), spec);
  const Cost add = costOf(scatterOf(100000, 50000, 256, true), spec);
  // The copy is the larger part: 2 * 100 MB.
  EXPECT_GE(none.hbmRead + none.hbmWritten, 204800000u);
  EXPECT_EQ(set.hbmWritten - none.hbmWritten, 49999u * 1024);
  EXPECT_EQ(add.hbmRead - set.hbmRead, 50000u * 1024); // read, changed, written
  EXPECT_GT(set.total(), none.total());
  EXPECT_GT(add.total(), set.total());
}

// What is not copied is neither read nor written: indices, updates, and the
// rows that change.
TEST(Library, ScattersInPlace) {
  const device::DeviceSpec &spec = get("gaudi2");
  LibraryWork work = scatterOf(100000, 16, 256, false);
  const Cost copied = costOf(work, spec);
  work.name += inPlaceSuffix;
  const Cost cost = costOf(work, spec);
  EXPECT_EQ(cost.hbmWritten, 16u * 1024);
  EXPECT_LE(cost.hbmRead, 16u * 1024 + 256);
  EXPECT_LT(cost.total(), copied.total() / 20);
  EXPECT_EQ(explain(work, spec).find("copy"), std::string::npos);
}

TEST(Library, ScattersElements) {
  const auto scatter = [](Dims data, Dims updates, int64_t axis) {
    return LibraryWork{"scatter_elements",
                       {dense(data), dense(updates, ElementType::I32),
                        dense(updates), dense(data)},
                       3,
                       {axis, 1}};
  };
  const device::DeviceSpec &spec = get("gaudi2");
  // Rows of 4 KiB are in local memory; each of 24 engines adds 1024 elements, 6
  // scalar instructions each, after 12 vectors of the copy.
  const Cost local = costOf(scatter({24, 1024}, {24, 1024}, 1), spec);
  EXPECT_EQ(local.bound, Bound::Scalar);
  EXPECT_EQ(local.compute, cycleTime(6 * 1024, spec.tpc.clockHz));
  EXPECT_EQ(local.hbmRead, 3u * 24 * 4096);
  // Across rows each is a memory line of its own, read and written.
  const Cost lines = costOf(scatter({24, 1024}, {24, 1024}, 0), spec);
  EXPECT_EQ(lines.hbmRead, 3u * 24 * 4096 + 24 * 1024 * 256);
  EXPECT_GT(lines.total(), local.total());
}

TEST(Library, CostsACopyWhenLittleIsKnown) {
  const LibraryWork sort{"sort", {dense({1000000}), dense({1000000})}, 1, {}};
  const LibraryWork other{"other", sort.operands, 1, {}};
  for (const device::DeviceSpec &spec : device::DeviceSpec::all()) {
    EXPECT_EQ(costOf(sort, spec).total(), costOf(other, spec).total());
    EXPECT_EQ(costOf(other, spec).hbmRead, 4000000u);
  }
}

TEST(Library, TakesAnySize) {
  for (const device::DeviceSpec &spec : device::DeviceSpec::all())
    for (int64_t rows : {0, 1, 3, 1000})
      for (int64_t length : {0, 1, 2, 63, 64, 65, 9000, 100000}) {
        for (const LibraryWork &work :
             {sortOf({rows, length}, 1), sortOf({length, rows}, 0),
              topKOf({rows, length}, 1, std::min<int64_t>(length, 7))}) {
          const Cost cost = costOf(work, spec);
          EXPECT_GE(cost.total(), 1990000);
          EXPECT_GE(cost.enginesUsed, 1u);
          EXPECT_LE(cost.enginesUsed, spec.tpc.engines);
          EXPECT_FALSE(explain(work, spec).empty());
        }
      }
}

} // namespace
