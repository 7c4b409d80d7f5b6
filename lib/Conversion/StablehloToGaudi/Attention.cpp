// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention that exporters keep whole: composites of PyTorch, and custom calls
// of cuDNN as JAX writes them.
#include "Attention.h"
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/ElementwiseOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;

/// The attribute of a layout; null for the canonical one.
static StringAttr layoutAttr(MLIRContext *context, StringRef layout) {
  return layout == canonicalAttentionLayout(layout.size())
             ? StringAttr()
             : StringAttr::get(context, layout);
}

template <typename Properties>
static void setLayouts(Properties &properties, MLIRContext *context,
                       StringRef layout, StringRef outputLayout) {
  properties.query_layout = properties.key_layout = properties.value_layout =
      layoutAttr(context, layout);
  properties.output_layout = layoutAttr(context, outputLayout);
}

static bool isFloatMask(Type type) {
  return isa<Float32Type, BFloat16Type, Float16Type>(type);
}

//===----------------------------------------------------------------------===//
// Composites
//===----------------------------------------------------------------------===//

namespace {
/// An attention as its attributes describe it.
struct CompositeForm {
  std::string layout;          // of all tensors
  std::optional<double> scale; // absent: by the root of the head size
  bool causal = false;
  std::string whyNot; // set if it has no form as gaudi.sdpa
};
} // namespace

/// The layouts are those of the decompositions that the exporters write: LiteRT
/// Torch keeps the heads inside, PyTorch outside.
static StringRef namedLayout(Operation *composite) {
  auto name = composite->getAttrOfType<StringAttr>("name");
  return llvm::StringSwitch<StringRef>(name ? name.getValue() : "")
      .Case("odml.scaled_dot_product_attention", "NLHD")
      .Cases({"aten.scaled_dot_product_attention",
              "aten.scaled_dot_product_attention.default",
              "torch.aten.scaled_dot_product_attention",
              "torch.nn.functional.scaled_dot_product_attention"},
             "NHLD")
      .Default("");
}

bool gaudi::isNamedAttention(Operation *composite) {
  return !namedLayout(composite).empty();
}

/// Takes an attribute; false if its value has no form here.
static bool takeAttribute(NamedAttribute attribute, CompositeForm &form) {
  const StringRef name = attribute.getName();
  const Attribute value = attribute.getValue();
  if (auto number = dyn_cast<FloatAttr>(value)) {
    if (name == "scale")
      form.scale = number.getValueAsDouble();
    return name == "scale" ||
           (name == "dropout_p" && number.getValue().isZero());
  }
  auto flag = dyn_cast<IntegerAttr>(value);
  if (!flag || !flag.getType().isInteger(1))
    return false;
  if (name == "is_causal")
    form.causal = flag.getValue().isOne();
  return name == "is_causal" || name == "enable_gqa";
}

/// Tensor types of query, key, value, the mask if there is one, and the result.
static std::string whyNotTyped(Operation *op, StringRef layout) {
  SmallVector<RankedTensorType> types;
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                SmallVector<Type>(op->getResultTypes()))) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() || tensor.getNumElements() == 0)
      return "it has '" + spelled(type) +
             "'; expected tensors of static shape with elements";
    types.push_back(tensor);
  }
  // Letters of the layout name the dimensions of all tensors.
  const int64_t rank = types.front().getRank();
  if (rank != int64_t(layout.size()))
    return "query has rank " + std::to_string(rank) + "; expected 3 or 4";
  auto size = [&](RankedTensorType type, char letter) {
    const size_t at = layout.find(letter);
    return at == StringRef::npos ? 1 : type.getDimSize(int64_t(at));
  };
  const RankedTensorType q = types[0], k = types[1], v = types[2],
                         result = types.back();
  for (RankedTensorType type : {k, v, result})
    if (type.getRank() != rank || type.getElementType() != q.getElementType())
      return "it has '" + spelled(type) + "'; expected rank and type of query";
  if (!isFloatMask(q.getElementType()))
    return "query has elements of '" + spelled(q.getElementType()) + "'";
  // Keys and values agree; heads may be shared by groups of queries.
  const bool agrees =
      size(k, 'N') == size(v, 'N') && size(k, 'H') == size(v, 'H') &&
      size(k, 'L') == size(v, 'L') && size(k, 'D') == size(q, 'D') &&
      (size(k, 'N') == 1 || size(k, 'N') == size(q, 'N')) &&
      size(q, 'H') % size(k, 'H') == 0 && size(result, 'N') == size(q, 'N') &&
      size(result, 'H') == size(q, 'H') && size(result, 'L') == size(q, 'L') &&
      size(result, 'D') == size(v, 'D');
  if (!agrees)
    return "the sizes of its tensors are not those of the layout " +
           layout.str();
  if (op->getNumOperands() == 3)
    return "";
  const Type element = types[3].getElementType();
  if (!element.isInteger(1) && !isFloatMask(element))
    return "its mask has elements of '" + spelled(element) + "'";
  // By the last dimensions, as PyTorch broadcasts.
  const int64_t scores[] = {size(q, 'N'), size(q, 'H'), size(q, 'L'),
                            size(k, 'L')};
  if (types[3].getRank() > rank)
    return "its mask has rank " + std::to_string(types[3].getRank());
  // From the last dimension on; of rank 3, the batch comes right before rows.
  for (auto [i, given] : llvm::enumerate(llvm::reverse(types[3].getShape()))) {
    const size_t at = rank == 3 && i == 2 ? 0 : 3 - i;
    if (given != 1 && given != scores[at])
      return "its mask '" + spelled(types[3]) +
             "' does not broadcast to the scores";
  }
  return "";
}

