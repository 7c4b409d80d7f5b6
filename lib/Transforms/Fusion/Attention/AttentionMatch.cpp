// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices and operands of an attention in the graph of its values.
#include "../Merge/Views.h"
#include "Gaudi/Dialect/PaddingOps.h"
#include "Gaudi/Reference/Tensor.h"
#include "Matcher.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

Group gaudi::fusion::groupOf(const Affine &form) {
  Group group;
  for (unsigned d = 0; d < form.size(); ++d)
    if (form[d] != 0)
      group.push_back(d);
  llvm::sort(group, [&](unsigned a, unsigned b) { return form[a] > form[b]; });
  return group;
}

Value gaudi::fusion::shownBy(Value tensor, bool isExact) {
  while (true) {
    Value source = moveSource(tensor);
    if (auto cast = tensor.getDefiningOp<CastOp>(); !source && cast) {
      auto from = dyn_cast<FloatType>(getElementTypeOrSelf(cast.getOperand()));
      auto to = dyn_cast<FloatType>(getElementTypeOrSelf(tensor));
      if (from && to &&
          (!isExact || APFloat::isRepresentableBy(from.getFloatSemantics(),
                                                  to.getFloatSemantics())))
        source = cast.getOperand();
    }
    if (!source)
      return tensor;
    tensor = source;
  }
}

bool gaudi::fusion::holdsExactly(Type type, int64_t low, int64_t high) {
  if (!type || type.isIndex())
    return true;
  if (auto floats = dyn_cast<FloatType>(type)) {
    const unsigned digits =
        APFloat::semanticsPrecision(floats.getFloatSemantics());
    const int64_t limit = int64_t(1) << std::min(digits, 53u);
    return low >= -limit && high <= limit;
  }
  const unsigned width = type.getIntOrFloatBitWidth();
  // A boolean is 1, or as a signed number -1.
  if (width == 1)
    return low == 0 && high == 0;
  return width >= 64 ||
         (low >= llvm::minIntN(width) && high <= llvm::maxIntN(width));
}

// The numbers of scales, as exporters compute them: sqrt(d), 1 / sqrt(d), d **
// -0.5.
std::optional<double> gaudi::fusion::numberOf(const PatternView &view,
                                              NodeId id) {
  const Node &node = view.at(id);
  if (node.kind == Node::Constant)
    return numberOf(cast<TypedAttr>(node.attr));
  if (node.kind != Node::Scalar ||
      (!isArithmetic(node) &&
       !isOneOf<math::SqrtOp, math::RsqrtOp, math::PowFOp>(*node.name)))
    return std::nullopt;
  SmallVector<double, 3> in;
  for (NodeId operand : node.operands) {
    std::optional<double> number = numberOf(view, operand);
    if (!number)
      return std::nullopt;
    in.push_back(*number);
  }
  const std::optional<double> value = view.dag.evaluate(node, in);
  // Numbers of f32 keep their digits: they are rounded once, as attributes.
  auto format = dyn_cast_or_null<FloatType>(node.type);
  return value && format && format.getWidth() < 32 ? roundTo(format, *value)
                                                   : value;
}

bool AttentionMatcher::run() {
  addAxes();
  const bool isLhs = match.candidate.probabilitiesAreLhs;
  match.read = {operand(isLhs), operandPosition(match.candidate.product, isLhs,
                                                batch, rows, keys)};
  NodeId read = graph.valueOf(match.read.tensor, match.read.position);
  match.readValue = read;
  // A softmax may be divided only after its product with the values.
  if (match.candidate.division && !readDivision())
    return false;
  if (!findScores(read))
    return false;
  std::optional<NodeId> numerator =
      match.candidate.division ? matchLateSoftmax(read) : matchSoftmax(read);
  if (!numerator || !matchNumerator(*numerator))
    return false;
  if (!keepsPrecision(read) ||
      (match.candidate.division && !keepsPrecision(divided)))
    return false;
  return matchOperands();
}

bool AttentionMatcher::refuse(Operation *where, const Twine &reason) {
  refusal.culprit = where ? where : match.candidate.product.getOperation();
  refusal.reason = reason.str();
  return false;
}

