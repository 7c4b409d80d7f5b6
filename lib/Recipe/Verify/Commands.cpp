// Checks each command alone: engine, operands, shapes, what it overwrites.
#include "Context.h"

#include "Gaudi/Recipe/LibraryKernels.h"

#include <algorithm>

namespace gaudi::recipe {
namespace {

class CommandVerifier {
public:
  CommandVerifier(const Context &context, const Command &command)
      : context(context), command(command), inputs(items(command.inputs())),
        outputs(items(command.outputs())) {}

  Status run(uint32_t index) {
    Status status = checkReferences(index);
    if (status)
      status = checkEngine();
    if (status)
      status = checkBody();
    if (status)
      status = checkOutputs();
    if (status)
      status = checkOverlaps();
    return status;
  }

private:
  const Context &context;
  const Command &command;
  Items<uint32_t> inputs;
  Items<uint32_t> outputs;

  const TensorInfo &input(uint32_t i) const {
    return context.tensors[inputs[i]];
  }
  const TensorInfo &output(uint32_t i) const {
    return context.tensors[outputs[i]];
  }

  Status checkReferences(uint32_t index) const {
    for (const Items<uint32_t> *list : {&inputs, &outputs})
      for (uint32_t id : *list) {
        if (id >= context.tensors.size())
          return reject("names tensor %", id, " but there are ",
                        context.tensors.size(), " tensors");
        if (context.tensors[id].elements == 0)
          return reject(context.tensorLabel(id), " has no elements");
      }
    for (uint32_t dependency : items(command.dependencies()))
      if (dependency >= index)
        return reject("depends on command #", dependency,
                      ", expected an earlier one");
    const uint32_t locations = items(context.recipe.locations()).size();
    if (command.location() >= locations)
      return reject("has location ", command.location(), " of ", locations);
    return {};
  }

  Status checkEngine() const {
    if (command.engine() > Engine::MAX)
      return reject("has unknown engine ", unsigned(command.engine()));
    auto runsOn = [&](std::initializer_list<Engine> engines) {
      return std::find(engines.begin(), engines.end(), command.engine()) !=
             engines.end();
    };
    bool allowed = false;
    switch (command.body_type()) {
    case Body::Launch:
    case Body::Library:
      allowed = runsOn({Engine::TPC, Engine::Host});
      break;
    case Body::Gemm:
    case Body::Conv:
      allowed = runsOn({Engine::MME, Engine::Host});
      break;
    case Body::Transfer:
      allowed = runsOn({Engine::DMA, Engine::TPC, Engine::MME, Engine::Host});
      break;
    case Body::Fill:
      allowed = runsOn({Engine::DMA, Engine::TPC, Engine::Host});
      break;
    case Body::NONE:
      break;
    }
    if (command.body_type() > Body::MAX || command.body() == nullptr)
      return reject("has no body that this version knows");
    if (!allowed)
      return reject("runs ", lowerCase(EnumNameBody(command.body_type())),
                    " on engine ",
                    wordOf(command.engine(), EnumNamesEngine(), Engine::MAX),
                    ", which cannot");
    return {};
  }

  Status checkBody() const {
    switch (command.body_type()) {
    case Body::Launch:
      return checkLaunch(*command.body_as_Launch());
    case Body::Gemm:
      return checkGemm(*command.body_as_Gemm());
    case Body::Conv:
      if (Status status = checkMatrixOperands(); !status)
        return status;
      return verifyConvolution(context, command, *command.body_as_Conv());
    case Body::Transfer:
      return checkTransfer();
    case Body::Fill:
      return checkFill(*command.body_as_Fill());
    case Body::Library:
      return checkLibrary(*command.body_as_Library());
    case Body::NONE:
      break;
    }
    return reject("has no body that this version knows");
  }

  Status checkCounts(uint32_t inputCount, uint32_t outputCount) const {
    if (inputs.size() != inputCount || outputs.size() != outputCount)
      return reject("takes ", inputCount, " inputs and ", outputCount,
                    " outputs but got ", inputs.size(), " and ",
                    outputs.size());
    return {};
  }

  Status checkLaunch(const Launch &launch) const {
    if (launch.kernel() >= context.kernels.size())
      return reject("launches kernel ", launch.kernel(), " but there are ",
                    context.kernels.size(), " kernels");
    return verifyLaunch(context, command, context.kernels[launch.kernel()]);
  }

  Status checkMatrixOperands() const {
    if (Status status = checkCounts(2, 1); !status)
      return status;
    for (uint32_t id : {inputs[0], inputs[1], outputs[0]})
      if (!isFloat(context.tensors[id].type))
        return reject("takes float tensors but ", context.tensorLabel(id),
                      " is ", elementName(context.tensors[id].type));
    if (input(0).type != input(1).type)
      return reject("takes inputs of one type but got ",
                    elementName(input(0).type), " and ",
                    elementName(input(1).type));
    return {};
  }

