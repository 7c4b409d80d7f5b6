// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of 8-bit integers are those of the code generator, whatever their
// signs, zero points and shapes are.
#include "IntegerCase.h"

#include "Mme/Kernels/MicroKernel.h"

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// An 8-bit operation with a constant between a load and its extension.
struct ByteStep {
  Op op;
  uint8_t constant;
  bool constantFirst = false;

  uint32_t build(KernelBuilder &b, uint32_t byte) const {
    const uint32_t other = b.constant(ElementType::I8, constant);
    return constantFirst ? b.inst(op, ElementType::I8, other, byte)
                         : b.inst(op, ElementType::I8, byte, other);
  }
  uint8_t apply(uint8_t byte) const {
    const uint8_t first = constantFirst ? constant : byte,
                  second = constantFirst ? byte : constant;
    return uint8_t(op == Op::AddI   ? first + second
                   : op == Op::SubI ? first - second
                                    : first ^ second);
  }
};
using ByteSteps = std::vector<ByteStep>;

Bytes applied(const ByteSteps &steps, Bytes bytes) {
  for (const ByteStep &step : steps)
    for (uint8_t &byte : bytes)
      byte = step.apply(byte);
  return bytes;
}

enum class Zero { None, Constant, Loaded, PerLine, Words };

/// y[b, m, n] = 5 + sum over k of (x[b, m, k] - p) (w[b, k, n] - q)
struct ProductCase {
  int64_t batch = 1, m = 9, k = 20, n = 35;
  bool signedX = true, signedW = true;
  Zero zeroX = Zero::None, zeroW = Zero::None;
  bool constantW = false, transposedW = false, transposedX = false;
  bool sharedW = false;          // by the batch
  bool wide = false;             // sums in i64
  bool largest = false;          // all values are -128
  int bitsW = 8;                 // of w
  bool mixedSigns = false;       // of x and its zero points
  ByteSteps stepsX, stepsW;      // of the zero points, too
  const char *refused = nullptr; // why no kernel computes it

  void check() const;

private:
  /// Elements of the zero points of `lines` lines.
  static int64_t zeros(Zero kind, int64_t lines) {
    return kind == Zero::PerLine ? lines : 1;
  }
  uint32_t factor(KernelBuilder &b, uint32_t access, bool isSigned, Zero kind,
                  uint32_t zeroAccess, bool signedZero, int64_t constant,
                  const ByteSteps &steps) const {
    const auto load = [&](uint32_t from) {
      uint32_t byte = b.inst(Op::Load, ElementType::I8, from);
      for (const ByteStep &step : steps)
        byte = step.build(b, byte);
      return byte;
    };
    const auto type = wide ? ElementType::I64 : ElementType::I32;
    const uint32_t value = extend(b, load(access), isSigned, type);
    switch (kind) {
    case Zero::None:
      return value;
    case Zero::Constant:
      return b.inst(
          Op::AddI, type,
          b.constant(type, wide ? uint64_t(-constant) : uint32_t(-constant)),
          value);
    case Zero::Words: // the low 16 bits of signed values
      return b.inst(
          Op::SubI, type, value,
          b.inst(Op::ExtUI, type,
                 b.inst(Op::ExtSI, ElementType::I16,
                        b.inst(Op::Load, ElementType::I8, zeroAccess))));
    default:
      return b.inst(Op::SubI, type, value,
                    extend(b, load(zeroAccess), signedZero, type));
    }
  }
  static uint32_t zeroOf(Zero kind, const Bytes &zeros, bool isSigned,
                         int64_t line, int64_t constant) {
    switch (kind) {
    case Zero::None:
      return 0;
    case Zero::Constant:
      return uint32_t(constant);
    case Zero::Words:
      return extended(zeros[0], true) & 0xffff;
    default:
      return extended(zeros[kind == Zero::PerLine ? size_t(line) : 0],
                      isSigned);
    }
  }
};

