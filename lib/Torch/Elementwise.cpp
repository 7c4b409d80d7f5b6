// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types of ops that compute element by element.
#include "Rules.h"

using namespace gaudi;
using namespace gaudi::torch;

/// The first tensor among the arguments.
static const TensorType &firstTensor(Arguments arguments) {
  for (const Argument &argument : arguments)
    if (const auto *tensor = std::get_if<TensorType>(&argument))
      return *tensor;
  return tensorAt(arguments, 0);
}

Result<Results> rules::same(Arguments arguments) {
  return Results{firstTensor(arguments)};
}

Result<Results> rules::sameNoBool(Arguments arguments) {
  if (isBool(firstTensor(arguments).dtype))
    return fail("it is not defined for bool");
  return same(arguments);
}

Result<Results> rules::squared(Arguments arguments) {
  const TensorType &tensor = firstTensor(arguments);
  return one(tensor.sizes,
             isBool(tensor.dtype) ? ScalarType::Int64 : tensor.dtype);
}

Result<Results> rules::asFloat(Arguments arguments) {
  const TensorType &tensor = firstTensor(arguments);
  return one(tensor.sizes, floatOf(tensor.dtype));
}

Result<Results> rules::angle(Arguments arguments) {
  const TensorType &tensor = firstTensor(arguments);
  return one(tensor.sizes, floatOf(partType(tensor.dtype)));
}

Result<Results> rules::asBool(Arguments arguments) {
  return one(firstTensor(arguments).sizes, ScalarType::Bool);
}

Result<Results> rules::magnitude(Arguments arguments) {
  const TensorType &tensor = firstTensor(arguments);
  if (isBool(tensor.dtype))
    return fail("it is not defined for bool");
  return one(tensor.sizes, partType(tensor.dtype));
}

/// The shape to which all tensors broadcast.
static Result<Ints> commonShape(Arguments arguments) {
  Ints sizes;
  for (const Argument &argument : arguments)
    if (const auto *tensor = std::get_if<TensorType>(&argument))
      sizes = GAUDI_TRY(broadcast(sizes, tensor->sizes));
  return sizes;
}

static bool isIntegral(ScalarType type) {
  return isInteger(type) || isBool(type);
}

Result<Results> rules::integral(Arguments arguments) {
  if (!isIntegral(firstTensor(arguments).dtype))
    return fail("it is defined for integers and bool, not for {}",
                nameOf(firstTensor(arguments).dtype));
  return same(arguments);
}

/// Of x + alpha * y and its like: two terms, then a factor that only must not
/// be of a higher category.
static Arguments terms(Arguments arguments) {
  return Arguments(arguments.begin(), std::min<size_t>(arguments.size(), 2));
}

/// Operands are the tensors; of numbers, only those before the third argument
/// are operands, and others (alpha, value) factors.
static Result<ScalarType> termType(Arguments arguments) {
  const size_t tensors =
      std::count_if(arguments.begin(), arguments.end(), [](const Argument &a) {
        return std::holds_alternative<TensorType>(a);
      });
  return promotedType(tensors > 2 ? Arguments(arguments.begin(), tensors)
                                  : terms(arguments));
}

Result<Results> rules::promoted(Arguments arguments) {
  return one(GAUDI_TRY(commonShape(arguments)), GAUDI_TRY(termType(arguments)));
}

Result<Results> rules::difference(Arguments arguments) {
  for (const Argument &argument : terms(arguments))
    if (const auto *tensor = std::get_if<TensorType>(&argument);
        (tensor && isBool(tensor->dtype)) ||
        std::holds_alternative<bool>(argument))
      return fail("a difference is not defined for bool; use ^ or logical_xor");
  return promoted(arguments);
}

Result<Results> rules::bitwise(Arguments arguments) {
  Results results = GAUDI_TRY(promoted(arguments));
  if (!isIntegral(results[0].dtype))
    return fail("it is defined for integers and bool, not for {}",
                nameOf(results[0].dtype));
  return results;
}

Result<Results> rules::quotient(Arguments arguments) {
  Results results = GAUDI_TRY(promoted(arguments));
  results[0].dtype = floatOf(results[0].dtype);
  return results;
}

Result<Results> rules::divided(Arguments arguments) {
  return isNone(arguments[2]) ? quotient(arguments) : promoted(arguments);
}

Result<Results> rules::compared(Arguments arguments) {
  // Types that cannot be promoted cannot be compared, either.
  GAUDI_TRY(promotedType(arguments));
  return one(GAUDI_TRY(commonShape(arguments)), ScalarType::Bool);
}

Result<Results> rules::chosen(Arguments arguments) {
  const ScalarType condition = tensorAt(arguments, 0).dtype;
  if (!isBool(condition) && condition != ScalarType::UInt8)
    return fail("the condition must be of bool or ui8, not of {}",
                nameOf(condition));
  const Arguments choices(arguments.begin() + 1, 2);
  return one(GAUDI_TRY(commonShape(arguments)),
             GAUDI_TRY(promotedType(choices)));
}

Result<Results> rules::filled(Arguments arguments) {
  if (!isBool(tensorAt(arguments, 1).dtype))
    return fail("the mask must be of bool, not of {}",
                nameOf(tensorAt(arguments, 1).dtype));
  if (const auto *value = std::get_if<TensorType>(&arguments[2]);
      value && value->rank() != 0)
    return fail("the value must be a scalar, not of shape {}",
                text(value->sizes));
  const TensorType &self = tensorAt(arguments, 0);
  return one(GAUDI_TRY(broadcast(self.sizes, tensorAt(arguments, 1).sizes)),
             self.dtype);
}

Result<Results> rules::clamped(Arguments arguments) {
  if (isNone(arguments[1]) && (arguments.size() < 3 || isNone(arguments[2])))
    return fail("at least one of min and max must be given");
  return one(GAUDI_TRY(commonShape(arguments)),
             GAUDI_TRY(promotedType(arguments)));
}

Result<Results> rules::twoSame(Arguments arguments) {
  // PyTorch keeps what its gradient needs; on the CPU that has elements.
  return Results{tensorAt(arguments, 0), tensorAt(arguments, 0)};
}

Result<Results> rules::converted(Arguments arguments) {
  const TensorType &self = tensorAt(arguments, 0);
  return one(self.sizes, GAUDI_TRY(dtypeAt(arguments, 1, self.dtype)));
}

Result<Results> rules::likeSecond(Arguments arguments) {
  return one(tensorAt(arguments, 0).sizes, tensorAt(arguments, 1).dtype);
}
