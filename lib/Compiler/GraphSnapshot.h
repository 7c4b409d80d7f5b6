// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a module as plain graphs, and what changed from one to the
// next.
#ifndef GAUDI_LIB_COMPILER_GRAPHSNAPSHOT_H
#define GAUDI_LIB_COMPILER_GRAPHSNAPSHOT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>
#include <vector>

namespace gaudi {

/// A tensor of a graph: a result of a node.
struct GraphValue {
  std::string name; ///< "3", "x", unique in its graph
  std::string type; ///< "2x3xf32", as MLIR has it in a tensor type
  std::string element;
  llvm::SmallVector<int64_t> shape; ///< -1: dynamic
};

/// An argument, an op of a function's body, or what it returns.
struct GraphNode {
  std::string name; ///< "gaudi.tpc.add"; "argument", "return"
  std::string location;
  std::string detail;            ///< its attributes, short
  std::vector<unsigned> reads;   ///< values
  std::vector<unsigned> results; ///< values
  /// Equal in nodes that differ in nothing but what they read.
  uint64_t key = 0;
  bool isNew = false; ///< the graph before had none like it
  bool isConstant = false;
};

struct Graph {
  std::string function;
  std::vector<GraphNode> nodes;
  std::vector<GraphValue> values;
};

struct GraphSnapshot {
  std::vector<Graph> graphs;
  size_t ops = 0;           ///< with those inside regions
  uint64_t fingerprint = 0; ///< equal if nothing changed
};

/// Texts of attributes and places, which snapshots of one context share:
/// printing them takes most of the time.
struct GraphTexts {
  llvm::DenseMap<const void *, std::string> details, places;
};

/// Everything that can be seen of a function counts: ops inside regions, orders
/// of ops, attributes, places.
GraphSnapshot snapshotOf(mlir::ModuleOp module, GraphTexts &texts);

/// Marks nodes of `after` that `before` has none like, and returns those of
/// `before` that are gone: pairs of a graph and a node of it.
std::vector<std::pair<size_t, size_t>> markChanges(const GraphSnapshot &before,
                                                   GraphSnapshot &after);

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_GRAPHSNAPSHOT_H
