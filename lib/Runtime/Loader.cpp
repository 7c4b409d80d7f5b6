// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resolves tensors to addresses and commands to prepared objects.
#include "Loader.h"

#include "Bindings.h"
#include "Cache/ConstantCheck.h"
#include "Cache/DiskCache.h"
#include "Commands/ReductionCommand.h"
#include "Commands/TpcCommand.h"
#include "ErrorPhrases.h"
#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/LiveBuffers.h"
#include "Gaudi/Support/Units.h"
#include "Integers/IntegerCommand.h"
#include "Integers/SkippedExtension.h"
#include "MatrixWork.h"
#include "Mme/Library.h"
#include "Pipeline.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace gaudi::runtime {

using namespace recipe;

Layout hostLayout(const Tensor &tensor) {
  Layout stored{copyOf(tensor.sizes()), copyOf(tensor.strides())};
  const auto permutation = items(tensor.permutation());
  if (permutation.empty())
    return stored;
  Layout user = stored;
  for (uint32_t d = 0; d < permutation.size(); ++d) {
    user.sizes[permutation[d]] = stored.sizes[d];
    user.strides[permutation[d]] = stored.strides[d];
  }
  return user;
}

std::string commandText(const Recipe &recipe, const Command &command,
                        uint32_t index) {
  std::string result =
      fmt::format("command {} \"{}\"", index, text(command.name()));
  const auto locations = items(recipe.locations());
  if (command.location() != 0 && command.location() < locations.size())
    result += fmt::format(" ({})", text(locations[command.location()]));
  return result;
}

TensorInfo infoOf(const Recipe &recipe, uint32_t id) {
  const Tensor &tensor = *recipe.tensors()->Get(id);
  TensorInfo info;
  info.name = std::string(text(tensor.name()));
  info.type = tensor.type();
  const Layout layout = hostLayout(tensor);
  info.shape = layout.sizes;
  info.strides = layout.strides;
  info.permutation = copyOf(tensor.permutation());
  info.bytes = uint64_t(kernel::elementCount(info.shape).value_or(0)) *
               elementSize(info.type);
  info.tensor = id;
  return info;
}

namespace {

/// A kernel takes about 8 KiB of it.
constexpr uint64_t objectCacheBytes = uint64_t(256) << 20;

class Loader {
public:
  /// `pool`: of loading, beside launches with the recipe's resources.
  Loader(LoadedRecipe &loaded, const LoadOptions &options,
         const MatrixWork &matrix, const LoadedRecipe *other, ThreadPool &pool)
      : loaded(loaded), recipe(loaded.file->recipe()), options(options),
        matrix(matrix), other(other), pool(pool), constants(loaded, pool),
        objects(std::make_shared<DiskCache>(*options.cacheDirectory, "kernels",
                                            objectCacheBytes)),
        staging(loaded.addresses.stagingAddress(), matrix.staging),
        partials(loaded.addresses.partialsAddress(), UINT64_MAX),
        roots(rootsOf(recipe)) {}

