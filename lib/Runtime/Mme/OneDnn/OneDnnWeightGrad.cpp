// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of convolutions with respect to their filter, through oneDNN.
//
// The operands become f32, which holds every value of the narrow types:
// oneDNN's f32 kernels are twice as fast as its bf16 ones here.
#include "../Packing/OperandCopies.h"
#include "FilterSums.h"
#include "OneDnn.h"
#include "OneDnnWindows.h"

#include "Gaudi/Kernel/Geometry.h"

#include <map>
#include <new>

namespace gaudi::runtime {

using dnnl::memory;
using recipe::ElementType;

namespace {

/// Multiply-adds of a call that keep a thread busy long enough.
constexpr double callWork = 4e6;
constexpr int64_t maxCalls = 32;
/// Channels of a slice: vectors of oneDNN's kernels hold 16.
constexpr int64_t vectorChannels = 16;

/// How the work is divided, by shapes alone: the sums do not depend on the
/// number of threads.
struct Cut {
  int64_t slices = 1; // of the output channels; whole groups if there are some
  int64_t images, rows;       // of dy, per part; rows of the outer dimension
  int64_t imageCuts, rowCuts; // imageCuts * rowCuts parts are added up

  int64_t parts() const { return imageCuts * rowCuts; }
};

int64_t ceilDiv(int64_t x, int64_t y) { return (x + y - 1) / y; }

int64_t weightCount(const Geometry &g) {
  int64_t count = g.outChannels * (g.inChannels / g.groups);
  for (int64_t size : g.k)
    count *= size;
  return count;
}

int64_t activationCount(int64_t images, int64_t channels, const Dims &spatial) {
  int64_t count = images * channels;
  for (int64_t size : spatial)
    count *= size;
  return count;
}

/// oneDNN counts in 32 bits. Beyond that are only forms that no model has.
bool fitsOneDnn(const Geometry &g) {
  constexpr int64_t most = int64_t(1) << 28;
  for (size_t d = 0; d < g.rank(); ++d)
    for (int64_t size : {g.x[d], g.y[d], g.stride[d], g.dilation[d], g.low[d],
                         g.high[d], g.reach(d)})
      if (size > most)
        return false;
  return true;
}

/// By images and rows of dy, as long as the partial results together are no
/// larger than the operands (the bound of inputStaging). Where that is too
/// little, weights are many and few numbers are read for each: the channels are
/// cut into slices too, which need copies of the operands.
Cut cutOf(const Geometry &g) {
  const int64_t weights = weightCount(g);
  const double work = double(weights) * double(activationCount(g.n, 1, g.y));
  // Calls: enough for threads, none too small to be worth its overhead.
  const int64_t wanted =
      std::clamp<int64_t>(int64_t(work / callWork), 1, maxCalls);
  const int64_t operands = activationCount(g.n, g.inChannels, g.x) +
                           activationCount(g.n, g.outChannels, g.y);
  // Each part has partial weights; this many fit the bound.
  const int64_t room = std::max<int64_t>(operands / weights, 1);
  const int64_t parts = std::min(wanted, room);
  Cut cut;
  cut.images = std::max<int64_t>(g.n / parts, 1);
  // Rounding down made more parts than fit.
  if (ceilDiv(g.n, cut.images) > room)
    cut.images = ceilDiv(g.n, parts);
  cut.imageCuts = ceilDiv(g.n, cut.images);
  cut.rows = g.y[0];
  // Fewer images than parts: rows of each image are divided too.
  if (g.n < parts)
    cut.rows = ceilDiv(g.y[0], parts / g.n);
  cut.rowCuts = ceilDiv(g.y[0], cut.rows);
  assert((cut.parts() == 1 || cut.parts() * weights <= operands) &&
         "partial results fit the staging memory");
  // Groups are independent, as are output channels; slices are equal, and their
  // channels fill vectors.
  const int64_t divided = g.groups > 1 ? g.groups : g.outChannels;
  int64_t slices =
      room < wanted ? std::min(ceilDiv(wanted, cut.parts()), divided) : 1;
  while (slices > 1 && (divided % slices != 0 ||
                        g.outChannels / slices % vectorChannels != 0))
    --slices;
  cut.slices = slices;
  return cut;
}

/// Channels-last f32 of an activation, each slice of the channels dense.
BoundTensor slicedActivation(const BoundTensor &tensor, int64_t slices,
                             OperandCopies &copies, PrepareContext &context) {
  if (slices == 1 && tensor.type == ElementType::F32 &&
      kernel::isDense(tensor.layout.sizes, tensor.layout.strides))
    return tensor;
  BoundTensor view = tensor;
  Dims &sizes = view.layout.sizes, &strides = view.layout.strides;
  sizes.back() /= slices;
  const int64_t step = sizes.back() * strides.back();
  sizes.insert(sizes.begin(), slices);
  strides.insert(strides.begin(), step);
  return convertedFor(view, ElementType::F32, false, copies, context);
}

/// One primitive, and the order of its result, which is made in scratch memory
/// of the worker and stored row-major after it.
struct Kind {
  dnnl::convolution_backward_weights primitive;
  dnnl::reorder store;
  memory::desc src, dst, weights, scratchpad;
  std::vector<memory> raw, scratch; // per worker

