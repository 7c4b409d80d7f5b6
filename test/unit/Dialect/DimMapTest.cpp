// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps of dimensions, and the property that every model of DimMapOpInterface
// must have: an element of a result depends on no other elements of operands
// than those that share a point with it.
#include "Gaudi/Dialect/DimMap.h"
#include "OpPrograms.h"
#include <map>

using namespace mlir;
using namespace gaudi;

namespace {
constexpr int64_t maxTries = 24; ///< elements of an operand that are changed
constexpr int maxDraws = 3;      ///< inputs of an op

/// Ops of whose results less than half of the elements that an operand may
/// reach change with it. Markers, masks, optimizers and kernels have scalars
/// that decide about elements of one value; scatters leave most elements; the
/// others read less of a dimension than all of it, which the map does not say.
const StringRef loose[] = {
    "gaudi.valid",        "gaudi.tpc.mask",
    "gaudi.fused_sgd",    "gaudi.fused_lamb",
    "gaudi.fused_adamw",  "gaudi.tpc.kernel",
    "gaudi.tpc.scatter",  "gaudi.tpc.scatter_rows",
    "gaudi.tpc.resize",   "gaudi.tpc.scatter_elements",
    "gaudi.tpc.pad",      "gaudi.tpc.cumulative_sum",
    "gaudi.insert_slice",
};

/// A position from the number of an element, row-major.
SmallVector<int64_t> positionOf(int64_t element, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> position(shape.size());
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
    position[dim] = element % shape[dim];
    element /= shape[dim];
  }
  return position;
}

/// The elements of a result that share a point with one of an operand.
class Shared {
public:
  Shared(const DimMap &map, ArrayRef<RankedTensorType> types)
      : map(map), types(types) {}

  /// Marks them in `elements`, those of tensor `result`.
  void mark(unsigned operand, ArrayRef<int64_t> position, unsigned result,
            std::vector<bool> &elements) {
    for (const DimMap::Access &from : map.accesses)
      for (const DimMap::Access &to : map.accesses)
        if (from.tensor == operand && to.tensor == result)
          mark(from, position, to, elements);
  }

private:
  void mark(const DimMap::Access &from, ArrayRef<int64_t> position,
            const DimMap::Access &to, std::vector<bool> &elements) {
    SmallVector<unsigned> free;
    index.assign(map.factors.size(), 0);
    for (const DimMap::Factor &factor : map.factors)
      if (factor.size == 0)
        return;
    llvm::SmallDenseSet<unsigned> known;
    for (auto [dim, at] : llvm::zip_equal(from.dims, position))
      if (!dim.isWhole && dim.terms.size() == 1 && dim.terms[0].stride != 0) {
        const auto [factor, stride] = dim.terms[0];
        const int64_t value = (at - dim.offset) / stride;
        if (value < 0 || value >= map.factors[factor].size)
          return;
        index[factor] = value;
        known.insert(factor);
      }
    for (const DimMap::Access *access : {&from, &to})
      for (const DimMap::Dim &dim : access->dims)
        for (const DimMap::Term &term : dim.terms)
          if (known.insert(term.factor).second)
            free.push_back(term.factor);
    walk(free, from, position, to, elements);
  }

  void walk(ArrayRef<unsigned> free, const DimMap::Access &from,
            ArrayRef<int64_t> position, const DimMap::Access &to,
            std::vector<bool> &elements) {
    if (!free.empty()) {
      for (int64_t i = 0; i < map.factors[free[0]].size; ++i) {
        index[free[0]] = i;
        walk(free.drop_front(), from, position, to, elements);
      }
      return;
    }
    for (auto [dim, at] : llvm::zip_equal(from.dims, position))
      if (!dim.isWhole && at != valueOf(dim))
        return;
    const ArrayRef<int64_t> shape = types[to.tensor].getShape();
    int64_t element = 0;
    for (auto [dim, size] : llvm::zip_equal(to.dims, shape)) {
      ASSERT_FALSE(dim.isWhole) << "a result is written element by element";
      const int64_t at = valueOf(dim);
      if (at < 0 || at >= size)
        return;
      element = element * size + at;
    }
    elements[element] = true;
  }

  int64_t valueOf(const DimMap::Dim &dim) const {
    int64_t value = dim.offset;
    for (const DimMap::Term &term : dim.terms)
      value += term.stride * index[term.factor];
    return value;
  }

  const DimMap &map;
  ArrayRef<RankedTensorType> types;
  std::vector<int64_t> index; ///< of the point, by factor
};

class DimMapTest : public OpProgramsTest {
protected:
  struct Count {
    int64_t allowed = 0, changed = 0;
  };

