// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of low degree and dominated labels.
#include "Reduction.h"

namespace gaudi::layout {
namespace {
uint64_t keyOf(uint32_t a, uint32_t b) { return uint64_t(a) << 32 | b; }

/// A variable is compared with its neighbours again when one of them changes,
/// but not without end.
constexpr uint32_t maxChecks = 16;
/// Steps of one comparison; hubs of large graphs are not compared.
constexpr uint64_t maxComparison = uint64_t(1) << 20;
} // namespace

int64_t Model::cost(const std::vector<uint32_t> &labels) const {
  int64_t sum = 0;
  for (uint32_t v = 0; v < variables(); ++v)
    sum = add(sum, costs[v][labels[v]]);
  for (const Function &function : functions) {
    size_t at = 0;
    for (uint32_t v : function.scope)
      at = at * this->labels(v) + labels[v];
    sum = add(sum, function.costs[at]);
  }
  return sum;
}

Reduction::Reduction(const Problem &problem)
    : incident(problem.variables.size()), degree(problem.variables.size(), 0),
      isGone(problem.variables.size(), 0),
      isQueued(problem.variables.size(), 0),
      checks(problem.variables.size(), 0) {
  costs.reserve(problem.variables.size());
  auto clamped = [](std::vector<int64_t> values) {
    for (int64_t &value : values) {
      assert(value >= 0 && "costs are not negative");
      value = std::min(value, forbidden);
    }
    return values;
  };
  for (const Variable &variable : problem.variables) {
    assert(!variable.costs.empty() && "a variable has a label");
    costs.push_back(clamped(variable.costs));
  }
  edges.reserve(problem.couplings.size());
  edgeOf.reserve(problem.couplings.size() * 2);
  for (const Coupling &coupling : problem.couplings) {
    assert(coupling.a != coupling.b && coupling.a < costs.size() &&
           coupling.b < costs.size() && "couples two variables");
    assert(coupling.costs.size() == labels(coupling.a) * labels(coupling.b) &&
           "a cost for each pair of labels");
    couple(coupling.a, coupling.b, clamped(coupling.costs));
  }
}

Reduction::View Reduction::view(uint32_t variable, uint32_t edge) const {
  const Edge &e = edges[edge];
  if (e.a == variable)
    return {e.costs.data(), e.b, labels(e.b), 1};
  return {e.costs.data(), e.a, 1, labels(e.b)};
}

/// Adds a coupling to that of the same two variables, if there is one.
void Reduction::couple(uint32_t a, uint32_t b, std::vector<int64_t> table) {
  // One orientation per pair, so that sums are element by element.
  if (a > b) {
    std::vector<int64_t> transposed(table.size());
    const size_t n = labels(a), m = labels(b);
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < m; ++j)
        transposed[j * n + i] = table[i * m + j];
    std::swap(a, b);
    table = std::move(transposed);
  }
  auto [entry, isNew] = edgeOf.try_emplace(keyOf(a, b), uint32_t(edges.size()));
  if (!isNew) {
    std::vector<int64_t> &sums = edges[entry->second].costs;
    for (size_t i = 0; i < table.size(); ++i)
      sums[i] = add(sums[i], table[i]);
    return;
  }
  edges.push_back({a, b, std::move(table)});
  // A coupling that is a sum of costs of its two ends is none.
  if (separate(edges.back())) {
    edges.pop_back();
    edgeOf.erase(keyOf(a, b));
    return;
  }
  for (uint32_t end : {a, b}) {
    incident[end].push_back(uint32_t(edges.size() - 1));
    ++degree[end];
  }
}

/// A coupling that is a cost of the one label plus a cost of the other couples
/// nothing: true if `edge` is one, and its costs are given to the two.
bool Reduction::separate(Edge &edge) {
  const std::vector<int64_t> &left = costs[edge.a], &right = costs[edge.b];
  const size_t n = left.size(), m = right.size();
  // Every row is the same above its smallest entry. Labels that are forbidden
  // in any case do not matter.
  size_t first = n;
  std::vector<int64_t> rows(n, forbidden);
  for (size_t i = 0; i < n; ++i) {
    if (left[i] >= forbidden)
      continue;
    const int64_t *row = &edge.costs[i * m],
                  *model = &edge.costs[first % n * m];
    for (size_t j = 0; j < m; ++j)
      if (right[j] < forbidden)
        rows[i] = std::min(rows[i], row[j]);
    if (rows[i] >= forbidden)
      continue;
    if (first == n)
      first = i;
    else
      for (size_t j = 0; j < m; ++j)
        if (right[j] < forbidden &&
            subtract(row[j], rows[i]) != subtract(model[j], rows[first]))
          return false;
  }
  for (size_t j = 0; j < m && first < n; ++j)
    if (right[j] < forbidden)
      costs[edge.b][j] =
          add(right[j], subtract(edge.costs[first * m + j], rows[first]));
  for (size_t i = 0; i < n; ++i)
    costs[edge.a][i] = add(left[i], rows[i]);
  return true;
}

