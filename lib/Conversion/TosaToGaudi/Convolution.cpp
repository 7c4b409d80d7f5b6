// TOSA matrix products and convolutions: floats to the matrix engine, integers
// to kernels.
#include "Products.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::gaudi;

static void remarkOnTpc(Operation *op) {
  remark::missed(
      op->getLoc(),
      remark::RemarkOpts::name("MatrixEngine").category("convert-tosa"))
      << "integer product placed on the TPC: the MME multiplies floats only";
}

static LogicalResult checkProduct(Operation *op, Type lhs, Type rhs,
                                  Type result, TosaConverter &c) {
  bool isFloat = isFloatElement(lhs);
  if (isFloatElement(rhs) == isFloat && isFloatElement(result) == isFloat &&
      !lhs.isInteger(1) && !rhs.isInteger(1) && !result.isInteger(1))
    return success();
  std::string text;
  llvm::raw_string_ostream(text)
      << "expected operands and result to be all floats or all integers but "
         "got '"
      << lhs << "', '" << rhs << "' and '" << result << "'";
  return c.fail(op, text);
}

static FailureOr<Value> convertMatMul(tosa::MatMulOp op, TosaConverter &c) {
  Type a = getElementTypeOrSelf(op.getA()), b = getElementTypeOrSelf(op.getB());
  Type type = getElementTypeOrSelf(op.getOutput());
  if (failed(checkProduct(op, a, b, type, c)))
    return failure();
  if (!isFloatElement(a)) {
    FailureOr<Value> product = convertIntegerMatMul(op, c);
    if (succeeded(product))
      remarkOnTpc(op);
    return product;
  }
  if (failed(c.zeroPoint(op, op.getAZp(), "a_zp")) ||
      failed(c.zeroPoint(op, op.getBZp(), "b_zp")))
    return failure();
  return GemmOp::create(c.builder, op.getLoc(), op.getOutput().getType(),
                        op.getA(), op.getB(), /*transpose_a=*/false,
                        /*transpose_b=*/false)
      .getResult();
}

/// Adds the bias, one number per channel or one for all, unless it is zero.
static Value addBias(const ConvProblem &conv, Value product, TosaConverter &c) {
  if (isZeroConstant(conv.bias))
    return product;
  Location loc = conv.op->getLoc();
  Value bias = c.withRank(loc, conv.bias, conv.result.getRank());
  bias = c.castTo(loc, bias, conv.result.getElementType());
  return AddOp::create(c.builder, loc, conv.result, product, bias);
}

/// A border of zeros around `value` where a transposed convolution leaves
/// rows and columns that no input reaches.
static Value addBorder(const ConvProblem &conv, Value value,
                       ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                       TosaConverter &c) {
  SmallVector<int64_t> before{0}, after{0};
  llvm::append_range(before, low);
  llvm::append_range(after, high);
  before.push_back(0);
  after.push_back(0);
  TypedAttr zero = c.builder.getZeroAttr(conv.result.getElementType());
  return PadOp::create(c.builder, conv.op->getLoc(), conv.result,
                       PadMode::Constant, value, before, after, zero);
}

