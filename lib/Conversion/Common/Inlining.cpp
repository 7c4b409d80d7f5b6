// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many ops a function has once its calls are inlined.
#include "Gaudi/Conversion/Inlining.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using gaudi::InlinedSizes;

namespace {
/// One function of the call graph.
struct Node {
  FunctionOpInterface function;
  uint64_t ownOps = 0;
  SmallVector<unsigned> callees; ///< One per call.
  uint64_t inlinedOps = 0;       ///< Saturated; set when the node is finished.
  unsigned depth = 1;            ///< Of the calls in it; likewise.
  enum State { Untouched, Open, Finished } state = Untouched;
};

class CallTree {
public:
  explicit CallTree(ModuleOp module);
  ArrayRef<Node> getNodes() const { return nodes; }

private:
  void measure(unsigned root);

  SmallVector<Node> nodes;
};
} // namespace

/// The function that is copied in the place of `op`; null if there is none.
/// Composites of StableHLO, which has no registered ops, become calls.
static StringAttr calleeOf(Operation *op) {
  SymbolRefAttr callee;
  if (auto call = dyn_cast<CallOpInterface>(op))
    callee = dyn_cast_if_present<SymbolRefAttr>(call.getCallableForCallee());
  else if (!op->isRegistered())
    callee = op->getAttrOfType<FlatSymbolRefAttr>("decomposition");
  return callee ? callee.getLeafReference() : StringAttr();
}

CallTree::CallTree(ModuleOp module) {
  llvm::DenseMap<StringAttr, unsigned> numbers;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    numbers[function.getNameAttr()] = nodes.size();
    nodes.emplace_back().function = function;
  }
  for (Node &node : nodes)
    node.function->walk([&](Operation *op) {
      ++node.ownOps;
      StringAttr callee = calleeOf(op);
      auto number = callee ? numbers.find(callee) : numbers.end();
      if (number != numbers.end())
        node.callees.push_back(number->second);
    });
  for (unsigned i = 0; i < nodes.size(); ++i)
    if (nodes[i].state == Node::Untouched)
      measure(i);
}

/// Post-order over the callees, without recursion: a chain of calls may be as
/// long as the module.
void CallTree::measure(unsigned root) {
  SmallVector<std::pair<unsigned, unsigned>> stack{{root, 0}};
  nodes[root].state = Node::Open;
  while (!stack.empty()) {
    auto &[number, next] = stack.back();
    Node &node = nodes[number];
    if (next < node.callees.size()) {
      unsigned callee = node.callees[next++];
      if (nodes[callee].state == Node::Untouched) {
        nodes[callee].state = Node::Open;
        stack.push_back({callee, 0});
      }
      continue;
    }
    node.inlinedOps = node.ownOps;
    // An open callee is a recursion, which is never inlined.
    for (unsigned callee : node.callees)
      if (nodes[callee].state == Node::Finished) {
        node.inlinedOps =
            llvm::SaturatingAdd(node.inlinedOps, nodes[callee].inlinedOps);
        node.depth = std::max(node.depth, nodes[callee].depth + 1);
      }
    node.state = Node::Finished;
    stack.pop_back();
  }
}

InlinedSizes::InlinedSizes(ModuleOp module) {
  const CallTree tree(module);
  for (const Node &node : tree.getNodes())
    functions[FunctionOpInterface(node.function).getNameAttr()] =
        node.inlinedOps;
}

uint64_t InlinedSizes::of(Operation *op) const {
  uint64_t sum = 0;
  op->walk([&](Operation *inner) {
    StringAttr callee = calleeOf(inner);
    sum = llvm::SaturatingAdd(
        sum, std::max<uint64_t>(1, callee ? functions.lookup(callee) : 1));
  });
  return sum;
}

void gaudi::ExpansionBudget::add(Operation *op) {
  used = llvm::SaturatingAdd(used, sizes.of(op));
}

LogicalResult gaudi::checkInlinedSize(ModuleOp module, uint64_t maxOps) {
  const CallTree tree(module);
  for (const Node &node : tree.getNodes())
    if (node.depth == maxCallDepth + 1) {
      FunctionOpInterface function(node.function);
      return emitError(function.getLoc())
             << "'@" << function.getName() << "' and the functions that it "
             << "calls, one in the other, are more than " << maxCallDepth
             << " deep; inline some of them in the model";
    }
  // The smallest offender says most about where the growth begins.
  const Node *worst = nullptr;
  for (const Node &node : tree.getNodes())
    if (node.inlinedOps - node.ownOps > maxOps &&
        (!worst || node.inlinedOps < worst->inlinedOps))
      worst = &node;
  if (!worst)
    return success();
  FunctionOpInterface function(worst->function);
  return emitError(function.getLoc())
         << "'@" << function.getName() << "' has " << worst->ownOps
         << " ops and would get " << worst->inlinedOps - worst->ownOps
         << " more from the functions it calls; at most " << maxOps
         << " may be inlined, so split the model, call fewer times, or allow "
            "more with --max-expanded-ops";
}

void gaudi::showSymbols(ModuleOp module) {
  module.walk([](Operation *op) {
    auto properties =
        op->isRegistered()
            ? DictionaryAttr()
            : dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
    if (!properties)
      return;
    for (NamedAttribute attribute : properties)
      attribute.getValue().walk([&](SymbolRefAttr) {
        op->setDiscardableAttr(attribute.getName(), attribute.getValue());
        return WalkResult::interrupt();
      });
  });
}
