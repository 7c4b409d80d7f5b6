// Resolves tensors to addresses and commands to prepared objects.
#include "Loader.h"

#include "Cache/ConstantCheck.h"
#include "Cache/DiskCache.h"
#include "Commands/TpcCommand.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Geometry.h"
#include "Host/Plugin.h"
#include "Mme/Library.h"
#include "Pipeline.h"

#include <algorithm>
#include <system_error>

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
  std::string result = "command " + std::to_string(index) + " \"" +
                       std::string(text(command.name())) + "\"";
  const auto locations = items(recipe.locations());
  if (command.location() != 0 && command.location() < locations.size())
    result += " (" + std::string(text(locations[command.location()])) + ")";
  return result;
}

namespace {

TensorInfo infoOf(const Recipe &recipe, uint32_t id) {
  const Tensor &tensor = *recipe.tensors()->Get(id);
  TensorInfo info;
  info.name = std::string(text(tensor.name()));
  info.type = tensor.type();
  info.shape = hostLayout(tensor).sizes;
  info.bytes =
      uint64_t(elementCount(info.shape).value_or(0)) * elementSize(info.type);
  info.tensor = id;
  return info;
}

/// A kernel takes some 8 KiB of it.
constexpr uint64_t objectCacheBytes = uint64_t(256) << 20;

class Loader {
public:
  Loader(LoadedRecipe &loaded, const LoadOptions &options)
      : loaded(loaded), recipe(loaded.file->recipe()),
        pipelined(options.pipelined), constants(loaded),
        objects(*options.cacheDirectory, "kernels", objectCacheBytes),
        staging(loaded.staging.data(), loaded.staging.size()) {}

  Status load() {
    if (Status status = constants.begin(); !status)
      return status;
    if (loaded.mme)
      loaded.panels = loaded.mme->panels(&loaded.panelCache);
    for (const Tensor *tensor : items(recipe.tensors())) {
      const bool constant = recipe.sections()->Get(tensor->section())->kind() ==
                            SectionKind::Const;
      loaded.tensors.push_back(
          {loaded.memory.section(tensor->section()) + tensor->offset(),
           tensor->type(),
           {copyOf(tensor->sizes()), copyOf(tensor->strides())},
           constant});
    }
    for (uint32_t t = 0; t < items(recipe.tensors()).size(); ++t)
      if (recipe.tensors()->Get(t)->tensor_class() == TensorClass::State &&
          recipe.tensors()->Get(t)->alias_of() < 0)
        loaded.states.push_back(infoOf(recipe, t));
    for (const Entry *entry : items(recipe.entries()))
      if (Status status = loadEntry(*entry); !status)
        return status;
    if (Status status = loaded.jit.compile(loaded.pool, objects); !status)
      return status;
    if (loaded.panels)
      if (Status status = loaded.panels->settle(loaded.pool, loaded.panelStats);
          !status)
        return status;
    noteReads();
    if (Status status = constants.end(); !status)
      return status;
    if (Status status = finish(); !status)
      return status;
    loaded.panelCache.startWriting();
    return {};
  }

private:
  Status loadEntry(const Entry &entry) {
    LoadedEntry result;
    result.name = std::string(text(entry.name()));
    for (uint32_t id : items(entry.inputs()))
      result.inputs.push_back(infoOf(recipe, id));
    for (uint32_t id : items(entry.outputs()))
      result.outputs.push_back(infoOf(recipe, id));
    const auto commands = items(entry.commands());
    for (uint32_t c = 0; c < commands.size(); ++c) {
      Prepared body = prepare(*commands[c]);
      if (!body)
        return fail(commandText(recipe, *commands[c], c) + ": " +
                    body.error().message);
      LoadedCommand command;
      command.body = std::move(*body);
      if (commands[c]->body_type() == Body::Launch)
        command.launch = static_cast<TpcCommand *>(command.body.get());
      command.engine = unsigned(commands[c]->engine());
      noteReach(*commands[c], command);
      result.commands.push_back(std::move(command));
    }
    loaded.entries.push_back(std::move(result));
    return {};
  }

