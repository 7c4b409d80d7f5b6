// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library kernels: cumulative sums, sorting, scatter. Operand shapes were
// checked by the recipe verifier (Gaudi/Recipe/LibraryKernels.h).
#include "Command.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <numeric>

namespace gaudi::runtime {

using Dims = std::vector<int64_t>;

namespace {

uint8_t *element(const BoundTensor &tensor, int64_t offset) {
  return tensor.data + offset * int64_t(recipe::elementSize(tensor.type));
}

/// The lines of a tensor along one axis: their number, and where each begins.
struct Lines {
  int64_t count = 1;
  Dims sizes; // of the other dimensions
  std::vector<size_t> dims;

  Lines(const Dims &all, int64_t axis) {
    for (size_t d = 0; d < all.size(); ++d)
      if (int64_t(d) != axis) {
        dims.push_back(d);
        sizes.push_back(all[d]);
        count *= all[d];
      }
  }
  int64_t start(int64_t line, const Dims &strides) const {
    int64_t offset = 0;
    for (size_t d = dims.size(); d-- > 0;) {
      offset += line % sizes[d] * strides[dims[d]];
      line /= sizes[d];
    }
    return offset;
  }
};

class LibraryCommand : public PreparedCommand {
public:
  LibraryCommand(const recipe::Library &library, BoundTensors inputs,
                 BoundTensors outputs)
      : name(recipe::text(library.name())),
        ints(recipe::copyOf(library.ints())), inputs(std::move(inputs)),
        outputs(std::move(outputs)) {}
  std::string implementation() const override { return "library:" + name; }
  void visitAddresses(AddressVisitor &visitor) override {
    for (BoundTensors *tensors : {&inputs, &outputs})
      for (BoundTensor &tensor : *tensors)
        visitor.visit(tensor.data);
  }

protected:
  /// Lines per chunk: a chunk has about 8192 elements.
  static int64_t grain(int64_t length) {
    return std::max<int64_t>(1, 8192 / std::max<int64_t>(1, length));
  }

  std::string name;
  Dims ints;
  BoundTensors inputs, outputs;
};

class CumulativeSum final : public LibraryCommand {
public:
  using LibraryCommand::LibraryCommand;
  void run(LaunchContext &context) override {
    const BoundTensor &x = inputs[0], &y = outputs[0];
    const size_t axis = size_t(ints[0]);
    const int64_t length = x.layout.sizes[axis];
    const Lines lines(x.layout.sizes, ints[0]);
    context.pool.parallelFor(
        lines.count, grain(length), [&](int64_t begin, int64_t end, unsigned) {
          for (int64_t line = begin; line < end; ++line)
            sumLine(x, y, lines.start(line, x.layout.strides),
                    lines.start(line, y.layout.strides), length, axis);
        });
  }

private:
  void sumLine(const BoundTensor &x, const BoundTensor &y, int64_t from,
               int64_t to, int64_t length, size_t axis) const {
    const bool exclusive = ints[1] != 0, reverse = ints[2] != 0;
    const bool real = recipe::isFloat(x.type);
    float sum = 0;
    uint64_t count = 0;
    for (int64_t step = 0; step < length; ++step) {
      const int64_t i = reverse ? length - 1 - step : step;
      const uint8_t *src = element(x, from + i * x.layout.strides[axis]);
      uint8_t *dst = element(y, to + i * y.layout.strides[axis]);
      if (real) {
        const float next = sum + loadFloat(x.type, src);
        storeFloat(y.type, dst, exclusive ? sum : next);
        sum = next;
      } else {
        const uint64_t next = count + uint64_t(loadInt(x.type, src));
        storeInt(y.type, dst, int64_t(exclusive ? count : next));
        count = next;
      }
    }
  }
};

/// sort and top_k: the first k elements of each sorted line and where they
/// were. Scratch is counted at load; a launch allocates nothing.
class Sort final : public LibraryCommand {
public:
  Sort(const recipe::Library &library, BoundTensors in, BoundTensors out)
      : LibraryCommand(library, std::move(in), std::move(out)) {
    const int64_t length = inputs[0].layout.sizes[size_t(ints[0])];
    if (name == "sort") {
      take = length;
      descending = ints[1] != 0;
    } else {
      take = ints[1];
      descending = ints[2] != 0;
    }
  }

