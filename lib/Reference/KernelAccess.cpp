// Loads and stores of a kernel: affine positions, borders, checked indices.
#include "KernelAccess.h"
#include "KernelScalars.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::reference;

static bool addTerms(AffineExpr expr, int64_t factor, Linear &form) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    form.offset += factor * constant.getValue();
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    form.coefficients[dim.getPosition()] += factor;
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addTerms(binary.getLHS(), factor, form) &&
           addTerms(binary.getRHS(), factor, form);
  if (binary.getKind() != AffineExprKind::Mul)
    return false;
  if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS()))
    return addTerms(binary.getLHS(), factor * constant.getValue(), form);
  if (auto constant = dyn_cast<AffineConstantExpr>(binary.getLHS()))
    return addTerms(binary.getRHS(), factor * constant.getValue(), form);
  return false;
}

FailureOr<Linear> reference::linearForm(AffineExpr expr, unsigned dims) {
  Linear form;
  form.coefficients.assign(dims, 0);
  if (!addTerms(expr, 1, form))
    return failure();
  return form;
}

Linear reference::flatten(ArrayRef<Linear> perDim, ArrayRef<int64_t> strides,
                          unsigned dims) {
  Linear flat;
  flat.coefficients.assign(dims, 0);
  for (auto [form, stride] : llvm::zip(perDim, strides)) {
    flat.offset += form.offset * stride;
    for (unsigned d = 0; d < dims; ++d)
      flat.coefficients[d] += form.coefficients[d] * stride;
  }
  return flat;
}

void reference::evaluateLinear(const Linear &form, ArrayRef<unsigned> indexRows,
                               Lanes &lanes, int64_t *positions) {
  std::fill_n(positions, lanes.count, form.offset);
  for (auto [coefficient, row] : llvm::zip(form.coefficients, indexRows)) {
    if (coefficient == 0)
      continue;
    const int64_t *index = lanes.ints(row);
    for (int64_t i = 0; i < lanes.count; ++i)
      positions[i] += coefficient * index[i];
  }
}

void reference::evaluateGuarded(const GuardedAccess &access,
                                ArrayRef<unsigned> indexRows, Lanes &lanes,
                                int64_t *positions) {
  int64_t index[Lanes::width];
  bool inPad[Lanes::width] = {};
  int64_t faultDim[Lanes::width], faultIndex[Lanes::width];
  std::fill_n(positions, lanes.count, 0);
  std::fill_n(faultDim, lanes.count, -1);
  for (auto [dim, guarded] : llvm::enumerate(access.dims)) {
    if (guarded.valueRow)
      std::copy_n(lanes.ints(*guarded.valueRow), lanes.count, index);
    else
      evaluateLinear(guarded.form, indexRows, lanes, index);
    for (int64_t i = 0; i < lanes.count; ++i) {
      int64_t at = index[i];
      if (at < 0 || at >= guarded.size) {
        if (guarded.boundary == Boundary::Pad) {
          inPad[i] = true;
        } else if (guarded.boundary != Boundary::Clamp && faultDim[i] < 0) {
          faultDim[i] = dim;
          faultIndex[i] = at;
        }
        at = at < 0 ? 0 : guarded.size - 1;
      }
      positions[i] += at * guarded.stride;
    }
  }
  for (int64_t i = 0; i < lanes.count; ++i) {
    if (inPad[i]) {
      positions[i] = padPosition;
    } else if (faultDim[i] >= 0) {
      positions[i] = faultPosition;
      if (lanes.error.empty())
        lanes.error = llvm::formatv(
            "expected an index in [0, {0}) for dimension {1} of operand "
            "{2} but got {3}",
            access.dims[faultDim[i]].size, faultDim[i], access.operand,
            faultIndex[i]);
    }
  }
}
