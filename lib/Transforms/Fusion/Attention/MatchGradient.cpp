// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients are found by structure as far as there is one in every graph, and
// proved by normal forms.
//
// Structure: matrix products that depend on the scores through vector ops are
// those of dQ, dK and dV; one that the vector ops before them read, with the
// value as an operand, is that of dP, whose other operand is dO. Which
// dimension is which, where scale, mask, dropout and the sums of shared heads
// are, and how dS is written differs from exporter to exporter. So all ways to
// read the dimensions that fit their sizes are tried on samples: of the result
// of each product, and of what becomes of it through views, scalings and sums.
// What the samples do not exclude is proved, or is no gradient.
#include "MatchGradient.h"
#include "../Merge/Views.h"
#include "Gaudi/Dialect/MatrixOrders.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "ProveGradient.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
/// Ops from the scores to the products, and before dP.
constexpr size_t mostOps = 400;
/// Ops after a product of which one may make its result the gradient.
constexpr unsigned longestChain = 10;
/// Positions at which a tensor must be the formula's value.
constexpr size_t comparedPositions = 4;

bool isNear(double a, double b) {
  return std::fabs(a - b) <= 1e-4 * std::max(std::fabs(a), std::fabs(b)) + 1e-9;
}

/// True for ops whose results are elements computed from elements.
bool isVectorOp(Operation *op) {
  return isa<KernelBodyOpInterface, ReindexOpInterface, KernelOp>(op);
}

/// What depends on the scores.
struct Slice {
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Operation *> products; // that read it
  Operation *reader = nullptr;           // neither a vector op nor a product
};

Slice sliceOf(Operation *scores) {
  Slice slice;
  SmallVector<Operation *> pending = {scores};
  while (!pending.empty() && slice.ops.size() < mostOps) {
    for (Operation *user : pending.pop_back_val()->getUsers()) {
      if (auto product = dyn_cast<GemmOp>(user); product && !hasOrders(product))
        slice.products.insert(user);
      else if (!isVectorOp(user))
        slice.reader = slice.reader ? slice.reader : user;
      else if (slice.ops.insert(user))
        pending.push_back(user);
    }
  }
  if (!pending.empty())
    slice.reader = pending.back();
  return slice;
}

/// The products that `value` is computed from through vector ops.
void collectProducts(Value value, llvm::SetVector<Operation *> &products,
                     llvm::SmallDenseSet<Operation *> &seen) {
  SmallVector<Value> pending = {value};
  while (!pending.empty() && seen.size() < mostOps) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (auto product = dyn_cast<GemmOp>(op); product && !hasOrders(product))
      products.insert(op);
    else if (isVectorOp(op))
      llvm::append_range(pending, op->getOperands());
  }
}

class Matcher {
public:
  Matcher(SdpaOp forward, Operation *scores, Operation *output,
          std::string &why)
      : scores(scores), output(output), why(why), formula(forward, sampler) {}

  std::optional<Gradient> run() {
    slice = sliceOf(scores);
    // The output's product is the forward pass.
    slice.products.remove(output);
    if (slice.products.size() < 3) {
      why = "fewer matrix products than those of dQ, dK and dV read them";
      return std::nullopt;
    }
    // A reader of the gradient of scores would need what the op does not
    // return.
    if (slice.reader) {
      why = llvm::formatv("'{0}' also reads the gradient of its scores, or its "
                          "weights",
                          slice.reader->getName().getStringRef())
                .str();
      return std::nullopt;
    }
    llvm::SetVector<Operation *> candidates = gradientsOfWeights();
    for (Operation *op : {scores, output})
      open(op);
    for (Operation *op : slice.products)
      open(op);
    const AttentionSizes sizes = attentionSizes(formula.op);
    // Images and heads may be split by the graph in any way: all ways are
    // tried.
    for (Operation *product : candidates)
      for (int64_t images : divisorsOf(sizes.batch))
        for (int64_t heads : divisorsOf(sizes.keyHeads)) {
          formula.split(images, heads);
          gradient.outerImages = images;
          gradient.outerHeads = heads;
          if (matchWith(cast<GemmOp>(product)))
            return std::move(gradient);
        }
    if (why.empty())
      why = "no product that reads its weights has the value as an operand";
    return std::nullopt;
  }

private:
  void open(Operation *product) {
    sampler.open(product);
    opened.insert(product);
  }

  using Formula = double (AttentionFormula::*)(const Coordinates &);

