// gaudi-mask-padding on random graphs.
#include "PaddingTest.h"

using namespace mlir;
using namespace mlir::gaudi;

namespace {

/// A random graph on values whose sizes are texts such as "B*S+1".
class RandomGraph {
public:
  RandomGraph(std::mt19937 &random, Sizes bucket)
      : random(random), bucket(std::move(bucket)) {
    values.push_back({"x", {"B", "S", "4"}});
    values.push_back({"y", {"S", "B"}});
    values.push_back({"w", {"4", "3"}});
  }

  std::string text(int ops) {
    for (int i = 0; i < ops; ++i)
      addOp();
    // The last values are the results, as far as callers can have them.
    std::string returned, types, shapes;
    int count = 0;
    for (size_t i = values.size(); i-- > 3 && count < 3;) {
      if (llvm::any_of(values[i].sizes, isCollapsed))
        continue;
      const std::string separator = count++ ? ", " : "";
      returned += separator + "%" + values[i].name;
      types += separator + type(values[i].sizes);
      shapes += separator + type(values[i].sizes) +
                " {gaudi.shape = affine_map<()[B, S] -> (" +
                llvm::join(values[i].sizes, ", ") + ")>}";
    }
    return "func.func @f(%x: tensor<@B@x@S@x4xf32> {gaudi.shape = "
           "affine_map<()[B, S] -> (B, S, 4)>}, %y: tensor<@S@x@B@xf32> "
           "{gaudi.shape = affine_map<()[B, S] -> (S, B)>}, %w: "
           "tensor<4x3xf32>, %i: tensor<@S@xi32> {gaudi.shape = "
           "affine_map<()[B, S] -> (S)>}) -> (" +
           shapes + ") ATTRIBUTES {\n" + body + "  return " + returned + " : " +
           types + "\n}\n";
  }

private:
  struct Tensor {
    std::string name;
    std::vector<std::string> sizes;
  };

  static bool isCollapsed(const std::string &size) {
    return size.find('*') != std::string::npos;
  }
  static std::string type(ArrayRef<std::string> sizes,
                          StringRef element = "f32") {
    std::string text = "tensor<";
    for (const std::string &size : sizes)
      text += "@" + size + "@x";
    return text + element.str() + ">";
  }
  int64_t draw(int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  }
  int64_t sizeOf(const std::string &size) {
    return SizeText(size, bucket).sum();
  }
  const Tensor &any() { return values[draw(0, values.size() - 1)]; }

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
    static constexpr Adder adders[] = {
        &RandomGraph::addUnary,         &RandomGraph::addBinary,
        &RandomGraph::addBinary,        &RandomGraph::addReduction,
        &RandomGraph::addReduction,     &RandomGraph::addTranspose,
        &RandomGraph::addReshape,       &RandomGraph::addBroadcast,
        &RandomGraph::addConcat,        &RandomGraph::addReverse,
        &RandomGraph::addCumulativeSum, &RandomGraph::addArgReduce,
        &RandomGraph::addProduct,       &RandomGraph::addPad,
        &RandomGraph::addGather,
    };
    const Choice choice{x, size_t(draw(0, x.sizes.size() - 1)), "%" + x.name,
                        type(x.sizes)};
    (this->*adders[draw(0, std::size(adders) - 1)])(choice);
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