Operation *AttentionMatcher::originOf(NodeId id) const {
  if (Operation *op = graph.originOf(id))
    return op;
  const Node &node = graph.dag.nodes[id];
  return node.kind == Node::Load
             ? graph.dag.accesses[node.number].tensor.getDefiningOp()
             : nullptr;
}

Value AttentionMatcher::operand(bool isLhs) {
  return isLhs ? match.candidate.product.getLhs()
               : match.candidate.product.getRhs();
}

SmallVector<Affine, 4> gaudi::fusion::operandPosition(GemmOp gemm, bool isLhs,
                                                      ArrayRef<Affine> batch,
                                                      const Affine &kept,
                                                      const Affine &summed) {
  Value tensor = isLhs ? gemm.getLhs() : gemm.getRhs();
  SmallVector<Affine, 4> position(batch);
  for (auto [d, index] : llvm::enumerate(position))
    if (tensorType(tensor).getDimSize(d) == 1)
      index = Affine();
  const bool keptFirst = isLhs ? !gemm.getTransposeA() : gemm.getTransposeB();
  position.push_back(keptFirst ? kept : summed);
  position.push_back(keptFirst ? summed : kept);
  return position;
}

void AttentionMatcher::addAxes() {
  GemmOp product = match.candidate.product;
  RankedTensorType type = tensorType(product.getResult());
  const int64_t rank = type.getRank();
  for (int64_t d = 0; d < rank - 2; ++d)
    batch.push_back(graph.addAxis(type.getDimSize(d), /*isParallel=*/true));
  Affine m = graph.addAxis(type.getDimSize(rank - 2), true);
  Affine n = graph.addAxis(type.getDimSize(rank - 1), true);
  // The probabilities are the right operand where exporters compute the
  // transposed output: columns are queries then.
  const bool isLhs = match.candidate.probabilitiesAreLhs;
  rows = isLhs ? m : n;
  columns = isLhs ? n : m;
  match.columnCount = type.getDimSize(isLhs ? rank - 1 : rank - 2);
  const bool transposed = product.getTransposeA();
  match.keyCount =
      tensorType(product.getLhs()).getDimSize(transposed ? rank - 2 : rank - 1);
  // The product sums over the keys.
  keys = graph.addAxis(match.keyCount, /*isParallel=*/false);
  match.output = {product.getResult(), SmallVector<Affine, 4>(batch)};
  match.output.position.append({m, n});
  for (const Affine &index : batch)
    match.batch.append(groupOf(index));
  match.rows = rows;
  match.keys = keys;
  match.allRows = groupOf(rows);
  match.keyDims = groupOf(keys);
  match.columnDims = groupOf(columns);
  keyMask = keys.dims();
}

// A product with a constant goes to the scale. A sum with zeros is how some
// exporters repeat a tensor.
bool AttentionMatcher::takeConstant(Link &link) {
  Operation *op = link.element.tensor.getDefiningOp();
  if (!isa_and_nonnull<MulOp, DivOp, AddOp>(op))
    return false;
  // Of a division only the divisor can be the constant.
  for (unsigned i = 0; i < (isa<DivOp>(op) ? 1 : 2); ++i) {
    Value source = op->getOperand(i), other = op->getOperand(1 - i);
    if (!isSplat(other) ||
        getElementTypeOrSelf(source) != getElementTypeOrSelf(other))
      continue;
    auto number = numberOf(view, graph.valueOf(other, zeros(other)));
    // A sum with 0 only repeats the source; with another number it is a mask.
    // A product with 0 keeps nothing of the scores.
    if (!number || (*number == 0) != isa<AddOp>(op))
      continue;
    if (!isa<AddOp>(op))
      link.factor *= isa<MulOp>(op) ? *number : 1 / *number;
    RankedTensorType from = tensorType(source);
    // Where the sum or product broadcast the source, that has one element.
    RankedTensorType to = tensorType(link.element.tensor);
    for (int64_t d = 0; d < to.getRank(); ++d)
      if (from.getDimSize(d) != to.getDimSize(d))
        link.element.position[d] = Affine();
    link.element.tensor = source;
    return true;
  }
  return false;
}

