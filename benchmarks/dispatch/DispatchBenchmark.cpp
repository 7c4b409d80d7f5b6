// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an entry with variants adds to a launch: the choice, the extents, and
// copies of a part of each tensor, beside the same launch of a static recipe.
//
// Usage: DispatchBenchmark DYNAMIC.recipe STATIC.recipe SIZE...
//
// STATIC has the shapes that DYNAMIC has at these sizes of its symbols. Each
// phase is the best of many rounds, ours and the static one by turns.
#include "Gaudi/Runtime/Dispatch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

using namespace gaudi;
using runtime::Dispatcher;
using runtime::Executable;

namespace {

constexpr unsigned rounds = 40, calls = 500;

[[noreturn]] void stop(const std::string &text) {
  std::fprintf(stderr, "DispatchBenchmark: error: %s\n", text.c_str());
  std::exit(2);
}

template <typename T> T valueOf(Result<T> result) {
  if (!result)
    stop(result.error().message);
  return std::move(*result);
}

void check(const Status &status) {
  if (!status)
    stop(status.error().message);
}

std::unique_ptr<Executable> load(const char *path) {
  auto file = std::make_shared<const recipe::RecipeFile>(
      valueOf(recipe::RecipeFile::open(path)));
  return valueOf(Executable::load(file, {}));
}

using Buffers = std::vector<std::vector<uint8_t>>;

/// One way to launch, by phases.
struct Way {
  std::function<void()> choose, in, launch, out;
};

double best(const std::function<void()> &phase) {
  const auto start = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < calls; ++i)
    phase();
  const std::chrono::duration<double, std::nano> time =
      std::chrono::steady_clock::now() - start;
  return time.count() / calls;
}

Buffers buffersOf(const std::vector<runtime::TensorInfo> &infos) {
  Buffers buffers;
  for (const runtime::TensorInfo &info : infos)
    buffers.emplace_back(info.bytes);
  return buffers;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: DispatchBenchmark DYNAMIC.recipe "
                         "STATIC.recipe SIZE...\n");
    return 2;
  }
  const auto dynamic = load(argv[1]), fixed = load(argv[2]);
  auto dispatcher = valueOf(Dispatcher::create(*dynamic, 0));
  shapes::Sizes sizes;
  for (int i = 3; i < argc; ++i)
    sizes.push_back(std::atoll(argv[i]));
  if (sizes.size() != dispatcher->symbols().size())
    stop("expected " + std::to_string(dispatcher->symbols().size()) + " sizes");
  std::vector<Dispatcher::Shape> shapes;
  for (size_t i = 0; i < dispatcher->inputs().size(); ++i)
    shapes.push_back(dispatcher->inputShape(i, sizes));
  Buffers inputs = buffersOf(fixed->inputs(0)),
          outputs = buffersOf(fixed->outputs(0));
  const auto forEach = [](Buffers &buffers, auto &&copy) {
    for (size_t i = 0; i < buffers.size(); ++i)
      check(copy(i, buffers[i].data(), buffers[i].size()));
  };
  const auto launched = [](const auto &result) {
    if (!result)
      stop(result.error().message);
  };
  const Way ways[] = {
      {[&] { check(dispatcher->select(shapes)); },
       [&] {
         forEach(inputs, [&](size_t i, void *data, size_t bytes) {
           return dispatcher->setInput(i, data, bytes);
         });
       },
       [&] { launched(dispatcher->launch()); },
       [&] {
         forEach(outputs, [&](size_t i, void *data, size_t bytes) {
           return dispatcher->getOutput(i, data, bytes);
         });
       }},
      {[] {},
       [&] {
         forEach(inputs, [&](size_t i, void *data, size_t bytes) {
           return fixed->setInput(i, data, bytes);
         });
       },
       [&] { launched(fixed->launch()); },
       [&] {
         forEach(outputs, [&](size_t i, void *data, size_t bytes) {
           return fixed->getOutput(i, data, bytes);
         });
       }}};
  const char *const names[] = {"choose", "inputs", "launch", "outputs"};
  double times[2][4];
  std::fill(&times[0][0], &times[0][0] + 8, 1e30);
  for (unsigned round = 0; round < rounds; ++round)
    for (size_t w = 0; w < 2; ++w) {
      const std::function<void()> *const phases[] = {
          &ways[w].choose, &ways[w].in, &ways[w].launch, &ways[w].out};
      for (size_t p = 0; p < 4; ++p)
        times[w][p] = std::min(times[w][p], best(*phases[p]));
    }
  double added = 0;
  for (size_t p = 0; p < 4; ++p) {
    std::printf("%-8s %8.0f ns with variants, %8.0f ns static\n", names[p],
                times[0][p], times[1][p]);
    added += times[0][p] - times[1][p];
  }
  std::printf("added    %8.0f ns per launch, %zu inputs, %zu outputs\n", added,
              inputs.size(), outputs.size());
  return 0;
}
