// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of Python as buffers of the C interface: NumPy arrays through the
// array interface, others through DLPack, wherever and in whatever order they
// lie.
#ifndef GAUDI_PYTHON_OPERANDS_H
#define GAUDI_PYTHON_OPERANDS_H

#include "ElementTypes.h"
#include "Native.h"

#include "gaudi-c/Recipe.h"

#include <nanobind/ndarray.h>

#include <string>
#include <vector>

namespace gaudi::python {

struct ExchangeClass;

/// An input, output or state as the recipe describes it.
struct Tensor {
  explicit Tensor(const GaudiTensorInfo &info);
  /// "2x?xf32".
  std::string typeText() const;

  nb::str name;
  GaudiElementType type;
  std::vector<int64_t> shape; // -1: differs from launch to launch
  bool isStatic;
  bool bound = false;
  int32_t state;        // that an input sets, or -1
  nb::tuple shapeTuple; // of a static tensor
};

enum class Access { Read, Write };

/// Whether a value is an array itself, not a container of arrays.
bool isArray(nb::handle value);

/// A list of buffers that stay valid while this object lives.
class Operands {
public:
  explicit Operands(size_t count);
  /// `role` ("input") is for errors: the value is not an array, has another
  /// type, is on another device, or lies where it cannot be described.
  void add(const Tensor &tensor, nb::handle array, Access access,
           const char *role);
  /// One that the library does not read or write.
  void addNull(const Tensor &tensor) { addDense(tensor, nullptr); }
  /// Dense memory of a static tensor.
  void addDense(const Tensor &tensor, void *data);
  /// A new array, which it returns. `shape` is a tuple.
  nb::object addNew(const Tensor &tensor, nb::handle shape);

  const GaudiBuffer *data();
  size_t size() const { return buffers.size(); }

private:
  // These return what is wrong, by its name in gaudi_mlir._messages, or null.
  const char *tryAdd(const Tensor &tensor, nb::handle array, Access access);
  const char *addNumpy(const Tensor &tensor, nb::handle array, Access access);
  const char *addDlpack(const Tensor &tensor, nb::handle array, Access access);
  const char *addExchanged(const Tensor &tensor, nb::handle array,
                           const ExchangeClass &exchange);
  const char *addView(const Tensor &tensor, const nb::dlpack::dltensor &view);
  void push(const Tensor &tensor, void *data, size_t rank, bool dense);

  std::vector<GaudiBuffer> buffers;
  std::vector<int64_t> extents; // shape, then strides, of each buffer
  // What keeps the memory.
  std::vector<nb::object> owners;
  std::vector<nb::ndarray<nb::ro>> readArrays;
  std::vector<nb::ndarray<>> writtenArrays;
};

} // namespace gaudi::python

#endif // GAUDI_PYTHON_OPERANDS_H
