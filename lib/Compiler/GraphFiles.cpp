// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes graphs as DOT, SVG, ONNX and the JSON of Synapse.
#include "GraphFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace gaudi;
using llvm::raw_string_ostream;
namespace json = llvm::json;

namespace {

constexpr size_t maxDrawn = 2000;

/// Which node makes each value of a graph.
std::vector<size_t> producersOf(const Graph &graph) {
  std::vector<size_t> producers(graph.values.size());
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    for (unsigned value : graph.nodes[n].results)
      producers[value] = n;
  return producers;
}

std::string escapedXml(StringRef text) {
  std::string escaped;
  raw_string_ostream os(escaped);
  llvm::printHTMLEscaped(utf8(text), os);
  // XML has no other control characters.
  for (char &c : escaped)
    if (static_cast<unsigned char>(c) < 0x20)
      c = ' ';
  return escaped;
}

std::string escapedDot(StringRef text) {
  std::string escaped;
  for (char c : utf8(text)) {
    if (c == '"' || c == '\\')
      escaped += '\\';
    escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return escaped;
}

std::string shortened(StringRef text, size_t most) {
  if (text.size() <= most)
    return text.str();
  return (text.take_front(most / 2 - 1) + "..." + text.take_back(most / 2 - 2))
      .str();
}

/// A row and a column for each node: below all that it reads, near the middle
/// of them.
struct Placement {
  std::vector<size_t> row, column;
  size_t rows = 0, columns = 0;
};

Placement place(const Graph &graph, size_t count) {
  const std::vector<size_t> producers = producersOf(graph);
  Placement placed{std::vector<size_t>(count), std::vector<size_t>(count)};
  std::vector<std::vector<size_t>> rows;
  for (size_t n = 0; n < count; ++n) {
    size_t row = 0;
    for (unsigned value : graph.nodes[n].reads)
      row = std::max(row, placed.row[producers[value]] + 1);
    placed.row[n] = row;
    rows.resize(std::max(rows.size(), row + 1));
    rows[row].push_back(n);
  }
  for (const std::vector<size_t> &row : rows) {
    std::vector<std::pair<double, size_t>> wishes;
    for (size_t n : row) {
      const auto &reads = graph.nodes[n].reads;
      double sum = 0;
      for (unsigned value : reads)
        sum += double(placed.column[producers[value]]);
      wishes.emplace_back(reads.empty() ? 0 : sum / double(reads.size()), n);
    }
    llvm::sort(wishes);
    for (size_t c = 0; c < wishes.size(); ++c)
      placed.column[wishes[c].second] = c;
    placed.columns = std::max(placed.columns, wishes.size());
  }
  placed.rows = rows.size();
  return placed;
}

// --- ONNX -------------------------------------------------------------------

/// A message of a protocol buffer.
class Message {
public:
  void number(unsigned field, uint64_t value) {
    varint(field << 3);
    varint(value);
  }
  void bytes(unsigned field, StringRef text) {
    varint(field << 3 | 2);
    varint(text.size());
    out += text;
  }
  void text(unsigned field, StringRef given) { bytes(field, utf8(given)); }
  void message(unsigned field, const Message &inner) {
    bytes(field, inner.out);
  }
  std::string take() { return std::move(out); }

private:
  void varint(uint64_t value) {
    for (; value > 127; value >>= 7)
      out += char(value | 128);
    out += char(value);
  }
  std::string out;
};

/// TensorProto.DataType; 0: none.
unsigned onnxType(StringRef element) {
  return llvm::StringSwitch<unsigned>(element)
      .Case("f32", 1)
      .Cases({"ui8", "u8"}, 2)
      .Cases({"i8", "si8"}, 3)
      .Case("ui16", 4)
      .Cases({"i16", "si16"}, 5)
      .Cases({"i32", "si32"}, 6)
      .Cases({"i64", "si64", "index"}, 7)
      .Case("i1", 9)
      .Case("f16", 10)
      .Case("f64", 11)
      .Case("ui32", 12)
      .Case("ui64", 13)
      .Case("bf16", 16)
      .Case("f8E4M3FN", 17)
      .Case("f8E5M2", 19)
      .Default(0);
}

Message valueInfo(const GraphValue &value, const std::string &name) {
  Message shape, tensor, type, info;
  for (int64_t size : value.shape) {
    Message dim;
    if (size < 0)
      dim.text(2, "?");
    else
      dim.number(1, uint64_t(size));
    shape.message(1, dim);
  }
  tensor.number(1, onnxType(value.element));
  tensor.message(2, shape);
  type.message(1, tensor);
  info.text(1, name);
  info.message(2, type);
  return info;
}

Message textAttribute(StringRef name, StringRef value) {
  Message attribute;
  attribute.text(1, name);
  attribute.text(4, value);
  attribute.number(20, 3); // STRING
  return attribute;
}

} // namespace

std::string gaudi::dotOf(const GraphSnapshot &snapshot, StringRef title) {
  std::string text;
  raw_string_ostream os(text);
  os << "digraph \"" << escapedDot(title) << "\" {\n"
     << "  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n"
     << "  edge [fontname=\"sans-serif\", fontsize=8];\n";
  for (auto [g, graph] : llvm::enumerate(snapshot.graphs)) {
    os << "  subgraph cluster_" << g << " {\n    label=\""
       << escapedDot(graph.function) << "\";\n";
    for (auto [n, node] : llvm::enumerate(graph.nodes))
      os << "    n" << g << "_" << n << " [label=\""
         << escapedDot(labelOf(node)) << "\\n"
         << escapedDot(shortened(node.location, 40)) << "\", tooltip=\""
         << escapedDot(node.detail) << "\""
         << (node.isNew ? ", color=\"#2a8f3c\", penwidth=2" : "") << "];\n";
    const std::vector<size_t> producers = producersOf(graph);
    for (auto [n, node] : llvm::enumerate(graph.nodes))
      for (unsigned value : node.reads)
        os << "    n" << g << "_" << producers[value] << " -> n" << g << "_"
           << n << " [label=\"" << escapedDot(graph.values[value].type)
           << "\"];\n";
    os << "  }\n";
  }
  os << "}\n";
  return text;
}

std::string gaudi::svgOf(const GraphSnapshot &snapshot, StringRef title) {
  constexpr size_t width = 190, height = 40, gapX = 14, gapY = 34, head = 26;
  std::string body;
  raw_string_ostream os(body);
  size_t top = head, right = 300;
  const auto text = [&](size_t x, size_t y, StringRef kind, StringRef words) {
    os << "<text x=\"" << x << "\" y=\"" << y << "\" class=\"" << kind << "\">"
       << escapedXml(words) << "</text>\n";
  };
  for (const Graph &graph : snapshot.graphs) {
    const size_t count = std::min(graph.nodes.size(), maxDrawn);
    const Placement placed = place(graph, count);
    text(gapX, top, "name",
         graph.function +
             (count < graph.nodes.size()
                  ? ": the first 2000 of " +
                        std::to_string(graph.nodes.size()) + " nodes"
                  : ""));
    const size_t above = top + 12;
    const auto x = [&](size_t n) {
      return gapX + placed.column[n] * (width + gapX);
    };
    const auto y = [&](size_t n) {
      return above + placed.row[n] * (height + gapY);
    };
    const std::vector<size_t> producers = producersOf(graph);
    for (size_t n = 0; n < count; ++n)
      for (unsigned value : graph.nodes[n].reads) {
        const size_t from = producers[value];
        const size_t x0 = x(from) + width / 2, y0 = y(from) + height,
                     x1 = x(n) + width / 2, y1 = y(n);
        os << "<path d=\"M" << x0 << " " << y0 << " C" << x0 << " " << y0 + gapY
           << " " << x1 << " " << y1 - gapY << " " << x1 << " " << y1
           << "\"><title>" << escapedXml(graph.values[value].type)
           << "</title></path>\n";
      }
    for (size_t n = 0; n < count; ++n) {
      const GraphNode &node = graph.nodes[n];
      os << "<g><title>" << escapedXml(node.name) << " "
         << escapedXml(node.detail) << "</title><rect x=\"" << x(n) << "\" y=\""
         << y(n) << "\" width=\"" << width << "\" height=\"" << height
         << "\" rx=\"5\"" << (node.isNew ? " class=\"new\"" : "") << "/>\n";
      text(x(n) + 7, y(n) + 16, "op", shortened(labelOf(node), 28));
      text(x(n) + 7, y(n) + 31, "place",
           shortened(node.results.empty() ? node.location
                                          : graph.values[node.results[0]].type +
                                                "  " + node.location,
                     34));
      os << "</g>\n";
    }
    top = above + placed.rows * (height + gapY) + head;
    right = std::max(right, gapX + placed.columns * (width + gapX));
  }
  std::string whole;
  raw_string_ostream(whole)
      << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << right
      << "\" height=\"" << top << "\">\n<title>" << escapedXml(title)
      << "</title>\n<style>text{font:11px sans-serif}.name{font-weight:bold}"
         ".place{font-size:9px;fill:#666}rect{fill:#fff;stroke:#888}"
         "rect.new{stroke:#2a8f3c;stroke-width:2;fill:#eaf7ec}"
         "path{fill:none;stroke:#aaa}svg{background:#fff}</style>\n"
      << body << "</svg>\n";
  return whole;
}

std::string gaudi::onnxOf(const GraphSnapshot &snapshot, StringRef title) {
  Message graph;
  std::vector<std::string> domains;
  for (const Graph &function : snapshot.graphs) {
    const auto nameOf = [&](unsigned value) {
      return function.function + "/" + function.values[value].name;
    };
    for (auto [n, node] : llvm::enumerate(function.nodes)) {
      if (node.name == "argument") {
        graph.message(11, valueInfo(function.values[node.results[0]],
                                    nameOf(node.results[0])));
        continue;
      }
      if (node.name == "return") {
        // Netron shows outputs by their names alone.
        for (unsigned value : node.reads)
          graph.message(12, valueInfo(function.values[value], nameOf(value)));
        continue;
      }
      const auto [domain, op] = StringRef(node.name).split('.');
      if (!llvm::is_contained(domains, domain.str()))
        domains.push_back(domain.str());
      Message made;
      for (unsigned value : node.reads)
        made.text(1, nameOf(value));
      for (unsigned value : node.results) {
        made.text(2, nameOf(value));
        graph.message(13, valueInfo(function.values[value], nameOf(value)));
      }
      made.text(3, function.function + "/" + std::to_string(n));
      made.text(4, op);
      if (!node.location.empty())
        made.message(5, textAttribute("location", node.location));
      if (!node.detail.empty())
        made.message(5, textAttribute("attributes", node.detail));
      if (node.isNew)
        made.message(5, textAttribute("changed", "new"));
      made.text(7, domain);
      graph.message(1, made);
    }
  }
  graph.text(2, title);
  Message model;
  model.number(1, 10); // IR version
  model.text(2, "gaudi-mlir");
  model.text(3, GAUDI_VERSION);
  model.message(7, graph);
  Message standard;
  standard.text(1, "");
  standard.number(2, 21);
  model.message(8, standard);
  for (const std::string &domain : domains) {
    Message own;
    own.text(1, domain);
    own.number(2, 1);
    model.message(8, own);
  }
  return model.take();
}

std::string gaudi::synapseJsonOf(const GraphSnapshot &snapshot,
                                 StringRef title) {
  json::Array graphs;
  for (const Graph &graph : snapshot.graphs) {
    json::Array nodes, tensors;
    const auto names = [&](const std::vector<unsigned> &values) {
      json::Array list;
      for (unsigned value : values)
        list.push_back(utf8(graph.values[value].name));
      return list;
    };
    std::vector<char> isPersistent(graph.values.size()),
        isConstant(graph.values.size());
    for (auto [n, node] : llvm::enumerate(graph.nodes)) {
      const bool isReturn = node.name == "return";
      for (unsigned value : isReturn ? node.reads : node.results) {
        isPersistent[value] |= isReturn || node.name == "argument";
        isConstant[value] |= node.isConstant;
      }
      if (isReturn || node.name == "argument" || node.isConstant)
        continue;
      nodes.push_back(json::Object{{"name", "n" + std::to_string(n)},
                                   {"guid", utf8(node.name)},
                                   {"params", json::Array()},
                                   {"input_tensors", names(node.reads)},
                                   {"output_tensors", names(node.results)},
                                   {"blocking_nodes", json::Array()},
                                   {"deterministic", true},
                                   {"location", utf8(node.location)},
                                   {"attributes", utf8(node.detail)}});
    }
    for (auto [v, value] : llvm::enumerate(graph.values)) {
      json::Array sizes;
      for (int64_t size : llvm::reverse(value.shape))
        sizes.push_back(size);
      tensors.push_back(json::Object{{"name", utf8(value.name)},
                                     {"dtype", utf8(value.element)},
                                     {"min_shape", json::Array(sizes)},
                                     {"max_shape", std::move(sizes)},
                                     {"permutation", json::Array()},
                                     {"persistent", bool(isPersistent[v])},
                                     {"is_const", bool(isConstant[v])},
                                     {"type", "DATA_TENSOR"}});
    }
    graphs.push_back(json::Object{{"name", utf8(graph.function)},
                                  {"nodes", std::move(nodes)},
                                  {"tensors", std::move(tensors)}});
  }
  std::string text;
  raw_string_ostream(text) << llvm::formatv("{0:2}",
                                            json::Value(json::Object{
                                                {"name", utf8(title)},
                                                {"version", 4},
                                                {"graphs", std::move(graphs)}}))
                           << "\n";
  return text;
}
