// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bessel and Airy functions: Chebyshev series up to a bound, and of the
// amplitudes of the asymptotic forms beyond it.
//
// The coefficients are those of the interpolating polynomials at the zeros of
// T_n, computed in 40 digits and cut at 1e-9 of the largest.
#include "SpecialFunctions.h"

using namespace mlir;
using namespace gaudi;

static constexpr double pi = 3.14159265358979324;

//===----------------------------------------------------------------------===//
// Modified functions
//===----------------------------------------------------------------------===//

/// Series over |x| up to 8, of the function times sqrt(|x|) above.
static Value scaledI(Formula &f, Value size, Value below,
                     ArrayRef<double> far) {
  Value above = f.div(f.chebyshev(f.sub(f.div(f.num(16), size), f.num(1)), far),
                      f.sqrt(size));
  return f.select(f.less(f.num(8), size), above, below);
}

Value gaudi::besselI0e(Formula &f, Value x) {
  static constexpr double near[] = {
      2.659823725e-9,  -1.30002501e-8,   6.046995023e-8, -2.670793854e-7,
      1.117387539e-6,  -4.416738358e-6,  1.644844807e-5, -5.75419501e-5,
      0.0001885028851, -0.0005763755745, 0.001639475617, -0.004324309995,
      0.01054646039,   -0.02373741481,   0.04930528424,  -0.09490109705,
      0.1716209015,    -0.3046826723,    0.6767952744};
  static constexpr double far[] = {
      3.396232026e-9, 2.26666899e-8,  2.048918589e-7, 2.891370521e-6,
      6.889758347e-5, 0.003369116478, 0.804490411};
  Value size = f.abs(x);
  Value at = f.sub(f.mul(size, f.num(0.25)), f.num(1));
  return scaledI(f, size, f.chebyshev(at, near), far);
}

/// exp(|x|) times the scaled function.
static Value unscaled(Formula &f, Value x, Value scaled) {
  return f.mul(f.exp(f.abs(x)), scaled);
}
Value gaudi::besselI0(Formula &f, Value x) {
  return unscaled(f, x, besselI0e(f, x));
}
Value gaudi::besselI1(Formula &f, Value x) {
  return unscaled(f, x, besselI1e(f, x));
}

/// The first series is that of the function over |x|.
Value gaudi::besselI1e(Formula &f, Value x) {
  static constexpr double near[] = {
      9.381537262e-09, -4.445059112e-08, 2.003294753e-07, -8.568720266e-07,
      3.470251308e-06, -1.327316366e-05, 4.781565108e-05, -0.0001617608158,
      0.0005122859562, -0.001513572451,  0.004156422944,  -0.01056408489,
      0.02472644903,   -0.05294598121,   0.1026436587,    -0.1764165184,
      0.2525871864};
  static constexpr double far[] = {
      -3.835380389e-09, -2.631468847e-08, -2.512236238e-07, -3.882564809e-06,
      -0.0001105889388, -0.009761097491,  0.778576235};
  Value size = f.abs(x);
  Value below =
      f.mul(f.chebyshev(f.sub(f.mul(size, f.num(0.25)), f.num(1)), near), size);
  Value result = scaledI(f, size, below, far);
  return f.select(f.less(x, f.num(0)), f.neg(result), result);
}

namespace {
/// The K functions: up to 2 by their logarithm and a series of x^2, above by a
/// series of 1 / x.
struct SecondKind {
  SecondKind(Formula &f, Value x)
      : isNear(f.compare(ComparePredicate::LE, x, f.num(2))),
        logHalf(f.log(f.mul(x, f.num(0.5)))),
        nearAt(f.sub(f.mul(f.mul(x, x), f.num(0.5)), f.num(1))),
        farAt(f.sub(f.div(f.num(4), x), f.num(1))) {}

