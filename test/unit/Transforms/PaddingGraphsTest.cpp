// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gaudi-mask-padding on random graphs.
#include "PaddingTest.h"

using namespace mlir;
using namespace gaudi;

namespace {

/// A random graph on values whose sizes are texts such as "B*S+1".
class RandomGraph {
public:
  /// Without sums, all results are exact.
  RandomGraph(std::mt19937 &random, Sizes bucket, bool hasSums)
      : random(random), bucket(std::move(bucket)), hasSums(hasSums) {
    values.push_back({"x", {"B", "S", "4"}});
    values.push_back({"y", {"S", "B"}});
    values.push_back({"z", {"T", "S"}});
    values.push_back({"w", {"4", "3"}});
    inputs = values.size();
  }

  std::string text(int ops) {
    for (int i = 0; i < ops; ++i)
      addOp();
    // The last values are the results.
    std::string returned, types, shapes;
    int count = 0;
    for (size_t i = values.size(); i-- > inputs && count < 3;) {
      const std::string separator = count++ ? ", " : "";
      returned += separator + "%" + values[i].name;
      types += separator + type(values[i].sizes);
      shapes += separator + type(values[i].sizes) +
                " {gaudi.shape = " + map(llvm::join(values[i].sizes, ", ")) +
                "}";
    }
    std::string arguments;
    for (size_t i = 0; i < inputs; ++i)
      arguments += "%" + values[i].name + ": " + type(values[i].sizes) +
                   " {gaudi.shape = " + map(llvm::join(values[i].sizes, ", ")) +
                   "}, ";
    arguments += "%i: tensor<@S@xi32> {gaudi.shape = " + map("S") + "}";
    for (auto [number, size] : llvm::enumerate(extents))
      arguments += ", %e" + std::to_string(number) +
                   ": tensor<i32> {gaudi.extent = " + map(size) + "}";
    return "func.func @f(" + arguments + ") -> (" + shapes +
           ") ATTRIBUTES {\n" + body + "  return " + returned + " : " + types +
           "\n}\n";
  }

private:
  struct Tensor {
    std::string name;
    std::vector<std::string> sizes;
  };

  static std::string map(std::string sizes) {
    for (size_t at; (at = sizes.find('/')) != std::string::npos;)
      sizes.replace(at, 1, " floordiv ");
    return "affine_map<()[B, S, T] -> (" + sizes + ")>";
  }
  static std::string type(ArrayRef<std::string> sizes,
                          StringRef element = "f32") {
    std::string text = "tensor<";
    for (const std::string &size : sizes)
      text += "@" + size + "@x";
    return text + element.str() + ">";
  }
  static bool isDynamic(const std::string &size) {
    return size.find_first_of("BST") != std::string::npos;
  }
  int64_t draw(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }
  int64_t sizeOf(const std::string &size) {
    return SizeText(size, bucket).sum();
  }
  const Tensor &any() { return values[draw(0, values.size() - 1)]; }

  /// A marker on dimensions of the last value, which nothing else reads.
  void mark(ArrayRef<size_t> dims) {
    std::string list, names, types;
    for (size_t dim : dims) {
      const std::string &size = values.back().sizes[dim];
      if (!isDynamic(size))
        continue;
      auto place = llvm::find(extents, size);
      const size_t number = place - extents.begin();
      if (place == extents.end())
        extents.push_back(size);
      const std::string separator = list.empty() ? "" : ", ";
      list += separator + std::to_string(dim);
      names += separator + "%e" + std::to_string(number);
      types += ", tensor<i32>";
    }
    if (list.empty())
      return;
    const std::string from = values.back().name;
    values.back().name += "m";
    body += "  %" + values.back().name + " = gaudi.valid %" + from + " dims [" +
            list + "] extents (" + names + ") : " + type(values.back().sizes) +
            types + "\n";
  }
  /// The numbers of dimensions but one.
  static std::string others(size_t rank, size_t axis) {
    std::string list;
    for (size_t dim = 0; dim < rank; ++dim)
      if (dim != axis)
        list += (list.empty() ? "" : ", ") + std::to_string(dim);
    return list;
  }

  /// Appends an op with one result.
  void add(const std::string &op, std::vector<std::string> sizes) {
    const std::string name = "v" + std::to_string(values.size());
    body += "  %" + name + " = " + op + "\n";
    values.push_back({name, std::move(sizes)});
  }

  /// What an op is made of: its operand and one of its dimensions.
  struct Choice {
    Tensor x;
    size_t axis;
    std::string name, type;
    size_t rank() const { return x.sizes.size(); }
  };

