// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions through oneDNN, on channels-last activations and weights in the
// layout that the primitive chooses.
#include "../Conv/ConvAxes.h"
#include "OneDnn.h"
#include "OneDnnWindows.h"
#include "Primitives.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <new>
#include <string_view>

namespace gaudi::runtime {

using dnnl::memory;
using recipe::ElementType;

namespace {

/// Multiply-adds of a call that keep a thread busy long enough.
constexpr double callWork = 4e6;
/// The same with few products per value: those run at the speed of memory.
constexpr double thinCallWork = 4e5;
constexpr int64_t maxCalls = 32;
/// Output positions of a call, so that the weights it reads are used often
/// enough.
constexpr int64_t callPositions = 56;

/// Cuts a convolution into calls by image and outermost output line.
class Builder {
public:
  Builder(Geometry geometry, const BoundTensor &x, const BoundTensor &w,
          const BoundTensor &y, PrepareContext &context, MatrixCommand &command)
      : g(std::move(geometry)), x(x), w(w), y(y), context(context),
        command(command) {}

  void build() {
    const int64_t perGroup = g.inChannels / g.groups;
    double work = double(g.n) * double(g.outChannels) * double(perGroup);
    int64_t positions = g.n, row = 1;
    for (size_t d = 0; d < g.rank(); ++d) {
      work *= double(g.k[d]) * double(g.transposed ? g.x[d] : g.y[d]);
      positions *= g.y[d];
      row *= d ? g.y[d] : 1;
    }
    const double least = g.inChannels / g.groups < 8 ? thinCallWork : callWork;
    const int64_t wanted = std::clamp<int64_t>(
        std::min(int64_t(work / least), positions / callPositions), 1,
        maxCalls);
    // The outermost spatial dimension is cut when images alone are too few. A
    // transposed convolution adds up where its parts overlap, so it is not.
    int64_t images = std::max<int64_t>(1, g.n / wanted), rows = g.y[0];
    if (g.n < wanted && !g.transposed) {
      const int64_t cuts = (wanted + g.n - 1) / g.n;
      rows = std::max((g.y[0] + cuts - 1) / cuts,
                      std::min(g.y[0], (callPositions + row - 1) / row));
      for (int64_t at = 0; at < g.y[0]; at += rows)
        if (windowOf(g, 0, at, std::min(at + rows, g.y[0])).size == 0)
          rows = g.y[0]; // a cut that sees padding only has no primitive
    }
    for (int64_t n = 0; n < g.n; n += images)
      for (int64_t at = 0; at < g.y[0]; at += rows)
        addCall(n, std::min(images, g.n - n), at, std::min(at + rows, g.y[0]));
  }

private:
  struct Kind {
    unsigned primitive;
    memory::desc src, weights, dst;
  };

  Kind &kindOf(int64_t images, int64_t begin, int64_t end) {
    Dims in = g.x, out = g.y, low, high;
    // Calls of equal shape share a primitive: the key is all that differs.
    std::vector<int64_t> key = {images, end - begin};
    for (size_t d = 0; d < g.rank(); ++d) {
      low.push_back(g.low[d]);
      high.push_back(g.high[d]);
    }
    // Part of the output along the outermost dimension: its window of the input
    // has padding of its own, which the key must name.
    if (end - begin != g.y[0]) {
      const Window window = windowOf(g, 0, begin, end);
      in[0] = window.size;
      low[0] = window.low;
      high[0] = window.high;
      out[0] = end - begin;
      key.insert(key.end(), {window.size, window.low, window.high});
    }
    auto [entry, isNew] = kinds.try_emplace(key);
    Kind &kind = entry->second;
    if (!isNew)
      return kind;

    const memory::desc src = channelsLast(images, g.inChannels, in, x.type);
    const memory::desc dst = channelsLast(images, g.outChannels, out, y.type);
    // Weights in the layout that the primitive prefers: packed once if they are
    // constant.
    const memory::desc weights(weightSizes(), dnnlType(w.type),
                               memory::format_tag::any);
    Dims dilation; // oneDNN counts the holes
    for (int64_t value : g.dilation)
      dilation.push_back(value - 1);
    if (g.transposed)
      keep<dnnl::deconvolution_forward>(
          kind, {dnnl::prop_kind::forward_inference,
                 dnnl::algorithm::deconvolution_direct, src, weights, dst,
                 g.stride, dilation, low, high});
    else
      keep<dnnl::convolution_forward>(
          kind, {dnnl::prop_kind::forward_inference,
                 dnnl::algorithm::convolution_direct, src, weights, dst,
                 g.stride, dilation, low, high});
    return kind;
  }