/// The variable may be reducible now.
void Reduction::touch(uint32_t variable) {
  if (isGone[variable])
    return;
  if (degree[variable] <= 2)
    queue.push_back(variable);
  else if (!isQueued[variable]) {
    isQueued[variable] = 1;
    dirty.push_back(variable);
  }
}

void Reduction::detach(uint32_t edge) {
  Edge &e = edges[edge];
  assert(e.isAlive && "detached twice");
  e.isAlive = false;
  edgeOf.erase(keyOf(e.a, e.b));
  --degree[e.a];
  --degree[e.b];
}

/// Removes dead edges from the list of the variable.
void Reduction::liveEdges(uint32_t variable) {
  std::vector<uint32_t> &list = incident[variable];
  list.erase(std::remove_if(list.begin(), list.end(),
                            [&](uint32_t e) { return !edges[e].isAlive; }),
             list.end());
  assert(list.size() == degree[variable] && "degree counts live edges");
}

void Reduction::run() {
  for (uint32_t v = 0; v < costs.size(); ++v)
    touch(v);
  // The order of the two lists decides which of several optima is found, and is
  // the same in each run. All of low degree goes before labels are compared.
  for (size_t next = 0; !queue.empty() || next < dirty.size();) {
    if (!queue.empty()) {
      const uint32_t v = queue.back();
      queue.pop_back();
      if (!isGone[v])
        eliminate(v);
      continue;
    }
    const uint32_t v = dirty[next++];
    isQueued[v] = 0;
    // Each check is quadratic in labels; a variable gets some of them.
    if (isGone[v] || checks[v] >= maxChecks)
      continue;
    ++checks[v];
    liveEdges(v);
    const bool changed = dropDominated(v);
    // A copy: detaching changes the list.
    for (uint32_t e : std::vector<uint32_t>(incident[v])) {
      const uint32_t other = view(v, e).other;
      if (separate(edges[e])) {
        detach(e);
        touch(other);
      } else if (changed) {
        touch(other);
      }
    }
    // One label is left, or the degree fell: either removes the variable.
    uint32_t last = 0;
    if (allowed(v, last) <= 1)
      fix(v, last);
    else if (degree[v] <= 2)
      queue.push_back(v);
  }
}

/// Gives the costs of the best label for each labels of the at most two
/// neighbours to these.
void Reduction::eliminate(uint32_t variable) {
  liveEdges(variable);
  const std::vector<uint32_t> list = incident[variable];
  const std::vector<int64_t> &own = costs[variable];
  // What is needed to find the variable's label once those of the neighbours
  // are known.
  Gone record{variable, {0, 0}, uint32_t(list.size()), 0, {}};
  isGone[variable] = 1;
  // Alone, the cheapest label is the best.
  if (list.empty()) {
    const auto best = std::min_element(own.begin(), own.end());
    record.best.push_back(uint32_t(best - own.begin()));
    base = add(base, *best);
  } else if (list.size() == 1) {
    // A leaf: per label of the neighbour, the cheapest own label.
    const View edge = view(variable, list[0]);
    record.neighbours[0] = edge.other;
    for (size_t j = 0; j < labels(edge.other); ++j) {
      int64_t least = forbidden;
      uint32_t best = 0;
      for (size_t i = 0; i < own.size(); ++i) {
        const int64_t cost = add(own[i], edge.at(i, j));
        if (cost < least) {
          least = cost;
          best = uint32_t(i);
        }
      }
      record.best.push_back(best);
      costs[edge.other][j] = add(costs[edge.other][j], least);
    }
    detach(list[0]);
  } else {
    eliminatePath(variable, record);
  }
  // Their costs or degree have changed.
  for (uint32_t i = 0; i < record.count; ++i)
    touch(record.neighbours[i]);
  gone.push_back(std::move(record));
  costs[variable].clear();
  costs[variable].shrink_to_fit();
}

/// The case of two neighbours: they are coupled by the result.
void Reduction::eliminatePath(uint32_t variable, Gone &record) {
  const uint32_t edges[2] = {incident[variable][0], incident[variable][1]};
  const View a = view(variable, edges[0]), b = view(variable, edges[1]);
  const std::vector<int64_t> &own = costs[variable];
  const size_t n = labels(a.other), m = labels(b.other);
  record.neighbours[0] = a.other;
  record.neighbours[1] = b.other;
  record.stride = uint32_t(m);
  record.best.assign(n * m, 0);
  // The least cost for each pair of the neighbours' labels.
  std::vector<int64_t> table(n * m, forbidden);
  for (size_t i = 0; i < n; ++i)
    for (size_t l = 0; l < own.size(); ++l) {
      const int64_t cost = add(own[l], a.at(l, i));
      if (cost >= forbidden)
        continue;
      for (size_t j = 0; j < m; ++j) {
        const int64_t sum = add(cost, b.at(l, j));
        if (sum < table[i * m + j]) {
          table[i * m + j] = sum;
          record.best[i * m + j] = uint32_t(l);
        }
      }
    }
  for (uint32_t edge : edges) {
    detach(edge);
    std::vector<int64_t>().swap(this->edges[edge].costs);
  }
  couple(a.other, b.other, std::move(table));
}