  void addOp() {
    const Tensor x = any();
    int64_t count = 1;
    for (const std::string &size : x.sizes)
      count *= sizeOf(size);
    if (x.sizes.empty() || count > 20000)
      return;
    using Adder = void (RandomGraph::*)(const Choice &);
    static constexpr Adder exact[] = {
        &RandomGraph::addUnary,     &RandomGraph::addBinary,
        &RandomGraph::addSelect,    &RandomGraph::addTranspose,
        &RandomGraph::addReshape,   &RandomGraph::addReshape,
        &RandomGraph::addBroadcast, &RandomGraph::addConcat,
        &RandomGraph::addReverse,   &RandomGraph::addArgReduce,
        &RandomGraph::addSort,      &RandomGraph::addPad,
        &RandomGraph::addSlice,     &RandomGraph::addGather,
    };
    static constexpr Adder sums[] = {
        &RandomGraph::addReduction, &RandomGraph::addCumulativeSum,
        &RandomGraph::addProduct,   &RandomGraph::addPool,
        &RandomGraph::addScatter,
    };
    const Choice choice{x, size_t(draw(0, x.sizes.size() - 1)), "%" + x.name,
                        type(x.sizes)};
    if (hasSums && draw(0, 2) == 0)
      (this->*sums[draw(0, std::size(sums) - 1)])(choice);
    else
      (this->*exact[draw(0, std::size(exact) - 1)])(choice);
  }

  void addUnary(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    const char *const unary[] = {"tanh", "neg", "abs", "sigmoid", "exp"};
    const std::string op = unary[draw(0, 4)];
    // Bounded, so that sums stay comparable.
    std::string from = name;
    if (op == "exp") {
      add("gaudi.tpc.tanh " + name + " : " + t, x.sizes);
      from = "%" + values.back().name;
    }
    add("gaudi.tpc." + op + " " + from + " : " + t, x.sizes);
  }

  /// A value with the sizes of `x`.
  const Tensor &like(const Tensor &x) {
    std::vector<const Tensor *> others;
    for (const Tensor &other : values)
      if (other.sizes == x.sizes)
        others.push_back(&other);
    return *others[draw(0, others.size() - 1)];
  }

  void addBinary(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    const Tensor &y = like(x);
    const char *const binary[] = {"add", "sub", "max", "min"};
    add("gaudi.tpc." + std::string(binary[draw(0, 3)]) + " " + name + ", %" +
            y.name + " : " + t + ", " + t + " -> " + t,
        x.sizes);
  }

  void addSelect(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    const std::string bits = type(x.sizes, "i1"),
                      bit = "b" + std::to_string(values.size());
    body += "  %" + bit + " = gaudi.tpc.compare <lt> " + name + ", %" +
            like(x).name + " : " + t + ", " + t + " -> " + bits + "\n";
    add("gaudi.tpc.select %" + bit + ", " + name + ", %" + like(x).name +
            " : " + bits + ", " + t + ", " + t + " -> " + t,
        x.sizes);
  }

  void addReduction(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    const char *const kinds[] = {"sum", "mean", "max", "min"};
    std::vector<std::string> sizes = x.sizes;
    const bool keeps = draw(0, 1);
    if (keeps)
      sizes[axis] = "1";
    else
      sizes.erase(sizes.begin() + axis);
    const std::string to = type(sizes);
    add("gaudi.tpc.reduce <" + std::string(kinds[draw(0, 3)]) + "> " + name +
            " dims [" + std::to_string(axis) + "]" +
            (keeps ? " keep_dims" : "") + " : " + t + " -> " + to,
        sizes);
    // Broadcast back: x minus its maximum, and so on.
    if (keeps)
      add("gaudi.tpc.sub " + name + ", %" + values.back().name + " : " + t +
              ", " + to + " -> " + t,
          x.sizes);
  }

  void addTranspose(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    std::vector<size_t> order(choice.rank());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<std::string> sizes;
    std::string list;
    for (size_t dim : order) {
      sizes.push_back(x.sizes[dim]);
      list += (list.empty() ? "" : ", ") + std::to_string(dim);
    }
    add("gaudi.transpose " + name + " permutation [" + list + "] : " + t +
            " -> " + type(sizes),
        sizes);
  }

  void addReshape(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    // Two dimensions become one, and that two again, in this order or another.
    if (axis + 1 == choice.rank())
      return;
    std::vector<std::string> sizes = x.sizes;
    sizes[axis] = "(" + sizes[axis] + ")*(" + sizes[axis + 1] + ")";
    sizes.erase(sizes.begin() + axis + 1);
    const std::string to = type(sizes);
    add("gaudi.reshape " + name + " : " + t + " -> " + to, sizes);
    const std::string collapsed = "%" + values.back().name;
    add("gaudi.tpc.tanh " + collapsed + " : " + to, sizes);
    const int64_t next = draw(0, 3);
    if (next == 0)
      return;
    sizes = x.sizes;
    if (next == 1)
      std::swap(sizes[axis], sizes[axis + 1]);
    add("gaudi.reshape %" + values.back().name + " : " + to + " -> " +
            type(sizes),
        sizes);
    mark({axis, axis + 1});
  }