  /// A key and a position per element of a line.
  uint64_t scratchBytes() const override {
    const int64_t length = inputs[0].layout.sizes[size_t(ints[0])];
    return uint64_t(length) * (sizeof(int64_t) + sizeof(int64_t));
  }
  /// Few lines run on the calling thread alone.
  unsigned scratchWorkers(unsigned workers) const override {
    const int64_t length = inputs[0].layout.sizes[size_t(ints[0])];
    const Lines lines(inputs[0].layout.sizes, ints[0]);
    return lines.count <= grain(length) ? 1 : workers;
  }
  void bindScratch(uint8_t *const *perWorker) override { scratch = perWorker; }

  void run(LaunchContext &context) override {
    const int64_t length = inputs[0].layout.sizes[size_t(ints[0])];
    const Lines lines(inputs[0].layout.sizes, ints[0]);
    const bool real = recipe::isFloat(inputs[0].type);
    context.pool.parallelFor(lines.count, grain(length),
                             [&](int64_t begin, int64_t end, unsigned worker) {
                               for (int64_t line = begin; line < end; ++line)
                                 real ? sortLine<float>(lines, line, worker)
                                      : sortLine<int64_t>(lines, line, worker);
                             });
  }

private:
  static int64_t load(recipe::ElementType type, const uint8_t *src, int64_t) {
    return loadInt(type, src);
  }
  static float load(recipe::ElementType type, const uint8_t *src, float) {
    return loadFloat(type, src);
  }
  static bool less(int64_t a, int64_t b) { return a < b; }
  /// NaN is the largest.
  static bool less(float a, float b) {
    return std::isnan(b) ? !std::isnan(a) : a < b;
  }

  /// O(length log k). Keys are of type float or int64_t, at most 8 bytes.
  template <typename Key>
  void sortLine(const Lines &lines, int64_t line, unsigned worker) const {
    const BoundTensor &x = inputs[0];
    const size_t axis = size_t(ints[0]);
    const int64_t length = x.layout.sizes[axis];
    const int64_t from = lines.start(line, x.layout.strides);
    int64_t *order = reinterpret_cast<int64_t *>(scratch[worker]);
    Key *keys = reinterpret_cast<Key *>(order + length);
    std::iota(order, order + length, 0);
    for (int64_t i = 0; i < length; ++i)
      keys[i] =
          load(x.type, element(x, from + i * x.layout.strides[axis]), Key());
    // Equal keys keep their order, also in descending order.
    auto before = [&](int64_t a, int64_t b) {
      if (descending ? less(keys[b], keys[a]) : less(keys[a], keys[b]))
        return true;
      if (descending ? less(keys[a], keys[b]) : less(keys[b], keys[a]))
        return false;
      return a < b;
    };
    assert(take <= length && "the verifier checks k");
    std::partial_sort(order, order + take, order + length, before);
    writeLine(lines, line, from, order);
  }

  void writeLine(const Lines &lines, int64_t line, int64_t from,
                 const int64_t *order) const {
    const BoundTensor &x = inputs[0];
    const size_t axis = size_t(ints[0]);
    const unsigned size = recipe::elementSize(x.type);
    const int64_t values = lines.start(line, outputs[0].layout.strides);
    const int64_t places = lines.start(line, outputs[1].layout.strides);
    for (int64_t i = 0; i < take; ++i) {
      const int64_t at = order[i];
      std::memcpy(
          element(outputs[0], values + i * outputs[0].layout.strides[axis]),
          element(x, from + at * x.layout.strides[axis]), size);
      storeInt(
          outputs[1].type,
          element(outputs[1], places + i * outputs[1].layout.strides[axis]),
          at);
    }
  }

