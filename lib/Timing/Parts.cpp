// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts pipelined tasks into slices and orders them.
#include "Parts.h"

#include <algorithm>
#include <cassert>

namespace gaudi::timing {
namespace {

/// Neighbours in program order that sliced dependencies connect.
struct Bundle {
  uint32_t begin = 0, end = 0; // tasks
  uint32_t slices = 1;
};

class Cutter {
public:
  Cutter(const std::vector<Task> &tasks, bool pipelined) : tasks(tasks) {
    assert(tasks.size() < UINT32_MAX && "tasks have 32-bit numbers");
    findBundles(pipelined);
  }

  Parts run() {
    firstPart.resize(tasks.size());
    stages.resize(tasks.size());
    for (const Bundle &bundle : bundles)
      emit(bundle);
    // Two passes over the same edges: counts, then places.
    result.first.assign(result.parts.size() + 2, 0);
    result.waiting.assign(result.parts.size(), 0);
    forEachEdge([&](uint32_t from, uint32_t to) {
      ++result.first[from + 2];
      ++result.waiting[to];
    });
    for (size_t p = 2; p < result.first.size(); ++p)
      result.first[p] += result.first[p - 1];
    result.dependents.resize(result.first.back());
    forEachEdge([&](uint32_t from, uint32_t to) {
      assert(from < to && "a part waits for parts before it");
      result.dependents[result.first[from + 1]++] = to;
    });
    result.first.pop_back();
    return std::move(result);
  }

private:
  void findBundles(bool pipelined) {
    bundleOf.resize(tasks.size());
    for (uint32_t t = 0; t < tasks.size(); ++t) {
      bool joins = false;
      uint32_t slices = std::max(tasks[t].maxSlices, 1u);
      if (pipelined && !bundles.empty() && slices > 1)
        for (const Dependency &dependency : tasks[t].dependencies)
          joins |= dependency.sliced && dependency.task >= bundles.back().begin;
      if (joins && bundles.back().slices > 1) {
        bundles.back().end = t + 1;
        bundles.back().slices = std::min(bundles.back().slices, slices);
      } else {
        bundles.push_back({t, t + 1, slices});
      }
      bundleOf[t] = uint32_t(bundles.size() - 1);
    }
    // Nothing overlaps within a single task, so that slices would only cost.
    for (Bundle &bundle : bundles)
      if (bundle.end - bundle.begin == 1)
        bundle.slices = 1;
  }

  bool isSliced(uint32_t task, const Dependency &dependency) const {
    return dependency.sliced && bundleOf[dependency.task] == bundleOf[task] &&
           bundles[bundleOf[task]].slices > 1;
  }

  /// Wave w holds slice w - s of the tasks of stage s: a software pipeline.
  void emit(const Bundle &bundle) {
    uint32_t last = 0;
    for (uint32_t t = bundle.begin; t < bundle.end; ++t) {
      for (const Dependency &dependency : tasks[t].dependencies)
        if (dependency.task >= bundle.begin)
          stages[t] = std::max(
              stages[t], stages[dependency.task] +
                             (isSliced(t, dependency) ? 1 : bundle.slices));
      last = std::max(last, stages[t]);
      firstPart[t] = uint32_t(slicePart.size());
      slicePart.resize(slicePart.size() + bundle.slices);
    }
    for (uint32_t wave = 0; wave < bundle.slices + last; ++wave)
      for (uint32_t t = bundle.begin; t < bundle.end; ++t) {
        const uint32_t stage = stages[t];
        if (wave < stage || wave - stage >= bundle.slices)
          continue;
        slicePart[firstPart[t] + wave - stage] = result.size();
        result.parts.push_back({t, wave - stage, bundle.slices});
      }
  }

  uint32_t partOf(uint32_t task, uint32_t slice) const {
    return slicePart[firstPart[task] + slice];
  }

  template <typename Function> void forEachEdge(Function edge) const {
    for (uint32_t t = 0; t < tasks.size(); ++t) {
      const uint32_t slices = bundles[bundleOf[t]].slices;
      for (const Dependency &dependency : tasks[t].dependencies) {
        const uint32_t from = dependency.task;
        assert(from < t && "a dependency names an earlier task");
        if (!isSliced(t, dependency)) {
          // Later slices of a task begin after its first one.
          for (uint32_t i = 0; i < bundles[bundleOf[from]].slices; ++i)
            edge(partOf(from, i), partOf(t, 0));
          continue;
        }
        // A buffer is used again when the slice in it has been read. Far along
        // the pipeline that takes more of them.
        const uint32_t buffers =
            std::max(pipelineDepth, stages[t] - stages[from] + 1);
        for (uint32_t i = 0; i < slices; ++i) {
          edge(partOf(from, i), partOf(t, i));
          if (i + buffers < slices)
            edge(partOf(t, i), partOf(from, i + buffers));
        }
      }
    }
  }

  const std::vector<Task> &tasks;
  std::vector<Bundle> bundles;
  std::vector<uint32_t> bundleOf;  // of each task
  std::vector<uint32_t> stages;    // of each task in its bundle
  std::vector<uint32_t> firstPart; // of each task in slicePart
  std::vector<uint32_t> slicePart; // slice by slice: its part
  Parts result;
};

} // namespace

Parts cutIntoParts(const std::vector<Task> &tasks, bool pipelined) {
  return Cutter(tasks, pipelined).run();
}

Picoseconds shareOf(Picoseconds amount, uint32_t k, uint32_t n) {
  // amount * k / n without overflow.
  const Picoseconds whole = amount / n, rest = amount % n;
  return whole + rest * (k + 1) / n - rest * k / n;
}

} // namespace gaudi::timing
