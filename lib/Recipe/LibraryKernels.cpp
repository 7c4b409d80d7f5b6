// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signatures of the library kernels.
#include "Gaudi/Recipe/LibraryKernels.h"

#include "Gaudi/Kernel/Limits.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <fmt/format.h>
#include <string>

namespace gaudi::recipe {
namespace {

std::string shapeText(const OperandShape &shape) {
  return fmt::format("{}[{}]", elementName(shape.type),
                     fmt::join(shape.sizes, ","));
}

Status checkCounts(const LibraryCall &call, size_t inputs, size_t outputs,
                   size_t ints) {
  auto check = [](const char *what, size_t got, size_t expected) -> Status {
    if (got != expected)
      return fail("expected {} {} but got {}", expected, what, got);
    return {};
  };
  GAUDI_TRY(check("inputs", call.inputs.size(), inputs));
  GAUDI_TRY(check("outputs", call.outputs.size(), outputs));
  GAUDI_TRY(check("ints", call.ints.size(), ints));
  GAUDI_TRY(check("floats", call.floats.size(), 0));
  for (const std::vector<OperandShape> *list : {&call.inputs, &call.outputs})
    for (const OperandShape &shape : *list) {
      std::optional<int64_t> count = kernel::elementCount(shape.sizes);
      if (!count || *count > kernel::maxTensorElements)
        return fail("operand {} has more than 2^40 elements", shapeText(shape));
    }
  return {};
}

Status checkAxis(int64_t axis, const OperandShape &shape) {
  if (axis < 0 || axis >= int64_t(shape.sizes.size()))
    return fail("axis {} is outside the rank of {}", axis, shapeText(shape));
  return {};
}

Status checkFlag(const char *name, int64_t value) {
  if (value != 0 && value != 1)
    return fail("{} is {}, expected 0 or 1", name, value);
  return {};
}

Status checkSame(const char *what, const OperandShape &got,
                 const OperandShape &expected) {
  if (got.type != expected.type || got.sizes != expected.sizes)
    return fail("{} is {}, expected {}", what, shapeText(got),
                shapeText(expected));
  return {};
}

Status checkIndexType(const OperandShape &indices) {
  if (indices.type != ElementType::I32 && indices.type != ElementType::I64)
    return fail("indices are {}, expected i32 or i64", shapeText(indices));
  return {};
}

/// Runs the checks in order until one fails.
Status all(std::initializer_list<Status> checks) {
  for (const Status &status : checks)
    if (!status)
      return status;
  return {};
}

Status checkCumulativeSum(const LibraryCall &call) {
  GAUDI_TRY(checkCounts(call, 1, 1, 3));
  if (call.inputs[0].type == ElementType::I1)
    return fail("input is i1, expected a number");
  return all({checkAxis(call.ints[0], call.inputs[0]),
              checkFlag("exclusive", call.ints[1]),
              checkFlag("reverse", call.ints[2]),
              checkSame("output", call.outputs[0], call.inputs[0])});
}

Status checkSort(const LibraryCall &call) {
  GAUDI_TRY(checkCounts(call, 1, 2, 3));
  if (call.ints[2] != 1)
    return fail("stable is {}, expected 1", call.ints[2]);
  OperandShape positions = {call.outputs[1].type, call.inputs[0].sizes};
  return all({checkAxis(call.ints[0], call.inputs[0]),
              checkFlag("descending", call.ints[1]),
              checkSame("output 0", call.outputs[0], call.inputs[0]),
              checkIndexType(call.outputs[1]),
              checkSame("output 1", call.outputs[1], positions)});
}

Status checkTopK(const LibraryCall &call) {
  GAUDI_TRY(checkCounts(call, 1, 2, 3));
  const OperandShape &input = call.inputs[0];
  const int64_t axis = call.ints[0], k = call.ints[1];
  GAUDI_TRY(checkAxis(axis, input));
  if (k < 1 || k > input.sizes[axis])
    return fail("k is {}, expected 1 to {}", k, input.sizes[axis]);
  OperandShape values = input;
  values.sizes[axis] = k;
  OperandShape positions = {call.outputs[1].type, values.sizes};
  return all({checkFlag("largest", call.ints[2]),
              checkSame("output 0", call.outputs[0], values),
              checkIndexType(call.outputs[1]),
              checkSame("output 1", call.outputs[1], positions)});
}

Status checkRows(const LibraryCall &call) {
  const OperandShape &values = call.inputs[0], &indices = call.inputs[1];
  if (values.sizes.size() != 3)
    return fail("input 0 is {}, expected rank 3", shapeText(values));
  if (indices.sizes.size() != 2)
    return fail("input 1 is {}, expected rank 2", shapeText(indices));
  if (indices.sizes[0] != values.sizes[0])
    return fail("batch size of input 1 is {}, expected {}", indices.sizes[0],
                values.sizes[0]);
  OperandShape rows = {values.type,
                       {values.sizes[0], indices.sizes[1], values.sizes[2]}};
  return all({checkIndexType(indices),
              checkSame("input 2", call.inputs[2], rows),
              checkSame("output", call.outputs[0], values)});
}

Status checkScatter(const LibraryCall &call) {
  GAUDI_TRY(checkCounts(call, 3, 1, 0));
  return checkRows(call);
}

Status checkScatterRows(const LibraryCall &call) {
  GAUDI_TRY(checkCounts(call, 3, 1, 2));
  if (call.ints[0] == 1 && call.inputs[0].type == ElementType::I1)
    return fail("input 0 is i1, expected a number to add to");
  return all({checkFlag("accumulate", call.ints[0]),
              checkFlag("drop_outside", call.ints[1]), checkRows(call)});
}

Status checkScatterElements(const LibraryCall &call) {
  GAUDI_TRY(checkCounts(call, 3, 1, 2));
  const OperandShape &data = call.inputs[0], &indices = call.inputs[1];
  const int64_t axis = call.ints[0];
  GAUDI_TRY(checkAxis(axis, data));
  if (indices.sizes.size() != data.sizes.size())
    return fail("input 1 is {}, expected the rank of {}", shapeText(indices),
                shapeText(data));
  for (size_t d = 0; d < data.sizes.size(); ++d)
    if (int64_t(d) != axis && indices.sizes[d] > data.sizes[d])
      return fail("dimension {} of input 1 is {}, expected at most {}", d,
                  indices.sizes[d], data.sizes[d]);
  if (call.ints[1] == 1 && data.type == ElementType::I1)
    return fail("input 0 is i1, expected a number to add to");
  OperandShape updates = {data.type, indices.sizes};
  return all({checkFlag("mode", call.ints[1]), checkIndexType(indices),
              checkSame("input 2", call.inputs[2], updates),
              checkSame("output", call.outputs[0], data)});
}

} // namespace

const std::vector<LibraryKernel> &libraryKernels() {
  static const std::vector<LibraryKernel> kernels = {
      {"cumulative_sum", "running sum along an axis", checkCumulativeSum},
      {"scatter", "a tensor with rows replaced", checkScatter, 0, 0, true},
      {"scatter_elements", "a tensor with elements set or increased",
       checkScatterElements, 0, 0, true},
      {"scatter_rows", "a tensor with rows replaced or increased",
       checkScatterRows, 2, 16, true},
      {"sort", "stable sort along an axis, with positions", checkSort},
      {"top_k", "the largest or smallest elements along an axis, in order",
       checkTopK},
  };
  return kernels;
}

const LibraryKernel *findLibraryKernel(std::string_view name) {
  for (const LibraryKernel &kernel : libraryKernels())
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

bool mayWriteInPlace(const LibraryKernel &kernel, uint32_t input,
                     uint32_t output, const kernel::Window &from,
                     const kernel::Window &to) {
  bool isSame = kernel.updatesInput && input == 0 && output == 0 &&
                from.offset == to.offset && from.sizes == to.sizes &&
                from.elementSize == to.elementSize;
  // Strides of dimensions of size 1 do not matter.
  for (size_t d = 0; isSame && d < from.sizes.size(); ++d)
    isSame = from.sizes[d] == 1 || from.strides[d] == to.strides[d];
  return isSame;
}

} // namespace gaudi::recipe
