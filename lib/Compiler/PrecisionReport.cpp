// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error that one setting of autocast makes against another, op by op.
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/ErrorCauses.h"
#include "Session.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace gaudi;

static const char *ruleName(AutocastRule rule) {
  switch (rule) {
  case AutocastRule::Lower:
    return "lower";
  case AutocastRule::Float:
    return "fp32";
  case AutocastRule::Widest:
    return "promote";
  case AutocastRule::Given:
    break;
  }
  return "none";
}

/// What a unit computes in: "f8E4M3FN", "bf16" or "f32".
static std::string typeName(const AutocastTypes &types) {
  const FloatType type =
      types.scaling.type ? types.scaling.type : types.results;
  return type ? debugString(Type(type)) : "f32";
}

LogicalResult Session::explainPrecision(ArrayRef<GaudiBytes> given,
                                        StringRef before, StringRef after,
                                        double work, GaudiPrecision &report) {
  precision = {};
  auto arguments =
      firstArguments(given, "the error of one op is measured in one graph");
  if (failed(arguments))
    return failure();
  auto function = imported->lookupSymbol<func::FuncOp>(evaluatedName);
  std::vector<std::vector<AutocastTypes>> types;
  const std::vector<AutocastUnit> units = autocastUnits(function);
  for (StringRef text : {before, after}) {
    const auto setting = parseAutocast(std::string_view(text));
    if (!setting)
      return failOption("autocast: " + Twine(setting.error().message));
    types.push_back(autocastTypes(function, units, *setting, device));
  }
  arguments = withExtents(function, *arguments);
  if (failed(arguments))
    return fail("the extents of '" + Twine(entryName) + "' are not known");
  errorCount = 0;
  auto found =
      findErrorCauses(function, *arguments, units, types[0], types[1], work);
  if (failed(found))
    return fail("the reference evaluator failed" + errorCountText());
  for (auto [unit, old, now, cause] :
       llvm::zip_equal(units, types[0], types[1], found->causes))
    precision.texts.push_back({unit.name,
                               locationText(unit.ops.back()->getLoc()),
                               typeName(old), typeName(now), now.reason});
  for (auto [texts, now, cause] :
       llvm::zip_equal(precision.texts, types[1], found->causes))
    precision.ops.push_back(
        {texts.name.c_str(), texts.location.c_str(), ruleName(now.rule),
         texts.before.c_str(), texts.after.c_str(), texts.reason.c_str(),
         cause.alone, cause.back, cause.share, cause.group});
  const auto outputs = outputNumbers(function);
  precision.outputs.resize(this->outputs.size());
  for (auto [number, error] : llvm::zip_equal(outputs, found->results))
    if (number)
      precision.outputs[*number] = {error.error, error.norm, error.largest,
                                    uint64_t(error.notFinite),
                                    uint64_t(error.notFiniteBefore)};
  report = {uint32_t(precision.ops.size()),
            precision.ops.data(),
            uint32_t(precision.outputs.size()),
            precision.outputs.data(),
            found->error,
            found->evaluations};
  return success();
}
