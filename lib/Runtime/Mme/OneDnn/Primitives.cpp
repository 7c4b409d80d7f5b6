// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// oneDNN objects, and running commands made of them.
#include "Primitives.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <cstring>
#include <new>

// oneDNN is built with GNU OpenMP, of which these two symbols are all that is
// needed: nothing here is compiled with OpenMP.
extern "C" {
void omp_set_num_threads(int);
int omp_get_max_threads(void);
}

namespace gaudi::runtime {

using recipe::ElementType;

dnnl::engine &cpuEngine() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::primitive_attr primitiveAttributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

// OpenMP keeps the number per thread, so workers set their own.
SingleThreaded::SingleThreaded() : before(omp_get_max_threads()) {
  if (before != 1)
    omp_set_num_threads(1);
}
SingleThreaded::~SingleThreaded() {
  if (before != 1)
    omp_set_num_threads(before);
}

bool hostHasBf16() {
  static const bool result = [] {
    try {
      // What oneDNN would run says it: its reference code means no support.
      const dnnl::memory::desc square({64, 64}, dnnl::memory::data_type::bf16,
                                      dnnl::memory::format_tag::ab);
      const dnnl::matmul::primitive_desc description(
          dnnl::matmul::desc(square, square, square), cpuEngine());
      return std::strncmp(description.impl_info_str(), "ref", 3) != 0;
    } catch (const dnnl::error &) {
      return false;
    }
  }();
  return result;
}

ElementType computeType(ElementType type) {
  // bf16 holds every f8 value, f32 every f16 value.
  if (type == ElementType::F32 || type == ElementType::F16 || !hostHasBf16())
    return ElementType::F32;
  return ElementType::BF16;
}

dnnl::memory::data_type dnnlType(ElementType type) {
  return type == ElementType::BF16 ? dnnl::memory::data_type::bf16
                                   : dnnl::memory::data_type::f32;
}

bool isDenseRowMajor(const Layout &layout) {
  return kernel::isDense(layout.sizes, layout.strides);
}

unsigned MatrixCommand::addPrimitive(dnnl::primitive primitive,
                                     const dnnl::memory::desc &scratchpad) {
  primitives.push_back({std::move(primitive), scratchpad, {}});
  return unsigned(primitives.size() - 1);
}

uint64_t MatrixCommand::scratchBytes() const {
  uint64_t most = 0;
  for (const Loaded &loaded : primitives)
    most = std::max<uint64_t>(most, loaded.scratchpad.get_size());
  return most;
}

void MatrixCommand::bindScratch(const std::vector<uint8_t *> &perWorker) {
  // All primitives share a worker's scratch: it runs one at a time.
  for (Loaded &loaded : primitives)
    for (uint8_t *base : perWorker)
      loaded.scratch.emplace_back(loaded.scratchpad, cpuEngine(), base);
  for (size_t worker = 0; worker < perWorker.size(); ++worker)
    streams.emplace_back(cpuEngine());
}

void MatrixCommand::run(LaunchContext &context) {
  copies.run(context.pool);
  if (!packs.empty()) {
    // oneDNN must not start its own threads: the pool divides the calls.
    SingleThreaded scope;
    dnnl_stream_t stream = streams[0].get();
    for (const PackStep &pack : packs) {
      const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, pack.from.get()},
                                           {DNNL_ARG_TO, pack.to.get()}};
      dnnl_primitive_execute(pack.reorder.get(), stream, 2, arguments);
    }
  }
  context.pool.parallelFor(
      int64_t(calls.size()), 1,
      [&](int64_t begin, int64_t end, unsigned worker) {
        SingleThreaded scope;
        for (int64_t i = begin; i < end; ++i) {
          const PrimitiveCall &call = calls[size_t(i)];
          const Loaded &loaded = primitives[call.primitive];
          // The C interface: the C++ one allocates a map per call.
          const dnnl_exec_arg_t arguments[] = {
              {DNNL_ARG_SRC, call.src.get()},
              {DNNL_ARG_WEIGHTS, call.weights.get()},
              {DNNL_ARG_DST, call.dst.get()},
              {DNNL_ARG_SCRATCHPAD, loaded.scratch[worker].get()}};
          // Each worker has a stream and scratch of its own.
          dnnl_primitive_execute(loaded.primitive.get(), streams[worker].get(),
                                 4, arguments);
        }
      });
  for (const CopyStep &step : after)
    step.run(context.pool);
  // The padding of NaN weights is repaired in the stored result, so last.
  if (repair)
    repair->run(context.pool);
}

} // namespace gaudi::runtime