void ProductCase::check() const {
  SCOPED_TRACE(::testing::Message()
               << batch << " x " << m << " x " << k << " x " << n);
  const int64_t batchW = sharedW ? 1 : batch;
  const bool signedP = signedX != mixedSigns;
  auto bytes = [&](int64_t count, uint64_t seed) {
    return largest ? Bytes(size_t(count), 0x80) : someBytes(count, seed);
  };
  const Bytes x = bytes(batch * m * k, 1),
              w = narrowed(bytes(batchW * k * n, 2), bitsW, signedW),
              p = someBytes(zeros(zeroX, m), 3),
              q = someBytes(zeros(zeroW, n), 4);
  constexpr int64_t constantX = -77, constantW8 = 131;

  KernelBuilder b({batch, m, n, k}, {true, true, true, false});
  b.input(byteType(signedX), 3).input(byteType(signedW), 3);
  b.input(byteType(signedP), 1).input(byteType(signedW), 1);
  b.output(ElementType::I32, 3);
  const uint32_t accessX =
      transposedX
          ? b.access(0, 0, b.at({{0, 1}}), b.at({{3, 1}}), b.at({{1, 1}}))
          : b.access(0, 0, b.at({{0, 1}}), b.at({{1, 1}}), b.at({{3, 1}}));
  const std::vector<std::pair<unsigned, int64_t>> batchTerm =
      sharedW ? std::vector<std::pair<unsigned, int64_t>>{}
              : std::vector<std::pair<unsigned, int64_t>>{{0, 1}};
  const uint32_t accessW =
      transposedW
          ? b.access(1, 0, b.at(batchTerm), b.at({{2, 1}}), b.at({{3, 1}}))
          : b.access(1, 0, b.at(batchTerm), b.at({{3, 1}}), b.at({{2, 1}}));
  auto line = [&](Zero kind, unsigned dim) {
    return kind == Zero::PerLine ? b.at({{dim, 1}}) : b.at({});
  };
  const uint32_t accessP = b.access(2, 0, line(zeroX, 1)),
                 accessQ = b.access(3, 0, line(zeroW, 2));
  const uint32_t accessY =
      b.access(4, 0, b.at({{0, 1}}), b.at({{1, 1}}), b.at({{2, 1}}));
  const auto type = wide ? ElementType::I64 : ElementType::I32;
  uint32_t sum = sumOfProducts(
      b, {3},
      [&] {
        return factor(b, accessX, signedX, zeroX, accessP, signedP, constantX,
                      stepsX);
      },
      [&] {
        return factor(b, accessW, signedW, zeroW, accessQ, signedW, constantW8,
                      stepsW);
      },
      type, 5);
  if (wide)
    sum = b.inst(Op::TruncI, ElementType::I32, sum);
  b.store(accessY, sum);

  TestRecipe recipe;
  const Dims sizesW = transposedW ? Dims{batchW, n, k} : Dims{batchW, k, n};
  const uint32_t inX = recipe.input(
      byteType(signedX), transposedX ? Dims{batch, k, m} : Dims{batch, m, k});
  const uint32_t inW = this->constantW
                           ? recipe.constant(byteType(signedW), sizesW, w)
                           : recipe.input(byteType(signedW), sizesW);
  const uint32_t inP = recipe.input(byteType(signedP), {int64_t(p.size())}),
                 inQ = recipe.input(byteType(signedW), {int64_t(q.size())});
  recipe.launch(b, {inX, inW, inP, inQ},
                {recipe.output(ElementType::I32, {batch, m, n})});

  const Bytes readX = applied(stepsX, x), readW = applied(stepsW, w),
              readP = applied(stepsX, p), readQ = applied(stepsW, q);
  std::vector<uint32_t> wanted;
  for (int64_t i = 0; i < batch; ++i)
    for (int64_t r = 0; r < m; ++r)
      for (int64_t c = 0; c < n; ++c) {
        uint32_t value = 5;
        for (int64_t s = 0; s < k; ++s) {
          const int64_t atX =
              transposedX ? (i * k + s) * m + r : (i * m + r) * k + s;
          const int64_t item = sharedW ? 0 : i;
          const int64_t atW =
              transposedW ? (item * n + c) * k + s : (item * k + s) * n + c;
          value += (extended(readX[size_t(atX)], signedX) -
                    zeroOf(zeroX, readP, signedP, r, constantX)) *
                   (extended(readW[size_t(atW)], signedW) -
                    zeroOf(zeroW, readQ, signedW, c, constantW8));
        }
        wanted.push_back(value);
      }
  std::vector<Bytes> inputs = {x, p, q};
  if (!this->constantW)
    inputs.insert(inputs.begin() + 1, w);
  if (!refused) {
    expectIntegers(recipe, inputs, bytesOf(wanted));
    if (this->constantW && (bitsW < 8 || k >= 20))
      expectSmallConstants(recipe, bitsW < 8);
    return;
  }
  auto executable = recipe.load();
  ASSERT_TRUE(executable);
  const std::string how = executable->commands()[0].implementation;
  EXPECT_EQ(how.rfind("jit:", 0), 0u) << how;
  EXPECT_NE(how.find(refused), std::string::npos) << how;
  EXPECT_EQ(TestRecipe::run(*executable, inputs)[0], bytesOf(wanted));
}

