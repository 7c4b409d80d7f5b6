// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TPC kernels of optimizers and of the clipping of gradients.
#include "Gaudi/Dialect/OptimizerOps.h"
#include "MultiTensorKernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

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
  return ("tpc." + op->getName().stripDialect()).str();
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
    // in: gradient, parameter, buffer. shared: lr, grad_scale, first_step; a
    // value is null if the op has no such operand.
    Floats f{kernel};
    Value w = in[1], lr = shared[0], first = shared[2];
    Value g = f.plus(f.scaled(in[0], shared[1]), getWeightDecay(), w);
    if (!hasBuffers)
      return {f.sub(w, f.mul(lr, g))};
    const double momentum = getMomentum().convertToDouble();
    const double rest = 1 - getDampening().convertToDouble();
    // No product with 1: the usual dampening of 0 costs nothing.
    Value b = f.add(f.mul(f.number(momentum), in[2]),
                    rest == 1 ? g : f.mul(f.number(rest), g));
    // In the first step the buffer becomes the gradient, without dampening.
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

SmallVector<Value> FusedAdagradOp::buildKernels(OpBuilder &builder) {
  auto compute = [&](KernelBuilder &kernel, ValueRange in,
                     ValueRange shared) -> SmallVector<Value> {
    Floats f{kernel};
    Value w = in[1];
    Value g = f.plus(f.scaled(in[0], shared[1]), getWeightDecay(), w);
    Value sum = f.add(in[2], f.mul(g, g));
    Value root = f.add(f.sqrt(sum), f.number(getEps().convertToDouble()));
    return {f.sub(w, f.mul(shared[0], f.div(g, root))), sum};
  };
  const std::string label = labelOf(*this);
  const MultiTensorStep step = {
      label, {getGradients(), getParameters(), getSums()}, {1, 2}, compute};
  return step.build(builder, getLoc(), {getLr(), getGradScale()});
}

