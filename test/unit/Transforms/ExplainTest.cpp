// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a placement of permutations says of itself: records of placements that
// are written by hand.
#include "Explain.h"
#include "Gaudi/Transforms/PermutationRecord.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;
using testing::ElementsAre;

namespace {
class Explain : public testing::Test {
protected:
  Explain() {
    context.loadDialect<GaudiDialect, func::FuncDialect>();
    time.emplace(**gaudi::device::DeviceSpec::lookup("gaudi2"));
  }

  void parse(const char *text) {
    module = parseSourceString<ModuleOp>(text, &context, "m.mlir");
    ASSERT_TRUE(module);
    function = *module->getOps<func::FuncOp>().begin();
  }

  /// Op number `index` of the function.
  Operation *op(unsigned index) {
    return &*std::next(function.front().begin(), index);
  }

  PermutationRecord explained(const Placement &placement) {
    explainPlacement(function, placement, *time);
    auto records = permutationRecords(*module);
    EXPECT_EQ(records.size(), 1u);
    return records.empty() ? PermutationRecord{"", function.getLoc()}
                           : records.front();
  }

  static std::vector<std::string> textsOf(const PermutationRecord &record) {
    std::vector<std::string> texts;
    for (const PermutationRecord::Transpose &transpose : record.transposes)
      texts.push_back(transpose.text);
    return texts;
  }

  static std::vector<std::array<int64_t, 3>>
  edgesOf(const PermutationRecord &record) {
    std::vector<std::array<int64_t, 3>> edges;
    for (const PermutationRecord::Edge &edge : record.edges)
      edges.push_back({edge.from, edge.to, edge.transpose});
    return edges;
  }

  /// A region in which one transpose of a matrix remains.
  layout::Region regionWith(Value transposed, ArrayRef<Operation *> ops,
                            unsigned transposesBefore) {
    layout::Region region;
    region.ops.assign(ops.begin(), ops.end());
    region.transposesBefore = transposesBefore;
    region.transposes.push_back(transposition(transposed, {0, 1}, {1, 0}));
    return region;
  }