static CompositeForm readComposite(Operation *op) {
  CompositeForm form;
  form.layout = namedLayout(op).str();
  if ((op->getNumOperands() != 3 && op->getNumOperands() != 4) ||
      op->getNumResults() != 1) {
    form.whyNot = "it has " + std::to_string(op->getNumOperands()) +
                  " operands and " + std::to_string(op->getNumResults()) +
                  " results; expected query, key, value, a mask or none, and "
                  "one result";
    return form;
  }
  auto query = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (query && query.getRank() == 3)
    form.layout.erase(form.layout.find('H'), 1);
  form.whyNot = whyNotTyped(op, form.layout);
  auto attributes = op->getAttrOfType<DictionaryAttr>("composite_attributes");
  for (NamedAttribute attribute :
       attributes ? attributes.getValue() : ArrayRef<NamedAttribute>())
    if (form.whyNot.empty() && !takeAttribute(attribute, form))
      form.whyNot = "attribute '" + attribute.getName().str() + "' is '" +
                    spelled(attribute.getValue()) + "'";
  return form;
}

std::string gaudi::whyNotAttention(Operation *composite) {
  return readComposite(composite).whyNot;
}

HloMatch gaudi::matchComposite(Operation *op, HloMatcher &m) {
  const CompositeForm form = readComposite(op);
  if (!form.whyNot.empty())
    return m.refuse(form.whyNot);
  return build([op, form](HloBuilder &b) {
    SdpaOperands operands;
    operands.query = op->getOperand(0);
    operands.key = op->getOperand(1);
    operands.value = op->getOperand(2);
    const auto query = tensorType(operands.query);
    // Missing leading dimensions broadcast.
    if (op->getNumOperands() == 4) {
      const auto mask = tensorType(op->getOperand(3)).getShape();
      SmallVector<int64_t> shape(query.getRank() - mask.size(), 1);
      llvm::append_range(shape, mask);
      operands.mask = b.reshape(op->getOperand(3), shape);
    }
    SdpaOp::Properties properties;
    const int64_t depth = query.getDimSize(int64_t(form.layout.find('D')));
    properties.scale = b.getF32FloatAttr(
        float(form.scale.value_or(1 / std::sqrt(double(depth)))));
    if (form.causal)
      properties.causal = b.getUnitAttr();
    setLayouts(properties, op->getContext(), form.layout, form.layout);
    b.remarkRaised(op, "gaudi.sdpa", "its scores stay on the chip");
    return SdpaOp::create(b, operands, properties).getOutput();
  });
}

//===----------------------------------------------------------------------===//
// cuDNN
//===----------------------------------------------------------------------===//

namespace {
/// The fields of "cudnn_fmha_backend_config", and the operands that they say.
struct CudnnForm {
  std::string layout;
  double scale = 1, dropout = 0;
  int64_t seed = 0, window = 0;
  bool causal = false, padded = false, biased = false;

