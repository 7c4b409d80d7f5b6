// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dimensions of the ops of the matrix engine must have equal sizes.
#include "BatchTies.h"
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/TrainingOps.h"
#include <map>

using namespace mlir;
using namespace gaudi;

using Node = BatchTies::Node;

static int64_t sizeOf(Value value, unsigned dim) {
  return tensorType(value).getDimSize(dim);
}

void BatchTies::addProduct(Operation *op) {
  auto gemm = cast<GemmOp>(op);
  Value a = gemm.getLhs(), b = gemm.getRhs(), c = gemm.getResult();
  // Where the tensor stores a dimension that it has after its flag.
  auto at = [](std::optional<ArrayRef<int64_t>> order, unsigned dim) {
    return order ? unsigned(llvm::find(*order, int64_t(dim)) - order->begin())
                 : dim;
  };
  const auto orderA = gemm.getOrderA(), orderB = gemm.getOrderB(),
             orderC = gemm.getOrderC();
  const unsigned rank = tensorType(c).getRank();
  for (unsigned dim = 0; dim + 2 < rank; ++dim) {
    tieRepeated(a, at(orderA, dim), c, at(orderC, dim));
    tieRepeated(b, at(orderB, dim), c, at(orderC, dim));
  }
  const unsigned row = rank - 2, column = rank - 1;
  const bool ta = gemm.getTransposeA(), tb = gemm.getTransposeB();
  tie(a, at(orderA, ta ? column : row), c, at(orderC, row));
  tie(b, at(orderB, tb ? row : column), c, at(orderC, column));
  tie(a, at(orderA, ta ? row : column), b, at(orderB, tb ? column : row));
}

/// Convolutions and their gradients name their dimensions: those called N grow
/// together, the others do not.
bool BatchTies::addConvolution(Operation *op) {
  SmallVector<std::pair<Value, StringRef>> tensors;
  auto add = [&](auto conv, Value input, Value output, Value filter) {
    tensors = {{input, conv.getInputLayout()},
               {output, conv.getOutputLayout()},
               {filter, ""}};
  };
  if (auto conv = dyn_cast<ConvOp>(op))
    add(conv, conv.getInput(), conv.getResult(), conv.getFilter());
  else if (auto grad = dyn_cast<ConvInputGradOp>(op))
    add(grad, grad.getResult(), grad.getOutputGrad(), grad.getFilter());
  else if (auto grad = dyn_cast<ConvWeightGradOp>(op))
    add(grad, grad.getInput(), grad.getOutputGrad(), grad.getResult());
  else
    return false;
  Node batch = none;
  for (auto [tensor, layout] : tensors)
    for (int64_t dim = 0; dim < tensorType(tensor).getRank(); ++dim) {
      const Node node = nodeOf(tensor, dim);
      if (layout.empty() || layout[dim] != 'N')
        fix(node, op);
      else if (batch == none)
        batch = node;
      else
        tieNodes(batch, node);
    }
  return true;
}

/// Attention names its dimensions: images, queries, keys and the elements of
/// both kinds of vectors grow, each with its like; heads do not.
bool BatchTies::addAttention(Operation *op) {
  if (!isa<SdpaOp, SdpaGradOp>(op))
    return false;
  struct Tensor {
    Value value;
    std::string roles; // a letter per dimension
  };
  SmallVector<Tensor> tensors;
  auto add = [&](Value value, StringRef layout, StringRef names) {
    if (!value)
      return;
    std::string roles;
    for (char c : layout)
      roles += c == 'L' ? names[0] : c == 'D' ? names[1] : c;
    tensors.push_back({value, roles});
  };
  const StringRef scores =
      tensorType(op->getOperand(0)).getRank() == 3 ? "NLS" : "NHLS";
  const std::string row = (scores.drop_back() + "1").str();
  auto addShared = [&](auto attention) {
    if (attention.getSlice())
      return false; // chosen for its sizes
    add(attention.getQuery(), queryLayoutOf(attention), "LD");
    add(attention.getKey(), keyLayoutOf(attention), "SD");
    add(attention.getValue(), valueLayoutOf(attention), "SV");
    add(attention.getMask(), scores, "LD");
    add(attention.getDropoutMask(), scores, "LD");
    add(attention.getValidLengths(), "N", "LD");
    return true;
  };
  if (auto attention = dyn_cast<SdpaOp>(op)) {
    if (!addShared(attention))
      return false;
    add(attention.getOutput(), outputLayoutOf(attention), "LV");
    add(attention.getMaxima(), row, "LD");
    add(attention.getInverseSums(), row, "LD");
    add(attention.getProbabilities(), scores, "LD");
    add(attention.getKept(), scores, "LD");
  } else {
    auto grad = cast<SdpaGradOp>(op);
    if (!addShared(grad))
      return false;
    add(grad.getOutputGrad(), outputLayoutOf(grad), "LV");
    add(grad.getOutput(), outputLayoutOf(grad), "LV");
    add(grad.getM(), row, "LD");
    add(grad.getLinv(), row, "LD");
    add(grad.getProbabilities(), scores, "LD");
    add(grad.getQueryGrad(), queryLayoutOf(grad), "LD");
    add(grad.getKeyGrad(), keyLayoutOf(grad), "SD");
    add(grad.getValueGrad(), valueLayoutOf(grad), "SV");
  }
  // The largest one with the role: others may have size 1 and be repeated.
  std::map<char, std::pair<Value, unsigned>> whole;
  for (const Tensor &tensor : tensors)
    for (auto [dim, role] : llvm::enumerate(tensor.roles)) {
      if (role == 'H' || role == '1') {
        fix(nodeOf(tensor.value, dim), op);
        continue;
      }
      auto [it, isNew] = whole.try_emplace(role, tensor.value, dim);
      if (!isNew && sizeOf(it->second.first, it->second.second) <
                        sizeOf(tensor.value, dim))
        it->second = {tensor.value, dim};
    }
  for (const Tensor &tensor : tensors)
    for (auto [dim, role] : llvm::enumerate(tensor.roles))
      if (auto it = whole.find(role); it != whole.end()) {
        const auto [value, at] = it->second;
        const Node node = nodeOf(tensor.value, dim);
        if (sizeOf(tensor.value, dim) == sizeOf(value, at))
          tieNodes(node, nodeOf(value, at));
        else
          edges[node].push_back(nodeOf(value, at));
      }
  return true;
}
