// The TPC kernels of optimizers and of the clipping of gradients.
#include "Gaudi/Dialect/OptimizerOps.h"
#include "MultiTensorKernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::gaudi;

namespace {
/// Arithmetic of kernels on f32.
struct Floats {
  KernelBuilder &kernel;

  Value add(Value a, Value b) { return kernel.binary<arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) { return kernel.binary<arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) { return kernel.binary<arith::MulFOp>(a, b); }
  Value div(Value a, Value b) { return kernel.binary<arith::DivFOp>(a, b); }
  Value sqrt(Value a) { return kernel.unary<math::SqrtOp>(a); }
  Value number(double value) { return kernel.floatConstant(value); }

  /// `a`, or its product with `factor` if there is one.
  Value scaled(Value a, Value factor) { return factor ? mul(a, factor) : a; }
  /// a + factor * b, with a factor that may be 0.
  Value plus(Value a, const APFloat &factor, Value b) {
    const double value = factor.convertToDouble();
    return value == 0 ? a : add(a, mul(number(value), b));
  }
  /// The average with a new value: beta * old + (1 - beta) * value.
  Value average(const APFloat &beta, Value old, Value value) {
    const double kept = beta.convertToDouble();
    return add(mul(number(kept), old), mul(number(1 - kept), value));
  }
};
} // namespace

static std::string labelOf(MultiTensorOpInterface op) {
  return ("tpc." + op.getKernelName()).str();
}

SmallVector<Value> FusedAdamWOp::buildKernels(OpBuilder &builder) {
  auto compute = [&](KernelBuilder &kernel, ValueRange in,
                     ValueRange shared) -> SmallVector<Value> {
    Floats f{kernel};
    Value w = in[1], step = shared[0], eps = shared[1], decay = shared[2];
    Value g = f.plus(f.scaled(in[0], shared[3]), getL2(), w);
    Value m = f.average(getBeta1(), in[2], g);
    Value v = f.average(getBeta2(), in[3], f.mul(g, g));
    Value update = f.mul(step, f.div(m, f.add(f.sqrt(v), eps)));
    return {f.sub(f.mul(w, decay), update), m, v};
  };
  const std::string label = labelOf(*this);
  const MultiTensorStep step = {
      label,
      {getGradients(), getParameters(), getExpAvgs(), getExpAvgSqs()},
      {1, 2, 3},
      compute};
  return step.build(builder, getLoc(),
                    {getStepSize(), getEps(), getDecay(), getGradScale()});
}

SmallVector<Value> FusedSGDOp::buildKernels(OpBuilder &builder) {
  const bool hasBuffers = !getMomentumBuffers().empty();
  auto compute = [&](KernelBuilder &kernel, ValueRange in,
                     ValueRange shared) -> SmallVector<Value> {
    Floats f{kernel};
    Value w = in[1], lr = shared[0], first = shared[2];
    Value g = f.plus(f.scaled(in[0], shared[1]), getWeightDecay(), w);
    if (!hasBuffers)
      return {f.sub(w, f.mul(lr, g))};
    const double momentum = getMomentum().convertToDouble();
    const double rest = 1 - getDampening().convertToDouble();
    Value b = f.add(f.mul(f.number(momentum), in[2]),
                    rest == 1 ? g : f.mul(f.number(rest), g));
    if (first)
      b = kernel.select(first, g, b);
    Value direction =
        getNesterov() ? f.add(g, f.mul(f.number(momentum), b)) : b;
    return {f.sub(w, f.mul(lr, direction)), b};
  };
  const std::string label = labelOf(*this);
  MultiTensorStep step = {
      label, {getGradients(), getParameters()}, {1}, compute};
  if (hasBuffers) {
    step.lists.push_back(getMomentumBuffers());
    step.replaced.push_back(2);
  }
  return step.build(builder, getLoc(),
                    {getLr(), getGradScale(), getFirstStep()});
}

//===----------------------------------------------------------------------===//
// The norm of all gradients
//===----------------------------------------------------------------------===//