  /// The products that dP may be: as large as the scores, and what the
  /// operands of the slice's products are computed from.
  llvm::SetVector<Operation *> gradientsOfWeights() const {
    llvm::SetVector<Operation *> found;
    llvm::SmallDenseSet<Operation *> seen;
    for (Operation *op : slice.ops)
      for (Value operand : op->getOperands())
        if (!slice.ops.contains(operand.getDefiningOp()))
          collectProducts(operand, found, seen);
    found.remove_if([&](Operation *op) {
      return op == scores || op == output ||
             elementCount(op->getResult(0)) !=
                 elementCount(scores->getResult(0));
    });
    return found;
  }

  /// From the number itself to 1: most graphs have the op's dimensions.
  static SmallVector<int64_t> divisorsOf(int64_t number) {
    SmallVector<int64_t> divisors;
    for (int64_t d = number; d > 0; --d)
      if (number % d == 0)
        divisors.push_back(d);
    return divisors;
  }

  /// Matches everything if `product` is dP.
  bool matchWith(GemmOp product) {
    open(product);
    const unsigned rank = tensorType(product.getResult()).getRank();
    for (bool valueIsLeft : {false, true}) {
      Value value = valueIsLeft ? product.getLhs() : product.getRhs();
      Value other = valueIsLeft ? product.getRhs() : product.getLhs();
      if (!dimsOfValue(value))
        continue;
      // The position of the contracted dimension in both.
      const unsigned inLeft = rank - 1 - product.getTransposeA();
      const unsigned inRight = rank - 2 + product.getTransposeB();
      const unsigned inOther = valueIsLeft ? inRight : inLeft;
      for (const Dims &otherDims : readings(
               other, {Axis::N, Axis::NInner, Axis::KeyHead, Axis::KeyHeadInner,
                       Axis::Group, Axis::Query, Axis::ValueDepth})) {
        if (!llvm::equal(otherDims[inOther],
                         formula.realAxes({Axis::ValueDepth})))
          continue;
        gradient.outputGrad = other;
        gradient.outputGradDims = otherDims;
        if (matchGradients(product))
          return true;
      }
    }
    return false;
  }

  /// All ways to read the dimensions of a tensor as these axes, each once.
  SmallVector<Dims> readings(Value tensor, ArrayRef<Axis> axes) const {
    SmallVector<Dims> found;
    ArrayRef<int64_t> shape = tensorType(tensor).getShape();
    SmallVector<Axis, 6> real = formula.realAxes(axes);
    Dims dims(shape.size());
    SmallVector<bool, 6> used(real.size());
    // Depth first over the tensor's dimensions: each takes axes, outermost
    // first, until its size is used up.
    std::function<void(size_t, int64_t)> extend = [&](size_t d, int64_t rest) {
      // Tensors with many equal sizes have too many readings.
      if (found.size() >= 1000)
        return;
      if (d == shape.size()) {
        if (llvm::all_of(used, [](bool isUsed) { return isUsed; }))
          found.push_back(dims);
        return;
      }
      // This dimension is complete: the next one.
      if (rest == 1)
        return extend(d + 1, d + 1 < shape.size() ? shape[d + 1] : 1);
      for (auto [k, axis] : llvm::enumerate(real)) {
        if (used[k] || rest % formula.sizeOf(axis) != 0)
          continue;
        used[k] = true;
        dims[d].push_back(axis);
        extend(d, rest / formula.sizeOf(axis));
        dims[d].pop_back();
        used[k] = false;
      }
    };
    extend(0, shape.empty() ? 1 : shape[0]);
    return found;
  }

  /// A position that the sampler can compute sums at.
  Coordinates drawPosition() {
    Coordinates at;
    for (unsigned a = 0; a < axisCount; ++a) {
      const int64_t size = formula.sizeOf(Axis(a));
      const bool isSampled = Axis(a) == Axis::Query || Axis(a) == Axis::Key;
      ArrayRef<int64_t> indices =
          isSampled ? sampler.indicesOf(size) : ArrayRef<int64_t>();
      at[a] = isSampled ? indices[sampler.draw(indices.size())]
                        : sampler.draw(size);
    }
    return at;
  }

  using Examples = SmallVector<std::pair<Coordinates, double>>;

