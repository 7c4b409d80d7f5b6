// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes graphs from modules.
#include "GraphSnapshot.h"
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Dialect/Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace mlir;
using namespace gaudi;

namespace {

/// Bytes of attributes that a picture shows.
constexpr size_t maxDetail = 200;
/// Elements of constants that it shows.
constexpr unsigned maxElements = 8;

GraphValue valueOf(Value value, std::string name) {
  GraphValue made;
  made.name = std::move(name);
  llvm::raw_string_ostream type(made.type);
  auto shaped = dyn_cast<ShapedType>(value.getType());
  if (!shaped || !shaped.hasRank()) {
    type << value.getType();
    made.element = made.type;
    return made;
  }
  for (int64_t size : shaped.getShape()) {
    made.shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
    if (ShapedType::isDynamic(size))
      type << "?x";
    else
      type << size << "x";
  }
  type << shaped.getElementType();
  llvm::raw_string_ostream(made.element) << shaped.getElementType();
  return made;
}

std::string detailOf(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(maxElements);
  flags.elideLargeResourceString(maxElements);
  AsmState state(op->getContext(), flags);
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    os << (text.empty() ? "" : ", ") << attribute.getName().getValue() << " = ";
    attribute.getValue().print(os, state);
    if (text.size() > maxDetail) {
      text.resize(maxDetail);
      return text + "...";
    }
  }
  return text;
}

uint64_t keyOf(Operation *op) {
  llvm::hash_code key =
      llvm::hash_combine(op->getName().getAsOpaquePointer(),
                         op->getAttrDictionary().getAsOpaquePointer(),
                         Location(op->getLoc()).getAsOpaquePointer());
  for (Type type : op->getOperandTypes())
    key = llvm::hash_combine(key, type.getAsOpaquePointer());
  for (Type type : op->getResultTypes())
    key = llvm::hash_combine(key, type.getAsOpaquePointer());
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      key = llvm::hash_combine(key, inner->getName().getAsOpaquePointer(),
                               inner->getAttrDictionary().getAsOpaquePointer());
    });
  return key;
}

/// The values that an op reads, also those that its regions do.
void addOperands(Operation *op, const DenseMap<Value, unsigned> &values,
                 std::vector<unsigned> &reads) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (auto found = values.find(operand); found != values.end())
        reads.push_back(found->second);
  });
}

/// What `make` gives, made once for each key.
template <typename Make>
const std::string &textOf(DenseMap<const void *, std::string> &texts,
                          const void *key, Make &&make) {
  const auto [found, isNew] = texts.try_emplace(key);
  if (isNew)
    found->second = make();
  return found->second;
}

Graph graphOf(func::FuncOp function, GraphTexts &texts) {
  Graph graph;
  graph.function = function.getName().str();
  DenseMap<Value, unsigned> values;
  const auto add = [&](Value value, std::string name, GraphNode &node) {
    values[value] = unsigned(graph.values.size());
    node.results.push_back(unsigned(graph.values.size()));
    graph.values.push_back(valueOf(value, std::move(name)));
  };
  for (BlockArgument argument : function.getArguments()) {
    GraphNode node;
    node.name = "argument";
    add(argument, argumentName(function, argument.getArgNumber()), node);
    node.detail = graph.values.back().name;
    node.key = llvm::hash_combine(argument.getArgNumber(),
                                  argument.getType().getAsOpaquePointer());
    graph.nodes.push_back(std::move(node));
  }
  unsigned number = 0;
  for (Block &block : function.getBody())
    for (Operation &op : block) {
      GraphNode node;
      node.name = op.hasTrait<OpTrait::ReturnLike>()
                      ? "return"
                      : op.getName().getStringRef().str();
      node.location = textOf(texts.places, op.getLoc().getAsOpaquePointer(),
                             [&] { return locationText(op.getLoc()); });
      node.detail =
          textOf(texts.details, op.getAttrDictionary().getAsOpaquePointer(),
                 [&] { return detailOf(&op); });
      node.key = keyOf(&op);
      node.isConstant = matchPattern(&op, m_Constant());
      addOperands(&op, values, node.reads);
      for (Value result : op.getResults())
        add(result, "%" + std::to_string(number++), node);
      graph.nodes.push_back(std::move(node));
    }
  return graph;
}

} // namespace

GraphSnapshot gaudi::snapshotOf(ModuleOp module, GraphTexts &texts) {
  GraphSnapshot snapshot;
  llvm::hash_code hash = 0;
  DenseMap<Value, unsigned> numbers;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ++snapshot.ops;
    hash = llvm::hash_combine(hash, op->getName().getAsOpaquePointer(),
                              op->getAttrDictionary().getAsOpaquePointer(),
                              Location(op->getLoc()).getAsOpaquePointer());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          numbers.try_emplace(argument, numbers.size());
    for (Value operand : op->getOperands())
      hash = llvm::hash_combine(hash, numbers.lookup(operand));
    for (Value result : op->getResults()) {
      numbers.try_emplace(result, numbers.size());
      hash = llvm::hash_combine(hash, result.getType().getAsOpaquePointer());
    }
  });
  snapshot.fingerprint = hash;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      snapshot.graphs.push_back(graphOf(function, texts));
  return snapshot;
}

std::vector<std::pair<size_t, size_t>>
gaudi::markChanges(const GraphSnapshot &before, GraphSnapshot &after) {
  std::vector<std::pair<size_t, size_t>> gone;
  std::map<std::string, size_t> known;
  for (size_t g = 0; g < before.graphs.size(); ++g)
    known[before.graphs[g].function] = g;
  for (Graph &graph : after.graphs) {
    const auto found = known.find(graph.function);
    std::map<uint64_t, std::vector<size_t>> old; // the last one first
    if (found != known.end()) {
      const std::vector<GraphNode> &nodes = before.graphs[found->second].nodes;
      for (size_t n = nodes.size(); n-- > 0;)
        old[nodes[n].key].push_back(n);
    }
    for (GraphNode &node : graph.nodes) {
      const auto like = old.find(node.key);
      node.isNew = like == old.end() || like->second.empty();
      if (!node.isNew)
        like->second.pop_back();
    }
    if (found == known.end())
      continue;
    for (const auto &[key, nodes] : old)
      for (size_t n : nodes)
        gone.emplace_back(found->second, n);
    known.erase(found);
  }
  for (const auto &[name, g] : known)
    for (size_t n = 0; n < before.graphs[g].nodes.size(); ++n)
      gone.emplace_back(g, n);
  llvm::sort(gone);
  return gone;
}
