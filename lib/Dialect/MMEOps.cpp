// Matrix-engine ops: verifiers, cost, and how they absorb permutations and
// padding of their operands.
#include "Checks.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::gaudi;

//===----------------------------------------------------------------------===//
// Gemm
//===----------------------------------------------------------------------===//

Engine GemmOp::getEngine() { return Engine::MME; }

int64_t GemmOp::getArithmeticOps() {
  auto lhs = tensorType(getLhs());
  int64_t k = lhs.getDimSize(lhs.getRank() - (getTransposeA() ? 2 : 1));
  return 2 * k * elementCount(getResult());
}

LogicalResult GemmOp::verify() {
  auto lhs = tensorType(getLhs()), rhs = tensorType(getRhs());
  auto result = getType();
  int64_t rank = result.getRank();
  if (lhs.getElementType() != rhs.getElementType())
    return failAt(emitOpError("rhs has element type ")
                      << rhs.getElementType() << " but lhs has "
                      << lhs.getElementType(),
                  getLhs(), "lhs");
  if (rank < 2 || lhs.getRank() != rank || rhs.getRank() != rank)
    return emitOpError("lhs ") << lhs << ", rhs " << rhs << " and result "
                               << result << " must have one rank of 2 or more";
  int64_t m = lhs.getDimSize(rank - (getTransposeA() ? 1 : 2));
  int64_t ka = lhs.getDimSize(rank - (getTransposeA() ? 2 : 1));
  int64_t kb = rhs.getDimSize(rank - (getTransposeB() ? 1 : 2));
  int64_t n = rhs.getDimSize(rank - (getTransposeB() ? 2 : 1));
  if (ka != kb)
    return failAt(emitOpError("common dimension is ")
                      << kb << " in rhs " << rhs << " but " << ka << " in lhs "
                      << lhs,
                  getLhs(), "lhs");
  if (result.getDimSize(rank - 2) != m || result.getDimSize(rank - 1) != n)
    return emitOpError("result ") << result << " must end in " << m << "x" << n;
  for (int64_t i = 0; i + 2 < rank; ++i)
    for (auto [name, operand] :
         {std::pair("lhs", getLhs()), std::pair("rhs", getRhs())}) {
      int64_t size = tensorType(operand).getDimSize(i);
      if (size != result.getDimSize(i) && size != 1)
        return failAt(emitOpError("batch dimension ")
                          << i << " has size " << size << " in " << name
                          << " but " << result.getDimSize(i)
                          << " in the result",
                      operand, name);
    }
  return success();
}

bool GemmOp::canAbsorbPermutation(OpOperand &, ArrayRef<int64_t> permutation) {
  // Only an exchange of the two matrix dimensions is a transpose flag.
  int64_t rank = permutation.size();
  for (int64_t i = 0; i + 2 < rank; ++i)
    if (permutation[i] != i)
      return false;
  return permutation[rank - 2] == rank - 1;
}

void GemmOp::absorbPermutation(OpOperand &operand, ArrayRef<int64_t>) {
  if (operand.getOperandNumber() == 0)
    setTransposeA(!getTransposeA());
  else
    setTransposeB(!getTransposeB());
}

//===----------------------------------------------------------------------===//
// Conv
//===----------------------------------------------------------------------===//

Engine ConvOp::getEngine() { return Engine::MME; }

int64_t ConvOp::getArithmeticOps() {
  // Each element of y (of x, when transposed) is one dot product with a filter.
  auto filter = tensorType(getFilter());
  size_t channels = getFilterLayout().find('O');
  int64_t perPoint = filter.getNumElements() /
                     std::max<int64_t>(filter.getDimSize(channels), 1);
  return 2 * perPoint *
         elementCount(getTransposed() ? getInput() : getResult());
}

/// Sizes of a tensor in the order of `letters`, where `layout` names its
/// dimensions in stored order.
static SmallVector<int64_t> sizesOf(RankedTensorType type, StringRef layout,
                                    StringRef letters) {
  SmallVector<int64_t> sizes;
  for (char letter : letters)
    sizes.push_back(type.getDimSize(layout.find(letter)));
  return sizes;
}

