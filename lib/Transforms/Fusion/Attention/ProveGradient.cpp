// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradients of an attention as normal forms, compared with those of a
// graph.
#include "ProveGradient.h"
#include "AttentionMatch.h"
#include "GraphForms.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
class Proof {
public:
  using Form = NormalForms::Form;
  /// The index of each axis.
  using Place = std::array<Affine, axisCount>;

  Proof(const Claim &claim, const AttentionAxes &names,
        const llvm::DenseSet<Operation *> &opened, ValueDag &graph,
        bool vanishes)
      : claim(claim), names(names), op(names.op), graph(graph),
        elements(forms, graph, opened,
                 cast<FloatType>(getElementTypeOrSelf(op.getQuery()))),
        dims{names.dimsOf(queryLayoutOf(op), Axis::Query, Axis::Depth),
             names.dimsOf(keyLayoutOf(op), Axis::Key, Axis::Depth),
             names.dimsOf(valueLayoutOf(op), Axis::Key, Axis::ValueDepth)} {
    if (vanishes)
      forms.vanishBelow(hiddenLimit);
    for (unsigned a = 0; a < axisCount; ++a) {
      free[a] = graph.addAxis(names.sizeOf(Axis(a)), /*isParallel=*/true);
      bound[a] = graph.addAxis(names.sizeOf(Axis(a)), /*isParallel=*/true);
    }
  }

  /// True if the forms are equal.
  bool run(std::string &why) {
    const Form expected = formula();
    const Form actual = element(claim.tensor, claim.dims, free);
    if (graph.isToBeSplit())
      return false;
    why.clear();
    if (forms.isSpent())
      why = "the formulas of its backward graph are too large";
    else if (auto name = elements.functionIn(actual, expected))
      why = ("it passes through '" + *name + "'").str();
    return !forms.isSpent() && actual == expected;
  }

private:
  Form element(Value tensor, const Dims &dims, const Place &at) {
    SmallVector<Affine, 6> position;
    for (ArrayRef<Axis> axes : dims)
      position.push_back(joined(at, axes));
    return elements.at(tensor, position);
  }

  Affine joined(const Place &at, ArrayRef<Axis> axes) const {
    Affine index;
    int64_t stride = 1;
    for (Axis axis : llvm::reverse(axes)) {
      index.add(at[size_t(axis)], stride);
      stride *= names.sizeOf(axis);
    }
    return index;
  }

  /// The element of a tensor [N, H, L, S] that is repeated along dimensions of
  /// size 1.
  Form broadcastElement(Value tensor, const Place &at) {
    ArrayRef<int64_t> shape = tensorType(tensor).getShape();
    SmallVector<Affine, 4> position = {
        joined(at, {Axis::N, Axis::NInner}),
        joined(at, {Axis::KeyHead, Axis::KeyHeadInner, Axis::Group}),
        at[size_t(Axis::Query)], at[size_t(Axis::Key)]};
    if (shape.size() == 3)
      position.erase(position.begin() + 1);
    for (auto [index, size] : llvm::zip_equal(position, shape))
      if (size == 1)
        index = Affine();
    return elements.at(tensor, position);
  }

  Form sum(ArrayRef<Axis> axes, const Place &at,
           llvm::function_ref<Form(const Place &)> term) {
    Place inner = at;
    NormalForms::Variables variables;
    for (Axis axis : axes) {
      inner[size_t(axis)] = bound[size_t(axis)];
      llvm::append_range(variables, elements.variablesOf(bound[size_t(axis)]));
    }
    return forms.sum(variables, term(inner));
  }

  Form query(const Place &at) { return element(op.getQuery(), dims[0], at); }
  Form key(const Place &at) { return element(op.getKey(), dims[1], at); }
  Form value(const Place &at) { return element(op.getValue(), dims[2], at); }
  Form outputGrad(const Place &at) {
    return element(claim.outputGrad, claim.outputGradDims, at);
  }
  double scale() { return op.getScale().convertToDouble(); }
  bool selects() {
    return op.getMask() && getElementTypeOrSelf(op.getMask()).isInteger(1);
  }

  /// 1 for the keys that exist.
  Form exists(const Place &at) {
    Form all = forms.number(1);
    // sign * (query - key) <= bound
    auto isWithin = [&](int64_t sign, int64_t bound) {
      Affine form(bound);
      form.add(at[size_t(Axis::Query)], -sign);
      form.add(at[size_t(Axis::Key)], sign);
      all = forms.multiply(all, forms.isNotNegative(elements.linearOf(form)));
    };
    if (op.getCausal())
      isWithin(-1, 0);
    if (std::optional<uint64_t> window = op.getWindow()) {
      isWithin(1, int64_t(*window) - 1);
      if (!op.getCausal())
        isWithin(-1, int64_t(*window) - 1);
    }
    return all;
  }

