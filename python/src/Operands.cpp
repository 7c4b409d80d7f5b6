// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of Python as buffers of the C interface.
#include "Operands.h"

#include "ExchangeApi.h"

#include <algorithm>
#include <string_view>

namespace gaudi::python {

namespace {

/// What __array_struct__ gives (NumPy's array interface, version 3).
struct ArrayInterface {
  int two;
  int rank;
  char kind;
  int itemSize;
  int flags;
  Py_intptr_t *shape;
  Py_intptr_t *strides; // bytes
  void *data;
  PyObject *description;
};
enum ArrayFlags {
  Contiguous = 0x1,
  Aligned = 0x100,
  NativeOrder = 0x200,
  Writeable = 0x400
};

// DLPack's numbers of devices whose memory the CPU reads.
constexpr int cpuDevice = 1, pinnedDevice = 3;
// Dimensions for which no memory is allocated again; any rank works.
constexpr size_t usualRank = 4;

/// Where arrays without elements are that give no address.
alignas(64) char nowhere;

bool isInstance(nb::handle value, PyObject *type) {
  return PyObject_TypeCheck(value.ptr(),
                            reinterpret_cast<PyTypeObject *>(type));
}

/// Arrays of JAX never change, which their DLPack does not say.
bool isImmutable(nb::handle array) {
  auto module = nb::str(nb::getattr(array.type(), "__module__", nb::str("")));
  return std::string_view(module.c_str()).substr(0, 3) == "jax";
}

/// Whether elements follow each other in row-major order.
bool isDense(const nb::dlpack::dltensor &view) {
  if (!view.strides)
    return true;
  int64_t expected = 1;
  for (int32_t index = view.ndim; index-- != 0;) {
    if (view.shape[index] != 1 && view.strides[index] != expected)
      return false;
    expected *= view.shape[index];
  }
  return true;
}

nb::str interned(const nb::str &name) {
  PyObject *object = nb::str(name).release().ptr();
  PyUnicode_InternInPlace(&object);
  return nb::steal<nb::str>(object);
}

} // namespace

Tensor::Tensor(const GaudiTensorInfo &info)
    : name(interned(text(info.name))), type(info.type),
      shape(info.shape, info.shape + info.rank), state(info.state) {
  isStatic = std::all_of(shape.begin(), shape.end(),
                         [](int64_t size) { return size >= 0; });
  nb::list sizes;
  for (int64_t size : shape)
    sizes.append(size);
  shapeTuple = nb::tuple(sizes);
}

std::string Tensor::typeText() const {
  std::string result;
  for (int64_t size : shape)
    result += (size < 0 ? "?" : std::to_string(size)) + "x";
  return result + gaudiElementTypeName(type);
}

bool isArray(nb::handle value) {
  return isInstance(value, numpy().ndarray) ||
         isInstance(value, numpy().generic) || nb::hasattr(value, "__dlpack__");
}

Operands::Operands(size_t count) {
  buffers.reserve(count);
  owners.reserve(count);
  extents.reserve(count * 2 * usualRank);
}

void Operands::push(const Tensor &tensor, void *data, size_t rank, bool dense) {
  // The pointers to sizes are set when all buffers are there; till then the
  // strides only say whether there are some.
  buffers.push_back({data, tensor.type, static_cast<uint32_t>(rank), nullptr,
                     dense ? nullptr : extents.data()});
  extents.resize(extents.size() + 2 * rank);
}

const GaudiBuffer *Operands::data() {
  const int64_t *next = extents.data();
  for (GaudiBuffer &buffer : buffers) {
    buffer.shape = next;
    if (buffer.strides)
      buffer.strides = next + buffer.rank;
    next += 2 * size_t(buffer.rank);
  }
  return buffers.data();
}

void Operands::addDense(const Tensor &tensor, void *data) {
  size_t start = extents.size();
  push(tensor, data, tensor.shape.size(), true);
  std::copy(tensor.shape.begin(), tensor.shape.end(), extents.begin() + start);
}

nb::object Operands::addNew(const Tensor &tensor, nb::handle shape) {
  PyObject *arguments[] = {shape.ptr(), numpy().dtypes[tensor.type]};
  PyObject *made = PyObject_Vectorcall(numpy().empty, arguments, 2, nullptr);
  if (!made)
    throw nb::python_error();
  nb::object array = nb::steal(made);
  [[maybe_unused]] const char *problem = addNumpy(tensor, array, Access::Write);
  assert(!problem && "a new array has the type that was asked for");
  return array;
}

void Operands::add(const Tensor &tensor, nb::handle array, Access access,
                   const char *role) {
  const char *problem = tryAdd(tensor, array, access);
  if (!problem)
    return;
  nb::object reason = nb::none();
  if (PyErr_Occurred()) {
    nb::python_error raised;
    reason = nb::borrow(raised.value());
  }
  throwMessage("wrong_array", problem, role, tensor.name, array,
               tensor.typeText(), nb::handle(numpy().scalarTypes[tensor.type]),
               reason);
}

const char *Operands::tryAdd(const Tensor &tensor, nb::handle array,
                             Access access) {
  PyTypeObject *type = Py_TYPE(array.ptr());
  if (type == reinterpret_cast<PyTypeObject *>(numpy().ndarray))
    return addNumpy(tensor, array, access);
  if (ExchangeClass exchange = exchangeClassOf(type); exchange.api)
    return addExchanged(tensor, array, exchange);
  if (isInstance(array, numpy().maskedArray))
    return "masked";
  if (isInstance(array, numpy().ndarray))
    return addNumpy(tensor, array, access);
  if (isInstance(array, numpy().generic))
    return access == Access::Read ? addNumpy(tensor, array, access)
                                  : "read_only";
  if (nb::hasattr(array, "__dlpack__"))
    return addDlpack(tensor, array, access);
  return "not_an_array";
}

const char *Operands::addExchanged(const Tensor &tensor, nb::handle array,
                                   const ExchangeClass &exchange) {
  nb::dlpack::dltensor view;
  if (exchange.api->view(array.ptr(), &view) != 0)
    return "unreadable";
  if (exchange.isNegated) {
    PyObject *argument = array.ptr();
    nb::object negated = nb::steal(
        PyObject_Vectorcall(exchange.isNegated, &argument, 1, nullptr));
    if (!negated.is_valid())
      return "unreadable";
    if (negated.ptr() == Py_True)
      return "negated";
  }
  const char *problem = addView(tensor, view);
  if (!problem)
    owners.push_back(nb::borrow(array));
  return problem;
}

const char *Operands::addNumpy(const Tensor &tensor, nb::handle array,
                               Access access) {
  nb::object capsule =
      nb::steal(PyObject_GetAttr(array.ptr(), numpy().arrayStruct));
  if (!capsule.is_valid())
    return "unreadable";
  const auto *from = static_cast<const ArrayInterface *>(
      PyCapsule_GetPointer(capsule.ptr(), nullptr));
  if (!from)
    return "unreadable";
  int given = typeOfArray(from->kind, from->itemSize, array.ptr());
  if (!takesBitsOf(tensor.type, given) || !(from->flags & NativeOrder))
    return "wrong_type";
  if (access == Access::Write && !(from->flags & Writeable))
    return "read_only";
  if (!(from->flags & Aligned))
    return "unaligned";
  bool dense = from->flags & Contiguous;
  auto rank = static_cast<size_t>(from->rank);
  if (!dense)
    for (size_t index = 0; index != rank; ++index)
      if (from->strides[index] % from->itemSize != 0)
        return "unaligned";
  size_t start = extents.size();
  push(tensor, from->data, rank, dense);
  int64_t *sizes = extents.data() + start;
  for (size_t index = 0; index != rank; ++index) {
    sizes[index] = from->shape[index];
    sizes[rank + index] = dense ? 0 : from->strides[index] / from->itemSize;
  }
  // It keeps the array, or the copy of a scalar that it describes.
  owners.push_back(std::move(capsule));
  return nullptr;
}

const char *Operands::addDlpack(const Tensor &tensor, nb::handle array,
                                Access access) {
  nb::dlpack::dltensor view;
  auto describe = [&](auto &from) {
    view.data = const_cast<void *>(static_cast<const void *>(from.data()));
    view.device = {from.device_type(), from.device_id()};
    view.ndim = static_cast<int32_t>(from.ndim());
    view.dtype = from.dtype();
    view.shape = const_cast<int64_t *>(from.shape_ptr());
    view.strides = const_cast<int64_t *>(from.stride_ptr());
  };
  if (access == Access::Read) {
    nb::ndarray<nb::ro> from;
    if (!nb::try_cast(array, from, false))
      return "unreadable";
    describe(from);
    readArrays.push_back(std::move(from));
  } else {
    nb::ndarray<> from;
    if (isImmutable(array) || !nb::try_cast(array, from, false))
      return "read_only";
    describe(from);
    writtenArrays.push_back(std::move(from));
  }
  return addView(tensor, view);
}

const char *Operands::addView(const Tensor &tensor,
                              const nb::dlpack::dltensor &view) {
  if (view.device.device_type != cpuDevice &&
      view.device.device_type != pinnedDevice)
    return "wrong_device";
  if (!takesBitsOf(tensor.type, typeOfDlpack(view.dtype)))
    return "wrong_type";
  size_t start = extents.size(), rank = static_cast<size_t>(view.ndim);
  void *data = static_cast<char *>(view.data) + view.byte_offset;
  if (!view.data) {
    // Null means something else to the library: it must be memory of no size.
    if (std::find(view.shape, view.shape + rank, 0) == view.shape + rank)
      return "without_memory";
    data = &nowhere;
  }
  bool dense = isDense(view);
  push(tensor, data, rank, dense);
  std::copy(view.shape, view.shape + rank, extents.begin() + start);
  if (!dense)
    std::copy(view.strides, view.strides + rank,
              extents.begin() + start + rank);
  return nullptr;
}

} // namespace gaudi::python
