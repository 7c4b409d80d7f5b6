// The library kernels: running sums, sorting, scatter. Operand shapes were
// checked by the recipe verifier (Gaudi/Recipe/LibraryKernels.h).
#include "Command.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace gaudi::runtime {

using Dims = std::vector<int64_t>;

namespace {

uint8_t *element(const BoundTensor &tensor, int64_t offset) {
  return tensor.data + offset * int64_t(recipe::elementSize(tensor.type));
}

/// The lines of a tensor along one axis: how many, and where each begins.
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
  LibraryCommand(const recipe::Library &library,
                 std::vector<BoundTensor> inputs,
                 std::vector<BoundTensor> outputs)
      : name(recipe::text(library.name())),
        ints(recipe::copyOf(library.ints())), inputs(std::move(inputs)),
        outputs(std::move(outputs)) {}
  std::string implementation() const override { return "library:" + name; }

protected:
  /// Lines per chunk, so that a chunk has some thousand elements.
  static int64_t grain(int64_t length) {
    return std::max<int64_t>(1, 8192 / std::max<int64_t>(1, length));
  }

  std::string name;
  Dims ints;
  std::vector<BoundTensor> inputs, outputs;
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

/// sort and top_k: the first k positions of each line in sorted order.
class Sort final : public LibraryCommand {
public:
  Sort(const recipe::Library &library, std::vector<BoundTensor> in,
       std::vector<BoundTensor> out)
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

  void run(LaunchContext &context) override {
    const BoundTensor &x = inputs[0];
    const size_t axis = size_t(ints[0]);
    const int64_t length = x.layout.sizes[axis];
    const Lines lines(x.layout.sizes, ints[0]);
    const bool real = recipe::isFloat(x.type);
    context.pool.parallelFor(
        lines.count, grain(length), [&](int64_t begin, int64_t end, unsigned) {
          std::vector<float> floats(real ? size_t(length) : 0);
          std::vector<int64_t> integers(real ? 0 : size_t(length));
          std::vector<int64_t> order(static_cast<size_t>(length));
          for (int64_t line = begin; line < end; ++line) {
            const int64_t from = lines.start(line, x.layout.strides);
            for (int64_t i = 0; i < length; ++i) {
              const uint8_t *src =
                  element(x, from + i * x.layout.strides[axis]);
              if (real)
                floats[size_t(i)] = loadFloat(x.type, src);
              else
                integers[size_t(i)] = loadInt(x.type, src);
            }
            real ? sortLine(floats, order) : sortLine(integers, order);
            writeLine(lines, line, from, order);
          }
        });
  }

private:
  static bool less(int64_t a, int64_t b) { return a < b; }
  /// NaN is the largest.
  static bool less(float a, float b) {
    return std::isnan(b) ? !std::isnan(a) : a < b;
  }

  template <typename T>
  void sortLine(const std::vector<T> &keys, std::vector<int64_t> &order) const {
    std::iota(order.begin(), order.end(), 0);
    auto before = [&](int64_t a, int64_t b) {
      const T &x = keys[size_t(a)], &y = keys[size_t(b)];
      if (descending ? less(y, x) : less(x, y))
        return true;
      if (descending ? less(x, y) : less(y, x))
        return false;
      return a < b;
    };
    std::partial_sort(order.begin(), order.begin() + take, order.end(), before);
  }

  void writeLine(const Lines &lines, int64_t line, int64_t from,
                 const std::vector<int64_t> &order) const {
    const BoundTensor &x = inputs[0];
    const size_t axis = size_t(ints[0]);
    const unsigned size = recipe::elementSize(x.type);
    const int64_t values = lines.start(line, outputs[0].layout.strides);
    const int64_t places = lines.start(line, outputs[1].layout.strides);
    for (int64_t i = 0; i < take; ++i) {
      const int64_t at = order[size_t(i)];
      std::memcpy(
          element(outputs[0], values + i * outputs[0].layout.strides[axis]),
          element(x, from + at * x.layout.strides[axis]), size);
      storeInt(
          outputs[1].type,
          element(outputs[1], places + i * outputs[1].layout.strides[axis]),
          at);
    }
  }

