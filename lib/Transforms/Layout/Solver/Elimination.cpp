// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order of elimination, mini-buckets and their tables.
#include "Elimination.h"
#include <queue>
#include <tuple>

namespace gaudi::layout {
namespace {
using Set = std::vector<uint32_t>; // ascending

Set unite(const Set &a, const Set &b) {
  Set result;
  result.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(),
                 std::back_inserter(result));
  return result;
}

enum class Rule { LeastTable, FewestCouplings };

/// Eliminates scopes instead of functions.
class Planner {
public:
  Planner(const Model &model, uint64_t tableEntries, Rule rule)
      : model(model), tableEntries(tableEntries), rule(rule),
        neighbours(model.variables()), readers(model.variables()),
        version(model.variables(), 0) {
    for (const Function &function : model.functions)
      addScope(function.scope, /*isExact=*/true);
  }

  Plan run() {
    Plan plan;
    std::vector<char> isGone(model.variables(), 0);
    for (uint32_t v = 0; v < model.variables(); ++v)
      push(v);
    while (plan.buckets.size() < model.variables()) {
      auto [key, tie, v, stamp] = heap.top();
      heap.pop();
      if (isGone[v] || stamp != version[v])
        continue;
      isGone[v] = 1;
      plan.buckets.push_back(eliminate(v, plan));
      for (uint32_t n : neighbours[v]) {
        Set &others = neighbours[n];
        others.erase(std::lower_bound(others.begin(), others.end(), v));
        ++version[n];
        push(n);
      }
    }
    return plan;
  }

private:
  uint64_t entries(const Set &scope) const {
    uint64_t product = 1;
    for (uint32_t v : scope) {
      if (product > (uint64_t(1) << 40))
        break; // more than any limit
      product *= model.labels(v);
    }
    return product;
  }

  uint32_t addScope(Set scope, bool isExact) {
    const uint32_t id = uint32_t(scopes.size());
    for (uint32_t v : scope) {
      readers[v].push_back(id);
      // Cliques: what v meets in any scope.
      Set others = scope;
      others.erase(std::lower_bound(others.begin(), others.end(), v));
      neighbours[v] = unite(neighbours[v], others);
    }
    scopes.push_back(std::move(scope));
    exact.push_back(isExact);
    isTaken.push_back(0);
    return id;
  }

  /// Pairs of neighbours that do not meet yet.
  uint64_t newCouplings(uint32_t v) const {
    const Set &around = neighbours[v];
    uint64_t missing = 0;
    for (size_t i = 0; i < around.size(); ++i)
      for (size_t j = i + 1; j < around.size(); ++j)
        missing += !std::binary_search(neighbours[around[i]].begin(),
                                       neighbours[around[i]].end(), around[j]);
    return missing;
  }

  void push(uint32_t v) {
    // Counting couplings takes the square of the degree.
    const uint64_t table = entries(neighbours[v]);
    const uint64_t count =
        rule == Rule::FewestCouplings && neighbours[v].size() <= maxCounted
            ? newCouplings(v)
            : UINT32_MAX;
    if (rule == Rule::FewestCouplings)
      heap.emplace(count, table, v, version[v]);
    else
      heap.emplace(table, 0, v, version[v]);
  }