SmallVector<Value> FusedEmaOp::buildKernels(OpBuilder &builder) {
  auto compute = [](KernelBuilder &kernel, ValueRange in,
                    ValueRange shared) -> SmallVector<Value> {
    Floats f{kernel};
    Value rest = f.sub(f.number(1), shared[0]);
    return {f.add(f.mul(in[1], shared[0]), f.mul(rest, in[0]))};
  };
  const std::string label = labelOf(*this);
  const MultiTensorStep step = {
      label, {getValues(), getAverages()}, {1}, compute};
  return step.build(builder, getLoc(), getDecay());
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
    // Tensors without elements add nothing and have no rows.
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
      // A tensor whose size does not divide into rows is padded.
      sums.push_back(group.points == 0 ? paddedRows(members.front())
                                       : rowSums(members, group.points,
                                                 /*isSeparate=*/false)[0]);
    }
    // Each round divides their number by mostSizes.
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

  /// One such vector for each tensor, null for one without elements.
  SmallVector<Value> sumsOfEach(ValueRange tensors) {
    SmallVector<Value> sums(tensors.size());
    SmallVector<unsigned> filled;
    SmallVector<int64_t> counts;
    for (unsigned i = 0; i < tensors.size(); ++i)
      if (int64_t count = elementCount(tensors[i])) {
        filled.push_back(i);
        counts.push_back(count);
      }
    for (const TensorGroup &group :
         groupTensors(counts, maxKernelTensors / 2, mostPoints)) {
      SmallVector<Value> members;
      for (unsigned member : group.members)
        members.push_back(tensors[filled[member]]);
      SmallVector<Value> vectors =
          group.points == 0
              ? SmallVector<Value>{paddedRows(members.front())}
              : rowSums(members, group.points, /*isSeparate=*/true);
      for (auto [member, vector] : llvm::zip_equal(group.members, vectors))
        sums[filled[member]] = vector;
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

  /// The sum of the first `count` inputs of a kernel with that index space.
  static Value addAll(KernelBuilder &kernel, unsigned count) {
    Value total = kernel.floatConstant(0);
    for (unsigned i = 0; i < count; ++i)
      total = add(kernel, total, i);
    return total;
  }

  /// `total` and the elements of an input of such a kernel.
  static Value add(KernelBuilder &kernel, Value total, unsigned input) {
    const int64_t size = elementCount(kernel.getOp().getInputs()[input]);
    ArrayRef<int64_t> sizes =
        ArrayRef(kernel.getOp().getIndexSpace()).drop_front();
    const unsigned dim = llvm::find(sizes, size) - sizes.begin() + 1;
    return addRow(kernel, total, dim,
                  [&] { return kernel.load(input, kernel.dim(dim)); });
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

  /// Per point the sum over its row of all tensors, or of each.
  SmallVector<Value> rowSums(ArrayRef<Value> tensors, int64_t points,
                             bool isSeparate) {
    SmallVector<Value> inputs;
    RowSpace space(points);
    for (Value tensor : tensors) {
      inputs.push_back(asRows(builder, loc, tensor, points));
      space.dimOf(tensorType(inputs.back()).getDimSize(1));
    }
    const SmallVector<Type> types(isSeparate ? tensors.size() : 1,
                                  vectorOf(points));
    KernelBuilder kernel(builder, loc, types, inputs, space.getSizes(),
                         space.getParallel(), label);
    // The tensors add up in their order, whichever engine has the point: the
    // sum has the same bits in each run.
    Value total = kernel.floatConstant(0);
    for (unsigned i = 0; i < inputs.size(); ++i) {
      const unsigned dim = space.dimOf(tensorType(inputs[i]).getDimSize(1));
      Value sum = addRow(kernel, total, dim, [&] {
        Value x = kernel.load(i, {kernel.dim(0), kernel.dim(dim)});
        return kernel.binary<arith::MulFOp>(x, x);
      });
      if (isSeparate)
        kernel.store(sum, i, kernel.dim(0));
      else
        total = sum;
    }
    if (!isSeparate)
      kernel.store(total, 0, kernel.dim(0));
    return SmallVector<Value>(kernel.finish()->getResults());
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
    kernel.store(addAll(kernel, sums.size()), 0, kernel.dim(0));
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
    // One kernel for both results: the norm is read by the scale.
    KernelBuilder kernel(builder, getLoc(), {type, type}, inputs,
                         space.getSizes(), space.getParallel(), label);
    Floats f{kernel};
    Value most = bound.load(kernel, sums.size())[0];
    Value norm = f.sqrt(SquareSum::addAll(kernel, sums.size()));
    Value eps = f.number(getEps().convertToDouble());
    Value ratio = f.div(most, getEps().isZero() ? norm : f.add(norm, eps));
    kernel.setElementType(builder.getF32Type());
    // A NaN norm gives a NaN scale either way: it is not below max_norm, and
    // min passes it on.
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

//===----------------------------------------------------------------------===//
// gaudi.fused_lamb
//===----------------------------------------------------------------------===//

/// What brings the norm of all gradients down to `most`, a tensor of its type.
static Value lambScale(OpBuilder &builder, Location loc, ValueRange gradients,
                       Value most, StringRef label) {
  SquareSum squares(builder, loc);
  SmallVector<Value> inputs = squares.partialSums(gradients, 2);
  const SmallVector<Value> sums = inputs;
  const SharedScalars bound(builder, loc, most, 1);
  llvm::append_range(inputs, bound.inputs());
  const RowSpace space = SquareSum::spaceOf(sums);
  KernelBuilder kernel(builder, loc, most.getType(), inputs, space.getSizes(),
                       space.getParallel(), label);
  Floats f{kernel};
  Value limit = bound.load(kernel, sums.size())[0];
  Value norm = f.sqrt(SquareSum::addAll(kernel, sums.size()));
  kernel.setElementType(builder.getF32Type());
  Value isSmall = kernel.compare(ComparePredicate::LE, norm, limit);
  kernel.store(
      kernel.select(isSmall, f.number(1), f.div(limit, norm)), 0,
      SmallVector<AffineExpr>(tensorType(most).getRank(), kernel.cst(0)));
  return kernel.finish()->getResult(0);
}

/// A tensor with one element for each pair of vectors of sums of squares: the
/// ratio of the norms, 1 if the second is 0. Null for a pair of nulls.
static SmallVector<Value> normRatios(OpBuilder &builder, Location loc,
                                     ArrayRef<Value> firsts,
                                     ArrayRef<Value> seconds, StringRef label) {
  SmallVector<Value> ratios(firsts.size());
  SmallVector<unsigned> present;
  for (unsigned i = 0; i < firsts.size(); ++i)
    if (firsts[i])
      present.push_back(i);
  auto one = RankedTensorType::get(1, builder.getF32Type());
  // A pair takes two inputs and a result: hence a third of the tensors.
  for (ArrayRef<unsigned> rest = present; !rest.empty();) {
    ArrayRef<unsigned> part = rest.take_front(maxKernelTensors / 3);
    rest = rest.drop_front(part.size());
    SmallVector<Value> inputs;
    for (unsigned i : part)
      inputs.append({firsts[i], seconds[i]});
    const RowSpace space = SquareSum::spaceOf(inputs);
    KernelBuilder kernel(builder, loc, SmallVector<Type>(part.size(), one),
                         inputs, space.getSizes(), space.getParallel(), label);
    Floats f{kernel};
    kernel.setElementType(builder.getF32Type());
    for (unsigned n = 0; n < part.size(); ++n) {
      Value a = f.sqrt(SquareSum::add(kernel, f.number(0), 2 * n));
      Value b = f.sqrt(SquareSum::add(kernel, f.number(0), 2 * n + 1));
      Value isPositive = kernel.compare(ComparePredicate::GT, b, f.number(0));
      kernel.store(kernel.select(isPositive, f.div(a, b), f.number(1)), n,
                   kernel.dim(0));
    }
    KernelOp made = kernel.finish();
    for (auto [n, i] : llvm::enumerate(part))
      ratios[i] = made->getResult(n);
  }
  return ratios;
}

SmallVector<Value> FusedLambOp::buildKernels(OpBuilder &builder) {
  const std::string label = labelOf(*this);
  const bool hasRatio = scalesByRatio();
  Value scale;
  if (getMaxGradNorm())
    scale =
        lambScale(builder, getLoc(), getGradients(), getMaxGradNorm(), label);
  // The moments, and s, or with a ratio of 1 the parameter itself.
  auto compute = [&](KernelBuilder &kernel, ValueRange in,
                     ValueRange shared) -> SmallVector<Value> {
    Floats f{kernel};
    Value w = in[1], g = f.scaled(in[0], shared[0]);
    Value m = f.mul(f.number(getBeta1().convertToDouble()), in[2]);
    const double rest = 1 - getBeta1().convertToDouble();
    m = f.add(m, getGradAveraging() ? f.mul(f.number(rest), g) : g);
    Value v = f.average(getBeta2(), in[3], f.mul(g, g));
    Value first = shared[1] ? f.div(m, shared[1]) : m;
    Value second = shared[2] ? f.div(v, shared[2]) : v;
    Value root = f.add(f.sqrt(second), f.number(getEps().convertToDouble()));
    Value s = f.plus(f.div(first, root), getWeightDecay(), w);
    return {hasRatio ? s : f.sub(w, f.mul(shared[3], s)), m, v};
  };
  MultiTensorStep moments = {
      label,
      {getGradients(), getParameters(), getExpAvgs(), getExpAvgSqs()},
      {1, 2, 3},
      compute};
  // Not rounded: the norm of s and the last step read it.
  if (hasRatio)
    moments.types = {builder.getF32Type()};
  SmallVector<Value> results =
      moments.build(builder, getLoc(),
                    {scale, getBiasCorrection1(), getBiasCorrection2(),
                     hasRatio ? Value() : Value(getLr())});
  if (!hasRatio)
    return results;

  // A second pass over the parameters: the ratio is of norms of whole tensors.
  const unsigned count = getParameters().size();
  SquareSum squares(builder, getLoc());
  const SmallVector<Value> steps(ArrayRef(results).take_front(count));
  SmallVector<Value> ratios =
      normRatios(builder, getLoc(), squares.sumsOfEach(getParameters()),
                 squares.sumsOfEach(steps), label);
  auto update = [&](KernelBuilder &kernel, ValueRange in,
                    ValueRange shared) -> SmallVector<Value> {
    Floats f{kernel};
    return {f.sub(in[0], f.mul(f.mul(in[1], shared[0]), in[2]))};
  };
  const MultiTensorStep last = {
      label, {getParameters(), steps}, {0}, update, {ratios}};
  const SmallVector<Value> parameters =
      last.build(builder, getLoc(), Value(getLr()));
  llvm::copy(parameters, results.begin());
  return results;
}