  uint64_t rawOffset() const { return (scratchpad.get_size() + 63) / 64 * 64; }
};

struct Call {
  size_t kind;
  memory src, dst, result;
};

class WeightGradCommand final : public PreparedCommand {
public:
  std::string implementation() const override {
    return "onednn:" + implementationName;
  }

  uint64_t scratchBytes() const override {
    uint64_t most = 0;
    for (const Kind &kind : kinds)
      most =
          std::max<uint64_t>(most, kind.rawOffset() + kind.weights.get_size());
    return most;
  }

  void bindScratch(const std::vector<uint8_t *> &perWorker) override {
    for (uint8_t *base : perWorker) {
      streams.emplace_back(cpuEngine());
      for (Kind &kind : kinds) {
        kind.scratch.emplace_back(kind.scratchpad, cpuEngine(), base);
        kind.raw.emplace_back(kind.weights, cpuEngine(),
                              base + kind.rawOffset());
      }
    }
  }

  void run(LaunchContext &context) override {
    copies.run(context.pool);
    context.pool.parallelFor(int64_t(calls.size()), 1,
                             [&](int64_t begin, int64_t end, unsigned worker) {
                               SingleThreaded scope;
                               for (int64_t i = begin; i < end; ++i)
                                 run(calls[size_t(i)], worker);
                             });
    if (parts > 1)
      addParts(context.pool);
    if (exact)
      calls.empty() ? exact->computeAll(context.pool, sums)
                    : exact->repair(context.pool, sums);
    for (const CopyStep &step : after)
      step.run(context.pool);
  }

  OperandCopies copies;
  std::vector<Kind> kinds;
  std::vector<Call> calls;
  /// `parts` partial results of `count` numbers each, added in order into
  /// `sums`; a single part is made there.
  const float *partials = nullptr;
  float *sums = nullptr;
  int64_t parts = 0, count = 0;
  /// Repairs the sums, or computes them if there are no calls.
  std::optional<FilterSums> exact;
  std::vector<CopyStep> after;
  std::string implementationName = "zero";

private:
  void run(const Call &call, unsigned worker) {
    const Kind &kind = kinds[call.kind];
    dnnl_stream_t stream = streams[worker].get();
    // The C interface: the C++ one allocates a map per call.
    const dnnl_exec_arg_t arguments[] = {
        {DNNL_ARG_SRC, call.src.get()},
        {DNNL_ARG_DIFF_DST, call.dst.get()},
        {DNNL_ARG_DIFF_WEIGHTS, kind.raw[worker].get()},
        {DNNL_ARG_SCRATCHPAD, kind.scratch[worker].get()}};
    dnnl_primitive_execute(kind.primitive.get(), stream, 4, arguments);
    const dnnl_exec_arg_t storing[] = {{DNNL_ARG_FROM, kind.raw[worker].get()},
                                       {DNNL_ARG_TO, call.result.get()}};
    dnnl_primitive_execute(kind.store.get(), stream, 2, storing);
  }

  void addParts(ThreadPool &pool) const {
    constexpr int64_t grain = 4096;
    pool.parallelFor((count + grain - 1) / grain, 1,
                     [&](int64_t begin, int64_t end, unsigned) {
                       const int64_t first = begin * grain;
                       const int64_t last = std::min(end * grain, count);
                       std::copy(partials + first, partials + last,
                                 sums + first);
                       for (int64_t part = 1; part < parts; ++part) {
                         const float *partial = partials + part * count;
                         for (int64_t i = first; i < last; ++i)
                           sums[i] += partial[i];
                       }
                     });
  }

