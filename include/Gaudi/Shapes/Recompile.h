// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compilation depends on, and why another one is needed.
//
// Two signatures that differ need two compilations. Most differences follow
// from a few: a model that was traced with longer sequences has other types,
// other attributes and other constants in many places. The reason is the one
// that all of them follow from.
#ifndef GAUDI_SHAPES_RECOMPILE_H
#define GAUDI_SHAPES_RECOMPILE_H

#include "Gaudi/Shapes/Buckets.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gaudi::shapes {

/// What no attribute has, where those of -1 are common.
constexpr int64_t dynamicSize = INT64_MIN;

/// All that a compilation depends on, as far as it is known: lists that are
/// empty on both sides are equal.
struct Signature {
  struct Input {
    std::string name, element; ///< "tokens", "i32"
    Sizes sizes;               ///< or dynamicSize
    std::string attributes;    ///< what the model says of it: state, order
  };
  /// One aspect of an op: "operands", "attribute 'axis'". `text` is all but
  /// the sizes; each of them is a sizeMark in it.
  struct Field {
    std::string label, text;
    std::vector<int64_t> sizes;
  };
  struct Op {
    std::string name, location;
    std::vector<Field> fields;
  };
  struct Constant {
    std::string name, location, element;
    Sizes sizes;
    uint64_t hash = 0; ///< of the values
    /// A few; one if all are equal; empty if there are more.
    std::vector<double> values;
  };

  std::string device, compiler;
  /// Options that change the recipe, by name.
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<Input> inputs;
  size_t outputs = 0;
  std::vector<Op> ops;
  std::vector<Constant> constants;
  /// What else a trace knows of a launch, by the names of its columns, the same
  /// on both sides.
  std::vector<std::pair<std::string, std::string>> values;
};

/// Where a size is left out in the text of a field.
constexpr char sizeMark = '\x01';
/// What the text of a field begins with that is a hash.
constexpr char digestMark = '\x02';

/// In the order in which one of several differences is the reason. Types of
/// inputs come before ops, most of which change with them; so does a dimension
/// that was or is 1, for which exporters leave ops out.
enum class Cause {
  Device,
  Compiler,
  Option,
  Signature, ///< how many inputs and outputs there are
  ElementType,
  Rank,
  Op,
  Dimension,
  Constant
};
/// "device", "element type", ...
const char *causeName(Cause cause);

struct Difference {
  Cause cause;
  /// "dimension 1 of input 'tokens'": what differs; the same for all pairs of
  /// signatures that differ in it.
  std::string subject;
  std::string is, was; ///< "200", "128"
  /// A text that says more than "SUBJECT is IS, was WAS"; else empty.
  std::string sentence;
  size_t input = 0, dimension = 0; ///< of a dimension
  bool isNamed = false;            ///< one of `values`
  /// Dimensions of inputs, and constants, that follow from this one.
  size_t dimensions = 0, constants = 0;

  /// "dimension 1 of input 'tokens' is 200, was 128; 2 other dimensions
  /// follow from it".
  std::string text() const;
};

/// The differences of which none follows from another one, the reason first.
/// Empty: a recipe of `was` serves `is`.
std::vector<Difference> differences(const Signature &was, const Signature &is);

/// What would have avoided the first of `differences`, as the end of a sentence
/// after "avoided by ": "one recipe for both: ...".
std::string howToAvoid(const std::vector<Difference> &differences,
                       const Signature &was, const Signature &is);

/// A name for the size of a dimension: "tokens_1", as symbols may be called.
std::string symbolName(std::string_view input, size_t dimension);

/// "1x128xi32".
std::string typeText(std::string_view element, const Sizes &sizes);

} // namespace gaudi::shapes

#endif // GAUDI_SHAPES_RECOMPILE_H
