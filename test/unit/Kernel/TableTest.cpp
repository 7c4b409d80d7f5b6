// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every row of the kernel language's tables against the recipe's schema.
#include "Gaudi/Kernel/ElementType.h"
#include "Gaudi/Kernel/MatrixKinds.h"
#include "Gaudi/Kernel/Opcodes.h"
#include "Gaudi/Kernel/Reduce.h"
#include "Gaudi/Recipe/Recipe_generated.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace gaudi::kernel;
namespace recipe = gaudi::recipe;

namespace {

TEST(Opcodes, AreTheSchemasByNumberAndName) {
  ASSERT_EQ(opcodeCount, size_t(recipe::Op::MAX) + 1);
  for (size_t i = 0; i < opcodeCount; ++i)
    EXPECT_EQ(nameOf(Opcode(i)), recipe::EnumNamesOp()[i]);
}

/// What the enumerator's name says: its letter F or I at the end.
TEST(Opcodes, FamiliesFitTheNames) {
  for (size_t i = 0; i < opcodeCount; ++i) {
    const Opcode op = Opcode(i);
    const std::string name(nameOf(op));
    SCOPED_TRACE(name);
    const OpFamily family = familyOf(op);
    EXPECT_NE(family, OpFamily::Unknown);
    const bool floats = family == OpFamily::Float1 ||
                        family == OpFamily::Float2 ||
                        family == OpFamily::Float3;
    if (floats)
      EXPECT_EQ(name.back(), 'F');
    if (name.back() == 'F' && name != "CmpF" && name != "BitcastIF")
      EXPECT_TRUE(floats);
  }
}

TEST(Opcodes, OperandsByFamily) {
  EXPECT_EQ(valueOperands(Opcode::Const), 0u);
  EXPECT_EQ(valueOperands(Opcode::Index), 0u);
  EXPECT_EQ(valueOperands(Opcode::Load), 0u);
  EXPECT_EQ(valueOperands(Opcode::Carry), 0u);
  EXPECT_EQ(valueOperands(Opcode::NegF), 1u);
  EXPECT_EQ(valueOperands(Opcode::CopySignF), 2u);
  EXPECT_EQ(valueOperands(Opcode::FmaF), 3u);
  EXPECT_EQ(valueOperands(Opcode::MulHUI), 2u);
  EXPECT_EQ(valueOperands(Opcode::Clz), 1u);
  EXPECT_EQ(valueOperands(Opcode::Xor), 2u);
  EXPECT_EQ(valueOperands(Opcode::CmpI), 2u);
  EXPECT_EQ(valueOperands(Opcode::Select), 3u);
  EXPECT_EQ(valueOperands(Opcode::TruncI), 1u);
  EXPECT_EQ(valueOperands(Opcode::BitcastIF), 1u);
}

TEST(Opcodes, ConversionsChangeTheType) {
  std::set<std::string> names;
  for (size_t i = 0; i < opcodeCount; ++i)
    if (isConversion(familyOf(Opcode(i))))
      names.emplace(nameOf(Opcode(i)));
  EXPECT_EQ(names,
            (std::set<std::string>{"FloatToSI", "FloatToUI", "SIToFloat",
                                   "UIToFloat", "ExtSI", "ExtUI", "TruncI",
                                   "RoundTo", "BitcastFI", "BitcastIF"}));
}

TEST(Opcodes, Cost) {
  EXPECT_EQ(instructionCount(Opcode::Const), 0u);
  EXPECT_EQ(instructionCount(Opcode::Load), 1u);
  EXPECT_EQ(instructionCount(Opcode::AddF), 1u);
  EXPECT_EQ(instructionCount(Opcode::RsqrtF), 4u);
  EXPECT_EQ(instructionCount(Opcode::PowF), 8u);
}

TEST(Opcodes, NumbersBeyondTheTableHaveNoFamily) {
  const Opcode beyond = Opcode(opcodeCount);
  EXPECT_FALSE(isValid(beyond));
  EXPECT_EQ(familyOf(beyond), OpFamily::Unknown);
  EXPECT_EQ(valueOperands(beyond), 0u);
  EXPECT_EQ(nameOf(beyond), "?");
}

/// Columns that say nothing in this room: no name stands twice where one row
/// could be meant for the other.
TEST(Opcodes, ColumnsNameEachThingOnce) {
  std::multiset<std::string> ops, functions, floatOps, intOps;
#define GAUDI_OPCODE(name, family, cost, mlirOp, hostFunction, floatOp, intOp) \
  ops.insert(#mlirOp), functions.insert(#hostFunction),                        \
      floatOps.insert(#floatOp), intOps.insert(#intOp);
#include "Gaudi/Kernel/Opcodes.def"
  for (auto *column : {&ops, &functions, &floatOps, &intOps})
    for (const std::string &name : *column)
      if (name != "NONE" && name != "arith::BitcastOp")
        EXPECT_EQ(column->count(name), 1u) << name;
}

TEST(ElementTypes, AreTheSchemasByNumber) {
  ASSERT_EQ(elementTypeCount, size_t(recipe::ElementType::MAX) + 1);
  size_t i = 0;
#define GAUDI_ELEMENT_TYPE(enumerator, ...)                                    \
  EXPECT_STREQ(#enumerator, recipe::EnumNamesElementType()[i]);                \
  EXPECT_EQ(size_t(ElementType::enumerator), i++);
#include "Gaudi/Kernel/ElementTypes.def"
}

TEST(ElementTypes, NamesSizesAndKernelTypes) {
  for (size_t i = 0; i < elementTypeCount; ++i) {
    const ElementType type = ElementType(i);
    EXPECT_EQ(parseElementName(elementName(type)), type);
    EXPECT_GE(elementSize(type), 1u);
    EXPECT_TRUE(isKernelType(kernelType(type)));
    EXPECT_EQ(isFloat(type), kernelType(type) == ElementType::F32);
    if (!isFloat(type))
      EXPECT_EQ(elementSize(kernelType(type)), elementSize(type));
  }
  EXPECT_EQ(elementSize(ElementType::BF16), 2u);
  EXPECT_EQ(elementSize(ElementType(77)), 0u);
  EXPECT_EQ(elementName(ElementType(77)), "?");
  EXPECT_FALSE(isKernelType(ElementType(77)));
  EXPECT_EQ(parseElementName("float"), std::nullopt);
  EXPECT_EQ(kernelType(ElementType::F8E5M2), ElementType::F32);
  EXPECT_EQ(kernelType(ElementType::U16), ElementType::I16);
  EXPECT_EQ(kernelBits(ElementType::I1), 1u);
}

TEST(Reduce, ResultsOfEachKind) {
  static_assert(matchesReduceKind<recipe::ReduceOp>());
  for (size_t i = 0; i < reduceKindCount; ++i) {
    const ReduceKind kind = ReduceKind(i);
    const std::string name = recipe::EnumNamesReduceOp()[i];
    EXPECT_EQ(hasPosition(kind), name == "ArgMax" || name == "ArgMin") << name;
    EXPECT_EQ(resultCount(kind), hasPosition(kind) ? 2u : 1u);
  }
}

TEST(MatrixKinds, RelateTheTensorsOfOneProduct) {
  const std::set<MatrixRole> conv = {MatrixRole::X, MatrixRole::W,
                                     MatrixRole::Y};
  for (size_t i = 0; i < std::size(matrixKindTable); ++i) {
    const MatrixKind kind = MatrixKind(i);
    SCOPED_TRACE(matrixKindTable[i].op);
    EXPECT_EQ(matrixKindOf(matrixKindTable[i].op), kind);
    std::set<MatrixRole> roles;
    for (unsigned tensor : {0, 1, 2}) {
      roles.insert(roleOf(kind, tensor));
      EXPECT_EQ(placeOf(kind, roleOf(kind, tensor)), tensor);
    }
    EXPECT_EQ(roles == conv, isConvolution(kind));
    EXPECT_EQ(roles.size(), 3u);
  }
  EXPECT_EQ(matrixKindOf("gaudi.tpc.add"), std::nullopt);
  EXPECT_EQ(operandName(MatrixKind::ConvInputGrad, 0), "output_grad");
}

} // namespace