  /// Six phases; each needs all that the former ones left in `loaded`.
  Status load() {
    // 1. Addresses. Const sections that the validation record does not know
    //    are checked here, before anything reads them.
    if (!other)
      GAUDI_TRY(constants.begin());
    GAUDI_TRY(bindTensors());
    // 2. Commands. Kernels and panels are only requested, so that equal ones
    //    of several commands are found.
    if (loaded.mme)
      loaded.panels = loaded.mme->panels(&loaded.panelCache);
    for (const Entry *entry : items(recipe.entries()))
      GAUDI_TRY(prepareEntry(*entry));
    // 3. What was requested: code and packed constants, from caches or made.
    if (!other)
      GAUDI_TRY(loaded.jit->compile(
          pool, objects, options.maxKernelWeight, options.sharesKernels,
          options.quickStart ? loaded.file : nullptr));
    if (loaded.panels)
      GAUDI_TRY(loaded.panels->resolve(pool, loaded.panelStats));
    // 4. Constants that are read after all. Those of which all panels came
    //    from the cache are not even paged in.
    if (!other) {
      collectReads();
      GAUDI_TRY(constants.end());
    }
    // 5. Launch steps: kernels bound, fused into matrix commands, scratch
    //    memory handed out.
    fuseKernels();
    GAUDI_TRY(placeScratch());
    for (uint32_t e = 0; e < loaded.entries.size(); ++e)
      listSteps(*recipe.entries()->Get(e), loaded.entries[e]);
    loaded.maxIterations = options.maxIterations;
    for (uint32_t e = 0; e < loaded.entries.size(); ++e)
      readProgram(*recipe.entries()->Get(e), loaded.entries[e]);
    // 6. Addresses of memory. Nothing has read or written tensors before.
    GAUDI_TRY(bindAddresses());
    loaded.panelCache.startWriting();
    return {};
  }

private:
  // --- phase 1 ---

  Status bindTensors() {
    const auto tensors = items(recipe.tensors());
    loaded.moved = GAUDI_TRY(moveTensors(recipe, options.bindings));
    for (uint32_t t = 0; t < tensors.size(); ++t) {
      const Tensor &tensor = *tensors[t];
      const Section &section = *recipe.sections()->Get(tensor.section());
      uint8_t *const moved = loaded.moved.of(t);
      const bool constant = section.kind() == SectionKind::Const;
      loaded.tensors.push_back(
          {moved ? moved
           : constant
               ? loaded.memory.section(tensor.section()) + tensor.offset()
               : loaded.addresses.linkAddress(t),
           tensor.type(),
           {copyOf(tensor.sizes()), copyOf(tensor.strides())},
           constant});
    }
    for (uint32_t t = 0; t < tensors.size(); ++t)
      if (tensors[t]->tensor_class() == TensorClass::State &&
          tensors[t]->alias_of() < 0)
        loaded.states.push_back(infoOf(recipe, t));
    return {};
  }

  // --- phase 2 ---

  Status prepareEntry(const Entry &entry) {
    LoadedEntry result;
    result.name = std::string(text(entry.name()));
    for (uint32_t id : items(entry.inputs()))
      result.inputs.push_back(infoOf(recipe, id));
    for (uint32_t id : items(entry.outputs()))
      result.outputs.push_back(infoOf(recipe, id));
    const auto commands = items(entry.commands());
    if (options.relocatable) {
      std::vector<bool> contracts;
      for (const FoundContraction &found :
           matrix.contractions[loaded.entries.size()])
        contracts.push_back(found.contraction.has_value());
      inPlace.emplace_back(recipe, entry, contracts, roots);
    }
    for (uint32_t c = 0; c < commands.size(); ++c) {
      Prepared body = prepare(*commands[c], c);
      if (!body)
        return fail("{}: {}", commandText(recipe, *commands[c], c),
                    body.error().message);
      LoadedCommand command;
      command.body = std::move(*body);
      // The kinds are asked for once here, not per launch.
      command.kernels = dynamic_cast<KernelCommand *>(command.body.get());
      command.tpc = dynamic_cast<TpcCommand *>(command.kernels);
      command.integers = dynamic_cast<IntegerCommand *>(command.kernels);
      command.engine = unsigned(commands[c]->engine());
      measureReach(*commands[c], command);
      result.commands.push_back(std::move(command));
    }
    loaded.entries.push_back(std::move(result));
    return {};
  }

  BoundTensors bound(const flatbuffers::Vector<uint32_t> *ids) {
    BoundTensors result;
    for (uint32_t id : items(ids))
      result.push_back(loaded.tensors[id]);
    return result;
  }

  /// The same command of the other executable; null without one. Layouts and
  /// the places of operands among each other are equal, so its code serves.
  const LoadedCommand *twinOf(uint32_t index) const {
    return other ? &other->entries[loaded.entries.size()].commands[index]
                 : nullptr;
  }