LogicalResult ConvOp::verify() {
  auto input = tensorType(getInput()), filter = tensorType(getFilter());
  auto result = getType();
  if (input.getElementType() != filter.getElementType())
    return failAt(emitOpError("filter has element type ")
                      << filter.getElementType() << " but input has "
                      << input.getElementType(),
                  getInput(), "input");
  int64_t spatial = input.getRank() - 2;
  if (spatial < 1 || spatial > 3 || filter.getRank() != spatial + 2 ||
      result.getRank() != spatial + 2)
    return emitOpError("input ")
           << input << ", filter " << filter << " and result " << result
           << " must have one rank of 3, 4 or 5";
  StringRef letters = spatialLetters(spatial);
  std::string activation = ("NC" + letters).str();
  std::string weight = ("OI" + letters).str();
  for (const auto &[what, layout, expected] :
       {std::tuple("input", getInputLayout(), activation),
        std::tuple("filter", getFilterLayout(), weight),
        std::tuple("output", getOutputLayout(), activation)})
    if (!isLayoutOf(layout, expected))
      return emitOpError() << what << " layout \"" << layout
                           << "\" must name each of \"" << expected
                           << "\" once";
  for (auto [what, values, least] : {std::tuple("strides", getStrides(), 1),
                                     std::tuple("dilations", getDilations(), 1),
                                     std::tuple("pad_low", getPadLow(), 0),
                                     std::tuple("pad_high", getPadHigh(), 0)})
    if (failed(verifyWindowEntries(*this, what, values, least, spatial)))
      return failure();
  auto x = sizesOf(input, getInputLayout(), activation);
  auto w = sizesOf(filter, getFilterLayout(), weight);
  auto y = sizesOf(result, getOutputLayout(), activation);
  int64_t groups = getGroups();
  if (groups < 1 || x[1] % groups != 0 || y[1] % groups != 0)
    return failAt(emitOpError("groups ")
                      << groups << " must divide the " << x[1]
                      << " input and the " << y[1] << " output channels",
                  getInput(), "input");
  int64_t out = getTransposed() ? x[1] : y[1];
  int64_t in = getTransposed() ? y[1] : x[1];
  if (w[0] != out || w[1] != in / groups)
    return failAt(emitOpError("filter has O = ")
                      << w[0] << " and I = " << w[1] << "; expected O = " << out
                      << " and I = " << in / groups << " for " << groups
                      << " groups",
                  getFilter(), "filter");
  if (x[0] != y[0])
    return failAt(emitOpError("result has batch ")
                      << y[0] << " but the input has " << x[0],
                  getInput(), "input");
  for (int64_t i = 0; i < spatial; ++i) {
    int64_t reach = lastPosition(1, w[2 + i], getDilations()[i]);
    int64_t pads = getPadLow()[i] + getPadHigh()[i];
    if (getTransposed()) {
      int64_t expected =
          saturatingAdd(lastPosition(reach, x[2 + i], getStrides()[i]), -pads);
      if (y[2 + i] != expected)
        return failAt(emitOpError("result size of ")
                          << letters[i] << " is " << y[2 + i] << "; expected "
                          << expected,
                      getInput(), "input");
      continue;
    }
    int64_t room = saturatingAdd(x[2 + i], pads - reach);
    int64_t expected = room < 0 ? 0 : room / getStrides()[i] + 1;
    if (y[2 + i] != expected)
      return failAt(emitOpError("result size of ")
                        << letters[i] << " is " << y[2 + i] << "; expected "
                        << expected << " from input size " << x[2 + i]
                        << ", pads " << pads << ", window " << reach
                        << " and stride " << getStrides()[i],
                    getInput(), "input");
  }
  return success();
}

bool ConvOp::canAbsorbPermutation(OpOperand &operand, ArrayRef<int64_t>) {
  // The engine reorders the filter in any case. The order of the activations
  // matters for speed, so the fusion pass decides about their transposes.
  return operand.getOperandNumber() == 1;
}

void ConvOp::absorbPermutation(OpOperand &, ArrayRef<int64_t> permutation) {
  std::string layout(permutation.size(), ' ');
  for (auto [i, dim] : llvm::enumerate(permutation))
    layout[dim] = getFilterLayout()[i];
  setFilterLayout(layout);
}

bool ConvOp::canAbsorbPadding(OpOperand &operand, ArrayRef<int64_t> low,
                              ArrayRef<int64_t> high, TypedAttr value) {
  return operand.getOperandNumber() == 0 && !getTransposed() &&
         matchPattern(value, m_AnyZeroFloat()) &&
         canAddPadding(*this, getInputLayout(), low, high);
}

void ConvOp::absorbPadding(OpOperand &, ArrayRef<int64_t> low,
                           ArrayRef<int64_t> high) {
  addPadding(*this, getInputLayout(), low, high);
}