  /// Positions at which the formula is a number other than 0, and the numbers:
  /// enough of them that no two axes have one index in all, so that a reading
  /// which exchanges them gives other numbers. Empty if there are not enough.
  Examples examplesOf(ArrayRef<Axis> axes,
                      llvm::function_ref<double(const Coordinates &)> number) {
    const SmallVector<Axis, 6> real = formula.realAxes(axes);
    Examples examples;
    auto areDistinct = [&](Axis a, Axis b) {
      return a == b || llvm::any_of(examples, [&](const auto &example) {
               return get(example.first, a) != get(example.first, b);
             });
    };
    for (unsigned tries = 0; tries < 60 && !sampler.isSpent(); ++tries) {
      const Coordinates at = drawPosition();
      const double value = number(at);
      if (std::isfinite(value) && std::fabs(value) > 1e-7)
        examples.push_back({at, value});
      if (examples.size() >= comparedPositions &&
          llvm::all_of(real, [&](Axis a) {
            return llvm::all_of(real,
                                [&](Axis b) { return areDistinct(a, b); });
          }))
        return examples;
    }
    return {};
  }

  /// The reading of `tensor` that gives the examples' numbers.
  std::optional<Dims> readingThatGives(Value tensor, ArrayRef<Axis> axes,
                                       const Examples &examples) {
    if (examples.empty())
      return std::nullopt;
    for (const Dims &dims : readings(tensor, axes))
      if (llvm::all_of(examples, [&](const auto &example) {
            return isNear(formula.element(tensor, dims, example.first),
                          example.second);
          }))
        return dims;
    return std::nullopt;
  }

  /// The dimensions of a tensor that shows the forward op's value, which may be
  /// repeated for the heads of a group or the images that share it.
  std::optional<Dims> dimsOfValue(Value tensor) {
    const SmallVector<Axis, 7> all = {
        Axis::N,     Axis::NInner, Axis::KeyHead,   Axis::KeyHeadInner,
        Axis::Group, Axis::Key,    Axis::ValueDepth};
    using Axes = SmallVector<Axis, 3>;
    Examples examples;
    for (const Axes &left :
         {Axes{Axis::Group}, Axes{}, Axes{Axis::N, Axis::NInner, Axis::Group},
          Axes{Axis::N, Axis::NInner}}) {
      SmallVector<Axis, 7> axes;
      llvm::copy_if(all, std::back_inserter(axes),
                    [&](Axis axis) { return !llvm::is_contained(left, axis); });
      // Sizes alone exclude most.
      if (readings(tensor, axes).empty())
        continue;
      if (examples.empty())
        examples = examplesOf(
            all, [&](const Coordinates &at) { return formula.value(at); });
      if (std::optional<Dims> dims = readingThatGives(tensor, axes, examples))
        return dims;
    }
    return std::nullopt;
  }

  /// With the output's gradient in `gradient`, finds the others; each product
  /// of the slice must be one.
  bool matchGradients(GemmOp weightsGrad) {
    sampler.cut(gradient.outputGrad);
    formula.outputGrad = [this](const Coordinates &at) {
      return formula.element(gradient.outputGrad, gradient.outputGradDims, at);
    };
    gradient.query = gradient.key = gradient.value = {};
    // Whatever was tried, dimensions are whole again afterwards.
    llvm::scope_exit restore([&] { sampler.split(0, {}); });
    for (Operation *product : slice.products)
      if (!matchProduct(cast<GemmOp>(product)))
        return false;
    if (!gradient.query.tensor || !gradient.key.tensor ||
        !gradient.value.tensor) {
      why = "dQ, dK or dV is missing in its backward graph";
      return false;
    }
    gradient.replaced.assign(slice.ops.begin(), slice.ops.end());
    llvm::append_range(gradient.replaced, slice.products);
    gradient.replaced.push_back(scores);
    gradient.replaced.push_back(weightsGrad);
    return true;
  }