  template <typename Properties>
  Properties propertiesIn(OpBuilder &b, StringRef outputLayout) const {
    Properties properties;
    properties.scale = b.getF32FloatAttr(float(scale));
    properties.dropout = b.getF32FloatAttr(float(dropout));
    if (causal)
      properties.causal = b.getUnitAttr();
    if (window > 0)
      properties.window = b.getI64IntegerAttr(window);
    setLayouts(properties, b.getContext(), layout, outputLayout);
    return properties;
  }
};
} // namespace

/// Numbers of protocol buffers are also written as strings.
static std::optional<double> numberIn(const llvm::json::Object &fields,
                                      StringRef name) {
  if (std::optional<double> number = fields.getNumber(name))
    return number;
  double value;
  if (auto text = fields.getString(name); text && !text->getAsDouble(value))
    return value;
  return std::nullopt;
}

/// Where the heads are, from the batch dimensions of a product of query or, in
/// the gradient, of the output's gradient.
static std::string cudnnLayout(const llvm::json::Object &fields) {
  for (StringRef name :
       {"bmm1_dot_dimension_numbers", "bmm2_grad_gemm2_dot_dimension_numbers"})
    if (const auto *numbers = fields.getObject(name))
      if (const auto *batch = numbers->getArray("lhs_batch_dimensions");
          batch && batch->size() == 2)
        if (auto heads = (*batch)[1].getAsString())
          return *heads == "2" ? "NLHD" : *heads == "1" ? "NHLD" : "";
  return "";
}

/// Brackets that open in a config of cuDNN; real ones have about 40.
static constexpr size_t maxConfigBrackets = 1000;

/// Fails with a reason if the config has no form as gaudi.sdpa.
static FailureOr<CudnnForm> readCudnn(Operation *op, HloMatcher &m) {
  // LLVM's parser calls itself for each level; configs have five.
  const StringRef config = wordOf(op, "backend_config");
  if (config.count('[') + config.count('{') > maxConfigBrackets)
    return m.refuse("'backend_config' has more than " +
                    Twine(maxConfigBrackets) + " brackets");
  auto parsed = llvm::json::parse(config);
  const llvm::json::Object *fields = nullptr;
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  else if (const auto *root = parsed->getAsObject())
    fields = root->getObject("cudnn_fmha_backend_config");
  if (!fields)
    return m.refuse("'backend_config' has no cudnn_fmha_backend_config");
  CudnnForm form;
  form.layout = cudnnLayout(*fields);
  if (form.layout.empty())
    return m.refuse("its config has no layout that is known");
  form.scale = numberIn(*fields, "fmha_scale").value_or(1);
  form.dropout = numberIn(*fields, "dropout_rate").value_or(0);
  form.seed = int64_t(numberIn(*fields, "seed").value_or(0));
  form.window = int64_t(numberIn(*fields, "sliding_window_length").value_or(0));
  // The name of the call says whether it has a bias.
  form.biased = wordOf(op, "call_target_name").contains("Bias");
  const StringRef mask = fields->getString("mask_type").value_or("NO_MASK");
  form.causal = mask == "CAUSAL" || mask == "PADDING_CAUSAL";
  form.padded = mask == "PADDING" || mask == "PADDING_CAUSAL";
  if (!form.causal && !form.padded && mask != "NO_MASK")
    return m.refuse("its mask_type is '" + mask + "'");
  // gaudi.sdpa's window without a causal mask is another one.
  if (form.window > 0 && !form.causal)
    return m.refuse("it has a sliding window without a causal mask");
  if (numberIn(*fields, "max_seg_per_batch").value_or(1) > 1 ||
      fields->getBoolean("is_paged_attention").value_or(false))
    return m.refuse("its sequences are packed or paged");
  if (!(form.dropout >= 0 && form.dropout < 1))
    return m.refuse("its dropout_rate is " +
                    Twine(std::to_string(form.dropout)));
  return form;
}