  std::vector<BoundTensor> bound(const flatbuffers::Vector<uint32_t> *ids) {
    std::vector<BoundTensor> result;
    for (uint32_t id : items(ids))
      result.push_back(loaded.tensors[id]);
    return result;
  }

  Prepared prepare(const Command &command) {
    std::vector<BoundTensor> in = bound(command.inputs());
    std::vector<BoundTensor> out = bound(command.outputs());
    staging.restart();
    PrepareContext context{loaded.pool, staging, loaded.hostBytes,
                           loaded.panels.get()};
    switch (command.body_type()) {
    case Body::Launch: {
      std::vector<BoundTensor> operands = std::move(in);
      operands.insert(operands.end(), out.begin(), out.end());
      auto prepared = std::make_unique<TpcCommand>(operands);
      prepared->handle = loaded.jit.add(
          *recipe.kernels()->Get(command.body_as_Launch()->kernel()),
          TpcCommand::describe(operands));
      return prepared;
    }
    case Body::Gemm:
      return loaded.mme->gemm(*command.body_as_Gemm(), in[0], in[1], out[0],
                              context);
    case Body::Conv:
      return loaded.mme->conv(*command.body_as_Conv(), in[0], in[1], out[0],
                              context);
    case Body::Transfer:
      return prepareTransfer(in[0], out[0]);
    case Body::Fill:
      return prepareFill(*command.body_as_Fill(), out[0]);
    case Body::Library:
      return prepareLibrary(*command.body_as_Library(), std::move(in),
                            std::move(out));
    default:
      return fail("this runtime does not know the kind of command");
    }
  }

  /// Tells the check of constants what is read.
  void noteReads() {
    for (uint32_t e = 0; e < loaded.entries.size(); ++e) {
      const Entry &entry = *recipe.entries()->Get(e);
      for (const auto *ids : {entry.inputs(), entry.outputs()})
        for (uint32_t id : items(ids))
          constants.needs(id);
      const auto commands = items(entry.commands());
      for (uint32_t c = 0; c < commands.size(); ++c) {
        const uint8_t *spared =
            loaded.entries[e].commands[c].body->sparedConstant();
        const auto inputs = items(commands[c]->inputs());
        for (uint32_t i = 0; i < inputs.size(); ++i)
          if (i != 1 || spared == nullptr ||
              spared != loaded.tensors[inputs[i]].data)
            constants.needs(inputs[i]);
      }
    }
  }

  void noteReach(const Command &command, LoadedCommand &result) {
    for (const auto *ids : {command.inputs(), command.outputs()})
      for (uint32_t id : items(ids)) {
        const Tensor &tensor = *recipe.tensors()->Get(id);
        if (recipe.sections()->Get(tensor.section())->kind() !=
            SectionKind::Workspace)
          continue;
        const uint64_t end =
            tensor.offset() + byteExtent(copyOf(tensor.sizes()),
                                         copyOf(tensor.strides()),
                                         elementSize(tensor.type()))
                                  .value_or(0);
        result.reach.push_back({tensor.section(), end});
      }
  }