TEST(IntegerProduct, Signs) {
  for (bool signedX : {false, true})
    for (bool signedW : {false, true})
      for (bool constantW : {false, true}) {
        ProductCase c;
        c.signedX = signedX;
        c.signedW = signedW;
        c.constantW = constantW;
        c.check();
      }
}

TEST(IntegerProduct, ZeroPoints) {
  for (Zero zeroX : {Zero::Constant, Zero::Loaded, Zero::PerLine})
    for (Zero zeroW : {Zero::None, Zero::Constant, Zero::Loaded, Zero::PerLine})
      for (bool isSigned : {false, true}) {
        ProductCase c;
        c.zeroX = zeroX;
        c.zeroW = zeroW;
        c.signedX = isSigned;
        c.signedW = !isSigned;
        c.batch = 2;
        c.check();
      }
}

// 8-bit operations that flip the sign bit, on every value of a byte.
TEST(IntegerProduct, FlippedSigns) {
  const std::vector<ByteSteps> flips = {
      {{Op::AddI, 128}},
      {{Op::AddI, 128, true}},
      {{Op::SubI, 128}},
      {{Op::Xor, 128}},
      {{Op::AddI, 128}, {Op::Xor, 128, true}, {Op::SubI, 128}},
      {{Op::Xor, 128}, {Op::AddI, 128}}};
  for (const ByteSteps &steps : flips)
    for (bool isSigned : {false, true})
      for (bool wide : {false, true}) {
        ProductCase c;
        c.k = 300;
        c.signedX = isSigned;
        c.signedW = wide == isSigned;
        c.stepsX = steps;
        if (wide)
          c.stepsW = steps;
        c.wide = wide;
        c.zeroX = wide ? Zero::PerLine : Zero::Loaded;
        c.zeroW = isSigned ? Zero::Constant : Zero::PerLine;
        c.check();
      }
}

TEST(IntegerProduct, OtherByteStepsWrap) {
  for (const ByteStep &step :
       {ByteStep{Op::AddI, 127}, ByteStep{Op::SubI, 1}, ByteStep{Op::Xor, 64},
        ByteStep{Op::SubI, 128, true}, ByteStep{Op::AddI, 0x81}}) {
    ProductCase c;
    c.stepsX = {step};
    c.refused = "an operand is not (8-bit value - zero point)";
    c.check();
  }
}

TEST(IntegerProduct, FewRowsOrColumns) {
  ProductCase c;
  c.m = 64;
  c.n = 7;
  c.refused = "integers here because it has too few columns";
  c.check();
  std::swap(c.m, c.n);
  c.refused = "integers here because it has too few rows";
  c.check();
}

// The report says why the code generator has a product that it need not have.
TEST(IntegerProduct, LeftToTheCodeGenerator) {
  const Environment jit("GAUDI_INTEGERS", "jit");
  ProductCase c;
  c.refused = "integers here because GAUDI_INTEGERS is set to jit";
  c.check();
}

