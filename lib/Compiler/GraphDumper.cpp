// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows a module through the passes.
#include "GraphDumper.h"
#include "Gaudi/Support/TextFile.h"
#include "GraphFiles.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace mlir;
using namespace gaudi;
namespace json = llvm::json;

/// Passes with files, and of these with graphs for a page.
static constexpr size_t maxPasses = 1000;
static constexpr size_t maxGraphs = 120;
/// Nodes of one graph of a page.
static constexpr size_t maxNodes = 300;
/// Elements of constants in texts.
static constexpr unsigned maxElements = 64;

/// Passes that only hold others.
static bool isHolder(Pass *pass) {
  return pass->getName().contains("OpToOpPassAdaptor");
}

static std::string passName(Pass *pass) {
  return (pass->getArgument().empty() ? pass->getName() : pass->getArgument())
      .str();
}

class GraphDumper::Hooks : public PassInstrumentation {
public:
  explicit Hooks(GraphDumper &dumper) : dumper(dumper) {}

  void runBeforePass(Pass *pass, Operation *) override {
    if (!isHolder(pass))
      dumper.begun.push_back(Clock::now());
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (!isHolder(pass))
      dumper.after(passName(pass), op, /*failed=*/false);
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (!isHolder(pass))
      dumper.after(passName(pass), op, /*failed=*/true);
  }

private:
  GraphDumper &dumper;
};

/// Removes the graphs that an earlier compilation left: those of passes that
/// this one does not have would be taken for its own.
static void removeGraphs(StringRef folder) {
  namespace path = llvm::sys::path;
  const std::string index = (folder + "/index.json").str();
  if (!llvm::sys::fs::exists(index))
    return;
  std::error_code error;
  std::vector<std::string> graphs = {index};
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error)) {
    const StringRef name = path::filename(it->path());
    if (name.size() > 4 && name[3] == '-' &&
        llvm::all_of(name.take_front(3), llvm::isDigit) &&
        llvm::is_contained({".mlir", ".dot", ".svg", ".onnx", ".json"},
                           path::extension(name)))
      graphs.push_back(it->path());
  }
  // What cannot be removed cannot be written either, which has an error.
  for (const std::string &graph : graphs)
    if (llvm::sys::fs::remove(graph))
      return;
}

GraphDumper::GraphDumper(std::string folder, std::string title)
    : folder(std::move(folder)), title(std::move(title)) {
  if (this->folder.empty())
    return;
  if (const std::error_code error =
          llvm::sys::fs::create_directories(this->folder))
    problem = ("cannot make the folder '" + Twine(this->folder) +
               "': " + error.message() + "; name a folder that can be written")
                  .str();
  removeGraphs(this->folder);
}

std::unique_ptr<PassInstrumentation> GraphDumper::instrumentation() {
  return std::make_unique<Hooks>(*this);
}

void GraphDumper::start(ModuleOp module) {
  const GraphSnapshot now = snapshotOf(module, texts);
  if (now.fingerprint == last.fingerprint && !passes.empty())
    return;
  last = {};
  lastFile.clear();
  record("input", module, 0, /*failed=*/false);
}

void GraphDumper::addRemark(StringRef kind, StringRef location,
                            StringRef text) {
  remarks.push_back({kind.str(), location.str(), text.str()});
}

void GraphDumper::after(StringRef pass, Operation *op, bool failed) {
  double milliseconds = 0;
  if (!begun.empty()) {
    milliseconds =
        std::chrono::duration<double, std::milli>(Clock::now() - begun.back())
            .count();
    begun.pop_back();
  }
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  if (module)
    record(pass, module, milliseconds, failed);
}

namespace {

/// Names of nodes by their places, each once: "a.mlir:3:5, b.mlir:7:1" has two.
class Places {
public:
  void add(const GraphNode &node) {
    SmallVector<StringRef> parts;
    StringRef(node.location).split(parts, ", ");
    for (StringRef part : parts)
      if (!part.empty())
        names[part].insert(labelOf(node));
  }
  json::Array at(StringRef place) const {
    json::Array list;
    if (const auto found = names.find(place); found != names.end())
      for (const std::string &name : found->second)
        list.push_back(utf8(name));
    return list;
  }

private:
  llvm::StringMap<std::set<std::string>> names;
};

} // namespace

/// The remarks since the last pass, each with the kinds of nodes of its place
/// that the pass made or took.
json::Array
GraphDumper::takeRemarks(const std::vector<std::pair<size_t, size_t>> &gone,
                         const GraphSnapshot &now) {
  Places made, removed;
  for (const Graph &graph : now.graphs)
    for (const GraphNode &node : graph.nodes)
      if (node.isNew)
        made.add(node);
  for (const auto &[g, n] : gone)
    removed.add(last.graphs[g].nodes[n]);
  json::Array list;
  for (const Remark &remark : remarks)
    list.push_back(json::Object{{"kind", utf8(remark.kind)},
                                {"location", utf8(remark.location)},
                                {"text", utf8(remark.text)},
                                {"made", made.at(remark.location)},
                                {"removed", removed.at(remark.location)}});
  remarks.clear();
  return list;
}

