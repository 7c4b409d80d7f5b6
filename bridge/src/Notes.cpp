// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Notes.h"
#include "History.h"

#include <ATen/SequenceNumber.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/function.h>

#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace py = pybind11;
using namespace gaudi::bridge;

std::atomic<bool> Notes::kept{false}, Notes::valuesKept{false};
thread_local bool Notes::isSilent = false;

namespace {

struct Count {
  uint64_t count = 0, bytes = 0;
};

/// By kind, text, code, line; guarded by the lock of Python.
using Counts =
    std::map<std::tuple<std::string, std::string, PyCodeObject *, int>, Count>;

Counts &counts() {
  static auto *made = new Counts; // threads may outlive main
  return *made;
}

thread_local const std::string *currentModule = nullptr;

/// By the number of a node of autograd, of the thread that made it; guarded by
/// the lock of Python.
struct NodeHash {
  size_t operator()(const std::pair<uint64_t, uint64_t> &node) const {
    return node.first * 0x9E3779B97F4A7C15 ^ node.second;
  }
};
using Forwards =
    std::unordered_map<std::pair<uint64_t, uint64_t>, Place, NodeHash>;
constexpr size_t mostForwards = 1000000;

Forwards &forwards() {
  static auto *made = new Forwards;
  return *made;
}

} // namespace

void Notes::keep(bool keep, bool values) {
  const py::gil_scoped_acquire lock;
  kept = keep;
  valuesKept = keep && values;
  if (!keep)
    forwards().clear();
}

void Notes::setModule(const std::string &name) {
  static auto *names = new std::unordered_set<std::string>;
  currentModule = name.empty() ? nullptr : &*names->insert(name).first;
}

Place Notes::lastPlace() {
  Place place;
  const auto node = torch::autograd::get_current_node();
  // A backward may run modules again, as checkpoints do.
  if (!node || currentModule) {
    std::tie(place.code, place.line) = scriptLine();
    place.module = currentModule;
    return place;
  }
  Forwards &known = forwards();
  const auto found = known.find({node->thread_id(), node->sequence_nr()});
  if (found != known.end())
    place = found->second;
  else
    std::tie(place.code, place.line) = scriptLine();
  place.isBackward = true;
  return place;
}

Place Notes::place(bool hasNode) {
  const Place place = lastPlace();
  if (!place.isBackward && at::GradMode::is_enabled()) {
    Forwards &known = forwards();
    if (known.size() >= mostForwards)
      known.clear();
    const auto next = std::pair(at::RecordFunction::currentThreadId(),
                                at::sequence_number::peek());
    // The first op after a node is its own; of those before one the last.
    if (hasNode)
      known.emplace(std::pair(next.first, next.second - 1), place);
    else
      known.insert_or_assign(next, place);
  }
  return place;
}

void Notes::add(const char *kind, const std::string &text, uint64_t bytes) {
  if (isSilent || !Py_IsInitialized())
    return;
  const py::gil_scoped_acquire lock;
  const Place at = place(true);
  Count &known = counts()[{kind, text, at.code, at.line}];
  ++known.count;
  known.bytes += bytes;
}

py::list Notes::take() {
  py::list rows;
  for (const auto &[key, known] : counts()) {
    const auto &[kind, text, code, line] = key;
    py::object file = py::none();
    if (code)
      file = py::reinterpret_borrow<py::object>(code->co_filename);
    rows.append(
        py::make_tuple(kind, text, file, line, known.count, known.bytes));
  }
  counts().clear();
  return rows;
}
