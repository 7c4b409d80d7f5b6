// The device table in the dialect's terms.
#include "Gaudi/Transforms/DeviceModel.h"

using namespace mlir;
using namespace mlir::gaudi;
using ::gaudi::device::DeviceSpec;
using ::gaudi::device::DType;
using ::gaudi::device::MoveEngine;

const DeviceSpec *mlir::gaudi::deviceOf(ModuleOp module) {
  auto name = module->getAttrOfType<StringAttr>(deviceAttrName);
  if (!name) {
    module.emitError("has no device yet; run --gaudi-compile, or --gaudi-place-ops first");
    return nullptr;
  }
  auto spec = ::gaudi::device::DeviceSpec::lookup(name.getValue());
  if (!spec) {
    module.emitError() << spec.error().message;
    return nullptr;
  }
  return *spec;
}

bool mlir::gaudi::isMatrixProduct(Operation *op) {
  auto engine = dyn_cast<EngineOpInterface>(op);
  return engine && engine.getEngine() == Engine::MME &&
         !isa<PlaceableOpInterface>(op);
}

DType mlir::gaudi::deviceType(Type type) {
  if (type.isF32())
    return DType::F32;
  if (type.isBF16())
    return DType::BF16;
  if (type.isF16())
    return DType::F16;
  if (isa<Float8E4M3FNType>(type))
    return DType::F8E4M3FN;
  if (isa<Float8E5M2Type>(type))
    return DType::F8E5M2;
  bool isUnsigned = type.isUnsignedInteger();
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return DType::I1;
  case 8:
    return isUnsigned ? DType::U8 : DType::I8;
  case 16:
    return isUnsigned ? DType::U16 : DType::I16;
  case 32:
    return isUnsigned ? DType::U32 : DType::I32;
  default:
    return DType::I64;
  }
}

Engine mlir::gaudi::engineFor(const DeviceSpec &spec, Movement movement,
                              Type elementType) {
  auto engine = [](MoveEngine e) {
    return e == MoveEngine::MME   ? Engine::MME
           : e == MoveEngine::TPC ? Engine::TPC
                                  : Engine::DMA;
  };
  switch (movement) {
  case Movement::Transpose:
    return spec.transposeTypes.contains(deviceType(elementType))
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
