// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the buffers of a function to its attributes.
#include "BufferTable.h"

namespace gaudi {

void BufferTable::attach() {
  Block &block = function.getBody().front();
  Builder builder(function.getContext());
  // All at once: setting them one by one would be quadratic.
  SmallVector<DictionaryAttr> ofArguments;
  function.getAllArgAttrs(ofArguments);
  for (auto [argument, attrs] :
       llvm::zip_equal(block.getArguments(), ofArguments)) {
    NamedAttrList list(attrs);
    list.set(bufferAttrName, attributeOf(argument));
    attrs = list.getDictionary(function.getContext());
  }
  function.setAllArgAttrs(ofArguments);
  for (Operation &op : block) {
    if (op.getNumResults() == 0)
      continue;
    SmallVector<Attribute> buffers;
    for (Value result : op.getResults())
      buffers.push_back(attributeOf(result));
    op.setAttr(buffersAttrName, builder.getArrayAttr(buffers));
  }
  function->setAttr(persistentBytesAttrName,
                    builder.getI64IntegerAttr(persistentEnd));
  function->setAttr(constBytesAttrName, builder.getI64IntegerAttr(constEnd));
  function->setAttr(workspaceBytesAttrName,
                    builder.getI64IntegerAttr(workspaceEnd));
}
} // namespace gaudi
