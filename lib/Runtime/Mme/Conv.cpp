// Convolutions through oneDNN, on channels-last activations and weights in the
// layout the primitive likes.
#include "ConvAxes.h"
#include "OneDnn.h"
#include "Primitives.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Geometry.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <map>
#include <new>
#include <string_view>

namespace gaudi::runtime {

using dnnl::memory;
using recipe::ElementType;

namespace {

constexpr double pieceWork = 4e6; // multiply-adds
/// With few products per value, which run at the speed of memory.
constexpr double thinPieceWork = 4e5;
constexpr int64_t maxPieces = 32;
/// Output positions a piece should have, so that the weights it streams in are
/// used often enough.
constexpr int64_t piecePositions = 56;

/// Everything about the convolution, per spatial dimension in the order D H W.
struct Geometry {
  int64_t n, groups, inChannels, outChannels;
  Dims x, k, y; // spatial sizes
  Dims stride, dilation, low, high;
  bool transposed;

  size_t rank() const { return x.size(); }
  /// Extent of the dilated kernel.
  int64_t reach(size_t d) const { return (k[d] - 1) * dilation[d] + 1; }
};

/// A range of one spatial input dimension and the padding around it that the
/// outputs [begin, end) see.
struct Window {
  int64_t start, size, low, high;
};

Window windowOf(const Geometry &g, size_t d, int64_t begin, int64_t end) {
  const int64_t first = begin * g.stride[d] - g.low[d];
  const int64_t last = (end - 1) * g.stride[d] + g.reach(d) - g.low[d];
  const int64_t start = std::clamp<int64_t>(first, 0, g.x[d]);
  const int64_t stop = std::clamp<int64_t>(last, 0, g.x[d]);
  return {start, stop - start, start - first, last - stop};
}

/// N C then spatial sizes, as oneDNN lists them, with channels-last strides.
memory::desc channelsLast(int64_t n, int64_t c, const Dims &spatial,
                          ElementType type) {
  Dims sizes = {n, c}, strides(spatial.size() + 2);
  sizes.insert(sizes.end(), spatial.begin(), spatial.end());
  int64_t step = c;
  strides[1] = 1;
  for (size_t d = spatial.size(); d-- > 0;) {
    strides[d + 2] = step;
    step *= spatial[d];
  }
  strides[0] = step;
  return memory::desc(sizes, dnnlType(type), strides);
}

class Builder {
public:
  Builder(Geometry geometry, const BoundTensor &x, const BoundTensor &w,
          const BoundTensor &y, PrepareContext &context, MatrixCommand &command)
      : g(std::move(geometry)), x(x), w(w), y(y), context(context),
        command(command) {}

  void build() {
    double work =
        double(g.n) * double(g.outChannels) * double(g.inChannels / g.groups);
    int64_t positions = g.n, row = 1;
    for (size_t d = 0; d < g.rank(); ++d) {
      work *= double(g.k[d]) * double(g.transposed ? g.x[d] : g.y[d]);
      positions *= g.y[d];
      row *= d ? g.y[d] : 1;
    }
    const int64_t wanted = std::clamp<int64_t>(
        std::min(int64_t(work / (g.inChannels / g.groups < 8 ? thinPieceWork
                                                             : pieceWork)),
                 positions / piecePositions),
        1, maxPieces);
    // The outermost spatial dimension is cut when images alone are too few.
    int64_t images = std::max<int64_t>(1, g.n / wanted), rows = g.y[0];
    if (g.n < wanted && !g.transposed) {
      const int64_t cuts = (wanted + g.n - 1) / g.n;
      rows = std::max((g.y[0] + cuts - 1) / cuts,
                      std::min(g.y[0], (piecePositions + row - 1) / row));
      for (int64_t at = 0; at < g.y[0]; at += rows)
        if (windowOf(g, 0, at, std::min(at + rows, g.y[0])).size == 0)
          rows = g.y[0]; // a cut that sees padding only has no primitive
    }
    for (int64_t n = 0; n < g.n; n += images)
      for (int64_t at = 0; at < g.y[0]; at += rows)
        addPiece(n, std::min(images, g.n - n), at, std::min(at + rows, g.y[0]));
  }

private:
  struct Kind {
    unsigned primitive;
    memory::desc src, weights, dst;
  };