  int64_t take = 0; // positions that are written
  bool descending = false;
  uint8_t *const *scratch = nullptr; // per worker
};

/// Floats are added in f32 and rounded, integers wrap.
void addElement(recipe::ElementType type, uint8_t *sum, const uint8_t *value) {
  if (recipe::isFloat(type))
    storeFloat(type, sum, loadFloat(type, sum) + loadFloat(type, value));
  else
    storeInt(
        type, sum,
        int64_t(uint64_t(loadInt(type, sum)) + uint64_t(loadInt(type, value))));
}

/// Scatter kernels write into a copy of their first input, or in its place.
class ScatterBase : public LibraryCommand {
public:
  ScatterBase(const recipe::Library &library, BoundTensors in, BoundTensors out)
      : LibraryCommand(library, std::move(in), std::move(out)),
        copy(inputs[0].layout.sizes, inputs[0].layout.strides,
             outputs[0].layout.strides, inputs[0].type, outputs[0].type) {}

protected:
  void copyInput(LaunchContext &context) {
    // The verifier lets nothing else than the same window overlap the output.
    if (inputs[0].data != outputs[0].data)
      copy.run(context.pool, inputs[0].data, outputs[0].data);
  }

private:
  StridedCopy copy;
};

/// scatter and scatter_rows. Work is split by columns, and where these are few
/// by ranges of rows, of which each part visits all indices: every element gets
/// its rows in the order of the indices, however many parts there are.
class Scatter final : public ScatterBase {
public:
  Scatter(const recipe::Library &library, BoundTensors in, BoundTensors out)
      : ScatterBase(library, std::move(in), std::move(out)),
        adds(!ints.empty() && ints[0] != 0),
        drops(!ints.empty() && ints[1] != 0) {}

  void run(LaunchContext &context) override {
    copyInput(context);
    const BoundTensor &indices = inputs[1], &y = outputs[0];
    const int64_t count = indices.layout.sizes[1];
    const int64_t batches = y.layout.sizes[0], columns = y.layout.sizes[2];
    const int64_t blocks = (columns + blockColumns - 1) / blockColumns;
    // A second part pays if it has enough to write.
    const int64_t wanted = 2 * int64_t(context.pool.size());
    // Each part reads all indices and writes its own rows, so parts are used
    // only where batches and columns give too few tasks.
    const int64_t parts =
        batches * blocks >= wanted
            ? 1
            : std::clamp<int64_t>(
                  count * std::min(columns, blockColumns) / 8192, 1,
                  (wanted + batches * blocks - 1) / (batches * blocks));
    context.pool.parallelFor(batches * blocks * parts,
                             grain(count * std::min(columns, blockColumns)),
                             [&](int64_t begin, int64_t end, unsigned) {
                               for (int64_t i = begin; i < end; ++i)
                                 scatterPart(context,
                                             {i / parts / blocks,
                                              i / parts % blocks * blockColumns,
                                              i % parts, parts});
                             });
  }

private:
  static constexpr int64_t blockColumns = 64;

  /// The columns from `column` on, of part number `part` of the rows.
  struct Part {
    int64_t batch, column, part, parts;
  };

  void scatterPart(LaunchContext &context, const Part &p) const {
    const BoundTensor &indices = inputs[1], &rows = inputs[2], &y = outputs[0];
    const Dims &in = rows.layout.strides, &out = y.layout.strides;
    const int64_t count = indices.layout.sizes[1], keys = y.layout.sizes[1];
    const int64_t columns =
        std::min(blockColumns, y.layout.sizes[2] - p.column);
    const int64_t low = keys * p.part / p.parts;
    const int64_t high = keys * (p.part + 1) / p.parts;
    const int64_t from = p.batch * in[0] + p.column * in[2];
    const int64_t to = p.batch * out[0] + p.column * out[2];
    const int64_t place = p.batch * indices.layout.strides[0];
    for (int64_t w = 0; w < count; ++w) {
      const int64_t key =
          loadInt(indices.type,
                  element(indices, place + w * indices.layout.strides[1]));
      if ((key < 0 || key >= keys) && !drops)
        context.fault.record(p.batch * count + w, 0, 1, key);
      if (key >= low && key < high)
        scatterRow(element(rows, from + w * in[1]),
                   element(y, to + key * out[1]), columns);
    }
  }

