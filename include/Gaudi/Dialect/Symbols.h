// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How functions with dynamic dimensions, and their static variants, say which
// dimension has which size.
//
// A symbol is a size that a launch chooses: "batch", "seq". Sizes are affine
// maps over the symbols of the function, in the order of `gaudi.symbols`:
// `affine_map<()[s0, s1] -> (s0, s1, s1 - 1, 768)>`; products of symbols are
// allowed (semi-affine).
//
// As given:
//   func @main(%x: tensor<?x?xf32>
//                  {gaudi.dims = ["batch=1..64", "seq=16..4096/16"]})
//
// With symbols:
//   func @main(%x: tensor<?x?xf32>
//                  {gaudi.shape = affine_map<()[s0, s1] -> (s0, s1)>})
//       attributes {gaudi.symbols = [{name = "batch", min = 1, max = 64,
//                                     multiple = 1}, ...]}
//
// With buckets:
//   the same with gaudi.boxes = [array<i64: 8, 64>, ...]
//
// A variant:
//   func @main.0(%x: tensor<8x64xf32> {gaudi.shape = ...},
//                %e0: tensor<i32>
//                    {gaudi.extent = affine_map<()[s0, s1] -> (s1)>})
//       attributes {gaudi.symbols = [...], gaudi.bucket = array<i64: 8, 64>,
//                   gaudi.bucket_of = @main}
//
// @main stays as a declaration with gaudi.buckets = [@main.0, ...].
#ifndef GAUDI_DIALECT_SYMBOLS_H
#define GAUDI_DIALECT_SYMBOLS_H

#include "Gaudi/Dialect/MLIR.h"
#include "llvm/ADT/StringRef.h"

namespace gaudi {

/// Attribute of an argument with dynamic dimensions, as users write it: one
/// string per dimension, "NAME=MIN..MAX/MULTIPLE" ("/MULTIPLE" may be left out,
/// "NAME" alone speaks of a symbol bounded elsewhere, "" of a static
/// dimension).
constexpr llvm::StringLiteral dimsAttrName = "gaudi.dims";

/// Attribute of a function: its symbols, an array of dictionaries {name, min,
/// max, multiple}; sizes are i64.
constexpr llvm::StringLiteral symbolsAttrName = "gaudi.symbols";
/// Attribute of an argument or result of such a function and of its variants:
/// the size of each dimension that callers see, an affine map over the symbols.
constexpr llvm::StringLiteral shapeAttrName = "gaudi.shape";

/// Attribute of a function with symbols, until it has variants: the box of each
/// bucket, that is one size per symbol in the order of `gaudi.symbols`; an
/// array of arrays of i64.
constexpr llvm::StringLiteral boxesAttrName = "gaudi.boxes";

/// Attribute of a function without a body: references to its variants, in
/// ascending order of their sizes. While variants are missing
/// (gaudi.missing_boxes), samples come first and the largest one is last.
constexpr llvm::StringLiteral bucketsAttrName = "gaudi.buckets";
/// Attributes of a variant: the size of each symbol that its types have (array
/// of i64), and a reference to the function whose variant it is.
constexpr llvm::StringLiteral bucketAttrName = "gaudi.bucket";
constexpr llvm::StringLiteral bucketOfAttrName = "gaudi.bucket_of";
/// Attribute of an argument of a variant, a tensor<i32>: the launch sets it to
/// the value of this map (one result) for the sizes that the caller's tensors
/// have. Callers do not see the argument.
constexpr llvm::StringLiteral extentAttrName = "gaudi.extent";

} // namespace gaudi

#endif // GAUDI_DIALECT_SYMBOLS_H