  void addBroadcast(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    if (choice.rank() > 3)
      return;
    std::vector<std::string> sizes = x.sizes;
    const char *const letters[] = {"B", "S", "2", "(T+1)"};
    sizes.insert(sizes.begin() + axis, letters[draw(0, 3)]);
    add("gaudi.broadcast " + name + " dims [" + others(sizes.size(), axis) +
            "] : " + t + " -> " + type(sizes),
        sizes);
    mark({axis});
  }

  void addConcat(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    std::vector<std::string> sizes = x.sizes;
    sizes[axis] = "(" + sizes[axis] + "+" + x.sizes[axis] + ")";
    add("gaudi.concat " + name + ", " + name + " axis " + std::to_string(axis) +
            " : " + t + ", " + t + " -> " + type(sizes),
        sizes);
  }

  void addReverse(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    add("gaudi.tpc.reverse " + name + " dims [" + std::to_string(axis) +
            "] : " + t,
        x.sizes);
  }

  void addCumulativeSum(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    add("gaudi.tpc.cumulative_sum " + name + " axis " + std::to_string(axis) +
            (draw(0, 1) ? " reverse" : "") + " : " + t,
        x.sizes);
    add("gaudi.tpc.tanh %" + values.back().name + " : " + t, x.sizes);
  }

  void addArgReduce(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    std::vector<std::string> sizes = x.sizes;
    sizes.erase(sizes.begin() + axis);
    const std::string to = type(sizes), positions = type(sizes, "i32");
    const std::string position = "p" + std::to_string(values.size());
    body += "  %" + position + " = gaudi.tpc.arg_reduce " + name + " axis " +
            std::to_string(axis) + (draw(0, 1) ? " is_max" : "") + " : " + t +
            " -> " + positions + "\n";
    add("gaudi.tpc.cast %" + position + " : " + positions + " -> " + to, sizes);
  }

  void addProduct(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    // x times its transpose, over the last or the last but one dimension.
    if (choice.rank() < 2)
      return;
    const bool left = draw(0, 1);
    std::vector<std::string> sizes = x.sizes;
    sizes[choice.rank() - 2] = sizes[choice.rank() - 1] =
        x.sizes[left ? choice.rank() - 1 : choice.rank() - 2];
    add("gaudi.mme.gemm " + name + ", " + name +
            (left ? " transpose_a" : " transpose_b") + " : " + t + ", " + t +
            " -> " + type(sizes),
        sizes);
    add("gaudi.tpc.tanh %" + values.back().name + " : " + type(sizes), sizes);
  }

  void addSort(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    const std::string positions = type(x.sizes, "i32");
    const std::string sorted = "s" + std::to_string(values.size());
    body += "  %" + sorted + ":2 = gaudi.tpc.sort " + name + " axis " +
            std::to_string(axis) + (draw(0, 1) ? " descending" : "") + " : " +
            t + " -> " + t + ", " + positions + "\n";
    if (draw(0, 1))
      add("gaudi.tpc.neg %" + sorted + "#0 : " + t, x.sizes);
    else
      add("gaudi.tpc.cast %" + sorted + "#1 : " + positions + " -> " + t,
          x.sizes);
  }

  void addPad(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    std::vector<std::string> sizes = x.sizes;
    sizes[axis] = "(" + sizes[axis] + "+3)";
    std::string low, high;
    for (size_t dim = 0; dim < choice.rank(); ++dim) {
      low += (dim ? ", " : "") + std::string(dim == axis ? "1" : "0");
      high += (dim ? ", " : "") + std::string(dim == axis ? "2" : "0");
    }
    const bool isEdge = draw(0, 1);
    add("gaudi.tpc.pad <" + std::string(isEdge ? "edge" : "constant") + "> " +
            name + " low [" + low + "] high [" + high + "]" +
            (isEdge ? "" : " value 0.5 : f32") + " : " + t + " -> " +
            type(sizes),
        sizes);
  }

