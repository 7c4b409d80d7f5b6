// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of rules of StableHLO, MHLO and CHLO ops.
#include "Gaudi/Conversion/Stablehlo.h"
#include "HloShapes.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace gaudi;

namespace {
using RuleTable = llvm::StringMap<LogicalResult (*)(HloShapeRule &)>;
} // namespace

template <LogicalResult (HloShapeRule::*method)()>
static LogicalResult call(HloShapeRule &rule) {
  return (rule.*method)();
}
template <unsigned number>
static LogicalResult callShapeOperand(HloShapeRule &rule) {
  return rule.shapeOperand(number);
}

/// Ops whose results have the sizes of all operands of their rank.
static constexpr StringLiteral elementwiseNames[] = {
    "abs",        "add",
    "and",        "atan2",
    "cbrt",       "ceil",
    "clamp",      "compare",
    "convert",    "copy",
    "cosine",     "count_leading_zeros",
    "divide",     "exponential",
    "floor",      "exponential_minus_one",
    "is_finite",  "log",
    "logistic",   "log_plus_one",
    "map",        "maximum",
    "minimum",    "multiply",
    "negate",     "not",
    "or",         "popcnt",
    "power",      "reduce_precision",
    "remainder",  "round_nearest_afz",
    "rsqrt",      "round_nearest_even",
    "select",     "shift_left",
    "sign",       "shift_right_arithmetic",
    "sine",       "shift_right_logical",
    "sqrt",       "subtract",
    "tan",        "tanh",
    "xor",        "bitcast_convert",
    "next_after", "zeta",
    "polygamma",  "constant_like",
    "acos",       "acosh",
    "asin",       "asinh",
    "atan",       "atanh",
    "bessel_i1e", "conj",
    "cosh",       "digamma",
    "erf",        "erfc",
    "erf_inv",    "lgamma",
    "is_inf",     "is_neg_inf",
    "is_pos_inf", "sinh",
    "square"};

static RuleTable makeTable() {
  RuleTable table;
  for (StringRef name : elementwiseNames)
    table[name] = call<&HloShapeRule::elementwise>;
  // What follows the first operand may have another shape.
  for (StringRef name :
       {"batch_norm_inference", "cholesky", "dynamic_update_slice",
        "optimization_barrier", "reverse", "scatter", "select_and_scatter",
        "sharding_constraint", "sort"})
    table[name] = call<&HloShapeRule::likeOperand>;
  table["constant"] = call<&HloShapeRule::constant>;
  table["dynamic_iota"] = callShapeOperand<0>;
  table["dynamic_broadcast_in_dim"] = callShapeOperand<1>;
  table["rng"] = callShapeOperand<2>;
  table["dynamic_reshape"] = call<&HloShapeRule::dynamicReshape>;
  table["reshape"] = call<&HloShapeRule::reshape>;
  table["broadcast_in_dim"] = call<&HloShapeRule::broadcastInDim>;
  table["transpose"] = call<&HloShapeRule::transpose>;
  table["concatenate"] = call<&HloShapeRule::concatenate>;
  table["pad"] = call<&HloShapeRule::pad>;
  table["dynamic_pad"] = call<&HloShapeRule::dynamicPad>;
  table["slice"] = call<&HloShapeRule::slice>;
  table["dynamic_slice"] = call<&HloShapeRule::dynamicSlice>;
  table["real_dynamic_slice"] = call<&HloShapeRule::realDynamicSlice>;
  table["get_dimension_size"] = call<&HloShapeRule::dimensionSize>;
  table["set_dimension_size"] = call<&HloShapeRule::setDimensionSize>;
  table["dot_general"] = call<&HloShapeRule::dotGeneral>;
  table["dot"] = call<&HloShapeRule::dot>;
  table["convolution"] = call<&HloShapeRule::convolution>;
  table["dynamic_conv"] = call<&HloShapeRule::convolution>;
  table["reduce"] = call<&HloShapeRule::reduce>;
  table["reduce_window"] = call<&HloShapeRule::reduceWindow>;
  table["dynamic_reduce_window"] = call<&HloShapeRule::reduceWindow>;
  table["gather"] = call<&HloShapeRule::gather>;
  table["dynamic_gather"] = call<&HloShapeRule::gather>;
  table["torch_index_select"] = call<&HloShapeRule::indexSelect>;
  table["top_k"] = call<&HloShapeRule::topK>;
  table["batch_norm_training"] = call<&HloShapeRule::batchNorm>;
  table["batch_norm_grad"] = call<&HloShapeRule::batchNorm>;
  for (StringRef name : {"while", "if", "case"})
    table[name] = call<&HloShapeRule::controlFlow>;
  table["custom_call"] = call<&HloShapeRule::customCall>;
  return table;
}

LogicalResult gaudi::inferStablehlo(Operation *op, SymbolicShapes &shapes) {
  static const RuleTable table = makeTable();
  auto it = table.find(op->getName().stripDialect());
  if (it == table.end())
    return success();
  HloShapeRule rule(op, shapes);
  return it->second(rule);
}

bool gaudi::isElementwiseHloName(StringRef name) {
  return llvm::is_contained(elementwiseNames, name);
}

bool gaudi::isElementwiseHlo(Operation *op) {
  return isStablehlo(op->getName()) &&
         isElementwiseHloName(op->getName().stripDialect());
}