  template <typename Primitive>
  void keep(Kind &kind, const typename Primitive::desc &description) {
    typename Primitive::primitive_desc chosen(
        description, primitiveAttributes(), cpuEngine());
    kind.src = chosen.src_desc();
    kind.weights = chosen.weights_desc();
    kind.dst = chosen.dst_desc();
    kind.primitive =
        command.addPrimitive(Primitive(chosen), chosen.scratchpad_desc());
    command.implementationName = chosen.impl_info_str();
  }

  /// [G,] O, I and the spatial sizes.
  Dims weightSizes() const {
    Dims sizes;
    if (g.groups > 1)
      sizes.push_back(g.groups);
    sizes.push_back(g.outChannels / g.groups);
    sizes.push_back(g.inChannels / g.groups);
    sizes.insert(sizes.end(), g.k.begin(), g.k.end());
    return sizes;
  }

  memory packed(const memory::desc &target) {
    for (const memory &have : packedWeights)
      if (have.get_desc() == target)
        return have;
    Dims strides = w.layout.strides; // O I spatial
    // Stored O counts channels of y, or of x when transposed, by group.
    const int64_t perGroup =
        (g.transposed ? g.inChannels : g.outChannels) / g.groups;
    const int64_t groupStride = strides[0] * perGroup;
    if (g.transposed)
      std::swap(strides[0], strides[1]);
    if (g.groups > 1)
      strides.insert(strides.begin(), groupStride);
    memory from(memory::desc(weightSizes(), dnnlType(w.type), strides),
                cpuEngine(), w.data);
    memory to(target, cpuEngine(),
              takeHost(target.get_size(), command.copies, context));
    dnnl::reorder reorder(from, to);
    // Constants are packed now, once; others by each launch, before the calls.
    if (w.constant) {
      dnnl::stream stream(cpuEngine());
      reorder.execute(stream, from, to);
      stream.wait();
    } else {
      command.packs.push_back({reorder, from, to});
    }
    packedWeights.push_back(to);
    return to;
  }

  void addCall(int64_t n, int64_t images, int64_t begin, int64_t end) {
    const Kind &kind = kindOf(images, begin, end);
    int64_t xImage = g.inChannels, yImage = g.outChannels;
    int64_t xRow = g.inChannels, yRow = g.outChannels;
    int64_t start = 0;
    for (size_t d = 0; d < g.rank(); ++d) {
      xImage *= g.x[d];
      yImage *= g.y[d];
      xRow *= d ? g.x[d] : 1;
      yRow *= d ? g.y[d] : 1;
    }
    // A part of the output's rows reads from its first window on.
    if (end - begin != g.y[0])
      start = windowOf(g, 0, begin, end).start * xRow;
    auto at = [](const BoundTensor &tensor, int64_t offset) {
      return tensor.data + offset * recipe::elementSize(tensor.type);
    };
    command.calls.push_back(
        {kind.primitive,
         memory(kind.src, cpuEngine(), at(x, n * xImage + start)),
         packed(kind.weights),
         memory(kind.dst, cpuEngine(), at(y, n * yImage + begin * yRow))});
  }

  Geometry g;
  BoundTensor x, w, y; // channels last, O I spatial, channels last
  PrepareContext &context;
  MatrixCommand &command;
  std::map<std::vector<int64_t>, Kind> kinds;
  std::vector<memory> packedWeights;
};

/// A convolution, and which part of its result the primitives compute.
struct Problem {
  Geometry g;
  BoundTensor x, w, y; // channels last, O I spatial, channels last
  /// The window of y that is computed; y is zero around it if `placed`.
  Dims start, sizes;
  bool placed = false;