  Prepared prepare(const Command &command, uint32_t index) {
    BoundTensors in = bound(command.inputs());
    BoundTensors out = bound(command.outputs());
    switch (command.body_type()) {
    case Body::Launch:
      return prepareLaunch(command, index, in, out);
    case Body::Transfer:
      return prepareTransfer(in[0], out[0]);
    case Body::Fill:
      return prepareFill(*command.body_as_Fill(), out[0]);
    case Body::Library:
      return prepareLibrary(*command.body_as_Library(), std::move(in),
                            std::move(out));
    default: {
      assert(isMatrixCommand(command) && loaded.mme &&
             "the library is open if a recipe has such commands");
      PrepareContext context = matrixContext();
      return loaded.mme->prepare(command, in, out, context);
    }
    }
  }

  PrepareContext matrixContext() {
    staging.restart();
    const std::string_view target = text(recipe.target());
    return {pool,
            staging,
            loaded.hostBytes,
            loaded.panels.get(),
            options.numerics == Numerics::Chip ? target : std::string_view(),
            target};
  }

  Prepared prepareLaunch(const Command &command, uint32_t index,
                         const BoundTensors &in, const BoundTensors &out) {
    BoundTensors operands = in;
    operands.insert(operands.end(), out.begin(), out.end());
    const Kernel &kernel =
        *recipe.kernels()->Get(command.body_as_Launch()->kernel());
    // Only the other executable may compile code, so its decision holds.
    const LoadedCommand *const twin = twinOf(index);
    std::string reason;
    std::unique_ptr<IntegerCommand> integers;
    // An equal command without integer kernels found this one unfit: it is not
    // tried again.
    if (!twin || twin->integers)
      integers = GAUDI_TRY(prepareIntegerCommand(
          kernel, matrix.contractions[loaded.entries.size()][index], in, out,
          loaded.tensors, loaded.mme, [&] { return matrixContext(); }, reason));
    if (integers) {
      integers->request(*loaded.jit, twin ? twin->integers : nullptr);
      return integers;
    }
    if (twin && twin->integers)
      return fail(
          "command {}: an earlier executable of this recipe selected other "
          "int8 kernels than this one may use{}{}; load it from the recipe, or "
          "leave GAUDI_MME and GAUDI_INTEGERS as they were",
          index, reason.empty() ? "" : ": ", reason);
    if (auto reduction = prepareReduction(kernel, in, out, partials)) {
      // Extents and overlaps, by which it is chosen, are those of the twin.
      const auto *const same =
          twin ? dynamic_cast<const ReductionCommand *>(twin->kernels)
               : nullptr;
      assert(!twin == !same && "equal commands");
      reduction->request(*loaded.jit, same);
      return reduction;
    }
    // All else is a kernel of the code generator.
    auto prepared = std::make_unique<TpcCommand>(operands);
    prepared->request(*loaded.jit, kernel, operands, twin ? twin->tpc : nullptr,
                      /*ofRecipe=*/true,
                      inPlace.empty() ? std::vector<OperandPair>()
                                      : inPlace.back().pairsOf(index));
    prepared->reason = twin ? twin->tpc->reason : std::move(reason);
    return prepared;
  }

  void measureReach(const Command &command, LoadedCommand &result) {
    for (const auto *ids : {command.inputs(), command.outputs()})
      for (uint32_t id : items(ids)) {
        const Tensor &tensor = *recipe.tensors()->Get(id);
        if (recipe.sections()->Get(tensor.section())->kind() !=
            SectionKind::Workspace)
          continue;
        result.reach.push_back(
            {tensor.section(), tensor.offset() + tensorBytes(tensor)});
      }
  }

  // --- phase 4 ---