TEST(IntegerProduct, ZeroPointsOfWords) {
  ProductCase c;
  c.zeroX = Zero::Words;
  c.refused = "a zero point is not a constant or a loaded value";
  c.check();
}

TEST(IntegerProduct, Shapes) {
  // Steps and columns that are not whole, one row, several ranges and tiles.
  for (int64_t k : {1, 3, 4, 31, 1900})
    for (int64_t n : {8, 33, 70}) {
      ProductCase c;
      c.m = k == 31 ? 1 : 29;
      c.k = k;
      c.n = n;
      c.constantW = c.m == 1;
      c.zeroX = Zero::Constant;
      c.zeroW = k % 2 ? Zero::Loaded : Zero::None;
      c.check();
    }
}

TEST(IntegerProduct, Layouts) {
  for (bool transposedX : {false, true})
    for (bool transposedW : {false, true})
      for (bool sharedW : {false, true}) {
        ProductCase c;
        c.batch = 3;
        c.k = 24;
        c.transposedX = transposedX;
        c.transposedW = transposedW;
        c.sharedW = sharedW;
        c.zeroX = c.zeroW = Zero::Loaded;
        c.signedX = false;
        c.check();
      }
}

// The longest has two ranges of the reduction.
TEST(IntegerProduct, SmallConstants) {
  for (const int bits : {6, 7})
    for (const bool signedX : {true, false})
      for (const bool signedW : {true, false})
        for (const int64_t k : {3, 4, 75, 3200}) {
          ProductCase c;
          c.bitsW = bits;
          c.signedW = signedW;
          c.signedX = signedX;
          c.k = k;
          c.zeroX = Zero::Constant;
          c.constantW = c.sharedW = true;
          c.transposedW = k == 75;
          c.check();
        }
}

TEST(IntegerProduct, SumsWrap) {
  // 140,000 products of 2^14 exceed 2^31.
  ProductCase c;
  c.m = 8;
  c.n = 8;
  c.k = 140000;
  c.largest = true;
  c.check();
}

TEST(IntegerProduct, WideSums) {
  ProductCase c;
  c.wide = true;
  c.zeroX = c.zeroW = Zero::Loaded;
  c.k = 700;
  c.check();
}

// The largest sums of products that are certain to fit 32 bits, and longer
// ones.
TEST(IntegerProduct, BoundsOfWideSums) {
  ProductCase c;
  c.wide = true;
  c.zeroX = Zero::Loaded;
  c.m = 8;
  c.n = 8;
  // x - p lies in [-255, 255] for equal signs, in [-383, 127] or [-127, 383]
  // for mixed ones; w is -128 at least.
  for (bool signedX : {true, false})
    for (bool mixedSigns : {true, false}) {
      c.signedX = signedX;
      c.mixedSigns = mixedSigns;
      c.k = INT32_MAX / ((mixedSigns ? 383 : 255) * 128);
      c.refused = nullptr;
      c.check();
      ++c.k;
      c.refused = "integers here because the sum may not fit 32 bits";
      c.check();
    }
}

TEST(IntegerProduct, KernelsAgree) {
  using namespace gaudi::runtime;
  for (const MicroKernel *kernel :
       {portableInt8Kernel(), portableAmxInt8Kernel(), avx2Int8Kernel(),
        avxVnniInt8Kernel(), avx512VnniInt8Kernel(), neonDotInt8Kernel(),
        neonI8mmInt8Kernel()})
    if (kernel) {
      EXPECT_EQ(kernel->format, StepFormat::Int8) << kernel->name;
      EXPECT_TRUE(agrees(*kernel)) << kernel->name;
    }
}

void wrongSum(const runtime::BlockCall &call) {
  runtime::portableInt8Kernel()->functions[3](call);
  int32_t sum;
  std::memcpy(&sum, call.c, sizeof(sum));
  ++sum;
  std::memcpy(call.c, &sum, sizeof(sum));
}