  bool matchProduct(GemmOp product) {
    unproven.clear();
    const unsigned rank = tensorType(product.getResult()).getRank();
    // The reduced dimension may be rows and heads together, split as the graph
    // does.
    const int64_t contracted =
        tensorType(product.getLhs())
            .getShape()[product.getTransposeA() ? rank - 2 : rank - 1];
    struct Kind {
      Differentiated operand;
      FoundGradient &found;
      Formula formula;
      SmallVector<Axis, 6> axes;
    };
    SdpaOp op = formula.op;
    const AttentionSizes sizes = attentionSizes(op);
    auto imagesOf = [](int64_t batch) {
      return batch == 1 ? SmallVector<Axis, 6>()
                        : SmallVector<Axis, 6>({Axis::N, Axis::NInner});
    };
    Kind kinds[] = {{Differentiated::Value, gradient.value,
                     &AttentionFormula::valueGrad, imagesOf(sizes.valueBatch)},
                    {Differentiated::Query,
                     gradient.query,
                     &AttentionFormula::queryGrad,
                     {Axis::N, Axis::NInner}},
                    {Differentiated::Key, gradient.key,
                     &AttentionFormula::keyGrad, imagesOf(sizes.keyBatch)}};
    const Axis query[] = {Axis::Group, Axis::Query, Axis::Depth};
    const Axis key[] = {Axis::Key, Axis::Depth};
    const Axis value[] = {Axis::Key, Axis::ValueDepth};
    for (Kind &kind : kinds)
      llvm::append_range(kind.axes,
                         ArrayRef({Axis::KeyHead, Axis::KeyHeadInner}));
    llvm::append_range(kinds[0].axes, value);
    llvm::append_range(kinds[1].axes, query);
    llvm::append_range(kinds[2].axes, key);
    // Samples of sums depend on how the reduction is split.
    for (const SmallVector<int64_t, 3> &split : splitsOf(contracted)) {
      sampler.split(contracted, split);
      formula.forget();
      // What has no reading as this gradient is not sampled.
      for (Kind &kind : kinds) {
        SmallVector<Value> chain = chainOf(product.getResult());
        llvm::erase_if(chain, [&](Value tensor) {
          return readings(tensor, kind.axes).empty();
        });
        // Each gradient is found once.
        if (kind.found.tensor || chain.empty())
          continue;
        // Examples reject cheaply; what they accept is proved.
        const Examples examples =
            examplesOf(kind.axes, [&](const Coordinates &at) {
              return (formula.*kind.formula)(at);
            });
        for (Value tensor : chain) {
          std::optional<Dims> dims =
              readingThatGives(tensor, kind.axes, examples);
          if (!dims)
            continue;
          if (isProven({kind.operand, tensor, *dims, gradient.outputGrad,
                        gradient.outputGradDims},
                       formula, opened, unproven)) {
            kind.found = {tensor, *dims, product};
            return true;
          }
        }
      }
    }
    why = sampler.isSpent() ? "its backward graph is too large to be sampled"
          : !unproven.empty()
              ? "what may be a gradient of its query, key or value is not "
                "proven to be one: " +
                    unproven
              : "a matrix product that reads its weights is not a gradient of "
                "its query, key or value";
    return false;
  }

  /// What the contracted dimension may be made of: nothing, or queries together
  /// with the group or the images that share the keys.
  SmallVector<SmallVector<int64_t, 3>> splitsOf(int64_t extent) const {
    SmallVector<SmallVector<int64_t, 3>> splits = {{}};
    SmallVector<Axis, 6> axes =
        formula.realAxes({Axis::Group, Axis::N, Axis::NInner, Axis::Query});
    llvm::sort(axes);
    // Each prefix of each order is a way to merge axes.
    do {
      int64_t product = 1;
      SmallVector<int64_t, 3> sizes;
      for (Axis axis : axes) {
        product *= formula.sizeOf(axis);
        sizes.push_back(formula.sizeOf(axis));
        if (product == extent && sizes.size() > 1 &&
            !llvm::is_contained(splits, sizes))
          splits.push_back(sizes);
      }
    } while (std::next_permutation(axes.begin(), axes.end()));
    return splits;
  }

  /// The only op of the function that reads the tensor; the sampler's kernels
  /// are outside it.
  static Operation *onlyReader(Value tensor) {
    Operation *reader = nullptr;
    for (Operation *user : tensor.getUsers()) {
      if (user->getBlock() != tensor.getParentBlock())
        continue;
      if (reader && reader != user)
        return nullptr;
      reader = user;
    }
    return reader;
  }

  /// The product and what only its readers make of it, the last one first.
  static SmallVector<Value> chainOf(Value tensor) {
    SmallVector<Value> chain = {tensor};
    while (chain.size() <= longestChain) {
      Operation *user = onlyReader(chain.back());
      if (!user || !isVectorOp(user) || user->getNumResults() != 1 ||
          !isa<FloatType>(getElementTypeOrSelf(user->getResult(0))))
        break;
      chain.push_back(user->getResult(0));
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  Operation *scores, *output;
  std::string &why;
  Sampler sampler;
  AttentionFormula formula;
  Slice slice;
  Gradient gradient;
  llvm::DenseSet<Operation *> opened;
  std::string unproven; // what keeps the last claim from being proven
};
} // namespace

std::optional<Gradient> gaudi::fusion::matchGradient(SdpaOp forward,
                                                     Operation *scores,
                                                     Operation *output,
                                                     std::string &why) {
  why.clear();
  return Matcher(forward, scores, output, why).run();
}