/// Gives the variable a label for good.
void Reduction::fix(uint32_t variable, uint32_t label) {
  liveEdges(variable);
  isGone[variable] = 1;
  for (uint32_t e : incident[variable]) {
    const View edge = view(variable, e);
    for (size_t j = 0; j < labels(edge.other); ++j)
      costs[edge.other][j] = add(costs[edge.other][j], edge.at(label, j));
    detach(e);
    touch(edge.other);
  }
  base = add(base, costs[variable][label]);
  gone.push_back({variable, {0, 0}, 0, 0, {label}});
}

uint32_t Reduction::allowed(uint32_t variable, uint32_t &last) const {
  uint32_t count = 0;
  for (uint32_t i = 0; i < labels(variable); ++i)
    if (costs[variable][i] < forbidden) {
      last = i;
      ++count;
    }
  return count;
}

/// Forbids labels that another label is never worse than, the later of two that
/// are as good. True if there were some. Time O(labels^2) times the entries of
/// the couplings' rows.
bool Reduction::dropDominated(uint32_t variable) {
  uint64_t steps = 0;
  for (uint32_t e : incident[variable])
    steps += labels(view(variable, e).other);
  if (steps * labels(variable) * labels(variable) > maxComparison)
    return false;
  bool dropped = false;
  for (uint32_t worse = uint32_t(labels(variable)); worse-- > 0;) {
    for (uint32_t better = 0; better < labels(variable); ++better)
      if (better != worse && costs[variable][worse] < forbidden &&
          costs[variable][better] < forbidden &&
          dominates(variable, better, worse)) {
        costs[variable][worse] = forbidden;
        dropped = true;
      }
  }
  return dropped;
}

/// Whether changing `worse` into `better` never costs more, whatever labels the
/// neighbours have (the criterion of Goldstein for dead ends).
bool Reduction::dominates(uint32_t variable, uint32_t better,
                          uint32_t worse) const {
  // Sums are clamped from below only: that keeps more labels, never fewer.
  int64_t difference = costs[variable][better] - costs[variable][worse];
  for (uint32_t e : incident[variable]) {
    const View edge = view(variable, e);
    int64_t most = -forbidden;
    for (size_t j = 0; j < labels(edge.other); ++j) {
      // Where `worse` is forbidden nothing costs more.
      if (costs[edge.other][j] >= forbidden || edge.at(worse, j) >= forbidden)
        continue;
      if (edge.at(better, j) >= forbidden)
        return false;
      most = std::max(most, edge.at(better, j) - edge.at(worse, j));
    }
    difference = std::max(difference + most, -forbidden);
    if (difference > forbidden)
      return false;
  }
  return difference <= 0;
}

std::vector<Core> Reduction::cores() const {
  std::vector<Core> result;
  std::vector<uint32_t> place(costs.size(), UINT32_MAX), stack;
  for (uint32_t seed = 0; seed < costs.size(); ++seed) {
    if (isGone[seed] || place[seed] != UINT32_MAX)
      continue;
    Core core;
    stack.assign(1, seed);
    place[seed] = 0;
    std::vector<uint32_t> found;
    while (!stack.empty()) {
      const uint32_t v = stack.back();
      stack.pop_back();
      core.variables.push_back(v);
      for (uint32_t e : incident[v]) {
        if (!edges[e].isAlive)
          continue;
        // Each edge once, by its first variable.
        if (edges[e].a == v)
          found.push_back(e);
        const uint32_t other = view(v, e).other;
        if (place[other] == UINT32_MAX) {
          place[other] = 0;
          stack.push_back(other);
        }
      }
    }
    // Variables keep their order, so that scopes are ascending.
    std::sort(core.variables.begin(), core.variables.end());
    std::sort(found.begin(), found.end());
    for (uint32_t i = 0; i < core.variables.size(); ++i) {
      const uint32_t v = core.variables[i];
      place[v] = i;
      core.labels.emplace_back();
      core.model.costs.emplace_back();
      for (uint32_t l = 0; l < labels(v); ++l)
        if (costs[v][l] < forbidden) {
          core.labels.back().push_back(l);
          core.model.costs.back().push_back(costs[v][l]);
        }
      if (core.labels.back().empty()) { // no labels at all
        core.labels.back().push_back(0);
        core.model.costs.back().push_back(forbidden);
      }
    }
    for (uint32_t e : found) {
      const Edge &edge = edges[e];
      Function function{{place[edge.a], place[edge.b]}, {}};
      for (uint32_t i : core.labels[place[edge.a]])
        for (uint32_t j : core.labels[place[edge.b]])
          function.costs.push_back(edge.costs[i * labels(edge.b) + j]);
      core.model.functions.push_back(std::move(function));
    }
    result.push_back(std::move(core));
  }
  return result;
}

void Reduction::complete(std::vector<uint32_t> &labels) const {
  for (auto record = gone.rbegin(); record != gone.rend(); ++record) {
    // Neighbours went later, so that they have labels here.
    size_t at = 0;
    for (uint32_t i = 0; i < record->count; ++i)
      at = at * record->stride + labels[record->neighbours[i]];
    labels[record->variable] = record->best[at];
  }
}

} // namespace gaudi::layout
