// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Notes.h"
#include "History.h"

#include <map>
#include <tuple>

namespace py = pybind11;
using namespace gaudi::bridge;

std::atomic<bool> Notes::kept{false};

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

} // namespace

void Notes::add(const char *kind, const std::string &text, uint64_t bytes) {
  if (!Py_IsInitialized())
    return;
  const py::gil_scoped_acquire lock;
  const auto [code, line] = scriptLine();
  Count &known = counts()[{kind, text, code, line}];
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