  /// `near` and `far` are the function itself and its scaled form.
  Value finish(Formula &f, Value x, Value near, Value far, bool isScaled) {
    Value result = isScaled
                       ? f.select(isNear, f.mul(near, f.exp(x)), far)
                       : f.select(isNear, near, f.mul(far, f.exp(f.neg(x))));
    // Infinite at 0, and real only above it.
    result = f.select(f.equal(x, f.num(0)), f.infinity(), result);
    return f.select(f.less(x, f.num(0)), f.nan(), result);
  }

  Value isNear, logHalf, nearAt, farAt;
};
} // namespace

static Value secondKind0(Formula &f, Value x, bool isScaled) {
  static constexpr double near[] = {
      1.904516377e-9, 2.534791079e-7, 2.286212103e-5, 0.001264615411,
      0.03597993652,  0.3442898999,   -0.5353273932};
  static constexpr double far[] = {
      8.574034017e-9,  -4.660489898e-8, 2.766813639e-7,
      -1.831755523e-6, 1.394981372e-5,  -0.0001284954958,
      0.001569883886,  -0.03144810131,  2.440303082};
  SecondKind k(f, x);
  Value below =
      f.sub(f.chebyshev(k.nearAt, near), f.mul(k.logHalf, besselI0(f, x)));
  Value above = f.div(f.chebyshev(k.farAt, far), f.sqrt(x));
  return k.finish(f, x, below, above, isScaled);
}
Value gaudi::besselK0(Formula &f, Value x) { return secondKind0(f, x, false); }
Value gaudi::besselK0e(Formula &f, Value x) { return secondKind0(f, x, true); }

static Value secondKind1(Formula &f, Value x, bool isScaled) {
  static constexpr double near[] = {
      -2.213387631e-8, -2.433406142e-6, -0.0001730288958, -0.00697572386,
      -0.1226111808,   -0.3531559608,   1.525300227};
  static constexpr double far[] = {
      -1.034576247e-8, 5.741084125e-8,  -3.501960603e-7,
      2.406484948e-6,  -1.936197974e-5, 0.0001952155185,
      -0.00285781686,  0.1039237366,    2.72062619};
  SecondKind k(f, x);
  Value below = f.add(f.div(f.chebyshev(k.nearAt, near), x),
                      f.mul(k.logHalf, besselI1(f, x)));
  Value above = f.div(f.chebyshev(k.farAt, far), f.sqrt(x));
  return k.finish(f, x, below, above, isScaled);
}
Value gaudi::besselK1(Formula &f, Value x) { return secondKind1(f, x, false); }
Value gaudi::besselK1e(Formula &f, Value x) { return secondKind1(f, x, true); }

//===----------------------------------------------------------------------===//
// J and Y
//===----------------------------------------------------------------------===//

namespace {
/// What the functions of one order share: up to 8 series of x^2, above
/// sqrt(2 / (pi x)) (P cos(x - phase) - Q sin(x - phase)) and the same with
/// sines for Y, where P and Q are series of (8 / x)^2. The phase is an odd
/// multiple of pi / 4, and so both are sums of sin x and cos x.
struct Oscillation {
  Oscillation(Formula &f, Value size, ArrayRef<double> p, ArrayRef<double> q)
      : isFar(f.less(f.num(8), size)), sine(f.sin(size)), cosine(f.cos(size)),
        nearAt(f.sub(f.mul(f.mul(size, size), f.num(1.0 / 32)), f.num(1))) {
    Value ratio = f.div(f.num(8), size);
    Value at = f.sub(f.mul(f.num(2), f.mul(ratio, ratio)), f.num(1));
    even = f.chebyshev(at, p);
    odd = f.mul(ratio, f.chebyshev(at, q));
    amplitude = f.sqrt(f.div(f.num(1 / pi), size));
  }

  /// amplitude * (even * a - odd * b)
  Value far(Formula &f, Value a, Value b) {
    return f.mul(amplitude, f.sub(f.mul(even, a), f.mul(odd, b)));
  }

