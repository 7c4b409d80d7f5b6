// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention of the dialects that extend linalg as gaudi.sdpa.
//
// The loops have roles: N and H of all tensors, more heads (groups) of query
// and result alone, one loop L of query and result for the rows, S of key and
// value, D of query and key, Dv of value and result. What several loops of one
// role make is one dimension, if the tensors store them next to each other or
// after a transpose.
#include "ExtOps.h"
#include "Gaudi/Dialect/AttentionOps.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

namespace {
/// The loops of each dimension of the op, outermost first.
struct Roles {
  SmallVector<int64_t> images, heads, groups, rows, keys, depth, valueDepth;

  /// The loops of a letter of query and result, or of key and value.
  SmallVector<int64_t> headsOf(bool isQuery) const {
    SmallVector<int64_t> all(heads);
    if (isQuery)
      llvm::append_range(all, groups);
    return all;
  }
};

/// A tensor whose dimensions are those of the op's letters.
struct Arranged {
  Value value;
  std::string layout;
};

class Sdpa : AttentionView {
public:
  Sdpa(OpBuilder &b, const ExtOp &op, ArrayRef<AffineMap> maps)
      : AttentionView(op, maps), b(b), op(op), loc(op.loc()) {}

  /// Empty if the op has the form.
  std::string whyNot(bool scalesByRoot);
  Value build();

private:
  std::string readRoles();
  std::string readTypes() const;
  std::string readScale(bool scalesByRoot);
  std::string readMask() const;

  static bool uses(AffineMap map, int64_t loop) {
    return map.isFunctionOfDim(unsigned(loop));
  }
  int64_t extentOf(ArrayRef<int64_t> loops) const {
    int64_t extent = 1;
    for (int64_t loop : loops)
      extent *= extents[loop];
    return extent;
  }
  SmallVector<int64_t> loopsOf(char letter, bool isQuery, bool isKey) const;
  Arranged arranged(Value tensor, AffineMap map, bool isQuery, bool isKey);
  Value reordered(Value value, ArrayRef<int64_t> stored,
                  ArrayRef<int64_t> wanted, ArrayRef<int64_t> shape);
  Value arrangedMask();
  Value restored(Value output, StringRef layout);

  OpBuilder &b;
  const ExtOp &op;
  Location loc;
  Roles roles;
  float factor = 1;
};
} // namespace

std::string Sdpa::readRoles() {
  for (int64_t loop = 0; loop < int64_t(extents.size()); ++loop) {
    const bool q = uses(queryMap, loop), k = uses(keyMap, loop),
               v = uses(valueMap, loop), r = uses(resultMap, loop);
    SmallVector<int64_t> *role = nullptr;
    if (q && k && v && r)
      role = &roles.images;
    else if (q && !k && !v && r)
      role = &roles.groups;
    else if (!q && k && v && !r)
      role = &roles.keys;
    else if (q && k && !v && !r)
      role = &roles.depth;
    else if (!q && !k && v && r)
      role = &roles.valueDepth;
    else if (extents[loop] != 1)
      return "loop " + std::to_string(loop) +
             " is none of images, heads, queries, keys and elements of a head";
    if (role)
      role->push_back(loop);
  }
  if (roles.groups.empty())
    return "no loop of query and result alone gives the queries";
  // The rows are the loop that the mask shares with the keys, which is the
  // innermost one; the others are heads that share a key head.
  roles.rows.push_back(roles.groups.pop_back_val());
  if (roles.images.size() > 1 ||
      (!roles.groups.empty() && !roles.images.empty()))
    roles.heads.push_back(roles.images.pop_back_val());
  return "";
}

std::string Sdpa::readTypes() const {
  Type element = tensorType(op.inputs[0]).getElementType();
  if (!isa<Float32Type, BFloat16Type, Float16Type>(element))
    return "query has elements of " + spelled(element);
  for (Value tensor : {op.inputs[1], op.inputs[2], op.outputs[0]})
    if (tensorType(tensor).getElementType() != element)
      return "its tensors have elements of " + spelled(element) + " and " +
             spelled(tensorType(tensor).getElementType());
  for (Value tensor : {op.inputs[0], op.inputs[1], op.inputs[2]})
    if (tensorType(tensor).getNumElements() == 0)
      return "a tensor has no elements";
  if (!op.body)
    return "";
  Block &body = op.body->front();
  if (body.getTerminator()->getOperand(0) != body.getArgument(0))
    return "its region changes the scores";
  return "";
}

