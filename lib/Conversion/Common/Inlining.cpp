// How many ops a function has once its calls are inlined.
#include "Gaudi/Conversion/Inlining.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace {
/// One function of the call graph.
struct Node {
  FunctionOpInterface function;
  uint64_t ownOps = 0;
  SmallVector<unsigned> callees; ///< One per call.
  uint64_t inlinedOps = 0;       ///< Saturated; set when the node is finished.
  enum State { Untouched, Open, Finished } state = Untouched;
};

class CallTree {
public:
  explicit CallTree(ModuleOp module);
  LogicalResult check();

private:
  void measure(unsigned root);

  SmallVector<Node> nodes;
};
} // namespace

CallTree::CallTree(ModuleOp module) {
  llvm::DenseMap<StringAttr, unsigned> numbers;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    numbers[function.getNameAttr()] = nodes.size();
    nodes.emplace_back().function = function;
  }
  for (Node &node : nodes)
    node.function->walk([&](Operation *op) {
      ++node.ownOps;
      auto call = dyn_cast<CallOpInterface>(op);
      if (!call)
        return;
      auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
      if (!callee)
        return;
      auto number = numbers.find(callee.getLeafReference());
      if (number != numbers.end())
        node.callees.push_back(number->second);
    });
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
    for (unsigned callee : node.callees)
      if (nodes[callee].state == Node::Finished)
        node.inlinedOps =
            llvm::SaturatingAdd(node.inlinedOps, nodes[callee].inlinedOps);
    node.state = Node::Finished;
    stack.pop_back();
  }
}

LogicalResult CallTree::check() {
  for (unsigned i = 0; i < nodes.size(); ++i)
    if (nodes[i].state == Node::Untouched)
      measure(i);
  // The smallest offender says most about where the growth begins.
  Node *worst = nullptr;
  for (Node &node : nodes)
    if (node.inlinedOps - node.ownOps > mlir::gaudi::maxInlinedOps &&
        (!worst || node.inlinedOps < worst->inlinedOps))
      worst = &node;
  if (!worst)
    return success();
  return emitError(worst->function.getLoc())
         << "'@" << worst->function.getName() << "' has " << worst->ownOps
         << " ops and would get " << worst->inlinedOps - worst->ownOps
         << " more from the functions it calls; at most "
         << mlir::gaudi::maxInlinedOps
         << " may be inlined, so split the model or call fewer times";
}

LogicalResult mlir::gaudi::checkInlinedSize(ModuleOp module) {
  return CallTree(module).check();
}

void mlir::gaudi::showSymbols(ModuleOp module) {
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
