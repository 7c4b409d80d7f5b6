// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Migration.h"

#include <ATen/Context.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Event.h>
#include <torch/csrc/Generator.h>
#include <torch/csrc/Stream.h>
#include <torch/csrc/utils/device_lazy_init.h>
#include <torch/library.h>

#include <cstring>

namespace py = pybind11;

namespace {

c10::Device hpuOf(c10::Device device) {
  return device.is_cuda() ? c10::Device(c10::kHPU, device.index()) : device;
}

// --- what Python makes -------------------------------------------------------

PyObject *converted = nullptr; // kept until the process ends
PyObject *text = nullptr;

/// Tells Python; false: it has raised.
bool tell(const char *what) {
  PyObject *result = PyObject_CallFunction(converted, "s", what);
  Py_XDECREF(result);
  return result != nullptr;
}

newfunc newDevice = nullptr;

PyObject *makeDevice(PyTypeObject *type, PyObject *args, PyObject *named) {
  PyObject *made = newDevice(type, args, named);
  if (!made || !THPDevice_Check(made))
    return made;
  const c10::Device device = reinterpret_cast<THPDevice *>(made)->device;
  if (!device.is_cuda())
    return made;
  Py_DECREF(made);
  return tell("torch.device") ? THPDevice_New(hpuOf(device)) : nullptr;
}

reprfunc ownText = nullptr;

PyObject *textOfDevice(PyObject *self) {
  PyObject *made = ownText(self);
  if (!made || !reinterpret_cast<THPDevice *>(self)->device.is_hpu())
    return made;
  PyObject *shown = PyObject_CallOneArg(text, made);
  Py_DECREF(made);
  return shown;
}

/// A type whose objects are made with a device.
struct Maker {
  PyTypeObject *type;
  newfunc make;
};
std::vector<Maker> makers;

bool isCuda(PyObject *value) {
  if (THPDevice_Check(value))
    return reinterpret_cast<THPDevice *>(value)->device.is_cuda();
  if (!PyUnicode_Check(value))
    return false;
  const char *name = PyUnicode_AsUTF8(value);
  return name && std::strncmp(name, "cuda", 4) == 0 &&
         (name[4] == '\0' || name[4] == ':');
}

/// A new reference: the argument, or what torch.device makes of it.
PyObject *asHpu(PyObject *value) {
  if (isCuda(value))
    return PyObject_CallOneArg(reinterpret_cast<PyObject *>(&THPDeviceType),
                               value);
  Py_INCREF(value);
  return value;
}

PyObject *makeWithDevice(PyTypeObject *type, PyObject *args, PyObject *named) {
  const auto maker =
      std::find_if(makers.begin(), makers.end(), [&](const Maker &each) {
        return PyType_IsSubtype(type, each.type);
      });
  const py::object given =
      py::reinterpret_steal<py::object>(PyTuple_New(PyTuple_GET_SIZE(args)));
  for (Py_ssize_t index = 0; index != PyTuple_GET_SIZE(args); ++index) {
    PyObject *value = asHpu(PyTuple_GET_ITEM(args, index));
    if (!value)
      return nullptr;
    PyTuple_SET_ITEM(given.ptr(), index, value);
  }
  py::object rest;
  if (named) {
    rest = py::reinterpret_steal<py::object>(PyDict_Copy(named));
    PyObject *device =
        rest ? PyDict_GetItemString(rest.ptr(), "device") : nullptr;
    if (device && isCuda(device)) {
      const auto value = py::reinterpret_steal<py::object>(asHpu(device));
      if (!value || PyDict_SetItemString(rest.ptr(), "device", value.ptr()))
        return nullptr;
    }
  }
  return maker->make(type, given.ptr(), rest.ptr());
}

void convertDevicesOf(PyTypeObject *type) {
  makers.push_back({type, type->tp_new});
  type->tp_new = &makeWithDevice;
  PyType_Modified(type);
}

// --- what ops make -----------------------------------------------------------

/// An op whose device is cuda: no tensor is, so that only an argument says it.
void onHpu(const c10::OperatorHandle &op, torch::jit::Stack *stack) {
  const size_t count = op.schema().arguments().size();
  for (size_t index = stack->size() - count; index != stack->size(); ++index) {
    c10::IValue &value = (*stack)[index];
    if (value.isDevice())
      value = hpuOf(value.toDevice());
  }
  if (Py_IsInitialized()) {
    const py::gil_scoped_acquire lock;
    if (!tell(op.schema().name().c_str()))
      throw py::error_already_set();
  }
  op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::HPU), stack);
}

/// Cuda's device guard is that of the cards.
class Guard final : public c10::impl::DeviceGuardImplInterface {
public:
  c10::DeviceType type() const override { return c10::kHPU; }
  c10::Device exchangeDevice(c10::Device device) const override {
    return cards->exchangeDevice(hpuOf(device));
  }
  c10::Device getDevice() const override { return cards->getDevice(); }
  void setDevice(c10::Device device) const override {
    cards->setDevice(hpuOf(device));
  }
  void uncheckedSetDevice(c10::Device device) const noexcept override {
    cards->uncheckedSetDevice(hpuOf(device));
  }
  c10::Stream getStream(c10::Device device) const override {
    return cards->getStream(hpuOf(device));
  }
  c10::Stream getDefaultStream(c10::Device device) const override {
    return cards->getDefaultStream(hpuOf(device));
  }
  c10::Stream getNewStream(c10::Device device, int priority) const override {
    return cards->getNewStream(hpuOf(device), priority);
  }
  c10::Stream exchangeStream(c10::Stream stream) const override {
    return cards->exchangeStream(stream);
  }
  c10::DeviceIndex deviceCount() const noexcept override {
    return cards->deviceCount();
  }
  void synchronizeDevice(const c10::DeviceIndex index) const override {
    cards->synchronizeDevice(index);
  }

private:
  const c10::impl::DeviceGuardImplInterface *cards =
      c10::impl::getDeviceGuardImpl(c10::kHPU);
};

} // namespace

void gaudi::bridge::migrate(py::function told, py::dict attributes,
                            py::function given) {
  TORCH_CHECK(!converted, "cuda is migrated already");
  TORCH_CHECK(!at::globalContext().hasCUDA(),
              "this PyTorch has CUDA, of which gpu_migration replaces nothing");
  converted = told.release().ptr();
  text = given.release().ptr();

  newDevice = THPDeviceType.tp_new;
  THPDeviceType.tp_new = &makeDevice;
  ownText = THPDeviceType.tp_str;
  THPDeviceType.tp_str = &textOfDevice;
  for (const auto &[name, value] : attributes)
    if (PyDict_SetItem(THPDeviceType.tp_dict, name.ptr(), value.ptr()))
      throw py::error_already_set();
  PyType_Modified(&THPDeviceType);
  convertDevicesOf(reinterpret_cast<PyTypeObject *>(THPGeneratorClass));
  convertDevicesOf(THPStreamClass);
  convertDevicesOf(&THPEventType);

  torch::utils::set_requires_device_init(c10::kCUDA, false);
  static const Guard guard;
  static const c10::impl::DeviceGuardImplRegistrar registrar(c10::kCUDA,
                                                             &guard);
  static torch::Library library(torch::Library::IMPL, "_",
                                c10::DispatchKey::CUDA, __FILE__, __LINE__);
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&onHpu>());
}
