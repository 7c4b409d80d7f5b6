// Binds math operations to the C library's float functions.
#include "MathSymbols.h"

#include <cmath>

namespace gaudi::runtime {
namespace {

using Unary = float (*)(float);
using Binary = float (*)(float, float);

struct Binding {
  recipe::Op op;
  const char *name;
  void *address;
};

Binding one(recipe::Op op, const char *name, Unary function) {
  return {op, name, reinterpret_cast<void *>(function)};
}
Binding two(recipe::Op op, const char *name, Binary function) {
  return {op, name, reinterpret_cast<void *>(function)};
}

const std::vector<Binding> &bindings() {
  using recipe::Op;
  static const std::vector<Binding> table = {
      two(Op::RemF, "fmodf", fmodf),     two(Op::PowF, "powf", powf),
      two(Op::Atan2F, "atan2f", atan2f), one(Op::ExpF, "expf", expf),
      one(Op::Exp2F, "exp2f", exp2f),    one(Op::Expm1F, "expm1f", expm1f),
      one(Op::LogF, "logf", logf),       one(Op::Log2F, "log2f", log2f),
      one(Op::Log10F, "log10f", log10f), one(Op::Log1pF, "log1pf", log1pf),
      one(Op::CbrtF, "cbrtf", cbrtf),    one(Op::SinF, "sinf", sinf),
      one(Op::CosF, "cosf", cosf),       one(Op::TanF, "tanf", tanf),
      one(Op::AsinF, "asinf", asinf),    one(Op::AcosF, "acosf", acosf),
      one(Op::AtanF, "atanf", atanf),    one(Op::SinhF, "sinhf", sinhf),
      one(Op::CoshF, "coshf", coshf),    one(Op::TanhF, "tanhf", tanhf),
      one(Op::AsinhF, "asinhf", asinhf), one(Op::AcoshF, "acoshf", acoshf),
      one(Op::AtanhF, "atanhf", atanhf), one(Op::ErfF, "erff", erff),
      one(Op::ErfcF, "erfcf", erfcf)};
  return table;
}

} // namespace

const char *mathFunctionName(recipe::Op op) {
  for (const Binding &binding : bindings())
    if (binding.op == op)
      return binding.name;
  return nullptr;
}

const std::vector<std::pair<const char *, void *>> &mathFunctions() {
  static const std::vector<std::pair<const char *, void *>> table = [] {
    std::vector<std::pair<const char *, void *>> result;
    for (const Binding &binding : bindings())
      result.push_back({binding.name, binding.address});
    return result;
  }();
  return table;
}

} // namespace gaudi::runtime
