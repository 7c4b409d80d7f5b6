// Keeps inputs from MLIR that its parser and verifiers abort on.
#include "Gaudi/Compiler/SourceGuards.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

bool mlir::gaudi::isNestedTooDeep(StringRef text) {
  constexpr unsigned most = 2000;
  unsigned depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool isArrow = c == '>' && i > 0 && text[i - 1] == '-';
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"' || c == '\n')
        quoted = false;
      continue;
    }
    if (c == '"')
      quoted = true;
    else if (c == '/' && text.substr(i, 2) == "//")
      i = std::min(text.find('\n', i), text.size());
    else if (c == '[' || c == '(' || c == '{' || c == '<')
      ++depth;
    else if ((c == ']' || c == ')' || c == '}' || (c == '>' && !isArrow)) &&
             depth > 0)
      --depth;
    if (depth > most)
      return true;
  }
  return false;
}

void mlir::gaudi::inlineSmallResources(Operation *root) {
  constexpr int64_t smallElements = 64;
  root->walk([&](tosa::ConstOp op) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValues());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!resource || !type || !type.hasStaticShape() ||
        resource.getType() != type || type.getNumElements() > smallElements)
      return;
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    bool isSplat = false;
    if (blob &&
        DenseElementsAttr::isValidRawBuffer(type, blob->getData(), isSplat))
      op.setValuesAttr(
          DenseElementsAttr::getFromRawBuffer(type, blob->getData()));
  });
}

LogicalResult mlir::gaudi::refuseEmptyParameters(Operation *root) {
  bool failed = false;
  root->walk([&](tosa::ConstOp op) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValues());
    if (!resource || resource.getType().getNumElements() > 1)
      return;
    failed = true;
    op.emitError("resource '")
        << resource.getRawHandle().getKey()
        << "' of a scalar parameter has no data in the file, or not as many "
           "bytes as "
        << resource.getType() << " needs";
  });
  return failure(failed);
}