  Kind &kindOf(int64_t images, int64_t begin, int64_t end) {
    Dims in = g.x, out = g.y, low, high;
    std::vector<int64_t> key = {images, end - begin};
    for (size_t d = 0; d < g.rank(); ++d) {
      low.push_back(g.low[d]);
      high.push_back(g.high[d]);
    }
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
    command.owned.push_back(allocateHost(target.get_size()));
    context.hostBytes += target.get_size();
    memory to(target, cpuEngine(), command.owned.back().get());
    dnnl::reorder reorder(from, to);
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

  void addPiece(int64_t n, int64_t images, int64_t begin, int64_t end) {
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
    if (end - begin != g.y[0])
      start = windowOf(g, 0, begin, end).start * xRow;
    auto at = [](const BoundTensor &tensor, int64_t offset) {
      return tensor.data + offset * recipe::elementSize(tensor.type);
    };
    command.pieces.push_back(
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

/// Writes zeros to a strided tensor, then copies the dense `src` to the window
/// of it that begins at `start`.
void finish(MatrixCommand &command, const BoundTensor &src,
            const BoundTensor &dst, const Dims &start, const Dims &sizes,
            bool clear) {
  static const uint64_t zero = 0;
  if (clear)
    command.after.push_back(
        {StridedCopy(dst.layout.sizes, Dims(dst.layout.sizes.size(), 0),
                     dst.layout.strides, dst.type, dst.type),
         reinterpret_cast<const uint8_t *>(&zero), dst.data});
  if (!src.data)
    return;
  int64_t offset = 0;
  for (size_t d = 0; d < start.size(); ++d)
    offset += start[d] * dst.layout.strides[d];
  command.after.push_back({StridedCopy(sizes, src.layout.strides,
                                       dst.layout.strides, src.type, dst.type),
                           src.data,
                           dst.data + offset * recipe::elementSize(dst.type)});
}

BoundTensor staged(const Dims &sizes, ElementType type,
                   PrepareContext &context) {
  BoundTensor tensor;
  tensor.type = type;
  tensor.layout = {sizes, recipe::denseStrides(sizes)};
  uint64_t bytes = recipe::elementSize(type);
  for (int64_t size : sizes)
    bytes *= uint64_t(size);
  tensor.data = context.staging.take(bytes);
  if (!tensor.data)
    throw std::bad_alloc();
  return tensor;
}

std::unique_ptr<MatrixCommand> build(const recipe::Conv &conv,
                                     const BoundTensor &xTensor,
                                     const BoundTensor &wTensor,
                                     const BoundTensor &yTensor,
                                     PrepareContext &context) {
  auto command = std::make_unique<MatrixCommand>();
  SingleThreaded scope;
  const size_t rank = xTensor.layout.sizes.size() - 2;
  const std::string spatial = std::string("DHW").substr(3 - rank);
  BoundTensor x =
      reordered(xTensor, conv.input_layout()->c_str(), "N" + spatial + "C");
  BoundTensor w =
      reordered(wTensor, conv.filter_layout()->c_str(), "OI" + spatial);
  BoundTensor y =
      reordered(yTensor, conv.output_layout()->c_str(), "N" + spatial + "C");
  const ElementType type = computeType(x.type);

  Geometry g;
  g.n = x.layout.sizes[0];
  g.groups = conv.groups();
  g.inChannels = x.layout.sizes[rank + 1];
  g.outChannels = y.layout.sizes[rank + 1];
  auto middle = [&](const Dims &sizes, size_t from) {
    return Dims(sizes.begin() + std::ptrdiff_t(from),
                sizes.begin() + std::ptrdiff_t(from + rank));
  };
  g.x = middle(x.layout.sizes, 1);
  g.y = middle(y.layout.sizes, 1);
  g.k = middle(w.layout.sizes, 2);
  g.stride = recipe::copyOf(conv.strides());
  g.dilation = recipe::copyOf(conv.dilations());
  g.low = recipe::copyOf(conv.pad_low());
  g.high = recipe::copyOf(conv.pad_high());
  g.transposed = conv.transposed();

  // Where the whole kernel, or the whole image, lies outside of what the
  // primitive can express, compute the plain result and place it in y.
  Dims start(rank + 2, 0), sizes = y.layout.sizes;
  bool placed = false;
  if (g.transposed) {
    for (size_t d = 0; d < rank; ++d)
      placed |= g.low[d] < 0 || g.high[d] < 0 || g.low[d] >= g.reach(d) ||
                g.high[d] >= g.reach(d);
  } else {
    // Outputs that see padding only are zero; leave them out at both ends.
    // Input that no output sees is left out, too, unless it is the remainder
    // of a stride, which primitives ignore themselves.
    for (size_t d = 0; d < rank; ++d) {
      int64_t begin = 0, end = g.y[d];
      while (begin < end && windowOf(g, d, begin, begin + 1).size == 0)
        ++begin;
      while (begin < end && windowOf(g, d, end - 1, end).size == 0)
        --end;
      if (begin == end) {
        finish(*command, {}, y, {}, {}, true);
        command->implementationName = "zero";
        return command;
      }
      if (begin != 0 || end != g.y[d]) {
        start[d + 1] = begin;
        sizes[d + 1] = end - begin;
        placed = true;
      }
      const Window seen = windowOf(g, d, begin, end);
      x.data +=
          seen.start * x.layout.strides[d + 1] * recipe::elementSize(x.type);
      const int64_t rest = g.x[d] - seen.start - seen.size;
      g.x[d] = rest < g.stride[d] ? g.x[d] - seen.start : seen.size;
      x.layout.sizes[d + 1] = g.x[d];
      g.low[d] = seen.low;
      g.high[d] = seen.high;
      g.y[d] = end - begin;
    }
  }

  if (x.type != type || !isDenseRowMajor(x.layout))
    x = converted(x, type, *command, context);
  const bool oddWeights =
      std::find(w.layout.strides.begin(), w.layout.strides.end(), 0) !=
      w.layout.strides.end();
  if (w.type != type || oddWeights)
    w = converted(w, type, *command, context);

  const bool writes = y.type == ElementType::F32 || y.type == type;
  if (!placed && writes && isDenseRowMajor(y.layout)) {
    Builder(g, x, w, y, context, *command).build();
    return command;
  }
  if (!g.transposed || !placed) {
    const BoundTensor out = staged(sizes, ElementType::F32, context);
    finish(*command, out, y, start, sizes, placed);
    Builder(g, x, w, out, context, *command).build();
    return command;
  }
  // The whole scatter; y is a window on it, zero where it reaches outside.
  Dims from(rank + 2, 0), full = y.layout.sizes;
  bool empty = false;
  for (size_t d = 0; d < rank; ++d) {
    full[d + 1] = (g.x[d] - 1) * g.stride[d] + g.reach(d);
    from[d + 1] = std::max<int64_t>(0, g.low[d]);
    start[d + 1] = std::max<int64_t>(0, -g.low[d]);
    sizes[d + 1] = std::min(full[d + 1] - from[d + 1],
                            y.layout.sizes[d + 1] - start[d + 1]);
    empty |= sizes[d + 1] <= 0;
    g.y[d] = full[d + 1];
    g.low[d] = g.high[d] = 0;
  }
  if (empty) {
    finish(*command, {}, y, {}, {}, true);
    command->implementationName = "zero";
    return command;
  }
  BoundTensor out = staged(full, ElementType::F32, context);
  Builder(g, x, w, out, context, *command).build();
  for (size_t d = 0; d < from.size(); ++d)
    out.data += from[d] * out.layout.strides[d] * int64_t(sizeof(float));
  finish(*command, out, y, start, sizes, true);
  return command;
}

} // namespace

Prepared oneDnnConv(const recipe::Conv &conv, const BoundTensor &x,
                    const BoundTensor &w, const BoundTensor &y,
                    PrepareContext &context) {
  try {
    return build(conv, x, w, y, context);
  } catch (const dnnl::error &error) {
    return fail(std::string("oneDNN cannot compute this convolution: ") +
                error.what());
  } catch (const std::bad_alloc &) {
    return fail("not enough host memory for this convolution");
  }
}

} // namespace gaudi::runtime