namespace {
/// Sums of squares of tensors, in two levels: every point of a kernel adds a
/// row of each of its tensors and leaves one number, and one kernel adds these.
/// No sum has many terms, so f32 is enough, and the order is fixed by shapes.
class SquareSum {
public:
  SquareSum(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// Vectors whose elements together are the sum of squares, so few that one
  /// kernel can read them beside `others` tensors.
  SmallVector<Value> partialSums(ValueRange tensors, unsigned others) {
    SmallVector<Value> filled, sums;
    SmallVector<int64_t> counts;
    for (Value tensor : tensors)
      if (int64_t count = elementCount(tensor)) {
        filled.push_back(tensor);
        counts.push_back(count);
      }
    for (const TensorGroup &group :
         groupTensors(counts, maxKernelTensors - 1, mostPoints)) {
      SmallVector<Value> members;
      for (unsigned member : group.members)
        members.push_back(filled[member]);
      sums.push_back(group.points == 0 ? paddedRows(members.front())
                                       : rowSums(members, group.points));
    }
    const size_t most =
        std::min<size_t>(RowSpace::mostSizes, maxKernelTensors - others);
    while (sums.size() > most) {
      SmallVector<Value> added;
      for (ArrayRef<Value> rest = sums; !rest.empty();) {
        ArrayRef<Value> part = rest.take_front(RowSpace::mostSizes);
        added.push_back(sumOf(part));
        rest = rest.drop_front(part.size());
      }
      sums = std::move(added);
    }
    return sums;
  }

  /// The index space of a kernel with one point that adds such vectors.
  static RowSpace spaceOf(ArrayRef<Value> sums) {
    RowSpace space(1);
    for (Value sum : sums)
      space.dimOf(elementCount(sum));
    return space;
  }

  /// The sum of the vectors, which are the first inputs of the kernel.
  static Value addAll(KernelBuilder &kernel, ArrayRef<Value> sums) {
    RowSpace space = spaceOf(sums);
    Value total = kernel.floatConstant(0);
    for (unsigned i = 0; i < sums.size(); ++i) {
      const unsigned dim = space.dimOf(elementCount(sums[i]));
      total = addRow(kernel, total, dim,
                     [&] { return kernel.load(i, kernel.dim(dim)); });
    }
    return total;
  }

private:
  /// About the root of the size of a large tensor.
  static constexpr int64_t mostPoints = 4096;

  static Value addRow(KernelBuilder &kernel, Value total, int64_t dim,
                      llvm::function_ref<Value()> term) {
    return kernel.binary<arith::AddFOp>(
        total, kernel.loop(dim, KernelReduce::Add, kernel.floatConstant(0),
                           [&](ValueRange) -> SmallVector<Value> {
                             return {term()};
                           })[0]);
  }

  RankedTensorType vectorOf(int64_t size) {
    return RankedTensorType::get(size, builder.getF32Type());
  }

  /// One sum per point over its row of each tensor.
  Value rowSums(ArrayRef<Value> tensors, int64_t points) {
    SmallVector<Value> inputs;
    RowSpace space(points);
    for (Value tensor : tensors) {
      inputs.push_back(asRows(builder, loc, tensor, points));
      space.dimOf(tensorType(inputs.back()).getDimSize(1));
    }
    KernelBuilder kernel(builder, loc, vectorOf(points), inputs,
                         space.getSizes(), space.getParallel(), label);
    Value total = kernel.floatConstant(0);
    for (unsigned i = 0; i < inputs.size(); ++i) {
      const unsigned dim = space.dimOf(tensorType(inputs[i]).getDimSize(1));
      total = addRow(kernel, total, dim, [&] {
        Value x = kernel.load(i, {kernel.dim(0), kernel.dim(dim)});
        return kernel.binary<arith::MulFOp>(x, x);
      });
    }
    kernel.store(total, 0, kernel.dim(0));
    return kernel.finish()->getResult(0);
  }

  /// The same for one tensor whose size no number of points divides: what is
  /// beyond its end counts as zero.
  Value paddedRows(Value tensor) {
    const int64_t count = elementCount(tensor);
    const int64_t terms =
        llvm::alignTo(llvm::divideCeil(count, mostPoints), lineElements);
    const int64_t points = llvm::divideCeil(count, terms);
    auto flat = RankedTensorType::get(count, getElementTypeOrSelf(tensor));
    if (tensor.getType() != flat)
      tensor = ReshapeOp::create(builder, loc, flat, tensor);
    RowSpace space(points);
    const unsigned dim = space.dimOf(terms);
    KernelBuilder kernel(builder, loc, vectorOf(points), tensor,
                         space.getSizes(), space.getParallel(), label);
    Value total = addRow(kernel, kernel.floatConstant(0), dim, [&] {
      Value x = kernel.load(0, kernel.dim(0) * terms + kernel.dim(dim),
                            Boundary::Pad, builder.getF32FloatAttr(0));
      return kernel.binary<arith::MulFOp>(x, x);
    });
    kernel.store(total, 0, kernel.dim(0));
    return kernel.finish()->getResult(0);
  }

  /// The sum of vectors, as a vector with one element.
  Value sumOf(ArrayRef<Value> sums) {
    RowSpace space = spaceOf(sums);
    KernelBuilder kernel(builder, loc, vectorOf(1), sums, space.getSizes(),
                         space.getParallel(), label);
    kernel.store(addAll(kernel, sums), 0, kernel.dim(0));
    return kernel.finish()->getResult(0);
  }

  static constexpr StringLiteral label = "tpc.square_sum";

  OpBuilder &builder;
  Location loc;
};
} // namespace

SmallVector<Value> FusedClipNormOp::buildKernels(OpBuilder &builder) {
  const std::string label = labelOf(*this);
  SquareSum squares(builder, getLoc());
  // Beside the sums: max_norm and two results.
  SmallVector<Value> sums = squares.partialSums(getGradients(), 3);
  const SharedScalars bound(builder, getLoc(), getMaxNorm(), 1);
  SmallVector<Value> inputs = sums;
  llvm::append_range(inputs, bound.inputs());
  const RowSpace space = SquareSum::spaceOf(sums);
  Type type = getMaxNorm().getType();
  SmallVector<Value> results;
  {
    KernelBuilder kernel(builder, getLoc(), {type, type}, inputs,
                         space.getSizes(), space.getParallel(), label);
    Floats f{kernel};
    Value most = bound.load(kernel, sums.size())[0];
    Value norm = f.sqrt(SquareSum::addAll(kernel, sums));
    Value eps = f.number(getEps().convertToDouble());
    Value ratio = f.div(most, getEps().isZero() ? norm : f.add(norm, eps));
    kernel.setElementType(builder.getF32Type());
    Value scale =
        getSelect()
            ? kernel.select(kernel.compare(ComparePredicate::LT, norm, most),
                            f.number(1), ratio)
            : kernel.min(ratio, f.number(1));
    const SmallVector<AffineExpr> only(tensorType(getMaxNorm()).getRank(),
                                       kernel.cst(0));
    kernel.store(norm, 0, only);
    kernel.store(scale, 1, only);
    llvm::append_range(results, kernel.finish()->getResults());
  }

  SmallVector<Value> read;
  for (auto [gradient, clipped] : llvm::zip_equal(getGradients(), getClipped()))
    if (!clipped.use_empty())
      read.push_back(gradient);
  auto compute = [](KernelBuilder &kernel, ValueRange in,
                    ValueRange shared) -> SmallVector<Value> {
    return {Floats{kernel}.mul(in[0], shared[0])};
  };
  const MultiTensorStep step = {label, {read}, {0}, compute};
  SmallVector<Value> scaled, clipped;
  if (!read.empty())
    scaled = step.build(builder, getLoc(), results[1]);
  // A result that nobody reads is not computed.
  auto next = scaled.begin();
  for (auto [gradient, result] : llvm::zip_equal(getGradients(), getClipped()))
    clipped.push_back(result.use_empty() ? gradient : *next++);
  clipped.append(results);
  return clipped;
}
