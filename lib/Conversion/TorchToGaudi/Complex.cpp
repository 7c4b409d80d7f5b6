// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of ops on complex numbers: part by part where the op is linear, by
// formulas of the parts else.
#include "Complex.h"
#include "Lowerings.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace gaudi;

using ComplexResults = FailureOr<SmallVector<Complex>>;

Type gaudi::partElement(torch::ScalarType type, MLIRContext *context) {
  return deviceElement(torch::partType(type), context);
}

/// Of rows that lowerComplex lowers: their rules take or give complex numbers.
Lowered lowerings::realOnly(TorchCall &) {
  llvm_unreachable("calls with complex numbers are lowered by lowerComplex");
}

//===----------------------------------------------------------------------===//
// Part by part
//===----------------------------------------------------------------------===//

namespace {
/// Calls the lowering of a row for real tensors.
class RealCalls {
public:
  explicit RealCalls(const ComplexCall &complex)
      : call(complex.call), complex(complex) {}

  /// With one part of every argument.
  FailureOr<SmallVector<Value>> lower(bool isImaginary);
  /// With the given parts of arguments 0 and 1.
  FailureOr<Value> lower(Value first, Value second);

private:
  FailureOr<SmallVector<Value>> run(std::vector<torch::Argument> arguments,
                                    ArrayRef<SmallVector<Value, 1>> values);
  std::vector<torch::Argument> realArguments();
  Value zeroLike(Value value) {
    return call.expand(call.scalar(0, getElementTypeOrSelf(value)),
                       tensorType(value).getShape());
  }

  TorchCall &call;
  const ComplexCall &complex;
};
} // namespace

/// The arguments with the types of the parts for those of complex numbers.
std::vector<torch::Argument> RealCalls::realArguments() {
  std::vector<torch::Argument> arguments(call.getArguments().begin(),
                                         call.getArguments().end());
  auto makeReal = [](torch::TensorType &type) {
    type.dtype = torch::partType(type.dtype);
  };
  for (auto [argument, parameter] :
       llvm::zip_equal(arguments, call.op.schema.parameters)) {
    if (auto *type = std::get_if<torch::TensorType>(&argument))
      makeReal(*type);
    if (auto *types = std::get_if<torch::Tensors>(&argument))
      for (auto &type : *types)
        if (type)
          makeReal(*type);
    auto *number = std::get_if<int64_t>(&argument);
    if (number && parameter.name == "dtype")
      if (auto type = torch::scalarTypeOf(*number))
        *number = int64_t(torch::partType(*type));
  }
  return arguments;
}

FailureOr<SmallVector<Value>>
RealCalls::run(std::vector<torch::Argument> arguments,
               ArrayRef<SmallVector<Value, 1>> values) {
  auto results = torch::inferResults(call.op, arguments);
  if (!results)
    return call.refuse(results.error().message);
  TorchCall real(call.builder, call.getSource(), call.op, arguments, values,
                 *results);
  Lowered lowered = complex.lowering(real);
  if (failed(lowered))
    return call.refuse(real.getReason());
  return *lowered;
}

/// What is not linear in a tensor: positions and conditions.
static bool isSelector(StringRef parameter) {
  return llvm::is_contained({"index", "indices", "mask", "condition"},
                            parameter);
}

FailureOr<SmallVector<Value>> RealCalls::lower(bool isImaginary) {
  std::vector<torch::Argument> arguments = realArguments();
  SmallVector<SmallVector<Value, 1>> values;
  const StringRef name = call.op.schema.name;
  const bool isScaling = name == "aten.mul.Scalar" || name == "aten.div.Scalar";
  bool hasComplex = false;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    const torch::Parameter &parameter = call.op.schema.parameters[i];
    SmallVector<Value, 1> own(call.tensors(i));
    ArrayRef<Value> imaginary = complex.imaginary[i];
    for (auto [j, value] : llvm::enumerate(own)) {
      hasComplex |= bool(imaginary[j]);
      if (isImaginary && value && !isSelector(parameter.name))
        value = imaginary[j] ? imaginary[j] : zeroLike(value);
    }
    values.push_back(own);
    // Numbers are real; those that scale both parts stay.
    if (isImaginary && parameter.kind == torch::Parameter::Kind::Scalar &&
        parameter.name != "alpha" && !torch::isNone(argument) && !isScaling)
      argument = int64_t(0);
  }
  auto lowered = run(std::move(arguments), values);
  if (failed(lowered) || hasComplex || !isImaginary)
    return lowered;
  // Made of real numbers alone.
  for (Value &value : *lowered)
    value = zeroLike(value);
  return lowered;
}

