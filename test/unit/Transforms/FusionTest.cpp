// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fusion keeps the values of random programs of elementwise kernels and
// reductions that feed each other.
#include "Gaudi/Dialect/KernelBuilder.h"
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Reference/SeededInputs.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Passes.h"
#include "Merge/KernelReader.h"
#include "Merge/Profit.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace gaudi;

namespace {
/// Writes a function of kernels over matrices of `rows` x `columns`, vectors of
/// one element per row, and single elements. All numbers are small integers, so
/// that every order of evaluation is exact.
class Program {
public:
  Program(MLIRContext *context, uint32_t seed)
      : random(seed), builder(context), loc(builder.getUnknownLoc()),
        rows(1 + pick(4)), columns(2 + pick(5)) {
    module = ModuleOp::create(loc);
    module->getOperation()->setAttr("gaudi.device",
                                    builder.getStringAttr("gaudi2"));
    builder.setInsertionPointToEnd(module->getBody());
    SmallVector<Type> inputs = {type({rows, columns}), type({rows, columns}),
                                type({rows})};
    function = func::FuncOp::create(builder, loc, "main",
                                    builder.getFunctionType(inputs, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    // Seeded inputs are fractions; what is stored is whole.
    for (BlockArgument argument : function.getArguments())
      add(whole(argument));
  }

  void write() {
    for (unsigned i = 0, count = 2 + pick(6); i < count; ++i)
      addKernel();
    SmallVector<Value> results = {last};
    for (unsigned i = 0, count = pick(3); i < count; ++i)
      results.push_back(any());
    func::ReturnOp::create(builder, loc, results);
    function.setFunctionType(builder.getFunctionType(
        function.getArgumentTypes(), ValueRange(results).getTypes()));
  }

  OwningOpRef<ModuleOp> module;
  func::FuncOp function;

private:
  unsigned pick(unsigned count) { return random() % count; }
  RankedTensorType type(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getF32Type());
  }
  static ArrayRef<int64_t> shapeOf(Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getShape();
  }
  Value add(Value tensor) {
    pool.push_back(tensor);
    return last = tensor;
  }
  /// Any value, more often than not the last one.
  Value any() { return pick(2) ? last : pool[pick(pool.size())]; }

  Value whole(Value tensor) {
    SmallVector<bool> parallel(shapeOf(tensor).size(), true);
    KernelBuilder kernel(builder, loc, tensor.getType(), tensor,
                         shapeOf(tensor), parallel, "whole");
    SmallVector<AffineExpr> at;
    for (unsigned d = 0; d < parallel.size(); ++d)
      at.push_back(kernel.dim(d));
    Value scaled = kernel.binary<arith::MulFOp>(kernel.load(0, at),
                                                kernel.floatConstant(8));
    kernel.store(kernel.unary<math::FloorOp>(scaled), 0, at);
    return kernel.finish().getResult(0);
  }

  void addKernel() {
    switch (pick(4)) {
    case 0:
      return addElementwise();
    case 1:
      return addReduction(/*stages=*/1);
    case 2:
      return addReduction(/*stages=*/2);
    default:
      return addView();
    }
  }

  /// The element of operand `number` at the point, broadcast along what the
  /// operand lacks.
  Value element(KernelBuilder &kernel, unsigned number, Value tensor) {
    SmallVector<AffineExpr> at;
    for (auto [d, size] : llvm::enumerate(shapeOf(tensor)))
      at.push_back(size == 1 ? kernel.cst(0) : kernel.dim(d));
    return kernel.load(number, at);
  }

  Value combine(KernelBuilder &kernel, Value a, Value b) {
    switch (pick(4)) {
    case 0:
      return kernel.binary<arith::AddFOp>(a, b);
    case 1:
      return kernel.binary<arith::SubFOp>(a, b);
    case 2:
      return kernel.binary<arith::MaximumFOp>(a, b);
    default: {
      Value less =
          arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, a, b);
      return arith::SelectOp::create(builder, loc, less, a, b);
    }
    }
  }