/// Query, key and value, which are of one type, have rank 4; a bias is f32,
/// bf16 or f16 of rank 4, and lengths are i32 [N].
static LogicalResult checkCudnnOperands(Operation *op, HloMatcher &m,
                                        const CudnnForm &form, size_t count,
                                        size_t bias) {
  if (op->getNumOperands() != count)
    return m.refuse("expected " + Twine(count) + " operands but got " +
                    Twine(op->getNumOperands()));
  const RankedTensorType query = tensorType(op->getOperand(0));
  for (Value operand : op->getOperands().take_front(3))
    if (tensorType(operand).getRank() != 4 ||
        getElementTypeOrSelf(operand) != query.getElementType() ||
        !isFloatMask(query.getElementType()))
      return m.refuse("query, key and value must be of rank 4 and of one type "
                      "of f32, bf16 and f16");
  if (form.biased) {
    const auto type = tensorType(op->getOperand(unsigned(bias)));
    if (type.getRank() != 4 || !isFloatMask(type.getElementType()))
      return m.refuse("its bias must have rank 4 and floats");
  }
  if (form.padded)
    for (Value lengths : op->getOperands().take_back(2))
      if (tensorType(lengths).getShape() != query.getShape().take_front() ||
          !getElementTypeOrSelf(lengths).isInteger(32))
        return m.refuse("its lengths must be i32, one for each image");
  return success();
}

/// A constant i32 [1], as seeds are.
static Value seedOf(HloBuilder &b, int64_t seed) {
  Type i32 = b.getI32Type();
  return b.splat(RankedTensorType::get({1}, i32),
                 IntegerAttr::get(i32, int32_t(seed)));
}

/// True [N, 1, L, 1] where the query is one of the first `lengths` [N].
static Value validRows(HloBuilder &b, Value lengths, int64_t queries) {
  const int64_t images = tensorType(lengths).getDimSize(0);
  SmallVector<int32_t> positions;
  for (int64_t i = 0; i < queries; ++i)
    positions.push_back(int32_t(i));
  auto type = RankedTensorType::get({1, 1, queries, 1}, b.getI32Type());
  Value position =
      ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef(positions)));
  return CompareOp::create(
      b, RankedTensorType::get({images, 1, queries, 1}, b.getI1Type()),
      ComparePredicate::LT, position, b.reshape(lengths, {images, 1, 1, 1}));
}

/// `x` where `rows` holds, else `other`.
static Value whereValid(HloBuilder &b, Value rows, Value x, double other) {
  const Type element = getElementTypeOrSelf(x);
  Value number = b.splat(RankedTensorType::get({1, 1, 1, 1}, element),
                         FloatAttr::get(element, other));
  return SelectOp::create(b, x.getType(), rows, x, number);
}

static constexpr double never = -std::numeric_limits<double>::infinity();

/// log sum exp of the scores, [N, H, L] in f32, which cuDNN saves for the
/// gradient; -infinity for a row without scores.
static Value logSumExp(HloBuilder &b, SdpaOp sdpa, Value rows, Value result) {
  Value m = b.cast(sdpa.getMaxima(), b.getF32Type());
  Value linv = sdpa.getInverseSums();
  Value sum = b.binary<SubOp>(m, b.unary<LogOp>(linv));
  Value isEmpty = b.compare(ComparePredicate::EQ, linv, b.number(0, linv));
  Value lse = b.select(isEmpty, b.number(never, linv), sum);
  if (rows)
    lse = whereValid(b, rows, lse, never);
  return b.reshape(lse, tensorType(result).getShape());
}

static StringRef dropoutRemark(const CudnnForm &form) {
  return form.dropout > 0 ? "dropout is seeded, by numbers other than cuDNN's"
                          : "its scores stay on the chip";
}