  void addSlice(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    // Each second element, or all but the first of several.
    std::vector<std::string> sizes = x.sizes;
    const bool isLong = StringRef(x.sizes[axis]).ends_with("+3)");
    if (isLong)
      sizes[axis] = "(" + sizes[axis] + "-1)";
    else
      sizes[axis] = "((" + sizes[axis] + "+1)/2)";
    std::string offsets, strides;
    for (size_t dim = 0; dim < choice.rank(); ++dim) {
      offsets +=
          (dim ? ", " : "") + std::string(dim == axis && isLong ? "1" : "0");
      strides +=
          (dim ? ", " : "") + std::string(dim == axis && !isLong ? "2" : "1");
    }
    add("gaudi.slice " + name + " offsets [" + offsets + "] strides [" +
            strides + "] : " + t + " -> " + type(sizes),
        sizes);
    mark({axis});
  }

  void addPool(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    if (choice.rank() != 3)
      return;
    const char *const kinds[] = {"<avg>", "<max>", "<sum>"};
    add("gaudi.tpc.pool " + std::string(kinds[draw(0, 2)]) + " " + name +
            " layout \"NWC\" kernel [3] strides [1] dilations [1] pad [1], [1]"
            " : " +
            t + " -> " + t,
        x.sizes);
    add("gaudi.tpc.tanh %" + values.back().name + " : " + t, x.sizes);
  }

  void addGather(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    // Rows by index, less than S.
    if (x.sizes[axis].find('S') == std::string::npos ||
        x.sizes[axis].find('/') != std::string::npos)
      return;
    std::vector<std::string> sizes = x.sizes;
    sizes[axis] = "S";
    add("gaudi.tpc.gather " + name + ", %i axis " + std::to_string(axis) +
            " batch_dims 0 : " + t + ", tensor<@S@xi32> -> " + type(sizes),
        sizes);
  }

  /// Rows are added to others by index, or replace them.
  void addScatter(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    if (choice.rank() != 3 || x.sizes[1] != "S")
      return;
    const std::string indices = type({x.sizes[0], x.sizes[1]}, "i32"),
                      index = "j" + std::to_string(values.size());
    body += "  %" + index +
            " = gaudi.broadcast %i dims [1] : " + "tensor<@S@xi32> -> " +
            indices + "\n";
    const char *const flags[] = {"", "accumulate", "drop_outside"};
    add("gaudi.tpc.scatter_rows " + name + ", %" + index + ", " + name + " " +
            flags[draw(0, 2)] + " : " + t + ", " + indices + ", " + t + " -> " +
            t,
        x.sizes);
    add("gaudi.tpc.tanh %" + values.back().name + " : " + t, x.sizes);
  }

  std::mt19937 &random;
  Sizes bucket;
  const bool hasSums;
  size_t inputs;
  std::vector<Tensor> values;
  std::vector<std::string> extents;
  std::string body;
};

class PaddingGraphsTest : public PaddingTest {
protected:
  /// Graphs from `seed` on; GAUDI_PADDING_GRAPHS sets how many.
  void checkGraphs(int seed, int count, bool hasSums) {
    int refused = 0;
    if (const char *more = std::getenv("GAUDI_PADDING_GRAPHS"))
      count = std::atoi(more);
    // Refusals are counted, not printed.
    std::string first;
    ScopedDiagnosticHandler quiet(&context, [&](Diagnostic &diagnostic) {
      if (first.empty())
        first = diagnostic.str();
      return success();
    });
    for (int graph = 0; graph < count && !HasFailure(); ++graph) {
      random.seed(seed + graph);
      const Sizes bucket{
          {'B', draw(1, 4)}, {'S', draw(2, 7)}, {'T', draw(1, 3)}};
      Sizes real;
      for (auto [letter, size] : bucket)
        real[letter] = draw(1, size);
      RandomGraph source(random, bucket, hasSums);
      const std::string text = source.text(int(draw(2, 10)));
      if (text.find(") -> () ATTR") != std::string::npos)
        continue;
      // In a kernel a mean, a reversal, a pad or an average has the static
      // size.
      const bool asKernels =
          graph % 2 &&
          llvm::none_of(
              ArrayRef({"<mean>", "reverse %", ".pad ", ".pool "}),
              [&](const char *op) { return StringRef(text).contains(op); });
      if (!check(text, real, bucket, Poison(graph % 3), asKernels,
                 hasSums ? 2e-5 : 0))
        ++refused;
      if (HasFailure())
        ADD_FAILURE() << "graph " << seed + graph;
    }
    EXPECT_LE(refused * 20, count)
        << refused << " graphs are refused: " << first;
    RecordProperty("refused", refused);
  }
};

TEST_F(PaddingGraphsTest, Sums) { checkGraphs(1000, 400, /*hasSums=*/true); }

// Bit for bit: no reduction goes over padding.
TEST_F(PaddingGraphsTest, Exact) { checkGraphs(5000, 300, /*hasSums=*/false); }

} // namespace