/// The nodes that a page draws: all, or those that changed and what is next to
/// them.
static json::Object drawn(const GraphSnapshot &snapshot) {
  json::Array nodes, edges;
  size_t all = 0;
  for (const Graph &graph : snapshot.graphs) {
    all += graph.nodes.size();
    std::vector<size_t> producers(graph.values.size());
    std::vector<char> isDrawn(graph.nodes.size(),
                              graph.nodes.size() <= maxNodes);
    for (auto [n, node] : llvm::enumerate(graph.nodes)) {
      for (unsigned value : node.results)
        producers[value] = n;
      isDrawn[n] |= node.isNew;
      for (unsigned value : node.reads) {
        isDrawn[n] |= graph.nodes[producers[value]].isNew;
        isDrawn[producers[value]] |= node.isNew;
      }
    }
    std::vector<size_t> numbers(graph.nodes.size());
    for (auto [n, node] : llvm::enumerate(graph.nodes)) {
      if (nodes.size() >= maxNodes)
        isDrawn[n] = false;
      if (!isDrawn[n])
        continue;
      numbers[n] = nodes.size();
      nodes.push_back(json::Object{
          {"name", utf8(labelOf(node))},
          {"place", utf8(node.location)},
          {"detail", utf8(node.name == "argument" ? "" : node.detail)},
          {"type", node.results.empty()
                       ? ""
                       : utf8(graph.values[node.results[0]].type)},
          {"new", node.isNew}});
      for (unsigned value : node.reads)
        if (isDrawn[producers[value]])
          edges.push_back(json::Array{numbers[producers[value]], numbers[n]});
    }
  }
  return json::Object{
      {"nodes", std::move(nodes)}, {"edges", std::move(edges)}, {"all", all}};
}

void GraphDumper::record(StringRef pass, ModuleOp module, double milliseconds,
                         bool failed) {
  GraphSnapshot now = snapshotOf(module, texts);
  const bool isInput = pass == "input";
  const bool isChanged = now.fingerprint != last.fingerprint || failed;
  if (!isChanged && remarks.empty())
    return;
  if (passes.size() >= maxPasses) {
    remarks.clear();
    ++leftOut;
    return;
  }
  const auto gone = isInput ? std::vector<std::pair<size_t, size_t>>()
                            : markChanges(last, now);
  json::Array removed, made;
  for (const auto &[g, n] : gone) {
    const GraphNode &node = last.graphs[g].nodes[n];
    removed.push_back(json::Object{{"name", utf8(labelOf(node))},
                                   {"place", utf8(node.location)}});
  }
  for (Graph &graph : now.graphs)
    for (GraphNode &node : graph.nodes) {
      node.isNew &= !isInput;
      if (node.isNew)
        made.push_back(json::Object{{"name", utf8(labelOf(node))},
                                    {"place", utf8(node.location)}});
    }
  const std::string stem = llvm::formatv("{0:D3}-{1}{2}", passes.size(), pass,
                                         failed ? "-failed" : "")
                               .str();
  json::Object entry{{"pass", utf8(pass)},
                     {"changed", isChanged && !isInput},
                     {"failed", failed},
                     {"host_ms", milliseconds},
                     {"ops_before", isInput ? now.ops : last.ops},
                     {"ops_after", now.ops},
                     {"made", std::move(made)},
                     {"removed", std::move(removed)},
                     {"remarks", takeRemarks(gone, now)},
                     {"before", lastFile.empty() ? json::Value(nullptr)
                                                 : json::Value(lastFile)},
                     {"after", isChanged ? stem : lastFile}};
  passes.push_back(std::move(entry));
  graphs.push_back(isChanged && graphs.size() < maxGraphs
                       ? json::Value(drawn(now))
                       : json::Value(nullptr));
  if (!isChanged)
    return;
  last = std::move(now);
  lastFile = stem;
  if (!folder.empty())
    write(stem, module);
}

void GraphDumper::write(StringRef stem, ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(maxElements);
  flags.elideLargeResourceString(maxElements);
  flags.enableDebugInfo(true, /*prettyForm=*/false);
  // What a pass left that failed may be no valid form.
  flags.assumeVerified(false);
  module->print(os, flags);
  os << "\n";
  const std::string name = (title + ": " + stem).str();
  const std::pair<const char *, std::string> files[] = {
      {".mlir", std::move(text)},
      {".dot", dotOf(last, name)},
      {".svg", svgOf(last, name)},
      {".onnx", onnxOf(last, name)},
      {".json", synapseJsonOf(last, name)}};
  for (const auto &[ending, content] : files)
    writeFile(stem.str() + ending, content);
}

void GraphDumper::writeFile(const std::string &name, const std::string &text) {
  if (!problem.empty())
    return;
  if (auto written = writeTextFile(folder + "/" + name, text); !written)
    problem = written.error().message;
}

std::string GraphDumper::finish() {
  if (!folder.empty())
    writeFile("index.json",
              llvm::formatv("{0:2}\n", json::Value(json::Object{
                                           {"model", utf8(title)},
                                           {"passes", json::Array(passes)},
                                           {"left_out", leftOut}}))
                  .str());
  return problem;
}

std::string GraphDumper::json() const {
  json::Array all;
  for (const auto &[pass, graph] : llvm::zip_equal(passes, graphs)) {
    json::Object entry = *pass.getAsObject();
    entry["graph"] = graph;
    all.push_back(std::move(entry));
  }
  return llvm::formatv("{0}",
                       json::Value(json::Object{{"passes", std::move(all)},
                                                {"left_out", leftOut}}))
      .str();
}