HloMatch gaudi::matchCudnnAttention(Operation *op, HloMatcher &m) {
  auto form = readCudnn(op, m);
  if (failed(form))
    return failure();
  const size_t bias = 3, count = 3 + form->biased + 2 * form->padded;
  if (failed(checkCudnnOperands(op, m, *form, count, bias)))
    return failure();
  // Output, statistics if a gradient follows, and the workspace.
  const size_t results = op->getNumResults();
  if (results != 2 && results != 3)
    return m.refuse("expected 2 or 3 results but got " + Twine(results));
  if (tensorType(op->getResult(unsigned(results) - 1)).getNumElements() != 0)
    return m.refuse("its last result must be the empty workspace");
  return build([op, form = *form, results](HloBuilder &b) {
    SdpaOperands operands;
    operands.query = op->getOperand(0);
    operands.key = op->getOperand(1);
    operands.value = op->getOperand(2);
    if (form.biased)
      operands.mask = op->getOperand(3);
    // Rows after the valid ones of the query are zero in cuDNN.
    Value rows;
    if (form.padded) {
      operands.validLengths = op->getOperands().back();
      rows = validRows(b, op->getOperands().take_back(2).front(),
                       tensorType(operands.query)
                           .getDimSize(int64_t(form.layout.find('L'))));
    }
    if (form.dropout > 0)
      operands.seed = seedOf(b, form.seed);
    // The call's output has its heads outside whatever the operands' layout is.
    auto properties = form.propertiesIn<SdpaOp::Properties>(b, "NHLD");
    if (results == 3)
      properties.saves =
          AttentionSavesAttr::get(op->getContext(), AttentionSaves::Statistics);
    auto sdpa = SdpaOp::create(b, operands, properties);
    b.remarkRaised(op, "gaudi.sdpa", dropoutRemark(form));
    SmallVector<Value> values{sdpa.getOutput()};
    if (rows)
      values[0] = whereValid(b, rows, values[0], 0);
    if (results == 3)
      values.push_back(logSumExp(b, sdpa, rows, op->getResult(1)));
    // The workspace of the call, which nobody reads.
    values.push_back(b.empty(op->getResults().back().getType()));
    return values;
  });
}

/// Statistics of gaudi.sdpa from a log sum exp: m is rounded to the type of
/// query, and linv makes up for what is lost.
static void setStatistics(SdpaGradOperands &operands, HloBuilder &b,
                          Value lse) {
  SmallVector<int64_t> shape(tensorType(lse).getShape());
  shape.push_back(1);
  lse = b.reshape(lse, shape);
  Value isEmpty = b.compare(ComparePredicate::EQ, lse, b.number(never, lse));
  Value zero = b.number(0, lse);
  Value sum = b.select(isEmpty, zero, lse);
  operands.m = b.cast(sum, getElementTypeOrSelf(operands.query));
  Value rounded = b.cast(operands.m, b.getF32Type());
  operands.linv =
      b.select(isEmpty, zero, b.unary<ExpOp>(b.binary<SubOp>(rounded, sum)));
}

HloMatch gaudi::matchCudnnAttentionGrad(Operation *op, HloMatcher &m) {
  auto form = readCudnn(op, m);
  if (failed(form))
    return failure();
  // query, key, value, log sum exp, dO, [bias], output, [lengths of queries
  // and keys].
  const size_t bias = 5, count = 6 + form->biased + 2 * form->padded;
  if (failed(checkCudnnOperands(op, m, *form, count, bias)))
    return failure();
  const size_t results = op->getNumResults();
  if (results != 4 && results != 5)
    return m.refuse("expected 4 or 5 results but got " + Twine(results));
  // The op computes no gradient of a bias; unused it may be anything.
  if (results == 5 && !op->getResult(3).use_empty())
    return m.refuse("the gradient of its bias is used, which gaudi.sdpa_grad "
                    "does not compute");
  if (tensorType(op->getOperand(3)).getRank() != 3)
    return m.refuse("its statistics must have rank 3");
  return build([op, form = *form, results](HloBuilder &b) {
    SdpaGradOperands operands;
    operands.query = op->getOperand(0);
    operands.key = op->getOperand(1);
    operands.value = op->getOperand(2);
    operands.outputGrad = op->getOperand(4);
    if (form.biased)
      operands.mask = op->getOperand(5);
    operands.output = op->getOperand(form.biased ? 6 : 5);
    if (form.padded)
      operands.validLengths = op->getOperands().back();
    if (form.dropout > 0)
      operands.seed = seedOf(b, form.seed);
    setStatistics(operands, b, op->getOperand(3));
    auto grad = SdpaGradOp::create(
        b, operands, form.propertiesIn<SdpaGradOp::Properties>(b, form.layout));
    b.remarkRaised(op, "gaudi.sdpa_grad", dropoutRemark(form));
    SmallVector<Value> values;
    // The call's gradients have their heads outside.
    for (Value gradient : grad.getResults())
      values.push_back(form.layout == "NLHD"
                           ? b.transpose(gradient, {0, 2, 1, 3})
                           : gradient);
    // Nothing reads it.
    if (results == 5) {
      auto type = tensorType(op->getResult(3));
      values.push_back(b.splat(type, FloatAttr::get(type.getElementType(), 0)));
    }
    values.push_back(b.empty(op->getResults().back().getType()));
    return values;
  });
}