  std::vector<dnnl::stream> streams; // per worker
};

class Builder {
public:
  Builder(const Geometry &g, const BoundTensor &x, const BoundTensor &dy,
          PrepareContext &context, WeightGradCommand &command)
      : g(g), cut(cutOf(g)), command(command),
        x(slicedActivation(x, g.groups > 1 ? cut.slices : 1, command.copies,
                           context)),
        dy(slicedActivation(dy, cut.slices, command.copies, context)),
        groups(g.groups > 1 ? g.groups / cut.slices : 1),
        in(g.groups > 1 ? g.inChannels / cut.slices : g.inChannels),
        out(g.outChannels / cut.slices) {
    command.parts = cut.parts();
    command.count = weightCount(g);
  }

  void build(PrepareContext &context) {
    float *to = command.sums;
    if (cut.parts() > 1)
      to = reinterpret_cast<float *>(takeStaging(
          uint64_t(cut.parts()) * uint64_t(command.count) * sizeof(float),
          context));
    command.partials = to;
    for (int64_t slice = 0; slice < cut.slices; ++slice)
      for (int64_t part = 0; part < cut.parts(); ++part)
        addCall(slice, part,
                to + part * command.count +
                    slice * (command.count / cut.slices));
  }

private:
  /// [G,] O, I and the spatial sizes, of a slice.
  Dims weightSizes() const {
    Dims sizes = {out / groups, in / groups};
    sizes.insert(sizes.end(), g.k.begin(), g.k.end());
    if (g.groups > 1)
      sizes.insert(sizes.begin(), groups);
    return sizes;
  }

  size_t kindOf(int64_t images, Range rows) {
    const Window window = windowOf(g, 0, rows.begin, rows.end);
    // A whole image keeps its own padding; a window has what it needs.
    const bool whole = rows.end - rows.begin == g.y[0];
    const std::vector<int64_t> key = {
        images, rows.end - rows.begin, whole ? g.x[0] : window.size,
        whole ? g.low[0] : window.low, whole ? g.high[0] : window.high};
    auto [entry, isNew] = numbers.try_emplace(key, command.kinds.size());
    if (!isNew)
      return entry->second;
    // The convolution of these images and rows of dy alone.
    Dims xSizes = g.x, ySizes = g.y, low = g.low, high = g.high, dilation;
    ySizes[0] = key[1];
    xSizes[0] = key[2];
    low[0] = key[3];
    high[0] = key[4];
    for (int64_t value : g.dilation) // oneDNN counts the holes
      dilation.push_back(value - 1);
    const memory::desc src = channelsLast(images, in, xSizes, ElementType::F32);
    const memory::desc dst =
        channelsLast(images, out, ySizes, ElementType::F32);
    const memory::desc weights(weightSizes(), memory::data_type::f32,
                               memory::format_tag::any);
    // The backward primitives want the forward one as a hint.
    const dnnl::convolution_forward::primitive_desc forward(
        {dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct,
         src, weights, dst, g.stride, dilation, low, high},
        cpuEngine());
    const dnnl::convolution_backward_weights::primitive_desc chosen(
        {dnnl::algorithm::convolution_direct, src, weights, dst, g.stride,
         dilation, low, high},
        primitiveAttributes(), cpuEngine(), forward);
    Kind kind;
    kind.primitive = dnnl::convolution_backward_weights(chosen);
    kind.src = chosen.src_desc();
    kind.dst = chosen.diff_dst_desc();
    kind.weights = chosen.diff_weights_desc();
    kind.scratchpad = chosen.scratchpad_desc();
    // Partial sums are stored in the plain order, in which they are added.
    kind.store = dnnl::reorder(dnnl::reorder::primitive_desc(
        cpuEngine(), kind.weights, cpuEngine(), plainWeights()));
    command.implementationName = chosen.impl_info_str();
    command.kinds.push_back(std::move(kind));
    return entry->second;
  }

  memory::desc plainWeights() const {
    const Dims sizes = weightSizes();
    return memory::desc(sizes, memory::data_type::f32,
                        kernel::denseStrides(sizes));
  }