TEST(IntegerProduct, AWrongSumIsFound) {
  using namespace gaudi::runtime;
  MicroKernel kernel = *portableInt8Kernel();
  std::vector<BlockFunction> functions(kernel.functions,
                                       kernel.functions + kernel.rows + 1);
  kernel.functions = functions.data();
  EXPECT_TRUE(agrees(kernel));
  functions[3] = wrongSum;
  EXPECT_FALSE(agrees(kernel));
}

// The sums have the other order: the rows of x lie along their last dimension,
// but only the weights are packed.
TEST(IntegerProduct, PacksTheConstant) {
  constexpr int64_t m = 49, n = 40, k = 70;
  const Bytes x = someBytes(m * k, 1), w = someBytes(n * k, 2);
  KernelBuilder b({n, m, k}, {true, true, false});
  b.input(ElementType::I8, 2).input(ElementType::I8, 2);
  b.output(ElementType::I32, 2);
  const uint32_t left = b.access(0, 0, b.at({{1, 1}}), b.at({{2, 1}})),
                 right = b.access(1, 0, b.at({{0, 1}}), b.at({{2, 1}})),
                 result = b.access(2, 0, b.at({{0, 1}}), b.at({{1, 1}}));
  b.store(result, sumOfProducts(
                      b, {2}, [&] { return loadByte(b, left, true); },
                      [&] { return loadByte(b, right, true); }));
  TestRecipe recipe;
  recipe.launch(b,
                {recipe.input(ElementType::I8, {m, k}),
                 recipe.constant(ElementType::I8, {n, k}, w)},
                {recipe.output(ElementType::I32, {n, m})});
  std::vector<uint32_t> wanted(size_t(m * n));
  for (int64_t c = 0; c < n; ++c)
    for (int64_t r = 0; r < m; ++r)
      for (int64_t s = 0; s < k; ++s)
        wanted[size_t(c * m + r)] += extended(x[size_t(r * k + s)], true) *
                                     extended(w[size_t(c * k + s)], true);
  expectIntegers(recipe, {x}, bytesOf(wanted));
  auto executable = recipe.load();
  ASSERT_TRUE(executable);
  const std::string how = executable->commands()[0].implementation;
  EXPECT_NE(how.find("packed once"), std::string::npos) << how;
}

// As fusion leaves two products of one loop nest.
TEST(IntegerProduct, SeveralSumsInOneLoop) {
  constexpr int64_t m = 9, n = 17, k = 12;
  const Bytes x = someBytes(m * k, 1), w = someBytes(k * n, 2);
  MatrixKernel b(m, n, k, ElementType::U8, ElementType::I8);
  b.stage();
  const uint32_t zero = b.constant(ElementType::I32, 0);
  b.stage({2});
  const uint32_t byte = loadByte(b, b.left, false);
  const uint32_t product =
      b.inst(Op::MulI, ElementType::I32, byte, loadByte(b, b.right, true));
  b.reduce(recipe::ReduceOp::Add, zero, product);
  b.reduce(recipe::ReduceOp::Add, zero, byte);
  const uint32_t first = b.endStage();
  b.stage();
  b.store(b.result, b.inst(Op::AddI, ElementType::I32, first, first + 1));
  TestRecipe recipe;
  recipe.launch(b,
                {recipe.input(ElementType::U8, {m, k}),
                 recipe.input(ElementType::I8, {k, n})},
                {recipe.output(ElementType::I32, {m, n})});
  auto executable = recipe.load();
  ASSERT_TRUE(executable);
  const std::string how = executable->commands()[0].implementation;
  EXPECT_NE(how.find("integers here because it has several sums in one loop"),
            std::string::npos)
      << how;
  std::vector<uint32_t> wanted(size_t(m * n));
  for (int64_t r = 0; r < m; ++r)
    for (int64_t c = 0; c < n; ++c)
      for (int64_t s = 0; s < k; ++s)
        wanted[size_t(r * n + c)] += uint32_t(x[size_t(r * k + s)]) *
                                     (extended(w[size_t(s * n + c)], true) + 1);
  EXPECT_EQ(TestRecipe::run(*executable, {x, w})[0], bytesOf(wanted));
}

} // namespace