  size_t rank() const { return g.rank(); }
  bool isEmpty() const {
    return std::any_of(sizes.begin(), sizes.end(),
                       [](int64_t size) { return size <= 0; });
  }
};

Problem problemOf(const recipe::Conv &conv, const BoundTensor &x,
                  const BoundTensor &w, const BoundTensor &y) {
  const size_t rank = x.layout.sizes.size() - 2;
  assert(rank >= 1 && rank <= 3 && "checked by the recipe verifier");
  const std::string spatial = std::string("DHW").substr(3 - rank);
  Problem p;
  p.x = reordered(x, conv.input_layout()->c_str(), "N" + spatial + "C");
  p.w = reordered(w, conv.filter_layout()->c_str(), "OI" + spatial);
  p.y = reordered(y, conv.output_layout()->c_str(), "N" + spatial + "C");
  p.g = geometryOf(recipe::Convolution(conv), p.x, p.w, p.y);
  p.g.transposed = conv.transposed();
  p.start = Dims(rank + 2, 0);
  p.sizes = p.y.layout.sizes;
  return p;
}

/// Leaves out, at both ends of dimension d, outputs that see padding only,
/// which are zero, and input that no output sees.
void cropToSeen(Problem &p, size_t d) {
  const Range seen = seenOutputs(p.g, d);
  p.placed |= seen.begin != 0 || seen.end != p.g.y[d];
  p.start[d + 1] = seen.begin;
  p.sizes[d + 1] = seen.end - seen.begin;
  if (seen.begin != seen.end)
    cropTo(seen, p.g, d, p.x);
}

/// Deconvolution primitives crop less than a whole filter. Beyond that the
/// whole scatter is computed; y is a window on it, zero where it reaches
/// outside. Returns the window's start in the scatter, whose size is g.y.
Dims scatterWhole(Problem &p) {
  Geometry &g = p.g;
  // Output position o is position o + low of the scatter: a positive low crops
  // its start, a negative one leaves zeros before it.
  Dims from(p.rank() + 2, 0);
  p.placed = true;
  for (size_t d = 0; d < p.rank(); ++d) {
    const int64_t full = (g.x[d] - 1) * g.stride[d] + g.reach(d);
    from[d + 1] = std::max<int64_t>(0, g.low[d]);
    p.start[d + 1] = std::max<int64_t>(0, -g.low[d]);
    p.sizes[d + 1] =
        std::min(full - from[d + 1], p.y.layout.sizes[d + 1] - p.start[d + 1]);
    g.y[d] = full;
    g.low[d] = g.high[d] = 0;
  }
  return from;
}

uint8_t *elementAt(const BoundTensor &tensor, const Dims &index) {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d)
    offset += index[d] * tensor.layout.strides[d];
  return tensor.data + offset * recipe::elementSize(tensor.type);
}

std::unique_ptr<MatrixCommand> build(const recipe::Conv &conv,
                                     const BoundTensor &xTensor,
                                     const BoundTensor &wTensor,
                                     const BoundTensor &yTensor,
                                     PrepareContext &context) {
  auto command = std::make_unique<MatrixCommand>();
  SingleThreaded scope;
  // From the command as it is written, before anything is cropped or copied.
  PaddingRepair repair(conv, xTensor, wTensor, yTensor);
  if (repair.isNeeded())
    command->repair = std::move(repair);
  Problem p = problemOf(conv, xTensor, wTensor, yTensor);
  Geometry &g = p.g;
  bool whole = false; // the whole scatter
  Dims from;
  // oneDNN has no negative padding of transposed convolutions, nor more than
  // the reach of the filter: then all of the scatter is computed, and what is
  // wanted is copied from it.
  for (size_t d = 0; d < p.rank(); ++d)
    if (g.transposed)
      whole |= g.low[d] < 0 || g.high[d] < 0 || g.low[d] >= g.reach(d) ||
               g.high[d] >= g.reach(d);
    else if (!p.isEmpty())
      cropToSeen(p, d);
  if (whole)
    from = scatterWhole(p);
  // What the primitive does not write must be zero: cleared before the copy,
  // which comes later in `after`.
  if (p.placed)
    command->after.push_back(zeroed(p.y));
  if (p.isEmpty()) {
    command->implementationName = "zero";
    return command;
  }

  const ElementType type = computeType(p.x.type);
  if (p.x.type != type || !isDenseRowMajor(p.x.layout))
    p.x = convertedFor(p.x, type, false, command->copies, context);
  // Primitives know no stride of 0.
  const Dims &strides = p.w.layout.strides;
  if (p.w.type != type ||
      std::find(strides.begin(), strides.end(), 0) != strides.end())
    p.w = convertedFor(p.w, type, false, command->copies, context);
  const bool writes = p.y.type == ElementType::F32 || p.y.type == type;
  if (!p.placed && writes && isDenseRowMajor(p.y.layout)) {
    Builder(g, p.x, p.w, p.y, context, *command).build();
    return command;
  }
  // In f32 and dense, then rounded once and copied to its place.
  Dims staged = p.sizes;
  if (whole)
    std::copy(g.y.begin(), g.y.end(), staged.begin() + 1);
  const BoundTensor out = stagedTensor(staged, ElementType::F32, context);
  Builder(g, p.x, p.w, out, context, *command).build();
  command->after.push_back({StridedCopy(p.sizes, out.layout.strides,
                                        p.y.layout.strides, out.type, p.y.type),
                            whole ? elementAt(out, from) : out.data,
                            elementAt(p.y, p.start)});
  return command;
}

} // namespace

Prepared oneDnnConv(const recipe::Conv &conv, const BoundTensor &x,
                    const BoundTensor &w, const BoundTensor &y,
                    PrepareContext &context) {
  try {
    return build(conv, x, w, y, context);
  } catch (const dnnl::error &error) {
    return fail("oneDNN cannot compute this convolution: {}", error.what());
  } catch (const std::bad_alloc &) {
    return fail("not enough host memory for this convolution");
  }
}

} // namespace gaudi::runtime