  Status checkGemm(const Gemm &gemm) const {
    if (Status status = checkMatrixOperands(); !status)
      return status;
    const Dims &a = input(0).window.sizes, &b = input(1).window.sizes,
               &c = output(0).window.sizes;
    const size_t rank = a.size();
    if (rank < 2 || b.size() != rank || c.size() != rank)
      return reject("takes tensors of one rank of at least 2 but got ", rank,
                    ", ", b.size(), " and ", c.size());
    const int64_t m = a[rank - (gemm.transpose_a() ? 1 : 2)];
    const int64_t k = a[rank - (gemm.transpose_a() ? 2 : 1)];
    const int64_t kOfB = b[rank - (gemm.transpose_b() ? 1 : 2)];
    const int64_t n = b[rank - (gemm.transpose_b() ? 2 : 1)];
    if (k != kOfB)
      return reject("has ", k, " columns in A but ", kOfB, " rows in B");
    if (c[rank - 2] != m || c[rank - 1] != n)
      return reject("makes a matrix of ", m, " by ", n, " but C is ",
                    c[rank - 2], " by ", c[rank - 1]);
    double work = double(m) * double(n) * double(k);
    for (size_t d = 0; d + 2 < rank; ++d) {
      if (a[d] != b[d] && a[d] != 1 && b[d] != 1)
        return reject("has batch sizes ", a[d], " and ", b[d], " in dimension ",
                      d, ", expected equal ones or 1");
      if (c[d] != std::max(a[d], b[d]))
        return reject("has batch size ", c[d], " in dimension ", d,
                      " of C, expected ", std::max(a[d], b[d]));
      work *= double(c[d]);
    }
    if (work > double(maxMatrixWork))
      return reject("needs more than 2^50 multiply-adds");
    return {};
  }

  Status checkTransfer() const {
    if (Status status = checkCounts(1, 1); !status)
      return status;
    if (input(0).type != output(0).type)
      return reject("copies ", elementName(input(0).type), " to ",
                    elementName(output(0).type));
    if (input(0).window.sizes != output(0).window.sizes)
      return reject("copies between tensors of different sizes, ",
                    context.tensorLabel(inputs[0]), " and ",
                    context.tensorLabel(outputs[0]));
    return {};
  }

  Status checkFill(const Fill &fill) const {
    if (Status status = checkCounts(0, 1); !status)
      return status;
    const ElementType type = output(0).type;
    const unsigned bits =
        type == ElementType::I1 ? 1 : 8 * output(0).window.elementSize;
    if (bits < 64 && fill.value() >> bits != 0)
      return reject("fills with bits ", fill.value(), ", which do not fit ",
                    elementName(type));
    return {};
  }

  Status checkLibrary(const Library &library) const {
    const LibraryKernel *kernel = findLibraryKernel(text(library.name()));
    if (!kernel)
      return reject("runs library kernel ", quoted(text(library.name())),
                    ", which does not exist");
    if (inputs.size() + uint64_t(outputs.size()) > maxKernelOperands)
      return reject("has more than ", maxKernelOperands, " operands");
    LibraryCall call;
    for (uint32_t i = 0; i < inputs.size(); ++i)
      call.inputs.push_back({input(i).type, input(i).window.sizes});
    for (uint32_t i = 0; i < outputs.size(); ++i)
      call.outputs.push_back({output(i).type, output(i).window.sizes});
    call.ints = copyOf(library.ints());
    call.floats = copyOf(library.floats());
    if (Status status = kernel->check(call); !status)
      return reject("library kernel \"", kernel->name,
                    "\": ", status.error().message);
    return {};
  }

  Status checkOutputs() const {
    for (uint32_t i = 0; i < outputs.size(); ++i) {
      if (output(i).rootClass == TensorClass::Input)
        return reject("writes ", context.tensorLabel(outputs[i]),
                      ", which is an input");
      if (output(i).rootClass == TensorClass::Const)
        return reject("writes ", context.tensorLabel(outputs[i]),
                      ", which is constant");
      if (!isInjective(output(i).window.sizes, output(i).window.strides))
        return reject("writes ", context.tensorLabel(outputs[i]),
                      ", which stores several elements in one place");
    }
    return {};
  }

  static bool mayOverlap(const TensorInfo &a, const TensorInfo &b) {
    return a.section == b.section && a.begin < b.end && b.begin < a.end &&
           !provablyDisjoint(a.window, b.window);
  }

  Status checkOverlaps() const {
    for (uint32_t o = 0; o < outputs.size(); ++o) {
      for (uint32_t other = 0; other < o; ++other)
        if (mayOverlap(output(o), output(other)))
          return reject("writes ", context.tensorLabel(outputs[other]), " and ",
                        context.tensorLabel(outputs[o]), ", which overlap");
      for (uint32_t i = 0; i < inputs.size(); ++i) {
        if (!mayOverlap(output(o), input(i)))
          continue;
        const Launch *launch = command.body_as_Launch();
        if (!launch || !allowsInPlace(context.kernels[launch->kernel()], i, o,
                                      input(i).window, output(o).window))
          return reject("writes ", context.tensorLabel(outputs[o]),
                        " over its own input ", context.tensorLabel(inputs[i]),
                        " in a way that is not element by element");
      }
    }
    return {};
  }
};

} // namespace

Status verifyCommand(const Context &context, const Entry &entry,
                     uint32_t index) {
  const Command &command = *items(entry.commands())[index];
  if (Status status = CommandVerifier(context, command).run(index); !status)
    return reject(commandLabel(entry, index), " ", status.error().message);
  return {};
}

} // namespace gaudi::recipe