  Value isFar, sine, cosine, nearAt, even, odd, amplitude;
};

constexpr double even0[] = {-5.170594538e-8, 3.075184788e-6, -0.0005365220468,
                            1.998920699};
constexpr double odd0[] = {4.220121905e-11, -7.271915937e-10, 1.797245725e-8,
                           -7.414498411e-7, 6.838519943e-5,   -0.03111170921};
constexpr double even1[] = {6.177633961e-8, -3.9872843e-6, 0.0008989898331,
                            2.001806082};
constexpr double odd1[] = {8.229193328e-10, -2.095978138e-8, 9.138615258e-7,
                           -9.627723549e-5, 0.09355557414};
constexpr double series0[] = {
    -2.679253531e-9,  7.608163592e-8, -1.761946908e-6, 3.246032882e-5,
    -0.0004606261662, 0.004819180069, -0.03489376941,  0.1580671023,
    -0.3700949939,    0.2651786132,   -0.008723442353, 0.3154559429};
constexpr double series1[] = {3.687133759e-9,  -9.521984757e-8, 1.985877405e-6,
                              -3.255554867e-5, 0.0004050337728, -0.003646940601,
                              0.02221363965,   -0.08268049177,  0.1609992624,
                              -0.1489751451,   0.1620896927};
} // namespace

Value gaudi::besselJ0(Formula &f, Value x) {
  Value size = f.abs(x);
  Oscillation o(f, size, even0, odd0);
  Value far = o.far(f, f.add(o.cosine, o.sine), f.sub(o.sine, o.cosine));
  Value result = f.select(o.isFar, far, f.chebyshev(o.nearAt, series0));
  return f.select(f.equal(size, f.infinity()), f.nan(), result);
}

Value gaudi::besselJ1(Formula &f, Value x) {
  Value size = f.abs(x);
  Oscillation o(f, size, even1, odd1);
  Value far = o.far(f, f.sub(o.sine, o.cosine), f.neg(f.add(o.sine, o.cosine)));
  Value near = f.mul(size, f.chebyshev(o.nearAt, series1));
  Value result = f.select(o.isFar, far, near);
  result = f.select(f.equal(size, f.infinity()), f.nan(), result);
  return f.select(f.less(x, f.num(0)), f.neg(result), result);
}

/// -infinity at 0, and real only above it.
static Value finishY(Formula &f, Value x, Value result) {
  result = f.select(f.equal(x, f.infinity()), f.nan(), result);
  result = f.select(f.equal(x, f.num(0)), f.neg(f.infinity()), result);
  return f.select(f.less(x, f.num(0)), f.nan(), result);
}

Value gaudi::besselY0(Formula &f, Value x) {
  static constexpr double near[] = {
      5.248794787e-9,  -1.440723327e-7, 3.206532538e-6, -5.632079141e-5,
      0.0007531135933, -0.00728796248,  0.0471966896,   -0.1773020128,
      0.2615673463,    0.1790343141,    -0.2744743055,  -0.06629222641};
  Oscillation o(f, x, even0, odd0);
  Value far = o.far(f, f.sub(o.sine, o.cosine), f.neg(f.add(o.sine, o.cosine)));
  Value logarithm = f.mul(f.num(2 / pi), f.log(x));
  Value below = f.add(f.chebyshev(o.nearAt, near),
                      f.mul(logarithm, f.chebyshev(o.nearAt, series0)));
  return finishY(f, x, f.select(o.isFar, far, below));
}

Value gaudi::besselY1(Formula &f, Value x) {
  static constexpr double near[] = {
      2.344337906e-10, -7.11055005e-9,   1.770780456e-7, -3.538080019e-6,
      5.505982873e-5,  -0.0006414551451, 0.005289897544, -0.02832812394,
      0.0844519726,    -0.09591204536,   -0.01608717305, 0.005076026471};
  Oscillation o(f, x, even1, odd1);
  Value far = o.far(f, f.neg(f.add(o.sine, o.cosine)), f.sub(o.cosine, o.sine));
  Value first = f.mul(x, f.chebyshev(o.nearAt, series1));
  Value singular = f.sub(f.mul(f.log(x), first), f.div(f.num(1), x));
  Value below = f.add(f.mul(f.num(2 / pi), singular),
                      f.mul(x, f.chebyshev(o.nearAt, near)));
  return finishY(f, x, f.select(o.isFar, far, below));
}