  /// A matrix, or a vector if both operands are.
  void addElementwise() {
    SmallVector<Value> inputs = {any(), any()};
    SmallVector<int64_t> shape = {rows, columns};
    if (shapeOf(inputs[0]).size() == 1 && shapeOf(inputs[1]).size() == 1)
      shape = {rows};
    SmallVector<bool> parallel(shape.size(), true);
    KernelBuilder kernel(builder, loc, type(shape), inputs, shape, parallel,
                         "elementwise");
    Value result = combine(kernel, element(kernel, 0, inputs[0]),
                           element(kernel, 1, inputs[1]));
    SmallVector<AffineExpr> at;
    for (unsigned d = 0; d < shape.size(); ++d)
      at.push_back(kernel.dim(d));
    kernel.store(result, 0, at);
    add(kernel.finish().getResult(0));
  }

  /// Results of a loop over the columns, or over all elements. The values of
  /// the first reduction are stored if `storesSteps`.
  SmallVector<Value> reduce(KernelBuilder &kernel, ArrayRef<int64_t> dims,
                            ArrayRef<Value> inputs, Value outer,
                            bool storesSteps) {
    SmallVector<KernelReduce> kinds;
    SmallVector<Value> inits;
    for (unsigned i = 0, count = 1 + pick(3); i < count; ++i) {
      constexpr KernelReduce choice[] = {KernelReduce::Add, KernelReduce::Max,
                                         KernelReduce::ArgMin,
                                         KernelReduce::Custom};
      kinds.push_back(choice[pick(4)]);
      inits.push_back(outer && pick(2) ? outer : kernel.floatConstant(pick(5)));
    }
    return kernel.loop(dims, kinds, inits, [&](ValueRange running) {
      SmallVector<Value> yielded;
      Value x = element(kernel, 0, inputs[0]);
      for (auto [r, kind] : llvm::enumerate(kinds)) {
        Value y = outer && pick(2) ? outer : element(kernel, 1, inputs[1]);
        Value value = pick(3) ? combine(kernel, x, y) : x;
        if (kind == KernelReduce::Custom)
          value = kernel.binary<arith::AddFOp>(
              combine(kernel, running[r], value), kernel.floatConstant(1));
        yielded.push_back(value);
        if (kind == KernelReduce::ArgMin)
          yielded.push_back(kernel.index(dims.back()));
      }
      if (storesSteps)
        kernel.store(yielded[0], 1, {kernel.dim(0), kernel.dim(1)});
      return yielded;
    });
  }

  /// A vector with the last of the reductions of `stages` loops, of which each
  /// reads the one before, and perhaps a matrix: of the steps of the last loop,
  /// or one that depends on its result.
  void addReduction(unsigned stages) {
    SmallVector<Value> inputs = {any(), any()};
    bool overall = pick(4) == 0, writesMatrix = pick(3) == 0,
         writesSteps = writesMatrix && pick(2);
    SmallVector<Type> outputs = {overall ? type({1}) : type({rows})};
    if (writesMatrix)
      outputs.push_back(type({rows, columns}));
    KernelBuilder kernel(builder, loc, outputs, inputs, {rows, columns},
                         {!overall, false}, "reduction");
    SmallVector<int64_t> dims = {1};
    if (overall)
      dims = {0, 1};
    Value result;
    for (unsigned stage = 0; stage < stages; ++stage) {
      SmallVector<Value> results = reduce(kernel, dims, inputs, result,
                                          writesSteps && stage + 1 == stages);
      result = results.back();
      if (!isa<FloatType>(result.getType()))
        result =
            arith::SIToFPOp::create(builder, loc, builder.getF32Type(), result);
    }
    kernel.store(result, 0, overall ? kernel.cst(0) : kernel.dim(0));
    if (writesMatrix && !writesSteps)
      kernel.loop(dims, {}, {}, [&](ValueRange) {
        Value x = element(kernel, 0, inputs[0]);
        kernel.store(combine(kernel, x, result), 1,
                     {kernel.dim(0), kernel.dim(1)});
        return SmallVector<Value>();
      });
    for (Value output : kernel.finish()->getResults())
      add(output);
  }

