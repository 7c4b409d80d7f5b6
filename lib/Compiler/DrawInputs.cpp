// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs of other regimes than the given ones, for --check.
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Reference/Samples.h"
#include "Session.h"

using namespace mlir;
using namespace gaudi;

/// A few elements do not take all branches in one sample of each regime.
static constexpr unsigned drawnRounds = 6;

LogicalResult Session::drawInputs(ArrayRef<GaudiBytes> given,
                                  ArrayRef<uint8_t> varies, uint32_t seed,
                                  double work) {
  drawnInputs.clear();
  auto values = readInputs(given);
  if (failed(values))
    return failure();
  auto function = imported->lookupSymbol<func::FuncOp>(evaluatedName);
  // Of a program of several functions no single one tells what inputs lead to.
  if (programOf(function))
    return success();
  if (work < workOf(function) * double(boundedRegimes().size()))
    return success();
  Evaluation plain;
  plain.parameters = std::move(*values);
  auto arguments = argumentsOf(function, plain);
  if (failed(arguments))
    return failure();
  const auto numbers = parameterNumbers(function);
  const SmallVector<unsigned> visible = visibleArguments(function);
  BitVector varied(arguments->size());
  for (unsigned argument : visible)
    varied[argument] = varies[*numbers[argument]] != 0;
  if (varied.none())
    return success();
  // What the given inputs lead to is reported by their evaluation.
  std::string why;
  auto samples = drawSamples(function, boundedRegimes(), *arguments, varied,
                             seed, drawnRounds, work, why);
  if (failed(samples))
    return success();
  for (const Sample &sample : samples->samples) {
    if (sample.regime == Regime::Seeded)
      continue;
    DrawnInputs drawn{nameOf(sample.regime).str(), {}, {}};
    for (unsigned argument : visible)
      drawn.bytes.push_back(sample.inputs[argument].toBytes());
    for (const std::vector<char> &bytes : drawn.bytes)
      drawn.inputs.push_back(
          {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
    drawnInputs.push_back(std::move(drawn));
  }
  return success();
}