SmallVector<Link, 4> AttentionMatcher::chainOf(Value tensor,
                                               ArrayRef<Affine> position) {
  SmallVector<Link, 4> chain;
  Link link{{tensor, SmallVector<Affine, 4>(position)}, 1};
  while (chain.size() < 24) {
    chain.push_back(link);
    // After a marker nothing would say what of the tensor is padding.
    if (link.element.tensor.getDefiningOp<ValidOp>())
      break;
    if (std::optional<TensorElement> source = graph.sourceOf(link.element)) {
      link.element = *source;
      continue;
    }
    if (!takeConstant(link))
      break;
  }
  return chain;
}

bool AttentionMatcher::isSplat(Value tensor) {
  return elementCount(tensor) == 1 ||
         matchPattern(rootOf(tensor), m_Constant());
}

bool AttentionMatcher::matchOperands() {
  // A copy: values that are added below move the accesses of the graph.
  const SmallVector<Affine, 4> at =
      graph.dag.accesses[graph.dag.nodes[scores].number].position;
  const Affine &m = at[at.size() - 2], &n = at[at.size() - 1];
  // Rows and batch of one product may be the other way round in the other one.
  if (!isScoreShaped(scores))
    return refuse(scores, "the scores are not read as a matrix of queries and "
                          "keys");
  match.queryIsLhs = n.dims() & keyMask;
  GemmOp gemm = match.scores;
  RankedTensorType lhs = tensorType(gemm.getLhs());
  match.depth = lhs.getDimSize(lhs.getRank() - (gemm.getTransposeA() ? 2 : 1));
  Affine depth = graph.addAxis(match.depth, /*isParallel=*/true);
  match.depthDims = groupOf(depth);
  SmallVector<Affine, 4> images(ArrayRef(at).drop_back(2));
  const bool isLhs = match.queryIsLhs;
  match.query =
      chainOf(isLhs ? gemm.getLhs() : gemm.getRhs(),
              operandPosition(gemm, isLhs, images, isLhs ? m : n, depth));
  match.key =
      chainOf(isLhs ? gemm.getRhs() : gemm.getLhs(),
              operandPosition(gemm, !isLhs, images, isLhs ? n : m, depth));
  const bool valueIsLhs = !match.candidate.probabilitiesAreLhs;
  match.value = chainOf(operand(valueIsLhs),
                        operandPosition(match.candidate.product, valueIsLhs,
                                        batch, columns, keys));
  for (Link &link : match.value)
    if (link.factor != 1) { // a factor of the values is not one of the scores
      match.value.truncate(&link - match.value.begin());
      break;
    }
  return true;
}

void gaudi::fusion::chooseRows(AttentionMatch &match,
                               ArrayRef<unsigned> queries) {
  match.rowDims.assign(queries.begin(), queries.end());
  match.groupDims.clear();
  for (unsigned d : match.allRows)
    if (!llvm::is_contained(queries, d))
      match.groupDims.push_back(d);
  match.queryCount = 1;
  match.rows = Affine();
  // The last query dimension is the innermost.
  for (unsigned d : llvm::reverse(queries)) {
    match.rows.add(d, match.queryCount);
    match.queryCount *= match.graph->dag.extents[d];
  }
  // What an earlier choice has read as causal is a mask again.
  match.added = match.allAdded;
  match.hidden = match.allHidden;
  match.isCausal = false;
  match.window.reset();
  match.tooHigh.reset();
  findCausal(match);
}

FailureOr<AttentionMatch>
gaudi::fusion::matchAttention(const AttentionCandidate &candidate,
                              KernelGraphs &kernels, Refusal &refusal,
                              bool &isAttention) {
  GemmOp product = candidate.product;
  AttentionMatch match;
  bool matched = false;
  auto stop = [](Value tensor) {
    return isa_and_nonnull<GemmOp>(tensor.getDefiningOp());
  };
  // Called again whenever an axis turns out to be several: nothing of an
  // earlier attempt may stay.
  std::unique_ptr<ValueDag> graph =
      ValueDag::build(product.getContext(), kernels, stop, [&](ValueDag &dag) {
        match = AttentionMatch();
        match.candidate = candidate;
        refusal = Refusal();
        isAttention = false;
        matched = AttentionMatcher(match, dag, refusal, isAttention).run();
      });
  if (!matched)
    return failure();
  match.graph = std::move(graph);
  match.allAdded = match.added;
  match.allHidden = match.hidden;
  return std::move(match);
}