  void tryOp(Operation *op) {
    Program program(op, op->getOperandTypes());
    tryProgram(program, op, op->getName().getStringRef());
    if (!buildsKernel(op))
      return;
    Program kernel(op, op->getOperandTypes());
    ASSERT_TRUE(kernel.replaceByKernel());
    if (isa<KernelOp>(kernel.op) &&
        llvm::equal(kernel.op->getOperands(), kernel.function.getArguments()))
      tryProgram(kernel, op, "kernels");
  }

  /// Inputs are those of `like`.
  void tryProgram(const Program &program, Operation *like, StringRef name) {
    auto op = dyn_cast<DimMapOpInterface>(program.op);
    if (!op)
      return;
    const DimMap map = op.getDimMap();
    const SmallVector<RankedTensorType> types = tensorsOf(op);
    checkForm(map, types);
    tried.insert(name.str());
    for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
      tryOperand(program, like, map, types, operand, counts[name.str()]);
  }

  /// An access for each tensor, of its rank, with factors that exist.
  void checkForm(const DimMap &map, ArrayRef<RankedTensorType> types) {
    ASSERT_EQ(map.tensors(), types.size());
    unsigned last = 0;
    for (const DimMap::Access &access : map.accesses) {
      EXPECT_TRUE(access.tensor == last || access.tensor == last + 1);
      last = access.tensor;
      ASSERT_EQ(int64_t(access.dims.size()), types[access.tensor].getRank());
      for (const DimMap::Dim &dim : access.dims)
        for (const DimMap::Term &term : dim.terms)
          ASSERT_LT(term.factor, map.factors.size());
    }
  }

  /// Changes one element at a time.
  void tryOperand(const Program &program, Operation *like, const DimMap &map,
                  ArrayRef<RankedTensorType> types, unsigned operand,
                  Count &count) {
    const unsigned operands = program.op->getNumOperands();
    const int64_t size = types[operand].getNumElements();
    Shared shared(map, types);
    for (int64_t n = 0; n < std::min(size, maxTries); ++n) {
      const int64_t element = size <= maxTries ? n : random() % size;
      const auto position = positionOf(element, types[operand].getShape());
      SCOPED_TRACE("element " + ::testing::PrintToString(position) +
                   " of operand " + std::to_string(operand));
      std::vector<std::vector<bool>> allowed, changed;
      for (RankedTensorType type : types.drop_front(operands)) {
        allowed.emplace_back(type.getNumElements());
        changed.emplace_back(type.getNumElements());
        shared.mark(operand, position, operands + allowed.size() - 1,
                    allowed.back());
      }
      for (int draw = 0; draw < maxDraws; ++draw)
        ASSERT_NO_FATAL_FAILURE(
            change(program, like, operand, element, changed));
      for (auto [result, own] : llvm::enumerate(changed))
        for (size_t i = 0; i < own.size(); ++i) {
          count.allowed += allowed[result][i];
          count.changed += own[i];
          ASSERT_LE(own[i], allowed[result][i])
              << "element " << i << " of result " << result
              << " depends on it\n"
              << textOf(program.op);
        }
    }
  }

  /// Marks what differs between inputs that differ in one element.
  void change(const Program &program, Operation *like, unsigned operand,
              int64_t element, std::vector<std::vector<bool>> &changed) {
    SmallVector<ReferenceTensor> inputs = inputsOf(like), before;
    ASSERT_TRUE(evaluate(program, inputs, before)) << textOf(program.op);
    SmallVector<double> values;
    if (inputs[operand].isFloat())
      values = {inputs[operand].at(element) + 1, 64, -64};
    else
      values = {double(inputsOf(like)[operand].at(element))};
    for (double value : values) {
      if (value == inputs[operand].at(element))
        continue;
      if (inputs[operand].isFloat())
        inputs[operand].mutableFloats()[element] = value;
      else
        inputs[operand].mutableInts()[element] = int64_t(value);
      SmallVector<ReferenceTensor> after;
      ASSERT_TRUE(evaluate(program, inputs, after)) << textOf(program.op);
      for (auto [result, own] : llvm::enumerate(changed))
        for (int64_t i = 0; i < int64_t(own.size()); ++i) {
          const double a = before[result].at(i), b = after[result].at(i);
          own[i] = own[i] || (a != b && !(std::isnan(a) && std::isnan(b)));
        }
    }
  }

  static std::string textOf(Operation *op) {
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    return text;
  }

  std::set<std::string> tried;
  std::map<std::string, Count> counts; ///< by op
};

