// Plays a launch of a function that has not been compiled to the end.
#include "PlayLaunch.h"

#include "Gaudi/Conversion/GaudiToRecipe/GaudiToRecipe.h"
#include "Gaudi/Prediction/Prediction.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::gaudi;
using ::gaudi::prediction::LaunchTimes;

static std::optional<PlayedLaunch> playLaunch(func::FuncOp function,
                                              LaunchTimes &times) {
  auto module = cast<ModuleOp>(function->getParentOp());
  ScopedDiagnosticHandler silent(module.getContext(),
                                 [](Diagnostic &) { return success(); });
  PassManager memory(module.getContext(), ModuleOp::getOperationName());
  memory.enableVerifier(false); // the phases are checked in the real run
  memory.addPass(createAliasBuffers());
  memory.addPass(createAssignBuffers());
  EmittedRecipe emitted;
  if (failed(memory.run(module)) ||
      failed(emitRecipe(module, emitted, /*isVerified=*/true)))
    return std::nullopt;
  // The metadata alone: constants are not copied.
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(::gaudi::recipe::Recipe::Pack(builder, &emitted.recipe));
  const auto *recipe =
      flatbuffers::GetRoot<::gaudi::recipe::Recipe>(builder.GetBufferPointer());
  auto time = times.of(*recipe, /*entry=*/0);
  if (!time)
    return std::nullopt;
  const auto workspace = size_t(::gaudi::recipe::SectionKind::Workspace);
  return PlayedLaunch{*time, emitted.recipe.sections[workspace]->size};
}

LaunchPlayer mlir::gaudi::launchPlayer() {
  return [times = std::make_shared<LaunchTimes>()](func::FuncOp function) {
    return playLaunch(function, *times);
  };
}