  Transposition transposition(Value root, Order from, Order to) {
    Transposition transposition;
    transposition.root = root;
    transposition.from = std::move(from);
    transposition.to = std::move(to);
    transposition.time = 2000000;
    transposition.bytes = 4096;
    return transposition;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  std::optional<DeviceTime> time;
};

const char *const wrapped = R"mlir(
func.func @main(%x: tensor<512x256xf32> {gaudi.name = "x"})
    -> (tensor<512x256xf32> {gaudi.name = "y"}) {
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<512x256xf32> -> tensor<256x512xf32>
  %1 = gaudi.tpc.exp %0 : tensor<256x512xf32>
  %2 = gaudi.transpose %1 permutation [1, 0] : tensor<256x512xf32> -> tensor<512x256xf32>
  %3 = gaudi.tpc.neg %2 : tensor<512x256xf32>
  return %3 : tensor<512x256xf32>
}
)mlir";

TEST_F(Explain, TransposesOfConstantsSaveNothing) {
  parse(R"mlir(
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %w = gaudi.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = gaudi.transpose %w permutation [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
  %1 = gaudi.tpc.add %x, %0 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
)mlir");
  Placement placement;
  layout::Region region = regionWith(op(0)->getResult(0), {}, 0);
  region.transposes[0].isFree = true;
  placement.regions.push_back(region);
  const PermutationRecord record = explained(placement);
  EXPECT_THAT(textsOf(record),
              ElementsAre("removed: transpose [1, 0] of 3x2xf32, made at "
                          "compile time, no saving: the constant is stored in "
                          "the order of its readers"));
  EXPECT_EQ(record.transposes[0].bytes, 0);
}

TEST_F(Explain, RemovedTransposesNameWhoReadsAndWrites) {
  parse(wrapped);
  Placement placement;
  placement.ops[op(1)].orders = {{1, 0}, {1, 0}};
  layout::Region region;
  region.ops = {op(3), op(1)};
  region.transposesBefore = 2;
  region.bytesBefore = 2 << 20;
  region.before = 9000000;
  region.after = region.lowerBound = 5000000;
  placement.regions.push_back(region);
  const PermutationRecord record = explained(placement);
  EXPECT_EQ(record.count.line("gaudi2"),
            "0 transposes instead of 2, 0 B instead of 2.00 MiB, 5.00 us "
            "instead of 9.00 us on gaudi2, lower bound 5.00 us: optimal "
            "for this form");
  const std::string saved = time->saving(time->of(op(0)));
  EXPECT_THAT(textsOf(record),
              ElementsAre("removed: transpose [1, 0] of 512x256xf32, " + saved +
                              ": 'gaudi.tpc.exp' at m.mlir:5:8 reads its "
                              "operand in [1, 0]",
                          "removed: transpose [1, 0] of 256x512xf32, " + saved +
                              ": 'gaudi.tpc.exp' at m.mlir:5:8 writes its "
                              "result in [1, 0]"));
  ASSERT_EQ(record.ops.size(), 3u);
  EXPECT_EQ(record.opsInAll, 2u);
  EXPECT_EQ(record.ops[0].name, "argument x");
  EXPECT_EQ(record.ops[1].name, "tpc.exp");
  EXPECT_EQ(record.ops[1].order, (Order{1, 0}));
  EXPECT_EQ(record.ops[2].name, "tpc.neg");
  EXPECT_TRUE(record.ops[2].order.empty());
  EXPECT_THAT(edgesOf(record), ElementsAre(std::array<int64_t, 3>{0, 1, 0},
                                           std::array<int64_t, 3>{1, 2, 1}));
}

const char *const boundary = R"mlir(
func.func @main(%x: tensor<512x256xf32> {gaudi.name = "x"})
    -> (tensor<256x512xf32> {gaudi.name = "y"}) {
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<512x256xf32> -> tensor<256x512xf32>
  return %0 : tensor<256x512xf32>
}
)mlir";

TEST_F(Explain, KeptTransposesNameBothSidesAndWhatRemovesThem) {
  parse(boundary);
  Placement placement = choosePlacement(function, *time);
  const PermutationRecord record = explained(placement);
  ASSERT_EQ(record.transposes.size(), 1u);
  EXPECT_TRUE(record.transposes[0].remains);
  EXPECT_EQ(record.count.transposesAfter, 1u);
  EXPECT_THAT(
      record.transposes[0].text,
      testing::AllOf(
          testing::StartsWith("kept: transpose [1, 0] of 512x256xf32, "
                              "1.00 MiB, "),
          testing::HasSubstr("argument 'x' has the order of its caller"),
          testing::HasSubstr("result 'y' has the order of its caller"),
          testing::EndsWith("; allow-permutation on argument 'x' "
                            "removes it; allow-permutation on result "
                            "'y' removes it")));
  // The freedom was asked for, not given.
  EXPECT_FALSE(function.getArgAttr(0, "gaudi.allow_permutation"));
  EXPECT_FALSE(function.getResultAttr(0, "gaudi.allow_permutation"));
}

TEST_F(Explain, OpsWithOneOrderAreNamed) {
  parse(R"mlir(
func.func @main(%x: tensor<64x32xf32>, %i: tensor<64xi32>, %u: tensor<64x32xf32>) -> tensor<32x64xf32> {
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %1 = gaudi.tpc.exp %0 : tensor<32x64xf32>
  return %1 : tensor<32x64xf32>
}
)mlir");
  Placement placement;
  layout::Region region = regionWith(function.getArgument(0), {op(1)}, 1);
  region.isComplete = false;
  placement.regions.push_back(region);
  const PermutationRecord record = explained(placement);
  EXPECT_THAT(
      textsOf(record),
      ElementsAre(testing::HasSubstr(
          "4.00 KiB, 2.00 us on gaudi2; argument 'arg0' has the order of its "
          "caller; 'gaudi.tpc.exp' at m.mlir:4:8 has the order of its "
          "neighbours: result 'out0' has the order of its caller; ")));
  EXPECT_FALSE(record.count.isOptimal());
}

TEST_F(Explain, OpsWithoutChoiceAreDrawnWithWhatTheyForce) {
  parse(R"mlir(
func.func @main(%x: tensor<8x64x56x56xbf16>, %w: tensor<64x3x3x64xbf16>) -> tensor<8x56x56x64xbf16> {
  %0 = gaudi.transpose %x permutation [0, 2, 3, 1] : tensor<8x64x56x56xbf16> -> tensor<8x56x56x64xbf16>
  %1 = gaudi.mme.conv %0, %w layout "NHWC", "OHWI", "NHWC" strides [1, 1] dilations [1, 1] pad [1, 1], [1, 1] groups 1 : tensor<8x56x56x64xbf16>, tensor<64x3x3x64xbf16> -> tensor<8x56x56x64xbf16>
  return %1 : tensor<8x56x56x64xbf16>
}
)mlir");
  Placement placement = choosePlacement(function, *time);
  const PermutationRecord record = explained(placement);
  EXPECT_THAT(textsOf(record),
              ElementsAre(testing::HasSubstr(
                  "; argument 'arg0' has the order of its caller; "
                  "'gaudi.mme.conv' at m.mlir:4:8 cannot read its operand in "
                  "[0, 3, 1, 2]; allow-permutation on argument 'arg0' removes "
                  "it")));
  EXPECT_EQ(record.opsInAll, 1u);
  ASSERT_EQ(record.ops.size(), 2u);
  EXPECT_EQ(record.ops[0].name, "argument arg0");
  EXPECT_EQ(record.ops[1].name, "mme.conv");
  EXPECT_THAT(edgesOf(record), ElementsAre(std::array<int64_t, 3>{0, 1, 0}));
}

TEST_F(Explain, TheReaderThatCannotChangeIsNamed) {
  parse(R"mlir(
func.func @main(%x: tensor<64x128xf32>, %w: tensor<256x128xf32>) -> (tensor<64x256xf32>, tensor<128x256xf32>) {
  %0 = gaudi.transpose %w permutation [1, 0] : tensor<256x128xf32> -> tensor<128x256xf32>
  %1 = gaudi.mme.gemm %x, %0 : tensor<64x128xf32>, tensor<128x256xf32> -> tensor<64x256xf32>
  return %1, %0 : tensor<64x256xf32>, tensor<128x256xf32>
}
)mlir");
  Placement placement = choosePlacement(function, *time);
  EXPECT_THAT(
      textsOf(explained(placement)),
      ElementsAre(testing::HasSubstr(
          "; argument 'arg1' has the order of its caller; result 'out1' has "
          "the order of its caller; allow-permutation on argument 'arg1' "
          "removes it; allow-permutation on result 'out1' removes it")));
}

TEST_F(Explain, OpsOnBothSidesLeaveNoOption) {
  parse(R"mlir(
func.func @main(%x: tensor<8192xf32>) -> tensor<8192xf32> {
  %0 = gaudi.reshape %x : tensor<8192xf32> -> tensor<64x128xf32>
  %1 = gaudi.transpose %0 permutation [1, 0] : tensor<64x128xf32> -> tensor<128x64xf32>
  %2 = gaudi.reshape %1 : tensor<128x64xf32> -> tensor<8192xf32>
  return %2 : tensor<8192xf32>
}
)mlir");
  Placement placement = choosePlacement(function, *time);
  EXPECT_THAT(textsOf(explained(placement)),
              ElementsAre(testing::HasSubstr(
                  "; 'gaudi.reshape' at m.mlir:3:8 cannot write its result in "
                  "[1, 0]; 'gaudi.reshape' at m.mlir:5:8 cannot read its "
                  "operand in [1, 0]; no option removes it")));
}

/// A tensor that is returned as it is `copies` times, and flattened in another
/// order.
std::string shared(unsigned copies) {
  std::string values = "%2", types = "tensor<131072xf32>";
  for (unsigned i = 0; i < copies; ++i) {
    values += ", %x";
    types += ", tensor<512x256xf32>";
  }
  return R"mlir(
func.func @main(%x: tensor<512x256xf32>) -> ()mlir" +
         types + R"mlir() {
  %1 = gaudi.transpose %x permutation [1, 0] : tensor<512x256xf32> -> tensor<256x512xf32>
  %2 = gaudi.reshape %1 : tensor<256x512xf32> -> tensor<131072xf32>
  return )mlir" +
         values + " : " + types + "\n}\n";
}