FailureOr<Value> RealCalls::lower(Value first, Value second) {
  SmallVector<SmallVector<Value, 1>> values;
  for (unsigned i = 0; i < call.size(); ++i)
    values.emplace_back(call.tensors(i));
  values[0].front() = first;
  values[1].front() = second;
  auto lowered = run(realArguments(), values);
  if (failed(lowered))
    return failure();
  return lowered->front();
}

static ComplexResults byParts(const ComplexCall &complex) {
  RealCalls calls(complex);
  auto real = calls.lower(false);
  if (failed(real))
    return failure();
  auto imaginary = calls.lower(true);
  if (failed(imaginary))
    return failure();
  SmallVector<Complex> results;
  for (auto [re, im] : llvm::zip_equal(*real, *imaginary))
    results.push_back({re, im});
  return results;
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

namespace {
/// Arithmetic on the parts of a call's operands.
class Parts {
public:
  explicit Parts(const ComplexCall &complex)
      : c(complex.call), complex(complex),
        element(partElement(complex.call.resultType().dtype,
                            complex.call.builder.getContext())) {}

  /// Argument `i` in f32; the imaginary part of real numbers is 0.
  Complex operand(unsigned i) {
    Type f32 = c.builder.getF32Type();
    Value imag = c.isTensor(i) ? complex.imaginary[i].front() : Value();
    return {c.operand(i, f32), imag ? c.cast(imag, f32) : c.scalar(0, f32)};
  }
  Value number(double value) { return c.scalar(value, c.builder.getF32Type()); }
  Value add(Value a, Value b) { return c.apply<AddOp>({a, b}); }
  Value sub(Value a, Value b) { return c.apply<SubOp>({a, b}); }
  Value mul(Value a, Value b) { return c.apply<MulOp>({a, b}); }
  Value div(Value a, Value b) { return c.apply<DivOp>({a, b}); }

  Complex product(Complex a, Complex b) {
    return {sub(mul(a.real, b.real), mul(a.imag, b.imag)),
            add(mul(a.real, b.imag), mul(a.imag, b.real))};
  }
  /// Scaled by the larger part of b, so that no square overflows.
  Complex quotient(Complex a, Complex b) {
    Value scale =
        c.apply<MaxOp>({c.apply<AbsOp>({b.real}), c.apply<AbsOp>({b.imag})});
    Value re = div(b.real, scale), im = div(b.imag, scale);
    Value square = mul(add(mul(re, re), mul(im, im)), scale);
    Complex top = product(a, {re, c.apply<NegOp>({im})});
    return {div(top.real, square), div(top.imag, square)};
  }
  Value magnitude(Complex x) {
    return lowerings::hypotenuseOf(c, x.real, x.imag);
  }
  /// In the type and shape of the result.
  SmallVector<Complex> finish(Complex x) {
    const torch::Ints &sizes = c.resultType().sizes;
    auto part = [&](Value value) {
      return value
                 ? c.cast(c.expand(value, ArrayRef(sizes.data(), sizes.size())),
                          element)
                 : value;
    };
    return {{part(x.real), part(x.imag)}};
  }

private:
  TorchCall &c;
  const ComplexCall &complex;
  Type element;
};
} // namespace

/// Products, of elements or of matrices: the row four times.
static ComplexResults byProducts(const ComplexCall &complex) {
  RealCalls calls(complex);
  TorchCall &c = complex.call;
  Value imagA = complex.imaginary[0].front(),
        imagB = complex.imaginary[1].front();
  Value realA = c.tensor(0), realB = c.tensor(1);
  auto product = [&](Value a, Value b) -> FailureOr<Value> {
    return a && b ? calls.lower(a, b) : FailureOr<Value>(Value());
  };
  auto rr = product(realA, realB), ii = product(imagA, imagB),
       ri = product(realA, imagB), ir = product(imagA, realB);
  if (failed(rr) || failed(ii) || failed(ri) || failed(ir))
    return failure();
  Value real = *ii ? c.apply<SubOp>({*rr, *ii}) : *rr;
  Value imag = *ri && *ir ? c.apply<AddOp>({*ri, *ir}) : *ri ? *ri : *ir;
  return SmallVector<Complex>{{real, imag}};
}

namespace {
/// What a Fourier transform does with its last dimension, and in which
/// direction it goes.
struct FourierForm {
  enum { ComplexToComplex, RealToComplex, ComplexToReal } kind;
  bool isInverse;
  bool isHalf;    ///< of real numbers, only the half that is not a conjugate
  int64_t period; ///< the last dimension's size as real numbers
};
} // namespace

/// Along the dimensions of argument 1.
static ComplexResults transform(const ComplexCall &complex,
                                const FourierForm &form) {
  static constexpr int64_t maxPeriod = 4096;
  const bool isFromReal = form.kind == FourierForm::RealToComplex,
             isToReal = form.kind == FourierForm::ComplexToReal;
  const int64_t period = form.period;
  TorchCall &c = complex.call;
  Parts p(complex);
  Complex x = p.operand(0);
  ArrayRef<int64_t> dims = c.ints(1);
  const torch::Ints &sizes = c.resultType().sizes;
  if (llvm::is_contained(ArrayRef(sizes.data(), sizes.size()), 0))
    return p.finish({p.number(0), isToReal ? Value() : p.number(0)});
  if (isFromReal)
    x.imag = Value();
  double count = 1;
  const int64_t rank = tensorType(x.real).getRank();
  auto along = [&](int64_t dim, int64_t period, int64_t outputSize) {
    SmallVector<int64_t> shape(tensorType(x.real).getShape());
    const SmallVector<int64_t> flat = {
        llvm::product_of(ArrayRef(shape).take_front(dim)), shape[dim],
        llvm::product_of(ArrayRef(shape).drop_front(dim + 1))};
    x.real = c.reshape(x.real, flat);
    if (x.imag)
      x.imag = c.reshape(x.imag, flat);
    x = fourierAlong(c.builder, c.op.schema.name, x, 1, period, outputSize,
                     form.isInverse);
    shape[dim] = outputSize;
    x = {c.reshape(x.real, shape), c.reshape(x.imag, shape)};
    count *= double(period);
  };
  SmallVector<int64_t> order;
  for (int64_t dim : dims)
    order.push_back(dim < 0 ? dim + rank : dim);
  for (int64_t dim : order) {
    const int64_t size =
        dim == order.back() ? period : tensorType(x.real).getDimSize(dim);
    if (size > maxPeriod)
      return c.refuse("transforms of more than " + Twine(maxPeriod) +
                      " numbers are not supported");
  }
  const int64_t last = order.back();
  // From real numbers the last dimension comes first, and to them last.
  if (isFromReal)
    along(last, period, form.isHalf ? period / 2 + 1 : period);
  for (int64_t dim : ArrayRef(order).drop_back())
    along(dim, tensorType(x.real).getDimSize(dim),
          tensorType(x.real).getDimSize(dim));
  if (isToReal) {
    // The other half is the conjugate of what is given: all but the ends count
    // twice.
    const int64_t given = tensorType(x.real).getDimSize(last);
    SmallVector<float> weights(given, 2);
    weights.front() = 1;
    if (period % 2 == 0)
      weights.back() = 1;
    SmallVector<int64_t> shape(rank, 1);
    shape[last] = given;
    Value factor = ConstantOp::create(
        c.builder, cast<ElementsAttr>(DenseElementsAttr::get(
                       RankedTensorType::get(shape, c.builder.getF32Type()),
                       ArrayRef<float>(weights))));
    x = {p.mul(x.real, factor), p.mul(x.imag, factor)};
    along(last, period, period);
    x.imag = Value();
  } else if (!isFromReal) {
    along(last, period, period);
  }
  const int64_t normalization = c.integer(2);
  if (normalization != 0) {
    Value factor =
        p.number(normalization == 1 ? 1 / std::sqrt(count) : 1 / count);
    x.real = p.mul(x.real, factor);
    if (x.imag)
      x.imag = p.mul(x.imag, factor);
  }
  return p.finish(x);
}

static ComplexResults transform(const ComplexCall &complex, StringRef name) {
  TorchCall &c = complex.call;
  const torch::Ints &sizes = c.type(0).sizes;
  int64_t last = c.ints(1).back();
  last += last < 0 ? sizes.size() : 0;
  if (name == "aten._fft_r2c")
    return transform(complex, {FourierForm::RealToComplex, /*isInverse=*/false,
                               /*isHalf=*/c.flag(3), sizes[last]});
  if (name == "aten._fft_c2r")
    return transform(complex, {FourierForm::ComplexToReal, /*isInverse=*/true,
                               /*isHalf=*/false, c.integer(3)});
  return transform(complex,
                   {FourierForm::ComplexToComplex, /*isInverse=*/!c.flag(3),
                    /*isHalf=*/false, sizes[last]});
}

/// Real and imaginary parts as a dimension, and back.
static ComplexResults viewAs(const ComplexCall &complex, bool isReal) {
  TorchCall &c = complex.call;
  if (!isReal) {
    Value pairs = c.tensor(0);
    RankedTensorType type = tensorType(pairs);
    const int64_t last = type.getRank() - 1;
    auto part = [&](int64_t i) {
      return c.reshape(c.slice(pairs, last, i, 1), type.getShape().drop_back());
    };
    Value real = part(0);
    return SmallVector<Complex>{{real, part(1)}};
  }
  RankedTensorType type = c.result();
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = 1;
  const Value parts[] = {c.reshape(c.tensor(0), shape),
                         c.reshape(complex.imaginary[0].front(), shape)};
  return SmallVector<Complex>{
      {ConcatOp::create(c.builder, type, parts, type.getRank() - 1), Value()}};
}

/// Whether an op does the same to both parts.
static bool isLinear(StringRef name) {
  name.consume_front("aten.");
  return llvm::StringSwitch<bool>(name)
      .Cases({"view",      "_unsafe_view",       "reshape",
              "view_copy", "flatten.using_ints", "unsqueeze",
              "squeeze",   "squeeze.dim",        "squeeze.dims",
              "clone",     "contiguous",         "alias",
              "detach",    "detach_copy",        "lift_fresh_copy",
              "permute",   "transpose.int",      "t",
              "expand",    "expand_copy",        "slice.Tensor",
              "narrow",    "select.int"},
             true)
      .Cases({"cat", "stack", "split.Tensor", "split_with_sizes", "chunk",
              "flip", "repeat", "constant_pad_nd", "tril", "triu",
              "index_select", "gather", "index.Tensor", "roll", "diagonal"},
             true)
      .Cases({"neg", "add.Tensor", "add.Scalar", "sub.Tensor", "sub.Scalar",
              "rsub.Tensor", "rsub.Scalar", "mul.Scalar", "div.Scalar", "sum",
              "sum.dim_IntList", "mean", "mean.dim", "cumsum", "where.self",
              "masked_fill.Scalar", "_to_copy"},
             true)
      .Cases({"zeros", "zeros_like", "new_zeros", "ones", "ones_like",
              "new_ones", "full", "full_like", "new_full", "scalar_tensor",
              "empty.memory_format", "empty_like", "new_empty", "empty_strided",
              "linspace"},
             true)
      .Default(false);
}

FailureOr<SmallVector<Complex>>
gaudi::lowerComplex(const ComplexCall &complex) {
  TorchCall &c = complex.call;
  const StringRef name = c.op.schema.name;
  Parts p(complex);
  if (isLinear(name)) {
    const bool isConversion = name == "aten._to_copy";
    if (isConversion && !torch::isComplex(c.resultType().dtype))
      return c.refuse("a conversion to real numbers drops imaginary parts");
    return byParts(complex);
  }
  if (name.starts_with("aten._fft_"))
    return transform(complex, name);
  if (name == "aten.view_as_real" || name == "aten.view_as_complex")
    return viewAs(complex, name == "aten.view_as_real");
  if (name == "aten.complex")
    return p.finish({p.operand(0).real, p.operand(1).real});
  if (name == "aten.polar") {
    Value size = p.operand(0).real, angle = p.operand(1).real;
    return p.finish({p.mul(size, c.apply<CosOp>({angle})),
                     p.mul(size, c.apply<SinOp>({angle}))});
  }
  if (name == "aten._conj" || name == "aten._conj_physical") {
    Complex x = p.operand(0);
    return p.finish({x.real, c.apply<NegOp>({x.imag})});
  }
  if (name == "aten.mul.Tensor" || name == "aten.mm" || name == "aten.bmm" ||
      name == "aten.mv" || name == "aten.dot" || name == "aten.matmul")
    return byProducts(complex);
  if (name == "aten.div.Tensor")
    return p.finish(p.quotient(p.operand(0), p.operand(1)));
  if (name == "aten.reciprocal")
    return p.finish(p.quotient({p.number(1), p.number(0)}, p.operand(0)));
  if (name == "aten.abs")
    return p.finish({p.magnitude(p.operand(0)), Value()});
  if (name == "aten.angle") {
    Complex x = p.operand(0);
    return p.finish({c.apply<Atan2Op>({x.imag, x.real}), Value()});
  }
  if (name == "aten.exp") {
    Complex x = p.operand(0);
    Value size = c.apply<ExpOp>({x.real});
    return p.finish({p.mul(size, c.apply<CosOp>({x.imag})),
                     p.mul(size, c.apply<SinOp>({x.imag}))});
  }
  if (name == "aten.sgn") {
    Complex x = p.operand(0);
    Value size = p.magnitude(x);
    Value isZero = c.compare(ComparePredicate::EQ, size, p.number(0));
    size = c.select(isZero, p.number(1), size);
    return p.finish({p.div(x.real, size), p.div(x.imag, size)});
  }
  return c.refuse("it is not supported for complex numbers");
}