  /// Functions with large scopes go first, each into the first part that has
  /// room for it.
  Bucket eliminate(uint32_t v, Plan &plan) {
    Bucket bucket;
    bucket.variable = v;
    std::vector<uint32_t> ids;
    for (uint32_t id : readers[v])
      if (!isTaken[id])
        ids.push_back(id);
    // Ties by number, so that the plan is the same in each run.
    std::sort(ids.begin(), ids.end(), [&](uint32_t a, uint32_t b) {
      return std::make_pair(scopes[b].size(), a) <
             std::make_pair(scopes[a].size(), b);
    });
    for (uint32_t id : ids) {
      Set others = scopes[id];
      // The result of the bucket lacks the variable itself.
      others.erase(std::lower_bound(others.begin(), others.end(), v));
      isTaken[id] = 1;
      bucket.isExact &= bool(exact[id]);
      Bucket::Part *room = nullptr;
      for (Bucket::Part &part : bucket.parts) {
        // A part whose table grows too large would be exact, but not
        // affordable: the function goes into another one, and the result
        // becomes a bound.
        Set united = unite(part.scope, others);
        if (united.size() > part.scope.size() && entries(united) > tableEntries)
          continue;
        part.scope = std::move(united);
        room = &part;
        break;
      }
      if (!room) {
        bucket.parts.push_back({{}, std::move(others), 0});
        room = &bucket.parts.back();
      }
      room->functions.push_back(id);
    }
    // A variable without functions still has costs.
    if (bucket.parts.empty())
      bucket.parts.emplace_back();
    plan.divided += bucket.parts.size() > 1;
    bucket.isExact &= bucket.parts.size() == 1;
    for (Bucket::Part &part : bucket.parts) {
      plan.entries += entries(part.scope) * model.labels(v);
      // A result is a function of its scope, for buckets that come later.
      part.result = addScope(part.scope, bucket.isExact);
    }
    return bucket;
  }

  static constexpr size_t maxCounted = 20;

  const Model &model;
  const uint64_t tableEntries;
  const Rule rule;
  std::vector<Set> neighbours;
  std::vector<std::vector<uint32_t>> readers; // ids of scopes
  std::vector<uint32_t> version;              // of entries of the heap
  std::vector<Set> scopes;
  std::vector<char> exact, isTaken;
  using Entry = std::tuple<uint64_t, uint64_t, uint32_t, uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
};
} // namespace

/// Adds `function` to the costs of the variables `scope` and, fastest,
/// `variable`.
static void addFunction(const Model &model, const Function &function,
                        const Set &scope, uint32_t variable,
                        std::vector<int64_t> &table) {
  struct Digit {
    size_t size, stride, value;
  };
  std::vector<Digit> digits; // slowest first
  for (uint32_t u : scope)
    digits.push_back({model.labels(u), 0, 0});
  digits.push_back({model.labels(variable), 0, 0});
  // A variable that the function lacks keeps the stride 0: its costs repeat.
  size_t stride = 1;
  for (size_t i = function.scope.size(); i-- > 0;) {
    const uint32_t u = function.scope[i];
    const auto found = std::lower_bound(scope.begin(), scope.end(), u);
    const size_t at =
        u == variable ? scope.size() : size_t(found - scope.begin());
    assert((u == variable || (found != scope.end() && *found == u)) &&
           "a part has all variables of its functions");
    digits[at].stride = stride;
    stride *= model.labels(u);
  }
  const Digit fastest = digits.back();
  digits.pop_back();
  // An odometer over the scope: the position moves by strides, without a
  // division.
  size_t at = 0; // in the function
  for (size_t i = 0; i < table.size(); i += fastest.size) {
    for (size_t l = 0; l < fastest.size; ++l)
      table[i + l] = add(table[i + l], function.costs[at + l * fastest.stride]);
    for (size_t d = digits.size(); d-- > 0;) {
      at += digits[d].stride;
      if (++digits[d].value < digits[d].size)
        break;
      at -= digits[d].size * digits[d].stride;
      digits[d].value = 0;
    }
  }
}

Plan planElimination(const Model &model, uint64_t tableEntries) {
  Plan a = Planner(model, tableEntries, Rule::FewestCouplings).run();
  Plan b = Planner(model, tableEntries, Rule::LeastTable).run();
  auto quality = [](const Plan &plan) {
    return std::make_pair(plan.divided, plan.entries);
  };
  return quality(b) < quality(a) ? b : a;
}

Elimination::Elimination(const Model &model, const Plan &plan)
    : model(model), plan(plan) {
  for (const Bucket &bucket : plan.buckets)
    combine(bucket);
}

