// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of ops on complex numbers: part by part where the op is linear, by
// formulas of the parts else.
#include "Complex.h"

using namespace mlir;
using namespace gaudi;

Type gaudi::partElement(torch::ScalarType type, MLIRContext *context) {
  return deviceElement(torch::partType(type), context);
}

/// Of rows that lowerComplex lowers: their rules take or give complex numbers.
/// It is not called, but has an address that no other lowering has.
Lowered lowerings::realOnly(TorchCall &) { return failure(); }

Lowered lowerings::conjugate(TorchCall &c) { return identity(c); }

//===----------------------------------------------------------------------===//
// Part by part
//===----------------------------------------------------------------------===//

/// What a call for real tensors gets of a complex argument.
enum class Part { Real, Imaginary, Zero };

namespace {
/// Calls the lowering of a row for real tensors.
class RealCalls {
public:
  explicit RealCalls(const ComplexCall &complex)
      : call(complex.call), complex(complex) {}

  /// With a part of each argument. Numbers are real, so that their other part
  /// is 0, but for those that both parts share.
  FailureOr<SmallVector<Value>> lower(function_ref<Part(unsigned)> partOf);
  FailureOr<SmallVector<Value>> lower(Part part) {
    return lower([&](unsigned) { return part; });
  }
  /// With, for complex tensors, whether a part is not 0.
  FailureOr<SmallVector<Value>> lowerTruth();

  Value zeroLike(Value value) {
    return call.expand(call.scalar(0, getElementTypeOrSelf(value)),
                       tensorType(value).getShape());
  }

private:
  FailureOr<SmallVector<Value>> run(std::vector<torch::Argument> arguments,
                                    ArrayRef<SmallVector<Value, 1>> values);
  std::vector<torch::Argument> realArguments();

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

/// Whether a number says the same to both parts: factors and corrections.
static bool isShared(const torch::Operator &op, StringRef parameter) {
  return llvm::is_contained({"alpha", "beta", "correction"}, parameter) ||
         op.schema.name == "aten.addcmul";
}

FailureOr<SmallVector<Value>>
RealCalls::lower(function_ref<Part(unsigned)> partOf) {
  std::vector<torch::Argument> arguments = realArguments();
  SmallVector<SmallVector<Value, 1>> values;
  const bool isComplexResult = torch::isComplex(call.resultType().dtype);
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    const torch::Parameter &parameter = call.op.schema.parameters[i];
    const Part part = partOf(i);
    SmallVector<Value, 1> own(call.tensors(i));
    ArrayRef<Value> imaginary = complex.imaginary[i];
    if (part != Part::Real && !isSelector(parameter.name))
      for (auto [value, other] : llvm::zip_equal(own, imaginary))
        if (value)
          value = part == Part::Imaginary && other ? other : zeroLike(value);
    // Beside a complex scalar, narrow floats become complex before they are
    // computed with.
    if (auto *type = std::get_if<torch::TensorType>(&argument);
        type && isComplexResult && torch::isFloat(type->dtype)) {
      type->dtype = torch::partType(call.resultType().dtype);
      own.front() = call.cast(
          own.front(), partElement(type->dtype, call.builder.getContext()));
    }
    values.push_back(own);
    if (part != Part::Real &&
        parameter.kind == torch::Parameter::Kind::Scalar &&
        !torch::isNone(argument) && !isShared(call.op, parameter.name))
      argument = int64_t(0);
  }
  return run(std::move(arguments), values);
}

/// Whether the numbers differ from 0.
static Value truthOf(TorchCall &c, Complex x) {
  auto differs = [&](Value part) {
    return c.compare(ComparePredicate::NE, part,
                     c.scalar(0, getElementTypeOrSelf(part)));
  };
  Value real = differs(x.real);
  return c.apply<OrOp>({real, differs(x.imag)});
}

FailureOr<SmallVector<Value>> RealCalls::lowerTruth() {
  std::vector<torch::Argument> arguments = realArguments();
  SmallVector<SmallVector<Value, 1>> values;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    SmallVector<Value, 1> own(call.tensors(i));
    auto *type = std::get_if<torch::TensorType>(&argument);
    if (type && complex.imaginary[i].front()) {
      own.front() = truthOf(call, {own.front(), complex.imaginary[i].front()});
      type->dtype = torch::ScalarType::Bool;
    }
    values.push_back(own);
  }
  return run(std::move(arguments), values);
}

/// Linear ops: the row once per part.
static ComplexResults byParts(const ComplexCall &complex) {
  RealCalls calls(complex);
  auto real = calls.lower(Part::Real);
  if (failed(real))
    return failure();
  auto imaginary = calls.lower(Part::Imaginary);
  if (failed(imaginary))
    return failure();
  SmallVector<Complex> results;
  for (auto [re, im] : llvm::zip_equal(*real, *imaginary))
    results.push_back({re, im});
  return results;
}