TEST_F(Explain, FreedomsThatHelpTogetherAreNamed) {
  parse(shared(1).c_str());
  Placement placement = choosePlacement(function, *time);
  EXPECT_THAT(textsOf(explained(placement)),
              ElementsAre(testing::EndsWith(
                  "; allow-permutation on argument 'arg0' and result 'out1' "
                  "together removes it")));
  EXPECT_FALSE(function.getArgAttr(0, "gaudi.allow_permutation"));
  EXPECT_FALSE(function.getResultAttr(1, "gaudi.allow_permutation"));
}

TEST_F(Explain, ManyFreedomsAreNamedAll) {
  parse(shared(3).c_str());
  Placement placement = choosePlacement(function, *time);
  EXPECT_THAT(
      textsOf(explained(placement)),
      ElementsAre(testing::EndsWith("; allow-permutation=all removes it")));
}

TEST_F(Explain, LargeFunctionsAreNotAskedAgain) {
  std::string text = R"mlir(
func.func @main(%x: tensor<512x256xf32>, %v0: tensor<4xf32>) -> (tensor<256x512xf32>, tensor<4xf32>) {
  %t = gaudi.transpose %x permutation [1, 0] : tensor<512x256xf32> -> tensor<256x512xf32>
)mlir";
  constexpr unsigned count = 2000;
  for (unsigned i = 1; i <= count; ++i)
    text += "%v" + std::to_string(i) + " = gaudi.tpc.neg %v" +
            std::to_string(i - 1) + " : tensor<4xf32>\n";
  parse((text + "return %t, %v" + std::to_string(count) +
         " : tensor<256x512xf32>, tensor<4xf32>\n}")
            .c_str());
  Placement placement = choosePlacement(function, *time);
  EXPECT_THAT(textsOf(explained(placement)),
              ElementsAre(testing::EndsWith(
                  "; allow-permutation on argument 'arg0' may remove it; "
                  "allow-permutation on result 'out0' may remove it")));
}

