// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device table in the dialect's terms.
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Dialect/KernelLanguage.h"

using namespace mlir;
using namespace gaudi;
using gaudi::device::DeviceSpec;
using gaudi::device::MoveEngine;

const DeviceSpec *gaudi::deviceOf(ModuleOp module) {
  if (!module->hasAttrOfType<StringAttr>(deviceAttrName)) {
    // A module that the text does not write is at line 0.
    Location loc = module.getLoc();
    if (auto file = dyn_cast<FileLineColLoc>(loc);
        file && file.getLine() == 0 && !module.getBody()->empty())
      loc = module.getBody()->front().getLoc();
    // Without the op, which would be printed whole.
    emitError(loc) << "the module is not compiled yet; put --gaudi-compile "
                      "before --gaudi-emit-recipe, and "
                      "--gaudi-compile=stop-after=graph before another pass";
    return nullptr;
  }
  return deviceOf(module, "");
}

const DeviceSpec *gaudi::deviceOf(ModuleOp module, StringRef fallback) {
  auto name = module->getAttrOfType<StringAttr>(deviceAttrName);
  auto spec =
      gaudi::device::DeviceSpec::lookup(name ? name.getValue() : fallback);
  if (!spec) {
    module.emitError() << spec.error().message;
    return nullptr;
  }
  return *spec;
}

bool gaudi::isMatrixProduct(Operation *op) {
  auto engine = dyn_cast<EngineOpInterface>(op);
  return engine && engine.getEngine() == Engine::MME &&
         !isa<PlaceableOpInterface>(op);
}

Engine gaudi::engineFor(const DeviceSpec &spec, Movement movement,
                        Type elementType) {
  auto engine = [](MoveEngine e) {
    return e == MoveEngine::MME   ? Engine::MME
           : e == MoveEngine::TPC ? Engine::TPC
                                  : Engine::DMA;
  };
  switch (movement) {
  case Movement::Transpose:
    return spec.transposeTypes.contains(elementTypeOf(elementType))
               ? engine(spec.transposeEngine)
               : Engine::TPC;
  case Movement::Broadcast:
    return engine(spec.broadcastEngine);
  case Movement::Copy:
    return engine(spec.memcpyEngine);
  case Movement::Fill:
    return engine(spec.memsetEngine);
  }
  llvm_unreachable("unknown movement");
}