/// What does not depend on imaginary parts, and has none.
static ComplexResults realNumbers(const ComplexCall &complex) {
  RealCalls calls(complex);
  auto real = calls.lower(Part::Real);
  if (failed(real))
    return failure();
  return SmallVector<Complex>{{real->front(), calls.zeroLike(real->front())}};
}

/// Ops that are linear in each of arguments `first` and `first` + 1, to whose
/// product what else there is is added: the row four times.
template <unsigned first>
static ComplexResults byProducts(const ComplexCall &complex) {
  RealCalls calls(complex);
  TorchCall &c = complex.call;
  auto lower = [&](Part a, Part b, Part rest) {
    return calls.lower([=](unsigned i) {
      return i == first ? a : i == first + 1 ? b : rest;
    });
  };
  auto rr = lower(Part::Real, Part::Real, Part::Real);
  auto ii = lower(Part::Imaginary, Part::Imaginary, Part::Zero);
  auto ri = lower(Part::Real, Part::Imaginary, Part::Imaginary);
  auto ir = lower(Part::Imaginary, Part::Real, Part::Zero);
  if (failed(rr) || failed(ii) || failed(ri) || failed(ir))
    return failure();
  return SmallVector<Complex>{{c.apply<SubOp>({rr->front(), ii->front()}),
                               c.apply<AddOp>({ri->front(), ir->front()})}};
}

/// Ops whose answers for the parts are joined: of equality, for example, by
/// and.
template <typename Join>
static ComplexResults joined(const ComplexCall &complex) {
  RealCalls calls(complex);
  auto real = calls.lower(Part::Real), imaginary = calls.lower(Part::Imaginary);
  if (failed(real) || failed(imaginary))
    return failure();
  return SmallVector<Complex>{
      {complex.call.apply<Join>({real->front(), imaginary->front()}), Value()}};
}

/// Ops of truth values.
static ComplexResults ofTruth(const ComplexCall &complex) {
  auto results = RealCalls(complex).lowerTruth();
  if (failed(results))
    return failure();
  return SmallVector<Complex>{{results->front(), Value()}};
}