  /// A reshape there and back around a kernel, which is a view between two.
  void addView() {
    Value tensor = any();
    int64_t count = 1;
    for (int64_t size : shapeOf(tensor))
      count *= size;
    Value flat = ReshapeOp::create(builder, loc, type({count}), tensor);
    {
      KernelBuilder kernel(builder, loc, type({count}), flat, {count}, {true},
                           "flat");
      Value x = kernel.load(0, kernel.dim(0));
      kernel.store(combine(kernel, kernel.floatConstant(3), x), 0,
                   kernel.dim(0));
      flat = kernel.finish().getResult(0);
    }
    add(ReshapeOp::create(builder, loc, tensor.getType(), flat));
  }

  std::mt19937 random;
  OpBuilder builder;
  Location loc;
  int64_t rows, columns;
  SmallVector<Value> pool;
  Value last;
};

class FusionTest : public ::testing::Test {
protected:
  FusionTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registry.insert<GaudiDialect, arith::ArithDialect, func::FuncDialect,
                    math::MathDialect>();
    registerReferenceModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  MLIRContext context;
};

TEST_F(FusionTest, KeepsTheValuesOfRandomPrograms) {
  unsigned before = 0, after = 0;
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program program(&context, seed);
    program.write();
    std::string text;
    llvm::raw_string_ostream(text) << *program.module;
    ASSERT_TRUE(succeeded(verify(*program.module))) << text;
    auto kernels = [&] {
      return llvm::range_size(program.function.getOps<KernelOp>());
    };
    SmallVector<ReferenceTensor> inputs =
        seededInputs(program.function.getArgumentTypes(), seed);
    auto expected = evaluateFunction(program.function, inputs);
    ASSERT_TRUE(succeeded(expected)) << text;
    before += kernels();

    PassManager manager(&context);
    manager.addPass(createFuseTpc());
    ASSERT_TRUE(succeeded(manager.run(*program.module))) << text;
    auto actual = evaluateFunction(program.function, inputs);
    ASSERT_TRUE(succeeded(actual)) << text;
    after += kernels();

    for (auto [was, is] : llvm::zip_equal(*expected, *actual))
      ASSERT_EQ(was.floats(), is.floats()) << text;
  }
  // The programs are worth fusing.
  EXPECT_LT(after * 2, before);
}

// A merge is weighed by its graph before the kernel exists: both have one cost.
TEST_F(FusionTest, WeighsTheKernelThatIsWritten) {
  auto spec = gaudi::device::DeviceSpec::lookup("gaudi2");
  ASSERT_TRUE(spec);
  unsigned compared = 0;
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program program(&context, seed);
    program.write();
    PassManager manager(&context);
    manager.addPass(createFuseTpc());
    ASSERT_TRUE(succeeded(manager.run(*program.module)));
    for (auto kernel : program.function.getOps<KernelOp>()) {
      FailureOr<fusion::KernelDag> dag = fusion::readKernel(kernel);
      const bool isMerged = kernel.getLabel().value_or("").contains('+');
      if (failed(dag) || !isMerged)
        continue;
      const auto graph = gaudi::timing::costOf(fusion::workOf(*dag), **spec);
      const auto written =
          gaudi::timing::costOf(kernel.getWork(operandOf).front(), **spec);
      // But for the order of loads in a loop, which may move a cycle.
      EXPECT_NEAR(double(graph.total()), double(written.total()), 1e3);
      EXPECT_EQ(graph.hbmRead + graph.hbmWritten,
                written.hbmRead + written.hbmWritten);
      ++compared;
    }
  }
  EXPECT_GT(compared, 100u);
}

TEST(DeviceTimeTest, Texts) {
  auto spec = gaudi::device::DeviceSpec::lookup("gaudi2");
  ASSERT_TRUE(spec);
  const DeviceTime time(**spec);
  EXPECT_EQ(time.text(1'236'000), "1.24 us on gaudi2");
  EXPECT_EQ(time.saving(12'340'000), "saving 12.3 us on gaudi2");
  EXPECT_EQ(time.saving(-5'000), "adding 5.00 ns on gaudi2");
  EXPECT_EQ(time.change(1'000'000, 2'500'000),
            "2.50 us instead of 1.00 us on gaudi2");
}
} // namespace