  /// exp of the score: what the softmax adds up.
  Form weight(const Place &at) {
    Form score = forms.scale(sum({Axis::Depth}, at,
                                 [&](const Place &in) {
                                   return forms.multiply(query(in), key(in));
                                 }),
                             scale());
    if (selects())
      score = forms.select(broadcastElement(op.getMask(), at), score,
                           forms.number(op.getMaskValue().convertToDouble()));
    else if (op.getMask())
      score = forms.add(score, broadcastElement(op.getMask(), at));
    return forms.multiply(exists(at), forms.exp(score));
  }

  Form probability(const Place &at) {
    const Form all =
        sum({Axis::Key}, at, [&](const Place &in) { return weight(in); });
    return forms.multiply(weight(at), forms.inverse(all));
  }

  Form dropout(const Place &at) {
    if (!op.getDropoutMask())
      return forms.number(1);
    const double p = op.getDropout().convertToDouble();
    return forms.scale(broadcastElement(op.getDropoutMask(), at), 1 / (1 - p));
  }

  /// The gradient of a probability.
  Form probabilityGrad(const Place &at) {
    const Form product = sum({Axis::ValueDepth}, at, [&](const Place &in) {
      return forms.multiply(outputGrad(in), value(in));
    });
    return forms.multiply(dropout(at), product);
  }

  Form scoreGrad(const Place &at) {
    const Form mean = sum({Axis::Key}, at, [&](const Place &in) {
      return forms.multiply(probability(in), probabilityGrad(in));
    });
    const Form grad = forms.multiply(probability(at),
                                     forms.add(probabilityGrad(at), mean, -1));
    // A score that was replaced depends on no operand.
    return selects() ? forms.multiply(broadcastElement(op.getMask(), at), grad)
                     : grad;
  }

  Form formula() {
    const AttentionSizes sizes = attentionSizes(op);
    SmallVector<Axis, 4> queries = {Axis::Group, Axis::Query};
    // A key or value that all images share sums over them, too.
    auto ofAllImages = [&](int64_t batch) {
      if (batch == 1)
        queries.append({Axis::N, Axis::NInner});
    };
    switch (claim.what) {
    case Claimed::Value:
      return value(free);
    // dQ = scale * sum over keys of dS K.
    case Claimed::QueryGrad:
      return forms.scale(sum({Axis::Key}, free,
                             [&](const Place &in) {
                               return forms.multiply(scoreGrad(in), key(in));
                             }),
                         scale());
    // dK = scale * sum over queries of dS Q.
    case Claimed::KeyGrad:
      ofAllImages(sizes.keyBatch);
      return forms.scale(sum(queries, free,
                             [&](const Place &in) {
                               return forms.multiply(scoreGrad(in), query(in));
                             }),
                         scale());
    // dV = sum over queries of P' dO, with P' after dropout.
    case Claimed::ValueGrad:
      ofAllImages(sizes.valueBatch);
      return sum(queries, free, [&](const Place &in) {
        return forms.multiply(forms.multiply(probability(in), dropout(in)),
                              outputGrad(in));
      });
    }
    llvm_unreachable("what is claimed");
  }

  const Claim &claim;
  const AttentionAxes &names;
  SdpaOp op;
  ValueDag &graph;
  NormalForms forms;
  GraphForms elements;
  std::array<Dims, 3> dims;
  Place free, bound;
};
} // namespace

bool GradientProofs::hasForms() const {
  SdpaOp op = names.op;
  const bool isBit = op.getDropoutMask() &&
                     getElementTypeOrSelf(op.getDropoutMask()).isInteger(1);
  return !op.getValidLengths() && !op.getSeed() &&
         (op.getDropout().convertToDouble() == 0 || isBit);
}

bool GradientProofs::isProven(const Claim &claim, std::string &why) {
  SdpaOp op = names.op;
  assert(hasForms() && "no claim can be proven");
  why.clear();
  llvm::DenseSet<Value> cut;
  for (Value tensor :
       {Value(op.getQuery()), Value(op.getKey()), Value(op.getValue()),
        Value(op.getDropoutMask()), claim.outputGrad})
    if (tensor)
      cut.insert(shownBy(tensor));
  auto stop = [&](Value tensor) { return cut.contains(tensor); };
  // Where masks hide scores by a large number that is added to them, the
  // forward op may have none of it: see hiddenLimit. A row that is hidden as a
  // whole by a boolean mask keeps its numbers.
  const bool selects =
      op.getMask() && getElementTypeOrSelf(op.getMask()).isInteger(1);
  for (bool vanishes : {false, true}) {
    if (vanishes && selects && op.getMaskValue().isFinite())
      break;
    bool isEqual = false;
    ValueDag::build(op.getContext(), kernels, stop, [&](ValueDag &graph) {
      isEqual = Proof(claim, names, opened, graph, vanishes).run(why);
    });
    if (isEqual)
      return true;
  }
  return false;
}
