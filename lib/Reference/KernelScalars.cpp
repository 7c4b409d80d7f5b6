// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of the scalar operations a TPC kernel may have.
#include "KernelScalars.h"
#include "Gaudi/Reference/Scalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;
using gaudi::kernel::OpFamily;

namespace {
template <typename Formula> struct Row {
  Opcode op;
  Formula formula;
};

template <typename Formula, size_t count>
constexpr Formula find(const Row<Formula> (&rows)[count], Opcode op) {
  for (const Row<Formula> &row : rows)
    if (row.op == op)
      return row.formula;
  return {};
}

// The formulas are the reference's own, in float64; isComplete() finds a row of
// Opcodes.def that has none.
constexpr Row<UnaryFloat> unaryFloatRows[] = {
    {Opcode::NegF, negFloat},     {Opcode::AbsF, std::fabs},
    {Opcode::CeilF, std::ceil},   {Opcode::FloorF, std::floor},
    {Opcode::RoundF, std::round}, {Opcode::RoundEvenF, std::nearbyint},
    {Opcode::TruncF, std::trunc}, {Opcode::ExpF, std::exp},
    {Opcode::Exp2F, std::exp2},   {Opcode::Expm1F, std::expm1},
    {Opcode::LogF, std::log},     {Opcode::Log2F, std::log2},
    {Opcode::Log10F, std::log10}, {Opcode::Log1pF, std::log1p},
    {Opcode::SqrtF, std::sqrt},   {Opcode::RsqrtF, rsqrtFloat},
    {Opcode::CbrtF, std::cbrt},   {Opcode::SinF, std::sin},
    {Opcode::CosF, std::cos},     {Opcode::TanF, std::tan},
    {Opcode::AsinF, std::asin},   {Opcode::AcosF, std::acos},
    {Opcode::AtanF, std::atan},   {Opcode::SinhF, std::sinh},
    {Opcode::CoshF, std::cosh},   {Opcode::TanhF, std::tanh},
    {Opcode::AsinhF, std::asinh}, {Opcode::AcoshF, std::acosh},
    {Opcode::AtanhF, std::atanh}, {Opcode::ErfF, std::erf},
    {Opcode::ErfcF, std::erfc}};
constexpr Row<BinaryFloat> binaryFloatRows[] = {
    {Opcode::AddF, addFloat},       {Opcode::SubF, subFloat},
    {Opcode::MulF, mulFloat},       {Opcode::DivF, divFloat},
    {Opcode::RemF, std::fmod},      {Opcode::MaxF, maxFloat},
    {Opcode::MinF, minFloat},       {Opcode::MaxNumF, maxNumFloat},
    {Opcode::MinNumF, minNumFloat}, {Opcode::PowF, std::pow},
    {Opcode::Atan2F, std::atan2},   {Opcode::CopySignF, std::copysign}};
constexpr Row<UnaryInt> unaryIntRows[] = {{Opcode::Clz, clzInt},
                                          {Opcode::Ctz, ctzInt},
                                          {Opcode::Popcount, popcountInt},
                                          {Opcode::AbsI, absInt}};
constexpr Row<BinaryInt> binaryIntRows[] = {
    {Opcode::AddI, {addInt, false}},
    {Opcode::SubI, {subInt, false}},
    {Opcode::MulI, {mulInt, false}},
    {Opcode::DivSI, {divInt, false}},
    {Opcode::DivUI, {divInt, true}},
    {Opcode::RemSI, {remInt, false}},
    {Opcode::RemUI, {remInt, true}},
    {Opcode::MaxSI, {maxInt, false}},
    {Opcode::MaxUI, {maxInt, true}},
    {Opcode::MinSI, {minInt, false}},
    {Opcode::MinUI, {minInt, true}},
    {Opcode::And, {andInt, false}},
    {Opcode::Or, {orInt, false}},
    {Opcode::Xor, {xorInt, false}},
    {Opcode::Shl, {shlInt, false}},
    {Opcode::ShrSI, {shrSignedInt, false}},
    {Opcode::ShrUI, {shrUnsignedInt, true}}};

/// True if every opcode has the formula that its family asks for, and only
/// that. The high halves of products are the second results of their ops.
constexpr bool isComplete() {
  for (size_t i = 0; i < gaudi::kernel::opcodeCount; ++i) {
    const Opcode op = Opcode(i);
    const OpFamily family = familyOf(op);
    const bool isHighHalf = op == Opcode::MulHSI || op == Opcode::MulHUI;
    if ((find(unaryFloatRows, op) != nullptr) != (family == OpFamily::Float1) ||
        (find(binaryFloatRows, op) != nullptr) !=
            (family == OpFamily::Float2) ||
        (find(unaryIntRows, op) != nullptr) != (family == OpFamily::Int1) ||
        (find(binaryIntRows, op).formula != nullptr) !=
            ((family == OpFamily::Int2 || family == OpFamily::Logic2) &&
             !isHighHalf))
      return false;
  }
  return true;
}
static_assert(isComplete(), "a row of Opcodes.def has no reference formula");
} // namespace