  void addBinary(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    std::vector<const Tensor *> others;
    for (const Tensor &other : values)
      if (other.sizes == x.sizes)
        others.push_back(&other);
    const Tensor &y = *others[draw(0, others.size() - 1)];
    const char *const binary[] = {"add", "sub", "max", "min"};
    add("gaudi.tpc." + std::string(binary[draw(0, 3)]) + " " + name + ", %" +
            y.name + " : " + t + ", " + t + " -> " + t,
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
    // Two dimensions become one, or one is split again.
    if (axis + 1 == choice.rank())
      return;
    std::vector<std::string> sizes = x.sizes;
    sizes[axis] = "(" + sizes[axis] + ")*(" + sizes[axis + 1] + ")";
    sizes.erase(sizes.begin() + axis + 1);
    const std::string to = type(sizes);
    add("gaudi.reshape " + name + " : " + t + " -> " + to, sizes);
    const std::string collapsed = "%" + values.back().name;
    add("gaudi.tpc.tanh " + collapsed + " : " + to, sizes);
    add("gaudi.reshape %" + values.back().name + " : " + to + " -> " + t,
        x.sizes);
  }

  void addBroadcast(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    if (choice.rank() > 3)
      return;
    std::vector<std::string> sizes = x.sizes;
    const char *const letters[] = {"B", "S", "2"};
    sizes.insert(sizes.begin() + axis, letters[draw(0, 2)]);
    std::string list;
    for (size_t dim = 0; dim < sizes.size(); ++dim)
      if (dim != axis)
        list += (list.empty() ? "" : ", ") + std::to_string(dim);
    add("gaudi.broadcast " + name + " dims [" + list + "] : " + t + " -> " +
            type(sizes),
        sizes);
    // Nothing reads the broadcast but its marker.
    if (sizes[axis] != "2") {
      const std::string broadcast = values.back().name;
      values.back().name += "m";
      body += "  %" + values.back().name + " = gaudi.valid %" + broadcast +
              " dims [" + std::to_string(axis) + "] extents (%e" + sizes[axis] +
              ") : " + type(sizes) + ", tensor<i32>\n";
    }
  }

  void addConcat(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    std::vector<std::string> sizes = x.sizes;
    sizes[axis] = "(" + sizes[axis] + "+" + x.sizes[axis] + ")";
    if (isCollapsed(sizes[axis]))
      return;
    add("gaudi.concat " + name + ", " + name + " axis " + std::to_string(axis) +
            " : " + t + ", " + t + " -> " + type(sizes),
        sizes);
  }

  void addReverse(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    if (isCollapsed(x.sizes[axis]))
      return;
    add("gaudi.tpc.reverse " + name + " dims [" + std::to_string(axis) +
            "] : " + t,
        x.sizes);
  }

  void addCumulativeSum(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    if (isCollapsed(x.sizes[axis]))
      return;
    add("gaudi.tpc.cumulative_sum " + name + " axis " + std::to_string(axis) +
            (draw(0, 1) ? " reverse" : "") + " : " + t,
        x.sizes);
    add("gaudi.tpc.tanh %" + values.back().name + " : " + t, x.sizes);
  }

  void addArgReduce(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    if (isCollapsed(x.sizes[axis]))
      return;
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

  void addPad(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    if (isCollapsed(x.sizes[axis]))
      return;
    std::vector<std::string> sizes = x.sizes;
    sizes[axis] = "(" + sizes[axis] + "+3)";
    std::string low, high;
    for (size_t dim = 0; dim < choice.rank(); ++dim) {
      low += (dim ? ", " : "") + std::string(dim == axis ? "1" : "0");
      high += (dim ? ", " : "") + std::string(dim == axis ? "2" : "0");
    }
    add("gaudi.tpc.pad <constant> " + name + " low [" + low + "] high [" +
            high + "] value 0.5 : f32 : " + t + " -> " + type(sizes),
        sizes);
  }

  void addGather(const Choice &choice) {
    const auto &[x, axis, name, t] = choice;
    // Rows of a dimension of size S, by index.
    if (x.sizes[axis] != "S")
      return;
    add("gaudi.tpc.gather " + name + ", %i axis " + std::to_string(axis) +
            " batch_dims 0 : " + t + ", tensor<@S@xi32> -> " + t,
        x.sizes);
  }

  std::mt19937 &random;
  Sizes bucket;
  std::vector<Tensor> values;
  std::string body;
};

TEST_F(PaddingTest, RandomGraphs) {
  int refused = 0, count = 400;
  if (const char *more = std::getenv("GAUDI_PADDING_GRAPHS"))
    count = std::atoi(more);
  // Refusals are counted, not printed.
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  for (int graph = 0; graph < count && !HasFailure(); ++graph) {
    random.seed(1000 + graph);
    const Sizes bucket{{'B', draw(1, 4)}, {'S', draw(2, 7)}};
    const Sizes real{{'B', draw(1, bucket.at('B'))},
                     {'S', draw(1, bucket.at('S'))}};
    RandomGraph source(random, bucket);
    std::string text = source.text(int(draw(2, 10)));
    if (text.find(") -> () ATTR") != std::string::npos)
      continue;
    const StringRef extents =
        ", %eB: tensor<i32> {gaudi.extent = affine_map<()[B, S] -> (B)>}, "
        "%eS: tensor<i32> {gaudi.extent = affine_map<()[B, S] -> (S)>}";
    text.insert(text.find(") -> ("), extents.str());
    // In a kernel a mean, a reversal or a pad has the static size.
    const bool asKernels =
        graph % 2 && llvm::none_of(ArrayRef({"<mean>", "reverse %", ".pad "}),
                                   [&](const char *op) {
                                     return StringRef(text).contains(op);
                                   });
    if (!check(text, real, bucket, Poison(graph % 3), asKernels))
      ++refused;
    if (HasFailure())
      ADD_FAILURE() << "graph " << graph;
  }
  EXPECT_LE(refused * 10, count * 2) << refused << " graphs are refused";
  RecordProperty("refused", refused);
}

} // namespace