static FailureOr<Value> convertFloatConv(const ConvProblem &conv,
                                         TosaConverter &c) {
  if (failed(c.zeroPoint(conv.op, conv.inputZp, "input_zp")) ||
      failed(c.zeroPoint(conv.op, conv.weightZp, "weight_zp")))
    return failure();
  Location loc = conv.op->getLoc();
  bool is3d = conv.window.size() == 3;
  StringRef data = is3d ? "NDHWC" : "NHWC";
  StringRef filter = is3d ? "ODHWI" : "OHWI";
  Value weight = conv.weight;
  int64_t groups = 1;
  if (conv.form == ConvForm::Depthwise) {
    ArrayRef<int64_t> shape = tensorType(weight).getShape();
    weight =
        c.reshape(loc, weight, {shape[0], shape[1], 1, shape[2] * shape[3]});
    filter = "HWIO";
    groups = shape[2];
  }
  // The gradient form names the dimensions of the forward convolution, whose
  // input is our result.
  bool transposed = conv.form == ConvForm::Transposed;
  if (transposed)
    filter = "IHWO";

  SmallVector<int64_t> strides, dilations, low, high, borderLow, borderHigh;
  SmallVector<int64_t> shape(conv.result.getShape());
  bool hasBorder = false;
  for (auto [i, dim] : llvm::enumerate(conv.window)) {
    strides.push_back(dim.stride);
    dilations.push_back(dim.dilation);
    low.push_back(transposed ? std::max<int64_t>(dim.padLow, 0) : dim.padLow);
    high.push_back(transposed ? std::max<int64_t>(conv.padHigh[i], 0)
                              : conv.padHigh[i]);
    borderLow.push_back(low.back() - dim.padLow);
    borderHigh.push_back(high.back() - conv.padHigh[i]);
    shape[i + 1] -= borderLow.back() + borderHigh.back();
    hasBorder |= borderLow.back() != 0 || borderHigh.back() != 0;
  }
  Value product = ConvOp::create(
      c.builder, loc, conv.result.clone(shape), conv.input, weight, data,
      filter, data, strides, dilations, low, high, groups, transposed);
  if (hasBorder)
    product = addBorder(conv, product, borderLow, borderHigh, c);
  return addBias(conv, product, c);
}

static FailureOr<Value> convertConv(const ConvProblem &conv, TosaConverter &c) {
  if (failed(checkProduct(conv.op, getElementTypeOrSelf(conv.input),
                          getElementTypeOrSelf(conv.weight),
                          conv.result.getElementType(), c)))
    return failure();
  if (!conv.isInteger())
    return convertFloatConv(conv, c);
  if (conv.accType.isInteger(48))
    return c.fail(conv.op,
                  "an accumulator of type 'i48' is not a type of the device");
  FailureOr<Value> product = convertIntegerConv(conv, c);
  if (succeeded(product))
    remarkOnTpc(conv.op);
  return product;
}

template <typename Tosa>
static ConvProblem readProblem(Tosa op, ConvForm form) {
  return {op,
          form,
          op.getInput(),
          op.getWeight(),
          op.getBias(),
          op.getInputZp(),
          op.getWeightZp(),
          tensorType(op.getOutput()),
          op.getAccType(),
          {},
          {}};
}

/// conv2d, conv3d, depthwise_conv2d: pad, stride and dilation as attributes.
template <typename Tosa>
static void addForwardConv(TosaHandlers &handlers, ConvForm form) {
  handlers.add<Tosa>([form](Tosa op, TosaConverter &c) {
    ConvProblem conv = readProblem(op, form);
    ArrayRef<int64_t> in = tensorType(conv.input).getShape();
    ArrayRef<int64_t> filter = tensorType(conv.weight).getShape();
    if (form != ConvForm::Depthwise)
      filter = filter.drop_front();
    for (size_t i = 0; i < op.getStride().size(); ++i) {
      conv.window.push_back({in[i + 1], conv.result.getDimSize(i + 1),
                             filter[i], op.getStride()[i], op.getDilation()[i],
                             op.getPad()[2 * i]});
      conv.padHigh.push_back(op.getPad()[2 * i + 1]);
    }
    return convertConv(conv, c);
  });
}

static FailureOr<Value> convertTransposeConv(tosa::TransposeConv2DOp op,
                                             TosaConverter &c) {
  ConvProblem conv = readProblem(op, ConvForm::Transposed);
  for (size_t i = 0; i < 2; ++i) {
    conv.window.push_back({tensorType(conv.input).getDimSize(i + 1),
                           conv.result.getDimSize(i + 1),
                           tensorType(conv.weight).getDimSize(i + 1),
                           op.getStride()[i], 1, -op.getOutPad()[2 * i]});
    conv.padHigh.push_back(-op.getOutPad()[2 * i + 1]);
  }
  return convertConv(conv, c);
}

void mlir::gaudi::addConvolutionHandlers(TosaHandlers &h) {
  h.add<tosa::MatMulOp>(convertMatMul);
  addForwardConv<tosa::Conv2DOp>(h, ConvForm::Dense);
  addForwardConv<tosa::Conv3DOp>(h, ConvForm::Dense);
  addForwardConv<tosa::DepthwiseConv2DOp>(h, ConvForm::Depthwise);
  h.add<tosa::TransposeConv2DOp>(convertTransposeConv);
}