Value gaudi::sphericalBesselJ0(Formula &f, Value x) {
  // The Taylor series near 0.
  static constexpr double near[] = {-1.0 / 39916800, 1.0 / 362880, -1.0 / 5040,
                                    1.0 / 120,       -1.0 / 6,     1};
  Value size = f.abs(x);
  Value result = f.select(f.less(size, f.num(0.5)),
                          f.polynomial(f.mul(x, x), near), f.div(f.sin(x), x));
  return f.select(f.equal(size, f.infinity()), f.num(0), result);
}

//===----------------------------------------------------------------------===//
// Airy
//===----------------------------------------------------------------------===//

/// A series from -3 to 1. Beyond, with z = 2/3 |x|^1.5: above, a series of 1/z
/// times exp(-z) / (2 sqrt(pi) x^(1/4)); below, the oscillation
/// (P sin(z + pi/4) - Q cos(z + pi/4)) / (sqrt(pi) |x|^(1/4)), where P and Q
/// are series of 1/z^2.
Value gaudi::airyAi(Formula &f, Value x) {
  static constexpr double middle[] = {
      9.530592121e-10,  -2.517533882e-9, -2.183879176e-8, 2.027928581e-7,
      -3.393802692e-7,  -4.09914768e-6,  2.684421192e-5,  -2.060950091e-5,
      -0.0004417826522, 0.0019039837,    0.0001276070123, -0.02234249636,
      0.05391117987,    0.04316485512,   -0.3288153404,   0.234351521,
      0.306861827};
  static constexpr double right[] = {
      -2.222086249e-9, 6.043322459e-9, -1.695594866e-8, 4.928201239e-8,
      -1.491467927e-7, 4.731160991e-7, -1.586839704e-6, 5.694838988e-6,
      -2.224444511e-5, 9.706517943e-5, -0.000494225405, 0.003194123961,
      -0.03241600019,  1.927536722};
  static constexpr double even[] = {
      4.147665233e-9, -2.508139839e-8, 1.88693308e-7, -1.940409154e-6,
      3.267841506e-5, -0.001395199577, 1.997139925};
  static constexpr double odd[] = {
      -6.223744183e-11, 2.36577676e-10, -9.845953758e-10, 4.579429427e-9,
      -2.45103462e-8,   1.577733369e-7, -1.311960898e-6,  1.602655942e-5,
      -0.0003776983483, 0.03930331861};
  Value size = f.abs(x), root = f.sqrt(size), fourth = f.sqrt(root);
  Value z = f.mul(f.num(2.0 / 3), f.mul(size, root));
  // 1/z from its value at 1 to 0, as -1 to 1 and back.
  Value at = f.sub(f.div(f.num(4.0 / 3), z), f.num(1));
  Value above = f.mul(
      f.chebyshev(at, right),
      f.div(f.exp(f.neg(z)), f.mul(f.num(2 * 1.77245385090551603), fourth)));
  Value ratio = f.div(f.num(3.46410161513775459), z); // z at 3: 2 sqrt(3)
  Value at2 = f.sub(f.mul(f.num(2), f.mul(ratio, ratio)), f.num(1));
  Value sine = f.sin(z), cosine = f.cos(z);
  Value wave =
      f.sub(f.mul(f.chebyshev(at2, even), f.add(sine, cosine)),
            f.mul(f.mul(ratio, f.chebyshev(at2, odd)), f.sub(cosine, sine)));
  Value below = f.div(wave, f.mul(f.num(2.50662827463100051), fourth));
  Value between = f.chebyshev(f.mul(f.add(x, f.num(1)), f.num(0.5)), middle);
  Value result = f.select(f.less(f.num(1), x), above, between);
  result = f.select(f.less(x, f.num(-3)), below, result);
  return f.select(f.equal(size, f.infinity()), f.nan(), result);
}