TEST_F(Explain, FreedomsThatFunctionsMayNotHaveAreNotNamed) {
  parse(boundary);
  // Another function passes the tensors as they are written.
  auto caller = parseSourceString<ModuleOp>(R"mlir(
func.func private @main(tensor<512x256xf32>) -> tensor<256x512xf32>
func.func @caller(%x: tensor<512x256xf32>) -> tensor<256x512xf32> {
  %0 = func.call @main(%x) : (tensor<512x256xf32>) -> tensor<256x512xf32>
  return %0 : tensor<256x512xf32>
}
)mlir",
                                            &context, "c.mlir");
  ASSERT_TRUE(caller);
  auto *last = &caller->getBody()->back();
  last->remove();
  module->getBody()->push_back(last);
  Placement placement = choosePlacement(function, *time);
  EXPECT_THAT(textsOf(explained(placement)),
              ElementsAre(testing::EndsWith("; no option removes it")));
}

TEST_F(Explain, RemovedTransposesNameWhatMadeThemNeedless) {
  parse(R"mlir(
func.func @main(%x: tensor<512x256xf32>) -> (tensor<512x256xf32>, tensor<131072xf32>, tensor<131072xf32>) {
  %0 = gaudi.transpose %x permutation [1, 0] : tensor<512x256xf32> -> tensor<256x512xf32>
  %1 = gaudi.transpose %0 permutation [1, 0] : tensor<256x512xf32> -> tensor<512x256xf32>
  %2 = gaudi.transpose %x permutation [1, 0] : tensor<512x256xf32> -> tensor<256x512xf32>
  %3 = gaudi.transpose %x permutation [1, 0] : tensor<512x256xf32> -> tensor<256x512xf32>
  %4 = gaudi.transpose %x permutation [1, 0] : tensor<512x256xf32> -> tensor<256x512xf32>
  %5 = gaudi.reshape %2 : tensor<256x512xf32> -> tensor<131072xf32>
  %6 = gaudi.reshape %3 : tensor<256x512xf32> -> tensor<131072xf32>
  return %1, %5, %6 : tensor<512x256xf32>, tensor<131072xf32>, tensor<131072xf32>
}
)mlir");
  Placement placement = choosePlacement(function, *time);
  const PermutationRecord record = explained(placement);
  EXPECT_THAT(
      textsOf(record),
      testing::IsSupersetOf(
          {testing::HasSubstr(": it cancels with another one"),
           testing::HasSubstr(": nothing reads it"),
           testing::HasSubstr(": 'gaudi.reshape' at m.mlir:9:8 reads the copy "
                              "of another one at m.mlir:3:8")}));
}

TEST_F(Explain, TimeDecidesWhereNothingForces) {
  parse(wrapped);
  // Written by hand: a transpose between two ops that could have either order.
  Placement placement;
  placement.ops[op(1)].orders = {{1, 0}, {0, 1}};
  placement.regions.push_back(
      regionWith(op(1)->getResult(0), {op(1), op(3)}, 2));
  EXPECT_THAT(textsOf(explained(placement)),
              testing::Contains(testing::HasSubstr(
                  "'gaudi.tpc.exp' at m.mlir:5:8 writes it in the order of "
                  "least time")));
}

TEST_F(Explain, DrawingsAreBounded) {
  std::string text = "func.func @main(%v0: tensor<8x4xf32>) -> "
                     "tensor<8x4xf32> {\n";
  constexpr unsigned count = 1000;
  for (unsigned i = 1; i <= count; ++i)
    text += "%v" + std::to_string(i) + " = gaudi.tpc.neg %v" +
            std::to_string(i - 1) + " : tensor<8x4xf32>\n";
  text += "return %v" + std::to_string(count) + " : tensor<8x4xf32>\n}";
  parse(text.c_str());
  Placement placement;
  layout::Region region;
  for (Operation &op : function.front().without_terminator())
    region.ops.push_back(&op);
  placement.regions.push_back(region);
  const PermutationRecord record = explained(placement);
  EXPECT_EQ(record.opsInAll, count);
  EXPECT_EQ(record.ops.size(), 400u);
  EXPECT_EQ(record.edges.size(), 399u);
}

TEST_F(Explain, NothingToSayLeavesTheModuleAlone) {
  parse(boundary);
  explainPlacement(function, {}, *time);
  EXPECT_FALSE((*module)->hasAttr(permutationsAttrName));
}
} // namespace