std::string Sdpa::readScale(bool scalesByRoot) {
  if (!scale) {
    if (scalesByRoot)
      factor = float(1 / std::sqrt(double(extentOf(roles.depth))));
    return "";
  }
  TypedAttr number;
  if (!matchPattern(scale, m_Constant(&number)))
    return "its scale is not a constant";
  if (auto elements = dyn_cast<DenseFPElementsAttr>(number))
    number = *elements.value_begin<FloatAttr>();
  auto given = dyn_cast<FloatAttr>(number);
  if (!given || !std::isfinite(float(given.getValueAsDouble())))
    return "its scale is not a finite number";
  factor = float(given.getValueAsDouble());
  return "";
}

/// A mask has all loops of a dimension or none.
std::string Sdpa::readMask() const {
  if (!mask)
    return "";
  Type element = tensorType(mask).getElementType();
  if (isa<FloatType>(element)
          ? !isa<Float32Type, BFloat16Type, Float16Type>(element)
          : !isa<IntegerType>(element))
    return "its mask has elements of " + spelled(element);
  SmallVector<int64_t> heads = roles.headsOf(/*isQuery=*/true);
  const ArrayRef<int64_t> dimensions[] = {roles.images, heads, roles.rows,
                                          roles.keys};
  for (int64_t loop = 0; loop < int64_t(extents.size()); ++loop)
    if (uses(maskMap, loop) &&
        llvm::none_of(dimensions, [&](ArrayRef<int64_t> loops) {
          return has(loops, loop) && llvm::all_of(loops, [&](int64_t other) {
                   return uses(maskMap, other);
                 });
        }))
      return "its mask indexes only part of a split dimension";
  return "";
}

std::string Sdpa::whyNot(bool scalesByRoot) {
  for (const std::string &why : {readRoles(), readTypes()})
    if (!why.empty())
      return why;
  if (std::string why = readScale(scalesByRoot); !why.empty())
    return why;
  return readMask();
}

SmallVector<int64_t> Sdpa::loopsOf(char letter, bool isQuery,
                                   bool isKey) const {
  switch (letter) {
  case 'N':
    return roles.images;
  case 'H':
    return roles.headsOf(isQuery);
  case 'L':
    return isQuery ? roles.rows : roles.keys;
  default:
    return isKey ? roles.depth : roles.valueDepth;
  }
}

/// Adds the letters without loops, dimensions of size 1, where they are in the
/// canonical order.
static void addUnits(std::string &layout) {
  for (auto [letter, before] :
       {std::pair('N', ' '), {'H', 'N'}, {'L', 'H'}, {'D', 'L'}})
    if (!StringRef(layout).contains(letter))
      layout.insert(layout.begin() + (layout.find(before) + 1), letter);
}

/// `value`, whose dimensions are the loops `stored`, with `shape` after these
/// have been brought in the order `wanted`.
Value Sdpa::reordered(Value value, ArrayRef<int64_t> stored,
                      ArrayRef<int64_t> wanted, ArrayRef<int64_t> shape) {
  auto sizesOf = [&](ArrayRef<int64_t> loops) {
    return llvm::map_to_vector(loops,
                               [&](int64_t loop) { return extents[loop]; });
  };
  value = reshapeTo(b, loc, value, sizesOf(stored));
  if (wanted != stored) {
    auto permutation = llvm::map_to_vector(wanted, [&](int64_t loop) {
      return int64_t(llvm::find(stored, loop) - stored.begin());
    });
    value = TransposeOp::create(
        b, loc, tensorType(value).clone(sizesOf(wanted)), value, permutation);
  }
  return reshapeTo(b, loc, value, shape);
}