  /// What needed all commands to be known: kernel code and scratch memory.
  Status finish() {
    const unsigned workers = loaded.pool.size();
    for (LoadedEntry &entry : loaded.entries)
      for (LoadedCommand &command : entry.commands)
        if (command.launch)
          command.launch->bind(loaded.jit.get(command.launch->handle), workers);
    for (uint32_t e = 0; pipelined && e < loaded.entries.size(); ++e)
      pipelineKernels(loaded.entries[e], *recipe.entries()->Get(e),
                      loaded.tensors, workers);
    uint64_t most = 0;
    for (const LoadedEntry &entry : loaded.entries)
      for (const LoadedCommand &command : entry.commands)
        most = std::max(most, command.body->scratchBytes());
    most = (most + 4095) / 4096 * 4096;
    Result<Arena> scratch = Arena::create(most * workers);
    if (!scratch)
      return tl::unexpected<Error>(scratch.error());
    loaded.scratch = std::move(*scratch);
    std::vector<uint8_t *> perWorker;
    for (unsigned worker = 0; worker < workers; ++worker)
      perWorker.push_back(loaded.scratch.data() + worker * most);
    for (uint32_t e = 0; e < loaded.entries.size(); ++e) {
      LoadedEntry &entry = loaded.entries[e];
      const auto commands = items(recipe.entries()->Get(e)->commands());
      const auto locations = items(recipe.locations());
      for (uint32_t c = 0; c < commands.size(); ++c) {
        entry.commands[c].body->bindScratch(perWorker);
        CommandInfo info;
        info.name = std::string(text(commands[c]->name()));
        if (commands[c]->location() < locations.size())
          info.location = std::string(text(locations[commands[c]->location()]));
        info.engine = unsigned(commands[c]->engine());
        info.flops = commands[c]->flops();
        info.bytes = commands[c]->bytes();
        info.implementation = entry.commands[c].body->implementation();
        info.within = entry.commands[c].within;
        entry.infos.push_back(std::move(info));
        if (entry.commands[c].within)
          continue;
        LaunchStep step;
        step.body = entry.commands[c].body.get();
        step.command = c;
        const TpcCommand *launch = entry.commands[c].launch;
        if (!launch || launch->describe(step))
          entry.steps.push_back(step);
      }
    }
    loaded.hostBytes += staging.highest() + loaded.scratch.size();
    return {};
  }

  LoadedRecipe &loaded;
  const Recipe &recipe;
  bool pipelined;
  ConstantCheck constants;
  DiskCache objects;
  Staging staging;
};

bool isMatrixCommand(const Command &command) {
  return command.body_type() == Body::Gemm || command.body_type() == Body::Conv;
}

/// Null if no command needs it.
Result<const MmeApi *> matrixEngine(const Recipe &recipe) {
  for (const Entry *entry : items(recipe.entries()))
    for (const Command *command : items(entry->commands()))
      if (isMatrixCommand(*command)) {
        static const Result<const void *> api =
            openPlugin("libGaudiMme.so", "gaudiMme", "runs matrix commands");
        if (!api)
          return tl::unexpected<Error>(api.error());
        return static_cast<const MmeApi *>(*api);
      }
  return nullptr;
}

/// Only addresses are reserved; pages that no command uses cost nothing.
uint64_t stagingNeeded(const Recipe &recipe, const MmeApi *mme) {
  uint64_t most = 0;
  for (const Entry *entry : items(recipe.entries()))
    for (const Command *command : items(entry->commands())) {
      if (!isMatrixCommand(*command))
        continue;
      std::vector<BoundTensor> operands;
      for (const auto *ids : {command->inputs(), command->outputs()})
        for (uint32_t id : items(ids)) {
          BoundTensor operand;
          operand.layout.sizes = copyOf(recipe.tensors()->Get(id)->sizes());
          operands.push_back(std::move(operand));
        }
      most = std::max(most, mme->stagingBound(*command, operands));
    }
  return most;
}

} // namespace

Result<std::unique_ptr<LoadedRecipe>>
loadRecipe(std::shared_ptr<const RecipeFile> file, const LoadOptions &options) {
  Result<DeviceMemory> memory =
      DeviceMemory::create(*file, options.deviceMemory);
  if (!memory)
    return tl::unexpected<Error>(memory.error());
  auto mme = matrixEngine(file->recipe());
  if (!mme)
    return tl::unexpected<Error>(mme.error());
  Result<Arena> staging = Arena::create(stagingNeeded(file->recipe(), *mme));
  if (!staging)
    return tl::unexpected<Error>(staging.error());
  std::unique_ptr<LoadedRecipe> loaded;
  try {
    loaded = std::make_unique<LoadedRecipe>(std::move(file), std::move(*memory),
                                            std::move(*staging), options);
  } catch (const std::system_error &error) {
    return fail("cannot start " + std::to_string(options.threads) +
                " host threads: " + error.what() + "; use fewer");
  }
  loaded->mme = *mme;
  if (Status status = Loader(*loaded, options).load(); !status)
    return tl::unexpected<Error>(status.error());
  return loaded;
}

} // namespace gaudi::runtime
