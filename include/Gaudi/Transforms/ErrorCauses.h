// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops cause the error that another precision makes: each is switched on
// alone and off alone, and the function evaluated again from there.
#ifndef GAUDI_TRANSFORMS_ERRORCAUSES_H
#define GAUDI_TRANSFORMS_ERRORCAUSES_H

#include "Gaudi/Reference/Tensor.h"
#include "Gaudi/Transforms/AutocastPlan.h"

namespace gaudi {

/// How far a result is from what it was. Elements that were not finite are left
/// out.
struct ResultError {
  /// Norm of the difference per norm of the result, that norm itself if the
  /// result was zero; infinite if elements are not finite any more.
  double error = 0;
  double norm = 0;       ///< of the result as it was
  double largest = 0;    ///< of the elements that are finite, absolute
  int64_t notFinite = 0; ///< elements that are not finite any more
  int64_t notFiniteBefore = 0;
};

/// What switching a unit, and those of its group, does to the error of all
/// results, which is the root of the mean of the squares of their errors;
/// infinite if one is.
struct ErrorCause {
  double alone = 0; ///< error if the group alone has the new types
  double back = 0;  ///< error left if the group alone has the old types
  /// Of the sum over units of the squares that they cause: the mean of what the
  /// unit adds first and what it adds last, in equal parts for those of a
  /// group. 0 to 1.
  double share = 0;
  uint32_t group = 0; ///< units with the same number were switched together
};

struct ErrorCauses {
  std::vector<ResultError> results; ///< of the function, 0 for integers
  double error = 0;                 ///< of all results, with the new types
  std::vector<ErrorCause> causes;   ///< one for each unit
  uint64_t evaluations = 0;         ///< of the function, or of a part of it
};

/// Compares the function in `before` with the function in `after`, types of
/// each of its units. `work`: most multiplications and additions of
/// evaluations; where that is too little for each unit, units that follow
/// each other are switched together, and those apart that cause most. A whole
/// evaluation of each setting is made in any case. Fails with an error on
/// the op that cannot be evaluated.
FailureOr<ErrorCauses>
findErrorCauses(func::FuncOp function, ArrayRef<ReferenceTensor> arguments,
                ArrayRef<AutocastUnit> units, ArrayRef<AutocastTypes> before,
                ArrayRef<AutocastTypes> after, double work);

/// The results of the function with those types.
FailureOr<SmallVector<ReferenceTensor>>
evaluateInTypes(func::FuncOp function, ArrayRef<ReferenceTensor> arguments,
                ArrayRef<AutocastUnit> units, ArrayRef<AutocastTypes> types);

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_ERRORCAUSES_H