/// To real numbers, imaginary parts are dropped, as PyTorch does.
static ComplexResults convertNumbers(const ComplexCall &complex) {
  TorchCall &c = complex.call;
  if (torch::isComplex(c.resultType().dtype))
    return byParts(complex);
  if (torch::isBool(c.resultType().dtype))
    return SmallVector<Complex>{
        {truthOf(c, {c.tensor(0), complex.imaginary[0].front()}), Value()}};
  return SmallVector<Complex>{
      {c.cast(c.tensor(0), c.resultElement()), Value()}};
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

static ComplexResults multiply(const ComplexCall &complex) {
  ComplexParts p(complex);
  return p.finish(p.product(p.operand(0), p.operand(1)));
}

static ComplexResults divide(const ComplexCall &complex) {
  ComplexParts p(complex);
  return p.finish(p.quotient(p.operand(0), p.operand(1)));
}

/// x + value * y / z
static ComplexResults addRatio(const ComplexCall &complex) {
  ComplexParts p(complex);
  Complex ratio = p.quotient(p.operand(1), p.operand(2));
  return p.finish(p.sum(p.operand(0), p.scaled(ratio, p.c.number(3, 1))));
}

/// x + weight * (end - x)
static ComplexResults blend(const ComplexCall &complex) {
  ComplexParts p(complex);
  Complex x = p.operand(0);
  Complex distance = p.sum(p.operand(1), p.scaled(x, -1));
  return p.finish(p.sum(x, p.product(p.operand(2), distance)));
}

/// Small whole powers by products, as PyTorch has the square and the cube.
static ComplexResults raise(const ComplexCall &complex) {
  static constexpr double maxProducts = 8;
  ComplexParts p(complex);
  TorchCall &c = complex.call;
  Complex base = p.operand(0);
  const double exponent = c.isTensor(1) ? 0 : c.number(1);
  if (exponent == 0 || exponent != std::trunc(exponent) ||
      std::abs(exponent) > maxProducts)
    return p.finish(complexPower(p, base, p.operand(1)));
  Complex power = base;
  for (int i = 1; i < std::abs(exponent); ++i)
    power = p.product(power, base);
  return p.finish(exponent < 0 ? p.quotient(p.real(p.number(1)), power)
                               : power);
}

static ComplexResults conjugateOf(const ComplexCall &complex) {
  ComplexParts p(complex);
  return p.finish(p.conjugate(p.operand(0)));
}
static ComplexResults sizeOf(const ComplexCall &complex) {
  ComplexParts p(complex);
  return p.finish({p.magnitude(p.operand(0)), Value()});
}
static ComplexResults directionOf(const ComplexCall &complex) {
  ComplexParts p(complex);
  return p.finish({p.angle(p.operand(0)), Value()});
}

/// A function of one number that has the op's name.
static ComplexResults function(const ComplexCall &complex) {
  StringRef name = complex.call.op.schema.name;
  name.consume_front("aten.");
  ComplexParts p(complex);
  return p.finish(findComplexFunction(name)(p, p.operand(0)));
}

/// The variance is the sum of those of the parts; deviations are its root.
template <bool isRoot>
static ComplexResults spread(const ComplexCall &complex) {
  TorchCall &c = complex.call;
  RealCalls calls(complex);
  auto real = calls.lower(Part::Real), imaginary = calls.lower(Part::Imaginary);
  if (failed(real) || failed(imaginary))
    return failure();
  Value a = real->front(), b = imaginary->front();
  return SmallVector<Complex>{
      {isRoot ? lowerings::hypotenuseOf(c, a, b) : c.apply<AddOp>({a, b}),
       Value()}};
}

static ComplexResults spreadAndMean(const ComplexCall &complex) {
  RealCalls calls(complex);
  auto real = calls.lower(Part::Real), imaginary = calls.lower(Part::Imaginary);
  if (failed(real) || failed(imaginary))
    return failure();
  Value variance =
      complex.call.apply<AddOp>({real->front(), imaginary->front()});
  return SmallVector<Complex>{{variance, Value()},
                              {real->back(), imaginary->back()}};
}

/// The numbers at `offset` and after it along dimension 1 of three.
static Complex part(TorchCall &c, Complex x, int64_t offset, int64_t size) {
  return {c.slice(x.real, 1, offset, size), c.slice(x.imag, 1, offset, size)};
}
static Value join(TorchCall &c, Value a, Value b) {
  SmallVector<int64_t> shape(tensorType(a).getShape());
  shape[1] += tensorType(b).getDimSize(1);
  return ConcatOp::create(c.builder, tensorType(a).clone(shape),
                          ValueRange{a, b}, 1);
}
static Complex join(TorchCall &c, Complex a, Complex b) {
  return {join(c, a.real, b.real), join(c, a.imag, b.imag)};
}

/// As [before, size, after] of the dimension that argument 1 names; all
/// numbers if there is none.
static Complex alongDim(ComplexParts &p) {
  TorchCall &c = p.c;
  Complex x = p.operand(0);
  ArrayRef<int64_t> shape = tensorType(x.real).getShape();
  SmallVector<int64_t> flat = {1, llvm::product_of(shape), 1};
  if (c.size() > 2 && !shape.empty()) { // (self, dim, ...), not (self, dtype)
    const int64_t dim = c.dim(1, shape.size());
    flat = {llvm::product_of(shape.take_front(dim)), shape[dim],
            llvm::product_of(shape.drop_front(dim + 1))};
  }
  x.imag = c.expand(x.imag, shape);
  return {c.reshape(x.real, flat), c.reshape(x.imag, flat)};
}

/// By halves that are multiplied.
static ComplexResults productOfNumbers(const ComplexCall &complex) {
  ComplexParts p(complex);
  TorchCall &c = complex.call;
  ArrayRef<int64_t> shape = c.resultShape();
  Complex x = alongDim(p);
  int64_t size = tensorType(x.real).getDimSize(1);
  if (size == 0)
    return p.finish(p.real(p.number(1)));
  for (; size > 1; size -= size / 2) {
    const int64_t half = size / 2;
    Complex halves = p.product(part(c, x, 0, half), part(c, x, half, half));
    x = size % 2 ? join(c, halves, part(c, x, size - 1, 1)) : halves;
  }
  return p.finish({c.reshape(x.real, shape), c.reshape(x.imag, shape)});
}

/// Over distances that double.
static ComplexResults runningProducts(const ComplexCall &complex) {
  ComplexParts p(complex);
  TorchCall &c = complex.call;
  ArrayRef<int64_t> shape = c.resultShape();
  Complex x = alongDim(p);
  const int64_t size = tensorType(x.real).getDimSize(1);
  for (int64_t away = 1; away < size; away *= 2)
    x = join(
        c, part(c, x, 0, away),
        p.product(part(c, x, 0, size - away), part(c, x, away, size - away)));
  return p.finish({c.reshape(x.real, shape), c.reshape(x.imag, shape)});
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

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
  ComplexParts p(complex);
  Complex x = p.operand(0);
  ArrayRef<int64_t> dims = c.ints(1);
  if (llvm::is_contained(c.resultShape(), 0))
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

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

Complex gaudi::partsOfPairs(FrontEndBuilder &b, Value pairs) {
  RankedTensorType type = tensorType(pairs);
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = 1;
  auto part = [&](int64_t i) {
    SmallVector<int64_t> offsets(type.getRank(), 0), steps(type.getRank(), 1);
    offsets.back() = i;
    Value slice = SliceOp::create(b, type.clone(shape), pairs, offsets, steps);
    return b.reshape(slice, type.getShape().drop_back());
  };
  Value real = part(0);
  return {real, part(1)};
}

Value gaudi::pairsOf(FrontEndBuilder &b, Complex parts) {
  SmallVector<int64_t> shape(tensorType(parts.real).getShape());
  shape.push_back(1);
  Value real = b.reshape(parts.real, shape);
  Value imag = b.reshape(parts.imag, shape);
  shape.back() = 2;
  return ConcatOp::create(b, tensorType(real).clone(shape),
                          ValueRange{real, imag}, shape.size() - 1);
}

//===----------------------------------------------------------------------===//
// The form of each row
//===----------------------------------------------------------------------===//

namespace {
/// How a row's calls are lowered for complex numbers, by its lowering for real
/// ones.
struct Form {
  Lowered (*lowering)(TorchCall &);
  ComplexResults (*lower)(const ComplexCall &);
};
} // namespace

static std::vector<Form> makeForms() {
  using namespace lowerings;
  std::vector<Form> forms;
  auto add = [&](ComplexResults (*lower)(const ComplexCall &),
                 std::initializer_list<Lowered (*)(TorchCall &)> rows) {
    for (auto *row : rows)
      forms.push_back({row, lower});
  };
  // Moves.
  add(byParts, {view,           identity,        permute,
                transpose,      transpose2d,     expand,
                slice,          narrow,          select,
                concatenate,    stack,           split,
                flip,           repeat,          pad,

                diagonal,       unfold,          strided,
                triangle<true>, triangle<false>, embedding,
                indexSelect,    gather,          index,
                scatter,        scatterAdd,      indexPut,
                sliceScatter,   selectScatter,   diagonalScatter,
                stridedScatter});
  // Sums.
  add(byParts, {unary<NegOp>, scaledSum, scaledDifference, reverseDifference,
                sum, mean, cumulativeSum, choose, fillMasked});
  add(byParts, {fillNumber, zeros, evenlySpaced});
  add(realNumbers, {lowerings::ones, range});
  add(convertNumbers, {convert});
  // Products.
  add(byProducts<0>, {matmul, linear, convolution});
  add(byProducts<1>, {addedProduct, addedVector, sumOfProducts, addProduct});
  add(multiply, {product});
  add(divide, {arithmetic<DivOp>});
  add(addRatio, {addQuotient});
  add(raise, {power});
  add(blend, {interpolate});
  add(productOfNumbers, {productOf});
  add(runningProducts, {cumulativeProduct});
  // Statistics and comparisons.
  add(spread<false>, {variance});
  add(spread<true>, {deviation});
  add(spreadAndMean, {varianceMean});
  add(joined<AndOp>, {compare<ComparePredicate::EQ>, isFinite});
  add(joined<OrOp>, {compare<ComparePredicate::NE>, isNan, isInfinite});
  add(ofTruth, {truth<ReduceKind::Any>, truth<ReduceKind::All>, logicalNot,
                logical<AndOp>, logical<OrOp>, logical<XorOp>});
  // Parts.
  add(conjugateOf, {conjugate});
  add(sizeOf, {unary<AbsOp>});
  add(directionOf, {angleOf});
  return forms;
}

/// Of rows that only complex numbers have.
static ComplexResults lowerRealOnly(const ComplexCall &complex) {
  TorchCall &c = complex.call;
  const StringRef name = c.op.schema.name;
  ComplexParts p(complex);
  if (name.starts_with("aten._fft_"))
    return transform(complex, name);
  if (name == "aten.view_as_real")
    return SmallVector<Complex>{
        {pairsOf(c.builder, {c.tensor(0), complex.imaginary[0].front()}),
         Value()}};
  if (name == "aten.view_as_complex")
    return SmallVector<Complex>{partsOfPairs(c.builder, c.tensor(0))};
  if (name == "aten.polar")
    return p.finish(p.polar(p.operand(0).real, p.operand(1).real));
  assert(name == "aten.complex");
  return p.finish({p.operand(0).real, p.operand(1).real});
}

ComplexResults gaudi::lowerComplex(const ComplexCall &complex) {
  static const std::vector<Form> forms = makeForms();
  if (complex.lowering == lowerings::realOnly)
    return lowerRealOnly(complex);
  for (const Form &form : forms)
    if (form.lowering == complex.lowering)
      return form.lower(complex);
  StringRef name = complex.call.op.schema.name;
  name.consume_front("aten.");
  if (findComplexFunction(name))
    return function(complex);
  return complex.call.refuse("it is not supported for complex numbers");
}
