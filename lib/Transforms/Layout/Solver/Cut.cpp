// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Submodular functions as the capacities of a graph; Boost finds the cut.
#include "Cut.h"
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

namespace gaudi::layout {
namespace {
/// Of a function of two variables with two labels each.
struct Table {
  uint32_t a, b;
  int64_t costs[2][2];
  /// Equal labels cost this much more than different ones. Submodular: <= 0.
  int64_t excess() const {
    return costs[0][0] + costs[1][1] - costs[0][1] - costs[1][0];
  }
};

/// Which variables change their labels so that all tables are submodular: each
/// table with an excess asks that its two are equal or different. Nothing if
/// they cannot all have their way (an odd cycle).
std::optional<std::vector<char>> findFlips(uint32_t variables,
                                           const std::vector<Table> &tables) {
  std::vector<std::vector<uint32_t>> incident(variables);
  // Tables without an excess are modular: any flip will do.
  for (uint32_t t = 0; t < tables.size(); ++t)
    if (tables[t].excess() != 0)
      for (uint32_t v : {tables[t].a, tables[t].b})
        incident[v].push_back(t);
  std::vector<char> flips(variables, 0), isSet(variables, 0);
  std::vector<uint32_t> stack;
  // A component after the other; within one, a label decides all.
  for (uint32_t seed = 0; seed < variables; ++seed) {
    if (isSet[seed])
      continue;
    isSet[seed] = 1;
    stack.assign(1, seed);
    while (!stack.empty()) {
      const uint32_t v = stack.back();
      stack.pop_back();
      for (uint32_t t : incident[v]) {
        const uint32_t other = tables[t].a == v ? tables[t].b : tables[t].a;
        // Equal flips keep the sign of the excess, different ones reverse it.
        const char wanted = char(flips[v] ^ (tables[t].excess() > 0));
        if (!isSet[other]) {
          isSet[other] = 1;
          flips[other] = wanted;
          stack.push_back(other);
        } else if (flips[other] != wanted) {
          return std::nullopt;
        }
      }
    }
  }
  return flips;
}

/// A cost above all finite sums, in place of `forbidden`; 0 if there is none
/// whose own sums stay in range.
int64_t prohibitive(const Model &model) {
  int64_t sum = 1;
  size_t entries = 1;
  auto addLargest = [&](const std::vector<int64_t> &costs) {
    int64_t largest = 0;
    for (int64_t cost : costs)
      largest = std::max(largest, cost < forbidden ? cost : 0);
    sum = add(sum, largest);
    entries += costs.size();
  };
  for (const std::vector<int64_t> &costs : model.costs)
    addLargest(costs);
  for (const Function &function : model.functions)
    addLargest(function.costs);
  return sum < forbidden / int64_t(4 * entries) ? sum : 0;
}

using Traits =
    boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Graph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS,
    boost::property<
        boost::vertex_index_t, uint32_t,
        boost::property<
            boost::vertex_color_t, boost::default_color_type,
            boost::property<boost::vertex_distance_t, int64_t,
                            boost::property<boost::vertex_predecessor_t,
                                            Traits::edge_descriptor>>>>,
    boost::property<boost::edge_capacity_t, int64_t,
                    boost::property<boost::edge_residual_capacity_t, int64_t,
                                    boost::property<boost::edge_reverse_t,
                                                    Traits::edge_descriptor>>>>;

/// An edge of `forward` and one of `back`.
void connect(Graph &graph, uint32_t a, uint32_t b, int64_t forward,
             int64_t back) {
  assert(forward >= 0 && back >= 0 && "capacities are not negative");
  const auto there = boost::add_edge(a, b, graph).first;
  const auto again = boost::add_edge(b, a, graph).first;
  boost::put(boost::edge_capacity, graph, there, forward);
  boost::put(boost::edge_capacity, graph, again, back);
  boost::put(boost::edge_reverse, graph, there, again);
  boost::put(boost::edge_reverse, graph, again, there);
}
} // namespace

std::optional<std::vector<uint32_t>> solveByCut(const Model &model) {
  const uint32_t count = model.variables();
  const int64_t high = prohibitive(model);
  if (high == 0)
    return std::nullopt;
  for (const std::vector<int64_t> &costs : model.costs)
    if (costs.size() > 2)
      return std::nullopt;
  // The second label of a variable that has one costs too much.
  auto finite = [&](int64_t cost) { return std::min(cost, high); };
  std::vector<Table> tables;
  for (const Function &function : model.functions) {
    assert(function.scope.size() == 2 && "the reductions leave couplings");
    Table table{function.scope[0], function.scope[1], {}};
    const uint32_t n = model.labels(table.a), m = model.labels(table.b);
    for (uint32_t i = 0; i < 2; ++i)
      for (uint32_t j = 0; j < 2; ++j)
        table.costs[i][j] =
            finite(function.costs[std::min(i, n - 1) * m + std::min(j, m - 1)]);
    tables.push_back(table);
  }
  const std::optional<std::vector<char>> flips = findFlips(count, tables);
  if (!flips)
    return std::nullopt;

  // Side 0 of the cut is that of the source. `gain` of a variable: what side 1
  // costs more.
  std::vector<int64_t> gain(count);
  for (uint32_t v = 0; v < count; ++v) {
    const std::vector<int64_t> &costs = model.costs[v];
    const int64_t more =
        (costs.size() > 1 ? finite(costs[1]) : high) - finite(costs[0]);
    gain[v] = (*flips)[v] ? -more : more;
  }
  Graph graph(count + 2);
  const uint32_t source = count, sink = count + 1;
  for (const Table &table : tables) {
    const bool fa = (*flips)[table.a] != 0, fb = (*flips)[table.b] != 0;
    auto cost = [&](int i, int j) { return table.costs[i ^ fa][j ^ fb]; };
    // cost(i, j) = cost(0, 0) + i * (cost(1, 0) - cost(0, 0))
    //   + j * (cost(1, 1) - cost(1, 0)) + (1 - i) * j * weight
    const int64_t weight = cost(0, 1) + cost(1, 0) - cost(0, 0) - cost(1, 1);
    assert(weight >= 0 && "the flips make it submodular");
    gain[table.a] += cost(1, 0) - cost(0, 0);
    gain[table.b] += cost(1, 1) - cost(1, 0);
    if (weight > 0)
      connect(graph, table.a, table.b, weight, 0);
  }
  for (uint32_t v = 0; v < count; ++v) {
    if (gain[v] > 0)
      connect(graph, source, v, gain[v], 0); // cut if v is on side 1
    else if (gain[v] < 0)
      connect(graph, v, sink, -gain[v], 0);
  }
  boost::boykov_kolmogorov_max_flow(graph, source, sink);
  const auto color = boost::get(boost::vertex_color, graph);
  std::vector<uint32_t> labels(count);
  for (uint32_t v = 0; v < count; ++v) {
    const int side = boost::get(color, v) == boost::black_color ? 0 : 1;
    labels[v] = uint32_t(side ^ (*flips)[v]);
    if (labels[v] >= model.labels(v))
      labels[v] = 0; // only if no labels at all are allowed
  }
  return labels;
}

} // namespace gaudi::layout