  /// Inputs and outputs of entries count as read: the host may read them.
  void collectReads() {
    for (const TensorInfo &state : loaded.states)
      if (const int32_t initial =
              recipe.tensors()->Get(state.tensor)->initial();
          initial >= 0)
        constants.addRead(uint32_t(initial));
    for (uint32_t e = 0; e < loaded.entries.size(); ++e) {
      const Entry &entry = *recipe.entries()->Get(e);
      for (const auto *ids : {entry.inputs(), entry.outputs()})
        for (uint32_t id : items(ids))
          constants.addRead(id);
      const auto commands = items(entry.commands());
      for (uint32_t c = 0; c < commands.size(); ++c) {
        const PreparedCommand &command = *loaded.entries[e].commands[c].body;
        const auto inputs = items(commands[c]->inputs());
        for (uint32_t i = 0; i < inputs.size(); ++i)
          if (command.reads(i, loaded.tensors[inputs[i]]))
            constants.addRead(inputs[i]);
      }
    }
  }

  // --- phase 5 ---

  void fuseKernels() {
    const unsigned workers = loaded.pool.size();
    for (LoadedEntry &entry : loaded.entries)
      for (LoadedCommand &command : entry.commands)
        if (command.kernels)
          command.kernels->bind(*loaded.jit, workers);
    for (uint32_t e = 0; options.pipelined && e < loaded.entries.size(); ++e)
      pipelineKernels(loaded.entries[e], *recipe.entries()->Get(e),
                      loaded.tensors, workers);
    if (options.pipelined)
      skipExtensions(loaded);
  }

  /// One region that all commands use in turn, sized by the largest; launches
  /// allocate nothing. A few bytes of a recipe can ask for terabytes (a line
  /// with stride 0 to sort), hence the budget.
  Status placeScratch() {
    const unsigned workers = loaded.pool.size();
    uint64_t most = 0;
    for (uint32_t e = 0; e < loaded.entries.size(); ++e) {
      const auto commands = items(recipe.entries()->Get(e)->commands());
      for (uint32_t c = 0; c < commands.size(); ++c) {
        const PreparedCommand &body = *loaded.entries[e].commands[c].body;
        const uint64_t bytes = body.scratchBytes();
        const uint64_t users = body.scratchWorkers(workers);
        // Divided, since the product might overflow.
        if (bytes > options.hostScratch / users)
          return fail("{}: needs {}{}{} per thread, threads: {}) but may take "
                      "{}; use fewer threads or a host with more memory",
                      commandText(recipe, *commands[c], c),
                      humanBytes(bytes * users), hostScratchMemory,
                      humanBytes(bytes), users,
                      humanBytes(options.hostScratch));
        most = std::max(most, bytes);
      }
    }
    for (LoadedEntry &entry : loaded.entries)
      for (LoadedCommand &command : entry.commands)
        command.body->bindScratch(loaded.resources->scratch());
    loaded.addresses.scratchBytes = most;
    loaded.addresses.setStaging(staging.highest(), partials.highest());
    loaded.hostBytes += most * workers + loaded.addresses.stagingBytes();
    return {};
  }

  void listSteps(const Entry &source, LoadedEntry &entry) {
    const auto commands = items(source.commands());
    const auto locations = items(recipe.locations());
    for (uint32_t c = 0; c < commands.size(); ++c) {
      const LoadedCommand &command = entry.commands[c];
      CommandInfo info;
      info.name = std::string(text(commands[c]->name()));
      if (commands[c]->location() < locations.size())
        info.location = std::string(text(locations[commands[c]->location()]));
      info.engine = unsigned(commands[c]->engine());
      info.flops = commands[c]->flops();
      info.bytes = commands[c]->bytes();
      info.implementation =
          command.skippedFor ? fmt::format("nothing: #{} reads what it extends",
                                           *command.skippedFor)
                             : command.body->implementation();
      info.within = command.within;
      entry.infos.push_back(std::move(info));
      // Kernels within the tiles of a matrix command, and those whose reader
      // does their work, are no steps of their own.
      if (command.within || command.skippedFor)
        continue;
      LaunchStep step;
      step.body = command.body.get();
      step.command = c;
      // Of kernels, only those with points have a step.
      if (!command.tpc || command.tpc->describe(step))
        entry.steps.push_back(step);
    }
  }