  void addCall(int64_t slice, int64_t part, float *result) {
    const int64_t image = part / cut.rowCuts * cut.images;
    const int64_t images = std::min(cut.images, g.n - image);
    const int64_t row = part % cut.rowCuts * cut.rows;
    const Range rows = {row, std::min(row + cut.rows, g.y[0])};
    const size_t kind = kindOf(images, rows);
    const int64_t start =
        cut.rowCuts > 1 ? windowOf(g, 0, rows.begin, rows.end).start : 0;
    // Slices of groups have their own input; others share it.
    const int64_t xSlice = g.groups > 1 ? slice : 0;
    const int64_t xImage = activationCount(1, in, g.x);
    const int64_t yImage = activationCount(1, out, g.y);
    const int64_t xAt =
        (xSlice * g.n + image) * xImage + start * (xImage / g.x[0]);
    const int64_t yAt =
        (slice * g.n + image) * yImage + row * (yImage / g.y[0]);
    const Kind &made = command.kinds[kind];
    command.calls.push_back(
        {kind,
         memory(made.src, cpuEngine(), x.data + xAt * int64_t(sizeof(float))),
         memory(made.dst, cpuEngine(), dy.data + yAt * int64_t(sizeof(float))),
         memory(plainWeights(), cpuEngine(), result)});
  }

  const Geometry &g;
  const Cut cut;
  WeightGradCommand &command;
  const BoundTensor x, dy;                        // slices, channels last
  const int64_t groups, in, out;                  // of a slice
  std::map<std::vector<int64_t>, size_t> numbers; // of kinds
};

std::unique_ptr<WeightGradCommand> build(const recipe::Convolution &conv,
                                         const BoundTensor &xTensor,
                                         const BoundTensor &dyTensor,
                                         const BoundTensor &dwTensor,
                                         PrepareContext &context) {
  auto command = std::make_unique<WeightGradCommand>();
  SingleThreaded scope;
  const size_t rank = xTensor.layout.sizes.size() - 2;
  // Channels last, and the weights as oneDNN names them.
  const std::string spatial = std::string("DHW").substr(3 - rank);
  BoundTensor x =
      reordered(xTensor, recipe::text(conv.inputLayout), "N" + spatial + "C");
  BoundTensor dy =
      reordered(dyTensor, recipe::text(conv.outputLayout), "N" + spatial + "C");
  const BoundTensor dw =
      reordered(dwTensor, recipe::text(conv.filterLayout), "OI" + spatial);
  Geometry g = geometryOf(conv, x, dw, dy);
  for (size_t d = 0; d < rank; ++d) {
    // Outputs that see padding only have no product: they are cropped.
    const Range seen = seenOutputs(g, d);
    if (seen.begin == seen.end) { // all of dy meets padding
      command->after.push_back(zeroed(dw));
      return command;
    }
    cropTo(seen, g, d, x);
    dy.data +=
        seen.begin * dy.layout.strides[d + 1] * recipe::elementSize(dy.type);
    dy.layout.sizes[d + 1] = g.y[d];
  }
  // From the operands as they are: the repair walks the definition.
  command->exact.emplace(conv, g.k, xTensor, dyTensor);

  BoundTensor sums = dw;
  if (dw.type != ElementType::F32 ||
      !kernel::isDense(dw.layout.sizes, dw.layout.strides)) {
    sums = stagedTensor(dw.layout.sizes, ElementType::F32, context);
    command->after.push_back(
        {StridedCopy(dw.layout.sizes, sums.layout.strides, dw.layout.strides,
                     sums.type, dw.type),
         sums.data, dw.data});
  }
  command->sums = reinterpret_cast<float *>(sums.data);
  if (!fitsOneDnn(g)) {
    command->implementationName = "none, one by one";
    return command;
  }
  if (!command->exact->mayNeedRepair())
    command->exact.reset();
  Builder(g, x, dy, context, *command).build(context);
  return command;
}

Prepared prepare(const recipe::Command &command, const BoundTensors &in,
                 const BoundTensor &dw, PrepareContext &context) {
  try {
    return build(*recipe::convolutionOf(command), in[0], in[1], dw, context);
  } catch (const dnnl::error &error) {
    return fail("oneDNN cannot compute this weight gradient: {}", error.what());
  } catch (const std::bad_alloc &) {
    return fail("not enough host memory for this weight gradient");
  }
}

} // namespace

extern const OneDnnKind weightGradKind = {recipe::Body::ConvWeightGrad,
                                          prepare};

} // namespace gaudi::runtime