/// Sums the functions of each part and takes the least over the variable. In a
/// divided bucket the least costs of each label are shared out evenly first:
/// then the parts rather choose the same label. Rounding keeps the sum.
void Elimination::combine(const Bucket &bucket) {
  const uint32_t v = bucket.variable;
  const size_t count = model.labels(v);
  std::vector<std::vector<int64_t>> tables;
  std::vector<std::vector<int64_t>> least; // per part and label
  for (const Bucket::Part &part : bucket.parts) {
    // The variable varies fastest.
    size_t size = count;
    for (uint32_t u : part.scope)
      size *= model.labels(u);
    const bool isFirst = tables.empty();
    std::vector<int64_t> &table = tables.emplace_back(size, 0);
    // The variable's own costs count once, in the first part.
    for (size_t i = 0; isFirst && i < size; ++i)
      table[i] = model.costs[v][i % count];
    for (uint32_t id : part.functions)
      addFunction(model, function(id), part.scope, v, table);
    std::vector<int64_t> &smallest = least.emplace_back(count, forbidden);
    for (size_t i = 0; i < size; i += count)
      for (size_t l = 0; l < count; ++l)
        smallest[l] = std::min(smallest[l], table[i + l]);
  }
  const size_t parts = tables.size();
  // With several parts, what they cost at least is moved between them until
  // they agree per label, which tightens the bound.
  for (size_t l = 0; l < count; ++l) {
    int64_t total = 0;
    for (const std::vector<int64_t> &smallest : least)
      total = add(total, smallest[l]);
    for (size_t k = 0; k < parts && parts > 1; ++k) {
      for (size_t i = l; i < tables[k].size(); i += count)
        tables[k][i] = total >= forbidden
                           ? forbidden
                           : add(subtract(tables[k][i], least[k][l]),
                                 shareOf(total, k, parts));
    }
  }
  for (size_t k = 0; k < parts; ++k) {
    assert(bucket.parts[k].result == model.functions.size() + results.size() &&
           "results are made in the order of the plan");
    Function result{bucket.parts[k].scope, {}};
    const std::vector<int64_t> &table = tables[k];
    for (const int64_t *row = table.data(), *end = row + table.size();
         row != end; row += count)
      result.costs.push_back(*std::min_element(row, row + count));
    // An empty scope: a number that every solution costs.
    if (result.scope.empty())
      lowest = add(lowest, result.costs[0]);
    results.push_back(std::move(result));
  }
}

/// Where the entry of `function` is if `variable` has `label`.
size_t Elimination::index(const Function &function,
                          const std::vector<uint32_t> &labels,
                          uint32_t variable, uint32_t label) const {
  size_t at = 0;
  for (uint32_t u : function.scope)
    at = at * model.labels(u) + (u == variable ? label : labels[u]);
  return at;
}

int64_t Elimination::increase(size_t at, const std::vector<uint32_t> &labels,
                              uint32_t label) const {
  const Bucket &bucket = plan.buckets[at];
  const uint32_t v = bucket.variable;
  int64_t sum = model.costs[v][label], least = 0;
  for (const Bucket::Part &part : bucket.parts) {
    for (uint32_t id : part.functions) {
      const Function &f = function(id);
      sum = add(sum, f.costs[index(f, labels, v, label)]);
    }
    const Function &result = function(part.result);
    least = add(least, result.costs[index(result, labels, v, label)]);
  }
  return subtract(sum, std::min(least, sum));
}

std::vector<uint32_t> Elimination::decode() const {
  std::vector<uint32_t> labels(model.variables(), 0);
  for (size_t at = plan.buckets.size(); at-- > 0;) {
    const uint32_t v = plan.buckets[at].variable;
    int64_t best = forbidden;
    uint32_t chosen = 0;
    for (uint32_t l = 0; l < model.labels(v); ++l)
      if (const int64_t more = increase(at, labels, l); more < best) {
        best = more;
        chosen = l;
      }
    labels[v] = chosen;
  }
  return labels;
}

} // namespace gaudi::layout