  int64_t take = 0;
  bool descending = false;
};

/// Copies the first input to the output before writing into it.
class ScatterBase : public LibraryCommand {
public:
  ScatterBase(const recipe::Library &library, std::vector<BoundTensor> in,
              std::vector<BoundTensor> out)
      : LibraryCommand(library, std::move(in), std::move(out)),
        copy(inputs[0].layout.sizes, inputs[0].layout.strides,
             outputs[0].layout.strides, inputs[0].type, outputs[0].type) {}

protected:
  void copyFirst(LaunchContext &context) {
    copy.run(context.pool, inputs[0].data, outputs[0].data);
  }

private:
  StridedCopy copy;
};

class Scatter final : public ScatterBase {
public:
  using ScatterBase::ScatterBase;
  void run(LaunchContext &context) override {
    copyFirst(context);
    const BoundTensor &indices = inputs[1], &rows = inputs[2], &y = outputs[0];
    const Dims &in = rows.layout.strides, &out = y.layout.strides;
    const int64_t count = indices.layout.sizes[1];
    const int64_t keys = y.layout.sizes[1], columns = y.layout.sizes[2];
    const unsigned size = recipe::elementSize(y.type);
    context.pool.parallelFor(
        y.layout.sizes[0], grain(count * columns),
        [&](int64_t begin, int64_t end, unsigned) {
          for (int64_t n = begin; n < end; ++n)
            for (int64_t w = 0; w < count; ++w) {
              const int64_t key =
                  loadInt(indices.type,
                          element(indices, n * indices.layout.strides[0] +
                                               w * indices.layout.strides[1]));
              if (key < 0 || key >= keys) {
                context.fault.record(n * count + w, 0, 1, key);
                continue;
              }
              for (int64_t c = 0; c < columns; ++c)
                std::memcpy(element(y, n * out[0] + key * out[1] + c * out[2]),
                            element(rows, n * in[0] + w * in[1] + c * in[2]),
                            size);
            }
        });
  }
};

class ScatterElements final : public ScatterBase {
public:
  using ScatterBase::ScatterBase;
  void run(LaunchContext &context) override {
    copyFirst(context);
    const BoundTensor &indices = inputs[1];
    const size_t axis = size_t(ints[0]);
    const int64_t length = indices.layout.sizes[axis];
    const Lines lines(indices.layout.sizes, ints[0]);
    // Lines along the axis are apart; within one, order matters.
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
      else if (recipe::isFloat(y.type))
        storeFloat(y.type, dst,
                   loadFloat(y.type, dst) + loadFloat(y.type, src));
      else
        storeInt(y.type, dst,
                 int64_t(uint64_t(loadInt(y.type, dst)) +
                         uint64_t(loadInt(y.type, src))));
    }
  }
};

} // namespace

Prepared prepareLibrary(const recipe::Library &library,
                        std::vector<BoundTensor> inputs,
                        std::vector<BoundTensor> outputs) {
  const std::string_view name = recipe::text(library.name());
  if (name == "cumulative_sum")
    return std::make_unique<CumulativeSum>(library, std::move(inputs),
                                           std::move(outputs));
  if (name == "sort" || name == "top_k")
    return std::make_unique<Sort>(library, std::move(inputs),
                                  std::move(outputs));
  if (name == "scatter")
    return std::make_unique<Scatter>(library, std::move(inputs),
                                     std::move(outputs));
  if (name == "scatter_elements")
    return std::make_unique<ScatterElements>(library, std::move(inputs),
                                             std::move(outputs));
  return fail("this runtime has no library kernel \"" + std::string(name) +
              "\"");
}

} // namespace gaudi::runtime