/// The tensor with one dimension per letter. The layout is that in which its
/// dimensions are stored if the loops of each letter are next to each other;
/// else it is transposed.
Arranged Sdpa::arranged(Value tensor, AffineMap map, bool isQuery, bool isKey) {
  const SmallVector<int64_t> stored = fromlinalg::loopsOf(map);
  // Loops of a letter in order of where they are stored.
  std::string layout;
  SmallVector<int64_t> wanted;
  for (int64_t loop : stored)
    for (char letter : StringRef("NHLD"))
      if (!StringRef(layout).contains(letter) &&
          has(loopsOf(letter, isQuery, isKey), loop)) {
        layout += letter;
        llvm::append_range(wanted, loopsOf(letter, isQuery, isKey));
      }
  // Letters without a loop get a dimension of size 1.
  addUnits(layout);
  SmallVector<int64_t> shape;
  for (char letter : layout)
    shape.push_back(extentOf(loopsOf(letter, isQuery, isKey)));
  return {reordered(tensor, stored, wanted, shape), layout};
}

/// The mask in canonical order, i1 if it is of integers.
Value Sdpa::arrangedMask() {
  if (!mask)
    return {};
  SmallVector<int64_t> wanted, shape;
  for (char letter : StringRef("NHLS")) {
    SmallVector<int64_t> loops =
        letter == 'S' ? roles.keys
                      : loopsOf(letter, /*isQuery=*/true, /*isKey=*/true);
    // A mask may lack a letter: it is broadcast along it. It cannot have a part
    // of one.
    const bool isGiven =
        !loops.empty() &&
        llvm::all_of(loops, [&](int64_t loop) { return uses(maskMap, loop); });
    if (isGiven)
      llvm::append_range(wanted, loops);
    shape.push_back(isGiven ? extentOf(loops) : 1);
  }
  Value arranged = reordered(mask, fromlinalg::loopsOf(maskMap), wanted, shape);
  Type element = tensorType(arranged).getElementType();
  if (isa<FloatType>(element) || element.isInteger(1))
    return arranged;
  // Bytes: the lowest bit says whether the score stays.
  AffineMap all = b.getMultiDimIdentityMap(unsigned(shape.size()));
  Value empty = tensor::EmptyOp::create(b, loc, shape, b.getI1Type());
  return createNest(b, loc, {{arranged, all}}, {{empty, all}}, {},
                    [&](IndexBuilder &inner, ValueRange elements) {
                      return SmallVector<Value>{arith::TruncIOp::create(
                          inner.b, loc, b.getI1Type(), elements[0])};
                    })
      .front();
}

/// The output in the order of the result.
Value Sdpa::restored(Value output, StringRef layout) {
  SmallVector<int64_t> made;
  for (char letter : layout)
    llvm::append_range(made, loopsOf(letter, /*isQuery=*/true,
                                     /*isKey=*/false));
  return reordered(output, made, fromlinalg::loopsOf(resultMap),
                   op.resultType(0).getShape());
}

Value Sdpa::build() {
  const Arranged q = arranged(op.inputs[0], queryMap, true, true);
  const Arranged k = arranged(op.inputs[1], keyMap, false, true);
  const Arranged v = arranged(op.inputs[2], valueMap, false, false);
  // The result is written in the order in which its loops first appear.
  std::string layout;
  for (int64_t loop : fromlinalg::loopsOf(resultMap))
    for (char letter : StringRef("NHLD"))
      if (!StringRef(layout).contains(letter) &&
          has(loopsOf(letter, true, false), loop))
        layout += letter;
  addUnits(layout);
  SdpaOperands operands;
  operands.query = q.value;
  operands.key = k.value;
  operands.value = v.value;
  operands.mask = arrangedMask();
  SdpaOp::Properties properties;
  properties.scale = b.getF32FloatAttr(factor);
  // The canonical layout is the default, which is not written.
  auto layoutOf = [&](StringRef given) {
    return given == canonicalAttentionLayout(4) ? StringAttr()
                                                : b.getStringAttr(given);
  };
  properties.query_layout = layoutOf(q.layout);
  properties.key_layout = layoutOf(k.layout);
  properties.value_layout = layoutOf(v.layout);
  properties.output_layout = layoutOf(layout);
  auto sdpa = SdpaOp::create(b, loc, operands, properties);
  return restored(sdpa.getOutput(), layout);
}

std::optional<Value> fromlinalg::buildSdpa(OpBuilder &b, const ExtOp &op,
                                           ArrayRef<AffineMap> maps,
                                           bool scalesByRoot,
                                           std::string &whyNot) {
  Sdpa sdpa(b, op, maps);
  whyNot = sdpa.whyNot(scalesByRoot);
  if (!whyNot.empty())
    return std::nullopt;
  return sdpa.build();
}