TEST_F(DimMapTest, ResultsDependOnWhatSharesAPoint) {
  forEachOp([&](Operation *op) { tryOp(op); });
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    const std::string op = name.getStringRef().str();
    if (!isa<GaudiDialect>(name.getDialect()) ||
        name.getStringRef().starts_with("gaudi.kernel."))
      continue;
    EXPECT_TRUE(name.hasInterface<DimMapOpInterface>()) << op;
    EXPECT_TRUE(tried.count(op)) << op;
    const Count count = counts[op];
    RecordProperty(op, std::to_string(count.changed) + " of " +
                           std::to_string(count.allowed));
    if (llvm::is_contained(loose, name.getStringRef()))
      continue;
    EXPECT_GE(2 * count.changed, count.allowed) << op;
    if (name.hasInterface<ReindexOpInterface>() ||
        name.hasInterface<PlaceableOpInterface>())
      EXPECT_EQ(count.changed, count.allowed) << op;
  }
}

/// The map of the only op of a function.
class DimMapFormTest : public ReferenceTest {
protected:
  /// The dimensions of a tensor, as "2*a + b", with the factors' numbers as
  /// letters: "0" without a term, "any" if it is read as a whole.
  static std::string textOf(const DimMap &map, unsigned tensor) {
    std::string text;
    for (const DimMap::Dim &dim : map.of(tensor).dims) {
      text += text.empty() ? "" : ", ";
      std::string sum = dim.isWhole ? "any" : "";
      for (const DimMap::Term &term : dim.terms) {
        sum += sum.empty() ? "" : " + ";
        if (term.stride != 1)
          sum += std::to_string(term.stride) + "*";
        sum += char('a' + term.factor);
      }
      if (dim.offset != 0 || sum.empty())
        sum += (sum.empty() || dim.offset < 0 ? "" : "+") +
               std::to_string(dim.offset);
      text += sum;
    }
    return text;
  }

  /// All tensors, and the sizes of the factors.
  std::string mapOf(StringRef op, StringRef arguments) {
    auto module = parse(
        ("func.func @f(" + arguments + ") {\n%r = " + op + "\nreturn }").str());
    auto function = *module->getOps<func::FuncOp>().begin();
    const DimMap map =
        cast<DimMapOpInterface>(function.getBody().front().front()).getDimMap();
    std::string text;
    for (unsigned tensor = 0; tensor < map.tensors(); ++tensor)
      text += "[" + textOf(map, tensor) + "] ";
    for (const DimMap::Factor &factor : map.factors)
      text += std::to_string(factor.size) + " ";
    return StringRef(text).rtrim().str();
  }

  std::string reshape(std::string from, std::string to) {
    return mapOf("gaudi.reshape %x : tensor<" + from + "xf32> -> tensor<" + to +
                     "xf32>",
                 "%x: tensor<" + from + "xf32>");
  }
};

TEST_F(DimMapFormTest, ReshapesHaveCommonFactors) {
  EXPECT_EQ(reshape("4x12", "48"), "[a, b] [12*a + b] 4 12");
  EXPECT_EQ(reshape("48", "4x12"), "[12*a + b] [a, b] 4 12");
  EXPECT_EQ(reshape("4x6", "2x12"), "[2*a + b, c] [a, 6*b + c] 2 2 6");
  EXPECT_EQ(reshape("2x1x3x5", "6x5x1"), "[a, 0, b, c] [3*a + b, c, 0] 2 3 5");
  // What has no common factor is on one side only, but for the outermost.
  EXPECT_EQ(reshape("4x6", "6x4"), "[2*a + b, c] [3*a + d, e] 2 2 6 3 4");
  EXPECT_EQ(reshape("2x3", "3x2"), "[2*a + b, c] [3*a + d, e] 1 2 3 3 2");
}

TEST_F(DimMapFormTest, OnesOfReshapesArePaired) {
  EXPECT_EQ(reshape("1x12", "12"), "[a, b] [12*a + b] 1 12");
  EXPECT_EQ(reshape("1x4x1", "1x1x4"), "[a, 4*b + c, 0] [a, b, c] 1 1 4");
}

TEST_F(DimMapFormTest, MatrixOpsAreSumsOfFactors) {
  EXPECT_EQ(mapOf("gaudi.mme.gemm %a, %b transpose_b : tensor<1x4x8xf32>, "
                  "tensor<2x16x8xf32> -> tensor<2x4x16xf32>",
                  "%a: tensor<1x4x8xf32>, %b: tensor<2x16x8xf32>"),
            "[0*a, b, c] [a, d, c] [a, b, d] 2 4 8 16");
  EXPECT_EQ(
      mapOf("gaudi.mme.conv %x, %w layout \"NWC\", \"OWI\", \"NWC\" strides "
            "[2] dilations [1] pad [1], [0] groups 2 : tensor<3x8x6xf32>, "
            "tensor<4x3x3xf32> -> tensor<3x4x4xf32>",
            "%x: tensor<3x8x6xf32>, %w: tensor<4x3x3xf32>"),
      "[a, 2*d + b-1, 3*e + c] [2*e + f, b, c] [a, d, 2*e + f] 3 3 3 4 2 2");
}
} // namespace