  void scatterRow(const uint8_t *src, uint8_t *dst, int64_t columns) const {
    const recipe::ElementType type = outputs[0].type;
    const int64_t size = recipe::elementSize(type);
    const int64_t in = inputs[2].layout.strides[2];
    const int64_t out = outputs[0].layout.strides[2];
    if (!adds && in == 1 && out == 1) {
      std::memcpy(dst, src, size_t(columns * size));
    } else if (!adds) {
      for (int64_t c = 0; c < columns; ++c)
        std::memcpy(dst + c * out * size, src + c * in * size, size_t(size));
    } else if (type == recipe::ElementType::F32 && in == 1 && out == 1) {
      // Tensors of f32 are aligned to it: views are in elements.
      auto *sum = reinterpret_cast<float *>(dst);
      auto *row = reinterpret_cast<const float *>(src);
      for (int64_t c = 0; c < columns; ++c)
        sum[c] += row[c];
    } else {
      for (int64_t c = 0; c < columns; ++c)
        addElement(type, dst + c * out * size, src + c * in * size);
    }
  }

  bool adds, drops;
};

class ScatterElements final : public ScatterBase {
public:
  using ScatterBase::ScatterBase;
  void run(LaunchContext &context) override {
    copyInput(context);
    const BoundTensor &indices = inputs[1];
    const size_t axis = size_t(ints[0]);
    const int64_t length = indices.layout.sizes[axis];
    const Lines lines(indices.layout.sizes, ints[0]);
    // Lines along the axis share no element. Within one, a later index wins, so
    // a line stays in one thread.
    context.pool.parallelFor(lines.count, grain(length),
                             [&](int64_t begin, int64_t end, unsigned) {
                               for (int64_t l = begin; l < end; ++l)
                                 scatterLine(context, lines, l, axis, length);
                             });
  }

private:
  void scatterLine(LaunchContext &context, const Lines &lines, int64_t line,
                   size_t axis, int64_t length) const {
    const BoundTensor &indices = inputs[1], &updates = inputs[2];
    const BoundTensor &y = outputs[0];
    const int64_t place = lines.start(line, indices.layout.strides);
    const int64_t from = lines.start(line, updates.layout.strides);
    const int64_t to = lines.start(line, y.layout.strides);
    for (int64_t i = 0; i < length; ++i) {
      const int64_t at =
          loadInt(indices.type,
                  element(indices, place + i * indices.layout.strides[axis]));
      if (at < 0 || at >= y.layout.sizes[axis]) {
        context.fault.record(line * length + i, 0, uint32_t(axis), at);
        continue;
      }
      const uint8_t *src =
          element(updates, from + i * updates.layout.strides[axis]);
      uint8_t *dst = element(y, to + at * y.layout.strides[axis]);
      if (ints[1] == 0)
        std::memcpy(dst, src, recipe::elementSize(y.type));
      else
        addElement(y.type, dst, src);
    }
  }
};

template <typename Kernel>
std::unique_ptr<PreparedCommand> make(const recipe::Library &library,
                                      BoundTensors inputs,
                                      BoundTensors outputs) {
  return std::make_unique<Kernel>(library, std::move(inputs),
                                  std::move(outputs));
}

/// One row per library kernel of Gaudi/Recipe/LibraryKernels.h.
constexpr struct {
  std::string_view name;
  std::unique_ptr<PreparedCommand> (*make)(const recipe::Library &,
                                           BoundTensors, BoundTensors);
} libraryCommands[] = {
    {"cumulative_sum", make<CumulativeSum>},
    {"scatter", make<Scatter>},
    {"scatter_elements", make<ScatterElements>},
    {"scatter_rows", make<Scatter>},
    {"sort", make<Sort>},
    {"top_k", make<Sort>},
};

} // namespace

Prepared prepareLibrary(const recipe::Library &library, BoundTensors inputs,
                        BoundTensors outputs) {
  const std::string_view name = recipe::text(library.name());
  for (const auto &command : libraryCommands)
    if (command.name == name)
      return command.make(library, std::move(inputs), std::move(outputs));
  return fail("this runtime has no library kernel \"{}\"", name);
}

} // namespace gaudi::runtime
