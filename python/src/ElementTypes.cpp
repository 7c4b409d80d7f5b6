// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types of the library in the terms of NumPy and DLPack.
#include "ElementTypes.h"

#include "gaudi-c/Support.h"

namespace gaudi::python {

namespace {

struct TypeNames {
  const char *module, *name;
};
// By GaudiElementType.
const TypeNames typeNames[numElementTypes] = {{"numpy", "float32"},
                                              {"ml_dtypes", "bfloat16"},
                                              {"numpy", "float16"},
                                              {"ml_dtypes", "float8_e4m3fn"},
                                              {"ml_dtypes", "float8_e5m2"},
                                              {"numpy", "int8"},
                                              {"numpy", "uint8"},
                                              {"numpy", "int16"},
                                              {"numpy", "uint16"},
                                              {"numpy", "int32"},
                                              {"numpy", "uint32"},
                                              {"numpy", "int64"},
                                              {"numpy", "bool_"}};

Numpy instance;

int integerType(bool hasSign, int bytes) {
  switch (bytes) {
  case 1:
    return hasSign ? GaudiI8 : GaudiU8;
  case 2:
    return hasSign ? GaudiI16 : GaudiU16;
  case 4:
    return hasSign ? GaudiI32 : GaudiU32;
  case 8:
    return hasSign ? static_cast<int>(GaudiI64) : unsigned64;
  default:
    return unknownType;
  }
}

bool isInteger(int type) {
  return (type >= GaudiI8 && type <= GaudiI64) || type == unsigned64;
}

} // namespace

const Numpy &numpy() { return instance; }

void importNumpy() {
  nb::module_ numpy = nb::module_::import_("numpy");
  instance.ndarray = nb::object(numpy.attr("ndarray")).release().ptr();
  instance.generic = nb::object(numpy.attr("generic")).release().ptr();
  instance.maskedArray =
      nb::object(numpy.attr("ma").attr("MaskedArray")).release().ptr();
  instance.empty = nb::object(numpy.attr("empty")).release().ptr();
  for (int type = 0; type != numElementTypes; ++type) {
    const TypeNames &names = typeNames[type];
    nb::object scalar = nb::module_::import_(names.module).attr(names.name);
    instance.dtypes[type] = numpy.attr("dtype")(scalar).release().ptr();
    instance.scalarTypes[type] = scalar.release().ptr();
  }
  instance.arrayStruct = PyUnicode_InternFromString("__array_struct__");
  instance.dtype = PyUnicode_InternFromString("dtype");
  instance.type = PyUnicode_InternFromString("type");
  instance.exchangeApi =
      PyUnicode_InternFromString("__dlpack_c_exchange_api__");
  instance.dispatch = PyUnicode_InternFromString("__torch_dispatch__");
}

int typeOfArray(char kind, int itemSize, PyObject *array) {
  if (kind == 'f' && itemSize == 4)
    return GaudiF32;
  if (kind == 'f' && itemSize == 2)
    return GaudiF16;
  if (kind == 'i' || kind == 'u')
    return integerType(kind == 'i', itemSize);
  if (kind == 'b' && itemSize == 1)
    return GaudiI1;
  nb::object type =
      nb::getattr(nb::getattr(array, numpy().dtype), numpy().type);
  for (int known : {GaudiBF16, GaudiF8E4M3FN, GaudiF8E5M2})
    if (type.ptr() == numpy().scalarTypes[known])
      return known;
  return unknownType;
}

int typeOfDlpack(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  if (type.lanes != 1)
    return unknownType;
  switch (static_cast<Code>(type.code)) {
  case Code::Int:
    return integerType(true, type.bits / 8);
  case Code::UInt:
    return integerType(false, type.bits / 8);
  case Code::Float:
    return type.bits == 32   ? GaudiF32
           : type.bits == 16 ? GaudiF16
                             : unknownType;
  case Code::Bfloat:
    return type.bits == 16 ? static_cast<int>(GaudiBF16) : unknownType;
  case Code::Bool:
    return type.bits == 8 ? static_cast<int>(GaudiI1) : unknownType;
  case Code::Float8_E4M3FN:
    return GaudiF8E4M3FN;
  case Code::Float8_E5M2:
    return GaudiF8E5M2;
  default:
    return unknownType;
  }
}

bool takesBitsOf(GaudiElementType expected, int given) {
  if (given == expected)
    return true;
  if (!isInteger(expected) || !isInteger(given))
    return false;
  size_t bytes =
      given == unsigned64
          ? 8
          : gaudiElementTypeSize(static_cast<GaudiElementType>(given));
  return bytes == gaudiElementTypeSize(expected);
}

} // namespace gaudi::python
