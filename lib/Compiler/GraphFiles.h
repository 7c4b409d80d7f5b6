// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs in the formats of viewers. All are texts; none is read back.
#ifndef GAUDI_LIB_COMPILER_GRAPHFILES_H
#define GAUDI_LIB_COMPILER_GRAPHFILES_H

#include "GraphSnapshot.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace gaudi {

/// Text that XML and JSON can have: bytes that are no UTF-8 are replaced.
inline std::string utf8(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

/// What a picture calls a node: an argument by its own name.
inline const std::string &labelOf(const GraphNode &node) {
  return node.name == "argument" ? node.detail : node.name;
}

/// For Graphviz: a cluster per function; new nodes are green.
std::string dotOf(const GraphSnapshot &snapshot, llvm::StringRef title);

/// A picture: each node below what it reads, new ones green; of graphs with
/// more nodes the first 2,000.
std::string svgOf(const GraphSnapshot &snapshot, llvm::StringRef title);

/// An ONNX model for Netron: ops of the domains of their dialects, with names,
/// types, shapes, attributes as texts and locations. It cannot be run. Bytes of
/// the protocol buffer, by the field numbers of onnx.proto.
std::string onnxOf(const GraphSnapshot &snapshot, llvm::StringRef title);

/// The graph of Synapse's tools, version 4: nodes with guid, tensors with sizes
/// (the fastest changing first, as there).
std::string synapseJsonOf(const GraphSnapshot &snapshot, llvm::StringRef title);

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_GRAPHFILES_H
