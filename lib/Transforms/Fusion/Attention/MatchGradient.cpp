// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients are found by structure as far as there is one in every graph, and
// proved by normal forms.
//
// Structure: matrix products that depend on the scores through vector ops are
// those of dQ, dK and dV; one that the vector ops before them read, with the
// value as an operand, is that of dP, whose other operand is dO. Which
// dimension is which, where scale, mask, dropout and the sums of shared heads
// are, and how dS is written differs from exporter to exporter. So all ways to
// read the dimensions that fit their sizes are tried: of the result of each
// product, and of what becomes of it through views, scalings and sums.
#include "MatchGradient.h"
#include "../Merge/Views.h"
#include "Gaudi/Dialect/MatrixOrders.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "ProveGradient.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
/// Ops from the scores to the products, and before dP.
constexpr size_t mostOps = 400;
/// Ops after a product of which one may make its result the gradient.
constexpr unsigned longestChain = 10;
/// Claims that are tried to be proven.
constexpr unsigned mostClaims = 500;

/// True for ops whose results are elements computed from elements.
bool isVectorOp(Operation *op) {
  return isa<KernelBodyOpInterface, ReindexOpInterface, KernelOp>(op);
}

/// What depends on the scores: their forward slice, up to matrix products.
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

class GradientMatcher {
public:
  GradientMatcher(SdpaOp forward, Operation *scores, Operation *output,
                  std::string &why)
      : scores(scores), output(output), why(why), proofs(forward) {}

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
    if (!proofs.hasForms()) {
      why = "its lengths, or its dropout, have no formula to prove them by";
      return std::nullopt;
    }
    llvm::SetVector<Operation *> candidates = candidatesForDP();
    for (Operation *op : {scores, output})
      proofs.open(op);
    for (Operation *op : slice.products)
      proofs.open(op);
    const AttentionSizes sizes = attentionSizes(names.op);
    // Images and heads may be split by the graph in any way: all ways are
    // tried.
    for (Operation *product : candidates)
      for (int64_t images : divisorsOf(sizes.batch))
        for (int64_t heads : divisorsOf(sizes.keyHeads)) {
          if (claims > mostClaims)
            return std::nullopt;
          names.split(images, heads);
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
  /// The products that dP may be: as large as the scores, and what the
  /// operands of the slice's products are computed from.
  llvm::SetVector<Operation *> candidatesForDP() const {
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
    proofs.open(product);
    const unsigned rank = tensorType(product.getResult()).getRank();
    for (bool valueIsLeft : {false, true}) {
      Value value = valueIsLeft ? product.getLhs() : product.getRhs();
      Value other = valueIsLeft ? product.getRhs() : product.getLhs();
      const std::optional<Dims> valueDims = dimsOfValue(value);
      if (!valueDims)
        continue;
      // The position of the contracted dimension in both.
      const unsigned inLeft = rank - 1 - product.getTransposeA();
      const unsigned inRight = rank - 2 + product.getTransposeB();
      const unsigned inOther = valueIsLeft ? inRight : inLeft;
      for (const Dims &otherDims : readings(
               other, {Axis::N, Axis::NInner, Axis::KeyHead, Axis::KeyHeadInner,
                       Axis::Group, Axis::Query, Axis::ValueDepth})) {
        // Both operands are read at one index of each batch dimension.
        auto isBatch = [&](unsigned d) {
          return tensorType(value).getDimSize(d) != 1 &&
                 tensorType(other).getDimSize(d) != 1;
        };
        if (otherDims[inOther] !=
                Dims::value_type(names.realAxes({Axis::ValueDepth})) ||
            llvm::any_of(llvm::seq(rank - 2), [&](unsigned d) {
              return isBatch(d) && otherDims[d] != (*valueDims)[d];
            }))
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
    const SmallVector<Axis, 7> real = names.realAxes(axes);
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
        if (used[k] || rest % names.sizeOf(axis) != 0)
          continue;
        used[k] = true;
        dims[d].push_back(axis);
        extend(d, rest / names.sizeOf(axis));
        dims[d].pop_back();
        used[k] = false;
      }
    };
    extend(0, shape.empty() ? 1 : shape[0]);
    return found;
  }

  /// The reading of `tensor` with which it is proven to be what is claimed.
  std::optional<Dims> provenReading(Claimed what, Value tensor,
                                    ArrayRef<Axis> axes) {
    for (const Dims &dims : readings(tensor, axes)) {
      if (claims++ == mostClaims)
        why = "its backward graph can be read in too many ways";
      if (claims > mostClaims)
        return std::nullopt;
      std::string text;
      if (proofs.isProven({what, tensor, dims, gradient.outputGrad,
                           gradient.outputGradDims},
                          text))
        return dims;
      if (!text.empty())
        unproven = text;
    }
    return std::nullopt;
  }

  /// The dimensions of a tensor that shows the forward op's value, which may be
  /// repeated for the heads of a group or the images that share it.
  std::optional<Dims> dimsOfValue(Value tensor) {
    const SmallVector<Axis, 7> all = {
        Axis::N,     Axis::NInner, Axis::KeyHead,   Axis::KeyHeadInner,
        Axis::Group, Axis::Key,    Axis::ValueDepth};
    using Axes = SmallVector<Axis, 3>;
    gradient.outputGrad = Value();
    for (const Axes &left :
         {Axes{Axis::Group}, Axes{}, Axes{Axis::N, Axis::NInner, Axis::Group},
          Axes{Axis::N, Axis::NInner}}) {
      SmallVector<Axis, 7> axes;
      llvm::copy_if(all, std::back_inserter(axes),
                    [&](Axis axis) { return !llvm::is_contained(left, axis); });
      if (std::optional<Dims> dims =
              provenReading(Claimed::Value, tensor, axes))
        return dims;
    }
    return std::nullopt;
  }

  /// With the output's gradient in `gradient`, finds the others; each product
  /// of the slice must be one. `dP`: the product of the output's gradient and
  /// the value.
  bool matchGradients(GemmOp dP) {
    gradient.query = gradient.key = gradient.value = {};
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
    gradient.replaced.push_back(dP);
    return true;
  }

  bool matchProduct(GemmOp product) {
    unproven.clear();
    const AttentionSizes sizes = attentionSizes(names.op);
    auto axesOf = [](int64_t batch, ArrayRef<Axis> inner) {
      SmallVector<Axis, 7> axes = {Axis::KeyHead, Axis::KeyHeadInner};
      if (batch != 1)
        axes.insert(axes.begin(), {Axis::N, Axis::NInner});
      llvm::append_range(axes, inner);
      return axes;
    };
    struct Kind {
      Claimed what;
      FoundGradient &found;
      SmallVector<Axis, 7> axes;
    };
    for (const Kind &kind :
         {Kind{Claimed::ValueGrad, gradient.value,
               axesOf(sizes.valueBatch, {Axis::Key, Axis::ValueDepth})},
          Kind{Claimed::QueryGrad, gradient.query,
               axesOf(sizes.batch, {Axis::Group, Axis::Query, Axis::Depth})},
          Kind{Claimed::KeyGrad, gradient.key,
               axesOf(sizes.keyBatch, {Axis::Key, Axis::Depth})}})
      // Each gradient is found once.
      if (!kind.found.tensor)
        for (Value tensor : chainOf(product.getResult()))
          if (std::optional<Dims> dims =
                  provenReading(kind.what, tensor, kind.axes)) {
            kind.found = {tensor, *dims, product};
            return true;
          }
    if (claims > mostClaims)
      return false;
    why = !unproven.empty()
              ? "what may be a gradient of its query, key or value is not "
                "proven to be one: " +
                    unproven
              : "a matrix product that reads its weights is not a gradient of "
                "its query, key or value";
    return false;
  }

  /// The product and what only its readers make of it, the last one first.
  static SmallVector<Value> chainOf(Value tensor) {
    SmallVector<Value> chain = {tensor};
    while (chain.size() <= longestChain) {
      // One op reads it, perhaps as several operands.
      if (chain.back().use_empty() || !llvm::all_equal(chain.back().getUsers()))
        break;
      Operation *user = *chain.back().user_begin();
      if (!isVectorOp(user) || user->getNumResults() != 1 ||
          !isa<FloatType>(getElementTypeOrSelf(user->getResult(0))))
        break;
      chain.push_back(user->getResult(0));
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  Operation *scores, *output;
  std::string &why;
  GradientProofs proofs;
  AttentionAxes &names = proofs.names;
  Slice slice;
  Gradient gradient;
  unsigned claims = 0;
  std::string unproven; // what keeps the last claim from being proven
};
} // namespace

std::optional<Gradient> gaudi::fusion::matchGradient(SdpaOp forward,
                                                     Operation *scores,
                                                     Operation *output,
                                                     std::string &why) {
  why.clear();
  return GradientMatcher(forward, scores, output, why).run();
}
