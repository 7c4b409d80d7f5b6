// Tables of the scalar operations a TPC kernel may have.
#include "KernelScalars.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::reference;
using ::gaudi::kernel::OpFamily;

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
  for (size_t i = 0; i < ::gaudi::kernel::opcodeCount; ++i) {
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

BinaryFloat reference::findFloatCombiner(KernelReduce kind) {
  switch (kind) {
  case KernelReduce::Add:
    return addFloat;
  case KernelReduce::Mul:
    return mulFloat;
  case KernelReduce::Max:
    return maxFloat;
  case KernelReduce::Min:
    return minFloat;
  case KernelReduce::MaxNum:
    return maxNumFloat;
  case KernelReduce::MinNum:
    return minNumFloat;
  default:
    return nullptr;
  }
}

BinaryInt reference::findIntCombiner(KernelReduce kind) {
  switch (kind) {
  case KernelReduce::Add:
    return {addInt, false};
  case KernelReduce::Mul:
    return {mulInt, false};
  case KernelReduce::Max:
  case KernelReduce::MaxNum:
    return {maxInt, false};
  case KernelReduce::Min:
  case KernelReduce::MinNum:
    return {minInt, false};
  case KernelReduce::MaxU:
    return {maxInt, true};
  case KernelReduce::MinU:
    return {minInt, true};
  case KernelReduce::And:
    return {andInt, false};
  case KernelReduce::Or:
    return {orInt, false};
  case KernelReduce::Xor:
    return {xorInt, false};
  default:
    return {};
  }
}

bool reference::compareFloats(arith::CmpFPredicate predicate, double a,
                              double b) {
  using P = arith::CmpFPredicate;
  const bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return !unordered && a != b;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return unordered || a == b;
  case P::UGT:
    return unordered || a > b;
  case P::UGE:
    return unordered || a >= b;
  case P::ULT:
    return unordered || a < b;
  case P::ULE:
    return unordered || a <= b;
  case P::UNE:
    return unordered || a != b;
  case P::UNO:
    return unordered;
  case P::AlwaysTrue:
    return true;
  }
  llvm_unreachable("every predicate is listed");
}

bool reference::compareInts(arith::CmpIPredicate predicate, int64_t a,
                            int64_t b, IntKind kind) {
  using P = arith::CmpIPredicate;
  const int64_t sa = kind.asSigned(a), sb = kind.asSigned(b);
  const uint64_t ua = kind.bits(a), ub = kind.bits(b);
  switch (predicate) {
  case P::eq:
    return ua == ub;
  case P::ne:
    return ua != ub;
  case P::slt:
    return sa < sb;
  case P::sle:
    return sa <= sb;
  case P::sgt:
    return sa > sb;
  case P::sge:
    return sa >= sb;
  case P::ult:
    return ua < ub;
  case P::ule:
    return ua <= ub;
  case P::ugt:
    return ua > ub;
  case P::uge:
    return ua >= ub;
  }
  llvm_unreachable("every predicate is listed");
}
