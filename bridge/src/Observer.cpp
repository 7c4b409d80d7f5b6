// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Observer.h"
#include "Lazy.h"
#include "Notes.h"

#include <utility>
#include <vector>

namespace py = pybind11;
using namespace gaudi::bridge;
using at::Tensor;

std::atomic<bool> Observation::made{false};

namespace {

thread_local bool isObserving = false;

/// While the observer works.
struct Inside {
  Inside() : before(std::exchange(isObserving, true)) {}
  ~Inside() { isObserving = before; }
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;

  py::gil_scoped_acquire gil;
  lazy::Eagerly eagerly;
  Notes::Silence silence;
  bool before;
};

/// Guarded by the lock of Python; never destroyed, since Python may be gone.
py::object &observer() {
  static auto *function = new py::object;
  return *function;
}

} // namespace

void Observation::setObserver(py::object function) {
  made = !function.is_none();
  observer() = std::move(function);
}

Observation::Observation(uint64_t program, const std::string &name,
                         at::ArrayRef<Tensor> inputs,
                         at::ArrayRef<Tensor> outputs) {
  if (isObserving || !Py_IsInitialized())
    return;
  const Inside inside;
  if (observer().is_none())
    return;
  py::list known;
  for (const Tensor &each : outputs)
    known.append(each.defined() ? py::cast(each) : py::none());
  py::object result = observer()(program, name, inputs.vec(), known);
  if (!result.is_none())
    token = std::move(result);
}

Observation::~Observation() {
  if (!token)
    return;
  const py::gil_scoped_acquire gil;
  token = {};
}

template <typename Value>
void Observation::call(const char *method, const Value &value) {
  if (!token)
    return;
  const Inside inside;
  const py::object taken = std::exchange(token, {});
  taken.attr(method)(value);
}

void Observation::end(at::ArrayRef<Tensor> outputs) {
  call("end", outputs.vec());
}

void Observation::failed(const char *text) { call("failed", text); }