  /// Finds the other end of each loop, and lists the commands of the parts. The
  /// verifier has matched the ends.
  void readProgram(const Entry &source, LoadedEntry &entry) {
    std::vector<uint32_t> open;
    for (const ProgramStep *step : items(source.program())) {
      const auto index = uint32_t(entry.program.size());
      entry.program.push_back({step->kind(), step->id(), 0});
      if (step->kind() == StepKind::While) {
        open.push_back(index);
      } else if (step->kind() == StepKind::End) {
        assert(!open.empty() && "the verifier has matched it");
        entry.program[index].other = open.back();
        entry.program[open.back()].other = index;
        open.pop_back();
      } else {
        entry.program[index].id = addPart(step->id(), entry);
      }
    }
  }

  /// Its place among the parts of the entry.
  uint32_t addPart(uint32_t id, LoadedEntry &entry) {
    for (size_t part = 0; part < entry.parts.size(); ++part)
      if (entry.parts[part].entry == id)
        return uint32_t(part);
    LoadedEntry &launched = loaded.entries[id];
    launched.isPart = true;
    const size_t first = entry.infos.size();
    entry.parts.push_back({id, first});
    for (CommandInfo info : launched.infos) {
      if (info.within)
        info.within = uint32_t(*info.within + first);
      entry.infos.push_back(std::move(info));
    }
    return uint32_t(entry.parts.size() - 1);
  }

  // --- phase 6 ---

  Status bindAddresses() {
    LaunchBindings &addresses = loaded.addresses;
    for (LoadedEntry &entry : loaded.entries)
      for (LoadedCommand &command : entry.commands)
        command.body->visitAddresses(addresses.visitor());
    for (BoundTensor &tensor : loaded.tensors)
      addresses.visitor().visit(tensor.data);
    if (options.relocatable)
      GAUDI_TRY(addresses.openToCallers(std::move(inPlace)));
    else if (!options.movesTensors)
      addresses.bindTo(loaded.memory);
    // Resources that others use too are left to the launches.
    if (options.resources)
      return {};
    GAUDI_TRY(addresses.prepare(*loaded.resources));
    addresses.keepStaging();
    return {};
  }

  LoadedRecipe &loaded;
  const Recipe &recipe;
  const LoadOptions &options;
  const MatrixWork &matrix;
  const LoadedRecipe *other; // null: this is the first one
  ThreadPool &pool;
  ConstantCheck constants;
  std::shared_ptr<DiskCache> objects;
  Staging staging, partials;
  const std::vector<uint32_t> roots; // of tensors
  std::vector<InPlace> inPlace;      // of entries, if callers bind addresses
};

} // namespace

Result<std::unique_ptr<LoadedRecipe>>
loadRecipe(std::shared_ptr<const RecipeFile> file, const LoadOptions &options,
           const LoadedRecipe *other) {
  DeviceMemory memory = GAUDI_TRY(DeviceMemory::create(
      *file, options.deviceMemory,
      /*constantsOnly=*/options.relocatable || options.movesTensors));
  GAUDI_TRY(checkIntegerChoice());
  const MatrixWork matrix = GAUDI_TRY(findMatrixWork(file->recipe()));
  auto own = GAUDI_TRY(LaunchResources::create(options.threads));
  auto loaded = std::make_unique<LoadedRecipe>(
      std::move(file), std::move(memory),
      options.resources ? options.resources : own, options);
  loaded->mme = matrix.mme;
  loaded->jit = other ? other->jit : std::make_shared<KernelJit>();
  GAUDI_TRY(Loader(*loaded, options, matrix, other, own->pool()).load());
  return loaded;
}

} // namespace gaudi::runtime
