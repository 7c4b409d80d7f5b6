// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PyTorch's ops that we know: their schemas and the types of their results.
//
// This library knows neither MLIR nor Python: the front end, and devices that
// execute one op at a time, ask it for the types of results.
#ifndef GAUDI_TORCH_OPERATORS_H
#define GAUDI_TORCH_OPERATORS_H

#include "Gaudi/Kernel/Span.h"
#include "Gaudi/Torch/Schema.h"

namespace gaudi::torch {

using Arguments = kernel::Span<const Argument>;
using Results = std::vector<TensorType>;

/// What a static variant of a program with dynamic sizes does about an op that
/// has such sizes: those of the variant are larger than the caller's, and the
/// elements behind are padding.
enum class DynamicSizes {
  Elementwise, ///< padding stays where it is
  Creation,    ///< all elements are made; nothing says which are real
  View,        ///< a reshape
  Window,      ///< a slice, whose ends may depend on sizes
  Marked,      ///< what it reads has to say which elements are real
  Refused, ///< its lowering may compute with sizes: the count of a variance,
           ///< the weights of a resampling or the positions of an index
           ///< would be those of the variant
};

/// A row of Operators.def.
struct Operator {
  Schema schema;
  /// The types of the results for arguments that fit the schema, one per
  /// parameter. Fails where PyTorch would: the error says why.
  Result<Results> (*inferResults)(Arguments arguments);
  unsigned row; ///< Number of the row.
  DynamicSizes sizes;
};

/// The op called "aten.add.Tensor", "aten.relu" or
/// "prims.convert_element_type"; null if it is not known. The overload may be
/// "default".
const Operator *findOperator(std::string_view name);

/// All rows, in the order of the table.
kernel::Span<const Operator> operators();

/// Of the rows as they are written: equal in libraries whose tables are.
uint64_t tableFingerprint();

/// The type in which PyTorch computes the tensors and Python numbers among
/// `arguments` (torch.result_type): tensors with dimensions go before scalar
/// tensors, those before numbers, unless the category is higher.
Result<ScalarType> promotedType(Arguments arguments);

/// Fails if a tensor has more elements than any may have, also counting empty
/// dimensions as 1: products of sizes of tensors that pass do not overflow.
Status checkSize(const TensorType &type);

/// Checks the number of arguments, that each fits its parameter, and infers
/// the types of the results, which pass checkSize. So must the arguments'
/// tensors.
Result<Results> inferResults(const Operator &op, Arguments arguments);

} // namespace gaudi::torch

#endif // GAUDI_TORCH_OPERATORS_H