UnaryFloat reference::unaryFloatOf(Opcode op) {
  return find(unaryFloatRows, op);
}
BinaryFloat reference::binaryFloatOf(Opcode op) {
  return find(binaryFloatRows, op);
}
UnaryInt reference::unaryIntOf(Opcode op) { return find(unaryIntRows, op); }
BinaryInt reference::binaryIntOf(Opcode op) { return find(binaryIntRows, op); }

namespace {
/// How each reduction combines; null where a type does not have it. Positional
/// and custom reductions have no row.
constexpr struct {
  KernelReduce kind;
  BinaryFloat floats;
  BinaryInt ints;
} combiners[] = {{KernelReduce::Add, addFloat, {addInt, false}},
                 {KernelReduce::Mul, mulFloat, {mulInt, false}},
                 {KernelReduce::Max, maxFloat, {maxInt, false}},
                 {KernelReduce::Min, minFloat, {minInt, false}},
                 {KernelReduce::MaxNum, maxNumFloat, {maxInt, false}},
                 {KernelReduce::MinNum, minNumFloat, {minInt, false}},
                 {KernelReduce::MaxU, nullptr, {maxInt, true}},
                 {KernelReduce::MinU, nullptr, {minInt, true}},
                 {KernelReduce::And, nullptr, {andInt, false}},
                 {KernelReduce::Or, nullptr, {orInt, false}},
                 {KernelReduce::Xor, nullptr, {xorInt, false}}};
} // namespace

BinaryFloat reference::findFloatCombiner(KernelReduce kind) {
  for (const auto &row : combiners)
    if (row.kind == kind)
      return row.floats;
  return nullptr;
}

BinaryInt reference::findIntCombiner(KernelReduce kind) {
  for (const auto &row : combiners)
    if (row.kind == kind)
      return row.ints;
  return {};
}

std::optional<double> reference::evaluateFloats(Opcode op, ArrayRef<double> x) {
  if (UnaryFloat formula = unaryFloatOf(op))
    return formula(x[0]);
  if (BinaryFloat formula = binaryFloatOf(op))
    return formula(x[0], x[1]);
  if (op == Opcode::RoundTo)
    return x[0];
  return op == Opcode::Select ? std::optional(x[0] != 0 ? x[1] : x[2])
                              : std::nullopt;
}

/// How integers of the type are kept; an index has 64 bits.
static IntKind kindOf(Type type) {
  return isa_and_nonnull<IntegerType>(type) ? kernelKind(type)
                                            : IntKind{64, false};
}

template <typename Attr> static auto predicateOf(Attribute attrs) {
  return cast<Attr>(cast<DictionaryAttr>(attrs).get("predicate")).getValue();
}

/// A comparison or conversion of integers.
static std::optional<double> evaluateInteger(Opcode op, Attribute attrs,
                                             ArrayRef<double> x, Type from,
                                             Type to) {
  switch (op) {
  case Opcode::CmpI: {
    const IntKind kind = kindOf(from);
    return arith::applyCmpPredicate(
        predicateOf<arith::CmpIPredicateAttr>(attrs),
        APInt(kind.width, kind.bits(int64_t(x[0]))),
        APInt(kind.width, kind.bits(int64_t(x[1]))));
  }
  case Opcode::SIToFloat:
    return kindOf(from).asSigned(int64_t(x[0]));
  case Opcode::UIToFloat:
    return double(kindOf(from).bits(int64_t(x[0])));
  case Opcode::ExtSI:
    return kindOf(to).wrap(kindOf(from).asSigned(int64_t(x[0])));
  case Opcode::ExtUI:
    return kindOf(to).wrap(kindOf(from).bits(int64_t(x[0])));
  case Opcode::TruncI:
    return kindOf(to).wrap(int64_t(x[0]));
  default:
    return std::nullopt;
  }
}

std::optional<double> reference::evaluateScalar(OperationName name,
                                                Attribute attrs,
                                                ArrayRef<double> x, Type from,
                                                Type to) {
  if (name.getTypeID() == TypeID::get<arith::ExtFOp>())
    return x[0];
  const std::optional<Opcode> op = opcodeOf(name);
  if (!op)
    return std::nullopt;
  if (std::optional<double> result = evaluateFloats(*op, x))
    return result;
  if (*op == Opcode::CmpF)
    return arith::applyCmpPredicate(
        predicateOf<arith::CmpFPredicateAttr>(attrs), APFloat(x[0]),
        APFloat(x[1]));
  // Beyond this, not all whole numbers are floats.
  if (!llvm::all_of(x, [](double i) { return std::fabs(i) < 0x1p53; }))
    return std::nullopt;
  if (UnaryInt formula = unaryIntOf(*op))
    return double(formula(int64_t(x[0]), kindOf(to)));
  // Operands are read as the operation says, its result is kept as the type.
  if (BinaryInt binary = binaryIntOf(*op); binary.formula) {
    const IntKind kind = kindOf(to), read{kind.width, binary.asUnsigned};
    return double(kind.wrap(binary.formula(read.wrap(int64_t(x[0])),
                                           read.wrap(int64_t(x[1])), read)));
  }
  return evaluateInteger(*op, attrs, x, from, to);
}
