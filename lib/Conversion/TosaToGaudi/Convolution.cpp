// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TOSA matrix products and convolutions: floats to the matrix engine, integers
// to kernels.
#include "Products.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace gaudi;

/// Builds with a remark that says why the matrix engine does not compute it.
static TosaMatch placedOnTpc(Operation *op, TosaMatch product) {
  if (failed(product))
    return failure();
  return build([op, product = std::move(*product)](TosaBuilder &b) mutable {
    remark::missed(op->getLoc(), remark::RemarkOpts::name("place-on-mme")
                                     .category("convert-tosa-to-gaudi"))
        << "integer product placed on the TPC: the MME multiplies floats only";
    return product(b);
  });
}

static LogicalResult checkProduct(TosaMatcher &m, Type lhs, Type rhs,
                                  Type result) {
  bool isFloat = isFloatElement(lhs);
  if (isFloatElement(rhs) == isFloat && isFloatElement(result) == isFloat &&
      !lhs.isInteger(1) && !rhs.isInteger(1) && !result.isInteger(1))
    return success();
  return m.refuse("expected operands and result to be all floats or all "
                  "integers but got '" +
                  spelled(lhs) + "', '" + spelled(rhs) + "' and '" +
                  spelled(result) + "'");
}

static TosaMatch matchMatMul(tosa::MatMulOp op, TosaMatcher &m) {
  Type lhs = getElementTypeOrSelf(op.getA());
  if (failed(checkProduct(m, lhs, getElementTypeOrSelf(op.getB()),
                          getElementTypeOrSelf(op.getOutput()))))
    return failure();
  if (!isFloatElement(lhs))
    return placedOnTpc(op, matchIntegerMatMul(op, m));
  if (failed(m.zeroPoint(op.getAZp(), "a_zp")) ||
      failed(m.zeroPoint(op.getBZp(), "b_zp")))
    return failure();
  return build([op](TosaBuilder &b) mutable {
    return GemmOp::create(b, op.getOutput().getType(), op.getA(), op.getB(),
                          /*transpose_a=*/false,
                          /*transpose_b=*/false);
  });
}

/// Adds the bias, one number per channel or one for all, unless it is zero.
static Value addBias(const ConvProblem &conv, Value product, TosaBuilder &b) {
  if (isZeroConstant(conv.bias))
    return product;
  Value bias = b.withRank(conv.bias, conv.result.getRank());
  bias = b.cast(bias, conv.result.getElementType());
  return AddOp::create(b, conv.result, product, bias);
}

static Value createFloatConv(const ConvProblem &conv, TosaBuilder &b) {
  bool is3d = conv.window.size() == 3;
  StringRef data = is3d ? "NDHWC" : "NHWC";
  StringRef filter = is3d ? "ODHWI" : "OHWI";
  Value weight = conv.weight;
  int64_t groups = 1;
  if (conv.form == ConvForm::Depthwise) {
    ArrayRef<int64_t> shape = tensorType(weight).getShape();
    weight = b.reshape(weight, {shape[0], shape[1], 1, shape[2] * shape[3]});
    filter = "HWIO";
    groups = shape[2];
  }
  SmallVector<int64_t> strides, dilations, low;
  for (const WindowDim &dim : conv.window) {
    strides.push_back(dim.stride);
    dilations.push_back(dim.dilation);
    low.push_back(dim.padLow);
  }
  auto create = [&](auto op, StringRef layout) -> Value {
    return decltype(op)::create(b, conv.result, conv.input, weight, data,
                                layout, data, strides, dilations, low,
                                conv.padHigh, groups);
  };
  // A transposed convolution is the gradient of the convolution whose input
  // has the shape of our result. Its filter has the channels the other way
  // round.
  Value product = conv.form == ConvForm::Transposed
                      ? create(ConvInputGradOp(), "IHWO")
                      : create(ConvOp(), filter);
  return addBias(conv, product, b);
}

static TosaMatch matchConv(const ConvProblem &conv, TosaMatcher &m) {
  if (failed(checkProduct(m, getElementTypeOrSelf(conv.input),
                          getElementTypeOrSelf(conv.weight),
                          conv.result.getElementType())))
    return failure();
  if (conv.isInteger())
    return placedOnTpc(conv.op, matchIntegerConv(conv, m));
  if (failed(m.zeroPoint(conv.inputZp, "input_zp")) ||
      failed(m.zeroPoint(conv.weightZp, "weight_zp")))
    return failure();
  return build([conv](TosaBuilder &b) { return createFloatConv(conv, b); });
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
          {},
          {}};
}

/// conv2d, conv3d, depthwise_conv2d: pad, stride and dilation as attributes.
template <typename Tosa>
static void addForwardConv(TosaPatterns &patterns, ConvForm form) {
  patterns.add<Tosa>([form](Tosa op, TosaMatcher &m) {
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
    return matchConv(conv, m);
  });
}

static TosaMatch matchTransposeConv(tosa::TransposeConv2DOp op,
                                    TosaMatcher &m) {
  ConvProblem conv = readProblem(op, ConvForm::Transposed);
  for (size_t i = 0; i < 2; ++i) {
    conv.window.push_back({tensorType(conv.input).getDimSize(i + 1),
                           conv.result.getDimSize(i + 1),
                           tensorType(conv.weight).getDimSize(i + 1),
                           op.getStride()[i], 1, -op.getOutPad()[2 * i]});
    conv.padHigh.push_back(-op.getOutPad()[2 * i + 1]);
  }
  return matchConv(conv, m);
}

void gaudi::addConvolutionPatterns(TosaPatterns &p) {
  p.add<tosa::MatMulOp>(matchMatMul);
  addForwardConv<tosa::Conv2DOp>(p, ConvForm::Dense);
  addForwardConv<tosa::Conv3DOp>(p, ConvForm::Dense);
  addForwardConv<tosa::DepthwiseConv2DOp>(p, ConvForm::Depthwise);
  p.add<tosa::TransposeConv2DOp>(matchTransposeConv);
}
